//! Names for numbers: animations, key bones, attachment points, events, and bones by the checksum of their name.

mod animation;
mod bone;
mod place;

pub use animation::{animation, animation_fallback, animation_id};
pub use bone::{bone, bone_crc, key_bone, key_bone_id};
pub use place::{attachment, event};
