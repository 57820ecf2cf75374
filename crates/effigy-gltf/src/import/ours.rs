//! Files of our own: what `extras` say that glTF cannot.
//!
//! The root node states the version of the notes. A node whose channels are still those that were written takes its tracks
//! from its notes, bit by bit; a node that somebody has moved takes what the file plays. The same holds for materials (`edited.rs`).
//! Everything else (emitters, sequences, ...) is in the notes alone.

use super::document::{Document, NodeJson};
use super::edited::{self, Change};
use super::skeleton::Frame;
use super::value::Value;
use super::{Import, notes};
use crate::export::describe::{self, NOTES};
use crate::export::nodes::channel_print;
use crate::export::sprites::SPRITE;
use effigy_scene::coordinates::to_y_up;
use effigy_scene::{
    Billboard, GlobalSequence, Id, Ignore, KeyRule, Mesh, Node, NodeKind, NodeRule, Scene, Sequence, TurnRule,
};
use glam::{DAffine3, DVec3};

/// What a node of our own files is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Root,
    /// A node of the scene.
    Node,
    /// A mesh, an object in extras, a camera: it is not a node of the scene.
    Object,
    /// A joint that hides what follows its parent.
    Shown,
    /// A joint that never moves.
    Still,
    /// Somebody has added it.
    Foreign,
}

/// The kinds of objects that are described in the extras of nodes.
pub(super) const OBJECTS: &[&str] =
    &["attachment", "event", "particleEmitter", "ribbon", "effect", "collisionShape", "light", "camera"];

pub(super) fn role(node: &NodeJson) -> Role {
    let extras = &node.extras;
    if extras.get("effigy").is_some() {
        return Role::Root;
    }
    match extras.get("joint").and_then(Value::text) {
        Some("shown") => return Role::Shown,
        Some("still") => return Role::Still,
        _ => {}
    }
    if extras.get("kind").is_some() && extras.get("bindPivot").is_some() {
        Role::Node
    } else if extras.get("mesh").is_some() || OBJECTS.iter().any(|it| extras.get(it).is_some()) {
        Role::Object
    } else {
        Role::Foreign
    }
}

/// The root node, if the file is one of ours and its skeleton is as it was written. Programs such as Blender give bones
/// other axes; then the file is read like any other.
pub(super) fn root(document: &Document, roots: &[usize], matrices: &[Vec<DAffine3>]) -> Option<usize> {
    let root = *roots.first()?;
    let version = document.nodes.get(root)?.extras.get("effigy").and_then(Value::unsigned);
    if version != Some(NOTES) {
        return None;
    }
    let sound = document.skins.iter().zip(matrices).all(|(skin, matrices)| {
        skin.joints.iter().zip(matrices).all(|(joint, inverse)| {
            let Some(pivot) = document.nodes.get(*joint).and_then(pivot) else { return true };
            let wanted = DAffine3::from_translation(-DVec3::from_array(to_y_up(pivot).map(f64::from)));
            inverse.abs_diff_eq(wanted, 1e-4 * (1.0 + wanted.translation.abs().max_element()))
        })
    });
    sound.then_some(root)
}

/// Meshes of coarser levels of detail that no other node refers to.
pub(super) fn add_loose_meshes(document: &Document, roots: &mut Vec<usize>) {
    let mut placed = vec![false; document.nodes.len()];
    for index in document.nodes.iter().flat_map(|it| &it.children).chain(roots.iter()) {
        if let Some(placed) = placed.get_mut(*index) {
            *placed = true;
        }
    }
    let loose = document.nodes.iter().zip(placed).enumerate();
    let loose = loose.filter(|(_, (node, placed))| !placed && node.extras.get("mesh").is_some());
    roots.extend(loose.map(|(index, _)| index));
}

fn pivot(node: &NodeJson) -> Option<[f32; 3]> {
    let pivot: [f32; 3] = node.extras.get("bindPivot")?.vector()?;
    pivot.iter().all(|it| it.is_finite()).then_some(pivot)
}

/// The frame of a node of ours: its pivot.
pub(super) fn frame(node: &NodeJson) -> Option<Frame> {
    match role(node) {
        Role::Node => {
            let point = DVec3::from_array(to_y_up(pivot(node)?).map(f64::from));
            Some(Frame { point, ..Frame::IDENTITY })
        }
        Role::Root => Some(Frame::IDENTITY),
        _ => None,
    }
}

/// The sequences that the notes list.
pub(super) fn sequences(document: &Document, root: usize) -> Option<Vec<Sequence>> {
    let list = document.nodes.get(root)?.extras.get("sequences")?;
    list.list().iter().map(notes::sequence).collect()
}

