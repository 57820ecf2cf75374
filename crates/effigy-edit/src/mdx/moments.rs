//! The moments of a sequence in which vertices may be farthest out: at keys, between keys of curves, and evenly spread.

use effigy_scene::{Animated, Id, Interpolation, Node, Rotation, Scene, Sequence, ValidScene};
use std::collections::BTreeSet;

/// Evenly spread moments of each sequence, both ends included.
const EVEN: u32 = 17;
/// Moments of each sequence, at most.
const MOST: usize = 200;
/// Parts of a millisecond that times are counted in: halves and thirds of whole times are whole.
const PARTS: i64 = 6;
/// Angle between two moments of a turn, in radians: a vertex gets farther out between them by at most half a percent of its distance to the
/// pivot.
const TURN: f32 = 0.2;

/// Rounds of a global sequence after the first one that are looked at.
const ROUNDS: usize = 32;

/// What the sequences of a model may cost together, far above what real models need: of those that come after it only evenly spread
/// moments are looked at. Otherwise many sequences over the same keys would cost the product of both.
pub(super) struct Effort {
    /// Keys that are looked at.
    keys: usize,
    /// Nodes that are posed.
    nodes: usize,
}

impl Default for Effort {
    fn default() -> Self {
        Self { keys: 4_000_000, nodes: 20_000_000 }
    }
}

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
pub(super) fn moments(
    scene: &Scene,
    nodes: &[Id<Node>],
    sequence: &Sequence,
    effort: &mut Effort,
) -> Vec<f64> {
    let mut times = Times::new(scene, sequence, &mut effort.keys);
    for node in nodes.iter().filter_map(|id| scene.nodes.get(*id)) {
        times.add(&node.translation, |_, _| 1);
        times.add(&node.rotation, parts);
        times.add(&node.scale, |_, _| 1);
    }
    let length = f64::from(sequence.length());
    let even = (0..EVEN).map(|step| length * f64::from(step) / f64::from(EVEN - 1));
    let most = (effort.nodes / nodes.len().max(1)).min(MOST);
    let room = most.saturating_sub(EVEN as usize);
    let keys = spread(&times.keys, room);
    let between = spread(&times.between, room.saturating_sub(keys.len()));
    #[allow(clippy::cast_precision_loss, reason = "times have 32 bits")]
    let single = |time: i64| time as f64 / PARTS as f64;
    let moments: Vec<f64> = even.chain(keys.into_iter().chain(between).map(single)).collect();
    effort.nodes = effort.nodes.saturating_sub(moments.len() * nodes.len());
    moments
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
struct Times<'a> {
    scene: &'a Scene,
    start: i32,
    length: i32,
    keys: BTreeSet<i64>,
    between: BTreeSet<i64>,
    /// Keys that may still be looked at.
    left: &'a mut usize,
}

impl<'a> Times<'a> {
    fn new(scene: &'a Scene, sequence: &Sequence, left: &'a mut usize) -> Self {
        let (start, length) = (sequence.start, sequence.length());
        Self { scene, start, length, keys: BTreeSet::new(), between: BTreeSet::new(), left }
    }

    /// `parts`: into how many parts the time between two values is cut, which are joined by a line.
    fn add<T>(&mut self, animated: &Animated<T>, parts: impl Fn(&T, &T) -> i64) {
        let Some(track) = &animated.track else { return };
        // The clocks of global sequences begin with the sequence here.
        let start = if track.global.is_some() { 0 } else { self.start };
        let since = |time: i32| i64::from(time) - i64::from(start);
        let length = i64::from(self.length);
        let first = track.times.partition_point(|time| since(*time) < 0);
        let behind = track.times.partition_point(|time| since(*time) <= length);
        let inside = track.times.get(first..behind).unwrap_or_default();
        let Some(left) = self.left.checked_sub(inside.len()) else { return };
        *self.left = left;
        self.keys.extend(inside.iter().map(|time| since(*time) * PARTS));
        let global = track.global.and_then(|id| self.scene.global_sequences.get(id));
        if let Some(global) = global.map(|it| i64::from(it.length)).filter(|it| *it > 0) {
            // What starts again meets other poses of the sequence in each round.
            for round in (1..=length / global).take(ROUNDS) {
                let Some(left) = self.left.checked_sub(inside.len()) else { return };
                *self.left = left;
                let again = inside.iter().map(|time| since(*time)).filter(|time| *time <= global);
                let again = again.map(|time| time + round * global).filter(|time| *time <= length);
                self.between.extend(again.map(|time| time * PARTS));
            }
        }
        let values = track.values.get(first..behind).unwrap_or_default();
        let keys = || inside.iter().map(|time| since(*time)).zip(values);
        for ((a, from), (b, to)) in keys().zip(keys().skip(1)) {
            let parts = match track.interpolation {
                Interpolation::Step => 1,
                Interpolation::Linear => parts(from, to),
                _ => parts(from, to).max(3),
            };
            self.between.extend((1..parts).map(|part| a * PARTS + (b - a) * PARTS * part / parts));
        }
    }
}

/// Turning takes vertices along circles: in the middle of a turn they are farther out than at both ends.
fn parts(from: &Rotation, to: &Rotation) -> i64 {
    let [from, to] = [from, to].map(|it| glam::Vec4::from(it.0).normalize_or_zero());
    let angle = 2.0 * from.dot(to).abs().min(1.0).acos();
    #[allow(clippy::cast_possible_truncation, reason = "at most half of a turn")]
    let parts = (angle / TURN).ceil() as i64;
    parts.max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_sequences_over_the_same_keys_cost_what_is_allowed() {
        let times: Vec<i32> = (0..100).map(|at| at * 10 + 5).collect();
        let values = vec![[1.0_f32; 3]; 100];
        let mut node = Node::new("Bone", effigy_scene::NodeKind::Bone, None, [0.0; 3]);
        node.translation.track = Some(effigy_scene::Track::linear(times, values, [0.0; 3]));
        let mut scene = Scene::default();
        let nodes = [scene.nodes.push(node)];
        let sequence = Sequence { end: 1600, ..Sequence::default() };
        // Keys and nodes that are left, and how many moments there are.
        for (keys, posed, expected) in [(100, 117, 117), (99, 117, 17), (100, 116, 116), (100, 0, 17)] {
            let mut effort = Effort { keys, nodes: posed };
            assert_eq!(moments(&scene, &nodes, &sequence, &mut effort).len(), expected, "{keys} {posed}");
        }
        let mut effort = Effort { keys: 150, nodes: 1000 };
        let lengths = [0, 1].map(|_| moments(&scene, &nodes, &sequence, &mut effort).len());
        assert_eq!((lengths, effort.keys, effort.nodes), ([117, 17], 50, 1000 - 117 - 17));
    }

    #[test]
    fn many_times_are_thinned_evenly() {
        let times: BTreeSet<i64> = (0..=100).collect();
        assert_eq!(spread(&times, 5), [0, 25, 50, 75, 100]);
        assert_eq!(spread(&times, 101).len(), 101);
        assert_eq!((spread(&times, 1), spread(&times, 0)), (vec![0], vec![]));
    }
}
