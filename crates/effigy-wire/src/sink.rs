//! Writing: one interface for collecting bytes, comparing them with a source, and walking over the fields.

use crate::{Error, Label, Leaf, Result, Visitor};

/// The position of a size word that is filled in when its block is complete.
#[derive(Clone, Copy, Debug)]
#[must_use = "a size word that is never finished stays zero"]
pub struct Mark(usize);

/// The target of a writer.
///
/// [`Sink::enter`], [`Sink::leave`] and [`Sink::show`] describe the meaning of the bytes; only [`Dump`] uses them.
pub trait Sink {
    /// Whether [`Sink::show`] has an effect. When it has none, a writer can skip costly descriptions.
    const TALKS: bool = false;

    /// Writes bytes.
    fn put(&mut self, bytes: &[u8]);

    /// Writes an array that was read in one copy and is written in one copy. A comparison may assume that the bytes are the
    /// same when the array has the same offset and length as in the source.
    #[inline]
    fn put_copy(&mut self, bytes: &[u8]) {
        self.put(bytes);
    }

    /// Offset of the next byte.
    fn position(&self) -> usize;

    /// Reserves space for a size word.
    fn begin_size(&mut self) -> Mark {
        let mark = Mark(self.position());
        self.put(&[0; 4]);
        mark
    }

    /// Fills in a size word.
    fn finish_size(&mut self, mark: Mark, word: u32);

    /// Records that a list has more elements or bytes than its count field can hold.
    fn too_large(&mut self, count: usize);

    /// A part begins.
    #[inline]
    fn enter(&mut self, _label: Label<'_>) {}

    /// The part that began last ends.
    #[inline]
    fn leave(&mut self) {}

    /// The meaning of the bytes that are written next.
    #[inline]
    fn show(&mut self, _leaf: Leaf<'_>) {}

    /// Whether [`Sink::show`] wants arrays that have to be assembled first.
    #[inline]
    fn wants_gathered(&self) -> bool {
        Self::TALKS
    }

    /// Writes a count or length as a `u32`.
    #[inline]
    fn count(&mut self, count: usize) {
        let word = self.word(count);
        self.put(&word.to_le_bytes());
    }

    /// A count as a `u32`; records when it does not fit.
    #[inline]
    fn word(&mut self, count: usize) -> u32 {
        u32::try_from(count).unwrap_or_else(|_| {
            self.too_large(count);
            u32::MAX
        })
    }

    /// Bytes written since the mark, including the size word itself.
    #[inline]
    fn since(&mut self, mark: &Mark) -> u32 {
        let length = self.position().saturating_sub(mark.0);
        self.word(length)
    }

    /// Fills in a size that includes its own word.
    #[inline]
    fn end_inclusive(&mut self, mark: Mark) {
        let word = self.since(&mark);
        self.finish_size(mark, word);
    }

    /// Fills in a size of 24 bits that includes its own word, with another value in the top byte.
    #[inline]
    fn end_with_top(&mut self, mark: Mark, top: u8) {
        let length = self.since(&mark);
        if length > 0x00ff_ffff {
            self.too_large(length as usize);
        }
        self.finish_size(mark, (length & 0x00ff_ffff) | (u32::from(top) << 24));
    }

    /// Fills in a size that does not include its own word.
    #[inline]
    fn end_exclusive(&mut self, mark: Mark) {
        let word = self.since(&mark).saturating_sub(4);
        self.finish_size(mark, word);
    }
}

/// Collects bytes.
#[derive(Debug, Default)]
pub struct Buffer {
    bytes: Vec<u8>,
    too_large: Option<usize>,
}

impl Buffer {
    /// An empty buffer with room for `capacity` bytes.
    #[must_use]
    pub fn with_capacity(capacity: usize) -> Self {
        Self { bytes: Vec::with_capacity(capacity), too_large: None }
    }

    /// The bytes.
    ///
    /// # Errors
    /// When something was too large for its count.
    pub fn into_bytes(self) -> Result<Vec<u8>> {
        match self.too_large {
            None => Ok(self.bytes),
            Some(count) => Err(Error::unrepresentable(format!(
                "{count} elements or bytes are more than their count field can hold"
            ))),
        }
    }
}

impl Sink for Buffer {
    #[inline]
    fn put(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    #[inline]
    fn position(&self) -> usize {
        self.bytes.len()
    }

    #[inline]
    fn finish_size(&mut self, mark: Mark, word: u32) {
        if let Some(place) = self.bytes.get_mut(mark.0..mark.0.saturating_add(4)) {
            place.copy_from_slice(&word.to_le_bytes());
        }
    }

    #[cold]
    fn too_large(&mut self, count: usize) {
        self.too_large.get_or_insert(count);
    }
}

/// Compares what a writer writes with the bytes that the value was read from, and stores nothing.
#[derive(Debug)]
pub struct Compare<'a> {
    source: &'a [u8],
    position: usize,
    equal: bool,
    trusting: bool,
}

impl<'a> Compare<'a> {
    /// A comparison with all of these bytes.
    #[must_use]
    pub const fn new(source: &'a [u8]) -> Self {
        Self { source, position: 0, equal: true, trusting: false }
    }

    /// A comparison that skips the content of arrays which were copied from these bytes just before, so that a reader does not
    /// read large arrays twice. Their offsets and lengths are still compared.
    #[must_use]
    pub const fn trusting_copies(source: &'a [u8]) -> Self {
        Self { source, position: 0, equal: true, trusting: true }
    }

    /// Whether exactly the source's bytes were written.
    #[must_use]
    pub const fn is_equal(&self) -> bool {
        self.equal && self.position == self.source.len()
    }
}

impl Sink for Compare<'_> {
    #[inline]
    fn put_copy(&mut self, bytes: &[u8]) {
        if self.trusting {
            self.position = self.position.saturating_add(bytes.len());
            self.equal = self.equal && self.position <= self.source.len();
        } else {
            self.put(bytes);
        }
    }

    #[inline]
    fn put(&mut self, bytes: &[u8]) {
        let end = self.position.saturating_add(bytes.len());
        self.equal = self.equal && self.source.get(self.position..end) == Some(bytes);
        self.position = end;
    }

    #[inline]
    fn position(&self) -> usize {
        self.position
    }

    #[inline]
    fn begin_size(&mut self) -> Mark {
        let mark = Mark(self.position);
        self.position = self.position.saturating_add(4);
        mark
    }

    #[inline]
    fn finish_size(&mut self, mark: Mark, word: u32) {
        let stated = self.source.get(mark.0..mark.0.saturating_add(4));
        self.equal = self.equal && stated == Some(&word.to_le_bytes());
    }

    #[cold]
    fn too_large(&mut self, _count: usize) {
        self.equal = false;
    }
}

/// Turns a writer into a walk over the fields that it writes, with their offsets. The bytes are discarded.
pub struct Dump<'a> {
    visitor: &'a mut dyn Visitor,
    position: usize,
    /// Offsets are only reported where the writer's bytes are known to be the file's bytes.
    offsets: bool,
}

