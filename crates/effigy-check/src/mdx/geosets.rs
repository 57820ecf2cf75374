//! Meshes: counts that have to agree, indices that have to be in range, and geoset animations.

use super::Facts;
use super::nodes::{dangles, hides};
use super::sequences::{around, is_inverted};
use crate::findings::Findings;
use crate::rule::{Change, EVERY, rules};
use effigy_mdx::{Dialect, Extent, Geoset, Model, Primitive, Release, ShaderKind};
use std::collections::BTreeMap;

rules! { Mdx
    /// The game draws a mesh with the classic shader wrongly when it has about 7,433 vertices or more. Split it.
    MDX4001 "too many vertices" Severe for EVERY => too_many_vertices;
    /// The mesh has no triangles and draws nothing; an old editor crashes on it.
    MDX4002 "mesh without triangles" Warning for EVERY => no_triangles;
    /// Up to version 800 a mesh has one bounding box for each sequence. The game works without them, and more than half of its own models
    /// lack some, but an old editor does not. The
    /// repair adds the box of the mesh for each missing one and removes superfluous ones.
    MDX4003 "sequence extents and sequences disagree" Note for EVERY => sequence_extents, fix match_extents;
    /// The mesh refers to a material that does not exist; the game reads beyond its list and may crash.
    MDX4004 "mesh refers to a missing material" Error for EVERY => no_material;
    /// There must be one normal for each vertex; the game reads beyond the shorter list.
    MDX4005 "normals and vertices disagree" Error for EVERY => normals;
    /// Every set must have one texture coordinate for each vertex; the game reads beyond the shorter list.
    MDX4006 "texture coordinates and vertices disagree" Error for EVERY => coordinates;
    /// There must be one group for each vertex, unless the mesh has skin weights; the game reads beyond the shorter list.
    MDX4007 "vertex groups and vertices disagree" Error for EVERY => groups;
    /// There must be one row of skin weights for each vertex; the game reads beyond the shorter list.
    MDX4008 "skin weights and vertices disagree" Error for EVERY => skin;
    /// A triangle refers to a vertex that does not exist; the game reads beyond its list and may crash.
    MDX4009 "triangle with a missing vertex" Error for EVERY => face_out_of_range;
    /// The number of indices is not a multiple of three, or not the number that the primitive groups state. The game drops triangles
    /// or reads beyond the indices.
    MDX4010 "indices do not make triangles" Error for EVERY => odd_indices;
    /// The game draws triangles only; points, lines, strips and fans are not shown, or shown as wrong triangles.
    MDX4011 "mesh with other primitives than triangles" Warning for EVERY => other_primitives;
    /// Levels of detail count from 0. Models of an early converter have -1; the repair sets it to 0.
    MDX4012 "level of detail -1" Warning for EVERY => lod, fix lod_to_zero;
    /// The geoset animation refers to a geoset that does not exist, so that it has no effect or crashes the game.
    MDX4013 "geoset animation refers to a missing geoset" Error for EVERY => animation_of_nothing;
    /// Several geoset animations apply to one mesh; which of them the game uses is not defined.
    MDX4014 "mesh with several geoset animations" Warning for EVERY => several_animations;
    /// The mesh has no normals, so that light does not fall on it. Flat effects that ship with the game have none.
    MDX4015 "mesh without normals" Note for EVERY => no_normals;
}

/// The smallest number of vertices with which a classic mesh is known to be drawn wrongly; 7,394 were fine.
const TOO_MANY: usize = 7433;

fn is_hd(model: &Model, geoset: &Geoset) -> bool {
    let material = model.materials.get(geoset.material as usize);
    material.is_some_and(|material| {
        material.shader == "Shader_HD_DefaultUnit"
            || material.layers.iter().any(|layer| layer.shader == ShaderKind::HD)
    })
}

fn too_many_vertices(model: &Facts<'_>, found: &mut Findings) {
    if model.dialect() != Dialect::Warcraft3 {
        return;
    }
    for (index, geoset) in model.geosets.iter().enumerate() {
        if geoset.vertices.len() >= TOO_MANY && !is_hd(model, geoset) {
            let message = format!("{} vertices; fewer than {TOO_MANY} are safe", geoset.vertices.len());
            found.add(format!("GEOS[{index}].vertices"), message);
        }
    }
}

