//! glTF files of other programs: exported again, and damaged.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    clippy::indexing_slicing
)]
#![allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "indices and times of a file")]

mod again;
mod damaged;
#[path = "../../examples/lower/mod.rs"]
mod lower;
