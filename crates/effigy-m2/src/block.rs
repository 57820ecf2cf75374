//! Blocks: arrays anywhere in the file that a record refers to by count and offset.
//!
//! A block remembers its offset, so that an unedited model is written with the same layout. The offset is not part of a
//! model's value: two blocks with the same items are equal wherever they are located.

use crate::mix;
use crate::version::Caps;
use crate::walk::{Tree, Walker, WalkerMut};
use effigy_wire::bytemuck::{self, Pod};
use effigy_wire::{Cursor, Error, Kind, Label, Leaf, Mark, Numbers, Result, Sink, Wire};
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicU64, Ordering};

/// Where a block was located when it was read.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Place {
    /// Offset from the start of the model; also kept when the block is empty.
    pub offset: u32,
    /// Bytes that the block had there.
    pub room: usize,
}

/// An array that a record refers to by count and offset. It dereferences to a `Vec`.
#[derive(Clone, Debug)]
pub struct Block<T> {
    items: Vec<T>,
    pub(crate) place: Place,
    /// The count stated in the file, while the items are not read or if they could not be read.
    pub(crate) unread: u32,
}

impl<T> Block<T> {
    /// The items.
    #[must_use]
    pub fn as_slice(&self) -> &[T] {
        &self.items
    }

    /// Whether the file states items that could not be read.
    #[must_use]
    pub const fn is_lost(&self) -> bool {
        self.unread != 0
    }

    pub(crate) fn fill(&mut self, items: Vec<T>, room: usize) {
        self.items = items;
        self.unread = 0;
        self.place.room = room;
    }

    /// The offset to write: 0 for an array that was emptied.
    pub(crate) const fn offset(&self) -> u32 {
        if self.items.is_empty() && self.place.room > 0 { 0 } else { self.place.offset }
    }
}

impl<T> Default for Block<T> {
    fn default() -> Self {
        Self { items: Vec::new(), place: Place::default(), unread: 0 }
    }
}

impl<T> From<Vec<T>> for Block<T> {
    fn from(items: Vec<T>) -> Self {
        Self { items, ..Self::default() }
    }
}

impl<T: Clone> From<&[T]> for Block<T> {
    fn from(items: &[T]) -> Self {
        items.to_vec().into()
    }
}

impl<T> FromIterator<T> for Block<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        items.into_iter().collect::<Vec<T>>().into()
    }
}

impl<T> Deref for Block<T> {
    type Target = Vec<T>;
    fn deref(&self) -> &Vec<T> {
        &self.items
    }
}

impl<T> DerefMut for Block<T> {
    fn deref_mut(&mut self) -> &mut Vec<T> {
        &mut self.items
    }
}

impl<'a, T> IntoIterator for &'a Block<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;
    fn into_iter(self) -> Self::IntoIter {
        self.items.iter()
    }
}

impl<'a, T> IntoIterator for &'a mut Block<T> {
    type Item = &'a mut T;
    type IntoIter = std::slice::IterMut<'a, T>;
    fn into_iter(self) -> Self::IntoIter {
        self.items.iter_mut()
    }
}

impl<T: PartialEq> PartialEq for Block<T> {
    fn eq(&self, other: &Self) -> bool {
        self.items == other.items && self.unread == other.unread
    }
}

/// Text blocks: bytes that end with a NUL.
impl Block<u8> {
    /// A text with its NUL.
    #[must_use]
    pub fn text_of(text: &str) -> Self {
        let mut bytes = text.as_bytes().to_vec();
        bytes.push(0);
        bytes.into()
    }

    /// The bytes before the first NUL.
    #[must_use]
    pub fn text_bytes(&self) -> &[u8] {
        self.items.split(|&byte| byte == 0).next().unwrap_or_default()
    }

    /// The text; bytes that are not UTF-8 are replaced for display.
    #[must_use]
    pub fn text(&self) -> std::borrow::Cow<'_, str> {
        String::from_utf8_lossy(self.text_bytes())
    }
}

/// The count and the offset, as a record stores them. A sink that dumps fields puts the items where the count is.
impl<T: Element> Wire<Caps> for Block<T> {
    #[inline]
    fn read(cursor: &mut Cursor<'_>, _: Caps) -> Result<Self> {
        let unread = cursor.u32()?;
        let place = Place { offset: cursor.u32()?, room: 0 };
        Ok(Self { items: Vec::new(), place, unread })
    }

