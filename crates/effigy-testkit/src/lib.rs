//! What Effigy's own tests and tasks share. It depends on the standard library only, so it costs nothing to build.
//!
//! Some tests need something that not every machine has: the corpus of real models, a graphics driver, Python with
//! Pillow. Such a test asks for it and returns early when it is missing:
//!
//! ```no_run
//! fn every_file_is_read() {
//!     let Some(corpus) = effigy_testkit::corpus() else { return };
//!     // ...
//! }
//! ```
//!
//! An early return looks like success, so it never happens silently. [`require`] appends a line to the file named by
//! `EFFIGY_SKIPPED`, from which `cargo xtask test` counts the skipped tests; and it fails the test if the thing is listed in
//! `EFFIGY_REQUIRE`, which `cargo xtask test` sets to everything that it found or installed. docs/testing.md explains both.

#![allow(clippy::panic, reason = "a test that cannot run although it must has to fail")]

mod corpus;
mod need;
mod shell;

pub use corpus::{
    CORPUS, Collection, Entry, GLTF_INPUTS, HOSTILE, SOLDIERS, corpus, files, find_corpus, gltf_inputs,
    index, soldiers,
};
pub use need::{PYTHON, REQUIRE, SKIPPED, Skip, parse_skips, python_with, require};
pub use shell::{Shell, TESTED, Task};
