//! PNG, read and written with the crate `png`.

use crate::codec::{Codec, Format};
use crate::encoding::Encoding;
use crate::image::{Image, check_stated, map_pixels};
use ::png::{
    BitDepth, ColorType, Decoder, DecodingError, DeflateCompression, Encoder, Filter, Transformations, Writer,
};
use effigy_wire::{Error, Kind, Limits, Result};
use std::io::{Cursor, Write};

impl Format {
    /// PNG.
    pub const PNG: Self = Self {
        name: "png",
        title: "PNG",
        extensions: &["png"],
        magic: &[b"\x89PNG\r\n\x1a\n"],
        levels: 1,
        largest_side: 65_536,
    };
}

impl Encoding {
    /// PNG with 8 bits per channel.
    pub const PNG: Self = Self {
        format: Format::PNG,
        name: "png",
        aliases: &[],
        stores: "RGB or RGBA, 8 bits per channel",
        setting: 0,
        write: |image, _, _| write(image, Compression::Balanced),
    };
}

/// The row of the table.
pub(crate) const CODEC: Codec = Codec {
    format: Format::PNG,
    sniff: None,
    size: |head| crate::pair(head, 16, u32::from_be_bytes),
    least: |_| None,
    read: |bytes, options, _| read(bytes, &options.limits),
    reads: "all",
    encodings: &[Encoding::PNG],
};

/// Deflate expands one byte to at most 1,032.
const MOST_GROWTH: u64 = 1_100;

/// Reads a PNG file. Channels of 16 bits are reduced to 8, and palettes become colours. Of an animation, the first
/// image is read.
///
/// # Errors
/// When the file is damaged, or larger than the limits.
pub fn read(bytes: &[u8], limits: &Limits) -> Result<Image> {
    let malformed = |error: DecodingError| Error::new(Kind::Malformed, format!("PNG: {error}"));
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

/// How much time the encoder spends. The pixels are the same; the bytes of the file depend on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Compression {
    /// Small files at a moderate speed: for textures, which are written once and kept.
    #[default]
    Balanced,
    /// Several times faster, with larger files: for rendered pictures and animations.
    Fast,
    /// The fastest where that costs little, for many textures at once: pictures that repeat themselves (a sample of rows
    /// tells) are compressed by looking back, which is slower and much smaller; the others are a few per cent larger than with
    /// [`Compression::Balanced`].
    Bulk,
}

/// One in so many rows, from the middle of a picture, tells whether it repeats itself.
const SAMPLE: u32 = 16;

/// The fewest rows of a sample.
const FEWEST_ROWS: u32 = 8;

/// The filter of rows and the compressor.
type Method = (Filter, DeflateCompression);

/// Looks back, faster than [`Compression::Balanced`].
const LOOKING_BACK: Method = (Filter::Adaptive, DeflateCompression::Level(4));

impl From<Compression> for Method {
    fn from(compression: Compression) -> Self {
        match compression {
            // The level that zlib calls its default.
            Compression::Balanced => (Filter::Adaptive, DeflateCompression::Level(6)),
            Compression::Fast => (Filter::Adaptive, DeflateCompression::FdeflateUltraFast),
            Compression::Bulk => (Filter::Paeth, DeflateCompression::FdeflateUltraFast),
        }
    }
}

/// Writes the first level of an image, without an alpha channel when all pixels are opaque.
///
/// # Errors
/// When the image has no pixels, or they do not match its size.
pub fn write(image: &Image, compression: Compression) -> Result<Vec<u8>> {
    let alpha = image.is_translucent();
    let method = match compression == Compression::Bulk && repeats(image, alpha)? {
        true => LOOKING_BACK,
        false => compression.into(),
    };
    encode(image, alpha, method)
}

/// Whether looking back makes an image smaller by a twelfth or more, as far as some of its rows tell.
fn repeats(image: &Image, alpha: bool) -> Result<bool> {
    image.check()?;
    let rows = (image.height / SAMPLE).max(FEWEST_ROWS).min(image.height);
    let row = image.width as usize * 4;
    let first = (image.height - rows) as usize / 2 * row;
    let sample = image.pixels().get(first..first + rows as usize * row).unwrap_or_default().to_vec();
    let sample = Image::new(image.width, rows, sample)?;
    let length = |method: Method| encode(&sample, alpha, method).map(|bytes| bytes.len());
    Ok(length(LOOKING_BACK)? * 12 < length(Compression::Bulk.into())? * 11)
}