    #[inline]
    fn write<S: Sink>(&self, sink: &mut S, _: Caps) {
        sink.count(if self.items.is_empty() { self.unread as usize } else { self.items.len() });
        sink.put(&self.offset().to_le_bytes());
    }

    fn parse(tree: &effigy_wire::Tree<'_>, caps: Caps) -> Result<Self> {
        match elsewhere(tree)? {
            Some((unread, offset)) => {
                Ok(Self { items: Vec::new(), place: Place { offset, room: 0 }, unread })
            }
            None => T::parse_all(tree, caps).map(Self::from),
        }
    }
}

/// The count and the offset of elements that are not in the file, or could not be read.
pub(crate) fn elsewhere(tree: &effigy_wire::Tree<'_>) -> Result<Option<(u32, u32)>> {
    let Some(offset) = tree.at else { return Ok(None) };
    let count = tree.size.filter(|&count| count > 0);
    let count =
        count.ok_or_else(|| Error::new(Kind::Malformed, "'at' needs the number of elements as 'size'"))?;
    Ok(Some((count, offset)))
}

impl<T: Element> Tree for Block<T> {
    const LEAF: bool = false;
    #[inline]
    fn walk<'a, W: Walker<'a>>(&'a self, walker: &mut W) {
        walker.block(self);
    }
    #[inline]
    fn walk_mut<W: WalkerMut>(&mut self, walker: &mut W) {
        walker.block(self);
    }
}

/// The type of the items of a block.
pub trait Element: Tree + Wire<Caps> + Clone + std::fmt::Debug + 'static {
    /// Size of one item in bytes.
    fn size(caps: Caps) -> usize;

    /// Reads `count` items.
    ///
    /// # Errors
    /// When the bytes end before that.
    fn read_all(cursor: &mut Cursor<'_>, count: usize, caps: Caps) -> Result<Vec<Self>>;

    /// Writes all items.
    fn write_all<S: Sink>(items: &[Self], sink: &mut S, caps: Caps);

    /// The numbers to dump in one line, or `None` for records.
    fn leaf(items: &[Self]) -> Option<Leaf<'_>>;

    /// The number of items, where [`Element::leaf`] does not show it.
    fn stated(_: &[Self]) -> Option<u32> {
        None
    }

    /// All items from the tree of fields that a dump shows.
    ///
    /// # Errors
    /// When a value does not fit.
    fn parse_all(tree: &effigy_wire::Tree<'_>, caps: Caps) -> Result<Vec<Self>>;
}

/// Numbers and small arrays of numbers: read and written in one copy.
macro_rules! numbers {
    ($($ty:ty => $variant:ident, $width:expr, $one:expr, $mix:expr;)*) => {$(
        impl Tree for $ty {}
        impl Element for $ty {
            #[inline]
            fn size(_: Caps) -> usize {
                size_of::<Self>()
            }
            #[inline]
            fn read_all(cursor: &mut Cursor<'_>, count: usize, _: Caps) -> Result<Vec<Self>> {
                cursor.bulk(count)
            }
            #[inline]
            fn write_all<S: Sink>(items: &[Self], sink: &mut S, _: Caps) {
                sink.put(bytemuck::cast_slice(items));
            }
            fn leaf(items: &[Self]) -> Option<Leaf<'_>> {
                Some(Leaf::Many { numbers: Numbers::$variant(bytemuck::cast_slice(items)), width: $width })
            }
            fn parse_all(tree: &effigy_wire::Tree<'_>, caps: Caps) -> Result<Vec<Self>> {
                Wire::parse(tree, caps)
            }
        }
        impl Key for $ty {
            const ITEM: fn(&[Self]) -> Leaf<'_> =
                |items| Leaf::Many { numbers: Numbers::$variant(bytemuck::cast_slice(items)), width: $width };
            fn parse_keys(tree: &effigy_wire::Tree<'_>) -> Result<Vec<Self>> {
                Wire::parse(tree, Caps::empty())
            }
            fn one() -> Self {
                $one
            }
            fn mix(self, next: Self, at: f32) -> Self {
                $mix(self, next, at)
            }
        }
    )*};
}

