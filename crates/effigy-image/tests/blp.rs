//! BLP files made by hand, with the pixels that they must decode to.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, clippy::string_slice)]
#![allow(clippy::cast_possible_truncation)]

use crate::common;

use common::blp::{DIRECT, JPEG, blp1, blp2};
use effigy_image::{Image, codes, read, read_with};
use effigy_wire::{Kind, Limits};

fn codes_of(image: &Image) -> Vec<effigy_wire::Code> {
    image.diagnostics.iter().map(|diagnostic| diagnostic.code).collect()
}

/// A block of DXT1 in one colour of 5, 6 and 5 bits.
fn solid(red: u16, green: u16, blue: u16) -> Vec<u8> {
    let [low, high] = (red << 11 | green << 5 | blue).to_le_bytes();
    vec![low, high, 0, 0, 0, 0, 0, 0]
}

const RED: [u8; 4] = [255, 0, 0, 255];
const GREEN: [u8; 4] = [0, 255, 0, 255];
const BLUE: [u8; 4] = [0, 0, 255, 255];
const WHITE: [u8; 4] = [255; 4];

#[test]
fn each_mip_level_of_dxt1_has_its_own_pixels() {
    let levels = [solid(31, 0, 0).repeat(4), solid(0, 63, 0), solid(0, 0, 31), solid(31, 63, 31)];
    let image = read(&blp2([2, 0, 0], (8, 8), &[0; 1024], &levels)).unwrap();
    assert_eq!(image.stored, "BLP2 DXT1, no alpha");
    assert_eq!(image.levels, [RED.repeat(64), GREEN.repeat(16), BLUE.repeat(4), WHITE.to_vec()]);
    assert!(!image.has_alpha && image.diagnostics.is_empty());
}

#[test]
fn levels_that_the_table_leaves_out_are_not_there() {
    let levels = [solid(31, 0, 0).repeat(4), solid(0, 63, 0), Vec::new(), solid(31, 63, 31)];
    let bytes = blp2([2, 0, 0], (8, 8), &[0; 1024], &levels);
    assert_eq!(read(&bytes).unwrap().levels.len(), 2);
    // An offset of 0, and one beyond the end of the file.
    for offset in [0_u32, 1 << 20] {
        let mut bytes = blp2([2, 0, 0], (8, 8), &[0; 1024], &levels[..2]);
        bytes[24..28].copy_from_slice(&offset.to_le_bytes());
        assert_eq!(read(&bytes).unwrap().levels.len(), 1);
        bytes[20..24].copy_from_slice(&offset.to_le_bytes());
        let error = read(&bytes).unwrap_err();
        assert_eq!(error.kind(), Kind::Malformed);
        assert!(error.to_string().contains("levels[0]"), "{error}");
    }
}

#[test]
fn levels_end_at_one_pixel_whatever_the_table_says() {
    let levels = [solid(31, 0, 0), solid(0, 63, 0), solid(0, 0, 31), solid(31, 63, 31)];
    let image = read(&blp2([2, 0, 0], (4, 2), &[0; 1024], &levels)).unwrap();
    assert_eq!(image.levels, [RED.repeat(8), GREEN.repeat(2), BLUE.to_vec()]);
}

#[test]
fn a_damaged_level_ends_the_levels_with_a_finding() {
    let levels = [solid(31, 0, 0).repeat(4), solid(0, 63, 0)];
    let mut bytes = blp2([2, 0, 0], (8, 8), &[0; 1024], &levels);
    bytes.pop();
    let image = read(&bytes).unwrap();
    assert_eq!((image.levels.len(), codes_of(&image)), (1, vec![codes::LEVEL]));
    assert_eq!(image.diagnostics.iter().next().unwrap().path, "levels[1]");
    bytes.truncate(bytes.len() - 8);
    assert!(read(&bytes).is_err(), "the first level must be whole");
}

#[test]
fn a_level_can_be_longer_than_its_stated_size() {
    let mut colors = PALETTE.concat();
    colors.resize(1024, 0);
    for (packing, level, expected) in [
        (
            1,
            [vec![0; 32], vec![2; 32]].concat(),
            [[1, 2, 3, 255].repeat(32), [7, 8, 9, 255].repeat(32)].concat(),
        ),
        (2, solid(31, 0, 0).repeat(4), RED.repeat(64)),
        (3, [0, 255, 0, 0].repeat(64), GREEN.repeat(64)),
    ] {
        let mut bytes = blp2([packing, 0, 0], (8, 8), &colors, &[level]);
        bytes[84..88].copy_from_slice(&1_u32.to_le_bytes());
        assert_eq!(read(&bytes).unwrap().levels, [expected], "{packing}");
    }
}

