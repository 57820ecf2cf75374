//! Numbers: steps, straight lines and cubic pieces, all exact.
//!
//! Some programs leave the tangents of cubic keys out and draw curves of their own through the keys. Blender's have no
//! jump in curvature, so a corner, or the begin of a hold, makes them swing on both sides: over a whole key distance,
//! and less by a factor of about 4 with each key. So cubic pieces get more keys on the same curve, until straight lines
//! between them would do, and guards beside corners: keys so close that the swing stays below the tolerance.

use super::pieces::{Course, Piece, course, is_stepped, last_step, subdivide};
use super::{Curve, Fineness, JUMP, Mode, seconds};
use crate::export::clip::Clip;
use crate::export::smooth::Smooth;
use effigy_scene::Interpolation;
use effigy_scene::Track;
use effigy_scene::sample::Sampler;

/// Cubic pieces that move have at least so many parts, where tolerance counts.
const LEAST_PARTS: usize = 4;
/// How far a wrong direction at one end leads a curve away, as a share of the way in that direction: 4/27 at most.
const LEADS_AWAY: f32 = 0.15;
/// Guards on one side of a key, at most.
const MOST_GUARDS: usize = 16;
/// How much is left of a wrong direction one key later, when keys stand evenly: 2 less the root of 3.
const LEFT_OVER: f32 = 0.27;

/// The keys of a track of numbers in a clip: exact.
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
    let pieces = match course(sampler, clip, track, fineness.fps) {
        Course::Still(value) => return Curve::still(mode, value),
        Course::Moving(pieces) => pieces,
    };
    if mode == Mode::Cubic {
        return match bends(track, &pieces, fineness) {
            Some(bends) => cubic(track, &pieces, &bends, fineness),
            // Every piece is straight: said as such, no program can mistake it.
            None => plain(track, &pieces, Mode::Linear),
        };
    }
    let mut curve = plain(track, &pieces, mode);
    if is_stepped(track)
        && let Some(last) = pieces.last()
    {
        curve.push(last.end, last_step(sampler, clip, track, last), [T::ZERO; 2]);
    }
    curve.collapse(T::ZERO)
}

/// Steps and straight lines.
fn plain<T: Smooth>(track: &Track<T>, pieces: &[Piece], mode: Mode) -> Curve<T> {
    let mut curve = Curve::with_room(mode, pieces.len() + 1);
    let none = [T::ZERO; 2];
    for (index, piece) in pieces.iter().enumerate() {
        curve.push(piece.start, piece.value(track, piece.start), none);
        if mode == Mode::Step || piece.end <= piece.start {
            continue;
        }
        let end = piece.value(track, piece.end);
        match pieces.get(index + 1) {
            None => curve.push(piece.end, end, none),
            Some(next) if next.value(track, next.start).differs(end) => {
                let time = piece.before_jump();
                curve.push(time, piece.value(track, time), none);
            }
            Some(_) => {}
        }
    }
    if mode == Mode::Step { curve } else { curve.collapse(T::ZERO) }
}

/// A cubic piece with what its neighbours need to know.
struct Bend<T> {
    /// Into how many parts it is cut.
    parts: usize,
    /// Where it ends: earlier than the next one starts when that starts elsewhere.
    end: f64,
    /// Directions at both ends, and those to the keys next to them, per second.
    slopes: [T; 2],
    chords: [T; 2],
    /// Whether the next piece starts at another value.
    jump: bool,
}

impl<T> Bend<T> {
    fn step(&self, piece: &Piece) -> f64 {
        (self.end - piece.start) / self.parts as f64
    }
}

