//! The skeleton: ids, parents, pivots, bind poses.

use super::Facts;
use crate::findings::Findings;
use crate::rule::{Change, EVERY, rules};
use effigy_mdx::{Bone, Dialect, Geoset, Model, Node, NodeFlags};
use effigy_wire::FixedStr;

rules! { Mdx
    /// No node has the id of the parent. The game reads beyond its list and crashes, or puts the part at the origin.
    MDX2001 "parent missing" Error for EVERY => parent_missing;
    /// The node is its own parent; the game never finishes computing its position.
    MDX2002 "node is its own parent" Error for EVERY => own_parent;
    /// The parents of the nodes form a cycle; the game never finishes computing their positions.
    MDX2003 "cycle of parents" Error for EVERY => circle;
    /// Two nodes have the same id. Vertices and children of the second one follow the first.
    MDX2004 "object id used twice" Error for EVERY => id_twice;
    /// Ids count from 0 without gaps, since they are positions in the game's list of nodes and of pivots. A node with a negative id,
    /// or one beyond the list, is lost or crashes the game.
    MDX2005 "object id out of range" Error for EVERY => id_out_of_range;
    /// Bones come first: when the game computes the mesh, it takes the id of a bone for its position among the bones. A bone with a
    /// higher id moves nothing, or the wrong part. Save the model with a tool that renumbers the nodes.
    MDX2006 "bone id beyond the bones" Severe for EVERY => bone_id_beyond;
    /// The pivot of a node is at the position of its id, and there should be no other pivots. Superfluous pivots have no known
    /// effect, but they suggest that nodes were lost or have wrong ids.
    MDX2007 "pivots and nodes disagree" Warning for EVERY => pivots;
    /// There should be one bind pose for each node, and one more. When the numbers disagree, skinned meshes are deformed.
    MDX2008 "bind poses and nodes disagree" Warning for EVERY => bind_poses;
    /// The model has vertices, but no bone to attach them to. The repair adds one bone at the origin and attaches all vertices to it,
    /// where there are no other nodes whose ids are in use.
    MDX2009 "mesh without bones" Warning for EVERY => mesh_without_bones, fix add_bone;
    /// No vertex is attached to this bone. If it is only a joint for others, a helper does the same.
    MDX2010 "bone without vertices" Unused for EVERY => bone_without_vertices;
    /// The bone refers to a geoset that does not exist; the game reads beyond its list and may crash.
    MDX2011 "bone refers to a missing geoset" Error for EVERY => bone_geoset;
    /// The bone refers to a geoset animation that does not exist; the game reads beyond its list and may crash.
    MDX2012 "bone refers to a missing geoset animation" Error for EVERY => bone_geoset_animation;
    /// The bone's geoset animation has opacity 0 and no track that changes it, so that the mesh may never be visible.
    MDX2013 "bone of an invisible geoset" Severe for EVERY => invisible_geoset;
    /// The game takes a node's pivot from the list at the position of the node's id. Where the list is too short, it reads beyond
    /// the end: the node turns about an arbitrary point, or the game crashes. The repair adds pivots at the origin.
    MDX2014 "node without pivot" Error for EVERY => node_without_pivot, fix pad_pivots;
}

fn parent_missing(model: &Facts<'_>, found: &mut Findings) {
    for at in &model.nodes {
        let parent = at.node.parent;
        if parent != -1 && model.position(parent).is_none() {
            found.add(
                at.path(".parent"),
                format!("\"{}\" has parent {parent}, which does not exist", at.node.name),
            );
        }
    }
}

fn own_parent(model: &Facts<'_>, found: &mut Findings) {
    for at in model.nodes.iter().filter(|at| at.node.parent == at.node.object_id && at.node.parent != -1) {
        found.add(at.path(".parent"), format!("\"{}\" is its own parent", at.node.name));
    }
}

fn circle(model: &Facts<'_>, found: &mut Findings) {
    // 0 not seen, 1 on the current path, 2 done. Each node is visited once, so that cycles cannot make this loop endless.
    let mut state = vec![0_u8; model.nodes.len()];
    let parent = |position: usize| {
        let node = model.nodes.get(position)?.node;
        if node.parent == node.object_id { None } else { model.position(node.parent) }
    };
    for start in 0..model.nodes.len() {
        let mut way = Vec::new();
        let mut at = Some(start);
        while let Some(position) = at {
            let Some(mark) = state.get_mut(position) else { break };
            if *mark == 1
                && let Some(node) = model.nodes.get(position)
            {
                found.add(node.path(".parent"), format!("\"{}\" is among its own ancestors", node.node.name));
            }
            if *mark != 0 {
                break;
            }
            *mark = 1;
            way.push(position);
            at = parent(position);
        }
        for position in way {
            if let Some(mark) = state.get_mut(position) {
                *mark = 2;
            }
        }
    }
}

