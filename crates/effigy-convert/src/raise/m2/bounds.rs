//! Bounds of the model and its sequences, from posed vertices and emitters; and how exact the weights are.

use super::Writer;
use crate::raise::bounds::{Inexact, Missing, Movable, Sweep, closed, followed, reach};
use crate::raise::skin;
use effigy_scene::{Bounds, Mesh};

/// Farthest distance that particles count for, in yards.
const FARTHEST: f32 = 36.0;

const fn corners(bounds: &Bounds) -> [f32; 6] {
    let ([ax, ay, az], [bx, by, bz]) = (bounds.min, bounds.max);
    [ax, ay, az, bx, by, bz]
}

/// The groups of a mesh whose weights are not those of the source, because they are bytes.
fn missing(mesh: &Mesh) -> Vec<Missing> {
    let Some(source) = &mesh.skin else { return Vec::new() };
    let numbers = 0..u32::try_from(source.groups.len()).unwrap_or(u32::MAX);
    let rest = |group| {
        let shares = skin::shares(source, group);
        Some((group, skin::rest_of_row(&shares, &skin::row(&shares))?))
    };
    numbers.filter_map(rest).collect()
}

impl Writer<'_> {
    pub(super) fn bounds(&mut self) {
        let scene = self.scene;
        if self.native {
            if !scene.bounds.is_empty() {
                self.model.bounds = corners(&scene.bounds);
            }
            self.model.radius = scene.bounds.radius;
            return;
        }
        let followed = followed(scene);
        let mut sweep = Sweep::new(self.sampler, &followed);
        let mut whole = Bounds::EMPTY;
        let mut clips = Vec::new();
        let mut movable: Vec<Movable> = scene.meshes.as_slice().iter().map(Movable::whole).collect();
        let missing: Vec<Vec<Missing>> = scene.meshes.as_slice().iter().map(missing).collect();
        let missing = missing.iter().map(Vec::as_slice);
        let mut inexact = Inexact::of(scene.meshes.as_slice().iter().zip(missing));
        let mut error = 0.0_f32;
        for (id, sequence) in scene.sequences.iter() {
            let mut sparks = Bounds::EMPTY;
            let solid = sweep.add_to(&mut [Bounds::EMPTY], &mut movable, (id, sequence), |posed| {
                if posed.is_main {
                    error = inexact.error(posed.matrices, error);
                }
                for emitter in scene.emitters.as_slice() {
                    sparks = sparks.union(&reach(&self.sampler, emitter, posed.moment, posed.pose, FARTHEST));
                }
            });
            let all = solid.union(&sparks);
            whole = whole.union(&all);
            clips.push(closed(all));
        }
        skin::report_bytes(&mut self.report, error, scene.info().bounds.size());
        let whole = closed(whole);
        self.model.bounds = corners(&whole);
        self.model.radius = whole.radius;
        for (record, planned) in self.model.contents.sequences.iter_mut().zip(&self.plan.sequences) {
            let Some(bounds) = clips.get(planned.clip) else { continue };
            record.bounds = corners(bounds);
            record.radius = bounds.radius;
        }
    }
}
