use super::*;
use effigy_scene::{Animated, Attachment, Influence, Node, NodeKind, Rotation, Skin, Track};

/// A triangle on a node that moves by 10 in a second, with a point above it.
fn scene(looping: bool) -> Scene {
    let mut scene =
        Scene { name: "Thing".to_owned(), key_rule: effigy_scene::KeyRule::Wrap, ..Scene::default() };
    scene.sequences.push(Sequence {
        name: "Walk".to_owned(),
        start: 1000,
        end: 2000,
        looping,
        ..Sequence::default()
    });
    let mut node = Node::new("n", NodeKind::Bone, None, [0.0; 3]);
    node.translation.track =
        Some(Track::linear(vec![1000, 2000], vec![[0.0; 3], [10.0, 0.0, 0.0]], [0.0; 3]));
    node.rotation = Animated::fixed(Rotation([0.0, 0.0, 0.0, 1.0]));
    let node = scene.nodes.push(node);
    let mut mesh = Mesh::new("Arm_L");
    mesh.positions = vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 2.0, 0.5]];
    mesh.normals = vec![[0.0, 0.0, 1.0]; 3];
    mesh.indices = vec![0, 1, 2];
    let mut skin = Skin { vertex_groups: vec![0; 3], ..Skin::default() };
    skin.push_group([Influence { node, weight: 1.0 }]);
    mesh.skin = Some(skin);
    scene.meshes.push(mesh);
    scene.attachments.push(Attachment {
        name: "Hand Right Ref".to_owned(),
        number: 0,
        node,
        position: [0.0, 0.0, 3.0],
        path: String::new(),
        visibility: Animated::fixed(1.0),
    });
    scene
}

fn made(looping: bool, options: &RaiseOptions) -> Raised<Md3> {
    raise(&validate(scene(looping)).unwrap(), options).unwrap()
}

#[test]
fn a_loop_has_no_last_frame_and_others_have_one() {
    let options = RaiseOptions { fps: 10.0, ..RaiseOptions::default() };
    let (once, looped) = (made(false, &options).model, made(true, &options).model);
    assert_eq!((once.model.frames.len(), looped.model.frames.len()), (11, 10));
    assert!(once.animations.ends_with("0\t11\t0\t10\t// Walk\n"), "{}", once.animations);
    assert!(looped.animations.ends_with("0\t10\t10\t10\t// Walk\n"), "{}", looped.animations);
}

#[test]
fn vertices_tags_and_bounds_move_with_the_node() {
    let options = RaiseOptions { fps: 2.0, scale: Some(2.0), ..RaiseOptions::default() };
    let Md3 { model, skin, .. } = made(false, &options).model;
    let surface = &model.surfaces[0];
    // Frames at 0, 0.5 and 1 s: the second vertex is at 2, 12 and 22 units, in steps of 1/64.
    let second: Vec<i16> = surface.base.iter().skip(1).step_by(3).map(|vertex| vertex.position[0]).collect();
    assert_eq!(second, [2 * 64, 12 * 64, 22 * 64]);
    assert_eq!(surface.triangles, [[2, 1, 0]]);
    let pose = model.tag_pose(0, 1).unwrap();
    assert_eq!((pose.origin, pose.axes[0]), ([10.0, 0.0, 6.0], [1.0, 0.0, 0.0]));
    assert_eq!(model.tag_name(0).as_deref(), Some("tag_weapon"));
    assert_eq!((model.frames[2].min, model.frames[2].max), ([20.0, 0.0, 0.0], [22.0, 4.0, 1.0]));
    // ioquake3 would cut `_l` off.
    assert_eq!(skin, "arm_l00,\ntag_weapon,\n");
    let bytes = model.write().unwrap();
    assert_eq!(effigy_mdc::read(&bytes).unwrap(), model);
}

#[test]
fn too_many_frames_lower_the_rate() {
    let mut long = scene(true);
    long.sequences.as_mut_slice()[0].end = 201_000;
    let raised = raise(&validate(long).unwrap(), &RaiseOptions::default()).unwrap();
    // 200 seconds at 5 frames are 1000.
    assert_eq!(raised.model.model.frames.len(), 1000);
    assert!(
        raised.report.notes().iter().any(|note| note.message.starts_with("5 frames a second instead of 15"))
    );
}

#[test]
fn a_model_has_no_more_frames_than_engines_load() {
    let long = |seconds: i32| {
        let mut scene = scene(false);
        scene.sequences.as_mut_slice()[0].end = 1000 + seconds * 1000;
        let options = RaiseOptions { fps: 10.0, ..RaiseOptions::default() };
        let raised = raise(&validate(scene).unwrap(), &options).unwrap();
        let said: Vec<String> = raised.report.notes().iter().map(|note| note.message.to_string()).collect();
        (raised.model.model.frames.len(), said.join("; "))
    };
    // 200 s with 6 frames each are 1,201.
    let (frames, said) = long(200);
    assert!(frames == 1001 && said.contains("5 frames a second instead of 10"), "{frames}: {said}");
    // 2,000 s have too many frames even with one each.
    let (frames, said) = long(2000);
    assert!(frames == 1 && said.contains("Walk and those after it"), "{frames}: {said}");
}

#[test]
fn what_happens_once_in_gltf_keeps_its_last_frame() {
    let named = |name: &str| {
        let mut scene = scene(true);
        scene.extras.set("format", "gltf");
        let sequence = &mut scene.sequences.as_mut_slice()[0];
        sequence.name = name.to_owned();
        // 10.6 steps: the last of 12 frames is beyond the end, where a loop would be at its beginning again.
        sequence.end = 2060;
        scene.key_rule = effigy_scene::KeyRule::Hold;
        let options = RaiseOptions { fps: 10.0, scale: Some(1.0), ..RaiseOptions::default() };
        let made = raise(&validate(scene).unwrap(), &options).unwrap().model;
        let last = made.model.surfaces[0].base.iter().rev().nth(2).unwrap().position[0];
        (made.model.frames.len(), last, made.animations)
    };
    let (frames, last, text) = named("Death_A");
    assert!(frames == 12 && last == 10 * 64 && text.ends_with("0\t12\t0\t10\t// Death_A\n"), "{last} {text}");
    let (frames, last, text) = named("Running");
    assert!(
        frames == 11 && last == 10 * 64 && text.ends_with("0\t11\t11\t10\t// Running\n"),
        "{last} {text}"
    );
}
