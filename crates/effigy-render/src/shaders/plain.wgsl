// Classic layers: texels joined with colour and light, in the games' gamma space.

@group(1) @binding(0) var base_texture: texture_2d<f32>;
@group(1) @binding(1) var base_sampler: sampler;
@group(1) @binding(2) var second_texture: texture_2d<f32>;
@group(1) @binding(3) var second_sampler: sampler;

// What a texel makes of the colour and alpha so far. Numbers as in `pipelines.rs`.
fn joined(so_far: vec4<f32>, texel: vec4<f32>, how: u32) -> vec4<f32> {
    switch how {
        case 1u: { return vec4<f32>(so_far.rgb * texel.rgb, so_far.a); }
        case 2u: { return so_far * texel * 2.0; }
        case 3u: { return vec4<f32>(so_far.rgb * texel.rgb * 2.0, so_far.a); }
        case 4u: { return so_far + texel; }
        case 5u: { return vec4<f32>(so_far.rgb + texel.rgb, so_far.a); }
        case 6u: { return vec4<f32>(mix(so_far.rgb, texel.rgb, so_far.a), so_far.a); }
        case 7u: { return vec4<f32>(mix(texel.rgb, so_far.rgb, so_far.a), so_far.a); }
        default: { return so_far * texel; }
    }
}

@fragment
fn fragment(in: Varying, @builtin(front_facing) front: bool) -> @location(0) vec4<f32> {
    var color = in.color;
    if lit_from_behind {
        color = vec4<f32>(select(in.back_color, color.rgb, front), color.a);
    }
    var shown = textureSample(base_texture, base_sampler, in.uv.xy);
    if combined {
        shown = joined(color, shown, first_join);
    } else {
        shown *= color;
    }
    if two_textures {
        let second = textureSample(second_texture, second_sampler, in.uv.zw);
        if combined {
            shown = joined(shown, second, second_join);
        } else {
            shown *= second;
        }
    }
    if soft_edges {
        let above = shown.a - draw.tests.y * color.a;
        let covered = edge(select(above, -above - 0.5 / 255.0, has(BELOW)), fwidth(shown.a));
        if covered < 0.02 {
            discard;
        }
        return cut_out(shown.rgb, covered);
    }
    if tested {
        // The second test is for what the texels say, whatever the layer's own alpha is.
        let too_little = shown.a < draw.tests.x || shown.a < draw.tests.y * color.a;
        if too_little != has(BELOW) {
            discard;
        }
    }
    return vec4<f32>(shown.rgb, select(shown.a, color.a, has(COVERS)));
}
