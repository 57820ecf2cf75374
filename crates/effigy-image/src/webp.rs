//! WebP without loss, for pictures inside of glTF; written with the crate `image-webp`. It is not a format of the games.

use crate::image::Image;
use effigy_wire::{Error, Result};
use image_webp::{ColorType, WebPEncoder};

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

#[cfg(test)]
mod tests {
    use super::*;
    use image_webp::WebPDecoder;
    use std::io::Cursor;

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
    fn what_webp_cannot_hold_is_an_error() {
        assert!(write(&Image::default()).is_err());
        assert!(write(&Image::flat(16_385, 1, [0; 4])).is_err());
    }
}
