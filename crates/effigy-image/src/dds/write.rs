//! Writing DDS: DXT1, DXT5 and uncompressed BGRA, with all levels.

use crate::blocks::{self, Block};
use crate::image::Image;
use effigy_wire::{Report, Result};

/// The flags for the header fields that every file sets: caps, height, width and pixel format.
const FLAGS: u32 = 0x1007;

fn header(image: &Image, code: Option<[u8; 4]>, first: usize) -> Vec<u8> {
    let levels = u32::try_from(image.levels.len()).unwrap_or(1);
    let first = u32::try_from(first).unwrap_or(u32::MAX);
    let (mip_flag, mip_caps) = if levels > 1 { (0x2_0000, 0x40_0008) } else { (0, 0) };
    let (pitch_flag, pitch) =
        if code.is_some() { (0x8_0000, first) } else { (0x8, image.width.saturating_mul(4)) };
    let mut words = vec![124, FLAGS | mip_flag | pitch_flag, image.height, image.width, pitch, 0, levels];
    words.extend([0; 11]);
    match code {
        Some(code) => words.extend([32, 4, u32::from_le_bytes(code), 0, 0, 0, 0, 0]),
        None => words.extend([32, 0x41, 0, 32, 0xff_0000, 0xff00, 0xff, 0xff00_0000]),
    }
    words.extend([0x1000 | mip_caps, 0, 0, 0, 0]);
    let mut bytes = b"DDS ".to_vec();
    words.iter().for_each(|word| bytes.extend(word.to_le_bytes()));
    bytes
}

/// Writes DDS with blocks.
pub fn dxt(image: &Image, block: Block, report: &mut Report) -> Result<Vec<u8>> {
    report.approximated("colors", "compressed in blocks of 4 x 4 pixels");
    let code = if block == Block::Bc1 { *b"DXT1" } else { *b"DXT5" };
    let one_bit = |pixel: &[u8; 4]| matches!(pixel[3], 0 | 255);
    if block == Block::Bc1 && !image.pixels().as_chunks::<4>().0.iter().all(one_bit) {
        report.approximated("alpha", "reduced from 8 bits to 1");
    }
    let mut levels = Vec::new();
    for (number, level) in image.levels.iter().enumerate() {
        let (width, height) = image.level_size(number);
        levels.push(blocks::encode(block, level, width, height)?);
    }
    let mut bytes = header(image, Some(code), levels.first().map_or(0, Vec::len));
    levels.iter().for_each(|level| bytes.extend(level));
    Ok(bytes)
}

/// Writes DDS with uncompressed pixels.
pub fn raw(image: &Image) -> Vec<u8> {
    let mut bytes = header(image, None, image.pixels().len());
    for &[red, green, blue, alpha] in image.levels.iter().flat_map(|level| level.as_chunks::<4>().0) {
        bytes.extend([blue, green, red, alpha]);
    }
    bytes
}
