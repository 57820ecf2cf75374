//! Rotations: straight arcs and sampled splines.

use super::pieces::{Course, Piece, course, is_stepped, last_step, subdivide};
use super::{Curve, Fineness, Mode};
use crate::export::clip::Clip;
use effigy_scene::sample::{Sampler, Turn};
use effigy_scene::{Interpolation, Rotation, Track, TurnRule};
use glam::Quat;

/// Ends further apart than this, in radians, are a jump.
const JUMP_ANGLE: f32 = 1e-4;

/// The keys of a rotation in a clip, and the largest error in radians where they had to be sampled.
pub(crate) fn rotations(
    sampler: &Sampler<'_>,
    clip: &Clip,
    track: &Track<Rotation>,
    fineness: Fineness,
) -> (Curve<Rotation>, f32) {
    let step = is_stepped(track);
    let mode = if step { Mode::Step } else { Mode::Linear };
    let pieces = match course(sampler, clip, track, fineness.fps) {
        Course::Still(value) => return (Curve::still(mode, unit_rotation(value)), 0.0),
        Course::Moving(pieces) => pieces,
    };
    let mut curve = Curve::with_room(mode, pieces.len() + 1);
    let mut worst = 0.0_f32;
    let unused = [Rotation::IDENTITY; 2];
    let arcs = Arcs::new(fineness.tolerance);
    let jump_chord = chord_of(JUMP_ANGLE);
    let mut between = Vec::new();
    let mut start =
        pieces.first().map_or(track.default, |piece| unit_rotation(piece.value(track, piece.start)));
    for (index, piece) in pieces.iter().enumerate() {
        curve.push(piece.start, start, unused);
        let next = pieces.get(index + 1).map(|next| unit_rotation(next.value(track, next.start)));
        if step || piece.end <= piece.start {
            start = next.unwrap_or(start);
            continue;
        }
        let mut stop = unit_rotation(piece.value(track, piece.end));
        let jump = next.is_some_and(|next| chord_between(quat(next), quat(stop)) > jump_chord);
        let mut end = piece.end;
        if jump {
            end = piece.before_jump();
            stop = unit_rotation(piece.value(track, end));
        }
        // Some programs (Blender) mix the four numbers of a rotation one by one: keys are close enough for that.
        between.clear();
        if piece.moves() {
            let way = turn(track, piece);
            let at = |time: f64| way.map_or(start, |way| way.at(piece.ratio(time)));
            if track.interpolation == Interpolation::Linear && arcs.join(track, piece) {
                let parts = arcs.parts(quat(start), quat(stop));
                let time =
                    |part: u32| piece.start + (end - piece.start) * (f64::from(part) / f64::from(parts));
                between.extend((0..=parts).map(|part| if part == parts { stop } else { at(time(part)) }));
            } else {
                let finer = Fineness { tolerance: chord_of(fineness.tolerance), ..fineness };
                // Players follow the arc or mix the numbers: keys are close enough for both.
                let off = |a: Rotation, b: Rotation, t, truth: Rotation| off_arc(a.0, b.0, t, truth.0);
                let error = subdivide(piece, end, finer, at, off, &mut between);
                worst = worst.max(angle_of(error));
            }
        } else {
            between.extend([start, stop]);
        }
        let parts = between.len().saturating_sub(1);
        // The end belongs to the next piece, unless that starts at another value or there is none.
        let own = if jump || next.is_none() { parts } else { parts.saturating_sub(1) };
        for (part, value) in between.iter().enumerate().skip(1).take(own) {
            let time = piece.start + (end - piece.start) * (part as f64 / parts as f64);
            curve.push(time, *value, unused);
        }
        start = next.unwrap_or(stop);
    }
    if step && let Some(last) = pieces.last() {
        curve.push(last.end, unit_rotation(last_step(sampler, clip, track, last)), unused);
    }
    // The neighbours of a key must lie on its side of the sphere: glTF players may mix components.
    let mut before = Quat::IDENTITY;
    for value in &mut curve.values {
        let rotation = quat(*value);
        let rotation = if rotation.dot(before) < 0.0 { -rotation } else { rotation };
        before = rotation;
        *value = Rotation(rotation.to_array());
    }
    (curve.collapse(Rotation::IDENTITY), worst)
}

