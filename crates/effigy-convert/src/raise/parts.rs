//! Cutting a mesh into parts that the game can draw.

use std::collections::BTreeSet;

/// What one part may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::raise) struct Limits {
    pub vertices: usize,
    pub triangles: usize,
    pub groups: usize,
}

/// A part of a mesh.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::raise) struct Part {
    /// Its vertices, by their numbers in the mesh.
    pub vertices: Vec<u32>,
    /// Three vertices of the part per triangle.
    pub indices: Vec<u16>,
}

/// The parts of a mesh; a mesh within the limits is one part with all its vertices in order.
pub(in crate::raise) fn parts(count: usize, groups: &[u32], indices: &[u32], limits: Limits) -> Vec<Part> {
    let distinct: BTreeSet<u32> = groups.iter().copied().collect();
    let fits =
        count <= limits.vertices && indices.len() / 3 <= limits.triangles && distinct.len() <= limits.groups;
    if fits {
        return vec![Part {
            vertices: (0..u32::try_from(count).unwrap_or(u32::MAX)).collect(),
            indices: indices.iter().map(|index| u16::try_from(*index).unwrap_or(u16::MAX)).collect(),
        }];
    }
    let mut parts = Vec::new();
    let mut part = Part::default();
    let mut places: Vec<Option<u16>> = vec![None; count];
    let mut used: BTreeSet<u32> = BTreeSet::new();
    let group = |vertex: u32| groups.get(vertex as usize).copied().unwrap_or(0);
    for triangle in indices.as_chunks::<3>().0 {
        let new = |vertex: &&u32| places.get(**vertex as usize).copied().flatten().is_none();
        let vertices: BTreeSet<u32> = triangle.iter().filter(new).copied().collect();
        let more: BTreeSet<u32> =
            vertices.iter().map(|vertex| group(*vertex)).filter(|it| !used.contains(it)).collect();
        if !part.indices.is_empty()
            && (part.vertices.len() + vertices.len() > limits.vertices
                || part.indices.len() / 3 + 1 > limits.triangles
                || used.len() + more.len() > limits.groups)
        {
            for vertex in &part.vertices {
                if let Some(place) = places.get_mut(*vertex as usize) {
                    *place = None;
                }
            }
            used.clear();
            parts.push(std::mem::take(&mut part));
        }
        for vertex in triangle {
            let Some(place) = places.get_mut(*vertex as usize) else { continue };
            let at = *place.get_or_insert_with(|| {
                let at = u16::try_from(part.vertices.len()).unwrap_or(u16::MAX);
                part.vertices.push(*vertex);
                at
            });
            used.insert(group(*vertex));
            part.indices.push(at);
        }
    }
    if !part.indices.is_empty() {
        parts.push(part);
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_mesh_stays_whole_with_its_loose_vertices() {
        let limits = Limits { vertices: 10, triangles: 10, groups: 10 };
        let whole = parts(4, &[0; 4], &[2, 1, 0], limits);
        assert_eq!(whole, [Part { vertices: vec![0, 1, 2, 3], indices: vec![2, 1, 0] }]);
    }

    #[test]
    fn limits_cut_between_triangles_and_repeat_shared_vertices() {
        // A strip of four triangles over six vertices.
        let indices = [0, 1, 2, 2, 1, 3, 2, 3, 4, 4, 3, 5];
        let by_vertices = parts(6, &[0; 6], &indices, Limits { vertices: 4, triangles: 9, groups: 9 });
        assert_eq!(by_vertices.len(), 2);
        assert_eq!(by_vertices[0], Part { vertices: vec![0, 1, 2, 3], indices: vec![0, 1, 2, 2, 1, 3] });
        assert_eq!(by_vertices[1], Part { vertices: vec![2, 3, 4, 5], indices: vec![0, 1, 2, 2, 1, 3] });
        let by_groups =
            parts(6, &[0, 1, 2, 3, 4, 5], &indices, Limits { vertices: 99, triangles: 9, groups: 3 });
        assert_eq!(by_groups.len(), 4);
        let by_triangles = parts(6, &[0; 6], &indices, Limits { vertices: 99, triangles: 3, groups: 9 });
        assert_eq!(by_triangles.iter().map(|part| part.indices.len() / 3).collect::<Vec<_>>(), [3, 1]);
    }
}
