//! Nodes: one each, at the pivot, relative to the parent's pivot.

use super::{Builder, ROOT, describe};
use crate::json::{self, Object};
use effigy_scene::coordinates::{rotation_to_y_up, scale_swapped, to_y_up};
use effigy_scene::{Node, Rotation};

/// A quarter turn about Y: the games' models face +X, those of glTF +Z.
const TO_FRONT: [f32; 4] = [0.0, -std::f32::consts::FRAC_1_SQRT_2, 0.0, std::f32::consts::FRAC_1_SQRT_2];

impl Builder<'_> {
    pub(super) fn add_nodes(&mut self) {
        let name = self.unique("node", &self.scene.name, "Model");
        let scale = self.options.scale;
        self.nodes.push(json::Node {
            name,
            rotation: Some(TO_FRONT),
            scale: (scale != 1.0).then_some([scale; 3]),
            extras: describe::model(self.scene),
            ..json::Node::default()
        });
        for node in self.scene.nodes.as_slice() {
            let name = self.unique("node", &node.name, "Node");
            let rotation = upper(super::curve::unit_rotation(self.sampler.value(&node.rotation, &self.rest)));
            let scale = self.sampler.value(&node.scale, &self.rest);
            let translation = self.rest_translation(node);
            self.nodes.push(json::Node {
                name,
                translation: (translation != [0.0; 3]).then_some(translation),
                rotation: (rotation != Rotation::IDENTITY).then(|| rotation_to_y_up(rotation).0),
                scale: (scale != [1.0; 3]).then(|| scale_swapped(scale)),
                extras: describe::node(node),
                ..json::Node::default()
            });
            if let Some(last) = self.nodes.last_mut().filter(|it| it.name != node.name) {
                last.extras.set("name", node.name.as_str());
            }
        }
        for (id, node) in self.scene.nodes.iter() {
            let parent = node.parent.map_or(ROOT, |parent| self.node(parent));
            let child = self.node(id);
            if let Some(parent) = self.nodes.get_mut(parent) {
                parent.children.push(child);
            }
        }
        self.rest_baked();
    }

    /// Notes the tracks of nodes as the game has them, and materials that no mesh uses.
    pub(super) fn note_tracks(&mut self) {
        let mut prints = vec![0_u64; self.nodes.len()];
        for animation in &self.animations {
            for channel in &animation.channels {
                let (Some(node), Some(sampler)) =
                    (channel.target.node, animation.samplers.get(channel.sampler))
                else {
                    continue;
                };
                if let Some(print) = prints.get_mut(node) {
                    *print = channel_print(
                        *print,
                        channel.target.path,
                        sampler.interpolation,
                        [self.bin.print(sampler.input), self.bin.print(sampler.output)],
                    );
                }
            }
        }
        for (id, node) in self.scene.nodes.iter() {
            let place = self.node(id);
            let print = prints.get(place).copied().unwrap_or(0);
            let tracks = match self.is_sampled() && node.is_animated() {
                // Frame by frame they would be several times as long as the animations.
                true => Some(Object::default().with(describe::SAMPLED, true)),
                false => describe::tracks(node, print),
            };
            if let (Some(tracks), Some(node)) = (tracks, self.nodes.get_mut(place)) {
                node.extras.set("tracks", tracks);
            }
        }
        let used: std::collections::HashSet<usize> =
            self.materials.uses.iter().map(|it| it.material.index()).collect();
        let unused = self.scene.materials.iter().filter(|(id, _)| !used.contains(&id.index()));
        let unused: Vec<crate::json::Json> =
            unused.map(|(id, it)| describe::material(it, id.index(), self.scene).into()).collect();
        if let Some(root) = self.nodes.get_mut(ROOT).filter(|_| !unused.is_empty()) {
            root.extras.set("materials", unused);
        }
    }

    /// The pivot as seen from the parent's pivot.
    pub(super) fn offset(&self, node: &Node) -> [f32; 3] {
        let [px, py, pz] =
            node.parent.and_then(|id| self.scene.nodes.get(id)).map_or([0.0; 3], |it| it.pivot);
        let [x, y, z] = node.pivot;
        [x - px, y - py, z - pz]
    }

    fn rest_translation(&self, node: &Node) -> [f32; 3] {
        let ([x, y, z], [tx, ty, tz]) =
            (self.offset(node), self.sampler.value(&node.translation, &self.rest));
        no_negative_zero(to_y_up([x + tx, y + ty, z + tz]))
    }

    /// A node below a scene's node, at a position of the bind pose.
    pub(super) fn child(
        &mut self,
        parent: effigy_scene::Id<Node>,
        position: [f32; 3],
        name: &str,
        extras: Object,
    ) -> usize {
        let pivot = self.pivot(parent);
        let ([x, y, z], [px, py, pz]) = (position, pivot);
        let translation = no_negative_zero(to_y_up([x - px, y - py, z - pz]));
        let name = self.unique("node", name, "Node");
        let node = json::Node {
            name,
            translation: (translation != [0.0; 3]).then_some(translation),
            extras,
            ..json::Node::default()
        };
        let parent = self.node(parent);
        self.add_node(parent, node)
    }
}

/// Adds a channel to the fingerprint of what moves a node.
pub(crate) fn channel_print(print: u64, path: &str, interpolation: &str, accessors: [u64; 2]) -> u64 {
    let words =
        [crate::buffer::fingerprint(path.as_bytes()), crate::buffer::fingerprint(interpolation.as_bytes())];
    words.into_iter().chain(accessors).fold(print, crate::buffer::mix)
}

/// The same rotation with the sign that the first key of a curve has.
fn upper(Rotation([x, y, z, w]): Rotation) -> Rotation {
    if w < 0.0 { Rotation([-x, -y, -z, -w]) } else { Rotation([x, y, z, w]) }
}

/// -0 becomes 0: the same number, shorter to read.
pub(super) fn no_negative_zero(values: [f32; 3]) -> [f32; 3] {
    values.map(|value| value + 0.0)
}
