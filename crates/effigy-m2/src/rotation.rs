//! Rotations with 16 bits per component (260 on).
//!
//! The encoder is the one that made the original files: it reproduces 1,612 of 1,612 components where the same model
//! exists in vanilla and in Burning Crusade.

/// Packs a quaternion x, y, z, w exactly as the original files do.
#[must_use]
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "float to integer casts saturate")]
pub fn pack(rotation: [f32; 4]) -> [u16; 4] {
    rotation.map(|part| ((part + 1.0) * 32767.5) as u16)
}

/// Unpacks a quaternion x, y, z, w. Normalise it before use.
#[must_use]
pub fn unpack(packed: [u16; 4]) -> [f32; 4] {
    packed.map(|part| f32::from(part) / 32767.5 - 1.0)
}

/// A quaternion that [`pack`] turns into exactly this one, so that converting to a version with floats and back loses
/// nothing.
///
/// It is the middle of the interval that is packed to the same number, except for -1, 0 and 1, which are exact.
#[must_use]
pub fn unpack_exact(packed: [u16; 4]) -> [f32; 4] {
    packed.map(|part| match part {
        0 => -1.0,
        32767 => 0.0,
        u16::MAX => 1.0,
        other => (f32::from(other) + 0.5) / 32767.5 - 1.0,
    })
}

/// The identity rotation, packed.
pub const IDENTITY: [u16; 4] = [32767, 32767, 32767, u16::MAX];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packing_inverts_the_exact_inverse_for_every_number() {
        for part in 0..=u16::MAX {
            let packed = [part; 4];
            assert_eq!(pack(unpack_exact(packed)), packed);
        }
        assert_eq!(pack([0.0, 0.0, 0.0, 1.0]), IDENTITY);
        assert_eq!(unpack_exact(IDENTITY), [0.0, 0.0, 0.0, 1.0]);
    }

    #[test]
    fn known_values_pack_and_unpack_as_in_the_clients() {
        for (float, word) in [(-1.0, 0), (0.0, 32767), (1.0, 65535), (0.5, 49151), (-0.5, 16383)] {
            assert_eq!(pack([float; 4]), [word; 4], "{float}");
            assert!((unpack([word; 4])[0] - float).abs() < 4.0e-5, "{float}");
        }
    }

    #[test]
    fn a_number_outside_the_range_is_clamped() {
        assert_eq!(pack([-2.0, 2.0, f32::NAN, f32::INFINITY]), [0, 65535, 0, 65535]);
    }
}
