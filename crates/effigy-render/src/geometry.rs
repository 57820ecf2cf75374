//! Meshes on the device: vertices that stay there while matrices and frames move them.
//!
//! A vertex that follows nodes carries the number of its group, and the shader looks up the group's matrix in a
//! texture, which every device has. A mesh with frames has one buffer per
//! frame, uploaded when it is first shown; the shader interpolates between two of them.

use crate::Gpu;
use effigy_scene::Mesh;
use effigy_wire::{Error, Kind, Result};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use wgpu::util::{BufferInitDescriptor, DeviceExt};

/// Positions beyond this are treated like NaN: arithmetic on them overflows.
const FARTHEST: f32 = 1e12;
/// Matrices in a row of the texture; three texels each.
pub(crate) const MATRICES_A_ROW: usize = 256;

pub(crate) fn sound(point: &[f32; 3]) -> bool {
    point.iter().all(|value| value.abs() < FARTHEST)
}

/// Whether a matrix keeps all points within this distance of the origin finite and in range.
pub(crate) fn sound_matrix(rows: &[[f32; 4]; 3], extent: f32) -> bool {
    rows.iter().all(|[x, y, z, shift]| {
        let reach = (x.abs() + y.abs() + z.abs()) * extent + shift.abs();
        reach < FARTHEST
    })
}

/// Position and normal of a vertex.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
pub(crate) struct Point {
    pub(crate) position: [f32; 3],
    pub(crate) normal: [f32; 3],
}

/// Texture coordinates and mark of a vertex.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
pub(crate) struct Paint {
    pub(crate) uvs: [[f32; 2]; 2],
    /// The number of its matrix where there is one, else its colour.
    pub(crate) mark: u32,
}

/// White, as a mark.
pub(crate) const NO_COLOR: u32 = u32::MAX;

/// How the vertices of a mesh move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Motion {
    /// Not at all.
    Still,
    /// Each follows a matrix.
    Skin,
    /// Between two frames.
    Morph,
}

impl Motion {
    pub(crate) const fn of(mesh: &Mesh) -> Self {
        if mesh.morph.is_some() {
            Self::Morph
        } else if mesh.skin.is_some() {
            Self::Skin
        } else {
            Self::Still
        }
    }
}

/// One frame of a mesh, or the only one.
#[derive(Debug)]
pub(crate) struct Frame {
    pub(crate) points: wgpu::Buffer,
    /// Whether all of its positions are finite and in range.
    pub(crate) sound: bool,
}

/// A mesh on the device.
#[derive(Debug)]
pub(crate) struct Geometry {
    pub(crate) paint: wgpu::Buffer,
    pub(crate) indices: wgpu::Buffer,
    /// Indices in the buffer.
    pub(crate) count: u32,
    /// Triangles that were left out because a vertex is not finite, or out of range.
    pub(crate) lost: usize,
    /// Largest coordinate of any valid position, to estimate how far matrices can move it.
    pub(crate) extent: f32,
    frames: Mutex<HashMap<usize, Arc<Frame>>>,
}

/// A buffer with these contents.
///
/// # Errors
/// When the device cannot hold it.
pub(crate) fn buffer(gpu: &Gpu, contents: &[u8], usage: wgpu::BufferUsages) -> Result<wgpu::Buffer> {
    if u64::try_from(contents.len()).unwrap_or(u64::MAX) > gpu.device.limits().max_buffer_size {
        return Err(too_much("vertices"));
    }
    Ok(gpu.device.create_buffer_init(&BufferInitDescriptor { label: None, contents, usage }))
}

/// The error for a model that does not fit on the device.
pub(crate) fn too_much(what: &str) -> Error {
    Error::new(Kind::Limit, format!("the model has more {what} than the graphics device can hold"))
}

