//! Four-byte tags: the names of chunks, tracks and magic words.

use std::fmt;

/// Four bytes that name a part of a file, such as `GEOS`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Tag(pub [u8; 4]);

impl Tag {
    /// The tag with these four bytes: `Tag::new(b"GEOS")`.
    #[must_use]
    pub const fn new(bytes: &[u8; 4]) -> Self {
        Self(*bytes)
    }

    /// Whether all four bytes are letters, digits, blanks or underscores, as in every tag that a format defines.
    #[must_use]
    pub fn is_plausible(self) -> bool {
        self.0.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b' ' | b'_'))
    }
}

impl fmt::Display for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(plain) = std::str::from_utf8(&self.0).ok().filter(|_| self.is_plausible()) {
            return f.write_str(plain);
        }
        for byte in self.0 {
            write!(f, "{}", byte.escape_ascii())?;
        }
        Ok(())
    }
}

impl fmt::Debug for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tag({self})")
    }
}

impl From<&[u8; 4]> for Tag {
    fn from(bytes: &[u8; 4]) -> Self {
        Self(*bytes)
    }
}
