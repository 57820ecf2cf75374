//! Reading: a position in a file that never leaves its bounds.

use crate::{Error, Result, Tag};
use bytemuck::Pod;

/// A window on a file's bytes with a position. Offsets in errors count from the start of the file, even inside a
/// window made by [`Cursor::window`], so that an error can be located without knowing how it was reached.
#[derive(Clone, Copy, Debug)]
pub struct Cursor<'a> {
    rest: &'a [u8],
    position: usize,
}

impl<'a> Cursor<'a> {
    /// A cursor over a whole file.
    #[must_use]
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes, position: 0 }
    }

    /// A cursor over a part of a file that starts at this offset.
    #[must_use]
    pub const fn at(bytes: &'a [u8], position: usize) -> Self {
        Self { rest: bytes, position }
    }

    /// Offset in the file of the next byte.
    #[must_use]
    pub const fn position(&self) -> usize {
        self.position
    }

    /// How many bytes are left.
    #[must_use]
    pub const fn remaining(&self) -> usize {
        self.rest.len()
    }

    /// Whether nothing is left.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// What is left, without moving.
    #[must_use]
    pub const fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// The next `count` bytes.
    ///
    /// # Errors
    /// When fewer are left.
    #[inline]
    pub fn take(&mut self, count: usize) -> Result<&'a [u8]> {
        match self.rest.split_at_checked(count) {
            Some((taken, rest)) => {
                self.rest = rest;
                self.position = self.position.wrapping_add(count);
                Ok(taken)
            }
            None => Err(self.too_short(count)),
        }
    }

    #[cold]
    fn too_short(&self, needs: usize) -> Error {
        let left = self.rest.len();
        Error::malformed(self.position, format!("needs {needs} bytes, {left} are left"))
    }

    /// The next `N` bytes as an array.
    ///
    /// # Errors
    /// When fewer are left.
    #[inline]
    pub fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        match self.rest.split_first_chunk::<N>() {
            Some((taken, rest)) => {
                self.rest = rest;
                self.position = self.position.wrapping_add(N);
                Ok(*taken)
            }
            None => Err(self.too_short(N)),
        }
    }

    /// The next `u8`.
    ///
    /// # Errors
    /// At the end.
    #[inline]
    pub fn u8(&mut self) -> Result<u8> {
        Ok(u8::from_le_bytes(self.array()?))
    }

    /// The next `u16`.
    ///
    /// # Errors
    /// At the end.
    #[inline]
    pub fn u16(&mut self) -> Result<u16> {
        Ok(u16::from_le_bytes(self.array()?))
    }

    /// The next `u32`.
    ///
    /// # Errors
    /// At the end.
    #[inline]
    pub fn u32(&mut self) -> Result<u32> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    /// The next `i32`.
    ///
    /// # Errors
    /// At the end.
    #[inline]
    pub fn i32(&mut self) -> Result<i32> {
        Ok(i32::from_le_bytes(self.array()?))
    }

    /// The next `f32`.
    ///
    /// # Errors
    /// At the end.
    #[inline]
    pub fn f32(&mut self) -> Result<f32> {
        Ok(f32::from_le_bytes(self.array()?))
    }

    /// The next tag.
    ///
    /// # Errors
    /// At the end.
    #[inline]
    pub fn tag(&mut self) -> Result<Tag> {
        Ok(Tag(self.array()?))
    }

    /// The next four bytes as a tag, without moving.
    #[must_use]
    pub fn peek_tag(&self) -> Option<Tag> {
        self.rest.first_chunk().copied().map(Tag)
    }

    /// Takes the tag if it is the next one.
    ///
    /// # Errors
    /// When something else comes next; the position does not change.
    pub fn expect_tag(&mut self, tag: Tag) -> Result<()> {
        match self.peek_tag() {
            Some(found) if found == tag => self.take(4).map(drop),
            Some(found) => Err(Error::malformed(self.position, format!("{tag} expected, found {found}"))),
            None => Err(self.too_short(4)),
        }
    }

    /// A count or length that the file states as a `u32`.
    ///
    /// # Errors
    /// At the end.
    #[inline]
    pub fn count(&mut self) -> Result<usize> {
        Ok(self.u32()? as usize)
    }

    /// `count` values in one copy. The count is checked against the bytes that are left before memory is allocated.
    ///
    /// # Errors
    /// When the values need more bytes than are left.
    #[inline]
    pub fn bulk<T: Pod>(&mut self, count: usize) -> Result<Vec<T>> {
        let needs = count.checked_mul(size_of::<T>()).filter(|&needs| needs <= self.rest.len());
        match needs {
            Some(needs) => Ok(copy_values(self.take(needs)?)),
            None => Err(self.too_many(count, size_of::<T>())),
        }
    }

    /// All that is left as values in one copy.
    ///
    /// # Errors
    /// When what is left is not a whole number of values.
    pub fn bulk_rest<T: Pod>(&mut self) -> Result<Vec<T>> {
        let size = size_of::<T>().max(1);
        if !self.rest.len().is_multiple_of(size) {
            let left = self.rest.len();
            return Err(Error::malformed(
                self.position,
                format!("{left} bytes are not a whole number of {size}-byte values"),
            ));
        }
        self.bulk(self.rest.len() / size)
    }

    #[cold]
    fn too_many(&self, count: usize, size: usize) -> Error {
        let left = self.rest.len();
        let needs = (count as u128).saturating_mul(size as u128);
        Error::malformed(self.position, format!("{count} values need {needs} bytes, {left} are left"))
    }

    /// Checks that `count` records of at least `least` bytes fit into what is left, so that memory for them may be allocated.
    ///
    /// # Errors
    /// When they do not fit.
    pub fn check_count(&self, count: usize, least: usize) -> Result<()> {
        match count.checked_mul(least) {
            Some(needs) if needs <= self.rest.len() => Ok(()),
            _ => Err(self.too_many(count, least)),
        }
    }

    /// A cursor over the next `length` bytes; this one moves past them.
    ///
    /// # Errors
    /// When fewer are left.
    #[inline]
    pub fn window(&mut self, length: usize) -> Result<Self> {
        let position = self.position;
        Ok(Self { rest: self.take(length)?, position })
    }

    /// A cursor over a block whose first word is its size, that word included; this one moves past the block.
    ///
    /// # Errors
    /// When the size is less than 4 or more than what is left.
    #[inline]
    pub fn sized(&mut self) -> Result<Self> {
        let mut ahead = *self;
        let size = ahead.count()?;
        match size.checked_sub(4) {
            Some(body) if body <= ahead.rest.len() => {
                *self = ahead;
                self.window(body)
            }
            _ => Err(self.wrong_size(size)),
        }
    }

    /// Like [`Self::sized`], for a size of 24 bits with another value in the word's top byte, which is returned second.
    ///
    /// # Errors
    /// The same as for [`Self::sized`].
    pub fn sized_with_top(&mut self) -> Result<(Self, u8)> {
        let mut ahead = *self;
        let [a, b, c, top] = ahead.array()?;
        let size = u32::from_le_bytes([a, b, c, 0]) as usize;
        match size.checked_sub(4) {
            Some(body) if body <= ahead.rest.len() => {
                *self = ahead;
                Ok((self.window(body)?, top))
            }
            _ => Err(self.wrong_size(size)),
        }
    }

    #[cold]
    fn wrong_size(&self, size: usize) -> Error {
        let left = self.rest.len();
        Error::malformed(
            self.position,
            format!("the block's size is stated as {size} bytes, {left} are left"),
        )
    }

    /// Checks that nothing is left.
    ///
    /// # Errors
    /// When something is.
    #[inline]
    pub fn finish(self) -> Result<()> {
        if self.rest.is_empty() {
            return Ok(());
        }
        let left = self.rest.len();
        Err(Error::malformed(self.position, format!("{left} bytes are left over")))
    }
}

