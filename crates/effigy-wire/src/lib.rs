//! The byte layer below every format of Effigy.
//!
//! A file is read through a [`Cursor`], which knows its offset and never reads past its end, and written into a
//! [`Sink`]. A record's layout is declared once with [`record!`]; its struct, default, reader, writer, table of
//! fields and loss report all come from that declaration. Bulk arrays (vertices, indices, keys) move by one bounds
//! check and one copy.
//!
//! Three sinks matter. [`Buffer`] collects bytes. [`Compare`] compares the writer's output with the bytes that a
//! value was read from, without storing anything: readers use it as a guard, so that "byte for byte" is verified for each file. [`Dump`]
//! turns the same writer into a walk over named fields with their offsets, which is how `effigy dump` works without
//! a second description of the layout.
//!
//! Nothing here panics on any input, and no allocation depends on an unchecked number from a file: a count is compared with
//! the bytes that are left before memory is allocated.

#[cfg(target_endian = "big")]
compile_error!(
    "the formats are little-endian and bulk arrays are copied as they are: big-endian targets need a swap"
);

mod codec;
mod cursor;
mod diagnostic;
mod error;
mod fixed_str;
mod json;
mod limits;
mod markdown;
pub mod placed;
mod record;
mod report;
mod similarity;
mod sink;
mod space;
mod tag;
mod tree;
mod verdict;
mod visit;
mod wire;

pub use codec::{Codec, Plain, Section};
pub use cursor::Cursor;
pub use diagnostic::{Code, Diagnostic, Diagnostics, Severity};
pub use error::{Error, Kind, Locate, Result, Segment};
pub use fixed_str::{FixedStr, TooLong};
pub use json::{Json, push_string};
pub use limits::Limits;
pub use markdown::{RecordTable, record_table};
pub use record::{Capabilities, Field, Frame, Record, default_of};
pub use report::{Note, Outcome, Report};
pub use similarity::Similarity;
pub use sink::{Buffer, Compare, Dump, Mark, Sink};
pub use space::{BoundsMut, Quaternions, Scalars, Space, Spatial, Vectors, meaning};
pub use tag::Tag;
pub use tree::{Number, Tree, hash};
pub use verdict::{Status, Verdict};
pub use visit::{Flat, Kept, Label, Leaf, Numbers, Visitor};
pub use wire::Wire;

#[doc(hidden)]
pub use bytemuck;
