//! Sequences: removing them with their keys, and how fast they play.

use super::spacing::{self, Moving};
use super::{is_motion, names, refs};
use crate::{Done, Pattern};
use effigy_mdx::{Model, Track};
use effigy_wire::{Error, Report, Result};

/// Removes sequences by name, with their keys, events and bounds.
///
/// # Errors
/// When the guide of a popcorn emitter cannot be changed.
pub fn remove_sequences(model: &mut Model, name: &Pattern) -> Result<Done> {
    remove_where(model, |sequence| name.fits(sequence))
}

/// Removes all sequences but those with these names.
///
/// # Errors
/// When no sequence has one of the names, or the guide of a popcorn emitter cannot be changed.
pub fn keep_sequences(model: &mut Model, names: &[Pattern]) -> Result<Done> {
    let is_kept = |sequence: &effigy_mdx::Sequence| names.iter().any(|name| name.fits(&sequence.name.text()));
    if !model.sequences.is_empty() && !model.sequences.iter().any(is_kept) {
        let known: Vec<String> =
            model.sequences.iter().map(|sequence| sequence.name.text().into_owned()).collect();
        let text = format!("no sequence has such a name; there are {}", known.join(", "));
        return Err(Error::usage(text));
    }
    remove_where(model, |sequence| !names.iter().any(|name| name.fits(sequence)))
}

/// An interval of the timeline, both ends included.
type Interval = (i64, i64);

fn interval(sequence: &effigy_mdx::Sequence) -> Interval {
    sequence.interval.map(|time| time.cast_signed().into()).into()
}

fn inside(intervals: &[Interval], time: i32) -> bool {
    intervals.iter().any(|(start, end)| (*start..=*end).contains(&time.into()))
}

pub(super) fn remove_where(model: &mut Model, gone: impl Fn(&str) -> bool) -> Result<Done> {
    let keep: Vec<bool> = model.sequences.iter().map(|sequence| !gone(&sequence.name.text())).collect();
    let (mut removed, mut kept) = (Vec::new(), Vec::new());
    let mut names = Vec::new();
    for (sequence, keep) in model.sequences.iter().zip(&keep) {
        if *keep {
            kept.push(interval(sequence));
        } else {
            removed.push(interval(sequence));
            names.push(sequence.name.text().to_lowercase());
        }
    }
    if removed.is_empty() {
        return Ok(Done::default());
    }
    let map = refs::positions(&keep);
    refs::retain(&mut model.sequences, &map);
    refs::sequences(model, &map);
    // A key on a border that a neighbour uses stays.
    let goes = |time: i32| inside(&removed, time) && !inside(&kept, time);
    model.each_tracks_mut(|tracks| {
        tracks.0.retain_mut(|track| {
            let empty = track.is_empty();
            thin(track, goes);
            // Without keys at all these rest, as they do in a sequence without keys. Others would show their static value.
            empty || !track.is_empty() || !is_motion(track)
        });
    });
    model.each_slot_track_mut(|track| track.iter_mut().for_each(|track| thin(track, goes)));
    model.each_event_mut(|global, times| {
        if global < 0 {
            times.retain(|time| !goes(*time));
        }
    });
    let left: Vec<String> =
        model.sequences.iter().map(|sequence| sequence.name.text().to_lowercase()).collect();
    for emitter in &mut model.popcorn_emitters {
        let guide = &mut emitter.visibility_guide;
        let unknown = |name: &str| {
            let name = name.to_lowercase();
            (names.contains(&name) && !left.contains(&name)).then_some(None)
        };
        if let Some(without) = names::guide_with(&guide.text(), unknown) {
            guide.set(&without)?;
        }
    }
    Ok(Done::exactly(removed.len()))
}

/// Removes keys by time; a track that is not of a node keeps at least one key, so that a sequence without keys still has
/// the value of such a sequence.
fn thin(track: &mut Track, goes: impl Fn(i32) -> bool) {
    if track.global_sequence >= 0 || !track.times().any(&goes) {
        return;
    }
    let stride = track.stride();
    let keys = track.words().chunks_exact(stride);
    let time = |key: &&[u32]| key.first().copied().unwrap_or(0).cast_signed();
    let mut words: Vec<u32> = keys.clone().filter(|key| !goes(time(key))).flatten().copied().collect();
    if words.is_empty() && !is_motion(track) {
        words.extend(keys.take(1).flatten());
    }
    // A whole number of keys was kept.
    _ = track.set_words(track.interpolation(), words);
}

