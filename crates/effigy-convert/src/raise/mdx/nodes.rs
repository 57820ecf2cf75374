//! Nodes: which record each becomes, new ones for objects that share a node, ids and pivots.
//!
//! Bones come first and have the lowest ids, since the game takes the id of a bone for its position among the bones.

use super::skin::{BoneKey, STILL};
use super::{Writer, extras, geosets::SkinPlan, index, tracks};
use effigy_mdx::track::tags;
use effigy_mdx::{Bone, ChunkKind, Helper, Node as MdxNode, NodeFlags, Tracks};
use effigy_scene::{Billboard, Id, Node, NodeKind};
use std::collections::{BTreeMap, BTreeSet};

/// What has a node of its own in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Object {
    Light(usize),
    Attachment(usize),
    ModelEmitter(usize),
    Emitter(usize),
    Popcorn(usize),
    Ribbon(usize),
    Event(usize),
    Shape(usize),
}

impl Object {
    const fn chunk(self) -> ChunkKind {
        match self {
            Self::Light(_) => ChunkKind::Lights,
            Self::Attachment(_) => ChunkKind::Attachments,
            Self::ModelEmitter(_) => ChunkKind::ParticleEmitters,
            Self::Emitter(_) => ChunkKind::ParticleEmitters2,
            Self::Popcorn(_) => ChunkKind::PopcornEmitters,
            Self::Ribbon(_) => ChunkKind::RibbonEmitters,
            Self::Event(_) => ChunkKind::EventObjects,
            Self::Shape(_) => ChunkKind::CollisionShapes,
        }
    }

    const fn kind(self) -> NodeKind {
        match self {
            Self::Light(_) => NodeKind::Light,
            Self::Attachment(_) => NodeKind::Attachment,
            Self::ModelEmitter(_) | Self::Emitter(_) | Self::Popcorn(_) => NodeKind::Emitter,
            Self::Ribbon(_) => NodeKind::Ribbon,
            Self::Event(_) => NodeKind::Event,
            Self::Shape(_) => NodeKind::Shape,
        }
    }

    const fn bit(self) -> NodeFlags {
        match self {
            Self::Light(_) => NodeFlags::LIGHT,
            Self::Attachment(_) => NodeFlags::ATTACHMENT,
            Self::ModelEmitter(_) | Self::Emitter(_) | Self::Popcorn(_) => NodeFlags::PARTICLE_EMITTER,
            Self::Ribbon(_) => NodeFlags::RIBBON_EMITTER,
            Self::Event(_) => NodeFlags::EVENT,
            Self::Shape(_) => NodeFlags::COLLISION_SHAPE,
        }
    }
}

/// The nodes of the file.
#[derive(Debug, Default)]
pub(super) struct Nodes {
    /// The record of each object.
    pub objects: BTreeMap<Object, MdxNode>,
    /// Ids of bones.
    bones: BTreeMap<BoneKey, i32>,
}

impl Nodes {
    /// The id of a bone.
    pub fn bone(&self, key: BoneKey) -> u32 {
        let id = self.bones.get(&key).or_else(|| self.bones.get(&STILL)).copied().unwrap_or(0);
        u32::try_from(id).unwrap_or(0)
    }
}

/// Where a record comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Origin {
    /// A node of the scene.
    Scene(Id<Node>),
    /// A further copy of a bone, for unequal weights.
    Copy(u32, u16),
    /// The bone of vertices that nothing moves.
    Still,
    /// An object that could not have the node that it is attached to.
    New(Object),
}

/// Name, node and position of an object.
type Attached<'a> = (&'a str, Id<Node>, Option<[f32; 3]>);

struct Record {
    origin: Origin,
    chunk: ChunkKind,
    object: Option<Object>,
}

