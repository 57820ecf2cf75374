//! The camera that goes around a model.

use effigy::pictures::camera::FIELD_OF_VIEW;
use effigy::pictures::{Camera, Direction};
use glam::Vec3;
use std::f32::consts::FRAC_PI_2;

/// How close the camera comes to straight above and below, in radians.
const POLE: f32 = 1e-3;

/// A camera that looks at a point from a direction and a distance. Models face +X, Z is up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Orbit {
    pub target: Vec3,
    /// Around Z, radians; 0 is in front of the model.
    pub yaw: f32,
    /// Above the ground, radians.
    pub pitch: f32,
    pub distance: f32,
    pub orthographic: bool,
    /// Size of what is looked at, so that nothing of it is cut off.
    pub reach: f32,
}

impl Default for Orbit {
    fn default() -> Self {
        let mut orbit = Self {
            target: Vec3::ZERO,
            yaw: 0.0,
            pitch: 0.0,
            distance: 300.0,
            orthographic: false,
            reach: 200.0,
        };
        orbit.look_from(Self::THREE_QUARTER);
        orbit
    }
}

impl Orbit {
    pub const FRONT: [f32; 3] = [1.0, 0.0, 0.0];
    pub const SIDE: [f32; 3] = [0.0, -1.0, 0.0];
    pub const BACK: [f32; 3] = [-1.0, 0.0, 0.0];
    pub const TOP: [f32; 3] = [0.0, 0.0, 1.0];
    pub const THREE_QUARTER: [f32; 3] = [0.866, -0.5, 0.4];

    /// From the target to the camera.
    pub fn side(&self) -> Vec3 {
        let (sin, cos) = self.pitch.sin_cos();
        let (east, north) = self.yaw.sin_cos();
        Vec3::new(cos * north, cos * east, sin)
    }

    /// Looks at the same point from another side. From above, the model's front is at the bottom.
    pub fn look_from(&mut self, side: [f32; 3]) {
        let side = Vec3::from(side).normalize_or(Vec3::X);
        self.pitch = side.z.clamp(-1.0, 1.0).asin().clamp(POLE - FRAC_PI_2, FRAC_PI_2 - POLE);
        self.yaw = if side.truncate().length() < 1e-3 { 0.0 } else { side.y.atan2(side.x) };
    }

    /// Moves until these points fill the view of this width / height.
    pub fn fit(&mut self, points: &[[f32; 3]], middle: [f32; 3], size: f32, aspect: f32) {
        let camera = Camera::around(points, Direction::from_side(self.side().into()), aspect);
        let (eye, back) = (Vec3::from(camera.view.eye), Vec3::from(camera.view.back));
        let distance = (eye - Vec3::from(middle)).dot(back);
        self.distance = if distance.is_finite() { distance.clamp(1e-3, 1e9) } else { 300.0 };
        self.target = eye - back * self.distance;
        self.reach = if size.is_finite() { size.clamp(1e-3, 1e9) } else { 200.0 };
    }

    /// The same view of a model that is this many times as large.
    #[must_use]
    pub fn scaled(&self, factor: f32) -> Self {
        let (target, distance, reach) = (self.target * factor, self.distance * factor, self.reach * factor);
        Self { target, distance, reach, ..*self }
    }

    /// Turns by a movement of the pointer in points.
    pub fn turn(&mut self, x: f32, y: f32) {
        self.yaw = (self.yaw - x * 0.01) % std::f32::consts::TAU;
        self.pitch = (self.pitch + y * 0.01).clamp(POLE - FRAC_PI_2, FRAC_PI_2 - POLE);
    }

    /// Moves with the pointer; `height` is the height of the view in the same units.
    pub fn pan(&mut self, x: f32, y: f32, height: f32) {
        let view = self.camera().view;
        let scale = self.visible_height() / height.max(1.0);
        self.target += (Vec3::from(view.up) * y - Vec3::from(view.right) * x) * scale;
    }

    /// Moves closer (above 1) or farther away.
    pub fn zoom(&mut self, factor: f32) {
        let (least, most) = (self.reach * 1e-3, self.reach * 100.0);
        self.distance = (self.distance / factor.clamp(0.01, 100.0)).clamp(least, most);
    }

    /// How many units high the view is at the target.
    fn visible_height(&self) -> f32 {
        2.0 * self.distance * (FIELD_OF_VIEW / 2.0).tan()
    }

    pub fn camera(&self) -> Camera {
        let eye = self.target + self.side() * self.distance;
        let mut camera = Camera::look_at(eye.into(), self.target.into(), FIELD_OF_VIEW);
        camera.far = self.distance + self.reach * 20.0;
        camera.near = (self.distance / 100.0).min(self.reach / 20.0).max(camera.far * 1e-5);
        if self.orthographic {
            camera.orthographic = Some(self.visible_height());
            camera.near = self.distance - self.reach * 20.0;
        }
        camera
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Mat4;

    fn seen(orbit: &Orbit, point: Vec3) -> Vec3 {
        Mat4::from_cols_array_2d(&orbit.camera().matrix(1.5)).project_point3(point)
    }

    #[test]
    fn a_fitted_model_is_inside_the_view_from_every_side() {
        let points = [[0.0, 0.0, 0.0], [10.0, 40.0, 5.0], [-30.0, 2.0, 90.0], [5.0, -70.0, 20.0]];
        for side in [Orbit::FRONT, Orbit::SIDE, Orbit::BACK, Orbit::TOP, Orbit::THREE_QUARTER] {
            for orthographic in [false, true] {
                let mut orbit = Orbit { orthographic, ..Orbit::default() };
                orbit.look_from(side);
                orbit.fit(&points, [-10.0, -15.0, 45.0], 150.0, 1.5);
                for point in points {
                    let at = seen(&orbit, point.into());
                    // Without perspective the nearest points look smaller and the farthest larger.
                    let most = if orthographic { 1.4 } else { 1.0 };
                    assert!(at.x.abs() < most && at.y.abs() < most, "{side:?} {at}");
                    assert!((0.0..=1.0).contains(&at.z), "{side:?} {at}");
                }
            }
        }
    }

    #[test]
    fn panning_moves_what_is_at_the_target_with_the_pointer() {
        let mut orbit = Orbit::default();
        let before = orbit.target;
        // A tenth of the view to the right and a fifth down.
        orbit.pan(60.0, 80.0, 400.0);
        let at = seen(&orbit, before);
        assert!((at.x - 2.0 * 60.0 / 600.0).abs() < 1e-3 && (at.y + 2.0 * 80.0 / 400.0).abs() < 1e-3, "{at}");
    }

    #[test]
    fn a_larger_model_looks_the_same_from_farther_away() {
        let mut orbit = Orbit::default();
        orbit.pan(60.0, 80.0, 400.0);
        let point = Vec3::new(10.0, -20.0, 30.0);
        let (near, far) = (seen(&orbit, point), seen(&orbit.scaled(40.0), point * 40.0));
        assert!((near - far).length() < 1e-4, "{near} {far}");
    }

    #[test]
    fn turning_stops_above_and_zooming_stays_in_range() {
        let mut orbit = Orbit::default();
        orbit.turn(0.0, 1e6);
        assert!(orbit.pitch < FRAC_PI_2);
        orbit.zoom(1e9);
        orbit.zoom(1e9);
        assert!(orbit.distance > 0.0);
        for _ in 0..50 {
            orbit.zoom(0.01);
        }
        assert!(orbit.distance <= orbit.reach * 100.0);
        assert!(orbit.camera().matrix(1.0).as_flattened().iter().all(|value| value.is_finite()));
    }
}
