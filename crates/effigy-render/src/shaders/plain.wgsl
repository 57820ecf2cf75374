// Classic layers: texel times colour and light, in the games' gamma space.

@group(1) @binding(0) var base_texture: texture_2d<f32>;
@group(1) @binding(1) var base_sampler: sampler;
@group(1) @binding(2) var second_texture: texture_2d<f32>;
@group(1) @binding(3) var second_sampler: sampler;

@fragment
fn fragment(in: Varying, @builtin(front_facing) front: bool) -> @location(0) vec4<f32> {
    var texel = textureSample(base_texture, base_sampler, in.uv.xy);
    if two_textures {
        texel *= textureSample(second_texture, second_sampler, in.uv.zw);
    }
    var color = in.color.rgb;
    if lit_from_behind {
        color = select(in.back_color, color, front);
    }
    let alpha = texel.a * in.color.a;
    if texel.a < draw.tests.y || alpha < draw.tests.x {
        discard;
    }
    return vec4<f32>(texel.rgb * color, select(alpha, in.color.a, has(COVERS)));
}
