//! Lookup tables, sequences, textures and emitters.

use super::Facts;
use crate::findings::Findings;
use crate::rule::{EVERY, rules};
use effigy_m2::Caps;

rules! { M2
    /// A lookup table refers to a row that does not exist; the client reads beyond its list.
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
        ("transform_combos", model.transform_combos.as_slice(), model.transforms.len()),
        ("attachment_lookup", model.attachment_lookup.as_slice(), model.attachments.len()),
        ("camera_lookup", model.camera_lookup.as_slice(), model.cameras.len()),
    ];
    for (field, list, count) in signed {
        if let Some((index, row)) = list.iter().enumerate().find(|(_, row)| dangles(**row, count)) {
            found.add(field, format!("row {index} refers to {row}, there are {count}"));
        }
    }
    let unsigned = [
        ("bone_combos", model.bone_combos.as_slice(), model.bones.len()),
        ("texture_combos", model.texture_combos.as_slice(), model.textures.len()),
        ("weight_combos", model.weight_combos.as_slice(), model.weights.len()),
    ];
    for (field, list, count) in unsigned {
        let beyond = |row: u16| usize::from(row) >= count && row != u16::MAX;
        if let Some((index, row)) = list.iter().enumerate().find(|(_, row)| beyond(**row)) {
            found.add(field, format!("row {index} refers to {row}, there are {count}"));
        }
    }
    // -1 is an environment map, 0 and 1 are the two sets of coordinates.
    let coords = model.coord_combos.iter().enumerate();
    if let Some((index, row)) = coords.into_iter().find(|(_, row)| !(-1..=2).contains(*row)) {
        found.add("coord_combos", format!("row {index} refers to coordinates {row}"));
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
