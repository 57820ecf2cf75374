//! The ways to write a texture: a file format together with how it stores pixels.

use crate::Image;
use crate::codec::{self, CODECS, Format};
use effigy_wire::{Error, Kind, Report, Result};
use std::fmt;
use std::str::FromStr;

/// Writes an image. The number is the encoding's setting, such as the quality of JPEG.
pub(crate) type Writer = fn(&Image, u8, &mut Report) -> Result<Vec<u8>>;

/// A file format together with how it stores pixels.
///
/// The constants and functions of this type are declared next to their codecs; [`str::parse`] finds an encoding by its
/// name, such as `blp2-dxt1`, or by the name of a format, which means its usual encoding.
#[derive(Clone, Copy)]
pub struct Encoding {
    /// The format of the file.
    pub format: Format,
    /// The word that chooses this encoding.
    pub name: &'static str,
    /// Other words for it, besides the name of the format.
    pub aliases: &'static [&'static str],
    /// What it stores, for lists: `DXT1 blocks, 1-bit alpha`.
    pub stores: &'static str,
    /// A number that changes how it stores pixels; 0 where there is nothing to choose.
    pub(crate) setting: u8,
    /// Writes a file.
    pub(crate) write: Writer,
}

impl Encoding {
    /// The usual encoding of the format that a path has by its extension; `None` if it is unknown or only read.
    #[must_use]
    pub fn by_extension(path: &str) -> Option<Self> {
        codec::by_extension(path)?.encodings.first().copied()
    }

    /// Every encoding at its usual setting.
    pub fn all() -> impl Iterator<Item = Self> {
        CODECS.iter().flat_map(|codec| codec.encodings).copied()
    }

    /// The words that [`str::parse`] understands.
    pub fn names() -> impl Iterator<Item = &'static str> {
        CODECS.iter().flat_map(|codec| codec.encodings).flat_map(Self::words)
    }

    /// Its name and all other words for it.
    pub fn words(&self) -> impl Iterator<Item = &'static str> + use<> {
        let first = CODECS.iter().filter_map(|codec| codec.encodings.first());
        let usual = first.filter(|first| first.name == self.name && first.name != first.format.name);
        let format = usual.map(|first| first.format.name).next();
        std::iter::once(self.name).chain(format).chain(self.aliases.iter().copied())
    }

    /// Its words and what it stores, as Markdown.
    pub(crate) fn describe(&self) -> String {
        let words: Vec<String> = self.words().map(|word| format!("`{word}`")).collect();
        let others = words.get(1..).unwrap_or_default().join(", ");
        let also = if others.is_empty() { String::new() } else { format!(" (also {others})") };
        format!("`{}`{also}: {}", self.name, self.stores)
    }

    /// The usual extension of files of this encoding.
    #[must_use]
    pub fn extension(&self) -> &'static str {
        self.format.extension()
    }

    /// Whether files of this encoding hold mip levels.
    #[must_use]
    pub const fn holds_mips(&self) -> bool {
        self.format.holds_mips()
    }
}

/// Two encodings are the same if they have the same name and setting.
impl PartialEq for Encoding {
    fn eq(&self, other: &Self) -> bool {
        (self.name, self.setting) == (other.name, other.setting)
    }
}

impl Eq for Encoding {}

impl fmt::Debug for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Encoding").field("name", &self.name).field("setting", &self.setting).finish()
    }
}

/// The name by which it is chosen.
impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name)
    }
}

impl FromStr for Encoding {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let known = |encoding: &Self| encoding.words().any(|word| word.eq_ignore_ascii_case(text));
        Self::all().find(known).ok_or_else(|| {
            let names: Vec<_> = Self::names().collect();
            Error::new(Kind::Usage, format!("unknown texture encoding '{text}': one of {}", names.join(", ")))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_encoding_is_found_by_any_of_its_words() {
        for (word, encoding) in [
            ("png", Encoding::PNG),
            ("TGA", Encoding::TGA),
            ("tga-rle", Encoding::TGA_RLE),
            ("blp", Encoding::BLP1_JPEG),
            ("blp1", Encoding::BLP1_JPEG),
            ("blp1-jpeg", Encoding::BLP1_JPEG),
            ("blp1-palette", Encoding::BLP1_PALETTE),
            ("blp2", Encoding::BLP2_DXT5),
            ("blp2-dxt5", Encoding::BLP2_DXT5),
            ("dds", Encoding::DDS_DXT5),
            ("dds-raw", Encoding::DDS_RAW),
        ] {
            assert_eq!(word.parse::<Encoding>().unwrap(), encoding, "{word}");
        }
        assert_ne!(Encoding::blp1_jpeg(100), Encoding::BLP1_JPEG);
        assert_eq!(Encoding::blp1_jpeg(90), Encoding::BLP1_JPEG);
        for unknown in ["gif", "jpg", "jpeg", ""] {
            let error = unknown.parse::<Encoding>().unwrap_err();
            assert!(error.to_string().contains("one of blp1-jpeg, blp, blp1, "), "{error}");
        }
    }

    #[test]
    fn no_word_means_two_encodings() {
        let mut names: Vec<_> = Encoding::names().collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }

    #[test]
    fn the_extension_of_a_file_chooses_the_usual_encoding() {
        assert_eq!(Encoding::by_extension("a/x.BLP"), Some(Encoding::BLP1_JPEG));
        assert_eq!(Encoding::by_extension("x.dds"), Some(Encoding::DDS_DXT5));
        assert_eq!(Encoding::by_extension("x.jpg"), None);
        assert_eq!((Encoding::DDS_RAW.extension(), Encoding::DDS_RAW.holds_mips()), ("dds", true));
        assert_eq!((Encoding::TGA_RLE.extension(), Encoding::TGA_RLE.holds_mips()), ("tga", false));
    }
}
