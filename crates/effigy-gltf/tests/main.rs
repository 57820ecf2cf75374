//! All tests in one program, which compiles faster than one for each file.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test may stop")]

mod animation;
mod back;
mod cameras;
mod clips;
mod common;
mod edited;
mod export;
mod extras;
mod facts;
mod import;
mod inputs;
mod looks;
mod materials;
mod meshes;
mod moving;
mod numbers;
mod options;
mod ours;
mod playing;
mod pointers;
mod posed;
mod shapes;
mod showing;
mod slots;
