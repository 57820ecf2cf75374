//! What the rules look at, gathered in one pass over the model.

use super::survey::{Clock, Survey};
use crate::weights::Sum;
use effigy_mdx::{ChunkKind, Geoset, Model, Node, Skin, Track};
use effigy_wire::Tag;
use std::ops::{Deref, Range};

/// A model with the facts that several rules need.
pub(crate) struct Facts<'a> {
    model: &'a Model,
    /// All nodes with their chunk and their position in it.
    pub nodes: Vec<NodeAt<'a>>,
    /// Object ids with the position in `nodes` of the first node that has it, by id.
    by_id: Vec<(i32, usize)>,
    /// All tracks, each with a survey of its keys.
    pub tracks: Vec<TrackAt<'a>>,
    /// A survey of the skin weights of each geoset that has any.
    pub skins: Vec<SkinAt>,
    /// A survey of the matrix groups of each geoset that uses them.
    pub groups: Vec<GroupsAt<'a>>,
}

/// A survey of the matrix groups of a geoset.
pub(crate) struct GroupsAt<'a> {
    /// The position of the geoset.
    pub index: usize,
    pub geoset: &'a Geoset,
    /// How many vertices are in each group, up to the last group that has any; at most 256 groups.
    taken: Vec<usize>,
    /// The ids of the nodes that vertices are attached to, sorted.
    pub nodes: Vec<u32>,
}

impl<'a> GroupsAt<'a> {
    /// `None` when the geoset has skin weights instead of groups.
    fn new(index: usize, geoset: &'a Geoset) -> Option<Self> {
        let weighted = geoset.skin.as_ref().is_some_and(|skin| !skin.is_empty());
        if weighted || !geoset.bone_indices.is_empty() {
            return None;
        }
        let mut counts = [0_usize; 256];
        for group in &geoset.vertex_groups {
            if let Some(count) = counts.get_mut(usize::from(*group)) {
                *count = count.saturating_add(1);
            }
        }
        // A file can have very many geosets with few groups, so only the groups in use take memory.
        let last = counts.iter().rposition(|count| *count > 0);
        let taken = counts.iter().take(last.map_or(0, |last| last.saturating_add(1))).copied().collect();
        let mut at = Self { index, geoset, taken, nodes: Vec::new() };
        let mut nodes: Vec<u32> = at.held().flat_map(|(nodes, _)| nodes).copied().collect();
        nodes.sort_unstable();
        nodes.dedup();
        at.nodes = nodes;
        Some(at)
    }

    /// The groups that have vertices: the nodes of each group, and how many vertices.
    pub fn held(&self) -> impl Iterator<Item = (&'a [u32], usize)> {
        self.geoset.groups().zip(self.taken.iter().copied()).filter(|(_, count)| *count > 0)
    }

    /// How many vertices are in a group.
    pub fn count(&self, group: u8) -> usize {
        self.taken.get(usize::from(group)).copied().unwrap_or(0)
    }

    /// How many vertices are in each group of this range.
    pub fn counts(&self, groups: Range<usize>) -> &[usize] {
        let end = groups.end.min(self.taken.len());
        self.taken.get(groups.start..end).unwrap_or_default()
    }
}

/// A survey of the skin weights of a geoset. Counts are numbers of vertices.
pub(crate) struct SkinAt {
    pub geoset: usize,
    pub vertices: usize,
    /// Whether each of the bones 0 to 255 moves a vertex.
    pub used: [bool; 256],
    /// The first bone beyond these, if one is used.
    pub beyond: Option<u16>,
    /// Vertices without any weight.
    pub loose: usize,
    /// Vertices whose weights do not sum to 255 (or 0).
    pub wrong: usize,
}

impl SkinAt {
    fn new(geoset: usize, skin: &Skin) -> Self {
        let mut at =
            Self { geoset, vertices: skin.len(), used: [false; 256], beyond: None, loose: 0, wrong: 0 };
        match skin {
            Skin::Narrow(rows) => at.add_all(rows),
            Skin::Wide(rows) => at.add_all(rows),
        }
        at
    }

    fn add_all<T: Copy + PartialEq + Into<u16>>(&mut self, rows: &[[T; 8]]) {
        // Neighbouring vertices mostly have the same bones and weights; only rows with a problem must be counted each time.
        let mut known = None;
        for row in rows {
            if known != Some(row) {
                let wrong = (self.loose, self.wrong);
                self.add(row.map(Into::into));
                known = (wrong == (self.loose, self.wrong)).then_some(row);
            }
        }
    }

    fn add(&mut self, [a, b, c, d, e, f, g, h]: [u16; 8]) {
        for (bone, weight) in [(a, e), (b, f), (c, g), (d, h)] {
            match self.used.get_mut(usize::from(bone)) {
                Some(used) => *used |= weight > 0,
                None if weight > 0 => self.beyond = self.beyond.or(Some(bone)),
                None => {}
            }
        }
        let sum = Sum::of([e, f, g, h]);
        self.loose = self.loose.saturating_add(usize::from(sum == Sum::Nothing));
        self.wrong = self.wrong.saturating_add(usize::from(sum == Sum::Wrong));
    }

    /// The bones that move a vertex.
    pub fn bones(&self) -> impl Iterator<Item = u32> + '_ {
        (0_u32..).zip(self.used).filter(|(_, used)| *used).map(|(bone, _)| bone)
    }
}

