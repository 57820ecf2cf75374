//! Effigy: the toolkit for classic game models. This crate is the door that most programs use: it tells formats
//! apart, opens any of them, and gives each the same face.
//!
//! ```no_run
//! let document = effigy::open("footman.mdx")?;
//! for sequence in &document.summary().sequences {
//!     assert!(sequence.seconds >= 0.0, "{}", sequence.name);
//! }
//! let bytes = document.write()?; // the same bytes that were read
//! # Ok::<(), effigy::Error>(())
//! ```
//!
//! Whoever wants to edit uses the format crates themselves, re-exported here under their short names and chosen by
//! the features of the same names.

mod convert;
mod document;
mod foreign;
mod format;
#[cfg(feature = "m2")]
mod m2_document;
#[cfg(feature = "mdc")]
mod mdc_document;
#[cfg(feature = "mdx")]
mod mdx_document;
#[cfg(feature = "scene")]
mod scene;
mod sniff;
mod summary;

pub use convert::{Converted, MdcMode, MdlSpelling, Options, ROUTES, Route, Target, convert};
pub use document::{Document, open, open_with, read, read_with};
#[cfg(feature = "m2")]
pub use effigy_m2 as m2;
#[cfg(feature = "mdc")]
pub use effigy_mdc as mdc;
#[cfg(feature = "mdx")]
pub use effigy_mdx as mdx;
pub use effigy_wire::{
    self as wire, Code, Diagnostic, Diagnostics, Error, Kind, Limits, Report, Result, Severity, Status,
    Verdict,
};
pub use format::{Abilities, Dialect, Entry, FORMATS, Format, Reader};
#[cfg(feature = "mdx")]
pub use mdx_document::Text;
#[cfg(feature = "scene")]
pub use scene::{Lowered, apply_shaders, lower};
pub use sniff::{HEAD, sniff};
pub use summary::{Bounds, Count, Materials, Mesh, Sequence, Summary, Texture};
#[cfg(feature = "scene")]
pub use {effigy_gltf as gltf, effigy_scene as scene_graph};

/// Compiles the examples of the README.
#[cfg(all(doctest, feature = "mdx"))]
#[doc = include_str!("../../../README.md")]
struct Readme;
