//! Animations of files written by hand: all keys, tangents and windows of the tracks that they become.

use crate::common;

use common::glb::{Glb, said, triangle};
use common::near;
use effigy_scene::{Interpolation, Scene, Sequence, Track};
use serde_json::{Value, json};

/// An animation that moves node 1 along x with these keys; three numbers for each of a curve.
fn along_x(glb: &mut Glb, mode: &str, times: &[f32], values: &[f32]) -> Value {
    let rows: Vec<f32> = values.iter().flat_map(|x| [*x, 0.0, 0.0]).collect();
    let (input, output) = (glb.floats("SCALAR", times), glb.floats("VEC3", &rows));
    let channel = json!({"sampler": 0, "target": {"node": 1, "path": "translation"}});
    json!({"samplers": [{"input": input, "output": output, "interpolation": mode}], "channels": [channel]})
}

/// A file in which node 1 has these animations.
fn moved(animations: impl Fn(&mut Glb) -> Value) -> (Scene, Vec<String>) {
    triangle(|glb| {
        json!({
            "scenes": [{"nodes": [0, 1]}],
            "nodes": [{"name": "Thing", "mesh": 0}, {"name": "Mover"}],
            "animations": animations(glb)
        })
    })
}

fn track(scene: &Scene) -> &Track<[f32; 3]> {
    scene.nodes.as_slice()[1].translation.track.as_ref().unwrap()
}

/// The second number of each value: x of the file is y of the scene.
fn ys(values: &[[f32; 3]]) -> Vec<f32> {
    assert!(values.iter().all(|[x, _, z]| *x == 0.0 && *z == 0.0));
    values.iter().map(|[_, y, _]| *y).collect()
}

#[test]
fn steps_lines_and_curves_become_one_track_of_curves() {
    let (scene, _) = moved(|glb| {
        let steps = along_x(glb, "STEP", &[0.0, 0.5], &[1.0, 2.0]);
        let lines = along_x(glb, "LINEAR", &[0.0, 1.0], &[0.0, 4.0]);
        // In, value and out of each key, per second.
        let curves = along_x(glb, "CUBICSPLINE", &[0.0, 2.0], &[9.0, 0.0, 3.0, 5.0, 1.0, 9.0]);
        json!([steps, lines, curves, {"name": "Rest", "samplers": [], "channels": [], "extras": {"looping": false}}])
    });
    let spans: Vec<(&str, i32, i32, bool)> = scene
        .sequences
        .as_slice()
        .iter()
        .map(|Sequence { name, start, end, looping, .. }| (name.as_str(), *start, *end, *looping))
        .collect();
    // A second between two of them, and at least a millisecond each.
    let expected = [
        ("Animation 0", 0, 500, true),
        ("Animation 1", 1500, 2500, true),
        ("Animation 2", 3500, 5500, true),
        ("Rest", 6500, 6501, false),
    ];
    assert_eq!(spans, expected);
    // What the file does not say is not kept as if it did.
    let stated = scene.sequences.as_slice().iter().map(|it| it.extras.get("loops").cloned());
    assert_eq!(stated.collect::<Vec<_>>(), [None, None, None, Some(effigy_scene::Extra::Bool(false))]);
    let track = track(&scene);
    assert_eq!(track.interpolation, Interpolation::Hermite);
    assert_eq!(track.times, [0, 500, 500, 1500, 2500, 3500, 5500, 6500]);
    assert_eq!(ys(&track.values), [1.0, 1.0, 2.0, 0.0, 4.0, 0.0, 1.0, 0.0]);
    assert_eq!(track.windows, [[0, 2], [3, 4], [5, 6], [7, 7]]);
    // Changes per segment: a line changes by 4, a curve of two seconds by twice its slopes.
    let (into, out): (Vec<[f32; 3]>, Vec<[f32; 3]>) = track.tangents.iter().map(|[a, b]| (*a, *b)).unzip();
    assert_eq!(ys(&into), [0.0, 0.0, 0.0, 0.0, 4.0, 0.0, 10.0, 0.0]);
    assert_eq!(ys(&out), [0.0, 0.0, 0.0, 4.0, 0.0, 6.0, 0.0, 0.0]);
}

#[test]
fn steps_stay_steps_alone_and_are_two_keys_among_lines() {
    let (scene, _) = moved(|glb| json!([along_x(glb, "STEP", &[0.0, 0.5], &[1.0, 2.0])]));
    assert_eq!(track(&scene).interpolation, Interpolation::Step);
    assert_eq!((track(&scene).times.as_slice(), ys(&track(&scene).values)), (&[0, 500][..], vec![1.0, 2.0]));
    let (scene, _) = moved(|glb| {
        let steps = along_x(glb, "STEP", &[0.0, 0.5], &[1.0, 2.0]);
        json!([steps, along_x(glb, "LINEAR", &[0.0, 0.25, 0.5], &[0.0, 4.0, 0.0])])
    });
    let track = track(&scene);
    assert_eq!(track.interpolation, Interpolation::Linear);
    assert_eq!(track.times, [0, 500, 500, 1500, 1750, 2000]);
    assert_eq!(ys(&track.values), [1.0, 1.0, 2.0, 0.0, 4.0, 0.0]);
    assert!(track.tangents.is_empty());
}

