//! Repeatable noise for the textures: a hash of the position, without state.

/// A number in 0..1 that depends only on the position and the seed.
pub(crate) fn grain(x: u32, y: u32, seed: u32) -> f32 {
    let mut h = x.wrapping_mul(0x9e37_79b1) ^ y.wrapping_mul(0x85eb_ca77) ^ seed.wrapping_mul(0xc2b2_ae3d);
    h = (h ^ (h >> 15)).wrapping_mul(0x2c1b_3c6d);
    h = (h ^ (h >> 12)).wrapping_mul(0x297a_2d39);
    h ^= h >> 15;
    u16::try_from(h & 0xffff).map_or(0.0, f32::from) / 65535.0
}

/// Smooth noise in 0..1 with `cells` cells to a unit; it repeats after one unit, so the picture tiles.
pub(crate) fn smooth(u: f32, v: f32, cells: u16, seed: u32) -> f32 {
    let (x, y) = (u.rem_euclid(1.0) * f32::from(cells), v.rem_euclid(1.0) * f32::from(cells));
    let (fx, fy) = (x.fract(), y.fract());
    let cell = |x: f32| (0..cells).rev().find(|&c| f32::from(c) <= x).unwrap_or(0);
    let (cx, cy) = (cell(x), cell(y));
    let at = |dx: u16, dy: u16| grain(u32::from((cx + dx) % cells), u32::from((cy + dy) % cells), seed);
    let (sx, sy) = (fx * fx * (3.0 - 2.0 * fx), fy * fy * (3.0 - 2.0 * fy));
    let top = at(0, 0) + (at(1, 0) - at(0, 0)) * sx;
    let bottom = at(0, 1) + (at(1, 1) - at(0, 1)) * sx;
    top + (bottom - top) * sy
}

/// Several octaves of [`smooth`].
pub(crate) fn cloud(u: f32, v: f32, cells: u16, seed: u32) -> f32 {
    let mut sum = 0.0;
    let (mut weight, mut cells) = (0.5, cells);
    for octave in 0..4 {
        sum += weight * smooth(u, v, cells, seed + octave);
        weight *= 0.5;
        cells = cells.saturating_mul(2);
    }
    sum / 0.9375
}
