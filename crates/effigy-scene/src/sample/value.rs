//! Going from one key to the next.
//!
//! Hermite tangents are changes per segment, not per second; quaternion splines are squad-like: a slerp between the
//! slerp of the keys and the slerp of their tangents, with signs that are chosen once (see [`Turn::spline`]).

use super::trigonometry::{arc_cosine, sine, sines};
use crate::{Rotation, TurnRule};
use glam::Quat;

/// A value that keys can hold.
pub trait Value: Copy {
    /// Straight from `a` to `b`; rotations follow the rule, numbers that count things keep `a`.
    fn mix(a: Self, b: Self, t: f32, turns: TurnRule) -> Self;
    /// From `a`, leaving with the tangent `out`, to `b`, arriving with the tangent `into`.
    fn hermite(a: Self, out: Self, into: Self, b: Self, t: f32) -> Self;
    /// From `a` to `b` with the control points `out` and `into`.
    fn bezier(a: Self, out: Self, into: Self, b: Self, t: f32) -> Self;
}

impl Value for f32 {
    #[inline]
    fn mix(a: Self, b: Self, t: f32, _: TurnRule) -> Self {
        a + t * (b - a)
    }
    #[inline]
    fn hermite(a: Self, out: Self, into: Self, b: Self, t: f32) -> Self {
        // A value that rests does not change in its last bit either.
        if a == b && out == 0.0 && into == 0.0 {
            return a;
        }
        let (t2, t3) = (t * t, t * t * t);
        let last = 3.0 * t2 - 2.0 * t3;
        (1.0 - last) * a + (t3 - 2.0 * t2 + t) * out + (t3 - t2) * into + last * b
    }
    #[inline]
    fn bezier(a: Self, out: Self, into: Self, b: Self, t: f32) -> Self {
        if a == b && out == a && into == a {
            return a;
        }
        let s = 1.0 - t;
        s * s * s * a + 3.0 * t * s * s * out + 3.0 * t * t * s * into + t * t * t * b
    }
}

impl Value for [f32; 3] {
    #[inline]
    fn mix([ax, ay, az]: Self, [bx, by, bz]: Self, t: f32, turns: TurnRule) -> Self {
        [f32::mix(ax, bx, t, turns), f32::mix(ay, by, t, turns), f32::mix(az, bz, t, turns)]
    }
    #[inline]
    fn hermite([a, b, c]: Self, [oa, ob, oc]: Self, [ia, ib, ic]: Self, [x, y, z]: Self, t: f32) -> Self {
        [f32::hermite(a, oa, ia, x, t), f32::hermite(b, ob, ib, y, t), f32::hermite(c, oc, ic, z, t)]
    }
    #[inline]
    fn bezier([a, b, c]: Self, [oa, ob, oc]: Self, [ia, ib, ic]: Self, [x, y, z]: Self, t: f32) -> Self {
        [f32::bezier(a, oa, ia, x, t), f32::bezier(b, ob, ib, y, t), f32::bezier(c, oc, ic, z, t)]
    }
}

impl Value for u32 {
    #[inline]
    fn mix(a: Self, _: Self, _: f32, _: TurnRule) -> Self {
        a
    }
    #[inline]
    fn hermite(a: Self, _: Self, _: Self, _: Self, _: f32) -> Self {
        a
    }
    #[inline]
    fn bezier(a: Self, _: Self, _: Self, _: Self, _: f32) -> Self {
        a
    }
}

impl Value for Rotation {
    #[inline]
    fn mix(a: Self, b: Self, t: f32, turns: TurnRule) -> Self {
        // Between equal keys nothing changes, not even the last bit: one key gives the same as many equal ones.
        if a.0 == b.0 {
            return a;
        }
        Turn::straight(a, b, turns).at(t)
    }
    #[inline]
    fn hermite(a: Self, out: Self, into: Self, b: Self, t: f32) -> Self {
        if a == b && out == a && into == a {
            return a;
        }
        Turn::spline(a, out, into, b).at(t)
    }
    #[inline]
    fn bezier(a: Self, out: Self, into: Self, b: Self, t: f32) -> Self {
        Self::hermite(a, out, into, b, t)
    }
}

