//! Removing parts other than sequences.

use super::refs;
use crate::{Done, Pattern};
use effigy_mdx::track::tags;
use effigy_mdx::{ChunkKind, Model, Node};
use effigy_wire::{Error, Result};
use std::collections::HashMap;

/// Removes geosets by position, with their geoset animations.
///
/// # Errors
/// When there is no such geoset.
pub fn remove_geosets(model: &mut Model, gone: &[usize]) -> Result<Done> {
    let count = model.geosets.len().max(model.batched_geosets.len());
    if let Some(wrong) = gone.iter().find(|index| **index >= count) {
        return Err(Error::usage(format!("there is no geoset {wrong}; the model has {count}")));
    }
    let keep: Vec<bool> = (0..count).map(|index| !gone.contains(&index)).collect();
    let map = refs::positions(&keep);
    refs::retain(&mut model.geosets, &map);
    refs::retain(&mut model.batched_geosets, &map);
    let of_gone = |geoset: i32| usize::try_from(geoset).is_ok_and(|geoset| gone.contains(&geoset));
    let keep: Vec<bool> =
        model.geoset_animations.iter().map(|animation| !of_gone(animation.geoset)).collect();
    let animations = refs::positions(&keep);
    refs::retain(&mut model.geoset_animations, &animations);
    refs::geoset_animations(model, &animations);
    refs::geosets(model, &map);
    Ok(Done::exactly(gone.len()))
}

/// Removes geosets by name (900 and later have names).
///
/// # Errors
/// None in practice; see [`remove_geosets`].
pub fn remove_named_geosets(model: &mut Model, name: &Pattern) -> Result<Done> {
    let fits =
        |(index, geoset): (usize, &effigy_mdx::Geoset)| name.fits(&geoset.name.text()).then_some(index);
    let gone: Vec<usize> = model.geosets.iter().enumerate().filter_map(fits).collect();
    if gone.is_empty() { Ok(Done::default()) } else { remove_geosets(model, &gone) }
}

/// Removes cameras by name.
pub fn remove_cameras(model: &mut Model, name: &Pattern) -> Done {
    let before = model.cameras.len();
    model.cameras.retain(|camera| !name.fits(&camera.name.text()));
    Done::exactly(before - model.cameras.len())
}

/// Removes particle, popcorn and ribbon emitters by name. What is attached to them moves to their parents.
///
/// # Errors
/// See [`refs::nodes`].
pub fn remove_emitters(model: &mut Model, name: &Pattern) -> Result<Done> {
    let is_emitter = |kind| {
        matches!(
            kind,
            ChunkKind::ParticleEmitters
                | ChunkKind::ParticleEmitters2
                | ChunkKind::PopcornEmitters
                | ChunkKind::RibbonEmitters
        )
    };
    remove_where(model, |kind, node| is_emitter(kind) && name.fits(&node.name.text()))
}

/// Removes nodes of any kind by name. Their children, and the vertices that follow them, move to their parents.
///
/// # Errors
/// When vertices follow a node without a parent.
pub fn remove_nodes(model: &mut Model, name: &Pattern) -> Result<Done> {
    remove_where(model, |_, node| name.fits(&node.name.text()))
}

fn remove_where(model: &mut Model, gone: impl Fn(ChunkKind, &Node) -> bool) -> Result<Done> {
    let ids: Vec<i32> =
        model.nodes().filter(|(kind, node)| gone(*kind, node)).map(|(_, node)| node.object_id).collect();
    if ids.is_empty() {
        return Ok(Done::default());
    }
    let parents: HashMap<i32, i32> = model.nodes().map(|(_, node)| (node.object_id, node.parent)).collect();
    let most = model.nodes().map(|(_, node)| node.object_id).max().unwrap_or(-1);
    let count = usize::try_from(most).map_or(0, |most| most.saturating_add(1)).max(model.pivots.len());
    if count > model.nodes().count().saturating_mul(4).saturating_add(65_536) {
        return Err(Error::unsupported("the ids of the nodes are too far apart"));
    }
    let is_gone = |id: usize| i32::try_from(id).is_ok_and(|id| ids.contains(&id));
    let map = refs::positions(&(0..count).map(|id| !is_gone(id)).collect::<Vec<_>>());
    let bones = refs::positions(
        &model.bones.iter().map(|bone| !ids.contains(&bone.node.object_id)).collect::<Vec<_>>(),
    );
    // The nearest ancestor that stays; a circle of parents ends after as many steps as there are nodes.
    let heir = |id: usize| {
        let mut id = i32::try_from(id).ok()?;
        for _ in 0..=parents.len() {
            id = *parents.get(&id)?;
            if !ids.contains(&id) {
                return usize::try_from(id).ok();
            }
        }
        None
    };
    let stays = |node: &Node| !ids.contains(&node.object_id);
    refs::retain_nodes(model, stays);
    refs::nodes(model, &map, &heir, &bones)?;
    Ok(Done::exactly(ids.len()))
}

