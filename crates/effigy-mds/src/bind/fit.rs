//! Rigid motions, and the one that fits points best (by quaternions, after Horn 1987).

use crate::pose::Place;

/// A rotation and a translation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rigid {
    rows: [[f64; 3]; 3],
    moved: [f64; 3],
}

impl Default for Rigid {
    fn default() -> Self {
        Self { rows: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], moved: [0.0; 3] }
    }
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn add(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

fn sub(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn scaled(v: [f64; 3], by: f64) -> [f64; 3] {
    v.map(|number| number * by)
}

impl Rigid {
    pub fn of(place: &Place) -> Self {
        Self { rows: place.matrix.map(|row| row.map(f64::from)), moved: place.translation.map(f64::from) }
    }

    #[allow(clippy::cast_possible_truncation, reason = "places are kept as f32")]
    pub fn place(&self) -> Place {
        Place {
            matrix: self.rows.map(|row| row.map(|number| number as f32)),
            translation: self.moved.map(|number| number as f32),
        }
    }

    fn turn(&self, v: [f64; 3]) -> [f64; 3] {
        self.rows.map(|row| dot(row, v))
    }

    pub fn point(&self, point: [f64; 3]) -> [f64; 3] {
        add(self.turn(point), self.moved)
    }

    pub fn inverse(&self) -> Self {
        let [a, b, c] = self.rows;
        let rows = [[a[0], b[0], c[0]], [a[1], b[1], c[1]], [a[2], b[2], c[2]]];
        let back = Self { rows, moved: [0.0; 3] };
        Self { rows, moved: back.turn(self.moved).map(|number| -number) }
    }

    /// This motion after another one.
    pub fn after(&self, first: &Self) -> Self {
        let [a, b, c] = first.rows;
        let columns = [[a[0], b[0], c[0]], [a[1], b[1], c[1]], [a[2], b[2], c[2]]];
        let rows = self.rows.map(|row| columns.map(|column| dot(row, column)));
        Self { rows, moved: self.point(first.moved) }
    }

    /// The motion that takes the first points nearest to the second ones, by weight, and how widely they are spread. As far as
    /// they leave the rotation open, because they are few or on a line, it is this one's. `None` for points that are not
    /// finite.
    pub fn fitted(
        &self,
        points: impl Iterator<Item = ([f64; 3], [f64; 3], f64)> + Clone,
    ) -> Option<(Self, f64)> {
        let (mut from, mut to, mut count) = ([0.0; 3], [0.0; 3], 0.0);
        for (a, b, weight) in points.clone() {
            from = add(from, scaled(a, weight));
            to = add(to, scaled(b, weight));
            count += weight;
        }
        let [from, to] = [from, to].map(|sum| sum.map(|number| number / count));
        let mut s = [[0.0; 3]; 3];
        let (mut spread, mut shape) = (0.0, [[0.0; 3]; 3]);
        for (a, b, weight) in points {
            let (a, b) = (scaled(sub(a, from), weight.sqrt()), scaled(sub(b, to), weight.sqrt()));
            spread += dot(a, a);
            for (row, value) in s.iter_mut().zip(a) {
                for (cell, other) in row.iter_mut().zip(b) {
                    *cell += value * other;
                }
            }
            for (row, value) in shape.iter_mut().zip(a) {
                for (cell, other) in row.iter_mut().zip(a) {
                    *cell += value * other;
                }
            }
        }
        // The sum of the 2x2 minors of the inertia is zero for points on a line.
        let [[xx, xy, xz], [_, yy, yz], [_, _, zz]] = shape;
        let flat = xx * yy - xy * xy + yy * zz - yz * yz + zz * xx - xz * xz;
        if !spread.is_finite() {
            return None;
        }
        // A little of the known rotation decides what the points leave open.
        let little = 1e-6 * spread + 1e-9;
        for (column, row) in self.rows.iter().enumerate() {
            for (list, value) in s.iter_mut().zip(row) {
                if let Some(cell) = list.get_mut(column) {
                    *cell += little * value;
                }
            }
        }
        let [[sxx, sxy, sxz], [syx, syy, syz], [szx, szy, szz]] = s;
        let matrix = [
            [sxx + syy + szz, syz - szy, szx - sxz, sxy - syx],
            [syz - szy, sxx - syy - szz, sxy + syx, szx + sxz],
            [szx - sxz, sxy + syx, syy - sxx - szz, syz + szy],
            [sxy - syx, szx + sxz, syz + szy, szz - sxx - syy],
        ];
        let [w, x, y, z] = largest(matrix)?;
        let rows = [
            [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)],
            [2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)],
            [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)],
        ];
        let turned = Self { rows, moved: [0.0; 3] };
        Some((Self { rows, moved: sub(to, turned.turn(from)) }, flat / (spread + 1e-9)))
    }
}

