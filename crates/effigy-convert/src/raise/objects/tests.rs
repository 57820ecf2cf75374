use super::*;
use effigy_scene::{Influence, Interpolation, Mesh, Sequence, Skin, Track};

/// A second of Stand and a second of Walk.
fn scene() -> Scene {
    let mut scene = Scene::default();
    scene.extras.set("format", "gltf");
    for (name, start) in [("Stand", 0), ("Walk", 2000)] {
        let sequence = Sequence { name: name.to_owned(), start, end: start + 1000, ..Sequence::default() };
        scene.sequences.push(sequence);
    }
    scene
}

fn node(name: &str, parent: Option<u32>) -> Node {
    Node::new(name, NodeKind::Helper, parent.map(Id::new), [1.0, 2.0, 3.0])
}

fn named(scene: &Scene, names: &Names, game: Game) -> (Scene, ObjectNames, Vec<String>) {
    let scene = validate(scene.clone()).unwrap();
    let mut report = Report::default();
    let Named { scene, objects } = by_name(&scene, names, game, &mut report).unwrap();
    let notes = report.notes().iter().map(|note| format!("{} {}: {}", note.outcome, note.path, note.message));
    ((**scene).clone(), objects, notes.collect())
}

fn table(list: &[(&str, &str)]) -> BTreeMap<String, String> {
    list.iter().map(|(old, new)| ((*old).to_owned(), (*new).to_owned())).collect()
}

fn list(list: &[(&str, &str)]) -> NameList {
    let new = |new: &str| Some(new.to_owned()).filter(|new| !new.is_empty());
    list.iter().map(|(old, name)| ((*old).to_owned(), new(name))).collect()
}

#[test]
fn only_nodes_that_move_no_vertices_are_taken_for_something() {
    let mut scene = scene();
    for (name, parent) in
        [("Hand Ref", None), ("Head Ref", None), ("Chest Ref.001", None), ("below", Some(2))]
    {
        scene.nodes.push(node(name, parent));
    }
    let mut mesh = Mesh::new("skin");
    mesh.positions = vec![[0.0; 3]; 3];
    mesh.indices = vec![0, 1, 2];
    let mut skin = Skin { vertex_groups: vec![0; 3], ..Skin::default() };
    // The first moves vertices; the second is named by the skin alone.
    let follows = |(node, weight)| Influence { node: Id::new(node), weight };
    skin.push_group([(0, 1.0), (1, 0.0)].map(follows));
    mesh.skin = Some(skin);
    scene.meshes.push(mesh);
    let (made, objects, notes) = named(&scene, &Names::default(), Game::Warcraft);
    let found: Vec<_> = made
        .attachments
        .as_slice()
        .iter()
        .map(|it| (it.name.as_str(), it.node.index(), it.position))
        .collect();
    assert_eq!(found, [("Head Ref", 1, [1.0, 2.0, 3.0]), ("Chest Ref", 2, [1.0, 2.0, 3.0])]);
    let kinds: Vec<_> = made.nodes.as_slice().iter().map(|it| it.kind).collect();
    // A node that carries another one stays what it is.
    let (helper, point) = (NodeKind::Helper, NodeKind::Attachment);
    assert_eq!(kinds, [helper, point, helper, helper]);
    assert_eq!(objects.attachments, list(&[("Head Ref", "Head Ref"), ("Chest Ref.001", "Chest Ref")]));
    let text = "rebuilt attachments: by the names of nodes: Head Ref, Chest Ref (Chest Ref.001)";
    assert_eq!(notes, [text]);
    // Games say what they have.
    scene.extras.set("format", "m2");
    let (made, objects, notes) = named(&scene, &Names::default(), Game::Warcraft);
    assert_eq!((made, objects, notes), (scene, ObjectNames::default(), vec![]));
}

#[test]
fn what_the_user_says_comes_first() {
    let mut scene = scene();
    for name in ["Hand Ref", "Bone.001", "SNDxAHFS", "Foot", "tag_flag"] {
        scene.nodes.push(node(name, None));
    }
    for name in ["Foot", "SNDxAHFS"] {
        let node = scene.nodes.as_mut_slice().iter_mut().find(|it| it.name == name).unwrap();
        node.translation.track = Some(Track::linear(vec![0, 500, 1000], vec![[0.0; 3]; 3], [0.0; 3]));
    }
    for (name, times) in [("$CAH", vec![7]), ("$DTH", vec![8])] {
        let (name, node) = (name.to_owned(), Id::new(0));
        scene.events.push(Event { name, data: 0, node, position: [0.0; 3], times, global: None });
    }
    let names = Names {
        attachments: table(&[("Hand Ref", ""), ("Bone", "Hand Ref"), ("tag_flag", "")]),
        events: table(&[("Foot", "FPTxFBL1"), ("SNDxAHFS", ""), ("$CAH", "SNDxDHFS"), ("$DTH", "")]),
        ..Names::default()
    };
    let (made, objects, _) = named(&scene, &names, Game::Quake);
    let found: Vec<_> =
        made.attachments.as_slice().iter().map(|it| (it.name.as_str(), it.node.index())).collect();
    assert_eq!(found, [("Hand Ref", 1)]);
    let found: Vec<_> = made.events.as_slice().iter().map(|it| (it.name.as_str(), &it.times[..])).collect();
    assert_eq!(found, [("SNDxDHFS", &[7][..]), ("FPTxFBL1", &[0, 500, 1000])]);
    assert!(made.nodes.as_slice().iter().all(|it| it.kind != NodeKind::Tag));
    let points = [("Hand Ref", ""), ("Bone.001", "Hand Ref"), ("tag_flag", "")];
    assert_eq!(objects.attachments, list(&points));
    let events = [("$CAH", "SNDxDHFS"), ("$DTH", ""), ("SNDxAHFS", ""), ("Foot", "FPTxFBL1")];
    assert_eq!(objects.events, list(&events));
}

