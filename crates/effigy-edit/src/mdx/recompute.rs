//! Bounds and normals from the mesh itself.

use super::moments;
use super::reach::{Blocks, Reach};
use crate::Done;
use effigy_mdx::{Model, Primitive};
use effigy_scene::sample::{Moment, Sampler};
use effigy_scene::{Id, Mesh, validate};
use effigy_wire::Result;
use std::collections::HashMap;

/// Normals of faces that meet at less than this angle are mixed; sharper edges stay sharp. Cosine of 60 degrees.
const CREASE: f32 = 0.5;

/// Computes the bounds of the model, of each geoset and of each sequence from the vertices: at rest, and in poses of each sequence. Those are
/// at the keys of what vertices follow, between keys of curves and turns, where global sequences start again, and at 17 times that are
/// evenly spread; 200 at most. Geosets without alpha throughout a sequence are no part of its bounds. Spheres are about the origin.
///
/// # Errors
/// When the model cannot be posed.
pub fn recompute_extents(model: &mut Model) -> Result<Done> {
    let mut all = Reach::default();
    for geoset in &mut model.geosets {
        let mut reach = Reach::default();
        geoset.vertices.iter().for_each(|vertex| reach.add(*vertex));
        all.join(&reach);
        reach.set(&mut geoset.extent);
    }
    for geoset in &mut model.batched_geosets {
        geoset.vertices.iter().for_each(|vertex| all.add(vertex.position));
    }
    for info in &mut model.info {
        all.set(&mut info.extent);
    }
    sequence_extents(model, 0..model.sequences.len())?;
    Ok(Done::exactly(1))
}

/// Computes the bounds of some sequences, and of the geosets in them.
pub(super) fn sequence_extents(model: &mut Model, sequences: std::ops::Range<usize>) -> Result<()> {
    let scene = validate(effigy_convert::mdx::lower(model).scene)?;
    let nodes = moments::followed(&scene);
    let sampler = Sampler::new(&scene).only(&nodes);
    let mut pose = sampler.pose();
    let blocks: Vec<Blocks> = scene.meshes.as_slice().iter().map(Blocks::new).collect();
    let mut rows = Vec::new();
    let mut effort = moments::Effort::default();
    for index in sequences {
        let id = Id::new(u32::try_from(index).unwrap_or(u32::MAX));
        let mut meshes: Vec<Reach> = vec![Reach::default(); blocks.len()];
        let times =
            scene.sequences.get(id).map(|sequence| moments::moments(&scene, &nodes, sequence, &mut effort));
        for time in times.unwrap_or_default() {
            sampler.sample(&Moment::new(id, time), None, &mut pose);
            for ((reach, mesh), blocks) in meshes.iter_mut().zip(scene.meshes.as_slice()).zip(&blocks) {
                rows.clear();
                sampler.groups(mesh, &pose, &mut rows);
                blocks.add_to(reach, &rows);
            }
        }
        // What a sequence hides is not a part of its bounds, unless it hides everything.
        let start = Moment::new(id, 0.0);
        let shown: Vec<bool> =
            scene.meshes.as_slice().iter().map(|mesh| !is_hidden(&sampler, mesh, &start)).collect();
        let any = shown.contains(&true);
        let mut whole = Reach::default();
        for (reach, _) in meshes.iter().zip(shown).filter(|(_, shown)| *shown || !any) {
            whole.join(reach);
        }
        if let Some(sequence) = model.sequences.get_mut(index) {
            whole.set(&mut sequence.extent);
        }
        for (geoset, reach) in model.geosets.iter_mut().zip(&meshes) {
            if let Some(extent) = geoset.sequence_extents.get_mut(index) {
                reach.set(extent);
            }
        }
    }
    Ok(())
}

/// Whether a mesh has no alpha at any time of the sequence that begins at this moment.
fn is_hidden(sampler: &Sampler<'_>, mesh: &Mesh, start: &Moment) -> bool {
    let Some(track) = &mesh.alpha.track else { return mesh.alpha.base <= 0.0 };
    let values = match sampler.window(track, start) {
        // A clock of its own may show it in another round.
        _ if track.global.is_some() => track.values.as_slice(),
        Some((first, last)) => track.values.get(first..=last).unwrap_or_default(),
        None => return track.default <= 0.0,
    };
    values.iter().chain(track.tangents.as_flattened()).all(|value| *value <= 0.0)
}

/// Computes the normals of every geoset from its triangles. Faces that meet at less than 60 degrees are smooth, also where
/// texture coordinates split their vertices; larger faces count for more.
pub fn recompute_normals(model: &mut Model) -> Done {
    let mut changed = 0;
    for geoset in &mut model.geosets {
        if geoset.primitive_types.iter().any(|kind| *kind != Primitive::TRIANGLES.0)
            || geoset.normals.len() != geoset.vertices.len()
        {
            continue;
        }
        let position = |index: u16| geoset.vertices.get(usize::from(index)).copied().map(glam::Vec3::from);
        let mut faces: HashMap<[u32; 3], Vec<glam::Vec3>> = HashMap::new();
        let mut own: Vec<glam::Vec3> = vec![glam::Vec3::ZERO; geoset.vertices.len()];
        for [a, b, c] in geoset.indices.as_chunks::<3>().0 {
            let (Some(p), Some(q), Some(r)) = (position(*a), position(*b), position(*c)) else { continue };
            let normal = (q - p).cross(r - p);
            for index in [a, b, c] {
                if let Some(own) = own.get_mut(usize::from(*index)) {
                    *own += normal;
                }
                if let Some(vertex) = geoset.vertices.get(usize::from(*index)) {
                    faces.entry(vertex.map(f32::to_bits)).or_default().push(normal);
                }
            }
        }
        for ((vertex, place), own) in geoset.vertices.iter().zip(&mut geoset.normals).zip(own) {
            let Some(own) = own.try_normalize() else { continue };
            let near = faces.get(&vertex.map(f32::to_bits)).into_iter().flatten();
            let sum: glam::Vec3 = near.filter(|face| face.normalize_or_zero().dot(own) >= CREASE).sum();
            *place = sum.try_normalize().unwrap_or(own).into();
        }
        changed += 1;
    }
    Done::exactly(changed)
}
