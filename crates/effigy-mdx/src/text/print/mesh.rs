//! Meshes: the rest of the text.

use super::Printer;
use crate::chunks::ChunkKind;
use crate::records::{Geoset, Primitive, Skin};
use crate::text::{Spelling, number};

impl Printer<'_> {
    /// `Word 2 { { 1, 2, 3 }, { 4, 5, 6 }, }`
    pub(super) fn rows<const N: usize>(&mut self, word: &str, rows: &[[f32; N]]) {
        self.open_counted(word, rows.len());
        for row in rows {
            self.indent();
            self.floats(*row);
            self.end_property();
        }
        self.close();
    }

    pub(in crate::text) fn mesh(&mut self, geoset: &Geoset) {
        self.rows("Vertices", &geoset.vertices);
        self.rows("Normals", &geoset.normals);
        geoset.uv_sets.iter().for_each(|set| self.rows("TVertices", set));
        if !geoset.vertex_groups.is_empty() {
            self.open("VertexGroup");
            for &group in &geoset.vertex_groups {
                self.indent();
                number::print_int(group.into(), &mut self.out);
                self.end_property();
            }
            self.close();
        }
        if let Some(tangents) = &geoset.tangents {
            self.rows("Tangents", tangents);
        }
        if let Some(skin) = &geoset.skin {
            self.skin(skin);
        }
        self.bone_bytes("BoneIndices", &geoset.bone_indices);
        self.bone_bytes("BoneWeights", &geoset.bone_weights);
        self.faces(geoset);
        self.groups(geoset);
        let base = crate::records::Extent::default();
        for extent in &geoset.sequence_extents {
            self.record(extent, &base);
        }
    }

    fn skin(&mut self, skin: &Skin) {
        match self.spelling {
            Spelling::Hive => self.open("SkinWeights"),
            _ => self.open_counted("SkinWeights", skin.len()),
        }
        let braces = self.spelling == Spelling::Retera;
        for (bones, weights) in skin.iter() {
            self.indent();
            if braces {
                self.raw(b"{ ");
            }
            for (index, &value) in bones.iter().chain(&weights).enumerate() {
                if index > 0 {
                    self.raw(b", ");
                }
                number::print_int(value.into(), &mut self.out);
            }
            if braces {
                self.raw(b" }");
            }
            self.end_property();
        }
        self.close();
    }

    fn bone_bytes(&mut self, word: &str, rows: &[[u8; 4]]) {
        if rows.is_empty() || !self.caps.contains(crate::version::Caps::WOW) {
            return;
        }
        self.open_counted(word, rows.len());
        for row in rows {
            self.indent();
            self.ints(row.iter().map(|&value| value.into()));
            self.end_property();
        }
        self.close();
    }

    /// All indices in one list of triangles, which every tool reads; their grouping is kept in a comment.
    fn faces(&mut self, geoset: &Geoset) {
        let count = geoset.indices.len();
        let triangles = Primitive::TRIANGLES.0;
        let simple = geoset.primitive_types == [triangles]
            && matches!(geoset.primitive_counts[..], [all] if all as usize == count);
        self.indent();
        self.raw(b"Faces 1 ");
        self.count(count);
        self.begin();
        self.open("Triangles");
        if count > 0 {
            self.indent();
            self.ints(geoset.indices.iter().map(|&index| index.into()));
            self.end_property();
        }
        self.close();
        self.close();
        if !simple {
            self.aside("primitives", |printer| {
                printer.raw(b"PrimitiveTypes ");
                printer.ints(geoset.primitive_types.iter().map(|&kind| kind.into()));
                printer.end_property();
                printer.raw(b"PrimitiveCounts ");
                printer.ints(geoset.primitive_counts.iter().map(|&count| count.into()));
                printer.end_property();
            });
        }
    }

    fn groups(&mut self, geoset: &Geoset) {
        let grouped = geoset.groups().map(<[u32]>::len).fold(0, usize::saturating_add);
        self.indent();
        self.raw(b"Groups ");
        self.count(geoset.group_sizes.len());
        self.out.push(b' ');
        self.count(grouped);
        self.begin();
        for group in geoset.groups() {
            self.indent();
            self.raw(b"Matrices ");
            self.ints(group.iter().map(|&node| node.into()));
            self.end_property();
        }
        self.close();
        let stated = geoset.group_sizes.iter().map(|&size| u64::from(size)).fold(0, u64::saturating_add);
        if stated != geoset.group_nodes.len() as u64 {
            self.aside("groups", |printer| {
                printer.raw(b"GroupSizes ");
                printer.ints(geoset.group_sizes.iter().map(|&size| size.into()));
                printer.end_property();
                printer.raw(b"GroupNodes ");
                printer.ints(geoset.group_nodes.iter().map(|&node| node.into()));
                printer.end_property();
            });
        }
    }

    /// WoW alpha: the collision mesh.
    pub(super) fn collision_mesh(&mut self) {
        if !self.caps.contains(ChunkKind::CollisionMesh.needs()) {
            return;
        }
        for mesh in &self.model.collision_mesh {
            self.open("CollisionMesh");
            self.rows("Vertices", &mesh.vertices);
            self.indent();
            self.raw(b"Indices ");
            self.ints(mesh.indices.iter().map(|&index| index.into()));
            self.end_property();
            self.rows("Normals", &mesh.normals);
            self.close();
        }
    }

    /// WoW alpha 1500: geosets with vertices in one piece.
    pub(super) fn batched_geosets(&mut self) {
        if !self.caps.contains(ChunkKind::BatchedGeosets.needs()) {
            return;
        }
        for geoset in &self.model.batched_geosets {
            let (header, batch) = (&geoset.header, &geoset.batch);
            self.open("BatchedGeoset");
            self.number("MaterialID", header.material.into());
            self.number("SelectionGroup", header.selection_group.into());
            self.number("Index", header.index.into());
            self.number("Flags", header.flags.into());
            self.number("Primitive", batch.primitive.into());
            self.indent();
            self.raw(b"Bounds ");
            let [x, y, z] = header.center;
            self.floats([x, y, z, header.radius]);
            self.end_property();
            self.open_counted("Vertices", geoset.vertices.len());
            for vertex in &geoset.vertices {
                self.indent();
                let [x, y, z] = vertex.position;
                let [nx, ny, nz] = vertex.normal;
                let [[u, v], [s, t]] = vertex.uv;
                let bytes = vertex.weights.iter().chain(&vertex.bones);
                let numbers = [x, y, z].into_iter().chain(bytes.map(|&byte| byte.into()));
                self.floats(numbers.chain([nx, ny, nz, u, v, s, t]));
                self.end_property();
            }
            self.close();
            let lists = [
                ("Indices", &batch.indices.list),
                ("IndexPadding", &batch.indices.padding),
                (
                    "Unknown",
                    &vec![batch.indices.min_vertex, batch.indices.max_vertex, batch.indices.unknown_0x6],
                ),
            ];
            for (word, list) in lists {
                self.indent();
                self.raw(word.as_bytes());
                self.out.push(b' ');
                self.ints(list.iter().map(|&value| value.into()));
                self.end_property();
            }
            let [a, b] = header.unknown_0x38;
            let words = [header.vertex_tag, header.primitive_tag, header.index_tag]
                .map(|tag| u32::from_le_bytes(tag.0));
            let [vertex, primitive, index] = words;
            self.indent();
            self.raw(b"Header ");
            let words = [vertex, primitive, header.primitive_count, index, a, b, batch.unknown_0x4];
            self.ints(words.map(i64::from));
            self.end_property();
            self.close();
        }
    }
}
