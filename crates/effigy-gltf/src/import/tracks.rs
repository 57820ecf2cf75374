//! Keys: the clips of all animations are laid one after another on the scene's timeline, and the keys of each property become one
//! track over all of them.

use super::accessor::Data;
use super::document::{AnimationSamplerJson, Document};
use effigy_scene::{Interpolation, Rotation, Sequence, Track};
use effigy_wire::{Error, Kind, Report, Result};
use glam::Quat;
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// Milliseconds between two clips on the timeline.
const GAP: i32 = 1000;
/// Longest clip in seconds that is read whole: a day. Broken files have times of 1e30.
const LONGEST: f32 = 86_400.0;
/// Rotation splines are sampled until the error in radians is below this.
const TURN_ERROR: f32 = 2e-5;

/// An animation on the timeline.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clip {
    pub start: i32,
}

/// How a piece goes from key to key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    Step,
    Linear,
    Cubic,
}

/// The keys of one property in one clip. Tangents are changes per second, as glTF has them.
#[derive(Clone, Debug)]
pub(crate) struct Piece<T> {
    pub clip: usize,
    pub mode: Mode,
    pub times: Rc<Vec<f32>>,
    pub values: Vec<T>,
    pub tangents: Vec<[T; 2]>,
}

/// A value that keys hold.
pub(crate) trait Key: Copy + Default {
    /// The change from one value to another.
    fn change(from: Self, to: Self) -> Self;
    fn times(self, factor: f32) -> Self;
    /// Whether two values are the same but for rounding.
    fn is_near(self, other: Self) -> bool;
}

fn near(a: f32, b: f32) -> bool {
    (a - b).abs() <= 1e-6 * a.abs().max(1.0)
}

impl Key for f32 {
    fn change(from: Self, to: Self) -> Self {
        to - from
    }
    fn times(self, factor: f32) -> Self {
        self * factor
    }
    fn is_near(self, other: Self) -> bool {
        near(self, other)
    }
}

impl Key for [f32; 3] {
    fn change([a, b, c]: Self, [x, y, z]: Self) -> Self {
        [x - a, y - b, z - c]
    }
    fn times(self, factor: f32) -> Self {
        self.map(|value| value * factor)
    }
    fn is_near(self, other: Self) -> bool {
        self.iter().zip(other).all(|(a, b)| near(*a, b))
    }
}

impl Key for Rotation {
    /// Rotations have no tangents here: their splines are sampled.
    fn change(_: Self, to: Self) -> Self {
        to
    }
    fn times(self, _: f32) -> Self {
        self
    }
    fn is_near(self, other: Self) -> bool {
        let dot: f32 = self.0.iter().zip(other.0).map(|(a, b)| a * b).sum();
        let sign = if dot < 0.0 { -1.0 } else { 1.0 };
        self.0.iter().zip(other.0).all(|(a, b)| near(*a, b * sign))
    }
}

/// The nearest millisecond, and how much later than that the time is, from -0.5 to 0.5. A time that is as close to a whole millisecond
/// as single precision gets is that millisecond.
#[allow(clippy::cast_possible_truncation, reason = "the range is limited")]
pub(crate) fn milliseconds(seconds: f32) -> (i32, f32) {
    let seconds = seconds.clamp(0.0, LONGEST);
    let exact = f64::from(seconds) * 1000.0;
    let whole = exact.round();
    let fraction = if (whole / 1000.0) as f32 == seconds { 0.0 } else { exact - whole };
    (whole as i32, fraction as f32)
}

/// The millisecond in which a clip of this length has ended.
fn ending(seconds: f32) -> i32 {
    let (whole, fraction) = milliseconds(seconds);
    whole.saturating_add(i32::from(fraction > 0.0)).max(1)
}

/// The angle between two rotations that are close to each other. The cosine of so small an angle is 1 in single precision.
fn apart(a: Quat, b: Quat) -> f32 {
    let chord = (a - b).length_squared().min((a + b).length_squared()).sqrt();
    2.0 * chord
}

