//! Files of our own in which somebody has changed nodes, or whose notes are not complete.

use crate::common;

use common::glb::{joined, parts};
use common::{bone, one_layer, skin};
use effigy_gltf::{ExportOptions, Model, NoTextures, export};
use effigy_scene::{
    Animated, GlobalSequence, KeyRule, Layer, Material, Node, NodeKind, NodeRule, Scene, Track, validate,
};
use serde_json::{Value, json};

/// A mesh that follows two bones, of which the second moves.
fn scene() -> Scene {
    let mut scene = one_layer(Layer::default());
    scene.key_rule = KeyRule::Wrap;
    scene.node_rule = NodeRule::World;
    scene.nodes.push(bone("Root", None, [1.0, 2.0, 3.0]));
    scene.nodes.push(bone("Arm", Some(0), [4.0, 2.0, 3.0]));
    let way = Track::linear(vec![1000, 2000], vec![[0.0; 3], [0.0, 0.0, 8.0]], [0.0; 3]);
    scene.nodes.as_mut_slice()[1].translation.track = Some(way);
    scene.nodes.push(Node::new("Free", NodeKind::Helper, None, [0.0; 3]));
    scene.meshes.as_mut_slice()[0].skin = Some(skin(&[&[(0, 1.0)], &[(1, 1.0)], &[(0, 0.5), (1, 0.5)]]));
    scene.global_sequences.push(GlobalSequence { length: 700 });
    scene
}

/// The scene of the changed file, and all lines of its report.
fn after(scene: &Scene, change: impl Fn(&mut Value)) -> (Scene, Vec<String>) {
    let valid = validate(scene.clone()).unwrap();
    let glb = export(&valid, &ExportOptions::default(), &mut NoTextures).unwrap().into_glb().unwrap();
    let (mut document, rest) = parts(&glb);
    change(&mut document);
    let (scene, report) = Model::read(&joined(&document, rest)).unwrap().lower().unwrap();
    (scene, report.notes().iter().map(|it| format!("{}: {}", it.path, it.message)).collect())
}

/// The node of the document with a name.
fn node<'a>(document: &'a mut Value, name: &str) -> &'a mut Value {
    document["nodes"].as_array_mut().unwrap().iter_mut().find(|it| it["name"] == name).unwrap()
}

fn names(scene: &Scene) -> Vec<&str> {
    scene.nodes.as_slice().iter().map(|it| it.name.as_str()).collect()
}

#[test]
fn a_file_with_notes_of_another_version_is_read_like_any_other() {
    let (same, _) = after(&scene(), |_| ());
    assert_eq!((same.nodes.as_slice(), same.key_rule), (scene().nodes.as_slice(), KeyRule::Wrap));
    assert_eq!((same.node_rule, same.global_sequences.len()), (NodeRule::World, 1));
    for version in [json!(2), json!("1")] {
        let (other, _) =
            after(&scene(), |document| document["nodes"][0]["extras"]["effigy"] = version.clone());
        assert_eq!((other.key_rule, other.node_rule), (KeyRule::Hold, NodeRule::Warcraft));
        assert_eq!((other.nodes.as_slice()[0].name.as_str(), other.global_sequences.len()), ("Model", 0));
    }
}

#[test]
fn a_skeleton_that_was_bound_elsewhere_is_not_the_one_that_was_written() {
    // One ten-thousandth of 1 and the largest number, 4: up to 0.0005 are rounding.
    for (pivot, ours) in [(4.0, true), (4.0004, true), (3.9996, true), (4.0006, false), (3.9994, false)] {
        let (found, _) = after(&scene(), |document| {
            node(document, "Arm")["extras"]["bindPivot"] = json!([pivot, 2.0, 3.0]);
        });
        assert_eq!(found.key_rule == KeyRule::Wrap, ours, "{pivot}");
    }
    // The helper is not a joint: its pivot may be anywhere.
    let (found, _) =
        after(&scene(), |document| node(document, "Free")["extras"]["bindPivot"] = json!([9.0, 9.0, 9.0]));
    assert_eq!((found.key_rule, found.nodes.as_slice()[2].pivot), (KeyRule::Wrap, [9.0; 3]));
}

#[test]
fn a_node_with_another_animation_than_was_written_plays_that() {
    let words = "nodes: 1 have other animations than were exported, which are used";
    let (same, notes) = after(&scene(), |_| ());
    assert!(same.nodes.as_slice()[1].is_animated() && !notes.iter().any(|it| it == words));
    let (found, notes) = after(&scene(), |document| {
        document["animations"][0]["samplers"][0]["interpolation"] = "STEP".into();
    });
    assert!(notes.iter().any(|it| it == words), "{notes:?}");
    let track = found.nodes.as_slice()[1].translation.track.as_ref().unwrap();
    assert_eq!(track.interpolation, effigy_scene::Interpolation::Step);
    assert_eq!(found.nodes.as_slice()[0], scene().nodes.as_slice()[0]);
    // Without its channel it rests.
    let (found, notes) = after(&scene(), |document| {
        let channels = document["animations"][0]["channels"].as_array_mut().unwrap();
        assert_eq!(channels.len(), 1);
        channels.clear();
    });
    assert!(notes.iter().any(|it| it == words), "{notes:?}");
    assert!(!found.nodes.as_slice()[1].is_animated());
    // Notes without tracks are those of a node that never moves.
    let (found, notes) = after(&scene(), |document| {
        let channel = &mut document["animations"][0]["channels"][0]["target"]["node"];
        *channel = json!(0);
        node(document, "Arm")["extras"].as_object_mut().unwrap().remove("tracks");
    });
    assert!(!notes.iter().any(|it| it == words), "{notes:?}");
    assert!(!found.nodes.as_slice()[1].is_animated());
}

