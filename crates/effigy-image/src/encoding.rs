//! The ways in which a texture can be written.

use std::fmt;
use std::str::FromStr;

/// A file format with the way it stores pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// PNG; one level.
    Png,
    /// TGA, 24 or 32 bits; one level.
    Tga {
        /// Whether runs are packed.
        packed: bool,
    },
    /// BLP1 with 256 colours: exact for pictures of few colours.
    Blp1Palette {
        /// Bits of alpha: 0, 1, 4 or 8.
        alpha_bits: u8,
    },
    /// BLP1 with JPEG inside: what most of Warcraft III uses.
    Blp1Jpeg {
        /// JPEG quality, 1 to 100.
        quality: u8,
    },
    /// BLP2 with 256 colours.
    Blp2Palette {
        /// Bits of alpha: 0, 1, 4 or 8.
        alpha_bits: u8,
    },
    /// BLP2 with DXT1 blocks: 1-bit alpha.
    Blp2Dxt1,
    /// BLP2 with DXT3 blocks: 4-bit alpha.
    Blp2Dxt3,
    /// BLP2 with DXT5 blocks: smooth alpha.
    Blp2Dxt5,
    /// BLP2 with plain BGRA pixels: exact.
    Blp2Raw,
    /// DDS with DXT1 blocks: 1-bit alpha.
    DdsDxt1,
    /// DDS with DXT5 blocks: smooth alpha.
    DdsDxt5,
    /// DDS with plain BGRA pixels: exact.
    DdsRaw,
}

/// The names by which encodings are chosen, with what they stand for. The first of each extension is its default.
const NAMES: [(&str, Encoding); 16] = [
    ("png", Encoding::Png),
    ("tga", Encoding::Tga { packed: false }),
    ("tga-rle", Encoding::Tga { packed: true }),
    ("blp", Encoding::Blp1Jpeg { quality: 90 }),
    ("blp1", Encoding::Blp1Jpeg { quality: 90 }),
    ("blp1-jpeg", Encoding::Blp1Jpeg { quality: 90 }),
    ("blp1-palette", Encoding::Blp1Palette { alpha_bits: 8 }),
    ("blp2", Encoding::Blp2Dxt5),
    ("blp2-palette", Encoding::Blp2Palette { alpha_bits: 8 }),
    ("blp2-dxt1", Encoding::Blp2Dxt1),
    ("blp2-dxt3", Encoding::Blp2Dxt3),
    ("blp2-dxt5", Encoding::Blp2Dxt5),
    ("blp2-raw", Encoding::Blp2Raw),
    ("dds", Encoding::DdsDxt5),
    ("dds-dxt1", Encoding::DdsDxt1),
    ("dds-raw", Encoding::DdsRaw),
];

impl Encoding {
    /// The usual encoding for a file name, by its extension.
    #[must_use]
    pub fn by_extension(path: &str) -> Option<Self> {
        crate::extension(path).parse().ok()
    }

    /// The names that [`str::parse`] understands.
    pub fn names() -> impl Iterator<Item = &'static str> {
        NAMES.iter().map(|&(name, _)| name)
    }

    /// The extension of files of this encoding.
    #[must_use]
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Png => "png",
            Self::Tga { .. } => "tga",
            Self::DdsDxt1 | Self::DdsDxt5 | Self::DdsRaw => "dds",
            _ => "blp",
        }
    }

    /// Whether files of this encoding hold mip levels.
    #[must_use]
    pub const fn holds_mips(self) -> bool {
        !matches!(self, Self::Png | Self::Tga { .. })
    }
}

/// The name is none of [`Encoding::names`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownEncoding;

impl fmt::Display for UnknownEncoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = Encoding::names().collect();
        write!(f, "unknown texture encoding; known are {}", names.join(", "))
    }
}

impl std::error::Error for UnknownEncoding {}

impl FromStr for Encoding {
    type Err = UnknownEncoding;

    fn from_str(text: &str) -> Result<Self, UnknownEncoding> {
        let known = NAMES.iter().find(|(name, _)| name.eq_ignore_ascii_case(text));
        known.map(|&(_, encoding)| encoding).ok_or(UnknownEncoding)
    }
}
