//! What formats share that name their parts by offset (MDC, MD3, MDS, MDM and Enemy Territory's MDX): reading every part with
//! checked offsets, remembering where the parts of a file were, writing them there again, and showing that in a dump.

mod dumped;
mod layout;
mod read;
mod write;

pub use dumped::{Dumped, numbers, show, stated, trailing};
pub use layout::{Placement, Places, bytes_of, offset_of, too_large};
pub use read::{Field, Parts, unclaimed};
pub use write::{Image, Placed, Walk, part, write};
