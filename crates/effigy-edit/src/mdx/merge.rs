//! Adding another model to a model: its meshes with their materials and textures, its nodes, its emitters.
//!
//! The sequences stay those of the model. What is added plays its own sequence of the same name in each of them, so that a flag or a flame
//! moves on whatever carries it. Keys are copied with their times moved; only where a sequence is longer or shorter than its counterpart
//! are times stretched.

mod ids;
mod times;

use super::{recompute, refs, transform};
use crate::{Done, Pattern, listed};
use effigy_mdx::{ChunkKind, Extent, Model, Texture};
use effigy_wire::{Error, Report, Result, Similarity};
use times::Plays;

/// How another model is added.
#[derive(Clone, Debug, Default)]
pub struct MergeOptions {
    /// The node that carries it: its origin is where this node is, and it moves with it. None: it stands where it stood.
    pub onto: Option<Pattern>,
    /// Bones, helpers and attachments of the same name are one: what follows them there follows them here.
    pub same_nodes: bool,
}

/// Adds another model of the same game. Textures that both have are shared.
///
/// # Errors
/// When the models are of different games, the node that should carry it does not exist, the ids of nodes are not unique, or there are more bones than
/// vertices can name.
pub fn merge(model: &mut Model, other: &Model, options: &MergeOptions) -> Result<Done> {
    if model.dialect() != other.dialect() {
        let message = "only a model of the same game can be added";
        return Err(Error::unsupported(message).hint("`effigy convert` makes a model of this game of it"));
    }
    let (mut other, mut report) = if model.layout() == other.layout() {
        (other.clone(), Report::default())
    } else {
        other.upgrade(model.layout())?
    };
    for (tag, ..) in other.kept_chunks() {
        report.dropped(tag.to_string(), "a chunk that is not understood stays with the other model");
    }
    let carrier = options.onto.as_ref().map(|name| carrier(model, name)).transpose()?;
    if let Some((_, place)) = carrier {
        report.append(transform(&mut other, Similarity::shift(place.map(f64::from))?)?.report);
    }
    let plays = Plays::new(model, &other, &mut report);
    plays.retime(&mut other, &mut report);
    globals(model, &mut other);
    looks(model, &mut other);
    let geosets = model.geosets.len().max(model.batched_geosets.len());
    let extents: Vec<Extent> = model.sequences.iter().map(|it| it.extent.clone()).collect();
    let added = other.geosets.len().max(other.batched_geosets.len());
    refs::geosets(&mut other, &after(geosets, added));
    let animations = after(model.geoset_animations.len(), other.geoset_animations.len());
    refs::geoset_animations(&mut other, &animations);
    let carrier = carrier.map(|(id, _)| id);
    let nodes = ids::join(model, &mut other, carrier, options.same_nodes)?;
    meshes(model, &mut other, &plays);
    rest(model, other, &mut report);
    bounds(model, &extents, geosets)?;
    Ok(Done { changed: added + nodes, report })
}

/// The id of the node that carries the other model, and where it is.
fn carrier(model: &Model, name: &Pattern) -> Result<(i32, [f32; 3])> {
    let fits = |(_, node): &(ChunkKind, &effigy_mdx::Node)| name.fits(&node.name.text());
    let Some((_, node)) = model.nodes().find(fits) else {
        let text = format!("there is no node {name} that could carry the other model");
        let names: Vec<String> = model.nodes().map(|(_, node)| node.name.text().into_owned()).collect();
        return Err(Error::usage(text).hint(format!("the nodes are {}", listed(&names))));
    };
    let pivot = usize::try_from(node.object_id).ok().and_then(|id| model.pivots.get(id));
    Ok((node.object_id, pivot.copied().unwrap_or_default()))
}

/// New positions for a list that comes after `before` others.
fn after(before: usize, count: usize) -> Vec<Option<usize>> {
    (before..before.saturating_add(count)).map(Some).collect()
}

