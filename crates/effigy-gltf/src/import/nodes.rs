//! Nodes of the scene, with their tracks.

use super::accessor::Data;
use super::axes::Axes;
use super::channels::Path;
use super::document::Document;
use super::skeleton::{Frame, matrix};
use super::{Import, value::Value};
use crate::export::describe::REST;
use effigy_scene::{Animated, Extra, Extras, KeyRule, Node, NodeKind, Rotation, Scene, TurnRule};
use effigy_wire::{Report, Result};
use glam::{DAffine3, Quat};

/// The nodes at the top of the model.
pub(super) fn roots(document: &Document, report: &mut Report) -> Vec<usize> {
    let chosen = document.scene.unwrap_or(0);
    if let Some(scene) = document.scenes.get(chosen) {
        let others = document.scenes.len() - 1;
        if others > 0 {
            report.dropped("scenes", format!("scene {chosen} is read, {others} others are not"));
        }
        return scene.nodes.clone();
    }
    // Without a scene everything is shown.
    let mut is_child = vec![false; document.nodes.len()];
    for child in document.nodes.iter().flat_map(|node| &node.children) {
        if let Some(is_child) = is_child.get_mut(*child) {
            *is_child = true;
        }
    }
    is_child.iter().enumerate().filter(|(_, is_child)| !**is_child).map(|(index, _)| index).collect()
}

/// The inverse bind matrices of all skins.
pub(super) fn bind_matrices(document: &Document, data: &Data<'_>) -> Result<Vec<Vec<DAffine3>>> {
    let mut matrices: Vec<Vec<DAffine3>> = Vec::with_capacity(document.skins.len());
    for skin in &document.skins {
        let mut list: Vec<DAffine3> = match skin.inverse_bind_matrices {
            Some(accessor) => data.floats::<16>(accessor)?.iter().map(matrix).collect(),
            None => Vec::new(),
        };
        list.resize(skin.joints.len(), DAffine3::IDENTITY);
        matrices.push(list);
    }
    Ok(matrices)
}

/// Values as extras.
pub(super) fn extras(value: &Value) -> Extras {
    match Extra::from(value) {
        Extra::Map(extras) => extras,
        _ => Extras::default(),
    }
}

/// The name of the model and what the file says about itself.
pub(super) fn describe(document: &Document, scene: &mut Scene, report: &mut Report) {
    scene.key_rule = KeyRule::Hold;
    scene.turn_rule = TurnRule::Slerp;
    let chosen = document.scenes.get(document.scene.unwrap_or(0));
    let name = chosen.map(|scene| scene.name.as_str()).filter(|name| !name.is_empty() && *name != "Scene");
    if let Some(name) = name {
        scene.name = name.to_owned();
    }
    scene.extras.set("format", "gltf");
    for (name, text) in [("generator", &document.asset.generator), ("copyright", &document.asset.copyright)] {
        if let Some(text) = text {
            scene.extras.set(name, text.as_str());
        }
    }
    let all: Vec<_> = scene.meshes.as_slice().iter().map(|mesh| mesh.bounds).collect();
    scene.bounds = all.iter().fold(effigy_scene::Bounds::EMPTY, |sum, one| sum.union(one));
    if let Some(variants) = &document.extensions.variants {
        let names: Vec<Extra> = variants.variants.iter().map(|it| Extra::from(it.name.as_str())).collect();
        report.add(
            effigy_wire::Outcome::KeptAside,
            "variants",
            format!("{} variants of materials; the default one is shown", names.len()),
        );
        scene.extras.set("variants", names);
    }
}

