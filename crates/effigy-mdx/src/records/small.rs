//! Small records: references to face animations (`FAFX`) and sounds (`SNDS`).

use crate::version::Caps;
use effigy_wire::{FixedStr, record};

record! {
    /// A reference to a FaceFX file.
    pub struct FaceFx(Caps) {
        /// Name of the actor; `Node` mostly.
        pub name: FixedStr<80>,
        /// Path of the file.
        pub path: FixedStr<260>,
    }
}

record! {
    /// A sound of an old sound emitter. No public file has one; the layout is that of old format notes.
    pub struct Sound(Caps) {
        /// Path of the file.
        pub path: FixedStr<260>,
        /// Loudness.
        (plain) pub volume: f32,
        /// Pitch.
        (plain) pub pitch: f32,
        /// Channel.
        pub channel: u32,
    }
}