fn id_twice(model: &Facts<'_>, found: &mut Findings) {
    for (position, at) in model.nodes.iter().enumerate() {
        if let Some(first) = model.position(at.node.object_id)
            && first != position
            && let Some(other) = model.nodes.get(first)
        {
            let message =
                format!("\"{}\" has id {} like \"{}\"", at.node.name, at.node.object_id, other.node.name);
            found.add(at.path(".object_id"), message);
        }
    }
}

/// Ids that are not a position in the list of all nodes. A chunk that could not be decoded may hold the nodes in between.
fn id_out_of_range(model: &Facts<'_>, found: &mut Findings) {
    let hidden = model.kept_chunks().any(|(.., known)| known);
    for at in &model.nodes {
        let id = usize::try_from(at.node.object_id);
        let beyond = id.is_ok_and(|id| id >= model.nodes.len() && id >= model.pivots.len() && !hidden);
        if id.is_err() || beyond {
            let message = format!(
                "\"{}\" has id {}, there are {} nodes",
                at.node.name,
                at.node.object_id,
                model.nodes.len()
            );
            found.add(at.path(".object_id"), message);
        }
    }
}

fn bone_id_beyond(model: &Facts<'_>, found: &mut Findings) {
    if model.dialect() != Dialect::Warcraft3 {
        return;
    }
    let bones = model.bones.len();
    for (index, bone) in model.bones.iter().enumerate() {
        if usize::try_from(bone.node.object_id).is_ok_and(|id| id >= bones) {
            let message =
                format!("\"{}\" has id {}, there are {bones} bones", bone.node.name, bone.node.object_id);
            found.add(format!("BONE[{index}].node.object_id"), message);
        }
    }
}

/// Pivots that the ids need.
fn wanted_pivots(model: &Model) -> usize {
    let highest = model.nodes().map(|(_, node)| node.object_id).max().unwrap_or(-1);
    usize::try_from(highest).map_or(0, |highest| highest.saturating_add(1)).min(MOST_PIVOTS)
}

/// More nodes than any game loads: for an id beyond this, no pivots are added.
const MOST_PIVOTS: usize = 1 << 16;

/// The nodes that have no pivot; a chunk that could not be decoded may hold it.
fn without_pivot<'a>(model: &'a Facts<'_>) -> impl Iterator<Item = &'a Node> {
    let hidden = model.kept_chunks().any(|(.., known)| known);
    let has_pivot = |node: &Node| usize::try_from(node.object_id).map_or(true, |id| id < model.pivots.len());
    model.nodes.iter().map(|at| at.node).filter(move |node| !hidden && !has_pivot(node))
}

fn pivots(model: &Facts<'_>, found: &mut Findings) {
    let (pivots, nodes) = (model.pivots.len(), model.nodes.len());
    let hidden = model.kept_chunks().any(|(.., known)| known);
    if pivots != nodes && !hidden && without_pivot(model).next().is_none() {
        found.add("PIVT", format!("{pivots} pivots for {nodes} nodes"));
    }
}

fn node_without_pivot(model: &Facts<'_>, found: &mut Findings) {
    if let Some(first) = without_pivot(model).next() {
        let (count, pivots) = (without_pivot(model).count(), model.pivots.len());
        let message = format!(
            "{count} of {} nodes, such as \"{}\" with id {}, have no pivot; there are {pivots}",
            model.nodes.len(),
            first.name,
            first.object_id
        );
        found.add_fixable("PIVT", message, wanted_pivots(model) == model.nodes.len());
    }
}

fn pad_pivots(model: &mut Model) -> Vec<Change> {
    let wanted = wanted_pivots(model);
    let missing = wanted.saturating_sub(model.pivots.len());
    if missing == 0 || wanted != model.nodes().count() || model.kept_chunks().any(|(.., known)| known) {
        return Vec::new();
    }
    model.pivots.resize(wanted, [0.0; 3]);
    vec![("PIVT".to_owned(), format!("added {missing} pivots at the origin"))]
}

fn bind_poses(model: &Facts<'_>, found: &mut Findings) {
    let (poses, nodes) = (model.bind_poses.len(), model.nodes.len());
    if poses > 0 && nodes > 0 && poses != nodes.saturating_add(1) {
        found.add(
            "BPOS",
            format!("{poses} bind poses for {nodes} nodes; there should be one more than nodes"),
        );
    }
}

fn needs_bone(model: &Model) -> bool {
    let hidden = model.kept_chunks().any(|(tag, _, known)| known && matches!(&tag.0, b"BONE" | b"GEOS"));
    let meshes = model.geosets.iter().any(|geoset| !geoset.vertices.is_empty());
    model.bones.is_empty() && meshes && !hidden
}

fn mesh_without_bones(model: &Facts<'_>, found: &mut Findings) {
    if needs_bone(model) {
        found.add_fixable("", "the model has vertices, but no bone", can_add_bone(model));
    }
}

