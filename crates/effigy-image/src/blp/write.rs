//! Writing BLP1 and BLP2: the header, the table of levels, then a palette or the bytes that all JPEG streams begin with,
//! and the levels.

use super::LEVELS;
use crate::blocks::{self, Block};
use crate::image::Image;
use crate::palette;
use effigy_wire::{Error, Kind, Report, Result};
use jpeg_encoder::{ColorType, Encoder};

/// The most shared bytes of JPEG streams in the game's own files.
const LONGEST_HEAD: usize = 624;

/// The fields of the header besides the size.
struct Head {
    version: u8,
    content: u32,
    packing: u8,
    alpha_bits: u8,
    alpha_kind: u8,
}

fn assemble(head: &Head, image: &Image, shared: &[u8], levels: &[Vec<u8>]) -> Result<Vec<u8>> {
    let mut bytes = vec![b'B', b'L', b'P', b'0' + head.version];
    let words =
        |bytes: &mut Vec<u8>, words: &[u32]| words.iter().for_each(|word| bytes.extend(word.to_le_bytes()));
    let mips = u8::from(levels.len() > 1);
    words(&mut bytes, &[head.content]);
    if head.version == 2 {
        bytes.extend([head.packing, head.alpha_bits, head.alpha_kind, mips]);
        words(&mut bytes, &[image.width, image.height]);
    } else {
        // Picture type 4 is what the game's files have with alpha, 5 without.
        let picture = if head.alpha_bits == 0 { 5 } else { 4 };
        words(&mut bytes, &[head.alpha_bits.into(), image.width, image.height, picture, mips.into()]);
    }
    let mut offset = bytes.len() + LEVELS * 8 + shared.len();
    let (mut offsets, mut sizes) = ([0; LEVELS], [0; LEVELS]);
    for ((at, size), level) in offsets.iter_mut().zip(&mut sizes).zip(levels) {
        *at = u32::try_from(offset).map_err(|_| too_large())?;
        *size = u32::try_from(level.len()).map_err(|_| too_large())?;
        offset += level.len();
    }
    words(&mut bytes, &offsets);
    words(&mut bytes, &sizes);
    bytes.extend(shared);
    levels.iter().take(LEVELS).for_each(|level| bytes.extend(level));
    Ok(bytes)
}

fn too_large() -> Error {
    Error::unrepresentable("BLP holds at most 4 GiB")
}

/// The levels that fit.
fn levels(image: &Image) -> &[Vec<u8>] {
    image.levels.get(..LEVELS).unwrap_or(&image.levels)
}

/// Reports alpha that does not fit into this number of bits.
fn report_alpha(image: &Image, bits: u8, report: &mut Report) {
    let held = |alpha: u8| match bits {
        0 => alpha == 255,
        1 => matches!(alpha, 0 | 255),
        4 => alpha.is_multiple_of(17),
        _ => true,
    };
    if !image.pixels().as_chunks::<4>().0.iter().all(|pixel| held(pixel[3])) {
        match bits {
            0 => report.dropped("alpha", "this encoding has no alpha channel"),
            bits => report.approximated("alpha", format!("reduced from 8 bits to {bits}")),
        }
    }
}

/// Writes BLP1 or BLP2 with a palette.
pub fn palette(version: u8, image: &Image, alpha_bits: u8, report: &mut Report) -> Result<Vec<u8>> {
    if !matches!(alpha_bits, 0 | 1 | 4 | 8) {
        return Err(Error::new(Kind::Usage, format!("{alpha_bits} bits of alpha: must be 0, 1, 4 or 8")));
    }
    let source = levels(image);
    let indexed = palette::index(source);
    if !indexed.exact {
        report.approximated("colors", "reduced to 256 colours");
    }
    report_alpha(image, alpha_bits, report);
    let mut shared = Vec::with_capacity(1024);
    for &[red, green, blue] in &indexed.colors {
        shared.extend([blue, green, red, 255]);
    }
    shared.resize(1024, 0);
    let packed: Vec<Vec<u8>> = indexed
        .levels
        .into_iter()
        .zip(source)
        .map(|(mut indices, pixels)| {
            indices.extend(pack_alpha(pixels, alpha_bits));
            indices
        })
        .collect();
    let alpha_kind = if version == 2 && alpha_bits > 0 { 8 } else { 0 };
    assemble(&Head { version, content: 1, packing: 1, alpha_bits, alpha_kind }, image, &shared, &packed)
}

fn pack_alpha(pixels: &[u8], bits: u8) -> Vec<u8> {
    let pixels = pixels.as_chunks::<4>().0;
    match bits {
        1 => {
            let bit = |pixel: &[u8; 4]| u8::from(pixel[3] >= 128);
            let byte =
                |eight: &[[u8; 4]]| (0..).zip(eight).fold(0, |byte, (at, pixel)| byte | bit(pixel) << at);
            pixels.chunks(8).map(byte).collect()
        }
        4 => {
            let nibble = |pixel: &[u8; 4]| u8::try_from((u16::from(pixel[3]) + 8) / 17).unwrap_or(15);
            let byte = |two: &[[u8; 4]]| {
                (0..).zip(two).fold(0, |byte, (at, pixel)| byte | nibble(pixel) << (at * 4))
            };
            pixels.chunks(2).map(byte).collect()
        }
        8 => pixels.iter().map(|pixel| pixel[3]).collect(),
        _ => Vec::new(),
    }
}

