//! Block-compressed pixels (BC1 to BC7), in blocks of 4 x 4. Decoding uses `bcdec_rs`, encoding `texpresso`. Both panic
//! on slices that are too short, so they are called with whole blocks only.

use crate::image::to_byte;
use effigy_wire::{Error, Result};

/// A block compression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Block {
    /// DXT1: colour, 1-bit alpha.
    Bc1,
    /// DXT3: colour, 4-bit alpha.
    Bc2,
    /// DXT5: colour, smooth alpha.
    Bc3,
    /// One channel (ATI1), decoded to grey.
    Bc4 {
        /// Whether values are from -1 to 1, decoded to 0 to 255, instead of from 0 to 1.
        signed: bool,
    },
    /// Two channels (ATI2), decoded to red and green; blue is 0.
    Bc5 {
        /// Whether values are from -1 to 1, decoded to 0 to 255, instead of from 0 to 1.
        signed: bool,
    },
    /// Floating point colours, clamped to 0 to 1.
    Bc6 {
        /// Whether values may be negative.
        signed: bool,
    },
    /// Colour with alpha, of the best quality.
    Bc7,
}

impl Block {
    /// The bytes of one block.
    pub const fn size(self) -> usize {
        match self {
            Self::Bc1 | Self::Bc4 { .. } => 8,
            _ => 16,
        }
    }

    /// The bytes of an image of this size, which may be any that a header states.
    pub fn bytes(self, width: u32, height: u32) -> u64 {
        let blocks = u64::from(width.div_ceil(4)) * u64::from(height.div_ceil(4));
        blocks.saturating_mul(self.size() as u64)
    }
}

/// Decodes a block of one channel to grey.
fn bc4(block: &[u8], pixels: &mut [u8], pitch: usize) {
    let mut grey = [0; 16];
    bcdec_rs::bc4(block, &mut grey, 4, false);
    store(&grey, pixels, pitch, |&grey| [grey, grey, grey, 255]);
}

/// Decodes a block of one signed channel to grey.
fn bc4_signed(block: &[u8], pixels: &mut [u8], pitch: usize) {
    let mut grey = [0.0; 16];
    bcdec_rs::bc4_float(block, &mut grey, 4, true);
    store(&grey, pixels, pitch, |&grey| {
        let grey = signed_to_byte(grey);
        [grey, grey, grey, 255]
    });
}

/// Decodes a block of two channels to red and green.
fn bc5(block: &[u8], pixels: &mut [u8], pitch: usize) {
    let mut two = [0; 32];
    bcdec_rs::bc5(block, &mut two, 8, false);
    store(two.as_chunks().0, pixels, pitch, |&[red, green]| [red, green, 0, 255]);
}

/// Decodes a block of two signed channels to red and green.
fn bc5_signed(block: &[u8], pixels: &mut [u8], pitch: usize) {
    let mut two = [0.0; 32];
    bcdec_rs::bc5_float(block, &mut two, 8, true);
    store(two.as_chunks().0, pixels, pitch, |two: &[f32; 2]| {
        let [red, green] = two.map(signed_to_byte);
        [red, green, 0, 255]
    });
}

/// Decodes a block of floating point colours.
fn bc6(block: &[u8], pixels: &mut [u8], pitch: usize, signed: bool) {
    let mut three = [0.0; 48];
    bcdec_rs::bc6h_float(block, &mut three, 12, signed);
    store(three.as_chunks().0, pixels, pitch, |three: &[f32; 3]| {
        let [red, green, blue] = three.map(to_byte);
        [red, green, blue, 255]
    });
}

/// -1 to 1 as 0 to 255, the way normal maps store directions.
fn signed_to_byte(value: f32) -> u8 {
    to_byte((value + 1.0) / 2.0)
}

/// Stores the 16 texels of a block in rows that are `pitch` bytes apart.
fn store<T>(texels: &[T], pixels: &mut [u8], pitch: usize, rgba: impl Fn(&T) -> [u8; 4]) {
    for (row, texels) in pixels.chunks_mut(pitch).zip(texels.chunks_exact(4)) {
        for (pixel, texel) in row.as_chunks_mut::<4>().0.iter_mut().zip(texels) {
            *pixel = rgba(texel);
        }
    }
}

/// Decodes an image to RGBA. The caller has checked its size against the limits; this fails if `bytes` does not hold all
/// of its blocks.
pub fn decode(block: Block, bytes: &[u8], width: u32, height: u32) -> Result<Vec<u8>> {
    let needs = block.bytes(width, height);
    let Some(bytes) = usize::try_from(needs).ok().and_then(|needs| bytes.get(..needs)) else {
        return Err(Error::malformed(
            0,
            format!("{width} x {height} pixels need {needs} bytes, {} are left", bytes.len()),
        ));
    };
    // One loop over blocks for each compression. Decoders that are called through a pointer are faster than those that
    // the compiler inlines into the loop.
    let plain = |decode: fn(&[u8], &mut [u8], usize)| decode;
    Ok(match block {
        Block::Bc1 => decode_all::<8>(bytes, width, height, plain(bcdec_rs::bc1)),
        Block::Bc2 => decode_all::<16>(bytes, width, height, plain(bcdec_rs::bc2)),
        Block::Bc3 => decode_all::<16>(bytes, width, height, plain(bcdec_rs::bc3)),
        Block::Bc4 { signed: false } => decode_all::<8>(bytes, width, height, plain(bc4)),
        Block::Bc4 { signed: true } => decode_all::<8>(bytes, width, height, plain(bc4_signed)),
        Block::Bc5 { signed: false } => decode_all::<16>(bytes, width, height, plain(bc5)),
        Block::Bc5 { signed: true } => decode_all::<16>(bytes, width, height, plain(bc5_signed)),
        Block::Bc6 { signed } => decode_all::<16>(bytes, width, height, |b, p, n| bc6(b, p, n, signed)),
        Block::Bc7 => decode_all::<16>(bytes, width, height, bcdec_rs::bc7),
    })
}

