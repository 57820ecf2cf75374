//! Ribbons: the edges that moving nodes leave behind.

use super::{Pose, Sampler};
use crate::{Id, Ribbon, RibbonGravity};
use glam::Vec3A;
use std::collections::VecDeque;

/// The shortest life of an edge in seconds, even if the model states less.
const SHORTEST_LIFE: f32 = 0.25;

/// One edge of a ribbon.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Edge {
    /// The end above, in model space.
    pub above: [f32; 3],
    /// The end below, in model space.
    pub below: [f32; 3],
    /// Seconds since it was left behind.
    pub age: f32,
}

#[derive(Clone, Debug, Default)]
struct State {
    edges: VecDeque<Edge>,
    head: Option<Edge>,
    waiting: f32,
}

/// The ribbons of a scene.
#[derive(Clone, Debug)]
pub struct Ribbons {
    states: Vec<State>,
    cap: usize,
}

impl Ribbons {
    /// Ribbons without edges. Each keeps at most `cap` edges, since the model is untrusted.
    #[must_use]
    pub fn new(sampler: &Sampler<'_>, cap: usize) -> Self {
        Self { states: sampler.scene.ribbons.as_slice().iter().map(|_| State::default()).collect(), cap }
    }

    /// The edges of a ribbon, newest first; the first is at the node.
    pub fn edges(&self, ribbon: Id<Ribbon>) -> impl Iterator<Item = &Edge> {
        self.states.get(ribbon.index()).into_iter().flat_map(|state| state.head.iter().chain(&state.edges))
    }

    /// Texture coordinate along the ribbon for an edge of this age, inside its cell 0 to 1.
    #[must_use]
    pub fn along(ribbon: &Ribbon, age: f32) -> f32 {
        (age / ribbon.lifespan.max(SHORTEST_LIFE)).clamp(0.0, 1.0)
    }

    /// Goes on by `seconds` to the pose's moment.
    pub fn step(&mut self, sampler: &Sampler<'_>, pose: &Pose, seconds: f32) {
        let clocks = sampler.clocks(&pose.moment);
        let dt = seconds.max(0.0);
        for (ribbon, state) in sampler.scene.ribbons.as_slice().iter().zip(&mut self.states) {
            let life = ribbon.lifespan.max(SHORTEST_LIFE);
            if dt > life {
                *state = State::default();
            }
            let pull = match ribbon.gravity_direction {
                RibbonGravity::Down => -ribbon.gravity,
                RibbonGravity::Up => ribbon.gravity,
            };
            for edge in &mut state.edges {
                // The sum over steps is gravity times age squared.
                let fall = pull * (dt * dt + 2.0 * edge.age * dt);
                edge.above[2] += fall;
                edge.below[2] += fall;
                edge.age += dt;
            }
            while state.edges.back().is_some_and(|edge| edge.age >= life) {
                state.edges.pop_back();
            }
            let on = sampler.value_at(&ribbon.visibility, &clocks) > 0.0
                && sampler.value_at(&ribbon.alpha, &clocks) > 0.0
                && pose.is_open(ribbon.node);
            if !on {
                state.head = None;
                state.waiting = 0.0;
                continue;
            }
            let matrix = pose.matrices.get(ribbon.node.index()).copied().unwrap_or_default();
            let at = matrix.transform_point3a(ribbon.position.into());
            let across = matrix.matrix3.y_axis;
            let now = Edge {
                above: (at + across * sampler.value_at(&ribbon.above, &clocks)).into(),
                below: (at - across * sampler.value_at(&ribbon.below, &clocks)).into(),
                age: 0.0,
            };
            let before = state.head.replace(now).unwrap_or(now);
            let rate = ribbon.rate.max(1.0);
            state.waiting += rate * dt;
            let first = state.waiting - rate * dt;
            let mut crossed = first.floor() + 1.0;
            let mut left = self.cap;
            while crossed <= state.waiting && left > 0 && dt > 0.0 {
                let t = ((crossed - first) / (rate * dt)).clamp(0.0, 1.0);
                let mix = |a: [f32; 3], b: [f32; 3]| Vec3A::from(a).lerp(Vec3A::from(b), t).into();
                let age = dt * (1.0 - t);
                state.edges.push_front(Edge {
                    above: mix(before.above, now.above),
                    below: mix(before.below, now.below),
                    age,
                });
                crossed += 1.0;
                left -= 1;
            }
            state.waiting = state.waiting.fract();
            state.edges.truncate(self.cap);
        }
    }
}
