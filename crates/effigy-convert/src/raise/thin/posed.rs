//! A sequence with all keys and with fewer ones, next to each other.

use super::{Follower, Kept, Share};
use crate::raise::metric::Metric;
use crate::raise::reduce::{Reduction, place};
use effigy_scene::sample::{Moment, Motion, Pose, Sampler};
use effigy_scene::{Animated, Id, Interpolation, Node, Rotation, Sequence, Track, TurnRule, ValidScene};
use glam::{Vec3A, Vec4};
use std::ops::Range;

/// Moments of a sequence that are compared at most.
const MOMENTS: usize = 24;

/// A matrix, column by column.
type Columns = [[f32; 4]; 4];

/// A sequence, posed at some of its moments. The next sequence uses its lists again.
pub(super) struct Posed<'a> {
    sampler: Sampler<'a>,
    /// Times on the timeline.
    moments: Vec<i32>,
    lines: Vec<NodeLines<'a>>,
    /// The matrices of all nodes with all keys, moment after moment.
    full: Vec<Columns>,
    /// The moment that was too far off the last time, which is likely to be so again.
    first: usize,
    motions: Vec<Motion>,
    pose: Pose,
}

struct NodeLines<'a> {
    translation: Line<'a, [f32; 3]>,
    rotation: Line<'a, Rotation>,
    scale: Line<'a, [f32; 3]>,
}

/// One curve of a node in the sequence.
struct Line<'a, T> {
    animated: &'a Animated<T>,
    /// Which keys of the track these are; none if they are not reduced.
    range: Range<usize>,
    times: &'a [i32],
    values: &'a [T],
    reduction: Reduction,
    /// For each moment the key at it or before it.
    places: Vec<usize>,
    /// The value at each moment, with all keys; empty: it does not change.
    full: Vec<T>,
    still: T,
}

impl<'a> Posed<'a> {
    /// No sequence yet: `play` takes one.
    pub fn new(scene: &'a ValidScene) -> Self {
        let sampler = Sampler::new(scene);
        let lines = |node: &'a Node| NodeLines {
            translation: Line::new(&node.translation),
            rotation: Line::new(&node.rotation),
            scale: Line::new(&node.scale),
        };
        Self {
            sampler,
            moments: Vec::new(),
            lines: scene.nodes.as_slice().iter().map(lines).collect(),
            full: Vec::new(),
            first: 0,
            motions: Vec::new(),
            pose: sampler.pose(),
        }
    }

    /// Takes a sequence with all keys.
    pub fn play(&mut self, id: Id<Sequence>, sequence: &Sequence) {
        let (sampler, nodes) = (self.sampler, &self.sampler.scene().nodes);
        let span = [sequence.start, sequence.end];
        self.moments = moments(nodes.as_slice(), span);
        self.first = 0;
        let played = Played { sampler, id, span, moments: &self.moments };
        for lines in &mut self.lines {
            lines.translation.play(&played);
            lines.rotation.play(&played);
            lines.scale.play(&played);
        }
        self.full.clear();
        for moment in 0..self.moments.len() {
            self.motions.clear();
            self.motions.extend(self.lines.iter().map(|lines| Motion {
                translation: lines.translation.full_at(moment),
                rotation: lines.rotation.full_at(moment),
                scale: lines.scale.full_at(moment),
            }));
            sampler.place(&self.motions, &mut self.pose);
            self.full.extend(nodes.iter().map(|(id, _)| self.pose.matrix(id)));
        }
    }

    /// Adds the keys that these tolerances of the nodes need.
    pub fn refine(&mut self, shares: impl Iterator<Item = Share>) {
        let turns = self.sampler.scene().turn_rule;
        for (lines, share) in self.lines.iter_mut().zip(shares) {
            lines.translation.refine(share.length, turns);
            lines.rotation.refine(share.angle, turns);
            lines.scale.refine(share.ratio, turns);
        }
    }

    /// How far the boxes are from their places with fewer keys; none: farther than the limit.
    pub fn error(&mut self, followers: &[Follower], limit: f32) -> Option<f32> {
        let count = self.moments.len();
        let first = self.first;
        let mut worst = 0.0_f32;
        for moment in std::iter::once(first).chain((0..count).filter(|it| *it != first)) {
            worst = self.error_at(moment, followers, worst);
            if worst > limit {
                self.first = moment;
                return None;
            }
        }
        Some(worst)
    }

    /// The largest error at a moment, if it is larger than the given one.
    fn error_at(&mut self, moment: usize, followers: &[Follower], mut worst: f32) -> f32 {
        let turns = self.sampler.scene().turn_rule;
        let Some(time) = self.moments.get(moment).copied() else { return worst };
        self.motions.clear();
        self.motions.extend(self.lines.iter().map(|lines| Motion {
            translation: lines.translation.at(moment, time, turns),
            rotation: lines.rotation.at(moment, time, turns),
            scale: lines.scale.at(moment, time, turns),
        }));
        self.sampler.place(&self.motions, &mut self.pose);
        let full = self.full.iter().skip(moment.saturating_mul(followers.len()));
        for (((id, _), full), follower) in self.sampler.scene().nodes.iter().zip(full).zip(followers) {
            worst = difference(full, &self.pose.matrix(id), follower, worst);
        }
        worst
    }

    /// Takes over which keys of this sequence are needed.
    pub fn take_over(&self, kept: &mut [Kept]) {
        for (lines, kept) in self.lines.iter().zip(kept) {
            lines.translation.take_over(&mut kept.translation);
            lines.rotation.take_over(&mut kept.rotation);
            lines.scale.take_over(&mut kept.scale);
        }
    }
}

