//! Bones: which nodes become bones, in which order, and where objects are attached whose node does not become one.
//!
//! Parents come before their children. A vertex names its bones by a byte, so bones that move vertices come before all others.

use super::Writer;
use super::tracks::{packed, unit};
use crate::raise::{extras, skin};
use effigy_m2::{Bone, BoneFlags, Caps, names};
use effigy_scene::{Billboard, Id, Node, NodeKind, Rotation, Scene};
use effigy_wire::{Error, Result};
use std::collections::BTreeSet;

/// Bits of a bone's flags that the scene knows.
const KNOWN: u32 = 0x27f;

/// Where the nodes of the scene are in the file.
#[derive(Debug, Default)]
pub(super) struct Bones {
    /// The bone of each node: its own, or that of the node that carries it.
    places: Vec<u16>,
    /// The bone that never moves.
    still: u16,
}

impl Bones {
    /// The bone that something at a node is attached to.
    pub fn of(&self, node: Id<Node>) -> u16 {
        self.places.get(node.index()).copied().unwrap_or(self.still)
    }

    /// The bone of a vertex that follows a node, or nothing.
    pub fn of_vertex(&self, node: u32) -> u16 {
        self.places.get(node as usize).copied().unwrap_or(self.still)
    }
}

/// Nodes that move vertices.
fn skinned(scene: &Scene) -> (BTreeSet<usize>, bool) {
    let mut found = BTreeSet::new();
    let mut still = scene.nodes.is_empty();
    for mesh in scene.meshes.as_slice() {
        let Some(skin) = &mesh.skin else {
            still = true;
            continue;
        };
        let groups: BTreeSet<u32> = skin.vertex_groups.iter().copied().collect();
        for group in groups {
            let shares = skin::shares(skin, group);
            still |= shares.is_empty();
            found.extend(shares.iter().map(|(node, _)| *node as usize));
        }
    }
    (found, still)
}

/// Whether a node only marks a place on its parent.
fn is_mark(node: &Node) -> bool {
    let rests = !node.is_animated()
        && node.translation.base == [0.0; 3]
        && node.rotation.base == Rotation::IDENTITY
        && node.scale.base == [1.0; 3];
    node.parent.is_some()
        && rests
        && !node.ignore.any()
        && node.billboard == Billboard::None
        && !matches!(node.kind, NodeKind::Bone)
}

/// Adds a node after its parents.
fn add(scene: &Scene, node: usize, order: &mut Vec<usize>, known: &mut [bool]) {
    let mut chain = Vec::new();
    let mut at = Some(node);
    while let Some(index) = at {
        let Some(seen) = known.get_mut(index).filter(|seen| !**seen) else { break };
        *seen = true;
        chain.push(index);
        at = scene.nodes.as_slice().get(index).and_then(|it| it.parent).map(Id::index);
    }
    order.extend(chain.into_iter().rev());
}

