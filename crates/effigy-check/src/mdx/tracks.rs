//! Tracks: the order, times and use of their keys.

use super::Facts;
use super::facts::for_each_track_mut;
use super::survey::{Clock, repeated_keys};
use crate::findings::Findings;
use crate::rule::{Change, EVERY, rules};
use effigy_mdx::track::{TrackInfo, tags};
use effigy_mdx::{Interpolation, Model, Track};
use std::collections::BTreeSet;

rules! { Mdx
    /// The track runs on a global sequence that does not exist; the game reads beyond its list and may crash.
    MDX3001 "track refers to a missing global sequence" Error for EVERY => no_such_global;
    /// A track without keys does nothing. Some tools cannot open it.
    MDX3002 "track without keys" Warning for EVERY => no_keys;
    /// The track runs on the model's timeline, but the model has no sequence that plays it.
    MDX3003 "track without sequences" Warning for EVERY => no_sequences;
    /// Times count from 0; a key before that is never played.
    MDX3004 "key before time 0" Warning for EVERY => negative;
    /// The game looks keys up by time and expects them in order; out of order, parts jump. The repair sorts them.
    MDX3005 "keys out of order" Severe for EVERY => backwards, fix sort_keys;
    /// Two keys have the same time; which one the game uses is not defined. The repair removes a key that is the same as the one before it;
    /// keys that differ are left for the author to choose.
    MDX3006 "two keys at one time" Warning for EVERY => same_time, fix drop_doubles;
    /// The first key of a sequence comes after its start, and the first and last values differ. Until the first key the game interpolates
    /// from the last one, so that the part may jump. Many models that ship with the game have such tracks. Where it shows, add a key at
    /// the start of the sequence.
    MDX3007 "opening key missing" Note for EVERY => no_opening;
    /// No sequence plays these keys. The repair removes them.
    MDX3008 "keys outside every sequence" Unused for EVERY => outside, fix drop_outside;
    /// The keys are after the end of their global sequence; games differ in whether they play them.
    MDX3009 "keys beyond the global sequence" Warning for EVERY => past_global;
    /// The key is the same as those before and after it. Without it the model moves as before; the repair removes it.
    MDX3010 "repeated keys" Unused for EVERY => repeated, fix drop_repeated;
    /// The key differs from those before and after it by less than 0.001. It can probably be removed.
    MDX3011 "nearly repeated keys" Unused for EVERY => nearly_repeated;
    /// Magos' model editor cannot read tracks for the gravity or variation of particles in MDX; the game can.
    MDX3012 "track that Magos cannot read" Warning for EVERY => not_for_magos;
    /// A part is either visible or not, so that there is nothing to interpolate. The game ignores the interpolation, but tools may not.
    MDX3013 "visibility with interpolation" Warning for EVERY => visibility;
    /// Interpolations are 0 to 3. With another number, the size of a key is not certain, and the game may misread the rest.
    MDX3014 "unknown interpolation" Error for EVERY => unknown_interpolation;
    /// A rotation should have length 1. Others bend or scale the part, or make it vanish. Lights may have others.
    MDX3015 "rotation far from unit length" Severe for EVERY => not_unit;
    /// Values of this track are indices of textures that do not exist; the game reads beyond its list and may crash.
    MDX3016 "animated texture missing" Error for EVERY => texture_out_of_range;
}

fn no_such_global(model: &Facts<'_>, found: &mut Findings) {
    let count = model.global_sequences.len();
    if super::nodes::hides(model, b"GLBS") {
        return;
    }
    for at in model.tracks.iter().filter(|at| super::nodes::dangles(at.track.global_sequence, count)) {
        found.add(
            at.path(),
            format!("global sequence {} does not exist, there are {count}", at.track.global_sequence),
        );
    }
}

fn no_keys(model: &Facts<'_>, found: &mut Findings) {
    for at in model.tracks.iter().filter(|at| at.survey.keys == 0) {
        found.add(at.path(), "it has no keys");
    }
}

fn no_sequences(model: &Facts<'_>, found: &mut Findings) {
    if !model.sequences.is_empty() || super::nodes::hides(model, b"SEQS") {
        return;
    }
    for at in model.tracks.iter().filter(|at| at.track.global_sequence == -1) {
        found.add(at.path(), "the model has no sequence that plays it");
    }
}