/// The given sequence that an animation plays: the one that its extras describe, or one of its name.
fn given(animation: &super::document::AnimationJson, sequences: &[Sequence], free: &[bool]) -> Option<usize> {
    let is_free = |index: usize| free.get(index).copied().unwrap_or(false);
    let noted = super::notes::sequence(&animation.extras);
    let same = |it: &Sequence| {
        noted
            .as_ref()
            .is_some_and(|noted| (&noted.name, noted.start, noted.end) == (&it.name, it.start, it.end))
    };
    // Repeated names are numbered in the file: "Stand (2)".
    let plain = animation.name.rsplit_once(" (").map_or(animation.name.as_str(), |(name, _)| name);
    let named = |it: &Sequence| it.name == animation.name || it.name == plain;
    let find = |wanted: &dyn Fn(&Sequence) -> bool| {
        sequences.iter().enumerate().position(|(index, it)| is_free(index) && wanted(it))
    };
    find(&same).or_else(|| find(&named))
}

/// The clips of a document, and its times.
pub(crate) struct Timeline<'a> {
    data: &'a Data<'a>,
    /// By sequence.
    pub clips: Vec<Clip>,
    /// The sequence that each animation plays.
    pub plays: Vec<usize>,
    inputs: RefCell<HashMap<usize, Rc<Vec<f32>>>>,
}

impl<'a> Timeline<'a> {
    /// Lays out all animations, and adds a sequence for each that plays none of the given ones.
    pub(crate) fn new(
        data: &'a Data<'a>,
        sequences: &mut Vec<Sequence>,
        report: &mut Report,
    ) -> Result<Self> {
        let document: &Document = data.document;
        let clips = sequences.iter().map(|it| Clip { start: it.start }).collect();
        let mut timeline = Self { data, clips, plays: Vec::new(), inputs: RefCell::default() };
        let mut free: Vec<bool> = vec![true; sequences.len()];
        let last = sequences.iter().map(|it| it.end).max();
        let mut start = last.map_or(0, |end| end.saturating_add(GAP));
        for (index, animation) in document.animations.iter().enumerate() {
            if let Some(known) = given(animation, sequences, &free) {
                timeline.plays.push(known);
                if let Some(free) = free.get_mut(known) {
                    *free = false;
                }
                continue;
            }
            let (mut first, mut length) = (f32::INFINITY, 0.0_f32);
            for sampler in &animation.samplers {
                if let Ok(times) = timeline.times(sampler.input)
                    && let (Some(begin), Some(end)) = (times.first(), times.last())
                {
                    (first, length) = (begin.min(first), end.max(length));
                }
            }
            if length > LONGEST {
                report.approximated(format!("animations[{index}]"), "longer than a day, and cut there");
            }
            let too_long = || Error::new(Kind::Limit, "all animations together are too long");
            let end = start.checked_add(ending(length)).ok_or_else(too_long)?;
            timeline.clips.push(Clip { start });
            timeline.plays.push(sequences.len());
            free.push(false);
            let name =
                if animation.name.is_empty() { format!("Animation {index}") } else { animation.name.clone() };
            let stated = animation.extras.get("looping").and_then(|it| it.truth());
            let looping = stated.unwrap_or(true);
            let mut sequence = Sequence { name, start, end, looping, ..Sequence::default() };
            // Conversions into other games go by the name unless the file says it.
            if let Some(stated) = stated {
                sequence.extras.set("loops", stated);
            }
            // So do they leave out the wait before the first key: programs whose first frame is 1 export one.
            let (nearest, later) = milliseconds(first);
            let wait = nearest.saturating_sub(i32::from(later < 0.0));
            if wait > 0 && wait < end.saturating_sub(start) {
                sequence.extras.set("wait", i64::from(wait));
            }
            sequences.push(sequence);
            start = end.checked_add(GAP).ok_or_else(too_long)?;
        }
        Ok(timeline)
    }

    /// Key times in seconds. Each accessor is read once: all channels of a clip usually share it.
    pub(crate) fn times(&self, accessor: usize) -> Result<Rc<Vec<f32>>> {
        if let Some(known) = self.inputs.borrow().get(&accessor) {
            return Ok(Rc::clone(known));
        }
        let times = Rc::new(self.data.scalars(accessor)?);
        let sound = times.iter().all(|time| time.is_finite() && *time >= 0.0) && times.is_sorted();
        if !sound {
            return Err(Error::new(Kind::Malformed, format!("accessors[{accessor}]: times do not ascend")));
        }
        self.inputs.borrow_mut().insert(accessor, Rc::clone(&times));
        Ok(times)
    }

