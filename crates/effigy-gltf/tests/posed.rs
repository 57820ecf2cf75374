//! Exported motion, evaluated as the specification of glTF says, next to the sampler's: small scenes that have every kind of
//! motion a file of the games can have.

use super::common::posed::{exported, farthest};
use super::common::{bone, sequence, skin, triangle};
use effigy_gltf::ExportOptions;
use effigy_scene::{
    GlobalSequence, Id, Ignore, Interpolation, KeyRule, NodeRule, Rotation, Scene, Track, TurnRule,
};

/// A turn about an axis, in degrees.
fn turn(axis: [f32; 3], degrees: f32) -> Rotation {
    let length = axis.iter().map(|it| it * it).sum::<f32>().sqrt();
    let (sin, cos) = (degrees.to_radians() / 2.0).sin_cos();
    Rotation([axis[0] / length * sin, axis[1] / length * sin, axis[2] / length * sin, cos])
}

/// A track whose tangents, if it has any, differ from key to key and from side to side.
fn track<T: Copy>(
    interpolation: Interpolation,
    times: &[i32],
    values: Vec<T>,
    default: T,
    bent: impl Fn(T, f32) -> T,
) -> Track<T> {
    let tangents = values.iter().map(|value| [bent(*value, 0.8), bent(*value, 1.1)]);
    let tangents = if interpolation.is_spline() { tangents.collect() } else { Vec::new() };
    Track { interpolation, tangents, ..Track::linear(times.to_vec(), values, default) }
}

/// Another vector near a vector.
fn near([x, y, z]: [f32; 3], by: f32) -> [f32; 3] {
    [x * by, y * by + 0.1, z * by - 0.2]
}

/// Three bones in a chain with pivots away from the origin, and a triangle of which every corner follows another bone. Two
/// sequences with a gap between them; keys in both, not at their ends.
fn chain(interpolation: Interpolation) -> Scene {
    let mut scene = Scene { name: "Chain".into(), ..Scene::default() };
    scene.sequences.push(sequence("Stand", 1000, 2000));
    scene.sequences.push(sequence("Walk", 3000, 3600));
    let times = [1100, 1400, 1900, 3050, 3300, 3555];
    let mut root = bone("Root", None, [1.0, 2.0, 3.0]);
    root.translation.track = Some(track(
        interpolation,
        &times,
        vec![
            [0.0, 1.0, 0.0],
            [2.0, 0.0, 1.0],
            [0.5, -1.0, 0.0],
            [1.0, 0.0, 0.0],
            [3.0, 0.0, 2.0],
            [0.0, 0.0, -1.0],
        ],
        [0.0; 3],
        near,
    ));
    let mut middle = bone("Middle", Some(0), [4.0, 2.0, 3.5]);
    let axis = [1.0, 2.0, 0.5];
    let turns = [0.0, 70.0, -40.0, 20.0, 100.0, 10.0].map(|degrees| turn(axis, degrees));
    middle.rotation.track =
        Some(track(interpolation, &times, turns.to_vec(), Rotation::default(), |_, by| {
            turn(axis, 30.0 * by)
        }));
    let mut tip = bone("Tip", Some(1), [4.0, 6.0, 4.0]);
    let sizes = [1.0, 1.5, 0.5, 2.0, 0.75, 1.25].map(|size| [size; 3]);
    tip.scale.track =
        Some(track(interpolation, &times, sizes.to_vec(), [1.0; 3], |size, by| size.map(|it| it * by)));
    scene.nodes = [root, middle, tip].into_iter().collect();
    let mut mesh = triangle("Body");
    mesh.skin = Some(skin(&[&[(0, 0.25), (2, 0.75)], &[(1, 1.0)], &[(2, 1.0)]]));
    scene.meshes.push(mesh);
    scene
}

#[track_caller]
fn agrees(scene: Scene, within: f64, what: &str) {
    let model = exported(scene, &ExportOptions::default()).unwrap();
    let (off, count, place) = farthest(&model).unwrap();
    // At rest, and five times in each of two sequences.
    assert_eq!(count, 33 * model.meshes.len(), "{what}");
    assert!(off <= within, "{what}: off by {off}: {place}");
}

#[test]
fn every_interpolation_moves_as_the_sampler_says() {
    for interpolation in
        [Interpolation::Step, Interpolation::Linear, Interpolation::Hermite, Interpolation::Bezier]
    {
        for key_rule in [KeyRule::Wrap, KeyRule::Continue, KeyRule::Hold] {
            for turn_rule in [TurnRule::Slerp, TurnRule::Nlerp] {
                let scene = Scene { key_rule, turn_rule, ..chain(interpolation) };
                // Turns along splines and chords are sampled.
                let within = match (interpolation.is_spline(), turn_rule) {
                    (true, _) => 1e-3,
                    (false, TurnRule::Nlerp) => 2e-4,
                    (false, TurnRule::Slerp) => 2e-5,
                };
                agrees(scene, within, &format!("{interpolation:?} {key_rule:?} {turn_rule:?}"));
            }
        }
    }
}

#[test]
fn nodes_that_ignore_their_parent_move_as_the_sampler_says() {
    for bits in 1..8_u8 {
        let ignore = Ignore { translation: bits & 1 != 0, rotation: bits & 2 != 0, scale: bits & 4 != 0 };
        for node_rule in [NodeRule::Warcraft, NodeRule::World] {
            let mut scene = Scene { node_rule, ..chain(Interpolation::Linear) };
            // A parent that moves, turns and grows evenly, so that nothing is sheared.
            let parent = scene.nodes.get_mut(Id::new(1)).unwrap();
            parent.scale.track = Some(Track::linear(vec![1000, 2000], vec![[1.0; 3], [2.0; 3]], [1.0; 3]));
            parent.translation.track = Some(Track::linear(
                vec![1000, 2000, 3600],
                vec![[0.0; 3], [3.0, 1.0, 0.0], [1.0; 3]],
                [0.0; 3],
            ));
            scene.nodes.get_mut(Id::new(2)).unwrap().ignore = ignore;
            agrees(scene, 1e-3, &format!("{ignore:?} {node_rule:?}"));
        }
    }
}

#[test]
fn clocks_of_their_own_move_as_the_sampler_says() {
    let mut scene = chain(Interpolation::Linear);
    let clock = scene.global_sequences.push(GlobalSequence { length: 400 });
    let slow = scene.global_sequences.push(GlobalSequence { length: 5000 });
    let root = scene.nodes.get_mut(Id::new(0)).unwrap();
    let turns = vec![turn([0.0, 0.0, 1.0], 0.0), turn([0.0, 0.0, 1.0], 90.0), turn([0.0, 0.0, 1.0], 0.0)];
    root.rotation.track =
        Some(Track { global: Some(clock), ..Track::linear(vec![0, 150, 400], turns, Rotation::default()) });
    let tip = scene.nodes.get_mut(Id::new(2)).unwrap();
    let ways = vec![[0.0; 3], [0.0, 0.0, 8.0]];
    tip.translation.track =
        Some(Track { global: Some(slow), ..Track::linear(vec![0, 5000], ways, [0.0; 3]) });
    agrees(scene, 2e-4, "global sequences");
}
