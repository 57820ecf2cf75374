//! The layout of a file in a dump, and a model built from one.
//!
//! A part `placement` is shown where the layout is not the usual one. It has the length of the file, the bytes that do not
//! belong to any part, the offsets if the headers do not show them, and the hash of the lengths of all lists. Without it, or
//! with lists of other lengths, counts and offsets of the headers are ignored and the parts get their usual order.

use super::layout::Placement;
use crate::{Error, Kept, Kind, Label, Leaf, Locate, Number, Numbers, Result, Tree, Visitor, Wire, hash};
use std::fmt::Display;

/// How much larger than the usual file one with a layout of its own may be: the length is only a number in the text, and a
/// damaged one must not fill the memory.
const MAX_GROWTH: usize = 16;
/// The same for tiny files.
const MIN_LENGTH: usize = 1 << 20;

/// What a dump says about the layout of a file, apart from the offsets in its headers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dumped {
    /// The size of the file.
    pub length: usize,
    /// Bytes that do not belong to any part, with their offsets.
    pub filler: Vec<(usize, Vec<u8>)>,
    /// The offsets of the parts, for formats whose headers do not state them in a dump.
    pub offsets: Vec<u32>,
}

impl Dumped {
    /// Shows it. `shape`: the lengths of all lists of the model, for which it is valid.
    pub fn show(&self, shape: &[usize], visitor: &mut dyn Visitor) {
        let number = |visitor: &mut dyn Visitor, name: &str, number: usize| {
            visitor.enter(Label::Field(name), None);
            visitor.leaf(Leaf::Unsigned(number as u64));
            visitor.leave();
        };
        visitor.enter(Label::Field("placement"), None);
        visitor.kept(Kept::Shape(hash_of(shape)));
        number(visitor, "length", self.length);
        if !self.offsets.is_empty() {
            visitor.enter(Label::Field("offsets"), None);
            visitor.leaf(Leaf::Many { numbers: Numbers::U32(&self.offsets), width: 1 });
            visitor.leave();
        }
        if !self.filler.is_empty() {
            visitor.enter(Label::Field("filler"), None);
            for (index, (at, bytes)) in self.filler.iter().enumerate() {
                visitor.enter(Label::Index(index), Some(*at));
                number(visitor, "at", *at);
                visitor.enter(Label::Field("bytes"), Some(*at));
                visitor.leaf(Leaf::Bytes(bytes));
                visitor.leave();
                visitor.leave();
            }
            visitor.leave();
        }
        visitor.leave();
    }

    /// The layout that a model of these parts was dumped with. `None` if it had the usual one, or if the lists do not have
    /// the lengths (`shape`) any more that they had then. `usual`: the length of the file in the usual layout.
    ///
    /// # Errors
    /// When the part is not a placement, or the file would be far larger than its parts.
    pub fn parse(model: &Tree<'_>, shape: &[usize], usual: usize) -> Result<Option<Self>> {
        let Some(tree) = model.part("placement") else { return Ok(None) };
        let parse = || {
            tree.only(&["length", "offsets", "filler"])?;
            if tree.hash != Some(hash_of(shape)) {
                return Ok(None);
            }
            let length = number(tree, "length")?;
            let filler = tree.each("filler", |gap| {
                gap.only(&["at", "bytes"])?;
                let bytes =
                    gap.part("bytes").map_or_else(|| Ok(Vec::new()), Tree::bytes).in_field("bytes")?;
                Ok((number(gap, "at")?, bytes))
            })?;
            if length > usual.saturating_mul(MAX_GROWTH).max(MIN_LENGTH) {
                let message = format!("a file of {length} bytes is too large for parts of {usual} bytes");
                let hint = "without the part 'placement' the file has no bytes between its parts";
                return Err(Error::new(Kind::Limit, message).hint(hint)).in_field("length");
            }
            Ok(Some(Self { length, filler, offsets: tree.field("offsets", ())? }))
        };
        parse().in_field("placement")
    }

    /// The placement, with the offsets that the headers state.
    #[must_use]
    pub fn placed<L>(self, layout: L, shape: Vec<usize>) -> Placement<L> {
        // The offsets are those of a text that may have been edited: every part is compared after writing.
        Placement { layout, shape, filler: self.filler, overlaps: true }
    }
}

