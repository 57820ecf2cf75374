//! Which keys count at a time, and how far between them it is: one function a game rule.
//!
//! Where the sources differ, the rule chosen here is named: [`before_first_key`] holds the one open point of
//! Warcraft III.

use super::Value;
use crate::{GlobalSequence, Interpolation, KeyRule, Track, TurnRule};

/// The clocks at one moment, ready for tracks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clocks<'a> {
    pub rule: KeyRule,
    pub turns: TurnRule,
    /// The sequence that plays: number, start, end.
    pub sequence: Option<(usize, i32, i32)>,
    /// Milliseconds on the timeline.
    pub frame: f64,
    /// Milliseconds since global clocks started.
    pub clock: f64,
    pub globals: &'a [GlobalSequence],
}

/// Where a time lies among a track's keys.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum KeyPlace {
    /// No key counts: the default.
    Nowhere,
    /// One key's value.
    At(usize),
    /// Between two keys, so far.
    Between(usize, usize, f32),
}

/// The value of a track at a moment.
#[inline]
pub(crate) fn evaluate<T: Value>(track: &Track<T>, clocks: &Clocks<'_>) -> T {
    between(track, locate(track, clocks), clocks.turns)
}

/// The value of a track at a place.
#[inline]
pub(crate) fn between<T: Value>(track: &Track<T>, place: KeyPlace, turns: TurnRule) -> T {
    let value = |key: usize| track.values.get(key).copied().unwrap_or(track.default);
    match place {
        KeyPlace::Nowhere => track.default,
        KeyPlace::At(key) => value(key),
        KeyPlace::Between(key, _, 0.0) | KeyPlace::Between(_, key, 1.0)
            if track.interpolation != Interpolation::Step =>
        {
            value(key)
        }
        KeyPlace::Between(a, b, t) => match track.interpolation {
            Interpolation::Step => value(a),
            Interpolation::Linear => T::mix(value(a), value(b), t, turns),
            spline => {
                let (Some([_, out]), Some([into, _])) = (track.tangents.get(a), track.tangents.get(b)) else {
                    return T::mix(value(a), value(b), t, turns);
                };
                if spline == Interpolation::Hermite {
                    T::hermite(value(a), *out, *into, value(b), t)
                } else {
                    T::bezier(value(a), *out, *into, value(b), t)
                }
            }
        },
    }
}

/// First and last key that count, both included; none: the default holds.
pub(crate) fn window<T>(track: &Track<T>, clocks: &Clocks<'_>) -> Option<(usize, usize)> {
    let last = track.times.len().checked_sub(1)?;
    if let Some(global) = track.global {
        let length = clocks.globals.get(global.index()).map_or(0, |global| global.length);
        if length == 0 {
            return Some((0, 0));
        }
        if clocks.rule != KeyRule::Wrap {
            return Some((0, last));
        }
        // Keys beyond the length are never reached; if the first is beyond it, its value is used.
        let inside = track.times.partition_point(|time| i64::from(*time) <= i64::from(length));
        return Some((0, inside.saturating_sub(1)));
    }
    if let Some((number, _, _)) = clocks.sequence
        && let Some([first, last]) = track.windows.get(number)
    {
        return Some((*first as usize, *last as usize));
    }
    if clocks.rule == KeyRule::Wrap {
        let (_, start, end) = clocks.sequence?;
        let first = track.times.partition_point(|time| *time < start);
        let behind = track.times.partition_point(|time| *time <= end);
        return (first < behind).then(|| (first, behind - 1));
    }
    Some((0, last))
}

/// Where the moment lies among the keys.
pub(crate) fn locate<T>(track: &Track<T>, clocks: &Clocks<'_>) -> KeyPlace {
    match window(track, clocks) {
        Some(window) => locate_in(track, clocks, window),
        None => KeyPlace::Nowhere,
    }
}

