//! Scenes that become models again: posed vertices and everything else before and after.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
#![allow(clippy::cast_possible_truncation, clippy::print_stdout)]

mod identity;
mod posed;
mod world;
