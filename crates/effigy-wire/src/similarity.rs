//! Scaling, turning about the z axis, and moving.

use crate::{BoundsMut, Error, Result, Space};

/// What is farther away than this is nowhere.
const LARGEST: f32 = 1e30;

/// A uniform scale, then a turn about the z axis, then a move. What it does to a number depends on the number's meaning:
/// see [`Space`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Similarity {
    scale: f64,
    sine: f64,
    cosine: f64,
    half_sine: f64,
    half_cosine: f64,
    shift: [f64; 3],
}

impl Similarity {
    /// Changes nothing.
    pub const IDENTITY: Self =
        Self { scale: 1.0, sine: 0.0, cosine: 1.0, half_sine: 0.0, half_cosine: 1.0, shift: [0.0; 3] };

    /// A uniform scale.
    ///
    /// # Errors
    /// When the factor is not a number from 1e-9 to 1e9. A negative factor would mirror the model, and others would take its numbers
    /// out of the range that files can hold.
    pub fn scale(factor: f64) -> Result<Self> {
        if !(1e-9..=1e9).contains(&factor) {
            let text = format!("a scale has to be above zero, from 1e-9 to 1e9, and {factor} is not");
            return Err(Error::usage(text));
        }
        Ok(Self { scale: factor, ..Self::IDENTITY })
    }

    /// A turn about the z axis in degrees, counter-clockwise when seen from above. Quarter turns are exact.
    ///
    /// # Errors
    /// When the angle is not finite.
    pub fn turn(degrees: f64) -> Result<Self> {
        if !degrees.is_finite() {
            return Err(Error::usage(format!("{degrees} is not an angle")));
        }
        let angle = degrees.rem_euclid(360.0);
        let (sine, cosine) = match angle {
            0.0 => (0.0, 1.0),
            90.0 => (1.0, 0.0),
            180.0 => (0.0, -1.0),
            270.0 => (-1.0, 0.0),
            _ => angle.to_radians().sin_cos(),
        };
        let (half_sine, half_cosine) =
            if angle == 180.0 { (1.0, 0.0) } else { (angle / 2.0).to_radians().sin_cos() };
        Ok(Self { sine, cosine, half_sine, half_cosine, ..Self::IDENTITY })
    }

    /// A move.
    ///
    /// # Errors
    /// When a number is not one from -1e9 to 1e9.
    pub fn shift(by: [f64; 3]) -> Result<Self> {
        if !by.iter().all(|number| (-1e9..=1e9).contains(number)) {
            return Err(Error::usage("a move needs three numbers from -1e9 to 1e9"));
        }
        Ok(Self { shift: by, ..Self::IDENTITY })
    }

    /// The factor.
    #[must_use]
    pub const fn factor(&self) -> f64 {
        self.scale
    }

    /// The rotation as x, y, z, w.
    #[must_use]
    pub const fn quaternion(&self) -> [f64; 4] {
        [0.0, 0.0, self.half_sine, self.half_cosine]
    }

    /// Whether directions change.
    #[must_use]
    pub fn turns(&self) -> bool {
        self.sine != 0.0 || self.cosine != 1.0
    }

    /// How many quarters the turn has, if it is made of quarters: 0 to 3.
    #[must_use]
    pub fn quarters(&self) -> Option<u8> {
        match (self.sine, self.cosine) {
            (0.0, 1.0) => Some(0),
            (1.0, 0.0) => Some(1),
            (0.0, -1.0) => Some(2),
            (-1.0, 0.0) => Some(3),
            _ => None,
        }
    }

    /// Whether positions move apart from scale and turn.
    #[must_use]
    pub fn moves(&self) -> bool {
        self.shift != [0.0; 3]
    }

    /// Where a position goes.
    #[must_use]
    pub fn apply(&self, point: [f64; 3]) -> [f64; 3] {
        let [x, y, z] = self.turned(point.map(|number| number * self.scale));
        let [dx, dy, dz] = self.shift;
        [x + dx, y + dy, z + dz]
    }

    /// A vector after the turn alone.
    #[must_use]
    pub fn turned(&self, [x, y, z]: [f64; 3]) -> [f64; 3] {
        [self.cosine * x - self.sine * y, self.sine * x + self.cosine * y, z]
    }

