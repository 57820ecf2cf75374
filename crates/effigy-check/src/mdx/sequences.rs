//! The model as a whole, its sequences and global sequences.

use super::Facts;
use crate::findings::Findings;
use crate::profile::Profile;
use crate::rule::{Change, EVERY, rules};
use effigy_mdx::{Dialect, Extent, Model, Release, Sequence};
use effigy_wire::FixedStr;
use std::collections::BTreeMap;

/// Models that the player places on a map and selects.
pub(super) const PLACED: &[Profile] = &[Profile::Unit, Profile::Building];

rules! { Mdx
    /// Version 900 was the beta of Reforged; no released game loads it. `effigy convert --to mdx:1000` makes it loadable.
    MDX1001 "version 900" Error for EVERY => version_900;
    /// The field once named a file with animations. No released game reads such a file; clear the field.
    MDX1002 "animation file named" Warning for EVERY => animation_file;
    /// A bounding box whose minimum is above its maximum is empty: the model vanishes at the edge of the screen or cannot
    /// be selected. The repair computes the box from the vertices. A box from the largest to the smallest number is how
    /// exporters write "no box", which is fine.
    MDX1003 "inverted extent" Warning for EVERY => inverted_extent, fix recompute_extents;
    /// Without any sequence the game has nothing to play. The repair adds a `Stand` of one second to models that do not move.
    MDX1004 "no sequences" Warning for EVERY => no_sequences, fix add_stand;
    /// A unit or building without `Stand` freezes in the pose of another sequence, or is drawn with all its parts at once.
    MDX1005 "no Stand sequence" Severe for PLACED => no_stand;
    /// A unit or building without `Death` vanishes at once when it dies, or remains standing.
    MDX1006 "no Death sequence" Severe for PLACED => no_death;
    /// The game chooses sequences by the first word of their names and knows attack, birth, cinematic, death, decay, dissipate,
    /// morph, portrait, ready, sleep, spell, stand and walk. Others only play when a trigger names them.
    MDX1007 "unusual sequence name" Warning for &[Profile::Unit, Profile::Building, Profile::Doodad, Profile::Effect, Profile::Missile] => unusual_name;
    /// The sequence ends at its start or before it: it shows one frame, or plays the keys of other sequences.
    MDX1008 "sequence without length" Warning for EVERY => sequence_without_length;
    /// The end of the interval is before its start, so that the game cannot play it. Correct the interval. Times are signed:
    /// a sequence may start before 0.
    MDX1009 "sequence ends before it begins" Error for EVERY => sequence_backwards;
    /// Up to version 800 the game expects sequences in the order of their times and without overlap. One that starts before an
    /// earlier one ends plays wrongly. Sort the sequences, or move the keys.
    MDX1010 "overlapping sequences" Warning for EVERY => overlapping_sequences;
    /// A global sequence of length 0 never advances; what runs on it stays at its first key.
    MDX1011 "global sequence without length" Warning for EVERY => global_without_length;
    /// A portrait shows what its first camera sees. Without a camera the game uses a default one, which rarely fits.
    MDX1012 "portrait without camera" Warning for &[Profile::Portrait] => portrait_without_camera;
    /// A quotation mark or a line break in a name cannot be written in the text form of the format (MDL), so the model cannot
    /// be edited there. Rename it.
    MDX1013 "name that MDL cannot hold" Warning for EVERY => unquotable_name;
    /// A track is located between the chunks, because an exporter closed its record too early. A program that follows the sizes of
    /// the chunks takes the track for a chunk and cannot read the rest of the file. Export the model again.
    MDX1014 "track in the place of a chunk" Error for EVERY => broken_frame;
    /// No sequence has a length, so that the model does not move. Published maps have such models, and they work; where the model
    /// should move, set the ends after the starts.
    MDX1015 "no sequence has a length" Warning for EVERY => nothing_to_play;
    /// The sequence lasts for more than a day. A time was probably negative, or larger than the format can hold. Correct the interval.
    MDX1016 "sequence of more than a day" Warning for EVERY => longer_than_a_day;
}

fn version_900(model: &Facts<'_>, found: &mut Findings) {
    if model.release() == Some(Release::ReforgedBeta) {
        found.add("VERS", "no released game loads version 900");
    }
}