/// An animated PNG that repeats forever, to which frames are added one after another.
pub struct Animation<W: Write> {
    writer: Writer<W>,
    size: [u32; 2],
    alpha: bool,
    /// Frames that are still to come.
    left: u32,
}

impl<W: Write> Animation<W> {
    /// A file of this many frames, each of which is shown for `milliseconds`. Without `alpha` all pixels are opaque.
    ///
    /// # Errors
    /// When there are no frames or no pixels, or the output refuses.
    pub fn new(
        output: W,
        [width, height]: [u32; 2],
        frames: u32,
        milliseconds: u16,
        alpha: bool,
    ) -> Result<Self> {
        let mut encoder = encoder(output, [width, height], alpha, Compression::Fast.into());
        encoder.set_animated(frames, 0).map_err(failed)?;
        encoder.set_frame_delay(milliseconds, 1000).map_err(failed)?;
        let writer = encoder.write_header().map_err(failed)?;
        Ok(Self { writer, size: [width, height], alpha, left: frames })
    }

    /// Adds the first level of an image as the next frame.
    ///
    /// # Errors
    /// When it differs in size, or there are more frames than announced.
    pub fn add(&mut self, frame: &Image) -> Result<()> {
        if [frame.width, frame.height] != self.size {
            return Err(failed("the frames differ in size"));
        }
        self.left = self.left.checked_sub(1).ok_or_else(|| failed("there are too many frames"))?;
        write_pixels(&mut self.writer, frame, self.alpha)
    }

    /// Ends the file.
    ///
    /// # Errors
    /// When there are fewer frames than announced.
    pub fn finish(self) -> Result<()> {
        if self.left > 0 {
            return Err(failed("there are too few frames"));
        }
        self.writer.finish().map_err(failed)
    }
}

/// A PNG file of a single pixel, always with an alpha channel and without compression: 73 bytes.
///
/// # Errors
/// None in practice; the encoder's result is passed on.
pub fn single_pixel(rgba: [u8; 4]) -> Result<Vec<u8>> {
    encode(&Image::flat(1, 1, rgba), true, (Filter::NoFilter, DeflateCompression::NoCompression))
}

fn encoder<'a, W: Write>(
    output: W,
    [width, height]: [u32; 2],
    alpha: bool,
    (filter, deflate): Method,
) -> Encoder<'a, W> {
    let mut encoder = Encoder::new(output, width, height);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_color(if alpha { ColorType::Rgba } else { ColorType::Rgb });
    encoder.set_filter(filter);
    encoder.set_deflate_compression(deflate);
    encoder
}

fn write_pixels<W: Write>(writer: &mut Writer<W>, image: &Image, alpha: bool) -> Result<()> {
    image.check()?;
    if alpha {
        writer.write_image_data(image.pixels()).map_err(failed)
    } else {
        writer.write_image_data(&image.colors()).map_err(failed)
    }
}

fn encode(image: &Image, alpha: bool, method: Method) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut writer =
        encoder(&mut bytes, [image.width, image.height], alpha, method).write_header().map_err(failed)?;
    write_pixels(&mut writer, image, alpha)?;
    writer.finish().map_err(failed)?;
    Ok(bytes)
}

