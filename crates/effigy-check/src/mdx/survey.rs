//! A survey of the keys of a track, made in one pass over them.
//!
//! A sequence plays the keys from its start to its end, both included, and no others; a global sequence has its own
//! clock from 0 to its length. When the first key of a sequence is after the sequence's start, the game
//! interpolates from the last key to the first one, which is visible unless both have the same value.

use crate::walk::any_not_finite;
use effigy_mdx::{Interpolation, Model, Track, ValueKind};

/// The clocks that tracks can follow.
pub(crate) struct Clock {
    /// Start and end of each sequence.
    sequences: Vec<[i64; 2]>,
    /// The times that some sequence plays, as intervals in order that do not touch.
    played: Vec<[i64; 2]>,
    /// Whether each sequence starts at or after the end of the one before it, as in nearly all models.
    in_order: bool,
    global: Vec<i64>,
    /// How many more keys and sequences may be looked at. It bounds the time that a hostile file can take.
    budget: usize,
}

/// A thousand times what the largest real models need.
const BUDGET: usize = 1 << 26;

/// A survey of the keys of a track. Counts are numbers of keys.
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
    /// Whether some value may be infinite or not a number; a very late time looks the same.
    pub maybe_not_finite: bool,
}

/// Values that differ by less are nearly the same.
const NEAR: f32 = 0.001;
/// How far from 1 the length of a rotation may be before it is visible.
const UNIT: f32 = 0.05;

impl Clock {
    pub fn new(model: &Model) -> Self {
        let sequences: Vec<[i64; 2]> =
            model.sequences.iter().map(|one| one.interval.map(i64::from)).collect();
        let follows = |pair: &[[i64; 2]]| matches!(pair, [[_, end], [start, _]] if end <= start);
        let in_order = sequences.windows(2).all(follows);
        let global = model.global_sequences.iter().map(|&length| i64::from(length)).collect();
        Self { played: union(&sequences), sequences, in_order, global, budget: BUDGET }
    }

    /// Whether some sequence plays a time of the model's timeline.
    pub fn plays(&self, time: i32) -> bool {
        let time = i64::from(time);
        let after = self.played.partition_point(|[_, end]| *end < time);
        self.played.get(after).is_some_and(|[start, _]| *start <= time)
    }

    /// The length of a global sequence.
    pub fn global(&self, index: i32) -> Option<i64> {
        usize::try_from(index).ok().and_then(|index| self.global.get(index)).copied()
    }

    pub fn survey(&mut self, track: &Track) -> Survey {
        let words = track.words();
        // Every size that a key can have: the time, and one or three values of one, three or four words.
        match track.stride() {
            2 => self.survey_rows(track, words.as_chunks::<2>().0),
            4 => self.survey_rows(track, words.as_chunks::<4>().0),
            5 => self.survey_rows(track, words.as_chunks::<5>().0),
            10 => self.survey_rows(track, words.as_chunks::<10>().0),
            _ => self.survey_rows(track, words.as_chunks::<13>().0),
        }
    }

    fn survey_rows<const N: usize>(&mut self, track: &Track, rows: &[[u32; N]]) -> Survey {
        let keys = Keys { rows, kind: track.kind(), interpolation: track.interpolation() };
        let mut survey = keys.one_by_one();
        survey.maybe_not_finite =
            keys.kind != ValueKind::Index && any_not_finite(track.words().iter().copied());
        // What follows looks keys up by time, which needs them in order. Keys out of order are surveyed as their repair would
        // put them, so that the repair brings nothing new to light.
        let mut sorted;
        let (rows, keys) = match survey.backwards {
            None => (rows, keys),
            Some(_) => {
                sorted = rows.to_vec();
                sorted.sort_by_key(|row| time(row));
                let keys = Keys { rows: sorted.as_slice(), ..keys };
                let again = keys.one_by_one();
                (survey.same_time, survey.same_key) = (again.same_time, again.same_key);
                (sorted.as_slice(), keys)
            }
        };
        if track.global_sequence < 0 {
            if rows.len() > 1 {
                self.survey_sequences(&keys, &mut survey);
            }
        } else if let Some(length) = self.global(track.global_sequence) {
            let index = usize::try_from(track.global_sequence).unwrap_or(0);
            let from = rows.partition_point(|row| time(row) < 0);
            let played = keys.look(index, from, [0, length], &mut survey);
            survey.past_global = rows.len().saturating_sub(from).saturating_sub(played);
        }
        survey
    }