/// Notes how an empty is turned and stretched in the file: in the bind pose the scene's nodes are neither. It says how large a collision
/// shape is, and which axes an attachment has.
fn note_rest(node: &mut Node, bind: DAffine3, axes: Axes) {
    let (scale, turn, _) = bind.to_scale_rotation_translation();
    let (scale, turn) = (scale.as_vec3(), turn.as_quat());
    let plain = turn.w.abs() > 1.0 - 1e-7 && scale.abs_diff_eq(glam::Vec3::ONE, 1e-6);
    if plain || !turn.is_finite() || !scale.is_finite() {
        return;
    }
    let mut rest = Extras::default();
    rest.set("rotation", axes.rotation(Rotation(turn.to_array())).0);
    rest.set("scale", axes.scale(scale.into()));
    node.extras.set(REST, rest);
}

fn is_uneven([x, y, z]: [f32; 3]) -> bool {
    let most = x.max(y).max(z);
    let least = x.min(y).min(z);
    least <= 0.0 || most - least > 1e-5 * most
}

/// Zero but for rounding becomes zero.
fn settle(value: [f32; 3], about: [f32; 3], size: f32) -> [f32; 3] {
    let near = value.iter().zip(about).all(|(a, b)| (a - b).abs() <= 1e-6 * size.max(1.0));
    if near { about } else { value }
}

