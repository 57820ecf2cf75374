//! Frames as positions and normals.
//!
//! The formula of the games: a base vertex is its three numbers times 1/64; a compressed vertex adds
//! `(byte - 127) * 0.05` on each axis and replaces the normal by an entry of the table. The frame's local origin is not
//! added. The bounds in real files confirm this to 0.04 units.

use crate::{Model, PackedVertex, Surface, Vertex, normals};
use effigy_wire::{Error, Kind, Limits, Locate, Result};

/// Units per step of a stored coordinate.
pub const BASE_SCALE: f32 = 1.0 / 64.0;
/// Units per step of a compressed offset.
pub const OFFSET_SCALE: f32 = 0.05;
/// The byte that means no offset.
pub const OFFSET_BIAS: u8 = 127;

/// How stored numbers become positions and normals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Formula {
    /// The formula of the games.
    #[default]
    Engine,
    /// The guess of the 2004 description of the format: offsets times 4/64, the local origin added to every vertex, the
    /// compressed normal added to the base normal. The result is wrong; it exists for comparison.
    Guess2004,
}

/// Every frame of a surface.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Track {
    vertices: usize,
    /// Positions in units, frame after frame.
    pub all_positions: Vec<[f32; 3]>,
    /// Normals, frame after frame.
    pub all_normals: Vec<[f32; 3]>,
}

impl Track {
    /// Vertices in each frame.
    #[must_use]
    pub const fn vertex_count(&self) -> usize {
        self.vertices
    }

    /// The positions of a frame; empty when there is no such frame.
    #[must_use]
    pub fn positions(&self, frame: usize) -> &[[f32; 3]] {
        frame_of(&self.all_positions, frame, self.vertices)
    }

    /// The normals of a frame; empty when there is no such frame.
    #[must_use]
    pub fn normals(&self, frame: usize) -> &[[f32; 3]] {
        frame_of(&self.all_normals, frame, self.vertices)
    }
}

fn frame_of(list: &[[f32; 3]], frame: usize, vertices: usize) -> &[[f32; 3]] {
    let start = frame.saturating_mul(vertices);
    list.get(start..start.saturating_add(vertices)).unwrap_or_default()
}

/// The stored form of one frame of a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stored<'a> {
    /// The frame itself, or the base of the offsets.
    pub base: &'a [Vertex],
    /// Offsets, if the frame is compressed.
    pub compressed: Option<&'a [PackedVertex]>,
}

impl Surface {
    /// How a frame is stored.
    ///
    /// # Errors
    /// When the frame refers to a base or compressed frame that does not exist.
    pub fn stored(&self, frame: usize) -> Result<Stored<'_>> {
        let missing = |what: &str, index: usize| {
            Error::new(
                Kind::Malformed,
                format!("frame {frame} needs {what} frame {index}, which does not exist"),
            )
        };
        let base = if self.base_of_frame.is_empty() {
            frame
        } else {
            let entry = self.base_of_frame.get(frame).copied().unwrap_or(-1);
            // A negative entry is not a frame; the error shows the largest index for it.
            usize::try_from(entry).unwrap_or(usize::MAX)
        };
        let base = self.base_frame(base).ok_or_else(|| missing("base", base))?;
        let entry = self.compressed_of_frame.get(frame).copied().unwrap_or(-1);
        let compressed = match usize::try_from(entry) {
            Ok(index) if !self.compressed.is_empty() => {
                Some(self.compressed_frame(index).ok_or_else(|| missing("compressed", index))?)
            }
            _ => None,
        };
        Ok(Stored { base, compressed })
    }

    /// Appends the positions and normals of a frame to the lists, by the games' formula.
    ///
    /// # Errors
    /// When the frame refers to a base or compressed frame that does not exist.
    pub fn decode_frame(
        &self,
        frame: usize,
        positions: &mut Vec<[f32; 3]>,
        normals: &mut Vec<[f32; 3]>,
    ) -> Result<()> {
        let stored = self.stored(frame)?;
        match stored.compressed {
            None => {
                let circle = normals::circle();
                positions.extend(stored.base.iter().map(base_position));
                normals.extend(stored.base.iter().map(|v| normals::unpack_with(circle, v.normal)));
            }
            Some(compressed) => {
                let table = normals::table();
                positions
                    .extend(stored.base.iter().zip(compressed).map(|(base, packed)| position(base, packed)));
                normals.extend(
                    compressed.iter().map(|v| table.get(usize::from(v.normal)).copied().unwrap_or_default()),
                );
            }
        }
        Ok(())
    }

    /// A single frame, by the games' formula.
    ///
    /// # Errors
    /// When the frame refers to a base or compressed frame that does not exist.
    pub fn decode_one(&self, frame: usize) -> Result<Track> {
        let mut track = Track { vertices: self.vertex_count(), ..Track::default() };
        self.decode_frame(frame, &mut track.all_positions, &mut track.all_normals)?;
        Ok(track)
    }

    /// Like [`Surface::decode_frame`], by the guess of 2004.
    fn guess_frame(
        &self,
        frame: usize,
        local_origin: [f32; 3],
        positions: &mut Vec<[f32; 3]>,
        normals: &mut Vec<[f32; 3]>,
    ) -> Result<()> {
        let stored = self.stored(frame)?;
        for (index, base) in stored.base.iter().enumerate() {
            let mut position = add(base_position(base), local_origin);
            let mut normal = normals::unpack(base.normal);
            if let Some(packed) = stored.compressed.and_then(|list| list.get(index)) {
                let step = |byte: u8| (f32::from(byte) - f32::from(OFFSET_BIAS)) * 4.0 * BASE_SCALE;
                position = add(position, packed.offset.map(step));
                let other = normals::table().get(usize::from(packed.normal)).copied().unwrap_or_default();
                normal = crate::interpolate::normalized(add(normal, other));
            }
            positions.push(position);
            normals.push(normal);
        }
        Ok(())
    }
}

