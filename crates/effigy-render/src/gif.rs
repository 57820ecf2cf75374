//! GIF files. PNG and animated PNG are written by `effigy-image`.

use crate::Image;
use effigy_wire::{Error, Kind, Result};
use std::io::Write;

fn failed(error: impl std::fmt::Display) -> Error {
    Error::new(Kind::Unrepresentable, format!("the picture cannot be encoded: {error}"))
}

/// Pixels that a palette is learned from, more or less. Three times as many, which took 40 % of the time of an animation, come at most
/// 0.3 of 255 nearer to the original (mean error of six models).
const LEARNED: u32 = 9000;

/// One of how many pixels a palette is learned from; the encoder takes 1 to 30.
fn pace(size: [u16; 2]) -> i32 {
    let pixels = size.map(u32::from).iter().product::<u32>();
    i32::try_from((pixels / LEARNED).clamp(10, 30)).unwrap_or(30)
}

/// A GIF file that repeats forever, with a palette for each frame, to which frames are added one after another. GIF counts time in
/// hundredths of a second, and its pixels are either opaque or fully transparent.
pub(crate) struct GifFile<W: Write> {
    encoder: gif::Encoder<W>,
    size: [u16; 2],
    milliseconds: u16,
    frames: u32,
}

impl<W: Write> GifFile<W> {
    /// A file for frames of this size.
    pub(crate) fn new(output: W, size: [u32; 2], milliseconds: u16) -> Result<Self> {
        let [Ok(width), Ok(height)] = size.map(u16::try_from) else {
            return Err(failed("GIF has at most 65,535 pixels a side"));
        };
        let mut encoder = gif::Encoder::new(output, width, height, &[]).map_err(failed)?;
        encoder.set_repeat(gif::Repeat::Infinite).map_err(failed)?;
        Ok(Self { encoder, size: [width, height], milliseconds, frames: 0 })
    }

    pub(crate) fn add(&mut self, picture: &Image) -> Result<()> {
        let [width, height] = self.size;
        if [picture.width, picture.height] != self.size.map(u32::from) {
            return Err(failed("frames differ in size"));
        }
        let mut pixels = picture.pixels().to_vec();
        for pixel in pixels.as_chunks_mut::<4>().0 {
            *pixel = if pixel[3] < 128 { [0; 4] } else { [pixel[0], pixel[1], pixel[2], 255] };
        }
        let mut frame = gif::Frame::from_rgba_speed(width, height, &mut pixels, pace(self.size));
        // Rounding each frame's end instead of its length keeps the pace over the whole animation.
        let end = |count: u32| (count * u32::from(self.milliseconds) + 5) / 10;
        frame.delay = u16::try_from(end(self.frames + 1) - end(self.frames)).unwrap_or(u16::MAX);
        frame.dispose = gif::DisposalMethod::Background;
        self.encoder.write_frame(&frame).map_err(failed)?;
        self.frames += 1;
        Ok(())
    }

    pub(crate) fn finish(self) -> Result<()> {
        self.encoder.into_inner().map(drop).map_err(failed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frames() -> Vec<Image> {
        [[255, 0, 0, 255], [0, 0, 255, 255]].map(|color| Image::flat(8, 4, color)).to_vec()
    }

    #[test]
    fn a_gif_holds_all_frames_at_the_right_pace() {
        let mut file = Vec::new();
        let mut writer = GifFile::new(&mut file, [8, 4], 33).unwrap();
        [frames(), frames()].concat().iter().for_each(|frame| writer.add(frame).unwrap());
        writer.finish().unwrap();
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
