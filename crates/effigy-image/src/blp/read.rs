//! Reading BLP: a header with the offset and size of up to 16 mip levels, then a palette or the bytes that all JPEG
//! streams begin with.
//!
//! BLP0 stores its levels in separate files. Where descriptions of the format are unclear, this follows real files: the
//! bits of alpha of JPEG content may be any number, and only 0 means that there is no alpha; the picture type (3, 4, 5)
//! does not matter for decoding.

use super::LEVELS;
use crate::blocks::{self, Block};
use crate::codec::{Companions, ReadOptions};
use crate::codes;
use crate::image::{Image, check_stated, level_size, map_pixels};
use crate::jpeg;
use effigy_wire::{Cursor, Diagnostic, Diagnostics, Error, Limits, Locate, Result, Severity};

enum Content {
    Jpeg { head: Vec<u8> },
    Palette { colors: Vec<[u8; 4]> },
    Blocks(Block),
    Raw,
}

struct Header {
    version: u8,
    content: Content,
    alpha_bits: u32,
    width: u32,
    height: u32,
    offsets: [u32; LEVELS],
    sizes: [u32; LEVELS],
}

/// Reads a BLP; `beside` gives the files with the levels of BLP0.
pub fn read(bytes: &[u8], options: &ReadOptions, beside: &mut Companions<'_>) -> Result<Image> {
    let limits = &options.limits;
    let mut notes = Diagnostics::with_limit(limits.diagnostics);
    let header = read_header(bytes, &mut notes)?;
    check_stated(header.width, header.height, limits)?;
    let mut levels = Vec::new();
    for number in 0..LEVELS.min(options.levels) {
        let separate = if header.version == 0 { beside(&format!("b{number:02}")) } else { None };
        let data = if header.version == 0 { separate.as_deref() } else { header.level(bytes, number) };
        let level = match data {
            Some(data) => header.decode(data, number, limits, &mut notes),
            None if number > 0 => break,
            None if header.version == 0 => {
                let error = Error::unsupported("the pixels of this texture are in a separate file (.b00)");
                Err(error.hint("put the .b00 to .b15 files into the same folder as the .blp file"))
            }
            None => Err(Error::malformed(bytes.len(), "the first mip level is missing")),
        };
        match level.in_index(number).in_field("levels") {
            Ok(pixels) => levels.push(pixels),
            Err(error) if number > 0 => {
                notes.push(Diagnostic::from_error(codes::LEVEL, Severity::Warning, &error));
                break;
            }
            Err(error) => return Err(error),
        }
        if level_size(header.width, header.height, number) == (1, 1) {
            break;
        }
    }
    let stored = header.describe();
    let (width, height, has_alpha) = (header.width, header.height, header.alpha_bits != 0);
    Ok(Image { width, height, levels, stored, has_alpha, diagnostics: notes })
}

fn read_header(bytes: &[u8], notes: &mut Diagnostics) -> Result<Header> {
    let mut cursor = Cursor::new(bytes);
    let version = match cursor.array::<4>()? {
        [b'B', b'L', b'P', digit @ b'0'..=b'2'] => digit - b'0',
        _ => return Err(Error::malformed(0, "expected BLP0, BLP1 or BLP2")),
    };
    let kind = cursor.u32().in_field("content")?;
    let mut packing = [1, 0, 0, 0];
    let mut alpha_bits = 0;
    if version == 2 {
        packing = cursor.array()?;
        alpha_bits = packing[1].into();
    } else {
        alpha_bits = cursor.u32().in_field("alpha_bits")?.max(alpha_bits);
    }
    let (width, height) = (cursor.u32().in_field("width")?, cursor.u32().in_field("height")?);
    if version < 2 {
        // The picture type, and whether there are mip levels: the table of levels is more reliable.
        cursor.take(8)?;
    }
    let (mut offsets, mut sizes) = ([0; LEVELS], [0; LEVELS]);
    if version > 0 {
        for word in offsets.iter_mut().chain(&mut sizes) {
            *word = cursor.u32().in_field("levels")?;
        }
    }
    let content = match (kind, packing[0]) {
        (0, _) => {
            let length = cursor.count().in_field("jpeg_head")?;
            Content::Jpeg { head: cursor.take(length).in_field("jpeg_head")?.to_vec() }
        }
        (1, 1) => {
            // Some files store only the colours that they use; the first level then starts before the end of 256 colours.
            let count = (cursor.remaining() / 4).min(256);
            Content::Palette { colors: cursor.bulk::<[u8; 4]>(count).in_field("palette")? }
        }
        (1, 2) => {
            let first = sizes.first().copied().unwrap_or(0);
            Content::Blocks(block_kind(alpha_bits, packing[2], u64::from(first), (width, height), notes))
        }
        (1, 3 | 4) => Content::Raw,
        _ => {
            return Err(Error::unsupported(format!(
                "BLP{version} with content {kind}, packing {}",
                packing[0]
            )));
        }
    };
    if matches!(content, Content::Palette { .. }) && !matches!(alpha_bits, 0 | 1 | 4 | 8) {
        let message = format!("{alpha_bits} bits of alpha; read as 8 bits if the levels are long enough");
        notes.push(Diagnostic::new(codes::ODD_HEADER, Severity::Warning, message).in_path("alpha_bits"));
        alpha_bits = 8;
    }
    Ok(Header { version, content, alpha_bits, width, height, offsets, sizes })
}

