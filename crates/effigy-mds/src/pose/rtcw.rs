//! The arithmetic of Return to Castle Wolfenstein: angles in degrees as f32, sines in double precision.

use super::Frames;
use crate::math::{Rows, add, scaled};

/// Degrees of a stored angle.
#[allow(clippy::cast_possible_truncation, reason = "the games round to f32 here")]
fn degrees(stored: i16) -> f32 {
    (f64::from(stored) * (360.0 / 65536.0)) as f32
}

#[allow(clippy::cast_possible_truncation, reason = "the games round to f32 here")]
fn sin_cos(degrees: f32) -> (f32, f32) {
    let radians = (f64::from(degrees) * (std::f64::consts::PI * 2.0 / 360.0)) as f32;
    let (sin, cos) = f64::from(radians).sin_cos();
    (sin as f32, cos as f32)
}

/// An angle from -180 to 180 degrees, cut to a multiple of 1/65536 of a turn.
#[allow(clippy::cast_possible_truncation, reason = "the games cut here; the angles are at most a few turns")]
fn wrapped(angle: f32) -> f32 {
    let steps = (f64::from(angle) * (65536.0 / 360.0)) as i64 & 65535;
    let angle = ((360.0 / 65536.0) * steps as f64) as f32;
    if angle > 180.0 { angle - 360.0 } else { angle }
}

/// Three rows of pitch, yaw and roll in degrees.
pub(super) fn axes([pitch, yaw, roll]: [f32; 3]) -> Rows {
    let [(sp, cp), (sy, cy), (sr, cr)] = [pitch, yaw, roll].map(sin_cos);
    [
        [cp * cy, cp * sy, -sp],
        [sr * sp * cy - cr * sy, sr * sp * sy + cr * cy, sr * cp],
        [cr * sp * cy + sr * sy, cr * sp * sy - sr * cy, cr * cp],
    ]
}

fn direction(offset: [i16; 2]) -> [f32; 3] {
    let [(sp, cp), (sy, cy)] = offset.map(|angle| sin_cos(degrees(angle)));
    [cp * cy, cp * sy, -sp]
}

/// Two directions mixed and brought to unit length.
fn mixed(from: [f32; 3], to: [f32; 3], share: f32) -> [f32; 3] {
    let sum = add(scaled(from, 1.0 - share), scaled(to, share));
    let length = crate::math::dot(sum, sum).sqrt();
    if length == 0.0 { sum } else { scaled(sum, 1.0 / length) }
}

/// The matrix of a bone and its direction from its parent.
#[allow(clippy::float_cmp, reason = "the games compare the weight with exactly 0 and 1")]
pub(super) fn bone(weight: f32, frames: &Frames<'_>, bone: usize) -> (Rows, [f32; 3]) {
    let legs = Frames::keys(frames.legs, bone);
    let torso = Frames::keys(frames.torso, bone);
    let angles = |[new, old]: [crate::BoneKey; 2], back: f32| {
        let [new, old] = [new, old].map(|key| key.angles.map(degrees));
        if !frames.blends {
            return new;
        }
        let mut angles = new;
        for ((angle, new), old) in angles.iter_mut().zip(new).zip(old) {
            *angle = new - back * wrapped(new - old);
        }
        angles
    };
    let towards = |[new, old]: [crate::BoneKey; 2], back: f32| match frames.blends {
        true => mixed(direction(old.offset), direction(new.offset), 1.0 - back),
        false => direction(new.offset),
    };
    if weight == 1.0 {
        return (axes(angles(torso, frames.torso_back)), towards(torso, frames.torso_back));
    }
    let own = angles(legs, frames.back);
    let way = towards(legs, frames.back);
    if weight == 0.0 {
        return (axes(own), way);
    }
    let other = angles(torso, frames.torso_back);
    let mut blended = own;
    for (angle, other) in blended.iter_mut().zip(other) {
        let mut difference = other - *angle;
        if difference.abs() > 180.0 {
            difference = wrapped(difference);
        }
        *angle += weight * difference;
    }
    (axes(blended), mixed(way, towards(torso, frames.torso_back), weight))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn angles_wrap_to_half_a_turn_and_are_cut_to_steps() {
        assert_eq!(wrapped(190.0), -170.002_44);
        assert_eq!(wrapped(-190.0), 170.002_44);
        assert_eq!(wrapped(180.0), 180.0);
        assert_eq!(wrapped(90.0), 90.0);
        assert_eq!(wrapped(0.005), 0.0);
    }

    #[test]
    fn each_angle_turns_about_its_axis() {
        let near = |found: Rows, wanted: Rows| {
            found.as_flattened().iter().zip(wanted.as_flattened()).all(|(a, b)| (a - b).abs() < 1e-6)
        };
        assert!(near(axes([0.0, 90.0, 0.0]), [[0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]));
        assert!(near(axes([90.0, 0.0, 0.0]), [[0.0, 0.0, -1.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]]));
        assert!(near(axes([0.0, 0.0, 90.0]), [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]]));
        assert_eq!(direction([0, 16384]).map(f32::round), [0.0, 1.0, 0.0]);
        assert_eq!(direction([16384, 0]).map(f32::round), [0.0, 0.0, -1.0]);
    }
}
