//! Strings in fields of a fixed size, padded with zeros, or with whatever the exporter had in memory.

use std::borrow::Cow;
use std::fmt;

/// A string in a field of `N` bytes that ends at its first NUL.
///
/// The bytes after the NUL are part of the value: many tools leave arbitrary bytes there, and a file must be written
/// back with them.
/// Equality compares all bytes; compare with a `&str` to ask for the text alone.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct FixedStr<const N: usize>([u8; N]);

/// A text that does not fit its field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TooLong {
    /// Bytes that the text needs.
    pub needs: usize,
    /// Bytes that the field holds.
    pub room: usize,
}

impl fmt::Display for TooLong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the text has {} bytes, the field holds {}", self.needs, self.room)
    }
}

impl std::error::Error for TooLong {}

impl From<TooLong> for crate::Error {
    fn from(error: TooLong) -> Self {
        Self::unrepresentable(error.to_string())
    }
}

impl<const N: usize> FixedStr<N> {
    /// The field with these bytes, as in a file.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; N]) -> Self {
        Self(bytes)
    }

    /// A field with this text and zeros after it.
    ///
    /// # Errors
    /// When the text is longer than the field. A text that fills it to the last byte is allowed, without a NUL.
    pub fn new(text: &str) -> Result<Self, TooLong> {
        let mut field = Self::default();
        field.set(text)?;
        Ok(field)
    }

    /// A field with as much of the text as fits, cut at a character boundary.
    #[must_use]
    pub fn truncated(text: &str) -> Self {
        let mut end = text.len().min(N);
        while !text.is_char_boundary(end) {
            end = end.saturating_sub(1);
        }
        Self::new(text.get(..end).unwrap_or_default()).unwrap_or_default()
    }

    /// Replaces the text and clears the rest of the field.
    ///
    /// # Errors
    /// When the text is longer than the field; the field is not changed.
    pub fn set(&mut self, text: &str) -> Result<(), TooLong> {
        self.set_bytes(text.as_bytes())
    }

    /// Replaces the text, given as bytes in the file's own encoding, and clears the rest of the field.
    ///
    /// # Errors
    /// When there are more bytes than the field holds; the field is not changed.
    pub fn set_bytes(&mut self, text: &[u8]) -> Result<(), TooLong> {
        let mut bytes = [0; N];
        let too_long = TooLong { needs: text.len(), room: N };
        bytes.get_mut(..text.len()).ok_or(too_long)?.copy_from_slice(text);
        self.0 = bytes;
        Ok(())
    }

    /// The bytes before the first NUL.
    #[must_use]
    pub fn text_bytes(&self) -> &[u8] {
        self.0.split(|&byte| byte == 0).next().unwrap_or_default()
    }

    /// The text, with what is not UTF-8 replaced for display.
    #[must_use]
    pub fn text(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(self.text_bytes())
    }

    /// All bytes of the field.
    #[must_use]
    pub const fn bytes(&self) -> &[u8; N] {
        &self.0
    }

    /// The bytes after the first NUL; zeros in a tidy file.
    #[must_use]
    pub fn after_nul(&self) -> &[u8] {
        self.0.get(self.text_bytes().len().saturating_add(1)..).unwrap_or_default()
    }

    /// Whether the text is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.text_bytes().is_empty()
    }
}

impl<const N: usize> Default for FixedStr<N> {
    fn default() -> Self {
        Self([0; N])
    }
}

impl<const N: usize> fmt::Display for FixedStr<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text())
    }
}

impl<const N: usize> fmt::Debug for FixedStr<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.text())?;
        let rest = self.after_nul();
        if rest.iter().any(|&byte| byte != 0) {
            write!(f, "+\"{}\"", rest.escape_ascii())?;
        }
        Ok(())
    }
}

impl<const N: usize> PartialEq<str> for FixedStr<N> {
    fn eq(&self, other: &str) -> bool {
        self.text_bytes() == other.as_bytes()
    }
}

impl<const N: usize> PartialEq<&str> for FixedStr<N> {
    fn eq(&self, other: &&str) -> bool {
        self == *other
    }
}

impl<const N: usize> TryFrom<&str> for FixedStr<N> {
    type Error = TooLong;
    fn try_from(text: &str) -> Result<Self, TooLong> {
        Self::new(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_bytes_after_the_nul() {
        let field = FixedStr::<8>::from_bytes(*b"ab\0junk\0");
        assert_eq!(field, "ab");
        assert_eq!(field.after_nul(), b"junk\0");
        assert_eq!(field.bytes(), b"ab\0junk\0");
        assert_ne!(field, FixedStr::<8>::new("ab").unwrap());
    }

    #[test]
    fn a_text_may_fill_the_field_but_not_exceed_it() {
        assert_eq!(FixedStr::<4>::new("abcd").unwrap().text(), "abcd");
        assert_eq!(FixedStr::<4>::new("abcde"), Err(TooLong { needs: 5, room: 4 }));
        assert_eq!(FixedStr::<4>::truncated("abé").text(), "abé");
        assert_eq!(FixedStr::<4>::truncated("abcé").text(), "abc");
    }
}