impl Writer<'_> {
    /// Name, node and position of an object.
    fn object(&self, object: Object) -> Option<Attached<'_>> {
        let scene = &**self.scene;
        Some(match object {
            Object::Light(at) => {
                scene.lights.as_slice().get(at).map(|it| (it.name.as_str(), it.node, Some(it.position)))?
            }
            Object::Attachment(at) => scene
                .attachments
                .as_slice()
                .get(at)
                .map(|it| (it.name.as_str(), it.node, Some(it.position)))?,
            Object::ModelEmitter(at) | Object::Popcorn(at) => {
                scene.effects.as_slice().get(at).map(|it| (it.name.as_str(), it.node, None))?
            }
            Object::Emitter(at) => {
                scene.emitters.as_slice().get(at).map(|it| (it.name.as_str(), it.node, Some(it.position)))?
            }
            Object::Ribbon(at) => {
                scene.ribbons.as_slice().get(at).map(|it| (it.name.as_str(), it.node, Some(it.position)))?
            }
            Object::Event(at) => {
                scene.events.as_slice().get(at).map(|it| (it.name.as_str(), it.node, Some(it.position)))?
            }
            Object::Shape(at) => {
                scene.shapes.as_slice().get(at).map(|it| (it.name.as_str(), it.node, None))?
            }
        })
    }

    fn objects(&self) -> Vec<Object> {
        let scene = &**self.scene;
        let mut all = Vec::new();
        all.extend((0..scene.lights.len()).map(Object::Light));
        all.extend((0..scene.attachments.len()).map(Object::Attachment));
        for (at, effect) in scene.effects.as_slice().iter().enumerate() {
            match effect.kind.as_str() {
                "modelEmitter" => all.push(Object::ModelEmitter(at)),
                "popcorn" if self.caps.contains(effigy_mdx::Caps::GEOSET_LOD) => {
                    all.push(Object::Popcorn(at))
                }
                _ => {}
            }
        }
        all.extend((0..scene.emitters.len()).map(Object::Emitter));
        all.extend((0..scene.ribbons.len()).map(Object::Ribbon));
        let events = scene.events.as_slice().iter().enumerate();
        all.extend(events.filter(|(_, event)| !event.times.is_empty()).map(|(at, _)| Object::Event(at)));
        all.extend((0..scene.shapes.len()).map(Object::Shape));
        all
    }

    /// Gives every node of the scene, every object and every bone of the skins its record, id and pivot.
    pub(super) fn place_nodes(&mut self, plan: &SkinPlan) {
        let scene = self.scene;
        let wanted: BTreeSet<BoneKey> = plan.bones();
        let is_bone = |node: Id<Node>| wanted.contains(&(u32::try_from(node.index()).unwrap_or(u32::MAX), 0));
        let objects = self.objects();
        let mut owner: BTreeMap<usize, Object> = BTreeMap::new();
        let mut owned: BTreeSet<Object> = BTreeSet::new();
        for object in &objects {
            let Some((_, node, position)) = self.object(*object) else { continue };
            let Some(found) = scene.nodes.get(node) else { continue };
            let same = position.is_none_or(|position| position == found.pivot);
            if found.kind == object.kind() && same && !is_bone(node) && !owner.contains_key(&node.index()) {
                owner.insert(node.index(), *object);
                owned.insert(*object);
            }
        }
        let mut records: Vec<Record> = Vec::new();
        for (id, node) in scene.nodes.iter() {
            let object = owner.get(&id.index()).copied();
            let bone = is_bone(id) || (self.native && node.kind == NodeKind::Bone);
            let chunk = match object {
                Some(object) => object.chunk(),
                None if bone => ChunkKind::Bones,
                None => ChunkKind::Helpers,
            };
            records.push(Record { origin: Origin::Scene(id), chunk, object });
        }
        for key in &wanted {
            let origin = match *key {
                STILL => Origin::Still,
                (_, 0) => continue,
                (node, copy) => Origin::Copy(node, copy),
            };
            records.push(Record { origin, chunk: ChunkKind::Bones, object: None });
        }
        for object in objects.iter().filter(|object| !owned.contains(object)) {
            records.push(Record {
                origin: Origin::New(*object),
                chunk: object.chunk(),
                object: Some(*object),
            });
        }
        // Shapes and events of one chunk keep the order of their lists.
        records.sort_by_key(|record| (record.chunk, record.object));
        self.write_nodes(&records);
    }

    fn write_nodes(&mut self, records: &[Record]) {
        let scene = self.scene;
        let mut ids: BTreeMap<usize, i32> = BTreeMap::new();
        for (id, record) in records.iter().enumerate() {
            match record.origin {
                Origin::Scene(node) => {
                    ids.insert(node.index(), index(id));
                    if record.chunk == ChunkKind::Bones {
                        self.nodes
                            .bones
                            .insert((u32::try_from(node.index()).unwrap_or(u32::MAX), 0), index(id));
                    }
                }
                Origin::Copy(node, copy) => {
                    self.nodes.bones.insert((node, copy), index(id));
                }
                Origin::Still => {
                    self.nodes.bones.insert(STILL, index(id));
                }
                Origin::New(_) => {}
            }
        }
        let id_of =
            |node: Option<Id<Node>>| node.and_then(|node| ids.get(&node.index()).copied()).unwrap_or(-1);
        for (id, record) in records.iter().enumerate() {
            let kind_bit = record.object.map_or(
                if record.chunk == ChunkKind::Bones { NodeFlags::BONE } else { NodeFlags::empty() },
                Object::bit,
            );
            let mut made = MdxNode { object_id: index(id), flags: kind_bit, ..MdxNode::default() };
            let (name, pivot) = match record.origin {
                Origin::Scene(node) => {
                    let Some(node) = scene.nodes.get(node) else { continue };
                    made.parent = id_of(node.parent);
                    made.flags = self.node_flags(node, record, kind_bit);
                    made.tracks = node_tracks(node);
                    let renamed =
                        record.object.filter(|_| !self.native).and_then(|object| self.object(object));
                    (renamed.map_or(node.name.clone(), |(name, ..)| name.to_owned()), node.pivot)
                }
                Origin::Copy(node, copy) => {
                    let id = Id::new(node);
                    made.parent = id_of(Some(id));
                    let (name, pivot) =
                        scene.nodes.get(id).map_or_else(Default::default, |it| (it.name.clone(), it.pivot));
                    (format!("{name} x{}", copy.saturating_add(1)), pivot)
                }
                Origin::Still => ("Still".to_owned(), [0.0; 3]),
                Origin::New(object) => {
                    let Some((name, node, position)) = self.object(object) else { continue };
                    made.parent = id_of(Some(node));
                    let pivot = position.or_else(|| scene.nodes.get(node).map(|node| node.pivot));
                    (name.to_owned(), pivot.unwrap_or_default())
                }
            };
            made.name = self.text(&format!("nodes[{id}].name"), &name);
            self.model.pivots.push(pivot);
            match record.object {
                Some(object) => {
                    self.nodes.objects.insert(object, made);
                }
                None if record.chunk == ChunkKind::Bones => {
                    let gate = match record.origin {
                        Origin::Scene(node) => scene.nodes.get(node).and_then(|node| node.gate),
                        _ => None,
                    };
                    // Geoset and geoset animation of gates are filled in with the geosets.
                    let geoset = gate.map_or(-1, |mesh| index(mesh.index()));
                    self.model.bones.push(Bone { node: made, geoset, geoset_animation: -1 });
                }
                None => self.model.helpers.push(Helper { node: made }),
            }
        }
    }

    fn node_flags(&self, node: &Node, record: &Record, kind: NodeFlags) -> NodeFlags {
        let kept = extras::word(&node.extras, "flags").filter(|_| self.native);
        // Bits below 0x100 say how a node moves; the scene knows those.
        let same_record = match record.object {
            Some(object) => node.kind == object.kind(),
            None => matches!(node.kind, NodeKind::Bone | NodeKind::Helper),
        };
        let base = match kept {
            Some(bits) if same_record => NodeFlags::from_bits_retain(bits & !0xff),
            _ => kind,
        };
        let base =
            if record.chunk == ChunkKind::Bones && node.kind != NodeKind::Bone { base | kind } else { base };
        base | motion_flags(node)
    }
}

fn motion_flags(node: &Node) -> NodeFlags {
    let mut flags = NodeFlags::empty();
    flags.set(NodeFlags::DONT_INHERIT_TRANSLATION, node.ignore.translation);
    flags.set(NodeFlags::DONT_INHERIT_ROTATION, node.ignore.rotation);
    flags.set(NodeFlags::DONT_INHERIT_SCALING, node.ignore.scale);
    flags.set(NodeFlags::CAMERA_ANCHORED, node.camera_anchored);
    flags
        | match node.billboard {
            Billboard::None => NodeFlags::empty(),
            Billboard::Full => NodeFlags::BILLBOARDED,
            Billboard::LockX => NodeFlags::BILLBOARDED_LOCK_X,
            Billboard::LockY => NodeFlags::BILLBOARDED_LOCK_Y,
            Billboard::LockZ => NodeFlags::BILLBOARDED_LOCK_Z,
        }
}

fn node_tracks(node: &Node) -> Tracks {
    let mut list = Tracks::default();
    tracks::put(&mut list, tags::KGTR, node.translation.track.as_ref());
    tracks::put(&mut list, tags::KGRT, node.rotation.track.as_ref());
    tracks::put(&mut list, tags::KGSC, node.scale.track.as_ref());
    list
}
