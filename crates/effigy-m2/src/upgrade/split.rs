//! Splitting the submeshes of a view for hardware that has room for fewer bones.

use crate::contents::Contents;
use crate::records::{Batch, Submesh, Vertex, View};
use effigy_wire::{Error, Result};

/// A piece of a submesh that uses few enough bones.
#[derive(Default)]
struct Piece {
    bones: Vec<u8>,
    /// The view's vertices in this piece, by their old index.
    order: Vec<u16>,
    triangles: Vec<u16>,
}

/// The first view, split so that no submesh uses more than `limit` bones. New bone combos are added to the model.
pub(super) fn split(contents: &mut Contents, limit: u32) -> Result<View> {
    let Some(base) = contents.views.first_mut().map(std::mem::take) else { return Ok(View::default()) };
    let made = split_view(contents, &base, limit);
    if let Some(first) = contents.views.first_mut() {
        *first = base;
    }
    made
}

/// The same of a view that is not in the model at the moment.
fn split_view(contents: &mut Contents, base: &View, limit: u32) -> Result<View> {
    let mut view = View { bone_limit: limit, ..View::default() };
    let mut heirs: Vec<std::ops::Range<u16>> = Vec::with_capacity(base.submeshes.len());
    for submesh in &base.submeshes {
        let first = index(view.submeshes.len())?;
        if u32::from(submesh.bone_count) <= limit {
            copy(base, submesh, &mut view)?;
        } else {
            for piece in pieces(contents, base, submesh, limit as usize) {
                add(contents, base, submesh, piece, &mut view)?;
            }
        }
        heirs.push(first..index(view.submeshes.len())?);
    }
    for batch in &base.batches {
        for heir in heirs.get(usize::from(batch.submesh)).cloned().unwrap_or_default() {
            view.batches.push(Batch { submesh: heir, geoset: batch.submesh, ..batch.clone() });
        }
    }
    Ok(view)
}

fn index(length: usize) -> Result<u16> {
    u16::try_from(length)
        .map_err(|_| Error::unrepresentable("a view split for fewer bones is too large for 16-bit indices"))
}

/// Copies a submesh unchanged.
fn copy(base: &View, submesh: &Submesh, view: &mut View) -> Result<()> {
    let (vertex_start, triangle_start) = (index(view.vertices.len())?, index(view.triangles.len())?);
    let start = usize::from(submesh.vertex_start);
    let range = start..start.saturating_add(submesh.vertex_count.into());
    view.vertices.extend_from_slice(base.vertices.get(range.clone()).unwrap_or_default());
    view.properties.extend_from_slice(base.properties.get(range).unwrap_or_default());
    for &corner in corners(base, submesh) {
        let moved =
            i32::from(corner).saturating_sub(submesh.vertex_start.into()).saturating_add(vertex_start.into());
        let moved = u16::try_from(moved)
            .map_err(|_| Error::unrepresentable("a triangle uses a vertex outside its submesh"))?;
        view.triangles.push(moved);
    }
    view.submeshes.push(Submesh { vertex_start, triangle_start, ..submesh.clone() });
    Ok(())
}

fn corners<'a>(view: &'a View, submesh: &Submesh) -> &'a [u16] {
    let start = usize::from(submesh.triangle_start);
    view.triangles.get(start..start.saturating_add(submesh.triangle_count.into())).unwrap_or_default()
}

/// The vertex of a corner.
fn vertex_of<'a>(contents: &'a Contents, view: &View, corner: u16) -> Option<&'a Vertex> {
    view.vertices.get(usize::from(corner)).and_then(|&index| contents.vertices.get(usize::from(index)))
}

/// The bones that move a vertex.
fn bones_of(vertex: &Vertex) -> impl Iterator<Item = u8> {
    vertex.bones.into_iter().zip(vertex.weights).filter(|(_, weight)| *weight > 0).map(|(bone, _)| bone)
}

/// What the last piece has already.
struct Known {
    /// For each bone, whether it is in the piece.
    bones: [bool; 256],
    /// For each corner from the first on, its place in the piece.
    places: Vec<Option<u16>>,
    first: u16,
}

impl Known {
    fn new(corners: &[u16]) -> Self {
        let first = corners.iter().copied().min().unwrap_or(0);
        let last = corners.iter().copied().max().unwrap_or(0);
        let places = vec![None; usize::from(last.saturating_sub(first)).saturating_add(1)];
        Self { bones: [false; 256], places, first }
    }

    fn place(&mut self, corner: u16) -> Option<&mut Option<u16>> {
        self.places.get_mut(usize::from(corner.saturating_sub(self.first)))
    }

    /// Begins another piece.
    fn forget(&mut self, piece: &Piece) {
        self.bones = [false; 256];
        for corner in &piece.order {
            if let Some(place) = self.place(*corner) {
                *place = None;
            }
        }
    }

