//! Cameras, and how to place one so that a model fills the picture.

use effigy_scene::Bounds;
use effigy_scene::sample::{CameraPose, View};
use glam::{Mat4, Vec3};

/// Vertical field of view of pictures that are not taken by a model's own camera.
pub const FIELD_OF_VIEW: f32 = std::f32::consts::FRAC_PI_4;

/// Part of the picture that stays free around a framed model, on each side.
const MARGIN: f32 = 0.05;

/// A camera: perspective, or orthographic where [`Camera::orthographic`] has a height.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// Position and direction.
    pub view: View,
    /// Vertical field of view in radians.
    pub field_of_view: f32,
    /// Height of the visible volume, for parallel lines of sight; none: perspective by the field of view.
    pub orthographic: Option<f32>,
    /// Nearest distance that is drawn.
    pub near: f32,
    /// Farthest distance that is drawn.
    pub far: f32,
}

/// The side from which a model is seen. Models face +X.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Direction(Vec3);

impl Direction {
    /// From the front, a little from above.
    pub const FRONT: Self = Self(Vec3::new(1.0, 0.0, 0.2));
    /// From its right side, a little from above.
    pub const SIDE: Self = Self(Vec3::new(0.0, -1.0, 0.2));
    /// From the front, 30 degrees to the model's right, from above: most shields are on the left arm.
    pub const THREE_QUARTER: Self = Self(Vec3::new(0.866, -0.5, 0.4));

    /// From the side that this vector points to. Its length does not matter.
    #[must_use]
    pub const fn from_side(side: [f32; 3]) -> Self {
        Self(Vec3::from_array(side))
    }

    /// From this side, straight at the model.
    pub(crate) const fn along(axis: Vec3) -> Self {
        Self(axis)
    }

    /// Whether it is straight along an axis, as flat models are seen.
    pub(crate) fn is_face_on(self) -> bool {
        self.0.to_array().iter().filter(|along| along.abs() > 1e-6).count() == 1
    }

    /// The same, rotated around the model by an angle in radians.
    #[must_use]
    pub fn turned(self, angle: f32) -> Self {
        Self(glam::Quat::from_rotation_z(angle) * self.0)
    }

    fn view(self) -> View {
        let back = self.0.try_normalize().unwrap_or(Vec3::X);
        if back.truncate().length() < 1e-3 {
            // From above, as on a map: X to the right, Y up.
            let up = back.cross(Vec3::X);
            return View { eye: back.into(), right: Vec3::X.into(), up: up.into(), back: back.into() };
        }
        View::look_at(back.into(), [0.0; 3])
    }
}

impl Camera {
    /// Looks from one point to another.
    #[must_use]
    pub fn look_at(eye: [f32; 3], target: [f32; 3], field_of_view: f32) -> Self {
        let distance = Vec3::from(eye).distance(Vec3::from(target)).max(1e-3);
        let view = View::look_at(eye, target);
        Self { view, field_of_view, orthographic: None, near: distance / 100.0, far: distance * 20.0 }
    }

    /// The camera of a model at a moment, in a picture of this width / height. The planes enclose `bounds`.
    #[must_use]
    pub fn of_model(pose: &CameraPose, aspect: f32, bounds: &Bounds) -> Self {
        let field_of_view = pose.vertical_fov(aspect).clamp(0.01, 3.0);
        let mut camera = Self::look_at(pose.position, pose.target, field_of_view);
        camera.view = pose.view();
        let size = bounds.size();
        camera.far = camera.far.max(size * 2.0);
        camera.near = camera.near.min((size / 50.0).max(1e-3));
        camera
    }

