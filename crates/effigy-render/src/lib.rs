//! Pictures of classic game models, drawn as the games draw them.
//!
//! A [`Gpu`] is a device without a window, a [`Renderer`] draws on it, a [`Model`] is a scene's textures on the device,
//! and a [`Stage`] is the scene at a moment, with particles and ribbons. The renderer takes checked scenes only:
//!
//! ```no_run
//! use effigy_render::{Choice, Direction, Gpu, Look, Model, NoTextures, Renderer, Stage};
//! # fn main() -> Result<(), effigy_wire::Error> {
//! # let scene = effigy_scene::Scene::default();
//! let info = effigy_scene::validate(&scene)?;
//! let renderer = Renderer::new(Gpu::new(Choice::Best)?);
//! let model = Model::new(&renderer, &scene, [255, 3, 3], &mut NoTextures);
//! let mut stage = Stage::new(&scene, &info);
//! let sequence = Stage::default_sequence(&scene);
//! let camera = stage.camera(sequence, Direction::THREE_QUARTER, 1.0);
//! stage.start(sequence, 500.0, Some(&camera.view));
//! let drawn = renderer.draw(&model, &stage, &camera, &Look::default(), [512, 512])?;
//! let png = effigy_render::encode::png(&drawn.picture)?;
//! # Ok(())
//! # }
//! ```
//!
//! # Choices
//!
//! The colour target is plain `Rgba8Unorm`: the games blend stored values, not linear light, so no conversion takes
//! place and pictures are the same natively and on the web. Meshes stay on the device: a picture brings only the matrices
//! of its bones, in a texture without a limit on their number, or the place between two frames. Particles and ribbons are
//! made anew for each picture. The shaders stand in `shaders/`; formulas come from what is known of the games'
//! own programs.

pub mod camera;
mod effects;
pub mod encode;
mod font;
mod geometry;
mod gpu;
mod list;
mod look;
mod model;
mod overlay;
mod picture;
mod pipelines;
mod renderer;
mod sheet;
mod stage;
mod style;
mod target;
mod textures;
mod uniforms;

pub use camera::{Camera, Direction};
pub use font::{caption, text_height, text_width};
pub use gpu::{Choice, Gpu};
pub use look::{Background, Lighting, Look, Overlays};
pub use model::Model;
pub use picture::Picture;
pub use renderer::{Drawn, Renderer};
pub use sheet::sheet;
pub use stage::Stage;
pub use textures::{Image, NoTextures, Textures};