/// The eigenvector of the largest eigenvalue of a symmetric matrix, by Jacobi's method.
fn largest(matrix: [[f64; 4]; 4]) -> Option<[f64; 4]> {
    let mut values = matrix;
    let mut vectors =
        [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]];
    let cell = |matrix: &[[f64; 4]; 4], row: usize, column: usize| -> f64 {
        matrix.get(row).and_then(|row| row.get(column)).copied().unwrap_or(0.0)
    };
    for _ in 0..50 {
        let mut rest = 0.0;
        for p in 0..3 {
            for q in p + 1..4 {
                let (pq, pp, qq) = (cell(&values, p, q), cell(&values, p, p), cell(&values, q, q));
                rest += pq * pq;
                if pq == 0.0 {
                    continue;
                }
                let theta = (qq - pp) / (2.0 * pq);
                let t = theta.signum() / (theta.abs() + theta.hypot(1.0));
                let c = 1.0 / t.hypot(1.0);
                let s = t * c;
                // Rotates rows, then columns; the vectors are rows of their own matrix.
                rotate(&mut values, p, q, c, s);
                values = transposed(&values);
                rotate(&mut values, p, q, c, s);
                values = transposed(&values);
                rotate(&mut vectors, p, q, c, s);
            }
        }
        if rest < 1e-30 * cell(&values, 0, 0).abs().max(1e-300) {
            break;
        }
    }
    let best = (0..4).max_by(|a, b| cell(&values, *a, *a).total_cmp(&cell(&values, *b, *b)))?;
    let vector = *vectors.get(best)?;
    let length = vector.iter().map(|number| number * number).sum::<f64>().sqrt();
    (length > 0.5 && length.is_finite()).then(|| vector.map(|number| number / length))
}

fn transposed(matrix: &[[f64; 4]; 4]) -> [[f64; 4]; 4] {
    let mut result = [[0.0; 4]; 4];
    for (row, list) in matrix.iter().enumerate() {
        for (column, value) in list.iter().enumerate() {
            if let Some(cell) = result.get_mut(column).and_then(|list| list.get_mut(row)) {
                *cell = *value;
            }
        }
    }
    result
}

/// Mixes two rows.
fn rotate(matrix: &mut [[f64; 4]; 4], p: usize, q: usize, c: f64, s: f64) {
    let (Some(a), Some(b)) = (matrix.get(p).copied(), matrix.get(q).copied()) else { return };
    let mut mixed = [[0.0; 4]; 2];
    for ((first, second), (a, b)) in {
        let [x, y] = &mut mixed;
        x.iter_mut().zip(y.iter_mut())
    }
    .zip(a.iter().zip(&b))
    {
        *first = c * a - s * b;
        *second = s * a + c * b;
    }
    let [first, second] = mixed;
    if let Some(row) = matrix.get_mut(p) {
        *row = first;
    }
    if let Some(row) = matrix.get_mut(q) {
        *row = second;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_known_motion_is_found() {
        // A third of a turn about (1, 1, 1): x to y, y to z, z to x; then a step.
        let motion =
            Rigid { rows: [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], moved: [5.0, -2.0, 7.5] };
        let points = [[1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 3.0], [1.0, 1.0, -4.0]];
        let (found, _) =
            Rigid::default().fitted(points.iter().map(|point| (*point, motion.point(*point), 1.0))).unwrap();
        for (a, b) in found.rows.as_flattened().iter().zip(motion.rows.as_flattened()) {
            assert!((a - b).abs() < 1e-5, "{found:?}");
        }
        for (a, b) in found.moved.iter().zip(motion.moved) {
            assert!((a - b).abs() < 1e-5, "{found:?}");
        }
        let back = found.inverse().after(&found);
        assert!((back.point([1.0, 2.0, 3.0])[2] - 3.0).abs() < 1e-12);
    }

    #[test]
    fn points_on_a_line_turn_it_no_more_than_they_must() {
        // Along x, and then along y: a quarter turn about z. What turns about the line itself stays.
        let line = [1.0, 2.0, 5.0].map(|at| ([at, 0.0, 0.0], [0.0, at, 3.0], 1.0));
        let (found, width) = Rigid::default().fitted(line.into_iter()).unwrap();
        assert!(width < 1e-9);
        for (a, b) in found.point([2.0, 0.0, 1.0]).iter().zip([0.0, 2.0, 4.0]) {
            assert!((a - b).abs() < 1e-4, "{found:?}");
        }
        let one = [([7.0, 0.0, 0.0], [0.0, 0.0, 1.0], 1.0)];
        let (found, _) = Rigid::default().fitted(one.into_iter()).unwrap();
        assert_eq!(found.point([8.0, 0.0, 0.0]).map(f64::round), [1.0, 0.0, 1.0]);
        let wrong = [([f64::NAN; 3], [0.0; 3], 1.0)];
        assert_eq!(Rigid::default().fitted(wrong.into_iter()), None);
    }
}
