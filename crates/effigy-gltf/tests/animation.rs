//! Channels of animations against values computed by hand.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::float_cmp)]

use crate::common;

use common::{File, bone, near, near_rows, sequence, skin, triangle};
use effigy_gltf::{ExportOptions, NoTextures, Visibility, export};
use effigy_scene::{
    Frame, GlobalSequence, Id, Interpolation, Morph, NodeRule, Rotation, Scene, Track, validate,
};
use serde_json::json;

/// A turn about the Z axis of the scene, which is the Y axis of glTF.
fn about_z(degrees: f32) -> Rotation {
    let (sin, cos) = (degrees.to_radians() * 0.5).sin_cos();
    Rotation([0.0, 0.0, sin, cos])
}

/// A bone at (1, 2, 3) below one at (10, 20, 30), and a sequence of one second that begins at 1000.
fn two_bones() -> Scene {
    let mut scene = Scene { name: "Model".into(), ..Scene::default() };
    scene.sequences.push(sequence("Stand", 1000, 2000));
    scene.nodes.push(bone("Root", None, [10.0, 20.0, 30.0]));
    scene.nodes.push(bone("Hand", Some(0), [1.0, 2.0, 3.0]));
    scene
}

fn plain() -> ExportOptions {
    ExportOptions::default()
}

#[test]
fn straight_keys_are_kept_relative_to_the_parent_and_turned_to_y_up() {
    let mut scene = two_bones();
    let hand = &mut scene.nodes.as_mut_slice()[1];
    let places = vec![[0.0, 0.0, 0.0], [1.0, 2.0, 3.0], [4.0, 4.0, 4.0]];
    hand.translation.track = Some(Track::linear(vec![1000, 1500, 2000], places, [0.0; 3]));
    let sizes = vec![[1.0, 2.0, 3.0], [2.0, 4.0, 6.0]];
    hand.scale.track = Some(Track::linear(vec![1000, 1250], sizes, [1.0; 3]));
    hand.rotation.track =
        Some(Track::linear(vec![1000, 2000], vec![about_z(0.0), about_z(90.0)], Rotation::IDENTITY));
    let file = File::new(&scene, &plain());
    // The offset from the parent's pivot is (-9, -18, -27); (x, y, z) becomes (x, z, -y).
    let keys = file.moves(0, 2, "translation").unwrap();
    assert_eq!((keys.mode.as_str(), keys.times.as_slice()), ("LINEAR", &[0.0, 0.5, 1.0][..]));
    near_rows(&keys.rows, &[[-9.0, -27.0, 18.0], [-8.0, -24.0, 16.0], [-5.0, -23.0, 14.0]]);
    let keys = file.moves(0, 2, "scale").unwrap();
    assert_eq!((keys.mode.as_str(), keys.times.as_slice()), ("LINEAR", &[0.0, 0.25, 1.0][..]));
    near_rows(&keys.rows, &[[1.0, 3.0, 2.0], [2.0, 6.0, 4.0], [2.0, 6.0, 4.0]]);
    // Quaternions 45 degrees apart with steps of (0.0003 / 0.0318)^(1/3) = 0.211 radians, 12.1 degrees: 4 parts.
    let keys = file.moves(0, 2, "rotation").unwrap();
    assert_eq!((keys.mode.as_str(), keys.times.as_slice()), ("LINEAR", &[0.0, 0.25, 0.5, 0.75, 1.0][..]));
    let half = [0.0_f32, 11.25, 22.5, 33.75, 45.0].map(f32::to_radians);
    near_rows(&keys.rows, &half.map(|it| [0.0, it.sin(), 0.0, it.cos()]));
    // The rest is the first moment of the sequence.
    common::near_json(&file.json["nodes"][2]["translation"], &[-9.0, -27.0, 18.0]);
    common::near_json(&file.json["nodes"][2]["scale"], &[1.0, 3.0, 2.0]);
    assert!(file.json["nodes"][2]["rotation"].is_null());
    common::near_json(&file.json["nodes"][1]["translation"], &[10.0, 30.0, -20.0]);
    assert!(!file.said("splines"));
}

