//! Errors, with their category, the location in the file, and advice for the user.

use crate::Tag;
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

/// A result with Effigy's [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Error category. It tells a caller who has to act: the system, the author of the file, the user, or nobody.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// The system could not read or write.
    Io,
    /// The file breaks its format.
    Malformed,
    /// The file may be valid, but Effigy does not support this kind of file.
    Unsupported,
    /// The file needs more than [`crate::Limits`] allows.
    Limit,
    /// The target format or version cannot hold this.
    Unrepresentable,
    /// The request itself is not valid.
    Usage,
    /// A file is there already and may not be replaced.
    Exists,
}

/// One step of the path inside a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Segment {
    /// A field by name.
    Field(&'static str),
    /// A chunk, section or track by tag.
    Tag(Tag),
    /// An element by position.
    Index(usize),
}

#[derive(Clone)]
struct Inner {
    kind: Kind,
    message: Cow<'static, str>,
    offset: Option<usize>,
    /// Line and column, both from 1, in a text file.
    line: Option<(usize, usize)>,
    /// Innermost first: it grows while the error is returned to the caller.
    path: Vec<Segment>,
    hint: Option<Cow<'static, str>>,
    /// The system's own error. Shared, since it cannot be cloned.
    cause: Option<Arc<std::io::Error>>,
}

/// An error with its kind, the offset (or line) and the path inside the file.
///
/// It prints as `0x15fae6: GEOS[0].PVTX: 4294967295 values need 8589934590 bytes, 900092 are left`.
#[derive(Clone)]
pub struct Error(Box<Inner>);

/// Errors are equal when they state the same. The cause is not compared: the system's errors have no equality, and their
/// text is the message.
impl PartialEq for Error {
    fn eq(&self, other: &Self) -> bool {
        let (Inner { kind, message, offset, line, path, hint, cause: _ }, other) = (&*self.0, &*other.0);
        (kind, message, offset, line) == (&other.kind, &other.message, &other.offset, &other.line)
            && (path, hint) == (&other.path, &other.hint)
    }
}

impl Error {
    /// An error of this kind, without a location yet.
    #[cold]
    pub fn new(kind: Kind, message: impl Into<Cow<'static, str>>) -> Self {
        Self(Box::new(Inner {
            kind,
            message: message.into(),
            offset: None,
            line: None,
            path: Vec::new(),
            hint: None,
            cause: None,
        }))
    }

    /// The file breaks its format at this offset.
    #[cold]
    pub fn malformed(offset: usize, message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Kind::Malformed, message).at(offset)
    }

    /// Effigy does not support this.
    #[cold]
    pub fn unsupported(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Kind::Unsupported, message)
    }

    /// A request that is not valid.
    #[must_use]
    pub fn usage(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Kind::Usage, message)
    }

    /// The target cannot hold this.
    #[cold]
    pub fn unrepresentable(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Kind::Unrepresentable, message)
    }

    /// Sets the offset, unless it is set already: the innermost location is the most precise.
    #[must_use]
    pub fn at(mut self, offset: usize) -> Self {
        self.0.offset.get_or_insert(offset);
        self
    }

    /// Sets line and column (from 1), unless they are set already.
    #[must_use]
    pub fn at_line(mut self, line: usize, column: usize) -> Self {
        self.0.line.get_or_insert((line, column));
        self
    }

    /// Adds a sentence about what the user can do.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<Cow<'static, str>>) -> Self {
        self.0.hint = Some(hint.into());
        self
    }

    /// Adds the next outer step of the path.
    #[must_use]
    #[cold]
    pub fn inside(mut self, segment: Segment) -> Self {
        self.0.path.push(segment);
        self
    }

    /// Why it failed.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.0.kind
    }

    /// Where in the file, in bytes.
    #[must_use]
    pub fn offset(&self) -> Option<usize> {
        self.0.offset
    }

    /// Where in a text file: line and column, from 1.
    #[must_use]
    pub fn line(&self) -> Option<(usize, usize)> {
        self.0.line
    }

    /// What is wrong, without the location.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// What the user can do about it, if that is known.
    #[must_use]
    pub fn hint_text(&self) -> Option<&str> {
        self.0.hint.as_deref()
    }

    /// The path inside the file, such as `GEOS[0].PVTX`; empty at the top.
    #[must_use]
    pub fn path(&self) -> String {
        let mut path = String::new();
        for segment in self.0.path.iter().rev() {
            match segment {
                Segment::Index(index) => path.push_str(&format!("[{index}]")),
                named => {
                    if !path.is_empty() {
                        path.push('.');
                    }
                    match named {
                        Segment::Field(name) => path.push_str(name),
                        Segment::Tag(tag) => path.push_str(&tag.to_string()),
                        Segment::Index(_) => {}
                    }
                }
            }
        }
        path
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((line, column)) = self.0.line {
            write!(f, "{line}:{column}: ")?;
        } else if let Some(offset) = self.0.offset {
            write!(f, "{offset:#x}: ")?;
        }
        if !self.0.path.is_empty() {
            write!(f, "{}: ", self.path())?;
        }
        f.write_str(&self.0.message)
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}({self})", self.0.kind)
    }
}