fn no_triangles(model: &Facts<'_>, found: &mut Findings) {
    for (index, _) in model.geosets.iter().enumerate().filter(|(_, geoset)| geoset.indices.is_empty()) {
        found.add(format!("GEOS[{index}].indices"), "the mesh has no indices and draws nothing");
    }
}

/// Whether meshes of this model need one bounding box for each sequence.
pub(super) fn wants_extents(model: &Model) -> bool {
    model.release() == Some(Release::Classic) && !hides(model, b"SEQS")
}

fn sequence_extents(model: &Facts<'_>, found: &mut Findings) {
    if !wants_extents(model) {
        return;
    }
    let sequences = model.sequences.len();
    for (index, geoset) in model.geosets.iter().enumerate() {
        let extents = geoset.sequence_extents.len();
        if extents != sequences {
            let message = format!("{extents} boxes for {sequences} sequences");
            found.add(format!("GEOS[{index}].sequence_extents"), message);
        }
    }
}

/// The box for a sequence that has none: that of the mesh, computed from its vertices where the stored one is inverted.
pub(super) fn filling(geoset: &Geoset) -> Extent {
    let computed = || around(geoset.vertices.iter()).unwrap_or_default();
    if is_inverted(&geoset.extent) { computed() } else { geoset.extent.clone() }
}

fn match_extents(model: &mut Model) -> Vec<Change> {
    let mut changes = Vec::new();
    if !wants_extents(model) {
        return changes;
    }
    let wanted = model.sequences.len();
    for (index, geoset) in model.geosets.iter_mut().enumerate() {
        let had = geoset.sequence_extents.len();
        if had != wanted {
            let fill = filling(geoset);
            geoset.sequence_extents.resize(wanted, fill);
            let path = format!("GEOS[{index}].sequence_extents");
            changes.push((path, format!("{wanted} boxes instead of {had}: one for each sequence")));
        }
    }
    changes
}

fn no_material(model: &Facts<'_>, found: &mut Findings) {
    let count = model.materials.len();
    if hides(model, b"MTLS") {
        return;
    }
    let plain = model.geosets.iter().map(|geoset| geoset.material);
    let batched = model.batched_geosets.iter().map(|geoset| geoset.header.material);
    for (index, material) in plain.chain(batched).enumerate().filter(|(_, one)| *one as usize >= count) {
        found.add(
            format!("GEOS[{index}].material"),
            format!("material {} does not exist, there are {count}", material.cast_signed()),
        );
    }
}

fn normals(model: &Facts<'_>, found: &mut Findings) {
    disagree(model, found, "normals", "normals", |geoset| {
        if geoset.normals.is_empty() { Vec::new() } else { vec![geoset.normals.len()] }
    });
}

fn no_normals(model: &Facts<'_>, found: &mut Findings) {
    let without = |geoset: &Geoset| geoset.normals.is_empty() && !geoset.vertices.is_empty();
    for (index, _) in model.geosets.iter().enumerate().filter(|(_, geoset)| without(geoset)) {
        found.add(format!("GEOS[{index}].normals"), "the mesh has no normals");
    }
}

fn coordinates(model: &Facts<'_>, found: &mut Findings) {
    disagree(model, found, "uv_sets", "texture coordinates", |geoset| {
        geoset.uv_sets.iter().map(Vec::len).collect()
    });
}

fn groups(model: &Facts<'_>, found: &mut Findings) {
    disagree(model, found, "vertex_groups", "vertex groups", |geoset| {
        let skinned = geoset.skin.is_some() || !geoset.bone_indices.is_empty();
        let empty = geoset.vertex_groups.is_empty();
        if skinned && empty { Vec::new() } else { vec![geoset.vertex_groups.len()] }
    });
}

fn skin(model: &Facts<'_>, found: &mut Findings) {
    disagree(model, found, "skin", "rows of skin weights", |geoset| {
        let alpha = (!geoset.bone_indices.is_empty()).then_some(geoset.bone_indices.len());
        geoset.skin.as_ref().map(effigy_mdx::Skin::len).into_iter().chain(alpha).collect()
    });
}

