//! How far two values of a track are apart.

use effigy_scene::sample::{Turn, Value, arc_cosine, sine, sines};
use effigy_scene::{Interpolation, Rotation, TurnRule};

/// A value with a distance.
pub(super) trait Metric: Value + PartialEq {
    /// Whether the distance is an angle in radians instead of a length.
    const ANGLE: bool = false;
    /// The distance; 0 for the same value.
    fn distance(a: Self, b: Self) -> f32;
    /// The gap of a distance: a number that grows with it and costs less.
    fn gap_of(distance: f32) -> f32 {
        distance
    }
    /// The gap between a value and the straight way from `a` to `b`, for many places on it.
    fn gaps(a: Self, b: Self, turns: TurnRule) -> impl Fn(f32, Self) -> f32 {
        move |place, value| Self::distance(Self::mix(a, b, place, turns), value)
    }
    /// The curve between two keys, with the tangents of splines, for many places on it.
    fn curve(kind: Interpolation, [a, out, into, b]: [Self; 4], turns: TurnRule) -> impl Fn(f32) -> Self {
        move |place| match kind {
            Interpolation::Step => a,
            Interpolation::Linear => Self::mix(a, b, place, turns),
            Interpolation::Hermite => Self::hermite(a, out, into, b, place),
            Interpolation::Bezier => Self::bezier(a, out, into, b, place),
        }
    }
    /// The cosine of half the angle between two rotations, below 0 if their signs differ; 1 for what does not turn.
    fn cosine(_: Self, _: Self) -> f32 {
        1.0
    }
    /// Whether two rotations are more than a quarter turn apart, which the art guide of Warcraft III warns of.
    fn is_far(a: Self, b: Self) -> bool {
        // Of 45 degrees and half a thousandth, so that a quarter turn itself is not too far.
        const QUARTER: f32 = 0.706_753;
        Self::cosine(a, b).abs() < QUARTER
    }
    /// The tangent of a key at which a spline does not move.
    fn still(self, kind: Interpolation) -> Self;
    /// The same value as near to the other as it can be written: rotations can be written with either sign.
    fn near(self, _other: Self) -> Self {
        self
    }
}

/// The least cosine of two rotations whose chord differs from their arc by no more than a tolerance in radians.
///
/// At the place t of an angle f between quaternions, chord and arc are f^3 t (1 - t) (1 - 2 t) / 6 apart, at most 0.016 f^3 and, with
/// the terms that this leaves out, 0.01625 f^3. A rotation turns by twice that.
pub(super) fn straight_cosine(tolerance: f32) -> f32 {
    (tolerance / 0.0325).cbrt().min(0.5).cos()
}

impl Metric for f32 {
    fn still(self, kind: Interpolation) -> Self {
        // Tangents of one kind are changes, those of the other points.
        if kind == Interpolation::Hermite { 0.0 } else { self }
    }

    fn distance(a: Self, b: Self) -> f32 {
        (a - b).abs()
    }
}

impl Metric for u32 {
    fn still(self, _: Interpolation) -> Self {
        self
    }

    fn distance(a: Self, b: Self) -> f32 {
        if a == b { 0.0 } else { f32::INFINITY }
    }
}

impl Metric for [f32; 3] {
    fn still(self, kind: Interpolation) -> Self {
        self.map(|number| number.still(kind))
    }

    fn distance(a: Self, b: Self) -> f32 {
        (glam::Vec3::from(a) - glam::Vec3::from(b)).length()
    }

    /// The square.
    fn gap_of(distance: f32) -> f32 {
        distance * distance
    }

    fn gaps(a: Self, b: Self, _: TurnRule) -> impl Fn(f32, Self) -> f32 {
        let (a, b) = (glam::Vec3::from(a), glam::Vec3::from(b));
        let way = b - a;
        move |place, value| (a + way * place - glam::Vec3::from(value)).length_squared()
    }
}

impl Metric for Rotation {
    const ANGLE: bool = true;

    fn still(self, _: Interpolation) -> Self {
        self
    }

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

    fn cosine(a: Self, b: Self) -> f32 {
        let (a, b) = (glam::Quat::from_array(a.0), glam::Quat::from_array(b.0));
        let lengths = a.length_squared() * b.length_squared();
        if lengths > 0.0 { a.dot(b) / lengths.sqrt() } else { 1.0 }
    }

    /// The squared chord between the two on the unit sphere.
    fn gap_of(distance: f32) -> f32 {
        let chord = 2.0 * (distance * 0.25).sin();
        chord * chord
    }

