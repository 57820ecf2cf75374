//! Joints that hide what follows them.
//!
//! A mesh that comes and goes has joints of its own, which are scaled to nothing to hide it. There are two ways:
//!
//! - **Leaves**: a joint below each bone that the mesh follows, all at the middle of the model in the bind pose. A hidden vertex is
//!   on the lines between these joints, wherever the bones carry them, so a triangle that follows at most two bones has
//!   no area.
//! - **Trees**: triangles that follow more bones would be seen as slivers. For them the bones below the closest common one are
//!   copied, with their motion, under one node that is scaled: everything ends up in one point.

use super::{Builder, HIDDEN, ROOT};
use crate::json::{self, Object};
use effigy_scene::coordinates::to_y_up;
use effigy_scene::{Bounds, Id, Mesh, Node, Skin};
use std::collections::{BTreeSet, HashMap};

/// The joints of meshes that come and go together.
#[derive(Clone, Default)]
pub(super) struct Hiding {
    /// Whether they are hidden at rest.
    hidden: bool,
    /// Leaves by the glTF node that they follow.
    leaves: HashMap<usize, usize>,
    trees: Vec<Tree>,
}

/// Copies of bones.
#[derive(Clone)]
struct Tree {
    /// The node of the scene that the tree is attached to; none: the root of the document.
    top: Option<Id<Node>>,
    /// The node that is scaled; it also stands for `top`.
    node: usize,
    /// By number of the scene's node.
    copies: HashMap<usize, usize>,
}

/// How the joints of one mesh are made.
#[derive(Clone, Copy)]
pub(super) enum Way {
    /// The bones themselves: the mesh is always shown.
    Bones,
    Leaves,
    /// The number of the tree.
    Tree(usize),
}

impl Hiding {
    pub(super) fn new(hidden: bool) -> Self {
        Self { hidden, ..Self::default() }
    }
}

/// Notes that a joint is not a node of the model, and which node its vertices follow.
pub(super) fn noted(node: Option<Id<Node>>) -> Object {
    match node {
        Some(id) => Object::default().with("joint", "shown").with("node", id.index()),
        None => Object::default().with("joint", "still"),
    }
}

