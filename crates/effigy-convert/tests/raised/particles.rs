//! Particles of another game in Warcraft III, against values computed by hand.

use crate::raised::{plain, said, scene};
use effigy_convert::raise::Raised;
use effigy_mdx::track::tags;
use effigy_mdx::{Interpolation, Model, NodeFlags, ParticleEmitter2, ParticleFilter};
use effigy_scene::{Animated, Blend, Cells, EmitterShape, Id, ParticleEmitter, Sequence, Track};

fn emitter() -> ParticleEmitter {
    let mut emitter = ParticleEmitter::new("smoke", Id::new(0));
    emitter.position = [1.0, 2.0, 4.0];
    emitter.speed = Animated::fixed(10.0);
    emitter.variation = Animated::fixed(0.5);
    emitter.latitude = Animated::fixed(std::f32::consts::FRAC_PI_2);
    emitter.gravity = Animated::fixed(3.0);
    emitter.lifespan = Animated::fixed(2.0);
    emitter.rate = Animated::fixed(30.0);
    emitter.length = Animated::fixed(6.0);
    emitter.width = Animated::fixed(8.0);
    emitter.over_life.sizes = [1.0, 2.0, 0.5];
    emitter.over_life.alphas = [1.0, 0.5, 0.0];
    emitter.over_life.middle = 0.25;
    emitter.over_life.colors = [[0.1, 0.2, 0.3], [0.4, 0.5, 0.6], [0.7, 0.8, 0.9]];
    emitter.over_life.head = [Cells { start: 1, end: 2, repeat: 3 }, Cells { start: 4, end: 5, repeat: 6 }];
    emitter.over_life.tail =
        [Cells { start: 7, end: 8, repeat: 9 }, Cells { start: 10, end: 11, repeat: 12 }];
    emitter
}

fn with_emitter(change: impl Fn(&mut ParticleEmitter)) -> (ParticleEmitter2, Raised<Model>) {
    let mut scene = scene("gltf");
    let mut source = emitter();
    change(&mut source);
    scene.emitters.push(source);
    let made = plain(&scene);
    (made.model.particle_emitters_2[0].clone(), made)
}

#[test]
fn particle_emitters_have_every_value_in_its_place() {
    let (it, made) =
        with_emitter(|it| (it.cells, it.priority, it.tail, it.tail_length) = ([2, 4], -3, true, 0.5));
    assert_eq!([it.speed, it.variation, it.gravity, it.life_span], [10.0, 0.5, 3.0, 2.0]);
    assert_eq!([it.emission_rate, it.length, it.width, it.tail_length], [30.0, 6.0, 8.0, 0.5]);
    assert!((it.latitude - 90.0).abs() < 1e-4);
    assert_eq!((it.rows, it.columns, it.head_or_tail, it.priority_plane, it.squirt), (2, 4, 2, -3, 0));
    assert_eq!(it.segment_colors, [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]);
    // 0.5 of 255 is 127.5, which is rounded up.
    assert_eq!(
        (it.segment_alphas, it.segment_scales, it.time_middle),
        ([255, 128, 0], [1.0, 2.0, 0.5], 0.25)
    );
    assert_eq!((it.head_life, it.head_decay), ([1, 2, 3], [4, 5, 6]));
    assert_eq!((it.tail_life, it.tail_decay), ([7, 8, 9], [10, 11, 12]));
    let id = usize::try_from(it.node.object_id).unwrap();
    assert_eq!((it.node.name.text().as_ref(), made.model.pivots[id]), ("smoke", [1.0, 2.0, 4.0]));
    // It reaches 10 * 2 + 3 * 4 / 2 + 8 / 2 + 2 = 32 units around (1, 2, 4).
    let extent = &made.model.sequences[0].extent;
    assert_eq!((extent.min, extent.max), ([-31.0, -30.0, -28.0], [33.0, 34.0, 36.0]));
    for (head, tail, number) in [(true, false, 0), (false, true, 1), (true, true, 2)] {
        assert_eq!(with_emitter(|it| (it.head, it.tail) = (head, tail)).0.head_or_tail, number);
    }
    // Nothing is emitted while it is off or at rate 0.
    for off in [
        with_emitter(|it| it.visibility = Animated::fixed(0.0)).1,
        with_emitter(|it| it.rate = Animated::fixed(0.0)).1,
    ] {
        assert_eq!(off.model.sequences[0].extent.max, [4.0, 0.0, 10.0]);
    }
}

