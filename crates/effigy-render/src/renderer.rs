//! Drawing: a frame becomes a picture, or is drawn into any view.

use crate::camera::Camera;
use crate::draw_style::{Background, DrawStyle, Lighting};
use crate::geometry::{buffer, palette, too_much};
use crate::list::{Binding, List, Slot};
use crate::model::Model;
use crate::overlay::Lines;
use crate::pipelines::{Drawing, Edges, LineVertex, Pipelines};
use crate::shadow;
use crate::stage::Stage;
use crate::target::{Canvas, Surface, Target};
use crate::uniforms::{self, Draw};
use crate::{Gpu, Image, PendingImage};
use effigy_wire::{Report, Result};
use std::sync::{Arc, Mutex, PoisonError};
use wgpu::util::{BufferInitDescriptor, DeviceExt};

/// Draws any number of models on one device, from several threads if wanted.
pub struct Renderer {
    gpu: Gpu,
    pipelines: Pipelines,
    samplers: [wgpu::Sampler; 4],
    spare: Arc<Mutex<Vec<Target>>>,
}

impl std::fmt::Debug for Renderer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Renderer").field("gpu", &self.gpu).finish_non_exhaustive()
    }
}

/// What is drawn: a model at the moment of its stage, seen by a camera.
#[derive(Clone, Copy, Debug)]
pub struct Frame<'a> {
    /// Textures and meshes on the device; they must be those of the stage's scene.
    pub model: &'a Model,
    /// The scene at a moment.
    pub stage: &'a Stage,
    /// Where it is seen from.
    pub camera: &'a Camera,
    /// Background, light and overlays.
    pub style: &'a DrawStyle,
}

/// What a frame consists of.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    /// Number of draws; 0 means that the model shows nothing at this moment.
    pub draws: usize,
    /// What was left out or approximated.
    pub report: Report,
}

/// A picture and what could not be shown.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Drawn {
    /// The picture.
    pub picture: Image,
    /// What was left out.
    pub report: Report,
    /// Draws in the picture: 0 means that the model shows nothing at this moment.
    pub draws: usize,
}

impl Renderer {
    /// A renderer on a device.
    #[must_use]
    pub fn new(gpu: Gpu) -> Self {
        let sampler = |repeat: u8| {
            let mode = |bit: u8| {
                if repeat & bit == 0 { wgpu::AddressMode::ClampToEdge } else { wgpu::AddressMode::Repeat }
            };
            gpu.device.create_sampler(&wgpu::SamplerDescriptor {
                label: Some("texture"),
                address_mode_u: mode(1),
                address_mode_v: mode(2),
                mag_filter: wgpu::FilterMode::Linear,
                min_filter: wgpu::FilterMode::Linear,
                mipmap_filter: wgpu::MipmapFilterMode::Linear,
                anisotropy_clamp: gpu.anisotropy(),
                ..wgpu::SamplerDescriptor::default()
            })
        };
        let samplers = [0, 1, 2, 3].map(sampler);
        Self { pipelines: Pipelines::new(&gpu), samplers, gpu, spare: Arc::default() }
    }

