//! What a scene of another game becomes in Warcraft III, against values computed by hand.

use crate::raised::{plain, raised, said, scene};
use effigy_convert::raise::{self, RaiseOptions};
use effigy_mdx::track::tags;
use effigy_mdx::{Bone, Dialect, Light, Model, Node, NodeFlags, Shape as MdxShape};
use effigy_scene::{
    Animated, Attachment, Camera, Event, Extras, Id, Influence, Light as SceneLight, LightKind,
    Node as SceneNode, NodeKind, Ribbon, RibbonGravity, Sequence, Shape, ShapeKind, Skin, Track,
};

#[test]
fn every_game_has_its_unit_of_length() {
    for (format, unit) in
        [("m2", 56.0), ("wow-alpha-mdx", 56.0), ("gltf", 60.0), ("mdc", 1.4), ("md3", 1.4), ("mds", 1.0)]
    {
        let made = raised(&scene(format), &RaiseOptions::default());
        assert_eq!(made.model.geosets[0].vertices[2], [0.0, -2.0 * unit, 10.0 * unit], "{format}");
    }
    // Ten units high becomes 25; a scale that makes no sense is not used.
    let high = RaiseOptions { height: Some(25.0), ..RaiseOptions::default() };
    assert_eq!(raised(&scene("m2"), &high).model.geosets[0].vertices[1], [10.0, 0.0, 0.0]);
    for scale in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        let odd = RaiseOptions { scale: Some(scale), ..RaiseOptions::default() };
        assert_eq!(raised(&scene("gltf"), &odd).model.geosets[0].vertices[1], [240.0, 0.0, 0.0], "{scale}");
    }
}

/// What becomes the Stand decides, also by the names that the user gives, and not the first name with an idle in it.
#[test]
fn a_height_is_that_of_what_becomes_the_first_stand() {
    let mut source = scene("gltf");
    source.sequences.as_mut_slice()[0].name = "Lie_Idle".into();
    for (name, start) in [("Idle", 2000), ("Rise", 4000)] {
        let sequence = Sequence { name: name.into(), start, end: start + 1000, ..Sequence::default() };
        source.sequences.push(sequence);
    }
    // Lying it is 10 units high, standing 20, and risen 40.
    let mut bone = SceneNode::new("bone", NodeKind::Bone, None, [0.0; 3]);
    let sizes = [1.0, 1.0, 2.0, 2.0, 4.0, 4.0].map(|up| [1.0, 1.0, up]).to_vec();
    bone.scale.track = Some(Track::linear(vec![0, 1000, 2000, 3000, 4000, 5000], sizes, [1.0; 3]));
    let node = source.nodes.push(bone);
    let mut skin = Skin { vertex_groups: vec![0; 3], ..Skin::default() };
    skin.push_group([Influence { node, weight: 1.0 }]);
    source.meshes.as_mut_slice()[0].skin = Some(skin);
    let mut options = RaiseOptions { height: Some(100.0), ..RaiseOptions::default() };
    assert_eq!(raised(&source, &options).model.geosets[0].vertices[1], [20.0, 0.0, 0.0]);
    options.names.sequences.insert("Idle".into(), "Walk".into());
    options.names.sequences.insert("Rise".into(), "Stand".into());
    assert_eq!(raised(&source, &options).model.geosets[0].vertices[1], [10.0, 0.0, 0.0]);
}

#[test]
fn bounds_are_those_of_the_posed_vertices() {
    let made = plain(&scene("gltf")).model;
    let extent = &made.sequences[0].extent;
    assert_eq!((extent.min, extent.max), ([0.0, -2.0, 0.0], [4.0, 0.0, 10.0]));
    // The farthest corner of the box from the origin: (4, 2, 10).
    assert!((extent.radius - 120.0_f32.sqrt()).abs() < 1e-4, "{}", extent.radius);
    assert_eq!((made.geosets[0].extent.min, made.geosets[0].extent.max), (extent.min, extent.max));
    assert_eq!(made.geosets[0].sequence_extents.len(), made.sequences.len());
    assert_eq!(made.info[0].extent.max, [4.0, 0.0, 10.0]);
    assert_eq!(made.info[0].blend_time, 150);
    let shape = &made.collision_shapes[0].shape;
    assert_eq!(*shape, MdxShape::Box { min: [0.0, -2.0, 0.0], max: [4.0, 0.0, 10.0] });
}

