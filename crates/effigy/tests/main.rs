//! All tests in one program, which compiles faster than one for each file.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test may stop")]

mod build;
mod bundle;
mod filled;
mod parts;
mod pictures;
mod raised_textures;
mod samples;
mod spawned;
