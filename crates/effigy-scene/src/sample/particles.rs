//! Particles: born, moved and drawn from a seed, the same every time.
//!
//! The rules are those of Warcraft III's second emitter and of M2, which share an engine: an emitter frame with a
//! quarter turn about Z, emission by an accumulator, gravity along Z, and values over life in two halves.

use super::random::Random;
use super::{Pose, Sampler, View, keys};
use crate::{Cells, EmitterShape, NodeRule, ParticleEmitter};
use glam::{Affine3A, Mat3A, Vec3A};

/// A step is never longer than this many seconds.
const LONGEST_STEP: f32 = 0.5;
/// Below this rate a squirting emitter counts as closed.
const SQUIRT_THRESHOLD: f32 = 0.02;

/// A live particle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Particle {
    /// Position in model space, or in emitter axes for emitters in model space.
    pub position: [f32; 3],
    /// Velocity in the same space, units per second.
    pub velocity: [f32; 3],
    /// Seconds since birth.
    pub age: f32,
    /// Seconds it lives.
    pub lifespan: f32,
    /// It turns the other way.
    pub mirrored: bool,
}

/// A textured rectangle, ready to draw: corners left-top, right-top, right-bottom, left-bottom.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quad {
    /// Corners in model space.
    pub corners: [[f32; 3]; 4],
    /// Texture coordinates of the corners.
    pub uvs: [[f32; 2]; 4],
    /// Red, green, blue, alpha.
    pub color: [f32; 4],
}

#[derive(Clone, Debug)]
struct State {
    particles: Vec<Particle>,
    waiting: f32,
    rate_before: f32,
    random: Random,
}

/// The particles of all emitters of a scene.
#[derive(Clone, Debug)]
pub struct Particles {
    states: Vec<State>,
    cap: usize,
}

impl Particles {
    /// Emitters without particles. Each has at most `cap` at once, since the model is untrusted.
    #[must_use]
    pub fn new(sampler: &Sampler<'_>, seed: u64, cap: usize) -> Self {
        let states = (0_u64..)
            .zip(sampler.scene.emitters.as_slice())
            .map(|(i, _)| State {
                particles: Vec::new(),
                waiting: 0.0,
                rate_before: 0.0,
                random: Random::new(seed ^ (i + 1).wrapping_mul(0xA24B_AED4_963E_E407)),
            })
            .collect();
        Self { states, cap }
    }

    /// The live particles of an emitter.
    #[must_use]
    pub fn of(&self, emitter: crate::Id<ParticleEmitter>) -> &[Particle] {
        self.states.get(emitter.index()).map_or(&[], |state| &state.particles)
    }

    /// Goes on by `seconds` to the pose's moment.
    pub fn step(&mut self, sampler: &Sampler<'_>, pose: &Pose, seconds: f32) {
        let dt = seconds.clamp(0.0, LONGEST_STEP);
        let clocks = sampler.clocks(&pose.moment);
        for (emitter, state) in sampler.scene.emitters.as_slice().iter().zip(&mut self.states) {
            let gravity = sampler.value_at(&emitter.gravity, &clocks);
            state.particles.retain_mut(|particle| advance(particle, emitter, gravity, dt));
            let on = sampler.value_at(&emitter.visibility, &clocks) > 0.0 && pose.is_open(emitter.node);
            let rate = if on { sampler.value_at(&emitter.rate, &clocks).max(0.0) } else { 0.0 };
            let lifespan = sampler.value_at(&emitter.lifespan, &clocks);
            let births = if emitter.squirt {
                let opened = state.rate_before <= SQUIRT_THRESHOLD && rate > SQUIRT_THRESHOLD;
                if opened { rate.floor() } else { 0.0 }
            } else {
                state.waiting += rate * dt;
                let whole = state.waiting.floor();
                state.waiting -= whole;
                whole
            };
            state.rate_before = rate;
            let room = self.cap.saturating_sub(state.particles.len());
            for _ in 0..whole_number(births).min(room) {
                let age = if emitter.squirt { 0.0 } else { state.random.unit() * dt };
                let frame = emitter_frame(emitter, pose);
                let mut particle = birth(sampler, emitter, &clocks, frame, &mut state.random);
                particle.age = age;
                particle.lifespan = lifespan;
                if age < lifespan {
                    state.particles.push(particle);
                }
            }
        }
    }

