//! From axes and directions back to the angles that a file stores.

/// Radians in 1/65536 turns.
#[allow(clippy::cast_possible_truncation, reason = "at most a turn; a whole turn is 0")]
fn steps(radians: f64) -> i16 {
    let steps = (radians * (32768.0 / std::f64::consts::PI)).round() as i64;
    i16::try_from((steps + 32768).rem_euclid(65536) - 32768).unwrap_or(0)
}

/// Pitch, yaw and roll of three rows, as a file stores them.
#[must_use]
pub fn angles_of(rows: &[[f32; 3]; 3]) -> [i16; 3] {
    let [[x, y, z], left, up] = rows.map(|row| row.map(f64::from));
    let flat = x.hypot(y);
    let pitch = -z.atan2(flat);
    if flat < 1e-6 {
        return [steps(pitch), steps((-left[0]).atan2(left[1])), 0];
    }
    [steps(pitch), steps(y.atan2(x)), steps(left[2].atan2(up[2]))]
}

/// Pitch and yaw of a direction, as a file stores them.
#[must_use]
pub fn direction_of(way: [f32; 3]) -> [i16; 2] {
    let [x, y, z] = way.map(f64::from);
    [steps(-z.atan2(x.hypot(y))), steps(y.atan2(x))]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn angles_come_back_from_their_rows() {
        // A quarter turn of each; 16384 steps are a quarter turn.
        assert_eq!(angles_of(&[[0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]), [0, 16384, 0]);
        assert_eq!(angles_of(&[[0.0, 0.0, -1.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]]), [16384, 0, 0]);
        assert_eq!(angles_of(&[[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]]), [0, 0, 16384]);
        assert_eq!(direction_of([0.0, 0.0, -2.0]), [16384, 0]);
        assert_eq!(direction_of([-3.0, 0.0, 0.0]), [0, -32768]);
    }
}
