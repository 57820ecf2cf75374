//! Keys for programs that ignore the tangents of cubic keys.
//!
//! Blender draws a curve of its own through the keys: flat at both ends, with no jump in curvature between (its "continuous
//! acceleration"). At corners, and where a hold begins, it swings: over a whole key distance, and a quarter of that one key
//! further on. Guards are keys on the right curve next to such times, so close that the swing stays below a bound.

use super::{Curve, JUMP, Mode, seconds};
use crate::export::smooth::Smooth;

/// How far a wrong direction at one end leads a curve away, as a share of the way in that direction: 4/27.
const LEADS_AWAY: f32 = 0.148;
/// How much is left of a wrong direction one key later, when keys are evenly spaced: 2 less the root of 3.
const LEFT_OVER: f32 = 0.27;
/// Guards on one side of a key at most, and the number of passes.
const MOST_GUARDS: usize = 16;
const ROUNDS: usize = 4;

/// Adds keys until a program that chooses tangents by itself is off by no more than `bound`. The curve stays the same.
pub(super) fn guard<T: Smooth>(mut curve: Curve<T>, bound: f32) -> Curve<T> {
    for _ in 0..ROUNDS {
        match guarded(&curve, bound) {
            Some(finer) => curve = finer,
            None => break,
        }
    }
    curve
}

/// The curve with guards, or none when it needs no more.
fn guarded<T: Smooth>(curve: &Curve<T>, bound: f32) -> Option<Curve<T>> {
    if curve.mode != Mode::Cubic || curve.times.len() < 2 {
        return None;
    }
    let slopes = smooth_slopes(curve);
    let mut finer: Option<Curve<T>> = None;
    let mut distances = Vec::new();
    let keys = || curve.times.iter().zip(&curve.values).zip(&curve.tangents).zip(&slopes);
    for (index, (from, to)) in keys().zip(keys().skip(1)).enumerate() {
        let (((t0, v0), [_, out]), m0) = from;
        let (((t1, v1), [into, _]), m1) = to;
        let length = t1 - t0;
        // What the program makes of each end of this segment, per second.
        let wrong = [m0.distance(*out) * LEADS_AWAY, m1.distance(*into) * LEADS_AWAY];
        let needs = wrong.map(|wrong| wrong * length > bound && length > 2.5 * seconds(JUMP));
        if needs == [false; 2] {
            if let Some(finer) = &mut finer {
                finer.take_key(curve, index + 1);
            }
            continue;
        }
        let finer = finer.get_or_insert_with(|| curve.up_to(index));
        let mut on_the_way = |time: f32| {
            let t = (time - t0) / length;
            if time > *t0 && time < *t1 && finer.times.last().is_some_and(|last| *last < time) {
                let slope = T::cubic_slope(*v0, out.scaled(length), into.scaled(length), *v1, t)
                    .scaled(length.recip());
                finer.times.push(time);
                finer.values.push(T::hermite(*v0, out.scaled(length), into.scaled(length), *v1, t));
                finer.tangents.push([slope, slope]);
            }
        };
        if needs[0] {
            spread(wrong[0], length, bound, &mut distances);
            distances.iter().for_each(|distance| on_the_way(t0 + distance));
        }
        if needs[1] {
            spread(wrong[1], length, bound, &mut distances);
            distances.iter().rev().for_each(|distance| on_the_way(t1 - distance));
        }
        finer.take_key(curve, index + 1);
    }
    finer
}

impl<T: Smooth> Curve<T> {
    /// The keys up to one, that included.
    fn up_to(&self, last: usize) -> Self {
        let room = self.times.len() + MOST_GUARDS;
        let mut curve = Self::with_room(self.mode, room);
        (0..=last).for_each(|key| curve.take_key(self, key));
        curve
    }

    /// Adds a key of another curve.
    fn take_key(&mut self, other: &Self, key: usize) {
        if let (Some(time), Some(value), Some(tangents)) =
            (other.times.get(key), other.values.get(key), other.tangents.get(key))
        {
            self.times.push(*time);
            self.values.push(*value);
            self.tangents.push(*tangents);
        }
    }
}

/// At which distances from a key, in seconds, guards are added, up to half way to the next one.
fn spread(wrong: f32, length: f32, bound: f32, distances: &mut Vec<f32>) {
    distances.clear();
    let bound = bound * 0.5;
    let mut spacing = (bound / wrong).max(seconds(JUMP)).min(length * 0.25);
    let mut swing = wrong * spacing;
    let mut distance = spacing;
    while distance <= length * 0.5 && distances.len() < MOST_GUARDS {
        distances.push(distance);
        if swing <= bound {
            spacing *= 2.0;
        } else {
            swing *= LEFT_OVER;
        }
        distance += spacing;
    }
}

