//! Which nodes have a frame that turns with the model, and which vertices follow them.
//!
//! A turn Q of the whole model makes of each node's matrix M the matrix Q M Q⁻¹, since the vertices turn, too: positions, pivots
//! and the axes of rotations turn, and that is all. Three things are different. Emitters, lights, attachments and events have
//! no vertices; what belongs to them is in their own axes, so that their matrix has to become Q M. A billboard's axes come
//! from the camera, which turns with the model: also Q M. A node whose scale differs in x and y has to keep its axes,
//! unless the turn is made of quarters. And so does everything below one of these. What is attached to
//! such a node keeps its place in the axes of the node: it moves with the pivot of the topmost of them, and does not turn.

use effigy_mdx::track::tags;
use effigy_mdx::{ChunkKind, Model, Node, NodeFlags, Track};
use std::collections::HashMap;

/// How a node's own rotation changes in a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    /// Its axis turns: the rule.
    Along,
    /// Not at all: its parent's axes turn, or the camera gives its axes.
    Not,
    /// The turn comes before it.
    Before,
}

/// A node in a turn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// The node at whose pivot the frame begins, by position in [`Model::nodes`]; `None` for ordinary nodes.
    pub top: Option<usize>,
    /// Whether its parent's frame turns.
    pub below: bool,
    /// What happens to its rotation.
    pub turn: Turn,
}

/// All nodes of a model in a turn.
pub(super) struct Frames {
    /// By position in [`Model::nodes`].
    pub places: Vec<Place>,
    /// The pivot of each, where it has one.
    pub pivots: Vec<[f32; 3]>,
    bones: usize,
    by_id: HashMap<i32, usize>,
}

/// Every flag that makes the camera give a node's axes.
pub(super) const BILLBOARD: NodeFlags = NodeFlags::BILLBOARDED
    .union(NodeFlags::BILLBOARDED_LOCK_X)
    .union(NodeFlags::BILLBOARDED_LOCK_Y)
    .union(NodeFlags::BILLBOARDED_LOCK_Z);

/// Whether what belongs to the node is in its own axes.
const fn has_own_frame(kind: ChunkKind) -> bool {
    !matches!(
        kind,
        ChunkKind::Bones | ChunkKind::Helpers | ChunkKind::CollisionShapes | ChunkKind::HitTestShapes
    )
}

impl Frames {
    /// `stretched`: nodes whose scale differs in x and y begin a frame, too.
    pub fn of(model: &Model, stretched: bool) -> Self {
        let nodes: Vec<(ChunkKind, &Node)> = model.nodes().collect();
        let mut by_id = HashMap::new();
        for (index, (_, node)) in nodes.iter().enumerate() {
            by_id.entry(node.object_id).or_insert(index);
        }
        let parent = |index: usize| {
            let (_, node) = nodes.get(index)?;
            (node.parent >= 0).then(|| by_id.get(&node.parent).copied()).flatten()
        };
        let begins = |index: usize| {
            nodes.get(index).is_some_and(|(kind, node)| {
                has_own_frame(*kind) || node.flags.intersects(BILLBOARD) || stretched && is_stretched(node)
            })
        };
        // The topmost of the nodes above that begin a frame; a circle of parents ends after as many steps as there are nodes.
        let top = |index: usize| {
            let mut top = None;
            let mut at = Some(index);
            for _ in 0..=nodes.len() {
                let Some(here) = at else { break };
                if begins(here) {
                    top = Some(here);
                }
                at = parent(here);
            }
            top
        };
        let place = |index: usize| {
            let top_of = top(index);
            let below = parent(index).is_some_and(|parent| top(parent).is_some());
            let flags = nodes.get(index).map_or(NodeFlags::empty(), |(_, node)| node.flags);
            let follows = below && !flags.contains(NodeFlags::DONT_INHERIT_ROTATION);
            let turn = match top_of {
                None => Turn::Along,
                Some(_) if follows || flags.contains(NodeFlags::BILLBOARDED) => Turn::Not,
                // Turning about z commutes with a billboard that is locked to z.
                Some(_) if is_locked_to_z(flags) && !has_frame(&nodes, index) && !stretched => Turn::Along,
                Some(_) => Turn::Before,
            };
            Place { top: top_of, below, turn }
        };
        let pivot = |node: &Node| {
            let id = usize::try_from(node.object_id).ok()?;
            model.pivots.get(id).copied()
        };
        Self {
            places: (0..nodes.len()).map(place).collect(),
            pivots: nodes.iter().map(|(_, node)| pivot(node).unwrap_or_default()).collect(),
            bones: model.bones.len(),
            by_id,
        }
    }

    /// The node of an entry of a matrix list: a bone by position, any other node by id.
    fn entry(&self, entry: u32) -> Option<usize> {
        let index = entry as usize;
        if index < self.bones { Some(index) } else { self.by_id.get(&i32::try_from(entry).ok()?).copied() }
    }

    /// The frame that a vertex with these entries follows: `Ok(None)` for ordinary vertices, an error where it follows nodes
    /// of more than one frame.
    pub fn of_vertex(&self, entries: &[u32]) -> Result<Option<usize>, ()> {
        let mut tops =
            entries.iter().filter_map(|entry| self.places.get(self.entry(*entry)?)).map(|it| it.top);
        let Some(first) = tops.next() else { return Ok(None) };
        if tops.all(|top| top == first) { Ok(first) } else { Err(()) }
    }
}

/// By which part a node's scales along x and y may differ and still count as the same: text with six digits differs by up to 1e-5, and a vertex
/// is off by less than this part of its distance to the pivot.
const ALIKE: f32 = 1e-4;

/// Whether a node has scale keys that differ in x and y by more than rounding.
pub(super) fn is_stretched(node: &Node) -> bool {
    let keys = node.tracks.get(tags::KGSC).and_then(Track::keys::<[f32; 3]>);
    let differ = |[x, y, _]: [f32; 3]| (x - y).abs() > ALIKE * x.abs().max(y.abs());
    keys.into_iter().flatten().any(|key| differ(key.value))
}

fn has_frame(nodes: &[(ChunkKind, &Node)], index: usize) -> bool {
    nodes.get(index).is_some_and(|(kind, _)| has_own_frame(*kind))
}

const fn is_locked_to_z(flags: NodeFlags) -> bool {
    flags.contains(NodeFlags::BILLBOARDED_LOCK_Z)
        && !flags.intersects(NodeFlags::BILLBOARDED_LOCK_X.union(NodeFlags::BILLBOARDED_LOCK_Y))
}