fn negative(model: &Facts<'_>, found: &mut Findings) {
    for at in model.tracks.iter().filter(|at| at.survey.negative > 0) {
        found.add(at.path(), format!("{} of {} keys are before time 0", at.survey.negative, at.survey.keys));
    }
}

fn backwards(model: &Facts<'_>, found: &mut Findings) {
    for at in &model.tracks {
        if let Some(key) = at.survey.backwards {
            found
                .add(at.path(), format!("key {key} of {} is earlier than the one before it", at.survey.keys));
        }
    }
}

fn same_time(model: &Facts<'_>, found: &mut Findings) {
    for at in model.tracks.iter().filter(|at| at.survey.same_time > 0) {
        let survey = &at.survey;
        let message =
            format!("{} of {} keys have the time of the key before them", survey.same_time, survey.keys);
        found.add_fixable(
            at.path(),
            message,
            survey.same_time == survey.same_key && survey.backwards.is_none(),
        );
    }
}

fn no_opening(model: &Facts<'_>, found: &mut Findings) {
    for at in &model.tracks {
        let Some(sequence) = at.survey.no_opening else { continue };
        let message = if at.track.global_sequence < 0 {
            match model.sequences.get(sequence) {
                Some(one) => {
                    let [start, _] = one.interval;
                    format!("\"{}\" starts at {start}, where the track has no key", one.name)
                }
                None => continue,
            }
        } else {
            format!("global sequence {sequence} starts at 0, where the track has no key")
        };
        found.add(at.path(), message);
    }
}

fn outside(model: &Facts<'_>, found: &mut Findings) {
    if model.sequences.is_empty() {
        return;
    }
    for at in model.tracks.iter().filter(|at| at.survey.outside > 0) {
        found.add(
            at.path(),
            format!("{} of {} keys are not in any sequence", at.survey.outside, at.survey.keys),
        );
    }
}

fn past_global(model: &Facts<'_>, found: &mut Findings) {
    for at in model.tracks.iter().filter(|at| at.survey.past_global > 0) {
        let global = usize::try_from(at.track.global_sequence).ok();
        let length = global.and_then(|index| model.global_sequences.get(index)).unwrap_or(&0);
        let (past, keys) = (at.survey.past_global, at.survey.keys);
        found.add(
            at.path(),
            format!("{past} of {keys} keys are after the global sequence's {length} milliseconds"),
        );
    }
}

fn repeated(model: &Facts<'_>, found: &mut Findings) {
    for at in model.tracks.iter().filter(|at| at.survey.repeated > 0) {
        let message = format!("{} of {} keys change nothing", at.survey.repeated, at.survey.keys);
        found.add(at.path(), message);
    }
}

fn nearly_repeated(model: &Facts<'_>, found: &mut Findings) {
    for at in model.tracks.iter().filter(|at| at.survey.nearly_repeated > 0) {
        let message =
            format!("{} of {} keys change hardly anything", at.survey.nearly_repeated, at.survey.keys);
        found.add(at.path(), message);
    }
}

fn not_for_magos(model: &Facts<'_>, found: &mut Findings) {
    for at in model.tracks.iter().filter(|at| [tags::KP2R, tags::KP2G].contains(&at.track.tag())) {
        found.add(at.path(), "an old editor cannot read it");
    }
}

fn visibility(model: &Facts<'_>, found: &mut Findings) {
    for at in &model.tracks {
        let interpolation = at.track.interpolation();
        let visibility = || TrackInfo::of(at.track.tag()).is_some_and(TrackInfo::is_visibility);
        if interpolation != Interpolation::STEP && visibility() {
            found.add(at.path(), format!("interpolation {} instead of 0", interpolation.0));
        }
    }
}

fn unknown_interpolation(model: &Facts<'_>, found: &mut Findings) {
    for at in model.tracks.iter().filter(|at| at.track.interpolation().0 > Interpolation::BEZIER.0) {
        found.add(at.path(), format!("interpolation {}", at.track.interpolation().0));
    }
}

fn not_unit(model: &Facts<'_>, found: &mut Findings) {
    for at in &model.tracks {
        let path = at.path();
        // A rotation only says where a light shines, which its length does not change much; models of day and night have 0.84.
        if path.starts_with("LITE[") {
            continue;
        }
        if let Some((key, length)) = at.survey.not_unit {
            found.add(path, format!("the rotation of key {key} has length {length}"));
        }
    }
}

