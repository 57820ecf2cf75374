//! Bounds of the model, its sequences and its meshes, from posed vertices and emitters; and how exact the weights are.

use super::geosets::SkinPlan;
use super::{Writer, extent, skin};
use crate::raise::bounds::{Inexact, Movable, Sweep, closed, followed, reach};
use crate::raise::names;
use crate::raise::parts::Part;
use effigy_mdx::{Caps, CollisionShape, Node as MdxNode, NodeFlags, Shape};
use effigy_scene::sample::Sampler;
use effigy_scene::{Bounds, Sequence};
use effigy_wire::FixedStr;

/// Farthest distance that particles count for.
const FARTHEST: f32 = 2000.0;

impl Writer<'_> {
    pub(super) fn extents(&mut self, plan: &SkinPlan) {
        let scene = self.scene;
        let classic = !self.caps.contains(Caps::GEOSET_LOD);
        let inexact = plan.0.iter().any(|plan| !plan.inexact.is_empty());
        if self.native && !classic && !inexact {
            return;
        }
        let sampler = Sampler::new(scene);
        let followed = followed(scene);
        let mut sweep = Sweep::new(sampler, &followed);
        // The geosets of all meshes.
        let mut movable: Vec<Movable> = (scene.meshes.as_slice().iter().zip(&plan.0))
            .flat_map(|(mesh, plan)| {
                let of = |part: &Part| Movable::new(mesh, part.vertices.iter().map(|it| *it as usize));
                plan.parts.iter().map(of)
            })
            .collect();
        let missing = plan.0.iter().map(|plan| plan.inexact.as_slice());
        let mut inexact_groups = Inexact::of(scene.meshes.as_slice().iter().zip(missing));
        let mut whole = Bounds::EMPTY;
        let mut error = 0.0_f32;
        // What the mouse has to hit: vertices without particles, in the first Stand.
        let is_stand = |it: &Sequence| names::is_stand(&it.name);
        let stand = scene.sequences.as_slice().iter().position(is_stand).unwrap_or(0);
        let mut solid = Bounds::EMPTY;
        for (number, (id, sequence)) in scene.sequences.iter().enumerate() {
            let mut sparks = Bounds::EMPTY;
            // Only classic models state the bounds of each geoset; others share what they have in common.
            let mut parts: Vec<Bounds> = vec![Bounds::EMPTY; if classic { movable.len() } else { 1 }];
            let all = sweep.add_to(&mut parts, &mut movable, (id, sequence), |posed| {
                if posed.is_main {
                    error = inexact_groups.error(posed.matrices, error);
                }
                for emitter in scene.emitters.as_slice().iter().filter(|_| !self.native) {
                    sparks = sparks.union(&reach(&sampler, emitter, posed.moment, posed.pose, FARTHEST));
                }
            });
            if number == stand {
                solid = all;
            }
            let stated = closed(all.union(&sparks));
            whole = whole.union(&stated);
            for (geoset, bounds) in self.model.geosets.iter_mut().zip(&parts) {
                if classic {
                    geoset.sequence_extents.push(extent(&closed(*bounds)));
                }
            }
            if !self.native
                && let Some(made) = self.model.sequences.get_mut(number)
            {
                made.extent = extent(&stated);
            }
        }
        if self.native && classic && !self.model.geosets.is_empty() && !scene.sequences.is_empty() {
            self.report.rebuilt("geosets", "bounds of the geosets in each sequence");
        }
        if inexact {
            self.report_error(plan, error);
        }
        if !self.native {
            self.model_extents(closed(whole), solid);
        }
    }

    fn report_error(&mut self, plan: &SkinPlan, error: f32) {
        let size = self.scene.info().bounds.size();
        let what = if !self.caps.contains(Caps::GEOSET_LOD) {
            "weights of bones became parts of at most an eighth"
        } else if plan.leaves_bones_out() {
            "vertices of more than four bones follow the four strongest"
        } else {
            return skin::report_bytes(&mut self.report, error, size);
        };
        let part = if size > 0.0 { error / size * 100.0 } else { 0.0 };
        self.report
            .approximated("skin", format!("{what}; the largest error is {part:.2} % of the model's size"));
    }

    fn model_extents(&mut self, whole: Bounds, solid: Bounds) {
        for geoset in &mut self.model.geosets {
            geoset.extent = Self::around(&geoset.vertices);
        }
        if let Some(info) = self.model.info.first_mut() {
            info.extent = extent(&whole);
        }
        if self.model.collision_shapes.is_empty() && !self.model.geosets.is_empty() {
            let Bounds { min, max, .. } = closed(solid);
            let node = MdxNode {
                name: FixedStr::truncated("Collision Box"),
                object_id: self.model.next_object_id(),
                flags: NodeFlags::COLLISION_SHAPE,
                ..MdxNode::default()
            };
            self.model.pivots.push([0.0; 3]);
            self.model.collision_shapes.push(CollisionShape { node, shape: Shape::Box { min, max } });
            self.report.rebuilt("collision", "a box around the first Stand");
        }
    }
}
