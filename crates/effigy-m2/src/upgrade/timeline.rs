//! Tracks: the keys of all sequences on one timeline with ranges (before 264), or a list of keys for each sequence (264).

use crate::block::{Block, Element, Key};
use crate::model::Model;
use crate::records::Sequence;
use crate::series::Series;
use crate::track::{Moments, Track};
use crate::version::Caps;
use crate::walk::{Tree, WalkerMut};
use effigy_wire::{Error, Kind, Report, Result};

/// Most keys that a conversion may produce: in a hostile file every range may include all keys.
const MOST_KEYS: usize = 1 << 23;

pub(super) fn to_lists(model: &mut Model, report: &mut Report) -> Result<()> {
    convert(model, report, Direction::Lists)
}

pub(super) fn to_ranges(model: &mut Model, report: &mut Report) -> Result<()> {
    convert(model, report, Direction::Ranges)
}

impl Model {
    /// A track from one list of keys per sequence, with times from the sequence's start, in the layout of the model's
    /// version. One list with one key is a constant.
    #[must_use]
    pub fn make_track<T: Key>(&self, interpolation: i16, lists: &[&[(u32, T)]]) -> Track<T> {
        let mut track = Track { interpolation, ..Track::default() };
        for list in lists {
            track.times.push_items(list.iter().map(|key| key.0));
            track.values.push_items(list.iter().map(|key| key.1));
        }
        if self.caps().contains(Caps::NESTED) {
            track
        } else {
            Timeline::of(self).to_ranges(&track, T::one())
        }
    }

    /// A track that a global sequence drives, in the layout of the model's version.
    #[must_use]
    pub fn make_loop<T: Key>(&self, interpolation: i16, global_sequence: i16, keys: &[(u32, T)]) -> Track<T> {
        let (times, values): (Vec<u32>, Vec<T>) = keys.iter().copied().unzip();
        let mut track = Track { interpolation, global_sequence, ..Track::default() };
        if self.caps().contains(Caps::NESTED) {
            track.times.push_part(&times);
            track.values.push_part(&values);
        } else {
            track.times = Series::flat(times);
            track.values = Series::flat(values);
        }
        track
    }

    /// The times of an event from one list per sequence, in the layout of the model's version.
    #[must_use]
    pub fn make_moments(&self, lists: &[&[u32]]) -> Moments {
        let moments = Moments { times: Series::nested(lists), ..Moments::default() };
        if self.caps().contains(Caps::NESTED) {
            moments
        } else {
            Timeline::of(self).moments_to_ranges(&moments)
        }
    }
}

fn convert(model: &mut Model, report: &mut Report, direction: Direction) -> Result<()> {
    let timeline = Timeline::of(model);
    let mut convert = Convert { timeline, direction, report, path: Vec::new(), left: MOST_KEYS };
    model.contents.walk_mut(&mut convert);
    if convert.left == 0 {
        return Err(Error::new(Kind::Limit, "the tracks have too many keys to convert"));
    }
    Ok(())
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    Lists,
    Ranges,
}

#[derive(Clone, Copy)]
struct Span {
    start: u32,
    end: u32,
}

/// The sequences on the timeline.
struct Timeline {
    spans: Vec<Span>,
    /// The sequences sorted by start.
    order: Vec<usize>,
    globals: usize,
}

type Keys<T> = Vec<(u32, T)>;

impl Timeline {
    fn of(model: &Model) -> Self {
        let span = |found: &Sequence| Span { start: found.start, end: found.end };
        let spans: Vec<Span> = model.sequences.iter().map(span).collect();
        let mut order: Vec<usize> = (0..spans.len()).collect();
        order.sort_by_key(|&index| spans.get(index).map(|span| (span.start, span.end)));
        Self { spans, order, globals: model.global_sequences.len() }
    }