#[test]
fn values_that_are_still_make_no_track_unless_a_slope_moves_them() {
    let still = |mode: &str, values: &[f32]| {
        let (scene, _) = moved(|glb| json!([along_x(glb, mode, &[0.0, 1.0], values)]));
        scene.nodes.as_slice()[1].translation.track.is_none()
    };
    assert!(still("LINEAR", &[0.0, 0.0]) && still("LINEAR", &[0.0, 9e-7]));
    assert!(!still("LINEAR", &[0.0, 2e-6]) && !still("STEP", &[0.0, 1.0]));
    assert!(still("CUBICSPLINE", &[0.0; 6]));
    assert!(!still("CUBICSPLINE", &[0.0, 0.0, 1.0, 0.0, 0.0, 0.0]));
    assert!(!still("CUBICSPLINE", &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0]));
}

#[test]
fn broken_keys_are_left_out_with_a_reason() {
    let reason = |mode: &str, times: &[f32], values: &[f32]| {
        let (scene, notes) = moved(|glb| json!([along_x(glb, mode, times, values)]));
        let found = notes.into_iter().find(|it| it.starts_with("nodes[1]: an animation of it: "));
        assert_eq!(scene.nodes.as_slice()[1].translation.track.is_none(), found.is_some());
        found.unwrap_or_default()
    };
    let ascend = "times do not ascend";
    assert!(reason("LINEAR", &[1.0, 0.5], &[0.0, 1.0]).contains(ascend));
    assert!(reason("LINEAR", &[-0.5, 0.5], &[0.0, 1.0]).contains(ascend));
    assert!(reason("LINEAR", &[0.0, f32::INFINITY], &[0.0, 1.0]).contains(ascend));
    assert_eq!(reason("LINEAR", &[0.5, 0.5], &[0.0, 1.0]), "");
    let fewer = "has fewer values than there are keys";
    assert!(reason("LINEAR", &[0.0, 0.5], &[0.0]).contains(fewer));
    assert!(reason("CUBICSPLINE", &[0.0, 0.5], &[0.0, 1.0, 2.0, 3.0, 4.0]).contains(fewer));
    assert_eq!(reason("CUBICSPLINE", &[0.0, 0.5], &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0]), "");
    // More values than keys do no harm.
    let (scene, _) = moved(|glb| json!([along_x(glb, "LINEAR", &[0.0, 0.5], &[0.0, 1.0, 2.0])]));
    assert_eq!(ys(&track(&scene).values), [0.0, 1.0]);
}

#[test]
fn an_animation_of_more_than_a_day_is_cut_there() {
    let long = |seconds: f32| {
        let (scene, notes) = moved(|glb| json!([along_x(glb, "LINEAR", &[0.0, seconds], &[0.0, 1.0])]));
        let cut = said(&notes, "animations[0]: longer than a day, and cut there");
        (scene.sequences.as_slice()[0].end, cut)
    };
    assert_eq!(long(86_400.0), (86_400_000, false));
    assert_eq!(long(86_401.0), (86_400_000, true));
}

#[test]
fn two_channels_for_one_thing_and_samplers_that_do_not_exist_are_reported() {
    let (scene, notes) = moved(|glb| {
        let mut first = along_x(glb, "LINEAR", &[0.0, 1.0], &[0.0, 4.0]);
        let again = first["channels"][0].clone();
        let lost = json!({"sampler": 7, "target": {"node": 1, "path": "scale"}});
        let pointed = json!({"sampler": 0, "target": {"path": "pointer", "extensions": {"KHR_animation_pointer": {"pointer": "/nodes/1/scale"}}}});
        first["channels"] = json!([again, again, lost, pointed]);
        json!([first])
    });
    assert!(said(&notes, "animations[0].channels[1]: another channel of the animation moves the same thing"));
    assert!(said(&notes, "animations[0].channels[2]: its sampler does not exist"));
    assert!(!said(&notes, "animations[0].channels[0]") && !said(&notes, "animations[0].channels[3]"));
    assert_eq!(ys(&track(&scene).values), [0.0, 4.0]);
    // A pointer to a property of a node is the same as that property; x of the file is y of the scene.
    let scale = scene.nodes.as_slice()[1].scale.track.as_ref().unwrap();
    near(scale.values.as_flattened(), &[0.0, 0.0, 0.0, 0.0, 4.0, 0.0]);
}

/// Conversions into games leave the wait out; glTF itself has it.
#[test]
fn the_wait_before_the_first_key_is_noted() {
    let (scene, _) = moved(|glb| {
        let early = along_x(glb, "LINEAR", &[0.0, 1.0], &[0.0, 4.0]);
        let late = along_x(glb, "LINEAR", &[0.25, 1.0], &[0.0, 4.0]);
        // Frame 1 of 24 a second: in the 41st millisecond, which is not to be cut off.
        let frame = along_x(glb, "LINEAR", &[1.0 / 24.0, 1.0], &[0.0, 4.0]);
        let only = along_x(glb, "LINEAR", &[0.5], &[4.0]);
        json!([early, late, frame, only])
    });
    let found: Vec<_> = scene
        .sequences
        .as_slice()
        .iter()
        .map(|it| (it.end - it.start, it.extras.get("wait").cloned()))
        .collect();
    let wait = |time: i64| Some(effigy_scene::Extra::Int(time));
    assert_eq!(found, [(1000, None), (1000, wait(250)), (1000, wait(41)), (500, None)]);
}