/// Rules, textures, global sequences and extras of the model.
pub(super) fn model(document: &Document, root: usize, scene: &mut Scene) {
    let Some(extras) = document.nodes.get(root).map(|it| &it.extras) else { return };
    let rule = |name: &str| extras.get("rules").and_then(|it| it.get(name)).and_then(Value::text);
    scene.key_rule = match rule("keys") {
        Some("wrap") => KeyRule::Wrap,
        Some("continue") => KeyRule::Continue,
        _ => KeyRule::Hold,
    };
    scene.turn_rule = if rule("turns") == Some("nlerp") { TurnRule::Nlerp } else { TurnRule::Slerp };
    scene.node_rule = match rule("nodes") {
        Some("world") => NodeRule::World,
        Some("wolfenstein") => NodeRule::Wolfenstein,
        _ => NodeRule::Warcraft,
    };
    scene.name = extras.get("modelName").and_then(Value::text).unwrap_or_default().to_owned();
    scene.blend_time = extras.get("blendTime").and_then(Value::unsigned).unwrap_or(0);
    scene.bounds = notes::bounds(extras);
    let globals = extras.get("globalSequences").map_or(&[][..], Value::list).iter();
    let globals = globals.map(|it| GlobalSequence { length: it.unsigned().unwrap_or(0) });
    scene.global_sequences = globals.collect();
    let textures = extras.get("textures").map_or(&[][..], Value::list).iter().map(notes::texture);
    scene.textures = textures.collect();
    scene.extras = notes::rest(extras, notes::MODEL);
}

/// A list by number; numbers that are missing get a default.
fn in_order<T: Default>(list: Vec<(u32, T)>, most: usize) -> Vec<T> {
    let mut ordered: Vec<T> = Vec::new();
    for (number, value) in list.into_iter().filter(|(number, _)| (*number as usize) < most) {
        let place = number as usize;
        if ordered.len() <= place {
            ordered.resize_with(place + 1, T::default);
        }
        if let Some(slot) = ordered.get_mut(place) {
            *slot = value;
        }
    }
    ordered
}