    fn gaps(a: Self, b: Self, turns: TurnRule) -> impl Fn(f32, Self) -> f32 {
        // Below this angle between quaternions, a chord is as good as an arc. The sampler has the same limit.
        const STRAIGHT: f32 = 0.9995;
        // A square of a length that is as good as 1: far below any gap that counts.
        const UNIT: f32 = 1e-5;
        let unit = |turn: Self| {
            let turn = glam::Quat::from_array(turn.0);
            let length = turn.length();
            if length > 1e-12 { turn / length } else { glam::Quat::IDENTITY }
        };
        let (a, mut b) = (unit(a), unit(b));
        if turns == TurnRule::Slerp && a.dot(b) < 0.0 {
            b = -b;
        }
        let cosine = a.dot(b);
        let arc = (turns == TurnRule::Slerp && cosine <= STRAIGHT).then(|| {
            let angle = arc_cosine(cosine);
            (angle, sine(angle).recip())
        });
        // The length of a short chord, to its first term: it is less than 3e-7 off.
        let bend = (cosine > STRAIGHT).then_some(1.0 - cosine);
        move |place, value| {
            let on_way = match (arc, bend) {
                (Some((angle, over_sine)), _) => {
                    let [from_a, from_b, ..] = sines([(1.0 - place) * angle, place * angle, 0.0, 0.0]);
                    a * (from_a * over_sine) + b * (from_b * over_sine)
                }
                (None, Some(bend)) => {
                    let longer = 1.0 + place * (1.0 - place) * bend;
                    a * ((1.0 - place) * longer) + b * (place * longer)
                }
                (None, None) => {
                    let chord = a + (b - a) * place;
                    let length = chord.length();
                    if length > 1e-12 { chord / length } else { glam::Quat::IDENTITY }
                }
            };
            let value = glam::Quat::from_array(value.0);
            let square = value.length_squared();
            let off = |on_way: glam::Quat| {
                let off = if on_way.dot(value) < 0.0 { on_way + value } else { on_way - value };
                off.length_squared()
            };
            if (square - 1.0).abs() < UNIT {
                return off(on_way);
            }
            // As long as the value, instead of both of unit length.
            if square > 0.0 { off(on_way * square.sqrt()) / square } else { 0.0 }
        }
    }

