//! Cameras. Their keys always store tangents, whatever the interpolation.
//!
//! With Bezier interpolation the tangents are absolute control points: 824 of 824 inner keys of real fly-bys are
//! collinear with them, and the lengths on both sides have the ratio of the time intervals.

use crate::block::{Key, elements, plain};
use crate::mix;
use crate::track::Track;
use crate::version::Caps;
use effigy_wire::bytemuck::cast_slice;
use effigy_wire::{Leaf, Numbers, Result, Tree, Wire, record};

plain! {
    /// A point with tangents.
    pub struct VectorKey {
        /// The value at the key's time.
        pub value: [f32; 3],
        /// Control point (Bezier) or tangent (Hermite) before the key.
        pub in_tangent: [f32; 3],
        /// Control point (Bezier) or tangent (Hermite) after the key.
        pub out_tangent: [f32; 3],
    }

    /// A number with tangents.
    pub struct ScalarKey {
        /// The value at the key's time.
        pub value: f32,
        /// Control point (Bezier) or tangent (Hermite) before the key.
        pub in_tangent: f32,
        /// Control point (Bezier) or tangent (Hermite) after the key.
        pub out_tangent: f32,
    }
}

impl Key for VectorKey {
    const ITEM: fn(&[Self]) -> Leaf<'_> =
        |items| Leaf::Many { numbers: Numbers::F32(cast_slice(items)), width: 9 };
    fn parse_keys(tree: &Tree<'_>) -> Result<Vec<Self>> {
        let numbers: Vec<[f32; 9]> = Wire::parse(tree, ())?;
        Ok(cast_slice(&numbers).to_vec())
    }
    fn one() -> Self {
        Self::default()
    }
    fn mix(self, next: Self, at: f32) -> Self {
        let value = mix::floats(self.value, next.value, at);
        Self { value, in_tangent: value, out_tangent: value }
    }
}

impl Key for ScalarKey {
    const ITEM: fn(&[Self]) -> Leaf<'_> =
        |items| Leaf::Many { numbers: Numbers::F32(cast_slice(items)), width: 3 };
    fn parse_keys(tree: &Tree<'_>) -> Result<Vec<Self>> {
        let numbers: Vec<[f32; 3]> = Wire::parse(tree, ())?;
        Ok(cast_slice(&numbers).to_vec())
    }
    fn one() -> Self {
        Self::default()
    }
    fn mix(self, next: Self, at: f32) -> Self {
        let value = mix::float(self.value, next.value, at);
        Self { value, in_tangent: value, out_tangent: value }
    }
}

record! {
    /// A camera.
    pub struct Camera(Caps) {
        /// -1 fly-by or interface, 0 portrait, 1 character.
        pub kind: i32 = -1,
        /// Diagonal field of view in radians; vertical is this over sqrt(1 + aspect squared). Before 265.
        (plain) pub fov: f32 [Caps::FIXED_FOV],
        /// Distance of the far clipping plane.
        (length) pub far_clip: f32,
        /// Distance of the near clipping plane.
        (length) pub near_clip: f32,
        /// Translation added to `position`.
        (vector) pub position_track: Track<VectorKey>,
        /// Position of the camera.
        (point) pub position: [f32; 3],
        /// Translation added to `target`.
        (vector) pub target_track: Track<VectorKey>,
        /// The point that the camera looks at.
        (point) pub target: [f32; 3],
        /// Rotation around the line of sight in radians.
        (plain) pub roll: Track<ScalarKey>,
        /// Diagonal field of view in radians. 265 on.
        (plain) pub fov_track: Track<ScalarKey> [Caps::CATACLYSM],
    }
}

elements! { Camera { position_track, target_track, roll, fov_track } }

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_between_two_others_has_no_tangents_of_its_own() {
        let vector = |value| VectorKey { value, in_tangent: [9.0; 3], out_tangent: [8.0; 3] };
        let mixed = [2.0, 3.0, 5.0];
        let expected = VectorKey { value: mixed, in_tangent: mixed, out_tangent: mixed };
        assert_eq!(vector([1.0, 2.0, 4.0]).mix(vector([5.0, 6.0, 8.0]), 0.25), expected);
        let scalar = |value| ScalarKey { value, in_tangent: 9.0, out_tangent: 8.0 };
        let expected = ScalarKey { value: 2.0, in_tangent: 2.0, out_tangent: 2.0 };
        assert_eq!(scalar(1.0).mix(scalar(5.0), 0.25), expected);
    }
}
