//! The appearance of surfaces: colours, textures, weights, texture transforms, materials.
//!
//! Real files confirm the layouts. A texture's flags are the low word at +4; the high word is uninitialised in some
//! vanilla files.

use super::{MaterialFlags, TextureFlags};
use crate::block::{Block, elements};
use crate::track::Track;
use crate::version::Caps;
use effigy_wire::record;

record! {
    /// A colour that multiplies the texture of a batch.
    pub struct Color(Caps) {
        /// Red, green, blue, 0 to 1.
        (plain) pub rgb: Track<[f32; 3]>,
        /// 32767 is opaque.
        pub alpha: Track<i16>,
    }
}

record! {
    /// A texture.
    pub struct Texture(Caps) {
        /// 0: `name` is the file. Others: the game's tables provide it (1 skin, 2 object, 6 hair, 11 to 13 creature...).
        pub kind: u32,
        /// Whether it repeats beyond its edges.
        pub flags: TextureFlags,
        /// Uninitialised in some vanilla files, else 0.
        pub flags_high: u16,
        /// Path of the file; an empty text where `kind` is not 0.
        pub name: Block<u8>,
    }
}

record! {
    /// The opacity of a texture ("transparency").
    pub struct TextureWeight(Caps) {
        /// 32767 is opaque.
        pub weight: Track<i16>,
    }
}

record! {
    /// An animated texture made of several images. The header has a field for it that no file uses. Before 264.
    pub struct Flipbook(Caps) {
        /// Not known.
        pub unknown_0x00: u32,
    }
}

record! {
    /// An animated transform of texture coordinates around (0.5, 0.5).
    pub struct TextureTransform(Caps) {
        /// Translation.
        (plain) pub translation: Track<[f32; 3]>,
        /// Quaternion x, y, z, w; four floats in all versions.
        (plain) pub rotation: Track<[f32; 4]>,
        /// Scale.
        (plain) pub scale: Track<[f32; 3]>,
    }
}

record! {
    /// How a batch is drawn ("render flags").
    pub struct Material(Caps) {
        /// Lighting, depth, culling.
        pub flags: MaterialFlags,
        /// 0 opaque, 1 alpha key, 2 alpha, 3 add without alpha, 4 add, 5 modulate, 6 modulate twice, 7 blend-add.
        pub blend: u16,
    }
}

elements! {
    Color { rgb, alpha }
    Texture { name }
    TextureWeight { weight }
    Flipbook {}
    TextureTransform { translation, rotation, scale }
    Material {}
}