    /// A rotation with the turn put in front of it: the frame of something that is not skinned, such as an emitter.
    #[must_use]
    pub fn before(&self, [x, y, z, w]: [f32; 4]) -> [f32; 4] {
        let (s, c) = (self.half_sine, self.half_cosine);
        let [x, y, z, w] = [x, y, z, w].map(f64::from);
        narrow([c * x - s * y, c * y + s * x, c * z + s * w, c * w - s * z])
    }

    fn turned_box(&self, min: &mut [f32; 3], max: &mut [f32; 3]) {
        let corners = [[min[0], min[1]], [min[0], max[1]], [max[0], min[1]], [max[0], max[1]]];
        let turned = corners.map(|[x, y]| self.turned([x.into(), y.into(), 0.0]));
        for axis in 0..2 {
            let along = turned.map(|[x, y, _]| if axis == 0 { x } else { y });
            let (low, high) = along.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
                (low.min(*value), high.max(*value))
            });
            if let (Some(min), Some(max)) = (min.get_mut(axis), max.get_mut(axis)) {
                [*min, *max] = narrow([low, high]);
            }
        }
    }
}

/// The nearest single-precision numbers.
#[allow(clippy::cast_possible_truncation, reason = "models store single precision")]
fn narrow<const N: usize>(values: [f64; N]) -> [f32; N] {
    values.map(|value| value as f32)
}

fn length(v: [f64; 3]) -> f64 {
    v.iter().map(|value| value * value).sum::<f64>().sqrt()
}

/// Numbers that do not change keep their bits, also those that are not finite.
impl Space for Similarity {
    fn point(&mut self, value: &mut [f32; 3]) {
        *value = narrow(self.apply(value.map(f64::from)));
    }

    fn vector(&mut self, value: &mut [f32; 3]) {
        if self.scale != 1.0 || self.turns() {
            *value = narrow(self.turned(value.map(|number| f64::from(number) * self.scale)));
        }
    }

    fn direction(&mut self, value: &mut [f32; 3]) {
        if self.turns() {
            *value = narrow(self.turned(value.map(f64::from)));
        }
    }

    fn length(&mut self, value: &mut f32) {
        if self.scale != 1.0 {
            [*value] = narrow([f64::from(*value) * self.scale]);
        }
    }

    fn per_length(&mut self, value: &mut f32, power: i32) {
        if self.scale != 1.0 {
            [*value] = narrow([f64::from(*value) / self.scale.powi(power)]);
        }
    }

    /// The turn, the rotation, and the turn back: the axis turns, the angle stays.
    fn rotation(&mut self, value: &mut [f32; 4]) {
        if self.turns() {
            let [x, y, z, w] = *value;
            let [x, y, z] = narrow(self.turned([x.into(), y.into(), z.into()]));
            *value = [x, y, z, w];
        }
    }

