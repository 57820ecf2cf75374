//! All tests in one program, which compiles faster than one for each file.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test may stop")]

mod alpha;
mod corpus;
mod lowered;
mod lowering;
mod m2_oracle;
mod raise;
mod raised;
mod spline_turns;
