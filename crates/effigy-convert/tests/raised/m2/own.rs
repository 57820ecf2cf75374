//! What models of World of Warcraft keep that those of other games do not have.

use super::{layer, node, raised, said, skin, stage, view, warcraft, wear};
use effigy_m2::{BatchFlags, MaterialFlags, ParticleFlags};
use effigy_scene::{
    Animated, Attachment, Blend, Camera, Combine, EmitterShape, Extra, Extras, Id, Layer, Light, LightKind,
    NodeKind, NodeRule, ParticleEmitter, Replaceable, Scene, SortPoint, Texture, Track,
};

/// A scene of the game itself, with a skin for its mesh.
fn own() -> Scene {
    let mut scene = warcraft();
    scene.node_rule = NodeRule::World;
    scene.extras.set("format", "m2");
    scene.meshes.as_mut_slice()[0].skin = Some(skin(&[&[(0, 1.0)]], vec![0; 3]));
    scene
}

/// The same with the mark of another game.
fn foreign(mut scene: Scene) -> Scene {
    scene.extras.set("format", "gltf");
    scene
}

#[test]
fn particles_keep_what_only_the_game_knows() {
    let mut scene = own();
    let mut emitter = ParticleEmitter::new("smoke", Id::new(0));
    emitter.texture = Some(Id::new(0));
    emitter.shape = EmitterShape::Spline(vec![[1.0; 3], [2.0; 3]]);
    emitter.z_source = Animated::fixed(3.5);
    let kept = &mut emitter.extras;
    // Flags that the scene knows are those of the scene.
    kept.set("flags", i64::from((ParticleFlags::UPWARD | ParticleFlags::UNLIT | ParticleFlags::FLAT).bits()));
    kept.set("twinkle", Extra::Floats(vec![0.5, 0.25]));
    kept.set("twinkleScale", Extra::Floats(vec![2.0, 3.0]));
    kept.set("wind", Extra::Floats(vec![1.0, 2.0, 3.0]));
    kept.set("tumble", Extra::Floats(vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0]));
    kept.set("follow", Extra::Floats(vec![7.0, 8.0]));
    kept.set("burstMultiplier", 4.0_f32).set("windTime", 5.0_f32);
    kept.set("geometryModel", "a.m2").set("recursionModel", "b.m2");
    for (unlit, unfogged, model_space, tail_grows, flat, squirt) in [
        (true, false, false, false, false, false),
        (false, true, false, false, false, false),
        (false, false, true, false, false, false),
        (false, false, false, true, false, false),
        (false, false, false, false, true, false),
        (false, false, false, false, false, true),
    ] {
        let emitter = emitter.clone();
        let made = ParticleEmitter { unlit, unfogged, model_space, tail_grows, flat, squirt, ..emitter };
        scene.emitters.push(made);
    }
    let model = raised(&scene, 256).model;
    let flags: Vec<ParticleFlags> = model.particles.iter().map(|it| it.flags).collect();
    let known = [
        ParticleFlags::UNLIT,
        ParticleFlags::UNFOGGED,
        ParticleFlags::EMITTER_SPACE,
        ParticleFlags::TAIL_GROWS,
        ParticleFlags::FLAT,
        ParticleFlags::BURST,
    ];
    assert_eq!(flags, known.map(|flag| flag | ParticleFlags::UPWARD));
    let it = &model.particles[0];
    assert_eq!((it.kind, it.spline.as_slice()), (3, &[[1.0; 3], [2.0; 3]][..]));
    assert_eq!((it.twinkle_speed, it.twinkle_percent, it.twinkle_scale), (0.5, 0.25, [2.0, 3.0]));
    assert_eq!((it.wind, it.wind_time, it.burst_multiplier), ([1.0, 2.0, 3.0], 5.0, 4.0));
    assert_eq!(it.tumble.as_slice(), [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    assert_eq!(it.follow.as_slice(), [7.0, 8.0, 0.0, 0.0]);
    assert_eq!((it.geometry_model.text(), it.recursion_model.text()), ("a.m2".into(), "b.m2".into()));
    assert_eq!(it.z_source.values.all(), [3.5]);
    let model = raised(&foreign(scene), 256).model;
    assert_eq!(model.particles.iter().map(|it| it.flags).collect::<Vec<_>>(), known);
}

#[test]
fn places_of_the_game_itself_stay_as_they_are() {
    let mut scene = own();
    scene.nodes.push(node("loose", NodeKind::Helper, None, [5.0, 0.0, 0.0]));
    for (number, at) in [(7, 0), (7, 1)] {
        scene.attachments.push(Attachment {
            name: "mark".into(),
            number,
            node: Id::new(at),
            position: [1.0, 2.0, 3.0],
            path: String::new(),
            visibility: Animated::fixed(1.0),
        });
        scene.lights.push(Light {
            name: "lamp".into(),
            kind: LightKind::Omni,
            node: Id::new(at),
            position: [7.0, 8.0, 9.0],
            attenuation_start: Animated::fixed(1.0),
            attenuation_end: Animated::fixed(2.0),
            color: Animated::fixed([1.0; 3]),
            intensity: Animated::fixed(3.0),
            ambient_color: Animated::fixed([1.0; 3]),
            ambient_intensity: Animated::fixed(4.0),
            visibility: Animated::fixed(1.0),
            extras: Extras::default(),
        });
    }
    let mut camera = Camera {
        name: "view".into(),
        position: [1.0, 2.0, 3.0],
        target: [4.0, 5.0, 6.0],
        fov: 0.75,
        near: 0.0,
        far: -1.0,
        translation: Some(Track::linear(vec![0], vec![[1.0; 3]], [0.0; 3])),
        target_translation: Some(Track::linear(vec![0], vec![[2.0; 3]], [0.0; 3])),
        roll: Some(Track::linear(vec![0], vec![3.0], 0.0)),
        extras: Extras::default(),
    };
    camera.extras.set("kind", 1_i64);
    scene.cameras.push(camera.clone());
    camera.extras.set("other", 1_i64);
    scene.cameras.push(camera);
    let made = raised(&scene, 256);
    let model = &made.model;
    let places: Vec<_> = model.attachments.iter().map(|it| (it.id, it.position)).collect();
    assert_eq!(places, [(7, [1.0, 2.0, 3.0]); 2]);
    assert!(model.attachments.iter().all(|it| it.animated.values.all() == [1]));
    // A light on a node that never moves has no bone.
    assert_eq!(model.lights.iter().map(|it| it.bone).collect::<Vec<_>>(), [0, -1]);
    let cameras: Vec<_> = model.cameras.iter().map(|it| (it.kind, it.near_clip, it.far_clip)).collect();
    assert_eq!(cameras, [(1, 0.0, -1.0); 2]);
    let first = &model.cameras[0];
    assert_eq!(first.position_track.values.all()[0].value, [1.0; 3]);
    assert_eq!(first.target_track.values.all()[0].value, [2.0; 3]);
    assert_eq!(first.roll.values.all()[0].value, 3.0);
    assert!(said(&made, "cameras[1]: tracks that only its own format has"), "{}", made.report);
    assert!(!said(&made, "cameras[0]"));
    let other = raised(&foreign(scene), 256);
    let cameras: Vec<_> = other.model.cameras.iter().map(|it| (it.kind, it.near_clip, it.far_clip)).collect();
    assert_eq!(cameras, [(0, 0.1, 100.0), (-1, 0.1, 100.0)]);
    assert!(other.model.lights.iter().all(|it| it.bone >= 0));
}

#[test]
fn the_collision_mesh_comes_back_and_broken_triangles_are_dropped() {
    let with = |points: Vec<f32>, indices: Vec<i64>| {
        let mut scene = own();
        let mut mesh = Extras::default();
        mesh.set("vertices", Extra::Floats(points)).set("indices", Extra::Ints(indices));
        scene.extras.set("collisionMesh", Extra::Map(mesh));
        raised(&scene, 256)
    };
    let points = vec![0.0, 0.0, 0.0, 3.0, 0.0, 0.0, 0.0, 4.0, 0.0, 0.0, 0.0, 12.0];
    let made = with(points.clone(), vec![0, 1, 2, 0, 3, 1, 0, 1, 4, 0, 1, -1]);
    let model = &made.model;
    assert_eq!(
        model.collision_vertices.as_slice(),
        [[0.0; 3], [3.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 12.0]]
    );
    assert_eq!(model.collision_triangles.as_slice(), [0, 1, 2, 0, 3, 1]);
    assert_eq!(model.collision_normals.as_slice(), [[0.0, 0.0, 1.0], [0.0, 1.0, 0.0]]);
    // Half of the diagonal of 3, 4 and 12.
    assert_eq!((model.collision_bounds, model.collision_radius), ([0.0, 0.0, 0.0, 3.0, 4.0, 12.0], 6.5));
    assert!(said(&made, "collision: triangles with corners that do not exist"), "{}", made.report);
    let whole = with(points.clone(), vec![0, 1, 2]);
    assert!(!said(&whole, "collision:"), "{}", whole.report);
    assert!(with(points, vec![]).model.collision_vertices.is_empty());
    // In another unit of length.
    let options = effigy_convert::raise::RaiseOptions {
        version: 256,
        scale: Some(2.0),
        ..effigy_convert::raise::RaiseOptions::default()
    };
    let mut scene = own();
    let mut mesh = Extras::default();
    mesh.set("vertices", Extra::Floats(vec![0.0, 0.0, 0.0, 3.0, 0.0, 0.0, 0.0, 4.0, 0.0]));
    mesh.set("indices", Extra::Ints(vec![0, 1, 2]));
    scene.extras.set("collisionMesh", Extra::Map(mesh));
    let scene = effigy_scene::validate(scene).unwrap();
    let model = effigy_convert::raise::m2(&scene, &options).unwrap().model;
    assert_eq!(model.collision_vertices[2], [0.0, 8.0, 0.0]);
}

#[test]
fn batches_and_textures_of_the_game_itself_keep_their_numbers() {
    let mut scene = own();
    scene.textures.push(Texture {
        path: "Old.blp".into(),
        replaceable: Some(Replaceable::Other(11)),
        repeat: [false, true],
    });
    scene.textures.push(Texture::default());
    let mut mixed = Layer { blend: Blend::Alpha, ..layer(vec![stage(2, Combine::Modulate)]) };
    mixed.extras.set("blendMode", 7_i64).set("batchFlags", 0x40_i64);
    wear(&mut scene, vec![mixed]);
    let mesh = &mut scene.meshes.as_mut_slice()[0];
    mesh.part = 301;
    mesh.sort = Some(SortPoint { node: Id::new(0), point: [0.0; 3], shift: 0.0 });
    let model = raised(&scene, 264).model;
    let textures: Vec<_> = model.textures.iter().map(|it| (it.kind, it.name.text().into_owned())).collect();
    let named = |kind: u32, name: &str| (kind, name.to_owned());
    assert_eq!(
        textures,
        [named(0, "Skin.blp"), named(0, "Glow.blp"), named(11, "Old.blp"), named(0, "Missing.blp")]
    );
    let batch = &view(&model).batches[0];
    assert_eq!(batch.flags, BatchFlags::from_bits_retain(0x40));
    let material = &model.materials[usize::from(batch.material)];
    assert_eq!((material.blend, material.flags), (7, MaterialFlags::empty()));
    assert_eq!((view(&model).submeshes[0].id, view(&model).submeshes[0].center_bone), (301, 0));
    // Priorities have a byte.
    for (priority, expected) in [(300, 127), (-300, -128), (5, 5)] {
        scene.materials.as_mut_slice()[0].priority = priority;
        assert_eq!(view(&raised(&scene, 264).model).batches[0].priority_plane, expected);
    }
}

#[test]
fn two_values_that_both_move_have_the_keys_of_both() {
    let line = |times: Vec<i32>, values: Vec<f32>| Animated {
        base: 1.0,
        track: Some(Track::linear(times, values, 1.0)),
    };
    let mut scene = own();
    let mut moving = layer(vec![stage(0, Combine::Modulate)]);
    moving.color_alpha = line(vec![0, 500, 1000], vec![1.0, 0.0, 1.0]);
    wear(&mut scene, vec![moving]);
    scene.meshes.as_mut_slice()[0].alpha = line(vec![0, 250, 1000], vec![0.0, 0.5, 0.5]);
    let made = raised(&scene, 256);
    assert!(said(&made, "two values that both move are multiplied at their keys"), "{}", made.report);
    let alpha = &made.model.colors[0].alpha;
    let start = made.model.sequences[0].start;
    assert_eq!(alpha.times.all(), [0, 250, 500, 1000].map(|time| start + time));
    // 0 * 1, 1/2 * 1/2, 1/2 * 0 and 1/2 * 1 of 32767.
    assert_eq!(alpha.values.all(), [0, 8192, 0, 16384]);
    // One of them on a clock of its own: the first is kept.
    let clock = scene.global_sequences.push(effigy_scene::GlobalSequence { length: 1000 });
    if let Some(track) = &mut scene.materials.as_mut_slice()[0].layers[0].color_alpha.track {
        track.global = Some(clock);
    }
    let made = raised(&scene, 256);
    assert!(said(&made, "one of two values that both move, on different clocks"), "{}", made.report);
    assert_eq!(made.model.colors[0].alpha.values.all(), [0, 16384, 16384]);
    // One that does not move is a factor of all keys of the other.
    scene.materials.as_mut_slice()[0].layers[0].color_alpha = Animated::fixed(0.5);
    let made = raised(&scene, 256);
    assert_eq!(made.model.colors[0].alpha.values.all(), [0, 8192, 8192]);
    assert!(!said(&made, "materials:"), "{}", made.report);
}
