//! Reads and writes Warcraft III and World of Warcraft alpha models (MDX) of every version, without changing a byte that was
//! not edited, and their text form (MDL).
//!
//! ```no_run
//! let mut model = effigy_mdx::read(&std::fs::read("footman.mdx")?)?;
//! for geoset in &mut model.geosets {
//!     for vertex in &mut geoset.vertices {
//!         vertex[2] += 10.0;
//!     }
//! }
//! std::fs::write("raised.mdx", model.write()?)?; // everything else is the same byte for byte
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The modules: [`records`] has one file per record with its layout; [`track`] has animated values; `chunks` the table
//! of chunks; [`version`] is the only module that compares version numbers; `read` and `write` handle the order of chunks and
//! everything outside of them; [`text`] is MDL; [`Model::upgrade`] converts to another version.

mod build;
mod chunks;
pub mod codes;
mod each;
pub mod layout;
mod losses;
mod model;
mod read;
pub mod records;
pub mod rotation;
pub mod text;
pub mod track;
mod upgrade;
pub mod version;
mod write;

pub use chunks::{ChunkKind, Lists};
pub use model::Model;
pub use read::{ReadOptions, read, read_with, read_with_options, sniff};
pub use records::*;
pub use track::{Interpolation, Key, KeyValue, Track, Tracks, ValueKind};
pub use version::{Caps, Dialect, Release};