/// Where the moment lies among the keys of a window.
fn locate_in<T>(track: &Track<T>, clocks: &Clocks<'_>, (first, last): (usize, usize)) -> KeyPlace {
    if first >= last {
        return KeyPlace::At(first);
    }
    let (frame, span) = match track.global {
        Some(global) => {
            let length = clocks.globals.get(global.index()).map_or(0, |global| global.length);
            (if length == 0 { 0.0 } else { clocks.clock.rem_euclid(f64::from(length)) }, f64::from(length))
        }
        None => {
            (clocks.frame, clocks.sequence.map_or(0.0, |(_, start, end)| f64::from(end) - f64::from(start)))
        }
    };
    let keys = track.times.get(first..=last).unwrap_or(&[]);
    let time = |key: usize| track.time(key);
    let passed = if track.fractions.is_empty() {
        keys.partition_point(|time| f64::from(*time) <= frame)
    } else {
        // No key is more than half a millisecond after its whole time.
        let mut passed = keys.partition_point(|time| f64::from(*time) <= frame + 0.5);
        while passed > 0 && time(first + passed - 1) > frame {
            passed -= 1;
        }
        passed
    };
    let limit =
        if clocks.rule == KeyRule::Continue && track.global.is_none() { track.times.len() - 1 } else { last };
    if clocks.rule == KeyRule::Wrap && (passed == 0 || passed == keys.len()) {
        let around = time(first) - time(last) + span;
        let gone = if passed == 0 { before_first_key(frame, time(first)) } else { frame - time(last) };
        return KeyPlace::Between(last, first, ratio(gone, around));
    }
    let a = first + passed.saturating_sub(1);
    let b = a + 1;
    if passed == 0 || b > limit {
        return KeyPlace::At(a);
    }
    KeyPlace::Between(a, b, ratio(frame - time(a), time(b) - time(a)).clamp(0.0, 1.0))
}

/// Between which keys a time lies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Segment {
    /// The key it comes from.
    pub from: usize,
    /// The key it goes to; the same as `from` when the value holds.
    pub to: usize,
    /// How far it is, 0 to 1, or below 0 before the first key of a Warcraft III sequence.
    pub t: f32,
    /// How long the segment is in milliseconds; 0 when the value holds.
    pub duration: f64,
}

/// Between which keys of a window the moment lies, with the length of that segment.
pub(crate) fn segment<T>(track: &Track<T>, clocks: &Clocks<'_>, window: (usize, usize)) -> Option<Segment> {
    let time = |key: usize| track.time(key);
    match locate_in(track, clocks, window) {
        KeyPlace::Nowhere => None,
        KeyPlace::At(key) => Some(Segment { from: key, to: key, t: 0.0, duration: 0.0 }),
        KeyPlace::Between(from, to, t) => {
            let mut duration = time(to) - time(from);
            if to < from {
                duration += match track.global {
                    Some(global) => clocks.globals.get(global.index()).map_or(0.0, |it| f64::from(it.length)),
                    None => clocks.sequence.map_or(0.0, |(_, start, end)| f64::from(end) - f64::from(start)),
                };
            }
            if duration <= 0.0 {
                return Some(Segment { from, to: from, t: 0.0, duration: 0.0 });
            }
            Some(Segment { from, to, t, duration })
        }
    }
}

/// How far into the segment from the last key around to the first a time before the first key is.
///
/// Warcraft III takes the offset from the first key after the current key was replaced by the last one, so it is
/// negative and the motion is extrapolated backwards. The Reforged previewer loops without a jump instead:
/// `frame - start + end - last`. This function is the only place that chooses.
#[inline]
fn before_first_key(frame: f64, first: f64) -> f64 {
    frame - first
}

