//! Tracks from the tree of fields that a dump shows: interpolation, global sequence, times, and values with tangents.

use super::{Interpolation, Track, ValueKind, stride, value_kind};
use effigy_wire::{Error, Kind, Result, Tag, Tree};

pub(super) fn track(tree: &Tree<'_>) -> Result<Track> {
    let wrong = |message: String| Error::new(Kind::Malformed, message);
    let tag = Tag::unescape(&tree.name)?;
    let kind = value_kind(tag).ok_or_else(|| wrong(format!("{tag} is not the tag of a track")))?;
    tree.only(&["interpolation", "global_sequence", "times", "values"])?;
    let part = |name: &str| tree.part(name).ok_or_else(|| wrong(format!("the track {tag} has no {name}")));
    let interpolation = match tree.part("interpolation") {
        Some(part) => Interpolation(crate::records::parse_choice::<Interpolation>(part)?),
        None => Interpolation::LINEAR,
    };
    let global_sequence = tree.part("global_sequence").map_or(Ok(-1), Tree::number)?;
    let times: Vec<i32> = part("times")?.numbers()?;
    let values: Vec<u32> = match kind {
        ValueKind::Index => part("values")?.numbers()?,
        _ => part("values")?.numbers::<f32>()?.into_iter().map(f32::to_bits).collect(),
    };
    let width = stride(kind, interpolation).saturating_sub(1);
    if times.len().checked_mul(width) != Some(values.len()) {
        let (keys, numbers) = (times.len(), values.len());
        return Err(wrong(format!(
            "{keys} keys of {tag} need {width} numbers each, and there are {numbers}"
        )));
    }
    let keys = times.iter().zip(values.chunks(width.max(1)));
    let words = keys.flat_map(|(time, values)| {
        std::iter::once(&time.cast_unsigned()).chain(values).copied().collect::<Vec<_>>()
    });
    Track::from_words(tag, interpolation, global_sequence, words.collect())
        .ok_or_else(|| wrong(format!("the keys of {tag} are not complete")))
}
