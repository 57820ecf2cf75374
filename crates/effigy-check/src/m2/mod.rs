//! Rules for M2. No other public tool checks these models.
//!
//! Blocks that lie outside the file, overlap or are not referenced are reported by the reader (M201xx).

mod facts;
mod look;
mod skeleton;
mod tracks;
mod views;

pub(crate) use facts::Facts;

use crate::CheckOptions;
use crate::checkable::sealed::{LookedUpName, NamedFile, Scan};
use crate::profile::{Guess, Named, Profile};
use crate::rule::{Change, Fix, Rule};
use effigy_m2::Model;

/// The tables of all families.
pub(crate) fn families() -> impl Iterator<Item = &'static [Rule]> {
    [tracks::RULES, skeleton::RULES, views::RULES, look::RULES].into_iter()
}

/// Walk, run and attack by their numbers in the game's table of animations.
const LIVING: [u16; 7] = [4, 5, 16, 17, 18, 19, 26];

/// Prefixes in the names of things that are worn or carried.
const WORN: [&str; 6] = ["helm_", "lshoulder_", "rshoulder_", "shield_", "sword_", "axe_"];

/// Up to this many vertices, a mesh is taken for a marker.
const MARKER: usize = 24;

/// What kind of thing a model is.
pub(crate) fn guess(model: &Model, file_name: &str) -> Guess {
    if model.vertices.is_empty() {
        return if !model.cameras.is_empty() && model.particles.is_empty() {
            Guess::new(Profile::Camera, "cameras and no vertices")
        } else {
            Guess::new(Profile::Effect, "no vertices")
        };
    }
    if !model.cameras.is_empty() && model.vertices.len() <= MARKER && model.particles.is_empty() {
        return Guess::new(Profile::Camera, "cameras and almost no vertices");
    }
    let names = [Named::new(file_name), Named::new(&model.name())];
    let folders: [(&[&str], Profile, &str); 3] = [
        (&["item", "objectcomponents"], Profile::Item, "its folder holds items"),
        (&["spells", "spell"], Profile::Effect, "its folder holds spells"),
        (&["interface", "glues"], Profile::Ui, "its folder holds the interface"),
    ];
    let found = folders.iter().find(|(folders, ..)| names.iter().any(|name| name.within(folders)));
    if let Some((_, profile, reason)) = found {
        return Guess::new(*profile, *reason);
    }
    let worn = |name: &Named| WORN.iter().any(|start| name.stem.starts_with(start));
    if names.iter().any(worn) {
        return Guess::new(Profile::Item, "its name begins like those of helms, shoulders and weapons");
    }
    if let Some(guess) = names.iter().find_map(Named::says) {
        return guess;
    }
    if model.sequences.iter().any(|sequence| LIVING.contains(&sequence.id)) {
        return Guess::new(Profile::Unit, "it walks, runs or attacks");
    }
    if model.particles.len().saturating_add(model.ribbons.len()) > model.textures.len().max(1) {
        return Guess::new(Profile::Effect, "mostly particles");
    }
    if !model.attachments.is_empty() && model.sequences.len() <= 1 && model.bones.len() <= 8 {
        return Guess::new(Profile::Item, "few bones, and attachments");
    }
    Guess::new(Profile::Doodad, "no sequence in which it walks or fights")
}

/// What the rules look at.
pub(crate) fn facts<'a>(model: &'a Model, _: &'a CheckOptions<'a>) -> Facts<'a> {
    Facts::new(model)
}

/// The walk sees all numbers of an M2.
pub(crate) const fn scan(_: &Facts<'_>) -> Scan {
    Scan::Clean
}

/// Makes a repair, if it is one for this format.
pub(crate) fn repair(model: &mut Model, fix: Fix) -> Option<Vec<Change>> {
    if let Fix::M2(run) = fix { Some(run(model)) } else { None }
}

/// The files that a model names.
pub(crate) fn files(model: &Model) -> Vec<NamedFile> {
    let named =
        model.textures.iter().enumerate().filter(|(_, texture)| !texture.name.text_bytes().is_empty());
    named
        .map(|(index, texture)| (format!("textures[{index}].name"), texture.name.text().into_owned()))
        .collect()
}

/// The names that the game looks up without regard to case.
pub(crate) fn names(model: &Model) -> Vec<LookedUpName> {
    files(model).into_iter().map(|(place, name)| ("texture", place, name)).collect()
}
