//! Coordinate systems. No other file changes axes.
//!
//! The scene uses the games' own space, which Warcraft III, World of Warcraft and Return to Castle Wolfenstein share:
//! right-handed, Z up, X forward, Y to the left; texture t from the top; triangles counter-clockwise. glTF is
//! right-handed with Y up. Going there is a quarter turn about X: (x, y, z) becomes (x, z, -y). A rotation keeps
//! handedness, so winding, normals and the direction of rotations do not change. Swapping and negating components is
//! exact, so there and back gives the same bits. Units are kept.

use crate::Rotation;

/// Converts a point, direction, normal or translation to Y up.
#[must_use]
pub const fn to_y_up([x, y, z]: [f32; 3]) -> [f32; 3] {
    [x, z, -y]
}

/// Converts a point, direction, normal or translation back to Z up.
#[must_use]
pub const fn from_y_up([x, y, z]: [f32; 3]) -> [f32; 3] {
    [x, -z, y]
}

/// Converts a rotation to Y up: its axis changes like a direction.
#[must_use]
pub const fn rotation_to_y_up(Rotation([x, y, z, w]): Rotation) -> Rotation {
    Rotation([x, z, -y, w])
}

/// Converts a rotation back to Z up.
#[must_use]
pub const fn rotation_from_y_up(Rotation([x, y, z, w]): Rotation) -> Rotation {
    Rotation([x, -z, y, w])
}

/// Converts a scale to Y up or back: lengths have no sign.
#[must_use]
pub const fn scale_swapped([x, y, z]: [f32; 3]) -> [f32; 3] {
    [x, z, y]
}

/// Converts a point, direction, normal, translation or scale of a model with Y up that faces +Z, as glTF has them, to Z up
/// and facing +X. Every component moves one place, so it is exact.
#[must_use]
pub const fn from_front([x, y, z]: [f32; 3]) -> [f32; 3] {
    [z, x, y]
}

/// Converts a rotation of a model with Y up that faces +Z to Z up and facing +X.
#[must_use]
pub const fn rotation_from_front(Rotation([x, y, z, w]): Rotation) -> Rotation {
    Rotation([z, x, y, w])
}

/// Converts a tangent to Y up; w is the sign of the bitangent.
#[must_use]
pub const fn tangent_to_y_up([x, y, z, w]: [f32; 4]) -> [f32; 4] {
    [x, z, -y, w]
}

/// Converts a column-major matrix to Y up: the basis changes on both sides.
#[must_use]
pub const fn matrix_to_y_up([a, b, c, d]: [[f32; 4]; 4]) -> [[f32; 4]; 4] {
    const fn turn([x, y, z, w]: [f32; 4]) -> [f32; 4] {
        [x, z, -y, w]
    }
    const fn back([x, y, z, w]: [f32; 4]) -> [f32; 4] {
        [-x, -y, -z, -w]
    }
    [turn(a), turn(c), back(turn(b)), turn(d)]
}

/// Makes a clockwise triangle list counter-clockwise, or the other way round.
pub fn flip_winding(indices: &mut [u32]) {
    for triangle in indices.chunks_exact_mut(3) {
        triangle.reverse();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{Mat4, Quat, Vec3};

    #[test]
    fn there_and_back_gives_the_same_bits() {
        let point = [1.25, -3.5, 7.0];
        assert_eq!(from_y_up(to_y_up(point)), point);
        let rotation = Rotation([0.1, 0.2, 0.3, 0.9]);
        assert_eq!(rotation_from_y_up(rotation_to_y_up(rotation)), rotation);
        assert_eq!(scale_swapped(scale_swapped(point)), point);
    }

    #[test]
    fn what_faces_forward_in_gltf_faces_forward_here() {
        let (front, up, left) = ([0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]);
        assert_eq!(from_front(front), [1.0, 0.0, 0.0]);
        assert_eq!(from_front(up), [0.0, 0.0, 1.0]);
        assert_eq!(from_front(left), [0.0, 1.0, 0.0]);
        let turn = Quat::from_euler(glam::EulerRot::XYZ, 0.3, -1.1, 2.0);
        let Rotation(turned) = rotation_from_front(Rotation(turn.to_array()));
        let point = Vec3::new(1.0, 2.0, 3.0);
        let there = Quat::from_array(turned) * Vec3::from(from_front(point.into()));
        assert!(there.abs_diff_eq(Vec3::from(from_front((turn * point).into())), 1e-5));
    }

    #[test]
    fn up_stays_up_and_rotations_turn_points_alike() {
        assert_eq!(to_y_up([0.0, 0.0, 1.0]), [0.0, 1.0, -0.0]);
        let turn = Quat::from_euler(glam::EulerRot::XYZ, 0.3, -1.1, 2.0);
        let Rotation(turned) = rotation_to_y_up(Rotation(turn.to_array()));
        let point = Vec3::new(1.0, 2.0, 3.0);
        let there = Quat::from_array(turned) * Vec3::from(to_y_up(point.into()));
        assert!(there.abs_diff_eq(Vec3::from(to_y_up((turn * point).into())), 1e-5));
        let matrix =
            Mat4::from_scale_rotation_translation(Vec3::new(1.0, 2.0, 0.5), turn, Vec3::new(4.0, 5.0, 6.0));
        let there = Mat4::from_cols_array_2d(&matrix_to_y_up(matrix.to_cols_array_2d()));
        let expected = Vec3::from(to_y_up(matrix.transform_point3(point).into()));
        assert!(there.transform_point3(Vec3::from(to_y_up(point.into()))).abs_diff_eq(expected, 1e-5));
    }
}
