//! Reading DDS: a header, a pixel format, then the mip levels, the largest first.
//!
//! The header is parsed here, because the DDS crates reject uncompressed pixels with unusual masks and allocate the sizes
//! that a header states without checking the length of the file.

use super::pixels::Plain;
use crate::blocks::{self, Block};
use crate::codec::ReadOptions;
use crate::codes;
use crate::image::{Image, check_stated, level_size};
use effigy_wire::{Cursor, Diagnostic, Diagnostics, Error, Locate, Result, Severity};

/// How pixels are stored.
enum Pixels {
    Blocks(Block),
    Plain(Plain),
}

impl Pixels {
    fn bytes(&self, width: u32, height: u32) -> u64 {
        match self {
            Self::Blocks(block) => block.bytes(width, height),
            Self::Plain(plain) => plain.bytes(width, height),
        }
    }

    fn decode(&self, bytes: &[u8], width: u32, height: u32) -> Result<Vec<u8>> {
        match self {
            Self::Blocks(block) => blocks::decode(*block, bytes, width, height),
            Self::Plain(plain) => Ok(plain.decode(bytes)),
        }
    }
}

/// Reads a DDS.
pub fn read(bytes: &[u8], ReadOptions { limits, levels: most }: &ReadOptions) -> Result<Image> {
    let mut notes = Diagnostics::with_limit(limits.diagnostics);
    let mut cursor = Cursor::new(bytes);
    cursor.take(4)?;
    let size = cursor.u32().in_field("size")?;
    if size != 124 {
        let message = format!("the header states a size of {size} bytes instead of 124");
        notes.push(Diagnostic::new(codes::ODD_HEADER, Severity::Warning, message).at(4));
    }
    cursor.take(4)?;
    let (height, width) = (cursor.u32().in_field("height")?, cursor.u32().in_field("width")?);
    check_stated(width, height, limits)?;
    cursor.take(8)?;
    let stated_levels = cursor.count().in_field("levels")?.max(1);
    cursor.take(44)?;
    let format = Format::read(&mut cursor).in_field("format")?;
    let caps = cursor.take(20)?;
    let several =
        caps.get(5).is_some_and(|byte| byte & 0x02 != 0) || caps.get(6).is_some_and(|byte| byte & 0x20 != 0);
    let (pixels, stored, has_alpha) = format.pixels(&mut cursor)?;
    if several {
        let message = "a cube map or volume texture: only its first image is read";
        notes.push(Diagnostic::new(codes::FIRST_ONLY, Severity::Warning, message));
    }
    let mut levels = Vec::new();
    for number in 0..stated_levels.min(17).min(*most) {
        let (wide, tall) = level_size(width, height, number);
        if number > 0 && level_size(width, height, number - 1) == (1, 1) {
            break;
        }
        let needs = usize::try_from(pixels.bytes(wide, tall)).unwrap_or(usize::MAX);
        match cursor
            .take(needs)
            .and_then(|data| pixels.decode(data, wide, tall))
            .in_index(number)
            .in_field("levels")
        {
            Ok(level) => levels.push(level),
            Err(error) if number > 0 => {
                notes.push(Diagnostic::from_error(codes::LEVEL, Severity::Warning, &error));
                break;
            }
            Err(error) => return Err(error),
        }
    }
    Ok(Image { width, height, levels, stored, has_alpha, diagnostics: notes })
}

/// The pixel format of the header.
struct Format {
    flags: u32,
    code: Option<[u8; 4]>,
    bits: u32,
    masks: [u32; 4],
}

impl Format {
    fn read(cursor: &mut Cursor<'_>) -> Result<Self> {
        cursor.take(4)?;
        let flags = cursor.u32()?;
        let code = cursor.array::<4>()?;
        let bits = cursor.u32()?;
        let masks = [cursor.u32()?, cursor.u32()?, cursor.u32()?, cursor.u32()?];
        Ok(Self { flags, code: (flags & 4 != 0).then_some(code), bits, masks })
    }

