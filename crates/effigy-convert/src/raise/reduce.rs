//! Fewer keys within a stated error: Ramer, Douglas and Peucker's method over time instead of over a plane.

use super::metric::Metric;
use effigy_scene::TurnRule;

/// How far the reduced curve may be from the given one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Tolerance {
    /// For lengths.
    pub length: f32,
    /// For scales, colours and other numbers that are not lengths.
    pub ratio: f32,
    /// For rotations, radians.
    pub angle: f32,
}

impl Tolerance {
    pub const fn of<T: Metric>(&self, is_length: bool) -> f32 {
        match (T::ANGLE, is_length) {
            (true, _) => self.angle,
            (false, true) => self.length,
            (false, false) => self.ratio,
        }
    }
}

/// Which keys of a linear curve are needed; the first and the last always are.
pub(super) fn needed<T: Metric>(times: &[i32], values: &[T], tolerance: f32, turns: TurnRule) -> Vec<bool> {
    let count = times.len().min(values.len());
    let limit = T::gap_of(tolerance);
    let mut kept = vec![false; count];
    let mut open: Vec<(usize, usize)> = vec![(0, count.saturating_sub(1))];
    for end in [0, count.saturating_sub(1)] {
        if let Some(end) = kept.get_mut(end) {
            *end = true;
        }
    }
    while let Some((first, last)) = open.pop() {
        if last <= first.saturating_add(1) {
            continue;
        }
        let key = |index: usize| Some((f64::from(*times.get(index)?), *values.get(index)?));
        let (Some((start, a)), Some((end, b))) = (key(first), key(last)) else { continue };
        let span = (end - start).max(1.0);
        let way = T::way(a, b, turns);
        let mut worst = (limit, 0);
        let mut too_far = T::distance(a, b) > T::STEP;
        for (index, (time, value)) in
            times.iter().zip(values).enumerate().take(last).skip(first.saturating_add(1))
        {
            #[allow(clippy::cast_possible_truncation, reason = "a ratio")]
            let ratio = ((f64::from(*time) - start) / span) as f32;
            let off = T::gap(way(ratio), *value);
            if off > worst.0 {
                worst = (off, index);
                too_far = false;
            }
        }
        let split = if worst.1 > 0 {
            worst.1
        } else if too_far {
            first.midpoint(last)
        } else {
            continue;
        };
        if let Some(kept) = kept.get_mut(split) {
            *kept = true;
        }
        open.push((first, split));
        open.push((split, last));
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use effigy_scene::Rotation;

    #[test]
    fn keys_on_a_line_go_and_corners_stay() {
        let times: Vec<i32> = (0..=10).map(|step| step * 100).collect();
        // Up to 500 and down again, with a bump of 0.05 at 200.
        let mut values: Vec<f32> = (0_u8..=10).map(|step| 5.0 - (f32::from(step) - 5.0).abs()).collect();
        values[2] += 0.05;
        let kept = |tolerance| -> Vec<usize> {
            let kept = needed(&times, &values, tolerance, TurnRule::Slerp);
            kept.iter().enumerate().filter(|(_, kept)| **kept).map(|(index, _)| index).collect()
        };
        assert_eq!(kept(0.1), [0, 5, 10]);
        assert_eq!(kept(0.001), [0, 1, 2, 3, 5, 10]);
    }

    #[test]
    fn rotations_keep_a_key_every_quarter_turn() {
        let times: Vec<i32> = (0..=8).map(|step| step * 100).collect();
        let turn = |step: u8| {
            let (sin, cos) = (f32::from(step) * 20_f32.to_radians() / 2.0).sin_cos();
            Rotation([0.0, 0.0, sin, cos])
        };
        let values: Vec<Rotation> = (0..=8).map(turn).collect();
        let kept = needed(&times, &values, 1e-3, TurnRule::Slerp);
        assert_eq!(kept.iter().filter(|kept| **kept).count(), 3, "{kept:?}");
        assert!(kept[4]);
    }
}