    /// The nearest camera in a direction that sees all points, in the middle of a picture of this width / height.
    #[must_use]
    pub fn around<'a>(
        points: impl IntoIterator<Item = &'a [f32; 3]>,
        direction: Direction,
        aspect: f32,
    ) -> Self {
        let mut view = direction.view();
        let (right, up, back) = (Vec3::from(view.right), Vec3::from(view.up), Vec3::from(view.back));
        let tangent = (FIELD_OF_VIEW / 2.0).tan() * (1.0 - 2.0 * MARGIN);
        let slopes = [tangent * aspect.max(1e-3), tangent];
        // A point at x to the side and z in front of the middle is inside when |x - c| <= slope (d - z): both sides give a bound
        // on the distance d and the shift c.
        let mut spans = [[f32::MAX, f32::MIN]; 2];
        let mut depth = [f32::MAX, f32::MIN];
        for point in points {
            let point = Vec3::from(*point);
            if !point.is_finite() {
                continue;
            }
            let z = point.dot(back);
            depth = [depth[0].min(z), depth[1].max(z)];
            for ((span, x), slope) in spans.iter_mut().zip([point.dot(right), point.dot(up)]).zip(slopes) {
                *span = [span[0].min(x - slope * z), span[1].max(x + slope * z)];
            }
        }
        if depth[0] > depth[1] {
            return Self::look_at((back * 200.0).into(), [0.0; 3], FIELD_OF_VIEW);
        }
        let mut distance = depth[1] + 1e-3;
        let mut shifts = [0.0; 2];
        for (([low, high], slope), shift) in spans.into_iter().zip(slopes).zip(&mut shifts) {
            distance = distance.max((high - low) / (2.0 * slope));
            *shift = (low + high) / 2.0;
        }
        view.eye = (right * shifts[0] + up * shifts[1] + back * distance).into();
        let reach = (distance - depth[0]).max(1e-3);
        let closest = (distance - depth[1]).max(reach / 1000.0);
        Self { view, field_of_view: FIELD_OF_VIEW, orthographic: None, near: closest * 0.2, far: reach * 4.0 }
    }

    /// World to clip space, depth 0 to 1.
    #[must_use]
    pub fn matrix(&self, aspect: f32) -> [[f32; 4]; 4] {
        (self.projection(aspect) * self.view_matrix()).to_cols_array_2d()
    }

    pub(crate) fn projection(&self, aspect: f32) -> Mat4 {
        if let Some(height) = self.orthographic.filter(|height| height.is_finite()) {
            let y = height.max(1e-6) / 2.0;
            let x = y * aspect.max(1e-3);
            return Mat4::orthographic_rh(-x, x, -y, y, self.near, self.far.max(self.near + 1e-3));
        }
        let near = if self.near > 0.0 { self.near } else { 1.0 };
        Mat4::perspective_rh(
            self.field_of_view.clamp(0.01, 3.1),
            aspect.max(1e-3),
            near,
            self.far.max(near * 1.001),
        )
    }

    pub(crate) fn view_matrix(&self) -> Mat4 {
        let (right, up, back) =
            (Vec3::from(self.view.right), Vec3::from(self.view.up), Vec3::from(self.view.back));
        let eye = Vec3::from(self.view.eye);
        let rotation = Mat4::from_cols(right.extend(0.0), up.extend(0.0), back.extend(0.0), glam::Vec4::W);
        rotation.transpose() * Mat4::from_translation(-eye)
    }
}

/// Points around a box that enclose it from every side, for cameras that move around it.
#[must_use]
pub fn cylinder(bounds: &Bounds) -> Vec<[f32; 3]> {
    if bounds.is_empty() {
        return Vec::new();
    }
    let (min, max) = (Vec3::from(bounds.min), Vec3::from(bounds.max));
    let middle = (min + max) / 2.0;
    let radius = (max - min).truncate().length() / 2.0;
    (0_u8..32)
        .flat_map(|step| {
            let (sin, cos) = (f32::from(step) / 32.0 * std::f32::consts::TAU).sin_cos();
            [min.z, max.z].map(|z| [middle.x + radius * cos, middle.y + radius * sin, z])
        })
        .collect()
}

/// Slices of a model for a turntable.
const SLICES: u8 = 24;

