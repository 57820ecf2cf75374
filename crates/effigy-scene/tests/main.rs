//! All tests in one program, which compiles faster than one for each file.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test may stop")]

mod curves;
mod fixtures;
mod grafting;
mod looks;
mod particles;
mod parts;
mod repaired;
mod ribbons;
mod sampler;
mod turning;
mod validation;
