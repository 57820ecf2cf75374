//! Places on the skeleton: where things are attached and where events happen.

use crate::block::elements;
use crate::track::{Moments, Track};
use crate::version::Caps;
use effigy_wire::{Tag, record};

record! {
    /// A place where other models are attached.
    pub struct Attachment(Caps) {
        /// Which place it is; see [`crate::names::attachment`].
        pub id: u32,
        /// The bone that carries it.
        pub bone: u16,
        /// Not known.
        pub unknown_0x06: u16,
        /// Position.
        pub position: [f32; 3],
        /// Whether what is attached moves on.
        pub animated: Track<u8>,
    }
}

record! {
    /// Something that happens while a sequence plays: a footstep, a swoosh, a sound.
    pub struct Event(Caps) {
        /// What happens; see [`crate::names::event`].
        pub id: Tag,
        /// A number that belongs to it, such as a sound.
        pub data: u32,
        /// The bone where it happens.
        pub bone: u32,
        /// Position.
        pub position: [f32; 3],
        /// When.
        pub moments: Moments,
    }
}

elements! {
    Attachment { animated }
    Event { moments }
}
