//! All tests in one program, which compiles faster than one for each file.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test may stop")]

mod bounds;
mod common;
mod edits;
mod formats;
mod merge;
mod optimize;
mod set;
mod take;
mod timing;
mod transform;
