//! All tests in one program, which compiles faster than one for each file.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test may stop")]

mod alpha;
mod build;
mod common;
mod corpus;
mod docs;
mod frame;
mod hostile;
mod keys;
mod peer_wc3;
mod samples;
mod space;
mod tables;
mod text_corpus;
mod text_print;
mod text_samples;
mod text_snapshots;
mod text_words;
mod truncation;
mod upgrade;
