//! Textures (`TEXS`, 268 bytes each in every version) and texture animations (`TXAN`).

use super::flags;
use crate::track::Tracks;
use crate::version::Caps;
use effigy_wire::{FixedStr, record};

flags! {
    /// Flags of a texture.
    pub struct TextureFlags {
        /// It repeats sideways.
        const WRAP_WIDTH = 1;
        /// It repeats up and down.
        const WRAP_HEIGHT = 2;
    }
}

record! {
    /// A texture: a file, or a texture that the game supplies.
    pub struct Texture(Caps) {
        /// 0: the file; otherwise which texture the game supplies (1 team colour, 2 team glow, ...; WoW alpha: 1 skin, 11 monster...).
        pub replaceable: u32,
        /// Path from the game's root, with backslashes.
        pub path: FixedStr<260>,
        /// Flags.
        pub flags: TextureFlags,
    }
}

record! {
    /// A texture animation: how texture coordinates move (tracks `KTAT`, `KTAR`, `KTAS`).
    pub struct TextureAnimation(Caps) sized {
        /// Its tracks.
        pub tracks: Tracks,
    }
}
