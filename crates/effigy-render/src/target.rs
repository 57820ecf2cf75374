//! Off-screen targets and how their pixels come back.

use crate::{Gpu, Picture};
use effigy_wire::{Error, Kind, Result};

/// The games blend stored values, so the target holds them as they are, without conversion from linear light.
pub(crate) const COLOR: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;
/// Depth.
pub(crate) const DEPTH: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;

/// Colour, depth and a buffer to read back, for pictures of one size.
#[derive(Debug)]
pub(crate) struct Target {
    pub(crate) width: u32,
    pub(crate) height: u32,
    many: Option<wgpu::TextureView>,
    resolved: wgpu::Texture,
    resolved_view: wgpu::TextureView,
    depth: wgpu::TextureView,
    buffer: wgpu::Buffer,
    row: u32,
}

impl Target {
    pub(crate) fn new(gpu: &Gpu, width: u32, height: u32) -> Result<Self> {
        let most = gpu.largest_side();
        if width == 0 || height == 0 || width > most || height > most {
            let text = format!(
                "a picture of {width}x{height} pixels cannot be drawn; each side may have 1 to {most}"
            );
            return Err(Error::new(Kind::Usage, text));
        }
        let texture = |format, samples, usage| {
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
        };
        let attachment = wgpu::TextureUsages::RENDER_ATTACHMENT;
        let view = |texture: &wgpu::Texture| texture.create_view(&wgpu::TextureViewDescriptor::default());
        let samples = gpu.samples();
        let resolved = texture(COLOR, 1, attachment | wgpu::TextureUsages::COPY_SRC);
        let many = (samples > 1).then(|| view(&texture(COLOR, samples, attachment)));
        let row = (width * 4).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
        let buffer = gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("read back"),
            size: u64::from(row) * u64::from(height),
            usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
            mapped_at_creation: false,
        });
        let target = Self {
            width,
            height,
            many,
            resolved_view: view(&resolved),
            resolved,
            depth: view(&texture(DEPTH, samples, attachment)),
            buffer,
            row,
        };
        gpu.check()?;
        Ok(target)
    }

    /// Begins drawing over a cleared target.
    pub(crate) fn pass<'a>(
        &self,
        encoder: &'a mut wgpu::CommandEncoder,
        clear: wgpu::Color,
    ) -> wgpu::RenderPass<'a> {
        let (view, resolve_target) = match &self.many {
            Some(many) => (many, Some(&self.resolved_view)),
            None => (&self.resolved_view, None),
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

    /// Ends the work, waits for it and brings the pixels back, as they stand in the target.
    pub(crate) fn finish(&self, gpu: &Gpu, mut encoder: wgpu::CommandEncoder) -> Result<Picture> {
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
            wgpu::Extent3d { width: self.width, height: self.height, depth_or_array_layers: 1 },
        );
        let submission = gpu.queue.submit([encoder.finish()]);
        let slice = self.buffer.slice(..);
        let (sender, receiver) = std::sync::mpsc::channel();
        slice.map_async(wgpu::MapMode::Read, move |result| {
            // The receiver waits below; it can only be gone after an error that was already reported.
            let _ = sender.send(result.is_ok());
        });
        let lost = || Error::new(Kind::Unsupported, "the graphics device was lost while it drew");
        let waited =
            gpu.device.poll(wgpu::PollType::Wait { submission_index: Some(submission), timeout: None });
        gpu.check()?;
        waited.map_err(|_| lost())?;
        if !receiver.recv().unwrap_or(false) {
            return Err(lost());
        }
        let mut pixels = Vec::new();
        {
            let mapped = slice.get_mapped_range().map_err(|_| lost())?;
            let (row, used) = (self.row as usize, self.width as usize * 4);
            pixels.reserve_exact(used * self.height as usize);
            for line in mapped.chunks_exact(row) {
                pixels.extend_from_slice(line.get(..used).unwrap_or(&[]));
            }
        }
        self.buffer.unmap();
        Ok(Picture { width: self.width, height: self.height, pixels })
    }
}
