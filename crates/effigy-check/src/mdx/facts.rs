//! What the rules look at, gathered in one pass over the model.

use super::survey::{Clock, Survey};
use effigy_mdx::{ChunkKind, Model, Node, Skin, Track};
use std::collections::BTreeMap;
use std::ops::Deref;

/// A model with what several rules ask about it.
pub(crate) struct Facts<'a> {
    model: &'a Model,
    /// All nodes with their chunk and their position in it.
    pub nodes: Vec<NodeAt<'a>>,
    /// The first node with each object id, by position in `nodes`.
    pub by_id: BTreeMap<i32, usize>,
    /// All tracks with what their keys are like.
    pub tracks: Vec<TrackAt<'a>>,
    /// What the skin weights are like, for each geoset that has any.
    pub skins: Vec<SkinAt>,
}

/// What the skin weights of a geoset are like. Counts are of vertices.
pub(crate) struct SkinAt {
    pub geoset: usize,
    pub vertices: usize,
    /// Whether each of the first 256 bones moves a vertex.
    pub used: [bool; 256],
    /// The first bone beyond these.
    pub beyond: Option<u16>,
    /// Vertices without any weight.
    pub loose: usize,
    /// Vertices whose weights sum to something else than 255.
    pub wrong: usize,
}

impl SkinAt {
    fn new(geoset: usize, skin: &Skin) -> Self {
        let mut at =
            Self { geoset, vertices: skin.len(), used: [false; 256], beyond: None, loose: 0, wrong: 0 };
        for (bones, weights) in skin.iter() {
            let mut sum = 0_u32;
            for (bone, weight) in bones.into_iter().zip(weights).filter(|(_, weight)| *weight > 0) {
                sum = sum.saturating_add(u32::from(weight));
                match at.used.get_mut(usize::from(bone)) {
                    Some(used) => *used = true,
                    None => at.beyond = at.beyond.or(Some(bone)),
                }
            }
            at.loose = at.loose.saturating_add(usize::from(sum == 0));
            at.wrong = at.wrong.saturating_add(usize::from(sum != 0 && sum != 255));
        }
        at
    }

    /// The bones that move a vertex.
    pub fn bones(&self) -> impl Iterator<Item = u32> + '_ {
        (0_u32..).zip(self.used).filter(|(_, used)| *used).map(|(bone, _)| bone)
    }
}

/// A node and where it stands.
#[derive(Clone, Copy)]
pub(crate) struct NodeAt<'a> {
    pub kind: ChunkKind,
    pub index: usize,
    pub node: &'a Node,
}

impl NodeAt<'_> {
    /// The path of the node, or of one of its fields.
    pub fn path(&self, field: &str) -> String {
        format!("{}[{}].node{field}", self.kind.tag(), self.index)
    }
}

/// A track, where it stands, and what its keys are like.
pub(crate) struct TrackAt<'a> {
    pub place: Place,
    pub track: &'a Track,
    pub survey: Survey,
}

impl TrackAt<'_> {
    /// The path of the track.
    pub fn path(&self) -> String {
        self.place.path(&self.track.tag().to_string())
    }
}

/// Where a track stands.
#[derive(Clone, Copy)]
pub(crate) enum Place {
    Node(ChunkKind, usize),
    Record(ChunkKind, usize),
    Layer(usize, usize),
    Slot(usize, usize, usize),
}

impl Place {
    fn path(self, tag: &str) -> String {
        match self {
            Self::Node(kind, index) => format!("{}[{index}].node.tracks.{tag}", kind.tag()),
            Self::Record(kind, index) => format!("{}[{index}].tracks.{tag}", kind.tag()),
            Self::Layer(material, layer) => format!("MTLS[{material}].layers[{layer}].tracks.{tag}"),
            Self::Slot(material, layer, slot) => {
                format!("MTLS[{material}].layers[{layer}].slots[{slot}].track.{tag}")
            }
        }
    }
}

impl Deref for Facts<'_> {
    type Target = Model;
    fn deref(&self) -> &Model {
        self.model
    }
}

