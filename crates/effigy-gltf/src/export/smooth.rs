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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slopes_are_the_derivatives_of_the_curves() {
        let slope = |kind, t| f32::slope(kind, 1.0, 2.0, 4.0, 3.0, t);
        // Hermite from 1 to 3 with tangents 2 and 4. At a half: 1.5 * 2 - 0.25 * 2 - 0.25 * 4; at a quarter:
        // 1.125 * 2 + 0.1875 * 2 - 0.3125 * 4. At the ends the tangents themselves.
        let hermite = [0.0, 0.25, 0.5, 1.0].map(|t| slope(Interpolation::Hermite, t));
        assert_eq!(hermite, [2.0, 1.375, 1.5, 4.0]);
        // Bezier through 1, 2, 4, 3: three times 0.5625 * 1 + 0.375 * 2 - 0.0625 at a quarter.
        let bezier = [0.0, 0.25, 1.0].map(|t| slope(Interpolation::Bezier, t));
        assert_eq!(bezier, [3.0, 3.75, -3.0]);
        assert_eq!((slope(Interpolation::Linear, 0.3), slope(Interpolation::Step, 0.3)), (2.0, 0.0));
        let vector = <[f32; 3]>::slope(
            Interpolation::Bezier,
            [1.0, 0.0, 0.0],
            [2.0, 1.0, 0.0],
            [4.0, 2.0, 1.0],
            [3.0, 3.0, 1.0],
            0.0,
        );
        assert_eq!(vector, [3.0, 3.0, 0.0]);
        assert_eq!(f32::cubic_slope(1.0, 2.0, 4.0, 3.0, 0.25), 1.375);
    }

    #[test]
    fn differences_are_relative_to_the_size_of_the_numbers() {
        // A hundred thousandth of 1 plus the larger one: 0.00002 at 1, 0.00101 at 100.
        assert!(!1.0_f32.differs(1.000_015) && 1.0_f32.differs(1.000_03) && 1.000_03_f32.differs(1.0));
        assert!(!100.0_f32.differs(100.000_9) && 100.0_f32.differs(100.001_5));
        assert!(
            !(-100.0_f32).differs(-100.000_9) && !0.0_f32.differs(0.000_009) && 0.0_f32.differs(0.000_02)
        );
        assert!([0.0, 0.0, 1.0].differs([0.0, 0.0, 2.0]) && ![1.0, 2.0, 3.0].differs([1.0, 2.0, 3.0]));
        assert_eq!([1.0, 2.0, 3.0].distance([2.0, 5.0, 2.0]), 3.0);
        assert_eq!([1.0, 2.0, 3.0].minus([2.0, 5.0, 2.0]), [-1.0, -3.0, 1.0]);
        assert_eq!([1.0, 2.0, 3.0].scaled(2.0), [2.0, 4.0, 6.0]);
        assert_eq!((3.0_f32.distance(5.0), 3.0_f32.minus(5.0), 3.0_f32.scaled(2.0)), (2.0, -2.0, 6.0));
    }
}
