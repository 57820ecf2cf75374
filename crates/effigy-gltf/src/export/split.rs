//! One file per sequence: the model without animations, and a copy of it with each of them.

use super::{Gltf, export_with, rest};
use crate::{ExportOptions, Pictures, Textures};
use effigy_scene::{Id, Sequence, ValidScene};
use effigy_wire::{Error, Kind, Result};
use std::collections::BTreeSet;

/// Exports the model without animations, and once more with each sequence that the options choose, and gives each document to the
/// caller, with what is added to the name of the model for it: nothing for the first, and `@Walk` and so on for the others (names
/// as Unity wants them).
///
/// # Errors
/// Like [`super::export`], when the documents without their pictures would need more bytes than the options allow for animations, and
/// those of the caller.
pub fn export_split(
    scene: &ValidScene,
    options: &ExportOptions,
    textures: &mut dyn Textures,
    pictures: &Pictures,
    each: &mut dyn FnMut(String, Gltf) -> Result<()>,
) -> Result<()> {
    let still = ExportOptions { animate: false, ..options.clone() };
    let still = export_with(scene, &still, textures, pictures)?;
    let chosen: Vec<(Id<Sequence>, &Sequence)> = rest::play_list(scene)
        .into_iter()
        .filter_map(|id| Some((id, scene.sequences.get(id)?)))
        .filter(|(id, sequence)| options.chooses(*id, &sequence.name))
        .collect();
    // Each file has the whole model.
    let together = still.weight().saturating_mul(chosen.len());
    if together > options.animation_bytes {
        let (count, megabytes, most) = (chosen.len(), together >> 20, options.animation_bytes >> 20);
        let text =
            format!("{count} files would need {megabytes} MB besides pictures; at most {most} are written");
        return Err(Error::new(Kind::Limit, text).hint(
            "fewer animations (--animations) need less, and one file for all is smaller than one for each",
        ));
    }
    each(String::new(), still)?;
    let mut taken = BTreeSet::new();
    for (id, sequence) in chosen {
        let one = ExportOptions { sequence: Some(id), ..options.clone() };
        let name = file_name(sequence, id, &mut taken);
        each(format!("@{name}"), export_with(scene, &one, textures, pictures)?)?;
    }
    Ok(())
}

/// The name of a sequence as a part of a file name, different from all others also where case does not count.
fn file_name(sequence: &Sequence, id: Id<Sequence>, taken: &mut BTreeSet<String>) -> String {
    let plain = |c: char| if c.is_alphanumeric() || "-_ ()".contains(c) { c } else { '_' };
    let name: String = sequence.name.chars().map(plain).collect();
    let name = if name.trim().is_empty() { "Sequence".to_owned() } else { name.trim().to_owned() };
    if taken.insert(name.to_lowercase()) {
        return name;
    }
    let numbered = format!("{name} {}", id.index());
    taken.insert(numbered.to_lowercase());
    numbered
}
