// What every shader shares: the view, the lights, one draw, and the vertex stage.

struct Light {
    // Where it is (omni) or where it shines from (directional); w: 0 omni, 1 directional, 2 ambient only, 3 after the
    // last light.
    place: vec4<f32>,
    color: vec4<f32>,
    ambient: vec4<f32>,
}

struct Frame {
    view_projection: mat4x4<f32>,
    view: mat4x4<f32>,
    eye: vec4<f32>,
    // Not used; 1 for the rules of World of Warcraft.
    counts: vec4<u32>,
    lights: array<Light, 9>,
}

struct Draw {
    color: vec4<f32>,
    // Rows of the texture matrix; w of the first row: the coordinate set.
    base_u: vec4<f32>,
    base_v: vec4<f32>,
    second_u: vec4<f32>,
    second_v: vec4<f32>,
    // Least alpha of texel times colour; least alpha of the texel; strength of the emissive map; the share of the
    // second frame.
    tests: vec4<f32>,
    // Flags; the first matrix of the mesh.
    flags: vec4<u32>,
}

// What a layer needs is decided when a pipeline is made: software drivers then compile less.
override skinned: bool = false;
override lit_layer: bool = false;
override lit_from_behind: bool = false;
override sphere_mapped: bool = false;
override two_textures: bool = false;
override combined: bool = false;
override first_join: u32 = 0u;
override second_join: u32 = 0u;
override tested: bool = true;
override soft_edges: bool = false;
override over_nothing: bool = false;

const SPHERE_BASE: u32 = 2u;
const SPHERE_SECOND: u32 = 4u;
const COVERS: u32 = 8u;
const BALL: u32 = 16u;
const ROOM: u32 = 32u;
const BELOW: u32 = 64u;

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<uniform> draw: Draw;
// Rows of matrices, three texels each, 256 matrices a line.
@group(0) @binding(2) var matrices: texture_2d<f32>;

struct Input {
    @location(0) position: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) uv0: vec2<f32>,
    @location(3) uv1: vec2<f32>,
    // The number of its matrix in the mesh, or its colour.
    @location(4) mark: u32,
}

struct Varying {
    @builtin(position) @invariant clip: vec4<f32>,
    @location(0) color: vec4<f32>,
    @location(1) uv: vec4<f32>,
    @location(2) normal: vec3<f32>,
    @location(3) position: vec3<f32>,
    @location(4) back_color: vec3<f32>,
}

// How much of a pixel at the edge of a cut-out is covered. `margin` is how far alpha is above the test, `change` how much
// alpha changes from pixel to pixel: the edge is one pixel wide, and lies where alpha crosses the test. Callers discard less than
// 0.02, because a driver may round any coverage up to one sample.
fn edge(margin: f32, change: f32) -> f32 {
    return clamp((margin + 0.25 / 255.0) / max(change, 0.5 / 255.0) + 0.5, 0.0, 1.0);
}

// A pixel of a cut-out. The share of samples that alpha selects keeps that alpha; over nothing it would count twice, so
// it is the root, and the colour is multiplied by it.
fn cut_out(color: vec3<f32>, covered: f32) -> vec4<f32> {
    if over_nothing {
        let share = sqrt(covered);
        return vec4<f32>(color * share, share);
    }
    return vec4<f32>(color, covered);
}

fn has(flag: u32) -> bool {
    return (draw.flags.x & flag) != 0u;
}

// No branch and no loop may depend on numbers of `frame` or `draw` at a fixed place: lavapipe compiles a shader again for
// each draw to put such numbers in. `&&` and `||` are branches; `select`, `&`, `|` and places that change are fine.

// Attenuation of a light at a distance: the games' own formulas.
fn fade(distance: f32) -> f32 {
    let world = min(1.0, 1.0 / max(0.7 * distance + 0.03 * distance * distance, 0.0001));
    return select(1.0 / (1.0 + 0.0005 * distance * distance), world, frame.counts.y == 1u);
}

// Light on the front (first) and, seen from behind, on the back of a surface.
struct Lit {
    front: vec3<f32>,
    back: vec3<f32>,
}

fn lit(position: vec3<f32>, normal: vec3<f32>) -> Lit {
    var sum = Lit(vec3<f32>(0.0), vec3<f32>(0.0));
    for (var i = 0u; frame.lights[i].place.w < 2.5; i++) {
        let light = frame.lights[i];
        var toward = light.place.xyz;
        var strength = 1.0;
        if light.place.w < 0.5 {
            let offset = light.place.xyz - position;
            let distance = length(offset);
            toward = offset / max(distance, 0.0001);
            strength = fade(distance);
        }
        let facing = dot(normal, toward);
        sum.front += (light.color.rgb * max(facing, 0.0) + light.ambient.rgb) * strength;
        sum.back += (light.color.rgb * max(-facing, 0.0) + light.ambient.rgb) * strength;
    }
    return sum;
}