/// The moments of a node with these keys of its height, in a model of the size 1.
fn moments_of(times: Vec<i32>, heights: &[f32]) -> Vec<i32> {
    let mut node = node("event", None);
    let values = heights.iter().map(|it| [0.0, 0.0, *it]).collect();
    node.translation.track =
        Some(Track { interpolation: Interpolation::Step, ..Track::linear(times, values, [0.0; 3]) });
    moments::moments(&node, scene().sequences.as_slice(), 1.0)
}

#[test]
fn an_event_happens_where_its_node_jumps() {
    // Up, down, and what is only rounding.
    assert_eq!(moments_of(vec![0, 200, 400, 600], &[0.0, 1.0, 0.0, 0.0009]), [200, 400]);
    // A key for every frame: up at 80, down at 200.
    let frames: Vec<i32> = (0..=25).map(|frame| frame * 40).collect();
    let heights: Vec<f32> = (0..=25).map(|frame| if (2..5).contains(&frame) { 1.0 } else { 0.0 }).collect();
    assert_eq!(moments_of(frames.clone(), &heights), [80, 200]);
    // A slow motion of many frames begins once.
    let ramp: Vec<f32> = (0..=25).map(|frame| (frame as f32 - 10.0).max(0.0)).collect();
    assert_eq!(moments_of(frames.clone(), &ramp), [440]);
    // Steps that are farther from each other than samples are events of their own.
    assert_eq!(moments_of(vec![0, 50, 101], &[0.0, 1.0, 2.0]), [50, 101]);
    assert_eq!(moments_of(vec![0, 50, 100], &[0.0, 1.0, 2.0]), [50]);
    // It never moves: its keys are meant, unless they are samples or the ends of the sequence.
    assert_eq!(moments_of(vec![0, 300, 700], &[0.0; 3]), [0, 300, 700]);
    assert_eq!(moments_of(vec![300], &[0.0]), [300]);
    assert!(moments_of(frames, &[0.0; 26]).is_empty());
    assert!(moments_of(vec![0, 1000], &[0.0; 2]).is_empty());
    // Sequences are looked at one by one: it is elsewhere in the next one, and does not jump there.
    assert_eq!(moments_of(vec![0, 400, 2000, 2300], &[0.0, 1.0, 5.0, 5.0]), [400]);
    assert_eq!(moments_of(vec![100, 400, 2000, 2300], &[0.0, 0.0, 5.0, 5.0]), [100, 400, 2000, 2300]);
    // Between sequences nothing happens.
    assert!(moments_of(vec![1500], &[1.0]).is_empty());
}

#[test]
fn turns_and_growth_are_jumps_too() {
    let mut made = node("event", None);
    let half = 0.01_f32;
    made.rotation.track = Some(Track::linear(
        vec![0, 100, 200],
        // A turn of 0.02 radians is one, of 0.002 is not.
        [0.0, half.sin(), (half + 0.001).sin()]
            .map(|z: f32| Rotation([0.0, 0.0, z, (1.0 - z * z).sqrt()]))
            .to_vec(),
        Rotation::IDENTITY,
    ));
    made.scale.track =
        Some(Track::linear(vec![0, 300, 400], vec![[1.0; 3], [1.0, 1.02, 1.0], [1.0, 1.021, 1.0]], [1.0; 3]));
    let sequences = scene().sequences;
    assert_eq!(moments::moments(&made, sequences.as_slice(), 1.0), [100, 300]);
}

#[test]
fn an_event_without_a_moment_is_reported() {
    let mut scene = scene();
    scene.nodes.push(node("FPTxFBL1", None));
    let mut right = node("FPTxFBR1.001", None);
    right.translation.track = Some(Track::linear(vec![0, 250, 750], vec![[0.0; 3]; 3], [0.0; 3]));
    scene.nodes.push(right);
    let (made, objects, notes) = named(&scene, &Names::default(), Game::Warcraft);
    let found: Vec<_> = made.events.as_slice().iter().map(|it| (it.name.as_str(), &it.times[..])).collect();
    assert_eq!(found, [("FPTxFBR1", &[0, 250, 750][..])]);
    // Its keys have said what they say.
    assert!(made.nodes.as_slice().iter().all(|it| !it.is_animated()));
    assert_eq!(objects.events, list(&[("FPTxFBR1.001", "FPTxFBR1")]));
    let silent = "FPTxFBL1: an event happens when its node jumps to another place, and these never do";
    let taken = "rebuilt events: by the names of nodes: FPTxFBR1 (FPTxFBR1.001) at 3 moments";
    assert_eq!(notes, [taken.to_owned(), format!("dropped events: {silent}")]);
}

