//! Edits of MDS, MDM and Enemy Territory's MDX. Vertices are in the space of their bones, and bones at fixed distances from their
//! parents: a scale is exact, and a move changes the skeleton alone. A mesh and its skeleton in two files need the same scale. There is no turn:
//! the games use the matrix of a bone in one direction for vertices and in the other for tags.

use crate::mdc::{rename, replace};
use crate::{Done, Operation, Pattern, fields};
use effigy_mds::Model;
use effigy_wire::{Error, Result, Similarity, Space, Spatial};
use regex::Regex;

/// Applies one operation.
///
/// # Errors
/// When the operation cannot be done with this model, or has no meaning in its format.
pub fn apply(model: &mut Model, operation: &Operation) -> Result<Done> {
    match operation {
        Operation::Set { path, value } => set(model, path, value),
        Operation::TexturePath { find, to } => texture_paths(model, find, to),
        Operation::RenameNode { from, to } => rename_nodes(model, from, to),
        Operation::Transform(by) if !by.turns() => transform(model, *by),
        other => Err(other.not_for("MDS")),
    }
}

/// Sets a field, such as `bones[2].parent_dist`.
///
/// # Errors
/// When there is no such field, the value does not fit it, or it follows from others, as counts do.
pub fn set(model: &mut Model, path: &str, value: &str) -> Result<Done> {
    let format = model.format;
    fields::set(model, path, value, Model::visit, |tree| Model::build(format, &tree))
}

/// Replaces what fits in the names of shaders.
///
/// # Errors
/// When a new name is too long.
pub fn texture_paths(model: &mut Model, find: &Regex, to: &str) -> Result<Done> {
    let mut changed = 0;
    for surface in &mut model.surfaces {
        changed += replace(&mut surface.shader, find, to)?;
    }
    Ok(Done::exactly(changed))
}

/// Renames bones and tags.
///
/// # Errors
/// When the new name is too long.
pub fn rename_nodes(model: &mut Model, from: &Pattern, to: &str) -> Result<Done> {
    let mut changed = 0;
    for bone in &mut model.bones {
        changed += rename(&mut bone.name, from, to)?;
    }
    for tag in &mut model.tags {
        changed += rename(&mut tag.name, from, to)?;
    }
    Ok(Done::exactly(changed))
}

/// Scales or moves a model.
///
/// # Errors
/// When a mesh without a skeleton should be moved.
pub fn transform(model: &mut Model, by: Similarity) -> Result<Done> {
    if by.moves() && model.frames.is_empty() {
        let text = "the file has no skeleton, which says where the mesh stands";
        return Err(Error::unsupported(text).hint("edit the .mdx file that goes with it"));
    }
    let mut space = by;
    model.frames.walk_space(&mut space);
    model.bones.walk_space(&mut space);
    for vertex in model.surfaces.iter_mut().flat_map(|surface| &mut surface.vertices) {
        space.length(&mut vertex.fixed_dist);
        vertex.weights.iter_mut().flat_map(|weight| &mut weight.offset).for_each(|value| space.length(value));
    }
    model.tags.iter_mut().flat_map(|tag| &mut tag.offset).for_each(|value| space.length(value));
    Ok(Done::exactly(1))
}
