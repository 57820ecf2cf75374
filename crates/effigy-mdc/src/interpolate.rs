//! Interpolation between two frames, as in the games.
//!
//! Positions are interpolated linearly; so are normals and tag axes, which are then normalised, each row separately. As in
//! the games, the axes of a tag that rotates fast are therefore not quite perpendicular.

use crate::pose::Pose;
use crate::{Model, Surface, Track};
use effigy_wire::Result;

/// The vector with length 1; a zero vector stays zero.
#[must_use]
pub fn normalized(vector: [f32; 3]) -> [f32; 3] {
    let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
    if length > 0.0 { vector.map(|x| x / length) } else { vector }
}

fn mix(new: [f32; 3], old: [f32; 3], backlerp: f32) -> [f32; 3] {
    let mut mixed = new;
    for (new, old) in mixed.iter_mut().zip(old) {
        *new = *new * (1.0 - backlerp) + old * backlerp;
    }
    mixed
}

/// The frame that a game draws for a frame number: a number out of range becomes the first frame.
#[must_use]
pub const fn drawn_frame(frame: usize, frames: usize) -> usize {
    if frame < frames { frame } else { 0 }
}

/// The frame that a game draws for a frame number if frames wrap around.
#[must_use]
pub fn wrapped_frame(frame: usize, frames: usize) -> usize {
    frame.checked_rem(frames).unwrap_or(0)
}

impl Surface {
    /// Positions and normals between two frames, as a track of one frame: `backlerp` is the share of `old_frame`, from 0 to 1.
    ///
    /// # Errors
    /// When one of the frames refers to a base or compressed frame that does not exist.
    pub fn decode_between(&self, old_frame: usize, frame: usize, backlerp: f32) -> Result<Track> {
        let mut track = self.decode_one(frame)?;
        if backlerp == 0.0 {
            return Ok(track);
        }
        let old = self.decode_one(old_frame)?;
        for (position, old) in track.all_positions.iter_mut().zip(old.all_positions) {
            *position = mix(*position, old, backlerp);
        }
        for (normal, old) in track.all_normals.iter_mut().zip(old.all_normals) {
            *normal = normalized(mix(*normal, old, backlerp));
        }
        Ok(track)
    }
}

impl Model {
    /// A tag's pose between two frames: `backlerp` is the share of `old_frame`, from 0 to 1.
    #[must_use]
    pub fn tag_between(&self, tag: usize, old_frame: usize, frame: usize, backlerp: f32) -> Option<Pose> {
        let mut pose = self.tag_pose(tag, frame)?;
        let old = self.tag_pose(tag, old_frame)?;
        pose.origin = mix(pose.origin, old.origin, backlerp);
        for (row, old) in pose.axes.iter_mut().zip(old.axes) {
            *row = normalized(mix(*row, old, backlerp));
        }
        Some(pose)
    }
}
