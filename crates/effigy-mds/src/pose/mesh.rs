//! Vertices of a posed model.

use super::Pose;
use crate::Model;
use crate::math::{dot, turn};

/// The positions and normals of a surface.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Placed {
    /// One position per vertex.
    pub positions: Vec<[f32; 3]>,
    /// One normal per vertex. As in the games, it is turned by the first bone alone, and not brought to unit length.
    pub normals: Vec<[f32; 3]>,
}

/// A weight with its numbers next to each other.
#[derive(Clone, Copy, Debug)]
struct Share {
    bone: u32,
    weight: f32,
    offset: [f32; 3],
}

#[derive(Clone, Debug, Default)]
struct Surface {
    shares: Vec<Share>,
    /// For each vertex its normal and the end of its shares.
    vertices: Vec<([f32; 3], u32)>,
}

/// The surfaces of an MDS or MDM, ready to be placed by any number of poses.
#[derive(Clone, Debug, Default)]
pub struct Mesh {
    surfaces: Vec<Surface>,
}

impl Mesh {
    /// The surfaces of a model.
    #[must_use]
    pub fn new(model: &Model) -> Self {
        let surface = |surface: &crate::Surface| {
            let mut made = Surface::default();
            for vertex in &surface.vertices {
                made.shares.extend(vertex.weights.iter().map(|weight| Share {
                    // A bone that does not exist has no share.
                    bone: u32::try_from(weight.bone).unwrap_or(u32::MAX),
                    weight: weight.weight,
                    offset: weight.offset,
                }));
                made.vertices.push((vertex.normal, u32::try_from(made.shares.len()).unwrap_or(u32::MAX)));
            }
            made
        };
        Self { surfaces: model.surfaces.iter().map(surface).collect() }
    }

    /// The vertices of a surface in a pose; none for a surface that does not exist.
    #[must_use]
    pub fn place(&self, surface: usize, pose: &Pose) -> Placed {
        let mut placed = Placed::default();
        self.place_into(surface, pose, &mut placed);
        placed
    }

    /// Like [`Mesh::place`], into existing lists, whose memory is used again.
    pub fn place_into(&self, surface: usize, pose: &Pose, placed: &mut Placed) {
        placed.positions.clear();
        placed.normals.clear();
        let Some(surface) = self.surfaces.get(surface) else { return };
        placed.positions.reserve(surface.vertices.len());
        placed.normals.reserve(surface.vertices.len());
        let mut shares = surface.shares.as_slice();
        let mut start = 0;
        for (normal, end) in &surface.vertices {
            let count = (end - start) as usize;
            start = *end;
            let (own, rest) = shares.split_at_checked(count).unwrap_or((shares, &[]));
            shares = rest;
            let mut position = [0.0_f32; 3];
            let mut turned = *normal;
            for (index, share) in own.iter().enumerate() {
                let Some(place) = pose.bones.get(share.bone as usize) else { continue };
                if index == 0 {
                    turned = turn(&place.matrix, *normal);
                }
                for ((sum, row), moved) in position.iter_mut().zip(&place.matrix).zip(place.translation) {
                    *sum += share.weight * (dot(*row, share.offset) + moved);
                }
            }
            placed.positions.push(position);
            placed.normals.push(turned);
        }
    }

    /// The number of surfaces.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.surfaces.len()
    }

    /// Whether there are no surfaces.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.surfaces.is_empty()
    }

    /// The box around all surfaces in a pose: smallest and largest x, y and z.
    #[must_use]
    pub fn bounds(&self, pose: &Pose) -> ([f32; 3], [f32; 3]) {
        let (mut min, mut max) = ([f32::MAX; 3], [f32::MIN; 3]);
        let mut placed = Placed::default();
        for surface in 0..self.surfaces.len() {
            self.place_into(surface, pose, &mut placed);
            for position in &placed.positions {
                for ((min, max), value) in min.iter_mut().zip(&mut max).zip(position) {
                    *min = min.min(*value);
                    *max = max.max(*value);
                }
            }
        }
        (min, max)
    }
}
