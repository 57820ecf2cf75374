//! glTF 2.0 from Effigy scenes, and back.
//!
//! ```
//! use effigy_gltf::{NoTextures, ExportOptions, export};
//! use effigy_scene::{Scene, validate};
//! let scene = validate(Scene { name: "Empty".into(), ..Scene::default() })?;
//! let file = export(&scene, &ExportOptions::default(), &mut NoTextures)?;
//! print!("{}", file.report);
//! let bytes: Vec<u8> = file.into_glb()?;
//! assert_eq!(&bytes[..4], b"glTF");
//! # Ok::<(), effigy_wire::Error>(())
//! ```
//!
//! What is written: meshes with skins or morph targets; nodes as joints at their pivots; each sequence as an
//! animation whose keys are cut to the sequence and exact for straight, stepped and cubic tracks, with global sequences
//! unrolled into it; on request colours, alpha and texture transforms through `KHR_animation_pointer`; lights and cameras;
//! and everything that glTF cannot express (emitters, ribbons, events, attachments, shapes, all layers of a
//! material) in `extras`. Y is up and Z the front; units stay, and the root node scales them.
//!
//! The same scene and options give the same bytes.
//!
//! [`Model`] reads glTF 2.0 of any program, and [`Model::lower`] makes a scene of it.

mod base64;
mod buffer;
pub mod codes;
mod export;
mod import;
mod json;
mod options;
mod pictures;
mod purpose;

pub use effigy_scene::{NoTextures, Textures};
pub use export::{Gltf, export, export_split, export_with};
pub use import::{MeshCount, Model, PrimitiveCount};
pub use options::{ExportOptions, Still, Visibility};
pub use pictures::{ImageFormat, Pictures};
