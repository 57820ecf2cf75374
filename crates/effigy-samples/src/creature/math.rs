//! The vector algebra that the creature needs: positions, unit quaternions (x, y, z, w) and easing.

/// A point or direction. X is forward, Y is left, Z is up.
pub(crate) type Vec3 = [f32; 3];
/// A unit quaternion, x, y, z, w.
pub(crate) type Quat = [f32; 4];

pub(crate) const NO_ROTATION: Quat = [0.0, 0.0, 0.0, 1.0];
pub(crate) const X: Vec3 = [1.0, 0.0, 0.0];
pub(crate) const Y: Vec3 = [0.0, 1.0, 0.0];
pub(crate) const Z: Vec3 = [0.0, 0.0, 1.0];

pub(crate) fn add(a: Vec3, b: Vec3) -> Vec3 {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

pub(crate) fn sub(a: Vec3, b: Vec3) -> Vec3 {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

pub(crate) fn scale(a: Vec3, s: f32) -> Vec3 {
    [a[0] * s, a[1] * s, a[2] * s]
}

pub(crate) fn mix(a: Vec3, b: Vec3, t: f32) -> Vec3 {
    add(scale(a, 1.0 - t), scale(b, t))
}

pub(crate) fn dot(a: Vec3, b: Vec3) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(crate) fn cross(a: Vec3, b: Vec3) -> Vec3 {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

pub(crate) fn length(a: Vec3) -> f32 {
    dot(a, a).sqrt()
}

/// The direction of `a`, or up if `a` is zero.
pub(crate) fn unit(a: Vec3) -> Vec3 {
    let l = length(a);
    if l > 1e-9 { scale(a, 1.0 / l) } else { Z }
}

/// A turn of `angle` radians about a unit `axis`, right-handed.
pub(crate) fn turn(axis: Vec3, angle: f32) -> Quat {
    let (s, c) = (angle * 0.5).sin_cos();
    [axis[0] * s, axis[1] * s, axis[2] * s, c]
}

/// First `b`, then `a`.
pub(crate) fn then(a: Quat, b: Quat) -> Quat {
    [
        a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
        a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
        a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
        a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
    ]
}

pub(crate) fn inverse(q: Quat) -> Quat {
    [-q[0], -q[1], -q[2], q[3]]
}

pub(crate) fn rotate(q: Quat, v: Vec3) -> Vec3 {
    let u = [q[0], q[1], q[2]];
    let t = scale(cross(u, v), 2.0);
    add(add(v, scale(t, q[3])), cross(u, t))
}

/// 0 before `from`, 1 after `to`, with a soft start and end between them.
pub(crate) fn ease(from: f32, to: f32, t: f32) -> f32 {
    let x = ((t - from) / (to - from)).clamp(0.0, 1.0);
    x * x * (3.0 - 2.0 * x)
}

/// A hump: 0 at `from`, 1 at `top`, 0 again at `to`.
pub(crate) fn hump(from: f32, top: f32, to: f32, t: f32) -> f32 {
    if t < top { ease(from, top, t) } else { 1.0 - ease(top, to, t) }
}

/// One full swing per unit of `t`.
pub(crate) fn wave(t: f32) -> f32 {
    (t * std::f32::consts::TAU).sin()
}

/// The nearest multiple of 1/65536. Sine and cosine differ in the last bit between platforms; the samples must not.
pub(crate) fn settle(x: f32) -> f32 {
    (x * 65536.0).round() / 65536.0 + 0.0
}

pub(crate) fn settle3(v: Vec3) -> Vec3 {
    v.map(settle)
}
