//! Printing: the blocks of a model in the order in which MDL has them.

mod chunks;
mod mesh;
mod record;
mod special;
mod track;

pub(in crate::text) use chunks::payload;
pub(in crate::text) use special::{SLOTS, color_bit};

use super::lexer::MARK;
use super::words::Block;
use super::{PrintOptions, Spelling, keep, number};
use crate::chunks::ChunkKind;
use crate::model::Model;
use crate::version::{Caps, Dialect};
use effigy_wire::{Outcome, Report};

/// The printer with the text so far.
pub(in crate::text) struct Printer<'a> {
    model: &'a Model,
    caps: Caps,
    spelling: Spelling,
    plain: bool,
    out: Vec<u8>,
    /// The content of the comment before the current block.
    aside: Vec<u8>,
    /// Whether everything goes on one line, as in comments.
    flat: bool,
    depth: usize,
    /// The current record, for the report.
    place: (ChunkKind, usize),
    report: Report,
    /// Whether some number has bits that text cannot represent.
    loses_bits: bool,
}

/// Prints a model.
pub(in crate::text) fn print(model: &Model, options: &PrintOptions) -> (Vec<u8>, Report) {
    let mut printer = Printer {
        model,
        caps: model.caps(),
        spelling: options.dialect,
        plain: options.plain,
        out: Vec::with_capacity(room(model)),
        aside: Vec::new(),
        flat: false,
        depth: 0,
        place: (ChunkKind::Info, 0),
        report: Report::default(),
        loses_bits: false,
    };
    printer.version();
    let head = printer.out.len();
    printer.blocks();
    printer.chunks(head);
    printer.text_after();
    (printer.out, printer.report)
}

/// An estimate of the length of the text. Too much costs nothing, too little costs a copy.
fn room(model: &Model) -> usize {
    let rows = |geoset: &crate::records::Geoset| {
        geoset.vertices.len().saturating_mul(110).saturating_add(geoset.indices.len().saturating_mul(6))
    };
    let meshes = model.geosets.iter().map(rows).fold(0, usize::saturating_add);
    let keys = |list: &crate::track::Tracks| {
        list.iter().map(|track| track.words().len()).fold(0, usize::saturating_add)
    };
    let nodes = model.nodes().map(|(_, node)| keys(&node.tracks)).fold(0, usize::saturating_add);
    meshes.saturating_add(nodes.saturating_mul(12)).saturating_add(1 << 16)
}