    /// The keys of a sampler, each turned into a value; `turn` is applied to tangents.
    pub(crate) fn piece<const N: usize, T: Key>(
        &self,
        clip: usize,
        sampler: &AnimationSamplerJson,
        value: impl Fn([f32; N]) -> T,
        tangent: impl Fn([f32; N]) -> T,
    ) -> Result<Piece<T>> {
        let times = self.times(sampler.input)?;
        let mode = match sampler.interpolation.as_deref() {
            Some("STEP") => Mode::Step,
            Some("CUBICSPLINE") => Mode::Cubic,
            _ => Mode::Linear,
        };
        let too_few = || {
            let text = format!("accessors[{}] has fewer values than there are keys", sampler.output);
            Error::new(Kind::Malformed, text)
        };
        let (mut values, mut tangents) = (Vec::new(), Vec::new());
        if mode == Mode::Cubic {
            let output = self.data.floats::<N>(sampler.output)?;
            if output.len() < times.len().saturating_mul(3) {
                return Err(too_few());
            }
            for [into, at, out] in output.as_chunks::<3>().0.iter().take(times.len()) {
                values.push(value(*at));
                tangents.push([tangent(*into), tangent(*out)]);
            }
        } else {
            values = self.data.mapped(sampler.output, value)?;
            if values.len() < times.len() {
                return Err(too_few());
            }
            values.truncate(times.len());
        }
        Ok(Piece { clip, mode, times, values, tangents })
    }

    /// One track from the pieces of all clips. In clips without a piece the property has its rest value. None: it always
    /// has it.
    pub(crate) fn join<T: Key>(&self, pieces: &[Piece<T>], rest: T) -> Result<Option<Track<T>>> {
        if pieces.iter().all(|piece| piece.is_still(rest)) {
            return Ok(None);
        }
        let keys: usize = pieces.iter().map(|piece| piece.values.len()).sum();
        self.data.spend(keys.saturating_add(self.clips.len()), 16 + size_of::<T>())?;
        let any = |mode: Mode| pieces.iter().any(|piece| piece.mode == mode);
        let interpolation = if any(Mode::Cubic) {
            Interpolation::Hermite
        } else if any(Mode::Linear) {
            Interpolation::Linear
        } else {
            Interpolation::Step
        };
        let mut track = Track { interpolation, default: rest, ..Track::default() };
        track.times.reserve_exact(keys);
        track.values.reserve_exact(keys);
        let mut next = pieces.iter().peekable();
        for (index, clip) in self.clips.iter().enumerate() {
            let first = u32::try_from(track.times.len()).unwrap_or(u32::MAX);
            let mut piece = None;
            while next.peek().is_some_and(|piece| piece.clip <= index) {
                piece = next.next().filter(|it| it.clip == index && !it.values.is_empty()).or(piece);
            }
            match piece {
                Some(piece) => piece.add_to(&mut track, clip.start),
                None => track.push((clip.start, 0.0), rest),
            }
            let last = u32::try_from(track.times.len().saturating_sub(1)).unwrap_or(u32::MAX);
            track.windows.push([first, last]);
        }
        Ok(Some(track))
    }
}

trait Push<T> {
    fn push(&mut self, time: (i32, f32), value: T);
}

impl<T: Key> Push<T> for Track<T> {
    fn push(&mut self, (time, fraction): (i32, f32), value: T) {
        self.push_time(time, fraction);
        self.values.push(value);
        if self.interpolation.is_spline() {
            self.tangents.push([T::change(value, value); 2]);
        }
    }
}

impl<T: Key> Piece<T> {
    fn is_still(&self, rest: T) -> bool {
        self.values.iter().all(|value| value.is_near(rest))
            && self.tangents.iter().flatten().all(|tangent| tangent.is_near(T::change(rest, rest)))
    }

