//! Textures to RGBA8 with all their mip levels, and back.
//!
//! [`read`] tells the format by content; a TGA has no mark of its own and is what is left. Colours are given as they
//! are stored: nothing is converted between colour spaces, and alpha is never multiplied in.

mod blocks;
mod blp;
mod blp_write;
pub mod codes;
mod dds;
mod dds_pixels;
mod dds_write;
mod draw;
mod encoding;
mod image;
mod jpeg;
mod palette;
pub mod png;
pub mod resample;
mod tga;
mod tga_write;

pub use encoding::Encoding;
pub use image::Image;
pub use image::to_byte;

use effigy_wire::{Error, Kind, Limits, Report, Result};

/// A texture file format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// BLP0 and BLP1 of Warcraft III, BLP2 of World of Warcraft.
    Blp,
    /// DirectDraw surface.
    Dds,
    /// Truevision TGA.
    Tga,
    /// PNG.
    Png,
    /// JPEG.
    Jpeg,
}

impl Format {
    /// The format that an extension promises.
    #[must_use]
    pub fn by_extension(path: &str) -> Option<Self> {
        match extension(path).as_str() {
            "blp" => Some(Self::Blp),
            "dds" => Some(Self::Dds),
            "tga" => Some(Self::Tga),
            "png" => Some(Self::Png),
            "jpg" | "jpeg" => Some(Self::Jpeg),
            _ => None,
        }
    }
}

/// The extension of a path in lower case, without the dot; empty if there is none. Both slashes separate folders.
fn extension(path: &str) -> String {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    name.rsplit_once('.').map_or_else(String::new, |(_, extension)| extension.to_ascii_lowercase())
}

/// The format by content, if these are the bytes of a texture.
#[must_use]
pub fn sniff(bytes: &[u8]) -> Option<Format> {
    let marks: [(&[u8], Format); 6] = [
        (b"BLP0", Format::Blp),
        (b"BLP1", Format::Blp),
        (b"BLP2", Format::Blp),
        (b"DDS ", Format::Dds),
        (b"\x89PNG\r\n\x1a\n", Format::Png),
        (b"\xff\xd8\xff", Format::Jpeg),
    ];
    let marked = marks.iter().find(|(mark, _)| bytes.starts_with(mark)).map(|&(_, format)| format);
    marked.or_else(|| tga::looks_like(bytes).then_some(Format::Tga))
}

/// Reads a texture of any known format.
///
/// # Errors
/// When it is none, damaged, or larger than the default limits.
pub fn read(bytes: &[u8]) -> Result<Image> {
    read_with(bytes, &Limits::DEFAULT)
}

/// As [`read`], with limits of the caller's choice.
///
/// # Errors
/// As [`read`].
pub fn read_with(bytes: &[u8], limits: &Limits) -> Result<Image> {
    read_beside(bytes, limits, &mut |_| None)
}

/// As [`read_with`]; `beside` gives the files that lie beside this one with another extension. BLP0 keeps its mip
/// levels in such files (`b00` to `b15`).
///
/// # Errors
/// As [`read`].
pub fn read_beside(
    bytes: &[u8],
    limits: &Limits,
    beside: &mut dyn FnMut(&str) -> Option<Vec<u8>>,
) -> Result<Image> {
    if bytes.len() as u64 > limits.input_bytes {
        return Err(Error::new(
            Kind::Limit,
            format!("{} bytes, the limit is {}", bytes.len(), limits.input_bytes),
        ));
    }
    match sniff(bytes) {
        Some(Format::Blp) => blp::read(bytes, limits, beside),
        Some(Format::Dds) => dds::read(bytes, limits),
        Some(Format::Png) => png::read(bytes, limits),
        Some(Format::Jpeg) => jpeg::read(bytes, limits),
        Some(Format::Tga) => tga::read(bytes, limits),
        None => Err(Error::unsupported("this is no BLP, DDS, TGA, PNG or JPEG texture")),
    }
}

/// Writes a texture. The report tells what the encoding cannot hold: mip levels, colours, alpha.
///
/// # Errors
/// When the format cannot hold a picture of this size.
pub fn write(image: &Image, encoding: Encoding) -> Result<(Vec<u8>, Report)> {
    image.check()?;
    let mut report = Report::default();
    let bytes = match encoding {
        Encoding::Png => {
            if image.levels.len() > 1 {
                report.dropped("levels", format!("a PNG holds one of {} levels", image.levels.len()));
            }
            png::write(image, png::Compression::Balanced)?
        }
        Encoding::Tga { packed } => tga_write::write(image, packed, &mut report)?,
        Encoding::Blp1Palette { alpha_bits } => blp_write::palette(1, image, alpha_bits, &mut report)?,
        Encoding::Blp1Jpeg { quality } => blp_write::jpeg(image, quality, &mut report)?,
        Encoding::Blp2Palette { alpha_bits } => blp_write::palette(2, image, alpha_bits, &mut report)?,
        Encoding::Blp2Dxt1 => blp_write::dxt(image, blocks::Block::Bc1, &mut report)?,
        Encoding::Blp2Dxt3 => blp_write::dxt(image, blocks::Block::Bc2, &mut report)?,
        Encoding::Blp2Dxt5 => blp_write::dxt(image, blocks::Block::Bc3, &mut report)?,
        Encoding::Blp2Raw => blp_write::raw(image)?,
        Encoding::DdsDxt1 => dds_write::dxt(image, blocks::Block::Bc1, &mut report)?,
        Encoding::DdsDxt5 => dds_write::dxt(image, blocks::Block::Bc3, &mut report)?,
        Encoding::DdsRaw => dds_write::raw(image)?,
    };
    Ok((bytes, report))
}