/// What can be a key of a track.
pub trait Key: Element + Pod + PartialEq {
    /// How keys are shown.
    const ITEM: fn(&[Self]) -> Leaf<'_>;

    /// Keys from the tree of fields that a dump shows.
    ///
    /// # Errors
    /// When they are not numbers that fit.
    fn parse_keys(tree: &effigy_wire::Tree<'_>) -> Result<Vec<Self>>;

    /// The value of something that is fully there: 1, opaque, no rotation.
    fn one() -> Self;

    /// The value at part `at` (0 to 1) of the way to the next key.
    fn mix(self, next: Self, at: f32) -> Self;
}

numbers! {
    u16 => U16, 1, 1, mix::hold;
    i16 => I16, 1, i16::MAX, mix::fixed;
    u32 => U32, 1, 1, mix::hold;
    f32 => F32, 1, 1.0, mix::float;
    [u8; 4] => U8, 4, [1; 4], mix::hold;
    [u16; 4] => U16, 4, crate::rotation::IDENTITY, mix::packed;
    [u32; 2] => U32, 2, [1; 2], mix::hold;
    [f32; 2] => F32, 2, [1.0; 2], mix::floats;
    [f32; 3] => F32, 3, [1.0; 3], mix::floats;
    [f32; 4] => F32, 4, [0.0, 0.0, 0.0, 1.0], mix::rotation;
}

impl Tree for u8 {}

/// A block of bytes is a text.
impl Element for u8 {
    #[inline]
    fn size(_: Caps) -> usize {
        1
    }
    #[inline]
    fn read_all(cursor: &mut Cursor<'_>, count: usize, _: Caps) -> Result<Vec<Self>> {
        cursor.bulk(count)
    }
    #[inline]
    fn write_all<S: Sink>(items: &[Self], sink: &mut S, _: Caps) {
        sink.put(items);
    }
    fn leaf(items: &[Self]) -> Option<Leaf<'_>> {
        Some(Leaf::Text(items.strip_suffix(&[0]).unwrap_or(items)))
    }
    fn stated(items: &[Self]) -> Option<u32> {
        (items.last() != Some(&0)).then(|| crate::series::word(items.len()))
    }
    /// The text gets its NUL, unless the block is stated to end without one.
    fn parse_all(tree: &effigy_wire::Tree<'_>, _: Caps) -> Result<Vec<Self>> {
        if tree.value.is_none() {
            return Ok(Vec::new());
        }
        let (mut text, _) = tree.text()?;
        if tree.size != Some(crate::series::word(text.len())) {
            text.push(0);
        }
        Ok(text)
    }
}

impl Key for u8 {
    const ITEM: fn(&[Self]) -> Leaf<'_> = |items| Leaf::Many { numbers: Numbers::U8(items), width: 1 };
    fn parse_keys(tree: &effigy_wire::Tree<'_>) -> Result<Vec<Self>> {
        Wire::parse(tree, Caps::empty())
    }
    fn one() -> Self {
        1
    }
    fn mix(self, _: Self, _: f32) -> Self {
        self
    }
}

/// Counts bytes.
#[derive(Default)]
struct Length(usize);

impl Sink for Length {
    #[inline]
    fn put(&mut self, bytes: &[u8]) {
        self.0 = self.0.saturating_add(bytes.len());
    }
    fn position(&self) -> usize {
        self.0
    }
    fn finish_size(&mut self, _: Mark, _: u32) {}
    fn too_large(&mut self, _: usize) {}
}

/// Size of a record in bytes, for a version.
pub(crate) fn record_size<T: Wire<Caps> + Default>(caps: Caps) -> usize {
    let mut length = Length::default();
    T::default().write(&mut length, caps);
    length.0
}

/// The size of a record in the version of the last query. Most programs read many files of the same version, so one
/// entry is enough.
pub(crate) struct LastSize(AtomicU64);

impl LastSize {
    pub const fn new() -> Self {
        Self(AtomicU64::new(0))
    }

    #[inline]
    pub fn get(&self, caps: Caps, measure: fn(Caps) -> usize) -> usize {
        let last = self.0.load(Ordering::Relaxed);
        if last >> 32 == u64::from(caps.bits()) && last != 0 {
            return usize::try_from(last & u64::from(u32::MAX)).unwrap_or(usize::MAX);
        }
        let size = measure(caps);
        self.0.store(u64::from(caps.bits()) << 32 | size as u64, Ordering::Relaxed);
        size
    }
}