/// The box that the mouse has to hit is that of the Stand, not of the first sequence, and without what particles reach.
#[test]
fn a_collision_box_is_that_of_the_first_stand_without_particles() {
    let mut scene = scene("gltf");
    scene.sequences.as_mut_slice()[0].name = "Attack".into();
    for (name, start) in [("Stand", 2000), ("Walk", 4000)] {
        let (name, end) = (name.into(), start + 1000);
        scene.sequences.push(effigy_scene::Sequence { name, start, end, ..Default::default() });
    }
    let mut moves = Track::linear(
        vec![0, 2000, 4000],
        vec![[100.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, 200.0, 0.0]],
        [0.0; 3],
    );
    moves.windows = vec![[0, 0], [1, 1], [2, 2]];
    scene.nodes.as_mut_slice()[0].translation.track = Some(moves);
    let mesh = &mut scene.meshes.as_mut_slice()[0];
    let follows = effigy_scene::Influence { node: Id::new(0), weight: 1.0 };
    let mut skin = effigy_scene::Skin { vertex_groups: vec![0; 3], ..Default::default() };
    skin.push_group([follows]);
    mesh.skin = Some(skin);
    let mut sparks = effigy_scene::ParticleEmitter::new("sparks", Id::new(0));
    (sparks.speed, sparks.lifespan) = (Animated::fixed(50.0), Animated::fixed(2.0));
    sparks.rate = Animated::fixed(10.0);
    scene.emitters.push(sparks);
    let made = plain(&scene).model;
    let shape = &made.collision_shapes[0].shape;
    assert_eq!(*shape, MdxShape::Box { min: [0.0, -2.0, 1.0], max: [4.0, 0.0, 11.0] });
    // What is stated for each sequence has the particles.
    let of = |name: &str| made.sequences.iter().find(|it| it.name.text() == name).unwrap().extent.max;
    assert!(of("Attack")[0] >= 200.0 && of("Stand")[0] >= 100.0, "{:?}", of("Stand"));
}

#[test]
fn ribbons_fall_in_the_direction_of_the_game() {
    for (gravity_direction, gravity) in [(RibbonGravity::Down, 5.0), (RibbonGravity::Up, -5.0)] {
        let mut scene = scene("gltf");
        scene.ribbons.push(Ribbon {
            name: "trail".into(),
            node: Id::new(0),
            position: [1.0, 2.0, 3.0],
            above: Animated::fixed(10.0),
            below: Animated::fixed(20.0),
            alpha: Animated::fixed(0.5),
            color: Animated::fixed([0.1, 0.2, 0.3]),
            slot: Animated::fixed(3),
            visibility: Animated::fixed(1.0),
            lifespan: 2.0,
            rate: 15.6,
            cells: [2, 4],
            material: None,
            gravity: 5.0,
            gravity_direction,
            extras: Extras::default(),
        });
        let made = plain(&scene).model;
        let it = &made.ribbon_emitters[0];
        assert_eq!(
            [it.height_above, it.height_below, it.alpha, it.life_span, it.gravity],
            [10.0, 20.0, 0.5, 2.0, gravity]
        );
        assert_eq!((it.color, it.texture_slot, it.emission_rate), ([0.1, 0.2, 0.3], 3, 16));
        assert_eq!((it.rows, it.columns), (2, 4));
    }
}

