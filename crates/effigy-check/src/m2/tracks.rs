//! Tracks: ranges, times and values.

use super::Facts;
use crate::findings::Findings;
use crate::rule::{EVERY, rules};

rules! { M2
    /// Before 264 a track that moves has a range of keys for each sequence and each global sequence, or none at all. Other numbers
    /// occur in converted files, but not in original ones.
    M21001 "ranges and sequences disagree" Warning for EVERY => range_count;
    /// A range gives its first and last key; here the last is before the first, or a key does not exist. The client reads beyond the keys.
    M21002 "range without keys" Error for EVERY => ranges;
    /// The client finds keys by a search that needs increasing times. Otherwise the animation jumps.
    M21003 "times do not increase" Severe for EVERY => times;
    /// There must be a value for each time; the client reads beyond the shorter list.
    M21004 "times and values disagree" Error for EVERY => counts;
    /// The track runs on a global sequence that does not exist; the client reads beyond its list.
    M21005 "track refers to a missing global sequence" Error for EVERY => global;
    /// Interpolations are 0 to 3. How the client plays another one is not known.
    M21006 "unknown interpolation" Error for EVERY => interpolation;
    /// A rotation should have length 1. Others bend or scale the part.
    M21007 "rotation far from unit length" Severe for EVERY => not_unit;
    /// Before 264 a track that moves has a range of keys for each sequence. With fewer, the client reads beyond them.
    M21008 "fewer ranges than sequences" Error for EVERY => too_few_ranges;
}

fn range_count(model: &Facts<'_>, found: &mut Findings) {
    let (sequences, globals) = (model.sequences.len(), model.global_sequences.len());
    let usual = [0, sequences, sequences.saturating_add(globals)];
    for at in model.tracks.iter().filter(|_| model.has_timeline()) {
        let count = at.ranges.len();
        if count > sequences && !usual.contains(&count) {
            found.add(
                at.path(),
                format!("{count} ranges for {sequences} sequences and {globals} global ones"),
            );
        }
    }
}

fn too_few_ranges(model: &Facts<'_>, found: &mut Findings) {
    let sequences = model.sequences.len();
    for at in model.tracks.iter().filter(|at| (1..sequences).contains(&at.ranges.len())) {
        // A track on a global sequence is not looked up by the sequence that plays.
        if at.global_sequence < 0 && model.has_timeline() {
            found.add(at.path(), format!("{} ranges for {sequences} sequences", at.ranges.len()));
        }
    }
}

fn ranges(model: &Facts<'_>, found: &mut Findings) {
    for at in model.tracks.iter().filter(|at| at.global_sequence < 0) {
        let keys = at.times.first().map_or(0, |times| times.len());
        // Events keep their ranges even when nothing ever happens.
        if keys == 0 {
            continue;
        }
        let wrong = |[first, last]: &[u32; 2]| first > last || *last as usize >= keys;
        let bad = at.ranges.iter().enumerate().take(model.sequences.len()).find(|(_, range)| wrong(range));
        if let Some((index, [first, last])) = bad
            && at.values.is_some()
        {
            found.add(at.path(), format!("range {index} is {first} to {last}, there are {keys} keys"));
        }
    }
}

fn times(model: &Facts<'_>, found: &mut Findings) {
    for at in &model.tracks {
        let bad =
            at.times.iter().find_map(|times| times.windows(2).position(|pair| pair.first() >= pair.last()));
        if let Some(key) = bad {
            found
                .add(at.path(), format!("key {} is not later than the one before it", key.saturating_add(1)));
        }
    }
}

fn counts(model: &Facts<'_>, found: &mut Findings) {
    for at in &model.tracks {
        let values = at.values.iter().flatten();
        if let Some((times, values)) =
            at.times.iter().zip(values).find(|(times, values)| times.len() != **values)
        {
            found.add(at.path(), format!("{} times for {values} values", times.len()));
        }
    }
}

fn global(model: &Facts<'_>, found: &mut Findings) {
    let count = model.global_sequences.len();
    for at in model.tracks.iter().filter(|at| super::look::dangles(at.global_sequence, count)) {
        found.add(
            at.path(),
            format!("global sequence {} does not exist, there are {count}", at.global_sequence),
        );
    }
}

fn interpolation(model: &Facts<'_>, found: &mut Findings) {
    for at in model.tracks.iter().filter(|at| !(0..=3).contains(&at.interpolation)) {
        found.add(at.path(), format!("interpolation {}", at.interpolation));
    }
}

fn not_unit(model: &Facts<'_>, found: &mut Findings) {
    let far = |value: &[f32; 4]| {
        let square: f32 = value.iter().map(|x| x * x).sum();
        (square - 1.0).abs() > 0.1 && square.is_finite()
    };
    let bones = model.bones.iter().map(|bone| &bone.rotation).enumerate();
    let bones = bones.map(|(index, track)| ("bones", index, track));
    let transforms = model.transforms.iter().map(|transform| &transform.rotation).enumerate();
    let transforms = transforms.map(|(index, track)| ("transforms", index, track));
    for (list, index, track) in bones.chain(transforms) {
        if let Some(key) = track.values.all().iter().position(far) {
            found.add(
                format!("{list}[{index}].rotation"),
                format!("the rotation of key {key} is not of length 1"),
            );
        }
    }
}
