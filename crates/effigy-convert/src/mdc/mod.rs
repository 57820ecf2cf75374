//! MDC and MD3.

mod lower;

pub use lower::{Options, lower};
