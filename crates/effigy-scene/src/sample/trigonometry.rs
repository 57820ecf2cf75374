//! Sines and arc cosines for rotations: polynomials, as exact as the numbers themselves, several times as fast as those of the
//! system, and the same on all systems.

use glam::Vec4;
use std::f32::consts::{FRAC_PI_2, PI};

/// The polynomial of the sine, beginning with the highest power.
const SINE: [f32; 6] = [-0.000_000_023_9, 0.000_002_752_6, -0.000_198_409, 0.008_333_332, -0.166_666_67, 1.0];

/// The sine of an angle from 0 to half a turn, within 2e-7 (Abramowitz and Stegun, 4.3.97).
#[must_use]
#[inline]
pub fn sine(angle: f32) -> f32 {
    let angle = angle.min(PI - angle);
    let square = angle * angle;
    SINE.iter().fold(0.0, |sum, term| sum * square + term) * angle
}

/// The sines of four angles at once: the same numbers.
#[must_use]
#[inline]
pub fn sines(angles: [f32; 4]) -> [f32; 4] {
    let angles = Vec4::from_array(angles);
    let angles = angles.min(Vec4::splat(PI) - angles);
    let squares = angles * angles;
    (SINE.iter().fold(Vec4::ZERO, |sum, term| sum * squares + *term) * angles).to_array()
}

/// The angle from 0 to half a turn that has a cosine from -1 to 1, within 3e-7 (Abramowitz and Stegun, 4.4.46).
#[must_use]
#[inline]
pub fn arc_cosine(cosine: f32) -> f32 {
    let positive = cosine.abs();
    let mut sum = -0.001_262_491_1;
    for term in
        [0.006_670_09, -0.017_088_126, 0.030_891_88, -0.050_174_305, 0.088_978_99, -0.214_598_8, FRAC_PI_2]
    {
        sum = sum * positive + term;
    }
    let angle = sum * (1.0 - positive).max(0.0).sqrt();
    if cosine < 0.0 { PI - angle } else { angle }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn polynomials_agree_with_the_functions_of_the_system() {
        for step in 0..=10_000_i16 {
            let angle = f32::from(step) / 10_000.0 * PI;
            let found = f64::from(sine(angle));
            assert!((found - f64::from(angle).sin()).abs() < 2e-7, "sine of {angle}: {found}");
            let all = sines([angle, 0.0, angle / 2.0, PI]);
            assert_eq!(all, [angle, 0.0, angle / 2.0, PI].map(sine), "four at once: {angle}");
            let cosine = f32::from(step) / 5_000.0 - 1.0;
            let found = f64::from(arc_cosine(cosine));
            assert!((found - f64::from(cosine).acos()).abs() < 3e-7, "arc cosine of {cosine}: {found}");
        }
        // Rounding may bring a cosine beyond 1.
        assert_eq!(arc_cosine(1.000_000_1), 0.0);
    }

    #[test]
    fn small_angles_keep_their_digits() {
        for angle in [1e-6_f32, 1e-3, 0.03] {
            assert!((sine(angle) / angle.sin() - 1.0).abs() < 3e-7, "{angle}");
        }
    }
}
