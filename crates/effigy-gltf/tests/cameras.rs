//! Cameras and lights against values computed by hand.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::cast_possible_truncation)]

use crate::common;

use common::{File, bone, near, near_rows, one_layer, sequence};
use effigy_gltf::ExportOptions;
use effigy_scene::{Animated, Camera, Extras, Id, Layer, Light, LightKind, Node, NodeKind, Scene, Track};
use serde_json::{Value, json};

fn plain() -> ExportOptions {
    ExportOptions::default()
}

fn two_bones() -> Scene {
    let mut scene = Scene { name: "Model".into(), ..Scene::default() };
    scene.sequences.push(sequence("Stand", 1000, 2000));
    scene.nodes.push(bone("Root", None, [10.0, 20.0, 30.0]));
    scene.nodes.push(bone("Hand", Some(0), [1.0, 2.0, 3.0]));
    scene
}

fn extras(file: &File, node: &str) -> Value {
    file.json["nodes"][file.node(node)]["extras"].clone()
}

fn camera() -> Camera {
    Camera {
        name: "Portrait".into(),
        position: [100.0, 0.0, 0.0],
        target: [0.0, 0.0, 0.0],
        fov: 1.0,
        near: 2.0,
        far: 500.0,
        translation: None,
        target_translation: None,
        roll: None,
        extras: Extras::default(),
    }
}

#[test]
fn cameras_move_and_turn_with_their_tracks() {
    let mut scene = two_bones();
    // From (100, 0, 0) to (100, 100, 0), always looking along -X since the target goes along.
    let way = Track::linear(vec![1000, 2000], vec![[0.0; 3], [0.0, 100.0, 0.0]], [0.0; 3]);
    scene.cameras.push(Camera { translation: Some(way.clone()), target_translation: Some(way), ..camera() });
    // A quarter turn about the view, in one second.
    scene.cameras.push(Camera {
        name: "Roll".into(),
        roll: Some(Track::linear(vec![1000, 2000], vec![0.0, std::f32::consts::FRAC_PI_2], 0.0)),
        ..camera()
    });
    scene.cameras.push(Camera { name: "Still".into(), ..camera() });
    let file = File::new(&scene, &ExportOptions { fps: 2.0, ..plain() });
    let node = file.node("Portrait");
    // Looking along -X of the scene with Z up is a quarter turn about Y of glTF.
    let half = std::f32::consts::FRAC_1_SQRT_2;
    common::near_json(&file.json["nodes"][node]["translation"], &[100.0, 0.0, 0.0]);
    common::near_json(&file.json["nodes"][node]["rotation"], &[0.0, half, 0.0, half]);
    let keys = file.moves(0, node, "translation").unwrap();
    assert_eq!((keys.mode.as_str(), keys.times.as_slice()), ("LINEAR", &[0.0, 0.5, 1.0][..]));
    near_rows(&keys.rows, &[[100.0, 0.0, 0.0], [100.0, 0.0, -50.0], [100.0, 0.0, -100.0]]);
    let keys = file.moves(0, node, "rotation").unwrap();
    near_rows(&keys.rows, &[[0.0, half, 0.0, half]; 3]);
    let node = file.node("Roll");
    let keys = file.moves(0, node, "rotation").unwrap();
    assert_eq!(keys.times, [0.0, 0.5, 1.0]);
    // The turn to the side, then the roll about the camera's own back axis (its Z): (c, s) of 45 and of half the roll.
    let rolled = |roll: f32| {
        let (s, c) = (roll.to_radians() * 0.5).sin_cos();
        [half * s, half * c, half * s, half * c]
    };
    near_rows(&keys.rows, &[rolled(0.0), rolled(45.0), rolled(90.0)]);
    let still = file.node("Still");
    assert!(file.moves(0, still, "rotation").is_none() && file.moves(0, still, "translation").is_none());
}

