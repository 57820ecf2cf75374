//! Times of keys that become fewer milliseconds, without losing what happens between two of them.
//!
//! A value that holds and then jumps has a key at the end of the hold and one a millisecond later. Where a sequence gets shorter both can
//! round to the same millisecond; without the first of them the jump would be a ramp from the key before. So the earlier key
//! moves to a millisecond before, where that is free.

use effigy_mdx::{Interpolation, Track, ValueKind};
use effigy_wire::Report;

/// How many milliseconds a key may be earlier than it should be.
const EARLIER: i64 = 2;
/// A value that is outside of its neighbours by this part of its size is reported when its key is lost.
const MUCH: f32 = 0.01;

/// A key with its time before, and the time that it should have.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moving<'a> {
    pub old: i64,
    pub wanted: i64,
    /// Its words without the time.
    pub value: &'a [u32],
}

/// Keys of one time that stay, and the earliest time for them that leaves room for those before.
struct Kept {
    earliest: i64,
    wanted: i64,
    keys: std::ops::Range<usize>,
}

/// The times of keys, in order, within a sequence from `start` to `end`; none: another key takes the place of this one. Keys that
/// had the same time have the same time.
///
/// Step tracks change at their keys alone, so that the last of several with the same time is what is seen.
pub(super) fn place(
    interpolation: Interpolation,
    keys: &[Moving<'_>],
    [start, end]: [i64; 2],
) -> Vec<Option<i64>> {
    let spread = interpolation != Interpolation::STEP;
    let mut kept: Vec<Kept> = Vec::new();
    let mut at = 0;
    for same in keys.chunk_by(|a, b| a.old == b.old) {
        let range = at..at + same.len();
        at = range.end;
        let Some(wanted) = same.first().map(|key| key.wanted) else { continue };
        // Where the beginning is taken, the next millisecond is what is left.
        let latest = if spread { wanted.max(start.saturating_add(1)).min(end) } else { wanted };
        // Without room for both, the later one stays.
        while kept.last().is_some_and(|last| last.earliest >= latest) {
            kept.pop();
        }
        let after = kept.last().map_or(i64::MIN, |last| last.earliest.saturating_add(1));
        let earliest = if spread { after.max(wanted - EARLIER).max(start) } else { wanted };
        kept.push(Kept { earliest, wanted, keys: range });
    }
    let mut times = vec![None; keys.len()];
    let mut next = i64::MAX;
    for Kept { earliest, wanted, keys } in kept.into_iter().rev() {
        next = wanted.max(earliest).min(next.saturating_sub(1));
        times.get_mut(keys).into_iter().flatten().for_each(|time| *time = Some(next));
    }
    times
}

/// Adds keys with their new times.
pub(super) fn push(keys: &[Moving<'_>], times: &[Option<i64>], words: &mut Vec<u32>) {
    for (key, time) in keys.iter().zip(times) {
        // Whoever placed them has made sure that they are in the range of times, or refuses the model.
        if let Some(time) = time.and_then(|time| i32::try_from(time).ok()) {
            words.push(time.cast_unsigned());
            words.extend_from_slice(key.value);
        }
    }
}

/// Says so if keys were lost.
pub(super) fn report(lost: usize, report: &mut Report) {
    if lost > 0 {
        let text = format!("{lost} keys are gone where more fell on a millisecond than there is room for");
        report.approximated("keys", text);
    }
}

/// How many keys without a time had a value that is not between those of the keys around it.
pub(super) fn lost(track: &Track, keys: &[Moving<'_>], times: &[Option<i64>]) -> usize {
    if track.interpolation() == Interpolation::STEP || track.kind() == ValueKind::Index {
        return 0;
    }
    let width = track.kind().width();
    let value = |key: &Moving<'_>| key.value.iter().take(width).map(|word| f32::from_bits(*word)).collect();
    let mut lost = 0;
    let mut before: Option<Vec<f32>> = None;
    let mut missing: Vec<Vec<f32>> = Vec::new();
    for (key, time) in keys.iter().zip(times) {
        let value: Vec<f32> = value(key);
        if time.is_none() {
            missing.push(value);
            continue;
        }
        let from = before.as_ref().unwrap_or(&value);
        lost += missing.iter().filter(|it| is_outside(it, from, &value)).count();
        missing.clear();
        before = Some(value);
    }
    lost
}

fn is_outside(value: &[f32], from: &[f32], to: &[f32]) -> bool {
    value.iter().zip(from.iter().zip(to)).any(|(value, (from, to))| {
        let slack = value.abs().max(from.abs()).max(to.abs()) * MUCH;
        *value < from.min(*to) - slack || *value > from.max(*to) + slack
    })
}
