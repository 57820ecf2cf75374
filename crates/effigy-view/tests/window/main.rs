//! The viewer as a user sees it, drawn on the software renderer. The pictures of each state go to the folder named by
//! `EFFIGY_SNAPSHOTS`, to be looked at, and what can be decided by code is checked here.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stderr
)]
#![allow(missing_docs)]

mod assembly;
mod browse;
mod compare;
mod harness;
mod jobs;
mod models;
mod motion;
mod wow;
