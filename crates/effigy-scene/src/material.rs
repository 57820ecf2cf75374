//! Materials: ordered layers with exact blend modes, textures and texture animation.

use crate::{Animated, Extras, Id, Rotation, Track};

/// How a layer mixes with what is behind it: factors of source and destination.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Blend {
    /// It replaces what is behind it.
    #[default]
    Opaque,
    /// It replaces what is behind it where the alpha test passes.
    AlphaKey,
    /// srcAlpha, 1 - srcAlpha.
    Alpha,
    /// one, one.
    Add,
    /// srcAlpha, one.
    AddAlpha,
    /// dstColor, zero.
    Modulate,
    /// dstColor, srcColor.
    Modulate2x,
}

impl Blend {
    /// Its name in extras and in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Opaque => "opaque",
            Self::AlphaKey => "alphaKey",
            Self::Alpha => "alpha",
            Self::Add => "add",
            Self::AddAlpha => "addAlpha",
            Self::Modulate => "modulate",
            Self::Modulate2x => "modulate2x",
        }
    }

    /// The blend of this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        [
            Self::Opaque,
            Self::AlphaKey,
            Self::Alpha,
            Self::Add,
            Self::AddAlpha,
            Self::Modulate,
            Self::Modulate2x,
        ]
        .into_iter()
        .find(|blend| blend.name() == name)
    }
}

/// The role of a texture in its layer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Role {
    /// The colour.
    #[default]
    Base,
    /// A second colour map, combined with the first.
    Second,
    /// Normal map: x = 2RA - 1, y = -(2G - 1).
    Normal,
    /// Green roughness, blue metalness, alpha team mask.
    Orm,
    /// Light of its own.
    Emissive,
    /// The player's colour.
    TeamColor,
    /// A reflection of the surroundings.
    Environment,
}

/// What a texture does to the colour and alpha that its layer has so far. They begin with those of the layer, lit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Combine {
    /// Colour and alpha are multiplied.
    #[default]
    Modulate,
    /// Colour is multiplied, alpha stays.
    ModulateColor,
    /// Colour and alpha are multiplied and doubled.
    Modulate2x,
    /// Colour is multiplied and doubled, alpha stays.
    Modulate2xColor,
    /// Colour and alpha are added.
    Add,
    /// Colour is added, alpha stays.
    AddColor,
    /// The texel is blended over the colour so far by the alpha so far; alpha stays.
    Decal,
    /// The colour so far is blended over the texel by the alpha so far; alpha stays.
    Fade,
}

impl Combine {
    /// Its name in extras and in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Modulate => "modulate",
            Self::ModulateColor => "modulateColor",
            Self::Modulate2x => "modulate2x",
            Self::Modulate2xColor => "modulate2xColor",
            Self::Add => "add",
            Self::AddColor => "addColor",
            Self::Decal => "decal",
            Self::Fade => "fade",
        }
    }
}

/// Where texture coordinates come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Coordinates {
    /// The mesh's set of this number.
    Set(u32),
    /// Made from the reflected view direction, as the game of the scene's [`crate::NodeRule`] does it.
    Sphere,
    /// Made from the reflected view direction as a photographed ball shows it (World of Warcraft from Wrath on).
    Ball,
    /// Made from the reflected view direction in the model's own space: left and up (Wolfenstein).
    Room,
}

impl Default for Coordinates {
    fn default() -> Self {
        Self::Set(0)
    }
}

/// A texture in a layer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LayerTexture {
    /// Its role.
    pub role: Role,
    /// The texture; none: white.
    pub texture: Option<Id<Texture>>,
    /// Numbers of textures over time (a flipbook); wins over `texture`.
    pub flipbook: Option<Track<u32>>,
    /// Where coordinates come from.
    pub coordinates: Coordinates,
    /// How the coordinates move.
    pub transform: Option<Id<TextureTransform>>,
    /// What it does to the colour of the textures before it.
    pub combine: Combine,
}

