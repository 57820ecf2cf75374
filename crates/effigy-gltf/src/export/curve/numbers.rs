//! Numbers: steps, straight lines and cubic pieces. Steps and straight lines are exact, and so are cubic pieces unless all
//! of them bend less than the tolerance: then they are written as straight lines.
//!
//! Some programs ignore the tangents of cubic keys. For them cubic pieces get more keys on the same curve, until straight
//! lines between them would do, and guards (`guard.rs`).

use super::guard::guard;
use super::pieces::{Course, Piece, course, is_stepped, last_step, subdivide};
use super::{Curve, Fineness, Mode};
use crate::export::clip::Clip;
use crate::export::smooth::Smooth;
use effigy_scene::Interpolation;
use effigy_scene::sample::Sampler;
use effigy_scene::{Track, TurnRule};

/// Cubic pieces that move have at least so many parts, where tolerance counts.
const LEAST_PARTS: usize = 4;

/// The keys of a track of numbers in a clip. Without a tolerance cubic pieces stay cubic and get no more keys.
pub(crate) fn numbers<T: Smooth>(
    sampler: &Sampler<'_>,
    clip: &Clip,
    track: &Track<T>,
    fps: f32,
    tolerance: Option<f32>,
) -> Curve<T> {
    let mode = match track.interpolation {
        Interpolation::Step => Mode::Step,
        Interpolation::Linear => Mode::Linear,
        _ => Mode::Cubic,
    };
    let pieces = match course(sampler, clip, track, fps) {
        Course::Still(value) => return Curve::still(mode, value),
        Course::Moving(pieces) => pieces,
    };
    if mode == Mode::Cubic {
        let fineness = tolerance.map(|tolerance| Fineness { fps, tolerance });
        return match bends(track, &pieces, fineness) {
            Some(bends) => {
                let curve = cubic(track, &pieces, &bends);
                if let Some(bound) = tolerance { guard(curve, bound) } else { curve }
            }
            // Every piece is straight within the tolerance. Written as straight lines, all programs draw it alike.
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
fn plain<T: Smooth>(track: &Track<T>, pieces: &[Piece<'_>], mode: Mode) -> Curve<T> {
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

/// How a cubic piece is cut.
struct Bend {
    /// Into how many parts it is cut.
    parts: usize,
    /// Where it ends: before the start of the next one if that starts at another value.
    end: f64,
    /// Whether the next piece starts at another value.
    jump: bool,
}

impl Bend {
    fn step(&self, piece: &Piece<'_>) -> f64 {
        (self.end - piece.start) / self.parts as f64
    }
}

/// How each piece bends; none when all of them are straight within the tolerance.
fn bends<T: Smooth>(track: &Track<T>, pieces: &[Piece<'_>], fineness: Option<Fineness>) -> Option<Vec<Bend>> {
    let mut bent = fineness.is_none();
    let mut values = Vec::new();
    let bends = pieces.iter().enumerate().map(|(index, piece)| {
        let (start, stop) = (piece.value(track, piece.start), piece.value(track, piece.end));
        let jump = pieces.get(index + 1).is_some_and(|next| next.value(track, next.start).differs(stop));
        let end = if jump { piece.before_jump() } else { piece.end };
        values.clear();
        if let Some(fineness) = fineness
            && piece.moves()
            && piece.end > piece.start
        {
            let at = |time: f64| piece.value(track, time);
            subdivide(
                piece,
                end,
                fineness,
                at,
                |a, b, t, truth| T::mix(a, b, t, TurnRule::Slerp).distance(truth),
                &mut values,
            );
        } else {
            values.extend([start, stop]);
        }
        let mut parts = values.len().saturating_sub(1).max(1);
        bent |= parts > 1;
        // A straight piece between bent ones needs keys too: programs that ignore tangents would round it.
        if fineness.is_some() && start.differs(stop) {
            parts = parts.max(LEAST_PARTS);
        }
        Bend { parts, end, jump }
    });
    let bends: Vec<Bend> = bends.collect();
    bent.then_some(bends)
}

/// Cubic keys.
fn cubic<T: Smooth>(track: &Track<T>, pieces: &[Piece<'_>], bends: &[Bend]) -> Curve<T> {
    let keys = bends.iter().map(|bend| bend.parts + 1).sum::<usize>() + 1;
    let mut curve = Curve::with_room(Mode::Cubic, keys);
    let mut arriving = T::ZERO;
    for (index, (piece, bend)) in pieces.iter().zip(bends).enumerate() {
        let leaving = piece.slope(track, piece.start);
        curve.push(piece.start, piece.value(track, piece.start), [arriving, leaving]);
        if piece.end <= piece.start {
            continue;
        }
        let step = bend.step(piece);
        for part in 1..bend.parts {
            let time = piece.start + step * part as f64;
            let slope = piece.slope(track, time);
            curve.push(time, piece.value(track, time), [slope, slope]);
        }
        arriving = piece.slope(track, bend.end);
        if bend.jump || index + 1 == bends.len() {
            curve.push(bend.end, piece.value(track, bend.end), [arriving, T::ZERO]);
            arriving = T::ZERO;
        }
    }
    curve.collapse(T::ZERO)
}
