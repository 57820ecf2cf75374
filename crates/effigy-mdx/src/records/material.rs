//! Materials (`MTLS`) and their layers.
//!
//! Warcraft III marks the layers with `LAYS`; WoW alpha does not and has no material flags. A layer has 28 bytes at
//! 800, 32 at 900, 52 at 1000; from 1100 on its textures are in slots. In 1000 an HD material has six layers
//! (diffuse, normal, ORM, emissive, team colour, environment), in 1100 one layer with six slots.

use super::{Counted, choices, flags};
use crate::track::{Track, Tracks, tags};
use crate::version::Caps;
use effigy_wire::{Codec, Cursor, FixedStr, Result, Sink, Tag, Tree, Wire, record};

flags! {
    /// Flags of a material.
    pub struct MaterialFlags {
        /// Vertex colours are ignored.
        const CONSTANT_COLOR = 1;
        /// Both sides are drawn (from 900).
        const TWO_SIDED = 2;
        /// Triangles are drawn from near to far.
        const SORT_NEAR_Z = 8;
        /// Triangles are drawn from far to near.
        const SORT_FAR_Z = 0x10;
        /// Textures are not reduced on weak machines.
        const FULL_RESOLUTION = 0x20;
    }
}

flags! {
    /// How a layer is drawn.
    pub struct LayerFlags {
        /// Light does not change it.
        const UNSHADED = 1;
        /// Texture coordinates follow the reflection.
        const SPHERE_ENVIRONMENT_MAP = 2;
        /// The texture repeats sideways (WoW alpha 1500).
        const WRAP_WIDTH = 4;
        /// The texture repeats up and down (WoW alpha 1500).
        const WRAP_HEIGHT = 8;
        /// Both sides are drawn.
        const TWO_SIDED = 0x10;
        /// Fog does not change it.
        const UNFOGGED = 0x20;
        /// It is drawn even where something is in front of it.
        const NO_DEPTH_TEST = 0x40;
        /// It does not hide what is drawn later behind it.
        const NO_DEPTH_SET = 0x80;
        /// Warcraft III: unlit. WoW alpha 1500: no fallback.
        const UNLIT = 0x100;
    }
}

choices! {
    /// How a layer is blended with what was drawn before it.
    pub struct FilterMode {
        /// Opaque.
        const NONE = 0, "None";
        /// Cut out where alpha is below three quarters.
        const TRANSPARENT = 1, "Transparent";
        /// Blended by alpha.
        const BLEND = 2, "Blend";
        /// Added.
        const ADDITIVE = 3, "Additive";
        /// Added by alpha.
        const ADD_ALPHA = 4, "AddAlpha";
        /// Multiplied.
        const MODULATE = 5, "Modulate";
        /// Multiplied and doubled.
        const MODULATE_2X = 6, "Modulate2x";
        /// Named in descriptions of Reforged; no known file uses it.
        const FALLBACK = 7, "Fallback";
    }
}

choices! {
    /// Which shader draws a layer (1100 and later).
    pub struct ShaderKind {
        /// The classic one.
        const SD = 0, "Shader_SD_FixedFunction";
        /// The Reforged one.
        const HD = 1, "Shader_HD_DefaultUnit";
    }
}

record! {
    /// How a mesh is drawn: layers on top of each other.
    pub struct Material(Caps) sized {
        /// Among translucent things, lower planes are drawn first.
        pub priority_plane: i32,
        /// Flags.
        pub flags: MaterialFlags [Caps::WC3],
        /// Name of the shader, such as `Shader_HD_DefaultUnit`.
        pub shader: FixedStr<80> [Caps::SHADER_NAME],
        /// The layers, lowest first.
        pub layers: Vec<Layer> as (Layers) [Caps::WC3],
        again layers as (Counted) [Caps::WOW],
    }
}

record! {
    /// One layer of a material.
    pub struct Layer(Caps) sized {
        /// How it is blended.
        pub filter_mode: FilterMode,
        /// How it is drawn.
        pub flags: LayerFlags,
        /// Index of the texture, or -1. From 1100 on the slots are used instead, and this is usually 0.
        pub texture: i32,
        /// Index of the texture animation, or -1.
        pub texture_animation: i32 = -1,
        /// Which set of texture coordinates; WoW alpha: -1 for none.
        pub coordinates: i32,
        /// Opacity, 0 to 1.
        (plain) pub alpha: f32 = 1.0,
        /// Strength of the glow.
        (plain) pub emissive_gain: f32 [Caps::EMISSIVE] = 1.0,
        /// Colour of the Fresnel term; red, green, blue.
        (plain) pub fresnel_color: [f32; 3] [Caps::FRESNEL] = [1.0; 3],
        /// Strength of the Fresnel term.
        (plain) pub fresnel_opacity: f32 [Caps::FRESNEL],
        /// How much of the Fresnel term is team colour.
        (plain) pub fresnel_team_color: f32 [Caps::FRESNEL],
        /// Which shader draws it.
        pub shader: ShaderKind [Caps::TEXTURE_SLOTS],
        /// Its textures.
        pub slots: Vec<TextureSlot> as (Counted) [Caps::TEXTURE_SLOTS],
        /// Its tracks; the table of tracks lists those that it can have.
        pub tracks: Tracks,
    }
}

record! {
    /// A texture of a layer (1100 and later).
    pub struct TextureSlot(Caps) {
        /// Index of the texture, or -1.
        pub texture: i32,
        /// Its purpose: 0 diffuse, 1 normal, 2 ORM, 3 emissive, 4 team colour, 5 environment.
        pub slot: u32,
        /// The texture over time (`KMTF`).
        pub track: Option<Track> as (TrackIf(tags::KMTF)),
    }
}

/// `LAYS`, a count, and the layers.
struct Layers;
const LAYS: Tag = Tag(*b"LAYS");

impl Codec<Vec<Layer>, Caps> for Layers {
    fn read(&self, cursor: &mut Cursor<'_>, caps: Caps) -> Result<Vec<Layer>> {
        cursor.expect_tag(LAYS)?;
        Counted.read(cursor, caps)
    }

    fn write<S: Sink>(&self, layers: &Vec<Layer>, sink: &mut S, caps: Caps) {
        sink.put(&LAYS.0);
        Counted.write(layers, sink, caps);
    }

    fn parse(&self, tree: &Tree<'_>, caps: Caps) -> Result<Vec<Layer>> {
        Counted.parse(tree, caps)
    }
}

/// A track that is present when its tag comes next.
struct TrackIf(Tag);

impl Codec<Option<Track>, Caps> for TrackIf {
    fn read(&self, cursor: &mut Cursor<'_>, caps: Caps) -> Result<Option<Track>> {
        if cursor.peek_tag() == Some(self.0) { Track::read(cursor, caps).map(Some) } else { Ok(None) }
    }

    fn write<S: Sink>(&self, track: &Option<Track>, sink: &mut S, caps: Caps) {
        if let Some(track) = track {
            track.write(sink, caps);
        }
    }

    fn parse(&self, tree: &Tree<'_>, caps: Caps) -> Result<Option<Track>> {
        tree.parts.first().map(|track| Track::parse(track, caps)).transpose()
    }
}
