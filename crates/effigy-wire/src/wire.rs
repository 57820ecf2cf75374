//! Values that can be read and written, given the capabilities of a version.

use crate::{Cursor, Error, FixedStr, Kind, Leaf, Numbers, Result, Sink, Tag, Tree};

/// A value that can be read from and written to bytes. `C` is the set of capabilities of the version.
pub trait Wire<C: Copy>: Sized {
    /// Reads the value and moves the cursor past it.
    ///
    /// # Errors
    /// When the bytes are not a valid value.
    fn read(cursor: &mut Cursor<'_>, caps: C) -> Result<Self>;

    /// Writes the value.
    fn write<S: Sink>(&self, sink: &mut S, caps: C);

    /// The value from the tree of fields that writing it gives.
    ///
    /// # Errors
    /// When the tree does not have its parts, or the format cannot be built from a tree yet.
    fn parse(tree: &Tree<'_>, caps: C) -> Result<Self> {
        let _ = (tree, caps);
        Err(Error::unsupported("this part cannot be built from JSON yet"))
    }
}

/// Groups of `N` numbers; fails when some are left over.
pub(crate) fn grouped<T: Copy, const N: usize>(numbers: &[T]) -> Result<Vec<[T; N]>> {
    let (groups, rest) = numbers.as_chunks::<N>();
    match rest.is_empty() {
        true => Ok(groups.to_vec()),
        false => {
            Err(Error::new(Kind::Malformed, format!("{} numbers cannot be grouped by {N}", numbers.len())))
        }
    }
}

/// Numbers that occur in bulk arrays.
pub(crate) trait Bulk: bytemuck::Pod {
    const WIDTH: usize;
    fn numbers(list: &[Self]) -> Numbers<'_>;
    fn parse_list(tree: &Tree<'_>) -> Result<Vec<Self>>;
}

macro_rules! scalar {
    ($($ty:ident => $variant:ident, $leaf:ident as $wide:ty;)*) => {$(
        impl<C: Copy> Wire<C> for $ty {
            #[inline]
            fn read(cursor: &mut Cursor<'_>, _: C) -> Result<Self> {
                Ok($ty::from_le_bytes(cursor.array()?))
            }
            #[inline]
            fn write<S: Sink>(&self, sink: &mut S, _: C) {
                sink.show(Leaf::$leaf(<$wide>::from(*self)));
                sink.put(&self.to_le_bytes());
            }
            fn parse(tree: &Tree<'_>, _: C) -> Result<Self> {
                tree.number()
            }
        }

        impl<C: Copy, const N: usize> Wire<C> for [$ty; N] {
            #[inline]
            fn read(cursor: &mut Cursor<'_>, _: C) -> Result<Self> {
                let mut values = [<$ty>::default(); N];
                let bytes = cursor.take(size_of::<Self>())?;
                bytemuck::cast_slice_mut(&mut values).copy_from_slice(bytes);
                Ok(values)
            }
            #[inline]
            fn write<S: Sink>(&self, sink: &mut S, _: C) {
                sink.show(Leaf::Many { numbers: Numbers::$variant(self), width: N });
                sink.put(bytemuck::cast_slice(self));
            }
            fn parse(tree: &Tree<'_>, _: C) -> Result<Self> {
                let numbers: Vec<$ty> = tree.numbers()?;
                numbers.as_slice().try_into().map_err(|_| {
                    Error::new(Kind::Malformed, format!("{N} numbers are needed, not {}", numbers.len()))
                })
            }
        }

        impl Bulk for $ty {
            const WIDTH: usize = 1;
            fn numbers(list: &[Self]) -> Numbers<'_> {
                Numbers::$variant(list)
            }
            fn parse_list(tree: &Tree<'_>) -> Result<Vec<Self>> {
                tree.numbers()
            }
        }

        impl<const N: usize> Bulk for [$ty; N] {
            const WIDTH: usize = N;
            fn numbers(list: &[Self]) -> Numbers<'_> {
                Numbers::$variant(list.as_flattened())
            }
            fn parse_list(tree: &Tree<'_>) -> Result<Vec<Self>> {
                grouped(&tree.numbers::<$ty>()?)
            }
        }
    )*};
}

scalar! {
    u8 => U8, Unsigned as u64;
    u16 => U16, Unsigned as u64;
    u32 => U32, Unsigned as u64;
    i16 => I16, Signed as i64;
    i32 => I32, Signed as i64;
    f32 => F32, Float as f32;
}

impl<C: Copy> Wire<C> for Tag {
    #[inline]
    fn read(cursor: &mut Cursor<'_>, _: C) -> Result<Self> {
        cursor.tag()
    }
    #[inline]
    fn write<S: Sink>(&self, sink: &mut S, _: C) {
        sink.show(Leaf::Tag(*self));
        sink.put(&self.0);
    }
    fn parse(tree: &Tree<'_>, _: C) -> Result<Self> {
        let (text, _) = tree.text()?;
        Self::unescape(&String::from_utf8_lossy(&text))
    }
}

impl<C: Copy, const N: usize> Wire<C> for FixedStr<N> {
    #[inline]
    fn read(cursor: &mut Cursor<'_>, _: C) -> Result<Self> {
        Ok(Self::from_bytes(cursor.array()?))
    }
    #[inline]
    fn write<S: Sink>(&self, sink: &mut S, _: C) {
        let text = self.text_bytes();
        if S::TALKS && self.after_nul().iter().any(|byte| *byte != 0) {
            sink.show(Leaf::Padded { text, field: self.bytes() });
        } else {
            sink.show(Leaf::Text(text));
        }
        sink.put(self.bytes());
    }
    fn parse(tree: &Tree<'_>, _: C) -> Result<Self> {
        let (text, _) = tree.text()?;
        let mut field = Self::default();
        field.set_bytes(&text)?;
        Ok(field)
    }
}
