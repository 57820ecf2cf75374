//! Nodes, tracks and clocks that come out of MDX and M2, against values written by hand.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use effigy_convert::{m2, mdx};
use effigy_m2::{Block, BoneFlags, Series, Version};
use effigy_mdx::track::tags;
use effigy_mdx::{Bone, Dialect, GeosetAnimation, Helper, Key, Model, Node, NodeFlags, Track};
use effigy_scene::sample::{Moment, Sampler};
use effigy_scene::{AlphaRule, Billboard, Id, Ignore, Interpolation, NodeKind, Rotation, Scene, validate};
use effigy_wire::FixedStr;

const LINEAR: effigy_mdx::Interpolation = effigy_mdx::Interpolation::LINEAR;

fn node(name: &str, id: i32, parent: i32, flags: u32) -> Node {
    let flags = NodeFlags::from_bits_retain(flags);
    Node { name: FixedStr::new(name).unwrap(), object_id: id, parent, flags, ..Node::default() }
}

fn ignore(translation: bool, rotation: bool, scale: bool) -> Ignore {
    Ignore { translation, rotation, scale }
}

/// Bones with the ids 2 and 0, a helper with the id 1; pivots by id.
fn warcraft() -> Model {
    let mut model = Model::new(Dialect::Warcraft3, 800, "model");
    model.bones.push(Bone { node: node("hand", 2, 1, 0x100), ..Bone::default() });
    model.bones.push(Bone { node: node("root", 0, -1, 0x100), ..Bone::default() });
    model.helpers.push(Helper { node: node("arm", 1, 0, 0) });
    model.pivots = vec![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]];
    model
}

#[test]
fn pivots_and_parents_are_found_by_object_id() {
    let scene = mdx::lower(&warcraft()).scene;
    let nodes: Vec<_> = scene
        .nodes
        .iter()
        .map(|(_, node)| (node.name.as_str(), node.kind, node.pivot, node.parent.map(Id::index)))
        .collect();
    assert_eq!(
        nodes,
        [
            ("hand", NodeKind::Bone, [7.0, 8.0, 9.0], Some(2)),
            ("root", NodeKind::Bone, [1.0, 2.0, 3.0], None),
            ("arm", NodeKind::Helper, [4.0, 5.0, 6.0], Some(1)),
        ]
    );
}

#[test]
fn the_flags_of_mdx_nodes() {
    // The bits as the files have them: 1 translation, 2 scaling, 4 rotation; 8 to 0x40 billboards; 0x80 anchored.
    for (bits, ignored) in [
        (0, ignore(false, false, false)),
        (1, ignore(true, false, false)),
        (2, ignore(false, false, true)),
        (4, ignore(false, true, false)),
        (7, ignore(true, true, true)),
    ] {
        let mut model = warcraft();
        model.bones[0].node.flags = NodeFlags::from_bits_retain(0x100 | bits);
        assert_eq!(mdx::lower(&model).scene.nodes.as_slice()[0].ignore, ignored, "{bits}");
    }
    for (bits, billboard, anchored) in [
        (0x8, Billboard::Full, false),
        (0x10, Billboard::LockX, false),
        (0x20, Billboard::LockY, false),
        (0x40, Billboard::LockZ, false),
        (0x80, Billboard::None, true),
    ] {
        let mut model = warcraft();
        model.bones[0].node.flags = NodeFlags::from_bits_retain(0x100 | bits);
        let scene = mdx::lower(&model).scene;
        let node = &scene.nodes.as_slice()[0];
        assert_eq!((node.billboard, node.camera_anchored), (billboard, anchored), "{bits:#x}");
    }
}