#[test]
fn stepped_keys_stay_steps_and_the_key_at_the_end_counts() {
    let mut scene = two_bones();
    let places = vec![[0.0; 3], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0]];
    let mut track = Track::linear(vec![1000, 1400, 2000], places, [0.0; 3]);
    track.interpolation = Interpolation::Step;
    scene.nodes.as_mut_slice()[0].translation.track = Some(track);
    let mut track = Track::linear(
        vec![1000, 1300, 2000],
        vec![about_z(0.0), about_z(120.0), about_z(90.0)],
        Rotation::IDENTITY,
    );
    track.interpolation = Interpolation::Step;
    scene.nodes.as_mut_slice()[0].rotation.track = Some(track);
    let file = File::new(&scene, &plain());
    let keys = file.moves(0, 1, "translation").unwrap();
    assert_eq!((keys.mode.as_str(), keys.times.as_slice()), ("STEP", &[0.0, 0.4, 1.0][..]));
    near_rows(&keys.rows, &[[10.0, 30.0, -20.0], [11.0, 30.0, -20.0], [12.0, 30.0, -20.0]]);
    let keys = file.moves(0, 1, "rotation").unwrap();
    assert_eq!((keys.mode.as_str(), keys.times.as_slice()), ("STEP", &[0.0, 0.3, 1.0][..]));
    let half = std::f32::consts::FRAC_1_SQRT_2;
    let wide = 3.0_f32.sqrt() * 0.5;
    near_rows(&keys.rows, &[[0.0, 0.0, 0.0, 1.0], [0.0, wide, 0.0, 0.5], [0.0, half, 0.0, half]]);
}

#[test]
fn cubic_keys_have_tangents_per_second() {
    let mut scene = two_bones();
    scene.sequences.as_mut_slice()[0].end = 1500;
    let mut track = Track::linear(vec![1000, 1500], vec![[0.0; 3], [1.0, 2.0, 3.0]], [0.0; 3]);
    track.interpolation = Interpolation::Hermite;
    track.tangents = vec![[[9.0; 3], [6.0, 0.0, 1.0]], [[0.0, 3.0, 0.5], [9.0; 3]]];
    scene.nodes.as_mut_slice()[0].translation.track = Some(track);
    let options = ExportOptions { curve_tolerance: None, ..plain() };
    let keys = File::new(&scene, &options).moves(0, 1, "translation").unwrap();
    assert_eq!((keys.mode.as_str(), keys.times.as_slice()), ("CUBICSPLINE", &[0.0, 0.5][..]));
    // The tangents of the game are per segment of half a second: twice as much per second.
    near_rows(
        &keys.rows,
        &[
            [0.0, 0.0, 0.0],
            [10.0, 30.0, -20.0],
            [12.0, 2.0, 0.0],
            [0.0, 1.0, -6.0],
            [11.0, 33.0, -22.0],
            [0.0, 0.0, 0.0],
        ],
    );
}

/// A curve from 0 to 1 that leaves the straight line by `0.2244 * bend` at a third of the way.
fn bowed(bend: f32, size: f32) -> Option<common::Keys> {
    let mut scene = two_bones();
    let mut mesh = triangle("Body");
    mesh.positions = vec![[0.0; 3], [size, 0.0, 0.0], [0.0; 3]];
    scene.meshes.push(mesh);
    let mut track = Track::linear(vec![1000, 2000], vec![[0.0; 3], [1.0, 0.0, 0.0]], [0.0; 3]);
    track.interpolation = Interpolation::Hermite;
    track.tangents = vec![[[0.0; 3], [1.0 + bend, 0.0, 0.0]], [[1.0 - bend, 0.0, 0.0], [0.0; 3]]];
    scene.nodes.as_mut_slice()[0].translation.track = Some(track);
    let options = ExportOptions { curve_tolerance: Some(0.01), ..plain() };
    File::new(&scene, &options).moves(0, 1, "translation")
}

#[test]
fn what_counts_as_straight_is_a_share_of_the_models_size() {
    // A hundredth of 10 is 0.1, of 1000 is 10.
    for (bend, size, mode) in [
        (0.2, 10.0, "LINEAR"),
        (1.0, 10.0, "CUBICSPLINE"),
        (1.0, 1000.0, "LINEAR"),
        (60.0, 1000.0, "CUBICSPLINE"),
    ] {
        assert_eq!(bowed(bend, size).unwrap().mode, mode, "{bend}, {size}");
    }
}