    /// The bones of a triangle that the piece does not have yet, in their order: those of three vertices are twelve at most.
    fn missing(&self, contents: &Contents, base: &View, triangle: &[u16; 3], into: &mut Vec<u8>) {
        into.clear();
        for bone in triangle.iter().filter_map(|&corner| vertex_of(contents, base, corner)).flat_map(bones_of)
        {
            if self.bones.get(usize::from(bone)) == Some(&false) && !into.contains(&bone) {
                into.push(bone);
            }
        }
        into.sort_unstable();
    }
}

/// Fills one piece after another with triangles, in order.
fn pieces(contents: &Contents, base: &View, submesh: &Submesh, limit: usize) -> Vec<Piece> {
    let corners = corners(base, submesh);
    let mut known = Known::new(corners);
    let mut missing = Vec::with_capacity(12);
    let mut pieces: Vec<Piece> = Vec::new();
    for triangle in corners.as_chunks::<3>().0 {
        known.missing(contents, base, triangle, &mut missing);
        let fits = |piece: &Piece| piece.bones.len().saturating_add(missing.len()) <= limit;
        if !pieces.last().is_some_and(fits) {
            if let Some(last) = pieces.last() {
                known.forget(last);
                known.missing(contents, base, triangle, &mut missing);
            }
            pieces.push(Piece::default());
        }
        let Some(piece) = pieces.last_mut() else { continue };
        for bone in &missing {
            piece.bones.push(*bone);
            if let Some(flag) = known.bones.get_mut(usize::from(*bone)) {
                *flag = true;
            }
        }
        for &corner in triangle {
            let Some(place) = known.place(corner) else { continue };
            let place = *place.get_or_insert_with(|| {
                let next = u16::try_from(piece.order.len()).unwrap_or(u16::MAX);
                piece.order.push(corner);
                next
            });
            piece.triangles.push(place);
        }
    }
    pieces
}

/// Adds a piece as a new submesh.
fn add(contents: &mut Contents, base: &View, submesh: &Submesh, piece: Piece, view: &mut View) -> Result<()> {
    let (vertex_start, triangle_start) = (index(view.vertices.len())?, index(view.triangles.len())?);
    let bone_start = index(contents.bone_combos.len())?;
    let mut places = [0_u8; 256];
    for (at, bone) in piece.bones.iter().enumerate() {
        if let Some(place) = places.get_mut(usize::from(*bone)) {
            *place = u8::try_from(at).unwrap_or(0);
        }
    }
    let mut influences = 1;
    let mut sum = [0.0_f64; 3];
    for &corner in &piece.order {
        let at = base.vertices.get(usize::from(corner)).copied().unwrap_or_default();
        let vertex = contents.vertices.get(usize::from(at)).copied().unwrap_or_default();
        view.vertices.push(at);
        view.properties.push(local(&vertex, &places));
        influences = vertex.weights.iter().filter(|&&weight| weight > 0).count().max(influences);
        for (sum, part) in sum.iter_mut().zip(vertex.position) {
            *sum += f64::from(part);
        }
    }
    for &corner in &piece.triangles {
        view.triangles.push(index(usize::from(vertex_start).saturating_add(corner.into()))?);
    }
    index(view.triangles.len())?;
    let vertex_count = index(piece.order.len())?;
    #[allow(clippy::cast_possible_truncation, reason = "a mean of floats is a float")]
    let center = sum.map(|sum| (sum / f64::from(vertex_count.max(1))) as f32);
    let mut made = Submesh {
        vertex_start,
        vertex_count,
        triangle_start,
        triangle_count: index(piece.triangles.len())?,
        bone_count: index(piece.bones.len())?,
        bone_start,
        bone_influences: index(influences)?,
        center,
        ..submesh.clone()
    };
    (made.sort_center, made.sort_radius) = view.sort_sphere(&made, &contents.vertices);
    view.submeshes.push(made);
    contents.bone_combos.extend(piece.bones.into_iter().map(u16::from));
    Ok(())
}

