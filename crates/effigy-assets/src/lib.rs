//! Where models and their textures live.
//!
//! - [`Source`]: a folder, an MPQ archive or map, a PK3 or zip, read only. [`Stack`] lays several over each other;
//!   later ones win, as in the games. [`open`] and [`open_bytes`] tell what they are given by content.
//! - [`ArchivePath`] is what `map.w3x:units/footman.mdx` means.
//! - [`rules`]: under which names a game looks for what a model mentions, and what stands in for replaceable
//!   textures.
//! - [`dbc`]: the tables of World of Warcraft that say which skins a creature wears.
//! - [`extract`]: entries to files that never leave the output folder.

pub mod codes;
pub mod dbc;
pub mod extract;
pub mod name;
pub mod rules;
mod source;

pub use source::archive_path::ArchivePath;
pub use source::folder::Folder;
pub use source::kind::{ArchiveKind, open, open_bytes};
pub use source::mpq::Mpq;
pub use source::pk3::Pk3;
pub use source::stack::{Found, Stack};
pub use source::{Entry, Source};
