//! MDC version 2 and MD3 version 15: the models of Return to Castle Wolfenstein, Enemy Territory and Quake III that are
//! animated by storing all vertices for every frame.
//!
//! MDC is MD3 with most frames stored as small offsets from a base frame. Both share one [`Model`] here: lists that only
//! one of them has are empty in the other. A model that was read is written byte for byte as it was, even if the parts of
//! the file are in an unusual order; a new one gets the order of the games' own tools.
//!
//! ```
//! # fn main() -> effigy_wire::Result<()> {
//! # let bytes = effigy_samples::mdc::mdc().write()?;
//! let mut model = effigy_mdc::read(&bytes)?;
//! for surface in &mut model.surfaces {
//!     for shader in &mut surface.shaders {
//!         shader.name = effigy_wire::FixedStr::truncated("models/mapobjects/book/red.tga");
//!     }
//! }
//! let saved = model.write()?;
//! assert_eq!(saved.len(), bytes.len());
//!
//! let frames = model.decode()?;               // every frame of every surface
//! let first = frames[0].positions(0);         // surface 0, frame 0
//! assert_eq!(first.len(), model.surfaces[0].vertex_count());
//! # Ok(())
//! # }
//! ```
//!
//! Evidence: the published source code of the games decides where the 2004 description of the format guessed; real files
//! decide the rest. `docs/formats/mdc.md` has the tables.

mod build;
pub mod character;
pub mod codes;
pub mod decode;
mod encode;
mod expand;
pub mod games;
mod inspect;
pub mod interpolate;
mod layout;
pub mod lod;
mod model;
pub mod normals;
pub mod pose;
mod read;
pub mod records;
mod relatives;
pub mod sequences;
pub mod shader;
pub mod skin;
mod text;
mod version;
mod write;

pub use decode::{Formula, Track};
pub use encode::{Encoded, Measure, Mode, to_mdc};
pub use expand::to_md3;
pub use model::{Model, Origin, PackedVertex, Surface, Tags, Vertex};
pub use pose::Pose;
pub use records::{Frame, Name, PackedTag, Shader, Tag};
pub use relatives::relative;
pub use version::{Caps, Format};

use effigy_wire::{Limits, Result, Tag as Word};

/// Whether the bytes are an MDC or MD3 file, whatever its name says.
#[must_use]
pub fn sniff(bytes: &[u8]) -> bool {
    bytes.first_chunk().is_some_and(|&word| Format::with_ident(Word(word)).is_some())
}

/// Reads an MDC or MD3 file.
///
/// # Errors
/// When the file is malformed, or has a related format that is not supported.
pub fn read(bytes: &[u8]) -> Result<Model> {
    read_with(bytes, &Limits::DEFAULT)
}

/// Like [`read`], with limits of the caller.
///
/// # Errors
/// When the file is malformed, exceeds the limits, or has a related format that is not supported.
pub fn read_with(bytes: &[u8], limits: &Limits) -> Result<Model> {
    read::model(bytes, limits)
}