/// Writes BLP1 with a JPEG stream for each level: four channels, blue first, alpha last.
pub fn jpeg(image: &Image, quality: u8, report: &mut Report) -> Result<Vec<u8>> {
    report.approximated("colors", format!("JPEG of quality {quality}"));
    let alpha = image.is_translucent();
    let mut streams = Vec::new();
    for (number, level) in levels(image).iter().enumerate() {
        let (width, height) = image.level_size(number);
        streams.push(encode(level, width, height, quality)?);
    }
    let shared = match streams.split_first() {
        Some((first, rest)) => {
            let common = |other: &Vec<u8>| first.iter().zip(other).take_while(|(a, b)| a == b).count();
            // A level that has no bytes of its own would be read as missing.
            let shortest = streams.iter().map(Vec::len).min().unwrap_or(0).saturating_sub(2);
            let length =
                rest.iter().map(common).min().unwrap_or(LONGEST_HEAD).min(LONGEST_HEAD).min(shortest);
            first.get(..length).unwrap_or_default().to_vec()
        }
        None => Vec::new(),
    };
    let tails: Vec<Vec<u8>> =
        streams.iter().map(|stream| stream.get(shared.len()..).unwrap_or_default().to_vec()).collect();
    let length = u32::try_from(shared.len()).map_err(|_| too_large())?;
    let shared = [&length.to_le_bytes()[..], &shared].concat();
    let alpha_bits = if alpha { 8 } else { 0 };
    assemble(&Head { version: 1, content: 0, packing: 0, alpha_bits, alpha_kind: 0 }, image, &shared, &tails)
}

fn encode(pixels: &[u8], width: u32, height: u32, quality: u8) -> Result<Vec<u8>> {
    let side = |side: u32| {
        u16::try_from(side).map_err(|_| {
            Error::unrepresentable(format!(
                "JPEG holds at most 65,535 pixels per side, and the image has {side}"
            ))
        })
    };
    // The encoder takes four channels as CMYK and inverts them.
    let inverted: Vec<u8> = pixels
        .as_chunks::<4>()
        .0
        .iter()
        .flat_map(|&[red, green, blue, alpha]| [!blue, !green, !red, !alpha])
        .collect();
    let mut stream = Vec::new();
    Encoder::new(&mut stream, quality.clamp(1, 100))
        .encode(&inverted, side(width)?, side(height)?, ColorType::Cmyk)
        .map_err(|error| Error::unrepresentable(error.to_string()))?;
    Ok(without_app_segments(&stream))
}

/// Removes application segments: because of the Adobe segment, readers would treat the channels as CMYK.
fn without_app_segments(stream: &[u8]) -> Vec<u8> {
    let mut kept = stream.get(..2).unwrap_or_default().to_vec();
    let mut at = 2;
    while let Some(&[0xff, marker, high, low]) = stream.get(at..).and_then(|rest| rest.first_chunk()) {
        let end = at + 2 + usize::from(u16::from_be_bytes([high, low]));
        if marker == 0xda {
            break;
        }
        if !(0xe0..=0xef).contains(&marker) {
            kept.extend(stream.get(at..end).unwrap_or_default());
        }
        at = end;
    }
    kept.extend(stream.get(at..).unwrap_or_default());
    kept
}

/// Writes BLP2 with blocks.
pub fn dxt(image: &Image, block: Block, report: &mut Report) -> Result<Vec<u8>> {
    let (alpha_bits, alpha_kind) = match (block, image.is_translucent()) {
        (Block::Bc1, false) => (0, 0),
        (Block::Bc1, true) => (1, 0),
        (Block::Bc2, _) => (8, 1),
        _ => (8, 7),
    };
    report.approximated("colors", "compressed in blocks of 4 x 4 pixels");
    report_alpha(
        image,
        match block {
            Block::Bc1 => 1,
            Block::Bc2 => 4,
            _ => 8,
        },
        report,
    );
    let mut packed = Vec::new();
    for (number, level) in levels(image).iter().enumerate() {
        let (width, height) = image.level_size(number);
        packed.push(blocks::encode(block, level, width, height)?);
    }
    assemble(&Head { version: 2, content: 1, packing: 2, alpha_bits, alpha_kind }, image, &[0; 1024], &packed)
}

/// Writes BLP2 with uncompressed pixels.
pub fn raw(image: &Image) -> Result<Vec<u8>> {
    let alpha_bits = if image.is_translucent() { 8 } else { 0 };
    let swap = |level: &Vec<u8>| -> Vec<u8> {
        level
            .as_chunks::<4>()
            .0
            .iter()
            .flat_map(|&[red, green, blue, alpha]| [blue, green, red, alpha])
            .collect()
    };
    let levels: Vec<Vec<u8>> = levels(image).iter().map(swap).collect();
    assemble(
        &Head { version: 2, content: 1, packing: 3, alpha_bits, alpha_kind: 0 },
        image,
        &[0; 1024],
        &levels,
    )
}
