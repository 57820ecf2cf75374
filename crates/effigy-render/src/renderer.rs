//! Drawing: a frame becomes a picture, or is drawn into any view.

use crate::camera::Camera;
use crate::draw_style::{Background, DrawStyle, Lighting};
use crate::geometry::{buffer, palette, too_much};
use crate::list::{Binding, Item, List, Slot};
use crate::model::Model;
use crate::overlay::Lines;
use crate::pipelines::{Drawing, Edges, LineVertex, Pipelines};
use crate::recording::{ItemDraw, Items, Simple, Step};
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
        let (steps, summary) = self.record(target.canvas.surface(), target.aspect(), frame)?;
        let mut encoder = self.encoder();
        for band in target.bands() {
            let mut pass = target.pass(&mut encoder, &band, clear(frame.style));
            steps.iter().for_each(|step| step.play(&mut pass));
            drop(pass);
            target.copy(&mut encoder, &band);
        }
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
        let (steps, summary) = self.record(canvas.surface(), canvas.aspect(), frame)?;
        let mut encoder = self.encoder();
        {
            let mut pass = canvas.pass(&mut encoder, view, clear(frame.style));
            steps.iter().for_each(|step| step.play(&mut pass));
        }
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
        if let Some(at) = spare.iter().position(|target| target.size() == size) {
            return Ok(spare.swap_remove(at));
        }
        spare.clear();
        drop(spare);
        Target::new(&self.gpu, size)
    }

    /// All draws of a frame, ready to be played into passes of such a surface.
    fn record(&self, surface: Surface, aspect: f32, frame: &Frame<'_>) -> Result<(Vec<Step>, Summary)> {
        let Frame { model, stage, camera, style } = *frame;
        let mut report = Report::default();
        let lighting = style.lighting.unwrap_or_else(|| Lighting::for_scene(stage.scene()));
        let (uniforms, left_out) =
            uniforms::Frame::new(camera, aspect, &lighting, &stage.sampler(), stage.pose());
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
        let summary = Summary { draws: list.items.len(), report };
        let mut steps = Vec::new();
        if let Background::Gradient(top, bottom) = style.background {
            let uniform = [top, bottom].map(|[r, g, b]| [r, g, b, 255].map(|c| f32::from(c) / 255.0));
            let group = self.numbers(bytemuck::cast_slice(&uniform));
            let pipeline = self.pipelines.backdrop(&self.gpu, surface);
            steps.push(Step::Simple(Simple { pipeline, group, vertices: None, count: 3 }));
        }
        if style.shadow && style.background != Background::Transparent {
            let ground = shadow::triangles_of(stage, camera);
            steps.extend(self.plain(surface, Drawing::Ground, &ground, &uniforms)?);
        }
        let edges = match style.background {
            Background::Transparent => Edges::SoftOverNothing,
            _ => Edges::Soft,
        };
        steps.extend(self.items((surface, edges), model, list, &uniforms)?);
        let lines = Lines::new(stage, &style.overlays);
        steps.extend(self.plain(surface, Drawing::Inside, &lines.inside, &uniforms)?);
        steps.extend(self.plain(surface, Drawing::Over, &lines.over, &uniforms)?);
        Ok((steps, summary))
    }

    /// Lines or triangles with colours of their own.
    fn plain(
        &self,
        surface: Surface,
        drawing: Drawing,
        vertices: &[LineVertex],
        frame: &uniforms::Frame,
    ) -> Result<Option<Step>> {
        if vertices.is_empty() {
            return Ok(None);
        }
        let pipeline = self.pipelines.lines(&self.gpu, surface, drawing);
        let group = self.numbers(bytemuck::cast_slice(&frame.view_projection));
        let count = u32::try_from(vertices.len()).unwrap_or(0);
        let vertices = buffer(&self.gpu, bytemuck::cast_slice(vertices), wgpu::BufferUsages::VERTEX)?;
        Ok(Some(Step::Simple(Simple { pipeline, group, vertices: Some(vertices), count })))
    }

    fn items(
        &self,
        (surface, edges): (Surface, Edges),
        model: &Model,
        list: List,
        frame: &uniforms::Frame,
    ) -> Result<Option<Step>> {
        if list.items.is_empty() {
            return Ok(None);
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
        let matrices = palette(gpu, &list.matrices)?;
        let group = gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
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
        let draw = |(number, item): (usize, &Item)| {
            Ok(ItemDraw {
                pipeline: self.pipelines.get(gpu, surface, edges, item.key),
                textures: self.binding(model, model.binding(item)),
                offset: u32::try_from(number * stride).map_err(|_| too_much("draws"))?,
            })
        };
        Ok(Some(Step::Items(Box::new(Items {
            group,
            points: buffer(gpu, bytemuck::cast_slice(&list.points), wgpu::BufferUsages::VERTEX)?,
            paint: buffer(gpu, bytemuck::cast_slice(&list.paint), wgpu::BufferUsages::VERTEX)?,
            indices: buffer(gpu, bytemuck::cast_slice(&list.indices), wgpu::BufferUsages::INDEX)?,
            draws: list.items.iter().enumerate().map(draw).collect::<Result<_>>()?,
            list,
        }))))
    }

    /// One block of numbers on the device.
    fn numbers(&self, uniform: &[u8]) -> wgpu::BindGroup {
        let buffer = self.gpu.device.create_buffer_init(&BufferInitDescriptor {
            label: Some("simple"),
            contents: uniform,
            usage: wgpu::BufferUsages::UNIFORM,
        });
        self.gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("simple"),
            layout: &self.pipelines.simple_layout,
            entries: &[wgpu::BindGroupEntry { binding: 0, resource: buffer.as_entire_binding() }],
        })
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