#[test]
fn nodes_that_somebody_has_added_are_nodes_and_joints_of_ours_are_not() {
    let (found, _) = after(&scene(), |document| {
        let place = document["nodes"].as_array().unwrap().len();
        let nodes = document["nodes"].as_array_mut().unwrap();
        nodes
            .push(json!({"name": "New", "translation": [0.0, 5.0, 0.0], "children": [place + 1, place + 2]}));
        nodes.push(json!({"name": "Still", "extras": {"joint": "still"}}));
        nodes.push(json!({"name": "Shown", "extras": {"joint": "shown", "node": 1}}));
        nodes.push(json!({"name": "Half", "extras": {"kind": "bone"}}));
        let children = document["nodes"][0]["children"].as_array_mut().unwrap();
        children.extend([json!(place), json!(place + 3)]);
    });
    assert_eq!(names(&found), ["Root", "Arm", "Free", "New", "Half"]);
    // Up is y of the file and z of the scene.
    assert_eq!(found.nodes.as_slice()[3].pivot, [0.0, 0.0, 5.0]);
    assert_eq!(found.nodes.as_slice()[..3], scene().nodes.as_slice()[..]);
}

#[test]
fn materials_are_in_the_order_of_their_numbers() {
    let number = |number: u32| {
        after(&scene(), |document| document["materials"][0]["extras"]["material"] = number.into()).0
    };
    let found = number(2);
    assert_eq!(found.materials.len(), 3);
    assert_eq!(found.materials.as_slice()[..2], [Material::default(), Material::default()]);
    assert_eq!(found.materials.as_slice()[2], scene().materials.as_slice()[0]);
    assert_eq!(found.meshes.as_slice()[0].material.map(effigy_scene::Id::index), Some(2));
    // One material of the file: numbers below 64 + 4096.
    assert_eq!((number(4159).materials.len(), number(4160).materials.len()), (4160, 0));
}

#[test]
fn the_names_and_kinds_of_nodes_are_those_of_the_notes() {
    let (found, _) = after(&scene(), |document| {
        let extras = &mut node(document, "Free")["extras"];
        extras["name"] = "Old name".into();
        extras["kind"] = "something".into();
        extras["billboard"] = "something".into();
        extras["dontInherit"] = json!(["rotation"]);
        extras["gate"] = 7.into();
    });
    let free = &found.nodes.as_slice()[2];
    assert_eq!((free.name.as_str(), free.kind), ("Old name", NodeKind::Bone));
    assert_eq!(free.billboard, effigy_scene::Billboard::None);
    assert_eq!([free.ignore.translation, free.ignore.rotation, free.ignore.scale], [false, true, false]);
    // There is no mesh of that number.
    assert_eq!(free.gate, None);
    assert!(!free.camera_anchored && free.extras.is_empty());
}

#[test]
fn lists_of_up_to_twelve_numbers_are_readable_and_longer_ones_packed() {
    let noted = |keys: i32| {
        let mut scene = scene();
        let times: Vec<i32> = (0..keys).map(|key| 1000 + 50 * key).collect();
        let values: Vec<[f32; 3]> =
            (0..keys).map(|key| [0.0, 0.0, if key % 2 == 0 { 0.0 } else { 8.0 }]).collect();
        scene.nodes.as_mut_slice()[1].translation =
            Animated { base: [0.0; 3], track: Some(Track::linear(times, values, [0.0; 3])) };
        let file = common::File::new(&scene, &ExportOptions::default());
        let tracks = file.json["nodes"][file.node("Arm")]["extras"]["tracks"]["translation"].clone();
        let (found, _) = after(&scene, |_| ());
        assert_eq!(found.nodes.as_slice(), scene.nodes.as_slice());
        [tracks["times"].is_array(), tracks["values"].is_array()]
    };
    // Four keys of three numbers each are twelve.
    assert_eq!(
        [noted(4), noted(5), noted(12), noted(13)],
        [[true, true], [true, false], [true, false], [false; 2]]
    );
}

#[test]
fn animations_without_notes_play_the_sequences_of_their_names() {
    let mut scene = scene();
    scene.sequences.push(common::sequence("Stand", 3000, 4000));
    scene.sequences.push(common::sequence("Walk (1)", 5000, 6000));
    let (found, _) = after(&scene, |document| {
        let animations = document["animations"].as_array_mut().unwrap();
        let names: Vec<String> =
            animations.iter().map(|it| it["name"].as_str().unwrap().to_owned()).collect();
        // Repeated names are numbered in a file.
        assert_eq!(names, ["Stand", "Stand (2)", "Walk (1)"]);
        for animation in animations {
            animation.as_object_mut().unwrap().remove("extras");
        }
    });
    assert_eq!(found.sequences.as_slice(), scene.sequences.as_slice());
    assert_eq!(found.nodes.as_slice(), scene.nodes.as_slice());
    // One of another name is a sequence of its own, a second after the last.
    let (found, _) = after(&scene, |document| {
        let animation = &mut document["animations"][1];
        animation.as_object_mut().unwrap().remove("extras");
        animation["name"] = "Dance".into();
    });
    let last = found.sequences.as_slice().last().unwrap();
    assert_eq!((found.sequences.len(), last.name.as_str(), last.start, last.end), (4, "Dance", 7000, 8000));
}
