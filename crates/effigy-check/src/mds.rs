//! Rules for MDS, MDM and Enemy Territory's MDX: problems that the engines do not check for, but fail on.
//!
//! The reader checks offsets, counts, indices, loops of bones and numbers that are not finite (MDS01xx to MDS03xx).

use crate::CheckOptions;
use crate::checkable::sealed::{LookedUpName, NamedFile, Scan};
use crate::findings::Findings;
use crate::profile::{Guess, Profile};
use crate::rule::{Change, EVERY, Fix, Rule, rules};
use effigy_mds::games::{GAMES, NOMINAL};
use effigy_mds::{Caps, Model};
use std::collections::BTreeSet;

rules! { Mds
    /// The games have room for 128 bones and do not look whether there are more: they overwrite other memory. Remove bones that no
    /// vertex follows.
    MDS1001 "too many bones" Error for EVERY => too_many_bones;
    /// The games' tools allow 128 tags. Remove those that nothing is attached to.
    MDS1002 "too many tags" Warning for EVERY => too_many_tags;
    /// The games' tools allow 32 surfaces, and a skin has room for 32. Join surfaces.
    MDS1003 "too many surfaces" Warning for EVERY => too_many_surfaces;
    /// A surface has more vertices or triangles than one of the games that load this format allows: 4,000 vertices and 24,000 indices
    /// in Return to Castle Wolfenstein, 999 and 6,000 in iortcw's multiplayer, 1,025 and 6,150 in Enemy Territory, 10,000 and 60,000 in
    /// ET: Legacy. Split the surface, or do without that game.
    MDS1004 "too large for some games" Warning for EVERY => too_large;
    /// No game that loads this format allows a surface of this size. Split it.
    MDS1005 "too large for every game" Error for EVERY => too_large_for_all;
    /// The games collapse at most 6,000 vertices of a surface; with more, they write past a buffer when the model is far away. Split the
    /// surface.
    MDS1006 "too many vertices for levels of detail" Error for EVERY => too_many_to_collapse;
    /// The weights of a vertex do not add up to 1, so that it is too near to the origin or too far from it. Divide each weight by their
    /// sum.
    MDS1007 "weights that do not add up" Severe for EVERY => wrong_weights;
    /// Each vertex must collapse to an earlier one, and the first to itself; the games read the result of a later one before it is
    /// known, and draw wrong triangles from far away.
    MDS1008 "collapse map that does not descend" Severe for EVERY => wrong_collapse;
    /// The games turn the names of a skin into lower case, but not the names of these surfaces: a name with capitals never gets a shader.
    /// Write it in lower case.
    MDS1009 "surface name with capitals" Warning for EVERY => capitals;
    /// A vertex follows a bone that its surface does not list. The games pose the listed bones only, and move the vertex by what was left
    /// from another model.
    MDS1010 "bone that is not listed" Severe for EVERY => unlisted;
    /// The list of bones of a surface or tag has a child before its parent. The games pose them in this order and use a parent that is not
    /// posed yet.
    MDS1011 "parent after its child" Warning for EVERY => late_parent;
}

/// What the rules look at.
pub(crate) struct Facts<'a> {
    pub model: &'a Model,
    pub options: &'a CheckOptions<'a>,
}

/// The tables of all families.
pub(crate) fn families() -> impl Iterator<Item = &'static [Rule]> {
    [RULES].into_iter()
}

/// What kind of thing a model is.
pub(crate) fn guess(_: &Model, _: &str) -> Guess {
    Guess::new(Profile::Unit, "these formats hold soldiers")
}

/// What the rules look at.
pub(crate) const fn facts<'a>(model: &'a Model, options: &'a CheckOptions<'a>) -> Facts<'a> {
    Facts { model, options }
}

/// The walk sees all numbers.
pub(crate) const fn scan(_: &Facts<'_>) -> Scan {
    Scan::Clean
}

/// No rule of these formats has a repair yet.
pub(crate) const fn repair(_: &mut Model, _: Fix) -> Option<Vec<Change>> {
    None
}

/// The files that a model names: skins name the shaders, so there are usually none.
pub(crate) fn files(model: &Model) -> Vec<NamedFile> {
    let named = model.surfaces.iter().enumerate().filter(|(_, surface)| !surface.shader.is_empty());
    named.map(|(index, it)| (format!("surfaces[{index}].shader"), it.shader.text().into_owned())).collect()
}

/// The names that games look up.
pub(crate) fn names(model: &Model) -> Vec<LookedUpName> {
    let surfaces = model.surfaces.iter().enumerate().map(|(index, surface)| {
        ("surfaces", format!("surfaces[{index}].name"), surface.name.text().into_owned())
    });
    let tags = model
        .tags
        .iter()
        .enumerate()
        .map(|(index, tag)| ("tags", format!("tags[{index}].name"), tag.name.text().into_owned()));
    surfaces.chain(tags).collect()
}

fn too_many_bones(facts: &Facts<'_>, found: &mut Findings) {
    limit(facts.model.bones.len(), NOMINAL.bones, "bones", found);
}

fn too_many_tags(facts: &Facts<'_>, found: &mut Findings) {
    limit(facts.model.tags.len(), NOMINAL.tags, "tags", found);
}

