//! WebP, for pictures inside of glTF; read and written (without loss) with the crate `image-webp`. It is not a format of the games.

use crate::image::{Image, check_stated};
use effigy_wire::{Error, Kind, Limits, Result};
use image_webp::{ColorType, WebPDecoder, WebPEncoder};
use std::io::Cursor;

/// Writes the first level of an image as a WebP file without loss, without an alpha channel when all pixels are opaque.
///
/// # Errors
/// When the image has no pixels or a side above 16,384.
pub fn write(image: &Image) -> Result<Vec<u8>> {
    image.check()?;
    let mut bytes = Vec::new();
    let encoder = WebPEncoder::new(&mut bytes);
    let (width, height) = (image.width, image.height);
    let written = match image.is_translucent() {
        true => encoder.encode(image.pixels(), width, height, ColorType::Rgba8),
        false => encoder.encode(&image.colors(), width, height, ColorType::Rgb8),
    };
    written.map_err(|error| Error::unrepresentable(format!("WebP: {error}")))?;
    Ok(bytes)
}

/// Whether these are the first bytes of a WebP file.
#[must_use]
pub fn is_webp(bytes: &[u8]) -> bool {
    bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP")
}

fn damaged(error: impl std::fmt::Display) -> Error {
    Error::new(Kind::Malformed, format!("WebP: {error}"))
}

/// Width and height of a WebP file; none if it is damaged.
#[must_use]
pub fn size(bytes: &[u8]) -> Option<[u32; 2]> {
    let (width, height) = WebPDecoder::new(Cursor::new(bytes)).ok()?.dimensions();
    Some([width, height])
}

/// Reads a WebP file; of an animation the first picture.
///
/// # Errors
/// When the file is damaged, or larger than the limits.
pub fn read(bytes: &[u8], limits: &Limits) -> Result<Image> {
    let mut decoder = WebPDecoder::new(Cursor::new(bytes)).map_err(damaged)?;
    let (width, height) = decoder.dimensions();
    check_stated(width, height, limits)?;
    decoder.set_memory_limit(usize::try_from(limits.unpacked_bytes).unwrap_or(usize::MAX));
    let length = decoder.output_buffer_size().ok_or_else(|| damaged("it is too large"))?;
    let mut pixels = vec![0; length];
    decoder.read_image(&mut pixels).map_err(damaged)?;
    if !decoder.has_alpha() {
        pixels = pixels.as_chunks::<3>().0.iter().flat_map(|[r, g, b]| [*r, *g, *b, 255]).collect();
    }
    Image::new(width, height, pixels)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pixels_come_back_and_alpha_is_stored_only_where_needed() {
        for alpha in [255, 7] {
            let pixels: Vec<u8> = (0..12_u8).flat_map(|n| [n * 20, 255 - n, n, alpha]).collect();
            let file = write(&Image::new(4, 3, pixels.clone()).unwrap()).unwrap();
            let mut decoder = WebPDecoder::new(Cursor::new(&file)).unwrap();
            assert_eq!((decoder.dimensions(), decoder.has_alpha()), ((4, 3), alpha != 255));
            let mut read = vec![0; decoder.output_buffer_size().unwrap()];
            decoder.read_image(&mut read).unwrap();
            let step = if alpha == 255 { 3 } else { 4 };
            for (stored, wanted) in read.chunks(step).zip(pixels.chunks(4)) {
                assert_eq!(stored, &wanted[..step]);
            }
        }
    }

    #[test]
    fn what_is_written_can_be_read_and_damage_is_an_error() {
        for alpha in [255, 7] {
            let pixels: Vec<u8> = (0..12_u8).flat_map(|n| [n * 20, 255 - n, n, alpha]).collect();
            let file = write(&Image::new(4, 3, pixels.clone()).unwrap()).unwrap();
            assert!(is_webp(&file));
            assert_eq!(size(&file), Some([4, 3]));
            assert_eq!(read(&file, &Limits::DEFAULT).unwrap().pixels(), pixels);
            // The decoder does not need the last bytes of so small a picture.
            for length in 0..file.len() / 2 {
                assert!(read(&file[..length], &Limits::DEFAULT).is_err(), "{length}");
            }
        }
        assert!(!is_webp(b"RIFF____WAVE") && !is_webp(b"RIFF"));
    }

    #[test]
    fn what_webp_cannot_hold_is_an_error() {
        assert!(write(&Image::default()).is_err());
        assert!(write(&Image::flat(16_385, 1, [0; 4])).is_err());
    }
}
