//! The frame of the file: the order of chunks, and chunks that are not records. They are kept in one comment when they differ
//! from those of a new model.

use super::Printer;
use crate::chunks::ChunkKind;
use crate::model::{Content, Model, stray_caps};
use crate::text::{keep, number};
use crate::write::{Step, plan};
use effigy_wire::{Buffer, Outcome, Wire};
use std::ops::Range;

impl Printer<'_> {
    /// Inserts the comment about chunks at this position, if one is needed.
    pub(super) fn chunks(&mut self, at: usize) {
        let model = self.model;
        let steps = plan(model);
        if self.plain {
            return self.report_chunks(&steps);
        }
        let again = if self.loses_bits { crate::text::parse(&self.out).ok() } else { None };
        let exact: Vec<Option<(Vec<u8>, u64)>> =
            steps.iter().map(|step| exact(model, step, again.as_ref())).collect();
        if is_usual(model, &steps) && exact.iter().all(Option::is_none) {
            return;
        }
        self.report.add(Outcome::KeptAside, "chunks", "their order and unknown bytes, in a comment");
        self.write_aside(|printer| {
            printer.raw(b"Chunks { ");
            for (step, exact) in steps.iter().zip(&exact) {
                printer.step(step, exact.as_ref(), &steps);
            }
            printer.raw(b"}");
        });
        let aside = std::mem::take(&mut self.aside);
        self.comment_at(at, &aside);
    }

    fn step(&mut self, step: &Step<'_>, exact: Option<&(Vec<u8>, u64)>, all: &[Step<'_>]) {
        match &step.slot.content {
            Content::Version => self.raw(b"VERS"),
            Content::Records { kind, .. } => {
                if let Some((source, print)) = exact {
                    self.raw(b"Guard ");
                    self.print_tag(step);
                    self.raw(format!(" {} \"{print:016x}\" ", step.range.len()).as_bytes());
                    self.hex(source);
                } else {
                    self.print_tag(step);
                    let same = |other: &&Step<'_>| matches!(other.slot.content, Content::Records { kind: of, .. } if of == *kind);
                    if all.iter().filter(same).count() > 1 {
                        self.out.push(b' ');
                        self.count(step.range.len());
                    }
                }
            }
            Content::Kept { payload, size, .. } => {
                self.raw(b"Kept \"");
                self.raw(&step.slot.tag.0);
                self.raw(b"\" ");
                number::print_int((*size).into(), &mut self.out);
                self.out.push(b' ');
                self.hex(payload);
            }
            Content::Stray(bytes) => {
                self.raw(b"Stray ");
                self.hex(bytes);
            }
            Content::Track(track) => {
                // Not as values: text loses the bits of unusual numbers.
                let mut buffer = Buffer::with_capacity(1 << 8);
                track.write(&mut buffer, stray_caps());
                self.raw(b"Track ");
                self.hex(&buffer.into_bytes().unwrap_or_default());
            }
        }
        self.raw(b", ");
    }

    fn print_tag(&mut self, step: &Step<'_>) {
        self.raw(&step.slot.tag.0);
    }

    fn report_chunks(&mut self, steps: &[Step<'_>]) {
        for step in steps {
            let tag = step.slot.tag.to_string();
            match &step.slot.content {
                Content::Kept { .. } => self.report.dropped(tag, "MDL cannot represent unknown chunks"),
                Content::Stray(_) => self.report.dropped("stray bytes", "MDL cannot represent them"),
                Content::Track(_) => {
                    self.report.dropped(tag, "MDL cannot represent tracks outside of records")
                }
                Content::Records { guard: Some(_), .. } => {
                    self.report.approximated(tag, "its values are kept, but not its unusual bytes");
                }
                _ => {}
            }
        }
        if !is_usual(self.model, steps) {
            self.report.rebuilt("chunks", "in the usual order");
        }
        if self.loses_bits {
            self.report.approximated("numbers", "NaN values lose their unusual bits");
        }
    }
}

/// Whether the chunks are in the order of a new model.
fn is_usual(model: &Model, steps: &[Step<'_>]) -> bool {
    let mut usual = ChunkKind::ALL
        .iter()
        .filter(|kind| model.lists.count(**kind) > 0 && model.caps().contains(kind.needs()));
    let Some((first, rest)) = steps.split_first() else { return false };
    let same = |step: &Step<'_>| match &step.slot.content {
        Content::Records { kind, .. } => usual.next() == Some(kind),
        _ => false,
    };
    matches!(first.slot.content, Content::Version) && rest.iter().all(same) && usual.next().is_none()
}

/// The bytes of a chunk that its values do not reproduce, and the fingerprint of what they produce.
fn exact(model: &Model, step: &Step<'_>, again: Option<&Model>) -> Option<(Vec<u8>, u64)> {
    let Content::Records { kind, guard, .. } = &step.slot.content else { return None };
    let (guarded, parsed) = match (guard, again) {
        (None, None) => return None,
        _ => {
            let payload = payload(model, *kind, &step.range)?;
            let parsed = match again {
                Some(again) => self::payload(again, *kind, &step.range)?,
                None => payload.clone(),
            };
            let source = match guard {
                Some(guard) if guard.canonical == payload => Some(guard.source.clone()),
                _ => (parsed != payload).then_some(payload),
            };
            (source, parsed)
        }
    };
    Some((guarded?, keep::fingerprint(&parsed)))
}

/// A chunk's payload from the values of these records.
pub(in crate::text) fn payload(model: &Model, kind: ChunkKind, range: &Range<usize>) -> Option<Vec<u8>> {
    let mut buffer = Buffer::with_capacity(1 << 12);
    model.lists.write(kind, range.clone(), &mut buffer, model.caps());
    buffer.into_bytes().ok()
}
