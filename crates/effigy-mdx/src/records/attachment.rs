//! Attachments (`ATCH`): places where other models are put on. The dialects order id and path differently.

use super::Node;
use crate::track::Tracks;
use crate::version::Caps;
use effigy_wire::{FixedStr, record};

record! {
    /// A place for other models.
    pub struct Attachment(Caps) sized {
        /// The node; its name says what it is for, such as `Hand Left Ref`.
        pub node: Node,
        /// Id of the attachment; in WoW alpha it says what it is for.
        pub id: u32 [Caps::WOW],
        /// Zero in every known file.
        pub padding: u8 [Caps::WOW],
        /// Path of a model that is always there; mostly empty.
        pub path: FixedStr<260>,
        again id [Caps::WC3],
        /// Its tracks; the table of tracks lists those that it can have.
        pub tracks: Tracks,
    }
}
