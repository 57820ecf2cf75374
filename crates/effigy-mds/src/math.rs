//! Vectors and matrices of three, in the order of operations of the games.

/// Three rows.
pub(crate) type Rows = [[f32; 3]; 3];

pub(crate) fn dot(a: [f32; 3], b: [f32; 3]) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// A matrix times a vector.
pub(crate) fn turn(rows: &Rows, v: [f32; 3]) -> [f32; 3] {
    [dot(rows[0], v), dot(rows[1], v), dot(rows[2], v)]
}

pub(crate) fn transposed([a, b, c]: Rows) -> Rows {
    [[a[0], b[0], c[0]], [a[1], b[1], c[1]], [a[2], b[2], c[2]]]
}

/// A matrix times a matrix.
pub(crate) fn product(a: &Rows, b: &Rows) -> Rows {
    let columns = transposed(*b);
    a.map(|row| [dot(row, columns[0]), dot(row, columns[1]), dot(row, columns[2])])
}

pub(crate) fn add(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

pub(crate) fn sub(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

pub(crate) fn scaled(v: [f32; 3], by: f32) -> [f32; 3] {
    v.map(|number| number * by)
}

pub(crate) const IDENTITY: Rows = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
