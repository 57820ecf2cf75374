//! Writing: one walk over a model puts every part at its place, and the same walk shows every field with its offset.

use super::layout::Placement;
use crate::{Error, Label, Leaf, Mark, Result, Sink, Visitor};

/// A sink that can seek.
pub trait Placed: Sink {
    /// What is put next goes to this offset.
    fn seek(&mut self, to: usize);
}

/// A whole file in memory. Parts may be put in any order; what is not put stays zero.
#[derive(Clone, Debug)]
pub struct Image {
    bytes: Vec<u8>,
    at: usize,
    compares: bool,
    sound: bool,
}

impl Image {
    /// A file of this many bytes, all zero.
    #[must_use]
    pub fn new(length: usize) -> Self {
        Self { bytes: vec![0; length], at: 0, compares: false, sound: true }
    }

    /// Whether everything that was put had a place, and was equal to what is there where it was only compared.
    #[must_use]
    pub const fn is_sound(&self) -> bool {
        self.sound
    }

    /// From now on bytes are compared with those that are there (`true`) or written (`false`).
    pub const fn compare(&mut self, compares: bool) {
        self.compares = compares;
    }

    /// The file.
    #[must_use]
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}

impl Sink for Image {
    fn put(&mut self, bytes: &[u8]) {
        let end = self.at.saturating_add(bytes.len());
        match self.bytes.get_mut(self.at..end) {
            Some(place) if self.compares => self.sound &= place == bytes,
            Some(place) => place.copy_from_slice(bytes),
            // The offset of an empty list may be anything.
            None => self.sound &= bytes.is_empty(),
        }
        self.at = end;
    }
    fn position(&self) -> usize {
        self.at
    }
    fn finish_size(&mut self, _: Mark, _: u32) {}
    fn too_large(&mut self, _: usize) {
        self.sound = false;
    }
}

impl Placed for Image {
    fn seek(&mut self, to: usize) {
        self.at = to;
    }
}

/// Passes every field and its offset to a visitor, and writes nothing.
pub struct Walk<'a> {
    visitor: &'a mut dyn Visitor,
    at: usize,
}

impl<'a> Walk<'a> {
    /// A walk from the start of the file.
    pub fn new(visitor: &'a mut dyn Visitor) -> Self {
        Self { visitor, at: 0 }
    }
}

impl Sink for Walk<'_> {
    const TALKS: bool = true;

    fn put(&mut self, bytes: &[u8]) {
        self.at = self.at.saturating_add(bytes.len());
    }
    fn position(&self) -> usize {
        self.at
    }
    fn finish_size(&mut self, _: Mark, _: u32) {}
    fn too_large(&mut self, _: usize) {}
    fn enter(&mut self, label: Label<'_>) {
        self.visitor.enter(label, Some(self.at));
    }
    fn leave(&mut self) {
        self.visitor.leave();
    }
    fn show(&mut self, leaf: Leaf<'_>) {
        self.visitor.leaf(leaf);
    }
}

impl Placed for Walk<'_> {
    fn seek(&mut self, to: usize) {
        self.at = to;
    }
}

/// Puts a named part at an offset.
pub fn part<S: Placed>(sink: &mut S, name: &'static str, at: usize, body: impl FnOnce(&mut S)) {
    sink.seek(at);
    sink.enter(Label::Field(name));
    body(sink);
    sink.leave();
}

/// The bytes of a model: with the layout that is remembered, if everything fits there, else with the usual one.
///
/// # Errors
/// When there is no usual layout, or the parts do not fit it.
pub fn write<L>(
    remembered: Option<&Placement<L>>,
    usual: impl FnOnce() -> Result<L>,
    length: impl Fn(&L) -> usize,
    put: impl Fn(&L, &mut Image),
) -> Result<Vec<u8>> {
    if let Some(placement) = remembered {
        let mut image = Image::new(length(&placement.layout));
        // Before the parts, so that it never replaces any of them.
        for (at, bytes) in &placement.filler {
            image.seek(*at);
            image.put(bytes);
        }
        put(&placement.layout, &mut image);
        if image.is_sound() && placement.overlaps {
            image.compare(true);
            put(&placement.layout, &mut image);
        }
        if image.is_sound() {
            return Ok(image.into_bytes());
        }
    }
    let usual = usual()?;
    let mut image = Image::new(length(&usual));
    put(&usual, &mut image);
    if image.is_sound() {
        Ok(image.into_bytes())
    } else {
        Err(Error::unrepresentable("the parts do not fit the file"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_put_in_any_order_and_the_rest_is_zero() {
        let mut image = Image::new(6);
        part(&mut image, "second", 4, |sink| sink.put(&[3, 4]));
        part(&mut image, "first", 1, |sink| sink.put(&[1, 2]));
        assert_eq!(image.position(), 3);
        assert!(image.is_sound());
        assert_eq!(image.into_bytes(), [0, 1, 2, 0, 3, 4]);
    }

    #[test]
    fn what_has_no_place_or_differs_is_not_sound() {
        let mut image = Image::new(2);
        image.seek(9);
        image.put(&[]);
        assert!(image.is_sound());
        image.seek(1);
        image.put(&[7, 7]);
        assert!(!image.is_sound());

        let mut image = Image::new(2);
        image.put(&[5, 6]);
        image.compare(true);
        image.seek(0);
        image.put(&[5]);
        assert!(image.is_sound());
        image.put(&[9]);
        assert!(!image.is_sound());
        assert_eq!(image.into_bytes(), [5, 6]);
    }
}
