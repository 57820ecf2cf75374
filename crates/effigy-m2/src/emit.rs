//! Writing: the walker that puts every block at its offset.

use crate::block::{Block, Element, Key};
use crate::load::Frame;
use crate::series::Series;
use crate::version::Caps;
use crate::walk::{Tree, Walker};
use effigy_wire::bytemuck::cast_slice;
use effigy_wire::{Error, Mark, Result, Sink};

/// Writes at an offset of a file in memory.
pub(crate) struct At<'a> {
    out: &'a mut Vec<u8>,
    position: usize,
    too_large: bool,
}

impl<'a> At<'a> {
    pub const fn new(out: &'a mut Vec<u8>, position: usize) -> Self {
        Self { out, position, too_large: false }
    }
}

impl Sink for At<'_> {
    #[inline]
    fn put(&mut self, bytes: &[u8]) {
        let end = self.position.saturating_add(bytes.len());
        if end > self.out.len() {
            self.out.resize(end, 0);
        }
        if let Some(place) = self.out.get_mut(self.position..end) {
            place.copy_from_slice(bytes);
        }
        self.position = end;
    }

    fn position(&self) -> usize {
        self.position
    }

    fn finish_size(&mut self, _: Mark, _: u32) {}

    fn too_large(&mut self, _: usize) {
        self.too_large = true;
    }
}

/// Which file of a model is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum File {
    /// The model, or a `.skin`.
    Model,
    /// The `.anim` of a sequence.
    Anim(usize),
}

/// Writes all blocks of one file.
pub(crate) struct Emit<'a> {
    pub out: Vec<u8>,
    pub caps: Caps,
    pub file: File,
    /// For each sequence, whether its keys are in a `.anim` file.
    pub external: &'a [bool],
    too_large: bool,
}

impl<'a> Emit<'a> {
    /// A file that holds only the bytes that do not belong to any block.
    pub fn new(frame: &Frame, caps: Caps, file: File, external: &'a [bool]) -> Self {
        let mut out = vec![0; frame.length];
        for gap in &frame.gaps {
            At::new(&mut out, gap.offset).put(&gap.bytes);
        }
        Self { out, caps, file, external, too_large: false }
    }

    pub fn put(&mut self, offset: usize, write: impl FnOnce(&mut At<'_>)) {
        let mut at = At::new(&mut self.out, offset);
        write(&mut at);
        self.too_large |= at.too_large;
    }

    /// The finished file.
    pub fn finish(self) -> Result<Vec<u8>> {
        if self.too_large {
            return Err(Error::unrepresentable("a number or an array is too large for this version"));
        }
        Ok(self.out)
    }

    /// Whether list `index` belongs into the file that is written.
    fn is_here(&self, index: usize, bound: bool) -> bool {
        let external = bound && self.external.get(index) == Some(&true);
        match self.file {
            File::Model => !external,
            File::Anim(sequence) => external && sequence == index,
        }
    }
}

impl<'a> Walker<'a> for Emit<'_> {
    fn enter(&mut self, _: &'static str) {}
    fn leave(&mut self) {}

    fn block<T: Element>(&mut self, block: &'a Block<T>) {
        if block.is_empty() {
            return;
        }
        if self.file == File::Model {
            let caps = self.caps;
            self.put(block.place.offset as usize, |at| T::write_all(block, at, caps));
        }
        if !T::LEAF {
            for item in block {
                item.walk(self);
            }
        }
    }

    fn series<T: Key>(&mut self, series: &'a Series<T>, bound: bool) {
        if !self.caps.contains(Caps::NESTED) {
            if self.file == File::Model && !series.items.is_empty() {
                self.put(series.place.offset as usize, |at| at.put(cast_slice(&series.items)));
            }
            return;
        }
        if self.file == File::Model && !series.parts.is_empty() {
            self.put(series.place.offset as usize, |at| {
                for part in &series.parts {
                    at.put(&part.count.to_le_bytes());
                    at.put(&part.written_offset().to_le_bytes());
                }
            });
        }
        for (index, part) in series.parts.iter().enumerate() {
            if part.count > 0
                && self.is_here(index, bound)
                && let Some(items) = series.items.get(part.range())
            {
                self.put(part.offset as usize, |at| at.put(cast_slice(items)));
            }
        }
    }
}

/// Whether every block still fits at its old offset, and whether a written file contains every block unchanged.
pub(crate) struct Check<'a> {
    pub caps: Caps,
    pub external: &'a [bool],
    /// The written file, if overlapping blocks may have overwritten each other.
    pub written: Option<&'a [u8]>,
    pub fits: bool,
}

impl Check<'_> {
    fn range(&mut self, offset: u32, bytes: usize, room: usize, want: impl FnOnce(&mut Vec<u8>)) {
        self.fits = self.fits && bytes <= room;
        if let (true, true, Some(written)) = (self.fits, bytes > 0, self.written) {
            let mut wanted = Vec::with_capacity(bytes);
            want(&mut wanted);
            let start = offset as usize;
            self.fits = written.get(start..start.saturating_add(wanted.len())) == Some(wanted.as_slice());
        }
    }
}

impl<'a> Walker<'a> for Check<'_> {
    fn enter(&mut self, _: &'static str) {}
    fn leave(&mut self) {}

    fn block<T: Element>(&mut self, block: &'a Block<T>) {
        if block.is_empty() {
            return;
        }
        let caps = self.caps;
        let bytes = block.len().saturating_mul(T::size(caps));
        self.range(block.place.offset, bytes, block.place.room, |want| {
            T::write_all(block, &mut At::new(want, 0), caps);
        });
        if !T::LEAF {
            for item in block {
                item.walk(self);
            }
        }
    }

    fn series<T: Key>(&mut self, series: &'a Series<T>, bound: bool) {
        let nested = self.caps.contains(Caps::NESTED);
        let bytes =
            if nested { series.parts.len().saturating_mul(8) } else { size_of_val(series.items.as_slice()) };
        self.range(series.place.offset, bytes, series.place.room, |want| {
            if nested {
                for part in &series.parts {
                    want.extend(part.count.to_le_bytes());
                    want.extend(part.written_offset().to_le_bytes());
                }
            } else {
                want.extend_from_slice(cast_slice(&series.items));
            }
        });
        for (index, part) in series.parts.iter().enumerate() {
            let Some(items) = series.items.get(part.range()) else { continue };
            let external = bound && self.external.get(index) == Some(&true);
            let written = if external { self.written.take() } else { None };
            self.range(
                part.offset,
                size_of_val(items),
                (part.room as usize).saturating_mul(size_of::<T>()),
                |want| {
                    want.extend_from_slice(cast_slice(items));
                },
            );
            if external {
                self.written = written;
            }
        }
    }
}

/// Whether the blocks fit at their old offsets.
pub(crate) fn fits<T: Tree>(tree: &T, caps: Caps, external: &[bool], written: Option<&[u8]>) -> bool {
    let mut check = Check { caps, external, written, fits: true };
    tree.walk(&mut check);
    check.fits
}
