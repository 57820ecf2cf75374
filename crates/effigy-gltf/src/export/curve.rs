//! From a track of the scene to keys of a glTF animation.
//!
//! A clip is cut into pieces at its ends and at every key inside. On each piece the game's curve is one polynomial or
//! one arc, so its ends (and the slopes there) say everything: straight and stepped tracks and splines of numbers
//! arrive exactly, whatever rule the game has before the first and after the last key. Where the curve jumps, the
//! piece before ends one millisecond early. Splines of rotations are another kind of curve than glTF's and are
//! sampled until the error is below a bound.

use effigy_scene::sample::{Moment, Sampler, Segment, Value};
use effigy_scene::{GlobalSequence, Id, Interpolation, Rotation, Sequence, Track};
use glam::Quat;

/// More pieces than this are not made from repeated global sequences: they are sampled instead.
const MOST_PIECES: usize = 4096;
/// Cubic pieces that move have at least so many parts, where tolerance counts.
const LEAST_PARTS: u32 = 4;
/// A jump needs this much room before it, in milliseconds.
const JUMP: f64 = 1.0;

/// What plays in an animation.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Clip {
    /// A sequence; with `unroll`, global clocks start with it.
    Sequence { id: Id<Sequence>, length: f64, unroll: bool },
    /// A global sequence alone.
    Global { id: Id<GlobalSequence>, length: f64 },
}

impl Clip {
    pub(crate) const fn length(&self) -> f64 {
        match self {
            Self::Sequence { length, .. } | Self::Global { length, .. } => *length,
        }
    }

    pub(crate) const fn moment(&self, time: f64) -> Moment {
        match self {
            Self::Sequence { id, .. } => Moment { sequence: Some(*id), time, clock: time },
            Self::Global { .. } => Moment { sequence: None, time: 0.0, clock: time },
        }
    }

    /// Whether a track moves in this clip.
    pub(crate) fn plays<T>(&self, track: &Track<T>) -> bool {
        match (self, track.global) {
            (Self::Sequence { .. }, None) => true,
            (Self::Sequence { unroll, .. }, Some(_)) => *unroll,
            (Self::Global { id, .. }, global) => global == Some(*id),
        }
    }

    /// Adds the times inside the clip at which a track has keys. False when there are too many.
    pub(crate) fn key_times<T>(&self, sampler: &Sampler<'_>, track: &Track<T>, times: &mut Vec<f64>) -> bool {
        let length = self.length();
        let inside = |time: f64| (time > 0.0 && time < length).then_some(time);
        let moment = self.moment(0.0);
        let Some((first, last)) = sampler.window(track, &moment) else { return true };
        // The next key after the window ends the last piece of formats that reach for it.
        let keys =
            track.times.get(first..=(last + 1).min(track.times.len().saturating_sub(1))).unwrap_or(&[]);
        let period = track
            .global
            .and_then(|id| sampler.scene().global_sequences.get(id))
            .map(|it| f64::from(it.length));
        match (self, period) {
            (Self::Sequence { .. }, Some(period)) if period > 0.0 => {
                let rounds = (length / period).ceil();
                if rounds * (keys.len() as f64 + 1.0) > MOST_PIECES as f64 {
                    return false;
                }
                let mut start = 0.0;
                while start < length {
                    times.extend(inside(start));
                    let keys = keys.iter().map(|time| f64::from(*time)).filter(|time| *time < period);
                    times.extend(keys.filter_map(|time| inside(start + time)));
                    start += period;
                }
            }
            (Self::Sequence { id, .. }, None) => {
                let start = sampler.scene().sequences.get(*id).map_or(0.0, |it| f64::from(it.start));
                times.extend(keys.iter().filter_map(|time| inside(f64::from(*time) - start)));
            }
            _ => times.extend(keys.iter().filter_map(|time| inside(f64::from(*time)))),
        }
        true
    }

    /// Times of evenly spaced samples inside the clip.
    pub(crate) fn even_times(&self, fps: f32, times: &mut Vec<f64>) {
        let step = 1000.0 / f64::from(fps.clamp(1.0, 1000.0));
        let mut time = step;
        while time < self.length() {
            times.push(time);
            time += step;
        }
    }

    /// Both ends and the given times, ascending, each once.
    pub(crate) fn boundaries(&self, mut times: Vec<f64>) -> Vec<f64> {
        times.push(0.0);
        times.push(self.length());
        times.sort_by(f64::total_cmp);
        times.dedup_by(|a, b| (*a - *b).abs() < 1e-6);
        times
    }
}

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

/// Numbers whose curves have slopes.
pub(crate) trait Smooth: Value + PartialEq {
    const ZERO: Self;
    fn scaled(self, factor: f32) -> Self;
    fn differs(self, other: Self) -> bool;
    /// Largest difference of any number.
    fn distance(self, other: Self) -> f32;
    /// Change per whole segment at `t`.
    fn slope(kind: Interpolation, a: Self, out: Self, into: Self, b: Self, t: f32) -> Self;
}