impl Builder<'_> {
    /// How to hide a mesh; makes the top of its tree, if there is none yet.
    pub(super) fn way_to_hide(&mut self, mesh: &Mesh, skin: &Skin, hiding: &mut Hiding) -> Way {
        let lists: Vec<BTreeSet<usize>> = (0..skin.groups.len())
            .map(|group| {
                let influences = skin.group(u32::try_from(group).unwrap_or(u32::MAX));
                influences.iter().filter(|it| it.weight > 0.0).map(|it| it.node.index()).collect()
            })
            .collect();
        let nodes_of = |vertex: u32| {
            let group = skin.vertex_groups.get(vertex as usize);
            group.and_then(|group| lists.get(*group as usize))
        };
        let spreads = mesh.indices.chunks_exact(3).any(|corners| {
            let mut nodes: BTreeSet<Option<usize>> = BTreeSet::new();
            for list in corners.iter().filter_map(|corner| nodes_of(*corner)) {
                nodes.extend(list.iter().copied().map(Some));
                if list.is_empty() {
                    nodes.insert(None);
                }
            }
            nodes.len() > 2
        });
        if !spreads {
            return Way::Leaves;
        }
        let used: Vec<&BTreeSet<usize>> =
            skin.vertex_groups.iter().filter_map(|group| lists.get(*group as usize)).collect();
        let top = if used.iter().any(|list| list.is_empty()) {
            None
        } else {
            self.common(&used.iter().flat_map(|list| list.iter().copied()).collect())
        };
        let above = self.line(top);
        let fits = |tree: &Tree| tree.top.is_none_or(|it| above.contains(&it));
        if let Some(index) = hiding.trees.iter().position(fits) {
            return Way::Tree(index);
        }
        let (parent, name) = match top {
            Some(id) => (self.node(id), format!("{} (shown)", self.name_of(id))),
            None => (ROOT, "Shown".to_owned()),
        };
        let name = self.unique("node", &name, "Shown");
        let scale = hiding.hidden.then_some(HIDDEN);
        let extras = noted(top);
        let node = self.add_node(parent, json::Node { name, scale, extras, ..json::Node::default() });
        let pivot = top.map_or([0.0; 3], |id| self.pivot(id));
        self.skin.place(node, pivot);
        hiding.trees.push(Tree { top, node, copies: HashMap::new() });
        Way::Tree(hiding.trees.len() - 1)
    }

    pub(super) fn name_of(&self, id: Id<Node>) -> String {
        self.nodes.get(self.node(id)).map_or_else(String::new, |it| it.name.clone())
    }

    /// A node and all above it, from below.
    fn line(&self, from: Option<Id<Node>>) -> Vec<Id<Node>> {
        let mut line = Vec::new();
        let mut at = from;
        // A checked scene has no cycle of parents.
        while let Some(id) = at {
            line.push(id);
            at = self.scene.nodes.get(id).and_then(|node| node.parent);
        }
        line
    }

    /// The lowest node that all of these are, or are below.
    fn common(&self, nodes: &BTreeSet<usize>) -> Option<Id<Node>> {
        let mut nodes = nodes.iter().filter_map(|index| self.scene.nodes.id(*index));
        let mut shared = self.line(nodes.next());
        for id in nodes {
            let line = self.line(Some(id));
            shared.retain(|it| line.contains(it));
        }
        shared.first().copied()
    }

    /// The joint of vertices that follow a node, its position in the bind pose, and what is scaled to hide them.
    pub(super) fn hiding_joint(
        &mut self,
        id: Id<Node>,
        way: Way,
        hiding: &mut Hiding,
    ) -> (usize, [f32; 3], Option<usize>) {
        let place = self.node(id);
        let pivot = self.pivot(id);
        match way {
            Way::Bones => (place, pivot, None),
            Way::Leaves => {
                let point = self.middle();
                if let Some(joint) = hiding.leaves.get(&place) {
                    return (*joint, point, Some(*joint));
                }
                let name = format!("{} (shown)", self.name_of(id));
                let joint = self.child(id, point, &name, noted(Some(id)));
                self.hide_joint(joint, hiding.hidden);
                hiding.leaves.insert(place, joint);
                (joint, point, Some(joint))
            }
            Way::Tree(index) => match hiding.trees.get_mut(index) {
                Some(tree) => (self.copy(id, tree), pivot, Some(tree.node)),
                None => (place, pivot, None),
            },
        }
    }

    /// The copy of a node in a tree, made with all above it if there is none yet.
    fn copy(&mut self, id: Id<Node>, tree: &mut Tree) -> usize {
        let mut missing = Vec::new();
        let mut at = Some(id);
        let mut parent = tree.node;
        while let Some(id) = at.filter(|id| Some(*id) != tree.top) {
            if let Some(copy) = tree.copies.get(&id.index()) {
                parent = *copy;
                break;
            }
            missing.push(id);
            at = self.scene.nodes.get(id).and_then(|node| node.parent);
        }
        for id in missing.into_iter().rev() {
            let original = self.node(id);
            let name = format!("{} (shown)", self.name_of(id));
            let name = self.unique("node", &name, "Node");
            let (translation, rotation, scale) = self
                .nodes
                .get(original)
                .map_or((None, None, None), |it| (it.translation, it.rotation, it.scale));
            let extras = noted(Some(id));
            let node = json::Node { name, translation, rotation, scale, extras, ..json::Node::default() };
            parent = self.add_node(parent, node);
            let pivot = self.pivot(id);
            self.skin.place(parent, pivot);
            tree.copies.insert(id.index(), parent);
            self.skin.copies.entry(original).or_default().push(parent);
        }
        parent
    }

    /// The joint of vertices that follow nothing: a node below the root, which can hide them if that is asked for.
    pub(super) fn free_joint(&mut self, way: Way, hiding: &mut Hiding) -> (usize, [f32; 3], Option<usize>) {
        let (point, known) = match way {
            // The top of such a tree is the root.
            Way::Tree(index) => {
                let node = hiding.trees.get(index).map_or(ROOT, |tree| tree.node);
                return (node, [0.0; 3], Some(node));
            }
            Way::Leaves => (self.middle(), hiding.leaves.get(&ROOT).copied()),
            Way::Bones => ([0.0; 3], self.skin.still),
        };
        let hides = matches!(way, Way::Leaves);
        let joint = known.unwrap_or_else(|| {
            let name = self.unique("node", if hides { "Still (shown)" } else { "Still" }, "Still");
            let place = to_y_up(point);
            let translation = (place != [0.0; 3]).then_some(place);
            let extras = noted(None);
            self.add_node(ROOT, json::Node { name, translation, extras, ..json::Node::default() })
        });
        if hides {
            self.hide_joint(joint, hiding.hidden);
            hiding.leaves.insert(ROOT, joint);
            return (joint, point, Some(joint));
        }
        self.skin.still = Some(joint);
        (joint, point, None)
    }

    fn hide_joint(&mut self, joint: usize, hidden: bool) {
        if let Some(node) = self.nodes.get_mut(joint).filter(|_| hidden) {
            node.scale = Some(HIDDEN);
        }
    }

    /// The middle of the model in the bind pose.
    fn middle(&self) -> [f32; 3] {
        let Bounds { min: [ax, ay, az], max: [bx, by, bz], .. } = self.scene.info().bounds;
        [f32::midpoint(ax, bx), f32::midpoint(ay, by), f32::midpoint(az, bz)]
    }
}
