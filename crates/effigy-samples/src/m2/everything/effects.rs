//! Lights, cameras, ribbons, particles.

use effigy_m2::{
    Block, Camera, Caps, Cells, LifeTrack, Light, Model, Particle, ParticleFlags, Ribbon, ScalarKey, Track,
    VectorKey,
};

pub(super) fn add_all(model: &mut Model) {
    add_lights(model);
    add_cameras(model);
    add_ribbons(model);
    add_particles(model);
}

fn add_lights(model: &mut Model) {
    let caps = model.caps();
    let glow = model.make_loop(1, 0, &[(0, 1.0), (1000, 0.5), (2000, 1.0)]);
    let point = Light {
        kind: 1,
        bone: 2,
        position: [0.0, 1.0, 2.5],
        ambient_color: Track::constant([0.1, 0.1, 0.2], caps),
        ambient_intensity: Track::constant(0.25, caps),
        diffuse_color: Track::constant([1.0, 0.8, 0.4], caps),
        diffuse_intensity: glow,
        attenuation_start: Track::constant(1.5, caps),
        attenuation_end: Track::constant(6.0, caps),
        visible: model.make_track(0, &[&[(0, 1)], &[(0, 1)], &[(0, 1)], &[(0, 1), (1000, 0)]]),
    };
    let sun = Light { kind: 0, bone: -1, diffuse_color: Track::constant([1.0; 3], caps), ..Light::default() };
    model.lights = vec![point, sun].into();
}

/// A point with control points or tangents a step before and after it.
fn point(value: [f32; 3], step: f32) -> VectorKey {
    let [x, y, z] = value;
    VectorKey { value, in_tangent: [x - step, y, z], out_tangent: [x + step, y, z] }
}

fn number(value: f32) -> ScalarKey {
    ScalarKey { value, in_tangent: value - 0.1, out_tangent: value + 0.1 }
}

fn add_cameras(model: &mut Model) {
    let way =
        [(0, point([0.0; 3], 0.5)), (1000, point([2.0, 0.5, 0.0], 0.5)), (2000, point([4.0, 0.0, 1.0], 0.5))];
    let roll = [(0, number(0.0)), (2000, number(0.5))];
    let held: &[(u32, VectorKey)] = &way[..1];
    let fly_by = Camera {
        kind: -1,
        fov: 0.95,
        far_clip: 100.0,
        near_clip: 0.25,
        // Bezier, Hermite, linear: the keys have tangents in all three.
        position_track: model.make_track(2, &[&way, held, held, held]),
        position: [5.0, 0.0, 2.0],
        target_track: model.make_track(3, &[&way, held, held, held]),
        target: [0.0, 0.0, 2.0],
        roll: model.make_track(1, &[&roll, &roll[..1], &roll[..1], &roll[..1]]),
        ..Camera::default()
    };
    let portrait = Camera {
        kind: 0,
        fov: 0.785,
        far_clip: 27.0,
        near_clip: 0.2,
        position: [3.0, 0.0, 3.0],
        target: [0.0, 0.0, 2.5],
        ..Camera::default()
    };
    model.cameras = vec![portrait, fly_by].into();
    model.camera_lookup = vec![0].into();
}

fn add_ribbons(model: &mut Model) {
    let caps = model.caps();
    let ribbon = Ribbon {
        bone: 2,
        position: [0.0, 0.5, 0.0],
        textures: vec![1].into(),
        materials: vec![1, 2].into(),
        color: model.make_loop(1, 0, &[(0, [1.0; 3]), (2000, [1.0, 0.5, 0.0])]),
        alpha: Track::constant(16384, caps),
        height_above: model.make_track(1, &[&[(0, 0.0), (1000, 1.0)], &[(0, 0.0)], &[(0, 0.5)], &[(0, 0.0)]]),
        height_below: Track::constant(0.25, caps),
        edges_per_second: 15.0,
        edge_lifetime: 0.75,
        gravity: -0.5,
        rows: 2,
        columns: 2,
        texture_slot: model.make_loop(0, 1, &[(0, 0), (1000, 1), (2000, 3)]),
        visible: model.make_track(0, &[&[(0, 1)], &[(0, 1)], &[(0, 1)], &[(0, 0)]]),
        priority_plane: if caps.contains(Caps::NESTED) { 1 } else { 0 },
        ..Ribbon::default()
    };
    model.ribbons = vec![ribbon].into();
}

