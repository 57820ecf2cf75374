//! Reading TGA: types 1, 2, 3 and their run-length compressed forms 9, 10, 11.
//!
//! A TGA has no mark at its start, so it is recognised by a header with valid values. If the header of a 32-bit image
//! states no alpha bits and all alpha values are 0, the image is read as opaque: programs that write such files do not
//! use alpha, and the image would be invisible otherwise.

use crate::codes;
use crate::image::{Image, check_stated, map_pixels};
use effigy_wire::{Cursor, Diagnostic, Diagnostics, Error, Limits, Locate, Result, Severity};

struct Header {
    id_length: u8,
    has_palette: u8,
    kind: u8,
    palette_start: u16,
    palette_length: u16,
    palette_bits: u8,
    width: u16,
    height: u16,
    bits: u8,
    descriptor: u8,
}

impl Header {
    fn read(cursor: &mut Cursor<'_>) -> Result<Self> {
        let (id_length, has_palette, kind) = (cursor.u8()?, cursor.u8()?, cursor.u8()?);
        let (palette_start, palette_length, palette_bits) = (cursor.u16()?, cursor.u16()?, cursor.u8()?);
        cursor.take(4)?;
        let (width, height) = (cursor.u16()?, cursor.u16()?);
        let (bits, descriptor) = (cursor.u8()?, cursor.u8()?);
        Ok(Self {
            id_length,
            has_palette,
            kind,
            palette_start,
            palette_length,
            palette_bits,
            width,
            height,
            bits,
            descriptor,
        })
    }

    fn is_valid(&self) -> bool {
        let palette = matches!(self.palette_bits, 15 | 16 | 24 | 32) && self.palette_length > 0;
        let pixels = match self.kind {
            1 | 9 => self.has_palette == 1 && palette && matches!(self.bits, 8 | 16),
            2 | 10 => matches!(self.bits, 15 | 16 | 24 | 32),
            3 | 11 => matches!(self.bits, 8 | 16),
            _ => false,
        };
        pixels && self.has_palette <= 1 && self.width > 0 && self.height > 0
    }
}

/// Whether the bytes start with a header with valid values.
pub fn looks_like(bytes: &[u8]) -> bool {
    Header::read(&mut Cursor::new(bytes)).is_ok_and(|header| header.is_valid())
}

/// Where the pixels end; run-length compressed ones have no stated length.
pub fn least(head: &[u8]) -> Option<u64> {
    let mut cursor = Cursor::new(head);
    let header = Header::read(&mut cursor).ok()?;
    let before = cursor.position() + usize::from(header.id_length);
    let entry = usize::from(header.palette_bits).div_ceil(8);
    let palette = usize::from(header.has_palette) * usize::from(header.palette_length) * entry;
    let pixel = if header.kind >= 9 { 0 } else { u64::from(header.bits).div_ceil(8) };
    let pixels = u64::from(header.width) * u64::from(header.height) * pixel;
    Some(pixels.saturating_add(u64::try_from(before + palette).ok()?))
}

