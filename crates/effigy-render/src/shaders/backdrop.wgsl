// A gradient behind the model, over the whole picture.

struct Backdrop {
    top: vec4<f32>,
    bottom: vec4<f32>,
}

@group(0) @binding(0) var<uniform> backdrop: Backdrop;

struct Varying {
    @builtin(position) clip: vec4<f32>,
    @location(0) down: f32,
}

@vertex
fn vertex(@builtin(vertex_index) index: u32) -> Varying {
    let corner = vec2<f32>(f32((index << 1u) & 2u), f32(index & 2u));
    var out: Varying;
    out.clip = vec4<f32>(corner * 2.0 - 1.0, 1.0, 1.0);
    out.down = 1.0 - corner.y;
    return out;
}

@fragment
fn fragment(in: Varying) -> @location(0) vec4<f32> {
    return mix(backdrop.top, backdrop.bottom, clamp(in.down, 0.0, 1.0));
}