impl<'a> Facts<'a> {
    pub fn new(model: &'a Model) -> Self {
        let mut counts: BTreeMap<ChunkKind, usize> = BTreeMap::new();
        let nodes: Vec<NodeAt<'a>> = model
            .nodes()
            .map(|(kind, node)| {
                let count = counts.entry(kind).or_default();
                let index = *count;
                *count = count.saturating_add(1);
                NodeAt { kind, index, node }
            })
            .collect();
        let mut by_id = BTreeMap::new();
        for (position, at) in nodes.iter().enumerate() {
            by_id.entry(at.node.object_id).or_insert(position);
        }
        let clock = Clock::new(model);
        let mut tracks = Vec::new();
        for_each_track(model, &nodes, |place, track| {
            tracks.push(TrackAt { place, track, survey: clock.survey(track) });
        });
        let geosets = model.geosets.iter().enumerate();
        let skins =
            geosets.filter_map(|(index, geoset)| Some(SkinAt::new(index, geoset.skin.as_ref()?))).collect();
        Self { model, nodes, by_id, tracks, skins }
    }

    /// The node with this object id.
    pub fn node(&self, id: u32) -> Option<&NodeAt<'a>> {
        let id = i32::try_from(id).ok()?;
        self.by_id.get(&id).and_then(|position| self.nodes.get(*position))
    }
}

fn for_each_track<'a>(model: &'a Model, nodes: &[NodeAt<'a>], mut each: impl FnMut(Place, &'a Track)) {
    for at in nodes {
        at.node.tracks.iter().for_each(|track| each(Place::Node(at.kind, at.index), track));
    }
    for (material, layers) in model.materials.iter().enumerate() {
        for (layer, one) in layers.layers.iter().enumerate() {
            one.tracks.iter().for_each(|track| each(Place::Layer(material, layer), track));
            for (slot, one) in one.slots.iter().enumerate() {
                one.track.iter().for_each(|track| each(Place::Slot(material, layer, slot), track));
            }
        }
    }
    macro_rules! records {
        ($($kind:ident $list:ident)+) => {$(
            for (index, record) in model.$list.iter().enumerate() {
                record.tracks.iter().for_each(|track| each(Place::Record(ChunkKind::$kind, index), track));
            }
        )+};
    }
    records! {
        TextureAnimations texture_animations
        GeosetAnimations geoset_animations
        Lights lights
        Attachments attachments
        ParticleEmitters particle_emitters
        ParticleEmitters2 particle_emitters_2
        PopcornEmitters popcorn_emitters
        RibbonEmitters ribbon_emitters
        Cameras cameras
    }
}

/// All tracks of a model, to be changed, with their paths made on demand.
pub(crate) fn for_each_track_mut(model: &mut Model, mut each: impl FnMut(&dyn Fn() -> String, &mut Track)) {
    macro_rules! walk {
        ($tracks:expr, $place:expr) => {
            for track in &mut $tracks.0 {
                let tag = track.tag();
                each(&|| $place.path(&tag.to_string()), track);
            }
        };
    }
    macro_rules! nodes {
        ($($kind:ident $list:ident)+) => {$(
            for (index, record) in model.$list.iter_mut().enumerate() {
                walk!(record.node.tracks, Place::Node(ChunkKind::$kind, index));
            }
        )+};
    }
    macro_rules! records {
        ($($kind:ident $list:ident)+) => {$(
            for (index, record) in model.$list.iter_mut().enumerate() {
                walk!(record.tracks, Place::Record(ChunkKind::$kind, index));
            }
        )+};
    }
    nodes! {
        Bones bones
        Lights lights
        Helpers helpers
        Attachments attachments
        ParticleEmitters particle_emitters
        ParticleEmitters2 particle_emitters_2
        PopcornEmitters popcorn_emitters
        RibbonEmitters ribbon_emitters
        EventObjects event_objects
        CollisionShapes collision_shapes
        HitTestShapes hit_test_shapes
    }
    records! {
        TextureAnimations texture_animations
        GeosetAnimations geoset_animations
        Lights lights
        Attachments attachments
        ParticleEmitters particle_emitters
        ParticleEmitters2 particle_emitters_2
        PopcornEmitters popcorn_emitters
        RibbonEmitters ribbon_emitters
        Cameras cameras
    }
    for (material, layers) in model.materials.iter_mut().enumerate() {
        for (layer, one) in layers.layers.iter_mut().enumerate() {
            walk!(one.tracks, Place::Layer(material, layer));
            for (slot, one) in one.slots.iter_mut().enumerate() {
                if let Some(track) = &mut one.track {
                    let tag = track.tag();
                    each(&|| Place::Slot(material, layer, slot).path(&tag.to_string()), track);
                }
            }
        }
    }
}