/// Plays sequences faster (a factor above 1) or slower. Their keys and events move closer together or apart, what is later
/// on the timeline moves with their ends, and their walking speed follows. Of keys that fall on
/// the same millisecond the earlier ones move a millisecond before; those of steps become one.
///
/// # Errors
/// When another sequence shares more than a border with one of them, or a time leaves the range of the format.
pub fn sequence_speed(model: &mut Model, name: &Pattern, factor: f64) -> Result<Done> {
    let chosen: Vec<usize> = (0..model.sequences.len())
        .filter(|index| model.sequences.get(*index).is_some_and(|one| name.fits(&one.name.text())))
        .collect();
    let mut lost = 0;
    for index in &chosen {
        lost += one_speed(model, *index, factor)?;
    }
    let mut report = Report::default();
    spacing::report(lost, &mut report);
    Ok(Done { changed: chosen.len(), report })
}

/// Returns how many keys are lost that change how something moves.
fn one_speed(model: &mut Model, index: usize, factor: f64) -> Result<usize> {
    let Some((start, end)) = model.sequences.get(index).map(interval) else { return Ok(0) };
    for (other, sequence) in model.sequences.iter().enumerate().filter(|(other, _)| *other != index) {
        let (from, to) = interval(sequence);
        if from < end && to > start {
            let message = format!("SEQS[{index}] shares keys with SEQS[{other}] ({})", sequence.name);
            return Err(Error::unrepresentable(message));
        }
    }
    #[allow(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "times have 32 bits")]
    let length = ((end - start) as f64 / factor).round() as i64;
    let shift = start + length - end;
    let moved = |time: i64| -> i64 {
        #[allow(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "times have 32 bits")]
        let inside = |time: i64| start + ((time - start) as f64 / factor).round() as i64;
        match time {
            before if before <= start => before,
            time if time < end => inside(time).min(start + length),
            after => after + shift,
        }
    };
    let out_of_range = || Error::unrepresentable("the timeline would leave the range of 32 bits");
    let mut failed = false;
    let mut key = |time: i32| {
        i32::try_from(moved(time.into())).unwrap_or_else(|_| {
            failed = true;
            time
        })
    };
    let mut lost = 0;
    let mut retime = |track: &mut Track| {
        if track.global_sequence >= 0 {
            return;
        }
        let keys: Vec<Moving<'_>> = (track.words().chunks_exact(track.stride()))
            .filter_map(|key| key.split_first())
            .map(|(time, value)| {
                let old = time.cast_signed();
                Moving { old: old.into(), wanted: key(old).into(), value }
            })
            .collect();
        let is_inside = |key: &Moving<'_>| (start..=end).contains(&key.old);
        let mut words: Vec<u32> = Vec::with_capacity(track.words().len());
        // Keys that are out of order stay in their order.
        for run in keys.chunk_by(|a, b| a.old <= b.old && is_inside(a) == is_inside(b)) {
            let times = if run.first().is_some_and(is_inside) {
                spacing::place(track.interpolation(), run, [start, start + length])
            } else {
                run.iter().map(|key| Some(key.wanted)).collect()
            };
            lost += spacing::lost(track, run, &times);
            spacing::push(run, &times, &mut words);
        }
        // Whole keys were copied.
        _ = track.set_words(track.interpolation(), words);
    };
    model.each_tracks_mut(|tracks| tracks.0.iter_mut().for_each(&mut retime));
    model.each_slot_track_mut(|track| track.iter_mut().for_each(&mut retime));
    model.each_event_mut(|global, times| {
        if global < 0 {
            times.iter_mut().for_each(|time| *time = key(*time));
        }
    });
    if failed {
        return Err(out_of_range());
    }
    for (other, sequence) in model.sequences.iter_mut().enumerate() {
        let (from, to) = interval(sequence);
        let new = if other == index {
            #[allow(clippy::cast_possible_truncation, reason = "models store single precision")]
            let speed = (f64::from(sequence.move_speed) * factor) as f32;
            sequence.move_speed = speed;
            (from, from + length)
        } else if from >= end {
            (from + shift, to + shift)
        } else {
            (from, to)
        };
        let word = |time: i64| u32::try_from(time).map_err(|_| out_of_range());
        sequence.interval = [word(new.0)?, word(new.1)?];
    }
    Ok(lost)
}
