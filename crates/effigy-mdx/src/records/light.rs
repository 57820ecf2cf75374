//! Lights (`LITE`). 44 bytes after the node up to 1100; 1200, 1300 and 1600 add fields (as the crate `wc3` has them).

use super::{Node, choices};
use crate::track::Tracks;
use crate::version::Caps;
use effigy_wire::record;

choices! {
    /// The kind of a light. 512 and 513 occur in real files.
    pub struct LightKind {
        /// Shines in all directions.
        const OMNI = 0, "Omnidirectional";
        /// Shines in one direction, without a position.
        const DIRECTIONAL = 1, "Directional";
        /// Lights everything equally.
        const AMBIENT = 2, "Ambient";
    }
}

record! {
    /// A light.
    pub struct Light(Caps) sized {
        /// The node.
        pub node: Node,
        /// Its kind.
        pub kind: LightKind,
        /// 1: casts shadows.
        pub shadow_casting: u32 [Caps::SHADOW_CASTING],
        /// Distance at which it begins to fade.
        (length) pub attenuation_start: f32,
        /// Distance at which it is gone.
        (length) pub attenuation_end: f32,
        /// Colour; red, green, blue (the order in WoW alpha is not settled).
        (plain) pub color: [f32; 3] = [1.0; 3],
        /// Strength.
        (plain) pub intensity: f32,
        /// Ambient colour; red, green, blue.
        (plain) pub ambient_color: [f32; 3] = [1.0; 3],
        /// Ambient strength.
        (plain) pub ambient_intensity: f32,
        /// How dark its shadows are.
        (plain) pub shadow_intensity: f32 [Caps::SHADOW_INTENSITY] = 0.4,
        /// Distances at which shadows begin and end.
        (length) pub shadow_range: [f32; 2] [Caps::SHADOW_CASTING],
        /// Quadratic falloff.
        (per_area) pub quadratic_falloff: f32 [Caps::LIGHT_FALLOFF] = 0.0005,
        /// Linear falloff.
        (per_length) pub linear_falloff: f32 [Caps::LIGHT_FALLOFF],
        /// Damping of the falloff.
        (plain) pub damping: f32 [Caps::LIGHT_FALLOFF] = 0.00001,
        /// Its tracks; the table of tracks lists those that it can have.
        pub tracks: Tracks,
    }
}