#[test]
fn blends_and_flags_of_particles() {
    for (blend, filter) in [
        (Blend::Alpha, ParticleFilter::BLEND),
        (Blend::Opaque, ParticleFilter::BLEND),
        (Blend::Add, ParticleFilter::ADDITIVE),
        (Blend::AddAlpha, ParticleFilter::ADDITIVE),
        (Blend::Modulate, ParticleFilter::MODULATE),
        (Blend::Modulate2x, ParticleFilter::MODULATE_2X),
        (Blend::AlphaKey, ParticleFilter::ALPHA_KEY),
    ] {
        assert_eq!(with_emitter(|it| it.blend = blend).0.filter_mode, filter, "{blend:?}");
    }
    let flags = |change: fn(&mut ParticleEmitter)| {
        with_emitter(|it| {
            it.unlit = false;
            change(it);
        })
        .0
        .node
        .flags
    };
    assert_eq!(flags(|_| {}), NodeFlags::PARTICLE_EMITTER);
    let with = |flag: NodeFlags| NodeFlags::PARTICLE_EMITTER | flag;
    assert_eq!(flags(|it| it.unlit = true), with(NodeFlags::EMITTER_USES_MDL_OR_UNSHADED));
    assert_eq!(flags(|it| it.sort = true), with(NodeFlags::EMITTER_USES_TGA_OR_SORT_FAR_Z));
    assert_eq!(flags(|it| it.unfogged = true), with(NodeFlags::UNFOGGED));
    assert_eq!(flags(|it| it.model_space = true), with(NodeFlags::MODEL_SPACE));
    assert_eq!(flags(|it| it.flat = true), with(NodeFlags::XY_QUAD));
    assert_eq!(flags(|it| it.longitude = Animated::fixed(0.0)), with(NodeFlags::LINE_EMITTER));
}

#[test]
fn what_particles_of_warcraft_cannot_do_is_approximated_and_said() {
    // A sphere with the radius 8 is a square of 16 that sends particles everywhere.
    let (it, made) = with_emitter(|it| it.shape = EmitterShape::Sphere);
    assert_eq!((it.length, it.width, it.latitude), (16.0, 16.0, 180.0));
    assert!(said(&made, "particles: particles that start on a sphere"));
    assert!(!said(&with_emitter(|_| {}).1, "particles:"));
    let keys =
        |values: Vec<f32>| Animated { base: 9.0, track: Some(Track::linear(vec![0, 1000], values, 0.0)) };
    let (it, made) = with_emitter(|it| it.lifespan = keys(vec![1.0, 5.0]));
    assert_eq!(it.life_span, 5.0);
    assert!(said(&made, "a life that changes becomes its longest: at most 5.00"));
    // Drag of 0.5 over 2 seconds: (1 - e^-1) / 1 = 0.632 of the speed.
    let (it, made) = with_emitter(|it| it.drag = 0.5);
    assert!((it.speed - 6.321_206).abs() < 1e-4, "{}", it.speed);
    assert!(said(
        &made,
        "drag becomes a lower speed that goes as far (share of the speed that is left): at most 0.63"
    ));
    let made = with_emitter(|it| it.longitude = Animated::fixed(1.5)).1;
    assert!(said(
        &made,
        "a limited longitude has no place; particles fly all around (limit in radians): at most 1.50"
    ));
    assert!(!said(&with_emitter(|it| it.longitude = Animated::fixed(3.0)).1, "limited longitude"));
    assert!(said(
        &with_emitter(|it| it.spin = -2.0).1,
        "spinning has no place (radians per second): at most 2.00"
    ));
    assert!(said(&with_emitter(|it| it.z_source = Animated::fixed(1.0)).1, "fly away from a point"));
    let grows = |tail: bool, length: f32| {
        with_emitter(|it| (it.tail, it.tail_grows, it.tail_length) = (tail, true, length))
    };
    // In a life of 2 seconds it grows for half a second, 0.25 on average, and is 0.5 long for the other 1.5 seconds.
    let (it, made) = grows(true, 0.5);
    assert_eq!(it.tail_length, (0.5 * 0.25 + 1.5 * 0.5) / 2.0);
    assert!(said(&made, "tails that grow have their mean length at once (seconds): at most 0.44"));
    // It grows all its life.
    assert_eq!(grows(true, 5.0).0.tail_length, 1.0);
    assert!(!said(&grows(false, 0.5).1, "tails that grow"));
    let (it, _) = with_emitter(|it| {
        (it.tail, it.tail_grows, it.tail_length) = (true, true, 0.5);
        it.lifespan = Animated::fixed(0.0);
    });
    assert_eq!(it.tail_length, 0.0);
    let (it, made) = with_emitter(|it| (it.flat, it.speed) = (true, Animated::fixed(0.0)));
    assert!(it.speed == 0.01 && said(&made, "flat particles without speed"));
    assert!(!said(&with_emitter(|it| it.flat = true).1, "flat particles"));
    let wind = |wind: Vec<f32>| with_emitter(|it| _ = it.extras.set("wind", wind.clone())).1;
    assert!(said(&wind(vec![1.0, -4.0, 2.0]), "wind has no place (units per second): at most 4.00"));
    assert!(!said(&wind(vec![0.0; 3]), "wind"));
    let twinkle = |list: Vec<f32>| with_emitter(|it| _ = it.extras.set("twinkle", list.clone())).1;
    assert!(said(&twinkle(vec![1.0, 0.5]), "twinkling") && !said(&twinkle(vec![1.0, 0.0]), "twinkling"));
    let model = |path: &str| with_emitter(|it| _ = it.extras.set("geometryModel", path)).1;
    assert!(
        said(&model("a.mdx"), "particles that are models become squares")
            && !said(&model(""), "become squares")
    );
    // The largest of several emitters is stated.
    let mut scene = scene("gltf");
    for spin in [1.0, 7.0, 3.0] {
        scene.emitters.push(ParticleEmitter { spin, ..emitter() });
    }
    assert!(said(&plain(&scene), "spinning has no place (radians per second): at most 7.00"));
}