    /// The keys of a sequence, from the keys in its range, with times from its start.
    fn list<T: Key>(&self, span: Span, keys: &[(u32, T)], step: bool) -> Keys<T> {
        let mut list: Keys<T> = Vec::with_capacity(keys.len());
        if let [(time, value)] = keys {
            let inside = (span.start..=span.end).contains(time);
            list.push((if inside { time.saturating_sub(span.start) } else { 0 }, *value));
            return list;
        }
        let at = |time: u32, before: (u32, T), after: (u32, T)| {
            let length = f64::from(after.0) - f64::from(before.0);
            let part = (f64::from(time) - f64::from(before.0)) / length;
            #[allow(clippy::cast_possible_truncation, reason = "a part between 0 and 1")]
            let part = part as f32;
            if step { before.1 } else { before.1.mix(after.1, part) }
        };
        for pair in keys.windows(2) {
            let &[before, after] = pair else { continue };
            if before.0 < span.start && after.0 > span.start {
                list.push((0, at(span.start, before, after)));
            }
            if (span.start..=span.end).contains(&before.0) {
                list.push((before.0.saturating_sub(span.start), before.1));
            }
            if before.0 < span.end && after.0 > span.end && span.end > span.start && !step {
                list.push((span.end.saturating_sub(span.start), at(span.end, before, after)));
            }
        }
        if let Some(&(time, value)) = keys.last()
            && (span.start..=span.end).contains(&time)
        {
            list.push((time.saturating_sub(span.start), value));
        }
        if list.is_empty() {
            list.extend(keys.first().map(|key| (0, key.1)));
        }
        list
    }

    /// One timeline from the lists of all sequences.
    fn join<T: Key>(&self, lists: &[Keys<T>], default: T, step: bool) -> Keys<T> {
        let mut keys: Keys<T> = Vec::new();
        let last = self.order.last().copied();
        let mut before: Option<Span> = None;
        for &index in &self.order {
            let Some(&span) = self.spans.get(index) else { continue };
            // Two sequences with the same start and end play the same keys.
            if before.is_some_and(|before| (before.start, before.end) == (span.start, span.end)) {
                continue;
            }
            before = Some(span);
            let list = lists.get(index).or(lists.first()).map(Vec::as_slice).unwrap_or_default();
            let rest = [(0, default)];
            let list = if list.is_empty() { &rest } else { list };
            let Some((first, end)) = list.first().zip(list.last()) else { continue };
            // Without a key at the start, the last key of another sequence would influence this one.
            if first.0 > 0 && !keys.is_empty() {
                keys.push((span.start, first.1));
            }
            keys.extend(list.iter().map(|&(time, value)| (span.start.saturating_add(time), value)));
            // Without a key at the end, the first key of the next sequence would influence this one.
            let close = !step && span.start.saturating_add(end.0) < span.end && Some(index) != last;
            if close {
                keys.push((span.end, end.1));
            }
        }
        keys.sort_by_key(|key| key.0);
        keys.dedup_by_key(|key| key.0);
        keys
    }

    /// First and last key of each sequence: those at its start and end, or else the one before and the one after.
    fn ranges(&self, times: &[u32]) -> Block<[u32; 2]> {
        let word = crate::series::word;
        let range = |span: &Span| {
            let first = times.partition_point(|&time| time <= span.start).saturating_sub(1);
            let last = times.partition_point(|&time| time < span.end).min(times.len().saturating_sub(1));
            [word(first), word(last.max(first))]
        };
        self.spans.iter().map(range).chain(std::iter::repeat_n([0, 0], self.globals)).collect()
    }

    fn to_lists<T: Key>(&self, track: &Track<T>) -> Track<T> {
        let times = track.times.all();
        let values = track.values.all();
        let keys: Keys<T> = times.iter().copied().zip(values.iter().copied()).collect();
        let alone = track.global_sequence >= 0 || (track.ranges.is_empty() && keys.len() <= 1);
        let lists: Vec<Keys<T>> = if keys.is_empty() {
            Vec::new()
        } else if alone {
            vec![keys]
        } else {
            let last = crate::series::word(keys.len().saturating_sub(1));
            let list = |(index, &span): (usize, &Span)| {
                let [first, last] = track.ranges.get(index).copied().unwrap_or([0, last]);
                let range = first as usize..(last as usize).saturating_add(1).min(keys.len());
                self.list(span, keys.get(range).unwrap_or_default(), track.interpolation == 0)
            };
            self.spans.iter().enumerate().map(list).collect()
        };
        let mut result = Track {
            interpolation: track.interpolation,
            global_sequence: track.global_sequence,
            ..Track::default()
        };
        for list in lists {
            let (times, values): (Vec<u32>, Vec<T>) = list.into_iter().unzip();
            result.times.push_part(&times);
            result.values.push_part(&values);
        }
        result
    }