/// How far a player is from a rotation that follows the arc between two others, or mixes their numbers: the larger chord.
pub(crate) fn off_arc(a: [f32; 4], b: [f32; 4], ratio: f32, truth: [f32; 4]) -> f32 {
    let truth = Quat::from_array(truth);
    let on_arc = Quat::from_array(a).slerp(Quat::from_array(b), ratio);
    let mixed = mixed(Rotation(a), Rotation(b), ratio);
    chord_between(mixed, truth).max(chord_between(on_arc, truth))
}

/// The chord, as [`off_arc`] measures it, of an angle in radians.
pub(crate) fn rotation_chord(angle: f32) -> f32 {
    chord_of(angle)
}

/// The way between the keys of a piece.
fn turn(track: &Track<Rotation>, piece: &Piece<'_>) -> Option<Turn> {
    let segment = piece.segment?;
    let (a, b) = (*track.values.get(segment.from)?, *track.values.get(segment.to)?);
    match (track.tangents.get(segment.from), track.tangents.get(segment.to)) {
        (Some([_, out]), Some([into, _])) if track.interpolation.is_spline() => {
            Some(Turn::spline(a, *out, *into, b))
        }
        _ => Some(Turn::straight(a, b, piece.sampler.scene().turn_rule)),
    }
}

/// The same rotation with unit length.
pub(crate) fn unit_rotation(rotation: Rotation) -> Rotation {
    if rotation == Rotation::IDENTITY {
        return rotation;
    }
    let q = quat(rotation);
    Rotation(if q.length_squared() > 1e-12 { q.normalize() } else { Quat::IDENTITY }.to_array())
}

fn quat(rotation: Rotation) -> Quat {
    Quat::from_array(rotation.0)
}

/// In how many parts arcs are cut so that mixing the numbers of a rotation one by one is off by no more than a bound.
///
/// For quaternions `angle` apart the error of the rotation is close to 0.0318 times the cube of that angle.
struct Arcs {
    /// The angle between quaternions that a part may have.
    step: f32,
    /// Its chord, for those that need no cut.
    chord: f32,
}

impl Arcs {
    fn new(tolerance: f32) -> Self {
        let step = (tolerance / 0.0318).cbrt().clamp(1e-3, 1.0);
        Self { step, chord: 2.0 * (step * 0.5).sin() }
    }

    /// Whether the way between a piece's keys is an arc at constant speed, or so short that the difference is below the
    /// bound. Mixing numbers and following the arc differ by the same amount, whichever of them is right.
    fn join(&self, track: &Track<Rotation>, piece: &Piece<'_>) -> bool {
        if piece.sampler.scene().turn_rule == TurnRule::Slerp {
            return true;
        }
        let key = |index: usize| track.values.get(index).map(|it| quat(unit_rotation(*it)));
        let keys = piece.segment.and_then(|it| Some((key(it.from)?, key(it.to)?)));
        keys.is_some_and(|(a, b)| (a - b).length() <= self.chord)
    }

    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a small count from a ratio")]
    fn parts(&self, a: Quat, b: Quat) -> u32 {
        let chord = chord_between(a, b);
        if chord <= self.chord {
            return 1;
        }
        (angle_of(chord) * 0.5 / self.step).ceil().clamp(1.0, 4096.0) as u32
    }
}

/// The four numbers mixed one by one, with unit length again.
fn mixed(a: Rotation, b: Rotation, t: f32) -> Quat {
    let (a, b) = (quat(a), quat(b));
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
#[cfg(test)]
pub(super) fn angle(a: Rotation, b: Rotation) -> f32 {
    angle_of(chord_between(quat(unit_rotation(a)), quat(unit_rotation(b))))
}