impl Import<'_> {
    /// Whether a node carries nothing of its own: a skinned mesh is placed by its joints alone.
    fn is_only_a_skinned_mesh(&self, index: usize) -> bool {
        self.document.nodes.get(index).is_some_and(|node| {
            node.mesh.is_some()
                && node.skin.is_some()
                && node.children.is_empty()
                && node.camera.is_none()
                && node.extensions.light.is_none()
                && !self.skins.is_joint(index)
        })
    }

    pub(super) fn add_nodes(&mut self, matrices: Vec<Vec<DAffine3>>) -> Result<()> {
        let count = self.document.nodes.len();
        let moves: Vec<bool> = (0..count).map(|index| self.channels.moves(index)).collect();
        let mut uneven = vec![false; count];
        for index in self.skeleton.order.clone() {
            let rest = self.skeleton.bone(index).is_some_and(|bone| is_uneven(bone.rest.scale));
            let mut stretched = rest;
            for channel in self.channels.of(index, Path::Scale) {
                if stretched {
                    break;
                }
                let values = self.data.floats::<3>(channel.sampler.output).unwrap_or_default();
                let step =
                    if channel.sampler.interpolation.as_deref() == Some("CUBICSPLINE") { 3 } else { 1 };
                stretched |= values.iter().skip(step / 2).step_by(step).any(|it| is_uneven(*it));
                // Curves through even values may still be uneven between them.
                stretched |= step == 3 && values.iter().any(|[x, y, z]| x != y || y != z);
            }
            if let Some(slot) = uneven.get_mut(index) {
                *slot = stretched;
            }
        }
        let mut forced: Vec<Option<Frame>> = vec![None; count];
        let places = if self.ours.is_some() {
            forced = self.document.nodes.iter().map(super::ours::frame).collect();
            Vec::new()
        } else {
            self.skeleton.bind(&self.document.skins, &matrices, &uneven, &mut forced)
        };
        self.skeleton.place(&moves, &uneven, &forced);
        self.skins.set(self.document, matrices, places);
        let mut order = self.skeleton.order.clone();
        order.sort_unstable();
        order.retain(|index| !self.is_only_a_skinned_mesh(*index) && self.is_scene_node(*index));
        for (place, index) in order.iter().enumerate() {
            if let Some(slot) = self.nodes.get_mut(*index) {
                *slot = u32::try_from(place).ok().map(effigy_scene::Id::new);
            }
        }
        let prints = if self.ours.is_some() { self.prints() } else { Vec::new() };
        for index in order {
            let mut node = self.node(index)?;
            if self.ours.is_some() {
                self.restore_node(index, &mut node, prints.get(index).copied().unwrap_or(0));
            }
            self.scene.nodes.push(node);
        }
        Ok(())
    }

    /// Whether a node of our own file was a node before; of other files every one is.
    fn is_scene_node(&self, index: usize) -> bool {
        use super::ours::{Role, role};
        let role = self.document.nodes.get(index).map(role);
        self.ours.is_none() || matches!(role, Some(Role::Node | Role::Foreign))
    }

    /// The nearest node of the scene at or above a node of the document.
    pub(super) fn carrier(&self, mut index: usize) -> Option<effigy_scene::Id<Node>> {
        loop {
            if let Some(Some(id)) = self.nodes.get(index) {
                return Some(*id);
            }
            index = self.skeleton.bone(index)?.parent?;
        }
    }

    fn node(&mut self, index: usize) -> Result<Node> {
        let (Some(source), Some(bone)) = (self.document.nodes.get(index), self.skeleton.bone(index).cloned())
        else {
            return Ok(Node::default());
        };
        let axes = self.axes;
        let parent = bone.parent.and_then(|it| self.carrier(it));
        let name = if source.name.is_empty() { format!("Node {index}") } else { source.name.clone() };
        let is_bone = self.skins.is_joint(index) || source.mesh.is_some();
        let kind = if is_bone { NodeKind::Bone } else { NodeKind::Helper };
        let point: [f32; 3] = bone.frame.point.as_vec3().into();
        let mut node = Node::new(name, kind, parent, axes.point(point));
        node.extras = extras(&source.extras);
        if !is_bone {
            note_rest(&mut node, bone.bind(), axes);
        }
        let change = self.skeleton.change(index);
        if change.still {
            return Ok(node);
        }
        let size = bone.frame.point.abs().max_element();
        #[allow(clippy::cast_possible_truncation, reason = "only a tolerance")]
        let size = size as f32;
        let translation = settle(change.translation(bone.rest.translation), [0.0; 3], size);
        let scale = settle(change.scale(bone.rest.scale), [1.0; 3], 1.0);
        let rotation = change.rotation(Quat::from_array(bone.rest.rotation));
        let rotation = if rotation.w.abs() > 1.0 - 1e-7 && rotation.xyz().abs().max_element() < 1e-6 {
            Rotation::IDENTITY
        } else {
            Rotation(rotation.to_array())
        };
        node.translation = Animated::fixed(axes.point(translation));
        node.rotation = Animated::fixed(axes.rotation(rotation));
        node.scale = Animated::fixed(axes.scale(scale));
        let mut pieces = Vec::new();
        for channel in self.channels.of(index, Path::Translation) {
            let value = |it| axes.point(change.translation(it));
            let piece = self
                .timeline
                .piece(channel.clip, channel.sampler, value, |it| axes.point(change.tangent(it)));
            pieces.extend(sound(piece, index, &mut self.report));
        }
        node.translation.track = self.timeline.join(&pieces, node.translation.base)?;
        let mut pieces = Vec::new();
        for channel in self.channels.of(index, Path::Rotation) {
            let piece = self.timeline.piece::<4, [f32; 4]>(channel.clip, channel.sampler, |it| it, |it| it);
            let piece = sound(piece, index, &mut self.report);
            let turn = |it: Quat| Quat::from_array(axes.rotation(Rotation(change.rotation(it).to_array())).0);
            pieces.extend(piece.map(|it| it.into_rotations(turn)));
        }
        node.rotation.track = self.timeline.join(&pieces, node.rotation.base)?;
        let mut pieces = Vec::new();
        for channel in self.channels.of(index, Path::Scale) {
            let value = |it| axes.scale(change.scale(it));
            let piece = self.timeline.piece(channel.clip, channel.sampler, value, value);
            pieces.extend(sound(piece, index, &mut self.report));
        }
        node.scale.track = self.timeline.join(&pieces, node.scale.base)?;
        Ok(node)
    }
}

/// The keys of a channel, or a line of the report.
pub(super) fn sound<T>(piece: Result<T>, node: usize, report: &mut Report) -> Option<T> {
    match piece {
        Ok(piece) => Some(piece),
        Err(error) => {
            report.dropped(format!("nodes[{node}]"), format!("an animation of it: {error}"));
            None
        }
    }
}
