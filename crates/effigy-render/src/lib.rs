//! Pictures of classic game models, drawn as the games draw them.
//!
//! A [`Gpu`] is a device without a window, a [`Renderer`] draws on it, a [`Model`] is a scene's textures on the device,
//! and a [`Stage`] is the scene at a moment, with particles and ribbons. The renderer takes checked scenes only:
//!
//! ```no_run
//! use effigy_render::{Choice, Direction, Frame, Gpu, DrawStyle, Model, NoTextures, Renderer, Stage};
//! # fn main() -> Result<(), effigy_wire::Error> {
//! # let scene = effigy_scene::Scene::default();
//! let scene = effigy_scene::validate(scene)?;
//! let renderer = Renderer::new(Gpu::new(Choice::Best)?);
//! let model = Model::new(&renderer, &scene, [255, 3, 3], &mut NoTextures);
//! let mut stage = Stage::new(scene.clone());
//! let sequence = Stage::default_sequence(&scene);
//! let camera = stage.camera(sequence, Direction::THREE_QUARTER, 1.0);
//! stage.start(sequence, 500.0, Some(&camera.view));
//! let frame = Frame { model: &model, stage: &stage, camera: &camera, style: &DrawStyle::default() };
//! let drawn = renderer.draw(&frame, [512, 512])?;
//! let png = effigy_image::png::write(&drawn.picture, effigy_image::png::Compression::Fast)?;
//! # Ok(())
//! # }
//! ```
//!
//! The same renderer draws into any view, such as a frame of a window:
//!
//! ```no_run
//! use effigy_render::{Camera, Canvas, Frame, Gpu, DrawStyle, Model, Renderer, Stage, wgpu};
//! # use effigy_wire::Error;
//! # struct Window { surface: wgpu::Surface<'static>, adapter: wgpu::Adapter, size: [u32; 2] }
//! # fn open(window: &Window) -> Result<(), Error> {
//! let renderer = Renderer::new(Gpu::with_adapter(&window.adapter)?);
//! let [width, height] = window.size;
//! let mut config = window.surface.get_default_config(&window.adapter, width, height).expect("a format");
//! config.format = config.format.remove_srgb_suffix(); // the games blend stored values
//! window.surface.configure(renderer.gpu().device(), &config);
//! let canvas = Canvas::new(renderer.gpu(), config.format, window.size)?; // again whenever the size changes
//! # Ok(())
//! # }
//! # fn frame(view: &wgpu::TextureView, renderer: &Renderer, canvas: &Canvas, model: &Model, stage: &mut Stage,
//! #     camera: &Camera) -> Result<(), Error> {
//! // For each frame, with a `view` of the surface's current texture:
//! stage.advance(1000.0 / 60.0, Some(&camera.view));
//! let frame = Frame { model, stage, camera, style: &DrawStyle::default() };
//! renderer.draw_into(&frame, view, canvas)?;
//! # Ok(())
//! # }
//! ```
//!
//! # Features
//!
//! `vulkan`, `metal`, `dx12` and `gles` are enabled by default, and each has an effect only on its systems; `webgl` is
//! for browsers.
//!
//! # Choices
//!
//! The colour target of pictures is plain `Rgba8Unorm`, and no view may convert colours: the games blend stored values, not
//! linear light. So pictures are the same natively and on the web. Meshes stay on the device: for each picture only the
//! matrices of groups of bones are uploaded, in a texture (256 per row, as many rows as the device allows, at least 2048), or
//! the position between two frames. Particles and ribbons are built again for each picture. The shaders are in `shaders/`;
//! their formulas follow what is known of the games' own shaders.

mod auto;
pub mod camera;
mod draw_style;
mod effects;
mod font;
mod framing;
mod geometry;
mod gif;
mod gpu;
mod list;
mod model;
mod overlay;
mod picture;
mod picture_file;
mod pipelines;
mod progress;
mod readback;
mod recording;
mod renderer;
mod shadow;
mod sheet;
mod shots;
mod stage;
mod studio;
mod style;
mod target;
mod textures;
mod uniforms;
mod weight;

pub use auto::names_a_view;
pub use camera::{Camera, Direction};
pub use draw_style::{Background, DrawStyle, Lighting, Marked, Overlays};
pub use effigy_image::Image;
pub use effigy_scene::{NoTextures, Textures};
pub use font::{caption, text_height, text_width};
pub use gpu::{Choice, Gpu};
pub use model::Model;
pub use picture::{Picture, Shot, Size, TeamColor, Time, Viewpoint};
pub use picture_file::PictureFile;
pub use progress::Progress;
pub use readback::PendingImage;
pub use renderer::{Drawn, Frame, Renderer, Summary};
pub use sheet::Sheet;
pub use shots::{Container, Shots};
pub use stage::{Hidden, Stage, WarmUp};
pub use studio::Each;
pub use target::Canvas;
pub use wgpu;
