//! The sequences of an M2 on the scene's timeline.
//!
//! Before 264 the timeline of the file is used, unless it reaches 2^31: the scene has signed times. Such files are made by
//! converters. They, and all files from 264 on, are laid out again: one sequence after another, with room for keys before
//! the start and after the end of each sequence, so that no key has to move.

use effigy_m2::{Caps, Key, KeyExtents, Model, Moments, NEAR, SequenceFlags, Track, since};
use effigy_wire::Report;

/// Milliseconds between sequences.
const GAP: i32 = 1000;
/// Most keys of one track after it is laid out again: in a hostile file every range may include all keys.
const MOST_KEYS: usize = 1 << 22;

/// A sequence on the scene's timeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    /// First millisecond.
    pub start: i32,
    pub length: i32,
    /// The sequence whose keys are played.
    pub keys: usize,
    /// Start on the timeline of the file; 0 from 264 on.
    origin: u32,
    /// First and last time that its keys may have, from the start.
    room: [i32; 2],
}

/// Where keys come from and go to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Layout {
    /// The timeline of the file is used as it is.
    Stored,
    /// All sequences share a timeline that is laid out again.
    Shared,
    /// Each sequence has its own keys.
    Lists,
}

/// The timeline of the scene.
#[derive(Debug)]
pub(super) struct Timeline {
    pub spans: Vec<Span>,
    layout: Layout,
}

/// Keys on the scene's timeline, with the window of each sequence.
#[derive(Debug, Default)]
pub(super) struct Keys<T> {
    pub times: Vec<i32>,
    pub values: Vec<T>,
    pub windows: Vec<[u32; 2]>,
}

impl Timeline {
    pub fn of(model: &Model, report: &mut Report) -> Self {
        let nested = model.caps().contains(Caps::NESTED);
        let extents = model.key_extents();
        let layout = match (nested, i32::try_from(extents.latest)) {
            (true, _) => Layout::Lists,
            (false, Err(_)) => Layout::Shared,
            (false, Ok(_)) => Layout::Stored,
        };
        if layout == Layout::Stored {
            let span = |(index, sequence): (usize, &effigy_m2::Sequence)| Span {
                start: signed(sequence.start),
                length: signed(sequence.length()),
                keys: index,
                origin: 0,
                room: [i32::MIN, i32::MAX],
            };
            return Self { spans: model.sequences.iter().enumerate().map(span).collect(), layout };
        }
        let mut spans = lay_out(model, &extents, false);
        if spans.is_none() {
            let message = "the timeline is too long: keys far outside their sequences are moved";
            report.approximated("sequences", message);
            spans = lay_out(model, &extents, true);
        }
        let mut spans = spans.unwrap_or_default();
        if nested {
            follow_aliases(model, &mut spans);
        }
        Self { spans, layout }
    }

    /// The keys of a track that follows the sequences; `None` if it has none.
    pub fn keys<T: Key, U: Copy>(
        &self,
        source: &Track<T>,
        default: U,
        map: &impl Fn(T) -> U,
    ) -> Option<Keys<U>> {
        let mut keys = Keys { times: Vec::new(), values: Vec::new(), windows: Vec::new() };
        let (times, values) = (source.times.all(), source.values.all());
        if source.is_empty() || (self.layout != Layout::Lists && (times.is_empty() || values.is_empty())) {
            return None;
        }
        // A single key without a range is a constant.
        let constant = self.layout == Layout::Shared && source.ranges.is_empty() && times.len() == 1;
        if self.layout == Layout::Stored || constant {
            keys.times = times.iter().map(|time| if constant { 0 } else { signed(*time) }).collect();
            keys.values = values.iter().map(|value| map(*value)).collect();
            keys.windows.extend(source.ranges.iter().take(self.spans.len()));
            return Some(keys);
        }
        for (index, span) in self.spans.iter().enumerate() {
            if span.keys != index {
                // An alias plays the keys of another sequence: its window is filled in below.
                keys.windows.push([0, 0]);
                continue;
            }
            let first = keys.times.len();
            let (times, values) = source.keys(index);
            if first.saturating_add(times.len()) <= MOST_KEYS {
                keys.times.extend(times.iter().map(|time| span.place(*time)));
                keys.values.extend(values.iter().map(|value| map(*value)));
            }
            if keys.times.len() == first {
                keys.times.push(span.start);
                keys.values.push(default);
            }
            keys.windows.push([word(first), word(keys.times.len().saturating_sub(1))]);
            if self.layout == Layout::Shared {
                keys.close(next(source, index).map(|(time, value)| (span.place(time), map(value))));
            }
            // Keys of a file may be out of order; the scene needs them sorted.
            let mut latest = i32::MIN;
            for time in keys.times.get_mut(first..).unwrap_or_default() {
                latest = latest.max(*time);
                *time = latest;
            }
        }
        for (index, span) in self.spans.iter().enumerate() {
            let window = keys.windows.get(span.keys).copied();
            if let (Some(slot), Some(window)) = (keys.windows.get_mut(index), window) {
                *slot = window;
            }
        }
        Some(keys)
    }

