//! The moments of a sequence in which vertices may be farthest out: at keys, between keys of curves, and evenly spread.

use effigy_scene::{Animated, Id, Interpolation, Node, Rotation, Scene, Sequence, ValidScene};
use std::collections::BTreeSet;

/// Evenly spread moments of each sequence, both ends included.
const EVEN: u32 = 17;
/// Moments of each sequence, at most.
const MOST: usize = 200;
/// Parts of a millisecond that times are counted in: halves and thirds of whole times are whole.
const PARTS: i64 = 6;
/// A turn between two keys is looked at in its middle if it takes vertices farther out by more than this part of their distance to the
/// pivot: from 7 degrees on.
const SLACK: f32 = 2e-3;

/// The nodes that vertices follow, with those above them; parents come first.
pub(super) fn followed(scene: &ValidScene) -> Vec<Id<Node>> {
    let mut is_followed = vec![false; scene.nodes.len()];
    let skins = scene.meshes.as_slice().iter().filter_map(|mesh| mesh.skin.as_ref());
    for influence in skins.flat_map(|skin| &skin.influences) {
        let mut at = Some(influence.node);
        // What is above a node that is known is known, too.
        while let Some(node) = at
            && let Some(known) = is_followed.get_mut(node.index())
            && !*known
        {
            *known = true;
            at = scene.nodes.get(node).and_then(|node| node.parent);
        }
    }
    let order = scene.info().order.iter();
    order.filter(|id| is_followed.get(id.index()) == Some(&true)).copied().collect()
}

/// Milliseconds since the start of a sequence, for these nodes.
pub(super) fn moments(scene: &Scene, nodes: &[Id<Node>], sequence: &Sequence) -> Vec<f64> {
    let mut times = Times::new(sequence);
    for node in nodes.iter().filter_map(|id| scene.nodes.get(*id)) {
        times.add(&node.translation, |_, _| false);
        times.add(&node.rotation, turns);
        times.add(&node.scale, |_, _| false);
    }
    let length = f64::from(sequence.length());
    let even = (0..EVEN).map(|step| length * f64::from(step) / f64::from(EVEN - 1));
    let room = MOST.saturating_sub(EVEN as usize);
    let keys = spread(&times.keys, room);
    let between = spread(&times.between, room.saturating_sub(keys.len()));
    #[allow(clippy::cast_precision_loss, reason = "times have 32 bits")]
    let single = |time: i64| time as f64 / PARTS as f64;
    even.chain(keys.into_iter().chain(between).map(single)).collect()
}

/// At most so many of them, the first and the last included.
fn spread(times: &BTreeSet<i64>, most: usize) -> Vec<i64> {
    if times.len() <= most {
        return times.iter().copied().collect();
    }
    let times: Vec<i64> = times.iter().copied().collect();
    let (last, steps) = (times.len().saturating_sub(1), most.saturating_sub(1).max(1));
    (0..most).filter_map(|step| times.get(step * last / steps).copied()).collect()
}

/// Times of keys, and between keys, in parts of milliseconds since the start of a sequence.
struct Times {
    start: i32,
    length: i32,
    keys: BTreeSet<i64>,
    between: BTreeSet<i64>,
}

impl Times {
    fn new(sequence: &Sequence) -> Self {
        let (start, length) = (sequence.start, sequence.length());
        Self { start, length, keys: BTreeSet::new(), between: BTreeSet::new() }
    }

    /// `bends`: whether what is joined by a line between two values moves vertices along a curve.
    fn add<T>(&mut self, animated: &Animated<T>, bends: impl Fn(&T, &T) -> bool) {
        let Some(track) = &animated.track else { return };
        // The clocks of global sequences begin with the sequence here.
        let start = if track.global.is_some() { 0 } else { self.start };
        let since = |time: i32| i64::from(time) - i64::from(start);
        let length = i64::from(self.length);
        let first = track.times.partition_point(|time| since(*time) < 0);
        let behind = track.times.partition_point(|time| since(*time) <= length);
        let inside = track.times.get(first..behind).unwrap_or_default();
        self.keys.extend(inside.iter().map(|time| since(*time) * PARTS));
        let values = track.values.get(first..behind).unwrap_or_default();
        let keys = || inside.iter().map(|time| since(*time)).zip(values);
        for ((a, from), (b, to)) in keys().zip(keys().skip(1)) {
            if track.interpolation.is_spline() {
                let third = (b - a) * PARTS / 3;
                self.between.extend([a * PARTS + third, b * PARTS - third]);
            } else if track.interpolation != Interpolation::Step && bends(from, to) {
                self.between.insert((a + b) * PARTS / 2);
            }
        }
    }
}

/// Whether a turn takes a vertex farther out in its middle than at both ends, by more than a little.
fn turns(from: &Rotation, to: &Rotation) -> bool {
    let [from, to] = [from, to].map(|it| glam::Vec4::from(it.0).normalize_or_zero());
    // The cosine of half of the angle, which is how near the middle of the chord is to the pivot.
    from.dot(to).abs() < 1.0 - SLACK
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_times_are_thinned_evenly() {
        let times: BTreeSet<i64> = (0..=100).collect();
        assert_eq!(spread(&times, 5), [0, 25, 50, 75, 100]);
        assert_eq!(spread(&times, 101).len(), 101);
        assert_eq!((spread(&times, 1), spread(&times, 0)), (vec![0], vec![]));
    }
}
