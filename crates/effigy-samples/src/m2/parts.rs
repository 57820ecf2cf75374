//! Parts that both models share: a view from meshes, bounds, lookups.

use super::word;
use effigy_m2::{Batch, Caps, Model, Skin, Submesh, Vertex, View};

/// The number of bones that a submesh may use in each of the four views.
const BONE_LIMITS: [u32; 4] = [256, 75, 53, 21];

/// A part of the mesh, as the format stores it.
pub(super) struct Part {
    pub id: u16,
    pub vertices: Vec<Vertex>,
    pub triangles: Vec<[u16; 3]>,
}

/// Fills vertices, bone combos and one view with these parts and batches, then copies the view for each limit.
pub(super) fn add_views(model: &mut Model, parts: &[Part], batches: Vec<Batch>) {
    let mut view = View::default();
    for part in parts {
        let mut bones: Vec<u8> = part
            .vertices
            .iter()
            .flat_map(|vertex| vertex.bones.into_iter().zip(vertex.weights))
            .filter_map(|(bone, weight)| (weight > 0).then_some(bone))
            .collect();
        bones.sort_unstable();
        bones.dedup();
        let (vertex_start, triangle_start) = (word(view.vertices.len()), word(view.triangles.len()));
        let influences = |vertex: &Vertex| vertex.weights.iter().filter(|&&weight| weight > 0).count();
        let mut submesh = Submesh {
            id: part.id,
            vertex_start,
            vertex_count: word(part.vertices.len()),
            triangle_start,
            triangle_count: word(part.triangles.len() * 3),
            bone_count: word(bones.len()),
            bone_start: word(model.bone_combos.len()),
            bone_influences: word(part.vertices.iter().map(influences).max().unwrap_or(1)),
            center_bone: bones.first().copied().unwrap_or(0).into(),
            ..Submesh::default()
        };
        let (low, high) = bounds(&part.vertices);
        let mut center = [0.0; 3];
        for vertex in &part.vertices {
            for (sum, value) in center.iter_mut().zip(vertex.position) {
                *sum += value / f32::from(submesh.vertex_count.max(1));
            }
        }
        submesh.center = center;
        if model.caps().contains(Caps::SORTING) {
            for ((place, low), high) in submesh.sort_center.iter_mut().zip(low).zip(high) {
                *place = (low + high) * 0.5;
            }
            let square = |vertex: &Vertex| -> f32 {
                vertex.position.iter().zip(submesh.sort_center).map(|(a, b)| (a - b) * (a - b)).sum()
            };
            submesh.sort_radius = part.vertices.iter().map(square).fold(0.0, f32::max).sqrt();
        }
        for vertex in &part.vertices {
            let mut local = [0; 4];
            for ((place, bone), weight) in local.iter_mut().zip(vertex.bones).zip(vertex.weights) {
                let at = bones.iter().position(|&other| other == bone).filter(|_| weight > 0).unwrap_or(0);
                *place = u8::try_from(at).unwrap_or(u8::MAX);
            }
            view.properties.push(local);
            view.vertices.push(word(model.vertices.len()));
            model.vertices.push(*vertex);
        }
        view.triangles.extend(part.triangles.as_flattened().iter().map(|corner| corner + vertex_start));
        view.submeshes.push(submesh);
        model.bone_combos.extend(bones.into_iter().map(u16::from));
    }
    view.batches = batches.into();
    for bone_limit in BONE_LIMITS {
        let view = View { bone_limit, ..view.clone() };
        if model.caps().contains(Caps::SKINS) {
            model.skins.push(Skin::from(view));
            model.skin_count += 1;
        } else {
            model.contents.views.push(view);
        }
    }
}

fn bounds(vertices: &[Vertex]) -> ([f32; 3], [f32; 3]) {
    let mut low = [f32::INFINITY; 3];
    let mut high = [f32::NEG_INFINITY; 3];
    for vertex in vertices {
        for ((low, high), value) in low.iter_mut().zip(&mut high).zip(vertex.position) {
            *low = low.min(value);
            *high = high.max(value);
        }
    }
    if vertices.is_empty() { ([0.0; 3], [0.0; 3]) } else { (low, high) }
}

/// Sets the bounds of the model and of its sequences to those of its vertices.
pub(super) fn add_bounds(model: &mut Model) {
    let (low, high) = bounds(&model.vertices);
    let [x0, y0, z0] = low;
    let [x1, y1, z1] = high;
    let radius = [x0, y0, z0, x1, y1, z1].iter().map(|part| part * part).sum::<f32>().sqrt();
    model.bounds = [x0, y0, z0, x1, y1, z1];
    model.radius = radius;
    for sequence in &mut model.contents.sequences {
        sequence.bounds = [x0, y0, z0, x1, y1, z1];
        sequence.radius = radius;
    }
}

/// A table from number to index, with -1 where there is none.
pub(super) fn lookup(ids: impl IntoIterator<Item = usize>) -> Vec<i16> {
    let mut table = Vec::new();
    for (index, id) in ids.into_iter().enumerate() {
        if table.len() <= id {
            table.resize(id + 1, -1);
        }
        if let Some(place) = table.get_mut(id).filter(|place| **place < 0) {
            *place = i16::try_from(index).unwrap_or(-1);
        }
    }
    table
}