impl Import<'_> {
    /// The fingerprints of all nodes that move.
    pub(super) fn prints(&self) -> Vec<u64> {
        let mut prints = vec![0_u64; self.document.nodes.len()];
        for animation in &self.document.animations {
            for channel in &animation.channels {
                let slot = channel.target.node.and_then(|it| prints.get_mut(it));
                let (Some(print), Some(sampler)) = (slot, animation.samplers.get(channel.sampler)) else {
                    continue;
                };
                let mode = sampler.interpolation.as_deref().unwrap_or("LINEAR");
                let accessors = [self.data.print(sampler.input), self.data.print(sampler.output)];
                *print = channel_print(*print, &channel.target.path, mode, accessors);
            }
        }
        prints
    }

    /// Gives a node what its notes say.
    pub(super) fn restore_node(&mut self, index: usize, node: &mut Node, print: u64) {
        let Some(source) = self.document.nodes.get(index).filter(|it| role(it) == Role::Node) else { return };
        let extras = &source.extras;
        if let Some(name) = extras.get("name").and_then(Value::text) {
            name.clone_into(&mut node.name);
        }
        node.kind = match extras.get("kind").and_then(Value::text) {
            Some("helper") => NodeKind::Helper,
            Some("attachment") => NodeKind::Attachment,
            Some("light") => NodeKind::Light,
            Some("emitter") => NodeKind::Emitter,
            Some("ribbon") => NodeKind::Ribbon,
            Some("event") => NodeKind::Event,
            Some("shape") => NodeKind::Shape,
            Some("tag") => NodeKind::Tag,
            _ => NodeKind::Bone,
        };
        node.pivot = pivot(source).unwrap_or(node.pivot);
        node.billboard = match extras.get("billboard").and_then(Value::text) {
            Some("full") => Billboard::Full,
            Some("lockX") => Billboard::LockX,
            Some("lockY") => Billboard::LockY,
            Some("lockZ") => Billboard::LockZ,
            _ => Billboard::None,
        };
        let ignored = extras.get("dontInherit").map_or(&[][..], Value::list);
        let ignores = |name: &str| ignored.iter().any(|it| it.text() == Some(name));
        node.ignore = Ignore {
            translation: ignores("translation"),
            rotation: ignores("rotation"),
            scale: ignores("scale"),
        };
        node.camera_anchored = extras.get("cameraAnchored").is_some();
        node.gate = extras.get("gate").and_then(Value::unsigned).map(Id::new);
        node.extras = notes::rest(extras, notes::NODE);
        let tracks = extras.get("tracks");
        if tracks.is_some_and(|it| it.get(describe::SAMPLED).is_some()) {
            return;
        }
        let noted = tracks.and_then(|it| it.get("channels")).and_then(Value::text);
        let same = match noted {
            Some(text) => u64::from_str_radix(text, 16) == Ok(print),
            None => print == 0,
        };
        if !same {
            // Somebody has changed the animations of this node.
            self.edited += 1;
            return;
        }
        let part = |name: &str| tracks.and_then(|it| it.get(name));
        node.translation = part("translation").map_or_else(|| [0.0; 3].into(), notes::animated);
        node.rotation = part("rotation").map_or_else(Default::default, notes::animated);
        node.scale = part("scale").map_or_else(|| [1.0; 3].into(), notes::animated);
    }

    /// All materials by their numbers, with their texture transforms.
    pub(super) fn restore_materials(&mut self, root: usize) {
        let noted = self.document.nodes.get(root).and_then(|it| it.extras.get("materials"));
        let unused = noted.map_or(&[][..], Value::list).iter().map(|it| (None, it));
        let used = self.document.materials.iter().enumerate().map(|(index, it)| (Some(index), &it.extras));
        let (mut materials, mut transforms, mut changed) = (Vec::new(), Vec::new(), Vec::new());
        for (index, value) in used.chain(unused) {
            let Some(number) = value.get("material").and_then(Value::unsigned) else { continue };
            if value.get(SPRITE).is_some() {
                continue;
            }
            if let Some(index) = index {
                self.materials.known.insert(index, Id::new(number));
                match edited::change(self.document, index) {
                    Change::None => {}
                    change => changed.push((index, number, change)),
                }
            }
            if !materials.iter().any(|(known, _)| *known == number) {
                materials.push((number, notes::material(value, &mut transforms)));
            }
        }
        // Numbers that are far too large are not ours.
        let most = self.document.materials.len().saturating_mul(64).saturating_add(4096);
        self.scene.materials = in_order(materials, most).into_iter().collect();
        self.scene.texture_transforms = in_order(transforms, most).into_iter().collect();
        self.take_changes(changed);
    }

    /// Attachments, events, emitters and all other objects that are in the extras of nodes.
    pub(super) fn restore_objects(&mut self) {
        let mut objects: Vec<(u32, usize, &str, &Value)> = Vec::new();
        for (index, node) in self.document.nodes.iter().enumerate() {
            for kind in OBJECTS {
                if let Some(value) = node.extras.get(kind).filter(|it| matches!(it, Value::Object(_))) {
                    let number = value.get("index").and_then(Value::unsigned).unwrap_or(u32::MAX);
                    objects.push((number, index, kind, value));
                }
            }
        }
        objects.sort_by_key(|(number, index, ..)| (*number, *index));
        for (_, index, kind, value) in objects {
            if kind == "camera" {
                self.scene.cameras.push(notes::camera(value));
                continue;
            }
            let Some(node) = self.carrier(index) else { continue };
            let pivot = self.scene.nodes.get(node).map_or([0.0; 3], |it| it.pivot);
            match kind {
                "attachment" => {
                    self.scene.attachments.push(notes::attachment(value, node, pivot));
                }
                "event" => {
                    self.scene.events.push(notes::event(value, node, pivot));
                }
                "particleEmitter" => {
                    self.scene.emitters.push(notes::emitter(value, node, pivot));
                }
                "ribbon" => {
                    self.scene.ribbons.push(notes::ribbon(value, node, pivot));
                }
                "effect" => {
                    self.scene.effects.push(notes::effect(value, node));
                }
                "collisionShape" => {
                    self.scene.shapes.push(notes::shape(value, node));
                }
                _ => {
                    self.scene.lights.push(notes::light(value, node, pivot));
                }
            }
        }
    }

    /// Gives a mesh what its notes say.
    pub(super) fn restore_mesh(&mut self, index: usize, mesh: &mut Mesh) {
        let Some(extras) = self.document.nodes.get(index).map(|it| &it.extras) else { return };
        let text = |name: &str| extras.get(name).and_then(Value::text);
        mesh.name = text("name").unwrap_or_default().to_owned();
        mesh.part = extras.get("part").and_then(Value::unsigned).unwrap_or(0);
        mesh.lod = extras.get("lod").and_then(Value::unsigned);
        mesh.shown = extras.get("shown").and_then(Value::truth).unwrap_or(true);
        mesh.alpha = extras.get("alpha").map_or_else(|| 1.0.into(), notes::animated);
        mesh.color = extras.get("color").map_or_else(|| [1.0; 3].into(), notes::animated);
        mesh.sort = extras.get("sort").and_then(notes::sort);
        mesh.bounds = notes::bounds(extras);
        mesh.extras = notes::rest(extras, notes::MESH);
    }

    /// After everything has been read: what refers to meshes by their number in the game's file.
    pub(super) fn restore_references(&mut self) {
        let known = std::mem::take(&mut self.mesh_numbers);
        for node in self.scene.nodes.as_mut_slice() {
            node.gate = node.gate.and_then(|gate| known.get(&gate.index()).copied());
        }
        if self.edited > 0 {
            self.report.approximated(
                "nodes",
                format!("{} have other animations than were exported, which are used", self.edited),
            );
        }
    }
}