    /// The rectangles of an emitter's particles as seen from a view.
    pub fn quads(
        &self,
        emitter: &ParticleEmitter,
        index: usize,
        pose: &Pose,
        view: &View,
        quads: &mut Vec<Quad>,
    ) {
        let Some(state) = self.states.get(index) else { return };
        let frame = emitter_frame(emitter, pose);
        for particle in &state.particles {
            draw(emitter, particle, frame, view, quads);
        }
    }
}

#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "saturating casts of counts from floats"
)]
fn whole_number(value: f32) -> usize {
    value as usize
}

/// Node matrix, position and the quarter turn about Z that both games add.
fn emitter_frame(emitter: &ParticleEmitter, pose: &Pose) -> Affine3A {
    let node = pose.matrices.get(emitter.node.index()).copied().unwrap_or_default();
    let turn = Mat3A::from_cols(Vec3A::Y, -Vec3A::X, Vec3A::Z);
    Affine3A { matrix3: node.matrix3 * turn, translation: node.transform_point3a(emitter.position.into()) }
}

fn birth(
    sampler: &Sampler<'_>,
    emitter: &ParticleEmitter,
    clocks: &keys::Clocks<'_>,
    frame: Affine3A,
    random: &mut Random,
) -> Particle {
    let length = sampler.value_at(&emitter.length, clocks);
    let width = sampler.value_at(&emitter.width, clocks);
    let latitude = sampler.value_at(&emitter.latitude, clocks);
    let longitude = sampler.value_at(&emitter.longitude, clocks);
    let z_source = sampler.value_at(&emitter.z_source, clocks);
    let (mut position, mut direction) = match &emitter.shape {
        EmitterShape::Plane => {
            let (a, b) = (random.signed() * 0.5, random.signed() * 0.5);
            // In emitter axes Warcraft III spans width on x, M2 length.
            let position = match sampler.scene.node_rule {
                NodeRule::Warcraft | NodeRule::Wolfenstein => Vec3A::new(a * width, b * length, 0.0),
                NodeRule::World => Vec3A::new(a * length, b * width, 0.0),
            };
            let ((sa, ca), (sb, cb)) =
                ((random.signed() * latitude).sin_cos(), (random.signed() * longitude).sin_cos());
            (position, Vec3A::new(sa * cb, sa * sb, ca))
        }
        EmitterShape::Sphere => {
            let radius = length + random.unit() * (width - length);
            let ((sa, ca), (sb, cb)) =
                ((random.signed() * latitude).sin_cos(), (random.signed() * longitude).sin_cos());
            let direction = Vec3A::new(ca * cb, ca * sb, sa);
            (direction * radius, direction)
        }
        EmitterShape::Spline(points) => {
            let (from, to) = (length.clamp(0.0, 1.0), width.clamp(0.0, 1.0));
            let position = spline(points, from + random.unit() * (to - from));
            let (sin, cos) = (random.signed() * latitude).sin_cos();
            let direction = if latitude == 0.0 { Vec3A::ZERO } else { Vec3A::new(0.0, sin, cos) };
            (position + direction * (random.unit() * longitude), direction)
        }
    };
    if z_source != 0.0 {
        direction = (position - Vec3A::new(0.0, 0.0, z_source)).normalize_or_zero();
    }
    let vary = 1.0 + random.signed() * sampler.value_at(&emitter.variation, clocks);
    let mut velocity = direction * (sampler.value_at(&emitter.speed, clocks) * vary);
    if !emitter.model_space {
        position = frame.transform_point3a(position);
        velocity = frame.transform_vector3a(velocity);
    }
    Particle {
        position: position.into(),
        velocity: velocity.into(),
        age: 0.0,
        lifespan: 0.0,
        mirrored: random.unit() < 0.5,
    }
}

/// A point of a chain of cubic Bezier curves, 0 to 1 by curve.
fn spline(points: &[[f32; 3]], u: f32) -> Vec3A {
    let curves = points.len().saturating_sub(1) / 3;
    if curves == 0 {
        return points.first().copied().unwrap_or_default().into();
    }
    let along = u * curves as f32;
    let curve = whole_number(along).min(curves - 1);
    let t = along - curve as f32;
    let point = |i: usize| points.get(curve * 3 + i).copied().unwrap_or_default();
    <[f32; 3] as super::Value>::bezier(point(0), point(1), point(2), point(3), t).into()
}