    /// How pixels are stored, with what else there is about it between the header and the first level.
    fn pixels(&self, cursor: &mut Cursor<'_>) -> Result<Known> {
        match self.code {
            Some(code) if code == *b"DX10" => {
                let dxgi = cursor.u32().in_field("dxgi")?;
                cursor.take(16)?;
                by_dxgi(dxgi)
            }
            Some(code) => by_code(code),
            None => {
                let plain = Plain::by_masks(self.flags, self.bits, self.masks, cursor)?;
                let (name, alpha) = (format!("DDS {} bits", self.bits), plain.has_alpha());
                Ok((Pixels::Plain(plain), name, alpha))
            }
        }
    }
}

/// Where the first level ends.
pub fn least(head: &[u8]) -> Option<u64> {
    let mut cursor = Cursor::new(head);
    cursor.take(12).ok()?;
    let (height, width) = (cursor.u32().ok()?, cursor.u32().ok()?);
    cursor.take(56).ok()?;
    let format = Format::read(&mut cursor).ok()?;
    cursor.take(20).ok()?;
    let (pixels, ..) = format.pixels(&mut cursor).ok()?;
    Some(pixels.bytes(width, height).saturating_add(u64::try_from(cursor.position()).ok()?))
}

type Known = (Pixels, String, bool);

fn known(pixels: Pixels, name: &str, has_alpha: bool) -> Result<Known> {
    Ok((pixels, format!("DDS {name}"), has_alpha))
}

fn by_code(code: [u8; 4]) -> Result<Known> {
    use Pixels::Blocks;
    match &code {
        b"DXT1" => known(Blocks(Block::Bc1), "DXT1", true),
        b"DXT2" | b"DXT3" => known(Blocks(Block::Bc2), "DXT3", true),
        b"DXT4" | b"DXT5" | b"RXGB" => known(Blocks(Block::Bc3), "DXT5", true),
        b"ATI1" | b"BC4U" => known(Blocks(Block::Bc4 { signed: false }), "ATI1", false),
        b"BC4S" => known(Blocks(Block::Bc4 { signed: true }), "BC4 signed", false),
        b"ATI2" | b"BC5U" => known(Blocks(Block::Bc5 { signed: false }), "ATI2", false),
        b"BC5S" => known(Blocks(Block::Bc5 { signed: true }), "BC5 signed", false),
        _ => Err(Error::unsupported(format!("DDS with the unknown code {}", code.escape_ascii()))),
    }
}

fn by_dxgi(dxgi: u32) -> Result<Known> {
    use Pixels::Blocks;
    match dxgi {
        70..=72 => known(Blocks(Block::Bc1), "BC1", true),
        73..=75 => known(Blocks(Block::Bc2), "BC2", true),
        76..=78 => known(Blocks(Block::Bc3), "BC3", true),
        79 | 80 => known(Blocks(Block::Bc4 { signed: false }), "BC4", false),
        81 => known(Blocks(Block::Bc4 { signed: true }), "BC4 signed", false),
        82 | 83 => known(Blocks(Block::Bc5 { signed: false }), "BC5", false),
        84 => known(Blocks(Block::Bc5 { signed: true }), "BC5 signed", false),
        94 | 95 => known(Blocks(Block::Bc6 { signed: false }), "BC6H", false),
        96 => known(Blocks(Block::Bc6 { signed: true }), "BC6H signed", false),
        97..=99 => known(Blocks(Block::Bc7), "BC7", true),
        _ => match Plain::by_dxgi(dxgi) {
            Some(plain) => {
                let has_alpha = plain.has_alpha();
                known(Pixels::Plain(plain), &format!("DXGI {dxgi}"), has_alpha)
            }
            None => Err(Error::unsupported(format!("DDS with the unknown DXGI format {dxgi}"))),
        },
    }
}
