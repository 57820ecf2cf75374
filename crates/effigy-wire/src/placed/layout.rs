//! Sizes and offsets.

use crate::{Buffer, Dump, Error, Label, Leaf, Result, Visitor, Wire};

/// The layout of a file whose parts are not in the usual order, or that has bytes between them.
#[derive(Clone, Debug, PartialEq)]
pub struct Placement<L> {
    /// The offset of every part.
    pub layout: L,
    /// The lengths of all lists when the file was read; the layout is only valid for the same lengths.
    pub shape: Vec<usize>,
    /// Non-zero bytes that do not belong to any part, with their offsets.
    pub filler: Vec<(usize, Vec<u8>)>,
    /// Whether parts share bytes, so that an edit of one of them may contradict another.
    pub overlaps: bool,
}

/// Assigns offsets one after the other.
#[derive(Clone, Copy, Debug)]
pub struct Places {
    /// The next free offset.
    pub next: usize,
}

impl Places {
    /// The offset of a part of this many elements of this size; the next part comes after it.
    ///
    /// # Errors
    /// When an offset does not fit into 31 bits.
    pub fn take(&mut self, count: usize, size: usize) -> Result<i32> {
        let at = self.offset()?;
        self.next =
            count.checked_mul(size).and_then(|bytes| self.next.checked_add(bytes)).ok_or_else(too_large)?;
        Ok(at)
    }

    /// The next free offset as files state it.
    ///
    /// # Errors
    /// When it does not fit into 31 bits.
    pub fn offset(&self) -> Result<i32> {
        i32::try_from(self.next).map_err(|_| too_large())
    }
}

/// The error for models that offsets of 31 bits cannot describe.
#[must_use]
pub fn too_large() -> Error {
    Error::unrepresentable("the model is larger than 2 GiB, the limit of the format's offsets")
}

/// Size of a record in bytes.
#[must_use]
pub fn bytes_of<T: Wire<C> + Default, C: Copy>(caps: C) -> usize {
    let mut buffer = Buffer::default();
    T::default().write(&mut buffer, caps);
    buffer.into_bytes().map_or(0, |bytes| bytes.len())
}

/// Offset of a field in its record.
#[must_use]
pub fn offset_of<T: Wire<C> + Default, C: Copy>(caps: C, field: &str) -> usize {
    struct Find<'a>(&'a str, usize);
    impl Visitor for Find<'_> {
        fn enter(&mut self, label: Label<'_>, offset: Option<usize>) {
            if label == Label::Field(self.0) {
                self.1 = offset.unwrap_or(0);
            }
        }
        fn leaf(&mut self, _: Leaf<'_>) {}
        fn leave(&mut self) {}
    }
    let mut find = Find(field, 0);
    T::default().write(&mut Dump::new(&mut find, 0, true), caps);
    find.1
}
