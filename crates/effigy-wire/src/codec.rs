//! Codecs: ways to store a value in a file that differ from its own [`Wire`] form.

use crate::wire::Bulk;
use crate::{Cursor, Error, Leaf, Locate, Result, Sink, Tag, Tree, Wire};

/// A way to read and write a `T`. In [`record!`](crate::record) a field takes one with `as (codec)`.
pub trait Codec<T, C: Copy> {
    /// Reads a value and moves the cursor past it.
    ///
    /// # Errors
    /// When the bytes are not a valid value.
    fn read(&self, cursor: &mut Cursor<'_>, caps: C) -> Result<T>;

    /// Writes the value.
    fn write<S: Sink>(&self, value: &T, sink: &mut S, caps: C);

    /// The value from the tree of fields that writing it gives.
    ///
    /// # Errors
    /// When the tree does not have its parts, or the format cannot be built from a tree yet.
    fn parse(&self, tree: &Tree<'_>, caps: C) -> Result<T> {
        let _ = (tree, caps);
        Err(Error::unsupported("this part cannot be built from JSON yet"))
    }
}

/// A value's own [`Wire`] form.
#[derive(Clone, Copy, Debug)]
pub struct Plain;

impl<T: Wire<C>, C: Copy> Codec<T, C> for Plain {
    #[inline]
    fn read(&self, cursor: &mut Cursor<'_>, caps: C) -> Result<T> {
        T::read(cursor, caps)
    }
    #[inline]
    fn write<S: Sink>(&self, value: &T, sink: &mut S, caps: C) {
        value.write(sink, caps);
    }
    fn parse(&self, tree: &Tree<'_>, caps: C) -> Result<T> {
        T::parse(tree, caps)
    }
}

/// A tag, a count of elements, and the elements.
#[derive(Clone, Copy, Debug)]
pub struct Section(pub Tag);

impl<T: Bulk, C: Copy> Codec<Vec<T>, C> for Section {
    #[inline]
    fn read(&self, cursor: &mut Cursor<'_>, _: C) -> Result<Vec<T>> {
        cursor.expect_tag(self.0)?;
        let count = cursor.count()?;
        cursor.bulk(count).in_tag(self.0)
    }

    #[inline]
    fn write<S: Sink>(&self, value: &Vec<T>, sink: &mut S, _: C) {
        sink.put(&self.0.0);
        sink.count(value.len());
        put_bulk(value, sink);
    }

    fn parse(&self, tree: &Tree<'_>, _: C) -> Result<Vec<T>> {
        T::parse_list(tree)
    }
}

/// A section that may be missing: it is present when its tag comes next.
impl<T: Bulk, C: Copy> Codec<Option<Vec<T>>, C> for Section {
    #[inline]
    fn read(&self, cursor: &mut Cursor<'_>, caps: C) -> Result<Option<Vec<T>>> {
        if cursor.peek_tag() == Some(self.0) {
            Codec::<Vec<T>, C>::read(self, cursor, caps).map(Some)
        } else {
            Ok(None)
        }
    }

    #[inline]
    fn write<S: Sink>(&self, value: &Option<Vec<T>>, sink: &mut S, caps: C) {
        if let Some(list) = value {
            Codec::<Vec<T>, C>::write(self, list, sink, caps);
        }
    }

    fn parse(&self, tree: &Tree<'_>, _: C) -> Result<Option<Vec<T>>> {
        tree.value.is_some().then(|| T::parse_list(tree)).transpose()
    }
}

/// Writes an array without tag or count.
#[inline]
fn put_bulk<T: Bulk, S: Sink>(list: &[T], sink: &mut S) {
    sink.show(Leaf::Many { numbers: T::numbers(list), width: T::WIDTH });
    sink.put_copy(bytemuck::cast_slice(list));
}

/// An array without a count: everything up to the end of the window.
impl<T: Bulk, C: Copy> Wire<C> for Vec<T> {
    #[inline]
    fn read(cursor: &mut Cursor<'_>, _: C) -> Result<Self> {
        cursor.bulk_rest()
    }
    #[inline]
    fn write<S: Sink>(&self, sink: &mut S, _: C) {
        put_bulk(self, sink);
    }
    fn parse(tree: &Tree<'_>, _: C) -> Result<Self> {
        T::parse_list(tree)
    }
}
