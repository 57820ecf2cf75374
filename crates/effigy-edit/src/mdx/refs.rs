//! References from one part of a model to another, by position: one routine per kind. Whatever removes or moves parts
//! goes through these, so that no reference is forgotten.
//!
//! Each routine takes the new position of every old one; `None` for a part that is gone.

use effigy_mdx::track::tags;
use effigy_mdx::{Model, Node, Skin, Track};
use effigy_wire::{Error, Result};

/// The new position of every old one, for a list that keeps some of its elements.
#[must_use]
pub fn positions(keep: &[bool]) -> Vec<Option<usize>> {
    let mut next = 0;
    keep.iter()
        .map(|keep| {
            keep.then(|| {
                next += 1;
                next - 1
            })
        })
        .collect()
}

/// Keeps the elements of a list that a map has a position for.
pub fn retain<T>(list: &mut Vec<T>, map: &[Option<usize>]) {
    let mut old = map.iter();
    list.retain(|_| old.next().is_none_or(Option::is_some));
}

fn at(map: &[Option<usize>], old: usize) -> Option<usize> {
    // What is beyond the list refers to nothing, and stays.
    map.get(old).copied().unwrap_or(Some(old))
}

/// A reference that may be -1.
fn signed(place: &mut i32, map: &[Option<usize>]) {
    if let Ok(old) = usize::try_from(*place) {
        *place = at(map, old).and_then(|new| i32::try_from(new).ok()).unwrap_or(-1);
    }
}

/// A reference that is always there; one to a part that is gone becomes 0.
fn unsigned(place: &mut u32, map: &[Option<usize>]) {
    *place = at(map, *place as usize).and_then(|new| u32::try_from(new).ok()).unwrap_or(0);
}

fn indices(track: &mut Track, map: &[Option<usize>]) {
    let stride = track.stride();
    let mut words = track.words().to_vec();
    for key in words.chunks_exact_mut(stride) {
        key.iter_mut().skip(1).for_each(|value| unsigned(value, map));
    }
    // The number of words is the same.
    _ = track.set_words(track.interpolation(), words);
}

/// Textures: layers, their slots and tracks (`KMTF`), particle emitters.
pub fn textures(model: &mut Model, map: &[Option<usize>]) {
    for layer in model.materials.iter_mut().flat_map(|material| &mut material.layers) {
        signed(&mut layer.texture, map);
        if let Some(track) = layer.tracks.get_mut(tags::KMTF) {
            indices(track, map);
        }
        for slot in &mut layer.slots {
            signed(&mut slot.texture, map);
            if let Some(track) = &mut slot.track {
                indices(track, map);
            }
        }
    }
    model.particle_emitters_2.iter_mut().for_each(|emitter| signed(&mut emitter.texture, map));
}

/// Materials: geosets, ribbons.
pub fn materials(model: &mut Model, map: &[Option<usize>]) {
    model.geosets.iter_mut().for_each(|geoset| unsigned(&mut geoset.material, map));
    model.batched_geosets.iter_mut().for_each(|geoset| unsigned(&mut geoset.header.material, map));
    model.ribbon_emitters.iter_mut().for_each(|ribbon| unsigned(&mut ribbon.material, map));
}

/// Texture animations: layers.
pub fn texture_animations(model: &mut Model, map: &[Option<usize>]) {
    for layer in model.materials.iter_mut().flat_map(|material| &mut material.layers) {
        signed(&mut layer.texture_animation, map);
    }
}

/// Geosets: geoset animations, bones, `DILG`, and the number that WoW alpha 1500 keeps in each geoset.
pub fn geosets(model: &mut Model, map: &[Option<usize>]) {
    model.geoset_animations.iter_mut().for_each(|animation| signed(&mut animation.geoset, map));
    model.bones.iter_mut().for_each(|bone| signed(&mut bone.geoset, map));
    model.gliders.retain(|geoset| at(map, *geoset as usize).is_some());
    model.gliders.iter_mut().for_each(|geoset| unsigned(geoset, map));
    model.batched_geosets.iter_mut().for_each(|geoset| unsigned(&mut geoset.header.index, map));
}

/// Geoset animations: bones.
pub fn geoset_animations(model: &mut Model, map: &[Option<usize>]) {
    model.bones.iter_mut().for_each(|bone| signed(&mut bone.geoset_animation, map));
}

/// Sequences: the bounds that each geoset has for them.
pub fn sequences(model: &mut Model, map: &[Option<usize>]) {
    for geoset in &mut model.geosets {
        if geoset.sequence_extents.len() == map.len() {
            retain(&mut geoset.sequence_extents, map);
        }
    }
}