fn animation_file(model: &Facts<'_>, found: &mut Findings) {
    for info in model.info.iter().filter(|info| !info.animation_file.is_empty()) {
        found.add(
            "MODL.animation_file",
            format!("the field is \"{}\" and should be empty", info.animation_file),
        );
    }
}

pub(super) fn is_inverted(extent: &Extent) -> bool {
    // Exporters start with a box from +3.4e38 to -3.4e38 and leave it so where there is nothing to put into it.
    let huge = |x: &f32| x.abs() > 3.4e38;
    let empty = extent.min.iter().chain(&extent.max).all(huge);
    !empty && extent.min.iter().zip(&extent.max).any(|(min, max)| min > max)
}

fn inverted_extent(model: &Facts<'_>, found: &mut Findings) {
    let whole = model.geosets.iter().any(|geoset| !geoset.vertices.is_empty());
    let whole = whole || model.batched_geosets.iter().any(|geoset| !geoset.vertices.is_empty());
    let mut look = |path: &dyn Fn() -> String, extent: &Extent, fixable: bool| {
        if is_inverted(extent) {
            found.add_fixable(path(), "the minimum is above the maximum", fixable);
        }
    };
    for info in &model.info {
        look(&|| "MODL.extent".to_owned(), &info.extent, whole);
    }
    for (index, sequence) in model.sequences.iter().enumerate() {
        look(&|| format!("SEQS[{index}].extent"), &sequence.extent, whole);
    }
    for (index, geoset) in model.geosets.iter().enumerate() {
        let own = !geoset.vertices.is_empty();
        look(&|| format!("GEOS[{index}].extent"), &geoset.extent, own);
        for (number, extent) in geoset.sequence_extents.iter().enumerate() {
            look(&|| format!("GEOS[{index}].sequence_extents[{number}]"), extent, own);
        }
    }
}

/// The box and sphere around these points.
pub(super) fn around<'a>(points: impl Iterator<Item = &'a [f32; 3]>) -> Option<Extent> {
    let mut extent = Extent { radius: 0.0, min: [f32::MAX; 3], max: [f32::MIN; 3] };
    let mut any = false;
    for point in points.filter(|point| point.iter().all(|x| x.is_finite())) {
        any = true;
        for (x, (min, max)) in point.iter().zip(extent.min.iter_mut().zip(&mut extent.max)) {
            *min = min.min(*x);
            *max = max.max(*x);
        }
        extent.radius = extent.radius.max(point.iter().map(|x| x * x).sum::<f32>().sqrt());
    }
    any.then_some(extent)
}

fn bounds_of(model: &Model) -> Option<Extent> {
    let plain = model.geosets.iter().flat_map(|geoset| &geoset.vertices);
    let batched = model.batched_geosets.iter().flat_map(|geoset| &geoset.vertices);
    around(plain.chain(batched.map(|vertex| &vertex.position)))
}

fn recompute_extents(model: &mut Model) -> Vec<Change> {
    let mut changes = Vec::new();
    let whole = bounds_of(model);
    let mut mend = |path: String, extent: &mut Extent, new: Option<&Extent>| {
        if let Some(new) = new.filter(|_| is_inverted(extent)) {
            *extent = new.clone();
            changes.push((path, "computed the extent from the vertices".to_owned()));
        }
    };
    for info in &mut model.info {
        mend("MODL.extent".to_owned(), &mut info.extent, whole.as_ref());
    }
    for (index, sequence) in model.sequences.iter_mut().enumerate() {
        mend(format!("SEQS[{index}].extent"), &mut sequence.extent, whole.as_ref());
    }
    for (index, geoset) in model.geosets.iter_mut().enumerate() {
        let own = around(geoset.vertices.iter());
        mend(format!("GEOS[{index}].extent"), &mut geoset.extent, own.as_ref());
        for (number, extent) in geoset.sequence_extents.iter_mut().enumerate() {
            mend(format!("GEOS[{index}].sequence_extents[{number}]"), extent, own.as_ref());
        }
    }
    changes
}

fn no_sequences(model: &Facts<'_>, found: &mut Findings) {
    let only_cameras = model.geosets.is_empty() && model.batched_geosets.is_empty() && model.nodes.is_empty();
    // A chunk that could not be decoded is reported by the reader.
    let opaque = model.kept_chunks().any(|(tag, ..)| &tag.0 == b"SEQS");
    if model.sequences.is_empty() && !only_cameras && !opaque {
        found.add_fixable("", "the model has no sequences", !moves(model));
    }
}

