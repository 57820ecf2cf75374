//! MDC and MD3 in the scene: timeline, tags, morph frames and materials, against values written by hand.

use effigy_convert::mdc::{self, FrameTiming};
use effigy_mdc::sequences::Sequence as Named;
use effigy_mdc::{Format, Frame, Model, Name, Shader, Surface, Tag, Tags, Vertex};
use effigy_scene::{Extra, Id, NodeKind, Rotation, Scene};

/// A triangle in three frames, of which the last is the first again, and a tag that moves and turns.
fn model() -> Model {
    let mut model = Model::new(Format::Md3);
    model.name = Name::new("models/things/chair.md3").unwrap();
    let half = std::f32::consts::FRAC_1_SQRT_2;
    let tag = |origin: [f32; 3], axes: [f32; 9]| Tag { name: Name::new("tag_hand").unwrap(), origin, axes };
    let still = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
    // Forward is (1, 1) / sqrt 2, left (-1, 1) / sqrt 2: an eighth of a turn about Z.
    let turned = [half, half, 0.0, -half, half, 0.0, 0.0, 0.0, 1.0];
    model.tags = Tags::Full(vec![
        tag([1.0, 2.0, 3.0], still),
        tag([4.0, 5.0, 6.0], turned),
        tag([1.0, 2.0, 3.0], still),
    ]);
    for number in 0..3_u8 {
        let size = f32::from(number) + 1.0;
        model.frames.push(Frame { min: [-size; 3], max: [size; 3], radius: size * 2.0, ..Frame::default() });
    }
    // Positions are stored in 64ths.
    let at = |x: i16, y: i16, z: i16| Vertex { position: [x * 64, y * 64, z * 64], normal: 0 };
    let first = [at(0, 0, 0), at(8, 0, 0), at(0, 8, 0)];
    let second = [at(0, 0, 1), at(8, 0, 1), at(0, 8, 1)];
    let shader = |name: &str| Shader { name: Name::new(name).unwrap(), index: 0 };
    model.surfaces.push(Surface {
        ident: Format::Md3.surface_ident(),
        name: Name::new("seat").unwrap(),
        triangles: vec![[0, 1, 2]],
        shaders: vec![shader("wood.tga"), shader("red.tga")],
        texcoords: vec![[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]],
        base: [first, second, first].concat(),
        ..Surface::default()
    });
    model
}

fn lowered(model: &Model, timing: &FrameTiming) -> Scene {
    mdc::lower(model, timing).unwrap().scene
}

fn named(name: &str, first: u32, count: u32, fps: f32, loop_frames: u32) -> Named {
    Named { name: name.into(), first, count, fps, loop_frames, move_speed: 30.0, ..Named::default() }
}

#[test]
fn without_a_list_all_frames_are_one_looping_sequence() {
    let scene = lowered(&model(), &FrameTiming::default());
    assert_eq!(
        (scene.name.as_str(), scene.extras.get("format")),
        ("chair", Some(&Extra::Text("md3".into())))
    );
    assert_eq!((scene.bounds.min, scene.bounds.max, scene.bounds.radius), ([-1.0; 3], [1.0; 3], 2.0));
    assert_eq!(
        (scene.key_rule, scene.node_rule),
        (effigy_scene::KeyRule::Hold, effigy_scene::NodeRule::Wolfenstein)
    );
    let it = &scene.sequences.as_slice()[0];
    // Twenty frames a second: 50 ms each.
    assert_eq!((it.name.as_str(), it.start, it.end, it.looping), ("all frames", 0, 100, true));
    assert_eq!(scene.sequences.len(), 1);
    let morph = scene.meshes.as_slice()[0].morph.as_ref().unwrap();
    assert_eq!((&morph.order.times[..], &morph.order.values[..]), (&[0, 50, 100][..], &[0, 1, 0][..]));
    assert_eq!(morph.frames.len(), 2);
    assert_eq!(morph.frames[1].positions, [[0.0, 0.0, 1.0], [8.0, 0.0, 1.0], [0.0, 8.0, 1.0]]);
}

#[test]
fn two_frames_are_a_sequence_and_one_is_not() {
    for (frames, sequences) in [(1, 0), (2, 1)] {
        let mut model = model();
        model.frames.truncate(frames);
        model.surfaces[0].base.truncate(3 * frames);
        if let Tags::Full(tags) = &mut model.tags {
            tags.truncate(frames);
        }
        let scene = lowered(&model, &FrameTiming::default());
        assert_eq!(scene.sequences.len(), sequences, "{frames} frames");
        assert_eq!(scene.meshes.as_slice()[0].morph.is_some(), frames == 2, "{frames} frames");
        assert!(scene.sequences.as_slice().iter().all(|it| (it.start, it.end) == (0, 50)));
    }
}