    fn survey_sequences<const N: usize>(&mut self, keys: &Keys<'_, N>, survey: &mut Survey) {
        let (mut played, mut covered, mut from) = (0_usize, 0_usize, 0_usize);
        for (index, &[start, end]) in self.sequences.iter().enumerate() {
            // Where sequences are in order, the keys before those of the last one need not be searched.
            let earlier = if self.in_order { from } else { 0 };
            let rest = keys.rows.get(earlier..).unwrap_or_default();
            let before = if self.in_order {
                rest.iter().take_while(|row| i64::from(time(*row)) < start).count()
            } else {
                rest.partition_point(|row| i64::from(time(row)) < start)
            };
            let first = earlier.saturating_add(before);
            let count = keys.look(index, first, [start, end], survey);
            let Some(budget) = self.budget.checked_sub(count.saturating_add(1)) else { return };
            self.budget = budget;
            let after = first.saturating_add(count);
            // The next sequence may begin with the last key of this one.
            from = after.saturating_sub(1).max(first);
            // Sequences that follow each other share their border; each key counts once.
            played = played.saturating_add(after.saturating_sub(first.max(covered)));
            covered = covered.max(after);
        }
        if played < keys.rows.len() {
            let outside = |row: &&[u32; N]| time(*row) != 0 && !self.plays(time(*row));
            survey.outside = keys.rows.iter().filter(outside).count();
        }
    }
}

/// The same times as intervals in order that do not touch.
fn union(intervals: &[[i64; 2]]) -> Vec<[i64; 2]> {
    let mut sorted: Vec<[i64; 2]> = intervals.iter().copied().filter(|[start, end]| start <= end).collect();
    sorted.sort_unstable();
    let mut union: Vec<[i64; 2]> = Vec::with_capacity(sorted.len());
    for [start, end] in sorted {
        match union.last_mut() {
            Some([_, last]) if start <= *last => *last = end.max(*last),
            _ => union.push([start, end]),
        }
    }
    union
}

/// The time of a key.
fn time(row: &[u32]) -> i32 {
    row.first().copied().unwrap_or(0).cast_signed()
}

/// A key without its time: its value, and its tangents where it has them.
fn whole(row: &[u32]) -> &[u32] {
    row.get(1..).unwrap_or_default()
}

/// The keys of a track as rows of raw words.
struct Keys<'a, const N: usize> {
    rows: &'a [[u32; N]],
    kind: ValueKind,
    interpolation: Interpolation,
}

/// How similar a key is to the next one.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Likeness {
    Different,
    Near,
    Same,
}

