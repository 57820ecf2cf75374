//! Many moments of one sequence: which keys count and what does not move is found out once.

use effigy_scene::sample::{Moment, Motion, Pose, Sampler, Value};
use effigy_scene::{Animated, Id, KeyRule, Node, Sequence};

/// First and last key of a track that count in the sequence.
type Window = (usize, usize);

/// Poses the moments of a sequence.
pub(super) struct Player<'a> {
    pub sampler: Sampler<'a>,
    nodes: &'a [Id<Node>],
    /// The motions of all nodes; those that change are written for every moment.
    motions: Vec<Motion>,
    changing: Vec<Changing<'a>>,
    /// The nodes that move in the sequence, by themselves or with their parents.
    moving: Vec<Id<Node>>,
    moves: Vec<bool>,
    /// No moment of the sequence was posed yet.
    is_new: bool,
}

/// The curves of a node that change in the sequence.
struct Changing<'a> {
    id: Id<Node>,
    node: &'a Node,
    translation: Option<Window>,
    rotation: Option<Window>,
    scale: Option<Window>,
}

impl<'a> Player<'a> {
    /// For these nodes, parents before children.
    pub fn new(sampler: Sampler<'a>, nodes: &'a [Id<Node>]) -> Self {
        let motions = vec![Motion::default(); sampler.scene().nodes.len()];
        let moves = vec![false; motions.len()];
        let (changing, moving) = (Vec::new(), Vec::new());
        Self { sampler: sampler.only(nodes), nodes, motions, changing, moving, moves, is_new: true }
    }

    /// Takes a sequence.
    pub fn play(&mut self, sequence: Id<Sequence>) {
        let (sampler, moment) = (self.sampler, Moment::new(sequence, 0.0));
        self.changing.clear();
        self.moving.clear();
        self.is_new = true;
        for id in self.nodes {
            let (Some(node), Some(motion)) =
                (sampler.scene().nodes.get(*id), self.motions.get_mut(id.index()))
            else {
                continue;
            };
            let (translation, moves) = start(&sampler, &node.translation, &moment);
            let (rotation, turns) = start(&sampler, &node.rotation, &moment);
            let (scale, grows) = start(&sampler, &node.scale, &moment);
            *motion = Motion { translation, rotation, scale };
            let above = node.parent.and_then(|parent| self.moves.get(parent.index()).copied());
            let changes = moves.or(turns).or(grows).is_some();
            let is_moving = changes || above == Some(true);
            if let Some(flag) = self.moves.get_mut(id.index()) {
                *flag = is_moving;
            }
            if is_moving {
                self.moving.push(*id);
            }
            if changes {
                let changing = Changing { id: *id, node, translation: moves, rotation: turns, scale: grows };
                self.changing.push(changing);
            }
        }
    }

    /// Whether all moments of the sequence look like the first.
    pub fn is_still(&self) -> bool {
        self.moving.is_empty()
    }

    /// Poses a moment of the sequence; returns the nodes that are not where they were.
    pub fn pose(&mut self, moment: &Moment, pose: &mut Pose) -> &[Id<Node>] {
        let sampler = self.sampler;
        for Changing { id, node, translation, rotation, scale } in &self.changing {
            let Some(motion) = self.motions.get_mut(id.index()) else { continue };
            put(&sampler, &node.translation, moment, *translation, &mut motion.translation);
            put(&sampler, &node.rotation, moment, *rotation, &mut motion.rotation);
            put(&sampler, &node.scale, moment, *scale, &mut motion.scale);
        }
        let nodes = if std::mem::take(&mut self.is_new) { self.nodes } else { &self.moving };
        sampler.only(nodes).place(&self.motions, pose);
        nodes
    }
}

/// The value of an animation at the start of a sequence, and which of its keys count if it changes.
fn start<T: Value + PartialEq>(
    sampler: &Sampler<'_>,
    animated: &Animated<T>,
    moment: &Moment,
) -> (T, Option<Window>) {
    let Some(track) = &animated.track else { return (animated.base, None) };
    let Some((first, last)) = sampler.window(track, moment) else { return (track.default, None) };
    let value = |key: usize| track.values.get(key).copied().unwrap_or(track.default);
    // Most curves that do not change have a key at both ends.
    let ends = last.saturating_sub(first) == 1 && value(first) == value(last);
    let straight = track.tangents.is_empty() && sampler.scene().key_rule != KeyRule::Continue;
    let is_still = first >= last || (ends && straight);
    (value(first), (!is_still).then_some((first, last)))
}

fn put<T: Value>(
    sampler: &Sampler<'_>,
    animated: &Animated<T>,
    moment: &Moment,
    window: Option<Window>,
    into: &mut T,
) {
    if let (Some(track), Some(window)) = (&animated.track, window)
        && let Some(segment) = sampler.segment(track, moment, window)
    {
        *into = sampler.within(track, &segment, segment.t);
    }
}
