//! Geosets as meshes; their animations as colour and alpha.

use super::{Lowering, bounds, tracks};
use crate::skinning::weighted;
use effigy_mdx::track::tags;
use effigy_mdx::{BatchedGeoset, Geoset, Primitive};
use effigy_scene::{Animated, Id, Influence, Mesh, Skin};

impl Lowering<'_> {
    pub(super) fn meshes(&mut self) {
        for (index, geoset) in self.model.geosets.iter().enumerate() {
            let mesh = self.mesh(index, geoset);
            self.scene.meshes.push(mesh);
        }
        for (index, geoset) in self.model.batched_geosets.iter().enumerate() {
            let mesh = self.batched_mesh(index, geoset);
            self.scene.meshes.push(mesh);
        }
        for animation in &self.model.geoset_animations {
            let color = tracks::color(animation.color, &animation.tracks, tags::KGAC, [0.0; 3]);
            let alpha: Animated<f32> = tracks::animated(animation.alpha, &animation.tracks, tags::KGAO, 1.0);
            let Some(mesh) = usize::try_from(animation.geoset)
                .ok()
                .and_then(|i| self.scene.meshes.as_mut_slice().get_mut(i))
            else {
                continue;
            };
            // If a geoset has several animations, the last one is used.
            mesh.color = color;
            mesh.alpha = alpha;
            mesh.extras.set("geosetAnimationFlags", animation.flags.bits());
        }
    }

    fn mesh(&mut self, index: usize, geoset: &Geoset) -> Mesh {
        let name = geoset.name.text();
        let mut mesh = Mesh::new(if name.is_empty() { format!("Geoset {index}") } else { name.into_owned() });
        mesh.positions.clone_from(&geoset.vertices);
        mesh.normals.clone_from(&geoset.normals);
        if let Some(tangents) = &geoset.tangents {
            mesh.tangents.clone_from(tangents);
        }
        mesh.uvs.clone_from(&geoset.uv_sets);
        mesh.indices = self.triangles(index, geoset);
        mesh.material = Some(Id::new(geoset.material));
        if self.model.caps().contains(effigy_mdx::Caps::GEOSET_LOD) {
            mesh.lod = u32::try_from(geoset.lod).ok();
        }
        mesh.part = geoset.selection_group;
        mesh.bounds = bounds(&geoset.extent);
        if geoset.selection_flags != 0 {
            mesh.extras.set("selectionFlags", geoset.selection_flags);
        }
        mesh.skin = Some(self.skin(geoset));
        mesh
    }

    /// All groups of indices as separate triangles.
    fn triangles(&mut self, index: usize, geoset: &Geoset) -> Vec<u32> {
        if geoset.primitive_types.iter().all(|kind| *kind == Primitive::TRIANGLES.0) {
            return geoset.indices.iter().map(|vertex| u32::from(*vertex)).collect();
        }
        let mut triangles = Vec::with_capacity(geoset.indices.len());
        let mut rest = geoset.indices.as_slice();
        for (kind, count) in geoset.primitive_types.iter().zip(&geoset.primitive_counts) {
            let (group, after) = rest.split_at(rest.len().min(*count as usize));
            rest = after;
            let mut corner = |vertices: [Option<&u16>; 3]| {
                if let [Some(a), Some(b), Some(c)] = vertices {
                    triangles.extend([*a, *b, *c].map(u32::from));
                }
            };
            match Primitive(*kind) {
                Primitive::TRIANGLES => triangles.extend(group.iter().map(|vertex| u32::from(*vertex))),
                Primitive::TRIANGLE_STRIP | Primitive::QUAD_STRIP => {
                    for i in 0..group.len().saturating_sub(2) {
                        let (b, c) = if i % 2 == 0 { (i + 1, i + 2) } else { (i + 2, i + 1) };
                        corner([group.get(i), group.get(b), group.get(c)]);
                    }
                }
                Primitive::TRIANGLE_FAN | Primitive::POLYGON => {
                    for i in 1..group.len().saturating_sub(1) {
                        corner([group.first(), group.get(i), group.get(i + 1)]);
                    }
                }
                Primitive::QUADS => {
                    for quad in group.chunks_exact(4) {
                        corner([quad.first(), quad.get(1), quad.get(2)]);
                        corner([quad.first(), quad.get(2), quad.get(3)]);
                    }
                }
                _ => self.report.dropped(format!("GEOS[{index}].PTYP"), "points and lines have no triangles"),
            }
        }
        triangles
    }

    fn skin(&self, geoset: &Geoset) -> Skin {
        let resolve = |entry: u32| self.nodes.by_matrix(entry);
        let mut skin = Skin::default();
        if let Some(weights) = &geoset.skin
            && !weights.is_empty()
        {
            // If there is a matrix list, bone numbers are indices into it.
            let node = |bone: u16| {
                resolve(geoset.group_nodes.get(usize::from(bone)).copied().unwrap_or_else(|| u32::from(bone)))
            };
            weighted(&mut skin, weights.iter(), node);
            return skin;
        }
        if geoset.vertex_groups.is_empty() && !geoset.bone_weights.is_empty() {
            let rows = geoset.influences().into_iter();
            weighted(
                &mut skin,
                rows.map(|(bones, weights)| (bones.map(u16::from), weights.map(u16::from))),
                |bone| resolve(u32::from(bone)),
            );
            return skin;
        }
        for group in geoset.groups() {
            // The matrix of a group is the mean of its nodes' matrices.
            let weight = 1.0 / group.len().max(1) as f32;
            skin.push_group(
                group.iter().filter_map(|entry| Some(Influence { node: resolve(*entry)?, weight })),
            );
        }
        skin.vertex_groups.extend(geoset.vertex_groups.iter().map(|group| u32::from(*group)));
        skin
    }

    fn batched_mesh(&self, index: usize, geoset: &BatchedGeoset) -> Mesh {
        let mut mesh = Mesh::new(format!("Geoset {index}"));
        mesh.positions = geoset.vertices.iter().map(|vertex| vertex.position).collect();
        mesh.normals = geoset.vertices.iter().map(|vertex| vertex.normal).collect();
        mesh.uvs = vec![geoset.vertices.iter().map(|vertex| vertex.uv[0]).collect()];
        mesh.indices = geoset.batch.indices.list.iter().map(|vertex| u32::from(*vertex)).collect();
        mesh.material = Some(Id::new(geoset.header.material));
        mesh.part = geoset.header.selection_group;
        mesh.extras.set("selectionFlags", geoset.header.flags);
        let mut skin = Skin::default();
        let rows =
            geoset.vertices.iter().map(|vertex| (vertex.bones.map(u16::from), vertex.weights.map(u16::from)));
        weighted(&mut skin, rows, |bone| self.nodes.by_matrix(u32::from(bone)));
        mesh.skin = Some(skin);
        mesh
    }
}