/// Moves a particle; false when its life is over.
fn advance(particle: &mut Particle, emitter: &ParticleEmitter, gravity: f32, dt: f32) -> bool {
    particle.age += dt;
    if particle.age >= particle.lifespan {
        return false;
    }
    let mut velocity = Vec3A::from(particle.velocity);
    let mut position = Vec3A::from(particle.position) + velocity * dt;
    position.z -= 0.5 * gravity * dt * dt;
    velocity.z -= gravity * dt;
    velocity *= 1.0 - (emitter.drag * dt).min(1.0);
    particle.position = position.into();
    particle.velocity = velocity.into();
    true
}

fn draw(emitter: &ParticleEmitter, particle: &Particle, frame: Affine3A, view: &View, quads: &mut Vec<Quad>) {
    let life = &emitter.over_life;
    let u = if particle.lifespan > 0.0 { particle.age / particle.lifespan } else { 0.0 };
    let late = u > life.middle;
    let span = if late { 1.0 - life.middle } else { life.middle };
    let part = if span > 0.0 { (if late { u - life.middle } else { u }) / span } else { 0.0 };
    // The engine keeps a little away from both ends.
    let t = 0.99 * part + 0.005;
    let pick = |[start, middle, end]: [f32; 3]| {
        if late { middle + t * (end - middle) } else { start + t * (middle - start) }
    };
    let [c0, c1, c2] = life.colors;
    let [r, g, b] = [0, 1, 2].map(|i: usize| {
        let channel = |color: [f32; 3]| color.get(i).copied().unwrap_or(1.0);
        pick([channel(c0), channel(c1), channel(c2)])
    });
    let color = [r, g, b, pick(life.alphas)];
    let size = pick(life.sizes);
    let (mut position, mut velocity) = (Vec3A::from(particle.position), Vec3A::from(particle.velocity));
    if emitter.model_space {
        position = frame.transform_point3a(position);
        velocity = frame.transform_vector3a(velocity);
    }
    let (mut right, mut up) = (Vec3A::from(view.right), Vec3A::from(view.up));
    let half = usize::from(late);
    if emitter.head {
        if emitter.flat {
            let flat = Vec3A::new(velocity.x, velocity.y, 0.0);
            up = flat.try_normalize().unwrap_or(up);
            right = Vec3A::new(velocity.y, -velocity.x, 0.0).try_normalize().unwrap_or(right);
        }
        if emitter.spin != 0.0 {
            let angle = emitter.spin
                * particle.age
                * if emitter.spin < 0.0 && particle.mirrored { -1.0 } else { 1.0 };
            let (sin, cos) = angle.sin_cos();
            (right, up) = (right * cos + up * sin, up * cos - right * sin);
        }
        let (x, y) = (right * size, up * size);
        let [u0, v0, u1, v1] = cell(emitter, life.head.get(half).copied().unwrap_or_default(), t);
        quads.push(Quad {
            corners: [position - x + y, position + x + y, position + x - y, position - x - y].map(Into::into),
            uvs: [[u0, v0], [u1, v0], [u1, v1], [u0, v1]],
            color,
        });
    }
    let time = if emitter.tail_grows { emitter.tail_length.min(particle.age) } else { emitter.tail_length };
    let streak = velocity * time;
    if emitter.tail && streak.length_squared() > 0.0 {
        let across = streak.cross(Vec3A::from(view.back)).try_normalize().unwrap_or(right) * size;
        let end = position - streak;
        let [u0, v0, u1, v1] = cell(emitter, life.tail.get(half).copied().unwrap_or_default(), t);
        quads.push(Quad {
            corners: [position + across, end + across, end - across, position - across].map(Into::into),
            uvs: [[u0, v0], [u1, v0], [u1, v1], [u0, v1]],
            color,
        });
    }
}

/// The rectangle of the texture that shows: u0, v0, u1, v1.
fn cell(emitter: &ParticleEmitter, cells: Cells, t: f32) -> [f32; 4] {
    let [rows, columns] = emitter.cells.map(|n| n.max(1));
    let t = if cells.repeat > 1 { (t * cells.repeat as f32).fract() } else { t };
    let (start, end) = (cells.start as f32, cells.end as f32);
    let number =
        if end >= start { start + (end - start + 1.0) * t } else { start + 1.0 + (end - start - 1.0) * t };
    let number = u32::try_from(whole_number(number)).unwrap_or(0);
    let (column, row) = ((number % columns) as f32, (number / columns) as f32);
    let (width, height) = (1.0 / columns as f32, 1.0 / rows as f32);
    [column * width, row * height, (column + 1.0) * width, (row + 1.0) * height]
}
