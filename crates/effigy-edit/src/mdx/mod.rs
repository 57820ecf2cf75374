//! Edits of Warcraft III and WoW alpha models.

mod frames;
mod merge;
mod moments;
mod names;
pub mod optimize;
mod reach;
mod recompute;
pub mod refs;
mod remove;
mod sequences;
mod set;
mod spacing;
mod take;
mod transform;

pub use merge::{MergeOptions, merge};
pub use names::{rename_nodes, rename_sequences, texture_paths};
pub use recompute::{recompute_extents, recompute_normals};
pub use remove::{
    remove_cameras, remove_emitters, remove_geosets, remove_named_geosets, remove_nodes, remove_unused,
};
pub use sequences::{keep_sequences, remove_sequences, sequence_speed};
pub use set::set;
pub use take::{TakeOptions, take_animations};
pub use transform::transform;

use crate::{Done, Operation, Part};
use effigy_mdx::track::tags;
use effigy_mdx::{Model, Track};
use effigy_wire::Result;

/// Whether a track is about how a node moves, and not about how something looks.
fn is_motion(track: &Track) -> bool {
    matches!(track.tag(), tags::KGTR | tags::KGRT | tags::KGSC)
}

/// Applies one operation.
///
/// # Errors
/// When the operation cannot be done with this model; the model may then be changed in part.
pub fn apply(model: &mut Model, operation: &Operation) -> Result<Done> {
    match operation {
        Operation::Set { path, value } => set(model, path, value),
        Operation::RenameSequence { from, to } => rename_sequences(model, from, to),
        Operation::RenameNode { from, to } => rename_nodes(model, from, to),
        Operation::TexturePath { find, to } => texture_paths(model, find, to),
        Operation::Remove(part) => match part {
            Part::Sequence(name) => remove_sequences(model, name),
            Part::Geoset(index) => remove_geosets(model, &[*index]),
            Part::NamedGeoset(name) => remove_named_geosets(model, name),
            Part::Node(name) => remove_nodes(model, name),
            Part::Emitter(name) => remove_emitters(model, name),
            Part::Camera(name) => Ok(remove_cameras(model, name)),
            Part::Unused => remove_unused(model),
        },
        Operation::KeepSequences(names) => keep_sequences(model, names),
        Operation::Transform(by) => transform(model, *by),
        Operation::SequenceSpeed { name, factor } => sequence_speed(model, name, *factor),
        Operation::TakeAnimations { from, options } => take_animations(model, from, options),
        Operation::Merge { other, options } => merge(model, other, options),
        Operation::RecomputeExtents => recompute_extents(model),
        Operation::RecomputeNormals => Ok(recompute_normals(model)),
    }
}
