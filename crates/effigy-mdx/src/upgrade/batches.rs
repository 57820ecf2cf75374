//! Meshes of WoW alpha between 1400 (arrays in each geoset) and 1500 (headers, then batches of M2 vertices).

use crate::chunks::Lists;
use crate::records::{
    BatchVertex, BatchedGeoset, Extent, Geoset, GeosetBatch, GeosetHeader, Indices, Primitive,
};
use effigy_wire::Report;

pub(super) fn into_batches(lists: &mut Lists, report: &mut Report) {
    let geosets = std::mem::take(&mut lists.geosets);
    lists.batched_geosets =
        geosets.iter().enumerate().map(|(index, geoset)| into_batch(geoset, index, report)).collect();
}

fn into_batch(geoset: &Geoset, index: usize, report: &mut Report) -> BatchedGeoset {
    let path = format!("GEOS[{index}]");
    if !geoset.sequence_extents.is_empty() {
        report.dropped(format!("{path}.sequence_extents"), "version 1500 has no bounds per sequence");
    }
    if geoset.primitive_types.iter().any(|kind| *kind != Primitive::TRIANGLES.0) {
        report.dropped(format!("{path}.primitive_types"), "version 1500 has triangles only");
    }
    let (bones, weights) = influences(geoset);
    let vertices = (0..geoset.vertices.len())
        .map(|vertex| {
            let uv = |set: usize| {
                geoset.uv_sets.get(set).and_then(|set| set.get(vertex)).copied().unwrap_or_default()
            };
            BatchVertex {
                position: geoset.vertices.get(vertex).copied().unwrap_or_default(),
                weights: weights.get(vertex).copied().unwrap_or([255, 0, 0, 0]),
                bones: bones.get(vertex).copied().unwrap_or_default(),
                normal: geoset.normals.get(vertex).copied().unwrap_or_default(),
                uv: [uv(0), uv(1)],
            }
        })
        .collect();
    let [min, max] = [geoset.extent.min, geoset.extent.max];
    let center = [0, 1, 2].map(|axis: usize| {
        (min.get(axis).copied().unwrap_or(0.0) + max.get(axis).copied().unwrap_or(0.0)) / 2.0
    });
    let limits = geoset.indices.iter().fold(None, |limits: Option<(u16, u16)>, &index| {
        Some(limits.map_or((index, index), |(low, high)| (low.min(index), high.max(index))))
    });
    let (min_vertex, max_vertex) = limits.unwrap_or_default();
    BatchedGeoset {
        header: GeosetHeader {
            material: geoset.material,
            center,
            radius: geoset.extent.radius,
            selection_group: geoset.selection_group,
            index: u32::try_from(index).unwrap_or(u32::MAX),
            flags: geoset.selection_flags,
            ..Default::default()
        },
        vertices,
        batch: GeosetBatch {
            indices: Indices { min_vertex, max_vertex, list: geoset.indices.clone(), ..Default::default() },
            ..Default::default()
        },
    }
}

/// Bones and weights of each vertex: the stated ones, or equal shares of its matrix group.
fn influences(geoset: &Geoset) -> (Vec<[u8; 4]>, Vec<[u8; 4]>) {
    let stated = geoset.influences();
    if !stated.is_empty() {
        return stated.into_iter().unzip();
    }
    let groups: Vec<&[u32]> = geoset.groups().collect();
    let shares = [[255, 0, 0, 0], [128, 127, 0, 0], [85, 85, 85, 0], [64, 64, 64, 63]];
    geoset
        .vertex_groups
        .iter()
        .map(|group| {
            let nodes = groups.get(usize::from(*group)).copied().unwrap_or_default();
            let mut bones = [0; 4];
            for (bone, node) in bones.iter_mut().zip(nodes) {
                *bone = u8::try_from(*node).unwrap_or(u8::MAX);
            }
            let share = nodes.len().clamp(1, 4).saturating_sub(1);
            (bones, shares.get(share).copied().unwrap_or([255, 0, 0, 0]))
        })
        .unzip()
}

pub(super) fn out_of_batches(lists: &mut Lists, report: &mut Report) {
    let batched = std::mem::take(&mut lists.batched_geosets);
    lists.geosets =
        batched.iter().enumerate().map(|(index, geoset)| out_of_batch(geoset, index, report)).collect();
}

fn out_of_batch(batched: &BatchedGeoset, index: usize, report: &mut Report) -> Geoset {
    let vertices = &batched.vertices;
    // Every set of bones becomes a matrix group.
    let mut groups: Vec<Vec<u32>> = Vec::new();
    let mut members = Vec::with_capacity(vertices.len());
    for vertex in vertices {
        let pulled = vertex.bones.iter().zip(vertex.weights).filter(|(_, weight)| *weight > 0);
        let nodes: Vec<u32> = pulled.map(|(bone, _)| u32::from(*bone)).collect();
        let group = groups.iter().position(|group| *group == nodes).unwrap_or_else(|| {
            groups.push(nodes);
            groups.len().saturating_sub(1)
        });
        members.push(u8::try_from(group).unwrap_or(u8::MAX));
    }
    if groups.len() > 256 {
        report.approximated(
            format!("GEOS[{index}]"),
            "more than 256 sets of bones: the last group is used for the rest",
        );
        groups.truncate(256);
    }
    report.rebuilt(format!("GEOS[{index}]"), "matrix groups and bounds were computed from the vertices");
    let second = vertices.iter().any(|vertex| vertex.uv[1] != [0.0; 2]);
    let uv_set =
        |set: usize| vertices.iter().map(|vertex| vertex.uv.get(set).copied().unwrap_or_default()).collect();
    let mut geoset = Geoset {
        vertices: vertices.iter().map(|vertex| vertex.position).collect(),
        normals: vertices.iter().map(|vertex| vertex.normal).collect(),
        uv_sets: if second { vec![uv_set(0), uv_set(1)] } else { vec![uv_set(0)] },
        primitive_types: vec![Primitive::TRIANGLES.0],
        primitive_counts: vec![u32::try_from(batched.batch.indices.list.len()).unwrap_or(u32::MAX)],
        indices: batched.batch.indices.list.clone(),
        vertex_groups: members,
        group_sizes: groups.iter().map(|group| u32::try_from(group.len()).unwrap_or(0)).collect(),
        group_nodes: groups.into_iter().flatten().collect(),
        material: batched.header.material,
        selection_group: batched.header.selection_group,
        selection_flags: batched.header.flags,
        extent: bounds(vertices, batched.header.radius),
        ..Default::default()
    };
    let rows: Vec<_> = vertices.iter().map(|vertex| (vertex.bones, vertex.weights)).collect();
    geoset.set_influences(&rows);
    geoset
}

fn bounds(vertices: &[BatchVertex], radius: f32) -> Extent {
    let Some(first) = vertices.first() else { return Extent::default() };
    let mut extent = Extent { radius, min: first.position, max: first.position };
    for vertex in vertices {
        for (axis, value) in vertex.position.into_iter().enumerate() {
            if let (Some(min), Some(max)) = (extent.min.get_mut(axis), extent.max.get_mut(axis)) {
                *min = min.min(value);
                *max = max.max(value);
            }
        }
    }
    extent
}
