//! All tests in one program, which compiles faster than one for each file.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test may stop")]

mod archives;
mod bad_inputs;
mod catalog;
mod check;
mod commands;
mod common;
mod corpus;
mod edit;
mod hostile;
mod manners;
mod mistakes;
mod models;
mod other_games;
mod packing;
mod pictures;
mod render;
mod textures;
