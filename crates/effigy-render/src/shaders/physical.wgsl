// Reforged materials: metal and roughness, lit in linear light, mapped back to the games' gamma space.

@group(1) @binding(0) var base_texture: texture_2d<f32>;
@group(1) @binding(1) var base_sampler: sampler;
@group(1) @binding(2) var normal_texture: texture_2d<f32>;
@group(1) @binding(3) var orm_texture: texture_2d<f32>;
@group(1) @binding(4) var emissive_texture: texture_2d<f32>;
@group(1) @binding(5) var team_texture: texture_2d<f32>;

const PI: f32 = 3.14159265;

fn to_linear(c: vec3<f32>) -> vec3<f32> {
    return c * (c * (c * 0.3053 + 0.6822) + 0.0125);
}

fn to_gamma(c: vec3<f32>) -> vec3<f32> {
    let low = c * 12.92;
    let high = 1.055 * pow(max(c, vec3<f32>(0.0)), vec3<f32>(1.0 / 2.4)) - 0.055;
    return select(high, low, c <= vec3<f32>(0.0031308));
}

fn largest(c: vec3<f32>) -> f32 {
    return max(c.x, max(c.y, c.z));
}

fn hue(c: vec3<f32>) -> vec3<f32> {
    return c / (largest(c) + 0.001);
}

// The tangent frame follows from how position and coordinates change over the screen, whose y counts down: x of the map
// is along u, y along v.
fn mapped_normal(in: Varying, normal: vec3<f32>, texel: vec4<f32>) -> vec3<f32> {
    let dx = dpdx(in.position);
    let dy = dpdy(in.position);
    let du = dpdx(in.uv.xy);
    let dv = dpdy(in.uv.xy);
    let a = cross(normal, dy);
    let b = cross(dx, normal);
    let t = a * du.x + b * dv.x;
    let s = a * du.y + b * dv.y;
    let scale = inverseSqrt(max(max(dot(t, t), dot(s, s)), 1e-20));
    let x = 2.0 * texel.r * texel.a - 1.0;
    let y = 2.0 * texel.g - 1.0;
    let z = sqrt(max(0.0, 1.0 - x * x - y * y));
    return normalize(t * (x * scale) + s * (y * scale) + normal * z);
}

// How much stronger reflections are at grazing angles. Rounding can make the cosine a little larger than 1, as for a light
// at the camera, and a power of a negative number is not a number.
fn grazing(cosine: f32) -> f32 {
    return pow(clamp(1.0 - cosine, 0.0, 1.0), 5.0);
}

// A plain studio: a bright sky above, a dim floor below.
fn studio(direction: vec3<f32>) -> vec3<f32> {
    return mix(vec3<f32>(0.08, 0.075, 0.07), vec3<f32>(0.42, 0.45, 0.5), smoothstep(-0.6, 0.8, direction.z));
}

@fragment
fn fragment(in: Varying, @builtin(front_facing) front: bool) -> @location(0) vec4<f32> {
    let texel = textureSample(base_texture, base_sampler, in.uv.xy);
    let bump = textureSample(normal_texture, base_sampler, in.uv.xy);
    let orm = textureSample(orm_texture, base_sampler, in.uv.xy);
    let glow = to_linear(textureSample(emissive_texture, base_sampler, in.uv.xy).rgb);
    let team = to_linear(textureSample(team_texture, base_sampler, in.uv.xy).rgb);
    var normal = normalize(select(-in.normal, in.normal, front));
    normal = mapped_normal(in, normal, bump);
    let alpha = texel.a * in.color.a;
    let covered = edge(texel.a - draw.tests.y, fwidth(texel.a));
    if tested || soft_edges {
        if select(texel.a < draw.tests.y || alpha < draw.tests.x, covered < 0.02, soft_edges) {
            discard;
        }
    }
    let base = to_linear(texel.rgb);
    let mask = orm.a;
    let value = mix(largest(base), min(largest(base), largest(team)), 0.95 * mask * mask);
    let albedo = mix(hue(base), hue(team), sqrt(mask)) * value;
    let emissive = mix(hue(glow), hue(team), 0.75 * mask) * largest(glow);
    let tint = to_linear(clamp(draw.color.rgb, vec3<f32>(0.0), vec3<f32>(1.0)));
    var color = albedo;
    if lit_layer {
        let rough = (255.0 * orm.g + 1.0) / 256.0;
        let metal = orm.b;
        let eye = normalize(frame.eye.xyz - in.position);
        let f0 = albedo * metal;
        let diffuse = albedo * (1.0 - metal) / PI;
        let r4 = rough * rough * rough * rough;
        let k = (rough + 1.0) * (rough + 1.0) / 8.0;
        let nv = max(dot(normal, eye), 0.0);
        var sum = vec3<f32>(0.0);
        for (var i = 0u; frame.lights[i].place.w < 2.5; i++) {
            let light = frame.lights[i];
            var toward = light.place.xyz;
            var strength = 1.0;
            if light.place.w < 0.5 {
                let offset = light.place.xyz - in.position;
                let distance = length(offset);
                toward = offset / max(distance, 0.0001);
                strength = min(1.0, 1.0 / max(distance * distance + 0.0005 * distance, 0.0001));
            }
            let half_way = normalize(toward + eye);
            let nl = max(dot(normal, toward), 0.0);
            let nh = max(dot(normal, half_way), 0.0);
            let lobe = nh * nh * (r4 - 1.0) + 1.0;
            let d = r4 / (PI * lobe * lobe);
            let f = f0 + (1.0 - f0) * grazing(dot(eye, half_way)) * metal;
            let shade = clamp(1.0 / (4.0 * (nl * (1.0 - k) + k) * (nv * (1.0 - k) + k)), 0.0, 1.0);
            sum += ((diffuse + d * f * shade) * to_linear(light.color.rgb) * nl + 0.5 * to_linear(light.ambient.rgb) * diffuse) * strength;
        }
        let mirrored = studio(mix(reflect(-eye, normal), normal, rough));
        let sheen = f0 + (max(vec3<f32>(1.0 - rough), f0) - f0) * grazing(nv) * metal;
        color = sum * PI + diffuse * PI * studio(normal) * 0.5 + sheen * mirrored;
    }
    color = (color + emissive * draw.tests.z) * tint;
    if lit_layer {
        color *= 0.9;
        color = color * (color * 2.51 + 0.03) / (color * (color * 2.43 + 0.59) + 0.14);
    }
    let shown = to_gamma(clamp(color, vec3<f32>(0.0), vec3<f32>(1.0)));
    if soft_edges {
        return cut_out(shown, covered);
    }
    return vec4<f32>(shown, select(alpha, in.color.a, has(COVERS)));
}
