//! Numbers whose curves have slopes.

use effigy_scene::Interpolation;
use effigy_scene::sample::Value;

/// A value of keys that can be scaled, compared and differentiated.
pub(crate) trait Smooth: Value + PartialEq {
    const ZERO: Self;
    fn scaled(self, factor: f32) -> Self;
    fn minus(self, other: Self) -> Self;
    fn differs(self, other: Self) -> bool;
    /// Largest difference of any number.
    fn distance(self, other: Self) -> f32;
    /// Change per whole segment at `t` of the cubic with these tangents per segment.
    fn cubic_slope(a: Self, out: Self, into: Self, b: Self, t: f32) -> Self {
        Self::slope(Interpolation::Hermite, a, out, into, b, t)
    }
    /// Change per whole segment at `t`.
    fn slope(kind: Interpolation, a: Self, out: Self, into: Self, b: Self, t: f32) -> Self;
}

impl Smooth for f32 {
    const ZERO: Self = 0.0;
    fn scaled(self, factor: f32) -> Self {
        self * factor
    }
    fn minus(self, other: Self) -> Self {
        self - other
    }
    fn differs(self, other: Self) -> bool {
        (self - other).abs() > 1e-5 * (1.0 + self.abs().max(other.abs()))
    }
    fn distance(self, other: Self) -> f32 {
        (self - other).abs()
    }
    fn slope(kind: Interpolation, a: Self, out: Self, into: Self, b: Self, t: f32) -> Self {
        match kind {
            Interpolation::Hermite => {
                let flat = 6.0 * t * (1.0 - t);
                flat * (b - a) + (3.0 * t * t - 4.0 * t + 1.0) * out + (3.0 * t * t - 2.0 * t) * into
            }
            Interpolation::Bezier => {
                let s = 1.0 - t;
                3.0 * (s * s * (out - a) + 2.0 * s * t * (into - out) + t * t * (b - into))
            }
            Interpolation::Linear => b - a,
            Interpolation::Step => 0.0,
        }
    }
}

impl Smooth for [f32; 3] {
    const ZERO: Self = [0.0; 3];
    fn scaled(self, factor: f32) -> Self {
        self.map(|x| x * factor)
    }
    fn minus(self, other: Self) -> Self {
        let ([a, b, c], [x, y, z]) = (self, other);
        [a - x, b - y, c - z]
    }
    fn differs(self, other: Self) -> bool {
        self.into_iter().zip(other).any(|(a, b)| a.differs(b))
    }
    fn distance(self, other: Self) -> f32 {
        self.into_iter().zip(other).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
    }
    fn slope(kind: Interpolation, [a, b, c]: Self, out: Self, into: Self, [x, y, z]: Self, t: f32) -> Self {
        let ([oa, ob, oc], [ia, ib, ic]) = (out, into);
        [
            f32::slope(kind, a, oa, ia, x, t),
            f32::slope(kind, b, ob, ib, y, t),
            f32::slope(kind, c, oc, ic, z, t),
        ]
    }
}
