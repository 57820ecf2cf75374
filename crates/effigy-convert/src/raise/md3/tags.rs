//! Tags in a pose: a place, and three axes at right angles.

use super::labels::NamedTag;
use effigy_mdc::Tag;
use effigy_scene::sample::Pose;
use effigy_wire::FixedStr;
use glam::DVec3;

/// Of the length of an axis: what is left of it at right angles to another must be longer, else it says nothing about a direction.
const PARALLEL: f64 = 1e-3;

/// A tag in a pose.
pub(super) fn tag(named: &NamedTag, pose: &Pose) -> Tag {
    let origin = pose.point(named.node, named.position);
    Tag { name: FixedStr::truncated(&named.name), origin, axes: axes(pose.matrix(named.node)) }
}

/// The part of an axis at right angles to a unit vector, with unit length; none: it has no such part.
fn beside(axis: DVec3, unit: DVec3) -> Option<DVec3> {
    let axis = axis.try_normalize()?;
    let rest = axis - unit * axis.dot(unit);
    if rest.length() < PARALLEL {
        return None;
    }
    // A second time, since the first leaves what rounding does.
    let rest = rest.normalize();
    (rest - unit * rest.dot(unit)).try_normalize()
}

/// Forward, left and up of a matrix: of unit length, at right angles, right-handed. A matrix that flattens its node still has those
/// directions that are left.
fn axes([x, y, z, _]: [[f32; 4]; 4]) -> [f32; 9] {
    let [x, y, z] = [x, y, z].map(|[x, y, z, _]| DVec3::new(f64::from(x), f64::from(y), f64::from(z)));
    let sound = |axis: DVec3| if axis.is_finite() { axis } else { DVec3::ZERO };
    let [x, y, z] = [x, y, z].map(sound);
    let forward = x.try_normalize().or_else(|| {
        let left = y.try_normalize()?;
        Some(left.cross(beside(z, left)?))
    });
    let forward = forward
        .or_else(|| y.try_normalize().or_else(|| z.try_normalize()).map(|it| it.any_orthonormal_vector()))
        .unwrap_or(DVec3::X);
    let left = beside(y, forward)
        .or_else(|| beside(z, forward).map(|up| up.cross(forward)))
        .unwrap_or_else(|| forward.any_orthonormal_vector());
    let up = forward.cross(left);
    let mut axes = [0.0; 9];
    let parts = [forward, left, up].into_iter().flat_map(|axis| axis.to_array());
    for (slot, value) in axes.iter_mut().zip(parts) {
        #[allow(clippy::cast_possible_truncation, reason = "at most 1")]
        let value = value as f32;
        *slot = value;
    }
    axes
}

#[cfg(test)]
mod tests {
    use super::*;

    const ORIGIN: [f32; 4] = [0.0, 0.0, 0.0, 1.0];

    fn of(x: [f32; 3], y: [f32; 3], z: [f32; 3]) -> [f32; 9] {
        let axis = |[x, y, z]: [f32; 3]| [x, y, z, 0.0];
        axes([axis(x), axis(y), axis(z), ORIGIN])
    }

    fn dot(a: &[f32], b: &[f32]) -> f32 {
        a.iter().zip(b).map(|(a, b)| a * b).sum()
    }

    #[test]
    fn axes_are_always_at_right_angles_and_right_handed() {
        let (one, tiny) = ([1.0, 0.0, 0.0], 1e-30);
        for [x, y, z] in [
            [one, [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
            // Mirrored, sheared, flattened, nearly parallel, tiny, nothing, and no numbers.
            [one, [0.0, 1.0, 0.0], [0.0, 0.0, -1.0]],
            [one, [0.9, 0.1, 0.0], [0.3, 0.2, 0.1]],
            [[0.6, 0.8, 0.0], [0.600_000_1, 0.8, 0.0], [1.2, 1.6, 0.0]],
            [[3.0, 1.0, 2.0], [3e-8, 1e-8, 2.000_001e-8], [-3.0, -1.0, -2.0]],
            [[tiny, 0.0, 0.0], [tiny, tiny, 0.0], [0.0, 0.0, tiny]],
            [[1e-44, 3e-45, 0.0], [1e-44, 3e-45, 1e-45], [0.0; 3]],
            [[0.0; 3], [0.0, 2.0, 0.0], [0.0, 0.0, 2.0]],
            [[0.0; 3], [0.0; 3], [0.0, 0.0, 2.0]],
            [[0.0; 3]; 3],
            [[f32::NAN; 3], [f32::INFINITY; 3], [3e38; 3]],
        ] {
            let made = of(x, y, z);
            let (forward, left, up) = (&made[..3], &made[3..6], &made[6..]);
            for axis in [forward, left, up] {
                assert!((dot(axis, axis) - 1.0).abs() < 1e-5, "{made:?}");
            }
            for (a, b) in [(forward, left), (forward, up), (left, up)] {
                assert!(dot(a, b).abs() < 1e-6, "{made:?}");
            }
            let cross = [
                forward[1] * left[2] - forward[2] * left[1],
                forward[2] * left[0] - forward[0] * left[2],
                forward[0] * left[1] - forward[1] * left[0],
            ];
            assert!(dot(&cross, up) > 0.999, "{made:?}");
        }
    }

    #[test]
    fn a_flattened_node_keeps_the_directions_that_are_left() {
        let whole = of([2.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 2.0]);
        assert_eq!(whole, [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]);
        assert_eq!(of([0.0; 3], [0.0, 2.0, 0.0], [0.0, 0.0, 2.0]), whole);
        assert_eq!(of([2.0, 0.0, 0.0], [0.0; 3], [0.0, 0.0, 2.0]), whole);
        assert_eq!(of([2.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0; 3]), whole);
        // Parallel axes: the third says where left is.
        assert_eq!(of([2.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 2.0]), whole);
    }
}
