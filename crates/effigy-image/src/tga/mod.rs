//! Truevision TGA: the textures of Return to Castle Wolfenstein and Quake III.

mod read;
mod write;

use crate::codec::{Codec, Format};
use crate::encoding::Encoding;

impl Format {
    /// Truevision TGA.
    pub const TGA: Self =
        Self { name: "tga", title: "TGA", extensions: &["tga"], magic: &[], levels: 1, largest_side: 65_535 };
}

impl Encoding {
    /// TGA of 24 bits, or of 32 where a pixel is not opaque.
    pub const TGA: Self = Self {
        format: Format::TGA,
        name: "tga",
        aliases: &[],
        stores: "24 or 32 bits (type 2)",
        setting: 0,
        write: |image, _, _| write::write(image, false),
    };

    /// Like [`Encoding::TGA`], with run-length compression.
    pub const TGA_RLE: Self = Self {
        name: "tga-rle",
        stores: "24 or 32 bits, run-length compressed (type 10)",
        write: |image, _, _| write::write(image, true),
        ..Self::TGA
    };
}

/// The row of the table.
pub const CODEC: Codec = Codec {
    format: Format::TGA,
    sniff: Some(read::looks_like),
    size: |head| crate::pair(head, 12, |side| u16::from_le_bytes(side).into()),
    least: read::least,
    read: |bytes, options, _| read::read(bytes, &options.limits),
    reads: "types 1, 2, 3, 9, 10 and 11 with 8, 15, 16, 24 and 32 bits",
    encodings: &[Encoding::TGA, Encoding::TGA_RLE],
};
