//! The arithmetic of Enemy Territory for MDM and MDX: whole angles and a table of sines.
//!
//! Directions always come from the table, rotations only while something blends. A mixed direction is brought to unit
//! length by the fast inverse square root, which leaves it up to 0.2 % too short.

use super::{Frames, rtcw};
use crate::math::{Rows, add, dot, scaled};
use std::sync::OnceLock;

const SIZE: u16 = 4096;

/// The table: a turn in 4095 steps, so that the last sine is that of the first.
fn table() -> &'static [f32] {
    static TABLE: OnceLock<Vec<f32>> = OnceLock::new();
    #[allow(clippy::cast_possible_truncation, reason = "the games keep the table as f32")]
    let sine = |step: u16| (f64::from(step) * 360.0 / 4095.0).to_radians().sin() as f32;
    TABLE.get_or_init(|| (0..SIZE).map(sine).collect())
}

/// Sine and cosine of an angle in 1/65536 turns.
fn sin_cos(angle: i32) -> (f32, f32) {
    let step = usize::try_from((angle & 65535) >> 4).unwrap_or(0);
    let at = |step: usize| table().get(step & 4095).copied().unwrap_or(0.0);
    (at(step), at(step + 1024))
}

fn axes(angles: [i32; 3]) -> Rows {
    let [(sp, cp), (sy, cy), (sr, cr)] = angles.map(sin_cos);
    [
        [cp * cy, cp * sy, -sp],
        [sr * sp * cy - cr * sy, sr * sp * sy + cr * cy, sr * cp],
        [cr * sp * cy + sr * sy, cr * sp * sy - sr * cy, cr * cp],
    ]
}

fn direction(offset: [i16; 2]) -> [f32; 3] {
    let [(sp, cp), (sy, cy)] = offset.map(|angle| sin_cos(i32::from(angle)));
    [cp * cy, cp * sy, -sp]
}

/// One step of Newton's method from the famous first guess.
fn fast_inverse_root(number: f32) -> f32 {
    let guess = f32::from_bits(0x5f37_59df_u32.wrapping_sub(number.to_bits() >> 1));
    guess * (1.5 - number * 0.5 * guess * guess)
}

fn mixed(from: [f32; 3], to: [f32; 3], share: f32) -> [f32; 3] {
    let sum = add(scaled(from, 1.0 - share), scaled(to, share));
    scaled(sum, fast_inverse_root(dot(sum, sum)))
}

/// A difference of angles as a signed 16-bit number.
const fn difference(a: i32, b: i32) -> i32 {
    let steps = a.wrapping_sub(b) & 65535;
    if steps > 32767 { steps - 65536 } else { steps }
}

/// The games compute in f32 and cut to a whole number.
#[allow(clippy::cast_possible_truncation, reason = "the games cut here; the cast saturates")]
fn moved(angle: i32, by: f32, steps: i32) -> i32 {
    (angle as f32 + by * steps as f32) as i32
}

/// The matrix of a bone and its direction from its parent.
#[allow(clippy::float_cmp, reason = "the games compare the weight with exactly 0 and 1")]
pub(super) fn bone(weight: f32, frames: &Frames<'_>, bone: usize) -> (Rows, [f32; 3]) {
    if !frames.blends {
        let (matrix, _) = rtcw::bone(weight, frames, bone);
        let legs = direction(Frames::keys(frames.legs, bone)[0].offset);
        let torso = direction(Frames::keys(frames.torso, bone)[0].offset);
        let way = if weight == 0.0 {
            legs
        } else if weight == 1.0 {
            torso
        } else {
            mixed(legs, torso, weight)
        };
        return (matrix, way);
    }
    let angles = |[new, old]: [crate::BoneKey; 2], back: f32| {
        let [new, old] = [new, old].map(|key| key.angles.map(i32::from));
        let mut angles = new;
        for ((angle, new), old) in angles.iter_mut().zip(new).zip(old) {
            *angle = moved(new, -back, difference(new, old));
        }
        angles
    };
    let (legs, torso) = (Frames::keys(frames.legs, bone), Frames::keys(frames.torso, bone));
    let towards = |[new, old]: [crate::BoneKey; 2], back: f32| {
        mixed(direction(old.offset), direction(new.offset), 1.0 - back)
    };
    if weight == 1.0 {
        return (axes(angles(torso, frames.torso_back)), towards(torso, frames.torso_back));
    }
    let mut own = angles(legs, frames.back);
    let way = towards(legs, frames.back);
    if weight == 0.0 {
        return (axes(own), way);
    }
    for (angle, other) in own.iter_mut().zip(angles(torso, frames.torso_back)) {
        *angle = moved(*angle, weight, difference(other, *angle));
    }
    // The game takes the new frame of the torso for the old one, too.
    let [new, _] = torso;
    (axes(own), mixed(way, towards([new, new], frames.torso_back), weight))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_the_games_sines() {
        // sin(1024 * 360 / 4095 degrees) and the cosine of 0, which the table takes from the same step.
        assert_eq!(sin_cos(0), (0.0, 0.999_999_93));
        assert_eq!(sin_cos(16384).0, 0.999_999_93);
        assert_eq!(sin_cos(15), sin_cos(0));
        assert_ne!(sin_cos(16), sin_cos(0));
        assert_eq!(sin_cos(-65536), sin_cos(0));
    }

    #[test]
    fn angles_blend_as_whole_numbers_along_the_shorter_way() {
        assert_eq!(difference(-32760, 32760), 16);
        assert_eq!(difference(100, 200), -100);
        assert_eq!(moved(101, -0.5, 3), 99);
        let root = fast_inverse_root(4.0);
        assert!((root - 0.5).abs() < 1e-3 && root < 0.5, "{root}");
    }
}
