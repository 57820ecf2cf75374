//! Lookup tables, sequences, textures and emitters.

use super::Facts;
use crate::findings::Findings;
use crate::rule::{EVERY, rules};
use effigy_m2::Caps;

rules! { M2
    /// A lookup table refers to a row that does not exist; the client reads beyond its list. Rows that no batch uses do not count.
    M21301 "lookup out of range" Error for EVERY => lookups;
    /// The next variation of a sequence, or the sequence that is played instead of it, does not exist; the client reads beyond its list.
    M21302 "sequence refers to a missing sequence" Error for EVERY => variations;
    /// The end of the sequence is before its start, so that the client cannot play it.
    M21303 "sequence ends before it begins" Error for EVERY => backwards;
    /// A texture of kind 0 has a file name, one of another kind comes from the game's tables and has none. Without a name, a texture of
    /// kind 0 is drawn green.
    M21304 "texture without name" Error for EVERY => nameless;
    /// A texture of another kind than 0 comes from the game's tables; its name is not used.
    M21305 "name of a texture that the game supplies" Warning for EVERY => named;
    /// Type 0 with a blend mode of 256 or more is an emitter of a later version whose two bytes were read as one word, which happens in
    /// bad conversions to vanilla. The client draws nothing, or crashes. Convert the original again.
    M21306 "emitter of a bad conversion" Error for EVERY => bad_conversion;
    /// An emitter or ribbon refers to a texture or material that does not exist; the client reads beyond its list.
    M21307 "emitter refers to something missing" Error for EVERY => emitters;
    /// The texture is divided into rows and columns of cells; with 0 rows or columns, the client divides by zero.
    M21308 "texture without cells" Error for EVERY => no_cells;
    /// The sequence lasts for more than a day: a length below 0 was written as a number that wraps at 2^32. The client plays its keys at the
    /// wrong time, and tools that sample the animation run out of memory. Correct the length.
    M21309 "sequence of more than a day" Error for EVERY => longer_than_a_day;
}

/// Whether an index is neither -1 nor a position in a list.
pub(super) fn dangles(index: i16, length: usize) -> bool {
    index != -1 && usize::try_from(index).map_or(true, |index| index >= length)
}

fn lookups(model: &Facts<'_>, found: &mut Findings) {
    let signed = [
        ("sequence_lookup", model.sequence_lookup.as_slice(), model.sequences.len()),
        ("key_bones", model.key_bones.as_slice(), model.bones.len()),
        ("replaceable_lookup", model.replaceable_lookup.as_slice(), model.textures.len()),
        ("attachment_lookup", model.attachment_lookup.as_slice(), model.attachments.len()),
        ("camera_lookup", model.camera_lookup.as_slice(), model.cameras.len()),
    ];
    for (field, list, count) in signed {
        if let Some((index, row)) = list.iter().enumerate().find(|(_, row)| dangles(**row, count)) {
            found.add(field, format!("row {index} refers to {row}, there are {count}"));
        }
    }
    let used = Used::new(model);
    let transforms = model
        .transform_combos
        .iter()
        .enumerate()
        .filter(|(index, _)| used.transforms.get(*index) == Some(&true));
    let count = model.transforms.len();
    if let Some((index, row)) = transforms.into_iter().find(|(_, row)| dangles(**row, count)) {
        found.add("transform_combos", format!("row {index} refers to {row}, there are {count}"));
    }
    let unsigned = [
        ("bone_combos", model.bone_combos.as_slice(), model.bones.len(), &used.bones),
        ("texture_combos", model.texture_combos.as_slice(), model.textures.len(), &used.textures),
        ("weight_combos", model.weight_combos.as_slice(), model.weights.len(), &used.weights),
    ];
    for (field, list, count, used) in unsigned {
        let beyond = |index: usize, row: u16| {
            usize::from(row) >= count && row != u16::MAX && used.get(index) == Some(&true)
        };
        if let Some((index, row)) = list.iter().enumerate().find(|(index, row)| beyond(*index, **row)) {
            found.add(field, format!("row {index} refers to {row}, there are {count}"));
        }
    }
    // -1 is an environment map, 0 and 1 are the two sets of coordinates.
    let mut coords =
        model.coord_combos.iter().enumerate().filter(|(index, _)| used.coords.get(*index) == Some(&true));
    if let Some((index, row)) = coords.find(|(_, row)| !(-1..=2).contains(*row)) {
        found.add("coord_combos", format!("row {index} refers to coordinates {row}"));
    }
}

/// The rows of the tables of combos that a batch or submesh uses.
struct Used {
    bones: Vec<bool>,
    textures: Vec<bool>,
    coords: Vec<bool>,
    weights: Vec<bool>,
    transforms: Vec<bool>,
}

impl Used {
    fn new(model: &Facts<'_>) -> Self {
        let submeshes = || model.views().flat_map(|view| view.submeshes.iter());
        let batches = || model.views().flat_map(|view| view.batches.iter());
        let bones = submeshes().map(|one| (one.bone_start, one.bone_count));
        let textures = batches().map(|one| (one.texture_combo, one.texture_count));
        let coords = batches().map(|one| (one.coord_combo, one.texture_count));
        let transforms = batches().map(|one| (one.transform_combo, one.texture_count));
        Self {
            bones: covered(model.bone_combos.len(), bones),
            textures: covered(model.texture_combos.len(), textures),
            coords: covered(model.coord_combos.len(), coords),
            weights: covered(model.weight_combos.len(), batches().map(|one| (one.weight_combo, 1))),
            transforms: covered(model.transform_combos.len(), transforms),
        }
    }
}

