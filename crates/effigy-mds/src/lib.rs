//! MDS version 4, MDM version 3 and Enemy Territory's MDX version 2: the skeletal models of Return to Castle Wolfenstein
//! and Enemy Territory.
//!
//! A body of Return to Castle Wolfenstein is one MDS with mesh, bones and frames. A body of Enemy Territory is an MDM, the
//! mesh, and any number of MDX files, the bones and frames. All three share one [`Model`] here: lists that a format does
//! not have are empty. A model that was read is written byte for byte as it was.
//!
//! ```
//! # fn main() -> effigy_wire::Result<()> {
//! # let bytes = effigy_samples::mds::mds().write()?;
//! let mut model = effigy_mds::read(&bytes)?;
//! model.lod_bias = -1.0; // always all vertices
//! let saved = model.write()?;
//! assert_eq!(saved.len(), bytes.len());
//!
//! let skeleton = effigy_mds::pose::Skeleton::new(&model)?;
//! let pose = skeleton.frame(&model, 0)?;
//! let vertices = effigy_mds::pose::Mesh::new(&model).place(0, &pose);
//! assert_eq!(vertices.positions.len(), model.surfaces[0].vertices.len());
//! # Ok(())
//! # }
//! ```
//!
//! Evidence: the published source code of the games, and real files. `docs/formats/mds.md` has the tables.

pub mod bind;
mod build;
pub mod codes;
pub mod games;
mod inspect;
mod layout;
pub mod lod;
mod math;
mod model;
pub mod pose;
mod read;
pub mod records;
mod split;
mod version;
mod write;

pub use model::{Model, Origin, Surface, Tag, Vertex};
pub use records::{Bone, BoneKey, Frame, Name, Weight};
pub use split::{join, split};
pub use version::{Caps, Format};

use effigy_wire::{Limits, Result, Tag as Word};

/// Whether the bytes are an MDS, MDM or Enemy Territory MDX file, whatever its name says.
#[must_use]
pub fn sniff(bytes: &[u8]) -> bool {
    bytes.first_chunk().is_some_and(|&word| Format::with_ident(Word(word)).is_some())
}

/// Reads an MDS, MDM or Enemy Territory MDX file.
///
/// # Errors
/// When the file is malformed, or has another version.
pub fn read(bytes: &[u8]) -> Result<Model> {
    read_with(bytes, &Limits::DEFAULT)
}

/// Like [`read`], with limits of the caller.
///
/// # Errors
/// When the file is malformed, exceeds the limits, or has another version.
pub fn read_with(bytes: &[u8], limits: &Limits) -> Result<Model> {
    read::model(bytes, limits)
}
