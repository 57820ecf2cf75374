//! Effigy: the toolkit for classic game models. It opens, explains, checks, repairs, animates, draws and converts the
//! models of Warcraft III (MDX, MDL), World of Warcraft alpha (MDX) to Wrath (M2), Return to Castle Wolfenstein and Enemy
//! Territory (MDC, MD3, MDS, MDM), and gives every file back byte for byte.
//!
//! # Five things to do with a model
//!
//! Open it, with everything that belongs to it. The path may lead into an archive.
//!
//! ```no_run
//! let model = effigy::open("Imp.m2")?; // with its .skin and .anim files; also "map.w3x:units/footman.mdx"
//! println!("{} has {} sequences", model.name(), model.summary().sequences.len());
//! # Ok::<(), effigy::Error>(())
//! ```
//!
//! Convert it. The result holds the textures, the companions, and a report of what did not arrive as it was.
//!
//! ```no_run
//! # let model = effigy::open("Imp.m2")?;
//! model.convert(&"glb".parse()?)?.save("imp.glb")?;
//! # Ok::<(), effigy::Error>(())
//! ```
//!
//! Draw it (feature `render`).
//!
#![cfg_attr(feature = "render", doc = "```no_run")]
#![cfg_attr(not(feature = "render"), doc = "```ignore")]
//! # let model = effigy::open("Imp.m2")?;
//! model.render(&effigy::Picture::default())?.save("imp.png")?;
//! # Ok::<(), effigy::Error>(())
//! ```
//!
//! Check it.
//!
//! ```no_run
//! # let model = effigy::open("Imp.m2")?;
//! for finding in &model.check(&Default::default()).findings {
//!     println!("{finding}");
//! }
//! # Ok::<(), effigy::Error>(())
//! ```
//!
//! Edit it. Whatever is not touched stays the same, byte for byte.
//!
//! ```no_run
//! let mut model = effigy::open("footman.mdx")?;
//! if let effigy::Model::Mdx(mdx) = &mut model {
//!     mdx.sequences[0].name.set("Walk")?;
//! }
//! model.save("out.mdx")?;
//! # Ok::<(), effigy::Error>(())
//! ```
//!
//! # In memory
//!
//! Nothing here needs a file system: [`open_in`] takes files in memory and finds skins and textures among them,
//! [`read`] takes bare bytes, [`Converted::into_files`] and [`Model::write`] give bytes back. The library does not print,
//! does not read the environment, and does not end the process.
//!
//! # Going deeper
//!
//! | to | look at |
//! |---|---|
//! | edit a format's own model | [`Model`] and the format crates [`mdx`], [`m2`], [`mdc`], [`mds`] |
//! | name the game's folders and archives | [`OpenOptions`], [`assets::Assets`] |
//! | find all models of a folder or a map | [`Finder`] |
//! | make a table of many models | `catalog` (feature `catalog`) |
//! | put a weapon into a hand | [`Model::add_part`], [`Attach`] |
//! | see every field | [`Model::dump`], [`Model::diff`], [`Model::visit`] |
//! | scale, rename, remove, retarget | `Model::edit` and `Operation` (feature `edit`) |
//! | write archives, and change files in them | [`assets::pack`] |
//! | pose a model yourself | [`Model::lower`], [`scene::validate`], [`scene::sample`] |
//! | add a format or a conversion | [`FORMATS`] and [`ROUTES`]: one row each |
//!
//! # Features
//!
//! `mdx`, `m2`, `mdc` and `mds` choose formats, `gltf` reads and writes glTF, `check` finds faults, `assets` opens files and archives,
//! `edit` makes changes by operations; all of these are on by default. `render` draws pictures and brings a graphics stack.
//! `config` reads `effigy.toml`, `sarif` writes
//! findings for code scanning pages, `serde` and `schema` are for programs that print summaries as JSON; with `schema`,
//! `lines` has what the command prints with `--json`. `catalog` makes rows for tables of models.

// Without any format nothing can be opened, and much is never called.
#![cfg_attr(not(any(feature = "mdx", feature = "m2", feature = "mdc")), allow(unused, dead_code))]

