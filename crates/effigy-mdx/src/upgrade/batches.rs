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

#[cfg(test)]
mod tests {
    use super::*;

    fn geoset() -> Geoset {
        Geoset {
            vertices: vec![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0], [0.0; 3]],
            normals: vec![[0.0, 0.0, 1.0]; 4],
            uv_sets: vec![vec![[0.5, 0.25]; 4]],
            primitive_types: vec![Primitive::TRIANGLES.0],
            primitive_counts: vec![3],
            indices: vec![1, 2, 3],
            vertex_groups: vec![0, 1, 2, 3],
            group_sizes: vec![1, 2, 3, 4],
            group_nodes: vec![9, 1, 2, 1, 2, 3, 1, 2, 3, 4],
            material: 5,
            selection_group: 301,
            selection_flags: 1,
            extent: Extent { radius: 7.0, min: [-1.0, 0.0, 2.0], max: [3.0, 4.0, 10.0] },
            ..Geoset::default()
        }
    }

    fn notes(report: &Report) -> Vec<String> {
        report.notes().iter().map(|note| note.path.clone()).collect()
    }

    #[test]
    fn a_batch_has_the_values_of_the_geoset() {
        let mut report = Report::default();
        let made = into_batch(&geoset(), 2, &mut report);
        assert_eq!(notes(&report), Vec::<String>::new());
        let header = &made.header;
        assert_eq!((header.material, header.selection_group, header.index, header.flags), (5, 301, 2, 1));
        assert_eq!((header.center, header.radius), ([1.0, 2.0, 6.0], 7.0));
        let indices = &made.batch.indices;
        assert_eq!((indices.min_vertex, indices.max_vertex, &indices.list[..]), (1, 3, &[1, 2, 3][..]));
        let second = &made.vertices[1];
        assert_eq!((second.position, second.normal), ([4.0, 5.0, 6.0], [0.0, 0.0, 1.0]));
        assert_eq!(second.uv, [[0.5, 0.25], [0.0; 2]]);
        let skins: Vec<_> = made.vertices.iter().map(|it| (it.bones, it.weights)).collect();
        let expected = [
            ([9, 0, 0, 0], [255, 0, 0, 0]),
            ([1, 2, 0, 0], [128, 127, 0, 0]),
            ([1, 2, 3, 0], [85, 85, 85, 0]),
            ([1, 2, 3, 4], [64, 64, 64, 63]),
        ];
        assert_eq!(skins, expected);
    }

    #[test]
    fn what_a_batch_has_no_place_for_is_reported() {
        let mut report = Report::default();
        let mut other = geoset();
        other.primitive_types = vec![Primitive::TRIANGLES.0, 6];
        other.sequence_extents = vec![Extent::default()];
        into_batch(&other, 0, &mut report);
        assert_eq!(notes(&report), ["GEOS[0].sequence_extents", "GEOS[0].primitive_types"]);
    }

    #[test]
    fn a_geoset_comes_back_from_its_batch() {
        let mut report = Report::default();
        let made = out_of_batch(&into_batch(&geoset(), 0, &mut report), 3, &mut report);
        assert_eq!(notes(&report), ["GEOS[3]"]);
        let geoset = geoset();
        assert_eq!((&made.vertices, &made.normals), (&geoset.vertices, &geoset.normals));
        assert_eq!((&made.uv_sets, &made.indices), (&geoset.uv_sets, &geoset.indices));
        assert_eq!(made.primitive_types, [Primitive::TRIANGLES.0]);
        assert_eq!(made.primitive_counts, [3]);
        assert_eq!(made.groups().collect::<Vec<_>>(), geoset.groups().collect::<Vec<_>>());
        assert_eq!(made.vertex_groups, geoset.vertex_groups);
        assert_eq!((made.material, made.selection_group, made.selection_flags), (5, 301, 1));
        // The box is that of the vertices.
        assert_eq!((made.extent.min, made.extent.max, made.extent.radius), ([0.0; 3], [7.0, 8.0, 9.0], 7.0));
    }

    #[test]
    fn more_than_256_sets_of_bones_share_the_last_group() {
        let vertex = |bones: [u8; 4], weights| BatchVertex { bones, weights, ..BatchVertex::default() };
        let mut vertices: Vec<BatchVertex> =
            (0..=255).map(|bone| vertex([bone, 0, 0, 0], [255, 0, 0, 0])).collect();
        let convert = |vertices: &[BatchVertex]| {
            let mut report = Report::default();
            let batched = BatchedGeoset { vertices: vertices.to_vec(), ..BatchedGeoset::default() };
            let made = out_of_batch(&batched, 0, &mut report);
            (made.group_sizes.len(), made.group_nodes.len(), made.vertex_groups, report.is_lossy())
        };
        let own: Vec<u8> = (0..=255).collect();
        assert_eq!(convert(&vertices), (256, 256, own.clone(), false));
        vertices.push(vertex([0, 1, 0, 0], [128, 127, 0, 0]));
        assert_eq!(convert(&vertices), (256, 256, [own, vec![255]].concat(), true));
    }

    #[test]
    fn a_second_set_of_coordinates_is_kept_if_it_is_used() {
        let vertex = |second| BatchVertex { uv: [[0.5, 0.25], second], ..BatchVertex::default() };
        let sets = |vertices: Vec<BatchVertex>| {
            let batched = BatchedGeoset { vertices, ..BatchedGeoset::default() };
            out_of_batch(&batched, 0, &mut Report::default()).uv_sets
        };
        assert_eq!(sets(vec![vertex([0.0; 2]); 2]), [[[0.5, 0.25]; 2]]);
        let two = [[[0.5, 0.25]; 2], [[0.0, 0.0], [0.0, 1.0]]];
        assert_eq!(sets(vec![vertex([0.0; 2]), vertex([0.0, 1.0])]), two);
        let empty = out_of_batch(&BatchedGeoset::default(), 0, &mut Report::default());
        assert_eq!(empty.extent, Extent::default());
    }
}
