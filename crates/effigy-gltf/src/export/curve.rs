//! From a track of the scene to keys of a glTF animation.
//!
//! A clip is cut into pieces at its ends and at every key inside. On each piece the game's curve is one polynomial or
//! one arc, so its ends (and the slopes there) say everything: straight and stepped tracks and splines of numbers
//! arrive exactly, whatever rule the game has before the first and after the last key. Where the curve jumps, the
//! piece before ends one millisecond early. Splines of rotations are another kind of curve than glTF's and are
//! sampled until the error is below a bound.

use super::clip::Clip;
use super::smooth::Smooth;
use effigy_scene::sample::{Sampler, Segment, Value};
use effigy_scene::{Interpolation, Rotation, Track};
use glam::Quat;

/// Cubic pieces that move have at least so many parts, where tolerance counts.
const LEAST_PARTS: u32 = 4;
/// A jump needs this much room before it, in milliseconds.
const JUMP: f64 = 1.0;

/// How keys are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    Step,
    Linear,
    Cubic,
}

impl Mode {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Step => "STEP",
            Self::Linear => "LINEAR",
            Self::Cubic => "CUBICSPLINE",
        }
    }
}

/// Keys of an animation: seconds from its start.
#[derive(Clone, Debug)]
pub(crate) struct Curve<T> {
    pub mode: Mode,
    pub times: Vec<f32>,
    pub values: Vec<T>,
    /// In and out, per second; only for [`Mode::Cubic`].
    pub tangents: Vec<[T; 2]>,
}

impl<T: Copy + PartialEq> Curve<T> {
    fn new(mode: Mode) -> Self {
        Self { mode, times: Vec::new(), values: Vec::new(), tangents: Vec::new() }
    }

    /// Adds a key. A time that single precision cannot tell from the last one takes its place.
    fn push(&mut self, milliseconds: f64, value: T, tangents: [T; 2]) {
        let time = seconds(milliseconds);
        if self.times.last().is_some_and(|last| *last >= time) {
            if let Some(last) = self.values.last_mut() {
                *last = value;
            }
            if self.mode == Mode::Cubic
                && let Some(last) = self.tangents.last_mut()
            {
                last[1] = tangents[1];
            }
            return;
        }
        self.times.push(time);
        self.values.push(value);
        if self.mode == Mode::Cubic {
            self.tangents.push(tangents);
        }
    }

    /// The value when there is only one key.
    pub(crate) fn constant(&self) -> Option<T> {
        match self.values.as_slice() {
            [only] => Some(*only),
            _ => None,
        }
    }

    /// Keeps one key when the value never changes. `flat` is the tangent of rest.
    fn collapse(mut self, flat: T) -> Self {
        let Some(first) = self.values.first().copied() else { return self };
        if self.values.iter().all(|value| *value == first)
            && self.tangents.iter().flatten().all(|it| *it == flat)
        {
            self.mode = if self.mode == Mode::Cubic { Mode::Linear } else { self.mode };
            self.times.truncate(1);
            self.values.truncate(1);
            self.tangents.clear();
        }
        self
    }

    /// The same keys with other values.
    pub(crate) fn map<U>(self, value: impl Fn(T) -> U, tangent: impl Fn(T) -> U) -> Curve<U> {
        Curve {
            mode: self.mode,
            times: self.times,
            values: self.values.into_iter().map(value).collect(),
            tangents: self.tangents.into_iter().map(|pair| pair.map(&tangent)).collect(),
        }
    }
}

#[allow(clippy::cast_possible_truncation, reason = "glTF times are single precision")]
pub(crate) fn seconds(milliseconds: f64) -> f32 {
    (milliseconds / 1000.0) as f32
}

/// One polynomial or arc of the curve between two times.
struct Piece {
    start: f64,
    end: f64,
    /// None: the track's default holds.
    segment: Option<Segment>,
}