/// The values in these bytes, in one copy, without clearing the memory first.
#[inline]
fn copy_values<T: Pod>(bytes: &[u8]) -> Vec<T> {
    if let Ok(values) = bytemuck::try_cast_slice(bytes) {
        return <[T]>::to_vec(values);
    }
    // The bytes are not aligned: they are copied into words of the right alignment, which are then reinterpreted.
    let cast = match align_of::<T>() {
        2 => {
            let words: Vec<u16> = bytes.as_chunks().0.iter().map(|word| u16::from_ne_bytes(*word)).collect();
            bytemuck::allocation::try_cast_vec(words).ok()
        }
        4 => {
            let words: Vec<u32> = bytes.as_chunks().0.iter().map(|word| u32::from_ne_bytes(*word)).collect();
            bytemuck::allocation::try_cast_vec(words).ok()
        }
        _ => None,
    };
    cast.unwrap_or_else(|| bytemuck::pod_collect_to_vec(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_beyond_the_file_is_an_error_at_its_offset() {
        let mut cursor = Cursor::new(&[0xff; 12]);
        let count = cursor.count().unwrap();
        let error = cursor.bulk::<[f32; 3]>(count).unwrap_err();
        assert_eq!(error.to_string(), "0x4: 4294967295 values need 51539607540 bytes, 8 are left");
        assert_eq!(cursor.position(), 4);
    }

    #[test]
    fn a_block_may_not_be_smaller_than_its_own_size_word() {
        let bytes = 3u32.to_le_bytes();
        assert_eq!(
            Cursor::new(&bytes).sized().unwrap_err().to_string(),
            "0x0: the block's size is stated as 3 bytes, 4 are left"
        );
    }

    #[test]
    fn offsets_in_windows_count_from_the_start_of_the_file() {
        let mut cursor = Cursor::new(&[1, 2, 3, 4, 5, 6]);
        cursor.take(2).unwrap();
        let mut window = cursor.window(3).unwrap();
        assert_eq!((window.position(), cursor.position()), (2, 5));
        assert!(window.u32().unwrap_err().to_string().starts_with("0x2:"));
        window.take(3).unwrap();
        window.finish().unwrap();
    }
}
