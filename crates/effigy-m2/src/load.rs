//! Reading: the walker that loads blocks from the file.
//!
//! A count or an offset that does not fit into the file loses that block only: its count and offset are kept and
//! written back, and a diagnostic reports it. Nothing is allocated before the array is known to be inside the file.

use crate::block::{Block, Element, Key};
use crate::codes;
use crate::coverage::{Coverage, Gap};
use crate::series::{Part, Series, word};
use crate::upgrade::aside::Aside;
use crate::version::Caps;
use crate::walk::WalkerMut;
use effigy_wire::bytemuck;
use effigy_wire::{Code, Cursor, Diagnostic, Diagnostics, Limits, Severity};
use std::fmt::Write;

/// One part of the path to a block.
#[derive(Clone, Copy)]
enum Step {
    Field(&'static str),
    Index(usize),
}

/// What is known about a file apart from its blocks.
#[derive(Clone, Debug, Default)]
pub(crate) struct Frame {
    /// Whether the offsets of the blocks come from a file.
    pub read: bool,
    /// Length of the file in bytes.
    pub length: usize,
    /// Bytes that do not belong to any block.
    pub gaps: Vec<Gap>,
    /// Whether blocks overlap.
    pub overlaps: bool,
    /// Paths of the blocks that could not be read.
    pub lost: Vec<String>,
}

pub(crate) struct Loader<'a> {
    source: &'a [u8],
    /// Offset of the source in the file, for messages.
    base: usize,
    caps: Caps,
    coverage: Coverage,
    /// Bytes that may still be read. In valid files each byte belongs to about one block; without this limit a small
    /// file with many overlapping blocks could need any amount of memory.
    budget: usize,
    records: usize,
    path: Vec<Step>,
    /// For each sequence, whether its keys are in a `.anim` file.
    pub external: Vec<bool>,
    pub diagnostics: &'a mut Diagnostics,
    lost: Vec<String>,
}

impl<'a> Loader<'a> {
    pub fn new(
        source: &'a [u8],
        base: usize,
        caps: Caps,
        limits: &Limits,
        diagnostics: &'a mut Diagnostics,
    ) -> Self {
        Self {
            source,
            base,
            caps,
            coverage: Coverage::new(source.len()),
            budget: source.len().saturating_mul(4).saturating_add(0x1_0000),
            records: limits.records,
            path: Vec::with_capacity(8),
            external: Vec::new(),
            diagnostics,
            lost: Vec::new(),
        }
    }

    /// Marks the header, which is not part of any block.
    pub fn mark(&mut self, start: usize, length: usize) {
        self.coverage.mark(start, length);
    }

    /// The frame of the file, once all blocks are loaded.
    pub fn finish(self) -> Frame {
        let gaps = self.coverage.gaps(self.source);
        if self.coverage.overlaps {
            self.diagnostics.push(Diagnostic::new(
                codes::BLOCKS_OVERLAP,
                Severity::Warning,
                "some blocks overlap",
            ));
        }
        if let Some(first) = gaps.first().filter(|first| !Aside::begins(&first.bytes)) {
            let bytes: usize = gaps.iter().map(|gap| gap.bytes.len()).sum();
            self.diagnostics.push(
                Diagnostic::new(
                    codes::BYTES_UNNAMED,
                    Severity::Unused,
                    format!("{bytes} non-zero bytes do not belong to any block; they are kept"),
                )
                .at(self.base.saturating_add(first.offset)),
            );
        }
        let overlaps = self.coverage.overlaps;
        Frame { read: true, length: self.source.len(), gaps, overlaps, lost: self.lost }
    }

    fn path(&self) -> String {
        let mut path = String::new();
        for step in &self.path {
            match step {
                Step::Field(name) if path.is_empty() => path.push_str(name),
                Step::Field(name) => {
                    let _ = write!(path, ".{name}");
                }
                Step::Index(index) => {
                    let _ = write!(path, "[{index}]");
                }
            }
        }
        path
    }

    #[cold]
    fn lose(&mut self, code: Code, offset: usize, message: String) {
        let path = self.path();
        self.diagnostics.push(
            Diagnostic::new(code, Severity::Error, message)
                .at(self.base.saturating_add(offset))
                .in_path(&path),
        );
        if self.lost.len() < 1000 {
            self.lost.push(path);
        }
    }