impl Writer<'_> {
    /// Gives every node its bone.
    pub(super) fn place_bones(&mut self) -> Result<()> {
        let scene = &**self.scene;
        let count = scene.nodes.len();
        let (vertices, mut still) = skinned(scene);
        let mut order: Vec<usize> = Vec::with_capacity(count);
        if self.native {
            order.extend(0..count);
        } else {
            let mut parents = vec![false; count];
            for parent in scene.nodes.as_slice().iter().filter_map(|node| node.parent) {
                if let Some(flag) = parents.get_mut(parent.index()) {
                    *flag = true;
                }
            }
            let mut known = vec![false; count];
            for node in &vertices {
                add(scene, *node, &mut order, &mut known);
            }
            for (index, node) in scene.nodes.as_slice().iter().enumerate() {
                if parents.get(index) == Some(&true) || !is_mark(node) {
                    add(scene, index, &mut order, &mut known);
                }
            }
            still |= order.is_empty();
        }
        // The bone that never moves is the first, or of a model that has all its bones the last.
        let first = usize::from(still && !self.native);
        let total = order.len().saturating_add(usize::from(still));
        if i16::try_from(total).is_err() {
            return Err(Error::unrepresentable(format!("{total} bones; an M2 has at most 32,767")));
        }
        self.bones.still = if self.native { super::short(order.len()) } else { 0 };
        let mut places: Vec<Option<u16>> = vec![None; count];
        for (bone, node) in order.iter().enumerate() {
            if let Some(place) = places.get_mut(*node) {
                *place = Some(super::short(bone.saturating_add(first)));
            }
        }
        self.bones.places = (0..count).map(|node| carrier(scene, &places, node, self.bones.still)).collect();
        if first == 1 {
            self.model.bones.push(Bone::default());
        }
        let mut keys = BTreeSet::new();
        for node in order.iter().filter_map(|index| scene.nodes.as_slice().get(*index)) {
            let bone = self.bone(node, &mut keys);
            self.model.bones.push(bone);
        }
        if still && first == 0 {
            self.model.bones.push(Bone::default());
        }
        self.cap_vertex_bones(&vertices);
        Ok(())
    }

    /// Vertices that follow a bone whose number does not fit into a byte follow the nearest of its parents that does.
    fn cap_vertex_bones(&mut self, vertices: &BTreeSet<usize>) {
        let mut moved = 0_usize;
        for node in vertices {
            let Some(place) = self.bones.places.get_mut(*node) else { continue };
            moved += usize::from(*place > u16::from(u8::MAX));
        }
        if moved > 0 {
            let text = format!("{moved} bones beyond the 256th move vertices; their parents do it instead");
            self.report.approximated("bones", text);
        }
    }

    fn bone(&self, node: &Node, keys: &mut BTreeSet<i32>) -> Bone {
        let mut flags = BoneFlags::empty();
        flags.set(BoneFlags::IGNORE_PARENT_TRANSLATION, node.ignore.translation);
        flags.set(BoneFlags::IGNORE_PARENT_ROTATION, node.ignore.rotation);
        flags.set(BoneFlags::IGNORE_PARENT_SCALE, node.ignore.scale);
        flags |= match node.billboard {
            Billboard::None => BoneFlags::empty(),
            Billboard::Full => BoneFlags::BILLBOARD,
            Billboard::LockX => BoneFlags::BILLBOARD_X,
            Billboard::LockY => BoneFlags::BILLBOARD_Y,
            Billboard::LockZ => BoneFlags::BILLBOARD_Z,
        };
        let kept = extras::word(&node.extras, "flags").filter(|_| self.native).unwrap_or(0);
        flags |= BoneFlags::from_bits_retain(kept & !KNOWN);
        flags.set(BoneFlags::TRANSFORMED, node.is_animated() || kept & BoneFlags::TRANSFORMED.bits() != 0);
        let key_bone = if self.native {
            extras::int(&node.extras, "keyBone").and_then(|number| i32::try_from(number).ok()).unwrap_or(-1)
        } else {
            key_bone(&node.name).filter(|number| keys.insert(*number)).unwrap_or(-1)
        };
        let parent = node.parent.map(|parent| self.bones.of(parent));
        let mut bone = Bone {
            key_bone,
            flags,
            parent: parent.and_then(|parent| i16::try_from(parent).ok()).unwrap_or(-1),
            pivot: node.pivot,
            translation: self.resting(&node.translation, [0.0; 3], |value| value),
            scale: self.resting(&node.scale, [1.0; 3], |value| value),
            ..Bone::default()
        };
        if self.caps.contains(Caps::PACKED_ROTATION) {
            bone.packed_rotation = self.resting(&node.rotation, Rotation::IDENTITY, packed);
        } else {
            bone.rotation = self.resting(&node.rotation, Rotation::IDENTITY, unit);
        }
        if self.caps.contains(Caps::BONE_CRC) {
            bone.name_crc = names::bone_crc(node.name.as_bytes());
        }
        bone
    }
}

/// The bone of a node, or of the nearest node that carries it.
fn carrier(scene: &Scene, places: &[Option<u16>], node: usize, still: u16) -> u16 {
    let mut at = Some(node);
    for _ in 0..=places.len() {
        let Some(index) = at else { return still };
        if let Some(place) = places.get(index).copied().flatten() {
            return place;
        }
        at = scene.nodes.as_slice().get(index).and_then(|it| it.parent).map(Id::index);
    }
    still
}

/// The key bone that a name means: `Head`, and `bone_head` as programs for Warcraft III call it.
fn key_bone(name: &str) -> Option<i32> {
    let plain = name.get(..5).filter(|start| start.eq_ignore_ascii_case("bone_")).and_then(|_| name.get(5..));
    match plain.unwrap_or(name).to_ascii_lowercase().as_str() {
        "chest" => names::key_bone_id("SpineLow"),
        other => names::key_bone_id(other),
    }
}
