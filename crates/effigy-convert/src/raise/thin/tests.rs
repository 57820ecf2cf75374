use super::*;
use effigy_scene::{Animated, KeyRule, NodeKind, Rotation, Sequence, TurnRule};

/// A chain of arms along x, each of length 1, whose tip is at `count`; every arm turns by the same small wave.
fn chain(count: u16) -> Scene {
    let mut scene = Scene { key_rule: KeyRule::Wrap, turn_rule: TurnRule::Slerp, ..Scene::default() };
    scene.sequences.push(Sequence { start: 100, end: 1100, looping: true, ..Sequence::default() });
    let mut parent = None;
    for at in 0..=count {
        let mut node = Node::new("arm", NodeKind::Bone, parent, [f32::from(at), 0.0, 0.0]);
        if at < count {
            let times: Vec<i32> = (0..=50).map(|step| 100 + step * 20).collect();
            let turn = |step: u8| {
                // Up to 1e-3 rad off a straight line, always to the same side.
                let angle = 1e-3 * (f32::from(step) / 50.0 * std::f32::consts::PI).sin();
                Rotation([0.0, 0.0, (angle / 2.0).sin(), (angle / 2.0).cos()])
            };
            let values = (0..=50).map(turn).collect();
            node.rotation = Animated {
                base: Rotation::IDENTITY,
                track: Some(Track::linear(times, values, Rotation::IDENTITY)),
            };
        }
        parent = Some(scene.nodes.push(node));
    }
    scene
}

/// Where the tip is half way, with straight lines between the keys that are left: the angles of a plane chain add up.
fn tip(scene: &Scene) -> f64 {
    let (mut angle, mut y) = (0.0, 0.0);
    for node in scene.nodes.as_slice() {
        let Some(track) = &node.rotation.track else { continue };
        let at = track.times.partition_point(|time| *time < 600);
        let half = |key: usize| f64::from(track.values[key].0[2]).asin() * 2.0;
        let now = if track.times[at] == 600 {
            half(at)
        } else {
            let part =
                f64::from(600 - track.times[at - 1]) / f64::from(track.times[at] - track.times[at - 1]);
            half(at - 1) * (1.0 - part) + half(at) * part
        };
        angle += now;
        y += angle.sin();
    }
    y
}

#[test]
fn the_tip_of_a_long_chain_stays_within_the_whole_error() {
    for count in [1, 4, 12] {
        let before = chain(count);
        let mut after = before.clone();
        let limit = Limit { length: 1e-3, angle: 0.1 };
        let done = thin(&mut after, limit).unwrap();
        let off = (tip(&before) - tip(&after)).abs();
        assert!(off <= 1e-3 + 1e-5, "{count}: {off}");
        assert!(done.error <= 1e-3, "{done:?}");
        // A single arm is off by 1e-3 at most when all keys between the ends go; a long chain keeps some.
        let keys: usize = after.nodes.as_slice().iter().map(keys).sum();
        assert_eq!(keys + done.removed, usize::from(count) * 51);
        assert!(
            keys < usize::from(count) * 20 && (count == 1 || keys > usize::from(count) * 2),
            "{count}: {keys}"
        );
    }
}

#[test]
fn nothing_goes_where_nothing_may_be_off() {
    let before = chain(3);
    let mut after = before.clone();
    let done = thin(&mut after, Limit { length: 1e-9, angle: 0.1 }).unwrap();
    assert_eq!(done.removed, 0);
    assert!(after == before);
}

/// A bone at the origin with vertices at these places.
fn bone(corners: &[[f32; 3]]) -> Scene {
    let mut scene = Scene { key_rule: KeyRule::Wrap, turn_rule: TurnRule::Slerp, ..Scene::default() };
    scene.sequences.push(Sequence { start: 0, end: 1000, ..Sequence::default() });
    let node = scene.nodes.push(Node::new("bone", NodeKind::Bone, None, [0.0; 3]));
    let mut mesh = effigy_scene::Mesh::new("skin");
    mesh.positions = corners.to_vec();
    mesh.normals = vec![[0.0, 0.0, 1.0]; corners.len()];
    mesh.skin = Some(effigy_scene::Skin {
        groups: vec![[0, 1]],
        influences: vec![effigy_scene::Influence { node, weight: 1.0 }],
        vertex_groups: vec![0; corners.len()],
    });
    scene.meshes.push(mesh);
    scene
}

