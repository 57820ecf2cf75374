//! Block-compressed pixels (BC1 to BC7). Decoding is `bcdec_rs`, encoding `texpresso`; both are given whole blocks
//! only, since they trust their caller with sizes.

use crate::image::to_byte;
use effigy_wire::{Error, Result};

/// A kind of block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Block {
    /// DXT1: colour, 1-bit alpha.
    Bc1,
    /// DXT3: colour, 4-bit alpha.
    Bc2,
    /// DXT5: colour, smooth alpha.
    Bc3,
    /// One channel (ATI1), given as grey.
    Bc4 {
        /// Whether values run from -1 to 1.
        signed: bool,
    },
    /// Two channels (ATI2), given as red and green; blue is 0.
    Bc5 {
        /// Whether values run from -1 to 1.
        signed: bool,
    },
    /// Floating point colours; clamped to 0 to 1 here.
    Bc6 {
        /// Whether values may be negative.
        signed: bool,
    },
    /// Colour with alpha, the finest.
    Bc7,
}

impl Block {
    /// Bytes of one block of 4 x 4 pixels.
    pub const fn size(self) -> usize {
        match self {
            Self::Bc1 | Self::Bc4 { .. } => 8,
            _ => 16,
        }
    }

    /// Bytes that a picture of this size takes.
    pub fn bytes(self, width: u32, height: u32) -> u64 {
        u64::from(width.div_ceil(4)) * u64::from(height.div_ceil(4)) * self.size() as u64
    }
}

/// One block of one channel.
fn bc4(block: &[u8], pixels: &mut [u8], pitch: usize, signed: bool) {
    let mut grey = [0; 16];
    bcdec_rs::bc4(block, &mut grey, 4, signed);
    spread(pixels, pitch, |at| grey.get(at).map_or([0; 4], |&value| [value, value, value, 255]));
}

/// One block of two channels.
fn bc5(block: &[u8], pixels: &mut [u8], pitch: usize, signed: bool) {
    let mut two = [0; 32];
    bcdec_rs::bc5(block, &mut two, 8, signed);
    let two = two.as_chunks::<2>().0;
    spread(pixels, pitch, |at| two.get(at).map_or([0; 4], |&[red, green]| [red, green, 0, 255]));
}

/// One block of floating point colours.
fn bc6(block: &[u8], pixels: &mut [u8], pitch: usize, signed: bool) {
    let mut three = [0.0; 48];
    bcdec_rs::bc6h_float(block, &mut three, 12, signed);
    let three = three.as_chunks::<3>().0;
    spread(pixels, pitch, |at| {
        three.get(at).map_or([0; 4], |&rgb| {
            let [red, green, blue] = rgb.map(to_byte);
            [red, green, blue, 255]
        })
    });
}

fn spread(pixels: &mut [u8], pitch: usize, pixel: impl Fn(usize) -> [u8; 4]) {
    for (y, row) in pixels.chunks_mut(pitch).take(4).enumerate() {
        for (x, out) in row.as_chunks_mut::<4>().0.iter_mut().take(4).enumerate() {
            *out = pixel(y * 4 + x);
        }
    }
}

/// Pixels of a picture whose sides were checked. `bytes` must hold all of its blocks.
pub fn decode(block: Block, bytes: &[u8], width: u32, height: u32) -> Result<Vec<u8>> {
    let needs = block.bytes(width, height);
    let Some(bytes) = usize::try_from(needs).ok().and_then(|needs| bytes.get(..needs)) else {
        return Err(Error::malformed(
            0,
            format!("{width} x {height} pixels need {needs} bytes, {} are left", bytes.len()),
        ));
    };
    // Chosen once, so that the loop over blocks is one for each kind. Decoders called by pointer are faster than those
    // that the compiler merges into the loop.
    let plain = |decode: fn(&[u8], &mut [u8], usize)| decode;
    Ok(match block {
        Block::Bc1 => decode_all::<8>(bytes, width, height, plain(bcdec_rs::bc1)),
        Block::Bc2 => decode_all::<16>(bytes, width, height, plain(bcdec_rs::bc2)),
        Block::Bc3 => decode_all::<16>(bytes, width, height, plain(bcdec_rs::bc3)),
        Block::Bc4 { signed } => decode_all::<8>(bytes, width, height, |b, p, n| bc4(b, p, n, signed)),
        Block::Bc5 { signed } => decode_all::<16>(bytes, width, height, |b, p, n| bc5(b, p, n, signed)),
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
            // A block that hangs over the edge.
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

/// Blocks of a picture whose sides were checked; BC1 to BC3 only.
pub fn encode(block: Block, pixels: &[u8], width: u32, height: u32) -> Result<Vec<u8>> {
    let format = match block {
        Block::Bc1 => texpresso::Format::Bc1,
        Block::Bc2 => texpresso::Format::Bc2,
        Block::Bc3 => texpresso::Format::Bc3,
        _ => return Err(Error::unrepresentable("only DXT1, DXT3 and DXT5 can be written")),
    };
    let (width, height) = (width as usize, height as usize);
    if pixels.len() != width * height * 4 {
        return Err(Error::unrepresentable("the pixels do not fit the size"));
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
    fn flat_colours_survive_encoding() {
        for block in [Block::Bc1, Block::Bc2, Block::Bc3] {
            let pixels = [255, 0, 0, 255].repeat(30);
            let packed = encode(block, &pixels, 6, 5).unwrap();
            assert_eq!(decode(block, &packed, 6, 5).unwrap(), pixels);
        }
    }
}
