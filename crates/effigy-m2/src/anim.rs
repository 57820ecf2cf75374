//! `.anim` files: the keys of one sequence of a 264 model, at the offsets that the model's tracks state.

use crate::block::{Block, Element, Key};
use crate::codes;
use crate::coverage::Coverage;
use crate::load::{Frame, append};
use crate::series::{Part, Series, word};
use crate::skin::stem;
use crate::walk::WalkerMut;
use effigy_wire::{Diagnostic, Diagnostics, Result, Severity};

/// A `.anim` file that is attached to a model: its keys are in the model's tracks.
#[derive(Clone, Debug)]
pub(crate) struct Anim {
    /// The sequence that it belongs to.
    pub sequence: usize,
    pub frame: Frame,
}

/// Fills one sequence's lists from its file.
pub(crate) struct AnimLoader<'a> {
    pub source: &'a [u8],
    pub sequence: usize,
    pub coverage: Coverage,
    pub budget: usize,
    pub outside: usize,
}

impl<'a> AnimLoader<'a> {
    pub fn new(source: &'a [u8], sequence: usize) -> Self {
        Self {
            source,
            sequence,
            coverage: Coverage::new(source.len()),
            budget: source.len().saturating_mul(4).saturating_add(0x1_0000),
            outside: 0,
        }
    }

    pub fn finish(self, diagnostics: &mut Diagnostics) -> Anim {
        let Self { source, sequence, coverage, outside, .. } = self;
        if outside > 0 {
            let message = format!("{outside} lists of keys are not inside the .anim file; they are left out");
            diagnostics.push(
                Diagnostic::new(codes::ANIM_OUTSIDE, Severity::Error, message)
                    .in_path(format!("sequences[{sequence}]")),
            );
        }
        let frame = Frame {
            read: true,
            length: source.len(),
            gaps: coverage.gaps(source),
            overlaps: coverage.overlaps,
            lost: Vec::new(),
        };
        Anim { sequence, frame }
    }
}

impl WalkerMut for AnimLoader<'_> {
    fn enter(&mut self, _: &'static str) {}
    fn leave(&mut self) {}

    fn block<T: Element>(&mut self, block: &mut Block<T>) {
        if !T::LEAF {
            for item in block {
                item.walk_mut(self);
            }
        }
    }

    fn series<T: Key>(&mut self, series: &mut Series<T>, bound: bool) {
        let Some(part) = series.parts.get_mut(self.sequence).filter(|part| bound && part.is_absent()) else {
            return;
        };
        let start = part.offset as usize;
        let length = (part.count as usize).saturating_mul(size_of::<T>());
        match self.source.get(start..start.saturating_add(length)) {
            Some(bytes) if length <= self.budget => {
                self.budget = self.budget.saturating_sub(length);
                self.coverage.mark(start, length);
                part.start = word(series.items.len());
                append(&mut series.items, bytes);
            }
            _ => self.outside = self.outside.saturating_add(1),
        }
    }
}

/// Takes one sequence's lists out of the tracks again.
pub(crate) struct AnimUnloader {
    pub sequence: usize,
}

impl WalkerMut for AnimUnloader {
    fn enter(&mut self, _: &'static str) {}
    fn leave(&mut self) {}

    fn block<T: Element>(&mut self, block: &mut Block<T>) {
        if !T::LEAF {
            for item in block {
                item.walk_mut(self);
            }
        }
    }

    fn series<T: Key>(&mut self, series: &mut Series<T>, bound: bool) {
        if bound && let Some(part) = series.parts.get_mut(self.sequence).filter(|part| part.count > 0) {
            part.start = Part::ABSENT;
        }
    }
}

/// The name of a sequence's `.anim` file: `Imp0060-01.anim` is animation 60, variation 1 of `Imp.m2`.
pub(crate) fn file_name(model: &str, id: u16, variation: u16) -> Result<String> {
    Ok(format!("{}{id:04}-{variation:02}.anim", stem(model)?))
}
