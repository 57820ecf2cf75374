//! What the model's numbers mean in space: tracks and blocks mean what their values mean.

use crate::block::Block;
use crate::records::{Cells, Playable, VectorKey, Vertex};
use crate::rotation;
use crate::series::Series;
use crate::track::{LifeTrack, Track};
use effigy_wire::{Quaternions, Scalars, Space, Spatial, Vectors, not_spatial};

impl<T: Spatial> Spatial for Block<T> {
    fn walk_space(&mut self, space: &mut dyn Space) {
        self.iter_mut().for_each(|item| item.walk_space(space));
    }
}

impl<T: Spatial> Spatial for Series<T> {
    fn walk_space(&mut self, space: &mut dyn Space) {
        self.all_mut().iter_mut().for_each(|item| item.walk_space(space));
    }
}

impl<T: Spatial> Spatial for Track<T> {
    fn walk_space(&mut self, space: &mut dyn Space) {
        self.values.walk_space(space);
    }
}

impl<T: Spatial> Spatial for LifeTrack<T> {
    fn walk_space(&mut self, space: &mut dyn Space) {
        self.values.walk_space(space);
    }
}

impl<T: Scalars> Scalars for Track<T> {
    fn scalars(&mut self, each: &mut dyn FnMut(&mut f32)) {
        self.values.all_mut().iter_mut().for_each(|value| value.scalars(each));
    }
}

impl<T: Scalars> Scalars for LifeTrack<T> {
    fn scalars(&mut self, each: &mut dyn FnMut(&mut f32)) {
        self.values.iter_mut().for_each(|value| value.scalars(each));
    }
}

impl<T: Vectors> Vectors for Track<T> {
    fn vectors(&mut self, each: &mut dyn FnMut(&mut [f32; 3])) {
        self.values.all_mut().iter_mut().for_each(|value| value.vectors(each));
    }
}

impl<T: Vectors> Vectors for Block<T> {
    fn vectors(&mut self, each: &mut dyn FnMut(&mut [f32; 3])) {
        self.iter_mut().for_each(|value| value.vectors(each));
    }
}

/// Bezier control points and Hermite tangents are offsets like the values.
impl Vectors for VectorKey {
    fn vectors(&mut self, each: &mut dyn FnMut(&mut [f32; 3])) {
        each(&mut self.value);
        each(&mut self.in_tangent);
        each(&mut self.out_tangent);
    }
}

impl Quaternions for Track<[f32; 4]> {
    fn quaternions(&mut self, each: &mut dyn FnMut(&mut [f32; 4])) {
        self.values.all_mut().iter_mut().for_each(each);
    }
}

/// A rotation that does not change keeps its bits: packing is the inverse of the exact unpacking.
impl Quaternions for Track<[u16; 4]> {
    fn quaternions(&mut self, each: &mut dyn FnMut(&mut [f32; 4])) {
        for packed in self.values.all_mut() {
            let mut value = rotation::unpack_exact(*packed);
            each(&mut value);
            *packed = rotation::pack(value);
        }
    }
}

impl Spatial for Vertex {
    fn walk_space(&mut self, space: &mut dyn Space) {
        space.point(&mut self.position);
        space.direction(&mut self.normal);
    }
}

not_spatial!(Cells, Playable);