/// One pass over a mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct Layer {
    /// How it mixes with what is behind.
    pub blend: Blend,
    /// Fragments with less alpha are not drawn; 0: all are.
    pub alpha_test: f32,
    /// The alpha test the other way round: fragments with less alpha are drawn, the others are not.
    pub alpha_below: bool,
    /// Its textures; the first of role `Base` gives the colour.
    pub textures: Vec<LayerTexture>,
    /// Its colour, red, green, blue.
    pub color: Animated<[f32; 3]>,
    /// First factor of its alpha.
    pub alpha: Animated<f32>,
    /// Second factor of its alpha (the alpha next to the colour in M2).
    pub color_alpha: Animated<f32>,
    /// Light does not change it.
    pub unlit: bool,
    /// Both sides are drawn.
    pub two_sided: bool,
    /// Fog does not change it.
    pub unfogged: bool,
    /// What is nearer does not hide it.
    pub no_depth_test: bool,
    /// It does not hide what is farther.
    pub no_depth_write: bool,
    /// Strength of the emissive texture.
    pub emissive_gain: Animated<f32>,
    /// What only the source format knows.
    pub extras: Extras,
}

impl Default for Layer {
    fn default() -> Self {
        Self {
            blend: Blend::Opaque,
            alpha_test: 0.0,
            alpha_below: false,
            textures: Vec::new(),
            color: Animated::fixed([1.0; 3]),
            alpha: Animated::fixed(1.0),
            color_alpha: Animated::fixed(1.0),
            unlit: false,
            two_sided: false,
            unfogged: false,
            no_depth_test: false,
            no_depth_write: false,
            emissive_gain: Animated::fixed(1.0),
            extras: Extras::default(),
        }
    }
}

impl Layer {
    /// The texture with this role.
    #[must_use]
    pub fn texture(&self, role: Role) -> Option<&LayerTexture> {
        self.textures.iter().find(|texture| texture.role == role)
    }
}

/// Layers, drawn in order over each other.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Material {
    /// Its name; may be empty.
    pub name: String,
    /// Higher is drawn later.
    pub priority: i32,
    /// The passes.
    pub layers: Vec<Layer>,
    /// Metal and roughness maps are used (Reforged HD).
    pub physical: bool,
    /// What only the source format knows.
    pub extras: Extras,
}

/// What the game puts in place of a texture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Replaceable {
    /// The player's colour.
    TeamColor,
    /// The player's glow.
    TeamGlow,
    /// Something by number (trees, cliffs, M2 texture types).
    Other(u32),
}

impl Replaceable {
    /// Its number in Warcraft III files; M2 types keep theirs.
    #[must_use]
    pub const fn number(self) -> u32 {
        match self {
            Self::TeamColor => 1,
            Self::TeamGlow => 2,
            Self::Other(number) => number,
        }
    }
}

/// A texture, by name. [`crate::Textures`] finds the pixels.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Texture {
    /// Path as the game names it; empty for a replaceable texture.
    pub path: String,
    /// What the game puts in its place.
    pub replaceable: Option<Replaceable>,
    /// Whether it repeats in u and in v; otherwise the pixels of its edge are repeated.
    pub repeat: [bool; 2],
}

/// In which order a texture transform applies its parts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum TransformOrder {
    /// uv' = c + S R (uv - c) + t: Warcraft III.
    #[default]
    RotateScaleMove,
    /// uv' = c + R S (uv + t - c): M2.
    MoveScaleRotate,
}

/// Texture coordinates that move, about the middle of the texture.
#[derive(Clone, Debug, PartialEq)]
pub struct TextureTransform {
    /// The order of its parts.
    pub order: TransformOrder,
    /// Shift in u, v.
    pub translation: Animated<[f32; 3]>,
    /// Turn about the third axis.
    pub rotation: Animated<Rotation>,
    /// Scale in u, v.
    pub scale: Animated<[f32; 3]>,
}

impl Default for TextureTransform {
    fn default() -> Self {
        Self {
            order: TransformOrder::default(),
            translation: Animated::fixed([0.0; 3]),
            rotation: Animated::fixed(Rotation::IDENTITY),
            scale: Animated::fixed([1.0; 3]),
        }
    }
}
