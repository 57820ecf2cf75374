//! Tracks that `lower` put aside.

pub(super) use crate::raise::extras::{float, floats, int, ints, text, word};
use effigy_mdx::track::value_kind;
use effigy_mdx::{Interpolation, Key, Track, Tracks, ValueKind};
use effigy_scene::{Extra, Extras};
use effigy_wire::Tag;

/// Adds every track that was put aside under its tag.
pub(super) fn tracks(extras: &Extras, into: &mut Tracks) {
    for (name, value) in extras.iter() {
        let (Ok(tag), Extra::Map(map)) = (<[u8; 4]>::try_from(name.as_bytes()), value) else { continue };
        into.0.extend(track(Tag(tag), map));
    }
}

fn track(tag: Tag, map: &Extras) -> Option<Track> {
    let kind = value_kind(tag)?;
    let interpolation = Interpolation(word(map, "interpolation")?);
    let times = ints(map, "times")?;
    let values = floats(map, "values")?;
    let global = int(map, "globalSequence").and_then(|it| i32::try_from(it).ok()).unwrap_or(-1);
    let part = |list: Option<&[f32]>, key: usize| -> Vec<u32> {
        let width = kind.width();
        let start = key.saturating_mul(width);
        let list = list.and_then(|list| list.get(start..start.saturating_add(width))).unwrap_or_default();
        let word = |value: &f32| {
            // Whole numbers are kept as numbers.
            #[allow(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "it was a whole number"
            )]
            if kind == ValueKind::Index { *value as u32 } else { value.to_bits() }
        };
        list.iter().map(word).collect()
    };
    let mut words = Vec::new();
    for (key, time) in times.iter().enumerate() {
        words.push(i32::try_from(*time).unwrap_or(0).cast_unsigned());
        words.extend(part(Some(values), key));
        if interpolation.has_tangents() {
            words.extend(part(floats(map, "in"), key));
            words.extend(part(floats(map, "out"), key));
        }
    }
    let mut made = match kind.width() {
        1 => Track::new::<f32>(tag, Interpolation::STEP, &[] as &[Key<f32>]),
        3 => Track::new::<[f32; 3]>(tag, Interpolation::STEP, &[]),
        _ => Track::new::<[f32; 4]>(tag, Interpolation::STEP, &[]),
    }
    .ok()?;
    made.set_words(interpolation, words).ok()?;
    Some(made.on_global_sequence(global))
}
