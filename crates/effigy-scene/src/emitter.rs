//! What nodes emit: particles, ribbons, models and effects of other programs.

use crate::{Animated, Blend, Extras, Id, Material, Node, Texture};

/// From where particles start.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum EmitterShape {
    /// A rectangle, `length` along the node's X, `width` along its Y.
    #[default]
    Plane,
    /// A shell between the radii `length` and `width`.
    Sphere,
    /// A chain of cubic Bezier curves through these points (3n + 1).
    Spline(Vec<[f32; 3]>),
}

/// A range of cells of the texture that plays as an animation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cells {
    /// First cell.
    pub start: u32,
    /// Last cell, included; below `start` it plays backwards.
    pub end: u32,
    /// How often; 0 counts as 1.
    pub repeat: u32,
}

/// Colour, alpha, size of a particle over its life. The middle is at `middle` of the life.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OverLife {
    /// Where the middle is, 0 to 1.
    pub middle: f32,
    /// Red, green, blue at start, middle, end.
    pub colors: [[f32; 3]; 3],
    /// Alpha 0 to 1 at start, middle, end.
    pub alphas: [f32; 3],
    /// Half the edge at start, middle, end.
    pub sizes: [f32; 3],
    /// Cells of the head until and after the middle.
    pub head: [Cells; 2],
    /// Cells of the tail until and after the middle.
    pub tail: [Cells; 2],
}

/// A source of particles.
#[derive(Clone, Debug, PartialEq)]
pub struct ParticleEmitter {
    /// Its name.
    pub name: String,
    /// The node that carries it.
    pub node: Id<Node>,
    /// Where it is in the bind pose, in model space.
    pub position: [f32; 3],
    /// From where particles start.
    pub shape: EmitterShape,
    /// Speed at birth, units per second.
    pub speed: Animated<f32>,
    /// Share by which the speed varies.
    pub variation: Animated<f32>,
    /// Cone half-angle, radians.
    pub latitude: Animated<f32>,
    /// Turn about the axis, radians; 0 keeps particles in a plane.
    pub longitude: Animated<f32>,
    /// Pull downwards, units per second squared.
    pub gravity: Animated<f32>,
    /// Life of a particle in seconds.
    pub lifespan: Animated<f32>,
    /// Particles per second.
    pub rate: Animated<f32>,
    /// Extent along the node's X.
    pub length: Animated<f32>,
    /// Extent along the node's Y.
    pub width: Animated<f32>,
    /// Unless 0: particles fly away from the point at this height on the emitter's Z axis.
    pub z_source: Animated<f32>,
    /// Above 0: it emits.
    pub visibility: Animated<f32>,
    /// How particles mix with what is behind.
    pub blend: Blend,
    /// The texture.
    pub texture: Option<Id<Texture>>,
    /// Rows and columns of cells in the texture.
    pub cells: [u32; 2],
    /// A quad is drawn at the particle.
    pub head: bool,
    /// A streak is drawn behind the particle.
    pub tail: bool,
    /// Length of the streak in seconds of flight.
    pub tail_length: f32,
    /// The streak never covers more time than the age of the particle.
    pub tail_grows: bool,
    /// Values over the life of a particle.
    pub over_life: OverLife,
    /// All particles of `rate` are emitted at once when it rises above 0.
    pub squirt: bool,
    /// Particles move with the node after birth.
    pub model_space: bool,
    /// Quads lie flat instead of facing the camera.
    pub flat: bool,
    /// Light does not change it.
    pub unlit: bool,
    /// Fog does not change it.
    pub unfogged: bool,
    /// Far particles are drawn first.
    pub sort: bool,
    /// Share of the speed that is lost per second.
    pub drag: f32,
    /// Turn of the quad, radians per second.
    pub spin: f32,
    /// Higher is drawn later.
    pub priority: i32,
    /// What only the source format knows.
    pub extras: Extras,
}

impl ParticleEmitter {
    /// An emitter at a node that emits nothing yet.
    #[must_use]
    pub fn new(name: impl Into<String>, node: Id<Node>) -> Self {
        let zero = || Animated::fixed(0.0);
        Self {
            name: name.into(),
            node,
            position: [0.0; 3],
            shape: EmitterShape::Plane,
            speed: zero(),
            variation: zero(),
            latitude: zero(),
            longitude: Animated::fixed(std::f32::consts::PI),
            gravity: zero(),
            lifespan: zero(),
            rate: zero(),
            length: zero(),
            width: zero(),
            z_source: zero(),
            visibility: Animated::fixed(1.0),
            blend: Blend::Alpha,
            texture: None,
            cells: [1, 1],
            head: true,
            tail: false,
            tail_length: 0.0,
            tail_grows: false,
            over_life: OverLife::default(),
            squirt: false,
            model_space: false,
            flat: false,
            unlit: true,
            unfogged: false,
            sort: false,
            drag: 0.0,
            spin: 0.0,
            priority: 0,
            extras: Extras::default(),
        }
    }
}

/// Which way a ribbon's gravity points: the formats differ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RibbonGravity {
    /// A positive value pulls down (Warcraft III).
    #[default]
    Down,
    /// A positive value lifts (M2).
    Up,
}

/// A band that a moving node draws behind it.
#[derive(Clone, Debug, PartialEq)]
pub struct Ribbon {
    /// Its name.
    pub name: String,
    /// The node that carries it.
    pub node: Id<Node>,
    /// Where it is in the bind pose, in model space.
    pub position: [f32; 3],
    /// Extent along the node's +Y.
    pub above: Animated<f32>,
    /// Extent along the node's -Y.
    pub below: Animated<f32>,
    /// Alpha.
    pub alpha: Animated<f32>,
    /// Red, green, blue.
    pub color: Animated<[f32; 3]>,
    /// Cell of the texture.
    pub slot: Animated<u32>,
    /// Above 0: it draws.
    pub visibility: Animated<f32>,
    /// Life of an edge in seconds, at least 0.25.
    pub lifespan: f32,
    /// Edges per second, at least 1.
    pub rate: f32,
    /// Rows and columns of cells in the texture.
    pub cells: [u32; 2],
    /// Its material; each layer is one pass.
    pub material: Option<Id<Material>>,
    /// Change of height: gravity times age squared.
    pub gravity: f32,
    /// Which way.
    pub gravity_direction: RibbonGravity,
    /// What only the source format knows.
    pub extras: Extras,
}

/// Something the scene keeps but does not play: model emitters, effects of other programs.
#[derive(Clone, Debug, PartialEq)]
pub struct Effect {
    /// Its name.
    pub name: String,
    /// What it is, such as `modelEmitter` or `popcorn`.
    pub kind: String,
    /// The node that carries it.
    pub node: Id<Node>,
    /// The file it plays.
    pub path: String,
    /// Above 0: it is on.
    pub visibility: Animated<f32>,
    /// All its parameters.
    pub extras: Extras,
}
