//! Rules for MDC and MD3: problems that the engines do not check for, but fail on.
//!
//! The reader checks offsets, counts, triangles and frame tables (MDC01xx to MDC03xx).

use crate::CheckOptions;
use crate::checkable::sealed::{LookedUpName, NamedFile, Scan};
use crate::findings::Findings;
use crate::profile::{Guess, Named, Profile};
use crate::rule::{Change, EVERY, Fix, Rule, rules};
use effigy_mdc::games::GAMES;
use effigy_mdc::skin::surface_key;
use effigy_mdc::{Model, Surface};
use std::collections::BTreeSet;

rules! { Mdc
    /// Games choose a frame by the finest level of detail and read the same frame from a coarser one; with fewer frames there, they read
    /// beyond its end. Give every level as many frames as the first.
    MDC1001 "level of detail with fewer frames" Error for EVERY => fewer_frames;
    /// A surface has more vertices or triangles than one of the games of this family loads: 4,000 vertices and 24,000 indices in Return
    /// to Castle Wolfenstein, 999 and 5,999 in iortcw's multiplayer, 1,025 and 6,150 in Enemy Territory, 10,000 and 60,000 in
    /// ET: Legacy. Split the surface, or do without that game.
    MDC1002 "too large for some games" Warning for EVERY => too_large;
    /// No game of this family loads a surface of this size. Split it.
    MDC1003 "too large for every game" Error for EVERY => too_large_for_all;
    /// Two vertices of the triangle are the same, or all three are on a line in the first frame: it draws nothing.
    MDC1004 "degenerate triangles" Unused for EVERY => degenerate;
    /// Triangles are clockwise seen from the front. Most of these face away from their normals, so that the surface is only visible
    /// from the inside, unless its shader draws both sides. Reverse the triangles.
    MDC1005 "surface inside out" Warning for EVERY => inside_out;
    /// Skins name surfaces in lower case and without a final underscore and letter. This surface has no name, or one that a skin
    /// cannot contain, so that no skin can change its shader.
    MDC1006 "surface that skins cannot name" Warning for EVERY => unnameable;
    /// Two surfaces have the same name for skins; both get the shader of the first line with that name.
    MDC1007 "surfaces with the same name" Warning for EVERY => same_key;
    /// The skin next to the model names a surface that does not exist; the line has no effect.
    MDC1008 "skin names a missing surface" Warning for EVERY => skin_names_nothing;
    /// A shader without a name is drawn with the default one, a white or checkered surface.
    MDC1009 "shader without name" Warning for EVERY => nameless_shader;
    /// A model without frames has nothing to draw and no bounds; games refuse it.
    MDC1010 "no frames" Error for EVERY => no_frames;
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
pub(crate) fn guess(model: &Model, file_name: &str) -> Guess {
    let names = [Named::new(file_name), Named::new(&model.name())];
    let within = |folders: &[&str]| names.iter().any(|name| name.within(folders));
    if within(&["weapons", "weapons2", "powerups", "multiplayer"]) {
        return Guess::new(Profile::Item, "its folder holds things that are carried");
    }
    if within(&["players"]) {
        return Guess::new(Profile::Unit, "its folder holds players");
    }
    if within(&["weaphits"]) {
        return Guess::new(Profile::Effect, "its folder holds explosions");
    }
    if model.surfaces.is_empty() {
        return Guess::new(Profile::Item, "tags and no surface: other models are attached to it");
    }
    if model.tag_count() > 0 && model.frames.len() > 1 {
        return Guess::new(Profile::Unit, "several frames, and tags");
    }
    if model.tag_count() > 0 {
        return Guess::new(Profile::Item, "it has tags");
    }
    Guess::new(Profile::Doodad, "a mesh without tags")
}

/// What the rules look at.
pub(crate) const fn facts<'a>(model: &'a Model, options: &'a CheckOptions<'a>) -> Facts<'a> {
    Facts { model, options }
}

/// The walk sees all numbers of an MDC.
pub(crate) const fn scan(_: &Facts<'_>) -> Scan {
    Scan::Clean
}

/// No rule of this format has a repair yet.
pub(crate) const fn repair(_: &mut Model, _: Fix) -> Option<Vec<Change>> {
    None
}

/// The files that a model names.
pub(crate) fn files(model: &Model) -> Vec<NamedFile> {
    let mut files = Vec::new();
    for (index, surface) in model.surfaces.iter().enumerate() {
        for (number, shader) in
            surface.shaders.iter().enumerate().filter(|(_, shader)| !shader.name.is_empty())
        {
            files
                .push((format!("surfaces[{index}].shaders[{number}].name"), shader.name.text().into_owned()));
        }
    }
    files
}

/// The names that games compare without regard to case.
pub(crate) fn names(model: &Model) -> Vec<LookedUpName> {
    let surfaces = model.surfaces.iter().enumerate().map(|(index, surface)| {
        ("surfaces", format!("surfaces[{index}].name"), surface.name.text().into_owned())
    });
    let tags = (0..model.tag_count())
        .filter_map(|tag| Some(("tags", format!("tags[{tag}]"), model.tag_name(tag)?.into_owned())));
    surfaces.chain(tags).collect()
}

fn fewer_frames(facts: &Facts<'_>, found: &mut Findings) {
    let frames = facts.model.frames.len();
    if let Some(finest) = facts.options.finest_frames.filter(|finest| frames < *finest) {
        found.add("frames", format!("{frames} frames, but the finest level has {finest}"));
    }
}

