//! What `verify` found: does a file come back byte for byte, and from what?

use std::fmt;

/// How a file came back after reading and writing it in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Status {
    /// The typed model alone gives the same bytes.
    Identical,
    /// The same bytes, but some part needed the raw bytes that were kept beside it.
    Guarded,
    /// The same bytes, but some known part could not be decoded and was carried along as it is.
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
    /// How the file came back.
    pub status: Status,
    /// Parts that needed their raw bytes, by tag or name, in file order.
    pub guarded: Vec<String>,
    /// Known parts that could not be decoded, by tag or name, in file order.
    pub opaque: Vec<String>,
}

impl Verdict {
    /// The verdict that follows from comparing the output and from what was carried along.
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