/// Where the first level ends, as the table of levels states it.
pub fn least(head: &[u8]) -> Option<u64> {
    let offsets = match head.get(3)? {
        b'1' => 28,
        b'2' => 20,
        _ => return None,
    };
    let number = |at: usize| Some(u32::from_le_bytes(*head.get(at..)?.first_chunk()?));
    let (offset, size) = (number(offsets)?, number(offsets + 4 * LEVELS)?);
    Some(u64::from(offset) + u64::from(size))
}

/// The block compression of a BLP2. If the header contradicts the size of the first level, the size decides.
fn block_kind(
    alpha_bits: u32,
    alpha_kind: u8,
    first: u64,
    (width, height): (u32, u32),
    notes: &mut Diagnostics,
) -> Block {
    let stated = match (alpha_bits, alpha_kind) {
        (_, 7) => Block::Bc3,
        (0 | 1, _) => Block::Bc1,
        _ => Block::Bc2,
    };
    let fits = |block: Block| block.bytes(width, height) == first;
    if stated != Block::Bc1 && !fits(stated) && fits(Block::Bc1) {
        let message =
            format!("{alpha_bits} bits of alpha of kind {alpha_kind}, but the level has the size of DXT1");
        notes.push(Diagnostic::new(codes::ODD_HEADER, Severity::Warning, message).in_path("alpha_kind"));
        return Block::Bc1;
    }
    stated
}