#[test]
fn bits_and_kind_of_alpha_choose_the_block() {
    // The colours of a block of 16 bytes are in its second half.
    let transparent = [0, 0, 0xff, 0xff, 255, 255, 255, 255].to_vec();
    let long = |alpha: [u8; 8]| [alpha.to_vec(), solid(31, 0, 0)].concat();
    for (alpha_bits, alpha_kind, block, stored, pixel) in [
        (0, 0, transparent.clone(), "BLP2 DXT1, no alpha", [0, 0, 0, 255]),
        (1, 0, transparent.clone(), "BLP2 DXT1, 1-bit alpha", [0, 0, 0, 0]),
        (1, 1, transparent.clone(), "BLP2 DXT1, 1-bit alpha", [0, 0, 0, 0]),
        (4, 1, long([0x55; 8]), "BLP2 DXT3, 4-bit alpha", [255, 0, 0, 0x55]),
        (8, 1, long([0x55; 8]), "BLP2 DXT3, 8-bit alpha", [255, 0, 0, 0x55]),
        (8, 7, long([9, 9, 0, 0, 0, 0, 0, 0]), "BLP2 DXT5, 8-bit alpha", [255, 0, 0, 9]),
        (0, 7, long([9, 9, 0, 0, 0, 0, 0, 0]), "BLP2 DXT5, no alpha", [255, 0, 0, 255]),
    ] {
        let image = read(&blp2([2, alpha_bits, alpha_kind], (4, 4), &[0; 1024], &[block])).unwrap();
        assert_eq!((image.stored.as_str(), image.pixels()), (stored, &*pixel.repeat(16)));
        assert_eq!((image.has_alpha, codes_of(&image)), (alpha_bits > 0, vec![]));
    }
}

#[test]
fn the_size_of_a_level_settles_a_wrong_kind_of_alpha() {
    for (alpha_bits, alpha_kind) in [(8, 1), (8, 7)] {
        let image = read(&blp2([2, alpha_bits, alpha_kind], (4, 4), &[0; 1024], &[solid(31, 0, 0)])).unwrap();
        assert_eq!((image.pixels(), codes_of(&image)), (&*RED.repeat(16), vec![codes::ODD_HEADER]));
        // A size that fits neither compression does not count.
        let padded = [vec![9, 9], vec![0; 6], solid(31, 0, 0), vec![0; 4]].concat();
        let image = read(&blp2([2, alpha_bits, alpha_kind], (4, 4), &[0; 1024], &[padded])).unwrap();
        assert_eq!((image.pixel(0, 0)[0], codes_of(&image)), (255, vec![]));
    }
}

/// Blue, green, red, and a byte that means nothing.
const PALETTE: [[u8; 4]; 3] = [[3, 2, 1, 0], [6, 5, 4, 7], [9, 8, 7, 0]];

#[test]
fn palettes_have_0_1_4_or_8_bits_of_alpha() {
    let mut shared = PALETTE.concat();
    shared.resize(1024, 0);
    // Nine pixels, so that the last byte of alpha is not full; index 3 is beyond the colours that were set.
    let indices = [0, 1, 2, 0, 1, 2, 0, 1, 3];
    let colors =
        [[1, 2, 3], [4, 5, 6], [7, 8, 9], [1, 2, 3], [4, 5, 6], [7, 8, 9], [1, 2, 3], [4, 5, 6], [0; 3]];
    for (bits, packed, alpha) in [
        (0, vec![], [255; 9]),
        (1, vec![0b1010_0110, 1], [0, 255, 255, 0, 0, 255, 0, 255, 255]),
        (4, vec![0x10, 0x32, 0x54, 0x76, 0x0f], [0, 17, 34, 51, 68, 85, 102, 119, 255]),
        (8, vec![9, 8, 7, 6, 5, 4, 3, 2, 1], [9, 8, 7, 6, 5, 4, 3, 2, 1]),
    ] {
        let expected: Vec<u8> = colors
            .iter()
            .zip(alpha)
            .flat_map(|(&[red, green, blue], alpha)| [red, green, blue, alpha])
            .collect();
        let level = [&indices[..], &packed].concat();
        let files = [
            blp1(DIRECT, bits.into(), (3, 3), &shared, std::slice::from_ref(&level)),
            blp2([1, bits, 8], (3, 3), &shared, std::slice::from_ref(&level)),
        ];
        for bytes in files {
            let image = read(&bytes).unwrap();
            assert_eq!((image.pixels(), image.has_alpha, codes_of(&image)), (&*expected, bits > 0, vec![]));
            if bits > 0 {
                // One byte short: the level is opaque.
                let image = read(&bytes[..bytes.len() - 1]).unwrap();
                assert!(!image.is_translucent());
                assert_eq!(codes_of(&image), [codes::LEVEL]);
                assert_eq!(image.pixel(1, 0), [4, 5, 6, 255]);
            }
            // One index short.
            assert!(read(&bytes[..bytes.len() - packed.len() - 1]).is_err());
        }
    }
}

