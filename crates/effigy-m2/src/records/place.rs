//! Points on the skeleton: where other models are attached and where events happen.

use crate::block::elements;
use crate::track::{Moments, Track};
use crate::version::Caps;
use effigy_wire::{Tag, record};

record! {
    /// A point where other models are attached.
    pub struct Attachment(Caps) {
        /// Purpose of the attachment point; see [`crate::names::attachment`].
        pub id: u32,
        /// The bone that it is attached to.
        pub bone: u16,
        /// Not known.
        pub unknown_0x06: u16,
        /// Position.
        (point) pub position: [f32; 3],
        /// Whether the attached model is animated.
        pub animated: Track<u8>,
    }
}

record! {
    /// Something that happens while a sequence plays: a footstep, a swoosh, a sound.
    pub struct Event(Caps) {
        /// Kind of event; see [`crate::names::event`].
        pub id: Tag,
        /// Parameter of the event, such as the number of a sound.
        pub data: u32,
        /// The bone where it happens.
        pub bone: u32,
        /// Position.
        (point) pub position: [f32; 3],
        /// The times at which it happens.
        pub moments: Moments,
    }
}

elements! {
    Attachment { animated }
    Event { moments }
}
