//! How vertices are attached to nodes: matrix groups in classic meshes, skin weights in later ones.

use super::Facts;
use super::nodes::hides;
use crate::findings::Findings;
use crate::rule::{Change, EVERY, rules};
use crate::weights::rescaled;
use effigy_mdx::{ChunkKind, Model, Skin};

rules! { Mdx
    /// The mesh has skin weights and vertex groups; the game uses the weights, older tools the groups.
    MDX4101 "skin weights and vertex groups" Warning for EVERY => both;
    /// The vertex is in a group that does not exist; the game reads beyond its list. The repair puts it into the last group.
    MDX4102 "vertex group missing" Severe for EVERY => group_missing, fix clamp_groups;
    /// The group that the vertex is in lists no node, so the vertex stays behind when the model moves.
    MDX4103 "vertex attached to nothing" Severe for EVERY => attached_to_nothing;
    /// The vertex is attached to a node that does not exist; the game reads beyond its list and may crash.
    MDX4104 "vertex attached to a missing node" Error for EVERY => missing_node;
    /// The vertex is attached to a node that is not a bone. The game only moves meshes with bones, so the vertex stays behind.
    MDX4105 "vertex attached to a node that is not a bone" Severe for EVERY => no_bone;
    /// Skin weights name bones by one byte; a bone above 255 cannot be stored.
    MDX4106 "skin bone above 255" Error for EVERY => bone_above_255;
    /// The weights of a vertex must sum to 255; otherwise it is pulled to the origin or away from it. The repair scales them.
    MDX4107 "weights do not sum to 255" Severe for EVERY => weights, fix normalise;
    /// The sizes of the groups and the list of their nodes disagree; the last groups are cut short or read beyond the list.
    MDX4108 "groups and their nodes disagree" Error for EVERY => group_sizes;
    /// No vertex of the mesh is attached to a node, so that the game has no matrix to place it with. Give each group at least one bone.
    MDX4109 "mesh attached to nothing" Error for EVERY => mesh_attached_to_nothing;
}

fn both(model: &Facts<'_>, found: &mut Findings) {
    for index in model.skins.iter().filter(|skin| skin.vertices > 0).map(|skin| skin.geoset) {
        if model.geosets.get(index).is_some_and(|geoset| !geoset.vertex_groups.is_empty()) {
            found.add(format!("GEOS[{index}].vertex_groups"), "the game uses the skin weights");
        }
    }
}

/// The group number that means "no group".
const NO_GROUP: u8 = 255;

fn group_missing(model: &Facts<'_>, found: &mut Findings) {
    // Without bones, the meaning of groups is not known.
    if model.bones.is_empty() {
        return;
    }
    for at in &model.groups {
        let groups = at.geoset.group_sizes.len();
        let beyond = at.counts(groups..usize::from(NO_GROUP));
        let count: usize = beyond.iter().sum();
        if let Some(first) = beyond.iter().position(|count| *count > 0) {
            let first = groups.saturating_add(first);
            let message =
                format!("{count} vertices are in groups such as {first}, but there are {groups} groups");
            found.add_fixable(format!("GEOS[{}].vertex_groups", at.index), message, groups > 0);
        }
    }
}

fn clamp_groups(model: &mut Model) -> Vec<Change> {
    let mut changes = Vec::new();
    if model.bones.is_empty() {
        return changes;
    }
    for (index, geoset) in model.geosets.iter_mut().enumerate() {
        let last = geoset.group_sizes.len().checked_sub(1).and_then(|last| u8::try_from(last).ok());
        let (Some(last), None) = (last, geoset.skin.as_ref().filter(|skin| !skin.is_empty())) else {
            continue;
        };
        let mut count = 0_usize;
        for group in geoset.vertex_groups.iter_mut().filter(|group| **group > last && **group != NO_GROUP) {
            *group = last;
            count = count.saturating_add(1);
        }
        if count > 0 {
            changes.push((
                format!("GEOS[{index}].vertex_groups"),
                format!("put {count} vertices into group {last}"),
            ));
        }
    }
    changes
}

fn attached_to_nothing(model: &Facts<'_>, found: &mut Findings) {
    if model.bones.is_empty() {
        return;
    }
    for at in &model.groups {
        let empty = at.held().filter(|(nodes, _)| nodes.is_empty());
        let mut count: usize = empty.map(|(_, count)| count).sum();
        if at.geoset.group_sizes.len() <= usize::from(NO_GROUP) {
            count = count.saturating_add(at.count(NO_GROUP));
        }
        if count > 0 {
            let message =
                format!("{count} of {} vertices are not attached to a node", at.geoset.vertices.len());
            found.add(format!("GEOS[{}].vertex_groups", at.index), message);
        }
    }
    for skin in model.skins.iter().filter(|skin| skin.loose > 0) {
        let message = format!("{} of {} vertices have no weight", skin.loose, skin.vertices);
        found.add(format!("GEOS[{}].skin", skin.geoset), message);
    }
}