fn failed(error: impl std::fmt::Display) -> Error {
    Error::unrepresentable(format!("PNG: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The colour type of the header: 2 is RGB, 6 is RGBA.
    fn color_type(file: &[u8]) -> u8 {
        file[25]
    }

    #[test]
    fn alpha_is_stored_only_where_a_pixel_is_not_opaque() {
        for (alpha, stored) in [(255, 2), (254, 6)] {
            let image = Image::flat(5, 3, [10, 20, 30, alpha]);
            for compression in [Compression::Balanced, Compression::Fast, Compression::Bulk] {
                let file = write(&image, compression).unwrap();
                assert_eq!(color_type(&file), stored);
                assert_eq!(read(&file, &Limits::DEFAULT).unwrap().pixels(), image.pixels());
            }
        }
    }

    /// The checksum of a chunk, bit by bit.
    fn checksum(bytes: &[u8]) -> [u8; 4] {
        let mut sum = u32::MAX;
        for byte in bytes {
            sum ^= u32::from(*byte);
            for _ in 0..8 {
                sum = (sum >> 1) ^ (0xEDB8_8320 & (sum & 1).wrapping_neg());
            }
        }
        (!sum).to_be_bytes()
    }

    #[test]
    fn a_size_that_no_packed_bytes_can_hold_is_refused_before_memory_is_taken() {
        let mut file = write(&Image::flat(1, 1, [1, 2, 3, 255]), Compression::Fast).unwrap();
        assert_eq!(checksum(&file[12..29]), file[29..33]);
        for (side, refused) in [(8000_u32, true), (2, false)] {
            file[16..20].copy_from_slice(&side.to_be_bytes());
            file[20..24].copy_from_slice(&side.to_be_bytes());
            let sum = checksum(&file[12..29]);
            file[29..33].copy_from_slice(&sum);
            // What is only too short is found by the decoder.
            let error = read(&file, &Limits::DEFAULT).unwrap_err().to_string();
            assert_eq!(error.contains("8000 x 8000 pixels in"), refused, "{error}");
        }
    }

    fn animation(frames: &[Image], announced: u32, alpha: bool) -> Result<Vec<u8>> {
        let mut file = Vec::new();
        let mut animation = Animation::new(&mut file, [8, 4], announced, 40, alpha)?;
        frames.iter().try_for_each(|frame| animation.add(frame))?;
        animation.finish()?;
        Ok(file)
    }

    #[test]
    fn an_animation_holds_all_frames_and_their_time() {
        for (alpha, stored) in [(128, 6), (255, 2)] {
            let frames = [[255, 0, 0, 255], [0, 0, 255, alpha]].map(|color| Image::flat(8, 4, color));
            let file = animation(&frames, 2, alpha < 255).unwrap();
            assert_eq!(color_type(&file), stored);
            let mut decoder = Decoder::new(Cursor::new(&file));
            decoder.set_transformations(Transformations::ALPHA);
            let mut reader = decoder.read_info().unwrap();
            assert_eq!(reader.info().animation_control().unwrap().num_frames, 2);
            for frame in &frames {
                let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
                reader.next_frame(&mut pixels).unwrap();
                assert_eq!(pixels, frame.pixels());
                let control = reader.info().frame_control().unwrap();
                assert_eq!((control.delay_num, control.delay_den), (40, 1000));
            }
        }
    }

    #[test]
    fn a_picture_that_repeats_itself_is_small_in_bulk_too() {
        // Dots in diagonal lines: only a compressor that looks back finds that the lines are all alike.
        let color = |at: u32| {
            if (at % 256 + at / 256 * 5).is_multiple_of(32) { [200, 90, 40, 255] } else { [9, 9, 9, 255] }
        };
        let image = Image::new(256, 256, (0..256 * 256).flat_map(color).collect()).unwrap();
        let [balanced, fast, bulk] = [Compression::Balanced, Compression::Fast, Compression::Bulk]
            .map(|compression| write(&image, compression).unwrap().len());
        assert!(fast > 2 * balanced, "{fast} and {balanced} bytes");
        assert!(bulk < balanced * 2, "{bulk} and {balanced} bytes");
    }

    #[test]
    fn a_single_pixel_is_stored_without_compression() {
        let file: String =
            single_pixel([1, 2, 3, 4]).unwrap().iter().map(|byte| format!("{byte:02x}")).collect();
        // Signature, IHDR, one stored block with a row (filter 0 and the pixel) and its Adler-32, IEND.
        let expected = [
            "89504e470d0a1a0a",
            "0000000d49484452000000010000000108060000001f15c489",
            "00000010494441547801010500faff00010203040019000bb9b0e3eb",
            "0000000049454e44ae426082",
        ];
        assert_eq!(file, expected.concat());
        assert_eq!(file.len() / 2, 73);
    }

    #[test]
    fn frames_are_as_many_as_announced_and_have_one_size() {
        let frame = Image::flat(8, 4, [0; 4]);
        assert!(animation(&[], 0, true).is_err());
        assert!(animation(std::slice::from_ref(&frame), 2, true).is_err());
        assert!(animation(&[frame.clone(), frame.clone()], 1, true).is_err());
        assert!(animation(&[frame, Image::flat(8, 5, [0; 4])], 2, true).is_err());
        assert!(write(&Image::default(), Compression::Balanced).is_err());
    }
}
