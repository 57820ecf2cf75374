//! The model itself (`MODL`): name, bounds, blending.
//!
//! 372 bytes in Warcraft III, 373 in WoW alpha: the reader uses this to distinguish the dialects.

use crate::version::Caps;
use effigy_wire::{FixedStr, record};

record! {
    /// Bounds: a sphere about the origin and a box. The radius comes first in every version, although some documents state otherwise.
    pub struct Extent(Caps) {
        /// Radius of the sphere.
        pub radius: f32,
        /// Smallest corner of the box.
        pub min: [f32; 3],
        /// Largest corner of the box.
        pub max: [f32; 3],
    }
}

record! {
    /// The model itself (`MODL`).
    pub struct ModelInfo(Caps) {
        /// The model's name.
        pub name: FixedStr<80>,
        /// A file with animations; empty in nearly every file.
        pub animation_file: FixedStr<260>,
        /// Bounds of the whole model.
        pub extent: Extent,
        /// Milliseconds in which one sequence blends into the next. Usually 150; 0 to 500 occur.
        pub blend_time: u32 = 150,
        /// Bits 0 and 1: how it follows the ground; bit 2: always animate. 0 in every known file.
        pub flags: u8 [Caps::WOW],
    }
}
