//! Attachments (`ATCH`): points where other models are attached. The dialects order id and path differently.

use super::Node;
use crate::track::Tracks;
use crate::version::Caps;
use effigy_wire::{FixedStr, record};

record! {
    /// A point where other models are attached.
    pub struct Attachment(Caps) sized {
        /// The node; its name is its purpose, such as `Hand Left Ref`.
        pub node: Node,
        /// Id of the attachment; in WoW alpha it is its purpose.
        pub id: u32 [Caps::WOW],
        /// 255 in all attachments of the one original file that is known.
        pub padding: u8 [Caps::WOW],
        /// Path of a model that is always attached; usually empty.
        pub path: FixedStr<260>,
        again id [Caps::WC3],
        /// Its tracks; the table of tracks lists those that it can have.
        pub tracks: Tracks,
    }
}