#[inline]
#[allow(
    clippy::cast_possible_truncation,
    reason = "a ratio of times: nearest f32 is what the games compute with"
)]
fn ratio(part: f64, whole: f64) -> f32 {
    if whole > 0.0 { (part / whole) as f32 } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Id;

    fn track(times: &[i32]) -> Track<f32> {
        Track::linear(times.to_vec(), times.iter().map(|t| *t as f32).collect(), -1.0)
    }
    fn at(rule: KeyRule, frame: f64, globals: &[GlobalSequence]) -> Clocks<'_> {
        Clocks { rule, turns: TurnRule::Slerp, sequence: Some((0, 100, 200)), frame, clock: frame, globals }
    }

    #[test]
    fn warcraft_uses_keys_of_the_interval_with_both_ends_and_loops() {
        let track = track(&[0, 100, 150, 200, 300]);
        assert_eq!(locate(&track, &at(KeyRule::Wrap, 125.0, &[])), KeyPlace::Between(1, 2, 0.5));
        assert_eq!(locate(&track, &at(KeyRule::Wrap, 200.0, &[])), KeyPlace::Between(3, 1, 0.0));
        let inner = Track::linear(vec![120, 180], vec![1.0, 2.0], 0.0);
        assert_eq!(locate(&inner, &at(KeyRule::Wrap, 190.0, &[])), KeyPlace::Between(1, 0, 0.25));
        assert_eq!(locate(&inner, &at(KeyRule::Wrap, 110.0, &[])), KeyPlace::Between(1, 0, -0.25));
        assert_eq!(evaluate(&inner, &at(KeyRule::Wrap, 110.0, &[])), 2.25);
    }

    #[test]
    fn no_key_in_the_interval_gives_the_default_and_one_key_its_value() {
        assert_eq!(evaluate(&track(&[0, 50, 300]), &at(KeyRule::Wrap, 150.0, &[])), -1.0);
        assert_eq!(evaluate(&track(&[0, 130, 300]), &at(KeyRule::Wrap, 110.0, &[])), 130.0);
    }

    #[test]
    fn ranges_hold_a_value_or_continue_to_the_next_key_of_the_timeline() {
        let mut track = track(&[0, 150, 300]);
        track.windows = vec![[0, 1]];
        assert_eq!(evaluate(&track, &at(KeyRule::Continue, 190.0, &[])), 190.0);
        assert_eq!(evaluate(&track, &at(KeyRule::Hold, 190.0, &[])), 150.0);
        track.windows = vec![[2, 2]];
        assert_eq!(evaluate(&track, &at(KeyRule::Continue, 190.0, &[])), 300.0);
    }

    #[test]
    fn global_sequences_follow_their_own_clock_and_stop_at_length_zero() {
        let globals = [GlobalSequence { length: 0 }, GlobalSequence { length: 1000 }];
        let mut track = Track::linear(vec![0, 500, 1000], vec![0.0, 5.0, 0.0], 9.0);
        track.global = Some(Id::new(1));
        assert_eq!(evaluate(&track, &at(KeyRule::Wrap, 2250.0, &globals)), 2.5);
        track.global = Some(Id::new(0));
        assert_eq!(evaluate(&track, &at(KeyRule::Wrap, 2250.0, &globals)), 0.0);
        let mut late = Track::linear(vec![5000, 6000], vec![3.0, 4.0], 9.0);
        late.global = Some(Id::new(1));
        assert_eq!(evaluate(&late, &at(KeyRule::Wrap, 2250.0, &globals)), 3.0);
    }

    #[test]
    fn keys_may_lie_between_milliseconds() {
        // Keys at 99.75, 100.25 and 166.75.
        let mut track = track(&[100, 100, 167]);
        track.values = vec![1.0, 2.0, 4.0];
        track.fractions = vec![-0.25, 0.25, -0.25];
        assert!(track.ascends());
        let at = |frame| locate(&track, &at(KeyRule::Hold, frame, &[]));
        assert_eq!(at(99.5), KeyPlace::At(0));
        assert_eq!(at(100.0), KeyPlace::Between(0, 1, 0.5));
        assert_eq!(at(100.25), KeyPlace::Between(1, 2, 0.0));
        assert_eq!(at(133.5), KeyPlace::Between(1, 2, 0.5));
        assert_eq!(at(166.8), KeyPlace::At(2));
        track.fractions.swap(0, 1);
        assert!(!track.ascends());
    }

    #[test]
    fn keys_at_the_same_time_never_divide_by_zero() {
        let track = Track::linear(vec![100, 100, 200], vec![1.0, 2.0, 3.0], 0.0);
        assert_eq!(evaluate(&track, &at(KeyRule::Wrap, 100.0, &[])), 2.0);
        let whole = Track::linear(vec![100, 200], vec![1.0, 3.0], 0.0);
        assert_eq!(evaluate(&whole, &at(KeyRule::Wrap, 200.0, &[])), 3.0);
    }
}