impl Piece {
    /// The segment's ratio at a time.
    #[allow(clippy::cast_possible_truncation, reason = "a ratio of times")]
    fn ratio(&self, time: f64) -> f32 {
        let Some(segment) = &self.segment else { return 0.0 };
        if segment.duration <= 0.0 {
            return 0.0;
        }
        let middle = f64::midpoint(self.start, self.end);
        (f64::from(segment.t) + (time - middle) / segment.duration) as f32
    }

    fn value<T: Value>(&self, track: &Track<T>, time: f64) -> T {
        match &self.segment {
            Some(segment) => Sampler::within(track, segment, self.ratio(time)),
            None => track.default,
        }
    }

    /// Change per second.
    fn slope<T: Smooth>(&self, track: &Track<T>, time: f64) -> T {
        let Some(segment) = self.segment.filter(|segment| segment.from != segment.to) else { return T::ZERO };
        let (Some(a), Some(b)) = (track.values.get(segment.from), track.values.get(segment.to)) else {
            return T::ZERO;
        };
        let (out, into) = match (track.tangents.get(segment.from), track.tangents.get(segment.to)) {
            (Some([_, out]), Some([into, _])) => (*out, *into),
            _ => (*a, *b),
        };
        let per_second = seconds(1e6 / segment.duration);
        T::slope(track.interpolation, *a, out, into, *b, self.ratio(time)).scaled(per_second)
    }
}

fn pieces<T>(sampler: &Sampler<'_>, clip: &Clip, track: &Track<T>, fps: f32) -> Vec<Piece> {
    let mut times = Vec::new();
    if !clip.key_times(sampler, track, &mut times) {
        times.clear();
        clip.even_times(fps, &mut times);
    }
    let bounds = clip.boundaries(times);
    if bounds.len() == 1 {
        let segment = sampler.segment(track, &clip.moment(0.0));
        return vec![Piece { start: 0.0, end: 0.0, segment }];
    }
    bounds
        .iter()
        .zip(bounds.iter().skip(1))
        .map(|(start, end)| Piece {
            start: *start,
            end: *end,
            segment: sampler.segment(track, &clip.moment(f64::midpoint(*start, *end))),
        })
        .collect()
}

/// The value of a stepped track at the end of a clip: a key there counts.
fn last_step<T: Value>(sampler: &Sampler<'_>, clip: &Clip, track: &Track<T>, last: &Piece) -> T {
    if track.global.is_none() {
        sampler.track(track, &clip.moment(last.end))
    } else {
        last.value(track, last.end)
    }
}

/// Where a piece ends when the next one starts elsewhere.
fn before_jump(piece: &Piece) -> f64 {
    piece.end - JUMP.min((piece.end - piece.start) * 0.5)
}

/// How finely curves are cut.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fineness {
    /// Keys a second, at most.
    pub fps: f32,
    /// What a player that draws straight lines between keys may be off by.
    pub tolerance: f32,
}

