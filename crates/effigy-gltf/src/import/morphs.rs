//! Morph targets: the shapes that a mesh has at its keys become frames, and between keys two frames mix.

use super::Import;
use super::channels::Path;
use super::meshes::Shape;
use super::nodes::sound;
use super::tracks::milliseconds;
use effigy_scene::{Frame, Interpolation, Morph, Track};
use effigy_wire::{Error, Kind, Result};
use glam::Vec3;
use std::collections::HashMap;

/// Seconds between two frames where weights follow a curve.
const STEP: f32 = 0.016;

/// Moves a shape by its targets.
pub(super) fn apply(shape: &mut Shape, weights: &[f32]) {
    let Frame { positions, normals } = posed(shape, weights);
    shape.positions = positions;
    shape.normals = normals;
}

fn posed(shape: &Shape, weights: &[f32]) -> Frame {
    let (mut positions, mut normals) = (shape.positions.clone(), shape.normals.clone());
    for (target, weight) in shape.targets.iter().zip(weights).filter(|(_, weight)| **weight != 0.0) {
        for (to, by) in positions.iter_mut().zip(&target.positions) {
            to.iter_mut().zip(by).for_each(|(to, by)| *to += by * weight);
        }
        for (to, by) in normals.iter_mut().zip(&target.normals) {
            to.iter_mut().zip(by).for_each(|(to, by)| *to += by * weight);
        }
    }
    for normal in &mut normals {
        *normal = Vec3::from(*normal).try_normalize().unwrap_or(Vec3::Y).into();
    }
    Frame { positions, normals }
}

/// The weights at a share of the way between two keys of a curve, tangents per second.
fn curve(rows: [&[f32]; 4], duration: f32, share: f32) -> Vec<f32> {
    let (t2, t3) = (share * share, share * share * share);
    let [a, out, into, b] = rows;
    a.iter()
        .zip(b)
        .zip(out.iter().zip(into))
        .map(|((a, b), (out, into))| {
            (2.0 * t3 - 3.0 * t2 + 1.0) * a
                + (t3 - 2.0 * t2 + share) * duration * out
                + (3.0 * t2 - 2.0 * t3) * b
                + (t3 - t2) * duration * into
        })
        .collect()
}

/// In how many parts a piece of a curve is cut.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the range is limited")]
fn steps(length: f32) -> u16 {
    (length / STEP).ceil().clamp(1.0, 4096.0) as u16
}

/// Weights over the time of one clip, in seconds.
type Rows = Vec<(f32, Vec<f32>)>;