/// The games of this family that refuse a model, and why.
fn refusals(model: &Model) -> Vec<String> {
    GAMES.iter().filter_map(|game| game.refuses(model)).collect()
}

fn place(reason: &str) -> String {
    reason.split(' ').next().unwrap_or_default().to_owned()
}

fn too_large(facts: &Facts<'_>, found: &mut Findings) {
    let refusals = refusals(facts.model);
    if refusals.len() == GAMES.len() {
        return;
    }
    // Where the user names a game, ALL1005 reports about that one alone.
    if facts.options.game.is_none() {
        for reason in refusals {
            found.add(place(&reason), reason);
        }
    }
}

fn too_large_for_all(facts: &Facts<'_>, found: &mut Findings) {
    let refusals = refusals(facts.model);
    if refusals.len() == GAMES.len()
        && let Some(reason) = refusals.last()
    {
        found.add(place(reason), format!("{reason}, and the other games less"));
    }
}

fn corners(surface: &Surface, triangle: [u32; 3]) -> Option<[[f32; 3]; 3]> {
    let frame = surface.base_frame(0)?;
    let corner = |index: u32| {
        let vertex = frame.get(usize::try_from(index).ok()?)?;
        Some(vertex.position.map(|number| f32::from(number) / 64.0))
    };
    let [a, b, c] = triangle;
    Some([corner(a)?, corner(b)?, corner(c)?])
}

/// The normal of a triangle, with twice its area as length. It points to the side from which the vertices are clockwise.
fn normal([a, b, c]: [[f32; 3]; 3]) -> [f32; 3] {
    let minus = |p: [f32; 3], q: [f32; 3]| [p[0] - q[0], p[1] - q[1], p[2] - q[2]];
    let ([ux, uy, uz], [vx, vy, vz]) = (minus(c, a), minus(b, a));
    [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx]
}

fn dot(a: [f32; 3], b: [f32; 3]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn degenerate(facts: &Facts<'_>, found: &mut Findings) {
    for (index, surface) in facts.model.surfaces.iter().enumerate() {
        let flat = |triangle: &&[u32; 3]| {
            let [a, b, c] = **triangle;
            let area = corners(surface, **triangle).map(normal).map(|up| dot(up, up));
            a == b || b == c || a == c || area == Some(0.0)
        };
        let count = surface.triangles.iter().filter(flat).count();
        if count > 0 {
            let message = format!("{count} of {} triangles have no area", surface.triangles.len());
            found.add(format!("surfaces[{index}].triangles"), message);
        }
    }
}

fn inside_out(facts: &Facts<'_>, found: &mut Findings) {
    for (index, surface) in facts.model.surfaces.iter().enumerate() {
        let Some(frame) = surface.base_frame(0) else { continue };
        let (mut right, mut wrong) = (0_usize, 0_usize);
        for triangle in &surface.triangles {
            let Some(up) = corners(surface, *triangle).map(normal) else { continue };
            let vertex = |index: &u32| usize::try_from(*index).ok().and_then(|index| frame.get(index));
            let normals = triangle.iter().filter_map(vertex);
            let side: f32 = normals.map(|vertex| dot(up, effigy_mdc::normals::unpack(vertex.normal))).sum();
            if side > 0.0 {
                right = right.saturating_add(1);
            } else if side < 0.0 {
                wrong = wrong.saturating_add(1);
            }
        }
        if wrong > right {
            let message = format!("{wrong} triangles face away from their normals, {right} face with them");
            found.add(format!("surfaces[{index}].triangles"), message);
        }
    }
}

fn unnameable(facts: &Facts<'_>, found: &mut Findings) {
    for (index, surface) in facts.model.surfaces.iter().enumerate() {
        let name = surface.name.text();
        let special = name.chars().any(|c| c.is_whitespace() || c.is_control() || matches!(c, ',' | '"'));
        let attached =
            ["tag_", "md3_", "playerscale"].iter().any(|word| name.to_ascii_lowercase().contains(word));
        if name.is_empty() || special || attached {
            let message = format!("a skin cannot name \"{}\"", name.escape_debug());
            found.add(format!("surfaces[{index}].name"), message);
        }
    }
}

fn same_key(facts: &Facts<'_>, found: &mut Findings) {
    let mut seen = BTreeSet::new();
    for (index, surface) in facts.model.surfaces.iter().enumerate() {
        let key = surface_key(&surface.name.text());
        if !key.is_empty() && !seen.insert(key.clone()) {
            found.add(
                format!("surfaces[{index}].name"),
                format!("skins use the name {key} for another surface as well"),
            );
        }
    }
}

fn skin_names_nothing(facts: &Facts<'_>, found: &mut Findings) {
    let Some(names) = facts.options.skin_surfaces else { return };
    let keys: BTreeSet<String> =
        facts.model.surfaces.iter().map(|surface| surface_key(&surface.name.text())).collect();
    for name in names.iter().filter(|name| !keys.contains(*name)) {
        found.add("surfaces", format!("no surface has the name {name}"));
    }
}

fn nameless_shader(facts: &Facts<'_>, found: &mut Findings) {
    for (index, surface) in facts.model.surfaces.iter().enumerate() {
        for (number, _) in surface.shaders.iter().enumerate().filter(|(_, shader)| shader.name.is_empty()) {
            found.add(format!("surfaces[{index}].shaders[{number}].name"), "the name is empty");
        }
    }
}

fn no_frames(facts: &Facts<'_>, found: &mut Findings) {
    if facts.model.frames.is_empty() {
        found.add("frames", "there must be at least one frame");
    }
}