pub(crate) fn read_records<T: Wire<Caps>>(
    cursor: &mut Cursor<'_>,
    count: usize,
    caps: Caps,
) -> Result<Vec<T>> {
    let mut items = Vec::with_capacity(count);
    for _ in 0..count {
        items.push(T::read(cursor, caps)?);
    }
    Ok(items)
}

pub(crate) fn write_records<T: Wire<Caps>, S: Sink>(items: &[T], sink: &mut S, caps: Caps) {
    for (index, item) in items.iter().enumerate() {
        sink.enter(Label::Index(index));
        item.write(sink, caps);
        sink.leave();
    }
}

/// Makes records that are declared by `record!` items of blocks, and lists their own blocks in file order.
macro_rules! elements {
    ($($ty:ty { $($field:ident),* })*) => {$(
        $crate::walk::tree! { $ty { $($field),* } }
        impl $crate::block::Element for $ty {
            fn size(caps: $crate::version::Caps) -> usize {
                static LAST: $crate::block::LastSize = $crate::block::LastSize::new();
                LAST.get(caps, $crate::block::record_size::<Self>)
            }
            #[inline]
            fn read_all(
                cursor: &mut effigy_wire::Cursor<'_>,
                count: usize,
                caps: $crate::version::Caps,
            ) -> effigy_wire::Result<Vec<Self>> {
                $crate::block::read_records(cursor, count, caps)
            }
            #[inline]
            fn write_all<S: effigy_wire::Sink>(items: &[Self], sink: &mut S, caps: $crate::version::Caps) {
                $crate::block::write_records(items, sink, caps);
            }
            fn leaf(_: &[Self]) -> Option<effigy_wire::Leaf<'_>> {
                None
            }
            fn parse_all(
                tree: &effigy_wire::Tree<'_>,
                caps: $crate::version::Caps,
            ) -> effigy_wire::Result<Vec<Self>> {
                tree.elements(|part| effigy_wire::Wire::parse(part, caps))
            }
        }
    )*};
}
pub(crate) use elements;