    fn to_ranges<T: Key>(&self, track: &Track<T>, default: T) -> Track<T> {
        let count = track.times.part_count().min(track.values.part_count());
        let lists: Vec<Keys<T>> = (0..count)
            .map(|index| {
                track
                    .times
                    .part(index)
                    .iter()
                    .copied()
                    .zip(track.values.part(index).iter().copied())
                    .collect()
            })
            .collect();
        let keys: usize = lists.iter().map(Vec::len).sum();
        let constant = count == 1 && keys == 1 && (self.spans.len() != 1 || track.interpolation == 0);
        let mut result = Track {
            interpolation: track.interpolation,
            global_sequence: track.global_sequence,
            ..Track::default()
        };
        if keys == 0 {
            return result;
        }
        let joined = if track.global_sequence >= 0 || constant {
            lists.concat()
        } else {
            let joined = self.join(&lists, default, track.interpolation == 0);
            let times: Vec<u32> = joined.iter().map(|key| key.0).collect();
            result.ranges = self.ranges(&times);
            joined
        };
        let (times, values): (Vec<u32>, Vec<T>) = joined.into_iter().unzip();
        result.times = Series::flat(times);
        result.values = Series::flat(values);
        result
    }

    fn moments_to_lists(&self, moments: &Moments) -> Moments {
        let mut result = Moments { ranges: Block::default(), times: Series::default(), ..moments.clone() };
        let times = moments.times.all();
        if moments.global_sequence >= 0 || moments.ranges.is_empty() {
            if !times.is_empty() {
                result.times.push_part(times);
            }
            return result;
        }
        for (index, span) in self.spans.iter().enumerate() {
            let [first, past] = moments.ranges.get(index).copied().unwrap_or_default();
            let list = times.get(first as usize..past as usize).unwrap_or_default();
            let list: Vec<u32> = list.iter().map(|time| time.saturating_sub(span.start)).collect();
            result.times.push_part(&list);
        }
        result
    }

    /// The ranges of event times are half open: the first, and one past the last.
    fn moments_to_ranges(&self, moments: &Moments) -> Moments {
        let mut result = Moments { times: Series::default(), ..moments.clone() };
        let series = &moments.times;
        if moments.global_sequence >= 0 || (series.part_count() == 1 && self.spans.len() != 1) {
            result.times = Series::flat(series.all().to_vec());
            return result;
        }
        if series.part_count() == 0 {
            return result;
        }
        let mut times = Vec::new();
        for (index, span) in self.spans.iter().enumerate() {
            let first = crate::series::word(times.len());
            times.extend(series.part(index).iter().map(|time| span.start.saturating_add(*time)));
            result.ranges.push([first, crate::series::word(times.len())]);
        }
        result.ranges.extend(std::iter::repeat_n([0, 0], self.globals));
        result.times = Series::flat(times);
        result
    }
}

struct Convert<'a> {
    timeline: Timeline,
    direction: Direction,
    report: &'a mut Report,
    path: Vec<String>,
    left: usize,
}

impl Convert<'_> {
    fn path(&self) -> String {
        let mut path = String::new();
        for step in &self.path {
            if !path.is_empty() && !step.starts_with('[') {
                path.push('.');
            }
            path.push_str(step);
        }
        path
    }

    /// The value of a track without keys.
    fn default<T: Key>(&self) -> T {
        match self.path.last().map(String::as_str) {
            Some(
                "scale" | "rotation" | "packed_rotation" | "rgb" | "alpha" | "weight" | "visible" | "enabled"
                | "animated" | "color" | "ambient_color" | "ambient_intensity" | "diffuse_color"
                | "diffuse_intensity",
            ) => T::one(),
            _ => T::zeroed(),
        }
    }

    fn spend(&mut self, keys: usize) -> bool {
        self.left = self.left.saturating_sub(keys);
        self.left > 0
    }
}

