//! Bounds of posed vertices.
//!
//! Vertices that follow the same nodes alike move as one block. Where the box around a block is inside of the bounds so far, its vertices
//! are not looked at one by one, which is the rule once the first poses have been.

use effigy_mdx::Extent;
use effigy_scene::{Bounds, Mesh};
use glam::{Mat3, Vec3};

/// A box and the farthest distance from the origin.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reach {
    min: [f32; 3],
    max: [f32; 3],
    radius: f32,
}

impl Default for Reach {
    fn default() -> Self {
        Self { min: [f32::INFINITY; 3], max: [f32::NEG_INFINITY; 3], radius: 0.0 }
    }
}

impl Reach {
    pub(super) fn add(&mut self, point: [f32; 3]) {
        if !point.iter().all(|value| value.is_finite()) {
            return;
        }
        for ((min, max), value) in self.min.iter_mut().zip(&mut self.max).zip(point) {
            *min = min.min(value);
            *max = max.max(value);
        }
        self.radius = self.radius.max(glam::Vec3::from(point).length());
    }

    pub(super) fn join(&mut self, other: &Self) {
        if other.min[0] <= other.max[0] {
            self.min = std::array::from_fn(|axis| at(&self.min, axis).min(at(&other.min, axis)));
            self.max = std::array::from_fn(|axis| at(&self.max, axis).max(at(&other.max, axis)));
            self.radius = self.radius.max(other.radius);
        }
    }

    /// Whether a box is surely inside.
    fn contains(&self, middle: Vec3, half: Vec3) -> bool {
        let (low, high) = (middle - half, middle + half);
        low.cmpge(self.min.into()).all()
            && high.cmple(self.max.into()).all()
            && (middle.abs() + half).length() <= self.radius
    }

    /// Bounds without any point stay as they are.
    pub(super) fn set(&self, extent: &mut Extent) {
        if self.min[0] <= self.max[0] {
            *extent = Extent { radius: self.radius, min: self.min, max: self.max };
        }
    }
}

fn at(point: &[f32; 3], axis: usize) -> f32 {
    point.get(axis).copied().unwrap_or(0.0)
}

/// The vertices of a mesh by the group of nodes that moves them.
pub(super) struct Blocks {
    groups: Vec<Block>,
    /// Vertices that nothing moves.
    still: Reach,
}

#[derive(Clone, Default)]
struct Block {
    middle: Vec3,
    half: Vec3,
    points: Vec<[f32; 3]>,
}

impl Blocks {
    pub(super) fn new(mesh: &Mesh) -> Self {
        let skin = mesh.skin.as_ref();
        let mut groups = vec![Block::default(); skin.map_or(0, |skin| skin.groups.len())];
        let mut still = Reach::default();
        for (index, point) in mesh.positions.iter().enumerate() {
            let group = skin.and_then(|skin| skin.vertex_groups.get(index));
            match group.and_then(|group| groups.get_mut(*group as usize)) {
                Some(block) => block.points.push(*point),
                None => still.add(*point),
            }
        }
        for block in &mut groups {
            let bounds = Bounds::around(&block.points);
            let (low, high) = (Vec3::from(bounds.min), Vec3::from(bounds.max));
            (block.middle, block.half) = ((low + high) * 0.5, (high - low) * 0.5);
        }
        Self { groups, still }
    }

    /// Adds the vertices of a pose, by the rows of each group's matrix.
    pub(super) fn add_to(&self, reach: &mut Reach, rows: &[[[f32; 4]; 3]]) {
        reach.join(&self.still);
        for (block, rows) in self.groups.iter().zip(rows).filter(|(block, _)| !block.points.is_empty()) {
            let turn = Mat3::from_cols_array_2d(&rows.map(|[x, y, z, _]| [x, y, z])).transpose();
            let shift = Vec3::from(rows.map(|[.., moved]| moved));
            let size = Mat3::from_cols(turn.x_axis.abs(), turn.y_axis.abs(), turn.z_axis.abs());
            if !reach.contains(turn * block.middle + shift, size * block.half) {
                block.points.iter().for_each(|point| reach.add((turn * Vec3::from(*point) + shift).into()));
            }
        }
    }
}