#[test]
fn of_a_model_of_frames_only_keys_beside_the_line_of_their_neighbours_stay() {
    let keys = |off: f32| {
        let mut scene = two_bones();
        scene.node_rule = NodeRule::Wolfenstein;
        let mut mesh = triangle("Body");
        mesh.positions = vec![[0.0; 3], [10.0, 0.0, 0.0], [0.0; 3]];
        mesh.skin = Some(common::skin(&[&[(0, 1.0)], &[(0, 1.0)], &[(0, 1.0)]]));
        scene.meshes.push(mesh);
        let value = |key: u8| [f32::from(key), if key == 4 { off } else { 0.0 }, 0.0];
        let track = Track::linear(
            (0..=8).map(|key| 1000 + key * 125).collect(),
            (0..=8).map(value).collect(),
            [0.0; 3],
        );
        scene.nodes.as_mut_slice()[0].translation.track = Some(track);
        let options = ExportOptions { curve_tolerance: Some(0.01), ..plain() };
        File::new(&scene, &options).moves(0, 1, "translation").unwrap().times.len()
    };
    // A quarter of the tolerance, which is a hundredth of a model of 10 units: 0.025. Beside it stay the two neighbours as well.
    assert_eq!([keys(0.01), keys(0.05), keys(0.09)], [2, 5, 5]);
}