fn too_many_surfaces(facts: &Facts<'_>, found: &mut Findings) {
    limit(facts.model.surfaces.len(), NOMINAL.surfaces, "surfaces", found);
}

fn limit(count: usize, most: usize, what: &str, found: &mut Findings) {
    if count > most {
        found.add(what, format!("{count} {what}, the games have room for {most}"));
    }
}

/// The games that load this format and refuse the model, and how many load the format.
fn refusals(model: &Model) -> (Vec<String>, usize) {
    let games = || GAMES.iter().filter(|game| game.formats.contains(&model.format));
    (games().filter_map(|game| game.refuses(model)).collect(), games().count())
}

fn place(reason: &str) -> String {
    reason.split(' ').next().unwrap_or_default().to_owned()
}

fn too_large(facts: &Facts<'_>, found: &mut Findings) {
    let (refusals, games) = refusals(facts.model);
    // Where the user names a game, ALL1005 reports about that one alone.
    if refusals.len() < games && facts.options.game.is_none() {
        for reason in refusals {
            found.add(place(&reason), reason);
        }
    }
}

fn too_large_for_all(facts: &Facts<'_>, found: &mut Findings) {
    let (refusals, games) = refusals(facts.model);
    if let Some(reason) = refusals.last().filter(|_| refusals.len() == games) {
        found.add(place(reason), format!("{reason}, and the other games less"));
    }
}

fn too_many_to_collapse(facts: &Facts<'_>, found: &mut Findings) {
    for (index, surface) in facts.model.surfaces.iter().enumerate() {
        let count = surface.vertices.len();
        if count > NOMINAL.vertices {
            let text = format!("{count} vertices, the games collapse up to {}", NOMINAL.vertices);
            found.add(format!("surfaces[{index}].vertices"), text);
        }
    }
}

fn wrong_weights(facts: &Facts<'_>, found: &mut Findings) {
    for (index, surface) in facts.model.surfaces.iter().enumerate() {
        let sum = |vertex: &effigy_mds::Vertex| vertex.weights.iter().map(|it| it.weight).sum::<f32>();
        let wrong =
            |vertex: &&effigy_mds::Vertex| !vertex.weights.is_empty() && (sum(vertex) - 1.0).abs() > 0.01;
        let count = surface.vertices.iter().filter(wrong).count();
        if let Some(first) = surface.vertices.iter().position(|vertex| wrong(&vertex)) {
            let text = format!("the weights of {count} vertices do not add up to 1");
            found.add(format!("surfaces[{index}].vertices[{first}]"), text);
        }
    }
}

fn wrong_collapse(facts: &Facts<'_>, found: &mut Findings) {
    for (index, surface) in facts.model.surfaces.iter().enumerate() {
        let wrong = |(vertex, entry): (usize, &i32)| {
            usize::try_from(*entry).is_ok_and(|entry| if vertex == 0 { entry != 0 } else { entry >= vertex })
        };
        if let Some(vertex) = surface.collapse_map.iter().enumerate().position(wrong) {
            let text = "the vertex does not collapse to an earlier one";
            found.add(format!("surfaces[{index}].collapse_map[{vertex}]"), text);
        }
    }
}

fn capitals(facts: &Facts<'_>, found: &mut Findings) {
    for (index, surface) in facts.model.surfaces.iter().enumerate() {
        let name = surface.name.text();
        if name.chars().any(|letter| letter.is_ascii_uppercase()) {
            let text = format!("no skin can name \"{}\"", name.escape_debug());
            found.add(format!("surfaces[{index}].name"), text);
        }
    }
}

fn unlisted(facts: &Facts<'_>, found: &mut Findings) {
    for (index, surface) in facts.model.surfaces.iter().enumerate() {
        let listed: BTreeSet<i32> = surface.bone_references.iter().copied().collect();
        let weights = surface.vertices.iter().flat_map(|vertex| &vertex.weights);
        let missing: BTreeSet<i32> =
            weights.map(|weight| weight.bone).filter(|bone| !listed.contains(bone)).collect();
        if let Some(bone) = missing.first() {
            let text = format!("{} bones that vertices follow are not listed, such as {bone}", missing.len());
            found.add(format!("surfaces[{index}].bone_references"), text);
        }
    }
}

fn late_parent(facts: &Facts<'_>, found: &mut Findings) {
    let model = facts.model;
    // The parents of the bones of an MDM are in another file.
    if !model.format.caps().contains(Caps::WHOLE) {
        return;
    }
    for (index, surface) in model.surfaces.iter().enumerate() {
        let mut posed = BTreeSet::new();
        for (at, bone) in surface.bone_references.iter().enumerate() {
            let own = usize::try_from(*bone).ok().and_then(|bone| model.bones.get(bone));
            let parent = own.map(|bone| bone.parent).filter(|parent| *parent >= 0);
            if let Some(parent) = parent.filter(|parent| !posed.contains(parent)) {
                let text = format!("bone {bone} comes before its parent {parent}");
                found.add(format!("surfaces[{index}].bone_references[{at}]"), text);
                break;
            }
            posed.insert(*bone);
        }
    }
}
