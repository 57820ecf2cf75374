//! Writes entries of a source to files on disk, all of them inside the output folder.

mod matching;
mod safe_path;
mod write;

pub use matching::matching;
pub use safe_path::safe_path;
pub use write::{Extracted, Options, Outcome, extract};