/// A node and its position in the file.
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

/// A track, its location in the model, and a survey of its keys.
pub(crate) struct TrackAt<'a> {
    pub place: TrackPlace,
    pub track: &'a Track,
    pub survey: Survey,
}

impl TrackAt<'_> {
    /// The path of the track.
    pub fn path(&self) -> String {
        self.place.path(self.track.tag())
    }
}

/// The location of a track in the model.
#[derive(Clone, Copy)]
pub(crate) enum TrackPlace {
    Node(ChunkKind, usize),
    Record(ChunkKind, usize),
    Layer(usize, usize),
    Slot(usize, usize, usize),
}

impl TrackPlace {
    fn path(self, tag: Tag) -> String {
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
        let (mut last, mut count) = (None, 0_usize);
        let nodes: Vec<NodeAt<'a>> = model
            .nodes()
            .map(|(kind, node)| {
                // The nodes of one chunk come one after the other.
                count = if last == Some(kind) { count.saturating_add(1) } else { 0 };
                last = Some(kind);
                NodeAt { kind, index: count, node }
            })
            .collect();
        let ids = nodes.iter().enumerate();
        let mut by_id: Vec<(i32, usize)> = ids.map(|(position, at)| (at.node.object_id, position)).collect();
        by_id.sort_unstable();
        by_id.dedup_by_key(|(id, _)| *id);
        let mut clock = Clock::new(model);
        let mut tracks = Vec::new();
        for_each_track(model, &nodes, |place, track| {
            tracks.push(TrackAt { place, track, survey: clock.survey(track) });
        });
        let geosets = || model.geosets.iter().enumerate();
        let skins =
            geosets().filter_map(|(index, geoset)| Some(SkinAt::new(index, geoset.skin.as_ref()?))).collect();
        let groups = geosets().filter_map(|(index, geoset)| GroupsAt::new(index, geoset)).collect();
        Self { model, nodes, by_id, tracks, skins, groups }
    }

    /// Whether a key may have a value that is infinite or not a number.
    pub fn has_wrong_keys(&self) -> bool {
        let strays = self.model.stray_tracks().next().is_some();
        strays || self.tracks.iter().any(|at| at.survey.maybe_not_finite)
    }

    /// The node with this object id.
    pub fn node(&self, id: u32) -> Option<&NodeAt<'a>> {
        self.position(i32::try_from(id).ok()?).and_then(|position| self.nodes.get(position))
    }

    /// The position in `nodes` of the first node with this object id.
    pub fn position(&self, id: i32) -> Option<usize> {
        let found = self.by_id.binary_search_by_key(&id, |(id, _)| *id).ok()?;
        self.by_id.get(found).map(|(_, position)| *position)
    }
}

/// Calls a macro with the lists whose records have tracks of their own, besides those of a node.
macro_rules! animated_lists {
    ($run:ident) => {
        $run! {
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
    };
}

fn for_each_track<'a>(model: &'a Model, nodes: &[NodeAt<'a>], mut each: impl FnMut(TrackPlace, &'a Track)) {
    for at in nodes {
        at.node.tracks.iter().for_each(|track| each(TrackPlace::Node(at.kind, at.index), track));
    }
    for (material, layers) in model.materials.iter().enumerate() {
        for (layer, one) in layers.layers.iter().enumerate() {
            one.tracks.iter().for_each(|track| each(TrackPlace::Layer(material, layer), track));
            for (slot, one) in one.slots.iter().enumerate() {
                one.track.iter().for_each(|track| each(TrackPlace::Slot(material, layer, slot), track));
            }
        }
    }
    macro_rules! records {
        ($($kind:ident $list:ident)+) => {$(
            for (index, record) in model.$list.iter().enumerate() {
                record.tracks.iter().for_each(|track| each(TrackPlace::Record(ChunkKind::$kind, index), track));
            }
        )+};
    }
    animated_lists!(records);
}

/// Calls `each` with every track of a model, to be changed, and a function that makes its path.
pub(crate) fn for_each_track_mut(model: &mut Model, mut each: impl FnMut(&dyn Fn() -> String, &mut Track)) {
    macro_rules! walk {
        ($tracks:expr, $place:expr) => {
            for track in &mut $tracks.0 {
                let tag = track.tag();
                each(&|| $place.path(tag), track);
            }
        };
    }
    macro_rules! nodes {
        ($($kind:ident $list:ident)+) => {$(
            for (index, record) in model.$list.iter_mut().enumerate() {
                walk!(record.node.tracks, TrackPlace::Node(ChunkKind::$kind, index));
            }
        )+};
    }
    macro_rules! records {
        ($($kind:ident $list:ident)+) => {$(
            for (index, record) in model.$list.iter_mut().enumerate() {
                walk!(record.tracks, TrackPlace::Record(ChunkKind::$kind, index));
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
    animated_lists!(records);
    for (material, layers) in model.materials.iter_mut().enumerate() {
        for (layer, one) in layers.layers.iter_mut().enumerate() {
            walk!(one.tracks, TrackPlace::Layer(material, layer));
            for (slot, one) in one.slots.iter_mut().enumerate() {
                if let Some(track) = &mut one.track {
                    let tag = track.tag();
                    each(&|| TrackPlace::Slot(material, layer, slot).path(tag), track);
                }
            }
        }
    }
}