/// Missing textures that one finding names.
const LISTED: usize = 8;

fn texture_out_of_range(model: &Facts<'_>, found: &mut Findings) {
    let count = model.textures.len();
    if super::nodes::hides(model, b"TEXS") {
        return;
    }
    for at in model.tracks.iter().filter(|at| at.track.tag() == tags::KMTF) {
        let keys = at.track.keys::<u32>().into_iter().flatten();
        let missing: BTreeSet<u32> =
            keys.map(|key| key.value).filter(|value| *value as usize >= count).collect();
        if !missing.is_empty() {
            let mut names: Vec<String> = missing.iter().take(LISTED).map(u32::to_string).collect();
            if missing.len() > LISTED {
                names.push("...".to_owned());
            }
            found.add(at.path(), format!("texture {} does not exist, there are {count}", names.join(", ")));
        }
    }
}

/// The keys of a track as rows of words; the first is the time.
fn rows(track: &Track) -> Vec<&[u32]> {
    track.words().chunks_exact(track.stride()).collect()
}

fn time(row: &[u32]) -> i32 {
    row.first().copied().unwrap_or(0).cast_signed()
}

/// Replaces the keys of a track; `false` when the words are not whole keys, which does not happen here.
fn set(track: &mut Track, words: Vec<u32>) -> bool {
    track.set_words(track.interpolation(), words).is_ok()
}

fn count(keys: usize) -> String {
    if keys == 1 { "1 key".to_owned() } else { format!("{keys} keys") }
}

fn sort_keys(model: &mut Model) -> Vec<Change> {
    let mut changes = Vec::new();
    for_each_track_mut(model, |path, track| {
        let mut rows = rows(track);
        if rows.is_sorted_by_key(|row| time(row)) {
            return;
        }
        rows.sort_by_key(|row| time(row));
        let words = rows.concat();
        if set(track, words) {
            changes.push((path(), format!("sorted {} keys by time", track.len())));
        }
    });
    changes
}

fn drop_doubles(model: &mut Model) -> Vec<Change> {
    let mut changes = Vec::new();
    for_each_track_mut(model, |path, track| {
        let mut rows = rows(track);
        let before = rows.len();
        if rows.is_sorted_by_key(|row| time(row)) {
            rows.dedup();
        }
        let dropped = before.saturating_sub(rows.len());
        let words = rows.concat();
        if dropped > 0 && set(track, words) {
            changes.push((path(), format!("removed {} that were repeated", count(dropped))));
        }
    });
    changes
}

fn drop_outside(model: &mut Model) -> Vec<Change> {
    let mut changes = Vec::new();
    let clock = Clock::new(model);
    if model.sequences.is_empty() {
        return changes;
    }
    for_each_track_mut(model, |path, track| {
        let rows = rows(track);
        if track.global_sequence >= 0 || rows.len() < 2 || !rows.is_sorted_by_key(|row| time(row)) {
            return;
        }
        let plays = |row: &&[u32]| time(row) == 0 || clock.plays(time(row));
        let mut kept: Vec<&[u32]> = rows.iter().copied().filter(plays).collect();
        if kept.is_empty() {
            // A track without keys would be a new finding.
            kept.extend(rows.first());
        }
        let dropped = rows.len().saturating_sub(kept.len());
        let words = kept.concat();
        if dropped > 0 && set(track, words) {
            changes.push((path(), format!("removed {} that no sequence plays", count(dropped))));
        }
    });
    changes
}

fn drop_repeated(model: &mut Model) -> Vec<Change> {
    let mut changes = Vec::new();
    let mut clock = Clock::new(model);
    for_each_track_mut(model, |path, track| {
        let drop = repeated_keys(track, &mut clock);
        if drop.is_empty() {
            return;
        }
        let rows = rows(track);
        let kept = rows.iter().enumerate().filter(|(index, _)| drop.binary_search(index).is_err());
        let kept: Vec<&[u32]> = kept.map(|(_, row)| *row).collect();
        let words = kept.concat();
        if set(track, words) {
            changes.push((path(), format!("removed {} that changed nothing", count(drop.len()))));
        }
    });
    changes
}
