//! Where models and their textures are located.
//!
//! - [`Source`]: a folder, an MPQ archive or map, a PK3 or zip archive; read only. A [`Stack`] combines several; later
//!   ones take precedence, as patches do in the games. [`open`] and [`open_bytes`] recognise archives by their content.
//! - [`Memory`]: a set of files that a program or a browser holds; [`FileRef`] is one file with its surroundings.
//! - [`Assets`] finds what a model names: next to it first, then in the game's files.
//! - [`Destination`] writes files: complete or not at all, never outside its folder.
//! - [`ArchivePath`]: a path into an archive, such as `map.w3x:units/footman.mdx`.
//! - [`rules`]: the names under which a game looks for the files that a model refers to, and substitutes for replaceable
//!   textures.
//! - [`dbc`]: the tables of World of Warcraft that list the skins of creatures, items and characters.
//! - [`extract`]: writes entries to files, all of them inside the output folder.
//! - [`pack`]: writes archives: new ones, and existing ones with some files changed.

pub mod codes;
pub mod dbc;
pub mod destination;
pub mod extract;
pub mod file;
pub mod lookup;
pub mod name;
pub mod pack;
pub mod rules;
mod source;

pub use dbc::appearance::Appearance;
pub use destination::Destination;
pub use file::{FileRef, PackedFile};
pub use lookup::{Assets, Choices, ModelTextures, Naming, Scripts, TextureRef};
pub use source::archive_path::ArchivePath;
pub use source::cache::{ArchiveAddress, ArchiveCache, missing};
pub use source::folder::Folder;
pub use source::kind::{ArchiveKind, open, open_bytes};
pub use source::memory::Memory;
pub use source::mpq::Mpq;
pub use source::pk3::Pk3;
pub use source::stack::{Found, Stack};
pub use source::{Entry, Source};
