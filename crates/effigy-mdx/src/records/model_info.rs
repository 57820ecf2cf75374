//! The model itself (`MODL`): name, bounds, blending.
//!
//! 372 bytes in Warcraft III, 373 in WoW alpha: the reader uses this to distinguish the dialects. Warcraft III ends with
//! the blend time; WoW alpha, whose sequences have blend times of their own, with flags and the number of nodes.

use crate::version::Caps;
use effigy_wire::{BoundsMut, FixedStr, Space, Spatial, record};

record! {
    /// Bounds: a sphere about the origin and a box. The radius comes first in every version, although some documents state otherwise.
    pub struct Extent(Caps) spatial by hand {
        /// Radius of the sphere.
        pub radius: f32,
        /// Smallest corner of the box.
        pub min: [f32; 3],
        /// Largest corner of the box.
        pub max: [f32; 3],
    }
}

impl Spatial for Extent {
    fn walk_space(&mut self, space: &mut dyn Space) {
        let Self { radius, min, max } = self;
        space.bounds(BoundsMut { min, max, radius: Some(radius), in_model_space: true });
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
        pub blend_time: u32 [Caps::WC3] = 150,
        /// [`Self::GROUND_TRACK`] and [`Self::ALWAYS_ANIMATE`].
        pub flags: u8 [Caps::WOW],
        /// How many nodes the model has, of all kinds; as many as there are pivots. A count that was right when the model was
        /// read follows the nodes when it is written.
        pub node_count: u32 [Caps::WOW],
    }
}

impl ModelInfo {
    /// The bits of [`Self::flags`] for how the model follows the ground: 0 yaw, 1 yaw and pitch, 2 yaw, pitch and roll.
    pub const GROUND_TRACK: u8 = 3;
    /// The bit of [`Self::flags`] by which the client plays every track as a linear one.
    pub const ALWAYS_ANIMATE: u8 = 4;
}