/// Reads a TGA.
pub fn read(bytes: &[u8], limits: &Limits) -> Result<Image> {
    let mut notes = Diagnostics::with_limit(limits.diagnostics);
    let mut cursor = Cursor::new(bytes);
    let header = Header::read(&mut cursor)?;
    if !header.is_valid() {
        return Err(Error::unsupported(format!("TGA of type {} with {} bits", header.kind, header.bits)));
    }
    let (width, height) = (u32::from(header.width), u32::from(header.height));
    check_stated(width, height, limits)?;
    cursor.take(header.id_length.into()).in_field("id")?;
    let palette = read_palette(&header, &mut cursor).in_field("palette")?;
    let size = usize::from(header.bits).div_ceil(8);
    let needs = width as usize * height as usize * size;
    let unpacked;
    let data = if header.kind >= 9 {
        unpacked = unpack(&mut cursor, size, needs).in_field("pixels")?;
        unpacked.as_slice()
    } else {
        cursor.take(needs).in_field("pixels")?
    };
    let alpha_bits = header.descriptor & 15;
    let mut pixels = match (header.kind, header.bits) {
        (1 | 9, bits) => {
            let start = usize::from(header.palette_start);
            let color = |index: usize| index.checked_sub(start).and_then(|at| palette.get(at)).copied();
            let color = |index: usize| color(index).unwrap_or([0, 0, 0, 255]);
            match bits {
                8 => map_pixels(data, |[index]| color(index.into())),
                _ => map_pixels(data, |two| color(u16::from_le_bytes(two).into())),
            }
        }
        (3 | 11, 8) => map_pixels(data, |[grey]| [grey, grey, grey, 255]),
        (3 | 11, _) => map_pixels(data, |[grey, alpha]| [grey, grey, grey, alpha]),
        (_, bits) => colors(data, bits, alpha_bits),
    };
    let stores_alpha = match header.kind {
        1 | 9 => header.palette_bits == 32,
        3 | 11 => header.bits == 16,
        _ => header.bits == 32 || header.bits == 16 && alpha_bits > 0,
    };
    let empty =
        stores_alpha && alpha_bits == 0 && pixels.as_chunks::<4>().0.iter().all(|pixel| pixel[3] == 0);
    if empty {
        pixels.as_chunks_mut::<4>().0.iter_mut().for_each(|pixel| pixel[3] = 255);
        let message = "alpha is 0 everywhere and the header states no alpha bits: read as opaque";
        notes.push(Diagnostic::new(codes::ODD_HEADER, Severity::Warning, message).at(17));
    }
    orient(&mut pixels, width as usize, header.descriptor);
    let stored = format!("TGA type {}, {} bits", header.kind, header.bits);
    let has_alpha = stores_alpha && !empty;
    Ok(Image { width, height, levels: vec![pixels], stored, has_alpha, diagnostics: notes })
}

fn read_palette(header: &Header, cursor: &mut Cursor<'_>) -> Result<Vec<[u8; 4]>> {
    if header.has_palette == 0 {
        return Ok(Vec::new());
    }
    let size = usize::from(header.palette_bits).div_ceil(8);
    let data = cursor.take(usize::from(header.palette_length) * size)?;
    Ok(colors(data, header.palette_bits, 0).as_chunks::<4>().0.to_vec())
}

/// Colours of 15 to 32 bits, blue first.
fn colors(data: &[u8], bits: u8, alpha_bits: u8) -> Vec<u8> {
    match bits {
        32 => map_pixels(data, |[blue, green, red, alpha]| [red, green, blue, alpha]),
        24 => map_pixels(data, |[blue, green, red]| [red, green, blue, 255]),
        _ => map_pixels(data, |two| {
            let word = u16::from_le_bytes(two);
            // Five bits to eight: the top bits are repeated at the bottom.
            let five = |shift: u32| {
                let value = u8::try_from(word >> shift & 31).unwrap_or(31);
                value << 3 | value >> 2
            };
            let alpha = if alpha_bits == 0 || bits == 15 || word >> 15 == 1 { 255 } else { 0 };
            [five(10), five(5), five(0), alpha]
        }),
    }
}

/// Unpacks packets of repeated and of single pixels. A packet holds at most 128 pixels, so the length of the file limits
/// the number of pixels; this is checked before allocating.
fn unpack(cursor: &mut Cursor<'_>, size: usize, needs: usize) -> Result<Vec<u8>> {
    let most = cursor.remaining().saturating_mul(128);
    if needs > most {
        let left = cursor.remaining();
        return Err(Error::malformed(cursor.position(), format!("{left} bytes cannot unpack to {needs}")));
    }
    let mut unpacked = Vec::with_capacity(needs);
    while unpacked.len() < needs {
        let packet = cursor.u8()?;
        let count = usize::from(packet & 0x7f) + 1;
        if packet & 0x80 == 0 {
            unpacked.extend_from_slice(cursor.take(count * size)?);
        } else {
            let pixel = cursor.take(size)?;
            (0..count).for_each(|_| unpacked.extend_from_slice(pixel));
        }
    }
    unpacked.truncate(needs);
    Ok(unpacked)
}

/// Reverses rows that are stored from the bottom, and columns that are stored from the right.
fn orient(pixels: &mut [u8], width: usize, descriptor: u8) {
    if descriptor & 0x10 != 0 {
        pixels.as_chunks_mut::<4>().0.chunks_mut(width).for_each(<[_]>::reverse);
    }
    if descriptor & 0x20 == 0 {
        let mut rows = pixels.chunks_mut(width * 4);
        while let (Some(top), Some(bottom)) = (rows.next(), rows.next_back()) {
            top.swap_with_slice(bottom);
        }
    }
}