impl<'a> Dump<'a> {
    /// A walk that starts at this offset of the file; without `offsets`, no offsets are reported.
    pub fn new(visitor: &'a mut dyn Visitor, position: usize, offsets: bool) -> Self {
        Self { visitor, position, offsets }
    }
}

impl Sink for Dump<'_> {
    const TALKS: bool = true;

    fn put(&mut self, bytes: &[u8]) {
        self.position = self.position.saturating_add(bytes.len());
    }

    fn position(&self) -> usize {
        self.position
    }

    fn finish_size(&mut self, _mark: Mark, _word: u32) {}

    fn too_large(&mut self, _count: usize) {}

    fn enter(&mut self, label: Label<'_>) {
        self.visitor.enter(label, self.offsets.then_some(self.position));
    }

    fn leave(&mut self) {
        self.visitor.leave();
    }

    fn show(&mut self, leaf: Leaf<'_>) {
        self.visitor.leaf(leaf);
    }

    fn wants_gathered(&self) -> bool {
        self.visitor.wants_gathered()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put_block(sink: &mut impl Sink) {
        let mark = sink.begin_size();
        sink.put(b"abc");
        sink.end_inclusive(mark);
    }

    #[test]
    fn comparing_agrees_with_collecting() {
        let mut buffer = Buffer::default();
        put_block(&mut buffer);
        let bytes = buffer.into_bytes().unwrap();
        assert_eq!(bytes, b"\x07\0\0\0abc");

        let same = |source: &[u8]| {
            let mut compare = Compare::new(source);
            put_block(&mut compare);
            compare.is_equal()
        };
        assert!(same(&bytes));
        for at in 0..bytes.len() {
            let mut other = bytes.clone();
            other[at] ^= 1;
            assert!(!same(&other), "byte {at} differs");
            assert!(!same(&bytes[..at]), "cut at {at}");
        }
        assert!(!same(&[&bytes[..], b"x"].concat()));
    }

    #[test]
    fn a_count_that_does_not_fit_is_an_error_at_the_end() {
        let mut buffer = Buffer::default();
        buffer.count(usize::MAX);
        assert!(buffer.into_bytes().is_err());
    }
}