/// Whether any track or event runs on the model's timeline.
fn moves(model: &Model) -> bool {
    let facts = Facts::new(model);
    let events = model.event_objects.iter().any(|event| event.track.is_some());
    events || facts.tracks.iter().any(|at| at.track.global_sequence < 0)
}

fn add_stand(model: &mut Model) -> Vec<Change> {
    let opaque = model.kept_chunks().any(|(tag, ..)| &tag.0 == b"SEQS");
    let empty =
        model.geosets.is_empty() && model.batched_geosets.is_empty() && model.nodes().next().is_none();
    if !model.sequences.is_empty() || moves(model) || opaque || empty {
        return Vec::new();
    }
    let extent = bounds_of(model).unwrap_or_default();
    let name = FixedStr::truncated("Stand");
    model.sequences.push(Sequence { name, interval: [0, 1000], extent, ..Sequence::default() });
    let mut changes = vec![("SEQS[0]".to_owned(), "added a Stand of one second".to_owned())];
    // A mesh has a box for each sequence; one that had none has as many as there were sequences.
    if super::geosets::wants_extents(model) {
        for (index, geoset) in model.geosets.iter_mut().enumerate() {
            if geoset.sequence_extents.is_empty() {
                geoset.sequence_extents.push(super::geosets::filling(geoset));
                let path = format!("GEOS[{index}].sequence_extents");
                changes.push((path, "added the box for the Stand".to_owned()));
            }
        }
    }
    changes
}

