//! M2, with its embedded views or `.skin` files.

mod lower;

pub use lower::lower;
