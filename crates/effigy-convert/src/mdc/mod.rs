//! MDC and MD3.

mod lower;
mod shaders;
mod sprites;

pub use lower::{FrameTiming, lower};
pub use shaders::{apply_alpha, apply_shaders};