fn number(tree: &Tree<'_>, name: &'static str) -> Result<usize> {
    let found: u64 = tree.part(name).map_or(Ok(0), Tree::number).in_field(name)?;
    Ok(usize::try_from(found).unwrap_or(usize::MAX))
}

/// Checks a field that follows from the format, such as the version; it may be left out.
///
/// # Errors
/// When the field has another value.
pub fn stated<T: Wire<C> + PartialEq + Display, C: Copy>(
    header: &Tree<'_>,
    name: &'static str,
    caps: C,
    expected: &T,
) -> Result<()> {
    let Some(part) = header.part(name) else { return Ok(()) };
    let found = T::parse(part, caps).in_field(name)?;
    match found == *expected {
        true => Ok(()),
        false => {
            let message = format!("{expected} is needed here, not {found}");
            Err(Error::new(Kind::Malformed, message)).in_field(name)
        }
    }
}

/// Numbers in groups of `N`: the list with this name; none if it is left out.
///
/// # Errors
/// When it is not a list of such numbers, or some are left over.
pub fn numbers<T: Number + Copy, const N: usize>(tree: &Tree<'_>, name: &'static str) -> Result<Vec<[T; N]>> {
    let parse = |part: &Tree<'_>| crate::wire::grouped(&part.numbers::<T>()?);
    tree.part(name).map_or_else(|| Ok(Vec::new()), parse).in_field(name)
}

/// Bytes at the end of something; none if they are left out.
///
/// # Errors
/// When they are not written in hexadecimal.
pub fn trailing(tree: &Tree<'_>) -> Result<Vec<u8>> {
    tree.part("trailing").map_or_else(|| Ok(Vec::new()), Tree::bytes).in_field("trailing")
}

fn hash_of(shape: &[usize]) -> u64 {
    let bytes: Vec<u8> = shape.iter().flat_map(|length| (*length as u64).to_le_bytes()).collect();
    hash(&bytes)
}

/// Shows the layout of a file whose offsets are in its headers, if the visitor wants it.
pub fn show<L>(placement: &Placement<L>, length: usize, visitor: &mut dyn Visitor) {
    if visitor.wants_placement() {
        let filler = placement.filler.clone();
        Dumped { length, filler, offsets: Vec::new() }.show(&placement.shape, visitor);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Json;

    fn dumped(placement: &Placement<()>, length: usize) -> String {
        let mut json = Json::new(false);
        show(placement, length, &mut json);
        json.into_text()
    }

    fn parsed(text: &str, shape: &[usize], usual: usize) -> Result<Option<Dumped>> {
        Dumped::parse(&Tree::of(Tree::parse(text)?), shape, usual)
    }

    #[test]
    fn a_layout_comes_back_while_the_lists_have_the_same_lengths() {
        let filler = vec![(8, vec![1, 0, 255]), (40, vec![7])];
        let placement = Placement { layout: (), shape: vec![3, 5], filler, overlaps: false };
        let text = dumped(&placement, 44);
        let found = parsed(&text, &[3, 5], 40).unwrap().unwrap();
        assert_eq!((found.length, &found.filler), (44, &placement.filler));
        for other in [&[3, 6][..], &[5, 3], &[3, 5, 0], &[]] {
            assert_eq!(parsed(&text, other, 40).unwrap(), None, "{other:?}");
        }
        assert_eq!(parsed("[]", &[3, 5], 40).unwrap(), None);
    }

    #[test]
    fn a_layout_that_is_damaged_or_far_too_large_is_an_error_with_its_path() {
        let placement = Placement { layout: (), shape: vec![1], filler: vec![(2, vec![9])], overlaps: false };
        for (length, most) in [(1 << 20, 16), (1 << 21, 1 << 17)] {
            assert!(parsed(&dumped(&placement, length), &[1], most).unwrap().is_some());
            let error = parsed(&dumped(&placement, length + 1), &[1], most).unwrap_err();
            assert_eq!((error.kind(), error.path().as_str()), (Kind::Limit, "placement.length"));
        }
        let text = dumped(&placement, 4);
        for (from, to, path) in [
            ("\"09\"", "\"0\"", "placement.filler[0].bytes"),
            ("\"value\":2", "\"value\":-2", "placement.filler[0].at"),
            ("\"name\":\"filler\"", "\"name\":\"gaps\"", "placement"),
        ] {
            let error = parsed(&text.replace(from, to), &[1], 4).unwrap_err();
            assert_eq!(error.path(), path, "{error}");
        }
    }
}