impl Geometry {
    fn new(gpu: &Gpu, mesh: &Mesh) -> Result<Self> {
        let motion = Motion::of(mesh);
        let set = |number: usize, vertex: usize| -> [f32; 2] {
            mesh.uvs.get(number).and_then(|set| set.get(vertex)).copied().unwrap_or_default()
        };
        let group = |vertex: usize| match (&mesh.skin, motion) {
            (Some(skin), Motion::Skin) => skin.vertex_groups.get(vertex).copied().unwrap_or(0),
            _ => NO_COLOR,
        };
        let paint: Vec<Paint> = (0..mesh.positions.len())
            .map(|vertex| Paint { uvs: [set(0, vertex), set(1, vertex)], mark: group(vertex) })
            .collect();
        // Frames are checked when they are shown.
        let is_sound = |index: &u32| {
            mesh.positions.get(*index as usize).is_some_and(|point| motion == Motion::Morph || sound(point))
        };
        let (triangles, _) = mesh.indices.as_chunks::<3>();
        let kept: Vec<[u32; 3]> =
            triangles.iter().filter(|triangle| triangle.iter().all(is_sound)).copied().collect();
        // An invalid vertex does not affect the others.
        let extent = mesh.positions.iter().filter(|point| sound(point)).flatten();
        Ok(Self {
            paint: buffer(gpu, bytemuck::cast_slice(&paint), wgpu::BufferUsages::VERTEX)?,
            indices: buffer(gpu, bytemuck::cast_slice(kept.as_flattened()), wgpu::BufferUsages::INDEX)?,
            count: u32::try_from(kept.len() * 3).map_err(|_| too_much("triangles"))?,
            lost: triangles.len() - kept.len(),
            extent: extent.fold(0.0, |most, value| most.max(value.abs())),
            frames: Mutex::default(),
        })
    }

    /// A frame of the mesh; the rest pose of meshes without frames is frame 0.
    pub(crate) fn frame(&self, gpu: &Gpu, mesh: &Mesh, number: usize) -> Result<Arc<Frame>> {
        let mut frames = self.frames.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(frame) = frames.get(&number) {
            return Ok(Arc::clone(frame));
        }
        let stored = mesh.morph.as_ref().and_then(|morph| morph.frames.get(number));
        let (positions, normals) =
            stored.map_or((&mesh.positions, &mesh.normals), |frame| (&frame.positions, &frame.normals));
        let points: Vec<Point> = positions
            .iter()
            .enumerate()
            .map(|(vertex, position)| Point {
                position: *position,
                normal: normals.get(vertex).copied().unwrap_or_default(),
            })
            .collect();
        let frame = Arc::new(Frame {
            points: buffer(gpu, bytemuck::cast_slice(&points), wgpu::BufferUsages::VERTEX)?,
            sound: positions.iter().all(sound),
        });
        frames.insert(number, Arc::clone(&frame));
        Ok(frame)
    }
}

/// The meshes of a model that were shown so far.
#[derive(Debug, Default)]
pub(crate) struct Geometries(Mutex<HashMap<usize, Arc<Geometry>>>);

impl Geometries {
    pub(crate) fn get(&self, gpu: &Gpu, index: usize, mesh: &Mesh) -> Result<Arc<Geometry>> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(geometry) = known.get(&index) {
            return Ok(Arc::clone(geometry));
        }
        let geometry = Arc::new(Geometry::new(gpu, mesh)?);
        known.insert(index, Arc::clone(&geometry));
        Ok(geometry)
    }
}

/// Matrices as a texture: three texels each, a row of the matrix in each.
pub(crate) fn palette(gpu: &Gpu, matrices: &[[[f32; 4]; 3]]) -> Result<wgpu::TextureView> {
    let rows = matrices.len().div_ceil(MATRICES_A_ROW).max(1);
    let height = u32::try_from(rows)
        .ok()
        .filter(|rows| *rows <= gpu.largest_side())
        .ok_or_else(|| too_much("groups of bones"))?;
    let width = u32::try_from(MATRICES_A_ROW * 3).unwrap_or(768);
    let mut texels = matrices.to_vec();
    texels.resize(rows * MATRICES_A_ROW, [[0.0; 4]; 3]);
    let size = wgpu::Extent3d { width, height, depth_or_array_layers: 1 };
    let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: Some("matrices"),
        size,
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: wgpu::TextureFormat::Rgba32Float,
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    });
    let layout =
        wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(width * 16), rows_per_image: None };
    gpu.queue.write_texture(texture.as_image_copy(), bytemuck::cast_slice(&texels), layout, size);
    Ok(texture.create_view(&wgpu::TextureViewDescriptor::default()))
}
