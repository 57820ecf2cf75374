//! The table of codecs: what each texture format is called, how it is recognised, read and written.
//!
//! A codec's own file declares its [`Format`], its [`Encoding`]s and its row; [`CODECS`] lists the rows. Recognising
//! files, `--to` of the command, error messages and the table in docs/textures.md all come from here.

use crate::encoding::Encoding;
use crate::{Image, blp, dds, jpeg, png, tga};
use effigy_wire::{Error, Limits, Result};

/// A texture file format: its names, and what a file of it can hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Format {
    /// The word for it in options: `blp`.
    pub name: &'static str,
    /// What people call it: `BLP`.
    pub title: &'static str,
    /// File extensions in lower case, the usual one first.
    pub extensions: &'static [&'static str],
    /// The bytes that files begin with, one of these; empty for a format without such a mark.
    pub magic: &'static [&'static [u8]],
    /// The most mip levels that a file can hold; 1 for formats that hold a single image.
    pub levels: usize,
    /// The largest width and height that a file can have, at most 65,536.
    pub largest_side: u32,
}

/// Gives the content of the file that has the same name with another extension, such as `b00` for BLP0.
pub type Companions<'a> = dyn FnMut(&str) -> Option<Vec<u8>> + 'a;

/// Reads a file of one format.
pub type Reader = fn(&[u8], &ReadOptions, &mut Companions<'_>) -> Result<Image>;

/// How much of a file is read.
#[derive(Clone, Copy, Debug)]
pub struct ReadOptions {
    /// How large the file and its pixels may be.
    pub limits: Limits,
    /// The most mip levels that are decoded.
    pub levels: usize,
}

/// One row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Codec {
    /// Which format this is.
    pub format: Format,
    /// Recognises files of a format that has no mark at its start.
    pub sniff: Option<fn(&[u8]) -> bool>,
    /// Width and height as the first [`crate::HEAD`] bytes state them.
    pub size: fn(&[u8]) -> Option<(u32, u32)>,
    /// How many bytes a file has at least, as far as the first [`crate::HEAD`] bytes tell.
    pub least: fn(&[u8]) -> Option<u64>,
    /// Reads a file.
    pub read: Reader,
    /// Which variants of the format can be read, for the documentation.
    pub reads: &'static str,
    /// The ways to write it, the usual one first; empty for a format that is only read.
    pub encodings: &'static [Encoding],
}

/// Every texture format, in the order in which they are listed.
pub const CODECS: &[Codec] = &[blp::CODEC, dds::CODEC, tga::CODEC, png::CODEC, jpeg::CODEC];

impl Format {
    /// The format that usually has the extension of this path.
    #[must_use]
    pub fn by_extension(path: &str) -> Option<Self> {
        by_extension(path).map(|codec| codec.format)
    }

    /// The usual file extension, without the dot.
    #[must_use]
    pub fn extension(&self) -> &'static str {
        self.extensions.first().copied().unwrap_or_default()
    }

    /// Whether files of this format hold mip levels.
    #[must_use]
    pub const fn holds_mips(&self) -> bool {
        self.levels > 1
    }
}

/// The row of the format that usually has the extension of this path.
pub(crate) fn by_extension(path: &str) -> Option<&'static Codec> {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let (_, extension) = name.rsplit_once('.')?;
    let fits =
        |codec: &&Codec| codec.format.extensions.iter().any(|known| known.eq_ignore_ascii_case(extension));
    CODECS.iter().find(fits)
}

/// The row of the format by content. Formats with a mark come first: the others are recognised by a header that makes
/// sense, which is weaker.
pub(crate) fn by_content(bytes: &[u8]) -> Option<&'static Codec> {
    let marked = |codec: &&Codec| codec.format.magic.iter().any(|mark| bytes.starts_with(mark));
    let sniffed = |codec: &&Codec| codec.sniff.is_some_and(|sniff| sniff(bytes));
    CODECS.iter().find(marked).or_else(|| CODECS.iter().find(sniffed))
}

/// The error for bytes of an unknown format; it names the formats that can be read.
#[must_use]
pub fn not_a_texture() -> Error {
    let titles: Vec<&str> = CODECS.iter().map(|codec| codec.format.title).collect();
    let known = match titles.split_last() {
        Some((last, [])) => (*last).to_owned(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => String::new(),
    };
    Error::unsupported(format!("this is not a {known} texture"))
}

/// The table of docs/textures.md.
#[must_use]
pub fn markdown() -> String {
    let mut table =
        String::from("\n| format | extension | read | written as | mip levels |\n|---|---|---|---|---|\n");
    for Codec { format, reads, encodings, .. } in CODECS {
        let extensions: Vec<String> = format.extensions.iter().map(|one| format!("`.{one}`")).collect();
        let written: Vec<String> = encodings.iter().map(Encoding::describe).collect();
        let written = if written.is_empty() { "-".to_owned() } else { written.join("; ") };
        let levels = if format.holds_mips() { format!("up to {}", format.levels) } else { "one".to_owned() };
        let cells = [format.title, &extensions.join(", "), reads, &written, &levels];
        table.push_str(&format!("| {} |\n", cells.join(" | ")));
    }
    table.push('\n');
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_format_is_found_by_its_extension_and_its_mark() {
        for codec in CODECS {
            for extension in codec.format.extensions {
                let path = format!("a.b/c\\d.{}", extension.to_uppercase());
                assert_eq!(Format::by_extension(&path), Some(codec.format));
            }
            for mark in codec.format.magic {
                assert_eq!(by_content(mark).unwrap().format, codec.format);
            }
            assert!(codec.sniff.is_some() == codec.format.magic.is_empty(), "{}", codec.format.title);
        }
        for path in ["png", "a.png/b", "a.png\\b", "a.", "", "a.gif"] {
            assert_eq!(Format::by_extension(path), None, "{path}");
        }
        assert!(by_content(b"GIF89a").is_none() && by_content(b"").is_none());
    }

    #[test]
    fn the_error_for_an_unknown_file_lists_the_known_formats() {
        assert_eq!(not_a_texture().to_string(), "this is not a BLP, DDS, TGA, PNG or JPEG texture");
    }

    #[test]
    fn only_formats_with_levels_hold_mips() {
        let holding = CODECS.iter().filter(|codec| codec.format.holds_mips());
        assert_eq!(holding.map(|codec| codec.format.name).collect::<Vec<_>>(), ["blp", "dds"]);
    }

    #[test]
    fn the_documentation_has_a_row_for_each_format() {
        let table = markdown();
        let rows: Vec<&str> = table.trim().lines().skip(2).collect();
        assert_eq!(rows.len(), CODECS.len());
        assert!(rows[4].starts_with("| JPEG | `.jpg`, `.jpeg` | ") && rows[4].ends_with(" | - | one |"));
        assert!(rows[0].contains("`blp1-jpeg` (also `blp`, `blp1`)"), "{}", rows[0]);
    }
}
