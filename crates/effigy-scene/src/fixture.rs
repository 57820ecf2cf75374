//! What nodes carry: attachments, events, cameras, lights and shapes.

use crate::{Animated, Extras, GlobalSequence, Id, Node, Track};

/// A named point for other models.
#[derive(Clone, Debug, PartialEq)]
pub struct Attachment {
    /// Its name.
    pub name: String,
    /// Number by which the game finds it.
    pub number: u32,
    /// The node it follows.
    pub node: Id<Node>,
    /// Where it is in the bind pose, in model space.
    pub position: [f32; 3],
    /// A model that the file itself attaches; usually empty.
    pub path: String,
    /// Above 0: what is attached is shown.
    pub visibility: Animated<f32>,
}

/// Something that happens at certain times: sounds, footprints, splats.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// Its name, such as `SNDxDHFS` or `$HIT`.
    pub name: String,
    /// A number for the game (a sound id in M2).
    pub data: u32,
    /// The node it happens at.
    pub node: Id<Node>,
    /// Where it is in the bind pose, in model space.
    pub position: [f32; 3],
    /// When it happens, in milliseconds on the timeline, ascending.
    pub times: Vec<i32>,
    /// The clock of `times`, when it is not the sequence that plays.
    pub global: Option<Id<GlobalSequence>>,
}

/// A point to look from.
#[derive(Clone, Debug, PartialEq)]
pub struct Camera {
    /// Its name.
    pub name: String,
    /// Where it is.
    pub position: [f32; 3],
    /// Where it looks.
    pub target: [f32; 3],
    /// Diagonal field of view in radians; vertical = fov / sqrt(1 + aspect^2).
    pub fov: f32,
    /// Nearest distance it sees.
    pub near: f32,
    /// Farthest distance it sees.
    pub far: f32,
    /// Shift of the position.
    pub translation: Option<Track<[f32; 3]>>,
    /// Shift of the target.
    pub target_translation: Option<Track<[f32; 3]>>,
    /// Turn about the view axis, radians.
    pub roll: Option<Track<f32>>,
    /// What only the source format knows.
    pub extras: Extras,
}

/// How a light shines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum LightKind {
    /// From its place in all directions.
    #[default]
    Omni,
    /// From afar along the node's -Z.
    Directional,
    /// From everywhere.
    Ambient,
}

/// A light that a node carries.
#[derive(Clone, Debug, PartialEq)]
pub struct Light {
    /// Its name.
    pub name: String,
    /// How it shines.
    pub kind: LightKind,
    /// The node that carries it.
    pub node: Id<Node>,
    /// Where it is in the bind pose, in model space.
    pub position: [f32; 3],
    /// Distance where it begins to fade.
    pub attenuation_start: Animated<f32>,
    /// Distance where it has faded.
    pub attenuation_end: Animated<f32>,
    /// Red, green, blue.
    pub color: Animated<[f32; 3]>,
    /// Strength.
    pub intensity: Animated<f32>,
    /// Red, green, blue of its ambient part.
    pub ambient_color: Animated<[f32; 3]>,
    /// Strength of its ambient part.
    pub ambient_intensity: Animated<f32>,
    /// Above 0: it is on.
    pub visibility: Animated<f32>,
    /// What only the source format knows.
    pub extras: Extras,
}

/// The geometry of a collision or hit-test shape, relative to its node's pivot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ShapeKind {
    /// A box by two corners.
    Box {
        /// Lower corner.
        min: [f32; 3],
        /// Upper corner.
        max: [f32; 3],
    },
    /// An upright cylinder.
    Cylinder {
        /// Middle of its base.
        base: [f32; 3],
        /// Height.
        height: f32,
        /// Radius.
        radius: f32,
    },
    /// A ball.
    Sphere {
        /// Middle.
        center: [f32; 3],
        /// Radius.
        radius: f32,
    },
    /// A rectangle about the pivot.
    Plane {
        /// Along X.
        length: f32,
        /// Along Y.
        width: f32,
    },
}

/// A shape for selection or collision; never drawn by the game.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    /// Its name.
    pub name: String,
    /// The node it follows.
    pub node: Id<Node>,
    /// Its geometry.
    pub kind: ShapeKind,
}