impl<const N: usize> Keys<'_, N> {
    /// Surveys the keys without regard to sequences.
    fn one_by_one(&self) -> Survey {
        let mut survey = Survey { keys: self.rows.len(), ..Survey::default() };
        for (index, (before, row)) in self.rows.iter().zip(self.rows.iter().skip(1)).enumerate() {
            // One comparison for nearly every key.
            if time(before) < time(row) {
                continue;
            }
            if time(before) > time(row) {
                survey.backwards = survey.backwards.or(Some(index.saturating_add(1)));
            } else {
                survey.same_time = survey.same_time.saturating_add(1);
                survey.same_key = survey.same_key.saturating_add(usize::from(before == row));
            }
        }
        if survey.backwards.is_some() || self.rows.first().is_some_and(|row| time(row) < 0) {
            survey.negative = self.rows.iter().filter(|row| time(*row) < 0).count();
        }
        if self.kind == ValueKind::Rotation {
            survey.not_unit = self.not_unit();
        }
        survey
    }

    fn not_unit(&self) -> Option<(usize, f32)> {
        self.rows.iter().enumerate().find_map(|(index, row)| {
            let value = row.get(1..5).unwrap_or_default();
            let square: f32 = value.iter().map(|word| f32::from_bits(*word)).map(|x| x * x).sum();
            ((square - 1.0).abs() > UNIT * 2.0 && square.is_finite()).then(|| (index, square.sqrt()))
        })
    }

    /// Surveys the keys of a sequence. They begin at `from` and end with the sequence; returns how many there are.
    fn look(&self, sequence: usize, from: usize, [start, end]: [i64; 2], survey: &mut Survey) -> usize {
        let keys = self.rows.get(from..).unwrap_or_default();
        let Some(first) = keys.first().filter(|row| i64::from(time(*row)) <= end) else { return 0 };
        let (mut last, mut count, mut before) = (first, 1_usize, Likeness::Different);
        for key in keys.iter().skip(1) {
            if i64::from(time(key)) > end {
                break;
            }
            let now = self.likeness(last, key);
            if before != Likeness::Different && now != Likeness::Different {
                let same = before == Likeness::Same && now == Likeness::Same;
                let count = if same { &mut survey.repeated } else { &mut survey.nearly_repeated };
                *count = count.saturating_add(1);
            }
            (last, before, count) = (key, now, count.saturating_add(1));
        }
        if survey.no_opening.is_none()
            && i64::from(time(first)) != start
            && self.interpolation != Interpolation::STEP
            && self.kind != ValueKind::Index
            && self.value(first) != self.value(last)
        {
            survey.no_opening = Some(sequence);
        }
        count
    }

    fn value<'k>(&self, row: &'k [u32]) -> &'k [u32] {
        whole(row).get(..self.kind.width()).unwrap_or_default()
    }

    fn likeness(&self, a: &[u32; N], b: &[u32; N]) -> Likeness {
        if whole(a) == whole(b) {
            Likeness::Same
        } else if self.kind != ValueKind::Index && near(whole(a), whole(b)) {
            Likeness::Near
        } else {
            Likeness::Different
        }
    }
}

fn near(a: &[u32], b: &[u32]) -> bool {
    a.iter().zip(b).all(|(a, b)| (f32::from_bits(*a) - f32::from_bits(*b)).abs() < NEAR)
}

/// The keys that can be removed: those that are the same as both neighbours in every sequence that plays them. Neighbours that
/// are removed as well still count, since the rest of the run has the same value.
pub(crate) fn repeated_keys(track: &Track, clock: &mut Clock) -> Vec<usize> {
    let rows: Vec<&[u32]> = track.words().chunks_exact(track.stride()).collect();
    let same = rows.windows(3).enumerate().filter(|(_, three)| match three {
        [before, key, after] => whole(key) == whole(before) && whole(key) == whole(after),
        _ => false,
    });
    let mut same: Vec<usize> = same.map(|(index, _)| index.saturating_add(1)).collect();
    let timeline = track.global_sequence < 0;
    let length = clock.global(track.global_sequence);
    let sequences = if timeline { clock.sequences.len() } else { 0 };
    let Some(budget) = clock.budget.checked_sub(sequences) else { return Vec::new() };
    if same.is_empty() || !rows.is_sorted_by_key(|row| time(row)) {
        return Vec::new();
    }
    clock.budget = budget;
    // Where a sequence begins or ends with a key, the key stays.
    let mut borders = vec![false; rows.len()];
    let own = length.map(|length| [0, length]);
    for [start, end] in clock.sequences.iter().take(sequences).chain(own.as_slice()) {
        let from = rows.partition_point(|row| i64::from(time(row)) < *start);
        let to = rows.partition_point(|row| i64::from(time(row)) <= *end);
        if let Some([first, ..]) = borders.get_mut(from..to) {
            *first = true;
        }
        if let Some([.., last]) = borders.get_mut(from..to) {
            *last = true;
        }
    }
    let plays = |index: &usize| {
        let at = rows.get(*index).map_or(0, |row| time(row));
        if timeline { clock.plays(at) } else { length.is_some_and(|end| at >= 0 && i64::from(at) <= end) }
    };
    same.retain(|index| plays(index) && borders.get(*index) == Some(&false));
    same
}