/// Points that enclose these from every side, for cameras that move around the middle of the box.
#[must_use]
pub fn revolved(points: &[[f32; 3]], bounds: &Bounds) -> Vec<[f32; 3]> {
    let (min, max) = (Vec3::from(bounds.min), Vec3::from(bounds.max));
    let middle = (min + max) / 2.0;
    let height = (max.z - min.z).max(1e-6);
    let mut rings = Vec::new();
    for slice in 0..SLICES {
        let low = min.z + height * f32::from(slice) / f32::from(SLICES);
        let high = min.z + height * (f32::from(slice) + 1.0) / f32::from(SLICES);
        let mut ring: Option<(f32, f32, f32)> = None;
        for [x, y, z] in points.iter().filter(|[_, _, z]| (low..=high).contains(z)) {
            let radius = (x - middle.x).hypot(y - middle.y);
            let (most, bottom, top) = ring.unwrap_or((0.0, *z, *z));
            ring = Some((most.max(radius), bottom.min(*z), top.max(*z)));
        }
        if let Some((radius, bottom, top)) = ring {
            rings.extend((0_u8..32).flat_map(|step| {
                let (sin, cos) = (f32::from(step) / 32.0 * std::f32::consts::TAU).sin_cos();
                [bottom, top].map(|z| [middle.x + radius * cos, middle.y + radius * sin, z])
            }));
        }
    }
    rings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_point_of_a_framed_model_is_inside_the_picture_and_one_touches_the_margin() {
        let points = [[0.0, 0.0, 0.0], [10.0, 40.0, 5.0], [-30.0, 2.0, 90.0], [5.0, -70.0, 20.0]];
        for direction in [Direction::FRONT, Direction::SIDE, Direction::THREE_QUARTER.turned(2.0)] {
            for aspect in [0.5, 1.0, 2.0] {
                let camera = Camera::around(&points, direction, aspect);
                let matrix = Mat4::from_cols_array_2d(&camera.matrix(aspect));
                let mut most: f32 = 0.0;
                for point in points {
                    let seen = matrix.project_point3(point.into());
                    assert!((0.0..=1.0).contains(&seen.z), "{seen}");
                    most = most.max(seen.x.abs()).max(seen.y.abs());
                }
                assert!((most - (1.0 - 2.0 * MARGIN)).abs() < 1e-3, "{most}");
            }
        }
    }

    #[test]
    fn a_turntable_never_cuts_a_model_off() {
        let points = [[0.0, 0.0, 0.0], [10.0, 40.0, 5.0], [-30.0, 2.0, 90.0], [5.0, -70.0, 20.0]];
        let bounds = Bounds::around(&points);
        let rings = revolved(&points, &bounds);
        for step in 0_u8..12 {
            let camera = Camera::around(&rings, Direction::THREE_QUARTER.turned(f32::from(step)), 1.0);
            let matrix = Mat4::from_cols_array_2d(&camera.matrix(1.0));
            for point in points {
                let seen = matrix.project_point3(point.into());
                assert!(seen.x.abs() < 1.0 && seen.y.abs() < 1.0, "{seen}");
            }
        }
    }

    #[test]
    fn an_orthographic_camera_does_not_make_far_things_smaller() {
        let mut camera = Camera::look_at([10.0, 0.0, 0.0], [0.0; 3], FIELD_OF_VIEW);
        camera.orthographic = Some(8.0);
        (camera.near, camera.far) = (0.0, 100.0);
        let matrix = Mat4::from_cols_array_2d(&camera.matrix(2.0));
        // 8 units high and 16 wide: 2 up is half of the way to the top, 2 to the side a quarter of the way.
        for x in [5.0, 0.0, -50.0] {
            let seen = matrix.project_point3(Vec3::new(x, 2.0, 2.0));
            assert!((seen.y - 0.5).abs() < 1e-5 && (seen.x.abs() - 0.25).abs() < 1e-5, "{seen}");
        }
    }

    #[test]
    fn a_model_without_finite_points_still_gives_a_camera() {
        let camera = Camera::around(&[[f32::NAN; 3]], Direction::FRONT, 1.0);
        assert!(camera.matrix(1.0).as_flattened().iter().all(|value| value.is_finite()));
    }
}
