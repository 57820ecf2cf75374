//! Nodes: parents by object id, pivots, flags.

use super::{Lowering, tracks};
use effigy_mdx::track::tags;
use effigy_mdx::{ChunkKind, NodeFlags};
use effigy_scene::{Billboard, Id, Ignore, Mesh, Node, NodeKind};
use std::collections::HashMap;

/// The nodes of the scene by the records of the model.
#[derive(Default)]
pub(super) struct Nodes {
    by_object: HashMap<i32, Id<Node>>,
    bones: usize,
    first: HashMap<ChunkKind, usize>,
}

impl Nodes {
    /// The node of the record at this position of its chunk.
    pub(super) fn of(&self, kind: ChunkKind, index: usize) -> Id<Node> {
        let first = self.first.get(&kind).copied().unwrap_or(0);
        Id::new(u32::try_from(first.saturating_add(index)).unwrap_or(u32::MAX))
    }

    /// The node of a matrix entry: a bone by position, or else any node by object id.
    pub(super) fn by_matrix(&self, entry: u32) -> Option<Id<Node>> {
        if (entry as usize) < self.bones {
            return Some(Id::new(entry));
        }
        self.by_object.get(&i32::try_from(entry).ok()?).copied()
    }
}

impl Lowering<'_> {
    pub(super) fn nodes(&mut self) {
        self.nodes.bones = self.model.bones.len();
        for (index, (kind, node)) in self.model.nodes().enumerate() {
            let id = Id::new(u32::try_from(index).unwrap_or(u32::MAX));
            self.nodes.first.entry(kind).or_insert(index);
            if *self.nodes.by_object.entry(node.object_id).or_insert(id) != id {
                self.report.approximated(
                    format!("{}[{index}].object_id", kind.tag()),
                    "two nodes have this id; children are attached to the first",
                );
            }
        }
        for (index, (kind, source)) in self.model.nodes().enumerate() {
            let pivot = usize::try_from(source.object_id).ok().and_then(|id| self.model.pivots.get(id));
            if pivot.is_none() {
                self.report
                    .approximated(format!("nodes[{index}]"), "it has no pivot and is placed at the origin");
            }
            let parent =
                if source.parent < 0 { None } else { self.nodes.by_object.get(&source.parent).copied() };
            if parent.is_none() && source.parent >= 0 {
                self.report.approximated(format!("nodes[{index}].parent"), "the parent does not exist");
            }
            let mut node = Node::new(
                source.name.text().into_owned(),
                node_kind(kind),
                parent,
                pivot.copied().unwrap_or_default(),
            );
            let flags = source.flags;
            node.ignore = Ignore {
                translation: flags.contains(NodeFlags::DONT_INHERIT_TRANSLATION),
                rotation: flags.contains(NodeFlags::DONT_INHERIT_ROTATION),
                scale: flags.contains(NodeFlags::DONT_INHERIT_SCALING),
            };
            node.billboard = if flags.contains(NodeFlags::BILLBOARDED) {
                Billboard::Full
            } else if flags.contains(NodeFlags::BILLBOARDED_LOCK_X) {
                Billboard::LockX
            } else if flags.contains(NodeFlags::BILLBOARDED_LOCK_Y) {
                Billboard::LockY
            } else if flags.contains(NodeFlags::BILLBOARDED_LOCK_Z) {
                Billboard::LockZ
            } else {
                Billboard::None
            };
            node.camera_anchored = !self.is_wow() && flags.contains(NodeFlags::CAMERA_ANCHORED);
            node.translation.track = tracks::track(&source.tracks, tags::KGTR, [0.0; 3]);
            node.rotation.track = tracks::track(&source.tracks, tags::KGRT, effigy_scene::Rotation::IDENTITY);
            node.scale.track = tracks::track(&source.tracks, tags::KGSC, [1.0; 3]);
            node.extras.set("objectId", source.object_id).set("flags", flags.bits());
            self.scene.nodes.push(node);
        }
        // A bone with a geoset and a geoset animation is hidden while the alpha of that animation is 0.
        for (bone, node) in self.model.bones.iter().zip(self.scene.nodes.as_mut_slice()) {
            let animation = usize::try_from(bone.geoset_animation).ok().filter(|_| bone.geoset >= 0);
            let geoset =
                animation.and_then(|index| self.model.geoset_animations.get(index)).map(|it| it.geoset);
            node.gate = geoset.and_then(|geoset| u32::try_from(geoset).ok()).map(Id::<Mesh>::new);
        }
    }
}

const fn node_kind(kind: ChunkKind) -> NodeKind {
    match kind {
        ChunkKind::Bones => NodeKind::Bone,
        ChunkKind::Lights => NodeKind::Light,
        ChunkKind::Attachments => NodeKind::Attachment,
        ChunkKind::ParticleEmitters | ChunkKind::ParticleEmitters2 | ChunkKind::PopcornEmitters => {
            NodeKind::Emitter
        }
        ChunkKind::RibbonEmitters => NodeKind::Ribbon,
        ChunkKind::EventObjects => NodeKind::Event,
        ChunkKind::CollisionShapes | ChunkKind::HitTestShapes => NodeKind::Shape,
        _ => NodeKind::Helper,
    }
}
