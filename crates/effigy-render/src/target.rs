//! Targets: views of a window or a texture, and off-screen targets whose pixels are read back.

use crate::Gpu;
use effigy_wire::{Error, Kind, Result};

/// The games blend stored values, so the target holds them as they are, without conversion from linear light.
pub(crate) const COLOR: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;
/// Depth.
pub(crate) const DEPTH: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;

/// What a pipeline has to know of the views that it draws into.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Surface {
    pub(crate) format: wgpu::TextureFormat,
    /// Samples of a pixel.
    pub(crate) samples: u32,
}

/// What drawing needs in addition to the view that it draws into: a depth buffer, and a multisampled buffer where the
/// device supports it.
///
/// Make one for a window and another one whenever the window's size changes.
#[derive(Debug)]
pub struct Canvas {
    width: u32,
    height: u32,
    surface: Surface,
    many: Option<wgpu::TextureView>,
    depth: wgpu::TextureView,
}

impl Canvas {
    /// A canvas for views of this format and size.
    ///
    /// # Errors
    /// When a side is 0 or longer than the device can draw, or the format converts colours: the games blend stored values,
    /// so a surface needs a view with [`wgpu::TextureFormat::remove_srgb_suffix`].
    pub fn new(gpu: &Gpu, format: wgpu::TextureFormat, size: [u32; 2]) -> Result<Self> {
        Self::with_samples(gpu, Surface { format, samples: gpu.samples() }, size)
    }

    /// A canvas with one sample a pixel: edges are jagged, and a software driver draws nearly twice as fast.
    ///
    /// # Errors
    /// As for [`Canvas::new`].
    pub fn quick(gpu: &Gpu, format: wgpu::TextureFormat, size: [u32; 2]) -> Result<Self> {
        Self::with_samples(gpu, Surface { format, samples: 1 }, size)
    }

    fn with_samples(gpu: &Gpu, surface: Surface, [width, height]: [u32; 2]) -> Result<Self> {
        let Surface { format, samples } = surface;
        let most = gpu.largest_side();
        if width == 0 || height == 0 || width > most || height > most {
            let text = format!(
                "a picture of {width}x{height} pixels cannot be drawn; each side may have 1 to {most}"
            );
            return Err(Error::new(Kind::Usage, text));
        }
        if format.is_srgb() {
            let text = format!("{format:?} converts colours, which would change how layers blend");
            return Err(Error::new(Kind::Usage, text).hint("use the same format without Srgb"));
        }
        let attachment = |format, samples| {
            let usage = wgpu::TextureUsages::RENDER_ATTACHMENT;
            view(&texture(gpu, format, [width, height], samples, usage))
        };
        Ok(Self {
            width,
            height,
            surface,
            many: (samples > 1).then(|| attachment(format, samples)),
            depth: attachment(DEPTH, samples),
        })
    }

    /// Width and height in pixels.
    #[must_use]
    pub const fn size(&self) -> [u32; 2] {
        [self.width, self.height]
    }

    /// The format of the views that are drawn into.
    #[must_use]
    pub const fn format(&self) -> wgpu::TextureFormat {
        self.surface.format
    }

    pub(crate) const fn surface(&self) -> Surface {
        self.surface
    }

    pub(crate) fn aspect(&self) -> f32 {
        self.width as f32 / self.height as f32
    }

    /// Begins drawing into a view of the canvas's format and size, cleared.
    pub(crate) fn pass<'a>(
        &self,
        encoder: &'a mut wgpu::CommandEncoder,
        into: &wgpu::TextureView,
        clear: wgpu::Color,
    ) -> wgpu::RenderPass<'a> {
        let (view, resolve_target) = match &self.many {
            Some(many) => (many, Some(into)),
            None => (into, None),
        };
        let store = if resolve_target.is_some() { wgpu::StoreOp::Discard } else { wgpu::StoreOp::Store };
        encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("model"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view,
                depth_slice: None,
                resolve_target,
                ops: wgpu::Operations { load: wgpu::LoadOp::Clear(clear), store },
            })],
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: &self.depth,
                depth_ops: Some(wgpu::Operations {
                    load: wgpu::LoadOp::Clear(1.0),
                    store: wgpu::StoreOp::Discard,
                }),
                stencil_ops: None,
            }),
            ..wgpu::RenderPassDescriptor::default()
        })
    }
}

fn texture(
    gpu: &Gpu,
    format: wgpu::TextureFormat,
    [width, height]: [u32; 2],
    samples: u32,
    usage: wgpu::TextureUsages,
) -> wgpu::Texture {
    gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: Some("target"),
        size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: samples,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage,
        view_formats: &[],
    })
}

fn view(texture: &wgpu::Texture) -> wgpu::TextureView {
    texture.create_view(&wgpu::TextureViewDescriptor::default())
}

/// A canvas with a texture of its own and a buffer to read it back, for pictures of one size.
#[derive(Debug)]
pub(crate) struct Target {
    pub(crate) canvas: Canvas,
    resolved: wgpu::Texture,
    resolved_view: wgpu::TextureView,
    pub(crate) buffer: wgpu::Buffer,
    row: u32,
}

impl Target {
    pub(crate) fn new(gpu: &Gpu, size: [u32; 2]) -> Result<Self> {
        let canvas = Canvas::new(gpu, COLOR, size)?;
        let usage = wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC;
        let resolved = texture(gpu, COLOR, size, 1, usage);
        let row = (canvas.width * 4).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
        let buffer = gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("read back"),
            size: u64::from(row) * u64::from(canvas.height),
            usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
            mapped_at_creation: false,
        });
        let target = Self { canvas, resolved_view: view(&resolved), resolved, buffer, row };
        gpu.check()?;
        Ok(target)
    }

    /// Begins drawing over a cleared target.
    pub(crate) fn pass<'a>(
        &self,
        encoder: &'a mut wgpu::CommandEncoder,
        clear: wgpu::Color,
    ) -> wgpu::RenderPass<'a> {
        self.canvas.pass(encoder, &self.resolved_view, clear)
    }

    /// Ends the work and sends it to the device; the pixels go to the buffer.
    pub(crate) fn submit(&self, gpu: &Gpu, mut encoder: wgpu::CommandEncoder) -> wgpu::SubmissionIndex {
        let [width, height] = self.canvas.size();
        encoder.copy_texture_to_buffer(
            self.resolved.as_image_copy(),
            wgpu::TexelCopyBufferInfo {
                buffer: &self.buffer,
                layout: wgpu::TexelCopyBufferLayout {
                    offset: 0,
                    bytes_per_row: Some(self.row),
                    rows_per_image: None,
                },
            },
            wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        );
        gpu.queue.submit([encoder.finish()])
    }

    /// The pixels of the mapped buffer, as they are in the target. The buffer is unmapped.
    pub(crate) fn pixels(&self) -> Option<Vec<u8>> {
        let [width, height] = self.canvas.size();
        let mut pixels = Vec::new();
        {
            let mapped = self.buffer.slice(..).get_mapped_range().ok()?;
            let (row, used) = (self.row as usize, width as usize * 4);
            pixels.reserve_exact(used * height as usize);
            for line in mapped.chunks_exact(row) {
                pixels.extend_from_slice(line.get(..used).unwrap_or(&[]));
            }
        }
        self.buffer.unmap();
        Some(pixels)
    }
}
