//! All tests in one program, which compiles faster than one for each file.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test may stop")]

mod blocks;
mod blp;
mod blp_written;
mod common;
mod kinds;
mod pillow;
mod textures;
