//! Going from one key to the next.
//!
//! Hermite tangents are changes per segment, not per second; quaternion splines are squad-like: a slerp between the
//! slerp of the keys and the slerp of their tangents.

use crate::Rotation;
use glam::Quat;

/// A value that keys can hold.
pub trait Value: Copy {
    /// Straight from `a` to `b`; numbers that count things keep `a`.
    fn mix(a: Self, b: Self, t: f32) -> Self;
    /// From `a`, leaving with the tangent `out`, to `b`, arriving with the tangent `into`.
    fn hermite(a: Self, out: Self, into: Self, b: Self, t: f32) -> Self;
    /// From `a` to `b` with the control points `out` and `into`.
    fn bezier(a: Self, out: Self, into: Self, b: Self, t: f32) -> Self;
}

impl Value for f32 {
    #[inline]
    fn mix(a: Self, b: Self, t: f32) -> Self {
        a + t * (b - a)
    }
    #[inline]
    fn hermite(a: Self, out: Self, into: Self, b: Self, t: f32) -> Self {
        let (t2, t3) = (t * t, t * t * t);
        let last = 3.0 * t2 - 2.0 * t3;
        (1.0 - last) * a + (t3 - 2.0 * t2 + t) * out + (t3 - t2) * into + last * b
    }
    #[inline]
    fn bezier(a: Self, out: Self, into: Self, b: Self, t: f32) -> Self {
        let s = 1.0 - t;
        s * s * s * a + 3.0 * t * s * s * out + 3.0 * t * t * s * into + t * t * t * b
    }
}

impl Value for [f32; 3] {
    #[inline]
    fn mix([ax, ay, az]: Self, [bx, by, bz]: Self, t: f32) -> Self {
        [f32::mix(ax, bx, t), f32::mix(ay, by, t), f32::mix(az, bz, t)]
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
    fn mix(a: Self, _: Self, _: f32) -> Self {
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
    fn mix(a: Self, b: Self, t: f32) -> Self {
        Turn::straight(a, b).at(t)
    }
    #[inline]
    fn hermite(a: Self, out: Self, into: Self, b: Self, t: f32) -> Self {
        Turn::spline(a, out, into, b).at(t)
    }
    #[inline]
    fn bezier(a: Self, out: Self, into: Self, b: Self, t: f32) -> Self {
        Self::hermite(a, out, into, b, t)
    }
}

/// The shortest arc between two rotations, ready for many places on it.
#[derive(Clone, Copy, Debug)]
struct Arc {
    a: Quat,
    b: Quat,
    angle: f32,
    /// One divided by the angle's sine; 0: the arc is as good as straight, and its sine too small to divide by.
    over_sine: f32,
}

impl Arc {
    #[inline]
    fn new(a: Quat, b: Quat) -> Self {
        const STRAIGHT: f32 = 0.9995;
        let (a, mut b) = (normalise(a), normalise(b));
        let mut cosine = a.dot(b);
        if cosine < 0.0 {
            b = -b;
            cosine = -cosine;
        }
        if cosine > STRAIGHT {
            return Self { a, b, angle: 0.0, over_sine: 0.0 };
        }
        let angle = cosine.min(1.0).acos();
        Self { a, b, angle, over_sine: angle.sin().recip() }
    }

    /// The rotation at `t`; it has unit length.
    #[inline]
    fn at(&self, t: f32) -> Quat {
        if self.over_sine == 0.0 {
            return normalise(self.a + (self.b - self.a) * t);
        }
        let part = |t: f32| (t * self.angle).sin() * self.over_sine;
        normalise(self.a * part(1.0 - t) + self.b * part(t))
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
    /// Along the shortest arc.
    #[must_use]
    #[inline]
    pub fn straight(a: Rotation, b: Rotation) -> Self {
        Self { keys: Arc::new(Quat::from_array(a.0), Quat::from_array(b.0)), tangents: None }
    }

    /// Leaving with the tangent `out`, arriving with the tangent `into`.
    #[must_use]
    #[inline]
    pub fn spline(a: Rotation, out: Rotation, into: Rotation, b: Rotation) -> Self {
        let tangents = Arc::new(Quat::from_array(out.0), Quat::from_array(into.0));
        Self { tangents: Some(tangents), ..Self::straight(a, b) }
    }

    /// The rotation at `t`; it has unit length.
    #[must_use]
    #[inline]
    pub fn at(&self, t: f32) -> Rotation {
        let on_keys = self.keys.at(t);
        let turned = match &self.tangents {
            None => on_keys,
            Some(tangents) => Arc::new(on_keys, tangents.at(t)).at(2.0 * t * (1.0 - t)),
        };
        Rotation(turned.to_array())
    }
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
    fn a_rotation_takes_the_short_way_and_keeps_unit_length() {
        let a = Rotation::IDENTITY;
        let b = Rotation((-Quat::from_rotation_z(1.0)).to_array());
        let Rotation(half) = Rotation::mix(a, b, 0.5);
        assert!(Quat::from_array(half).abs_diff_eq(Quat::from_rotation_z(0.5), 1e-6));
        let Rotation(spline) = Rotation::hermite(a, b, a, b, 0.3);
        assert!((Quat::from_array(spline).length() - 1.0).abs() < 1e-6);
    }

    #[test]
    fn a_spline_rotation_with_its_keys_as_tangents_is_a_slerp() {
        let (a, b) = (Quat::from_rotation_x(0.2).to_array(), Quat::from_rotation_x(1.4).to_array());
        let Rotation(spline) = Rotation::hermite(Rotation(a), Rotation(a), Rotation(b), Rotation(b), 0.25);
        assert!(Quat::from_array(spline).abs_diff_eq(Quat::from_rotation_x(0.5), 1e-5));
    }
}