/// Declares a record of numbers that is the same in all versions: arrays of it are read and written in one copy.
macro_rules! plain {
    ($(
        $(#[doc = $doc:literal])*
        pub struct $name:ident { $($(#[doc = $fdoc:literal])* pub $field:ident: $ty:ty,)* }
    )*) => {$(
        $(#[doc = $doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
        #[repr(C)]
        pub struct $name { $($(#[doc = $fdoc])* pub $field: $ty,)* }

        impl effigy_wire::Record<$crate::version::Caps> for $name {
            const NAME: &'static str = stringify!($name);
            const DOC: &'static str = concat!($($doc, "\n"),*);
            const SIZED: effigy_wire::Frame<$crate::version::Caps> = effigy_wire::Frame::None;
            const FIELDS: &'static [effigy_wire::Field<$crate::version::Caps>] = &[$(effigy_wire::Field {
                name: stringify!($field),
                ty: stringify!($ty),
                doc: concat!($($fdoc),*),
                caps: None,
            },)*];
            /// The record is the same in all versions.
            fn losses(&self, _: $crate::version::Caps, _: &str, _: &mut effigy_wire::Report) {}
        }

        impl $crate::walk::Tree for $name {}
        impl $crate::block::Element for $name {
            #[inline]
            fn size(_: $crate::version::Caps) -> usize {
                size_of::<Self>()
            }
            #[inline]
            fn read_all(
                cursor: &mut effigy_wire::Cursor<'_>,
                count: usize,
                _: $crate::version::Caps,
            ) -> effigy_wire::Result<Vec<Self>> {
                cursor.bulk(count)
            }
            #[inline]
            fn write_all<S: effigy_wire::Sink>(items: &[Self], sink: &mut S, _: $crate::version::Caps) {
                sink.put(bytemuck::cast_slice(items));
            }
            fn leaf(_: &[Self]) -> Option<effigy_wire::Leaf<'_>> {
                None
            }
            fn parse_all(
                tree: &effigy_wire::Tree<'_>,
                caps: $crate::version::Caps,
            ) -> effigy_wire::Result<Vec<Self>> {
                tree.elements(|part| effigy_wire::Wire::parse(part, caps))
            }
        }
        impl effigy_wire::Wire<$crate::version::Caps> for $name {
            #[inline]
            fn read(cursor: &mut effigy_wire::Cursor<'_>, _: $crate::version::Caps) -> effigy_wire::Result<Self> {
                Ok(bytemuck::pod_read_unaligned(cursor.take(size_of::<Self>())?))
            }
            fn write<S: effigy_wire::Sink>(&self, sink: &mut S, caps: $crate::version::Caps) {
                $(
                    sink.enter(effigy_wire::Label::Field(stringify!($field)));
                    effigy_wire::Wire::write(&self.$field, sink, caps);
                    sink.leave();
                )*
            }
            fn parse(tree: &effigy_wire::Tree<'_>, caps: $crate::version::Caps) -> effigy_wire::Result<Self> {
                tree.only(&[$(stringify!($field)),*])?;
                Ok(Self { $($field: tree.field(stringify!($field), caps)?,)* })
            }
        }
    )*};
}
pub(crate) use plain;

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicUsize;

    #[test]
    fn blocks_are_equal_when_their_items_and_lost_counts_are() {
        let block = |items: &[u16], unread, offset| Block {
            items: items.to_vec(),
            unread,
            place: Place { offset, room: 0 },
        };
        assert_eq!(block(&[1, 2], 0, 64), block(&[1, 2], 0, 128));
        assert_ne!(block(&[1, 2], 0, 64), block(&[1, 3], 0, 64));
        assert_ne!(block(&[], 5, 64), block(&[], 0, 64));
        assert!(block(&[], 5, 64).is_lost() && !block(&[], 0, 64).is_lost());
    }

    #[test]
    fn an_emptied_block_has_no_offset_and_others_keep_theirs() {
        for (items, room, offset) in [(vec![], 0, 64), (vec![], 2, 0), (vec![7_u16], 0, 64), (vec![7], 2, 64)]
        {
            let block = Block { items, unread: 0, place: Place { offset: 64, room } };
            assert_eq!(block.offset(), offset, "{block:?}");
        }
    }

    #[test]
    fn a_text_ends_at_its_first_nul() {
        assert_eq!(Block::text_of("Imp").as_slice(), b"Imp\0");
        let text = Block::from(b"ab\0cd\0".to_vec());
        assert_eq!((text.text_bytes(), text.text().as_ref()), (&b"ab"[..], "ab"));
        assert_eq!(Block::from(vec![b'x', 0xff]).text(), "x\u{fffd}");
        assert!(matches!(u8::leaf(b"ab\0"), Some(Leaf::Text(b"ab"))));
        assert!(matches!(u8::leaf(b"ab"), Some(Leaf::Text(b"ab"))));
    }

    #[test]
    fn values_of_what_is_fully_there_and_bytes_between_keys() {
        assert_eq!((u8::one(), u16::one(), i16::one(), f32::one()), (1, 1, 32767, 1.0));
        assert_eq!((<[f32; 3]>::one(), <[f32; 4]>::one()), ([1.0; 3], [0.0, 0.0, 0.0, 1.0]));
        assert_eq!((7_u8.mix(9, 0.9), 7_u16.mix(9, 0.9), 7_i16.mix(9, 0.5)), (7, 7, 8));
    }

    #[test]
    fn a_size_is_measured_again_only_for_another_version() {
        static MEASURED: AtomicUsize = AtomicUsize::new(0);
        let measure = |caps: Caps| {
            MEASURED.fetch_add(1, Ordering::Relaxed);
            caps.bits() as usize + 0x44
        };
        let last = LastSize::new();
        let (none, some, other) = (Caps::empty(), Caps::TIMELINE, Caps::TIMELINE | Caps::NESTED);
        for (caps, size, measured) in [
            (none, 0x44, 1),
            (none, 0x44, 1),
            (some, 0x45, 2),
            (some, 0x45, 2),
            (other, 0x47, 3),
            (some, 0x45, 4),
            (none, 0x44, 5),
        ] {
            assert_eq!(last.get(caps, measure), size, "{caps:?}");
            assert_eq!(MEASURED.load(Ordering::Relaxed), measured, "{caps:?}");
        }
    }
}
