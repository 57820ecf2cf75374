//! Interpolation between two keys, for keys that a conversion has to add.

use crate::rotation;

/// The first value, for types without interpolation.
pub(crate) fn hold<T>(value: T, _: T, _: f32) -> T {
    value
}

pub(crate) fn float(value: f32, next: f32, at: f32) -> f32 {
    value + (next - value) * at
}

pub(crate) fn floats<const N: usize>(mut value: [f32; N], next: [f32; N], at: f32) -> [f32; N] {
    for (part, next) in value.iter_mut().zip(next) {
        *part = float(*part, next, at);
    }
    value
}

#[allow(clippy::cast_possible_truncation, reason = "float to integer casts saturate")]
pub(crate) fn fixed(value: i16, next: i16, at: f32) -> i16 {
    float(value.into(), next.into(), at).round() as i16
}

/// Normalised linear interpolation along the shorter arc.
pub(crate) fn rotation(value: [f32; 4], next: [f32; 4], at: f32) -> [f32; 4] {
    let dot: f32 = value.iter().zip(next).map(|(a, b)| a * b).sum();
    let mixed = floats(value, if dot < 0.0 { next.map(|part| -part) } else { next }, at);
    let length = mixed.iter().map(|part| part * part).sum::<f32>().sqrt();
    if length > 0.0 { mixed.map(|part| part / length) } else { value }
}

pub(crate) fn packed(value: [u16; 4], next: [u16; 4], at: f32) -> [u16; 4] {
    rotation::pack(rotation(rotation::unpack_exact(value), rotation::unpack_exact(next), at))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_on_the_straight_line_between_their_keys() {
        assert_eq!(float(2.0, 10.0, 0.25), 4.0);
        assert_eq!(floats([1.0, -4.0], [3.0, 4.0], 0.75), [2.5, 2.0]);
        assert_eq!(fixed(10, 21, 0.5), 16);
        assert_eq!(fixed(-10, -21, 0.25), -13);
        assert_eq!(hold(3, 9, 0.9), 3);
    }

    #[test]
    fn rotations_take_the_shorter_arc_and_keep_their_length() {
        let near = |a: [f32; 4], b: [f32; 4]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-6);
        let half = 0.5_f32.sqrt();
        let (none, quarter) = ([0.0, 0.0, 0.0, 1.0], [half, 0.0, 0.0, half]);
        // Half way between none and a quarter turn is an eighth: sin and cos of 22.5 degrees.
        let eighth = [0.382_683_43, 0.0, 0.0, 0.923_879_5];
        assert!(near(rotation(none, quarter, 0.5), eighth));
        assert!(near(rotation(none, quarter.map(|part| -part), 0.5), eighth));
        assert_eq!(rotation(none, quarter, 0.0), none);
        // 0.8 * -0.8 + 0.6 * 0.6 is negative, so the other sign of the second is nearer: half way, w cancels out.
        assert!(near(rotation([0.8, 0.0, 0.0, 0.6], [-0.8, 0.0, 0.0, 0.6], 0.5), [1.0, 0.0, 0.0, 0.0]));
        // Half a turn: both ways are as long, and the signs stay.
        assert!(near(rotation(none, [1.0, 0.0, 0.0, 0.0], 0.5), quarter));
        assert_eq!(rotation([0.0; 4], [0.0; 4], 0.5), [0.0; 4]);
    }
}
