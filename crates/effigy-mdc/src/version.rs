//! The formats and their capabilities. No other file compares version numbers.

use effigy_wire::{Capabilities, Error, Result, Tag};
use std::fmt;

bitflags::bitflags! {
    /// Capabilities of a format.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Caps: u32 {
        /// Frames may be stored as small offsets from a base frame, and tags as 16-bit numbers under names that are
        /// stored once (MDC).
        const COMPRESSED = 1;
        /// Every frame is stored in full, and every tag as floats with its name in every frame (MD3).
        const PLAIN = 2;
    }
}

impl Capabilities for Caps {
    fn has(self, needed: Self) -> bool {
        self.contains(needed)
    }
}

/// The two formats of the family.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Format {
    /// MDC version 2: Return to Castle Wolfenstein and Enemy Territory.
    #[default]
    Mdc,
    /// MD3 version 15: Quake III and everything after it.
    Md3,
}

impl Format {
    /// The first four bytes of such a file.
    #[must_use]
    pub const fn ident(self) -> Tag {
        match self {
            Self::Mdc => Tag::new(b"IDPC"),
            Self::Md3 => Tag::new(b"IDP3"),
        }
    }

    /// The version number that such a file states.
    #[must_use]
    pub const fn number(self) -> i32 {
        match self {
            Self::Mdc => 2,
            Self::Md3 => 15,
        }
    }

    /// The capabilities of the format.
    #[must_use]
    pub const fn caps(self) -> Caps {
        match self {
            Self::Mdc => Caps::COMPRESSED,
            Self::Md3 => Caps::PLAIN,
        }
    }

    /// The word at the start of each surface. In MDC files it is a number from the memory of the game that wrote them.
    #[must_use]
    pub const fn surface_ident(self) -> Tag {
        match self {
            Self::Mdc => Tag::new(&[7, 0, 0, 0]),
            Self::Md3 => Tag::new(b"IDP3"),
        }
    }

    /// The format with this first word, whatever its version.
    #[must_use]
    pub fn with_ident(ident: Tag) -> Option<Self> {
        [Self::Mdc, Self::Md3].into_iter().find(|format| format.ident() == ident)
    }

    /// Checks the version number that a file of this format states.
    pub(crate) fn check_number(self, number: i32) -> Result<()> {
        let known = self.number();
        if number == known {
            return Ok(());
        }
        let note = if self == Self::Mdc && number == 1 { " (no game loads it)" } else { "" };
        Err(Error::unsupported(format!("{self} version {number}{note}; only version {known} is known")).at(4))
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Mdc => "MDC",
            Self::Md3 => "MD3",
        })
    }
}
