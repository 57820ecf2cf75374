//! Floats on a grid: their last bits are zero, so that an archive compresses them better.
//!
//! The step of a grid is a power of two, and no value moves by more than half of it. Positions and translations share the
//! tolerance in space, rotations and scales have what it leaves them at the distance of the farthest vertex that follows.
//! Normals and texture coordinates have no place in that budget: theirs are steps that no picture shows.

use super::keys::{Share, shares};
use effigy_mdx::track::tags;
use effigy_mdx::{Model, Track};

/// The step of normals and tangents.
const NORMAL: f32 = 1.0 / 256.0;
/// The step of texture coordinates: half a pixel of a texture with 4096.
const TEXTURE: f32 = 1.0 / 8192.0;

/// The largest power of two that is not above a number.
fn step_below(limit: f32) -> f32 {
    if limit.is_finite() && limit > f32::MIN_POSITIVE { limit.log2().floor().exp2() } else { 0.0 }
}

struct Grid {
    rounded: usize,
}

impl Grid {
    fn put(&mut self, value: &mut f32, step: f32) {
        if step <= 0.0 || !value.is_finite() {
            return;
        }
        let new = (*value / step).round() * step;
        // Numbers so large that they have no such digits stay.
        if new.is_finite() && new.to_bits() != value.to_bits() && (new - *value).abs() <= step {
            // There is one zero on the grid.
            *value = if new == 0.0 { 0.0 } else { new };
            self.rounded += 1;
        }
    }

    fn all(&mut self, values: &mut [f32], step: f32) {
        values.iter_mut().for_each(|value| self.put(value, step));
    }
}

/// Rounds positions, normals, texture coordinates and the keys of nodes; returns how many numbers changed. `budget` is a
/// distance, of which `part` is used.
#[allow(clippy::cast_possible_truncation, reason = "a tolerance")]
pub(super) fn to_grid(model: &mut Model, budget: f64, part: f64) -> usize {
    let shares = shares(model, budget * part);
    let position = step_below((budget * part) as f32);
    let mut grid = Grid { rounded: 0 };
    for geoset in &mut model.geosets {
        geoset.vertices.iter_mut().for_each(|value| grid.all(value, position));
        geoset.normals.iter_mut().for_each(|value| grid.all(value, NORMAL));
        geoset.uv_sets.iter_mut().flatten().for_each(|value| grid.all(value, TEXTURE));
        for [x, y, z, _] in geoset.tangents.iter_mut().flatten() {
            [x, y, z].into_iter().for_each(|value| grid.put(value, NORMAL));
        }
    }
    let mut index = 0;
    model.each_node_mut(|_, node| {
        let share = shares.get(index).copied();
        index += 1;
        let Some(share) = share else { return };
        node.tracks.0.iter_mut().for_each(|track| keys(track, &share, &mut grid));
    });
    grid.rounded
}

/// Tangents and control points are rounded like the values.
fn keys(track: &mut Track, share: &Share, grid: &mut Grid) {
    match track.tag() {
        tags::KGTR => {
            let step = step_below(share.distance);
            track.map_values(|value: &mut [f32; 3]| grid.all(value, step));
        }
        tags::KGSC => {
            let step = step_below(share.ratio);
            track.map_values(|value: &mut [f32; 3]| grid.all(value, step));
        }
        // Half of the sine of half the angle: a quarter of the angle that four numbers may be off together.
        tags::KGRT => {
            let step = step_below(share.ratio * 0.5);
            track.map_values(|value: &mut [f32; 4]| {
                // A rotation must not become zeros.
                if value.iter().any(|value| value.abs() > 0.25) {
                    grid.all(value, step);
                }
            });
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_move_to_the_nearest_point_of_a_grid_of_powers_of_two() {
        assert_eq!(step_below(0.3), 0.25);
        assert_eq!(step_below(0.25), 0.25);
        assert_eq!(step_below(0.0), 0.0);
        let mut grid = Grid { rounded: 0 };
        let mut values = [0.3, -0.3, 1e30, f32::NAN, 0.5, -0.01];
        grid.all(&mut values, 0.25);
        assert_eq!(values[..2], [0.25, -0.25]);
        assert_eq!((values[2], values[4], values[5].to_bits()), (1e30, 0.5, 0));
        assert!(values[3].is_nan());
        assert_eq!(grid.rounded, 3);
    }
}
