//! How far two values of a track are apart.

use effigy_scene::sample::{Turn, Value};
use effigy_scene::{Rotation, TurnRule};

/// A value with a distance.
pub(super) trait Metric: Value + PartialEq {
    /// Whether the distance is an angle in radians instead of a length.
    const ANGLE: bool = false;
    /// The largest change between two keys that is safe to interpolate.
    const STEP: f32 = f32::INFINITY;
    /// The distance; 0 for the same value.
    fn distance(a: Self, b: Self) -> f32;
    /// A number that grows with the distance and costs less.
    fn gap(a: Self, b: Self) -> f32 {
        Self::distance(a, b)
    }
    /// The gap of a distance.
    fn gap_of(distance: f32) -> f32 {
        distance
    }
    /// The straight way from one value to another, for many places on it.
    fn way(a: Self, b: Self, turns: TurnRule) -> impl Fn(f32) -> Self {
        move |ratio| Self::mix(a, b, ratio, turns)
    }
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

    /// The squared chord between the two on the unit sphere.
    fn gap(a: Self, b: Self) -> f32 {
        let (a, b) = (glam::Quat::from_array(a.0), glam::Quat::from_array(b.0));
        let lengths = a.length_squared() * b.length_squared();
        if lengths <= 0.0 {
            return 0.0;
        }
        let (a, b) = (a.normalize(), b.normalize());
        (a - b).length_squared().min((a + b).length_squared())
    }

    fn gap_of(distance: f32) -> f32 {
        let chord = 2.0 * (distance * 0.25).sin();
        chord * chord
    }

    fn way(a: Self, b: Self, turns: TurnRule) -> impl Fn(f32) -> Self {
        let (same, turn) = (a == b, Turn::straight(a, b, turns));
        move |ratio| if same { a } else { turn.at(ratio) }
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
    fn gaps_grow_with_the_distance() {
        let turn = |angle: f32| {
            let (sin, cos) = (angle / 2.0).sin_cos();
            // Neither sign nor length matters.
            Rotation([0.0, 0.0, -2.0 * sin, -2.0 * cos])
        };
        for angle in [0.0, 1e-3, 0.1, 1.0, 3.0] {
            let gap = Rotation::gap(Rotation::IDENTITY, turn(angle));
            let expected = Rotation::gap_of(angle);
            assert!((gap - expected).abs() <= 1e-5 * expected + 1e-12, "{angle}: {gap} {expected}");
        }
        assert_eq!(Rotation::gap(Rotation([0.0; 4]), turn(1.0)), 0.0);
        assert_eq!((f32::gap(1.0, 3.5), f32::gap_of(2.5)), (2.5, 2.5));
    }

    #[test]
    fn a_way_has_the_places_between_its_ends() {
        let b = Rotation([0.0, 0.6, 0.0, 0.8]);
        for turns in [TurnRule::Slerp, TurnRule::Nlerp] {
            let way = Rotation::way(Rotation::IDENTITY, b, turns);
            assert_eq!(way(0.3), Rotation::mix(Rotation::IDENTITY, b, 0.3, turns));
            assert_eq!(Rotation::way(b, b, turns)(0.3), b);
        }
        assert_eq!(<[f32; 3]>::way([0.0; 3], [4.0, 8.0, 0.0], TurnRule::Slerp)(0.25), [1.0, 2.0, 0.0]);
    }

    #[test]
    fn whole_numbers_are_the_same_or_infinitely_far_apart() {
        assert!(u32::distance(7, 7) == 0.0 && u32::distance(7, 8).is_infinite());
    }
}
