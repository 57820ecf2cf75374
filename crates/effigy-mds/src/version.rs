//! The formats and their capabilities. No other file compares version numbers.

use effigy_wire::{Capabilities, Error, Result, Tag};
use std::fmt;

bitflags::bitflags! {
    /// Capabilities of a format.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Caps: u32 {
        /// It has surfaces and tags (MDS, MDM).
        const MESH = 1;
        /// It has bones and frames (MDS, MDX).
        const SKELETON = 2;
        /// Mesh and skeleton are in one file: vertices have room for a fixed parent, and a tag is a bone (MDS).
        const WHOLE = 4;
        /// A tag has a place of its own on its bone (MDM).
        const PLACED_TAGS = 8;
    }
}

impl Capabilities for Caps {
    fn has(self, needed: Self) -> bool {
        self.contains(needed)
    }
}

/// The three formats of the family.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Format {
    /// MDS version 4, Return to Castle Wolfenstein: mesh, bones and frames.
    #[default]
    Mds,
    /// MDM version 3, Enemy Territory: the mesh alone.
    Mdm,
    /// MDX version 2, Enemy Territory: bones and frames alone. It has nothing in common with Warcraft III's MDX.
    Mdx,
}

impl Format {
    /// All three.
    pub const ALL: [Self; 3] = [Self::Mds, Self::Mdm, Self::Mdx];

    /// The first four bytes of such a file.
    #[must_use]
    pub const fn ident(self) -> Tag {
        match self {
            Self::Mds => Tag::new(b"MDSW"),
            Self::Mdm => Tag::new(b"MDMW"),
            Self::Mdx => Tag::new(b"MDXW"),
        }
    }

    /// The version number that such a file states.
    #[must_use]
    pub const fn number(self) -> i32 {
        match self {
            Self::Mds => 4,
            Self::Mdm => 3,
            Self::Mdx => 2,
        }
    }

    /// The capabilities of the format.
    #[must_use]
    pub const fn caps(self) -> Caps {
        match self {
            Self::Mds => Caps::MESH.union(Caps::SKELETON).union(Caps::WHOLE),
            Self::Mdm => Caps::MESH.union(Caps::PLACED_TAGS),
            Self::Mdx => Caps::SKELETON,
        }
    }

    /// The number at the start of each surface: one from the memory of the program that wrote the file.
    #[must_use]
    pub const fn surface_ident(self) -> i32 {
        match self {
            Self::Mds => 8,
            Self::Mdm => 9,
            Self::Mdx => 0,
        }
    }

    /// The format with this first word, whatever its version.
    #[must_use]
    pub fn with_ident(ident: Tag) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.ident() == ident)
    }

    /// Checks the version number that a file of this format states.
    pub(crate) fn check_number(self, number: i32) -> Result<()> {
        let known = self.number();
        if number == known {
            return Ok(());
        }
        Err(Error::unsupported(format!("{self} version {number}; only version {known} is known")).at(4))
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Mds => "MDS",
            Self::Mdm => "MDM",
            Self::Mdx => "MDX (Enemy Territory)",
        })
    }
}