fn add_particles(model: &mut Model) {
    for kind in 1..=3 {
        let particle = emitter(model, kind);
        model.particles.push(particle);
    }
}

/// An emitter of this kind, with every field set.
fn emitter(model: &Model, kind: u16) -> Particle {
    let caps = model.caps();
    let constant = |value: f32| Track::constant(value, caps);
    let burst = model.make_track(1, &[&[(0, 10.0)], &[(0, 10.0)], &[(0, 20.0)], &[(0, 10.0), (1000, 0.0)]]);
    let mut particle = Particle {
        flags: ParticleFlags::UNLIT | ParticleFlags::EMITTER_SPACE,
        position: [0.0, 1.0, 2.5],
        bone: 2,
        texture: 1,
        geometry_model: if kind == 2 { Block::text_of("Spells\\Spark.mdx") } else { Block::default() },
        recursion_model: if kind == 3 { Block::text_of("Spells\\Trail.mdx") } else { Block::default() },
        blend: 4,
        kind,
        head_or_tail: u8::try_from(kind - 1).unwrap_or(0),
        priority_plane: 1,
        rows: 4,
        columns: 4,
        speed: constant(1.5),
        speed_variation: constant(0.25),
        vertical_range: constant(0.5),
        horizontal_range: constant(3.0),
        gravity: model.make_loop(1, 0, &[(0, 0.0), (2000, 1.0)]),
        lifespan: constant(1.25),
        rate: burst,
        length: constant(0.25),
        width: constant(0.75),
        z_source: constant(if kind == 1 { 0.5 } else { 0.0 }),
        tail_length: 0.2,
        twinkle_speed: 8.0,
        twinkle_percent: 0.9,
        twinkle_scale: [0.75, 1.25],
        burst_multiplier: 1.0,
        drag: 0.5,
        spin: 0.25,
        tumble: [-1.0, -1.0, -1.0, 1.0, 1.0, 1.0],
        wind: [0.5, 0.0, 0.0],
        wind_time: 0.5,
        follow: [2.5, 0.7, 7.0, 0.9],
        enabled: model.make_track(0, &[&[(0, 1)], &[(0, 1)], &[(0, 1)], &[(0, 1), (1000, 0)]]),
        ..Particle::default()
    };
    if kind == 3 {
        particle.spline = vec![
            [0.0; 3],
            [0.0, 0.5, 0.0],
            [0.5, 0.5, 0.0],
            [0.5, 0.0, 0.0],
            [1.0, 0.0, 0.0],
            [1.0, 0.5, 0.0],
            [0.5, 1.0, 0.0],
        ]
        .into();
    }
    if caps.contains(Caps::BYTE_EMITTER) {
        particle.color_index = kind;
    }
    if caps.contains(Caps::FIXED_LIFE) {
        particle.middle = 0.4;
        particle.colors = [0, 64, 128, 255, 64, 128, 255, 192, 255, 255, 255, 0];
        particle.scales = [0.1, 0.3, 0.05];
        particle.cells =
            Cells { head_life: [0, 7, 1], head_decay: [8, 15, 2], tail_life: [0, 3], tail_decay: [4, 7] };
    } else {
        let times = || Block::from(vec![0, 13107, 32767]);
        particle.flags |= ParticleFlags::HEAD;
        particle.color_life = LifeTrack {
            times: times(),
            values: vec![[128.0, 64.0, 0.0], [255.0, 128.0, 64.0], [255.0; 3]].into(),
        };
        particle.alpha_life = LifeTrack { times: times(), values: vec![32767, 24576, 0].into() };
        particle.scale_life =
            LifeTrack { times: times(), values: vec![[0.1, 0.2], [0.3, 0.4], [0.05, 0.05]].into() };
        particle.scale_variation = [0.1, 0.2];
        particle.head_cell_life = LifeTrack { times: times(), values: vec![0, 7, 15].into() };
        particle.tail_cell_life = LifeTrack { times: times(), values: vec![0, 3, 7].into() };
        particle.lifespan_variation = 0.25;
        particle.rate_variation = 1.0;
        particle.base_spin = 0.1;
        particle.base_spin_variation = 0.2;
        particle.spin_variation = 0.3;
    }
    particle
}
