//! Blocks that are plain lists, and the meshes that only WoW alpha has.

use super::Parser;
use crate::codes;
use crate::records::{BatchVertex, BatchedGeoset, CollisionMesh, GeosetBatch, GeosetHeader, Indices};
use effigy_wire::Tag;

impl Parser<'_> {
    /// Parses the properties of a block that is not a record.
    pub(super) fn properties(&mut self, mut property: impl FnMut(&mut Self, &[u8]) -> bool) {
        self.lexer.skip();
        let opened = self.lexer.position;
        if !self.open() {
            return;
        }
        self.words(opened, "a property", |parser, word, at| {
            if !property(parser, word) {
                let name = String::from_utf8_lossy(word);
                let message = format!("this block has no property `{name}`; skipped");
                parser.warn(codes::UNKNOWN_WORD, at, message);
                parser.skip_property();
            }
        });
    }

    /// `GlobalSequences 1 { Duration 1000, }`
    pub(super) fn global_sequences(&mut self, list: &mut Vec<u32>) {
        let first = list.len();
        let stated = self.count();
        self.properties(|parser, word| {
            let known = word.eq_ignore_ascii_case(b"Duration");
            if known {
                list.extend(parser.int(i32::MIN.into(), u32::MAX.into()).map(super::record::wrap));
            }
            known
        });
        self.check_count(stated, list.len() - first, "durations");
    }

    /// `BindPose { Matrices 1 { { twelve numbers }, } }`
    pub(super) fn bind_poses(&mut self, list: &mut Vec<[f32; 12]>) {
        self.properties(|parser, word| {
            let known = word.eq_ignore_ascii_case(b"Matrices");
            if known {
                list.extend(parser.rows::<12>("matrices"));
            }
            known
        });
    }

    /// `Glider { GeosetId 0, }`
    pub(super) fn glider(&mut self, list: &mut Vec<u32>) {
        self.properties(|parser, word| {
            let known = word.eq_ignore_ascii_case(b"GeosetId");
            if known {
                list.extend(parser.int(i32::MIN.into(), u32::MAX.into()).map(super::record::wrap));
            }
            known
        });
    }

    pub(super) fn collision_mesh(&mut self, list: &mut Vec<CollisionMesh>) {
        let mut mesh = CollisionMesh::default();
        self.properties(|parser, word| {
            match word {
                b"Vertices" => mesh.vertices = parser.rows("vertices"),
                b"Normals" => mesh.normals = parser.rows("normals"),
                b"Indices" => mesh.indices = parser.short_list(),
                _ => return false,
            }
            true
        });
        list.push(mesh);
    }

    pub(super) fn batched_geoset(&mut self, list: &mut Vec<BatchedGeoset>) {
        let mut header = GeosetHeader::default();
        let mut batch = GeosetBatch::default();
        let mut vertices = Vec::new();
        self.properties(|parser, word| {
            match word {
                b"MaterialID" => parser.word_into(&mut header.material),
                b"SelectionGroup" => parser.word_into(&mut header.selection_group),
                b"Index" => parser.word_into(&mut header.index),
                b"Flags" => parser.word_into(&mut header.flags),
                b"Primitive" => parser.word_into(&mut batch.primitive),
                b"Bounds" => {
                    let mut bounds = [0.0; 4];
                    parser.row(&mut bounds);
                    let [x, y, z, radius] = bounds;
                    header.center = [x, y, z];
                    header.radius = radius;
                }
                b"Vertices" => {
                    vertices = parser.rows::<18>("vertices").into_iter().map(batch_vertex).collect()
                }
                b"Indices" => batch.indices.list = parser.short_list(),
                b"IndexPadding" => batch.indices.padding = parser.short_list(),
                b"Unknown" => {
                    if let [min_vertex, max_vertex, unknown_0x6] = parser.short_list()[..] {
                        batch.indices = Indices {
                            min_vertex,
                            max_vertex,
                            unknown_0x6,
                            ..std::mem::take(&mut batch.indices)
                        };
                    }
                }
                b"Header" => {
                    if let [vertex, primitive, count, index, a, b, c] = parser.word_list()[..] {
                        header.vertex_tag = Tag(vertex.to_le_bytes());
                        header.primitive_tag = Tag(primitive.to_le_bytes());
                        header.primitive_count = count;
                        header.index_tag = Tag(index.to_le_bytes());
                        header.unknown_0x38 = [a, b];
                        batch.unknown_0x4 = c;
                    }
                }
                _ => return false,
            }
            true
        });
        header.vertex_count = u32::try_from(vertices.len()).unwrap_or(u32::MAX);
        header.index_count = u32::try_from(batch.indices.list.len()).unwrap_or(u32::MAX);
        list.push(BatchedGeoset { header, vertices, batch });
    }

    fn word_into(&mut self, value: &mut u32) {
        if let Some(found) = self.int(i32::MIN.into(), u32::MAX.into()) {
            *value = super::record::wrap(found);
        }
    }

    /// `{ 1, 2, 3 }` of 16 bits each.
    fn short_list(&mut self) -> Vec<u16> {
        let mut list = Vec::new();
        if self.open() {
            self.numbers(&mut list, |value| u16::try_from(value).ok());
        }
        list
    }

    /// `{ 1, 2, 3 }` of 32 bits each.
    pub(super) fn word_list(&mut self) -> Vec<u32> {
        let mut list = Vec::new();
        if self.open() {
            self.numbers(&mut list, |value| Some(super::record::wrap(value)));
        }
        list
    }
}

#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "bytes among floats; the cast saturates"
)]
fn batch_vertex(row: [f32; 18]) -> BatchVertex {
    let [x, y, z, w0, w1, w2, w3, b0, b1, b2, b3, nx, ny, nz, u, v, s, t] = row;
    BatchVertex {
        position: [x, y, z],
        weights: [w0, w1, w2, w3].map(|weight| weight as u8),
        bones: [b0, b1, b2, b3].map(|bone| bone as u8),
        normal: [nx, ny, nz],
        uv: [[u, v], [s, t]],
    }
}
