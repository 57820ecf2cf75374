//! MDS, and MDM with its MDX files.

mod lower;

pub use lower::{Animation, Body, lower};