/// Which rows of a list are in one of the ranges, each a start and a count.
fn covered(length: usize, ranges: impl Iterator<Item = (u16, u16)>) -> Vec<bool> {
    // How many ranges begin and end at each row, so that the work does not grow with their lengths.
    let mut edges = vec![(0_usize, 0_usize); length];
    for (start, count) in ranges.filter(|(_, count)| *count > 0) {
        let (start, end) = (usize::from(start), usize::from(start).saturating_add(usize::from(count)));
        if let Some((begins, _)) = edges.get_mut(start) {
            *begins = begins.saturating_add(1);
            if let Some((_, ends)) = edges.get_mut(end) {
                *ends = ends.saturating_add(1);
            }
        }
    }
    let mut open = 0_usize;
    let row = |(begins, ends): (usize, usize)| {
        open = open.saturating_add(begins).saturating_sub(ends);
        open > 0
    };
    edges.into_iter().map(row).collect()
}

/// Milliseconds of a day.
const DAY: u32 = 86_400_000;

fn longer_than_a_day(model: &Facts<'_>, found: &mut Findings) {
    for (index, sequence) in model.sequences.iter().enumerate() {
        // Before 264 there are a start and an end, later a length.
        let (field, length) = match model.has_timeline() {
            true => ("end", sequence.end.saturating_sub(sequence.start)),
            false => ("duration", sequence.duration),
        };
        if length > DAY {
            let days = length / DAY;
            let text = format!(
                "it lasts {length} milliseconds, {days} days; as a signed number {}",
                length.cast_signed()
            );
            found.add(format!("sequences[{index}].{field}"), text);
        }
    }
}

fn variations(model: &Facts<'_>, found: &mut Findings) {
    let count = model.sequences.len();
    for (index, sequence) in model.sequences.iter().enumerate() {
        if dangles(sequence.next_variation, count) {
            let message = format!("sequence {} does not exist, there are {count}", sequence.next_variation);
            found.add(format!("sequences[{index}].next_variation"), message);
        }
        let aliased = sequence.flags.contains(effigy_m2::SequenceFlags::ALIAS);
        if aliased && usize::from(sequence.alias) >= count {
            found.add(
                format!("sequences[{index}].alias"),
                format!("sequence {} does not exist, there are {count}", sequence.alias),
            );
        }
    }
}

fn backwards(model: &Facts<'_>, found: &mut Findings) {
    for (index, sequence) in model.sequences.iter().enumerate().filter(|(_, one)| one.end < one.start) {
        let message = format!("it starts at {} and ends at {}", sequence.start, sequence.end);
        found.add(format!("sequences[{index}].end"), message);
    }
}

fn nameless(model: &Facts<'_>, found: &mut Findings) {
    // Later clients refer to textures by number, in a chunk next to the model.
    if model.version().is_later() {
        return;
    }
    for (index, texture) in model.textures.iter().enumerate() {
        if texture.kind == 0 && texture.name.text_bytes().is_empty() {
            found.add(format!("textures[{index}].name"), "a texture of kind 0 needs a file name");
        }
    }
}

fn named(model: &Facts<'_>, found: &mut Findings) {
    for (index, texture) in model.textures.iter().enumerate() {
        if texture.kind != 0 && !texture.name.text_bytes().is_empty() {
            let message = format!("\"{}\" is not used, the kind is {}", texture.name.text(), texture.kind);
            found.add(format!("textures[{index}].name"), message);
        }
    }
}

fn bad_conversion(model: &Facts<'_>, found: &mut Findings) {
    if !model.caps().contains(Caps::WORD_EMITTER) {
        return;
    }
    for (index, emitter) in model.particles.iter().enumerate() {
        if emitter.kind == 0 && emitter.blend >= 256 {
            found.add(
                format!("particles[{index}].blend"),
                format!("type 0 with blend mode {}", emitter.blend),
            );
        }
    }
}

fn emitters(model: &Facts<'_>, found: &mut Findings) {
    if model.version().is_later() {
        return;
    }
    let (textures, materials) = (model.textures.len(), model.materials.len());
    for (index, emitter) in model.particles.iter().enumerate() {
        if usize::from(emitter.texture) >= textures {
            let message = format!("texture {} does not exist, there are {textures}", emitter.texture);
            found.add(format!("particles[{index}].texture"), message);
        }
    }
    for (index, ribbon) in model.ribbons.iter().enumerate() {
        if let Some(texture) = ribbon.textures.iter().find(|texture| usize::from(**texture) >= textures) {
            found.add(
                format!("ribbons[{index}].textures"),
                format!("texture {texture} does not exist, there are {textures}"),
            );
        }
        if let Some(material) = ribbon.materials.iter().find(|material| usize::from(**material) >= materials)
        {
            found.add(
                format!("ribbons[{index}].materials"),
                format!("material {material} does not exist, there are {materials}"),
            );
        }
    }
}

fn no_cells(model: &Facts<'_>, found: &mut Findings) {
    let particles = model.particles.iter().map(|one| (one.rows, one.columns)).enumerate();
    let ribbons = model.ribbons.iter().map(|one| (one.rows, one.columns)).enumerate();
    let all = particles.map(|one| ("particles", one)).chain(ribbons.map(|one| ("ribbons", one)));
    for (list, (index, (rows, columns))) in
        all.filter(|(_, (_, (rows, columns)))| *rows == 0 || *columns == 0)
    {
        found.add(format!("{list}[{index}].rows"), format!("{rows} rows, {columns} columns"));
    }
}
