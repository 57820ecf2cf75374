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
    let mut reduction = Reduction::new(times.len().min(values.len()));
    reduction.refine(times, values, tolerance, turns);
    reduction.kept
}

/// A reduced curve that can be made finer: what was found for a larger tolerance is not looked for again.
#[derive(Clone, Debug, Default)]
pub(super) struct Reduction {
    /// Which keys are needed.
    pub kept: Vec<bool>,
    parts: Vec<Part>,
}

/// Two keys that are needed, and what lies between them.
#[derive(Clone, Copy, Debug)]
struct Part {
    first: usize,
    last: usize,
    /// The key between them that is farthest off, and how far.
    worst: (f32, usize),
    /// They are too far apart to be interpolated.
    too_far: bool,
}

impl Reduction {
    /// The coarsest curve through this many keys.
    pub fn new(count: usize) -> Self {
        let last = count.saturating_sub(1);
        let kept = (0..count).map(|key| key == 0 || key == last).collect();
        // Nothing is known of it yet, so that it is split or looked at by any tolerance.
        let part = Part { first: 0, last, worst: (f32::INFINITY, 0), too_far: false };
        Self { kept, parts: if count > 2 { vec![part] } else { Vec::new() } }
    }

    /// Adds the keys that a smaller tolerance needs.
    pub fn refine<T: Metric>(&mut self, times: &[i32], values: &[T], tolerance: f32, turns: TurnRule) {
        let limit = T::gap_of(tolerance);
        let mut open = std::mem::take(&mut self.parts);
        while let Some(part) = open.pop() {
            let split = match part.worst {
                (off, 0) if off > limit => {
                    // Not looked at yet.
                    open.extend(between(times, values, part.first, part.last, turns));
                    continue;
                }
                (off, key) if off > limit => key,
                _ if part.too_far => part.first.midpoint(part.last),
                _ => {
                    self.parts.push(part);
                    continue;
                }
            };
            if let Some(kept) = self.kept.get_mut(split) {
                *kept = true;
            }
            open.extend(between(times, values, part.first, split, turns));
            open.extend(between(times, values, split, part.last, turns));
        }
    }
}

/// What lies between two keys; none for neighbours.
fn between<T: Metric>(
    times: &[i32],
    values: &[T],
    first: usize,
    last: usize,
    turns: TurnRule,
) -> Option<Part> {
    if last <= first.saturating_add(1) {
        return None;
    }
    let key = |index: usize| Some((f64::from(*times.get(index)?), *values.get(index)?));
    let ((start, a), (end, b)) = (key(first)?, key(last)?);
    let span = (end - start).max(1.0);
    let way = T::way(a, b, turns);
    let mut worst = (0.0, 0);
    for (index, (time, value)) in
        times.iter().zip(values).enumerate().take(last).skip(first.saturating_add(1))
    {
        #[allow(clippy::cast_possible_truncation, reason = "a ratio")]
        let ratio = ((f64::from(*time) - start) / span) as f32;
        let off = T::gap(way(ratio), *value);
        if off > worst.0 {
            worst = (off, index);
        }
    }
    Some(Part { first, last, worst, too_far: T::distance(a, b) > T::STEP })
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
    fn a_curve_that_is_made_finer_has_the_keys_of_the_finer_tolerance() {
        let times: Vec<i32> = (0..200).map(|step| step * 33).collect();
        let values: Vec<f32> = times
            .iter()
            .map(|time| (*time as f32 * 0.003).sin() * 7.0 + (*time as f32 * 0.02).cos())
            .collect();
        let mut reduction = Reduction::new(times.len());
        for tolerance in [3.0, 1.0, 0.3, 0.05, 0.001] {
            reduction.refine(&times, &values, tolerance, TurnRule::Slerp);
            assert_eq!(reduction.kept, needed(&times, &values, tolerance, TurnRule::Slerp), "{tolerance}");
        }
        for count in 0..4 {
            let mut few = Reduction::new(count);
            few.refine(&times[..count], &[0.0, 9.0, 0.0][..count], 1.0, TurnRule::Slerp);
            assert_eq!(few.kept, vec![true; count]);
        }
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