/// The slopes of the curve through the same keys that is flat at both ends and has no jump in curvature: one pass
/// forward and one back through a matrix of three diagonals.
pub(super) fn smooth_slopes<T: Smooth>(curve: &Curve<T>) -> Vec<T> {
    let mut slopes = vec![T::ZERO; curve.times.len()];
    let mut factors = vec![0.0_f32; curve.times.len()];
    let steps =
        curve.times.windows(2).zip(curve.values.windows(2)).map(|(times, values)| match (times, values) {
            ([t0, t1], [v0, v1]) => {
                let over = (t1 - t0).recip();
                // Three times the direction to the next key, over the distance.
                (over, v1.minus(*v0).scaled(3.0 * over * over))
            }
            _ => (0.0, T::ZERO),
        });
    let mut before: Option<(f32, T)> = None;
    let (mut factor, mut slope) = (0.0_f32, T::ZERO);
    for (key, (over, chord)) in steps.enumerate() {
        if let Some((over_before, chord_before)) = before {
            let whole = 2.0 * (over_before + over) - over_before * factor;
            let sum = chord_before.minus(chord.scaled(-1.0)).minus(slope.scaled(over_before));
            factor = over / whole;
            slope = sum.scaled(whole.recip());
            if let (Some(f), Some(s)) = (factors.get_mut(key), slopes.get_mut(key)) {
                *f = factor;
                *s = slope;
            }
        }
        before = Some((over, chord));
    }
    let mut after = T::ZERO;
    for (slope, factor) in slopes.iter_mut().zip(&factors).rev() {
        *slope = slope.minus(after.scaled(*factor));
        after = *slope;
    }
    slopes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn distances(wrong: f32, length: f32, bound: f32) -> Vec<f32> {
        let mut distances = vec![7.0];
        spread(wrong, length, bound, &mut distances);
        distances
    }

    fn near(found: &[f32], expected: &[f32]) {
        let close = found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-5);
        assert!(found.len() == expected.len() && close, "{found:?} {expected:?}");
    }

    #[test]
    fn guards_double_their_distance_up_to_the_middle() {
        // Half of the bound over the wrong way is the first distance: 0.1, then 0.2, 0.4, 0.8 and 1.6 more.
        near(&distances(1.0, 8.0, 0.2), &[0.1, 0.3, 0.7, 1.5, 3.1]);
        // The middle itself counts.
        near(&distances(1.0, 6.0, 2.0), &[1.0, 3.0]);
        // The first one is at most a quarter of the way.
        near(&distances(0.01, 2.0, 0.2), &[0.5]);
    }

    #[test]
    fn guards_as_close_as_possible_stay_close_until_the_swing_has_faded() {
        let jump = seconds(JUMP);
        // The swing is ten times half of the bound, then 2.7 and 0.729 times.
        let found = distances(1.0 / jump, 16.0 * jump, 0.2);
        near(&found, &[1.0, 2.0, 3.0, 5.0].map(|steps| steps * jump));
        assert_eq!(distances(1.0, 1.0, 2e-12).len(), MOST_GUARDS);
    }

    #[test]
    fn curves_of_one_key_and_straight_lines_need_no_guards() {
        let cubic = |times: &[f32], values: &[f32]| Curve {
            mode: Mode::Cubic,
            times: times.to_vec(),
            values: values.to_vec(),
            tangents: vec![[0.0; 2]; times.len()],
        };
        assert!(guarded(&cubic(&[0.0], &[1.0]), 0.1).is_none());
        assert!(guarded(&cubic(&[0.0, 1.0], &[1.0, 1.0]), 0.1).is_none());
        let mut line = cubic(&[0.0, 1.0, 2.0], &[0.0, 0.0, 9.0]);
        line.mode = Mode::Linear;
        assert!(guarded(&line, 0.1).is_none());
        line.mode = Mode::Cubic;
        // A smooth curve through these keys is not flat in the middle, so both sides are guarded.
        let finer = guarded(&line, 0.1).unwrap();
        assert!(finer.times.len() > 3 && finer.times.is_sorted_by(|a, b| a < b));
        for time in [0.0, 1.0, 2.0] {
            assert_eq!(finer.times.iter().filter(|it| **it == time).count(), 1, "{time}");
        }
        // What is added lies on the curve: flat, then three squares less two cubes of nine.
        for (time, value) in finer.times.iter().zip(&finer.values) {
            let t = (time - 1.0).max(0.0);
            let wanted = 9.0 * (3.0 * t * t - 2.0 * t * t * t);
            assert!((value - wanted).abs() < 1e-4, "{time}: {value} {wanted}");
        }
    }
}
