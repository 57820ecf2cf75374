//! MDX, both dialects.

mod lower;

pub use lower::lower;