/// The bones of a vertex as indices into the list of its submesh, from the index of each bone.
fn local(vertex: &Vertex, places: &[u8; 256]) -> [u8; 4] {
    let mut local = [0; 4];
    for ((place, bone), weight) in local.iter_mut().zip(vertex.bones).zip(vertex.weights) {
        *place = places.get(usize::from(bone)).copied().filter(|_| weight > 0).unwrap_or(0);
    }
    local
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contents() -> Contents {
        let vertex = |position, bones, weights| Vertex { position, bones, weights, ..Vertex::default() };
        // Bone 9 has no weight anywhere.
        let vertices = vec![
            vertex([0.0, 0.0, 0.0], [0, 1, 1, 9], [200, 55, 0, 0]),
            vertex([3.0, 0.0, 0.0], [1, 9, 9, 9], [255, 0, 0, 0]),
            vertex([0.0, 3.0, 0.0], [1, 9, 9, 9], [255, 0, 0, 0]),
            vertex([3.0, 3.0, 3.0], [1, 9, 9, 9], [255, 0, 0, 0]),
            vertex([6.0, 0.0, 0.0], [2, 9, 9, 9], [255, 0, 0, 0]),
            vertex([0.0, 0.0, 3.0], [2, 1, 2, 9], [100, 100, 55, 0]),
        ];
        let large =
            Submesh { id: 7, vertex_count: 6, triangle_count: 9, bone_count: 3, ..Submesh::default() };
        let small = Submesh {
            id: 8,
            vertex_start: 6,
            vertex_count: 3,
            triangle_start: 9,
            triangle_count: 3,
            bone_count: 2,
            bone_start: 3,
            ..Submesh::default()
        };
        let batch = |submesh, layer| Batch { submesh, layer, geoset: 77, ..Batch::default() };
        let view = View {
            // Backwards, so that places in the view and in the model differ.
            vertices: vec![5, 4, 3, 2, 1, 0, 0, 1, 2].into(),
            triangles: vec![5, 4, 3, 4, 3, 2, 2, 1, 0, 6, 7, 8].into(),
            properties: (0..9).map(|index| [index; 4]).collect(),
            submeshes: vec![large, small].into(),
            batches: vec![batch(0, 0), batch(1, 0), batch(0, 1)].into(),
            bone_limit: 256,
        };
        Contents {
            vertices: vertices.into(),
            bone_combos: vec![0, 1, 2, 0, 1].into(),
            views: vec![view].into(),
            ..Contents::default()
        }
    }

    #[test]
    fn a_submesh_with_too_many_bones_becomes_pieces_and_a_small_one_is_copied() {
        let mut contents = contents();
        let view = split(&mut contents, 2).unwrap();
        assert_eq!(view.bone_limit, 2);
        // The first two triangles use bones 0 and 1, the third 1 and 2.
        assert_eq!(view.vertices.as_slice(), [0, 1, 2, 3, 3, 4, 5, 0, 1, 2]);
        assert_eq!(view.triangles.as_slice(), [0, 1, 2, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
        assert_eq!(contents.bone_combos.as_slice(), [0, 1, 2, 0, 1, 0, 1, 1, 2]);
        let [one, zero] = [[1, 0, 0, 0], [0; 4]];
        assert_eq!(view.properties[..4], [[0, 1, 0, 0], one, one, one]);
        assert_eq!(view.properties[4..7], [zero, one, [1, 0, 1, 0]]);
        assert_eq!(view.properties[7..], [[6; 4], [7; 4], [8; 4]]);
        // Means of the vertices; the centres of their boxes are nearer to the farthest vertex.
        let first = Submesh {
            id: 7,
            vertex_count: 4,
            triangle_count: 6,
            bone_count: 2,
            bone_start: 5,
            bone_influences: 2,
            center: [1.5, 1.5, 0.75],
            sort_center: [1.5, 1.5, 1.5],
            sort_radius: 6.75_f32.sqrt(),
            ..Submesh::default()
        };
        let second = Submesh {
            vertex_start: 4,
            vertex_count: 3,
            triangle_start: 6,
            triangle_count: 3,
            bone_start: 7,
            bone_influences: 3,
            center: [3.0, 1.0, 2.0],
            sort_center: [3.0, 1.5, 1.5],
            sort_radius: 13.5_f32.sqrt(),
            ..first.clone()
        };
        let third = Submesh { vertex_start: 7, ..contents.views[0].submeshes[1].clone() };
        assert_eq!(view.submeshes.as_slice(), [first, second, third]);
        let batches: Vec<_> =
            view.batches.iter().map(|batch| (batch.submesh, batch.geoset, batch.layer)).collect();
        assert_eq!(batches, [(0, 0, 0), (1, 0, 0), (2, 1, 0), (0, 0, 1), (1, 0, 1)]);
    }

    #[test]
    fn a_view_whose_submeshes_have_few_bones_is_copied() {
        let mut contents = contents();
        let view = split(&mut contents, 3).unwrap();
        let base = &contents.views[0];
        assert_eq!((&view.vertices, &view.triangles), (&base.vertices, &base.triangles));
        assert_eq!((&view.properties, &view.submeshes), (&base.properties, &base.submeshes));
        assert_eq!(contents.bone_combos.len(), 5);
        assert_eq!(split(&mut Contents::default(), 3).unwrap(), View::default());
    }

    #[test]
    fn a_triangle_outside_its_submesh_is_an_error() {
        let mut contents = contents();
        contents.views[0].submeshes.remove(0);
        contents.views[0].triangles[9] = 5;
        assert!(split(&mut contents, 3).is_err());
        assert!(index(65_535).is_ok() && index(65_536).is_err());
    }
}