fn resting(node: &mut Node, rotation: [f32; 4], scale: [f32; 3]) {
    let mut rest = Extras::default();
    rest.set("rotation", rotation).set("scale", scale);
    node.extras.set(REST, rest);
}

#[test]
fn a_collision_shape_is_as_large_as_its_node() {
    let mut scene = scene();
    let half = std::f32::consts::FRAC_1_SQRT_2;
    for name in ["Collision Box", "Collision Sphere", "Collision Box 2"] {
        scene.nodes.push(node(name, None));
    }
    let nodes = scene.nodes.as_mut_slice();
    // A quarter turn about Z: what was long in X is long in Y.
    resting(&mut nodes[0], [0.0, 0.0, half, half], [3.0, 1.0, 0.5]);
    resting(&mut nodes[1], [0.0, 0.0, 0.0, 1.0], [1.0, 2.5, 2.0]);
    // The scale can also be a value of the node.
    nodes[2].scale.base = [2.0, 1.0, 1.0];
    let (made, _, notes) = named(&scene, &Names::default(), Game::World);
    let [box_, ball, other] = [0, 1, 2].map(|at: usize| made.shapes.as_slice()[at].kind);
    let near = |a: [f32; 3], b: [f32; 3]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-6);
    let ShapeKind::Box { min, max } = box_ else { panic!("{box_:?}") };
    assert!(near(min, [-1.0, -3.0, -0.5]) && near(max, [1.0, 3.0, 0.5]), "{box_:?}");
    assert_eq!(ball, ShapeKind::Sphere { center: [0.0; 3], radius: 2.5 });
    assert_eq!(other, ShapeKind::Box { min: [-2.0, -1.0, -1.0], max: [2.0, 1.0, 1.0] });
    assert_eq!(made.nodes.as_slice()[2].scale, Animated::fixed([1.0; 3]));
    assert!(made.nodes.as_slice().iter().all(|it| it.kind == NodeKind::Shape));
    let text = "Collision Box (2.00 x 6.00 x 1.00), Collision Sphere (radius 2.50), Collision Box 2 (4.00 x 2.00 x 2.00)";
    assert_eq!(notes, [format!("rebuilt collision shapes: by the names of nodes: {text}")]);
}

#[test]
fn a_tag_has_the_axes_of_its_node() {
    let mut scene = scene();
    scene.nodes.push(node("tag_flag", None));
    let half = std::f32::consts::FRAC_1_SQRT_2;
    let quarter = Rotation([0.0, 0.0, half, half]);
    resting(&mut scene.nodes.as_mut_slice()[0], quarter.0, [1.0; 3]);
    let turn = &mut scene.nodes.as_mut_slice()[0].rotation;
    // A half turn about X, then none.
    let about_x = Rotation([1.0, 0.0, 0.0, 0.0]);
    turn.track = Some(Track::linear(vec![0, 500], vec![about_x, Rotation::IDENTITY], Rotation::IDENTITY));
    let (made, ..) = named(&scene, &Names::default(), Game::Quake);
    let node = &made.nodes.as_slice()[0];
    assert_eq!((node.name.as_str(), node.kind), ("tag_flag", NodeKind::Tag));
    let near = |Rotation(a): Rotation, Rotation(b): Rotation| {
        assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-6), "{a:?}, not {b:?}");
    };
    near(node.rotation.base, quarter);
    // First the quarter turn of the rest, then the half turn: X times (Z + W) is X W - Y Z.
    let track = node.rotation.track.as_ref().unwrap();
    near(track.values[0], Rotation([half, -half, 0.0, 0.0]));
    near(track.values[1], quarter);
    near(track.default, quarter);
}

#[test]
fn names_that_nothing_has_are_reported() {
    let mut scene = scene();
    scene.nodes.push(node("Hat.001", None));
    let names = Names {
        sequences: table(&[("Walk", "Walk"), ("Wlak", "Walk")]),
        attachments: table(&[("Hat", "Head Ref"), ("Cap", "Head Ref")]),
        events: table(&[("Hat.001", "")]),
        materials: table(&[("Gold", "")]),
    };
    let (_, _, notes) = named(&scene, &names, Game::Warcraft);
    let unused: Vec<_> = notes.iter().filter(|note| note.contains("names: ")).collect();
    assert_eq!(unused, ["kept aside names: nothing in the model is called \"Wlak\", \"Cap\", \"Gold\""]);
}