#[test]
fn fixtures_have_every_value_in_its_place() {
    let mut scene = scene("gltf");
    let color = Track::linear(vec![0, 1000], vec![[0.1, 0.2, 0.3], [0.4, 0.5, 0.6]], [1.0; 3]);
    for kind in [LightKind::Omni, LightKind::Directional, LightKind::Ambient] {
        scene.lights.push(SceneLight {
            name: "lamp".into(),
            kind,
            node: Id::new(0),
            position: [7.0, 8.0, 9.0],
            attenuation_start: Animated::fixed(1.0),
            attenuation_end: Animated::fixed(2.0),
            color: Animated { base: [0.9, 0.8, 0.7], track: Some(color.clone()) },
            intensity: Animated::fixed(3.0),
            ambient_color: Animated::fixed([0.1, 0.2, 0.3]),
            ambient_intensity: Animated::fixed(4.0),
            visibility: Animated::fixed(1.0),
            extras: Extras::default(),
        });
    }
    for (near, far) in [(2.0, 100.0), (0.0, 50.0), (5.0, 5.0)] {
        scene.cameras.push(Camera {
            name: "view".into(),
            position: [1.0, 2.0, 3.0],
            target: [4.0, 5.0, 6.0],
            fov: 0.75,
            near,
            far,
            translation: None,
            target_translation: None,
            roll: None,
            extras: Extras::default(),
        });
    }
    for kind in [
        ShapeKind::Sphere { center: [1.0, 2.0, 3.0], radius: 4.0 },
        ShapeKind::Cylinder { base: [1.0, 2.0, 3.0], height: 5.0, radius: 4.0 },
        ShapeKind::Plane { length: 6.0, width: 8.0 },
    ] {
        scene.shapes.push(Shape { name: "shape".into(), node: Id::new(0), kind });
    }
    let made = plain(&scene);
    assert!(said(&made, "shapes[2]: a plane became a flat box"));
    let model = made.model;
    let kinds: Vec<u32> = model.lights.iter().map(|it| it.kind.0).collect();
    assert_eq!(kinds, [0, 1, 2]);
    let Light { attenuation_start, attenuation_end, intensity, ambient_intensity, ambient_color, .. } =
        &model.lights[0];
    assert_eq!([*attenuation_start, *attenuation_end, *intensity, *ambient_intensity], [1.0, 2.0, 3.0, 4.0]);
    assert_eq!((*ambient_color, model.lights[0].color), ([0.1, 0.2, 0.3], [0.9, 0.8, 0.7]));
    // Keys of colours are stored blue first.
    let first = model.lights[0].tracks.get(tags::KLAC).unwrap().keys::<[f32; 3]>().unwrap().next().unwrap();
    assert_eq!((first.time, first.value), (333, [0.3, 0.2, 0.1]));
    let id = usize::try_from(model.lights[0].node.object_id).unwrap();
    assert_eq!(model.pivots[id], [7.0, 8.0, 9.0]);
    let planes: Vec<_> = model.cameras.iter().map(|it| (it.near_clip, it.far_clip)).collect();
    assert_eq!(planes, [(2.0, 100.0), (1.0, 50.0), (5.0, 5000.0)]);
    let camera = &model.cameras[0];
    assert_eq!(
        (camera.position, camera.target, camera.field_of_view),
        ([1.0, 2.0, 3.0], [4.0, 5.0, 6.0], 0.75)
    );
    let shapes: Vec<_> = model.collision_shapes.iter().map(|it| it.shape).collect();
    assert_eq!(
        shapes,
        [
            MdxShape::Sphere { center: [1.0, 2.0, 3.0], radius: 4.0 },
            MdxShape::TwoPointCylinder { points: [[1.0, 2.0, 3.0], [1.0, 2.0, 8.0]], radius: 4.0 },
            MdxShape::Box { min: [-3.0, -4.0, 0.0], max: [3.0, 4.0, 0.0] },
        ]
    );
}

#[test]
fn events_of_world_of_warcraft_become_footprints_or_notes() {
    let mut scene = scene("m2");
    scene.sequences.as_mut_slice()[0].extras.set("id", 16);
    for (name, times) in [
        ("$FL1", vec![250]),
        ("$FR0", vec![500]),
        ("$FL2", vec![]),
        ("$HIT", vec![400]),
        ("$CST", vec![750]),
        ("$DTH", vec![100]),
    ] {
        let event =
            Event { name: name.into(), data: 0, node: Id::new(0), position: [0.0; 3], times, global: None };
        scene.events.push(event);
    }
    let made = plain(&scene);
    let names: Vec<_> = made.model.event_objects.iter().map(|it| it.node.name.text().into_owned()).collect();
    assert_eq!(names, ["FPTxFBL1", "FPTxFBR1"]);
    // An attack makes it a unit: the attack is the only sequence and serves as Stand too.
    assert!(said(&made, "event $HIT: damage point of Attack: 0.40 s"), "{:?}", made.report.notes());
    assert!(said(&made, "event $CST: cast point of Attack: 0.75 s"));
    // The footprint without times and the sound of death.
    assert!(said(&made, "events: 2 are sounds and places"));
}