#[cfg(feature = "catalog")]
pub mod catalog;
#[cfg(feature = "check")]
mod check;
#[cfg(feature = "config")]
pub mod config;
mod convert;
mod diff;
mod dump;
#[cfg(feature = "edit")]
mod edit;
#[cfg(feature = "gltf")]
mod export;
#[cfg(feature = "assets")]
pub mod find;
mod foreign;
mod format;
mod formats;
#[cfg(feature = "assets")]
mod goal;
#[cfg(all(feature = "schema", feature = "assets", feature = "check"))]
pub mod lines;
#[cfg(feature = "scene")]
mod lower;
mod model;
mod open;
#[cfg(feature = "scene")]
mod parts;
#[cfg(feature = "scene")]
mod raise;
#[cfg(feature = "render")]
mod render;
#[cfg(all(feature = "assets", feature = "edit"))]
mod repack;
#[cfg(feature = "assets")]
mod resize;
#[cfg(feature = "assets")]
mod shard;
mod sniff;
#[cfg(all(feature = "assets", any(feature = "render", feature = "gltf")))]
#[cfg_attr(not(feature = "render"), allow(dead_code, reason = "glTF has attachments alone"))]
mod spawned;
mod summary;
#[cfg(feature = "scene")]
mod textures;

#[cfg(feature = "check")]
pub use check::{Applied, CheckOptions, Checked, Finding, Game, Lookup, Profile, Repaired};
pub use convert::{ConvertOptions, Converted, Files, MdcMode, MdlSpelling, ROUTES, Route, Target};
pub use diff::Change;
pub use dump::DumpOptions;
#[cfg(feature = "edit")]
pub use edit::{Built, Done, Edited, Operation, Smaller, VERBS, Verb, script};
#[cfg(feature = "scene")]
pub use effigy_convert::raise::{Engine, Names, RaiseOptions, Weapon};
pub use effigy_wire::{
    self as wire, Code, Diagnostic, Diagnostics, Error, Kind, Limits, Report, Result, Severity, Status,
    Verdict,
};
#[cfg(feature = "assets")]
pub use find::{Finder, Input, Wanted};
pub use format::{Abilities, Dialect, Entry, FORMATS, Format, Reader};
#[cfg(feature = "assets")]
pub use goal::{Goal, known as known_goals};
#[cfg(feature = "scene")]
pub use lower::Lowered;
pub use model::{Model, Opened};
#[cfg(all(feature = "assets", feature = "scene"))]
pub use open::is_assembly;
#[cfg(feature = "assets")]
pub use open::{
    Attach, OpenOptions, open, open_bytes, open_carried, open_file, open_in, open_keeping_bytes, open_with,
};
pub use open::{read, read_with};
#[cfg(feature = "scene")]
pub use parts::Part;
#[cfg(feature = "scene")]
pub use raise::{make, print_names, read_names};
#[cfg(feature = "render")]
pub use render::{Container, Gpu, Picture, Pictures, Progress, Renderer, Shots};
#[cfg(all(feature = "assets", feature = "edit"))]
pub use repack::{SmallerArchive, SmallerModel, optimize_archive};
#[cfg(feature = "assets")]
pub use resize::Resize;
#[cfg(feature = "assets")]
pub use shard::Shard;
pub use sniff::{HEAD, sniff};
pub use summary::{Bounds, Count, Materials, Mesh, Sequence, Summary, Texture};

#[cfg(feature = "assets")]
pub use effigy_assets as assets;
#[cfg(feature = "check")]
pub use effigy_check as rules;
#[cfg(feature = "edit")]
pub use effigy_edit as edits;
#[cfg(feature = "gltf")]
pub use effigy_gltf as gltf;
#[cfg(feature = "assets")]
pub use effigy_image as image;
#[cfg(feature = "m2")]
pub use effigy_m2 as m2;
#[cfg(feature = "mdc")]
pub use effigy_mdc as mdc;
#[cfg(feature = "mds")]
pub use effigy_mds as mds;
#[cfg(feature = "mdx")]
pub use effigy_mdx as mdx;
#[cfg(feature = "render")]
pub use effigy_render as pictures;
#[cfg(feature = "scene")]
pub use effigy_scene as scene;

/// Compiles the examples of the README.
#[cfg(all(doctest, feature = "mdx"))]
#[doc = include_str!("../../../README.md")]
struct Readme;