/// The words of a sequence's name, as the game compares them: lower case, up to the first dash.
pub(super) fn words(name: &str) -> Vec<String> {
    let name = name.to_lowercase();
    let before = name.split('-').next().unwrap_or_default();
    before
        .split(|c: char| c.is_whitespace() || c == '_')
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

/// The word by which the game chooses a sequence: the first, or the second after `alternate`.
pub(super) fn first_word(name: &str) -> String {
    let mut words = words(name).into_iter();
    let first = words.next().unwrap_or_default();
    if first == "alternate" { words.next().unwrap_or(first) } else { first }
}

fn has(model: &Model, wanted: &str) -> bool {
    model.sequences.iter().any(|sequence| first_word(&sequence.name.text()) == wanted)
}

fn no_stand(model: &Facts<'_>, found: &mut Findings) {
    if !model.sequences.is_empty() && model.dialect() == Dialect::Warcraft3 && !has(model, "stand") {
        found.add("SEQS", "no sequence has the name Stand");
    }
}

fn no_death(model: &Facts<'_>, found: &mut Findings) {
    if !model.sequences.is_empty() && model.dialect() == Dialect::Warcraft3 && !has(model, "death") {
        found.add("SEQS", "no sequence has the name Death");
    }
}

/// The first words by which Warcraft III chooses sequences.
const USUAL: [&str; 13] = [
    "attack",
    "birth",
    "cinematic",
    "death",
    "decay",
    "dissipate",
    "morph",
    "portrait",
    "ready",
    "sleep",
    "spell",
    "stand",
    "walk",
];

fn unusual_name(model: &Facts<'_>, found: &mut Findings) {
    if model.dialect() != Dialect::Warcraft3 {
        return;
    }
    for (index, sequence) in model.sequences.iter().enumerate() {
        let word = first_word(&sequence.name.text());
        if !USUAL.contains(&word.as_str()) {
            found.add(
                format!("SEQS[{index}].name"),
                format!("the game does not play \"{}\" by itself", sequence.name),
            );
        }
    }
}

fn sequence_without_length(model: &Facts<'_>, found: &mut Findings) {
    for (index, sequence) in model.sequences.iter().enumerate() {
        let [start, end] = sequence.interval;
        if start == end {
            found.add(format!("SEQS[{index}].interval"), format!("\"{}\" has no length", sequence.name));
        }
    }
}

fn nothing_to_play(model: &Facts<'_>, found: &mut Findings) {
    let lasts = |sequence: &Sequence| {
        let [start, end] = sequence.interval;
        start != end
    };
    if !model.sequences.is_empty() && !model.sequences.iter().any(lasts) {
        found.add("SEQS", format!("none of the {} sequences has a length", model.sequences.len()));
    }
}

/// Milliseconds of a day.
const DAY: i64 = 86_400_000;

fn longer_than_a_day(model: &Facts<'_>, found: &mut Findings) {
    for (index, sequence) in model.sequences.iter().enumerate() {
        let [start, end] = sequence.interval.map(u32::cast_signed);
        let length = i64::from(end).saturating_sub(i64::from(start));
        if length > DAY {
            let hours = length / (DAY / 24);
            let message = format!("\"{}\" lasts from {start} to {end}, {hours} hours", sequence.name);
            found.add(format!("SEQS[{index}].interval"), message);
        }
    }
}

fn sequence_backwards(model: &Facts<'_>, found: &mut Findings) {
    for (index, sequence) in model.sequences.iter().enumerate() {
        let [start, end] = sequence.interval.map(u32::cast_signed);
        if end < start {
            let message = format!("\"{}\" starts at {start} and ends at {end}", sequence.name);
            found.add(format!("SEQS[{index}].interval"), message);
        }
    }
}

fn overlapping_sequences(model: &Facts<'_>, found: &mut Findings) {
    if model.release() != Some(Release::Classic) {
        return;
    }
    // Comparing with the latest end so far is enough to find an overlap.
    let mut latest: Option<(i32, usize)> = None;
    let mut starts: BTreeMap<i32, usize> = BTreeMap::new();
    for (index, sequence) in model.sequences.iter().enumerate() {
        let [start, end] = sequence.interval.map(u32::cast_signed);
        let same = starts.get(&start).copied();
        starts.entry(start).or_insert(index);
        let before = latest.filter(|(end, _)| start < *end).map(|(_, other)| other);
        if let Some(other) = same.or(before)
            && let Some(earlier) = model.sequences.get(other)
        {
            let [from, to] = earlier.interval.map(u32::cast_signed);
            let (name, other) = (&sequence.name, &earlier.name);
            let message = if end <= from && start < end {
                format!("\"{name}\" starts at {start}, but \"{other}\" before it is from {from} to {to}")
            } else {
                format!("\"{name}\" starts at {start}, but \"{other}\" lasts from {from} to {to}")
            };
            found.add(format!("SEQS[{index}].interval"), message);
        }
        if latest.is_none_or(|(latest, _)| end > latest) {
            latest = Some((end, index));
        }
    }
}

fn global_without_length(model: &Facts<'_>, found: &mut Findings) {
    for (index, length) in model.global_sequences.iter().enumerate() {
        if *length == 0 || i32::try_from(*length).is_err() {
            let message = format!("global sequence {index} lasts {} milliseconds", length.cast_signed());
            found.add(format!("GLBS[{index}]"), message);
        }
    }
}

fn portrait_without_camera(model: &Facts<'_>, found: &mut Findings) {
    let opaque = model.kept_chunks().any(|(tag, ..)| &tag.0 == b"CAMS");
    if model.cameras.is_empty() && !opaque {
        found.add("", "a portrait needs a camera");
    }
}

fn unquotable_name(model: &Facts<'_>, found: &mut Findings) {
    let bad = |text: &[u8]| text.iter().any(|byte| matches!(byte, b'"' | b'\n' | b'\r'));
    let mut look = |path: &dyn Fn() -> String, text: &[u8]| {
        if bad(text) {
            found.add(
                path(),
                format!("\"{}\" contains a quotation mark or a line break", text.escape_ascii()),
            );
        }
    };
    for info in &model.info {
        look(&|| "MODL.name".to_owned(), info.name.text_bytes());
    }
    for (index, sequence) in model.sequences.iter().enumerate() {
        look(&|| format!("SEQS[{index}].name"), sequence.name.text_bytes());
    }
    for at in &model.nodes {
        look(&|| at.path(".name"), at.node.name.text_bytes());
    }
    for (index, texture) in model.textures.iter().enumerate() {
        look(&|| format!("TEXS[{index}].path"), texture.path.text_bytes());
    }
}

fn broken_frame(model: &Facts<'_>, found: &mut Findings) {
    for track in model.stray_tracks() {
        found.add(track.tag().to_string(), "this track is where a chunk should be");
    }
}
