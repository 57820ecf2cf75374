// Overlays: plain coloured lines.

struct View {
    view_projection: mat4x4<f32>,
}

@group(0) @binding(0) var<uniform> view: View;

struct Varying {
    @builtin(position) clip: vec4<f32>,
    @location(0) color: vec4<f32>,
}

@vertex
fn vertex(@location(0) position: vec3<f32>, @location(1) color: vec4<f32>) -> Varying {
    var out: Varying;
    out.clip = view.view_projection * vec4<f32>(position, 1.0);
    out.color = color;
    return out;
}

@fragment
fn fragment(in: Varying) -> @location(0) vec4<f32> {
    return in.color;
}
