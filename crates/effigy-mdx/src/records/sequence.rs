//! Sequences (`SEQS`): the animations of a model, as intervals of its single timeline. 132 bytes each in Warcraft III,
//! 140 in WoW alpha.

use super::{Extent, flags};
use crate::version::Caps;
use effigy_wire::{FixedStr, record};

flags! {
    /// Flags of a sequence.
    pub struct SequenceFlags {
        /// It plays once.
        const NON_LOOPING = 1;
    }
}

record! {
    /// One animation of the model. Times are milliseconds on the model's single timeline.
    pub struct Sequence(Caps) {
        /// Its name; the game picks animations by the words in it, such as `Attack - 1`.
        pub name: FixedStr<80>,
        /// Start and end.
        pub interval: [u32; 2],
        /// How far the unit walks in a second while this plays; 0 for most.
        (length) pub move_speed: f32,
        /// Flags.
        pub flags: SequenceFlags,
        /// How rarely it is picked among variations; 0 is often.
        (plain) pub rarity: f32 [Caps::WC3],
        /// Zero in every file seen so far.
        pub sync_point: u32 [Caps::WC3],
        /// Bounds while it plays.
        pub extent: Extent,
        /// Chance to be picked among variations; those of one kind add up to 1.
        (plain) pub frequency: f32 [Caps::WOW],
        /// Least and most repetitions.
        pub replay: [u32; 2] [Caps::WOW],
        /// Milliseconds in which it blends into the next.
        pub blend_time: u32 [Caps::WOW],
    }
}