#[test]
fn a_burst_happens_once_in_every_sequence() {
    let (it, _) = with_emitter(|it| it.squirt = true);
    let track = it.tracks.get(tags::KP2E).unwrap();
    assert_eq!((it.squirt, track.interpolation()), (1, Interpolation::STEP));
    let keys: Vec<(i32, f32)> = track.keys::<f32>().unwrap().map(|key| (key.time, key.value)).collect();
    // Stand begins at 333; the death that was made shows nothing.
    assert_eq!(keys[..3], [(333, 30.0), (366, 0.0), (1333, 0.0)]);
    assert!(keys[3..].iter().all(|(_, rate)| *rate == 0.0) && keys.len() > 3, "{keys:?}");
}

#[test]
fn emitters_and_lights_are_off_while_a_body_decays() {
    let mut scene = scene("m2");
    scene.sequences.as_mut_slice()[0].extras.set("id", 0_i64);
    for (name, id, start) in [("Death", 1_i64, 2000), ("Walk", 4, 4000)] {
        let mut sequence = Sequence { name: name.into(), start, end: start + 1000, ..Sequence::default() };
        sequence.extras.set("id", id);
        scene.sequences.push(sequence);
    }
    scene.emitters.push(emitter());
    let made = plain(&scene);
    let visible = made.model.particle_emitters_2[0].tracks.get(tags::KP2V).unwrap();
    let visible: Vec<_> = visible.keys::<f32>().unwrap().map(|key| (key.time, key.value)).collect();
    let mut decays = 0;
    for sequence in &made.model.sequences {
        let quiet = sequence.name.text().starts_with("Decay");
        decays += usize::from(quiet);
        let [start, end] = sequence.interval.map(|time| i32::try_from(time).unwrap());
        let inside: Vec<_> = visible.iter().filter(|(time, _)| (start..=end).contains(time)).collect();
        let wanted = if quiet { 0.0 } else { 1.0 };
        assert!(
            !inside.is_empty() && inside.iter().all(|(_, value)| *value == wanted),
            "{}: {inside:?}",
            sequence.name
        );
    }
    assert!(decays > 0);
}

#[test]
fn what_only_particles_of_world_of_warcraft_do_is_said() {
    let made = |format: &str, flags: u32, sizes: Vec<f32>| {
        let mut scene = scene(format);
        let mut source = emitter();
        source.extras.set("flags", flags).set("scaleValues", sizes);
        scene.emitters.push(source);
        plain(&scene)
    };
    let notes = [
        (0x4000, "particles that follow their emitter stay behind"),
        (0x1_0000, "particles that show a random picture show the same one"),
        (0x40, "particles do not start with the velocity of their emitter"),
    ];
    for (flag, text) in notes {
        assert!(said(&made("m2", flag, vec![]), text));
        assert!(!said(&made("m2", !flag, vec![]), text));
        // The bits mean something else there.
        assert!(!said(&made("wow-alpha-mdx", flag, vec![]), text));
    }
    let text = "particles that are longer in one direction become square (length over width): at most 4.00";
    assert!(said(&made("m2", 0, vec![1.0, 1.0, 0.5, 2.0, 3.0, 1.5]), text));
    assert!(!said(&made("m2", 0, vec![1.0, 1.0, 2.0, 2.0]), "longer in one direction"));
}