impl Printer<'_> {
    /// What came after the last block of a text.
    fn text_after(&mut self) {
        if self.plain && !self.model.text_after.is_empty() {
            return self.report.dropped("text", "text after the last block");
        }
        self.out.extend(&self.model.text_after);
    }

    fn version(&mut self) {
        let model = self.model;
        let mut version = model.version;
        if model.layout != model.version {
            if self.plain {
                let message = "the records have the layout of another version, which the text states instead";
                self.report.approximated("version", message);
                version = model.layout;
            } else {
                self.write_aside(|printer| printer.number("Layout", model.layout.into()));
            }
        }
        self.top(|printer| {
            printer.open("Version");
            printer.number("FormatVersion", version.into());
            if model.dialect == Dialect::WowAlpha {
                printer.flag("WowAlpha");
            }
            printer.close();
        });
    }

    fn blocks(&mut self) {
        let model = self.model;
        self.each(ChunkKind::Info, &model.info);
        self.list(ChunkKind::Sequences, "Sequences", &model.sequences);
        self.global_sequences();
        self.list(ChunkKind::Textures, "Textures", &model.textures);
        self.list(ChunkKind::Materials, "Materials", &model.materials);
        self.list(ChunkKind::TextureAnimations, "TextureAnims", &model.texture_animations);
        self.each(ChunkKind::Geosets, &model.geosets);
        self.batched_geosets();
        self.each(ChunkKind::GeosetAnimations, &model.geoset_animations);
        self.each(ChunkKind::Bones, &model.bones);
        self.each(ChunkKind::Lights, &model.lights);
        self.each(ChunkKind::Helpers, &model.helpers);
        self.each(ChunkKind::Attachments, &model.attachments);
        if !model.pivots.is_empty() {
            self.rows("PivotPoints", &model.pivots);
        }
        self.each(ChunkKind::ParticleEmitters, &model.particle_emitters);
        self.each(ChunkKind::ParticleEmitters2, &model.particle_emitters_2);
        self.each(ChunkKind::PopcornEmitters, &model.popcorn_emitters);
        self.each(ChunkKind::RibbonEmitters, &model.ribbon_emitters);
        self.each(ChunkKind::Cameras, &model.cameras);
        self.each(ChunkKind::EventObjects, &model.event_objects);
        self.each(ChunkKind::CollisionShapes, &model.collision_shapes);
        self.each(ChunkKind::HitTestShapes, &model.hit_test_shapes);
        self.collision_mesh();
        self.each(ChunkKind::FaceFx, &model.face_fx);
        if !model.bind_poses.is_empty() {
            self.open("BindPose");
            self.rows("Matrices", &model.bind_poses);
            self.close();
        }
        for &geoset in &model.gliders {
            self.open("Glider");
            self.number("GeosetId", geoset.into());
            self.close();
        }
        self.each(ChunkKind::Sounds, &model.sounds);
    }

    /// A block for each record.
    fn each<R: Block>(&mut self, kind: ChunkKind, records: &[R]) {
        if records.is_empty() || !self.caps.contains(kind.needs()) {
            return;
        }
        let base = R::fresh(self.caps);
        for (index, record) in records.iter().enumerate() {
            self.place = (kind, index);
            self.top(|printer| printer.record(record, &base));
        }
    }

    /// One block with all records in it.
    fn list<R: Block>(&mut self, kind: ChunkKind, word: &str, records: &[R]) {
        if records.is_empty() {
            return;
        }
        let base = R::fresh(self.caps);
        self.top(|printer| {
            printer.open_counted(word, records.len());
            for (index, record) in records.iter().enumerate() {
                printer.place = (kind, index);
                printer.nested(R::BLOCK, index, |printer| printer.record(record, &base));
            }
            printer.close();
        });
    }

    fn global_sequences(&mut self) {
        let list = &self.model.global_sequences;
        if !list.is_empty() {
            self.open_counted("GlobalSequences", list.len());
            list.iter().for_each(|&length| self.number("Duration", length.into()));
            self.close();
        }
    }

    /// A block at the top, with the comment for it before it.
    fn top(&mut self, print: impl FnOnce(&mut Self)) {
        let start = self.out.len();
        print(self);
        if !self.aside.is_empty() {
            let aside = std::mem::take(&mut self.aside);
            self.comment_at(start, &aside);
        }
    }

    fn comment_at(&mut self, start: usize, text: &[u8]) {
        let line = [MARK, text.trim_ascii_end(), b"\n"].concat();
        self.out.splice(start..start, line);
    }

    /// Something inside the outermost block: its part of the comment refers to it by position.
    fn nested(&mut self, word: &str, index: usize, print: impl FnOnce(&mut Self)) {
        let before = std::mem::take(&mut self.aside);
        print(self);
        let inner = std::mem::replace(&mut self.aside, before);
        if !inner.is_empty() {
            self.aside.extend_from_slice(word.as_bytes());
            self.aside.push(b' ');
            number::print_int(i64::try_from(index).unwrap_or(i64::MAX), &mut self.aside);
            self.aside.extend_from_slice(b" { ");
            self.aside.extend_from_slice(&inner);
            self.aside.extend_from_slice(b"} ");
        }
    }

    /// Writes something that MDL cannot represent into the comment before the block, or reports that it is left out.
    fn aside(&mut self, what: &str, print: impl FnOnce(&mut Self)) {
        let (kind, index) = self.place;
        let path = format!("{}[{index}].{what}", kind.tag());
        if self.plain {
            return self.report.dropped(path, "MDL cannot represent it");
        }
        self.report.add(Outcome::KeptAside, path, "in a comment, since MDL cannot represent it");
        self.write_aside(print);
    }

    fn write_aside(&mut self, print: impl FnOnce(&mut Self)) {
        let flat = std::mem::replace(&mut self.flat, true);
        if flat {
            return print(self);
        }
        std::mem::swap(&mut self.out, &mut self.aside);
        print(self);
        std::mem::swap(&mut self.out, &mut self.aside);
        self.flat = false;
    }

    #[inline]
    fn raw(&mut self, text: &[u8]) {
        self.out.extend_from_slice(text);
    }

    #[inline]
    fn indent(&mut self) {
        if !self.flat {
            match self.depth {
                2 => self.out.extend_from_slice(b"\t\t"),
                depth => (0..depth).for_each(|_| self.out.push(b'\t')),
            }
        }
    }

    #[inline]
    fn end_line(&mut self) {
        self.out.push(if self.flat { b' ' } else { b'\n' });
    }

    /// `Word {`
    fn open(&mut self, word: &str) {
        self.indent();
        self.raw(word.as_bytes());
        self.begin();
    }

    /// ` {`, and one deeper.
    fn begin(&mut self) {
        self.raw(b" {");
        self.end_line();
        self.depth += 1;
    }

    /// `Word 3 {`
    fn open_counted(&mut self, word: &str, count: usize) {
        self.indent();
        self.raw(word.as_bytes());
        self.out.push(b' ');
        self.count(count);
        self.begin();
    }

    fn close(&mut self) {
        self.depth = self.depth.saturating_sub(1);
        self.indent();
        self.out.push(b'}');
        self.end_line();
    }

    /// `Word,`
    fn flag(&mut self, word: &str) {
        self.indent();
        self.raw(word.as_bytes());
        self.end_property();
    }

    /// `Word 3,`
    fn number(&mut self, word: &str, value: i64) {
        self.indent();
        self.raw(word.as_bytes());
        self.out.push(b' ');
        number::print_int(value, &mut self.out);
        self.end_property();
    }

    /// `Word "hexadecimal",`
    fn hex(&mut self, bytes: &[u8]) {
        self.out.push(b'"');
        keep::put_hex(bytes, &mut self.out);
        self.out.push(b'"');
    }

    #[inline]
    fn end_property(&mut self) {
        self.out.extend_from_slice(if self.flat { b", " } else { b",\n" });
    }

    fn count(&mut self, count: usize) {
        number::print_int(i64::try_from(count).unwrap_or(i64::MAX), &mut self.out);
    }

    #[inline]
    fn float(&mut self, value: f32) {
        self.loses_bits |= number::loses_bits(value);
        number::print_float(value, &mut self.out);
    }

    /// `{ 1, 2, 3 }`
    #[inline]
    fn floats(&mut self, values: impl IntoIterator<Item = f32>) {
        self.raw(b"{ ");
        for (index, value) in values.into_iter().enumerate() {
            if index > 0 {
                self.raw(b", ");
            }
            self.float(value);
        }
        self.raw(b" }");
    }

    /// `{ 1, 2, 3 }`
    #[inline]
    fn ints(&mut self, values: impl IntoIterator<Item = i64>) {
        self.raw(b"{ ");
        for (index, value) in values.into_iter().enumerate() {
            if index > 0 {
                self.raw(b", ");
            }
            number::print_int(value, &mut self.out);
        }
        self.raw(b" }");
    }
}
