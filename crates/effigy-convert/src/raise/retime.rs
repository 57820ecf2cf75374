//! Tracks on another timeline and under another game's rules.
//!
//! A key stays a key. At both ends of every sequence one is added, because Warcraft III otherwise goes from the last key around
//! to the first, or takes a default that is black for colours. Only curves that the game does not have are sampled, as densely as
//! the tolerance asks for.

mod fill;

use super::metric::Metric;
use super::reduce::{self, Tolerance};
use super::timeline::Clip;
use effigy_scene::sample::{Moment, Sampler};
use effigy_scene::{GlobalSequence, Interpolation, KeyRule, Sequence, Track, TurnRule};
use fill::segment;

/// Most keys that one sequence of a track may get by sampling.
const MOST: usize = 1 << 14;

/// What the passes over tracks share.
pub(super) struct Retiming<'a> {
    pub sampler: Sampler<'a>,
    pub clips: &'a [Clip],
    /// How exact sampled curves are.
    pub fine: Tolerance,
    /// How exact reduced curves are; none: keys are not reduced.
    pub coarse: Option<Tolerance>,
    /// The same for the curves of nodes.
    pub nodes: Option<Tolerance>,
    /// How the target turns from key to key.
    pub turns: TurnRule,
    /// The target has cubic curves; otherwise they are sampled.
    pub splines: bool,
    /// A rotation gets a key for every quarter turn.
    pub quarters: bool,
    /// Whether the values of the tracks at hand are lengths.
    pub lengths: bool,
    /// Keys before and after.
    pub keys: [usize; 2],
    /// Tracks that had to be sampled.
    pub sampled: usize,
    /// The least cosine of two rotations between which it does not matter whether the way is an arc or a chord.
    pub chords: f32,
}

/// Keys of one sequence.
struct Keys<T> {
    times: Vec<i32>,
    values: Vec<T>,
    tangents: Vec<[T; 2]>,
}

/// A moment that gets a key.
#[derive(Clone, Copy, Debug)]
struct KeyMoment {
    time: i32,
    /// The key of the source that is there.
    key: Option<usize>,
}

impl<T: Metric> Keys<T> {
    fn new() -> Self {
        Self { times: Vec::new(), values: Vec::new(), tangents: Vec::new() }
    }

    fn clear(&mut self) {
        self.times.clear();
        self.values.clear();
        self.tangents.clear();
    }

    /// The same value at both ends of a sequence, with the tangent of a spline.
    fn hold(&mut self, clip: &Clip, value: T, tangent: Option<T>) {
        self.times.extend([clip.start, clip.end]);
        self.values.extend([value; 2]);
        self.tangents.extend(tangent.iter().flat_map(|tangent| [[*tangent; 2]; 2]));
    }

    /// Adds keys at both ends of a spline that begins later or ends earlier and keeps its value until there.
    fn hold_ends(&mut self, [start, end]: [i32; 2], kind: Interpolation) {
        let (Some(first), Some(last)) = (self.values.first().copied(), self.values.last().copied()) else {
            return;
        };
        let (begins, ends) = (first.still(kind), last.still(kind));
        if self.times.first() != Some(&start) {
            if let Some([before, _]) = self.tangents.first_mut() {
                *before = begins;
            }
            self.times.insert(0, start);
            self.values.insert(0, first);
            self.tangents.insert(0, [begins; 2]);
        }
        if self.times.last() != Some(&end) {
            if let Some([_, after]) = self.tangents.last_mut() {
                *after = ends;
            }
            self.times.push(end);
            self.values.push(last);
            self.tangents.push([ends; 2]);
        }
    }
}