impl Smooth for f32 {
    const ZERO: Self = 0.0;
    fn scaled(self, factor: f32) -> Self {
        self * factor
    }
    fn differs(self, other: Self) -> bool {
        (self - other).abs() > 1e-5 * (1.0 + self.abs().max(other.abs()))
    }
    fn distance(self, other: Self) -> f32 {
        (self - other).abs()
    }
    fn slope(kind: Interpolation, a: Self, out: Self, into: Self, b: Self, t: f32) -> Self {
        match kind {
            Interpolation::Hermite => {
                let flat = 6.0 * t * (1.0 - t);
                flat * (b - a) + (3.0 * t * t - 4.0 * t + 1.0) * out + (3.0 * t * t - 2.0 * t) * into
            }
            Interpolation::Bezier => {
                let s = 1.0 - t;
                3.0 * (s * s * (out - a) + 2.0 * s * t * (into - out) + t * t * (b - into))
            }
            Interpolation::Linear => b - a,
            Interpolation::Step => 0.0,
        }
    }
}

impl Smooth for [f32; 3] {
    const ZERO: Self = [0.0; 3];
    fn scaled(self, factor: f32) -> Self {
        self.map(|x| x * factor)
    }
    fn differs(self, other: Self) -> bool {
        self.into_iter().zip(other).any(|(a, b)| a.differs(b))
    }
    fn distance(self, other: Self) -> f32 {
        self.into_iter().zip(other).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
    }
    fn slope(kind: Interpolation, [a, b, c]: Self, out: Self, into: Self, [x, y, z]: Self, t: f32) -> Self {
        let ([oa, ob, oc], [ia, ib, ic]) = (out, into);
        [
            f32::slope(kind, a, oa, ia, x, t),
            f32::slope(kind, b, ob, ib, y, t),
            f32::slope(kind, c, oc, ic, z, t),
        ]
    }
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
    let unit = |rotation: Rotation| Rotation(unit(rotation).to_array());
    for (index, piece) in pieces.iter().enumerate() {
        curve.push(piece.start, unit(piece.value(track, piece.start)), unused);
        if step || piece.end <= piece.start {
            continue;
        }
        let jump = pieces
            .get(index + 1)
            .is_some_and(|next| angle(next.value(track, next.start), piece.value(track, piece.end)) > 1e-4);
        let end = if jump { before_jump(piece) } else { piece.end };
        let parts = if piece.segment.is_some_and(|it| it.from != it.to) {
            // Some programs (Blender) mix the four numbers of a rotation one by one: keys stand close enough for that.
            let (parts, error) = subdivide(
                piece,
                end,
                fineness,
                |time| unit(piece.value(track, time)),
                |a, b, t, truth| angle(mixed(a, b, t), truth),
            );
            if track.interpolation.is_spline() {
                worst = worst.max(error);
            }
            parts
        } else {
            1
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
            for within in [0.25_f32, 0.5, 0.75] {
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

/// The four numbers mixed one by one.
fn mixed(a: Rotation, b: Rotation, t: f32) -> Rotation {
    let (a, b) = (Quat::from_array(a.0), Quat::from_array(b.0));
    let b = if a.dot(b) < 0.0 { -b } else { b };
    Rotation((a + (b - a) * t).to_array())
}

/// The angle between two rotations in radians.
fn angle(a: Rotation, b: Rotation) -> f32 {
    let (a, b) = (unit(a), unit(b));
    let b = if a.dot(b) < 0.0 { -b } else { b };
    // The chord is precise where the cosine is not.
    4.0 * ((a - b).length() * 0.5).min(1.0).asin()
}

#[cfg(test)]
mod tests {
    use super::*;
    use effigy_scene::{KeyRule, Scene, validate};

    fn scene(length: i32) -> Scene {
        let mut scene = Scene { key_rule: KeyRule::Wrap, ..Scene::default() };
        scene.sequences.push(Sequence {
            name: "Stand".into(),
            start: 100,
            end: 100 + length,
            ..Sequence::default()
        });
        scene
    }

    fn clip(length: i32) -> Clip {
        Clip::Sequence { id: Id::new(0), length: f64::from(length), unroll: false }
    }

    /// A cubic of glTF between two keys.
    fn play(curve: &Curve<f32>, time: f32) -> f32 {
        let next = curve.times.partition_point(|it| *it <= time).clamp(1, curve.times.len() - 1);
        if curve.times.last() == Some(&time) {
            return curve.values[curve.values.len() - 1];
        }
        let (t0, t1) = (curve.times[next - 1], curve.times[next]);
        let (d, t) = (t1 - t0, (time - t0) / (t1 - t0));
        let (a, b) = (curve.values[next - 1], curve.values[next]);
        match curve.mode {
            Mode::Step => a,
            Mode::Linear => a + (b - a) * t,
            Mode::Cubic => {
                f32::hermite(a, d * curve.tangents[next - 1][1], d * curve.tangents[next][0], b, t)
            }
        }
    }

    fn agrees(track: &Track<f32>, length: i32, tolerance: f32) -> Curve<f32> {
        let scene = scene(length);
        let info = validate(&scene).unwrap();
        let sampler = Sampler::new(&scene, &info);
        let curve = numbers(&sampler, &clip(length), track, Fineness { fps: 60.0, tolerance });
        assert!(curve.times.is_sorted_by(|a, b| a < b), "{:?}", curve.times);
        for ms in 0..=length {
            let expected = sampler.track(track, &Moment::new(Id::new(0), f64::from(ms)));
            let found =
                if curve.values.len() == 1 { curve.values[0] } else { play(&curve, ms as f32 / 1000.0) };
            assert!(
                (found - expected).abs() < 2e-3 * (1.0 + expected.abs()),
                "{ms} ms: {found}, not {expected}"
            );
        }
        curve
    }

    fn spline(interpolation: Interpolation) -> Track<f32> {
        Track {
            interpolation,
            tangents: vec![[1.0, 2.0], [-3.0, 4.0], [0.5, -6.0], [2.0, 2.0]],
            ..Track::linear(vec![150, 300, 420, 900], vec![0.0, 5.0, -2.0, 3.0], 0.0)
        }
    }

    #[test]
    fn splines_play_in_gltf_as_in_the_game_at_every_millisecond() {
        for interpolation in [Interpolation::Hermite, Interpolation::Bezier] {
            let exact = agrees(&spline(interpolation), 1000, f32::MAX);
            assert_eq!(exact.mode, Mode::Cubic);
            let finer = agrees(&spline(interpolation), 1000, 0.01);
            assert!(
                finer.times.len() > 2 * exact.times.len(),
                "{} keys, {}",
                finer.times.len(),
                exact.times.len()
            );
        }
    }

    #[test]
    fn straight_and_stepped_tracks_keep_their_kind_and_reach_both_ends() {
        let linear = Track::linear(vec![100, 400, 1100], vec![1.0, 2.0, 5.0], 0.0);
        let curve = agrees(&linear, 1000, 0.0);
        assert_eq!((curve.mode, curve.times), (Mode::Linear, vec![0.0, 0.3, 1.0]));
        let inner = Track::linear(vec![300, 400], vec![1.0, 2.0], 0.0);
        assert_eq!(agrees(&inner, 1000, 0.0).times.last(), Some(&1.0));
        let step = Track { interpolation: Interpolation::Step, ..linear };
        assert_eq!(agrees(&step, 1000, 0.0).mode, Mode::Step);
    }

    #[test]
    fn a_value_that_never_changes_is_one_key() {
        assert_eq!(
            agrees(&Track::linear(vec![100, 1100], vec![4.0, 4.0], 0.0), 1000, 0.0).constant(),
            Some(4.0)
        );
        assert_eq!(
            agrees(&Track::linear(vec![0, 5000], vec![1.0, 2.0], 7.0), 1000, 0.0).constant(),
            Some(7.0)
        );
    }

    #[test]
    fn sampled_rotations_stay_within_the_stated_error() {
        let turn =
            |x: f32, z: f32| Rotation((Quat::from_rotation_x(x) * Quat::from_rotation_z(z)).to_array());
        let track = Track {
            interpolation: Interpolation::Hermite,
            tangents: vec![[turn(0.5, 0.1), turn(-0.4, 0.6)], [turn(1.0, 1.0), turn(2.0, 0.0)]],
            ..Track::linear(vec![100, 1100], vec![turn(0.0, 0.0), turn(1.2, -0.9)], Rotation::IDENTITY)
        };
        let scene = scene(1000);
        let info = validate(&scene).unwrap();
        let sampler = Sampler::new(&scene, &info);
        let fineness = Fineness { fps: 60.0, tolerance: 0.002 };
        let (curve, error) = rotations(&sampler, &clip(1000), &track, fineness);
        assert!(error <= 0.002 && curve.times.len() > 3);
        for ms in 0..1000 {
            let time = ms as f32 / 1000.0;
            let next = curve.times.partition_point(|it| *it <= time).clamp(1, curve.times.len() - 1);
            let t = (time - curve.times[next - 1]) / (curve.times[next] - curve.times[next - 1]);
            let found = Rotation::mix(curve.values[next - 1], curve.values[next], t);
            let expected = sampler.track(&track, &Moment::new(Id::new(0), f64::from(ms)));
            assert!(angle(found, expected) < 0.003, "{ms} ms");
        }
    }
}