    /// The times of an event, sorted.
    pub fn moments(&self, source: &Moments) -> Vec<i32> {
        let all = source.times.all();
        let mut times: Vec<i32> = match self.layout {
            _ if source.global_sequence >= 0 => all.iter().copied().map(signed).collect(),
            Layout::Stored => all.iter().copied().map(signed).collect(),
            Layout::Lists => {
                let list = |(index, span): (usize, &Span)| {
                    source.times.part(index).iter().map(|time| span.place(*time)).collect::<Vec<_>>()
                };
                self.spans.iter().enumerate().flat_map(list).collect()
            }
            Layout::Shared => {
                let list = |(span, &[first, past]): (&Span, &[u32; 2])| {
                    let times = all.get(first as usize..past as usize).unwrap_or_default();
                    times.iter().take(MOST_KEYS).map(|time| span.place(*time)).collect::<Vec<_>>()
                };
                self.spans.iter().zip(&source.ranges).flat_map(list).collect()
            }
        };
        times.sort_unstable();
        times
    }
}

impl Span {
    /// The time of a key on the scene's timeline.
    fn place(&self, time: u32) -> i32 {
        let [low, high] = self.room;
        self.start.saturating_add(since(self.origin, time).clamp(low, high))
    }
}

impl<T: Copy> Keys<T> {
    /// Ends the keys of a sequence with the key after its range, or by repeating the last one, so that the first key of
    /// the next sequence has no influence.
    fn close(&mut self, next: Option<(i32, T)>) {
        let last = self.times.last().copied().zip(self.values.last().copied());
        if let Some((time, value)) = next.or(last) {
            self.times.push(time);
            self.values.push(value);
        }
    }
}

/// The key after the range of a sequence, which the game interpolates to after the last key of the range; `None` if there
/// is none or it is too far away to matter.
fn next<T: Key>(source: &Track<T>, sequence: usize) -> Option<(u32, T)> {
    let (times, last) = (source.times.all(), source.ranges.get(sequence)?[1] as usize);
    let time = *times.get(last.checked_add(1)?)?;
    let near = time.wrapping_sub(*times.get(last)?) < NEAR;
    near.then_some((time, *source.values.all().get(last.checked_add(1)?)?))
}

/// Milliseconds as the scene's signed number; times beyond that do not occur in the layouts that use it.
fn signed(time: u32) -> i32 {
    i32::try_from(time).unwrap_or(i32::MAX)
}

fn word(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}

/// Places the sequences one after another. `None` if the timeline gets too long; `tight` avoids that by moving keys that
/// are far outside their sequence.
fn lay_out(model: &Model, extents: &KeyExtents, tight: bool) -> Option<Vec<Span>> {
    let mut spans = Vec::with_capacity(model.sequences.len());
    let mut next = 0_i64;
    for (index, sequence) in model.sequences.iter().enumerate() {
        let [low, high] = extents.sequences.get(index).copied().unwrap_or_default();
        // A duration that is not a sensible number: the sequence lasts as long as its keys.
        let length = i32::try_from(sequence.length()).unwrap_or(high);
        let usual = length.saturating_add(GAP - 1);
        let room = if tight { [low.max(-GAP), high.min(usual)] } else { [low, high] };
        let start = next.saturating_sub(room[0].into());
        let end = i64::from(if room[1] > usual { room[1] } else { length }).saturating_add(GAP.into());
        next = start.saturating_add(end);
        if !tight && i32::try_from(next).is_err() {
            return None;
        }
        let start = i32::try_from(start).unwrap_or(i32::MAX);
        spans.push(Span { start, length, keys: index, origin: sequence.start, room });
    }
    Some(spans)
}

/// Sequences that play the keys of another one are located where that one is.
fn follow_aliases(model: &Model, spans: &mut [Span]) {
    for index in 0..spans.len() {
        let mut target = index;
        // A valid chain of aliases is not longer than the list.
        for _ in 0..spans.len() {
            let Some(found) = model.sequences.get(target) else { break };
            let follows =
                found.flags.contains(SequenceFlags::ALIAS) && !found.flags.contains(SequenceFlags::EMBEDDED);
            if !follows || usize::from(found.alias) >= spans.len() || usize::from(found.alias) == target {
                break;
            }
            target = usize::from(found.alias);
        }
        let source = spans.get(target).copied();
        if let (Some(span), Some(source)) = (spans.get_mut(index), source) {
            *span = Span { length: span.length, keys: target, ..source };
        }
    }
}

#[cfg(test)]
mod tests;
