//! The scene itself.

use crate::{
    Arena, Attachment, Bounds, Camera, Effect, Event, Extras, GlobalSequence, Light, Material, Mesh, Node,
    ParticleEmitter, Ribbon, Sequence, Shape, Texture, TextureTransform,
};

/// What a track does before its first and after its last key of a sequence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum KeyRule {
    /// It goes from the last key back to the first through the loop (Warcraft III, World of Warcraft alpha).
    Wrap,
    /// It continues to the next key of the timeline, even if that belongs to another sequence (M2 before 264).
    Continue,
    /// It keeps the end key's value (M2 264, morph frames, glTF).
    #[default]
    Hold,
}

/// How rotations go from one key to the next on a track of [`crate::Interpolation::Linear`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum TurnRule {
    /// Along the shorter arc at constant speed (Warcraft III, M2 before 264, morph frames, glTF).
    #[default]
    Slerp,
    /// The four numbers are mixed one by one and the result is brought to unit length (M2 264). Signs of keys stay as
    /// they are: keys on opposite sides of the sphere are joined by the longer arc.
    Nlerp,
}

/// From which alpha on a layer is drawn. Below it the games skip the layer, even an opaque one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum AlphaRule {
    /// From one step of an 8-bit channel on: 1/255 (Warcraft III, World of Warcraft alpha, morph frames).
    #[default]
    OneStep,
    /// From a ten-thousandth on (M2 264).
    TenThousandth,
    /// Anything above 0 (M2 before 264).
    AboveZero,
}

impl AlphaRule {
    /// Whether a layer with this alpha is drawn. An alpha that is not a number draws nothing.
    #[must_use]
    pub fn draws(self, alpha: f32) -> bool {
        match self {
            Self::OneStep => alpha >= 1.0 / 255.0,
            Self::TenThousandth => alpha >= 1e-4,
            Self::AboveZero => alpha > 0.0,
        }
    }
}

/// Which game's rules are followed where they differ: ignoring parents, turning to the camera, drawing order and light.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum NodeRule {
    /// Warcraft III.
    #[default]
    Warcraft,
    /// World of Warcraft.
    World,
    /// Return to Castle Wolfenstein and its relatives: like World of Warcraft, and layers follow their shader script.
    Wolfenstein,
}

/// A model without its file format.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scene {
    /// The model's name.
    pub name: String,
    /// What tracks do outside their keys.
    pub key_rule: KeyRule,
    /// How rotations go from key to key.
    pub turn_rule: TurnRule,
    /// From which alpha on a layer is drawn.
    pub alpha_rule: AlphaRule,
    /// Which game's rules are followed where they differ.
    pub node_rule: NodeRule,
    /// Milliseconds over which the games blend from one sequence to the next.
    pub blend_time: u32,
    /// Bones and empties.
    pub nodes: Arena<Node>,
    /// Triangles.
    pub meshes: Arena<Mesh>,
    /// Materials.
    pub materials: Arena<Material>,
    /// Textures, by name only: the pixels are in other files.
    pub textures: Arena<Texture>,
    /// Moving texture coordinates.
    pub texture_transforms: Arena<TextureTransform>,
    /// Named intervals of the timeline.
    pub sequences: Arena<Sequence>,
    /// Clocks that are independent of the sequence.
    pub global_sequences: Arena<GlobalSequence>,
    /// Named points.
    pub attachments: Arena<Attachment>,
    /// Things that happen.
    pub events: Arena<Event>,
    /// Points to look from.
    pub cameras: Arena<Camera>,
    /// Lights.
    pub lights: Arena<Light>,
    /// Sources of particles.
    pub emitters: Arena<ParticleEmitter>,
    /// Bands behind moving nodes.
    pub ribbons: Arena<Ribbon>,
    /// Effects that are preserved but not played.
    pub effects: Arena<Effect>,
    /// Collision and hit-test shapes.
    pub shapes: Arena<Shape>,
    /// Bounds as the source states them.
    pub bounds: Bounds,
    /// What only the source format knows.
    pub extras: Extras,
}