#[test]
fn other_bits_of_alpha_are_read_as_eight_with_a_finding() {
    let mut shared = PALETTE.concat();
    shared.resize(1024, 0);
    let image = read(&blp1(DIRECT, 5, (2, 1), &shared, &[vec![0, 1, 40, 50]])).unwrap();
    assert_eq!(image.pixels(), [1, 2, 3, 40, 4, 5, 6, 50]);
    assert_eq!(
        (image.stored.as_str(), codes_of(&image)),
        ("BLP1 palette, 8-bit alpha", vec![codes::ODD_HEADER])
    );
}

#[test]
fn uncompressed_pixels_are_stored_blue_first() {
    let pixels = vec![3, 2, 1, 0, 6, 5, 4, 9];
    for packing in [3, 4] {
        let image = read(&blp2([packing, 8, 0], (2, 1), &[0; 1024], std::slice::from_ref(&pixels))).unwrap();
        assert_eq!(
            (image.pixels(), image.stored.as_str()),
            (&[1, 2, 3, 0, 4, 5, 6, 9][..], "BLP2 raw, 8-bit alpha")
        );
        let image = read(&blp2([packing, 0, 0], (2, 1), &[0; 1024], std::slice::from_ref(&pixels))).unwrap();
        assert_eq!(image.pixels(), [1, 2, 3, 255, 4, 5, 6, 255]);
    }
    let bytes = blp2([3, 8, 0], (2, 1), &[0; 1024], &[pixels[..7].to_vec()]);
    assert!(read(&bytes).is_err());
    for packing in [0, 5] {
        let error =
            read(&blp2([packing, 8, 0], (2, 1), &[0; 1024], std::slice::from_ref(&pixels))).unwrap_err();
        assert_eq!(error.kind(), Kind::Unsupported);
    }
}

