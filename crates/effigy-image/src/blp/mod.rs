//! BLP: the textures of Warcraft III (BLP0 in its beta, BLP1) and World of Warcraft (BLP2).

mod read;
mod write;

use crate::blocks::Block;
use crate::codec::{Codec, Format};
use crate::encoding::Encoding;

/// The most mip levels that a file can hold.
const LEVELS: usize = 16;

impl Format {
    /// BLP0 and BLP1 of Warcraft III, BLP2 of World of Warcraft.
    pub const BLP: Self = Self {
        name: "blp",
        title: "BLP",
        extensions: &["blp"],
        magic: &[b"BLP0", b"BLP1", b"BLP2"],
        levels: LEVELS,
        largest_side: 65_536,
    };
}

impl Encoding {
    /// BLP1 with JPEG of quality 90 inside, as most textures of Warcraft III have it.
    pub const BLP1_JPEG: Self = Self {
        format: Format::BLP,
        name: "blp1-jpeg",
        aliases: &["blp1"],
        stores: "JPEG of quality 90",
        setting: 90,
        write: write::jpeg,
    };

    /// BLP1 with 256 colours and 8 bits of alpha: exact for images of few colours.
    pub const BLP1_PALETTE: Self = Self {
        name: "blp1-palette",
        aliases: &[],
        stores: "256 colours, 8-bit alpha",
        setting: 8,
        write: |image, alpha_bits, report| write::palette(1, image, alpha_bits, report),
        ..Self::BLP1_JPEG
    };

    /// BLP2 with DXT5 blocks: smooth alpha.
    pub const BLP2_DXT5: Self = Self {
        name: "blp2-dxt5",
        aliases: &["blp2"],
        stores: "DXT5 blocks, smooth alpha",
        setting: 0,
        write: |image, _, report| write::dxt(image, Block::Bc3, report),
        ..Self::BLP1_JPEG
    };

    /// BLP2 with DXT3 blocks: 4-bit alpha.
    pub const BLP2_DXT3: Self = Self {
        name: "blp2-dxt3",
        aliases: &[],
        stores: "DXT3 blocks, 4-bit alpha",
        write: |image, _, report| write::dxt(image, Block::Bc2, report),
        ..Self::BLP2_DXT5
    };

    /// BLP2 with DXT1 blocks: 1-bit alpha.
    pub const BLP2_DXT1: Self = Self {
        name: "blp2-dxt1",
        stores: "DXT1 blocks, 1-bit alpha",
        write: |image, _, report| write::dxt(image, Block::Bc1, report),
        ..Self::BLP2_DXT3
    };

    /// BLP2 with 256 colours and 8 bits of alpha: exact for images of few colours.
    pub const BLP2_PALETTE: Self = Self {
        name: "blp2-palette",
        write: |image, alpha_bits, report| write::palette(2, image, alpha_bits, report),
        ..Self::BLP1_PALETTE
    };

    /// BLP2 with uncompressed BGRA pixels: exact.
    pub const BLP2_RAW: Self = Self {
        name: "blp2-raw",
        stores: "uncompressed BGRA, exact",
        write: |image, _, _| write::raw(image),
        ..Self::BLP2_DXT3
    };

    /// BLP1 with JPEG of a quality from 1 to 100.
    #[must_use]
    pub const fn blp1_jpeg(quality: u8) -> Self {
        Self { setting: quality, ..Self::BLP1_JPEG }
    }

    /// BLP1 with 256 colours and 0, 1, 4 or 8 bits of alpha; writing fails with any other number of bits.
    #[must_use]
    pub const fn blp1_palette(alpha_bits: u8) -> Self {
        Self { setting: alpha_bits, ..Self::BLP1_PALETTE }
    }

    /// BLP2 with 256 colours and 0, 1, 4 or 8 bits of alpha; writing fails with any other number of bits.
    #[must_use]
    pub const fn blp2_palette(alpha_bits: u8) -> Self {
        Self { setting: alpha_bits, ..Self::BLP2_PALETTE }
    }
}

/// The row of the table.
pub const CODEC: Codec = Codec {
    format: Format::BLP,
    sniff: None,
    size: |head| crate::pair(head, 12, u32::from_le_bytes),
    least: read::least,
    read: read::read,
    reads: "BLP0 with its `.b00` to `.b15` files and BLP1: JPEG, palette with 0, 1, 4 or 8 bits of alpha; \
            BLP2: the same, DXT1, DXT3, DXT5, uncompressed",
    encodings: &[
        Encoding::BLP1_JPEG,
        Encoding::BLP1_PALETTE,
        Encoding::BLP2_DXT5,
        Encoding::BLP2_DXT3,
        Encoding::BLP2_DXT1,
        Encoding::BLP2_PALETTE,
        Encoding::BLP2_RAW,
    ],
};