#[cfg(test)]
mod tests {
    use super::*;
    use effigy_mdx::track::tags;
    use effigy_mdx::{Dialect, Key, Sequence};

    fn clock(sequences: &[[u32; 2]]) -> Clock {
        let mut model = Model::new(Dialect::Warcraft3, 800, "clock");
        let sequence = |interval| Sequence { interval, ..Sequence::default() };
        model.sequences = sequences.iter().map(|interval| sequence(*interval)).collect();
        model.global_sequences.push(100);
        Clock::new(&model)
    }

    fn track(keys: &[(i32, f32)]) -> Track {
        let keys: Vec<Key<f32>> = keys.iter().map(|(time, value)| Key::new(*time, *value)).collect();
        Track::new(tags::KGAO, Interpolation::LINEAR, &keys).unwrap()
    }

    #[test]
    fn times_that_sequences_share_are_played_once() {
        assert_eq!(union(&[[5, 9], [0, 3], [2, 6], [20, 10], [12, 12]]), [[0, 9], [12, 12]]);
        let clock = clock(&[[100, 200], [0, 50]]);
        let played: Vec<bool> =
            [-1, 0, 50, 51, 99, 100, 200, 201].iter().map(|time| clock.plays(*time)).collect();
        assert_eq!(played, [false, true, true, false, false, true, true, false]);
    }

    #[test]
    fn keys_count_once_however_sequences_lie() {
        let keys = [(0, 1.0), (10, 1.0), (20, 1.0), (30, 2.0), (45, 2.0), (60, 3.0)];
        // In order with a shared border, out of order, and overlapping.
        let cases = [
            ([[0, 20], [20, 30]], 2, 1, None),
            ([[20, 30], [0, 20]], 2, 1, None),
            ([[0, 20], [5, 60]], 0, 1, Some(1)),
        ];
        for (sequences, outside, repeated, no_opening) in cases {
            let survey = clock(&sequences).survey(&track(&keys));
            let found = (survey.outside, survey.repeated, survey.no_opening);
            assert_eq!(found, (outside, repeated, no_opening), "{sequences:?}");
        }
    }

    #[test]
    fn a_global_sequence_plays_from_0_to_its_length() {
        let track = track(&[(-5, 1.0), (0, 1.0), (50, 1.0), (100, 1.0), (101, 2.0)]).on_global_sequence(0);
        let survey = clock(&[]).survey(&track);
        assert_eq!((survey.negative, survey.past_global, survey.repeated), (1, 1, 1));
        assert_eq!(repeated_keys(&track, &mut clock(&[])), [2]);
    }

    #[test]
    fn keys_at_the_border_of_a_sequence_stay() {
        let track = track(&[(0, 1.0), (10, 1.0), (20, 1.0), (30, 1.0), (40, 1.0)]);
        assert_eq!(repeated_keys(&track, &mut clock(&[[0, 40]])), [1, 2, 3]);
        assert_eq!(repeated_keys(&track, &mut clock(&[[0, 20], [20, 40]])), [1, 3]);
        assert_eq!(repeated_keys(&track, &mut clock(&[[20, 40]])), [3]);
    }

    #[test]
    fn a_hostile_number_of_sequences_and_keys_ends_soon() {
        let keys: Vec<(i32, f32)> = (0..20_000).map(|time| (time, 0.0)).collect();
        let mut clock = clock(&vec![[0, 20_000]; 20_000]);
        clock.budget = 100_000;
        let survey = clock.survey(&track(&keys));
        assert_eq!(survey.keys, 20_000);
        assert!(clock.budget < 20_001);
        assert_eq!(survey.repeated, 5 * 19_998);
    }
}