    /// The bytes of an array, or `None` and a diagnostic when it is not inside the file.
    #[inline]
    fn array(&mut self, offset: u32, count: usize, size: usize) -> Option<&'a [u8]> {
        let start = offset as usize;
        let found = count
            .checked_mul(size)
            .and_then(|length| start.checked_add(length))
            .and_then(|end| self.source.get(start..end));
        match found {
            Some(bytes) if bytes.len() <= self.budget => {
                self.budget = self.budget.saturating_sub(bytes.len());
                self.coverage.mark(start, bytes.len());
                Some(bytes)
            }
            Some(_) => {
                let message = "too many blocks share these bytes; this one is left out";
                self.lose(codes::BLOCKS_PILED, start, message.to_owned());
                None
            }
            None => {
                let needs = (count as u128).saturating_mul(size as u128);
                let left = self.source.len().saturating_sub(start);
                let message = format!(
                    "{count} elements need {needs} bytes, but {left} are left; the block is left out"
                );
                self.lose(codes::BLOCK_OUTSIDE, start, message);
                None
            }
        }
    }

    fn parts<T: Key>(&mut self, series: &mut Series<T>, table: &[u8], bound: bool) {
        let pairs = table.as_chunks::<8>().0;
        let mut parts = Vec::with_capacity(pairs.len());
        let mut items: Vec<T> = Vec::new();
        // Memory for all arrays is reserved once, up to what may still be read: the stated counts are untrusted.
        let stated: usize = pairs.iter().fold(0, |sum, pair| sum.saturating_add(split(pair).0 as usize));
        items.reserve(stated.min(self.budget / size_of::<T>().max(1)));
        for (index, pair) in pairs.iter().enumerate() {
            let (count, offset) = split(pair);
            let mut part = Part { count, offset, start: Part::ABSENT, room: count };
            if count == 0 {
                part.start = word(items.len());
            } else if !(bound && self.external.get(index) == Some(&true)) {
                self.path.push(Step::Index(index));
                if let Some(bytes) = self.array(offset, count as usize, size_of::<T>()) {
                    part.start = word(items.len());
                    append(&mut items, bytes);
                }
                self.path.pop();
            }
            parts.push(part);
        }
        series.items = items;
        series.parts = parts;
    }
}

#[inline]
fn split(pair: &[u8; 8]) -> (u32, u32) {
    let [a, b, c, d, e, f, g, h] = *pair;
    (u32::from_le_bytes([a, b, c, d]), u32::from_le_bytes([e, f, g, h]))
}

/// Appends items from bytes, whatever their alignment.
pub(crate) fn append<T: Key>(items: &mut Vec<T>, bytes: &[u8]) {
    let start = items.len();
    items.resize(start.saturating_add(bytes.len() / size_of::<T>().max(1)), T::zeroed());
    if let Some(place) = items.get_mut(start..) {
        bytemuck::cast_slice_mut::<T, u8>(place).copy_from_slice(bytes);
    }
}

impl WalkerMut for Loader<'_> {
    #[inline]
    fn enter(&mut self, field: &'static str) {
        self.path.push(Step::Field(field));
    }

    #[inline]
    fn leave(&mut self) {
        self.path.pop();
    }

    fn block<T: Element>(&mut self, block: &mut Block<T>) {
        if block.unread == 0 {
            return;
        }
        let count = block.unread as usize;
        let offset = block.place.offset;
        if !T::LEAF {
            if count > self.records {
                self.lose(
                    codes::BLOCKS_PILED,
                    offset as usize,
                    format!("{count} records exceed the limit; the block is left out"),
                );
                return;
            }
            self.records = self.records.saturating_sub(count);
        }
        let Some(bytes) = self.array(offset, count, T::size(self.caps)) else { return };
        let mut cursor = Cursor::at(bytes, self.base.saturating_add(offset as usize));
        match T::read_all(&mut cursor, count, self.caps) {
            Ok(items) => block.fill(items, bytes.len()),
            Err(error) => return self.lose(codes::BLOCK_OUTSIDE, offset as usize, error.to_string()),
        }
        if !T::LEAF {
            for (index, item) in block.iter_mut().enumerate() {
                self.path.push(Step::Index(index));
                item.walk_mut(self);
                self.path.pop();
            }
        }
    }

    fn series<T: Key>(&mut self, series: &mut Series<T>, bound: bool) {
        if series.unread == 0 {
            return;
        }
        let nested = self.caps.contains(Caps::NESTED);
        let size = if nested { 8 } else { size_of::<T>() };
        let count = series.unread as usize;
        let Some(bytes) = self.array(series.place.offset, count, size) else { return };
        series.unread = 0;
        series.place.room = bytes.len();
        if nested {
            self.parts(series, bytes, bound);
        } else {
            series.items = bytemuck::pod_collect_to_vec(bytes);
        }
    }
}