#[test]
fn translation_rotation_and_scale_come_from_their_own_tracks() {
    let mut model = warcraft();
    model.global_sequences = vec![700, 900];
    let keys = [Key::new(0, [1.0, 2.0, 3.0_f32]), Key::new(500, [4.0, 5.0, 6.0])];
    let tracks = &mut model.bones[0].node.tracks;
    tracks.set(Track::new(tags::KGTR, LINEAR, &keys).unwrap());
    let keys = [Key::new(10, [7.0, 8.0, 9.0_f32])];
    tracks.set(Track::new(tags::KGSC, effigy_mdx::Interpolation::STEP, &keys).unwrap().on_global_sequence(0));
    let turns = [[0.0, 0.0, 1.0, 0.0_f32], [1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]];
    let keys = [Key { time: 20, value: turns[0], tangents: Some([turns[1], turns[2]]) }];
    let spline = Track::new(tags::KGRT, effigy_mdx::Interpolation::HERMITE, &keys).unwrap();
    tracks.set(spline.on_global_sequence(1));
    let scene = mdx::lower(&model).scene;
    let node = &scene.nodes.as_slice()[0];
    let translation = node.translation.track.as_ref().unwrap();
    assert_eq!((translation.interpolation, translation.global), (Interpolation::Linear, None));
    assert_eq!(translation.times, [0, 500]);
    assert_eq!(translation.values, [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]);
    assert_eq!(translation.default, [0.0; 3]);
    let scale = node.scale.track.as_ref().unwrap();
    // The global sequence 0 is a clock like any other, not the sequence that plays.
    assert_eq!((scale.interpolation, scale.global), (Interpolation::Step, Some(Id::new(0))));
    assert_eq!(
        (&scale.times[..], &scale.values[..], scale.default),
        (&[10][..], &[[7.0, 8.0, 9.0]][..], [1.0; 3])
    );
    let rotation = node.rotation.track.as_ref().unwrap();
    assert_eq!((rotation.interpolation, rotation.global), (Interpolation::Hermite, Some(Id::new(1))));
    assert_eq!((&rotation.values[..], rotation.default), (&[Rotation(turns[0])][..], Rotation::IDENTITY));
    assert_eq!(rotation.tangents, [[Rotation(turns[1]), Rotation(turns[2])]]);
    let lengths: Vec<u32> = scene.global_sequences.iter().map(|(_, it)| it.length).collect();
    assert_eq!(lengths, [700, 900]);
    assert!(!scene.nodes.as_slice()[1].is_animated());
}

#[test]
fn a_bone_is_gated_by_the_mesh_of_its_geoset_animation() {
    let mut model = warcraft();
    for _ in 0..3 {
        model.geosets.push(effigy_mdx::Geoset::default());
    }
    model.geoset_animations.push(GeosetAnimation { geoset: 0, ..GeosetAnimation::default() });
    model.geoset_animations.push(GeosetAnimation { geoset: 2, ..GeosetAnimation::default() });
    (model.bones[0].geoset, model.bones[0].geoset_animation) = (0, 1);
    // Without a geoset the animation is not used.
    (model.bones[1].geoset, model.bones[1].geoset_animation) = (-1, 1);
    let scene = mdx::lower(&model).scene;
    assert_eq!(scene.nodes.as_slice()[0].gate, Some(Id::new(2)));
    assert_eq!(scene.nodes.as_slice()[1].gate, None);
}

fn m2_track<T: Clone>(global_sequence: i16, times: Vec<u32>, values: Vec<T>) -> effigy_m2::Track<T> {
    effigy_m2::Track {
        interpolation: 1,
        global_sequence,
        ranges: Block::default(),
        times: Series::flat(times),
        values: Series::flat(values),
    }
}

/// Two bones of vanilla World of Warcraft; the second is a child of the first.
fn vanilla() -> effigy_m2::Model {
    let mut model = effigy_m2::Model::new(Version::VANILLA);
    model.sequences.push(effigy_m2::Sequence { start: 0, end: 1000, ..effigy_m2::Sequence::default() });
    model.global_sequences = vec![800].into();
    let pivots = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]];
    let bone = |(parent, pivot)| effigy_m2::Bone { parent, pivot, ..effigy_m2::Bone::default() };
    model.bones = [-1, 0].into_iter().zip(pivots).map(bone).collect::<Vec<_>>().into();
    model
}