/// How far two matrices move a corner of a box apart, if that is more than the given distance.
fn difference(a: &Columns, b: &Columns, follower: &Follower, worst: f32) -> f32 {
    let column = |a: [f32; 4], b: [f32; 4]| Vec3A::from_vec4(Vec4::from_array(a) - Vec4::from_array(b));
    let ([ax, ay, az, a], [bx, by, bz, b]) = (*a, *b);
    let (x, y, z, moved) = (column(ax, bx), column(ay, by), column(az, bz), column(a, b));
    let middle = x * follower.middle.x + y * follower.middle.y + z * follower.middle.z + moved;
    let [x, y, z] = [x * follower.half.x, y * follower.half.y, z * follower.half.z];
    // No corner can be farther off than all four together.
    if (middle.abs() + x.abs() + y.abs() + z.abs()).length_squared() <= worst * worst {
        return worst;
    }
    let ends = [x + y + z, x + y - z, x - y + z, x - y - z];
    let corners = ends.into_iter().flat_map(|end| [middle + end, middle - end]);
    let square = corners.map(Vec3A::length_squared).fold(0.0, |a: f32, b| if b > a { b } else { a });
    worst.max(square.sqrt())
}

/// Moments with keys, spread over a sequence: between two of them an error is not larger than at one.
fn moments(nodes: &[Node], span: [i32; 2]) -> Vec<i32> {
    let mut times: Vec<i32> = Vec::new();
    let mut before: &[i32] = &[];
    for node in nodes {
        let lists = [
            node.translation.track.as_ref().map(|track| track.times.as_slice()),
            node.rotation.track.as_ref().map(|track| track.times.as_slice()),
            node.scale.track.as_ref().map(|track| track.times.as_slice()),
        ];
        for list in lists.into_iter().flatten() {
            let inside = list.get(range(list, span)).unwrap_or_default();
            // Most curves of a sequence have the same times.
            if inside != before {
                times.extend(inside);
                before = inside;
            }
        }
    }
    times.sort_unstable();
    times.dedup();
    let step = times.len().div_ceil(MOMENTS).max(1);
    times.into_iter().step_by(step).collect()
}

fn range(times: &[i32], [start, end]: [i32; 2]) -> Range<usize> {
    let first = times.partition_point(|time| *time < start);
    first..times.partition_point(|time| *time <= end).max(first)
}

