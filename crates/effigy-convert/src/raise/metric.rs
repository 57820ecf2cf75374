//! How far two values of a track are apart.

use effigy_scene::Rotation;
use effigy_scene::sample::Value;

/// A value with a distance.
pub(super) trait Metric: Value + PartialEq {
    /// Whether the distance is an angle in radians instead of a length.
    const ANGLE: bool = false;
    /// The largest change between two keys that is safe to interpolate.
    const STEP: f32 = f32::INFINITY;
    /// The distance; 0 for the same value.
    fn distance(a: Self, b: Self) -> f32;
    /// The same value as near to the other as it can be written: rotations can be written with either sign.
    fn near(self, _other: Self) -> Self {
        self
    }
}

impl Metric for f32 {
    fn distance(a: Self, b: Self) -> f32 {
        (a - b).abs()
    }
}

impl Metric for u32 {
    fn distance(a: Self, b: Self) -> f32 {
        if a == b { 0.0 } else { f32::INFINITY }
    }
}

impl Metric for [f32; 3] {
    fn distance(a: Self, b: Self) -> f32 {
        (glam::Vec3::from(a) - glam::Vec3::from(b)).length()
    }
}

impl Metric for Rotation {
    const ANGLE: bool = true;
    // The art guide of Warcraft III warns of steps of more than a quarter turn.
    const STEP: f32 = std::f32::consts::FRAC_PI_2 + 1e-3;

    fn near(self, other: Self) -> Self {
        let dot: f32 = self.0.iter().zip(other.0).map(|(a, b)| a * b).sum();
        if dot < 0.0 { Self(self.0.map(|part| -part)) } else { self }
    }

    fn distance(a: Self, b: Self) -> f32 {
        let (a, b) = (glam::Quat::from_array(a.0), glam::Quat::from_array(b.0));
        let lengths = a.length() * b.length();
        if lengths <= 0.0 {
            return 0.0;
        }
        // The sine of the half angle is exact where the cosine is not: near 0.
        let (a, b) = (a / a.length(), b / b.length());
        let b = if a.dot(b) < 0.0 { -b } else { b };
        4.0 * (0.5 * (a - b).length()).clamp(0.0, 1.0).asin()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_distance_of_rotations_is_the_angle_between_them() {
        let turn = |degrees: f32| {
            let (sin, cos) = (degrees.to_radians() / 2.0).sin_cos();
            Rotation([0.0, 0.0, sin, cos])
        };
        let degrees = |a, b| Rotation::distance(turn(a), turn(b)).to_degrees();
        assert!((degrees(10.0, 40.0) - 30.0).abs() < 1e-4);
        assert!((degrees(0.0, 350.0) - 10.0).abs() < 1e-3);
        assert!((degrees(0.0, 180.0) - 180.0).abs() < 1e-2);
        assert!((degrees(0.0, 0.01) - 0.01).abs() < 1e-6);
    }

    #[test]
    fn whole_numbers_are_the_same_or_infinitely_far_apart() {
        assert!(u32::distance(7, 7) == 0.0 && u32::distance(7, 8).is_infinite());
    }
}
