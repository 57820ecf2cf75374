//! Bounds of the model and its sequences, from posed vertices and emitters.

use super::Writer;
use crate::raise::bounds::{MOMENTS, Matrices, Movable, closed, reach};
use effigy_scene::Bounds;
use effigy_scene::sample::Moment;

/// Farthest distance that particles count for, in yards.
const FARTHEST: f32 = 36.0;

const fn corners(bounds: &Bounds) -> [f32; 6] {
    let ([ax, ay, az], [bx, by, bz]) = (bounds.min, bounds.max);
    [ax, ay, az, bx, by, bz]
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
        let (mut pose, mut matrices) = (self.sampler.pose(), Matrices::default());
        let mut whole = Bounds::EMPTY;
        let mut clips = Vec::new();
        let mut movable: Vec<Movable> = scene.meshes.as_slice().iter().map(Movable::whole).collect();
        for (id, sequence) in scene.sequences.iter() {
            let mut all = Bounds::EMPTY;
            for part in MOMENTS {
                let moment =
                    Moment { sequence: Some(id), time: f64::from(sequence.length()) * part, clock: 0.0 };
                self.sampler.sample(&moment, None, &mut pose);
                matrices.take(&scene.nodes, &pose);
                for movable in &mut movable {
                    movable.add_to(&mut all, &matrices);
                }
                for emitter in scene.emitters.as_slice() {
                    all = all.union(&reach(&self.sampler, emitter, &moment, &pose, FARTHEST));
                }
            }
            whole = whole.union(&all);
            clips.push(closed(all));
        }
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
