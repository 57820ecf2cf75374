//! Sequences: the animations of a model; and the lookup table by which older clients choose one.
//!
//! Real files confirm the layout: 68 bytes before 264, 64 in 264 (a duration instead of start and end).

use super::SequenceFlags;
use crate::block::{elements, plain};
use crate::version::Caps;
use effigy_wire::record;

record! {
    /// One animation of the model.
    pub struct Sequence(Caps) {
        /// Number of the animation in `AnimationData.dbc`; see [`crate::names::animation`].
        pub id: u16,
        /// Which variation of that animation it is, from 0.
        pub variation: u16,
        /// First millisecond on the model's timeline. Before 264.
        pub start: u32 [Caps::TIMELINE],
        /// Last millisecond on the model's timeline. Before 264.
        pub end: u32 [Caps::TIMELINE],
        /// Length in milliseconds. 264 on.
        pub duration: u32 [Caps::NESTED],
        /// How far the model moves in a second while this plays; 0 for most.
        (length) pub move_speed: f32,
        /// How it plays.
        pub flags: SequenceFlags,
        /// Weight in the random choice between variations; the weights of one animation add up to 32767.
        pub frequency: i16,
        /// 0 in all files.
        pub padding: u16,
        /// Fewest repetitions.
        pub replay_min: u32,
        /// Most repetitions.
        pub replay_max: u32,
        /// Milliseconds over which the previous pose is blended out.
        pub blend_time: u32,
        /// Smallest x, y, z, then largest.
        (corners) pub bounds: [f32; 6],
        /// Radius of a sphere around the bounds.
        (length) pub radius: f32,
        /// The next variation, or -1.
        pub next_variation: i16 = -1,
        /// With the alias flag, the sequence whose keys are played; otherwise its own index, or uninitialised.
        pub alias: u16,
    }
}

plain! {
    /// What an older client plays for an animation. The index of the row is the number of the animation. Before 264.
    pub struct Playable {
        /// The animation that is played.
        pub animation: u16,
        /// 0 forwards, 1 backwards, 3 frozen.
        pub mode: u16,
    }
}

elements! { Sequence {} }

impl Sequence {
    /// Length in milliseconds, in any version. Start and end are numbers modulo 2^32; a sequence that ends before its
    /// start has no length.
    #[must_use]
    pub const fn length(&self) -> u32 {
        if self.duration != 0 {
            return self.duration;
        }
        let length = crate::extent::since(self.start, self.end);
        if length < 0 { 0 } else { length.cast_unsigned() }
    }

    /// Whether its keys are in a `.anim` file (264 on).
    #[must_use]
    pub fn is_external(&self) -> bool {
        !self.flags.intersects(SequenceFlags::ALL_EMBEDDED)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_in_both_layouts() {
        for (start, end, duration, length) in [
            (0, 0, 1000, 1000),
            (3333, 4333, 0, 1000),
            (3333, 3333, 0, 0),
            (3333, 3332, 0, 0),
            (3333, 4333, 7, 7),
            (0xffff_ff00, 0x100, 0, 0x200),
        ] {
            let sequence = Sequence { start, end, duration, ..Sequence::default() };
            assert_eq!(sequence.length(), length, "{start} {end} {duration}");
        }
    }

    #[test]
    fn three_flags_mean_that_the_keys_are_in_the_model() {
        for (flags, external) in [(0, true), (0x10, false), (0x20, false), (0x100, false), (0xff_fecf, true)]
        {
            let sequence = Sequence { flags: SequenceFlags::from_bits_retain(flags), ..Sequence::default() };
            assert_eq!(sequence.is_external(), external, "{flags:#x}");
        }
    }
}
