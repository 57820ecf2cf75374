//! Popcorn emitters (`CORN`, 900 and later): effects of the library PopcornFX.

use super::Node;
use crate::track::Tracks;
use crate::version::Caps;
use effigy_wire::{FixedStr, record};

record! {
    /// Plays a PopcornFX effect.
    pub struct PopcornEmitter(Caps) sized {
        /// The node.
        pub node: Node,
        /// Factor for the life span.
        (plain) pub life_span: f32 = 1.0,
        /// Factor for the emission rate.
        (plain) pub emission_rate: f32 = 1.0,
        /// Factor for the speed.
        (plain) pub speed: f32 = 1.0,
        /// Factor for the colour; red, green, blue.
        (plain) pub color: [f32; 3] = [1.0; 3],
        /// Factor for the opacity.
        (plain) pub alpha: f32 = 1.0,
        /// The same as for textures.
        pub replaceable: u32,
        /// Path of the effect (`.pkfx` or `.pkb`).
        pub path: FixedStr<260>,
        /// In which sequences it plays, such as `Always=on, Death=off`.
        pub visibility_guide: FixedStr<260>,
        /// Its tracks; the table of tracks lists those that it can have.
        pub tracks: Tracks,
    }
}