#[test]
fn sequences_follow_one_another_with_a_gap_of_a_second() {
    let list = vec![named("walk", 1, 2, 10.0, 2), named("die", 0, 1, 10.0, 0), named("odd", 2, 9, 0.0, 0)];
    let scene = lowered(&model(), &FrameTiming { sequences: list, fps: 20.0 });
    let found: Vec<_> = scene
        .sequences
        .as_slice()
        .iter()
        .map(|it| (it.name.as_str(), it.start, it.end, it.looping, it.move_speed))
        .collect();
    assert_eq!(
        found,
        [("walk", 0, 100, true, 30.0), ("die", 1100, 1100, false, 30.0), ("odd", 2100, 2100, false, 30.0)]
    );
    let order = &scene.meshes.as_slice()[0].morph.as_ref().unwrap().order;
    // Walk shows the second and third frame; the third is like the first.
    assert_eq!((&order.times[..], &order.values[..]), (&[0, 100, 1100, 2100][..], &[0, 1, 1, 1][..]));
    assert_eq!(scene.sequences.as_slice()[0].extras.get("firstFrame"), Some(&Extra::Int(1)));
    // One that begins after the last frame shows the last frame.
    let scene = lowered(&model(), &FrameTiming { sequences: vec![named("late", 3, 2, 10.0, 0)], fps: 20.0 });
    let it = &scene.sequences.as_slice()[0];
    assert_eq!((it.start, it.end, it.extras.get("firstFrame")), (0, 0, Some(&Extra::Int(3))));
    // Without a speed a frame lasts a second.
    let scene = lowered(&model(), &FrameTiming { sequences: vec![named("slow", 0, 3, 0.0, 1)], fps: 20.0 });
    assert_eq!(scene.sequences.as_slice()[0].end, 2000);
}

#[test]
fn tags_are_nodes_that_move_and_turn() {
    let scene = lowered(&model(), &FrameTiming::default());
    let node = &scene.nodes.as_slice()[0];
    assert_eq!((node.name.as_str(), node.kind, node.pivot), ("tag_hand", NodeKind::Tag, [0.0; 3]));
    assert_eq!(node.translation.base, [1.0, 2.0, 3.0]);
    let way = node.translation.track.as_ref().unwrap();
    assert_eq!((&way.times[..], way.values[1]), (&[0, 50, 100][..], [4.0, 5.0, 6.0]));
    let Rotation([x, y, z, w]) = node.rotation.track.as_ref().unwrap().values[1];
    let (sin, cos) = std::f32::consts::FRAC_PI_8.sin_cos();
    assert!(x == 0.0 && y == 0.0 && (z - sin).abs() < 1e-6 && (w - cos).abs() < 1e-6, "{x} {y} {z} {w}");
}

#[test]
fn one_frame_is_a_model_without_motion() {
    let mut model = model();
    model.frames.truncate(1);
    model.surfaces[0].base.truncate(3);
    if let Tags::Full(tags) = &mut model.tags {
        tags.truncate(1);
    }
    let scene = lowered(&model, &FrameTiming::default());
    assert!(scene.sequences.is_empty() && scene.meshes.as_slice()[0].morph.is_none());
    assert!(!scene.nodes.as_slice()[0].is_animated());
    assert_eq!(scene.nodes.as_slice()[0].translation.base, [1.0, 2.0, 3.0]);
}

#[test]
fn surfaces_are_turned_over_and_share_materials_by_shader() {
    let mut model = model();
    let mut other = model.surfaces[0].clone();
    other.shaders.truncate(1);
    model.surfaces.push(other.clone());
    other.shaders.clear();
    model.surfaces.push(other);
    let scene = lowered(&model, &FrameTiming::default());
    let mesh = &scene.meshes.as_slice()[0];
    // Clockwise in the file.
    assert_eq!((mesh.name.as_str(), &mesh.indices[..]), ("seat", &[2, 1, 0][..]));
    assert_eq!(mesh.uvs, [[[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]]);
    let used: Vec<_> = scene.meshes.as_slice().iter().map(|it| it.material.unwrap().index()).collect();
    assert_eq!(used, [0, 0, 1]);
    let [wood, none] = scene.materials.as_slice() else { panic!() };
    assert_eq!((wood.name.as_str(), none.name.as_str()), ("wood.tga", ""));
    let list = Extra::List(vec![Extra::Text("wood.tga".into()), Extra::Text("red.tga".into())]);
    assert_eq!((wood.extras.get("shaders"), none.extras.get("shaders")), (Some(&list), None));
    assert_eq!(wood.layers[0].textures[0].texture, Some(Id::new(0)));
    assert_eq!(none.layers[0].textures[0].texture, None);
    // A single shader is the material's name already.
    model.surfaces.remove(0);
    let scene_of_one = lowered(&model, &FrameTiming::default());
    assert_eq!(scene_of_one.materials.as_slice()[0].extras.get("shaders"), None);
    let texture = &scene.textures.as_slice()[0];
    assert_eq!((texture.path.as_str(), texture.repeat, scene.textures.len()), ("wood.tga", [true; 2], 1));
}
