//! Files from pictures: PNG, animated PNG and GIF.

use crate::Image;
use effigy_wire::{Error, Kind, Result};

fn failed(error: impl std::fmt::Display) -> Error {
    Error::new(Kind::Unrepresentable, format!("the picture cannot be encoded: {error}"))
}

/// Whether some pixel lets the background through.
fn has_alpha(pictures: &[Image]) -> bool {
    pictures.iter().any(|picture| picture.pixels.as_chunks::<4>().0.iter().any(|pixel| pixel[3] < 255))
}

fn channels(picture: &Image, alpha: bool) -> Vec<u8> {
    if alpha {
        return picture.pixels.clone();
    }
    picture.pixels.as_chunks::<4>().0.iter().flat_map(|[r, g, b, _]| [*r, *g, *b]).collect()
}

/// A PNG file, without an alpha channel where nothing is see-through.
///
/// # Errors
/// When the picture has no pixels.
pub fn png(picture: &Image) -> Result<Vec<u8>> {
    animated(std::slice::from_ref(picture), None)
}

/// An animated PNG that plays forever. Frames have the size of the first and last `milliseconds` each.
///
/// # Errors
/// When there is no frame, or sizes differ.
pub fn apng(frames: &[Image], milliseconds: u16) -> Result<Vec<u8>> {
    animated(frames, Some(milliseconds))
}

fn animated(frames: &[Image], milliseconds: Option<u16>) -> Result<Vec<u8>> {
    let first = frames.first().ok_or_else(|| failed("there is no frame"))?;
    let alpha = has_alpha(frames);
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, first.width, first.height);
    encoder.set_color(if alpha { png::ColorType::Rgba } else { png::ColorType::Rgb });
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Fast);
    if let Some(milliseconds) = milliseconds {
        let count = u32::try_from(frames.len()).map_err(failed)?;
        encoder.set_animated(count, 0).map_err(failed)?;
        encoder.set_frame_delay(milliseconds, 1000).map_err(failed)?;
    }
    let mut writer = encoder.write_header().map_err(failed)?;
    for frame in frames {
        if (frame.width, frame.height) != (first.width, first.height) {
            return Err(failed("frames differ in size"));
        }
        writer.write_image_data(&channels(frame, alpha)).map_err(failed)?;
    }
    writer.finish().map_err(failed)?;
    Ok(file)
}

/// A GIF file that plays forever, with a palette for each frame. GIF counts time in hundredths of a second and knows
/// pixels that are see-through or not, nothing between.
///
/// # Errors
/// When there is no frame, sizes differ, or a side is longer than 65,535.
pub fn gif(frames: &[Image], milliseconds: u16) -> Result<Vec<u8>> {
    let first = frames.first().ok_or_else(|| failed("there is no frame"))?;
    let size = [first.width, first.height].map(u16::try_from);
    let [Ok(width), Ok(height)] = size else { return Err(failed("GIF has at most 65,535 pixels a side")) };
    let mut file = Vec::new();
    let mut encoder = gif::Encoder::new(&mut file, width, height, &[]).map_err(failed)?;
    encoder.set_repeat(gif::Repeat::Infinite).map_err(failed)?;
    for (number, picture) in (0_u32..).zip(frames) {
        if (picture.width, picture.height) != (first.width, first.height) {
            return Err(failed("frames differ in size"));
        }
        let mut pixels = picture.pixels.clone();
        for pixel in pixels.as_chunks_mut::<4>().0 {
            *pixel = if pixel[3] < 128 { [0; 4] } else { [pixel[0], pixel[1], pixel[2], 255] };
        }
        let mut frame = gif::Frame::from_rgba_speed(width, height, &mut pixels, 10);
        // Rounding each frame's end instead of its length keeps the pace over the whole animation.
        let end = |count: u32| (count * u32::from(milliseconds) + 5) / 10;
        frame.delay = u16::try_from(end(number + 1) - end(number)).unwrap_or(u16::MAX);
        frame.dispose = gif::DisposalMethod::Background;
        encoder.write_frame(&frame).map_err(failed)?;
    }
    drop(encoder);
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frames() -> Vec<Image> {
        [[255, 0, 0, 255], [0, 0, 255, 255]].map(|color| Image::filled(8, 4, color).unwrap()).to_vec()
    }

    #[test]
    fn a_png_comes_back_and_has_alpha_only_where_it_is_needed() {
        for alpha in [255, 128] {
            let picture = Image::filled(5, 3, [10, 20, 30, alpha]).unwrap();
            let file = png(&picture).unwrap();
            let mut reader = png::Decoder::new(std::io::Cursor::new(file)).read_info().unwrap();
            let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
            let info = reader.next_frame(&mut pixels).unwrap();
            assert_eq!((info.width, info.height), (5, 3));
            let expected: &[u8] = if alpha == 255 { &[10, 20, 30] } else { &[10, 20, 30, 128] };
            assert_eq!(&pixels[..expected.len()], expected);
        }
    }

    #[test]
    fn an_animated_png_holds_all_frames() {
        let file = apng(&frames(), 40).unwrap();
        let reader = png::Decoder::new(std::io::Cursor::new(file)).read_info().unwrap();
        assert_eq!(reader.info().animation_control().unwrap().num_frames, 2);
        assert!(apng(&[], 40).is_err());
    }

    #[test]
    fn a_gif_holds_all_frames_at_the_right_pace() {
        let file = gif(&[frames(), frames()].concat(), 33).unwrap();
        let mut options = gif::DecodeOptions::new();
        options.set_color_output(gif::ColorOutput::RGBA);
        let mut decoder = options.read_info(std::io::Cursor::new(file)).unwrap();
        let mut delays = Vec::new();
        let mut first = None;
        while let Some(frame) = decoder.read_next_frame().unwrap() {
            delays.push(frame.delay);
            first.get_or_insert_with(|| frame.buffer[..4].to_vec());
        }
        assert_eq!(delays, [3, 4, 3, 3]);
        assert_eq!(first.unwrap(), [255, 0, 0, 255]);
    }
}
