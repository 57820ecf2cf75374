//! M2: the models of World of Warcraft, versions 256 to 264 (vanilla to Wrath), with their views, `.skin` and `.anim`
//! files, and what is known of later ones.
//!
//! An M2 file is a header that names blocks by count and offset. Decoded, the header is the model ([`Contents`]); each
//! block is a [`Block`], which remembers where it stood. Records are declared once (`records`), and each names its own
//! blocks once; reading, writing, laying out and showing are walkers over that one list (`walk`).
//!
//! A model that was read and not edited goes back to the same places, byte for byte, odd ones included. A new or
//! edited model is laid out as original files are (`layout`).
//!
//! ```
//! # fn main() -> effigy_wire::Result<()> {
//! let mut model = effigy_m2::Model::new(effigy_m2::Version::VANILLA);
//! model.name = effigy_m2::Block::text_of("Imp");
//! let bytes = model.write()?;
//! let again = effigy_m2::read(&bytes)?;
//! assert_eq!(again.name(), "Imp");
//! assert_eq!(again, model);
//! # Ok(())
//! # }
//! ```

mod anim;
mod block;
mod codec;
pub mod codes;
mod companion;
mod contents;
mod coverage;
mod emit;
mod layout;
mod load;
mod mix;
mod model;
pub mod names;
pub mod records;
pub mod rotation;
mod series;
mod shell;
mod show;
mod skin;
pub mod tables;
mod track;
mod upgrade;
mod version;
mod walk;

pub use block::{Block, Key};
pub use companion::Companion;
pub use contents::Contents;
pub use model::{Model, read, read_with, sniff};
pub use records::*;
pub use series::Series;
pub use shell::{Chunk, Shell};
pub use skin::{ShadowBatch, Skin};
pub use track::{Interpolation, LifeTrack, Moments, Track};
pub use version::{Caps, Expansion, Version};
