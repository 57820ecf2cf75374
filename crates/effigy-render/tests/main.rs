//! All tests in one program, which compiles faster than one for each file.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test may stop")]

mod combiners;
mod common;
mod effects;
mod formats;
mod hostile;
mod layers;
mod motion;
mod order;
mod physical;
mod samples;
mod scripts;
mod shadow;
mod views;
mod webgl;
