//! Directions: two bytes in a frame stored in full, one byte in a compressed frame.
//!
//! The table of 256 directions consists of 15 rings, 11.25 degrees apart from pole to pole. The ring at the equator has 32
//! directions and comes first; then the rings below it, then those above it, each with 4 directions fewer than the one
//! nearer to the equator. The 2004 description found this rule; it agrees with the games' table in every digit.

use std::f64::consts::{FRAC_PI_2, PI, TAU};
use std::sync::LazyLock;

/// Number of directions in the table of compressed normals.
pub const TABLE_LEN: usize = 256;

/// Rings below (and above) the equator.
const RINGS: u32 = 7;

/// Angle from +z, first index, and number of directions of each ring, in table order.
fn rings() -> impl Iterator<Item = (f64, u32, u32)> {
    let below = (0..=RINGS).map(|step| (FRAC_PI_2 + f64::from(step) * PI / 16.0, 32 - 4 * step));
    let above = (1..=RINGS).map(|step| (FRAC_PI_2 - f64::from(step) * PI / 16.0, 32 - 4 * step));
    below.chain(above).scan(0, |next, (polar, width)| {
        let first = *next;
        *next += width;
        Some((polar, first, width))
    })
}

/// A direction from two angles. The polar angle is measured from +z, the azimuth from +x towards +y.
#[allow(clippy::cast_possible_truncation, reason = "directions are stored as f32")]
fn direction(polar: f64, azimuth: f64) -> [f32; 3] {
    let (sin, cos) = polar.sin_cos();
    [(azimuth.cos() * sin) as f32, (azimuth.sin() * sin) as f32, cos as f32]
}

/// The table of compressed normals.
static TABLE: LazyLock<[[f32; 3]; TABLE_LEN]> = LazyLock::new(|| {
    let mut table = [[0.0; 3]; TABLE_LEN];
    let directions = rings().flat_map(|(polar, _, width)| {
        (0..width).map(move |step| direction(polar, TAU * f64::from(step) / f64::from(width)))
    });
    for (entry, direction) in table.iter_mut().zip(directions) {
        *entry = direction;
    }
    table
});

/// Cosine and sine of the 256 angles of a byte.
static CIRCLE: LazyLock<[[f32; 2]; 256]> = LazyLock::new(|| {
    let mut circle = [[0.0; 2]; 256];
    for (byte, entry) in (0_u16..).zip(circle.iter_mut()) {
        let [x, y, _] = direction(FRAC_PI_2, TAU * f64::from(byte) / 256.0);
        *entry = [x, y];
    }
    circle
});

/// The 256 directions of compressed frames.
#[must_use]
pub fn table() -> &'static [[f32; 3]; TABLE_LEN] {
    &TABLE
}

pub(crate) fn circle() -> &'static [[f32; 2]; 256] {
    &CIRCLE
}

/// The direction of a vertex in a frame stored in full, with the table from [`circle`].
#[inline]
pub(crate) fn unpack_with(circle: &[[f32; 2]; 256], normal: u16) -> [f32; 3] {
    let [low, high] = normal.to_le_bytes();
    let get = |byte: u8| circle.get(usize::from(byte)).copied().unwrap_or_default();
    let ([cos_polar, sin_polar], [cos, sin]) = (get(low), get(high));
    [cos * sin_polar, sin * sin_polar, cos_polar]
}

/// The direction of a vertex in a frame stored in full.
#[must_use]
pub fn unpack(normal: u16) -> [f32; 3] {
    unpack_with(circle(), normal)
}

