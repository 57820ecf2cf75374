//! Fewer keys for nodes, so that no posed vertex is farther from its place than stated.
//!
//! Errors of a chain of nodes add up, and a turn moves far vertices most. So each track gets a share of the whole error, by the
//! number of moving tracks of its chain and by how far away the vertices are that follow it. Errors rarely add up in full: for
//! each sequence the largest shares are taken with which the posed model stays within the whole.

use super::metric::Metric;
use super::reduce::Reduction;
use effigy_scene::sample::{Moment, Sampler};
use effigy_scene::{Bounds, Id, Interpolation, Node, Scene, Sequence, Track, TurnRule, ValidScene, validate};
use effigy_wire::Result;
use glam::Vec3;
use std::ops::Range;

/// Multiples of the shares that are tried, one after another.
const FACTORS: [f32; 9] = [6.0, 4.0, 2.8, 2.0, 1.4, 1.0, 0.7, 0.4, 0.2];
/// Moments of a sequence that are compared at most.
const MOMENTS: usize = 24;
/// Most nodes of a scene whose keys are looked at: the time grows with the square of a chain's length.
const MOST_NODES: usize = 4096;

/// How far nodes may be off.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limit {
    /// For posed vertices and pivots, a length.
    pub length: f32,
    /// For the curve of a rotation, radians: what is attached to a node may reach farther than the vertices do.
    pub angle: f32,
}

/// What keys were removed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Thinned {
    /// How many.
    pub removed: usize,
    /// The largest distance of a vertex or a pivot from its place that was found.
    pub error: f32,
}

/// Removes keys from the nodes of a scene whose sequences do not share any time; none if it has too many nodes.
pub(super) fn thin(scene: &mut Scene, limit: Limit) -> Result<Thinned> {
    if scene.nodes.len() > MOST_NODES {
        return Ok(Thinned::default());
    }
    let followers = followers(scene);
    let full = skeleton(scene, scene.nodes.as_slice().to_vec())?;
    let mut kept: Vec<Flags> = scene.nodes.as_slice().iter().map(Flags::all).collect();
    let mut curves: Vec<Curves> =
        scene.nodes.as_slice().iter().map(|node| Curves::new(node, scene)).collect();
    let mut open: Vec<usize> = (0..scene.sequences.len()).collect();
    let mut done = Thinned::default();
    for factor in FACTORS {
        if open.is_empty() {
            break;
        }
        let flags: Vec<Flags> = (scene.nodes.as_slice().iter().zip(&followers).zip(&mut curves))
            .map(|((node, follower), curves)| {
                curves.flags(node, &open, &follower.share(limit, factor), scene.turn_rule)
            })
            .collect();
        let nodes = scene.nodes.as_slice().iter().zip(&flags).map(|(node, flags)| flags.applied(node));
        let less = skeleton(scene, nodes.collect())?;
        open.retain(|at| {
            let Some(error) = error(&full, &less, &followers, *at, limit.length) else { return true };
            done.error = done.error.max(error);
            for ((node, kept), flags) in scene.nodes.as_slice().iter().zip(&mut kept).zip(&flags) {
                span(scene, *at).into_iter().for_each(|span| kept.take_from(flags, node, span));
            }
            false
        });
    }
    for (node, flags) in scene.nodes.as_mut_slice().iter_mut().zip(&kept) {
        let thinned = flags.applied(node);
        done.removed = done.removed.saturating_add(keys(node).saturating_sub(keys(&thinned)));
        *node = thinned;
    }
    Ok(done)
}

fn span(scene: &Scene, sequence: usize) -> Option<[i32; 2]> {
    scene.sequences.as_slice().get(sequence).map(|it| [it.start, it.end])
}

fn keys(node: &Node) -> usize {
    let counts = [
        node.translation.track.as_ref().map_or(0, Track::len),
        node.rotation.track.as_ref().map_or(0, Track::len),
        node.scale.track.as_ref().map_or(0, Track::len),
    ];
    counts.iter().sum()
}

/// A scene with nothing but nodes.
fn skeleton(scene: &Scene, mut nodes: Vec<Node>) -> Result<ValidScene> {
    nodes.iter_mut().for_each(|node| node.gate = None);
    validate(Scene {
        nodes: nodes.into_iter().collect(),
        sequences: scene.sequences.clone(),
        global_sequences: scene.global_sequences.clone(),
        key_rule: scene.key_rule,
        node_rule: scene.node_rule,
        turn_rule: scene.turn_rule,
        ..Scene::default()
    })
}

/// What follows a node.
#[derive(Clone, Debug)]
struct Follower {
    /// Points of the bind pose that follow it directly: the corners of a box around its vertices and its pivot. No vertex can
    /// be farther off than the farthest of them, since a difference of matrices is largest at a corner.
    points: Vec<[f32; 3]>,
    /// The distance of the farthest point that follows it or a node below it.
    reach: f32,
    /// Moving tracks of the longest chain through it.
    tracks: usize,
}