#[test]
fn pivots_parents_and_flags_of_m2_bones() {
    let scene = m2::lower(&vanilla()).scene;
    let nodes: Vec<_> =
        scene.nodes.iter().map(|(_, node)| (node.pivot, node.parent.map(Id::index))).collect();
    assert_eq!(nodes, [([1.0, 2.0, 3.0], None), ([4.0, 5.0, 6.0], Some(0))]);
    for (bits, ignored, billboard) in [
        (0, ignore(false, false, false), Billboard::None),
        (1, ignore(true, false, false), Billboard::None),
        (2, ignore(false, false, true), Billboard::None),
        (4, ignore(false, true, false), Billboard::None),
        (8, ignore(false, false, false), Billboard::Full),
        (0x10, ignore(false, false, false), Billboard::LockX),
        (0x20, ignore(false, false, false), Billboard::LockY),
        (0x40, ignore(false, false, false), Billboard::LockZ),
    ] {
        let mut model = vanilla();
        model.bones.get_mut(1).unwrap().flags = BoneFlags::from_bits_retain(bits);
        let scene = m2::lower(&model).scene;
        let node = &scene.nodes.as_slice()[1];
        assert_eq!((node.ignore, node.billboard), (ignored, billboard), "{bits:#x}");
    }
}

#[test]
fn m2_tracks_keep_their_kind_and_their_clock() {
    let mut model = vanilla();
    let turns = [[0.0, 0.0, 0.0, 1.0_f32], [0.0, 0.0, 1.0, 0.0]];
    let bone = model.bones.get_mut(0).unwrap();
    bone.translation = m2_track(-1, vec![0, 1000], vec![[0.0; 3], [8.0, 0.0, 0.0]]);
    bone.translation.ranges = vec![[0, 1]].into();
    bone.rotation = m2_track(0, vec![0, 400], turns.to_vec());
    bone.scale = m2_track(0, vec![0, 800], vec![[1.0; 3], [3.0; 3]]);
    bone.scale.interpolation = 0;
    let scene = m2::lower(&model).scene;
    let node = &scene.nodes.as_slice()[0];
    let translation = node.translation.track.as_ref().unwrap();
    assert_eq!((translation.interpolation, translation.global), (Interpolation::Linear, None));
    assert_eq!(translation.windows, [[0, 1]]);
    let rotation = node.rotation.track.as_ref().unwrap();
    assert_eq!((rotation.interpolation, rotation.global), (Interpolation::Linear, Some(Id::new(0))));
    assert_eq!((&rotation.times[..], &rotation.values[..]), (&[0, 400][..], &turns.map(Rotation)[..]));
    let scale = node.scale.track.as_ref().unwrap();
    assert_eq!((scale.interpolation, scale.global), (Interpolation::Step, Some(Id::new(0))));
    assert_eq!(scale.values, [[1.0; 3], [3.0; 3]]);
    // At 250 ms of the sequence the bone is at x = 2, about its pivot. Its clock of 800 ms is independent of it: at 100
    // and at 900 ms it has made a quarter of its half turn, 45 degrees: the point one unit along X is at (1, 1) / sqrt 2.
    for clock in [100.0, 900.0] {
        let [x, y, z] = place(scene.clone(), 250.0, clock, [2.0, 2.0, 3.0]);
        let half = std::f32::consts::FRAC_1_SQRT_2;
        assert!(
            (x - (3.0 + half)).abs() < 0.02 && (y - (2.0 + half)).abs() < 0.02 && z == 3.0,
            "{x} {y} {z}"
        );
    }
}

/// Where the first node carries a point.
fn place(scene: Scene, time: f64, clock: f64, point: [f32; 3]) -> [f32; 3] {
    let scene = validate(scene).unwrap();
    let sampler = Sampler::new(&scene);
    let mut pose = sampler.pose();
    sampler.sample(&Moment { sequence: Some(Id::new(0)), time, clock }, None, &mut pose);
    pose.point(Id::new(0), point)
}

#[test]
fn a_layer_is_drawn_from_the_alpha_of_its_games_client_on() {
    let m2 = |version| m2::lower(&effigy_m2::Model::new(version)).scene.alpha_rule;
    assert_eq!(m2(Version::VANILLA), AlphaRule::AboveZero);
    assert_eq!(m2(Version::LATE_BURNING_CRUSADE), AlphaRule::AboveZero);
    assert_eq!(m2(Version::WRATH), AlphaRule::TenThousandth);
    assert_eq!(mdx::lower(&warcraft()).scene.alpha_rule, AlphaRule::OneStep);
}
