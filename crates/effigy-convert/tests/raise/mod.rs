//! Scenes that become models again: posed vertices and everything else before and after.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
#![allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::print_stdout)]

mod creatures;
mod foreign;
mod frames;
mod identity;
mod posed;
mod samples;
pub mod world;