/// How far the curves of one node may be off.
struct Share {
    length: f32,
    ratio: f32,
    angle: f32,
}

impl Follower {
    fn share(&self, limit: Limit, factor: f32) -> Share {
        #[allow(clippy::cast_precision_loss, reason = "a tolerance")]
        let length = limit.length * factor / (self.tracks.max(1) as f32).sqrt();
        let ratio = length / self.reach.max(length);
        Share { length, ratio, angle: ratio.min(limit.angle) }
    }
}

fn followers(scene: &Scene) -> Vec<Follower> {
    let nodes = scene.nodes.as_slice();
    let mut boxes: Vec<Bounds> = nodes.iter().map(|node| Bounds::around(&[node.pivot])).collect();
    for mesh in scene.meshes.as_slice() {
        let Some(skin) = &mesh.skin else { continue };
        for (position, group) in mesh.positions.iter().zip(&skin.vertex_groups) {
            for influence in skin.group(*group) {
                if let Some(bounds) = boxes.get_mut(influence.node.index()) {
                    *bounds = bounds.union(&Bounds::around(&[*position]));
                }
            }
        }
    }
    let moving = |node: &Node| {
        let several = [
            node.translation.track.as_ref().is_some_and(|track| track.len() > 1),
            node.rotation.track.as_ref().is_some_and(|track| track.len() > 1),
            node.scale.track.as_ref().is_some_and(|track| track.len() > 1),
        ];
        several.into_iter().filter(|several| *several).count()
    };
    let mut all: Vec<Follower> =
        boxes.iter().map(|bounds| Follower { points: corners(bounds), reach: 0.0, tracks: 1 }).collect();
    for at in 0..nodes.len() {
        let mut chain = Vec::new();
        let mut next = Some(at);
        while let Some(one) = next.filter(|_| chain.len() < nodes.len()) {
            chain.push(one);
            next = nodes.get(one).and_then(|node| node.parent).map(Id::index);
        }
        let tracks = chain.iter().filter_map(|one| nodes.get(*one)).map(moving).sum();
        let points = all.get(at).map(|follower| follower.points.clone()).unwrap_or_default();
        for one in chain {
            let (Some(follower), Some(node)) = (all.get_mut(one), nodes.get(one)) else { continue };
            let far = |point: &[f32; 3]| Vec3::from(*point).distance(Vec3::from(node.pivot));
            follower.reach = points.iter().map(far).fold(follower.reach, f32::max);
            follower.tracks = follower.tracks.max(tracks);
        }
    }
    all
}

fn corners(bounds: &Bounds) -> Vec<[f32; 3]> {
    let [low, high] = [bounds.min, bounds.max];
    let mut corners = vec![low];
    for axis in 0..3 {
        let (Some(a), Some(b)) = (low.get(axis), high.get(axis)) else { continue };
        if a < b {
            let mut other = corners.clone();
            other.iter_mut().filter_map(|point| point.get_mut(axis)).for_each(|value| *value = *b);
            corners.append(&mut other);
        }
    }
    corners
}

/// How far the points are from their places in one sequence; none: farther than the limit.
fn error(
    full: &ValidScene,
    less: &ValidScene,
    followers: &[Follower],
    sequence: usize,
    limit: f32,
) -> Option<f32> {
    let Some(id) = full.sequences.id(sequence) else { return Some(0.0) };
    let (one, two) = (Sampler::new(full), Sampler::new(less));
    let (mut a, mut b) = (one.pose(), two.pose());
    let mut worst = 0.0_f32;
    for time in full.sequences.get(id).map(|it| moments(full, it)).unwrap_or_default() {
        let moment = Moment { sequence: Some(id), time, clock: time };
        one.sample(&moment, None, &mut a);
        two.sample(&moment, None, &mut b);
        for ((node, _), follower) in full.nodes.iter().zip(followers) {
            for point in &follower.points {
                let [a, b] = [&a, &b].map(|pose| Vec3::from(pose.point(node, *point)));
                worst = worst.max(a.distance(b));
            }
        }
        if worst > limit {
            return None;
        }
    }
    Some(worst)
}

/// Moments with keys, spread over a sequence: between two of them an error is not larger than at one.
fn moments(scene: &Scene, sequence: &Sequence) -> Vec<f64> {
    let mut times: Vec<i32> = Vec::new();
    let mut add = |list: &[i32]| {
        let range = range(list, [sequence.start, sequence.end]);
        times.extend(list.get(range).unwrap_or_default());
    };
    for node in scene.nodes.as_slice() {
        node.translation.track.iter().for_each(|track| add(&track.times));
        node.rotation.track.iter().for_each(|track| add(&track.times));
        node.scale.track.iter().for_each(|track| add(&track.times));
    }
    times.sort_unstable();
    times.dedup();
    let step = times.len().div_ceil(MOMENTS).max(1);
    times.iter().step_by(step).map(|time| f64::from(time.saturating_sub(sequence.start))).collect()
}

