//! Textures that World of Warcraft chooses, for a model whose tables are not available: the nearest file by name in the
//! model's own folder.

use super::{Assets, Naming, TextureRef};
use crate::file::FileRef;
use crate::{Found, name};
use std::path::Path;
use std::sync::Arc;

/// Letters that the names of model and texture must share at the beginning.
const SHARED: usize = 4;

/// What the names of textures of characters contain, by the type of the texture.
const CHARACTER: [(u32, &str); 3] = [(1, "skin"), (6, "hair"), (8, "extra")];
/// What the names of other parts of a character contain.
const PARTS: [&str; 6] = ["face", "facial", "scalp", "naked", "pelvis", "torso"];

/// How well a texture fits a model by its name; more is better, none is not at all.
fn fit(model: &str, texture: &str, kind: u32) -> Option<usize> {
    let shared = model.chars().zip(texture.chars()).take_while(|(a, b)| a == b).count();
    if let Some((_, word)) = CHARACTER.iter().find(|(number, _)| *number == kind) {
        let extra = texture.contains("extra") == (kind == 8);
        let part = PARTS.iter().any(|part| texture.contains(part));
        return (texture.contains(word) && extra && !part).then_some(shared);
    }
    (shared >= SHARED.min(model.chars().count()) && shared > 0).then_some(shared)
}

/// The texture of this type among the files of a folder: the one that shares most letters with the model, the shortest
/// and first of equals. The second and third skin of a creature are those after the first.
fn choose<'a>(model: &str, files: &'a [String], kind: u32) -> Option<&'a String> {
    let model = name::key(&name::with_extension(name::file_name(model), ""));
    let textures: Vec<&String> = files.iter().filter(|file| name::extension(file) == "blp").collect();
    if let [only] = textures.as_slice() {
        return Some(only);
    }
    let fits = |file: &&'a String| {
        let texture = name::key(&name::with_extension(file, ""));
        Some((usize::MAX - fit(&model, &texture, kind)?, texture.len(), texture, *file))
    };
    let mut found: Vec<_> = textures.iter().filter_map(fits).collect();
    found.sort();
    let place = match kind {
        12 => 1,
        13 => 2,
        _ => 0,
    };
    found.get(place).or_else(|| found.first()).map(|(.., file)| *file)
}

impl Assets {
    /// The nearest texture by name in the folder of a model of World of Warcraft, for a texture that the game chooses and
    /// that neither the caller nor the game's tables name. It is a guess, to be reported as one.
    #[must_use]
    pub fn guess(&self, naming: Naming, file: &FileRef, texture: TextureRef<'_>) -> Option<Found> {
        let texture = texture.without_junk(naming);
        if self.find(naming, &self.home(file), texture, None).is_some()
            || self.worn_first(naming, file, texture).is_some()
        {
            return None;
        }
        self.nearest(naming, file, texture)
    }

    pub(super) fn nearest(&self, naming: Naming, file: &FileRef, texture: TextureRef<'_>) -> Option<Found> {
        if naming != Naming::Wow || texture.replaceable == 0 || !texture.path.is_empty() {
            return None;
        }
        let path = file.path()?;
        let parent = match path.parent() {
            Some(parent) if parent != Path::new("") => parent,
            _ => Path::new("."),
        };
        let mut files: Vec<String> = std::fs::read_dir(parent)
            .ok()?
            .take(self.limits.records)
            .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
            .collect();
        files.sort();
        let chosen = choose(&file.file_name(), &files, texture.replaceable)?;
        let source = self.folder(parent)?;
        let entry = source.find(chosen)?;
        Some(Found { source: Arc::clone(&source), entry })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(model: &str, files: &[&str], kind: u32) -> Option<String> {
        let files: Vec<String> = files.iter().map(|file| (*file).to_owned()).collect();
        choose(model, &files, kind).cloned()
    }

    #[test]
    fn the_texture_that_shares_most_letters_is_taken() {
        let swords =
            ["Sword_1H_Long_A_02.blp", "sword_1h_long_a_01blue.blp", "Sword_1H_Long_A_01.blp", "Axe.blp"];
        assert_eq!(chosen("Sword_1H_Long_A_01.m2", &swords, 2).unwrap(), "Sword_1H_Long_A_01.blp");
        assert_eq!(chosen("Mace_1H.m2", &swords, 2), None);
        // Three letters are not enough, unless the model has no more.
        assert_eq!(chosen("Swoon.m2", &swords, 2), None);
        assert_eq!(chosen("Axe.m2", &swords, 2).unwrap(), "Axe.blp");
        assert_eq!(chosen(".m2", &swords, 2), None);
        assert_eq!(chosen("Mace_1H.m2", &["Other.blp", "Mace_1H.m2"], 2).unwrap(), "Other.blp");
        let wolf = ["WolfSkinBlack.blp", "WolfSkinBrown.blp", "Wolf.m2"];
        assert_eq!(chosen("Wolf.m2", &wolf, 11).unwrap(), "WolfSkinBlack.blp");
        assert_eq!(chosen("Wolf.m2", &wolf, 12).unwrap(), "WolfSkinBrown.blp");
    }

    #[test]
    fn parts_of_a_character_are_not_its_skin() {
        let files = [
            "OrcMaleFaceLower00_00.blp",
            "OrcMaleNakedPelvisSkin00_00.blp",
            "OrcMaleSkin00_00.blp",
            "OrcMaleSkin00_00_Extra.blp",
            "Hair00_00.blp",
            "ScalpUpperHair00_00.blp",
        ];
        for (kind, expected) in
            [(1, "OrcMaleSkin00_00.blp"), (6, "Hair00_00.blp"), (8, "OrcMaleSkin00_00_Extra.blp")]
        {
            assert_eq!(chosen("OrcMale.m2", &files, kind).as_deref(), Some(expected));
        }
    }
}