/// Appends the global sequences; the tracks of the other model follow.
fn globals(model: &mut Model, other: &mut Model) {
    let before = i32::try_from(model.global_sequences.len()).unwrap_or(i32::MAX);
    let shift = |global: &mut i32| {
        if *global >= 0 {
            *global = global.saturating_add(before);
        }
    };
    other.each_tracks_mut(|tracks| tracks.0.iter_mut().for_each(|track| shift(&mut track.global_sequence)));
    other.each_slot_track_mut(|track| track.iter_mut().for_each(|track| shift(&mut track.global_sequence)));
    for track in other.event_objects.iter_mut().filter_map(|event| event.track.as_mut()) {
        shift(&mut track.global_sequence);
    }
    model.global_sequences.append(&mut other.global_sequences);
}

/// Appends textures, texture animations and materials.
fn looks(model: &mut Model, other: &mut Model) {
    let mut places = Vec::with_capacity(other.textures.len());
    for texture in std::mem::take(&mut other.textures) {
        // What the game supplies may depend on the place of the texture.
        let same = |known: &Texture| texture.replaceable == 0 && *known == texture;
        let known = model.textures.iter().position(same);
        places.push(Some(known.unwrap_or(model.textures.len())));
        if known.is_none() {
            model.textures.push(texture);
        }
    }
    refs::textures(other, &places);
    refs::texture_animations(other, &after(model.texture_animations.len(), other.texture_animations.len()));
    model.texture_animations.append(&mut other.texture_animations);
    refs::materials(other, &after(model.materials.len(), other.materials.len()));
    model.materials.append(&mut other.materials);
}

/// Appends geosets and their animations.
fn meshes(model: &mut Model, other: &mut Model, plays: &Plays) {
    for geoset in &mut other.geosets {
        if !geoset.sequence_extents.is_empty() {
            geoset.sequence_extents = plays.extents(&geoset.sequence_extents, &geoset.extent);
        }
    }
    model.geosets.append(&mut other.geosets);
    model.batched_geosets.append(&mut other.batched_geosets);
    model.geoset_animations.append(&mut other.geoset_animations);
    model.gliders.append(&mut other.gliders);
}

/// Appends what is neither a mesh nor a node, and reports what a model can have once only.
fn rest(model: &mut Model, mut other: Model, report: &mut Report) {
    model.cameras.append(&mut other.cameras);
    model.sounds.append(&mut other.sounds);
    if model.face_fx.is_empty() {
        model.face_fx.append(&mut other.face_fx);
    } else if !other.face_fx.is_empty() {
        report.dropped("FAFX", "the model has a face of its own");
    }
    if !other.collision_mesh.is_empty() {
        report.dropped("CLID", "the collision mesh stays with the other model");
    }
    for (own, added) in model.info.iter_mut().zip(&other.info) {
        grow(&mut own.extent, &added.extent);
    }
}

/// Bounds of sequences hold what was added as well; those of the geosets that were there stay as they are.
fn bounds(model: &mut Model, before: &[Extent], geosets: usize) -> Result<()> {
    let own: Vec<Vec<Extent>> =
        model.geosets.iter().take(geosets).map(|it| it.sequence_extents.clone()).collect();
    recompute::sequence_extents(model, 0..model.sequences.len())?;
    for (geoset, extents) in model.geosets.iter_mut().zip(own) {
        geoset.sequence_extents = extents;
    }
    for (sequence, before) in model.sequences.iter_mut().zip(before) {
        let all = std::mem::replace(&mut sequence.extent, before.clone());
        grow(&mut sequence.extent, &all);
    }
    Ok(())
}

/// Makes bounds large enough for others.
fn grow(own: &mut Extent, other: &Extent) {
    for (own, other) in own.min.iter_mut().zip(other.min) {
        *own = own.min(other);
    }
    for (own, other) in own.max.iter_mut().zip(other.max) {
        *own = own.max(other);
    }
    own.radius = own.radius.max(other.radius);
}