#[test]
fn attachments_of_world_of_warcraft_are_translated_by_number() {
    let mut scene = scene("m2");
    for (name, number) in [("HandRight", 1), ("HandLeft", 2), ("Helm", 11), ("Elbow", 3), ("Unknown", 999)] {
        scene.attachments.push(Attachment {
            name: name.into(),
            number,
            node: Id::new(0),
            position: [0.0; 3],
            path: String::new(),
            visibility: Animated::fixed(1.0),
        });
    }
    let made = plain(&scene);
    let names: Vec<_> = made.model.attachments.iter().map(|it| it.node.name.text().into_owned()).collect();
    assert!(
        names.contains(&"Hand Right Ref".to_owned()) && names.contains(&"Hand Left Ref".to_owned()),
        "{names:?}"
    );
    assert_eq!(names.last().map(String::as_str), Some("Origin Ref"));
    assert!(!names.iter().any(|name| name == "Unknown"));
    // The elbow and the unknown one.
    assert!(said(&made, "attachments: 2 have no counterpart"), "{}", made.report);
    // Numbers count from 0.
    let ids: Vec<u32> = made.model.attachments.iter().map(|it| it.id).collect();
    assert_eq!(ids, (0..u32::try_from(ids.len()).unwrap()).collect::<Vec<_>>());
    // Another game's names stay, and an origin is not made twice.
    let mut scene = self::scene("gltf");
    let attachment = |name: &str| Attachment {
        name: name.into(),
        number: 1,
        node: Id::new(0),
        position: [0.0; 3],
        path: String::new(),
        visibility: Animated::fixed(1.0),
    };
    scene.attachments.push(attachment("ORIGIN point"));
    scene.attachments.push(attachment("Tip"));
    let made = plain(&scene);
    let names: Vec<_> = made.model.attachments.iter().map(|it| it.node.name.text().into_owned()).collect();
    assert_eq!(names, ["ORIGIN point", "Tip"]);
}

#[test]
fn a_portrait_without_a_camera_gets_one_in_front_of_the_head() {
    let mut model = plain(&scene("gltf")).model;
    // Ten units high: the target is at 8.5, the eye 12 in front of it and 1.5 to its right.
    let portrait = raise::portrait(&model);
    let names: Vec<_> = portrait.sequences.iter().map(|it| it.name.text().into_owned()).collect();
    assert_eq!(names, ["Portrait"]);
    let camera = &portrait.cameras[0];
    assert_eq!((camera.target, camera.position), ([0.0, 0.0, 8.5], [12.0, -1.5, 8.5]));
    assert_eq!([camera.field_of_view, camera.far_clip, camera.near_clip], [0.7, 200.0, 0.5]);
    // An attachment at the head is the target.
    model.attachments[0].node.name = effigy_wire::FixedStr::new("Head Ref").unwrap();
    let id = usize::try_from(model.attachments[0].node.object_id).unwrap();
    model.pivots[id] = [1.0, 2.0, 9.0];
    let camera = &raise::portrait(&model).cameras[0];
    assert_eq!((camera.target, camera.position), ([1.0, 2.0, 9.0], [13.0, 0.5, 9.0]));
}

#[test]
fn rules_of_nodes_that_differ_are_reported_by_number() {
    let made = plain(&scene("m2"));
    assert!(!said(&made, "billboards") && !said(&made, "ignore rotation"), "{}", made.report);
    let mut scene = scene("m2");
    scene.nodes.as_mut_slice()[0].billboard = effigy_scene::Billboard::Full;
    scene.nodes.as_mut_slice()[0].ignore.rotation = true;
    let made = plain(&scene);
    assert!(said(&made, "nodes: 1 billboards: World of Warcraft turns"), "{}", made.report);
    assert!(!said(&made, "ignore rotation"));
    let keys = vec![[0.0; 3], [1.0, 0.0, 0.0]];
    scene.nodes.as_mut_slice()[0].translation.track = Some(Track::linear(vec![0, 1000], keys, [0.0; 3]));
    assert!(said(&plain(&scene), "nodes: 1 nodes ignore rotation or scale"));
}

#[test]
fn an_alpha_test_of_another_game_is_moved_into_the_texture() {
    use effigy_convert::raise::AlphaChange;
    use effigy_scene::{Blend, Layer, LayerTexture, Material, Texture};
    // Warcraft III draws what has at least 192 of 255.
    for (blend, test, expected) in [
        (Blend::AlphaKey, 0.0, AlphaChange::Keep),
        (Blend::AlphaKey, 128.0 / 255.0, AlphaChange::Test(128, 192)),
        (Blend::AlphaKey, 192.0 / 255.0, AlphaChange::Keep),
        (Blend::Alpha, 128.0 / 255.0, AlphaChange::Keep),
        (Blend::Add, 0.0, AlphaChange::Opaque),
    ] {
        let mut scene = scene("m2");
        let texture = scene.textures.push(Texture { path: "a.blp".into(), ..Texture::default() });
        let textures = vec![LayerTexture { texture: Some(texture), ..LayerTexture::default() }];
        let layer = Layer { blend, alpha_test: test, textures, ..Layer::default() };
        let material = scene.materials.push(Material { layers: vec![layer], ..Material::default() });
        scene.meshes.as_mut_slice()[0].material = Some(material);
        let made = plain(&scene);
        assert_eq!(made.textures.len(), 1);
        assert_eq!(made.textures[0].alpha, expected, "{blend:?} {test}");
    }
}

