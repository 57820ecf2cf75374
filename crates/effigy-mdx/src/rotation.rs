//! Rotations of WoW alpha, packed into 64 bits: 22 for x, 21 each for y and z; w follows from the rest.

/// Unpacks a rotation into x, y, z, w. The arithmetic is the client's: products in double precision, results in single.
#[must_use]
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "the packing is defined by these casts"
)]
pub fn unpack(packed: u64) -> [f32; 4] {
    let data = packed.cast_signed();
    let x = ((data >> 42) as f64 * 0.000_000_476_837_16) as f32;
    let y = (((data << 22) >> 43) as f64 * 0.000_000_953_674_32) as f32;
    let z = (f64::from(((data << 11) as i32) >> 11) * 0.000_000_953_674_32) as f32;
    let rest = 1.0 - f64::from(x * x + y * y + z * z);
    let w = if rest >= 0.000_000_953_674_32 { rest.sqrt() as f32 } else { 0.0 };
    [x, y, z, w]
}

/// Packs a rotation. `pack(unpack(p)) == p` for every `p`, so that files are written back unchanged.
#[must_use]
#[allow(clippy::cast_possible_truncation, reason = "the packing is defined by these casts")]
pub fn pack([x, y, z, w]: [f32; 4]) -> u64 {
    let sign = if w >= 0.0 { 1.0 } else { -1.0 };
    let x = (sign * f64::from(x) * 2_097_152.0) as i64;
    let y = (sign * f64::from(y) * 1_048_576.0) as i64 & 0x1f_ffff;
    let z = (sign * f64::from(z) * 1_048_576.0) as i64 & 0x1f_ffff;
    (z | ((y | (x << 21)) << 21)).cast_unsigned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_rotations_unpack_to_their_values() {
        assert_eq!(unpack(0), [0.0, 0.0, 0.0, 1.0]);
        // x = 0.5: 2^20 in units of 2^-21, at bit 42.
        assert_eq!(unpack(1 << 62), [0.5, 0.0, 0.0, 0.866_025_4]);
        // y = -1/2^20: all ones in bits 21 to 41.
        assert_eq!(unpack(0x3ff_ffe0_0000)[1], -1.0 / 1_048_576.0);
        // z = 0.5: 2^19 in units of 2^-20.
        assert_eq!(unpack(1 << 19)[2], 0.5);
        assert_eq!(unpack(1 << 63), [-1.0, 0.0, 0.0, 0.0]);
    }

    #[test]
    fn every_packed_rotation_comes_back() {
        let mut packed = 0x9e37_79b9_7f4a_7c15_u64;
        for _ in 0..200_000 {
            assert_eq!(pack(unpack(packed)), packed, "{packed:#x}");
            packed = packed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        }
        for packed in [0, u64::MAX, 1 << 63, 1 << 41, 1 << 20, (1 << 20) - 1, i64::MAX as u64] {
            assert_eq!(pack(unpack(packed)), packed, "{packed:#x}");
        }
    }

    #[test]
    fn a_negative_w_turns_all_signs() {
        assert_eq!(pack([0.5, 0.25, -0.25, -0.7]), pack([-0.5, -0.25, 0.25, 0.7]));
    }
}
