//! PNG, by the crate `png`.

use crate::image::{Image, check_stated, map_pixels};
use effigy_wire::{Error, Kind, Limits, Report, Result};
use png::{BitDepth, ColorType, Decoder, Encoder, Transformations};
use std::io::Cursor;

/// Deflate makes at most 1,032 bytes of one.
const MOST_GROWTH: u64 = 1_100;

/// Reads a PNG; 16-bit channels are cut to 8 bits.
pub fn read(bytes: &[u8], limits: &Limits) -> Result<Image> {
    let malformed = |error: png::DecodingError| Error::new(Kind::Malformed, format!("PNG: {error}"));
    let mut decoder = Decoder::new(Cursor::new(bytes));
    decoder.set_transformations(Transformations::normalize_to_color8());
    let mut reader = decoder.read_info().map_err(malformed)?;
    let (width, height) = reader.info().size();
    check_stated(width, height, limits)?;
    let bits = u64::from(width) * u64::from(height) * reader.info().bits_per_pixel() as u64;
    if bits / 8 > (bytes.len() as u64).saturating_mul(MOST_GROWTH) {
        let message = format!("PNG: {width} x {height} pixels in {} bytes", bytes.len());
        return Err(Error::new(Kind::Malformed, message));
    }
    let size = reader.output_buffer_size().ok_or_else(|| Error::new(Kind::Limit, "PNG: too large"))?;
    let mut data = vec![0; size];
    let frame = reader.next_frame(&mut data).map_err(malformed)?;
    data.truncate(frame.buffer_size());
    let pixels: Vec<u8> = match frame.color_type {
        ColorType::Rgba => data,
        ColorType::Rgb => map_pixels(&data, |[red, green, blue]| [red, green, blue, 255]),
        ColorType::GrayscaleAlpha => map_pixels(&data, |[grey, alpha]| [grey, grey, grey, alpha]),
        _ => map_pixels(&data, |[grey]| [grey, grey, grey, 255]),
    };
    let mut image = Image::new(width, height, pixels)?;
    image.has_alpha = matches!(frame.color_type, ColorType::Rgba | ColorType::GrayscaleAlpha);
    image.stored = "PNG".into();
    Ok(image)
}

/// Writes the first level, without alpha where there is none.
pub fn write(image: &Image, report: &mut Report) -> Result<Vec<u8>> {
    if image.levels.len() > 1 {
        report.dropped("levels", format!("a PNG holds one of {} levels", image.levels.len()));
    }
    let failed = |error: png::EncodingError| Error::unrepresentable(format!("PNG: {error}"));
    let alpha = image.is_translucent();
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, image.width, image.height);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_color(if alpha { ColorType::Rgba } else { ColorType::Rgb });
    let mut writer = encoder.write_header().map_err(failed)?;
    if alpha {
        writer.write_image_data(image.pixels()).map_err(failed)?;
    } else {
        let colors: Vec<u8> =
            image.pixels().as_chunks::<4>().0.iter().flat_map(|&[r, g, b, _]| [r, g, b]).collect();
        writer.write_image_data(&colors).map_err(failed)?;
    }
    writer.finish().map_err(failed)?;
    Ok(bytes)
}