fn range(times: &[i32], [start, end]: [i32; 2]) -> Range<usize> {
    times.partition_point(|time| *time < start)..times.partition_point(|time| *time <= end)
}

/// Which keys of the tracks of a node are kept.
struct Flags {
    translation: Vec<bool>,
    rotation: Vec<bool>,
    scale: Vec<bool>,
}

impl Flags {
    fn all(node: &Node) -> Self {
        Self {
            translation: vec![true; node.translation.track.as_ref().map_or(0, Track::len)],
            rotation: vec![true; node.rotation.track.as_ref().map_or(0, Track::len)],
            scale: vec![true; node.scale.track.as_ref().map_or(0, Track::len)],
        }
    }

    /// Takes over what another list says about a part of the timeline.
    fn take_from(&mut self, other: &Self, node: &Node, span: [i32; 2]) {
        fn take<T>(track: Option<&Track<T>>, span: [i32; 2], into: &mut [bool], from: &[bool]) {
            let Some(track) = track.filter(|track| track.global.is_none()) else { return };
            let range = range(&track.times, span);
            if let (Some(into), Some(from)) = (into.get_mut(range.clone()), from.get(range)) {
                into.copy_from_slice(from);
            }
        }
        take(node.translation.track.as_ref(), span, &mut self.translation, &other.translation);
        take(node.rotation.track.as_ref(), span, &mut self.rotation, &other.rotation);
        take(node.scale.track.as_ref(), span, &mut self.scale, &other.scale);
    }

    fn applied(&self, node: &Node) -> Node {
        let mut node = node.clone();
        node.translation.track.iter_mut().for_each(|track| retain(track, &self.translation));
        node.rotation.track.iter_mut().for_each(|track| retain(track, &self.rotation));
        node.scale.track.iter_mut().for_each(|track| retain(track, &self.scale));
        node
    }
}

/// The curves of a node, reduced as far as the last tolerance asked for.
struct Curves {
    translation: Curve,
    rotation: Curve,
    scale: Curve,
}

/// One curve: the keys of each sequence, and their reduction.
type Curve = Vec<(Range<usize>, Reduction)>;

impl Curves {
    fn new(node: &Node, scene: &Scene) -> Self {
        fn curve<T>(track: Option<&Track<T>>, scene: &Scene) -> Curve {
            let reducible =
                |track: &&Track<T>| track.global.is_none() && track.interpolation == Interpolation::Linear;
            let Some(track) = track.filter(reducible) else { return Vec::new() };
            let spans = scene.sequences.as_slice().iter().map(|it| range(&track.times, [it.start, it.end]));
            spans.map(|range| (range.clone(), Reduction::new(range.len()))).collect()
        }
        Self {
            translation: curve(node.translation.track.as_ref(), scene),
            rotation: curve(node.rotation.track.as_ref(), scene),
            scale: curve(node.scale.track.as_ref(), scene),
        }
    }

    /// The keys that are needed in these sequences, and all others.
    fn flags(&mut self, node: &Node, sequences: &[usize], share: &Share, turns: TurnRule) -> Flags {
        let mut flags = Flags::all(node);
        let tracks = (&node.translation.track, &node.rotation.track, &node.scale.track);
        for at in sequences {
            if let Some(track) = tracks.0 {
                refine(&mut self.translation, *at, track, share.length, turns, &mut flags.translation);
            }
            if let Some(track) = tracks.1 {
                refine(&mut self.rotation, *at, track, share.angle, turns, &mut flags.rotation);
            }
            if let Some(track) = tracks.2 {
                refine(&mut self.scale, *at, track, share.ratio, turns, &mut flags.scale);
            }
        }
        flags
    }
}

/// Refines the curve of one sequence, and says which of its keys are needed.
fn refine<T: Metric>(
    curve: &mut Curve,
    sequence: usize,
    track: &Track<T>,
    tolerance: f32,
    turns: TurnRule,
    into: &mut [bool],
) {
    let Some((range, reduction)) = curve.get_mut(sequence) else { return };
    let (times, values) = (track.times.get(range.clone()), track.values.get(range.clone()));
    let (Some(times), Some(values), Some(into)) = (times, values, into.get_mut(range.clone())) else {
        return;
    };
    reduction.refine(times, values, tolerance, turns);
    if into.len() == reduction.kept.len() {
        into.copy_from_slice(&reduction.kept);
    }
}

fn retain<T>(track: &mut Track<T>, kept: &[bool]) {
    if track.interpolation != Interpolation::Linear {
        return;
    }
    let mut flags = kept.iter();
    track.times.retain(|_| flags.next().copied().unwrap_or(true));
    let mut flags = kept.iter();
    track.values.retain(|_| flags.next().copied().unwrap_or(true));
}

#[cfg(test)]
mod tests;
