//! Fewer keys within a stated error, for models whose motion was stored frame by frame.
//!
//! A soldier of Wolfenstein has a key of every bone in every frame, most of them on a line between their neighbours or equal
//! to the rest pose within the precision of the stored angles. Keys of models that were stored as curves are never left out.

use super::{Curve, Mode};

/// Keys between two keys that are left out, at most: it bounds the time of the search.
const LONGEST_RUN: usize = 64;

/// What is compared: how far the mix of two values at a ratio is from the true value.
pub(crate) type Off<const N: usize> = fn([f32; N], [f32; N], f32, [f32; N]) -> f32;

/// The curve with the keys that are needed so that lines between them stay within the tolerance at every key. A curve that
/// stays within the tolerance of the value of rest, or else of its first value, becomes that one value.
pub(crate) fn thinned<const N: usize>(
    curve: Curve<[f32; N]>,
    rest: [f32; N],
    tolerance: f32,
    off: Off<N>,
) -> Curve<[f32; N]> {
    let (Some(first), true) = (curve.values.first().copied(), curve.mode == Mode::Linear) else {
        return curve;
    };
    for value in [rest, first] {
        if curve.values.iter().all(|other| off(value, value, 0.0, *other) <= tolerance) {
            return Curve::still(Mode::Linear, value);
        }
    }
    let kept = needed(&curve, tolerance, off);
    // Keys at the times of the other curves need no times of their own: a few keys less would make the file larger.
    if kept.len() * 4 > curve.times.len() * 3 {
        return curve;
    }
    let mut thin = Curve::with_room(Mode::Linear, kept.len());
    for (time, value) in kept.iter().filter_map(|key| Some((curve.times.get(*key)?, curve.values.get(*key)?)))
    {
        thin.times.push(*time);
        thin.values.push(*value);
    }
    thin
}

/// The numbers of the keys that are needed.
fn needed<const N: usize>(curve: &Curve<[f32; N]>, tolerance: f32, off: Off<N>) -> Vec<usize> {
    let last = curve.values.len().saturating_sub(1);
    let key = |index: usize| Some((*curve.times.get(index)?, *curve.values.get(index)?));
    // Whether a line from one key to another passes all keys between them.
    let fits = |from: usize, to: usize| {
        let (Some((start, a)), Some((end, b))) = (key(from), key(to)) else { return false };
        (from + 1..to).filter_map(key).all(|(time, value)| {
            let ratio = (time - start) / (end - start);
            off(a, b, ratio, value) <= tolerance
        })
    };
    let mut kept = vec![0];
    let mut from = 0;
    while from < last {
        let mut to = from + 1;
        while to < last && to - from < LONGEST_RUN && fits(from, to + 1) {
            to += 1;
        }
        kept.push(to);
        from = to;
    }
    kept
}

/// The largest difference of the numbers of a position.
pub(crate) fn off_line(a: [f32; 3], b: [f32; 3], ratio: f32, truth: [f32; 3]) -> f32 {
    let mixed = a.iter().zip(b).map(|(a, b)| a + (b - a) * ratio);
    mixed.zip(truth).map(|(mixed, truth)| (mixed - truth).abs()).fold(0.0, f32::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve(values: &[f32]) -> Curve<[f32; 3]> {
        let times = (0_u8..).zip(values).map(|(step, _)| f32::from(step)).collect();
        let values = values.iter().map(|value| [*value, 0.0, 0.0]).collect();
        Curve { mode: Mode::Linear, times, values, tangents: Vec::new() }
    }

    fn times(values: &[f32], rest: f32) -> Vec<f32> {
        thinned(curve(values), [rest, 0.0, 0.0], 0.1, off_line).times
    }

    #[test]
    fn keys_on_a_line_are_left_out_and_corners_stay() {
        assert_eq!(times(&[0.0, 1.0, 2.05, 3.0, 2.0, 1.0, 0.0, -1.0], 9.0), [0.0, 3.0, 7.0]);
        // One key of five is not worth times of their own.
        assert_eq!(times(&[0.0, 1.0, 2.0, 0.0, 3.0], 9.0), [0.0, 1.0, 2.0, 3.0, 4.0]);
    }

    #[test]
    fn a_quarter_of_the_keys_less_is_worth_it() {
        assert_eq!(times(&[0.0, 1.0, 2.0, 0.0, 5.0, 0.0, 1.0, 2.0], 9.0), [0.0, 2.0, 3.0, 4.0, 5.0, 7.0]);
    }

    #[test]
    fn a_line_has_a_key_after_every_64() {
        let line: Vec<f32> = (0_u8..200).map(f32::from).collect();
        assert_eq!(times(&line, 999.0), [0.0, 64.0, 128.0, 192.0, 199.0]);
    }

    #[test]
    fn what_stays_near_rest_is_at_rest() {
        let still = thinned(curve(&[1.0, 1.05, 0.95]), [1.02, 0.0, 0.0], 0.1, off_line);
        assert_eq!((still.times, still.values), (vec![0.0], vec![[1.02, 0.0, 0.0]]));
        let still = thinned(curve(&[1.0, 1.05, 0.95]), [2.0, 0.0, 0.0], 0.1, off_line);
        assert_eq!(still.values, [[1.0, 0.0, 0.0]]);
    }

    #[test]
    fn other_curves_stay() {
        let mut steps = curve(&[1.0, 1.0, 1.0]);
        steps.mode = Mode::Step;
        assert_eq!(thinned(steps, [1.0, 0.0, 0.0], 0.1, off_line).values.len(), 3);
    }
}
