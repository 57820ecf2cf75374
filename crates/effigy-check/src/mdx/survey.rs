//! What the keys of a track are like, found in one pass over them.
//!
//! A sequence plays the keys from its start to its end, both included, and no others; a global sequence has its own
//! clock from 0 to its length. A track whose first key in a sequence stands after the sequence's start is played from
//! its last key backwards into the first one, which shows unless both have the same value.

use effigy_mdx::{Interpolation, Model, Track, ValueKind};
use std::ops::Range;

/// The clocks that tracks can follow.
pub(crate) struct Clock {
    /// Start and end of each sequence.
    sequences: Vec<[i64; 2]>,
    /// Whether each sequence begins where or after the one before it ends, as nearly always.
    in_order: bool,
    global: Vec<i64>,
}

/// What the keys of a track are like. Counts are of keys.
#[derive(Clone, Debug, Default)]
pub(crate) struct Survey {
    pub keys: usize,
    /// Keys before time 0.
    pub negative: usize,
    /// Keys at the time of the key before them.
    pub same_time: usize,
    /// Of these, the ones that have the same value, too.
    pub same_key: usize,
    /// The first key that is earlier than the key before it.
    pub backwards: Option<usize>,
    /// Keys that no sequence plays.
    pub outside: usize,
    /// Keys beyond the length of the global sequence.
    pub past_global: usize,
    /// The first sequence (or global sequence) whose opening key is missing where it is needed.
    pub no_opening: Option<usize>,
    /// Keys that are the same as both neighbours in their sequence.
    pub repeated: usize,
    /// Keys whose values are nearly the same as those of both neighbours.
    pub nearly_repeated: usize,
    /// The first rotation that is far from unit length, and its length.
    pub not_unit: Option<(usize, f32)>,
}

/// Values that differ by less are nearly the same.
const NEAR: f32 = 0.001;
/// How far from 1 the length of a rotation may be before it shows.
const UNIT: f32 = 0.05;

impl Clock {
    pub fn new(model: &Model) -> Self {
        let sequences: Vec<[i64; 2]> =
            model.sequences.iter().map(|one| one.interval.map(i64::from)).collect();
        let follows = |pair: &[[i64; 2]]| matches!(pair, [[_, end], [start, _]] if end <= start);
        let in_order = sequences.windows(2).all(follows);
        Self {
            sequences,
            in_order,
            global: model.global_sequences.iter().map(|&length| i64::from(length)).collect(),
        }
    }

    /// Whether some sequence plays a time of the model's timeline.
    pub fn plays(&self, time: i32) -> bool {
        let time = i64::from(time);
        self.sequences.iter().any(|[start, end]| (*start..=*end).contains(&time))
    }

    /// The length of a global sequence.
    pub fn global(&self, index: i32) -> Option<i64> {
        usize::try_from(index).ok().and_then(|index| self.global.get(index)).copied()
    }

    pub fn survey(&self, track: &Track) -> Survey {
        let keys = Keys::new(track);
        let mut survey = Survey { keys: track.len(), ..Survey::default() };
        if track.kind() == ValueKind::Rotation {
            survey.not_unit = keys.not_unit();
        }
        let times: Vec<i64> = track.times().map(i64::from).collect();
        survey.negative = times.iter().filter(|time| **time < 0).count();
        for (index, pair) in times.windows(2).enumerate() {
            let [before, time] = *pair else { continue };
            if time == before {
                survey.same_time = survey.same_time.saturating_add(1);
                if keys.whole(index) == keys.whole(index.saturating_add(1)) {
                    survey.same_key = survey.same_key.saturating_add(1);
                }
            } else if time < before && survey.backwards.is_none() {
                survey.backwards = Some(index.saturating_add(1));
            }
        }
        // What follows looks keys up by time, which needs them in order.
        if survey.backwards.is_some() {
            return survey;
        }
        if track.global_sequence < 0 {
            let mut played = 0_usize;
            let mut covered = 0_usize;
            let mut from = 0;
            for (index, &[start, end]) in self.sequences.iter().enumerate() {
                if survey.keys < 2 {
                    break;
                }
                let range = if self.in_order {
                    range_from(&times, from, start, end)
                } else {
                    range_of(&times, start, end)
                };
                // The next sequence may begin with the last key of this one.
                from = range.end.saturating_sub(1).max(range.start);
                keys.look(index, range.clone(), start, &times, &mut survey);
                // Sequences that follow each other share their border; each key counts once.
                played = played.saturating_add(range.end.saturating_sub(range.start.max(covered)));
                covered = covered.max(range.end);
            }
            if survey.keys > 1 && played < survey.keys {
                survey.outside = times.iter().filter(|&&time| time != 0 && !self.covers(time)).count();
            }
        } else if let Some(length) = self.global(track.global_sequence) {
            survey.past_global = times.iter().filter(|time| **time > length).count();
            let index = usize::try_from(track.global_sequence).unwrap_or(0);
            keys.look(index, range_of(&times, 0, length), 0, &times, &mut survey);
        }
        survey
    }