/// The keys of a track of numbers in a clip: exact. Splines get more keys on the same curve until straight lines
/// between them would do too, since some programs (Blender) leave tangents out of account.
pub(crate) fn numbers<T: Smooth>(
    sampler: &Sampler<'_>,
    clip: &Clip,
    track: &Track<T>,
    fineness: Fineness,
) -> Curve<T> {
    let mode = match track.interpolation {
        Interpolation::Step => Mode::Step,
        Interpolation::Linear => Mode::Linear,
        _ => Mode::Cubic,
    };
    let pieces = pieces(sampler, clip, track, fineness.fps);
    let mut curve = Curve::new(mode);
    let slope =
        |piece: &Piece, time: f64| if mode == Mode::Cubic { piece.slope(track, time) } else { T::ZERO };
    let mut arriving = T::ZERO;
    let mut bent = false;
    for (index, piece) in pieces.iter().enumerate() {
        let start = piece.value(track, piece.start);
        curve.push(piece.start, start, [arriving, slope(piece, piece.start)]);
        if mode == Mode::Step || piece.end <= piece.start {
            continue;
        }
        let end = piece.value(track, piece.end);
        if mode == Mode::Cubic && piece.segment.is_some_and(|it| it.from != it.to) {
            let (parts, _) = subdivide(
                piece,
                piece.end,
                fineness,
                |time| piece.value(track, time),
                |a, b, t, truth| T::mix(a, b, t).distance(truth),
            );
            bent |= parts > 1;
            // A straight stretch between bent ones needs keys too: without tangents it would be rounded.
            let parts = if start.differs(end) && fineness.tolerance < f32::MAX {
                parts.max(LEAST_PARTS)
            } else {
                parts
            };
            for part in 1..parts {
                let time = piece.start + (piece.end - piece.start) * (f64::from(part) / f64::from(parts));
                let slope = slope(piece, time);
                curve.push(time, piece.value(track, time), [slope, slope]);
            }
        }
        arriving = slope(piece, piece.end);
        match pieces.get(index + 1) {
            None => curve.push(piece.end, end, [arriving, T::ZERO]),
            Some(next) if next.value(track, next.start).differs(end) => {
                let time = before_jump(piece);
                let leaving = slope(piece, time);
                curve.push(time, piece.value(track, time), [leaving, T::ZERO]);
                arriving = T::ZERO;
            }
            Some(_) => {}
        }
    }
    if mode == Mode::Step
        && let Some(last) = pieces.last()
    {
        curve.push(last.end, last_step(sampler, clip, track, last), [T::ZERO; 2]);
    }
    if mode == Mode::Cubic && !bent && fineness.tolerance < f32::MAX {
        // Every piece is straight: said as such, no program can mistake it.
        return numbers(
            sampler,
            clip,
            &Track { interpolation: Interpolation::Linear, tangents: Vec::new(), ..track.clone() },
            fineness,
        );
    }
    curve.collapse(T::ZERO)
}

/// The keys of a rotation in a clip, and the largest error in radians where they had to be sampled.
pub(crate) fn rotations(
    sampler: &Sampler<'_>,
    clip: &Clip,
    track: &Track<Rotation>,
    fineness: Fineness,
) -> (Curve<Rotation>, f32) {
    let step = track.interpolation == Interpolation::Step;
    let mut curve = Curve::new(if step { Mode::Step } else { Mode::Linear });
    let pieces = pieces(sampler, clip, track, fineness.fps);
    let mut worst = 0.0_f32;
    let unused = [Rotation::IDENTITY; 2];
    let unit_quat = unit;
    let unit = |rotation: Rotation| Rotation(unit_quat(rotation).to_array());
    for (index, piece) in pieces.iter().enumerate() {
        curve.push(piece.start, unit(piece.value(track, piece.start)), unused);
        if step || piece.end <= piece.start {
            continue;
        }
        let jump = pieces
            .get(index + 1)
            .is_some_and(|next| angle(next.value(track, next.start), piece.value(track, piece.end)) > 1e-4);
        let end = if jump { before_jump(piece) } else { piece.end };
        // Some programs (Blender) mix the four numbers of a rotation one by one: keys stand close enough for that.
        let parts = match piece.segment.filter(|it| it.from != it.to) {
            None => 1,
            Some(_) if track.interpolation == Interpolation::Linear => {
                arcs(piece.value(track, piece.start), piece.value(track, end), fineness.tolerance)
            }
            Some(_) => {
                let value = |time: f64| unit(piece.value(track, time));
                let chord = chord_of(fineness.tolerance);
                let (parts, error) = subdivide(
                    piece,
                    end,
                    Fineness { tolerance: chord, ..fineness },
                    value,
                    |a, b, t, truth| chord_between(mixed(a, b, t), Quat::from_array(truth.0)),
                );
                worst = worst.max(angle_of(error));
                parts
            }
        };
        for part in 1..=parts {
            if part == parts && !jump && index + 1 < pieces.len() {
                break;
            }
            let time = piece.start + (end - piece.start) * (f64::from(part) / f64::from(parts));
            curve.push(time, unit(piece.value(track, time)), unused);
        }
    }
    if step && let Some(last) = pieces.last() {
        curve.push(last.end, unit(last_step(sampler, clip, track, last)), unused);
    }
    // The neighbours of a key must lie on its side of the sphere: glTF players may mix components.
    let mut before = Quat::IDENTITY;
    for value in &mut curve.values {
        let rotation = Quat::from_array(value.0);
        let rotation = if rotation.dot(before) < 0.0 { -rotation } else { rotation };
        before = rotation;
        *value = Rotation(rotation.to_array());
    }
    (curve.collapse(Rotation::IDENTITY), worst)
}