impl Import<'_> {
    /// The weights at rest.
    pub(super) fn weights(&self, node: usize, mesh: usize, targets: usize) -> Vec<f32> {
        let own = self.document.nodes.get(node).and_then(|it| it.weights.as_ref());
        let shared = || self.document.meshes.get(mesh).and_then(|it| it.weights.as_ref());
        let mut weights = own.or_else(shared).cloned().unwrap_or_default();
        weights.resize(targets, 0.0);
        weights.iter_mut().filter(|it| !it.is_finite()).for_each(|it| *it = 0.0);
        weights
    }

    fn clip_rows(&self, sampler: &super::document::AnimationSamplerJson, targets: usize) -> Result<Rows> {
        let times = self.timeline.times(sampler.input)?;
        let values = self.data.scalars(sampler.output)?;
        let cubic = sampler.interpolation.as_deref() == Some("CUBICSPLINE");
        let step = sampler.interpolation.as_deref() == Some("STEP");
        let per_key = if cubic { targets.saturating_mul(3) } else { targets };
        if per_key == 0 || values.len() / per_key < times.len() {
            return Err(Error::new(Kind::Malformed, "fewer weights than keys"));
        }
        let keys: Vec<&[f32]> = values.chunks_exact(per_key).take(times.len()).collect();
        let part = |key: &'_ [f32], number: usize| -> Vec<f32> {
            key.get(number * targets..(number + 1) * targets).unwrap_or(&[]).to_vec()
        };
        let value = |key: &[f32]| part(key, usize::from(cubic));
        let mut rows: Rows = Vec::new();
        for (index, (time, key)) in times.iter().zip(&keys).enumerate() {
            if let (Some((_, before)), true) = (rows.last(), step) {
                rows.push((*time, before.clone()));
            }
            rows.push((*time, value(key)));
            let (Some(next), Some(until), true) = (keys.get(index + 1), times.get(index + 1), cubic) else {
                continue;
            };
            let (a, out, into, b) = (value(key), part(key, 2), part(next, 0), value(next));
            let length = until - time;
            let count = steps(length);
            for number in 1..count {
                let share = f32::from(number) / f32::from(count);
                rows.push((time + length * share, curve([&a, &out, &into, &b], length, share)));
            }
        }
        Ok(rows)
    }

    /// The frames of a mesh of our own: one target each.
    pub(super) fn frames(&self, shape: &Shape, order: Track<u32>) -> Morph {
        let axes = self.axes;
        let sum = |base: &[[f32; 3]], by: &[[f32; 3]]| -> Vec<[f32; 3]> {
            let moved = base
                .iter()
                .zip(by)
                .map(|(base, by)| axes.point((Vec3::from(*base) + Vec3::from(*by)).into()));
            let still = base.iter().skip(by.len()).map(|it| axes.point(*it));
            moved.chain(still).collect()
        };
        let frame = |target: &super::meshes::Target| Frame {
            positions: sum(&shape.positions, &target.positions),
            normals: sum(&shape.normals, &target.normals),
        };
        Morph { frames: shape.targets.iter().map(frame).collect(), order }
    }

    /// The frames of a mesh whose weights are animated.
    pub(super) fn morph(&mut self, node: usize, shape: &Shape, rest: &[f32]) -> Result<Option<Morph>> {
        let channels = self.channels.of(node, Path::Weights).to_vec();
        let mut morph = Morph {
            order: Track { interpolation: Interpolation::Linear, ..Track::default() },
            ..Morph::default()
        };
        let mut known: HashMap<Vec<u32>, u32> = HashMap::new();
        for (index, clip) in self.timeline.clips.clone().into_iter().enumerate() {
            let channel = channels.iter().find(|it| it.clip == index);
            let rows = match channel.map(|it| self.clip_rows(it.sampler, shape.targets.len())) {
                Some(rows) => sound(rows, node, &mut self.report).unwrap_or_default(),
                None => Vec::new(),
            };
            let rows = if rows.is_empty() { vec![(0.0, rest.to_vec())] } else { rows };
            let first = u32::try_from(morph.order.times.len()).unwrap_or(u32::MAX);
            for (time, weights) in rows {
                let bits: Vec<u32> = weights.iter().map(|it| it.to_bits()).collect();
                let frame = match known.get(&bits) {
                    Some(frame) => *frame,
                    None => {
                        self.data.spend(shape.positions.len(), 24)?;
                        morph.frames.push(posed(shape, &weights));
                        let frame = u32::try_from(morph.frames.len() - 1).unwrap_or(u32::MAX);
                        known.insert(bits, frame);
                        frame
                    }
                };
                let (time, fraction) = milliseconds(time);
                morph.order.push_time(clip.start.saturating_add(time), fraction);
                morph.order.values.push(frame);
            }
            let last = u32::try_from(morph.order.times.len().saturating_sub(1)).unwrap_or(u32::MAX);
            morph.order.windows.push([first, last]);
        }
        if morph.frames.is_empty() {
            return Ok(None);
        }
        let axes = self.axes;
        for value in morph.frames.iter_mut().flat_map(|it| it.positions.iter_mut().chain(&mut it.normals)) {
            *value = axes.point(*value);
        }
        Ok(Some(morph))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_follow_the_cubic_of_the_standard() {
        // Halfway: (a + b) / 2 + duration * (out - into) / 8.
        assert_eq!(curve([&[1.0], &[4.0], &[-4.0], &[3.0]], 2.0, 0.5), [4.0]);
        // A quarter of the way, by the four polynomials: 27/32, 9/64, 5/32 and -3/64.
        let found = curve(
            [&[32.0, 0.0, 0.0, 0.0], &[0.0, 64.0, 0.0, 0.0], &[0.0, 0.0, 64.0, 0.0], &[0.0, 0.0, 0.0, 32.0]],
            1.0,
            0.25,
        );
        assert_eq!(found, [27.0, 9.0, -3.0, 5.0]);
    }
}
