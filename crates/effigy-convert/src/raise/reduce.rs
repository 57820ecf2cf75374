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

/// Which keys of a linear curve are needed; the first and the last always are. Without any tolerance, those between equal keys
/// are not.
pub(super) fn needed<T: Metric>(times: &[i32], values: &[T], tolerance: f32, turns: TurnRule) -> Vec<bool> {
    if tolerance == 0.0 {
        let mut kept = vec![true; values.len()];
        let between = kept.iter_mut().skip(1).zip(values.windows(3));
        between.for_each(|(kept, values)| *kept = values.windows(2).any(|pair| pair.first() != pair.last()));
        return kept;
    }
    let mut reduction = Reduction::at_corners(times, values, tolerance, turns);
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

impl Part {
    /// Nothing is known of it yet, so that it is split or looked at by any tolerance.
    const fn unknown(first: usize, last: usize) -> Self {
        Self { first, last, worst: (f32::INFINITY, 0), too_far: false }
    }
}

impl Reduction {
    /// The coarsest curve through this many keys.
    fn new(count: usize) -> Self {
        let mut made = Self::default();
        made.restart(count);
        made
    }

    /// Begins again with the coarsest curve through this many keys.
    pub fn restart(&mut self, count: usize) {
        let last = count.saturating_sub(1);
        self.kept.clear();
        self.kept.extend((0..count).map(|key| key == 0 || key == last));
        self.parts.clear();
        if count > 2 {
            self.parts.push(Part::unknown(0, last));
        }
    }

    /// A curve that has the keys that stand out between their neighbours already: no line can pass that near to all three. Where
    /// few keys can go, all of them are found by looking at each once.
    fn at_corners<T: Metric>(times: &[i32], values: &[T], tolerance: f32, turns: TurnRule) -> Self {
        let count = times.len().min(values.len());
        let mut made = Self::new(count);
        let limit = T::gap_of(2.0 * tolerance);
        let triples = times.windows(3).zip(values.windows(3));
        for (flag, (times, values)) in made.kept.iter_mut().skip(1).zip(triples) {
            let (&[start, time, end], &[a, value, b]) = (times, values) else { continue };
            *flag |=
                (a != value || b != value) && T::gaps(a, b, turns)(place(time, start, end), value) > limit;
        }
        made.parts.clear();
        let mut first = 0;
        for (last, _) in made.kept.iter().enumerate().skip(1).filter(|(_, kept)| **kept) {
            if last > first + 1 {
                made.parts.push(Part::unknown(first, last));
            }
            first = last;
        }
        made
    }

    /// Adds the keys that a smaller tolerance needs.
    pub fn refine<T: Metric>(&mut self, times: &[i32], values: &[T], tolerance: f32, turns: TurnRule) {
        let limit = T::gap_of(tolerance);
        if self.parts.iter().all(|part| part.worst.0 <= limit && !part.too_far) {
            return;
        }
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
    let key = |index: usize| Some((*times.get(index)?, *values.get(index)?));
    let ((start, a), (end, b)) = (key(first)?, key(last)?);
    let gaps = T::gaps(a, b, turns);
    // One division for all keys.
    #[allow(clippy::cast_precision_loss, reason = "a ratio")]
    let per_time = 1.0 / end.saturating_sub(start).max(1) as f32;
    let mut worst = (0.0, 0);
    let inside = first.saturating_add(1)..last;
    let keys = times.get(inside.clone())?.iter().zip(values.get(inside.clone())?);
    for (index, (time, value)) in inside.zip(keys) {
        #[allow(clippy::cast_precision_loss, reason = "a ratio")]
        let place = time.saturating_sub(start) as f32 * per_time;
        let off = gaps(place, *value);
        if off > worst.0 {
            worst = (off, index);
        }
    }
    Some(Part { first, last, worst, too_far: T::is_far(a, b) })
}

/// How far a time is on the way from one to another.
#[allow(clippy::cast_possible_truncation, reason = "a ratio")]
pub(super) fn place(time: i32, start: i32, end: i32) -> f32 {
    let [time, start, end] = [time, start, end].map(f64::from);
    ((time - start) / (end - start).max(1.0)) as f32
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
    fn without_a_tolerance_only_keys_between_equal_ones_go() {
        let times: Vec<i32> = (0..9).collect();
        let kept = needed(&times, &[1.0, 1.0, 1.0, 1.0, 2.0, 3.0, 3.0, 3.0, 3.0], 0.0, TurnRule::Slerp);
        assert_eq!(kept, [true, false, false, true, true, true, false, false, true]);
        assert_eq!(needed(&times[..2], &[5.0, 5.0], 0.0, TurnRule::Slerp), [true; 2]);
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
            let mut again = Reduction::new(times.len());
            again.refine(&times, &values, tolerance, TurnRule::Slerp);
            assert_eq!(reduction.kept, again.kept, "{tolerance}");
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
