//! DirectDraw surfaces (DDS): the textures of Warcraft III: Reforged.

mod pixels;
mod read;
mod write;

use crate::blocks::Block;
use crate::codec::{Codec, Format};
use crate::encoding::Encoding;

impl Format {
    /// DirectDraw surface.
    pub const DDS: Self = Self {
        name: "dds",
        title: "DDS",
        extensions: &["dds"],
        magic: &[b"DDS "],
        levels: 17,
        largest_side: 65_536,
    };
}

impl Encoding {
    /// DDS with DXT5 blocks: smooth alpha.
    pub const DDS_DXT5: Self = Self {
        format: Format::DDS,
        name: "dds-dxt5",
        aliases: &[],
        stores: "DXT5 blocks, smooth alpha",
        setting: 0,
        write: |image, _, report| write::dxt(image, Block::Bc3, report),
    };

    /// DDS with DXT1 blocks: 1-bit alpha.
    pub const DDS_DXT1: Self = Self {
        name: "dds-dxt1",
        stores: "DXT1 blocks, 1-bit alpha",
        write: |image, _, report| write::dxt(image, Block::Bc1, report),
        ..Self::DDS_DXT5
    };

    /// DDS with uncompressed BGRA pixels: exact.
    pub const DDS_RAW: Self = Self {
        name: "dds-raw",
        stores: "uncompressed BGRA, exact",
        write: |image, _, _| Ok(write::raw(image)),
        ..Self::DDS_DXT5
    };
}

/// The row of the table.
pub const CODEC: Codec = Codec {
    format: Format::DDS,
    sniff: None,
    size: |head| crate::pair(head, 12, u32::from_le_bytes).map(|(height, width)| (width, height)),
    least: read::least,
    read: |bytes, options, _| read::read(bytes, options),
    reads: "DXT1 to DXT5, ATI1, ATI2, BC1 to BC7 by DXGI number, uncompressed pixels of 8 to 32 bits by their masks",
    encodings: &[Encoding::DDS_DXT5, Encoding::DDS_DXT1, Encoding::DDS_RAW],
};
