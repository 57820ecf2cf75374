//! Nodes that refuse something of their parents: glTF has no such nodes, so their motion is sampled.

use super::Builder;
use super::animation::Film;
use super::clip::Clip;
use super::curve::{Curve, Mode, seconds};
use super::nodes::no_negative_zero;
use effigy_scene::coordinates::{rotation_to_y_up, scale_swapped, to_y_up};
use effigy_scene::{Id, Node, Rotation};
use glam::{Mat4, Quat, Vec3};

/// Sampled motion of one node.
struct Baked {
    translation: Curve<[f32; 3]>,
    rotation: Curve<[f32; 4]>,
    scale: Curve<[f32; 3]>,
}

fn empty<const N: usize>() -> Curve<[f32; N]> {
    Curve { mode: Mode::Linear, times: Vec::new(), values: Vec::new(), tangents: Vec::new() }
}

impl Builder<'_> {
    /// Nodes whose motion an ordinary hierarchy does not give.
    pub(super) fn baked_nodes(&mut self) -> Vec<Id<Node>> {
        let mut baked = Vec::new();
        for (id, node) in self.scene.nodes.iter().filter(|(_, node)| node.ignore.any()) {
            let mut above = node.parent;
            let mut moved = node.ignore.rotation && node.ignore.scale;
            while let Some(parent) = above.and_then(|id| self.scene.nodes.get(id)) {
                moved |= parent.is_animated();
                above = parent.parent;
            }
            if moved {
                baked.push(id);
            }
        }
        if !baked.is_empty() {
            self.report.approximated(
                "nodes",
                format!("{} nodes that do not follow their parents in full were sampled", baked.len()),
            );
        }
        baked
    }

    pub(super) fn baked_channels(&mut self, film: &mut Film, clip: &Clip, baked: &[Id<Node>]) {
        if baked.is_empty() || matches!(clip, Clip::Global { .. }) {
            return;
        }
        let mut times = Vec::new();
        clip.even_times(self.options.fps, &mut times);
        for node in baked.iter().filter_map(|id| self.scene.nodes.get(*id)) {
            for track in node.translation.track.iter().chain(&node.scale.track).filter(|it| clip.plays(it)) {
                clip.key_times(&self.sampler, track, &mut times);
            }
            for track in node.rotation.track.iter().filter(|it| clip.plays(it)) {
                clip.key_times(&self.sampler, track, &mut times);
            }
        }
        let mut list: Vec<Baked> =
            baked.iter().map(|_| Baked { translation: empty(), rotation: empty(), scale: empty() }).collect();
        let mut pose = self.sampler.pose();
        for time in clip.boundaries(times) {
            self.sampler.sample(&clip.moment(time), None, &mut pose);
            for (id, into) in baked.iter().zip(&mut list) {
                let Some(node) = self.scene.nodes.get(*id) else { continue };
                let stack = |id: Id<Node>, pivot: [f32; 3]| {
                    Mat4::from_cols_array_2d(&pose.matrix(id)) * Mat4::from_translation(Vec3::from(pivot))
                };
                let above = node
                    .parent
                    .and_then(|parent| Some(stack(parent, self.scene.nodes.get(parent)?.pivot)))
                    .unwrap_or(Mat4::IDENTITY);
                // A parent scaled to nothing hides the child whatever it does.
                let back = if above.determinant().abs() > 1e-12 { above.inverse() } else { Mat4::IDENTITY };
                let (scale, turn, place) = (back * stack(*id, node.pivot)).to_scale_rotation_translation();
                into.push(seconds(time), scale, turn, place);
            }
        }
        for (id, curves) in baked.iter().zip(list) {
            let node = self.node(*id);
            self.channel(film, node, "translation", curves.translation, [f32::NAN; 3]);
            self.channel(film, node, "rotation", curves.rotation, [f32::NAN; 4]);
            self.channel(film, node, "scale", curves.scale, [f32::NAN; 3]);
        }
    }
}

impl Baked {
    fn push(&mut self, time: f32, scale: Vec3, turn: Quat, place: Vec3) {
        if self.translation.times.last().is_some_and(|last| *last >= time) {
            return;
        }
        let Rotation(turn) = rotation_to_y_up(Rotation(
            if turn.is_finite() { turn.normalize() } else { Quat::IDENTITY }.to_array(),
        ));
        let before = self.rotation.values.last().copied().unwrap_or([0.0, 0.0, 0.0, 1.0]);
        let turn = Quat::from_array(turn);
        let turn = if turn.dot(Quat::from_array(before)) < 0.0 { -turn } else { turn };
        let finite = |value: Vec3| if value.is_finite() { value } else { Vec3::ZERO };
        self.translation.times.push(time);
        self.translation.values.push(no_negative_zero(to_y_up(finite(place).into())));
        self.rotation.times.push(time);
        self.rotation.values.push(turn.to_array());
        self.scale.times.push(time);
        self.scale.values.push(scale_swapped(finite(scale).into()));
    }
}
