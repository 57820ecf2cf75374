//! The submeshes of a view as meshes of the scene.

use super::Lowering;
use crate::skinning::weighted;
use effigy_m2::{Batch, BatchFlags, Caps, Submesh, View};
use effigy_scene::{Id, Mesh, Skin, SortPoint};

/// The point that a submesh is sorted by, and the distance by which it counts as nearer or farther.
fn sort_point(submesh: &Submesh, batch: &Batch, bones: usize) -> Option<SortPoint> {
    let shift = if batch.flags.contains(BatchFlags::NEARER) {
        -submesh.sort_radius
    } else if batch.flags.contains(BatchFlags::FARTHER) {
        submesh.sort_radius
    } else {
        0.0
    };
    let node = Some(submesh.center_bone).filter(|bone| usize::from(*bone) < bones)?;
    Some(SortPoint { node: Id::new(u32::from(node)), point: submesh.sort_center, shift })
}

impl Lowering<'_> {
    pub(super) fn meshes(&mut self) {
        let model = self.model;
        let Some(view) = model.views().next() else {
            if !model.vertices.is_empty() {
                self.report.dropped("views", "the model has no view; its .skin file is needed to draw it");
            }
            return;
        };
        for (index, submesh) in view.submeshes.iter().enumerate() {
            let mesh = self.mesh(view, index, submesh);
            self.scene.meshes.push(mesh);
        }
    }

    fn mesh(&mut self, view: &View, index: usize, submesh: &Submesh) -> Mesh {
        let model = self.model;
        let mut mesh = Mesh::new(format!("Submesh {index}"));
        let first = usize::from(submesh.vertex_start);
        let range = first..first.saturating_add(usize::from(submesh.vertex_count));
        let vertices = view.vertices.get(range).unwrap_or_default();
        let vertices: Vec<_> = vertices
            .iter()
            .map(|vertex| model.vertices.get(usize::from(*vertex)).copied().unwrap_or_default())
            .collect();
        mesh.positions = vertices.iter().map(|vertex| vertex.position).collect();
        mesh.normals = vertices.iter().map(|vertex| vertex.normal).collect();
        mesh.uvs.push(vertices.iter().map(|vertex| vertex.uv).collect());
        if vertices.iter().any(|vertex| vertex.uv2 != [0.0; 2]) {
            mesh.uvs.push(vertices.iter().map(|vertex| vertex.uv2).collect());
        }
        let start = (usize::from(submesh.level) << 16) | usize::from(submesh.triangle_start);
        let triangles = view.triangles.get(start..start.saturating_add(usize::from(submesh.triangle_count)));
        // An index outside the submesh wraps to a vertex that does not exist; the repair removes its triangle.
        let local = |vertex: &u16| u32::from(*vertex).wrapping_sub(u32::from(submesh.vertex_start));
        mesh.indices = triangles.unwrap_or_default().iter().map(local).collect();
        let mut skin = Skin::default();
        let bones = model.bones.len();
        let rows = vertices.iter().map(|vertex| {
            let weights =
                if vertex.weights == [0; 4] { [255, 0, 0, 0] } else { vertex.weights.map(u16::from) };
            (vertex.bones.map(u16::from), weights)
        });
        weighted(&mut skin, rows, |bone| (usize::from(bone) < bones).then(|| Id::new(u32::from(bone))));
        mesh.skin = Some(skin);
        mesh.part = u32::from(submesh.id);
        let mut batches: Vec<_> =
            view.batches.iter().filter(|batch| usize::from(batch.submesh) == index).collect();
        batches.sort_by_key(|batch| batch.layer);
        if batches.is_empty() {
            self.report.dropped(format!("submeshes[{index}]"), "not used by any batch");
            mesh.shown = false;
        } else {
            if model.caps().contains(Caps::NESTED) {
                mesh.sort = batches.first().and_then(|batch| sort_point(submesh, batch, bones));
            }
            mesh.material = Some(self.material(&format!("Material {index}"), &batches));
        }
        mesh
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_submesh_is_sorted_by_a_point_of_a_bone_that_exists() {
        let submesh =
            Submesh { center_bone: 2, sort_center: [1.0, 2.0, 3.0], sort_radius: 5.0, ..Submesh::default() };
        let point = |flags, bones| {
            let found = sort_point(&submesh, &Batch { flags, ..Batch::default() }, bones)?;
            Some((found.node.index(), found.point, found.shift))
        };
        let at = |shift| Some((2, [1.0, 2.0, 3.0], shift));
        assert_eq!(point(BatchFlags::empty(), 3), at(0.0));
        assert_eq!(point(BatchFlags::NEARER, 3), at(-5.0));
        assert_eq!(point(BatchFlags::FARTHER, 3), at(5.0));
        assert_eq!(point(BatchFlags::empty(), 2), None);
    }
}