/// Removes what nothing uses: textures, materials, texture animations, and bones and helpers without vertices and
/// without anything attached to them.
///
/// # Errors
/// When a chunk is damaged, so that nobody knows what it uses.
pub fn remove_unused(model: &mut Model) -> Result<Done> {
    if let Some((tag, ..)) = model.kept_chunks().find(|(_, _, known)| *known) {
        let text = format!("{tag} is damaged and could not be read, so what nothing uses is not known");
        return Err(Error::unsupported(text));
    }
    let mut changed = 0;
    changed += unused_nodes(model)?;
    let mut used = vec![false; model.materials.len()];
    let users = (model.geosets.iter().map(|geoset| geoset.material))
        .chain(model.batched_geosets.iter().map(|geoset| geoset.header.material))
        .chain(model.ribbon_emitters.iter().map(|ribbon| ribbon.material));
    users.for_each(|material| mark(&mut used, material as usize));
    let map = refs::positions(&used);
    changed += gone(&map);
    refs::retain(&mut model.materials, &map);
    refs::materials(model, &map);

    let mut used = vec![false; model.texture_animations.len()];
    let mut textures = vec![false; model.textures.len()];
    for layer in model.materials.iter().flat_map(|material| &material.layers) {
        mark_signed(&mut used, layer.texture_animation);
        mark_signed(&mut textures, layer.texture);
        let slots = layer.slots.iter().filter_map(|slot| slot.track.as_ref());
        for track in layer.tracks.get(tags::KMTF).into_iter().chain(slots) {
            let stride = track.stride();
            let values = track.words().chunks_exact(stride).flat_map(|key| key.iter().skip(1));
            values.for_each(|value| mark(&mut textures, *value as usize));
        }
        layer.slots.iter().for_each(|slot| mark_signed(&mut textures, slot.texture));
    }
    model.particle_emitters_2.iter().for_each(|emitter| mark_signed(&mut textures, emitter.texture));
    let map = refs::positions(&used);
    changed += gone(&map);
    refs::retain(&mut model.texture_animations, &map);
    refs::texture_animations(model, &map);
    let map = refs::positions(&textures);
    changed += gone(&map);
    refs::retain(&mut model.textures, &map);
    refs::textures(model, &map);
    Ok(Done::exactly(changed))
}

fn mark(used: &mut [bool], index: usize) {
    if let Some(used) = used.get_mut(index) {
        *used = true;
    }
}

fn mark_signed(used: &mut [bool], index: i32) {
    if let Ok(index) = usize::try_from(index) {
        mark(used, index);
    }
}

fn gone(map: &[Option<usize>]) -> usize {
    map.iter().filter(|new| new.is_none()).count()
}

/// Removes bones and helpers that nothing follows, from the leaves up; returns how many.
fn unused_nodes(model: &mut Model) -> Result<usize> {
    let mut entries: Vec<u32> = model.geosets.iter().flat_map(|geoset| geoset.group_nodes.clone()).collect();
    for geoset in &model.geosets {
        entries.extend(geoset.entries_of_vertices().into_iter().flatten());
    }
    for vertex in model.batched_geosets.iter().flat_map(|geoset| &geoset.vertices) {
        entries.extend(vertex.bones.map(u32::from));
    }
    let mut used: std::collections::HashSet<i32> = std::collections::HashSet::new();
    for entry in entries {
        let bone = model.bones.get(entry as usize).map(|bone| bone.node.object_id);
        used.extend(bone.or_else(|| i32::try_from(entry).ok()));
    }
    let mut nodes: Vec<(bool, i32, i32)> = model
        .nodes()
        .map(|(kind, node)| {
            (matches!(kind, ChunkKind::Bones | ChunkKind::Helpers), node.object_id, node.parent)
        })
        .collect();
    let before = nodes.len();
    loop {
        let parents: std::collections::HashSet<i32> = nodes.iter().map(|(_, _, parent)| *parent).collect();
        let count = nodes.len();
        nodes.retain(|(removable, id, _)| !removable || used.contains(id) || parents.contains(id));
        if nodes.len() == count {
            break;
        }
    }
    if nodes.len() == before {
        return Ok(0);
    }
    let kept: std::collections::HashSet<i32> = nodes.iter().map(|(_, id, _)| *id).collect();
    remove_where(model, |_, node| !kept.contains(&node.object_id)).map(|done| done.changed)
}
