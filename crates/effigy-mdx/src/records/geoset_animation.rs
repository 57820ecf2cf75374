//! Geoset animations (`GEOA`): tint and opacity of a mesh over time. The dialects order the fields differently.

use super::flags;
use crate::track::Tracks;
use crate::version::Caps;
use effigy_wire::record;

flags! {
    /// Flags of a geoset animation. WoW alpha has the colour bit alone, as bit 0.
    pub struct GeosetAnimationFlags {
        /// It casts a shadow (Warcraft III).
        const DROP_SHADOW = 1;
        /// The colour is used (Warcraft III).
        const COLOR = 2;
    }
}

record! {
    /// Tint and opacity of a geoset.
    pub struct GeosetAnimation(Caps) sized {
        /// Index of the geoset, or -1.
        pub geoset: i32 [Caps::WOW] = -1,
        /// Opacity, 0 to 1.
        (plain) pub alpha: f32 = 1.0,
        /// Flags.
        pub flags: GeosetAnimationFlags [Caps::WC3],
        /// Tint; red, green, blue.
        (plain) pub color: [f32; 3] = [1.0; 3],
        again geoset [Caps::WC3],
        again flags [Caps::WOW],
        /// Its tracks; the table of tracks lists those that it can have.
        pub tracks: Tracks,
    }
}