fn disagree(
    model: &Facts<'_>,
    found: &mut Findings,
    field: &str,
    what: &str,
    counts: impl Fn(&Geoset) -> Vec<usize>,
) {
    for (index, geoset) in model.geosets.iter().enumerate() {
        let vertices = geoset.vertices.len();
        for count in counts(geoset).into_iter().filter(|count| *count != vertices) {
            found.add(format!("GEOS[{index}].{field}"), format!("{count} {what} for {vertices} vertices"));
        }
    }
}

fn face_out_of_range(model: &Facts<'_>, found: &mut Findings) {
    let plain =
        model.geosets.iter().map(|geoset| (geoset.vertices.len(), geoset.indices.as_slice(), "indices"));
    let batched = model.batched_geosets.iter();
    let batched =
        batched.map(|geoset| (geoset.vertices.len(), geoset.batch.indices.list.as_slice(), "batch.indices"));
    for (index, (vertices, indices, field)) in plain.chain(batched).enumerate() {
        let highest = indices.iter().copied().max().map_or(0, usize::from);
        if !indices.is_empty() && highest >= vertices {
            found.add(
                format!("GEOS[{index}].{field}"),
                format!("vertex {highest} does not exist, there are {vertices}"),
            );
        }
    }
}

fn odd_indices(model: &Facts<'_>, found: &mut Findings) {
    for (index, geoset) in model.geosets.iter().enumerate() {
        let indices = geoset.indices.len();
        let stated =
            geoset.primitive_counts.iter().fold(0_u64, |sum, count| sum.saturating_add(u64::from(*count)));
        let triangles = geoset.primitive_types.iter().all(|kind| *kind == Primitive::TRIANGLES.0);
        let odd = geoset.primitive_counts.iter().any(|count| !count.is_multiple_of(3));
        if triangles && (!indices.is_multiple_of(3) || odd) {
            found.add(format!("GEOS[{index}].indices"), format!("{indices} is not a multiple of three"));
        } else if usize::try_from(stated) != Ok(indices) {
            let message = format!("{indices} indices, but the groups state {stated}");
            found.add(format!("GEOS[{index}].primitive_counts"), message);
        }
    }
}

fn other_primitives(model: &Facts<'_>, found: &mut Findings) {
    if model.dialect() != Dialect::Warcraft3 {
        return;
    }
    for (index, geoset) in model.geosets.iter().enumerate() {
        if let Some(kind) = geoset.primitive_types.iter().find(|kind| **kind != Primitive::TRIANGLES.0) {
            found.add(format!("GEOS[{index}].primitive_types"), format!("primitive type {kind}"));
        }
    }
}

fn lod(model: &Facts<'_>, found: &mut Findings) {
    for (index, _) in model.geosets.iter().enumerate().filter(|(_, geoset)| geoset.lod == -1) {
        found.add(format!("GEOS[{index}].lod"), "0 is the finest level");
    }
}

fn lod_to_zero(model: &mut Model) -> Vec<Change> {
    let mut changes = Vec::new();
    for (index, geoset) in model.geosets.iter_mut().enumerate().filter(|(_, geoset)| geoset.lod == -1) {
        geoset.lod = 0;
        changes.push((format!("GEOS[{index}].lod"), "0 instead of -1".to_owned()));
    }
    changes
}

fn animation_of_nothing(model: &Facts<'_>, found: &mut Findings) {
    let count = model.geosets.len().max(model.batched_geosets.len());
    if hides(model, b"GEOS") {
        return;
    }
    for (index, animation) in model.geoset_animations.iter().enumerate() {
        if animation.geoset == -1 || dangles(animation.geoset, count) {
            found.add(
                format!("GEOA[{index}].geoset"),
                format!("geoset {} does not exist, there are {count}", animation.geoset),
            );
        }
    }
}

fn several_animations(model: &Facts<'_>, found: &mut Findings) {
    let mut first: BTreeMap<i32, usize> = BTreeMap::new();
    for (index, animation) in model.geoset_animations.iter().enumerate() {
        match first.get(&animation.geoset) {
            Some(other) => {
                let message = format!("geoset {} has geoset animation {other} already", animation.geoset);
                found.add(format!("GEOA[{index}].geoset"), message);
            }
            None => {
                first.insert(animation.geoset, index);
            }
        }
    }
}