/// In how many parts a piece is cut, and the error that straight lines between them leave.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count from a ratio of times")]
fn subdivide<T: Copy>(
    piece: &Piece,
    end: f64,
    fineness: Fineness,
    at: impl Fn(f64) -> T,
    error: impl Fn(T, T, f32, T) -> f32,
) -> (u32, f32) {
    let length = end - piece.start;
    // Fast motion between close keys needs more than the frame rate gives: a few parts are always allowed.
    let most = (length * f64::from(fineness.fps) / 1000.0).ceil().clamp(8.0, 100_000.0) as u32;
    let mut parts = 1_u32;
    loop {
        let at = |part: f64| at(piece.start + length * (part / f64::from(parts)));
        let mut worst = 0.0_f32;
        let mut left = at(0.0);
        for part in 0..parts {
            let right = at(f64::from(part) + 1.0);
            // Bows are largest in the middle, S shapes at the quarters: the thirds see both.
            for within in [0.34_f32, 0.66] {
                worst = worst.max(error(left, right, within, at(f64::from(part) + f64::from(within))));
            }
            left = right;
            if worst > fineness.tolerance && parts < most {
                break;
            }
        }
        if worst <= fineness.tolerance || parts >= most {
            return (parts, worst);
        }
        parts = (parts * 2).min(most);
    }
}

/// The same rotation with unit length.
pub(crate) fn unit_rotation(rotation: Rotation) -> Rotation {
    if rotation == Rotation::IDENTITY { rotation } else { Rotation(unit(rotation).to_array()) }
}

fn unit(rotation: Rotation) -> Quat {
    let q = Quat::from_array(rotation.0);
    if q.length_squared() > 1e-12 { q.normalize() } else { Quat::IDENTITY }
}

/// In how many parts an arc is cut so that mixing its numbers one by one is off by no more than `tolerance`.
///
/// For quaternions `angle` apart the error of the rotation is close to 0.0318 times the cube of that angle.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a small count from a ratio")]
fn arcs(a: Rotation, b: Rotation, tolerance: f32) -> u32 {
    let half = angle(a, b) * 0.5;
    let step = (tolerance / 0.0318).cbrt().max(1e-3);
    (half / step).ceil().clamp(1.0, 4096.0) as u32
}

/// The four numbers mixed one by one, with unit length again.
fn mixed(a: Rotation, b: Rotation, t: f32) -> Quat {
    let (a, b) = (Quat::from_array(a.0), Quat::from_array(b.0));
    let b = if a.dot(b) < 0.0 { -b } else { b };
    (a + (b - a) * t).normalize()
}

/// The distance between two unit quaternions that may differ in sign.
fn chord_between(a: Quat, b: Quat) -> f32 {
    (a - b).length_squared().min((a + b).length_squared()).sqrt()
}

/// The chord of a rotation's angle, and the angle of a chord.
fn chord_of(angle: f32) -> f32 {
    2.0 * (angle * 0.25).sin()
}
fn angle_of(chord: f32) -> f32 {
    4.0 * (chord * 0.5).min(1.0).asin()
}

/// The angle between two rotations in radians; by the chord, which is precise where the cosine is not.
fn angle(a: Rotation, b: Rotation) -> f32 {
    angle_of(chord_between(unit(a), unit(b)))
}

#[cfg(test)]
mod tests;
