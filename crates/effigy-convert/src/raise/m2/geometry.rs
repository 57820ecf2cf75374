//! Vertices, and the submeshes of the first view.

use super::{Writer, short, word};
use crate::raise::skin::{self, STILL};
use effigy_m2::{Submesh, Vertex};
use effigy_scene::Mesh;
use effigy_wire::{Error, Result};

/// Most corners of triangles in a view.
const CORNERS: usize = u16::MAX as usize;

/// How a group of vertices is moved.
#[derive(Clone, Copy, Debug, Default)]
struct Row {
    bones: [u8; 4],
    weights: [u8; 4],
    /// The bones as positions in the list of the submesh.
    local: [u8; 4],
}

impl Writer<'_> {
    pub(super) fn geometry(&mut self) -> Result<()> {
        let scene = self.scene;
        let corners: usize = scene.meshes.as_slice().iter().map(|mesh| mesh.indices.len()).sum();
        if corners > CORNERS {
            let text = format!("{} triangles; an M2 has at most {}", corners / 3, CORNERS / 3);
            return Err(Error::unrepresentable(text).hint("fewer triangles, or several models, are needed"));
        }
        for mesh in scene.meshes.as_slice() {
            self.mesh(mesh)?;
        }
        word(self.model.vertices.len(), "vertices")?;
        Ok(())
    }

    /// Adds a mesh.
    fn mesh(&mut self, mesh: &Mesh) -> Result<()> {
        let (first, start) = (self.model.vertices.len(), self.view.triangles.len());
        let groups = mesh.skin.as_ref().map_or(0, |skin| skin.groups.len());
        // The bones and weights of each group, and at the end those of vertices without one.
        let mut rows: Vec<Option<Row>> = vec![None; groups.saturating_add(1)];
        let group_of = |at: usize| {
            let group = mesh.skin.as_ref().and_then(|skin| skin.vertex_groups.get(at)).copied();
            group.filter(|group| (*group as usize) < groups)
        };
        let mut bones: Vec<u16> = Vec::new();
        let mut influences = 1_usize;
        let mut sum = [0.0_f64; 3];
        for (at, position) in mesh.positions.iter().enumerate() {
            let group = group_of(at);
            let Some(slot) = rows.get_mut(group.map_or(groups, |group| group as usize)) else { continue };
            let Row { bones: numbers, weights, .. } = *slot.get_or_insert_with(|| {
                let row = self.row(mesh, group);
                let used = row.bones.iter().zip(row.weights).filter(|(_, weight)| *weight > 0);
                influences = influences.max(used.clone().count());
                for (bone, _) in used {
                    if !bones.contains(&u16::from(*bone)) {
                        bones.push(u16::from(*bone));
                    }
                }
                row
            });
            for (sum, part) in sum.iter_mut().zip(position) {
                *sum += f64::from(*part);
            }
            let uv =
                |set: usize| mesh.uvs.get(set).and_then(|list| list.get(at)).copied().unwrap_or_default();
            self.view.vertices.push(word(self.model.vertices.len(), "vertices")?);
            self.model.vertices.push(Vertex {
                position: *position,
                weights,
                bones: numbers,
                normal: mesh.normals.get(at).copied().unwrap_or([0.0, 0.0, 1.0]),
                uv: uv(0),
                uv2: uv(1),
            });
        }
        bones.sort_unstable();
        for row in rows.iter_mut().flatten() {
            row.local = local(row, &bones);
        }
        for at in 0..mesh.positions.len() {
            let row = rows.get(group_of(at).map_or(groups, |group| group as usize)).copied().flatten();
            self.view.properties.push(row.unwrap_or_default().local);
        }
        for index in &mesh.indices {
            let corner = first.saturating_add(*index as usize);
            self.view.triangles.push(word(corner, "vertices")?);
        }
        let count = mesh.positions.len();
        #[allow(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "a mean of floats")]
        let center = sum.map(|sum| (sum / count.max(1) as f64) as f32);
        let bone_start = word(self.model.bone_combos.len(), "bones of submeshes")?;
        let sort = mesh.sort.as_ref().map(|sort| self.bones.of(sort.node));
        let center_bone = sort.unwrap_or_else(|| self.nearest(&bones, center));
        self.view.submeshes.push(Submesh {
            id: if self.native { u16::try_from(mesh.part).unwrap_or(0) } else { 0 },
            vertex_start: word(first, "vertices")?,
            vertex_count: word(count, "vertices")?,
            triangle_start: word(start, "triangles")?,
            triangle_count: word(mesh.indices.len(), "triangles")?,
            bone_count: short(bones.len()),
            bone_start,
            bone_influences: short(influences),
            center_bone,
            center,
            ..Submesh::default()
        });
        self.model.bone_combos.extend(bones);
        Ok(())
    }

    /// The bones and weights of a group.
    fn row(&self, mesh: &Mesh, group: Option<u32>) -> Row {
        let shares = mesh.skin.as_ref().zip(group).map(|(skin, group)| skin::shares(skin, group));
        let (keys, weights, _) = skin::row(&shares.unwrap_or_default());
        let number = |(node, _): (u32, u16)| {
            let bone =
                if node == STILL.0 { self.bones.of_vertex(u32::MAX) } else { self.bones.of_vertex(node) };
            self.byte(bone)
        };
        let numbers = keys.map(number);
        // Bones without weight are written as 0, as in original files.
        let mut clean = [0; 4];
        for ((slot, number), weight) in clean.iter_mut().zip(numbers).zip(weights) {
            *slot = if weight > 0 { number } else { 0 };
        }
        Row { bones: clean, weights, local: [0; 4] }
    }

    /// A bone that fits into a byte: itself, or the nearest of its parents that does.
    fn byte(&self, bone: u16) -> u8 {
        let mut at = bone;
        for _ in 0..self.model.bones.len() {
            if let Ok(byte) = u8::try_from(at) {
                return byte;
            }
            let parent = self.model.bones.get(usize::from(at)).map_or(-1, |bone| bone.parent);
            match u16::try_from(parent) {
                Ok(parent) => at = parent,
                Err(_) => return 0,
            }
        }
        0
    }

    /// The bone whose pivot is nearest to a point.
    fn nearest(&self, bones: &[u16], point: [f32; 3]) -> u16 {
        let distance = |bone: &u16| {
            let pivot = self.model.bones.get(usize::from(*bone)).map_or([0.0; 3], |bone| bone.pivot);
            pivot.iter().zip(point).map(|(a, b)| (a - b).powi(2)).sum::<f32>()
        };
        bones.iter().copied().min_by(|a, b| distance(a).total_cmp(&distance(b))).unwrap_or(0)
    }
}

/// The bones of a group as positions in the list of its submesh.
fn local(row: &Row, bones: &[u16]) -> [u8; 4] {
    let mut local = [0; 4];
    for ((place, bone), weight) in local.iter_mut().zip(row.bones).zip(row.weights) {
        let found = bones.iter().position(|other| *other == u16::from(bone)).filter(|_| weight > 0);
        *place = found.and_then(|at| u8::try_from(at).ok()).unwrap_or(0);
    }
    local
}