impl std::error::Error for Error {
    /// The system's error, for errors of kind [`Kind::Io`] that came from one. A caller can find out whether a file was
    /// missing or access was denied.
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.0.cause.as_deref().map(|cause| cause as _)
    }
}

impl From<std::io::Error> for Error {
    fn from(error: std::io::Error) -> Self {
        let mut this = Self::new(Kind::Io, error.to_string());
        this.0.cause = Some(Arc::new(error));
        this
    }
}

/// Adds the path inside the file to an error while it is returned to the caller.
pub trait Locate<T> {
    /// In the field of this name.
    fn in_field(self, name: &'static str) -> Result<T>;
    /// In the chunk, section or track with this tag.
    fn in_tag(self, tag: Tag) -> Result<T>;
    /// In the element at this position.
    fn in_index(self, index: usize) -> Result<T>;
}

impl<T> Locate<T> for Result<T> {
    #[inline]
    fn in_field(self, name: &'static str) -> Self {
        self.map_err(|error| error.inside(Segment::Field(name)))
    }
    #[inline]
    fn in_tag(self, tag: Tag) -> Self {
        self.map_err(|error| error.inside(Segment::Tag(tag)))
    }
    #[inline]
    fn in_index(self, index: usize) -> Self {
        self.map_err(|error| error.inside(Segment::Index(index)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_of_the_system_is_kept_as_the_cause() {
        let missing = || std::io::Error::new(std::io::ErrorKind::NotFound, "no such file");
        let error = Error::from(missing()).hint("look elsewhere");
        assert_eq!(error.to_string(), "no such file");
        let cause =
            std::error::Error::source(&error).and_then(|cause| cause.downcast_ref::<std::io::Error>());
        assert_eq!(cause.map(std::io::Error::kind), Some(std::io::ErrorKind::NotFound));
        assert_eq!(error, Error::new(Kind::Io, "no such file").hint("look elsewhere"));
        assert_ne!(error, Error::from(missing()));
        assert!(std::error::Error::source(&Error::unsupported("no")).is_none());
    }

    #[test]
    fn the_location_is_printed_from_the_outside_in() {
        let inner: Result<()> = Err(Error::malformed(0x15fae6, "3 values need 6 bytes, 2 are left"));
        let error = inner.in_tag(Tag(*b"PVTX")).in_index(0).in_tag(Tag(*b"GEOS")).unwrap_err().at(7);
        assert_eq!(error.to_string(), "0x15fae6: GEOS[0].PVTX: 3 values need 6 bytes, 2 are left");
        assert_eq!(error.kind(), Kind::Malformed);
    }
}
