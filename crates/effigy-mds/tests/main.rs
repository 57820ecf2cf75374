//! All tests in one program, which compiles faster than one for each file.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test may stop")]

mod bend;
mod build;
mod documentation;
mod hostile;
mod records;
mod samples;
mod soldiers;