/// Bones have the first ids. Where other nodes have them, all would have to be renumbered.
fn can_add_bone(model: &Model) -> bool {
    let free = !model.nodes().any(|(_, node)| node.object_id == 0);
    let skinned = |geoset: &Geoset| geoset.skin.is_some() || !geoset.bone_indices.is_empty();
    free && !model.geosets.iter().any(skinned) && !model.kept_chunks().any(|(.., known)| known)
}

fn add_bone(model: &mut Model) -> Vec<Change> {
    if !needs_bone(model) || !can_add_bone(model) {
        return Vec::new();
    }
    let id = 0;
    let flags = match model.dialect() {
        Dialect::Warcraft3 => NodeFlags::BONE,
        Dialect::WowAlpha => NodeFlags::from_bits_retain(0x80),
    };
    let node = Node { name: FixedStr::truncated("root"), object_id: id, flags, ..Node::default() };
    model.bones.push(Bone { node, ..Bone::default() });
    if let Ok(at) = usize::try_from(id)
        && at >= model.pivots.len()
        && at < MOST_PIVOTS
    {
        model.pivots.resize(at.saturating_add(1), [0.0; 3]);
    }
    let mut changes = vec![("BONE[0]".to_owned(), "added a bone at the origin with id 0".to_owned())];
    for (index, geoset) in model.geosets.iter_mut().enumerate() {
        geoset.vertex_groups = vec![0; geoset.vertices.len()];
        geoset.group_sizes = vec![1];
        geoset.group_nodes = vec![0];
        changes
            .push((format!("GEOS[{index}].vertex_groups"), "attached all vertices to the bone".to_owned()));
    }
    changes
}

fn bone_without_vertices(model: &Facts<'_>, found: &mut Findings) {
    let hidden = model.kept_chunks().any(|(tag, _, known)| known && &tag.0 == b"GEOS");
    if model.dialect() != Dialect::Warcraft3 || hidden {
        return;
    }
    let skinned = model.skins.iter().flat_map(super::facts::SkinAt::bones);
    let grouped = model.groups.iter().flat_map(|groups| &groups.nodes).copied();
    let mut used: Vec<u32> = skinned.chain(grouped).collect();
    used.sort_unstable();
    for (index, bone) in model.bones.iter().enumerate() {
        let id = u32::try_from(bone.node.object_id).ok();
        if id.is_none_or(|id| used.binary_search(&id).is_err()) {
            found.add(format!("BONE[{index}]"), format!("no vertex is attached to \"{}\"", bone.node.name));
        }
    }
}

/// Whether an index is neither -1 nor a position in a list.
pub(super) fn dangles(index: i32, length: usize) -> bool {
    index != -1 && usize::try_from(index).map_or(true, |index| index >= length)
}

fn bone_geoset(model: &Facts<'_>, found: &mut Findings) {
    let count = model.geosets.len().max(model.batched_geosets.len());
    if hides(model, b"GEOS") {
        return;
    }
    for (index, bone) in model.bones.iter().enumerate().filter(|(_, bone)| dangles(bone.geoset, count)) {
        found.add(
            format!("BONE[{index}].geoset"),
            format!("geoset {} does not exist, there are {count}", bone.geoset),
        );
    }
}

fn bone_geoset_animation(model: &Facts<'_>, found: &mut Findings) {
    let count = model.geoset_animations.len();
    if hides(model, b"GEOA") {
        return;
    }
    for (index, bone) in model.bones.iter().enumerate() {
        if dangles(bone.geoset_animation, count) {
            let message =
                format!("geoset animation {} does not exist, there are {count}", bone.geoset_animation);
            found.add(format!("BONE[{index}].geoset_animation"), message);
        }
    }
}

/// Whether a chunk with this tag could not be decoded, so that its content is not known.
pub(super) fn hides(model: &Model, tag: &[u8; 4]) -> bool {
    model.kept_chunks().any(|(other, _, known)| known && other.0 == *tag)
}

/// With less opacity, a geoset is taken to be invisible.
const INVISIBLE: f32 = 0.1;

fn invisible_geoset(model: &Facts<'_>, found: &mut Findings) {
    for (index, bone) in model.bones.iter().enumerate().filter(|(_, bone)| bone.geoset != -1) {
        let animation = usize::try_from(bone.geoset_animation).ok();
        if let Some(animation) = animation.and_then(|index| model.geoset_animations.get(index))
            && animation.alpha < INVISIBLE
            && animation.tracks.get(effigy_mdx::track::tags::KGAO).is_none()
        {
            let message = format!(
                "geoset {} has opacity {} and no track that changes it",
                bone.geoset, animation.alpha
            );
            found.add(format!("BONE[{index}].geoset_animation"), message);
        }
    }
}