impl Retiming<'_> {
    /// The same track on the new timeline.
    pub fn track<T: Metric>(&mut self, track: &Track<T>, quiet: Option<T>) -> Track<T> {
        self.keys[0] = self.keys[0].saturating_add(track.len());
        let made = if track.global.is_some() { self.global(track) } else { self.local(track, quiet) };
        self.keys[1] = self.keys[1].saturating_add(made.len());
        made
    }

    fn local<T: Metric>(&mut self, track: &Track<T>, quiet: Option<T>) -> Track<T> {
        let exact = self.splines
            && track.interpolation.is_spline()
            && self.clips.iter().all(|clip| clip.hold.is_some() || self.fits(track, clip));
        let most = track.len().saturating_add(self.clips.len().saturating_mul(2));
        let mut made = Track {
            interpolation: match track.interpolation {
                spline if spline.is_spline() && !exact => Interpolation::Linear,
                other => other,
            },
            global: None,
            times: Vec::with_capacity(most),
            fractions: Vec::new(),
            values: Vec::with_capacity(most),
            tangents: Vec::new(),
            windows: Vec::new(),
            default: track.default,
        };
        let mut sampled = false;
        let (mut keys, mut moments) = (Keys::new(), Vec::new());
        for clip in self.clips {
            keys.clear();
            match quiet {
                Some(value) if clip.is_quiet() => {
                    keys.hold(clip, value, exact.then(|| value.still(track.interpolation)));
                }
                _ => self.clip(track, clip, exact, &mut sampled, &mut keys, &mut moments),
            }
            made.times.extend_from_slice(&keys.times);
            made.values.extend_from_slice(&keys.values);
            made.tangents.extend_from_slice(&keys.tangents);
        }
        self.sampled = self.sampled.saturating_add(usize::from(sampled));
        made
    }

    fn sequence(&self, clip: &Clip) -> Option<&Sequence> {
        clip.source.and_then(|id| self.sampler.scene().sequences.get(id))
    }

    /// First and last millisecond on the old timeline.
    pub(super) fn span(&self, clip: &Clip) -> [i32; 2] {
        let length = clip.end.saturating_sub(clip.start);
        match (self.sequence(clip), clip.hold) {
            (Some(sequence), Some(held)) => [sequence.start.saturating_add(held); 2],
            (Some(sequence), None) => {
                [sequence.start, sequence.start.saturating_add(length.min(sequence.length()))]
            }
            (None, _) => [0, 0],
        }
    }

    /// The keys of a sequence on the old timeline, with the one after it, which some games go on to: the number of the first, how
    /// many belong to the sequence, and all times.
    fn window<'t, T>(&self, track: &'t Track<T>, clip: &Clip) -> (usize, usize, &'t [i32]) {
        let moment = Moment { sequence: clip.source, time: 0.0, clock: 0.0 };
        let Some((first, last)) = self.sampler.window(track, &moment) else { return (0, 0, &[]) };
        let past = last.saturating_add(2).min(track.times.len());
        let own = last.saturating_add(1).saturating_sub(first);
        (first, own, track.times.get(first..past).unwrap_or_default())
    }

    /// Whether the keys of a sequence can be copied with their tangents: they begin at its start and end at its end, or the curve
    /// keeps its value up to there.
    fn fits<T>(&self, track: &Track<T>, clip: &Clip) -> bool {
        let (_, own, times) = self.window(track, clip);
        let [start, end] = self.span(clip);
        let rule = self.sampler.scene().key_rule;
        match (times.first(), times.get(..own).unwrap_or(times).last()) {
            (Some(first), Some(last)) => {
                (*first == start && *last == end)
                    || (rule == KeyRule::Hold && *first >= start && *last <= end)
            }
            _ => rule != KeyRule::Continue,
        }
    }

    /// The keys of a sequence on the new timeline. The lists are empty, and are used again for the next one.
    fn clip<T: Metric>(
        &self,
        track: &Track<T>,
        clip: &Clip,
        exact: bool,
        sampled: &mut bool,
        keys: &mut Keys<T>,
        moments: &mut Vec<KeyMoment>,
    ) {
        let [start, end] = self.span(clip);
        let window @ (first, own, times) = self.window(track, clip);
        let value = |time: i32| {
            let since = f64::from(time) - f64::from(start) + clip.hold.map_or(0.0, f64::from);
            self.sampler.track(track, &Moment { sequence: clip.source, time: since, clock: 0.0 })
        };
        if exact && (clip.hold.is_some() || own == 0) {
            let held = value(start);
            keys.hold(clip, held, Some(held.still(track.interpolation)));
            return;
        }
        if exact {
            let range = first..first.saturating_add(own);
            let moved = |time: &i32| time.saturating_sub(start).saturating_add(clip.start);
            keys.times.extend(times.iter().take(own).map(moved));
            keys.values.extend_from_slice(track.values.get(range.clone()).unwrap_or_default());
            keys.tangents.extend_from_slice(track.tangents.get(range).unwrap_or_default());
            keys.hold_ends([clip.start, clip.end], track.interpolation);
            return;
        }
        self.moments(clip, window, moments);
        let straight = self.is_straight(track);
        let wraps = T::ANGLE && self.sampler.scene().key_rule == KeyRule::Wrap;
        let ends = (times.first(), times.iter().rev().find(|time| **time <= end));
        let step = track.interpolation == Interpolation::Step;
        let mut before: Option<(KeyMoment, T)> = None;
        for moment in moments.iter().copied() {
            // The value of a key needs no sampling.
            let known = moment.key.and_then(|key| track.values.get(key)).copied();
            let here = known.unwrap_or_else(|| value(moment.time));
            if let (Some((from, there)), false) = (before, step) {
                let times = [from.time, moment.time];
                // Around the loop a rotation may go on by more than half a turn, where the shorter arc is the other one.
                let straight =
                    straight && (!wraps || (ends.0 <= Some(&from.time) && Some(&moment.time) <= ends.1));
                let count = keys.times.len();
                let next = from.key.filter(|key| moment.key == key.checked_add(1));
                if next.is_none() || !self.is_near(track, there, here) {
                    match next.and_then(|key| segment(track, key, self.sampler.scene().turn_rule)) {
                        Some(curve) => self.fill(times, [there, here], straight, &curve, keys),
                        None => self.fill(times, [there, here], straight, &value, keys),
                    }
                }
                *sampled |= keys.times.len() > count && !straight;
            }
            keys.times.push(moment.time);
            keys.values.push(here);
            before = Some((moment, here));
        }
        self.align(keys);
        self.thin(keys, step);
        for time in &mut keys.times {
            *time = time.saturating_sub(start).saturating_add(clip.start);
        }
        // The last millisecond of the sequence has a key, also if the source is shorter.
        if keys.times.last() != Some(&clip.end)
            && let Some(value) = keys.values.last().copied()
        {
            keys.times.push(clip.end);
            keys.values.push(value);
        }
    }

    /// The moments of a sequence that get a key: its ends, its keys, and both sides of a jump.
    fn moments(
        &self,
        clip: &Clip,
        (first, own, times): (usize, usize, &[i32]),
        moments: &mut Vec<KeyMoment>,
    ) {
        let [start, end] = self.span(clip);
        let inside = self.sequence(clip).is_some_and(|it| it.start <= start && end <= it.end);
        moments.clear();
        moments.push(KeyMoment { time: start, key: None });
        // Warcraft III jumps at the first key of a sequence: before it, the value comes from the last one.
        let jump = times.first().map_or(start, |first| first.saturating_sub(1));
        if self.sampler.scene().key_rule == KeyRule::Wrap && jump > start && jump < end {
            moments.push(KeyMoment { time: jump, key: None });
        }
        for (at, time) in times.iter().enumerate().filter(|(_, time)| **time >= start && **time <= end) {
            let key = (at < own && inside).then(|| first.saturating_add(at));
            let earlier = time.saturating_sub(1);
            let count = moments.len();
            let further = count.checked_sub(2).and_then(|it| moments.get(it)).map(|it| it.time);
            match moments.last_mut() {
                // Of two keys at one time, the later one counts. They are a jump: the value before it is kept a millisecond
                // earlier.
                Some(last) if last.time == *time => {
                    let jumps = last.key.is_some() && *time > start && *time < end;
                    last.key = key.or(last.key);
                    if jumps && further.is_none_or(|it| it < earlier) {
                        moments.insert(count.saturating_sub(1), KeyMoment { time: earlier, key: None });
                    }
                }
                _ => moments.push(KeyMoment { time: *time, key }),
            }
        }
        if moments.last().is_some_and(|last| last.time < end) {
            moments.push(KeyMoment { time: end, key: None });
        }
    }

    /// Whether a straight segment between two keys needs no further keys: it is not a wide turn and, where arcs become chords or
    /// chords arcs, short enough.
    fn is_near<T: Metric>(&self, track: &Track<T>, a: T, b: T) -> bool {
        if track.interpolation != Interpolation::Linear || !T::ANGLE {
            return track.interpolation == Interpolation::Linear;
        }
        let source = self.sampler.scene().turn_rule;
        // Only chords depend on the signs.
        let cosine = if source == TurnRule::Nlerp { T::cosine(a, b) } else { T::cosine(a, b).abs() };
        cosine >= if source == self.turns { 0.75 } else { self.chords }
    }

    /// Whether going from key to key in the target is the same as in the source.
    fn is_straight<T: Metric>(&self, track: &Track<T>) -> bool {
        match track.interpolation {
            Interpolation::Step => true,
            Interpolation::Linear => !T::ANGLE || self.sampler.scene().turn_rule == self.turns,
            _ => false,
        }
    }

    /// Whether signs of rotations mean something in the target that they do not mean in the source.
    fn aligns(&self) -> bool {
        self.turns == TurnRule::Nlerp && self.sampler.scene().turn_rule != TurnRule::Nlerp
    }

    /// Gives rotations the sign that makes the target take the shorter arc.
    fn align<T: Metric>(&self, keys: &mut Keys<T>) {
        let mut before: Option<T> = None;
        for value in keys.values.iter_mut().filter(|_| self.aligns()) {
            *value = before.map_or(*value, |before| value.near(before));
            before = Some(*value);
        }
    }

    /// Removes keys that are not needed.
    fn thin<T: Metric>(&self, keys: &mut Keys<T>, step: bool) {
        // The first and the last key are always needed.
        let Some(coarse) = self.coarse.filter(|_| keys.values.len() > 2) else { return };
        let kept = if step {
            let before = std::iter::once(None).chain(keys.values.iter().map(Some));
            let last = keys.values.len().saturating_sub(1);
            let changes = keys.values.iter().zip(before).enumerate();
            changes.map(|(index, (value, before))| before != Some(value) || index == last).collect()
        } else {
            reduce::needed(&keys.times, &keys.values, coarse.of::<T>(self.lengths), self.turns)
        };
        let mut flags = kept.iter();
        keys.times.retain(|_| flags.next().copied().unwrap_or(true));
        let mut flags = kept.iter();
        keys.values.retain(|_| flags.next().copied().unwrap_or(true));
    }

    /// A track on a global clock: keys at both ends, since this game goes around where the others hold.
    fn global<T: Metric>(&mut self, track: &Track<T>) -> Track<T> {
        let globals = self.sampler.scene().global_sequences.as_slice();
        let length = track
            .global
            .and_then(|id| globals.get(id.index()))
            .map_or(0, |global: &GlobalSequence| global.length);
        let length = i32::try_from(length).unwrap_or(i32::MAX);
        if let Some(made) = self.copied_global(track, length) {
            return made;
        }
        // Just before the end: at the end the clock is at 0 again.
        let value = |time: i32| {
            let clock = if time >= length { f64::from(time) - 1e-6 } else { f64::from(time) };
            self.sampler.track(track, &Moment { sequence: None, time: 0.0, clock })
        };
        let mut keys = Keys::new();
        let mut times: Vec<i32> = std::iter::once(0)
            .chain(track.times.iter().copied().filter(|time| *time > 0 && *time < length))
            .chain((length > 0).then_some(length))
            .collect();
        times.dedup();
        let straight = self.is_straight(track);
        let mut before = None;
        let mut sampled = false;
        for time in times {
            let here = value(time);
            if let (Some((from, there)), false) = (before, track.interpolation == Interpolation::Step) {
                let count = keys.times.len();
                self.fill([from, time], [there, here], straight, &value, &mut keys);
                sampled |= keys.times.len() > count && !straight;
            }
            keys.times.push(time);
            keys.values.push(here);
            before = Some((time, here));
        }
        self.sampled = self.sampled.saturating_add(usize::from(sampled));
        self.align(&mut keys);
        self.thin(&mut keys, track.interpolation == Interpolation::Step);
        let step = track.interpolation == Interpolation::Step;
        Track {
            interpolation: if step { Interpolation::Step } else { Interpolation::Linear },
            global: track.global,
            times: keys.times,
            fractions: Vec::new(),
            values: keys.values,
            tangents: Vec::new(),
            windows: Vec::new(),
            default: track.default,
        }
    }

    /// A spline on a global clock with its tangents, where the target moves it in the same way.
    fn copied_global<T: Metric>(&self, track: &Track<T>, length: i32) -> Option<Track<T>> {
        let rule = self.sampler.scene().key_rule;
        let is_inside = track.times.first()? >= &0 && track.times.last()? <= &length;
        if !self.splines || !track.interpolation.is_spline() || !is_inside || rule == KeyRule::Continue {
            return None;
        }
        let mut keys = Keys {
            times: track.times.clone(),
            values: track.values.clone(),
            tangents: track.tangents.clone(),
        };
        if rule == KeyRule::Hold {
            keys.hold_ends([0, length], track.interpolation);
        }
        Some(Track {
            interpolation: track.interpolation,
            global: track.global,
            times: keys.times,
            fractions: Vec::new(),
            values: keys.values,
            tangents: keys.tangents,
            windows: Vec::new(),
            default: track.default,
        })
    }

    /// A value that every sequence keeps.
    pub fn constant<T: Copy>(&self, value: T) -> Track<T> {
        let times: Vec<i32> = self.clips.iter().flat_map(|clip| [clip.start, clip.end]).collect();
        let values = vec![value; times.len()];
        Track::linear(times, values, value)
    }
}

#[cfg(test)]
pub(super) mod tests;