/// What the curves of a sequence are made from.
struct Played<'a, 'm> {
    sampler: Sampler<'a>,
    id: Id<Sequence>,
    span: [i32; 2],
    moments: &'m [i32],
}

impl<'a, T: Metric> Line<'a, T> {
    fn new(animated: &'a Animated<T>) -> Self {
        Self {
            animated,
            range: 0..0,
            times: &[],
            values: &[],
            reduction: Reduction::default(),
            places: Vec::new(),
            full: Vec::new(),
            still: animated.base,
        }
    }

    /// Takes a sequence.
    fn play(&mut self, played: &Played<'a, '_>) {
        (self.range, self.times, self.values, self.still) = (0..0, &[], &[], self.animated.base);
        self.reduction.restart(0);
        self.places.clear();
        self.full.clear();
        let Some(track) = &self.animated.track else { return };
        if !self.take_keys(track, played.span) {
            let since = |time: &i32| f64::from(time.saturating_sub(played.span[0]));
            let value = |time: f64| played.sampler.track(track, &Moment::new(played.id, time));
            self.full.extend(played.moments.iter().map(|time| value(since(time))));
            return;
        }
        if self.values.windows(2).all(|pair| pair.first() == pair.last()) {
            // It does not move, whatever keys it has.
            self.still = self.values.first().copied().unwrap_or(track.default);
            return;
        }
        let turns = played.sampler.scene().turn_rule;
        let mut at = 0_usize;
        for time in played.moments {
            while self.times.get(at.saturating_add(1)).is_some_and(|next| next <= time) {
                at += 1;
            }
            self.places.push(at);
            self.full.push(self.mixed(at, at.saturating_add(1), *time, turns));
        }
    }

    /// Takes the keys of a sequence that can be reduced: straight lines with a key at both ends.
    fn take_keys(&mut self, track: &'a Track<T>, span: [i32; 2]) -> bool {
        let range = range(&track.times, span);
        let (Some(times), Some(values)) = (track.times.get(range.clone()), track.values.get(range.clone()))
        else {
            return false;
        };
        let ends = [times.first().copied(), times.last().copied()];
        if track.global.is_some() || track.interpolation != Interpolation::Linear || ends != span.map(Some) {
            return false;
        }
        self.reduction.restart(values.len());
        (self.range, self.times, self.values) = (range, times, values);
        true
    }

    /// The value at a time between two keys.
    fn mixed(&self, from: usize, to: usize, time: i32, turns: TurnRule) -> T {
        let key = |at: usize| Some((*self.times.get(at)?, *self.values.get(at)?));
        match (key(from), key(to)) {
            (Some((start, a)), Some((end, b))) if time > start => {
                T::mix(a, b, place(time, start, end), turns)
            }
            (Some((_, a)), _) => a,
            _ => self.still,
        }
    }

    /// The value at a moment with all keys.
    fn full_at(&self, moment: usize) -> T {
        self.full.get(moment).copied().unwrap_or(self.still)
    }

    /// The value at a moment with the keys that are left.
    fn at(&self, moment: usize, time: i32, turns: TurnRule) -> T {
        let Some(at) = self.places.get(moment).copied() else { return self.full_at(moment) };
        let kept = |key: &usize| self.reduction.kept.get(*key).copied().unwrap_or(true);
        let from = (0..=at).rev().find(kept).unwrap_or(0);
        let after = at.saturating_add(1);
        let to = (after..self.times.len()).find(kept).unwrap_or(from);
        let unchanged = from == at && (to == after || self.times.get(at) == Some(&time));
        if unchanged { self.full_at(moment) } else { self.mixed(from, to, time, turns) }
    }

    fn refine(&mut self, tolerance: f32, turns: TurnRule) {
        if !self.values.is_empty() {
            self.reduction.refine(self.times, self.values, tolerance, turns);
        }
    }

    fn take_over(&self, kept: &mut [bool]) {
        let flags = kept.get_mut(self.range.clone()).unwrap_or_default();
        for (flag, kept) in flags.iter_mut().zip(&self.reduction.kept) {
            *flag = *kept;
        }
    }
}
