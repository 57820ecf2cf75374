//! One file per sequence: the model without animations, and a copy of it with each of them.

use super::{Gltf, export_with, rest};
use crate::{ExportOptions, Pictures, Textures};
use effigy_scene::{Id, Sequence, ValidScene};
use effigy_wire::Result;
use std::collections::BTreeSet;

/// Exports the model without animations, and once more with each sequence that the options choose. Each file comes with what is
/// added to the name of the model for it: nothing for the first, and `@Walk` and so on for the others (names as Unity wants them).
///
/// # Errors
/// Like [`super::export`].
pub fn export_split(
    scene: &ValidScene,
    options: &ExportOptions,
    textures: &mut dyn Textures,
    pictures: &Pictures,
) -> Result<Vec<(String, Gltf)>> {
    let still = ExportOptions { animate: false, ..options.clone() };
    let mut files = vec![(String::new(), export_with(scene, &still, textures, pictures)?)];
    let mut taken = BTreeSet::new();
    for id in rest::play_list(scene) {
        let Some(sequence) = scene.sequences.get(id).filter(|it| options.chooses(id, &it.name)) else {
            continue;
        };
        let one = ExportOptions { sequence: Some(id), ..options.clone() };
        let name = file_name(sequence, id, &mut taken);
        files.push((format!("@{name}"), export_with(scene, &one, textures, pictures)?));
    }
    Ok(files)
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
