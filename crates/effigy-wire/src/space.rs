//! What the numbers of a record mean in space, so that one walk scales, turns and moves a model of any format.
//!
//! A field of a [`record!`](crate::record) that holds floating-point numbers is declared with its meaning: `(point)`,
//! `(vector)`, `(direction)`, `(length)`, ... or `(plain)`. A field without a meaning does not compile, because floats do
//! not implement [`Spatial`]; so a new field cannot be forgotten.

use crate::{FixedStr, Tag};

/// Something that is done to every number with a meaning in space.
pub trait Space {
    /// A position in model space.
    fn point(&mut self, value: &mut [f32; 3]);
    /// A difference of two positions: an offset, a velocity, an acceleration.
    fn vector(&mut self, value: &mut [f32; 3]);
    /// A direction of unit length.
    fn direction(&mut self, value: &mut [f32; 3]);
    /// A distance, a speed, or an acceleration along a fixed axis.
    fn length(&mut self, value: &mut f32);
    /// A quantity per length (power 1) or per area (power 2), such as the falloff of a light.
    fn per_length(&mut self, value: &mut f32, power: i32);
    /// A rotation of vertices about a pivot in model space: x, y, z, w, or a tangent of such a value.
    fn rotation(&mut self, value: &mut [f32; 4]);
    /// A box along the axes, and the sphere that goes with it.
    fn bounds(&mut self, bounds: BoundsMut<'_>);
}

/// A box along the axes with its sphere, to be changed.
#[derive(Debug)]
pub struct BoundsMut<'a> {
    /// Smallest corner.
    pub min: &'a mut [f32; 3],
    /// Largest corner.
    pub max: &'a mut [f32; 3],
    /// Radius of a sphere about the origin, where there is one.
    pub radius: Option<&'a mut f32>,
    /// Whether the corners are in model space; if not, moving the model does not change them.
    pub in_model_space: bool,
}

/// A value whose numbers have a meaning in space. Integers, flags and text have none.
pub trait Spatial {
    /// Visits every number with a meaning.
    fn walk_space(&mut self, space: &mut dyn Space);
}

impl<T: Spatial> Spatial for Vec<T> {
    fn walk_space(&mut self, space: &mut dyn Space) {
        self.iter_mut().for_each(|item| item.walk_space(space));
    }
}

impl<T: Spatial> Spatial for Option<T> {
    fn walk_space(&mut self, space: &mut dyn Space) {
        self.iter_mut().for_each(|item| item.walk_space(space));
    }
}

impl<T: Spatial, const N: usize> Spatial for [T; N] {
    fn walk_space(&mut self, space: &mut dyn Space) {
        self.iter_mut().for_each(|item| item.walk_space(space));
    }
}

impl<const N: usize> Spatial for FixedStr<N> {
    fn walk_space(&mut self, _: &mut dyn Space) {}
}

/// Declares types that have no meaning in space.
#[macro_export]
macro_rules! not_spatial {
    ($($ty:ty),* $(,)?) => {
        $(impl $crate::Spatial for $ty {
            fn walk_space(&mut self, _: &mut dyn $crate::Space) {}
        })*
    };
}

not_spatial!(u8, u16, u32, i8, i16, i32, Tag);

/// Values that consist of single floats.
pub trait Scalars {
    /// Calls `each` for every float.
    fn scalars(&mut self, each: &mut dyn FnMut(&mut f32));
}

/// Values that consist of vectors.
pub trait Vectors {
    /// Calls `each` for every vector.
    fn vectors(&mut self, each: &mut dyn FnMut(&mut [f32; 3]));
}

/// Values that consist of rotations, or of other things with four numbers each.
pub trait Quaternions {
    /// Calls `each` for every value.
    fn quaternions(&mut self, each: &mut dyn FnMut(&mut [f32; 4]));
}

macro_rules! values {
    ($($name:ident $method:ident $leaf:ty;)*) => {$(
        impl $name for $leaf {
            #[inline]
            fn $method(&mut self, each: &mut dyn FnMut(&mut $leaf)) {
                each(self);
            }
        }

        impl<T: $name> $name for Vec<T> {
            fn $method(&mut self, each: &mut dyn FnMut(&mut $leaf)) {
                self.iter_mut().for_each(|item| item.$method(each));
            }
        }

        impl<T: $name> $name for Option<T> {
            fn $method(&mut self, each: &mut dyn FnMut(&mut $leaf)) {
                self.iter_mut().for_each(|item| item.$method(each));
            }
        }
    )*};
}