#[test]
fn sampled_keys_on_a_line_are_left_out_and_counted() {
    let mut scene = scene("gltf");
    let times: Vec<i32> = (0..=10).map(|key| key * 100).collect();
    let values: Vec<[f32; 3]> = (0..=10_u8).map(|key| [f32::from(key), 0.0, 0.0]).collect();
    scene.nodes.as_mut_slice()[0].translation.track = Some(Track::linear(times, values, [0.0; 3]));
    let translation = |made: &raise::Raised<effigy_mdx::Model>| {
        let helpers = made.model.helpers.iter().map(|it| &it.node);
        let mut nodes = made.model.bones.iter().map(|it| &it.node).chain(helpers);
        let root = nodes.find(|node| node.name.text() == "root").unwrap();
        root.tracks.get(tags::KGTR).unwrap().keys::<[f32; 3]>().unwrap().count()
    };
    // A Death is made, in which the node stays at its place: two keys for each sequence.
    let made = plain(&scene);
    assert_eq!((made.model.sequences.len(), translation(&made)), (2, 4));
    assert!(said(&made, "tracks: 4 of 11 keys are left"), "{}", made.report);
    let options = RaiseOptions { scale: Some(1.0), keep_keys: true, ..RaiseOptions::default() };
    let all = raised(&scene, &options);
    assert_eq!(translation(&all), 13);
    assert!(!said(&all, "keys are left"), "{}", all.report);
}

#[test]
fn a_bone_of_the_same_game_keeps_flags_that_do_not_say_it_is_one() {
    for flags in [NodeFlags::empty(), NodeFlags::BONE] {
        let mut model = Model::new(Dialect::Warcraft3, 800, "Thing");
        let node = Node { flags, ..Node::default() };
        model.bones.push(Bone { node, geoset: -1, geoset_animation: -1 });
        model.pivots.push([0.0; 3]);
        let scene = effigy_convert::mdx::lower(&model).scene;
        let made = plain(&scene);
        assert_eq!(made.model.bones[0].node.flags, flags);
    }
}

#[test]
fn animations_without_a_counterpart_are_counted() {
    let mut scene = scene("m2");
    scene.sequences.as_mut_slice()[0].extras.set("id", 0_i64);
    assert!(!said(&plain(&scene), "have no counterpart"));
    // A number that the game does not have.
    let mut other =
        effigy_scene::Sequence { name: "Fishing".into(), start: 2000, end: 3000, ..Default::default() };
    other.extras.set("id", 9_999_i64);
    scene.sequences.push(other);
    assert!(said(&plain(&scene), "1 of 2 animations have no counterpart"), "{}", plain(&scene).report);
}

/// A program whose first frame is 1 exports animations that wait for a frame: the game would wait in every round.
#[test]
fn animations_begin_with_their_first_key() {
    let mut source = scene("gltf");
    let sequence = &mut source.sequences.as_mut_slice()[0];
    (sequence.start, sequence.end) = (2000, 3000);
    sequence.extras.set("wait", 250_i64);
    let track = Track::linear(vec![2250, 3000], vec![[0.0; 3], [3.0, 0.0, 0.0]], [0.0; 3]);
    source.nodes.as_mut_slice()[0].translation.track = Some(track);
    let made = plain(&source).model;
    let [start, end] = made.sequences[0].interval;
    assert_eq!(end - start, 750);
    let checked = effigy_scene::validate(source.clone()).unwrap();
    let m2 = raise::m2(&checked, &RaiseOptions { version: 264, ..RaiseOptions::default() }).unwrap().model;
    assert_eq!(m2.contents.sequences[0].duration, 750);
    // 15 frames a second: 11 of 12, since the last of a loop is its first.
    let frames = |source: &effigy_scene::Scene| {
        let checked = effigy_scene::validate(source.clone()).unwrap();
        raise::md3(&checked, &RaiseOptions::default()).unwrap().model.model.frames.len()
    };
    assert_eq!(frames(&source), 11);
    // A wait that is longer than the animation is none.
    source.sequences.as_mut_slice()[0].extras.set("wait", 1000_i64);
    assert_eq!(frames(&source), 15);
}

