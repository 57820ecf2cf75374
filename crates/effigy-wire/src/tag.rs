//! Four-byte tags: the names of chunks, tracks and magic words.

use crate::{Error, Kind, Result};
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

    /// The tag that prints like this: bytes that are not printed as they are have the form `\\x00`.
    ///
    /// # Errors
    /// When the text does not stand for four bytes.
    pub fn unescape(text: &str) -> Result<Self> {
        let failed = || Error::new(Kind::Malformed, format!("'{text}' is not a tag of four bytes"));
        let mut bytes = Vec::with_capacity(4);
        let mut rest = text.bytes();
        while let Some(byte) = rest.next() {
            bytes.push(match byte {
                b'\\' => match rest.next().ok_or_else(failed)? {
                    b'x' => {
                        let digits = [rest.next().ok_or_else(failed)?, rest.next().ok_or_else(failed)?];
                        let digits = std::str::from_utf8(&digits).map_err(|_| failed())?;
                        u8::from_str_radix(digits, 16).map_err(|_| failed())?
                    }
                    b'n' => b'\n',
                    b'r' => b'\r',
                    b't' => b'\t',
                    plain => plain,
                },
                plain => plain,
            });
        }
        bytes.as_slice().try_into().map(Self).map_err(|_| failed())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tag_is_read_from_its_own_print() {
        for tag in [Tag(*b"GEOS"), Tag(*b"XX\0\xff"), Tag(*b"a\\\n\""), Tag::default()] {
            assert_eq!(Tag::unescape(&tag.to_string()).unwrap(), tag);
        }
        assert!(Tag::unescape("GEO").is_err());
        assert!(Tag::unescape("GEO\\x0").is_err());
    }
}
