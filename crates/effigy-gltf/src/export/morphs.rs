//! Morph frames: one target a distinct frame, two neighbours active at a time.

use super::Builder;
use super::clip::Clip;
use super::curve::{Curve, Mode, seconds};
use super::meshes::unit_or_up;
use crate::buffer::Use;
use crate::json::{Json, Object};
use effigy_scene::coordinates::to_y_up;
use effigy_scene::{Mesh, Morph};

impl Builder<'_> {
    /// Adds the frames of a mesh as targets of its primitive; returns how many.
    pub(super) fn morph_targets(&mut self, mesh: &Mesh, primitive: &mut Object) -> usize {
        let Some(morph) = &mesh.morph else { return 0 };
        let base_normals: Vec<[f32; 3]> =
            mesh.normals.iter().map(|normal| unit_or_up(to_y_up(*normal))).collect();
        let difference = |now: [f32; 3], then: [f32; 3]| -> [f32; 3] {
            (glam::Vec3::from(now) - glam::Vec3::from(then)).into()
        };
        let mut targets: Vec<Json> = Vec::with_capacity(morph.frames.len());
        for frame in &morph.frames {
            let positions: Vec<[f32; 3]> = frame
                .positions
                .iter()
                .zip(&mesh.positions)
                .map(|(now, then)| to_y_up(difference(*now, *then)))
                .collect();
            let mut target = Object::default().with("POSITION", self.bin.changes(&positions));
            if !base_normals.is_empty() {
                let normals: Vec<[f32; 3]> = frame
                    .normals
                    .iter()
                    .zip(&base_normals)
                    .map(|(now, then)| difference(unit_or_up(to_y_up(*now)), *then))
                    .collect();
                target.set("NORMAL", self.bin.changes(&normals));
            }
            targets.push(target.into());
        }
        let count = targets.len();
        if count > 0 {
            primitive.set("targets", targets);
        }
        count
    }

    /// The weights of a clip: time by time, one number a target. None when nothing changes from rest.
    pub(super) fn morph_weights(&mut self, clip: &Clip, morph: &Morph) -> Option<(usize, usize)> {
        if !clip.plays(&morph.order) {
            return None;
        }
        let mut times = Vec::new();
        if !clip.key_times(&self.sampler, &morph.order, &mut times) {
            return None;
        }
        let bounds = clip.boundaries(times);
        let targets = morph.frames.len();
        let mut curve: Curve<()> =
            Curve { mode: Mode::Linear, times: Vec::new(), values: Vec::new(), tangents: Vec::new() };
        let mut weights = Vec::with_capacity(bounds.len() * targets);
        for time in bounds {
            let row = weights.len();
            weights.resize(row + targets, [0.0_f32]);
            curve.times.push(seconds(time));
            let moment = clip.moment(time);
            let window = self.sampler.window(&morph.order, &moment);
            let Some(segment) = window.and_then(|it| self.sampler.segment(&morph.order, &moment, it)) else {
                continue;
            };
            let mut add = |key: usize, weight: f32| {
                let frame = morph.order.values.get(key).map_or(0, |frame| *frame as usize);
                if let Some([slot]) = weights.get_mut(row + frame) {
                    *slot += weight;
                }
            };
            add(segment.from, 1.0 - segment.t);
            add(segment.to, segment.t);
        }
        Some((self.bin.times(&curve.times), self.bin.floats(Use::Animation, &weights, false)))
    }
}
