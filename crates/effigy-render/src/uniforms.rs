//! What is passed to the shaders about the view and about each draw; the layouts mirror `shaders/common.wgsl`.

use crate::camera::Camera;
use crate::draw_style::Lighting;
use effigy_scene::sample::{Pose, Sampler};
use effigy_scene::{LightKind, NodeRule};
use glam::Vec3;

/// Most lights that shine at once, the picture's own included.
const LIGHTS: usize = 8;
/// In place of the kind of a light: marks the end of the list.
const AFTER_LAST: f32 = 3.0;

/// One light.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
pub(crate) struct Light {
    place: [f32; 4],
    color: [f32; 4],
    ambient: [f32; 4],
}

/// Values for the whole picture.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
pub(crate) struct Frame {
    pub(crate) view_projection: [[f32; 4]; 4],
    view: [[f32; 4]; 4],
    eye: [f32; 4],
    counts: [u32; 4],
    lights: [Light; LIGHTS + 1],
}

/// Values for one draw.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
pub(crate) struct Draw {
    pub(crate) color: [f32; 4],
    pub(crate) base: [[f32; 4]; 2],
    pub(crate) second: [[f32; 4]; 2],
    pub(crate) tests: [f32; 4],
    pub(crate) flags: [u32; 4],
}

impl Default for Draw {
    fn default() -> Self {
        let unmoved = [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]];
        Self { color: [1.0; 4], base: unmoved, second: unmoved, tests: [0.0; 4], flags: [0; 4] }
    }
}

impl Draw {
    /// Where the matrices of the mesh begin, and the interpolation from its first frame to the second.
    pub(crate) const fn follow(&mut self, matrices: u32, mixed: f32) {
        self.flags[1] = matrices;
        self.tests[3] = mixed;
    }

    /// Whether alpha decides which pixels are drawn.
    pub(crate) fn is_tested(&self) -> bool {
        let ([total, texel, ..], [flags, ..]) = (self.tests, self.flags);
        total > 0.0 || texel > 0.0 || flags & BELOW != 0
    }
}

/// Coordinates of the first texture come from the reflected view direction.
pub(crate) const SPHERE_BASE: u32 = 2;
/// The same for the second texture.
pub(crate) const SPHERE_SECOND: u32 = 4;
/// The texel's alpha does not make it transparent.
pub(crate) const COVERS: u32 = 8;
/// Reflected coordinates are those of a photographed ball, with v downwards like the texture's.
pub(crate) const BALL: u32 = 16;
/// Reflected coordinates are computed in model space.
pub(crate) const ROOM: u32 = 32;
/// Alpha tests let through what is below them.
pub(crate) const BELOW: u32 = 64;

fn extend(v: [f32; 3], w: f32) -> [f32; 4] {
    let [x, y, z] = v.map(|value| if value.is_finite() { value } else { 0.0 });
    [x, y, z, w]
}

fn scaled(color: [f32; 3], by: f32) -> [f32; 4] {
    extend(color.map(|channel| channel * by), 0.0)
}

impl Frame {
    /// The view and all lights. The second value is the number of lights that were left out.
    pub(crate) fn new(
        camera: &Camera,
        aspect: f32,
        lighting: &Lighting,
        sampler: &Sampler<'_>,
        pose: &Pose,
    ) -> (Self, usize) {
        let view = &camera.view;
        let world = sampler.scene().node_rule == NodeRule::World;
        let [right, up, back] = lighting.from;
        let from = if lighting.in_model {
            Vec3::from(lighting.from)
        } else {
            Vec3::from(view.right) * right + Vec3::from(view.up) * up + Vec3::from(view.back) * back
        };
        let mut list = vec![Light {
            place: extend(from.normalize_or_zero().into(), 1.0),
            color: extend(lighting.diffuse, 0.0),
            ambient: extend(lighting.ambient, 0.0),
        }];
        for light in sampler.scene().lights.as_slice() {
            let posed = sampler.light(light, pose);
            if !posed.on {
                continue;
            }
            let ambient = if world { posed.ambient_color } else { [1.0; 3] };
            let toward = Vec3::from(posed.direction) * -1.0;
            let (place, diffuse) = match light.kind {
                LightKind::Omni => (extend(posed.position, 0.0), posed.intensity),
                LightKind::Directional => (extend(toward.into(), 1.0), posed.intensity),
                LightKind::Ambient => (extend([0.0; 3], 2.0), 0.0),
            };
            list.push(Light {
                place,
                color: scaled(posed.color, diffuse),
                ambient: scaled(ambient, posed.ambient_intensity),
            });
        }
        let left_out = list.len().saturating_sub(LIGHTS);
        list.truncate(LIGHTS);
        let end = Light { place: [0.0, 0.0, 0.0, AFTER_LAST], ..Light::default() };
        let mut lights = [end; LIGHTS + 1];
        for (slot, light) in lights.iter_mut().zip(&list) {
            *slot = *light;
        }
        let frame = Self {
            view_projection: camera.matrix(aspect),
            view: camera.view_matrix().to_cols_array_2d(),
            eye: extend(view.eye, 1.0),
            counts: [0, u32::from(world), 0, 0],
            lights,
        };
        (frame, left_out)
    }
}