fn mesh_attached_to_nothing(model: &Facts<'_>, found: &mut Findings) {
    if model.bones.is_empty() {
        return;
    }
    for at in model.groups.iter().filter(|at| at.nodes.is_empty() && at.held().next().is_some()) {
        found.add(format!("GEOS[{}].group_nodes", at.index), "no vertex of the mesh is attached to a node");
    }
}

/// Calls `each` with every node id that vertices of a geoset are attached to, once each: geoset, field, id.
fn attached(model: &Facts<'_>, mut each: impl FnMut(usize, &str, u32)) {
    for at in &model.groups {
        at.nodes.iter().for_each(|id| each(at.index, "group_nodes", *id));
    }
    for skin in &model.skins {
        skin.bones().for_each(|id| each(skin.geoset, "skin", id));
    }
}

/// Whether nodes could not be decoded, so that an unknown id is not a problem.
fn hides_nodes(model: &Model) -> bool {
    let nodes = [
        ChunkKind::Bones,
        ChunkKind::Helpers,
        ChunkKind::Lights,
        ChunkKind::Attachments,
        ChunkKind::EventObjects,
    ];
    nodes.iter().any(|kind| hides(model, &kind.tag().0))
}

fn missing_node(model: &Facts<'_>, found: &mut Findings) {
    if model.bones.is_empty() || hides_nodes(model) {
        return;
    }
    attached(model, |index, field, id| {
        if model.node(id).is_none() {
            found.add(format!("GEOS[{index}].{field}"), format!("node {} does not exist", id.cast_signed()));
        }
    });
}

fn no_bone(model: &Facts<'_>, found: &mut Findings) {
    if model.bones.is_empty() {
        return;
    }
    attached(model, |index, field, id| {
        if let Some(at) = model.node(id).filter(|at| at.kind != ChunkKind::Bones) {
            let message = format!("node {id} \"{}\" is not a bone ({})", at.node.name, at.kind.tag());
            found.add(format!("GEOS[{index}].{field}"), message);
        }
    });
}

fn bone_above_255(model: &Facts<'_>, found: &mut Findings) {
    for skin in &model.skins {
        if let Some(bone) = skin.beyond {
            found.add(format!("GEOS[{}].skin", skin.geoset), format!("bone {bone}"));
        }
    }
}

fn weights(model: &Facts<'_>, found: &mut Findings) {
    for skin in model.skins.iter().filter(|skin| skin.wrong > 0) {
        let message =
            format!("the weights of {} of {} vertices do not sum to 255", skin.wrong, skin.vertices);
        found.add(format!("GEOS[{}].skin", skin.geoset), message);
    }
}

fn normalise(model: &mut Model) -> Vec<Change> {
    let mut changes = Vec::new();
    for (index, geoset) in model.geosets.iter_mut().enumerate() {
        let Some(skin) = &mut geoset.skin else { continue };
        let mut count = 0_usize;
        let mut mend = |weights: [u16; 4]| rescaled(weights).inspect(|_| count = count.saturating_add(1));
        match skin {
            Skin::Narrow(rows) => {
                for [.., a, b, c, d] in rows {
                    if let Some(new) = mend([*a, *b, *c, *d].map(u16::from)) {
                        [*a, *b, *c, *d] = new.map(|weight| u8::try_from(weight).unwrap_or(u8::MAX));
                    }
                }
            }
            Skin::Wide(rows) => {
                for [.., a, b, c, d] in rows {
                    if let Some(new) = mend([*a, *b, *c, *d]) {
                        [*a, *b, *c, *d] = new;
                    }
                }
            }
        }
        if count > 0 {
            changes.push((
                format!("GEOS[{index}].skin"),
                format!("scaled the weights of {count} vertices to 255"),
            ));
        }
    }
    changes
}

fn group_sizes(model: &Facts<'_>, found: &mut Findings) {
    for (index, geoset) in model.geosets.iter().enumerate() {
        let wanted = geoset.group_sizes.iter().fold(0_u64, |sum, size| sum.saturating_add(u64::from(*size)));
        let nodes = geoset.group_nodes.len();
        if usize::try_from(wanted) != Ok(nodes) {
            let message = format!("the groups need {wanted} nodes, but {nodes} are listed");
            found.add(format!("GEOS[{index}].group_nodes"), message);
        }
    }
}
