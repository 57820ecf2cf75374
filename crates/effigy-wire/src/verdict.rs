//! Verdicts: whether a file that is read and written again has the same bytes, and what that needed.

use std::fmt;

/// The result of reading a file and writing it again in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Status {
    /// The typed model alone gives the same bytes.
    Identical,
    /// The same bytes, but some part needed the raw bytes that were kept with it.
    Guarded,
    /// The same bytes, but some known part could not be decoded and was preserved as raw bytes.
    Opaque,
    /// Not the same bytes: a bug.
    Different,
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Identical => "identical",
            Self::Guarded => "guarded",
            Self::Opaque => "opaque",
            Self::Different => "different",
        })
    }
}

/// The result of verifying one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The result.
    pub status: Status,
    /// Parts that needed their raw bytes, by tag or name, in file order.
    pub guarded: Vec<String>,
    /// Known parts that could not be decoded, by tag or name, in file order.
    pub opaque: Vec<String>,
}

impl Verdict {
    /// The verdict for a comparison of the output and the parts that needed raw bytes.
    #[must_use]
    pub fn new(same_bytes: bool, guarded: Vec<String>, opaque: Vec<String>) -> Self {
        let status = match (same_bytes, guarded.is_empty(), opaque.is_empty()) {
            (false, ..) => Status::Different,
            (true, _, false) => Status::Opaque,
            (true, false, true) => Status::Guarded,
            (true, true, true) => Status::Identical,
        };
        Self { status, guarded, opaque }
    }
}