/// How each piece bends; none when all of them are straight.
fn bends<T: Smooth>(track: &Track<T>, pieces: &[Piece], fineness: Fineness) -> Option<Vec<Bend<T>>> {
    let exact = fineness.tolerance == f32::MAX;
    let mut bent = exact;
    let mut values = Vec::new();
    let bends = pieces.iter().enumerate().map(|(index, piece)| {
        let (start, stop) = (piece.value(track, piece.start), piece.value(track, piece.end));
        let jump = pieces.get(index + 1).is_some_and(|next| next.value(track, next.start).differs(stop));
        let end = if jump { piece.before_jump() } else { piece.end };
        values.clear();
        if piece.moves() && piece.end > piece.start {
            let at = |time: f64| piece.value(track, time);
            subdivide(piece, end, fineness, at, |a, b, t, truth| T::mix(a, b, t).distance(truth), &mut values);
        } else {
            values.extend([start, stop]);
        }
        let mut parts = values.len().saturating_sub(1).max(1);
        bent |= parts > 1;
        // A straight stretch between bent ones needs keys too: without tangents it would be rounded.
        if !exact && start.differs(stop) {
            parts = parts.max(LEAST_PARTS);
        }
        let mut bend = Bend {
            parts,
            end,
            slopes: [piece.slope(track, piece.start), piece.slope(track, end)],
            chords: [T::ZERO; 2],
            jump,
        };
        let step = bend.step(piece);
        if step > 0.0 {
            let per_second = seconds(1e6 / step);
            let (second, last) = (piece.start + step, end - step);
            bend.chords = [
                piece.value(track, second).minus(start).scaled(per_second),
                piece.value(track, end).minus(piece.value(track, last)).scaled(per_second),
            ];
        }
        bend
    });
    let bends: Vec<Bend<T>> = bends.collect();
    bent.then_some(bends)
}

/// Cubic keys, with guards.
fn cubic<T: Smooth>(track: &Track<T>, pieces: &[Piece], bends: &[Bend<T>], fineness: Fineness) -> Curve<T> {
    let keys = bends.iter().map(|bend| bend.parts + 1).sum::<usize>() + 1;
    let mut curve = Curve::with_room(Mode::Cubic, keys);
    let mut arriving = T::ZERO;
    for (index, (piece, bend)) in pieces.iter().zip(bends).enumerate() {
        let before = index.checked_sub(1).and_then(|before| bends.get(before));
        curve.push(piece.start, piece.value(track, piece.start), [arriving, bend.slopes[0]]);
        if piece.end <= piece.start {
            continue;
        }
        let step = bend.step(piece);
        let on_the_way = |curve: &mut Curve<T>, time: f64| {
            let slope = piece.slope(track, time);
            curve.push(time, piece.value(track, time), [slope, slope]);
        };
        let neighbour = before.map(|it| (it.chords[1], it.jump));
        for distance in guards(bend.slopes[0], neighbour, step, fineness) {
            on_the_way(&mut curve, piece.start + distance);
        }
        for part in 1..bend.parts {
            on_the_way(&mut curve, piece.start + step * part as f64);
        }
        let neighbour = bends.get(index + 1).map(|it| (it.chords[0], bend.jump));
        for distance in guards(bend.slopes[1], neighbour, step, fineness).into_iter().rev() {
            on_the_way(&mut curve, bend.end - distance);
        }
        arriving = bend.slopes[1];
        if bend.jump || index + 1 == bends.len() {
            curve.push(bend.end, piece.value(track, bend.end), [arriving, T::ZERO]);
            arriving = T::ZERO;
        }
    }
    curve.collapse(T::ZERO)
}

/// At which distances from a key, in milliseconds, guards must stand up to the next key `step` away. `other` is the
/// direction to the key on the other side, and whether the value jumps there.
fn guards<T: Smooth>(slope: T, other: Option<(T, bool)>, step: f64, fineness: Fineness) -> Vec<f64> {
    let mut distances = Vec::new();
    let Some((chord, jump)) = other.filter(|_| fineness.tolerance < f32::MAX) else { return distances };
    // Per second.
    let wrong = chord.distance(slope) * LEADS_AWAY;
    let bound = fineness.tolerance * 0.5;
    if !jump && wrong * seconds(step) <= fineness.tolerance {
        return distances;
    }
    let mut spacing = if jump { JUMP } else { 1000.0 * f64::from(bound) / f64::from(wrong) };
    spacing = spacing.max(JUMP).min(step * 0.25);
    let mut swing = wrong * seconds(spacing);
    let mut distance = spacing;
    // Half way to the next key its own guards take over.
    while distance < step * 0.5 && distances.len() < MOST_GUARDS {
        distances.push(distance);
        if swing <= bound {
            spacing *= 2.0;
        } else {
            swing *= LEFT_OVER;
        }
        distance += spacing;
    }
    distances
}
