//! Pictures as files: TGA for the games, PNG for everything else. Both are written without compression, so that no library is
//! needed.

use crate::creature::Picture;

/// The picture as an uncompressed 32-bit TGA with its top row first.
#[must_use]
pub fn tga(picture: &Picture) -> Vec<u8> {
    let mut out = vec![0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    out.extend(picture.width.to_le_bytes());
    out.extend(picture.height.to_le_bytes());
    // 32 bits, 8 of them alpha, rows from the top.
    out.extend([32, 0x28]);
    out.extend(picture.pixels.iter().flat_map(|&[r, g, b, a]| [b, g, r, a]));
    out
}

/// The picture as an RGBA PNG whose data is stored, not deflated.
#[must_use]
pub fn png(picture: &Picture) -> Vec<u8> {
    let mut out = b"\x89PNG\r\n\x1a\n".to_vec();
    let mut head = Vec::new();
    head.extend(u32::from(picture.width).to_be_bytes());
    head.extend(u32::from(picture.height).to_be_bytes());
    // 8 bits, RGBA, deflate, no filter, no interlace.
    head.extend([8, 6, 0, 0, 0]);
    chunk(&mut out, b"IHDR", &head);
    let mut rows = Vec::new();
    for row in picture.pixels.chunks(usize::from(picture.width).max(1)) {
        rows.push(0);
        rows.extend(row.iter().flatten());
    }
    chunk(&mut out, b"IDAT", &stored(&rows));
    chunk(&mut out, b"IEND", &[]);
    out
}

fn chunk(out: &mut Vec<u8>, tag: &[u8; 4], data: &[u8]) {
    let length = u32::try_from(data.len()).unwrap_or(u32::MAX);
    out.extend(length.to_be_bytes());
    out.extend(tag);
    out.extend(data);
    let crc = tag.iter().chain(data).fold(u32::MAX, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| (crc >> 1) ^ (0xedb8_8320 & (crc & 1).wrapping_neg()))
    });
    out.extend((!crc).to_be_bytes());
}

/// A zlib stream of stored blocks.
fn stored(data: &[u8]) -> Vec<u8> {
    let mut out = vec![0x78, 0x01];
    let mut blocks = data.chunks(0xffff).peekable();
    while let Some(block) = blocks.next() {
        let length = u16::try_from(block.len()).unwrap_or(u16::MAX);
        out.push(u8::from(blocks.peek().is_none()));
        out.extend(length.to_le_bytes());
        out.extend((!length).to_le_bytes());
        out.extend(block);
    }
    let (a, b) = data.iter().fold((1_u32, 0_u32), |(a, b), &byte| {
        let a = (a + u32::from(byte)) % 65521;
        (a, (b + a) % 65521)
    });
    out.extend(((b << 16) | a).to_be_bytes());
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn two_by_one() -> Picture {
        Picture { name: "x", width: 2, height: 1, pixels: vec![[1, 2, 3, 4], [5, 6, 7, 8]] }
    }

    #[test]
    fn a_tga_has_its_pixels_as_blue_green_red_alpha() {
        let bytes = tga(&two_by_one());
        assert_eq!(bytes.get(12..), Some(&[2, 0, 1, 0, 32, 0x28, 3, 2, 1, 4, 7, 6, 5, 8][..]));
    }

    #[test]
    fn a_png_has_the_checksums_that_readers_expect() {
        let bytes = png(&two_by_one());
        // The whole of IEND is the same in every PNG.
        assert!(bytes.ends_with(b"\0\0\0\0IEND\xae\x42\x60\x82"));
        // Adler-32 of the row 00 01 02 03 04 05 06 07 08, by hand: a = 37, b = 9 + 120.
        let adler = bytes.windows(4).position(|w| w == [0, 129, 0, 37]);
        assert!(adler.is_some());
    }
}
