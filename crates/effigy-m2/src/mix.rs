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
