//! Targets: views of a window or a texture, and off-screen targets whose pixels are read back.

use crate::Gpu;
use effigy_wire::{Error, Kind, Result};
use std::ops::Range;

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
        check_size(gpu, [width, height])?;
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
        aspect(self.size())
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

fn check_size(gpu: &Gpu, [width, height]: [u32; 2]) -> Result<()> {
    let most = gpu.largest_side();
    if width == 0 || height == 0 || width > most || height > most {
        let text =
            format!("a picture of {width}x{height} pixels cannot be drawn; each side may have 1 to {most}");
        return Err(Error::new(Kind::Usage, text));
    }
    Ok(())
}

fn aspect([width, height]: [u32; 2]) -> f32 {
    width as f32 / height as f32
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

/// Pixels of a band: a picture of 1024 x 1024 has one, and larger ones need hardly more memory for drawing.
const BAND: u32 = 1 << 20;
/// Bands begin at multiples of this, so that a device that shades pixels in blocks has the same blocks as for the whole picture.
const ROWS: u32 = 64;

/// Rows of a band of such a picture.
fn band_rows([width, height]: [u32; 2]) -> u32 {
    (BAND / width.max(1) / ROWS * ROWS).max(ROWS).min(height)
}

/// Rows of a picture that are drawn together.
#[derive(Clone, Debug)]
pub(crate) struct Band(Range<u32>);

/// A canvas with a texture of its own and a buffer to read it back, for pictures of one size. Large pictures are drawn in bands, one
/// after another on the same canvas: depth and multisampling take eight times as much memory as the picture.
#[derive(Debug)]
pub(crate) struct Target {
    size: [u32; 2],
    pub(crate) canvas: Canvas,
    resolved: wgpu::Texture,
    resolved_view: wgpu::TextureView,
    pub(crate) buffer: wgpu::Buffer,
    /// Bytes of a row in the buffer.
    row: u32,
}

impl Target {
    pub(crate) fn new(gpu: &Gpu, size: [u32; 2]) -> Result<Self> {
        check_size(gpu, size)?;
        let [width, height] = size;
        let canvas = Canvas::new(gpu, COLOR, [width, band_rows(size)])?;
        let usage = wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC;
        let resolved = texture(gpu, COLOR, canvas.size(), 1, usage);
        let row = (width * 4).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
        let buffer = gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("read back"),
            size: u64::from(row) * u64::from(height),
            usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
            mapped_at_creation: false,
        });
        let target = Self { size, canvas, resolved_view: view(&resolved), resolved, buffer, row };
        gpu.check()?;
        Ok(target)
    }

    /// Width and height of the picture.
    pub(crate) const fn size(&self) -> [u32; 2] {
        self.size
    }

    pub(crate) fn aspect(&self) -> f32 {
        aspect(self.size)
    }

    /// What is drawn one after another, from the top.
    pub(crate) fn bands(&self) -> impl Iterator<Item = Band> {
        let ([_, height], rows) = (self.size, self.canvas.height);
        (0..height.div_ceil(rows)).map(move |band| Band(band * rows..((band + 1) * rows).min(height)))
    }

    /// Begins drawing a band over a cleared canvas. The view of the whole picture reaches beyond the canvas, so that what is drawn is
    /// the same as without bands, but for the driver's rounding.
    pub(crate) fn pass<'a>(
        &self,
        encoder: &'a mut wgpu::CommandEncoder,
        band: &Band,
        clear: wgpu::Color,
    ) -> wgpu::RenderPass<'a> {
        let mut pass = self.canvas.pass(encoder, &self.resolved_view, clear);
        let [width, height] = self.size.map(|side| side as f32);
        pass.set_viewport(0.0, -(band.0.start as f32), width, height, 0.0, 1.0);
        pass
    }

    /// Copies what was drawn to the band's place in the buffer.
    pub(crate) fn copy(&self, encoder: &mut wgpu::CommandEncoder, band: &Band) {
        encoder.copy_texture_to_buffer(
            self.resolved.as_image_copy(),
            wgpu::TexelCopyBufferInfo {
                buffer: &self.buffer,
                layout: wgpu::TexelCopyBufferLayout {
                    offset: u64::from(self.row) * u64::from(band.0.start),
                    bytes_per_row: Some(self.row),
                    rows_per_image: None,
                },
            },
            wgpu::Extent3d {
                width: self.canvas.width,
                height: band.0.end - band.0.start,
                depth_or_array_layers: 1,
            },
        );
    }

    /// The pixels of the mapped buffer, as they are in the target. The buffer is unmapped.
    pub(crate) fn pixels(&self) -> Option<Vec<u8>> {
        let [width, height] = self.size;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_above_a_million_pixels_have_bands() {
        for ([width, height], rows) in [
            ([512, 512], 512),
            ([1024, 1024], 1024),
            ([1025, 1024], 960),
            ([2048, 2048], 512),
            ([16_384, 16_384], 64),
            ([16_384, 8], 8),
            ([1, 16_384], 16_384),
        ] {
            assert_eq!(band_rows([width, height]), rows, "{width}x{height}");
        }
    }
}