/// Eleven keys from 0 to 1000 that are all the same but the one in the middle.
fn bump<T: Copy>(still: T, middle: T) -> Animated<T> {
    let values = (0..=10).map(|key| if key == 5 { middle } else { still }).collect();
    let times = (0..=10).map(|key| key * 100).collect();
    Animated { base: still, track: Some(Track::linear(times, values, still)) }
}

fn turned(axis: [f32; 3], angle: f32) -> Rotation {
    Rotation(glam::Quat::from_axis_angle(glam::Vec3::from(axis).normalize(), angle).to_array())
}

fn times<T>(animated: &Animated<T>) -> &[i32] {
    animated.track.as_ref().map_or(&[], |track| &track.times)
}

/// A length of one, and turns of any size.
const ONE: Limit = Limit { length: 1.0, angle: 1.0 };

#[test]
fn the_error_is_that_of_the_corner_that_is_farthest_off() {
    let axes = [
        [1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
        [0.0, 0.0, 1.0],
        [1.0, 1.0, 1.0],
        [1.0, -1.0, 1.0],
        [1.0, 1.0, -1.0],
        [-1.0, 1.0, 1.0],
    ];
    for sign in 0..8_u8 {
        let flip = |[x, y, z]: [f32; 3]| {
            let by = |bit: u8, value: f32| if sign & bit == 0 { value } else { -value };
            [by(1, x), by(2, y), by(4, z)]
        };
        let (low, high) = (flip([-1.0, -2.0, -3.0]), flip([3.0, 4.0, 5.0]));
        let corner = |at: u8| {
            let pick = |axis: usize| if at >> axis & 1 == 0 { low[axis] } else { high[axis] };
            glam::Vec3::new(pick(0), pick(1), pick(2))
        };
        for axis in axes {
            let mut scene = bone(&[low, high]);
            scene.nodes.as_mut_slice()[0].rotation = bump(Rotation::IDENTITY, turned(axis, 0.01));
            let done = thin(&mut scene, ONE).unwrap();
            // A corner moves on a circle around the axis.
            let axis = glam::Vec3::from(axis).normalize();
            let way = |at: u8| 2.0 * 0.005_f32.sin() * corner(at).cross(axis).length();
            let expected = (0..8).map(way).fold(0.0, f32::max);
            assert!((done.error - expected).abs() < 1e-5, "{axis} {sign}: {} {expected}", done.error);
            assert_eq!((done.removed, times(&scene.nodes.as_slice()[0].rotation)), (9, &[0, 1000][..]));
        }
        // Larger by a hundredth along an axis: the farthest corner along it.
        for axis in 0..3 {
            let mut scene = bone(&[low, high]);
            let mut larger = [1.0; 3];
            larger[axis] = 1.01;
            scene.nodes.as_mut_slice()[0].scale = bump([1.0; 3], larger);
            let done = thin(&mut scene, ONE).unwrap();
            let expected = 0.01 * [3.0, 4.0, 5.0][axis];
            assert!((done.error - expected).abs() < 1e-5 && done.removed == 9, "{done:?} {expected}");
        }
    }
}

#[test]
fn keys_that_keep_a_place_stay() {
    // A bump of 4.5 with a whole error of 1: a line through it is 3.6 off at its neighbours, which is more than 2.8 times that error.
    for axis in 0..3 {
        let mut scene = bone(&[[1.0, 2.0, 3.0]]);
        let mut middle = [0.0; 3];
        middle[axis] = 4.5;
        scene.nodes.as_mut_slice()[0].translation = bump([0.0; 3], middle);
        let done = thin(&mut scene, ONE).unwrap();
        assert_eq!(times(&scene.nodes.as_slice()[0].translation), [0, 400, 500, 600, 1000]);
        let track = scene.nodes.as_slice()[0].translation.track.as_ref().unwrap();
        assert_eq!(track.values, [[0.0; 3], [0.0; 3], middle, [0.0; 3], [0.0; 3]]);
        assert!(done.removed == 6 && done.error < 1e-5, "{done:?}");
    }
    // A turn that moves the vertex by 0.1 of 1 may go, but not where turns themselves may not be off.
    for (angle, left) in [(1.0, 2), (0.001, 5)] {
        let mut scene = bone(&[[10.0, 0.0, 0.0]]);
        scene.nodes.as_mut_slice()[0].rotation = bump(Rotation::IDENTITY, turned([0.0, 0.0, 1.0], 0.01));
        let done = thin(&mut scene, Limit { length: 1.0, angle }).unwrap();
        assert_eq!((times(&scene.nodes.as_slice()[0].rotation).len(), done.removed), (left, 11 - left));
        let expected = if left == 2 { 0.1 } else { 0.0 };
        assert!((done.error - expected).abs() < 1e-4, "{done:?}");
    }
}

#[test]
fn only_lines_from_end_to_end_of_a_sequence_are_thinned() {
    let small = || bump([0.0; 3], [0.5, 0.0, 0.0]);
    let found = |animated: Animated<[f32; 3]>, spans: &[[i32; 2]]| {
        let mut scene = bone(&[]);
        scene.global_sequences.push(effigy_scene::GlobalSequence { length: 1000 });
        let span = |[start, end]: &[i32; 2]| Sequence { start: *start, end: *end, ..Sequence::default() };
        scene.sequences = spans.iter().map(span).collect();
        scene.nodes.as_mut_slice()[0].translation = animated;
        let done = thin(&mut scene, ONE).unwrap();
        let left = times(&scene.nodes.as_slice()[0].translation).to_vec();
        assert_eq!(left.len() + done.removed, 11);
        left
    };
    let all: Vec<i32> = (0..=10).map(|key| key * 100).collect();
    assert_eq!(found(small(), &[[0, 1000]]), [0, 1000]);
    // Keys between sequences stay.
    assert_eq!(found(small(), &[[0, 300], [500, 800]]), [0, 300, 400, 500, 800, 900, 1000]);
    // No key at the start, or at the end.
    assert_eq!(found(small(), &[[50, 1000]]), all);
    assert_eq!(found(small(), &[[0, 950]]), all);
    assert_eq!(found(small(), &[]), all);
    let changed = |change: fn(&mut Track<[f32; 3]>)| {
        let mut animated = small();
        animated.track.iter_mut().for_each(change);
        found(animated, &[[0, 1000]])
    };
    assert_eq!(changed(|track| track.interpolation = Interpolation::Step), all);
    assert_eq!(changed(|track| track.global = Some(Id::new(0))), all);
}

#[test]
fn nodes_of_one_chain_share_the_error() {
    // A hundred tracks in a chain: at most 6 / 10 of the whole for each, less than the bump of 0.8.
    for (keys, left) in [(2, vec![0, 400, 500, 600, 1000]), (1, vec![0, 1000])] {
        let mut scene = bone(&[]);
        let mut parent = Some(Id::new(0));
        for _ in 0..98 {
            let mut node = Node::new("still", NodeKind::Bone, parent, [0.0; 3]);
            let ends = [0, 1000].into_iter().take(keys).collect();
            node.translation.track = Some(Track::linear(ends, vec![[0.0; 3]; keys], [0.0; 3]));
            parent = Some(scene.nodes.push(node));
        }
        let mut last = Node::new("last", NodeKind::Bone, parent, [0.0; 3]);
        last.translation = bump([0.0; 3], [0.0, 0.8, 0.0]);
        last.scale = bump([1.0; 3], [1.0; 3]);
        scene.nodes.push(last);
        thin(&mut scene, ONE).unwrap();
        assert_eq!(times(&scene.nodes.as_slice()[99].translation), left, "{keys}");
        // What does not change needs its ends alone.
        assert_eq!(times(&scene.nodes.as_slice()[99].scale), [0, 1000]);
    }
    // The errors of a chain add up: twice 0.45 is within 1, twice 0.55 is not. With 0.7 of the limit over the root of two, 0.495, the
    // key in the middle stays; a line to it is 4/5 of 0.55 off at its neighbours.
    for (each, left, error) in [(0.45, 2, 0.9), (0.55, 3, 0.88)] {
        let mut scene = bone(&[]);
        scene.nodes.as_mut_slice()[0].translation = bump([0.0; 3], [each, 0.0, 0.0]);
        let mut child = Node::new("child", NodeKind::Bone, Some(Id::new(0)), [0.0; 3]);
        child.translation = bump([0.0; 3], [each, 0.0, 0.0]);
        scene.nodes.push(child);
        let done = thin(&mut scene, ONE).unwrap();
        let counts = [0, 1].map(|node: usize| times(&scene.nodes.as_slice()[node].translation).len());
        assert_eq!((counts, done.removed), ([left; 2], 22 - 2 * left));
        assert!((done.error - error).abs() < 1e-5, "{done:?}");
    }
}

#[test]
fn a_scene_of_very_many_nodes_stays_as_it_is() {
    for (count, removed) in [(MOST_NODES, 9), (MOST_NODES + 1, 0)] {
        let mut scene = bone(&[]);
        scene.nodes.as_mut_slice()[0].translation = bump([0.0; 3], [0.5, 0.0, 0.0]);
        while scene.nodes.len() < count {
            scene.nodes.push(Node::new("more", NodeKind::Helper, None, [0.0; 3]));
        }
        assert_eq!(thin(&mut scene, ONE).unwrap().removed, removed);
        assert_eq!(scene.nodes.len(), count);
    }
}

/// With more moments than are compared: a wave keeps its tops and its bottoms, and nothing else.
#[test]
fn long_sequences_are_compared_at_moments_spread_over_them() {
    let mut scene = bone(&[]);
    let height = |key: i32| if key % 20 < 10 { key % 10 } else { 10 - key % 10 };
    let keys: Vec<i32> = (0..=200).collect();
    let values = keys.iter().map(|key| [0.0, 0.0, height(*key) as f32]).collect();
    let times_of: Vec<i32> = keys.iter().map(|key| key * 5).collect();
    scene.nodes.as_mut_slice()[0].translation =
        Animated { base: [0.0; 3], track: Some(Track::linear(times_of, values, [0.0; 3])) };
    let done = thin(&mut scene, Limit { length: 0.1, angle: 1.0 }).unwrap();
    let corners: Vec<i32> = (0..=20).map(|corner| corner * 50).collect();
    assert_eq!(times(&scene.nodes.as_slice()[0].translation), corners);
    assert!(done.removed == 180 && done.error < 1e-5, "{done:?}");
}

/// The vertex is 10 away: a turn of 0.23 may be off by 2.8 tenths, by 2, by 1.4 and so on. With 2 only the key in the middle stays and a
/// line to it moves the vertex by 1.84; with 1.4 its neighbours stay too.
#[test]
fn turns_count_by_the_distance_of_what_follows_them() {
    for on_child in [false, true] {
        let mut scene = bone(&[[10.0, 0.0, 0.0]]);
        scene.nodes.as_mut_slice()[0].rotation = bump(Rotation::IDENTITY, turned([0.0, 0.0, 1.0], 0.23));
        if on_child {
            let child = Node::new("child", NodeKind::Bone, Some(Id::new(0)), [5.0, 0.0, 0.0]);
            let child = scene.nodes.push(child);
            let skin = scene.meshes.as_mut_slice()[0].skin.as_mut().unwrap();
            skin.influences[0].node = child;
        }
        let done = thin(&mut scene, ONE).unwrap();
        assert_eq!(times(&scene.nodes.as_slice()[0].rotation), [0, 400, 500, 600, 1000], "{on_child}");
        assert!(done.removed == 6 && done.error < 1e-4, "{done:?}");
    }
}