    /// The renderer that all callers in this process share, on the best device there is. It is opened on the first call.
    ///
    /// # Errors
    /// When there is no driver; the hint says what to install.
    #[cfg(not(target_family = "wasm"))]
    pub fn shared() -> Result<&'static Self> {
        static SHARED: std::sync::OnceLock<Result<Renderer>> = std::sync::OnceLock::new();
        let opened = SHARED.get_or_init(|| Gpu::new(crate::Choice::Best).map(Self::new));
        opened.as_ref().map_err(Clone::clone)
    }

    /// The device.
    #[must_use]
    pub const fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    /// Draws a frame off-screen and waits for the pixels. In a browser, which cannot wait, use
    /// [`Renderer::submit`].
    ///
    /// # Errors
    /// When the picture is larger than the device can draw, the model larger than its memory, or the device is lost.
    pub fn draw(&self, frame: &Frame<'_>, size: [u32; 2]) -> Result<Drawn> {
        self.submit(frame, size)?.wait()
    }

    /// Draws a frame off-screen without waiting: the picture arrives later.
    ///
    /// # Errors
    /// When the picture is larger than the device can draw, or the model larger than its memory.
    pub fn submit(&self, frame: &Frame<'_>, size: [u32; 2]) -> Result<PendingImage> {
        let target = self.target(size)?;
        let mut encoder = self.encoder();
        let summary = {
            let mut pass = target.pass(&mut encoder, clear(frame.style));
            self.record(&mut pass, &target.canvas, frame)?
        };
        let result = (frame.style.background, summary);
        Ok(PendingImage::submit(&self.gpu, target, encoder, &self.spare, result))
    }

    /// Draws a frame into a view: a frame of a window, or a texture of the caller. The view has the canvas's format and
    /// size, and its previous contents are replaced.
    ///
    /// Over [`Background::Transparent`] colours are multiplied by how much they cover.
    ///
    /// # Errors
    /// When the model is larger than the device's memory, or the device reports an error.
    pub fn draw_into(&self, frame: &Frame<'_>, view: &wgpu::TextureView, canvas: &Canvas) -> Result<Summary> {
        let mut encoder = self.encoder();
        let summary = {
            let mut pass = canvas.pass(&mut encoder, view, clear(frame.style));
            self.record(&mut pass, canvas, frame)?
        };
        self.gpu.queue.submit([encoder.finish()]);
        self.gpu.check()?;
        Ok(summary)
    }

    fn encoder(&self) -> wgpu::CommandEncoder {
        let label = wgpu::CommandEncoderDescriptor { label: Some("picture") };
        self.gpu.device.create_command_encoder(&label)
    }

    fn target(&self, size: [u32; 2]) -> Result<Target> {
        let mut spare = self.spare.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(at) = spare.iter().position(|target| target.canvas.size() == size) {
            return Ok(spare.swap_remove(at));
        }
        spare.clear();
        drop(spare);
        Target::new(&self.gpu, size)
    }

    /// Records all draws into a pass of a canvas.
    fn record(&self, pass: &mut wgpu::RenderPass<'_>, canvas: &Canvas, frame: &Frame<'_>) -> Result<Summary> {
        let Frame { model, stage, camera, style } = *frame;
        let surface = canvas.surface();
        let mut report = Report::default();
        let lighting = style.lighting.unwrap_or_else(|| Lighting::for_scene(stage.scene()));
        let (uniforms, left_out) =
            uniforms::Frame::new(camera, canvas.aspect(), &lighting, &stage.sampler(), stage.pose());
        if left_out > 0 {
            report.dropped("lights", format!("{left_out} lights: at most 7 of a model shine at once"));
        }
        let list = List::new(&self.gpu, &model.geometries, stage, &camera.view)?;
        if list.lost > 0 {
            report.dropped(
                "meshes",
                format!("{} triangles with vertices that are not finite, or out of range", list.lost),
            );
        }
        stage.report(&mut report);
        if let Background::Gradient(top, bottom) = style.background {
            let uniform = [top, bottom].map(|[r, g, b]| [r, g, b, 255].map(|c| f32::from(c) / 255.0));
            self.simple(pass, &self.pipelines.backdrop(&self.gpu, surface), bytemuck::cast_slice(&uniform));
            pass.draw(0..3, 0..1);
        }
        if style.shadow && style.background != Background::Transparent {
            let ground = shadow::triangles_of(stage, camera);
            self.plain(pass, surface, Drawing::Ground, &ground, &uniforms)?;
        }
        let edges = match style.background {
            Background::Transparent => Edges::SoftOverNothing,
            _ => Edges::Soft,
        };
        self.items(pass, (surface, edges), model, &list, &uniforms)?;
        let lines = Lines::new(stage, &style.overlays);
        self.plain(pass, surface, Drawing::Inside, &lines.inside, &uniforms)?;
        self.plain(pass, surface, Drawing::Over, &lines.over, &uniforms)?;
        Ok(Summary { draws: list.items.len(), report })
    }

    /// Draws lines or triangles with colours of their own.
    fn plain(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        surface: Surface,
        drawing: Drawing,
        vertices: &[LineVertex],
        frame: &uniforms::Frame,
    ) -> Result<()> {
        if vertices.is_empty() {
            return Ok(());
        }
        let pipeline = self.pipelines.lines(&self.gpu, surface, drawing);
        self.simple(pass, &pipeline, bytemuck::cast_slice(&frame.view_projection));
        let buffer = buffer(&self.gpu, bytemuck::cast_slice(vertices), wgpu::BufferUsages::VERTEX)?;
        pass.set_vertex_buffer(0, buffer.slice(..));
        pass.draw(0..u32::try_from(vertices.len()).unwrap_or(0), 0..1);
        Ok(())
    }

    fn items(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        (surface, edges): (Surface, Edges),
        model: &Model,
        list: &List,
        frame: &uniforms::Frame,
    ) -> Result<()> {
        if list.items.is_empty() {
            return Ok(());
        }
        // Each draw finds its numbers at its own place in one buffer.
        let stride = u64::from(self.gpu.device.limits().min_uniform_buffer_offset_alignment)
            .max(u64::try_from(size_of::<Draw>()).unwrap_or(256))
            .next_multiple_of(256);
        let stride = usize::try_from(stride).unwrap_or(256);
        let mut draws = vec![0_u8; stride * list.items.len()];
        for (slot, item) in draws.chunks_exact_mut(stride).zip(&list.items) {
            for (to, from) in slot.iter_mut().zip(bytemuck::bytes_of(&item.draw)) {
                *to = *from;
            }
        }
        let gpu = &self.gpu;
        let draws = buffer(gpu, &draws, wgpu::BufferUsages::UNIFORM)?;
        let frame = buffer(gpu, bytemuck::bytes_of(frame), wgpu::BufferUsages::UNIFORM)?;
        let points = buffer(gpu, bytemuck::cast_slice(&list.points), wgpu::BufferUsages::VERTEX)?;
        let paint = buffer(gpu, bytemuck::cast_slice(&list.paint), wgpu::BufferUsages::VERTEX)?;
        let indices = buffer(gpu, bytemuck::cast_slice(&list.indices), wgpu::BufferUsages::INDEX)?;
        let matrices = palette(gpu, &list.matrices)?;
        let group = self.gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("draw"),
            layout: &self.pipelines.draw_layout,
            entries: &[
                wgpu::BindGroupEntry { binding: 0, resource: frame.as_entire_binding() },
                wgpu::BindGroupEntry {
                    binding: 1,
                    resource: wgpu::BindingResource::Buffer(wgpu::BufferBinding {
                        buffer: &draws,
                        offset: 0,
                        size: u64::try_from(size_of::<Draw>()).ok().and_then(std::num::NonZero::new),
                    }),
                },
                wgpu::BindGroupEntry { binding: 2, resource: wgpu::BindingResource::TextureView(&matrices) },
            ],
        });
        let mut current = None;
        let mut bound = None;
        for (number, item) in list.items.iter().enumerate() {
            if bound != Some(item.mesh) {
                bound = Some(item.mesh);
                match item.mesh.and_then(|mesh| list.meshes.get(mesh)) {
                    Some(shown) => {
                        let [from, to] = &shown.frames;
                        pass.set_vertex_buffer(0, from.points.slice(..));
                        pass.set_vertex_buffer(1, shown.geometry.paint.slice(..));
                        pass.set_vertex_buffer(2, to.points.slice(..));
                        let own = if shown.own { &indices } else { &shown.geometry.indices };
                        pass.set_index_buffer(own.slice(..), wgpu::IndexFormat::Uint32);
                    }
                    None => {
                        pass.set_vertex_buffer(0, points.slice(..));
                        pass.set_vertex_buffer(1, paint.slice(..));
                        pass.set_index_buffer(indices.slice(..), wgpu::IndexFormat::Uint32);
                    }
                }
            }
            if current != Some(item.key) {
                pass.set_pipeline(&self.pipelines.get(&self.gpu, surface, edges, item.key));
                current = Some(item.key);
            }
            let offset = u32::try_from(number * stride).map_err(|_| too_much("draws"))?;
            pass.set_bind_group(0, &group, &[offset]);
            pass.set_bind_group(1, &self.binding(model, model.binding(item)), &[]);
            pass.draw_indexed(item.indices.clone(), 0, 0..1);
        }
        Ok(())
    }

    /// Sets a pipeline that needs nothing but one block of numbers.
    fn simple(&self, pass: &mut wgpu::RenderPass<'_>, pipeline: &wgpu::RenderPipeline, uniform: &[u8]) {
        let buffer = self.gpu.device.create_buffer_init(&BufferInitDescriptor {
            label: Some("simple"),
            contents: uniform,
            usage: wgpu::BufferUsages::UNIFORM,
        });
        let group = self.gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("simple"),
            layout: &self.pipelines.simple_layout,
            entries: &[wgpu::BindGroupEntry { binding: 0, resource: buffer.as_entire_binding() }],
        });
        pass.set_pipeline(pipeline);
        pass.set_bind_group(0, &group, &[]);
    }

    /// The textures of a draw, bound once a model.
    fn binding(&self, model: &Model, binding: Binding) -> wgpu::BindGroup {
        let mut known = model.bindings.lock().unwrap_or_else(PoisonError::into_inner);
        known.entry(binding).or_insert_with(|| self.make_binding(model, binding)).clone()
    }

    fn make_binding(&self, model: &Model, binding: Binding) -> wgpu::BindGroup {
        let view = |slot: Slot| model.texture(slot.texture).map(wgpu::BindingResource::TextureView);
        let sampler =
            |slot: Slot| self.samplers.get(usize::from(slot.repeat)).map(wgpu::BindingResource::Sampler);
        let (layout, resources) = match binding {
            Binding::Plain([base, second]) => {
                (&self.pipelines.plain_layout, vec![view(base), sampler(base), view(second), sampler(second)])
            }
            Binding::Physical([base, normal, orm, emissive, team]) => (
                &self.pipelines.physical_layout,
                vec![view(base), sampler(base), view(normal), view(orm), view(emissive), view(team)],
            ),
        };
        let entries: Vec<_> = (0..)
            .zip(resources)
            .filter_map(|(binding, resource)| Some(wgpu::BindGroupEntry { binding, resource: resource? }))
            .collect();
        self.gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("textures"),
            layout,
            entries: &entries,
        })
    }
}

fn clear(style: &DrawStyle) -> wgpu::Color {
    match style.background {
        Background::Color(color) | Background::Gradient(color, _) => opaque(color),
        Background::Transparent => wgpu::Color::TRANSPARENT,
    }
}

fn opaque([r, g, b]: [u8; 3]) -> wgpu::Color {
    let [r, g, b] = [r, g, b].map(|channel| f64::from(channel) / 255.0);
    wgpu::Color { r, g, b, a: 1.0 }
}