/// The game ends names with a zero, which needs a byte.
#[test]
fn a_name_leaves_room_for_the_zero_that_ends_it() {
    let mut source = scene("gltf");
    source.nodes.as_mut_slice()[0].name = "b".repeat(80);
    source.sequences.as_mut_slice()[0].name = format!("Stand - {}", "s".repeat(74));
    let made = plain(&source);
    let bones = made.model.bones.iter().map(|bone| &bone.node);
    let mut names =
        bones.chain(made.model.helpers.iter().map(|helper| &helper.node)).map(|node| node.name.text());
    assert!(names.any(|name| name == "b".repeat(79)));
    assert_eq!(made.model.sequences[0].name.text().len(), 79);
    assert!(said(&made, "SEQS[0]: a text of more than 79 bytes was cut"), "{}", made.report);
}

#[test]
fn a_portrait_has_nothing_that_only_happens_in_other_sequences() {
    let mut scene = self::scene("gltf");
    scene.sequences.push(effigy_scene::Sequence {
        name: "Walk".into(),
        start: 2000,
        end: 3000,
        ..effigy_scene::Sequence::default()
    });
    scene.sequences.push(effigy_scene::Sequence {
        name: "cheer".into(),
        start: 4000,
        end: 5000,
        ..effigy_scene::Sequence::default()
    });
    let keys = vec![[0.0; 3], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0], [9.0, 0.0, 0.0]];
    scene.nodes.as_mut_slice()[0].translation.track =
        Some(effigy_scene::Track::linear(vec![0, 1000, 2000, 3000], keys, [0.0; 3]));
    let event = |name: &str, time: i32| effigy_scene::Event {
        name: name.into(),
        data: 0,
        node: Id::new(0),
        position: [0.0; 3],
        times: vec![time],
        global: None,
    };
    scene.events.push(event("FPTxFBL1", 2500));
    scene.events.push(event("SNDxAAAA", 500));
    let model = plain(&scene).model;
    let portrait = raise::portrait(&model);
    let names: Vec<_> = portrait.sequences.iter().map(|it| it.name.text().into_owned()).collect();
    assert_eq!(names, ["Portrait"]);
    let [start, end] = portrait.sequences[0].interval;
    let mut made = portrait.clone();
    let mut times = Vec::new();
    made.each_tracks_mut(|tracks| times.extend(tracks.iter().flat_map(effigy_mdx::Track::times)));
    assert!(!times.is_empty());
    let inside = |time: &i32| (start..=end).contains(&u32::try_from(*time).unwrap()) || *time == 0;
    assert!(times.iter().all(inside), "{times:?}");
    assert!(portrait.geosets.iter().all(|it| it.sequence_extents.len() == 1));
    // The step only happens while it walks; what comes behind it moves up.
    let events: Vec<_> = portrait.event_objects.iter().map(|it| it.node.name.text().into_owned()).collect();
    assert_eq!((model.event_objects.len(), events), (2, vec!["SNDxAAAA".to_owned()]));
    let mut ids = Vec::new();
    made.each_node_mut(|_, node| ids.push(usize::try_from(node.object_id).unwrap()));
    ids.sort_unstable();
    assert_eq!(ids, (0..portrait.pivots.len()).collect::<Vec<_>>());
    assert_eq!(portrait.pivots.len() + 1, model.pivots.len());
}

#[test]
fn a_portrait_without_an_attachment_looks_at_what_follows_the_head() {
    let mut scene = self::scene("gltf");
    let head = scene.nodes.push(effigy_scene::Node::new(
        "b_Head_05",
        effigy_scene::NodeKind::Bone,
        Some(Id::new(0)),
        [1.0, 0.0, 6.0],
    ));
    let mut skin = effigy_scene::Skin { vertex_groups: vec![0, 1, 1], ..effigy_scene::Skin::default() };
    skin.push_group([effigy_scene::Influence { node: Id::new(0), weight: 1.0 }]);
    skin.push_group([effigy_scene::Influence { node: head, weight: 1.0 }]);
    scene.meshes.as_mut_slice()[0].skin = Some(skin);
    let camera = &raise::portrait(&plain(&scene).model).cameras[0];
    // Between (4, 0, 0) and (0, -2, 10).
    assert_eq!(camera.target, [2.0, -1.0, 5.0]);
}
