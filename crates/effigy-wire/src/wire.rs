//! Values that can be read and written, given the capabilities of a version.

use crate::{Cursor, FixedStr, Leaf, Numbers, Result, Sink, Tag};

/// A value that can be read from and written to bytes. `C` is the set of capabilities of the version.
pub trait Wire<C: Copy>: Sized {
    /// Reads the value and moves the cursor past it.
    ///
    /// # Errors
    /// When the bytes are not a valid value.
    fn read(cursor: &mut Cursor<'_>, caps: C) -> Result<Self>;

    /// Writes the value.
    fn write<S: Sink>(&self, sink: &mut S, caps: C);
}

/// Numbers that occur in bulk arrays.
pub(crate) trait Bulk: bytemuck::Pod {
    const WIDTH: usize;
    fn numbers(list: &[Self]) -> Numbers<'_>;
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
        }

        impl Bulk for $ty {
            const WIDTH: usize = 1;
            fn numbers(list: &[Self]) -> Numbers<'_> {
                Numbers::$variant(list)
            }
        }

        impl<const N: usize> Bulk for [$ty; N] {
            const WIDTH: usize = N;
            fn numbers(list: &[Self]) -> Numbers<'_> {
                Numbers::$variant(list.as_flattened())
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
}

impl<C: Copy, const N: usize> Wire<C> for FixedStr<N> {
    #[inline]
    fn read(cursor: &mut Cursor<'_>, _: C) -> Result<Self> {
        Ok(Self::from_bytes(cursor.array()?))
    }
    #[inline]
    fn write<S: Sink>(&self, sink: &mut S, _: C) {
        sink.show(Leaf::Text(self.text_bytes()));
        sink.put(self.bytes());
    }
}
