//! M2: the models of World of Warcraft, versions 256 to 264 (vanilla to Wrath), with their views, `.skin` and `.anim`
//! files, and what is known of later ones.
//!
//! An M2 file is a header that refers to arrays ("blocks") by count and offset. Decoded, the header is the model
//! ([`Contents`]); each array is a [`Block`], which remembers its offset in the file. Records are declared once
//! (`records`), and each lists its own blocks once; reading, writing, laying out and dumping are walkers over that one
//! list (`walk`), so a new block has to be added in one place only.
//!
//! A model that was read and not edited is written with every block at its old offset, so the file comes back byte for
//! byte even if its layout is unusual. A new model, or one whose edits no longer fit, gets the layout of original files
//! (`layout`).
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
mod build;
mod codec;
pub mod codes;
mod companion;
mod contents;
mod coverage;
mod emit;
mod extent;
mod layout;
mod load;
mod mix;
mod model;
pub mod names;
mod placement;
pub mod records;
pub mod rotation;
mod series;
mod shell;
mod show;
mod skin;
mod space;
pub mod tables;
mod track;
mod upgrade;
mod version;
mod walk;

pub use block::{Block, Key};
pub use companion::Companion;
pub use contents::Contents;
pub use extent::{KeyExtents, NEAR, since};
pub use model::{Model, read, read_with, sniff};
pub use records::*;
pub use series::Series;
pub use shell::{Chunk, Shell};
pub use skin::{ShadowBatch, Skin};
pub use track::{Interpolation, LifeTrack, Moments, Track};
pub use version::{Caps, Expansion, Version};