fn add(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

#[inline]
fn base_position(vertex: &Vertex) -> [f32; 3] {
    vertex.position.map(|number| f32::from(number) * BASE_SCALE)
}

#[inline]
fn position(base: &Vertex, packed: &PackedVertex) -> [f32; 3] {
    // Four numbers including the normal, although it is not used: this way the compiler uses vector instructions.
    let base: [i16; 4] = bytemuck::cast(*base);
    let packed: [u8; 4] = bytemuck::cast(*packed);
    let base = base.map(|number| f32::from(number) * BASE_SCALE);
    let offset = packed.map(|byte| (f32::from(byte) - f32::from(OFFSET_BIAS)) * OFFSET_SCALE);
    [base[0] + offset[0], base[1] + offset[1], base[2] + offset[2]]
}

impl Model {
    /// Every frame of every surface, by the games' formula.
    ///
    /// # Errors
    /// When a frame refers to a base or compressed frame that does not exist, or when the frames need more memory than the
    /// default limits allow.
    pub fn decode(&self) -> Result<Vec<Track>> {
        self.decode_with(Formula::Engine, &Limits::DEFAULT)
    }

    /// Every frame of every surface, by a formula and within limits. In a small file very many frames can refer to the
    /// same stored frame, so [`Limits::unpacked_bytes`] limits the size of the result.
    ///
    /// # Errors
    /// When a frame refers to a base or compressed frame that does not exist, or when the limit is exceeded.
    pub fn decode_with(&self, formula: Formula, limits: &Limits) -> Result<Vec<Track>> {
        self.check_unpacked(size_of::<[[f32; 3]; 2]>(), limits)?;
        let decode = |surface: &Surface| -> Result<Track> {
            let room = self.frames.len().saturating_mul(surface.vertex_count());
            let mut track = Track {
                vertices: surface.vertex_count(),
                all_positions: Vec::with_capacity(room),
                all_normals: Vec::with_capacity(room),
            };
            if room == 0 {
                return Ok(track);
            }
            for (index, frame) in self.frames.iter().enumerate() {
                let (positions, normals) = (&mut track.all_positions, &mut track.all_normals);
                match formula {
                    Formula::Engine => surface.decode_frame(index, positions, normals)?,
                    Formula::Guess2004 => {
                        surface.guess_frame(index, frame.local_origin, positions, normals)?
                    }
                }
            }
            Ok(track)
        };
        let tracks = self.surfaces.iter().enumerate();
        tracks.map(|(index, surface)| decode(surface).in_index(index).in_field("surfaces")).collect()
    }

    /// Every frame of every surface by the games' formula, into lists that are cleared first and keep their capacity:
    /// surface after surface, and frame after frame in each of them.
    ///
    /// # Errors
    /// Those of [`Model::decode`].
    pub fn decode_into(&self, positions: &mut Vec<[f32; 3]>, normals: &mut Vec<[f32; 3]>) -> Result<()> {
        self.check_unpacked(size_of::<[[f32; 3]; 2]>(), &Limits::DEFAULT)?;
        positions.clear();
        normals.clear();
        for (index, surface) in self.surfaces.iter().enumerate() {
            if surface.vertex_count() == 0 {
                continue;
            }
            let room = self.frames.len().saturating_mul(surface.vertex_count());
            positions.reserve(room);
            normals.reserve(room);
            for frame in 0..self.frames.len() {
                surface.decode_frame(frame, positions, normals).in_index(index).in_field("surfaces")?;
            }
        }
        Ok(())
    }

    /// Checks that all frames, at this many bytes per vertex, stay within the limits.
    pub(crate) fn check_unpacked(&self, vertex_bytes: usize, limits: &Limits) -> Result<()> {
        let vertices: u64 = self.surfaces.iter().map(|surface| surface.vertex_count() as u64).sum();
        let bytes = vertices.saturating_mul(self.frames.len() as u64).saturating_mul(vertex_bytes as u64);
        if bytes <= limits.unpacked_bytes {
            return Ok(());
        }
        let most = limits.unpacked_bytes;
        Err(Error::new(
            Kind::Limit,
            format!("all frames together need {bytes} bytes, but the limit is {most}"),
        ))
    }
}