/// Above this cosine an arc is as good as its chord.
const STRAIGHT: f32 = 0.9995;
/// Below it there is no shortest arc.
const OPPOSITE: f32 = -0.999_999;

/// An arc between two rotations, ready for many places on it.
#[derive(Clone, Copy, Debug)]
struct Arc {
    a: Quat,
    b: Quat,
    angle: f32,
    /// One divided by the angle's sine; 0: the arc is as good as straight, and its sine too small to divide by.
    over_sine: f32,
}

impl Arc {
    /// The chord: its places are brought to unit length, so that it is an arc that is faster in its middle.
    #[inline]
    fn chord(a: Quat, b: Quat) -> Self {
        Self { a: normalise(a), b: normalise(b), angle: 0.0, over_sine: 0.0 }
    }

    /// The shorter of the two arcs.
    #[inline]
    fn shortest(a: Quat, b: Quat) -> Self {
        let (a, b) = (normalise(a), normalise(b));
        Self::signed(a, aligned(b, a))
    }

    /// The arc between two unit quaternions, with their signs as they are.
    #[inline]
    fn signed(a: Quat, b: Quat) -> Self {
        let cosine = a.dot(b);
        if !(OPPOSITE..=STRAIGHT).contains(&cosine) {
            return Self { a, b, angle: 0.0, over_sine: 0.0 };
        }
        let angle = arc_cosine(cosine);
        Self { a, b, angle, over_sine: sine(angle).recip() }
    }

    /// The rotation at `t`; it has unit length, but for rounding.
    #[inline]
    fn at(&self, t: f32) -> Quat {
        if self.over_sine == 0.0 {
            return normalise(self.a + (self.b - self.a) * t);
        }
        let part = |t: f32| sine(t * self.angle) * self.over_sine;
        self.a * part(1.0 - t) + self.b * part(t)
    }

    /// The rotations at `t` of two arcs: the same numbers as one after the other, with all sines at once.
    #[inline]
    fn both(&self, other: &Self, t: f32) -> (Quat, Quat) {
        if self.over_sine == 0.0 || other.over_sine == 0.0 {
            return (self.at(t), other.at(t));
        }
        let s = 1.0 - t;
        let [a, b, c, d] = sines([s * self.angle, t * self.angle, s * other.angle, t * other.angle]);
        let first = self.a * (a * self.over_sine) + self.b * (b * self.over_sine);
        (first, other.a * (c * other.over_sine) + other.b * (d * other.over_sine))
    }

    /// The rotation at `t` between two unit quaternions: the same as of the arc, which is used only once.
    #[inline]
    fn between(a: Quat, b: Quat, t: f32) -> Quat {
        let cosine = a.dot(b);
        if !(OPPOSITE..=STRAIGHT).contains(&cosine) {
            return normalise(a + (b - a) * t);
        }
        let angle = arc_cosine(cosine);
        let [whole, from_a, from_b, _] = sines([angle, (1.0 - t) * angle, t * angle, 0.0]);
        let over_sine = whole.recip();
        a * (from_a * over_sine) + b * (from_b * over_sine)
    }
}

/// The way from one rotation to the next, ready for many places on it.
#[derive(Clone, Copy, Debug)]
pub struct Turn {
    keys: Arc,
    /// The arc between the tangents of a spline.
    tangents: Option<Arc>,
}

impl Turn {
    /// Without tangents.
    #[must_use]
    #[inline]
    pub fn straight(a: Rotation, b: Rotation, rule: TurnRule) -> Self {
        let (a, b) = (Quat::from_array(a.0), Quat::from_array(b.0));
        let keys = match rule {
            TurnRule::Slerp => Arc::shortest(a, b),
            TurnRule::Nlerp => Arc::chord(a, b),
        };
        Self { keys, tangents: None }
    }