    fn covers(&self, time: i64) -> bool {
        self.sequences.iter().any(|[start, end]| (*start..=*end).contains(&time))
    }
}

/// The keys from start to end, both included.
fn range_of(times: &[i64], start: i64, end: i64) -> Range<usize> {
    let from = times.partition_point(|time| *time < start);
    from..times.partition_point(|time| *time <= end).max(from)
}

/// The same, where no key before `from` can be meant.
fn range_from(times: &[i64], from: usize, start: i64, end: i64) -> Range<usize> {
    let rest = || times.iter().skip(from);
    let before = rest().take_while(|time| **time < start).count();
    let inside = rest().skip(before).take_while(|time| **time <= end).count();
    let first = from.saturating_add(before);
    first..first.saturating_add(inside)
}

/// The keys of a track as raw words.
struct Keys<'a> {
    words: &'a [u32],
    stride: usize,
    width: usize,
    kind: ValueKind,
    interpolation: Interpolation,
}

impl<'a> Keys<'a> {
    fn new(track: &'a Track) -> Self {
        let kind = track.kind();
        Self {
            words: track.words(),
            stride: track.stride(),
            width: kind.width(),
            kind,
            interpolation: track.interpolation(),
        }
    }

    /// A key without its time: its value, and its tangents where it has them.
    fn whole(&self, index: usize) -> &'a [u32] {
        let start = index.saturating_mul(self.stride);
        self.words.get(start.saturating_add(1)..start.saturating_add(self.stride)).unwrap_or_default()
    }

    fn value(&self, index: usize) -> &'a [u32] {
        self.whole(index).get(..self.width).unwrap_or_default()
    }

    fn not_unit(&self) -> Option<(usize, f32)> {
        (self.words.chunks_exact(self.stride)).enumerate().find_map(|(index, key)| {
            let value = key.get(1..5).unwrap_or_default();
            let square: f32 = value.iter().map(|word| f32::from_bits(*word)).map(|x| x * x).sum();
            ((square - 1.0).abs() > UNIT * 2.0 && square.is_finite()).then(|| (index, square.sqrt()))
        })
    }

    /// What a sequence's keys are like.
    fn look(&self, sequence: usize, range: Range<usize>, start: i64, times: &[i64], survey: &mut Survey) {
        if range.len() < 2 {
            return;
        }
        let (first, last) = (range.start, range.end.saturating_sub(1));
        let late = times.get(first).is_some_and(|time| *time != start);
        if late
            && survey.no_opening.is_none()
            && self.interpolation != Interpolation::STEP
            && self.kind != ValueKind::Index
            && self.value(first) != self.value(last)
        {
            survey.no_opening = Some(sequence);
        }
        let words = range.start.saturating_mul(self.stride)..range.end.saturating_mul(self.stride);
        let rows = self.words.get(words).unwrap_or_default().chunks_exact(self.stride);
        let rows = rows.map(|row| row.get(1..).unwrap_or_default());
        for ((before, key), after) in rows.clone().zip(rows.clone().skip(1)).zip(rows.skip(2)) {
            if key == before && key == after {
                survey.repeated = survey.repeated.saturating_add(1);
            } else if self.kind != ValueKind::Index && near(key, before) && near(key, after) {
                survey.nearly_repeated = survey.nearly_repeated.saturating_add(1);
            }
        }
    }
}

fn near(a: &[u32], b: &[u32]) -> bool {
    a.iter().zip(b).all(|(a, b)| (f32::from_bits(*a) - f32::from_bits(*b)).abs() < NEAR)
}

/// The keys that can go: the same as both neighbours in every sequence that plays them. Neighbours that go, too, still
/// count, since what remains of the run has the same value.
pub(crate) fn repeated_keys(track: &Track, clock: &Clock) -> Vec<usize> {
    let keys = Keys::new(track);
    let times: Vec<i64> = track.times().map(i64::from).collect();
    if !times.is_sorted() {
        return Vec::new();
    }
    let ranges: Vec<Range<usize>> = if track.global_sequence < 0 {
        clock.sequences.iter().map(|[start, end]| range_of(&times, *start, *end)).collect()
    } else {
        clock.global(track.global_sequence).map(|length| range_of(&times, 0, length)).into_iter().collect()
    };
    (1..track.len().saturating_sub(1))
        .filter(|&index| {
            let same = keys.whole(index) == keys.whole(index.saturating_sub(1))
                && keys.whole(index) == keys.whole(index.saturating_add(1));
            let mut playing = ranges.iter().filter(|range| range.contains(&index)).peekable();
            same && playing.peek().is_some()
                && playing.all(|range| index > range.start && index.saturating_add(1) < range.end)
        })
        .collect()
}
