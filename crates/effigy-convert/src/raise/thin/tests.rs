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
