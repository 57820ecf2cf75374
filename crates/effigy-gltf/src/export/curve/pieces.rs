//! How a track behaves in a clip: constant, or piece by piece.

use super::{Fineness, JUMP, seconds};
use crate::export::clip::Clip;
use crate::export::smooth::Smooth;
use effigy_scene::sample::{Sampler, Segment, Value};
use effigy_scene::{Interpolation, Track};

/// A ratio so close to a key is at the key: times are whole milliseconds, ratios single precision.
const AT_A_KEY: f64 = 1e-6;

/// One polynomial or arc of the curve between two times.
#[derive(Clone, Copy)]
pub(super) struct Piece<'a> {
    pub sampler: Sampler<'a>,
    pub start: f64,
    pub end: f64,
    /// None: the track's default holds.
    pub segment: Option<Segment>,
    /// Keys inside were left out, so the segment may end before the piece does.
    pub sampled: bool,
}

impl Piece<'_> {
    /// The segment's ratio at a time.
    #[allow(clippy::cast_possible_truncation, reason = "a ratio of times")]
    pub(super) fn ratio(&self, time: f64) -> f32 {
        let Some(segment) = &self.segment else { return 0.0 };
        if segment.duration <= 0.0 {
            return 0.0;
        }
        let middle = f64::midpoint(self.start, self.end);
        let ratio = f64::from(segment.t) + (time - middle) / segment.duration;
        let ratio = if self.sampled { ratio.clamp(0.0, 1.0) } else { ratio };
        if ratio.abs() < AT_A_KEY {
            0.0
        } else if (ratio - 1.0).abs() < AT_A_KEY {
            1.0
        } else {
            ratio as f32
        }
    }

    pub(super) fn value<T: Value>(&self, track: &Track<T>, time: f64) -> T {
        match &self.segment {
            Some(segment) => self.sampler.within(track, segment, self.ratio(time)),
            None => track.default,
        }
    }

    /// Whether the value goes from one key to another.
    pub(super) fn moves(&self) -> bool {
        self.segment.is_some_and(|segment| segment.from != segment.to)
    }

    /// Change per second.
    pub(super) fn slope<T: Smooth>(&self, track: &Track<T>, time: f64) -> T {
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

    /// Where a piece ends when the next one starts elsewhere.
    pub(super) fn before_jump(&self) -> f64 {
        self.end - JUMP.min((self.end - self.start) * 0.5)
    }
}

/// How a track behaves in a clip.
pub(super) enum Course<'a, T> {
    /// It has one value all the time.
    Still(T),
    /// It may change from piece to piece.
    Moving(Vec<Piece<'a>>),
}

/// The one value of a track that does not change in a clip, or the keys that count there.
pub(crate) fn still<T: Copy + PartialEq>(
    sampler: &Sampler<'_>,
    clip: &Clip,
    track: &Track<T>,
) -> Result<T, (usize, usize)> {
    let Some((first, last)) = sampler.window(track, &clip.moment(0.0)) else { return Ok(track.default) };
    // Some formats interpolate toward the key after the window.
    let reach = track.values.get(first..=(last + 1).min(track.values.len().saturating_sub(1))).unwrap_or(&[]);
    let keys = if first >= last { reach.get(..1).unwrap_or(&[]) } else { reach };
    match keys {
        [] => Ok(track.default),
        [value] => Ok(*value),
        [value, others @ ..] => {
            let same = !track.interpolation.is_spline() && others.iter().all(|other| other == value);
            if same { Ok(*value) } else { Err((first, last)) }
        }
    }
}

pub(super) fn course<'a, T: Value + PartialEq>(
    sampler: &Sampler<'a>,
    clip: &Clip,
    track: &Track<T>,
    fps: f32,
) -> Course<'a, T> {
    let (first, last) = match still(sampler, clip, track) {
        Ok(value) => return Course::Still(value),
        Err(window) => window,
    };
    let mut times = Vec::with_capacity(last - first + 3);
    times.push(0.0);
    let sampled = !clip.key_times(sampler, track, &mut times);
    if sampled {
        times.clear();
        clip.even_times(fps, &mut times);
    }
    let bounds = clip.boundaries(times);
    let segment = |time: f64| sampler.segment(track, &clip.moment(time), (first, last));
    if bounds.len() == 1 {
        return Course::Moving(vec![Piece {
            sampler: *sampler,
            start: 0.0,
            end: 0.0,
            segment: segment(0.0),
            sampled,
        }]);
    }
    let ends = bounds.iter().skip(1);
    let pieces = bounds.iter().zip(ends).map(|(start, end)| Piece {
        sampler: *sampler,
        start: *start,
        end: *end,
        segment: segment(f64::midpoint(*start, *end)),
        sampled,
    });
    Course::Moving(pieces.collect())
}

/// The value of a stepped track at the end of a clip: a key there counts.
pub(super) fn last_step<T: Value>(
    sampler: &Sampler<'_>,
    clip: &Clip,
    track: &Track<T>,
    last: &Piece<'_>,
) -> T {
    if track.global.is_none() {
        sampler.track(track, &clip.moment(last.end))
    } else {
        last.value(track, last.end)
    }
}

/// Cuts a piece into even parts until straight lines between them are good enough. `values` then holds the values
/// from its start to its end; returned is the error that is left.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count from a ratio")]
pub(super) fn subdivide<T: Copy>(
    piece: &Piece<'_>,
    end: f64,
    fineness: Fineness,
    at: impl Fn(f64) -> T,
    error: impl Fn(T, T, f32, T) -> f32,
    values: &mut Vec<T>,
) -> f32 {
    let length = end - piece.start;
    // Fast motion between close keys needs more than the frame rate gives: a few parts are always allowed.
    let most = (length * f64::from(fineness.fps) / 1000.0).ceil().clamp(32.0, 100_000.0) as u32;
    let mut parts = 1_u32;
    loop {
        let at = |part: f64| at(piece.start + length * (part / f64::from(parts)));
        let mut worst = 0.0_f32;
        let mut left = at(0.0);
        values.clear();
        values.push(left);
        // Bends are largest in the middle, S shapes at the quarters: the thirds show both. Short parts have no S shape.
        let probes: &[f32] = if parts < 4 { &[0.34, 0.66] } else { &[0.5] };
        for part in 0..parts {
            let right = at(f64::from(part) + 1.0);
            for within in probes {
                worst = worst.max(error(left, right, *within, at(f64::from(part) + f64::from(*within))));
            }
            left = right;
            values.push(right);
            if worst > fineness.tolerance && parts > 1 && parts < most {
                break;
            }
        }
        if worst <= fineness.tolerance || parts >= most {
            return worst;
        }
        // The error falls with the square of the number of parts: the first estimate gives the number that is needed.
        let needed = if parts == 1 { (worst / fineness.tolerance).sqrt() * 0.8 } else { 0.0 };
        let needed = needed.clamp(0.0, 65_536.0) as u32;
        parts = (parts * 2).max(needed.next_power_of_two()).min(most);
    }
}

/// Whether a track is joined by steps.
pub(super) fn is_stepped<T>(track: &Track<T>) -> bool {
    track.interpolation == Interpolation::Step
}