    fn curve(kind: Interpolation, [a, out, into, b]: [Self; 4], turns: TurnRule) -> impl Fn(f32) -> Self {
        let (still, turn) = match kind {
            Interpolation::Step => (true, Turn::straight(a, a, turns)),
            Interpolation::Linear => (a == b, Turn::straight(a, b, turns)),
            _ => (a == b && out == a && into == a, Turn::spline(a, out, into, b)),
        };
        move |place| if still { a } else { turn.at(place) }
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
    fn gaps_are_those_of_the_distance_to_the_way() {
        let turn = |angle: f32| {
            let (sin, cos) = (angle / 2.0).sin_cos();
            // Neither sign nor length matters.
            Rotation([0.0, 0.0, -2.0 * sin, -2.0 * cos])
        };
        // A way of 0.03 is as good as straight, one of 2.5 is an arc; a value beside each.
        for (end, rule) in [(0.03, TurnRule::Slerp), (2.5, TurnRule::Slerp), (0.03, TurnRule::Nlerp)] {
            let gaps = Rotation::gaps(turn(0.0), turn(end), rule);
            for place in [0.0, 0.25, 0.8, 1.0] {
                for off in [0.0, 1e-3, 0.1, 1.0] {
                    let gap = gaps(place, turn(place * end + off));
                    let expected = Rotation::gap_of(off);
                    assert!(
                        (gap - expected).abs() <= 1e-3 * expected + 1e-11,
                        "{end} {place} {off}: {gap} {expected}"
                    );
                }
            }
            assert_eq!(gaps(0.5, Rotation([0.0; 4])), 0.0);
        }
        assert_eq!((f32::gaps(1.0, 3.0, TurnRule::Slerp)(0.5, 4.5), f32::gap_of(2.5)), (2.5, 2.5));
        let vectors = <[f32; 3]>::gaps([0.0; 3], [4.0, 8.0, 0.0], TurnRule::Slerp);
        assert_eq!((vectors(0.25, [1.0, 5.0, 4.0]), <[f32; 3]>::gap_of(5.0)), (25.0, 25.0));
    }

    #[test]
    fn a_chord_that_counts_as_straight_is_near_the_arc() {
        for tolerance in [1e-4_f32, 1e-3] {
            let half = straight_cosine(tolerance).acos();
            // The chord of an angle at any place, by hand, next to the arc.
            let worst = |half: f32| {
                let off = |place: f32| {
                    let (y, x) = (place * half.sin(), 1.0 - place + place * half.cos());
                    2.0 * (y.atan2(x) - place * half).abs()
                };
                (1_u8..100).map(|step| off(f32::from(step) / 100.0)).fold(0.0, f32::max)
            };
            assert!(worst(half) <= tolerance, "{tolerance}: {}", worst(half));
            assert!(worst(half * 1.1) > tolerance, "{tolerance}: not more careful than needed");
        }
    }

    #[test]
    fn more_than_a_quarter_turn_is_far_with_either_sign() {
        let turn = |degrees: f32, sign: f32| {
            let (sin, cos) = (degrees.to_radians() / 2.0).sin_cos();
            Rotation([0.0, 3.0 * sign * sin, 0.0, 3.0 * sign * cos])
        };
        for sign in [1.0, -1.0] {
            assert!(!Rotation::is_far(turn(5.0, 1.0), turn(95.0, sign)));
            assert!(Rotation::is_far(turn(5.0, 1.0), turn(95.2, sign)));
            assert!((Rotation::cosine(turn(0.0, 1.0), turn(120.0, sign)) - 0.5 * sign).abs() < 1e-6);
        }
        assert!(!Rotation::is_far(turn(5.0, 1.0), Rotation([0.0; 4])) && !f32::is_far(0.0, 9.0));
    }

    #[test]
    fn a_curve_has_the_places_that_the_sampler_gives() {
        let keys = [
            Rotation([0.0, 0.0, 0.0, 1.0]),
            Rotation([0.1, 0.0, 0.3, 0.9]),
            Rotation([0.0, 0.5, 0.0, 0.8]),
            Rotation([0.0, 0.6, 0.0, 0.8]),
        ];
        let [a, out, into, b] = keys;
        for turns in [TurnRule::Slerp, TurnRule::Nlerp] {
            let line = Rotation::curve(Interpolation::Linear, keys, turns);
            assert_eq!(line(0.3), Rotation::mix(a, b, 0.3, turns));
            let spline = Rotation::curve(Interpolation::Hermite, keys, turns);
            assert_eq!(spline(0.3), Rotation::hermite(a, out, into, b, 0.3));
            for kind in [Interpolation::Linear, Interpolation::Bezier] {
                assert_eq!(Rotation::curve(kind, [b; 4], turns)(0.3), b);
            }
            assert_eq!(Rotation::curve(Interpolation::Step, keys, turns)(0.3), a);
        }
        let numbers = [1.0, 2.0, 8.0, 4.0];
        let at = |kind| f32::curve(kind, numbers, TurnRule::Slerp)(0.5);
        assert_eq!((at(Interpolation::Step), at(Interpolation::Linear)), (1.0, 2.5));
        assert_eq!(at(Interpolation::Hermite), f32::hermite(1.0, 2.0, 8.0, 4.0, 0.5));
        assert_eq!(at(Interpolation::Bezier), f32::bezier(1.0, 2.0, 8.0, 4.0, 0.5));
    }

    #[test]
    fn whole_numbers_are_the_same_or_infinitely_far_apart() {
        assert!(u32::distance(7, 7) == 0.0 && u32::distance(7, 8).is_infinite());
    }

    #[test]
    fn distances_are_lengths_and_angles() {
        assert_eq!(<[f32; 3]>::distance([1.0, 2.0, 3.0], [4.0, 6.0, 3.0]), 5.0);
        let turn = |degrees: f32| Rotation(glam::Quat::from_rotation_y(degrees.to_radians()).to_array());
        for degrees in [0.0_f32, 0.01, 30.0, 90.0, 179.0] {
            let found = Rotation::distance(turn(20.0), turn(20.0 + degrees));
            assert!((found - degrees.to_radians()).abs() < 1e-4, "{degrees}: {found}");
        }
        // Neither the sign nor the length of the four numbers counts.
        let (Rotation(a), b) = (turn(0.0), turn(90.0));
        for factor in [-1.0, 3.0, 0.25] {
            let found = Rotation::distance(Rotation(a.map(|it| it * factor)), b);
            assert!((found - std::f32::consts::FRAC_PI_2).abs() < 1e-5, "{factor}: {found}");
        }
        assert_eq!(Rotation::distance(Rotation([0.0; 4]), b), 0.0);
        for step in 0..=90_u8 {
            let angle = f32::from(step).to_radians();
            assert!((sine(angle) - angle.sin()).abs() < 1e-6, "{step}");
        }
    }

    #[test]
    fn a_spline_stands_still_with_the_tangents_of_its_kind() {
        // A control point at the value itself for Bezier curves, no direction for Hermite curves.
        assert_eq!([1.0, 2.0, 3.0].still(Interpolation::Bezier), [1.0, 2.0, 3.0]);
        assert_eq!([1.0, 2.0, 3.0].still(Interpolation::Hermite), [0.0; 3]);
        assert_eq!(<[f32; 3]>::gap_of(3.0), 9.0);
        let gaps = <[f32; 3]>::gaps([0.0; 3], [4.0, 0.0, 0.0], TurnRule::Slerp);
        assert_eq!((gaps(0.5, [2.0, 3.0, 4.0]), gaps(0.25, [1.0, 0.0, 0.0])), (25.0, 0.0));
    }
}
