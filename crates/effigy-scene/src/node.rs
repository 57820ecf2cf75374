//! Nodes: the bones and empties of a model, with pivots and what they take from their parents.

use crate::{Animated, Extras, Id, Mesh, Rotation};

/// How a node turns toward the camera.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Billboard {
    /// It does not.
    #[default]
    None,
    /// Its +X points out of the screen, its Z up on the screen, wherever in the picture it is.
    Full,
    /// It turns about its own X axis only.
    LockX,
    /// It turns about its own Y axis only.
    LockY,
    /// It turns about its Z axis only.
    LockZ,
}

/// What a node does not take from its parent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Ignore {
    /// The parent's translation.
    pub translation: bool,
    /// The parent's rotation.
    pub rotation: bool,
    /// The parent's scale.
    pub scale: bool,
}

impl Ignore {
    /// Whether the node differs from an ordinary child.
    #[must_use]
    pub const fn any(self) -> bool {
        self.translation || self.rotation || self.scale
    }
}

/// What a node is for; it decides nothing about how it moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum NodeKind {
    /// A bone that vertices may follow.
    #[default]
    Bone,
    /// A node that only carries others.
    Helper,
    /// A named point to attach things to.
    Attachment,
    /// A light is located here.
    Light,
    /// An emitter is located here.
    Emitter,
    /// A ribbon starts here.
    Ribbon,
    /// An event happens here.
    Event,
    /// A collision shape is here.
    Shape,
    /// A tag of a morphing model.
    Tag,
}

/// A place that moves with its parent.
///
/// In the bind pose a node is located at its pivot, without rotation. Translation, rotation and scale act about that pivot.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Node {
    /// Its name; may repeat.
    pub name: String,
    /// What it is for.
    pub kind: NodeKind,
    /// The node that carries it.
    pub parent: Option<Id<Node>>,
    /// Where it is in the bind pose, in model space.
    pub pivot: [f32; 3],
    /// What it does not take from its parent.
    pub ignore: Ignore,
    /// How it turns toward the camera.
    pub billboard: Billboard,
    /// It keeps its distance from its parent on the line to the camera.
    pub camera_anchored: bool,
    /// Translation from the pivot, in the parent's axes.
    pub translation: Animated<[f32; 3]>,
    /// Rotation about the pivot.
    pub rotation: Animated<Rotation>,
    /// Scale about the pivot.
    pub scale: Animated<[f32; 3]>,
    /// While this mesh has an alpha of 0, everything that is attached to this node or its descendants is switched off.
    pub gate: Option<Id<Mesh>>,
    /// What only the source format knows.
    pub extras: Extras,
}

impl Node {
    /// A node that does not move.
    #[must_use]
    pub fn new(name: impl Into<String>, kind: NodeKind, parent: Option<Id<Self>>, pivot: [f32; 3]) -> Self {
        Self { name: name.into(), kind, parent, pivot, scale: Animated::fixed([1.0; 3]), ..Self::default() }
    }

    /// Whether it has any track.
    #[must_use]
    pub const fn is_animated(&self) -> bool {
        self.translation.is_animated() || self.rotation.is_animated() || self.scale.is_animated()
    }
}
