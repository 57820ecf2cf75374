//! JPEG files, and the JPEG streams inside BLP; decoded with `zune-jpeg`.

use crate::codec::{Codec, Format};
use crate::image::{Image, check_stated, map_pixels};
use effigy_wire::{Error, Kind, Limits, Result};
use jpeg_encoder::{ColorType, Encoder};
use zune_jpeg::JpegDecoder;
use zune_jpeg::zune_core::bytestream::ZCursor;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

impl Format {
    /// JPEG.
    pub const JPEG: Self = Self {
        name: "jpeg",
        title: "JPEG",
        extensions: &["jpg", "jpeg"],
        magic: &[b"\xff\xd8\xff"],
        levels: 1,
        largest_side: 65_535,
    };
}

/// The row of the table.
pub const CODEC: Codec = Codec {
    format: Format::JPEG,
    sniff: None,
    size: |_| None,
    least: |_| None,
    read: |bytes, options, _| read(bytes, &options.limits),
    reads: "baseline and progressive",
    encodings: &[],
};

/// A decoded stream.
pub struct Decoded {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Channels per pixel: 1, 3 or 4.
    pub channels: usize,
    /// The samples, pixel by pixel.
    pub samples: Vec<u8>,
}

/// Decodes a stream. Three channels are converted to RGB. Four channels are returned as they are stored if `raw`, and
/// converted to RGB otherwise.
pub fn decode(bytes: &[u8], limits: &Limits, raw: bool) -> Result<Decoded> {
    let options = DecoderOptions::default().set_max_width(65_535).set_max_height(65_535);
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(bytes), options);
    decoder.decode_headers().map_err(malformed)?;
    let (width, height) = decoder.dimensions().ok_or_else(|| malformed("the size is missing"))?;
    let (width, height) = (u32::try_from(width).unwrap_or(0), u32::try_from(height).unwrap_or(0));
    check_stated(width, height, limits)?;
    // Each block of 8 x 8 pixels takes at least a bit, so a short stream cannot hold a large image.
    let most = (bytes.len() as u64).saturating_mul(8 * 64);
    if u64::from(width) * u64::from(height) > most {
        return Err(malformed(format!("{width} x {height} pixels in {} bytes", bytes.len())));
    }
    let (space, channels) = match decoder.input_colorspace() {
        Some(ColorSpace::Luma) => (ColorSpace::Luma, 1),
        Some(ColorSpace::CMYK) if raw => (ColorSpace::CMYK, 4),
        _ => (ColorSpace::RGB, 3),
    };
    decoder.set_options(options.jpeg_set_out_colorspace(space));
    let samples = decoder.decode().map_err(malformed)?;
    if samples.len() as u64 != u64::from(width) * u64::from(height) * channels as u64 {
        return Err(malformed(format!("{} samples for {width} x {height} pixels", samples.len())));
    }
    Ok(Decoded { width, height, channels, samples })
}

/// Swaps the first and third of four channels in the frame header. Decoders write channels in the order of the frame
/// header, and the scan refers to them by number, so blue, green, red, alpha are decoded as red, green, blue, alpha
/// without a pass over the pixels.
pub fn third_channel_first(bytes: &mut [u8]) {
    let mut at = 2;
    while let Some(&[0xff, marker, high, low]) = bytes.get(at..).and_then(<[u8]>::first_chunk) {
        match marker {
            // Fill bytes may precede a marker.
            0xff => at += 1,
            // A frame, baseline to progressive: length, precision, height, width, count, then 3 bytes per channel.
            0xc0..=0xc2 => {
                if let Some(&mut [4, ref mut channels @ ..]) = bytes.get_mut(at + 9..at + 22) {
                    let (first, others) = channels.split_at_mut(6);
                    if let (Some(blue), Some(red)) = (first.get_mut(..3), others.get_mut(..3)) {
                        blue.swap_with_slice(red);
                    }
                }
                return;
            }
            _ => at += 2 + usize::from(u16::from_be_bytes([high, low])),
        }
    }
}

fn malformed(error: impl ToString) -> Error {
    Error::new(Kind::Malformed, format!("JPEG: {}", error.to_string()))
}

/// Writes the first level of an image as a baseline JPEG file, without alpha. The quality is 1 to 100.
///
/// # Errors
/// When the image has no pixels or a side above 65,535.
pub fn write(image: &Image, quality: u8) -> Result<Vec<u8>> {
    image.check()?;
    let failed = |text: String| Error::unrepresentable(format!("JPEG: {text}"));
    let side = |side: u32| u16::try_from(side).map_err(|_| failed(format!("a side of {side} pixels")));
    let (width, height) = (side(image.width)?, side(image.height)?);
    let mut bytes = Vec::new();
    Encoder::new(&mut bytes, quality.clamp(1, 100))
        .encode(image.pixels(), width, height, ColorType::Rgba)
        .map_err(|error| failed(error.to_string()))?;
    Ok(bytes)
}

/// Reads a JPEG file.
fn read(bytes: &[u8], limits: &Limits) -> Result<Image> {
    let decoded = decode(bytes, limits, false)?;
    let pixels = match decoded.channels {
        1 => map_pixels(&decoded.samples, |[grey]| [grey, grey, grey, 255]),
        _ => map_pixels(&decoded.samples, |[red, green, blue]| [red, green, blue, 255]),
    };
    let mut image = Image::new(decoded.width, decoded.height, pixels)?;
    image.stored = "JPEG".into();
    Ok(image)
}