values! {
    Scalars scalars f32;
    Vectors vectors [f32; 3];
    Quaternions quaternions [f32; 4];
}

impl<const N: usize> Scalars for [f32; N] {
    fn scalars(&mut self, each: &mut dyn FnMut(&mut f32)) {
        self.iter_mut().for_each(each);
    }
}

impl<const N: usize> Vectors for [[f32; 3]; N] {
    fn vectors(&mut self, each: &mut dyn FnMut(&mut [f32; 3])) {
        self.iter_mut().for_each(each);
    }
}

/// The meanings that a field of a [`record!`](crate::record) can have.
pub mod meaning {
    use super::{BoundsMut, Quaternions, Scalars, Space, Vectors};

    /// Positions in model space.
    pub fn point<T: Vectors + ?Sized>(field: &mut T, space: &mut dyn Space) {
        field.vectors(&mut |value| space.point(value));
    }

    /// Offsets, velocities, accelerations.
    pub fn vector<T: Vectors + ?Sized>(field: &mut T, space: &mut dyn Space) {
        field.vectors(&mut |value| space.vector(value));
    }

    /// Directions of unit length.
    pub fn direction<T: Vectors + ?Sized>(field: &mut T, space: &mut dyn Space) {
        field.vectors(&mut |value| space.direction(value));
    }

    /// Directions of unit length with a fourth number that stays.
    pub fn tangent<T: Quaternions + ?Sized>(field: &mut T, space: &mut dyn Space) {
        field.quaternions(&mut |[x, y, z, _]| {
            let mut direction = [*x, *y, *z];
            space.direction(&mut direction);
            [*x, *y, *z] = direction;
        });
    }

    /// Distances, speeds, accelerations along a fixed axis, and vectors in a node's own axes.
    pub fn length<T: Scalars + ?Sized>(field: &mut T, space: &mut dyn Space) {
        field.scalars(&mut |value| space.length(value));
    }

    /// Vectors in a node's own axes: they are scaled, and turn with the node.
    pub fn own_vector<T: Vectors + ?Sized>(field: &mut T, space: &mut dyn Space) {
        field.vectors(&mut |value| value.iter_mut().for_each(|value| space.length(value)));
    }

    /// Quantities per length.
    pub fn per_length<T: Scalars + ?Sized>(field: &mut T, space: &mut dyn Space) {
        field.scalars(&mut |value| space.per_length(value, 1));
    }

    /// Quantities per area.
    pub fn per_area<T: Scalars + ?Sized>(field: &mut T, space: &mut dyn Space) {
        field.scalars(&mut |value| space.per_length(value, 2));
    }

    /// Rotations about a pivot.
    pub fn rotation<T: Quaternions + ?Sized>(field: &mut T, space: &mut dyn Space) {
        field.quaternions(&mut |value| space.rotation(value));
    }

    /// Pairs of a speed and a factor.
    pub fn speed_and_factor(field: &mut [f32; 4], space: &mut dyn Space) {
        let [first, _, second, _] = field;
        space.length(first);
        space.length(second);
    }

    /// Smallest x, y, z of a box in model space, then largest.
    pub fn corners(field: &mut [f32; 6], space: &mut dyn Space) {
        let [a, b, c, d, e, f] = *field;
        let (mut min, mut max) = ([a, b, c], [d, e, f]);
        space.bounds(BoundsMut { min: &mut min, max: &mut max, radius: None, in_model_space: true });
        let ([a, b, c], [d, e, f]) = (min, max);
        *field = [a, b, c, d, e, f];
    }

    /// Three directions.
    pub fn axes(field: &mut [f32; 9], space: &mut dyn Space) {
        field.as_chunks_mut::<3>().0.iter_mut().for_each(|axis| space.direction(axis));
    }

    /// Frames in model space: three axes, then the position.
    pub fn frames(field: &mut [[f32; 12]], space: &mut dyn Space) {
        for [a, b, c, d, e, f, g, h, i, x, y, z] in field {
            for axis in [[&mut *a, b, c], [d, e, f], [g, h, i]] {
                let mut value = axis.each_ref().map(|part| **part);
                space.direction(&mut value);
                axis.into_iter().zip(value).for_each(|(part, value)| *part = value);
            }
            let mut position = [*x, *y, *z];
            space.point(&mut position);
            [*x, *y, *z] = position;
        }
    }

    /// Nothing in space: times, angles, colours, factors, texture coordinates.
    pub const fn plain<T: ?Sized>(_: &mut T, _: &mut dyn Space) {}
}