    /// A turned box is the smallest box around the turned corners, which is exact for quarter turns. Bounds that are all
    /// zero are not set, and stay. The sphere is about the origin: after a move it reaches as far as before plus the
    /// move, or to the farthest corner, whichever is nearer.
    fn bounds(&mut self, BoundsMut { min, max, radius, in_model_space }: BoundsMut<'_>) {
        let unset =
            radius.as_ref().is_none_or(|radius| **radius == 0.0) && *min == [0.0; 3] && *max == [0.0; 3];
        if unset {
            return;
        }
        // From the largest number to the smallest: an exporter's "no box", which has no size that could change.
        let is_empty = min.iter().chain(max.iter()).any(|value| value.abs() > LARGEST);
        if !is_empty {
            for corner in [&mut *min, &mut *max] {
                corner.iter_mut().for_each(|value| self.length(value));
            }
        }
        let is_box = !is_empty && min.iter().zip(max.iter()).all(|(min, max)| min <= max);
        if self.turns() && is_box {
            self.turned_box(min, max);
        }
        let moves = self.moves() && in_model_space;
        if moves && !is_empty {
            for corner in [&mut *min, &mut *max] {
                let [x, y, z] = corner.map(f64::from);
                let [dx, dy, dz] = self.shift;
                *corner = narrow([x + dx, y + dy, z + dz]);
            }
        }
        if let Some(radius) = radius {
            self.length(radius);
            if moves && *radius > 0.0 {
                let further = f64::from(*radius) + length(self.shift);
                let corner = [0, 1, 2].map(|axis: usize| {
                    let of = |corner: &[f32; 3]| f64::from(corner.get(axis).copied().unwrap_or(0.0).abs());
                    of(min).max(of(max))
                });
                [*radius] = narrow([if is_box { further.min(length(corner)) } else { further }]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quarter_turn_swaps_x_and_y_exactly() {
        let mut turn = Similarity::turn(90.0).unwrap();
        let mut point = [1.0, 2.0, 3.0];
        turn.point(&mut point);
        assert_eq!(point, [-2.0, 1.0, 3.0]);
        let (mut min, mut max) = ([1.0, 2.0, 3.0], [4.0, 6.0, 9.0]);
        turn.bounds(BoundsMut { min: &mut min, max: &mut max, radius: None, in_model_space: true });
        assert_eq!((min, max), ([-6.0, 1.0, 3.0], [-2.0, 4.0, 9.0]));
        assert_eq!(Similarity::turn(-90.0).unwrap().quarters(), Some(3));
        assert_eq!(Similarity::turn(45.0).unwrap().quarters(), None);
    }

    #[test]
    fn a_turn_carries_the_axis_of_a_rotation_along() {
        let mut turn = Similarity::turn(90.0).unwrap();
        // Half a turn about x becomes half a turn about y.
        let mut rotation = [1.0, 0.0, 0.0, 0.0];
        turn.rotation(&mut rotation);
        assert_eq!(rotation, [0.0, 1.0, 0.0, 0.0]);
        // Half a turn about z, put in front of no rotation.
        assert_eq!(Similarity::turn(180.0).unwrap().before([0.0, 0.0, 0.0, 1.0]), [0.0, 0.0, 1.0, 0.0]);
    }

    #[test]
    fn a_scale_multiplies_lengths_and_divides_what_is_per_length() {
        let mut scale = Similarity::scale(2.0).unwrap();
        let (mut length, mut linear, mut quadratic) = (3.0, 3.0, 3.0);
        scale.length(&mut length);
        scale.per_length(&mut linear, 1);
        scale.per_length(&mut quadratic, 2);
        assert_eq!((length, linear, quadratic), (6.0, 1.5, 0.75));
        for wrong in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(Similarity::scale(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_moved_sphere_about_the_origin_still_holds_its_box() {
        let mut shift = Similarity::shift([0.0, 0.0, 10.0]).unwrap();
        let (mut min, mut max, mut radius) = ([-3.0, -4.0, 0.0], [3.0, 4.0, 2.0], 20.0);
        shift.bounds(BoundsMut {
            min: &mut min,
            max: &mut max,
            radius: Some(&mut radius),
            in_model_space: true,
        });
        assert_eq!((min, max), ([-3.0, -4.0, 10.0], [3.0, 4.0, 12.0]));
        assert_eq!(radius, 13.0, "the corner (3, 4, 12) is 13 away, less than 20 + 10");
        // An exporter's empty box stays as it is, whatever happens to the model.
        let scale = |factor| Similarity::scale(factor).unwrap();
        for (mut change, expected) in [(scale(2.0), 10.0), (scale(0.5), 2.5), (shift, 15.0)] {
            let (mut min, mut max, mut radius) = ([f32::MAX; 3], [f32::MIN; 3], 5.0);
            let radius_of = Some(&mut radius);
            change.bounds(BoundsMut {
                min: &mut min,
                max: &mut max,
                radius: radius_of,
                in_model_space: true,
            });
            assert_eq!((min, max, radius), ([f32::MAX; 3], [f32::MIN; 3], expected));
        }
        // Bounds that are not set stay unset.
        let (mut min, mut max, mut radius) = ([0.0; 3], [0.0; 3], 0.0);
        shift.bounds(BoundsMut {
            min: &mut min,
            max: &mut max,
            radius: Some(&mut radius),
            in_model_space: true,
        });
        assert_eq!((min, max, radius), ([0.0; 3], [0.0; 3], 0.0));
    }
}