/// The nearest two-byte direction, with an error of at most 0.99 degrees.
#[must_use]
pub fn pack(direction: [f32; 3]) -> u16 {
    let [x, y, z] = direction.map(f64::from);
    let polar = x.hypot(y).atan2(z);
    let azimuth = if x == 0.0 && y == 0.0 { 0.0 } else { y.atan2(x) };
    u16::from_le_bytes([to_byte(polar), to_byte(azimuth)])
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the remainder is below 256")]
fn to_byte(angle: f64) -> u8 {
    (angle * 256.0 / TAU).round().rem_euclid(256.0) as u8
}

fn dot(a: [f32; 3], b: [f32; 3]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The entry of the table that is nearest to a direction, with an error of at most 10.8 degrees.
#[must_use]
pub fn nearest(direction: [f32; 3]) -> u8 {
    best(direction, 0, TABLE_LEN)
}

/// The entry that the game's own compressor chooses: the nearest one in the ring whose height is nearest. The error is at
/// most 12.4 degrees.
#[must_use]
pub fn engine_nearest(direction: [f32; 3]) -> u8 {
    let height = f64::from(direction[2]);
    let mut found = (f64::INFINITY, 0, 0);
    for (polar, first, width) in rings() {
        let difference = (height - polar.cos()).abs();
        if difference < found.0 {
            found = (difference, first as usize, width as usize);
        }
    }
    best(direction, found.1, found.2)
}

fn best(direction: [f32; 3], first: usize, width: usize) -> u8 {
    let mut found = (f32::NEG_INFINITY, 0_u8);
    for (index, entry) in (0_u8..=255).zip(table()).skip(first).take(width) {
        let cosine = dot(*entry, direction);
        if cosine > found.0 {
            found = (cosine, index);
        }
    }
    found.1
}

/// Angle between two directions, in degrees.
#[must_use]
pub fn degrees_between(a: [f32; 3], b: [f32; 3]) -> f64 {
    let [a, b] = [a, b].map(|v| v.map(f64::from));
    let cross = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
    let dot: f64 = a.iter().zip(b).map(|(a, b)| a * b).sum();
    let sine = cross.iter().map(|x| x * x).sum::<f64>().sqrt();
    sine.atan2(dot).to_degrees()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_the_rings_of_the_description() {
        // Angle from +z and first index, as the 2004 description lists them.
        let listed = [
            (90.0, 0),
            (101.25, 32),
            (112.5, 60),
            (123.75, 84),
            (135.0, 104),
            (146.25, 120),
            (157.5, 132),
            (168.75, 140),
            (78.75, 144),
            (67.5, 172),
            (56.25, 196),
            (45.0, 216),
            (33.75, 232),
            (22.5, 244),
            (11.25, 252),
        ];
        let made: Vec<_> = rings().map(|(polar, first, _)| (polar.to_degrees(), first)).collect();
        assert_eq!(made.len(), listed.len());
        for ((polar, first), (listed_polar, listed_first)) in made.into_iter().zip(listed) {
            assert!((polar - listed_polar).abs() < 1e-9);
            assert_eq!(first, listed_first);
        }
        assert_eq!(rings().map(|(_, _, width)| width).sum::<u32>(), 256);
    }

    #[test]
    fn every_entry_finds_itself() {
        for (index, &entry) in (0..=255).zip(table()) {
            assert_eq!(nearest(entry), index);
            assert_eq!(engine_nearest(entry), index);
            assert_eq!(nearest(unpack(pack(entry))), index);
            assert_eq!(engine_nearest(unpack(pack(entry))), index);
        }
    }

    #[test]
    fn two_byte_directions_in_the_upper_half_circle_come_back() {
        for normal in 0..=u16::MAX {
            let [polar, azimuth] = normal.to_le_bytes();
            let direction = unpack(normal);
            assert!(degrees_between(unpack(pack(direction)), direction) < 1e-4, "{normal:#x}");
            // Polar angles above 180 degrees, and azimuths at the poles, have more than one representation.
            if (1..128).contains(&polar) {
                assert_eq!(pack(direction).to_le_bytes(), [polar, azimuth]);
            }
        }
    }

    #[test]
    fn errors_stay_within_the_stated_angles() {
        let mut worst = [0.0_f64; 3];
        for step in 0..20_000_u32 {
            // A spiral from pole to pole.
            let height = 1.0 - 2.0 * (f64::from(step) + 0.5) / 20_000.0;
            let v = direction(height.acos(), f64::from(step) * 2.399_963_229_728_653);
            let off = [
                degrees_between(unpack(pack(v)), v),
                degrees_between(table()[usize::from(nearest(v))], v),
                degrees_between(table()[usize::from(engine_nearest(v))], v),
            ];
            for (worst, off) in worst.iter_mut().zip(off) {
                *worst = worst.max(off);
            }
        }
        assert!(worst[0] < 1.0 && worst[1] < 10.8 && worst[2] < 12.4, "{worst:?}");
        assert!(worst[0] > 0.9 && worst[1] > 10.0 && worst[2] > 11.9, "{worst:?}");
    }
}
