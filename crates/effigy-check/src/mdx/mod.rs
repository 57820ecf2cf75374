//! Rules for Warcraft III and WoW alpha models.

mod emitters;
mod facts;
mod geosets;
mod guess;
mod materials;
mod nodes;
mod objects;
mod sequences;
mod skinning;
mod survey;
mod tracks;
mod unused;

pub(crate) use facts::Facts;
pub(crate) use guess::guess;

use crate::CheckOptions;
use crate::checkable::sealed::{LookedUpName, NamedFile, Scan};
use crate::rule::{Change, Fix, Rule};
use effigy_mdx::Model;

/// The tables of all families, in the order in which they run. Repairs run in the same order: sequences before the
/// tracks that play in them, tracks and nodes before the meshes that they move.
pub(crate) fn families() -> impl Iterator<Item = &'static [Rule]> {
    [
        sequences::RULES,
        nodes::RULES,
        objects::RULES,
        tracks::RULES,
        geosets::RULES,
        skinning::RULES,
        materials::RULES,
        emitters::RULES,
        unused::RULES,
    ]
    .into_iter()
}

/// What the rules look at.
pub(crate) fn facts<'a>(model: &'a Model, _: &'a CheckOptions<'a>) -> Facts<'a> {
    Facts::new(model)
}

/// Whether the slow walk has to look at the keys.
pub(crate) fn scan(facts: &Facts<'_>) -> Scan {
    if facts.has_wrong_keys() { Scan::Suspicious } else { Scan::Clean }
}

/// Makes a repair, if it is one for this format.
pub(crate) fn repair(model: &mut Model, fix: Fix) -> Option<Vec<Change>> {
    if let Fix::Mdx(run) = fix { Some(run(model)) } else { None }
}

/// The files that a model names: where, and the path.
pub(crate) fn files(model: &Model) -> Vec<NamedFile> {
    let textures = model.textures.iter().enumerate();
    let textures = textures.map(|(index, texture)| (format!("TEXS[{index}].path"), texture.path.text()));
    let attachments = model.attachments.iter().enumerate();
    let attachments = attachments.map(|(index, one)| (format!("ATCH[{index}].path"), one.path.text()));
    let emitters = model.particle_emitters.iter().enumerate();
    let emitters = emitters.map(|(index, one)| (format!("PREM[{index}].path"), one.path.text()));
    let popcorn = model.popcorn_emitters.iter().enumerate();
    let popcorn = popcorn.map(|(index, one)| (format!("CORN[{index}].path"), one.path.text()));
    textures
        .chain(attachments)
        .chain(emitters)
        .chain(popcorn)
        .filter(|(_, path)| !path.is_empty())
        .map(|(place, path)| (place, path.into_owned()))
        .collect()
}

/// The names that the game looks up and compares without regard to case.
pub(crate) fn names(model: &Model) -> Vec<LookedUpName> {
    let textures = model.textures.iter().enumerate();
    textures
        .filter(|(_, texture)| !texture.path.is_empty())
        .map(|(index, texture)| ("texture", format!("TEXS[{index}].path"), texture.path.text().into_owned()))
        .collect()
}
