//! Diagnostics: what a reader noticed about a file that it could open all the same.

use crate::Error;
use std::borrow::Cow;
use std::fmt;

/// A stable name for a kind of finding, such as `MDX0103`. Scripts may rely on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Code(pub &'static str);

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.0)
    }
}

/// How much a finding matters, in words that modellers know.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Takes space and has no effect.
    Unused,
    /// Good to know: models that ship with the games have it too, and work.
    Note,
    /// Probably not what the author meant.
    Warning,
    /// The game draws or plays it wrong.
    Severe,
    /// The game will not load it, or will crash.
    Error,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Unused => "unused",
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Severe => "severe",
            Self::Error => "error",
        })
    }
}

/// One finding: what, how severe, where.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnostic {
    /// Its stable code.
    pub code: Code,
    /// How much it matters.
    pub severity: Severity,
    /// Offset in the file, where one is known.
    pub offset: Option<usize>,
    /// Line and column (from 1) in a text file.
    pub line: Option<(usize, usize)>,
    /// Path inside the file, such as `GEOS[0].PVTX`; may be empty.
    pub path: String,
    /// What was found and what it means for the reader.
    pub message: Cow<'static, str>,
}

impl Diagnostic {
    /// A finding without a location yet.
    #[must_use]
    pub fn new(code: Code, severity: Severity, message: impl Into<Cow<'static, str>>) -> Self {
        Self { code, severity, offset: None, line: None, path: String::new(), message: message.into() }
    }

    /// A finding for an error that did not stop the reader.
    #[must_use]
    pub fn from_error(code: Code, severity: Severity, error: &Error) -> Self {
        Self {
            code,
            severity,
            offset: error.offset(),
            line: error.line(),
            path: error.path(),
            message: error.message().to_owned().into(),
        }
    }

    /// Sets the offset.
    #[must_use]
    pub fn at(mut self, offset: usize) -> Self {
        self.offset = Some(offset);
        self
    }

    /// Sets the path.
    #[must_use]
    pub fn in_path(mut self, path: impl Into<String>) -> Self {
        self.path = path.into();
        self
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}: ", self.severity, self.code)?;
        if let Some((line, column)) = self.line {
            write!(f, "{line}:{column}: ")?;
        } else if let Some(offset) = self.offset {
            write!(f, "{offset:#x}: ")?;
        }
        if !self.path.is_empty() {
            write!(f, "{}: ", self.path)?;
        }
        f.write_str(&self.message)
    }
}

/// A bounded list of findings.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
    limit: usize,
    left_out: usize,
}

impl Diagnostics {
    /// An empty list that keeps at most `limit` findings.
    #[must_use]
    pub const fn with_limit(limit: usize) -> Self {
        Self { list: Vec::new(), limit, left_out: 0 }
    }

    /// Adds a finding, or counts it when the list is full.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        if self.list.len() < self.limit {
            self.list.push(diagnostic);
        } else {
            self.left_out = self.left_out.saturating_add(1);
        }
    }

    /// How many findings did not fit.
    #[must_use]
    pub const fn left_out(&self) -> usize {
        self.left_out
    }
}

impl std::ops::Deref for Diagnostics {
    type Target = [Diagnostic];
    fn deref(&self) -> &[Diagnostic] {
        &self.list
    }
}

impl<'a> IntoIterator for &'a Diagnostics {
    type Item = &'a Diagnostic;
    type IntoIter = std::slice::Iter<'a, Diagnostic>;
    fn into_iter(self) -> Self::IntoIter {
        self.list.iter()
    }
}