    /// Leaving with the tangent `out`, arriving with the tangent `into`.
    ///
    /// A quaternion and its negative are the same rotation, but a curve through four of them depends on the signs. They
    /// are chosen once: the second key on the side of the first, each tangent on the side of its own key. Choosing them
    /// again at each place of the curve makes rotations flip by 180 degrees in the middle of it.
    #[must_use]
    #[inline]
    pub fn spline(a: Rotation, out: Rotation, into: Rotation, b: Rotation) -> Self {
        let [a, out, into, b] = [a, out, into, b].map(|it| normalise(Quat::from_array(it.0)));
        let b = aligned(b, a);
        let tangents = Arc::signed(aligned(out, a), aligned(into, b));
        Self { keys: Arc::signed(a, b), tangents: Some(tangents) }
    }

    /// The rotation at `t`; it has unit length.
    #[must_use]
    #[inline]
    pub fn at(&self, t: f32) -> Rotation {
        let turned = match &self.tangents {
            None => self.keys.at(t),
            Some(tangents) => {
                let (on_keys, on_tangents) = self.keys.both(tangents, t);
                Arc::between(on_keys, on_tangents, 2.0 * t * (1.0 - t))
            }
        };
        Rotation(normalise(turned).to_array())
    }
}

/// The same rotation, on the side of another one.
#[inline]
fn aligned(q: Quat, to: Quat) -> Quat {
    if q.dot(to) < 0.0 { -q } else { q }
}