/// Keeps the records of some nodes. References to the others remain for [`nodes`].
pub(crate) fn retain_nodes(model: &mut Model, stays: impl Fn(&Node) -> bool) {
    let lists = &mut **model;
    lists.bones.retain(|it| stays(&it.node));
    lists.lights.retain(|it| stays(&it.node));
    lists.helpers.retain(|it| stays(&it.node));
    lists.attachments.retain(|it| stays(&it.node));
    lists.particle_emitters.retain(|it| stays(&it.node));
    lists.particle_emitters_2.retain(|it| stays(&it.node));
    lists.popcorn_emitters.retain(|it| stays(&it.node));
    lists.ribbon_emitters.retain(|it| stays(&it.node));
    lists.event_objects.retain(|it| stays(&it.node));
    lists.collision_shapes.retain(|it| stays(&it.node));
    lists.hit_test_shapes.retain(|it| stays(&it.node));
}

/// Nodes by object id: ids, parents, matrix lists, skin weights, pivots, bind poses.
///
/// `map` has the new id of each id, `None` for a node that is gone; `heir` has the id (before the change) of the node that
/// takes over what is attached to a node that is gone. Call it after the node's record was removed. `bones` has the new
/// position of each bone, because matrix lists refer to bones by position.
///
/// # Errors
/// When vertices are attached to a node that is gone and has no heir; the model is then changed in part.
pub fn nodes(
    model: &mut Model,
    map: &[Option<usize>],
    heir: &dyn Fn(usize) -> Option<usize>,
    bones: &[Option<usize>],
) -> Result<()> {
    let target = |old: usize| match at(map, old) {
        Some(new) => Some(new),
        None => heir(old).and_then(|heir| at(map, heir)),
    };
    model.each_node_mut(|_, node| {
        signed(&mut node.object_id, map);
        if let Ok(parent) = usize::try_from(node.parent) {
            node.parent = target(parent).and_then(|new| i32::try_from(new).ok()).unwrap_or(-1);
        }
    });
    // Bones are listed by position, which is their id in nearly every file; other nodes by id.
    let entry = |old: u32| -> Result<u32> {
        let old = old as usize;
        let new = match bones.get(old) {
            Some(Some(new)) => Some(*new),
            _ => target(old),
        };
        new.and_then(|new| u32::try_from(new).ok()).ok_or_else(|| {
            Error::unrepresentable(format!(
                "vertices are attached to node {old}, and it has no parent to take them"
            ))
        })
    };
    let mut result = Ok(());
    let mut moved = |old: u32| entry(old).map_err(|error| result = Err(error)).unwrap_or(old);
    for geoset in &mut model.geosets {
        let listed = !geoset.group_nodes.is_empty();
        geoset.group_nodes.iter_mut().for_each(|node| *node = moved(*node));
        let byte = |node: u32| u8::try_from(node).unwrap_or(u8::MAX);
        match &mut geoset.skin {
            _ if listed => {}
            Some(Skin::Narrow(rows)) => {
                for [a, b, c, d, weights @ ..] in rows {
                    for (bone, weight) in [a, b, c, d].into_iter().zip(*weights) {
                        *bone = if weight > 0 { byte(moved((*bone).into())) } else { *bone };
                    }
                }
            }
            Some(Skin::Wide(rows)) => {
                for [a, b, c, d, weights @ ..] in rows {
                    for (bone, weight) in [a, b, c, d].into_iter().zip(*weights) {
                        let new = if weight > 0 { moved((*bone).into()) } else { (*bone).into() };
                        *bone = u16::try_from(new).unwrap_or(u16::MAX);
                    }
                }
            }
            None => {}
        }
        for (bones, weights) in geoset.bone_indices.iter_mut().zip(&geoset.bone_weights) {
            // The weights are in the opposite order.
            for (bone, weight) in bones.iter_mut().zip(weights.iter().rev()) {
                *bone = if *weight > 0 { byte(moved((*bone).into())) } else { *bone };
            }
        }
    }
    for vertex in model.batched_geosets.iter_mut().flat_map(|geoset| &mut geoset.vertices) {
        for (bone, weight) in vertex.bones.iter_mut().zip(vertex.weights) {
            let new = if weight > 0 { moved((*bone).into()) } else { (*bone).into() };
            *bone = u8::try_from(new).unwrap_or(u8::MAX);
        }
    }
    result?;
    retain(&mut model.pivots, map);
    retain(&mut model.bind_poses, map);
    Ok(())
}
