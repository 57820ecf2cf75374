//! Textures of classic games: read to RGBA with all their mip levels, and written.
//!
//! [`read`] recognises the format by its content. [`write`] takes an [`Encoding`], which is a file format together with
//! a way to store pixels. [`CODECS`] is the table that both follow.
//!
//! ```
//! use effigy_image::{Encoding, Image, read, write};
//!
//! let image = Image::flat(64, 64, [200, 30, 30, 255]).with_mips();
//! let (bytes, report) = write(&image, "blp2-dxt1".parse()?)?;
//! assert!(report.is_lossy()); // blocks of 4 x 4 pixels approximate the colours
//! let again = read(&bytes)?;
//! assert_eq!((again.stored.as_str(), again.levels.len()), ("BLP2 DXT1, no alpha", 7));
//! let (png, _) = write(&again, Encoding::PNG)?;
//! assert_eq!(effigy_image::sniff(&png), Some(effigy_image::Format::PNG));
//! # Ok::<(), effigy_wire::Error>(())
//! ```
//!
//! Colours are given as they are stored: nothing is converted between colour spaces, and colours are not multiplied by
//! alpha.

mod blocks;
mod blp;
mod codec;
pub mod codes;
mod dds;
mod draw;
mod encoding;
mod image;
mod jpeg;
mod palette;
pub mod png;
pub mod resample;
mod tga;
mod webp;

pub use codec::{CODECS, Codec, Companions, Format, ReadOptions, Reader, markdown, not_a_texture};
pub use encoding::Encoding;
pub use image::Image;
pub use image::to_byte;
pub use jpeg::write as write_jpeg;
pub use webp::{is_webp, read as read_webp, size as webp_size, write as write_webp};

use effigy_wire::{Error, Kind, Limits, Report, Result};

/// The format by content, if these are the bytes of a texture. The first bytes of a file are enough: 18 for a TGA, the
/// length of the mark for the others.
#[must_use]
pub fn sniff(bytes: &[u8]) -> Option<Format> {
    codec::by_content(bytes).map(|codec| codec.format)
}

/// As many first bytes of a file as [`stated_size`] and [`stated_length`] need.
pub const HEAD: usize = 160;

/// Width and height as the first [`HEAD`] bytes of a file state them; none if the format is unknown, or states them further
/// on (JPEG).
#[must_use]
pub fn stated_size(head: &[u8]) -> Option<(u32, u32)> {
    (codec::by_content(head)?.size)(head)
}

/// How many bytes a file with these first [`HEAD`] bytes has at least: a shorter one is cut off. None if the format is unknown, or
/// does not state it.
#[must_use]
pub fn stated_length(head: &[u8]) -> Option<u64> {
    (codec::by_content(head)?.least)(head)
}

/// Two numbers of the header of a file.
fn pair<const N: usize>(head: &[u8], at: usize, number: fn([u8; N]) -> u32) -> Option<(u32, u32)> {
    let (first, rest) = head.get(at..)?.split_first_chunk::<N>()?;
    Some((number(*first), number(*rest.first_chunk::<N>()?)))
}

/// Reads a texture of any known format.
///
/// # Errors
/// When the format is unknown, or the file is damaged or larger than the default limits.
pub fn read(bytes: &[u8]) -> Result<Image> {
    read_with(bytes, &Limits::DEFAULT)
}

/// Like [`read`], with limits of the caller's choice.
///
/// # Errors
/// As [`read`].
pub fn read_with(bytes: &[u8], limits: &Limits) -> Result<Image> {
    read_beside(bytes, limits, &mut |_| None)
}

/// Like [`read_with`]; `beside` gives the content of files with the same name and another extension. BLP0 stores its
/// mip levels in such files (`b00` to `b15`); other formats do not call it.
///
/// # Errors
/// As [`read`].
pub fn read_beside(bytes: &[u8], limits: &Limits, beside: &mut Companions<'_>) -> Result<Image> {
    read_as(bytes, &ReadOptions { limits: *limits, levels: usize::MAX }, beside)
}

/// Like [`read_with`], without the mip levels after the first, which take a third of the time.
///
/// # Errors
/// As [`read`].
pub fn read_first_level(bytes: &[u8], limits: &Limits) -> Result<Image> {
    read_as(bytes, &ReadOptions { limits: *limits, levels: 1 }, &mut |_| None)
}

fn read_as(bytes: &[u8], options: &ReadOptions, beside: &mut Companions<'_>) -> Result<Image> {
    let limits = &options.limits;
    if bytes.len() as u64 > limits.input_bytes {
        let message = format!("{} bytes, the limit is {}", bytes.len(), limits.input_bytes);
        return Err(Error::new(Kind::Limit, message));
    }
    let codec = codec::by_content(bytes).ok_or_else(not_a_texture)?;
    (codec.read)(bytes, options, beside)
}

/// Writes a texture. The report lists what the encoding cannot hold: mip levels, colours, alpha.
///
/// # Errors
/// When the format cannot hold an image of this size.
pub fn write(image: &Image, encoding: Encoding) -> Result<(Vec<u8>, Report)> {
    image.check()?;
    let Format { title, levels, largest_side, .. } = encoding.format;
    if image.width.max(image.height) > largest_side {
        let message = format!(
            "{title} holds at most {largest_side} pixels per side, and the image has {} x {}",
            image.width, image.height
        );
        return Err(Error::unrepresentable(message));
    }
    let mut report = Report::default();
    if image.levels.len() > levels {
        report.dropped("levels", format!("{title} holds {levels} of {} mip levels", image.levels.len()));
    }
    let bytes = (encoding.write)(image, encoding.setting, &mut report)?;
    Ok((bytes, report))
}