impl Header {
    /// The bytes of a level from its offset on: the stated size or the size that its pixels need, whichever is larger, as
    /// far as the file goes.
    fn level<'a>(&self, bytes: &'a [u8], number: usize) -> Option<&'a [u8]> {
        let (offset, size) = (*self.offsets.get(number)?, *self.sizes.get(number)?);
        if offset == 0 || size == 0 {
            return None;
        }
        let rest = bytes.get(offset as usize..)?;
        let (width, height) = level_size(self.width, self.height, number);
        let pixels = u64::from(width) * u64::from(height);
        let needs = match &self.content {
            Content::Jpeg { .. } => 0,
            // Alpha counts only if the stated size includes it.
            Content::Palette { .. } => pixels,
            Content::Blocks(block) => block.bytes(width, height),
            Content::Raw => pixels * 4,
        };
        let length = usize::try_from(needs.max(size.into())).unwrap_or(usize::MAX).min(rest.len());
        rest.get(..length)
    }

    fn decode(
        &self,
        data: &[u8],
        number: usize,
        limits: &Limits,
        notes: &mut Diagnostics,
    ) -> Result<Vec<u8>> {
        let (width, height) = level_size(self.width, self.height, number);
        let opaque = self.alpha_bits == 0;
        match &self.content {
            Content::Jpeg { head } => self.decode_jpeg(head, data, number, limits, notes),
            Content::Palette { colors } => {
                let (pixels, whole) = indexed(data, colors, self.alpha_bits, width, height)?;
                if !whole {
                    let message = "the level is too short for alpha and is read as opaque";
                    notes.push(Diagnostic::new(codes::LEVEL, Severity::Warning, message));
                }
                Ok(pixels)
            }
            Content::Blocks(block) => {
                let mut pixels = blocks::decode(*block, data, width, height)?;
                if opaque {
                    pixels.as_chunks_mut::<4>().0.iter_mut().for_each(|pixel| pixel[3] = 255);
                }
                Ok(pixels)
            }
            Content::Raw => {
                let needs = width as usize * height as usize * 4;
                let mut pixels = Cursor::new(data).take(needs)?.to_vec();
                for pixel in pixels.as_chunks_mut::<4>().0 {
                    let [blue, green, red, alpha] = *pixel;
                    *pixel = [red, green, blue, if opaque { 255 } else { alpha }];
                }
                Ok(pixels)
            }
        }
    }

    /// Four channels are blue, green, red and alpha, stored without colour conversion. Three channels are blue, green and
    /// red, stored as YCbCr.
    fn decode_jpeg(
        &self,
        head: &[u8],
        data: &[u8],
        number: usize,
        limits: &Limits,
        notes: &mut Diagnostics,
    ) -> Result<Vec<u8>> {
        let mut stream = [head, data].concat();
        jpeg::third_channel_first(&mut stream);
        let mut decoded = jpeg::decode(&stream, limits, true)?;
        let (width, height) = level_size(self.width, self.height, number);
        let opaque = self.alpha_bits == 0;
        if (decoded.width, decoded.height, decoded.channels) == (width, height, 4) {
            if opaque {
                decoded.samples.as_chunks_mut::<4>().0.iter_mut().for_each(|pixel| pixel[3] = 255);
            }
            return Ok(decoded.samples);
        }
        let pixel = |sample: &[u8]| match *sample {
            [red, green, blue, alpha] => [red, green, blue, if opaque { 255 } else { alpha }],
            [blue, green, red] => [red, green, blue, 255],
            [grey] => [grey, grey, grey, 255],
            _ => [0; 4],
        };
        if (decoded.width, decoded.height) == (width, height) {
            return Ok(decoded.samples.chunks_exact(decoded.channels).flat_map(pixel).collect());
        }
        let message =
            format!("the JPEG is {} x {}, the level {width} x {height}", decoded.width, decoded.height);
        if number > 0 {
            return Err(Error::malformed(0, message));
        }
        notes.push(Diagnostic::new(codes::ODD_HEADER, Severity::Warning, message).in_path("levels[0]"));
        let mut pixels = Vec::with_capacity(width as usize * height as usize * 4);
        let row_bytes = decoded.width as usize * decoded.channels;
        for y in 0..height as usize {
            let row = decoded.samples.get(y * row_bytes..).unwrap_or_default();
            let row = row.get(..row_bytes.min(row.len())).unwrap_or_default();
            let mut samples = row.chunks_exact(decoded.channels);
            pixels.extend((0..width).flat_map(|_| samples.next().map_or([0; 4], pixel)));
        }
        Ok(pixels)
    }

    fn describe(&self) -> String {
        let content = match self.content {
            Content::Jpeg { .. } => "JPEG",
            Content::Palette { .. } => "palette",
            Content::Blocks(Block::Bc1) => "DXT1",
            Content::Blocks(Block::Bc2) => "DXT3",
            Content::Blocks(_) => "DXT5",
            Content::Raw => "raw",
        };
        match self.alpha_bits {
            0 => format!("BLP{} {content}, no alpha", self.version),
            bits => format!("BLP{} {content}, {bits}-bit alpha", self.version),
        }
    }
}

/// Pixels of palette indices followed by alpha, packed from the low bits. The second value is whether the alpha was
/// present.
fn indexed(
    data: &[u8],
    colors: &[[u8; 4]],
    alpha_bits: u32,
    width: u32,
    height: u32,
) -> Result<(Vec<u8>, bool)> {
    let count = width as usize * height as usize;
    let mut cursor = Cursor::new(data);
    let indices = cursor.take(count)?;
    // A full table of 256 colours, so that every index is valid.
    let mut table = [[0, 0, 0, 255]; 256];
    for (entry, &[blue, green, red, _]) in table.iter_mut().zip(colors) {
        *entry = [red, green, blue, 255];
    }
    let mut pixels =
        map_pixels(indices, |[index]| table.get(usize::from(index)).copied().unwrap_or_default());
    let alpha = cursor.rest();
    if alpha.len() < (count * alpha_bits as usize).div_ceil(8) {
        return Ok((pixels, false));
    }
    let targets = pixels.as_chunks_mut::<4>().0;
    match alpha_bits {
        1 => targets.chunks_mut(8).zip(alpha).for_each(|(eight, &byte)| {
            (0..).zip(eight).for_each(|(bit, pixel)| pixel[3] = if byte >> bit & 1 == 1 { 255 } else { 0 });
        }),
        4 => targets.chunks_mut(2).zip(alpha).for_each(|(two, &byte)| {
            two.iter_mut().zip([byte & 15, byte >> 4]).for_each(|(pixel, alpha)| pixel[3] = alpha * 17);
        }),
        8 => targets.iter_mut().zip(alpha).for_each(|(pixel, &alpha)| pixel[3] = alpha),
        _ => {}
    }
    Ok((pixels, true))
}