/// What all JPEG streams below share: the start, a quantisation of 8 for everything, so that the mean of a block is
/// stored as it is, and Huffman tables: categories 0 to 11 in four bits for means, one bit for "no more" coefficients.
fn jpeg_head() -> Vec<u8> {
    let mut head = vec![0xff, 0xd8, 0xff, 0xdb, 0, 67, 0];
    head.extend([8; 64]);
    head.extend([0xff, 0xc4, 0, 19 + 12, 0x00, 0, 0, 0, 12, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    head.extend(0..12);
    head.extend([0xff, 0xc4, 0, 19 + 1, 0x10, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x00]);
    head
}

/// The rest of a stream of at most 8 x 8 pixels of one colour.
fn jpeg_tail((width, height): (u8, u8), channels: &[u8]) -> Vec<u8> {
    let count = channels.len() as u8;
    let mut tail = vec![0xff, 0xc0, 0, 8 + 3 * count, 8, 0, height, 0, width, count];
    (1..=count).for_each(|channel| tail.extend([channel, 0x11, 0]));
    tail.extend([0xff, 0xda, 0, 6 + 2 * count, count]);
    (1..=count).for_each(|channel| tail.extend([channel, 0]));
    tail.extend([0, 63, 0]);
    let mut bits = String::new();
    for &value in channels {
        let mean = i32::from(value) - 128;
        let category = 32 - mean.unsigned_abs().leading_zeros();
        let stored = if mean < 0 { mean - 1 + (1 << category) } else { mean };
        bits.push_str(&format!("{category:04b}"));
        if category > 0 {
            bits.push_str(&format!("{stored:0width$b}", width = category as usize));
        }
        bits.push('0');
    }
    while !bits.len().is_multiple_of(8) {
        bits.push('1');
    }
    for at in (0..bits.len()).step_by(8) {
        let byte = u8::from_str_radix(&bits[at..at + 8], 2).unwrap();
        tail.push(byte);
        tail.extend((byte == 0xff).then_some(0));
    }
    tail.extend([0xff, 0xd9]);
    tail
}

fn jpeg_blp(alpha_bits: u32, size: (u32, u32), levels: &[Vec<u8>]) -> Vec<u8> {
    let head = jpeg_head();
    let shared = [&(head.len() as u32).to_le_bytes()[..], &head].concat();
    blp1(JPEG, alpha_bits, size, &shared, levels)
}

#[test]
fn each_mip_level_of_jpeg_has_its_own_pixels_blue_first() {
    let levels = [
        jpeg_tail((4, 4), &[10, 20, 30, 40]),
        jpeg_tail((2, 2), &[200, 128, 129, 250]),
        jpeg_tail((1, 1), &[0, 255, 127, 5]),
    ];
    let image = read(&jpeg_blp(8, (4, 4), &levels)).unwrap();
    let expected = [[30, 20, 10, 40].repeat(16), [129, 128, 200, 250].repeat(4), vec![127, 255, 0, 5]];
    assert_eq!((image.levels, image.stored.as_str()), (expected.to_vec(), "BLP1 JPEG, 8-bit alpha"));
    let image = read(&jpeg_blp(0, (4, 4), &levels)).unwrap();
    let opaque = [[30, 20, 10, 255].repeat(16), [129, 128, 200, 255].repeat(4), vec![127, 255, 0, 255]];
    assert_eq!((image.levels, image.has_alpha), (opaque.to_vec(), false));
}

#[test]
fn jpeg_of_one_or_three_channels_is_opaque() {
    let image = read(&jpeg_blp(8, (2, 1), &[jpeg_tail((2, 1), &[77])])).unwrap();
    assert_eq!(image.pixels(), [77, 77, 77, 255].repeat(2));
    // Y 100, Cb 128, Cr 178: the first channel is 100 + 1.402 * 50 = 170.1 and means blue, the second is
    // 100 - 0.714 * 50 = 64.3, the third 100 and means red.
    let image = read(&jpeg_blp(8, (2, 1), &[jpeg_tail((2, 1), &[100, 128, 178])])).unwrap();
    assert_eq!(image.pixels(), [100, 64, 170, 255].repeat(2));
}

#[test]
fn a_jpeg_of_another_size_than_its_level_is_cut_or_filled() {
    let level = jpeg_tail((3, 2), &[10, 20, 30, 40]);
    let pixel = [30, 20, 10, 40];
    let none = [0; 4];
    let image = read(&jpeg_blp(8, (2, 3), std::slice::from_ref(&level))).unwrap();
    assert_eq!(image.pixels(), [pixel, pixel, pixel, pixel, none, none].concat());
    assert_eq!(codes_of(&image), [codes::ODD_HEADER]);
    let image = read(&jpeg_blp(8, (4, 1), std::slice::from_ref(&level))).unwrap();
    assert_eq!(image.pixels(), [pixel, pixel, pixel, none].concat());
    // Of a smaller level, only the finding is left.
    let image = read(&jpeg_blp(8, (3, 2), &[level.clone(), level])).unwrap();
    assert_eq!((image.levels.len(), codes_of(&image)), (1, vec![codes::LEVEL]));
}

#[test]
fn a_header_that_makes_no_sense_is_an_error_before_pixels_are_read() {
    let good = blp2([3, 8, 0], (2, 1), &[0; 1024], &[vec![0; 8]]);
    let limits = Limits { unpacked_bytes: 7, ..Limits::DEFAULT };
    assert_eq!(read_with(&good, &limits).unwrap_err().kind(), Kind::Limit);
    assert!(read_with(&good, &Limits { unpacked_bytes: 8, ..Limits::DEFAULT }).is_ok());
    let mut other = good.clone();
    other[4] = 2;
    assert_eq!(read(&other).unwrap_err().kind(), Kind::Unsupported);
    let mut version = good;
    version[3] = b'3';
    assert!(read(&version).is_err());
}
