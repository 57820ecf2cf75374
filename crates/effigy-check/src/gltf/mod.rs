//! Rules for glTF: what the games of this toolkit have no place for, or a limit to.
//!
//! What is wrong with a file as such, the Khronos validator reports; here it is only about the way into a game.

use crate::CheckOptions;
use crate::checkable::sealed::{LookedUpName, NamedFile, Scan};
use crate::findings::Findings;
use crate::profile::{Guess, Named, Profile};
use crate::rule::{Change, EVERY, Fix, Rule, rules};
use effigy_gltf::Model;
use std::collections::BTreeSet;

rules! { Gltf
    /// Warcraft III since Reforged and World of Warcraft let a vertex follow four bones, and the older game has no weights at all. The
    /// bones with the smallest weights are left out. Limit the weights to four before the export (in Blender: Weights, Limit
    /// Total).
    GLTF1001 "more than four bones for a vertex" Warning for EVERY => many_influences;
    /// Warcraft III holds 80 bytes for the name of a node or an animation, with a zero at the end. The rest is cut off, and two
    /// names may become the same. Shorten it.
    GLTF1002 "name too long" Warning for EVERY => long_names;
    /// The games choose an animation by its name, so that these play in turns or only the first one does. Rename one of them.
    GLTF1003 "animations with the same name" Warning for EVERY => same_names;
    /// The games' textures have sides of 1, 2, 4, 8, ... pixels; others are drawn white or garbled, or the game ends. Scale the image.
    GLTF1004 "image size is not a power of two" Warning for EVERY => odd_sizes;
    /// The games count the vertices of a mesh with 16 bits. Split the mesh.
    GLTF1005 "too many vertices in a mesh" Severe for EVERY => many_vertices;
    /// Neither Warcraft III nor World of Warcraft has morph targets; only MDC and MD3 hold whole frames. The mesh will keep the
    /// shape that it has at rest.
    GLTF1006 "morph targets" Note for EVERY => morph_targets;
    /// A unit shows the animation `Stand` while nothing else happens. None of the animations has a name that means it (stand, idle, rest).
    /// Rename the one that is meant.
    GLTF1007 "no animation to stand" Note for &[Profile::Unit] => nothing_to_stand;
}

/// What the rules look at.
pub(crate) struct Facts<'a> {
    model: &'a Model,
}

/// The tables of all families.
pub(crate) fn families() -> impl Iterator<Item = &'static [Rule]> {
    [RULES].into_iter()
}

/// What kind of thing a model is.
pub(crate) fn guess(model: &Model, file_name: &str) -> Guess {
    let portrait = Named::new(file_name).within(&["portraits"]);
    let [joints, _] = model.node_counts();
    match (joints, model.animations().len()) {
        _ if portrait => Guess::new(Profile::Portrait, "its folder holds portraits"),
        (0, _) => Guess::new(Profile::Doodad, "it has no skin"),
        (_, 0) => Guess::new(Profile::Doodad, "it has no animation"),
        _ => Guess::new(Profile::Unit, "a skin and animations"),
    }
}

/// What the rules look at.
pub(crate) const fn facts<'a>(model: &'a Model, _: &'a CheckOptions<'a>) -> Facts<'a> {
    Facts { model }
}

/// JSON has no numbers that are not finite.
pub(crate) const fn scan(_: &Facts<'_>) -> Scan {
    Scan::Clean
}

/// Files of other programs are not repaired.
pub(crate) const fn repair(_: &mut Model, _: Fix) -> Option<Vec<Change>> {
    None
}

/// The files that a model names.
pub(crate) fn files(model: &Model) -> Vec<NamedFile> {
    model.companions().into_iter().map(|name| ("buffers".to_owned(), name)).collect()
}

/// The names that games compare without regard to case.
pub(crate) fn names(model: &Model) -> Vec<LookedUpName> {
    let named = model.animations().into_iter().enumerate();
    named.map(|(index, (name, _))| ("animations", format!("animations[{index}].name"), name)).collect()
}

fn many_influences(facts: &Facts<'_>, found: &mut Findings) {
    for primitive in facts.model.primitives().iter().filter(|it| it.influences > 4) {
        let text = format!("vertices may follow {} joints", primitive.influences);
        found.add(primitive.path.as_str(), text);
    }
}

fn long_names(facts: &Facts<'_>, found: &mut Findings) {
    let animations = facts.model.animations().into_iter().map(|(name, _)| name);
    let animations = animations.enumerate().map(|(index, name)| (format!("animations[{index}].name"), name));
    let nodes = facts.model.node_names().into_iter().enumerate();
    let nodes = nodes.map(|(index, name)| (format!("nodes[{index}].name"), name.to_owned()));
    for (path, name) in animations.chain(nodes).filter(|(_, name)| name.len() > 79) {
        found.add(path, format!("{} bytes", name.len()));
    }
}

fn same_names(facts: &Facts<'_>, found: &mut Findings) {
    let mut seen = BTreeSet::new();
    for (index, (name, _)) in facts.model.animations().into_iter().enumerate() {
        if !name.is_empty() && !seen.insert(name.clone()) {
            found.add(format!("animations[{index}].name"), format!("another one is called {name}"));
        }
    }
}

fn odd_sizes(facts: &Facts<'_>, found: &mut Findings) {
    for (index, size) in facts.model.image_sizes().into_iter().enumerate() {
        let Some([width, height]) = size else { continue };
        if !width.is_power_of_two() || !height.is_power_of_two() {
            found.add(format!("images[{index}]"), format!("{width} x {height} pixels"));
        }
    }
}

fn many_vertices(facts: &Facts<'_>, found: &mut Findings) {
    for primitive in facts.model.primitives().iter().filter(|it| it.vertices > 65_535) {
        found.add(primitive.path.as_str(), format!("{} vertices", primitive.vertices));
    }
}

fn morph_targets(facts: &Facts<'_>, found: &mut Findings) {
    for primitive in facts.model.primitives().iter().filter(|it| it.targets > 0) {
        found.add(primitive.path.as_str(), format!("{} morph targets", primitive.targets));
    }
}

fn nothing_to_stand(facts: &Facts<'_>, found: &mut Findings) {
    let animations = facts.model.animations();
    let stands = |name: &str| {
        let name = name.to_lowercase();
        ["stand", "idle", "rest"].iter().any(|word| name.contains(word))
    };
    if !animations.is_empty() && !animations.iter().any(|(name, _)| stands(name)) {
        found.add("animations", format!("none of {} is named so", animations.len()));
    }
}