fn decode_all<const SIZE: usize>(
    bytes: &[u8],
    width: u32,
    height: u32,
    decode: impl Fn(&[u8], &mut [u8], usize),
) -> Vec<u8> {
    let (width, height) = (width as usize, height as usize);
    let pitch = width * 4;
    let mut pixels = vec![0; pitch * height];
    let rows = pixels.chunks_mut(pitch * 4).zip(bytes.chunks_exact(width.div_ceil(4) * SIZE));
    for (strip, blocks) in rows {
        let blocks = blocks.as_chunks::<SIZE>().0;
        let whole = if strip.len() == pitch * 4 { width / 4 } else { 0 };
        let (inside, edge) = blocks.split_at_checked(whole).unwrap_or((&[], blocks));
        for (x, packed) in inside.iter().enumerate() {
            if let Some(target) = strip.get_mut(x * 16..) {
                decode(packed, target, pitch);
            }
        }
        for (x, packed) in edge.iter().enumerate() {
            // A block of which a part is outside of the image.
            let mut pixels = [0; 64];
            decode(packed, &mut pixels, 16);
            for (row, from) in strip.chunks_mut(pitch).zip(pixels.chunks_exact(16)) {
                let row = row.get_mut((whole + x) * 16..).unwrap_or_default();
                row.iter_mut().zip(from).for_each(|(to, &from)| *to = from);
            }
        }
    }
    pixels
}

/// Encodes the pixels of an image; BC1 to BC3 only.
pub fn encode(block: Block, pixels: &[u8], width: u32, height: u32) -> Result<Vec<u8>> {
    let format = match block {
        Block::Bc1 => texpresso::Format::Bc1,
        Block::Bc2 => texpresso::Format::Bc2,
        Block::Bc3 => texpresso::Format::Bc3,
        _ => return Err(Error::unrepresentable("only DXT1, DXT3 and DXT5 can be written")),
    };
    let (width, height) = (width as usize, height as usize);
    if pixels.len() != width * height * 4 {
        return Err(Error::unrepresentable("the number of pixels does not match the size"));
    }
    let mut packed = vec![0; format.compressed_size(width, height)];
    format.compress(pixels, width, height, texpresso::Params::default(), &mut packed);
    Ok(packed)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Block; 10] = [
        Block::Bc1,
        Block::Bc2,
        Block::Bc3,
        Block::Bc4 { signed: false },
        Block::Bc4 { signed: true },
        Block::Bc5 { signed: false },
        Block::Bc5 { signed: true },
        Block::Bc6 { signed: false },
        Block::Bc6 { signed: true },
        Block::Bc7,
    ];

    #[test]
    fn any_bytes_decode_at_any_size() {
        let bytes: Vec<u8> =
            (0..4096_u32).map(|at| at.wrapping_mul(2_654_435_761).to_le_bytes()[2]).collect();
        for block in ALL {
            for (width, height) in [(1, 1), (3, 5), (4, 4), (8, 4), (7, 9), (64, 1)] {
                let pixels = decode(block, &bytes, width, height).unwrap();
                assert_eq!(pixels.len(), (width * height * 4) as usize, "{block:?}");
                let needs = usize::try_from(block.bytes(width, height)).unwrap();
                assert!(decode(block, &bytes[..needs - 1], width, height).is_err());
            }
        }
    }

    #[test]
    fn an_edge_shows_the_same_pixels_as_the_whole() {
        let bytes: Vec<u8> = (0..64_u8).map(|at| at.wrapping_mul(37)).collect();
        for block in ALL {
            let whole = decode(block, &bytes, 8, 4).unwrap();
            let part = decode(block, &bytes, 7, 3).unwrap();
            for y in 0..3 {
                assert_eq!(part[y * 28..][..28], whole[y * 32..][..28], "{block:?}");
            }
        }
    }

    #[test]
    fn only_whole_images_of_bc1_to_bc3_are_encoded() {
        assert!(encode(Block::Bc1, &[0; 4 * 6], 3, 2).is_ok());
        for length in [4 * 6 - 1, 4 * 6 + 1, 6, 4 * 5] {
            assert!(encode(Block::Bc1, &vec![0; length], 3, 2).is_err(), "{length}");
        }
        assert!(encode(Block::Bc4 { signed: false }, &[0; 4 * 6], 3, 2).is_err());
        assert!(encode(Block::Bc7, &[0; 4 * 6], 3, 2).is_err());
    }

    #[test]
    fn flat_colours_survive_encoding() {
        for block in [Block::Bc1, Block::Bc2, Block::Bc3] {
            let pixels = [255, 0, 0, 255].repeat(30);
            let packed = encode(block, &pixels, 6, 5).unwrap();
            assert_eq!(decode(block, &packed, 6, 5).unwrap(), pixels);
        }
    }
}
