//! Meshes: the rest of the text.

use super::Parser;
use crate::codes;
use crate::records::{Extent, Geoset, Primitive, Skin};
use crate::text::words::Block;
use crate::version::Caps;

impl Parser<'_> {
    /// `2 { { 1, 2, 3 }, { 4, 5, 6 }, }` after the word.
    pub(super) fn rows<const N: usize>(&mut self, what: &str) -> Vec<[f32; N]> {
        let stated = self.count();
        self.lexer.skip();
        let opened = self.lexer.position;
        if !self.open() {
            return Vec::new();
        }
        let mut rows: Vec<[f32; N]> = Vec::with_capacity(self.room(stated, N.saturating_mul(2)));
        while !self.stopped {
            self.lexer.skip();
            match self.lexer.rest().first() {
                Some(b'{') => {
                    let mut row = [0.0; N];
                    if self.row(&mut row) {
                        rows.push(row);
                    }
                    if self.lexer.rest().first() == Some(&b',') {
                        self.lexer.position += 1;
                    }
                }
                Some(b'}') => {
                    self.lexer.position += 1;
                    break;
                }
                Some(b',') => self.lexer.position += 1,
                Some(_) => self.expected("`{`"),
                None => {
                    self.not_closed(opened);
                    break;
                }
            }
        }
        if !self.stopped {
            self.check_count(stated, rows.len(), what);
        }
        rows
    }

    /// Numbers up to the closing brace; inner braces are ignored.
    pub(super) fn numbers<T>(&mut self, list: &mut Vec<T>, convert: impl Fn(i64) -> Option<T>) {
        let opened = self.lexer.position;
        let mut depth = 0_usize;
        while !self.stopped {
            self.lexer.skip();
            let at = self.lexer.position;
            match self.lexer.rest().first() {
                Some(b'{') => {
                    self.lexer.position += 1;
                    depth += 1;
                }
                Some(b'}') => {
                    self.lexer.position += 1;
                    if depth == 0 {
                        return;
                    }
                    depth -= 1;
                }
                Some(b',') => self.lexer.position += 1,
                None => return self.not_closed(opened),
                Some(_) => match self.lexer.int() {
                    Some(value) => match convert(value) {
                        Some(value) => {
                            list.push(value);
                            if self.lexer.rest().first() == Some(&b',') {
                                self.lexer.position += 1;
                            }
                        }
                        None => self.error(codes::BAD_VALUE, at, format!("{value} does not fit here")),
                    },
                    None => self.expected("a whole number"),
                },
            }
        }
    }

    pub(in crate::text) fn mesh_word(&mut self, geoset: &mut Geoset, word: &[u8]) -> bool {
        match word.to_ascii_lowercase().as_slice() {
            b"vertices" => geoset.vertices = self.rows("vertices"),
            b"normals" => geoset.normals = self.rows("normals"),
            b"tvertices" => {
                let set = self.rows("texture coordinates");
                geoset.uv_sets.push(set);
            }
            b"vertexgroup" => {
                self.count();
                if self.open() {
                    self.numbers(&mut geoset.vertex_groups, |value| u8::try_from(value).ok());
                }
            }
            b"tangents" => geoset.tangents = Some(self.rows("tangents")),
            b"skinweights" | b"skin" => geoset.skin = Some(self.skin()),
            b"faces" => self.faces(geoset),
            b"groups" => self.groups(geoset),
            b"anim" => {
                let mut extent = Extent::fresh(self.caps);
                if self.record(&mut extent) {
                    geoset.sequence_extents.push(extent);
                }
            }
            b"boneindices" => geoset.bone_indices = self.bone_bytes(),
            b"boneweights" => geoset.bone_weights = self.bone_bytes(),
            b"primitivetypes" => geoset.primitive_types = self.word_list(),
            b"primitivecounts" => geoset.primitive_counts = self.word_list(),
            b"groupsizes" => geoset.group_sizes = self.word_list(),
            b"groupnodes" => geoset.group_nodes = self.word_list(),
            _ => return false,
        }
        true
    }

    fn bone_bytes(&mut self) -> Vec<[u8; 4]> {
        let stated = self.count();
        let mut list = Vec::new();
        if self.open() {
            self.numbers(&mut list, |value| u8::try_from(value).ok());
        }
        let rows = list.as_chunks::<4>().0.to_vec();
        self.check_count(stated, rows.len(), "rows");
        rows
    }

    /// Eight numbers per vertex, with or without a count, with or without braces around each row.
    fn skin(&mut self) -> Skin {
        let stated = self.count();
        let at = self.lexer.position;
        if self.caps.contains(Caps::WIDE_SKIN) {
            let mut list: Vec<u16> = Vec::with_capacity(self.room(stated, 16).saturating_mul(8));
            if self.open() {
                self.numbers(&mut list, |value| u16::try_from(value).ok());
            }
            self.check_rows(stated, list.len(), at);
            Skin::Wide(list.as_chunks::<8>().0.to_vec())
        } else {
            let mut list: Vec<u8> = Vec::with_capacity(self.room(stated, 16).saturating_mul(8));
            if self.open() {
                self.numbers(&mut list, |value| u8::try_from(value).ok());
            }
            self.check_rows(stated, list.len(), at);
            Skin::Narrow(list.as_chunks::<8>().0.to_vec())
        }
    }

    fn check_rows(&mut self, stated: Option<(i64, usize)>, numbers: usize, at: usize) {
        if !numbers.is_multiple_of(8) {
            let message = format!("{numbers} is not a multiple of eight numbers per vertex");
            return self.error(codes::WRONG_COUNT, at, message);
        }
        self.check_count(stated, numbers / 8, "rows");
    }

    /// `Faces 1 3 { Triangles { { 0, 1, 2 }, } }`, or with one list for each triangle.
    fn faces(&mut self, geoset: &mut Geoset) {
        self.count();
        let stated = self.count();
        let opened = self.lexer.position;
        if !self.open() {
            return;
        }
        geoset.indices.reserve_exact(self.room(stated, 2));
        let first = geoset.indices.len();
        let closed = self.words(opened, "Triangles", |parser, word, at| {
            let known = Primitive::NAMES.iter().find(|(_, name)| name.as_bytes().eq_ignore_ascii_case(word));
            let Some((primitive, _)) = known else {
                parser.warn(codes::UNKNOWN_WORD, at, "unknown kind of faces; skipped");
                return parser.skip_property();
            };
            let before = geoset.indices.len();
            if parser.open() {
                parser.numbers(&mut geoset.indices, |value| u16::try_from(value).ok());
            }
            geoset.primitive_types.push(primitive.0);
            let count = geoset.indices.len() - before;
            geoset.primitive_counts.push(u32::try_from(count).unwrap_or(u32::MAX));
        });
        if closed {
            self.check_count(stated, geoset.indices.len() - first, "indices");
        }
    }

    /// `Groups 1 2 { Matrices { 0, 1 }, }`
    fn groups(&mut self, geoset: &mut Geoset) {
        let stated = self.count();
        self.count();
        let opened = self.lexer.position;
        if !self.open() {
            return;
        }
        let closed = self.words(opened, "Matrices", |parser, word, at| {
            if !word.eq_ignore_ascii_case(b"Matrices") {
                parser.lexer.position = at;
                return parser.expected("Matrices");
            }
            let before = geoset.group_nodes.len();
            if parser.open() {
                parser.numbers(&mut geoset.group_nodes, |value| Some(super::record::wrap(value)));
            }
            let size = geoset.group_nodes.len() - before;
            geoset.group_sizes.push(u32::try_from(size).unwrap_or(u32::MAX));
        });
        if closed {
            self.check_count(stated, geoset.group_sizes.len(), "groups");
        }
    }
}