impl WalkerMut for Convert<'_> {
    fn enter(&mut self, field: &'static str) {
        self.path.push(field.to_owned());
    }

    fn leave(&mut self) {
        self.path.pop();
    }

    fn block<T: Element>(&mut self, block: &mut Block<T>) {
        if T::LEAF {
            return;
        }
        for (index, item) in block.iter_mut().enumerate() {
            self.path.push(format!("[{index}]"));
            item.walk_mut(self);
            self.path.pop();
        }
    }

    fn series<T: Key>(&mut self, _: &mut Series<T>, _: bool) {}

    fn track<T: Key>(&mut self, track: &mut Track<T>) {
        let spans = self.timeline.spans.len();
        let keys = track.times.all().len();
        let copies = match self.direction {
            Direction::Lists => {
                let span = |range: &[u32; 2]| (range[1].saturating_sub(range[0]) as usize).min(keys);
                track.ranges.iter().fold(0, |sum: usize, range| sum.saturating_add(span(range)))
            }
            // Sequences without their own list use the first one.
            Direction::Ranges => {
                let without = spans.saturating_sub(track.times.part_count());
                track.times.part(0).len().saturating_mul(without)
            }
        };
        if !self.spend(keys.saturating_add(copies).saturating_add(spans)) {
            return;
        }
        let before = std::mem::take(track);
        if self.direction == Direction::Lists {
            *track = self.timeline.to_lists(&before);
            if self.timeline.to_ranges(track, self.default()) != before {
                let why = "keys outside their sequences, or unusual ranges";
                self.report.approximated(self.path(), why);
            }
        } else {
            if (0..before.times.part_count()).any(|index| before.times.is_absent(index)) {
                self.report.dropped(self.path(), "keys whose .anim file is not attached");
            }
            *track = self.timeline.to_ranges(&before, self.default());
        }
    }

    fn moments(&mut self, moments: &mut Moments) {
        let cost =
            moments.times.all().len().saturating_add(1).saturating_mul(self.timeline.spans.len().max(1));
        if !self.spend(cost) {
            return;
        }
        let before = std::mem::take(moments);
        if self.direction == Direction::Lists {
            *moments = self.timeline.moments_to_lists(&before);
            if self.timeline.moments_to_ranges(moments) != before {
                let why = "times outside all sequences, or unusual ranges";
                self.report.approximated(self.path(), why);
            }
        } else {
            *moments = self.timeline.moments_to_ranges(&before);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::{Attachment, Bone, Color, Event};
    use crate::version::Version;

    fn model(version: Version, spans: &[[u32; 2]]) -> Model {
        let mut model = Model::new(version);
        model.sequences =
            spans.iter().map(|&[start, end]| Sequence { start, end, ..Sequence::default() }).collect();
        model.global_sequences = vec![100].into();
        model
    }

    fn timeline(spans: &[[u32; 2]]) -> Timeline {
        Timeline::of(&model(Version::VANILLA, spans))
    }

    #[test]
    fn keys_are_cut_at_the_edges_of_their_sequence() {
        // 0 to 100 rises by 10, 100 to 200 by 30, 200 to 300 by 40.
        let keys = [(0, 0.0_f32), (100, 10.0), (200, 40.0), (300, 80.0)];
        for (start, end, linear, step) in [
            (50, 125, &[(0, 5.0), (50, 10.0), (75, 17.5)][..], &[(0, 0.0), (50, 10.0)][..]),
            (125, 175, &[(0, 17.5), (50, 32.5)], &[(0, 10.0)]),
            (100, 200, &[(0, 10.0), (100, 40.0)], &[(0, 10.0), (100, 40.0)]),
            (0, 300, &[(0, 0.0), (100, 10.0), (200, 40.0), (300, 80.0)], &keys[..]),
            (150, 150, &[(0, 25.0)], &[(0, 10.0)]),
            (200, 200, &[(0, 40.0)], &[(0, 40.0)]),
            (275, 400, &[(0, 70.0), (25, 80.0)], &[(0, 40.0), (25, 80.0)]),
            // Outside of all keys the first one is used.
            (400, 500, &[(0, 0.0)], &[(0, 0.0)]),
        ] {
            let timeline = timeline(&[]);
            let span = Span { start, end };
            assert_eq!(timeline.list(span, &keys, false), linear, "{start} {end}");
            assert_eq!(timeline.list(span, &keys, true), step, "{start} {end}");
        }
        let single = |start, end| timeline(&[]).list(Span { start, end }, &keys[1..2], false);
        assert_eq!(single(50, 100), [(50, 10.0)]);
        assert_eq!(single(100, 200), [(0, 10.0)]);
        assert_eq!((single(101, 200), single(0, 99)), (vec![(0, 10.0)], vec![(0, 10.0)]));
    }

    #[test]
    fn lists_are_joined_with_keys_at_the_edges() {
        let lists = |lists: &[&[(u32, f32)]]| lists.iter().map(|list| list.to_vec()).collect::<Vec<_>>();
        let early: &[(u32, f32)] = &[(0, 1.0), (400, 2.0)];
        let late: &[(u32, f32)] = &[(100, 3.0), (1000, 4.0)];
        let whole: &[(u32, f32)] = &[(0, 5.0), (1000, 6.0)];
        // In another order than on the timeline.
        let spans = [[5000, 6000], [1000, 2000]];
        for (given, step, expected) in [
            (lists(&[whole, whole]), false, vec![(1000, 5.0), (2000, 6.0), (5000, 5.0), (6000, 6.0)]),
            // What ends early is held until its end, unless nothing follows.
            (
                lists(&[early, early]),
                false,
                vec![(1000, 1.0), (1400, 2.0), (2000, 2.0), (5000, 1.0), (5400, 2.0)],
            ),
            (lists(&[early, early]), true, vec![(1000, 1.0), (1400, 2.0), (5000, 1.0), (5400, 2.0)]),
            // What starts late is held from its start, unless nothing precedes.
            (
                lists(&[late, late]),
                false,
                vec![(1100, 3.0), (2000, 4.0), (5000, 3.0), (5100, 3.0), (6000, 4.0)],
            ),
            (lists(&[&[], whole]), false, vec![(1000, 5.0), (2000, 6.0), (5000, -1.0)]),
            // Without keys it rests until its end, not only at its start.
            (lists(&[whole, &[]]), false, vec![(1000, -1.0), (2000, -1.0), (5000, 5.0), (6000, 6.0)]),
            (lists(&[whole, &[]]), true, vec![(1000, -1.0), (5000, 5.0), (6000, 6.0)]),
            // A sequence without a list has the first one.
            (lists(&[whole]), false, vec![(1000, 5.0), (2000, 6.0), (5000, 5.0), (6000, 6.0)]),
        ] {
            assert_eq!(timeline(&spans).join(&given, -1.0, step), expected, "{given:?}");
        }
        // Two sequences with the same start and end have the keys of the first; others are kept apart.
        let twice = [[1000, 2000], [1000, 2000], [1000, 1500]];
        let joined = timeline(&twice).join(&lists(&[whole, early, &[(200, 9.0)]]), -1.0, true);
        assert_eq!(joined, [(1000, 5.0), (1200, 9.0), (2000, 6.0)]);
    }

    #[test]
    fn a_range_has_the_keys_at_or_around_its_sequence() {
        let spans = [[1000, 2000], [3000, 4000], [9000, 9500]];
        for (times, expected) in [
            (&[1000, 2000, 3000, 4000][..], [[0, 1], [2, 3], [3, 3]]),
            (&[0, 2500, 5000], [[0, 1], [1, 2], [2, 2]]),
            (&[1500, 3500], [[0, 1], [0, 1], [1, 1]]),
            (&[1000], [[0, 0], [0, 0], [0, 0]]),
        ] {
            let ranges = timeline(&spans).ranges(times);
            // One more for the global sequence.
            assert_eq!((&ranges[..3], ranges[3], ranges.len()), (&expected[..], [0, 0], 4), "{times:?}");
        }
    }

    fn flat(interpolation: i16, global_sequence: i16, ranges: &[[u32; 2]], times: &[u32]) -> Track<f32> {
        Track {
            interpolation,
            global_sequence,
            ranges: ranges.into(),
            times: Series::flat(times.to_vec()),
            values: Series::flat((1..=times.len()).map(|value| value as f32).collect()),
        }
    }

    #[test]
    fn a_track_becomes_lists() {
        let timeline = timeline(&[[1000, 2000], [3000, 4000]]);
        let lists = |track: &Track<f32>| {
            let made = timeline.to_lists(track);
            assert_eq!(made.interpolation, track.interpolation);
            assert_eq!(made.global_sequence, track.global_sequence);
            assert!(made.ranges.is_empty());
            let part = |at| (made.times.part(at).to_vec(), made.values.part(at).to_vec());
            (0..made.times.part_count()).map(part).collect::<Vec<_>>()
        };
        assert_eq!(lists(&flat(1, -1, &[], &[])), []);
        // Constants and tracks of global sequences have one list with unchanged times.
        assert_eq!(lists(&flat(1, -1, &[], &[1500])), [(vec![1500], vec![1.0])]);
        assert_eq!(lists(&flat(1, 0, &[[0, 0]], &[5, 9])), [(vec![5, 9], vec![1.0, 2.0])]);
        // One key with ranges, and keys without ranges, belong to every sequence.
        let one = lists(&flat(1, -1, &[[0, 0], [0, 0]], &[1500]));
        assert_eq!(one, [(vec![500], vec![1.0]), (vec![0], vec![1.0])]);
        let all = lists(&flat(1, -1, &[], &[1000, 3000]));
        assert_eq!(all, [(vec![0, 1000], vec![1.0, 1.5]), (vec![0], vec![2.0])]);
        let held = lists(&flat(0, -1, &[], &[1000, 3000]));
        assert_eq!(held, [(vec![0], vec![1.0]), (vec![0], vec![2.0])]);
        let ranged = lists(&flat(1, -1, &[[0, 1], [2, 9]], &[1000, 2000, 3000, 4000]));
        assert_eq!(ranged, [(vec![0, 1000], vec![1.0, 2.0]), (vec![0, 1000], vec![3.0, 4.0])]);
    }

    #[test]
    fn lists_become_a_track() {
        let nested = |interpolation, global_sequence, lists: &[&[u32]]| {
            let values = lists.iter().map(|list| vec![7.0_f32; list.len()]);
            Track {
                interpolation,
                global_sequence,
                times: Series::nested(lists),
                values: Series::nested(values),
                ..Track::default()
            }
        };
        let one = timeline(&[[1000, 2000]]);
        let two = timeline(&[[1000, 2000], [3000, 4000]]);
        let both = |made: &Track<f32>| (made.times.all().to_vec(), made.ranges.to_vec());
        for (name, timeline, track, times, ranges) in [
            ("nothing", &two, nested(1, -1, &[&[], &[]]), &[][..], &[][..]),
            ("constant", &two, nested(1, -1, &[&[33]]), &[33], &[]),
            ("constant step", &one, nested(0, -1, &[&[33]]), &[33], &[]),
            ("one sequence", &one, nested(1, -1, &[&[33]]), &[1033], &[[0, 0], [0, 0]]),
            ("global", &two, nested(1, 0, &[&[5, 9]]), &[5, 9], &[]),
            (
                "one list",
                &two,
                nested(0, -1, &[&[0, 9]]),
                &[1000, 1009, 3000, 3009],
                &[[0, 2], [2, 3], [0, 0]],
            ),
            ("one key", &two, nested(0, -1, &[&[0], &[]]), &[1000, 3000], &[[0, 1], [1, 1], [0, 0]]),
            ("step", &two, nested(0, -1, &[&[0], &[0]]), &[1000, 3000], &[[0, 1], [1, 1], [0, 0]]),
            ("linear", &two, nested(1, -1, &[&[0], &[0]]), &[1000, 2000, 3000], &[[0, 1], [2, 2], [0, 0]]),
        ] {
            let made = timeline.to_ranges(&track, 0.0);
            assert_eq!(both(&made), (times.to_vec(), ranges.to_vec()), "{name}");
            assert_eq!(made.values.all().len(), times.len(), "{name}");
            assert_eq!(made.interpolation, track.interpolation, "{name}");
            assert_eq!(made.global_sequence, track.global_sequence, "{name}");
        }
    }

    #[test]
    fn the_times_of_events_in_both_layouts() {
        let (one, two) = (timeline(&[[1000, 2000]]), timeline(&[[1000, 2000], [3000, 4000]]));
        let old = |global_sequence, ranges: &[[u32; 2]], times: &[u32]| Moments {
            global_sequence,
            ranges: ranges.into(),
            times: Series::flat(times.to_vec()),
            ..Moments::default()
        };
        let new = |global_sequence, lists: &[&[u32]]| Moments {
            global_sequence,
            times: Series::nested(lists),
            ..Moments::default()
        };
        for (timeline, old, new) in [
            (&two, old(-1, &[[0, 2], [2, 3], [0, 0]], &[1000, 1500, 3250]), new(-1, &[&[0, 500], &[250]])),
            (&one, old(-1, &[[0, 1], [0, 0]], &[1500]), new(-1, &[&[500]])),
            (&two, old(-1, &[], &[1500]), new(-1, &[&[1500]])),
            (&two, old(0, &[], &[5, 9]), new(0, &[&[5, 9]])),
            (&one, old(0, &[], &[5, 9]), new(0, &[&[5, 9]])),
            (&two, old(-1, &[], &[]), new(-1, &[])),
        ] {
            assert_eq!(timeline.moments_to_lists(&old), new, "{old:?}");
            assert_eq!(timeline.moments_to_ranges(&new), old, "{new:?}");
        }
        // Ranges of a global sequence mean nothing; neither do those beyond the times.
        assert_eq!(two.moments_to_lists(&old(0, &[[0, 1]], &[5, 9])).times.part(0), [5, 9]);
        let beyond = two.moments_to_lists(&old(-1, &[[0, 9]], &[1500]));
        assert_eq!((beyond.times.part_count(), beyond.times.all().len()), (2, 0));
    }

    #[test]
    fn tracks_are_made_in_the_layout_of_the_version() {
        let spans = [[1000, 2000], [3000, 4000]];
        let (old, new) = (model(Version::VANILLA, &spans), model(Version::WRATH, &spans));
        let lists: [&[(u32, f32)]; 2] = [&[(0, 1.0)], &[(0, 2.0)]];
        let (flat, nested) = (old.make_track(1, &lists), new.make_track(1, &lists));
        assert_eq!((flat.interpolation, flat.times.all()), (1, &[1000, 2000, 3000][..]));
        assert_eq!(flat.ranges.as_slice(), [[0, 1], [2, 2], [0, 0]]);
        assert_eq!((nested.interpolation, nested.times.part(1)), (1, &[0][..]));
        assert_eq!((nested.values.part(1), nested.ranges.len()), (&[2.0][..], 0));
        for (model, parts) in [(&old, 0), (&new, 1)] {
            let made = model.make_loop(1, 3, &[(5, 1.0_f32), (9, 2.0)]);
            assert_eq!((made.interpolation, made.global_sequence), (1, 3));
            assert_eq!((made.times.all(), made.values.all()), (&[5, 9][..], &[1.0, 2.0][..]));
            assert_eq!(made.times.part_count(), parts);
        }
        assert_eq!(new.make_moments(&[&[5], &[9]]).times.part(1), [9]);
        assert_eq!(old.make_moments(&[&[5], &[9]]).times.all(), [1005, 3009]);
    }

    #[test]
    fn a_sequence_without_keys_has_the_value_of_a_track_without_keys() {
        let mut model = model(Version::WRATH, &[[1000, 2000], [3000, 4000]]);
        let scale = model.make_track(0, &[&[(0, [5.0; 3])], &[]]);
        let translation = scale.clone();
        let packed_rotation = model.make_track(0, &[&[(0, [9; 4])], &[]]);
        model.bones = vec![Bone { translation, packed_rotation, scale, ..Bone::default() }].into();
        let alpha = model.make_track(0, &[&[(0, 5)], &[]]);
        model.colors = vec![Color { alpha, ..Color::default() }].into();
        let animated = model.make_track(0, &[&[(0, 5)], &[]]);
        model.attachments = vec![Attachment { animated, ..Attachment::default() }].into();
        to_ranges(&mut model, &mut Report::default()).unwrap();
        let bone = &model.bones[0];
        assert_eq!(bone.translation.values.all(), [[5.0; 3], [0.0; 3]]);
        assert_eq!(bone.scale.values.all(), [[5.0; 3], [1.0; 3]]);
        assert_eq!(bone.packed_rotation.values.all(), [[9; 4], [32767, 32767, 32767, 65535]]);
        assert_eq!(model.colors[0].alpha.values.all(), [5, 32767]);
        assert_eq!(model.attachments[0].animated.values.all(), [5, 1]);
    }

    #[test]
    fn keys_that_would_not_come_back_are_reported_with_their_path() {
        let spans = [[1000, 2000], [3000, 4000]];
        let event = |ranges: &[[u32; 2]], times: &[u32]| {
            let moments =
                Moments { ranges: ranges.into(), times: Series::flat(times.to_vec()), ..Moments::default() };
            Event { moments, ..Event::default() }
        };
        let mut model = model(Version::VANILLA, &spans);
        let color = |alpha| Color { alpha, ..Color::default() };
        let track = |times: &[u32]| Track::<i16> {
            ranges: vec![[0, 1], [1, 1], [0, 0]].into(),
            times: Series::flat(times.to_vec()),
            values: Series::flat(vec![1; times.len()]),
            ..Track::default()
        };
        model.colors = vec![color(track(&[1000, 3000])), color(track(&[1000, 3100]))].into();
        let fine = event(&[[0, 1], [1, 2], [0, 0]], &[1500, 3500]);
        model.events = vec![fine, event(&[[0, 1], [1, 2], [0, 0]], &[1500, 3500, 9999])].into();
        let mut report = Report::default();
        to_lists(&mut model, &mut report).unwrap();
        let paths: Vec<&str> = report.notes().iter().map(|note| note.path.as_str()).collect();
        assert_eq!(paths, ["colors[1].alpha", "events[1].moments"]);
    }

    #[test]
    fn a_conversion_has_a_limit_of_keys() {
        // 8500 sequences that play the same 1000 keys.
        let spans = vec![[0, 1000]; 8500];
        let mut old = model(Version::VANILLA, &spans);
        old.bones = vec![Bone::default()].into();
        let translation = Track {
            ranges: vec![[0, 999]; 8500].into(),
            times: Series::flat((0..1000).collect()),
            values: Series::flat(vec![[0.0; 3]; 1000]),
            ..Track::default()
        };
        old.bones[0].translation = translation;
        let error = to_lists(&mut old, &mut Report::default()).unwrap_err();
        assert_eq!(error.kind(), Kind::Limit);
        let mut new = model(Version::WRATH, &spans);
        new.bones = vec![Bone::default()].into();
        let keys: Vec<(u32, [f32; 3])> = (0..1000).map(|time| (time, [0.0; 3])).collect();
        new.bones[0].translation = new.make_track(1, &[&keys]);
        let error = to_ranges(&mut new, &mut Report::default()).unwrap_err();
        assert_eq!(error.kind(), Kind::Limit);
    }
}