// Coordinates made from the reflected view direction: the ways of four games.
fn sphere(position: vec3<f32>, normal: vec3<f32>) -> vec2<f32> {
    let seen = normalize((frame.view * vec4<f32>(position, 1.0)).xyz);
    let r = reflect(seen, normalize((frame.view * vec4<f32>(normal, 0.0)).xyz));
    let m = 2.0 * sqrt(r.x * r.x + r.y * r.y + (r.z + 1.0) * (r.z + 1.0));
    let ball = vec2<f32>(r.x, select(-r.y, r.y, has(BALL))) / m;
    let flat = (frame.counts.y == 1u) & !has(BALL);
    let mirrored = reflect(normalize(position - frame.eye.xyz), normal);
    let room = vec2<f32>(mirrored.y, -mirrored.z) * 0.5;
    return select(select(ball, r.xy * 0.5, flat), room, has(ROOM)) + 0.5;
}

fn moved(uv: vec2<f32>, u: vec4<f32>, v: vec4<f32>) -> vec2<f32> {
    let at = vec3<f32>(uv, 1.0);
    return vec2<f32>(dot(u.xyz, at), dot(v.xyz, at));
}

fn shown(position: vec3<f32>, normal: vec3<f32>, input: Input, color: vec4<f32>) -> Varying {
    var out: Varying;
    out.clip = frame.view_projection * vec4<f32>(position, 1.0);
    out.position = position;
    out.normal = normal;
    var front = color.rgb;
    var back = color.rgb;
    if lit_layer {
        let light = lit(position, normal);
        front *= light.front;
        back *= select(light.front, light.back, lit_from_behind);
    }
    out.color = clamp(vec4<f32>(front, color.a), vec4<f32>(0.0), vec4<f32>(1.0));
    out.back_color = clamp(back, vec3<f32>(0.0), vec3<f32>(1.0));
    var base = select(input.uv0, input.uv1, draw.base_u.w > 0.5);
    base = moved(base, draw.base_u, draw.base_v);
    var second = base;
    if two_textures {
        second = select(input.uv0, input.uv1, draw.second_u.w > 0.5);
        second = moved(second, draw.second_u, draw.second_v);
    }
    if sphere_mapped {
        let mirrored = sphere(position, normal);
        base = select(base, mirrored, has(SPHERE_BASE));
        second = select(second, mirrored, has(SPHERE_SECOND));
    }
    out.uv = vec4<f32>(base, second);
    return out;
}

// A colour from its four bytes; WebGL 2 has no function for it.
fn bytes_of(mark: u32) -> vec4<f32> {
    let channels = (vec4<u32>(mark) >> vec4<u32>(0u, 8u, 16u, 24u)) & vec4<u32>(255u);
    return vec4<f32>(channels) / 255.0;
}

fn unit(v: vec3<f32>) -> vec3<f32> {
    return v * inverseSqrt(max(dot(v, v), 1e-30));
}

@vertex
fn vertex(input: Input) -> Varying {
    if skinned {
        let at = input.mark + draw.flags.y;
        let place = vec2<i32>(i32(at & 255u) * 3, i32(at >> 8u));
        let x = textureLoad(matrices, place, 0);
        let y = textureLoad(matrices, place + vec2<i32>(1, 0), 0);
        let z = textureLoad(matrices, place + vec2<i32>(2, 0), 0);
        let rest = vec4<f32>(input.position, 1.0);
        let position = vec3<f32>(dot(x, rest), dot(y, rest), dot(z, rest));
        let n = input.normal;
        let normal = unit(vec3<f32>(dot(x.xyz, n), dot(y.xyz, n), dot(z.xyz, n)));
        return shown(position, normal, input, draw.color);
    }
    return shown(input.position, input.normal, input, draw.color * bytes_of(input.mark));
}

@vertex
fn vertex_between_frames(
    input: Input,
    @location(5) next_position: vec3<f32>,
    @location(6) next_normal: vec3<f32>,
) -> Varying {
    let share = draw.tests.w;
    let position = mix(input.position, next_position, share);
    return shown(position, unit(mix(input.normal, next_normal, share)), input, draw.color);
}