    /// Adds the keys to a track whose kind may be richer: steps become two keys at one time, straight lines become splines.
    fn add_to(&self, track: &mut Track<T>, start: i32) {
        let at = |time: f32| {
            let (time, fraction) = milliseconds(time);
            (start.saturating_add(time), fraction)
        };
        let step_in_lines = self.mode == Mode::Step && track.interpolation != Interpolation::Step;
        let mut before: Option<(f32, T, T)> = None;
        for (key, (time, value)) in self.times.iter().zip(&self.values).enumerate() {
            if let Some((_, last, _)) = before.filter(|_| step_in_lines) {
                track.push(at(*time), last);
            }
            track.push(at(*time), *value);
            let [into, out] = self.tangents.get(key).copied().unwrap_or_default();
            if track.interpolation == Interpolation::Hermite
                && let Some((then, last, last_out)) = before.filter(|_| !step_in_lines)
            {
                // The scene's tangents are changes per segment.
                let duration = *time - then;
                let (leave, arrive) = if self.mode == Mode::Cubic {
                    (last_out.times(duration), into.times(duration))
                } else {
                    (T::change(last, *value), T::change(last, *value))
                };
                let count = track.tangents.len();
                if let Some([_, out]) = track.tangents.get_mut(count.wrapping_sub(2)) {
                    *out = leave;
                }
                if let Some([into, _]) = track.tangents.last_mut() {
                    *into = arrive;
                }
            }
            before = Some((*time, *value, out));
        }
    }
}

impl Piece<[f32; 4]> {
    /// Rotations: splines are sampled, everything is brought to unit length and turned by constants from both sides.
    pub(crate) fn into_rotations(self, place: impl Fn(Quat) -> Quat) -> Piece<Rotation> {
        let unit = |value: [f32; 4]| {
            let turn = Quat::from_array(value);
            if turn.length_squared() > 1e-12 { turn.normalize() } else { Quat::IDENTITY }
        };
        let done = |value: [f32; 4]| Rotation(place(unit(value)).to_array());
        if self.mode != Mode::Cubic {
            let values = self.values.iter().map(|value| done(*value)).collect();
            return Piece {
                clip: self.clip,
                mode: self.mode,
                times: self.times,
                values,
                tangents: Vec::new(),
            };
        }
        let (mut times, mut values) = (Vec::new(), Vec::new());
        let keys: Vec<_> = self.times.iter().zip(&self.values).zip(&self.tangents).collect();
        for pair in keys.windows(2) {
            let [((from, a), [_, out]), ((to, b), [into, _])] = pair else { continue };
            let duration = **to - **from;
            let curve = |share: f32| {
                let (t2, t3) = (share * share, share * share * share);
                let mut mixed = [0.0; 4];
                for (((slot, a), b), (out, into)) in
                    mixed.iter_mut().zip(**a).zip(**b).zip(out.iter().zip(into))
                {
                    *slot = (2.0 * t3 - 3.0 * t2 + 1.0) * a
                        + (t3 - 2.0 * t2 + share) * duration * out
                        + (3.0 * t2 - 2.0 * t3) * b
                        + (t3 - t2) * duration * into;
                }
                unit(mixed)
            };
            // Halves until straight turns are close enough, down to about a millisecond.
            let steps = milliseconds(**to).0.saturating_sub(milliseconds(**from).0).max(1);
            let share = |step: i32| step as f32 / steps as f32;
            let mut open = vec![(0_i32, steps)];
            while let Some((first, last)) = open.pop() {
                let middle = i32::midpoint(first, last);
                let (a, b) = (curve(share(first)), curve(share(last)));
                let bent = |step: i32| {
                    let part = (step - first) as f32 / (last - first).max(1) as f32;
                    apart(a.slerp(b, part), curve(share(step))) > TURN_ERROR
                };
                let quarter = i32::midpoint(first, middle);
                if middle > first && (bent(middle) || bent(quarter)) {
                    open.push((middle, last));
                    open.push((first, middle));
                } else {
                    times.push(**from + duration * share(first));
                    values.push(Rotation(place(a).to_array()));
                }
            }
        }
        if let Some(((time, value), _)) = keys.last() {
            times.push(**time);
            values.push(done(**value));
        }
        Piece { clip: self.clip, mode: Mode::Linear, times: Rc::new(times), values, tangents: Vec::new() }
    }
}

impl Key for [f32; 4] {
    fn change(_: Self, to: Self) -> Self {
        to
    }
    fn times(self, factor: f32) -> Self {
        self.map(|value| value * factor)
    }
    fn is_near(self, other: Self) -> bool {
        self.iter().zip(other).all(|(a, b)| near(*a, b))
    }
}

#[cfg(test)]
mod tests;
