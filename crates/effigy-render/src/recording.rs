//! The draws of a frame with everything that they need on the device, so that a large picture can be drawn band by band.

use crate::list::{Item, List};
use wgpu::{BindGroup, Buffer, RenderPass, RenderPipeline};

/// Something that is drawn, in the order of the frame.
pub(crate) enum Step {
    /// Triangles or lines that need nothing but one block of numbers.
    Simple(Simple),
    /// Meshes, particles and ribbons.
    Items(Box<Items>),
}

pub(crate) struct Simple {
    pub(crate) pipeline: RenderPipeline,
    pub(crate) group: BindGroup,
    /// None where the shader makes them.
    pub(crate) vertices: Option<Buffer>,
    pub(crate) count: u32,
}

pub(crate) struct Items {
    pub(crate) list: List,
    /// The numbers of the frame and of each draw, and the matrices.
    pub(crate) group: BindGroup,
    /// Vertices of particles and ribbons.
    pub(crate) points: Buffer,
    pub(crate) paint: Buffer,
    pub(crate) indices: Buffer,
    /// For each item of the list.
    pub(crate) draws: Vec<ItemDraw>,
}

/// What a draw needs besides its vertices.
pub(crate) struct ItemDraw {
    pub(crate) pipeline: RenderPipeline,
    pub(crate) textures: BindGroup,
    /// Where its numbers are in the buffer of all draws.
    pub(crate) offset: u32,
}

impl Step {
    /// Draws it.
    pub(crate) fn play(&self, pass: &mut RenderPass<'_>) {
        match self {
            Self::Simple(simple) => simple.play(pass),
            Self::Items(items) => items.play(pass),
        }
    }
}

impl Simple {
    fn play(&self, pass: &mut RenderPass<'_>) {
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &self.group, &[]);
        if let Some(vertices) = &self.vertices {
            pass.set_vertex_buffer(0, vertices.slice(..));
        }
        pass.draw(0..self.count, 0..1);
    }
}

impl Items {
    fn play(&self, pass: &mut RenderPass<'_>) {
        let (mut current, mut bound) = (None, None);
        for (item, draw) in self.list.items.iter().zip(&self.draws) {
            if bound != Some(item.mesh) {
                bound = Some(item.mesh);
                self.bind(pass, item);
            }
            if current != Some(item.key) {
                current = Some(item.key);
                pass.set_pipeline(&draw.pipeline);
            }
            pass.set_bind_group(0, &self.group, &[draw.offset]);
            pass.set_bind_group(1, &draw.textures, &[]);
            pass.draw_indexed(item.indices.clone(), 0, 0..1);
        }
    }

    /// Sets the vertices of an item: those of its mesh, or the list's own.
    fn bind(&self, pass: &mut RenderPass<'_>, item: &Item) {
        let Some(shown) = item.mesh.and_then(|mesh| self.list.meshes.get(mesh)) else {
            pass.set_vertex_buffer(0, self.points.slice(..));
            pass.set_vertex_buffer(1, self.paint.slice(..));
            pass.set_index_buffer(self.indices.slice(..), wgpu::IndexFormat::Uint32);
            return;
        };
        let [from, to] = &shown.frames;
        pass.set_vertex_buffer(0, from.points.slice(..));
        pass.set_vertex_buffer(1, shown.geometry.paint.slice(..));
        pass.set_vertex_buffer(2, to.points.slice(..));
        let own = if shown.own { &self.indices } else { &shown.geometry.indices };
        pass.set_index_buffer(own.slice(..), wgpu::IndexFormat::Uint32);
    }
}