#[test]
fn a_camera_that_turns_around_never_takes_the_long_way() {
    let mut scene = two_bones();
    // The target goes around the camera at (0, 0, 0): from +X to +Y, -X and -Y.
    let around = vec![[0.0; 3], [-10.0, 10.0, 0.0], [-20.0, 0.0, 0.0], [-10.0, -10.0, 0.0]];
    let track = Track::linear(vec![1000, 1300, 1600, 2000], around, [0.0; 3]);
    scene.cameras.push(Camera {
        position: [0.0; 3],
        target: [10.0, 0.0, 0.0],
        target_translation: Some(track),
        ..camera()
    });
    let file = File::new(&scene, &ExportOptions { fps: 1.0, ..plain() });
    let keys = file.moves(0, file.node("Portrait"), "rotation").unwrap();
    near(&keys.times, &[0.0, 0.3, 0.6, 1.0]);
    // A camera of glTF looks along -Z; toward +X is a turn of -90 degrees about Y, and each step adds 90.
    let half = [-45.0_f32, 0.0, 45.0, 90.0].map(f32::to_radians);
    near_rows(&keys.rows, &half.map(|it| [0.0, it.sin(), 0.0, it.cos()]));
}

#[test]
fn lights_and_cameras() {
    let mut scene = one_layer(Layer::default());
    scene.nodes.push(Node::new("N0", NodeKind::Helper, None, [0.0; 3]));
    scene.lights.push(Light {
        name: "Lamp".into(),
        kind: LightKind::Omni,
        node: Id::new(0),
        position: [1.0, 2.0, 3.0],
        attenuation_start: Animated::fixed(1.0),
        attenuation_end: Animated::fixed(2.0),
        color: Animated::fixed([1.0, 0.0, 0.0]),
        intensity: Animated::fixed(3.0),
        ambient_color: Animated::fixed([0.0, 1.0, 0.0]),
        ambient_intensity: Animated::fixed(4.0),
        visibility: Animated::fixed(1.0),
        extras: Extras::default(),
    });
    let view = |name: &str, fov: f32, near: f32, far: f32| Camera {
        name: name.into(),
        position: [0.0, 0.0, 5.0],
        target: [10.0, 0.0, 5.0],
        fov,
        near,
        far,
        translation: None,
        target_translation: None,
        roll: Some(Track::linear(vec![1000], vec![0.0], 0.0)),
        extras: Extras::default(),
    };
    scene.cameras.push(view("Eye", 1.0, 8.0, 1000.0));
    scene.cameras.push(view("Blind", 0.0, 0.0, 0.5));
    let file = File::new(&scene, &ExportOptions { scale: 0.5, ..ExportOptions::default() });
    assert_eq!(
        extras(&file, "Lamp")["light"],
        json!({
            "name": "Lamp", "kind": "omni", "attenuationStart": 1.0, "attenuationEnd": 2.0, "color": [1.0, 0.0, 0.0],
            "intensity": 3.0, "ambientColor": [0.0, 1.0, 0.0], "ambientIntensity": 4.0, "visibility": 1.0, "index": 0,
            "position": [1.0, 2.0, 3.0]
        })
    );
    let roll = json!({"interpolation": "linear", "times": [1000], "default": [0.0], "values": [0.0]});
    assert_eq!(
        extras(&file, "Eye")["camera"],
        json!({
            "name": "Eye", "position": [0.0, 0.0, 5.0], "target": [10.0, 0.0, 5.0], "fov": 1.0, "near": 8.0, "far": 1000.0,
            "roll": roll
        })
    );
    let view = |index: usize| {
        let it = &file.json["cameras"][index]["perspective"];
        ["yfov", "znear", "zfar", "aspectRatio"].map(|name| it[name].as_f64().unwrap() as f32)
    };
    // The game counts the diagonal, 5 parts, and glTF the height, 3 parts. Lengths are in metres of half a unit.
    common::near(&view(0), &[0.6, 4.0, 500.0, 4.0 / 3.0]);
    // Without an angle 45 degrees; without planes 1 and a thousand times that.
    common::near(&view(1), &[std::f32::consts::FRAC_PI_4 * 0.6, 0.5, 500.0, 4.0 / 3.0]);
    let node = &file.json["nodes"][file.node("Eye")];
    common::near_json(&node["translation"], &[0.0, 5.0, 0.0]);
    // Looking along +X of the scene: a quarter turn about Y, to the right. Both signs of the four numbers are this rotation.
    let half = std::f32::consts::FRAC_1_SQRT_2;
    common::near_json(&node["rotation"], &[0.0, half, 0.0, -half]);
    assert_eq!(file.names("cameras"), ["Eye", "Blind"]);
}
