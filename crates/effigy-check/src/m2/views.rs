//! Views: the triangles, submeshes and batches of a model.

use super::Facts;
use super::look::dangles;
use crate::findings::Findings;
use crate::rule::{EVERY, rules};
use effigy_m2::{Caps, Submesh, View};
use std::ops::Range;

rules! { M2
    /// The model has vertices, but no view to draw them with: it is invisible, or the client refuses it. From 264 on the views are in
    /// `.skin` files, of which there must be at least one.
    M21201 "no views" Error for EVERY => no_views;
    /// A view or a triangle refers to a vertex that does not exist; the client reads beyond its list.
    M21202 "view with a missing vertex" Error for EVERY => vertices;
    /// The vertices or triangles of a submesh are not inside its view.
    M21203 "submesh outside its view" Error for EVERY => submeshes;
    /// The bones of a submesh are not inside the table of bone combos.
    M21204 "submesh bones outside the combos" Error for EVERY => submesh_bones;
    /// The bones of a vertex, looked up through its submesh's part of the bone combos, must be those that the vertex itself names. Where
    /// they differ, the mesh follows different bones on different machines.
    M21205 "local bones disagree with the combos" Severe for EVERY => local_bones;
    /// A batch refers to a submesh, material, colour, texture, weight or movement that does not exist; the client reads beyond its list.
    M21206 "batch refers to something missing" Error for EVERY => batches;
    /// From 264 on the views are in `.skin` files next to the model (`NAME00.skin` and so on). Without them the game does not load it, and
    /// its triangles were not checked.
    M21207 "missing .skin files" Warning for EVERY => missing_skins;
}

fn no_views(model: &Facts<'_>, found: &mut Findings) {
    let none = if model.caps().contains(Caps::VIEWS) {
        model.views.is_empty() && !model.views.is_lost()
    } else {
        model.skin_count == 0 && model.skins.is_empty()
    };
    if !model.vertices.is_empty() && none {
        found.add("views", format!("{} vertices, but no view", model.vertices.len()));
    }
}

fn missing_skins(model: &Facts<'_>, found: &mut Findings) {
    let (stated, there) = (model.skin_count as usize, model.skins.len());
    if !model.caps().contains(Caps::VIEWS) && there < stated {
        found.add("skins", format!("{} of {stated} .skin files were not found", stated - there));
    }
}

/// All views with their paths.
fn views<'a>(model: &'a Facts<'_>) -> impl Iterator<Item = (String, &'a View)> {
    let list = if model.views.is_empty() { "skins" } else { "views" };
    model.views().enumerate().map(move |(index, view)| (format!("{list}[{index}]"), view))
}

fn vertices(model: &Facts<'_>, found: &mut Findings) {
    let count = model.vertices.len();
    for (path, view) in views(model) {
        let highest = |list: &[u16]| list.iter().copied().max().map(usize::from);
        if let Some(vertex) = highest(view.vertices.as_slice()).filter(|vertex| *vertex >= count) {
            found.add(
                format!("{path}.vertices"),
                format!("vertex {vertex} does not exist, there are {count}"),
            );
        }
        let own = view.vertices.len();
        if let Some(vertex) = highest(view.triangles.as_slice()).filter(|vertex| *vertex >= own) {
            found.add(
                format!("{path}.triangles"),
                format!("vertex {vertex} does not exist, the view has {own}"),
            );
        }
        if !view.triangles.len().is_multiple_of(3) {
            found.add(
                format!("{path}.triangles"),
                format!("{} indices are not a multiple of three", view.triangles.len()),
            );
        }
    }
}

fn range(start: impl Into<usize>, count: u16) -> Range<usize> {
    let start = start.into();
    start..start.saturating_add(usize::from(count))
}

/// Where the triangles of a submesh begin; later expansions keep the upper half elsewhere.
fn triangle_start(submesh: &Submesh) -> usize {
    usize::from(submesh.level) << 16 | usize::from(submesh.triangle_start)
}

fn submeshes(model: &Facts<'_>, found: &mut Findings) {
    for (path, view) in views(model) {
        for (index, submesh) in view.submeshes.iter().enumerate() {
            let vertices = range(submesh.vertex_start, submesh.vertex_count);
            let triangles = range(triangle_start(submesh), submesh.triangle_count);
            if vertices.end > view.vertices.len() {
                let message =
                    format!("vertices up to {}, the view has {}", vertices.end, view.vertices.len());
                found.add(format!("{path}.submeshes[{index}]"), message);
            }
            if triangles.end > view.triangles.len() {
                let message =
                    format!("indices up to {}, the view has {}", triangles.end, view.triangles.len());
                found.add(format!("{path}.submeshes[{index}]"), message);
            }
        }
    }
}

fn submesh_bones(model: &Facts<'_>, found: &mut Findings) {
    let combos = model.bone_combos.len();
    for (path, view) in views(model) {
        for (index, submesh) in view.submeshes.iter().enumerate() {
            let bones = range(submesh.bone_start, submesh.bone_count);
            if bones.end > combos {
                let message = format!("bones up to {}, there are {combos} combos", bones.end);
                found.add(format!("{path}.submeshes[{index}].bone_start"), message);
            }
        }
    }
}

fn local_bones(model: &Facts<'_>, found: &mut Findings) {
    for (path, view) in views(model) {
        for (index, submesh) in view.submeshes.iter().enumerate() {
            let combos =
                model.bone_combos.get(range(submesh.bone_start, submesh.bone_count)).unwrap_or_default();
            let rows = range(submesh.vertex_start, submesh.vertex_count);
            let vertices = view.vertices.get(rows.clone()).unwrap_or_default();
            let locals = view.properties.get(rows).unwrap_or_default();
            let wrong = vertices.iter().zip(locals).filter(|(vertex, local)| {
                let Some(vertex) = model.vertices.get(usize::from(**vertex)) else { return false };
                let bones = vertex.bones.into_iter().zip(vertex.weights).zip(**local);
                bones.into_iter().any(|((bone, weight), local)| {
                    weight > 0 && combos.get(usize::from(local)) != Some(&u16::from(bone))
                })
            });
            let count = wrong.count();
            if count > 0 {
                let message = format!("{count} of {} vertices follow other bones", vertices.len());
                found.add(format!("{path}.submeshes[{index}]"), message);
            }
        }
    }
}

fn batches(model: &Facts<'_>, found: &mut Findings) {
    if model.version().is_later() {
        return;
    }
    for (path, view) in views(model) {
        for (index, batch) in view.batches.iter().enumerate() {
            let textures = range(batch.texture_combo, batch.texture_count);
            let checks = [
                ("submesh", usize::from(batch.submesh), view.submeshes.len()),
                ("material", usize::from(batch.material), model.materials.len()),
                ("texture_combo", textures.end.saturating_sub(1), model.texture_combos.len()),
                ("weight_combo", usize::from(batch.weight_combo), model.weight_combos.len()),
                ("transform_combo", usize::from(batch.transform_combo), model.transform_combos.len()),
            ];
            for (field, at, count) in checks.into_iter().filter(|(_, at, count)| at >= count) {
                found.add(
                    format!("{path}.batches[{index}].{field}"),
                    format!("{at} does not exist, there are {count}"),
                );
            }
            if dangles(batch.color, model.colors.len()) {
                let message =
                    format!("colour {} does not exist, there are {}", batch.color, model.colors.len());
                found.add(format!("{path}.batches[{index}].color"), message);
            }
        }
    }
}