#[test]
fn sampled_rotations_are_counted_and_single_keys_are_not() {
    let mut scene = two_bones();
    let spline = |times: Vec<i32>, degrees: &[f32]| {
        let values: Vec<Rotation> = degrees.iter().map(|it| about_z(*it)).collect();
        let tangents = values.iter().map(|it| [*it; 2]).collect();
        Track {
            interpolation: Interpolation::Hermite,
            tangents,
            ..Track::linear(times, values, Rotation::IDENTITY)
        }
    };
    scene.nodes.as_mut_slice()[1].rotation.track = Some(spline(vec![1000], &[90.0]));
    let file = File::new(&scene, &plain());
    assert!(!file.said("splines"), "{:?}", file.notes);
    scene.nodes.as_mut_slice()[0].rotation.track = Some(spline(vec![1000, 2000], &[0.0, 120.0]));
    let file = File::new(&scene, &plain());
    assert!(file.said("1 rotation tracks with splines were sampled"), "{:?}", file.notes);
    let note = file.notes.iter().find(|note| note.contains("splines")).unwrap();
    let error: f32 = note.split("error ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap();
    // The tolerance is 0.0003 radians, 0.017 degrees.
    assert!(error <= 0.0172, "{note}");
}

#[test]
fn an_animation_lasts_as_long_as_its_sequence_even_when_nothing_moves() {
    let mut scene = two_bones();
    scene.sequences.push(sequence("Empty", 3000, 3000));
    scene.sequences.push(sequence("Held", 4000, 4500));
    // A constant place that is not the place at rest: one key, which does not reach the end.
    let track = Track {
        windows: vec![[0, 0], [0, 0], [1, 1]],
        ..Track::linear(vec![0, 4000], vec![[0.0; 3], [5.0, 0.0, 0.0]], [0.0; 3])
    };
    scene.nodes.as_mut_slice()[0].translation.track = Some(track);
    let file = File::new(&scene, &plain());
    let still = |animation: usize| file.moves(animation, 0, "translation").unwrap();
    assert_eq!(file.names("animations"), ["Stand", "Empty", "Held"]);
    let keys = still(0);
    assert_eq!((keys.mode.as_str(), keys.times), ("LINEAR", vec![0.0, 1.0]));
    assert_eq!(keys.rows, vec![vec![0.0; 3]; 2]);
    let keys = still(1);
    assert_eq!((keys.times, keys.rows), (vec![0.0], vec![vec![0.0; 3]]));
    assert_eq!(still(2).times, [0.0, 0.5]);
    let held = file.moves(2, 1, "translation").unwrap();
    assert_eq!(held.times, [0.0]);
    near_rows(&held.rows, &[[15.0, 30.0, -20.0]]);
    // At rest it is at its pivot, and a channel that only says so is left out.
    assert!(file.moves(0, 1, "translation").is_none() && file.moves(1, 1, "translation").is_none());
    // What moves until the end needs nothing more.
    let mut scene = two_bones();
    scene.nodes.as_mut_slice()[0].translation.track =
        Some(Track::linear(vec![1000, 2000], vec![[0.0; 3], [1.0; 3]], [0.0; 3]));
    assert!(File::new(&scene, &plain()).moves(0, 0, "translation").is_none());
}

#[test]
fn sequences_of_ten_minutes_are_written_whole_and_longer_ones_are_reported() {
    let mut scene = two_bones();
    scene.sequences.as_mut_slice()[0].end = 601_000;
    let file = File::new(&scene, &plain());
    assert!(!file.said("were written"), "{:?}", file.notes);
    assert_eq!(file.moves(0, 0, "translation").unwrap().times, [0.0, 600.0]);
    scene.sequences.as_mut_slice()[0].end = 612_345;
    let file = File::new(&scene, &plain());
    assert!(file.said("sequences[0]: lasts 611 s; the first 600 s were written"), "{:?}", file.notes);
    assert_eq!(file.moves(0, 0, "translation").unwrap().times, [0.0, 600.0]);
}

#[test]
fn the_limit_of_key_bytes_is_the_last_number_that_is_allowed() {
    let mut scene = two_bones();
    let root = &mut scene.nodes.as_mut_slice()[0];
    root.translation.track = Some(Track::linear(vec![1000, 2000], vec![[0.0; 3], [1.0; 3]], [0.0; 3]));
    root.scale.track = Some(Track::linear(vec![1000, 2000], vec![[1.0; 3], [2.0; 3]], [1.0; 3]));
    let scene = validate(scene).unwrap();
    let written = |animation_bytes: usize| {
        export(&scene, &ExportOptions { animation_bytes, ..plain() }, &mut NoTextures).is_ok()
    };
    // Two times and two places are 8 + 24 bytes when the scale is about to be added.
    assert!(written(32));
    assert!(!written(31));
}

#[test]
fn global_sequences_are_repeated_in_every_animation_or_have_one_of_their_own() {
    let mut scene = two_bones();
    let global = scene.global_sequences.push(GlobalSequence { length: 400 });
    scene.global_sequences.push(GlobalSequence { length: 300 });
    let mut track = Track::linear(vec![0, 200, 400], vec![[0.0; 3], [8.0, 0.0, 0.0], [0.0; 3]], [0.0; 3]);
    track.global = Some(global);
    scene.nodes.as_mut_slice()[0].translation.track = Some(track);
    let file = File::new(&scene, &plain());
    assert_eq!(file.names("animations"), ["Stand"]);
    let keys = file.moves(0, 1, "translation").unwrap();
    near(&keys.times, &[0.0, 0.2, 0.4, 0.6, 0.8, 1.0]);
    let x: Vec<f32> = keys.rows.iter().map(|row| row[0]).collect();
    near(&x, &[10.0, 18.0, 10.0, 18.0, 10.0, 18.0]);
    let kept = ExportOptions { keep_globals: true, ..plain() };
    let file = File::new(&scene, &kept);
    assert_eq!(file.names("animations"), ["Stand", "Global 0"]);
    assert!(file.moves(0, 1, "translation").is_none());
    let keys = file.moves(1, 1, "translation").unwrap();
    near(&keys.times, &[0.0, 0.2, 0.4]);
    near_rows(&keys.rows, &[[10.0, 30.0, -20.0], [18.0, 30.0, -20.0], [10.0, 30.0, -20.0]]);
    assert_eq!(
        file.json["animations"][1]["extras"],
        json!({"globalSequence": 0, "length": 400, "looping": true})
    );
    assert!(file.said("global_sequences[0]: an animation of its own"));
    // Without any sequence the global one is all there is.
    scene.sequences = effigy_scene::Arena::default();
    assert_eq!(File::new(&scene, &plain()).names("animations"), ["Global 0"]);
    let still = ExportOptions { animate: false, ..kept };
    assert!(File::new(&scene, &still).json["animations"].is_null());
}

/// A mesh that follows two bones and is hidden from 400 ms on, by its own clock or by a global one.
fn blinking(global: bool) -> Scene {
    let mut scene = two_bones();
    scene.global_sequences.push(GlobalSequence { length: 1000 });
    let mut mesh = triangle("Blink");
    mesh.skin = Some(skin(&[&[(0, 1.0)], &[(1, 1.0)], &[(0, 0.5), (1, 0.5)]]));
    let (times, global) = if global { (vec![0, 400], Some(Id::new(0))) } else { (vec![1000, 1400], None) };
    mesh.alpha.track = Some(Track {
        interpolation: Interpolation::Step,
        global,
        ..Track::linear(times, vec![1.0, 0.0], 1.0)
    });
    scene.meshes.push(mesh);
    scene
}

#[test]
fn a_mesh_that_goes_has_joints_that_are_scaled_to_nothing() {
    for global in [false, true] {
        let file = File::new(&blinking(global), &ExportOptions { keep_globals: global, ..plain() });
        let animation = usize::from(global);
        for name in ["Root (shown)", "Hand (shown)"] {
            let keys = file.moves(animation, file.node(name), "scale").unwrap();
            // A global clock begins again at its end.
            let count = if global { 3 } else { 2 };
            assert_eq!((keys.mode.as_str(), keys.times.as_slice()), ("STEP", &[0.0, 0.4, 1.0][..count]));
            near_rows(&keys.rows[..2], &[[1.0; 3], [1e-5; 3]]);
            assert!(!global || keys.rows[2] == [1.0; 3]);
        }
    }
}

#[test]
fn the_extension_hides_the_node_of_the_mesh_through_a_pointer_to_bytes() {
    let options = ExportOptions { visibility: Visibility::Extension, ..plain() };
    let file = File::new(&blinking(false), &options);
    let node = file.node("Blink");
    assert_eq!(file.json["nodes"][node]["extensions"]["KHR_node_visibility"]["visible"], true);
    let pointer = format!("/nodes/{node}/extensions/KHR_node_visibility/visible");
    assert_eq!(file.pointers(0), [pointer.as_str()]);
    let keys = file.points(0, &pointer).unwrap();
    assert_eq!((keys.mode.as_str(), keys.times), ("STEP", vec![0.0, 0.4]));
    assert_eq!(keys.rows, [[1.0], [0.0]]);
    let sampler = &file.json["animations"][0]["samplers"][0];
    let output = &file.json["accessors"][common::place(&sampler["output"])];
    assert_eq!((&output["componentType"], &output["count"]), (&json!(5121), &json!(2)));
    assert!(file.uses("KHR_node_visibility") && file.uses("KHR_animation_pointer"));
    assert!(!file.names("nodes").iter().any(|name| name.contains("(shown)")));
    // The last change is at 0.4 s of 1 s, so the root keeps the length.
    assert_eq!(file.moves(0, 0, "translation").unwrap().times, [0.0, 1.0]);
    // A draft cannot use it.
    let draft = File::new(&blinking(false), &ExportOptions { draft: true, ..options });
    assert!(draft.moves(0, draft.node("Hand (shown)"), "scale").is_some());
    assert!(draft.json["extensionsUsed"].is_null());
}

#[test]
fn morph_weights_go_from_frame_to_frame() {
    let mut scene = two_bones();
    let mut mesh = triangle("Flag");
    let frame =
        |height: f32| Frame { positions: vec![[0.0, 0.0, height]; 3], normals: vec![[0.0, 0.0, 1.0]; 3] };
    let order = Track::linear(vec![1000, 1500, 2000], vec![0, 2, 1], 0);
    mesh.morph = Some(Morph { frames: vec![frame(0.0), frame(1.0), frame(2.0)], order });
    scene.meshes.push(mesh);
    let file = File::new(&scene, &plain());
    let keys = file.moves(0, file.node("Flag"), "weights").unwrap();
    assert_eq!((keys.mode.as_str(), keys.times), ("LINEAR", vec![0.0, 0.5, 1.0]));
    near(&keys.rows.concat(), &[1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 0.0]);
    assert_eq!(file.json["meshes"][0]["weights"], json!([0.0, 0.0, 0.0]));
    // It reaches the end, so the root has nothing to hold.
    assert!(file.moves(0, 0, "translation").is_none());
}
