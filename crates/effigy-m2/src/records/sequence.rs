//! Sequences: the animations of a model; and the lookup that older clients choose one by.
//!
//! Layout by real files: 68 bytes before 264, 64 in 264 (a duration in place of start and end).

use super::SequenceFlags;
use crate::block::{elements, plain};
use crate::version::Caps;
use effigy_wire::record;

record! {
    /// One animation of the model.
    pub struct Sequence(Caps) {
        /// What it shows, by number in `AnimationData.dbc`; see [`crate::names::animation`].
        pub id: u16,
        /// Which variation of that animation it is, from 0.
        pub variation: u16,
        /// Milliseconds on the model's timeline. Before 264.
        pub start: u32 [Caps::TIMELINE],
        /// Milliseconds on the model's timeline. Before 264.
        pub end: u32 [Caps::TIMELINE],
        /// Milliseconds. 264 on.
        pub duration: u32 [Caps::NESTED],
        /// How far the model moves in a second while this plays; 0 for most.
        pub move_speed: f32,
        /// How it plays.
        pub flags: SequenceFlags,
        /// Weight in the random choice between variations; 32767 in all for one animation.
        pub frequency: i16,
        /// 0 in all files.
        pub padding: u16,
        /// Fewest repetitions.
        pub replay_min: u32,
        /// Most repetitions.
        pub replay_max: u32,
        /// Milliseconds over which the pose before it fades.
        pub blend_time: u32,
        /// Smallest x, y, z, then largest.
        pub bounds: [f32; 6],
        /// Radius of a sphere around the bounds.
        pub radius: f32,
        /// The next variation, or -1.
        pub next_variation: i16 = -1,
        /// The sequence whose keys are used when the alias flag is set; else its own index, or uninitialised.
        pub alias: u16,
    }
}

plain! {
    /// What an older client plays for an animation: the row is the animation's number. Before 264.
    pub struct Playable {
        /// The animation that is played.
        pub animation: u16,
        /// 0 forwards, 1 backwards, 3 frozen.
        pub mode: u16,
    }
}

elements! { Sequence {} }

impl Sequence {
    /// Milliseconds that it lasts, in any version.
    #[must_use]
    pub const fn length(&self) -> u32 {
        if self.duration != 0 { self.duration } else { self.end.saturating_sub(self.start) }
    }

    /// Whether its keys stand in a `.anim` file (264 on).
    #[must_use]
    pub fn is_external(&self) -> bool {
        !self.flags.intersects(SequenceFlags::ALL_EMBEDDED)
    }
}
