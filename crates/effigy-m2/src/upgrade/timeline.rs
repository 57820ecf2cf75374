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
            let (times, values): (Vec<u32>, Vec<T>) = list.iter().copied().unzip();
            track.times.push_part(&times);
            track.values.push_part(&values);
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
            let Some((first, end)) = list.first().zip(list.last()) else {
                keys.push((span.start, default));
                continue;
            };
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
