//! Fields whose stored form differs between versions.

use crate::block::{Block, Element};
use crate::version::Caps;
use effigy_wire::{Codec, Cursor, Error, Kind, Leaf, Result, Sink, Tree, Wire};

/// A number in two bytes.
pub(crate) struct Word;

impl Codec<u16, Caps> for Word {
    #[inline]
    fn read(&self, cursor: &mut Cursor<'_>, _: Caps) -> Result<u16> {
        cursor.u16()
    }
    #[inline]
    fn write<S: Sink>(&self, value: &u16, sink: &mut S, caps: Caps) {
        value.write(sink, caps);
    }
    fn parse(&self, tree: &Tree<'_>, _: Caps) -> Result<u16> {
        tree.number()
    }
}

/// A number in one byte. A number that does not fit makes writing fail.
pub(crate) struct Byte;

impl Codec<u16, Caps> for Byte {
    #[inline]
    fn read(&self, cursor: &mut Cursor<'_>, _: Caps) -> Result<u16> {
        Ok(cursor.u8()?.into())
    }
    #[inline]
    fn write<S: Sink>(&self, value: &u16, sink: &mut S, _: Caps) {
        sink.show(Leaf::Unsigned((*value).into()));
        let byte = u8::try_from(*value).unwrap_or_else(|_| {
            sink.too_large((*value).into());
            u8::MAX
        });
        sink.put(&[byte]);
    }
    fn parse(&self, tree: &Tree<'_>, _: Caps) -> Result<u16> {
        tree.number::<u8>().map(u16::from)
    }
}

/// A signed number in one byte.
pub(crate) struct SignedByte;

impl Codec<i8, Caps> for SignedByte {
    #[inline]
    fn read(&self, cursor: &mut Cursor<'_>, _: Caps) -> Result<i8> {
        Ok(cursor.u8()?.cast_signed())
    }
    #[inline]
    fn write<S: Sink>(&self, value: &i8, sink: &mut S, _: Caps) {
        sink.show(Leaf::Signed((*value).into()));
        sink.put(&value.to_le_bytes());
    }
    fn parse(&self, tree: &Tree<'_>, _: Caps) -> Result<i8> {
        tree.number()
    }
}

/// A block that is only present when an earlier field says so.
pub(crate) struct OnlyIf(pub bool);

impl<T: Element> Codec<Block<T>, Caps> for OnlyIf {
    #[inline]
    fn read(&self, cursor: &mut Cursor<'_>, caps: Caps) -> Result<Block<T>> {
        if self.0 { Block::read(cursor, caps) } else { Ok(Block::default()) }
    }
    #[inline]
    fn write<S: Sink>(&self, value: &Block<T>, sink: &mut S, caps: Caps) {
        if self.0 {
            value.write(sink, caps);
        }
    }
    fn parse(&self, tree: &Tree<'_>, caps: Caps) -> Result<Block<T>> {
        if self.0 {
            Block::parse(tree, caps)
        } else if tree.value.is_none() && tree.parts.is_empty() {
            Ok(Block::default())
        } else {
            let message = "this list is only stored if a flag of the model says so";
            Err(Error::new(Kind::Malformed, message).hint("set its flag, or remove the list"))
        }
    }
}
