//! Tags as positions and axes.
//!
//! MDC stores pitch, yaw and roll. The games convert them into three rows (forward, left, up), which is what MD3 stores.
//! Yaw rotates about z, pitch about y, roll about x.

use crate::{Model, Tags};
use std::borrow::Cow;

/// Degrees per step of a stored tag angle.
pub const ANGLE_SCALE: f64 = 360.0 / 32700.0;

/// Position and orientation of a tag.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// Position in units.
    pub origin: [f32; 3],
    /// Forward, left and up.
    pub axes: [[f32; 3]; 3],
}

impl Model {
    /// The name of a tag, taken from the first frame.
    #[must_use]
    pub fn tag_name(&self, tag: usize) -> Option<Cow<'_, str>> {
        match &self.tags {
            Tags::Packed { names, .. } => names.get(tag).map(|name| name.text()),
            Tags::Full(tags) => tags.get(..self.tag_count())?.get(tag).map(|tag| tag.name.text()),
        }
    }

    /// The first tag with this name, from index `start` on. Like the games, it is case-sensitive.
    #[must_use]
    pub fn find_tag(&self, name: &str, start: usize) -> Option<usize> {
        (start..self.tag_count()).find(|&tag| self.tag_name(tag).as_deref() == Some(name))
    }

    /// The pose of a tag in a frame. As in the games, a frame past the end is the last one.
    #[must_use]
    pub fn tag_pose(&self, tag: usize, frame: usize) -> Option<Pose> {
        let frame = frame.min(self.frames.len().checked_sub(1)?);
        if tag >= self.tag_count() {
            return None;
        }
        let index = frame.checked_mul(self.tag_count())?.checked_add(tag)?;
        match &self.tags {
            Tags::Packed { poses, .. } => {
                let packed = poses.get(index)?;
                let angles = packed.angles.map(|angle| f64::from(angle) * ANGLE_SCALE);
                let origin = packed.origin.map(|number| f32::from(number) / 64.0);
                Some(Pose { origin, axes: axes_of(angles) })
            }
            Tags::Full(tags) => {
                let tag = tags.get(index)?;
                let (rows, _) = tag.axes.as_chunks::<3>();
                Some(Pose { origin: tag.origin, axes: rows.try_into().ok()? })
            }
        }
    }
}

/// Forward, left and up of pitch, yaw and roll in degrees.
#[must_use]
#[allow(clippy::cast_possible_truncation, reason = "axes are kept as f32")]
pub fn axes_of(angles: [f64; 3]) -> [[f32; 3]; 3] {
    let [(sp, cp), (sy, cy), (sr, cr)] = angles.map(|angle| angle.to_radians().sin_cos());
    let rows = [
        [cp * cy, cp * sy, -sp],
        [sr * sp * cy - cr * sy, sr * sp * sy + cr * cy, sr * cp],
        [cr * sp * cy + sr * sy, cr * sp * sy - sr * cy, cr * cp],
    ];
    rows.map(|row| row.map(|number| number as f32))
}

/// Pitch, yaw and roll in degrees of three axes, in the ranges of the games' compressor: pitch from -360 to 0,
/// yaw from 0 to 360, roll from -180 to 180.
#[must_use]
pub fn angles_of(axes: [[f32; 3]; 3]) -> [f64; 3] {
    let [[x, y, z], left, _] = axes.map(|row| row.map(f64::from));
    let turn = |angle: f64| if angle < 0.0 { angle + 360.0 } else { angle };
    let flat = x.hypot(y);
    let yaw = if flat == 0.0 { 0.0 } else { turn(y.atan2(x).to_degrees()) };
    let pitch = -turn(z.atan2(flat).to_degrees());
    let [(sp, cp), (sy, cy)] = [pitch, yaw].map(|angle| angle.to_radians().sin_cos());
    // Components of the left axis along the up and left axes of a pose without roll.
    let up = left[0] * sp * cy + left[1] * sp * sy + left[2] * cp;
    let side = left[1] * cy - left[0] * sy;
    [pitch, yaw, up.atan2(side).to_degrees()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::normals::degrees_between;

    #[test]
    fn each_angle_rotates_about_its_axis() {
        let near = |a: [[f32; 3]; 3], b: [[f32; 3]; 3]| {
            a.as_flattened().iter().zip(b.as_flattened()).all(|(a, b)| (a - b).abs() < 1e-6)
        };
        assert!(near(axes_of([0.0, 90.0, 0.0]), [[0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]));
        assert!(near(axes_of([90.0, 0.0, 0.0]), [[0.0, 0.0, -1.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]]));
        assert!(near(axes_of([0.0, 0.0, 90.0]), [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]]));
    }

    #[test]
    fn angles_and_axes_are_inverse() {
        for pitch in (-180..=180).step_by(15) {
            for yaw in (0..360).step_by(15) {
                for roll in (-180..=180).step_by(15) {
                    let axes = axes_of([pitch, yaw, roll].map(f64::from));
                    let again = axes_of(angles_of(axes));
                    for (a, b) in axes.into_iter().zip(again) {
                        assert!(degrees_between(a, b) < 1e-4, "{pitch} {yaw} {roll}");
                    }
                }
            }
        }
    }
}