/// A quaternion of unit length; the identity when it has none.
#[inline]
pub(crate) fn normalise(q: Quat) -> Quat {
    let length = q.length();
    if length > 1e-12 { q / length } else { Quat::IDENTITY }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splines_pass_through_their_keys_and_straight_ones_are_lines() {
        assert_eq!(f32::hermite(1.0, 9.0, 9.0, 5.0, 0.0), 1.0);
        assert_eq!(f32::hermite(1.0, 9.0, 9.0, 5.0, 1.0), 5.0);
        assert_eq!(f32::bezier(1.0, 9.0, 9.0, 5.0, 1.0), 5.0);
        for t in [0.1, 0.5, 0.8] {
            assert!((f32::hermite(0.0, 4.0, 4.0, 4.0, t) - 4.0 * t).abs() < 1e-6);
            assert!((f32::bezier(0.0, 1.0, 2.0, 3.0, t) - 3.0 * t).abs() < 1e-6);
        }
    }

    #[test]
    fn between_equal_rotations_nothing_changes() {
        // Not of unit length: bringing it there twice is not the same as once.
        let a = Rotation([0.1, 0.2, 0.3, 0.9]);
        for turns in [TurnRule::Slerp, TurnRule::Nlerp] {
            assert_eq!(Rotation::mix(a, a, 0.3, turns), a);
        }
        assert_eq!(Rotation::hermite(a, a, a, a, 0.3), a);
    }

    #[test]
    fn splines_between_equal_numbers_rest_or_swing() {
        // These would be off in the last bit.
        for t in [0.1, 0.3, 0.7] {
            assert_eq!(f32::hermite(157.258, 0.0, -0.0, 157.258, t), 157.258);
            assert_eq!(f32::bezier(157.258, 157.258, 157.258, 157.258, t), 157.258);
        }
        // (t3 - 2 t2 + t) * out + (t3 - t2) * into at a half: 1/8 and -1/8.
        assert_eq!(f32::hermite(1.0, 8.0, 0.0, 1.0, 0.5), 2.0);
        assert_eq!(f32::hermite(1.0, 0.0, 8.0, 1.0, 0.5), 0.0);
        // 3/8 of each control point, 1/8 of each end.
        assert_eq!(f32::bezier(8.0, 16.0, 8.0, 8.0, 0.5), 11.0);
        assert_eq!(f32::bezier(8.0, 8.0, 16.0, 8.0, 0.5), 11.0);
        assert_eq!(f32::bezier(8.0, 8.0, 8.0, 16.0, 0.5), 9.0);
    }

    #[test]
    fn a_rotation_takes_the_short_way_and_keeps_unit_length() {
        let a = Rotation::IDENTITY;
        let b = Rotation((-Quat::from_rotation_z(1.0)).to_array());
        let Rotation(half) = Rotation::mix(a, b, 0.5, TurnRule::Slerp);
        assert!(Quat::from_array(half).abs_diff_eq(Quat::from_rotation_z(0.5), 1e-6));
        let Rotation(spline) = Rotation::hermite(a, b, a, b, 0.3);
        assert!((Quat::from_array(spline).length() - 1.0).abs() < 1e-6);
    }

    #[test]
    fn an_nlerp_is_slow_at_its_ends_and_keeps_the_signs_of_its_keys() {
        // From 0 to 120 degrees about z: a quarter of the chord is at atan(0.25 sin 60 / (0.75 + 0.25 cos 60)).
        let a = Rotation::IDENTITY;
        let b = Quat::from_rotation_z(120_f32.to_radians());
        let Rotation(quarter) = Rotation::mix(a, Rotation(b.to_array()), 0.25, TurnRule::Nlerp);
        let degrees = 2.0 * quarter[2].atan2(quarter[3]).to_degrees();
        assert!((degrees - 27.795_8).abs() < 1e-3, "{degrees}, and not 30 as on the arc");
        // The same rotation with the other sign: 240 degrees backwards.
        let Rotation(half) = Rotation::mix(a, Rotation((-b).to_array()), 0.5, TurnRule::Nlerp);
        assert!(Quat::from_array(half).abs_diff_eq(Quat::from_rotation_z(-120_f32.to_radians()), 1e-6));
    }

    #[test]
    fn a_spline_rotation_with_its_keys_as_tangents_is_a_slerp() {
        let (a, b) = (Quat::from_rotation_x(0.2).to_array(), Quat::from_rotation_x(1.4).to_array());
        let Rotation(spline) = Rotation::hermite(Rotation(a), Rotation(a), Rotation(b), Rotation(b), 0.25);
        assert!(Quat::from_array(spline).abs_diff_eq(Quat::from_rotation_x(0.5), 1e-5));
    }

    /// About one axis, quaternions are points of a circle: the curve is a mix of angles that is computed here by hand.
    #[test]
    fn a_spline_whose_tangents_are_far_from_its_keys_does_not_flip() {
        let at = |degrees: f32| {
            let (sin, cos) = degrees.to_radians().sin_cos();
            Rotation([0.0, 0.0, sin, cos])
        };
        // Keys at 0 and 20, tangents at -80 and 95 (all half angles). The tangents are on the sides of their keys, the
        // way between them passes more than 90 degrees from the keys.
        let (a, out, into, b) = (0.0_f32, -80.0_f32, 95.0_f32, 20.0_f32);
        let mut before = a;
        for step in 1..=1000_u16 {
            let t = f32::from(step) / 1000.0;
            let (keys, tangents) = (a + (b - a) * t, out + (into - out) * t);
            let expected = keys + (tangents - keys) * (2.0 * t * (1.0 - t));
            // The same rotations with other signs make no difference.
            for [x, y, z] in [[1.0, 1.0, 1.0], [-1.0, 1.0, -1.0], [1.0, -1.0, -1.0]] {
                let sign = |q: Rotation, by: f32| Rotation(q.0.map(|part| part * by));
                let found = Rotation::hermite(at(a), sign(at(out), x), sign(at(into), y), sign(at(b), z), t);
                let cosine = Quat::from_array(found.0).dot(Quat::from_array(at(expected).0)).abs();
                assert!(cosine > 1.0 - 1e-5, "{t}: {found:?}, not {expected} degrees");
            }
            assert!((expected - before).abs() < 1.0);
            before = expected;
        }
    }
}
