//! Blocks of 4 x 4 pixels (BC1 to BC7) against known answers, read through DDS files.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, clippy::string_slice)]

use effigy_image::{Encoding, Image, read, write};

/// A DDS file of one level. Four characters stand in the pixel format; `DX10` is followed by a second header.
fn dds(code: [u8; 4], dxgi: Option<u32>, width: u32, height: u32, blocks: &[u8]) -> Vec<u8> {
    let mut words = vec![124, 0x1007, height, width, 0, 0, 1];
    words.extend([0; 11]);
    words.extend([32, 4, u32::from_le_bytes(code), 0, 0, 0, 0, 0, 0x1000, 0, 0, 0, 0]);
    words.extend(dxgi.into_iter().flat_map(|dxgi| [dxgi, 3, 0, 1, 0]));
    let mut bytes = b"DDS ".to_vec();
    words.iter().for_each(|word: &u32| bytes.extend(word.to_le_bytes()));
    bytes.extend(blocks);
    bytes
}

fn dx10(dxgi: u32, width: u32, height: u32, blocks: &[u8]) -> Vec<u8> {
    dds(*b"DX10", Some(dxgi), width, height, blocks)
}

fn hex(text: &str) -> Vec<u8> {
    (0..text.len()).step_by(2).map(|at| u8::from_str_radix(&text[at..at + 2], 16).unwrap()).collect()
}

#[test]
fn every_mode_of_every_compression_decodes_to_the_known_pixels() {
    let mut count = 0;
    for line in include_str!("blocks.txt").lines().filter(|line| !line.starts_with('#')) {
        let [name, dxgi, tolerance, block, pixels] = line.split(' ').collect::<Vec<_>>()[..] else {
            panic!("{line}")
        };
        let image = read(&dx10(dxgi.parse().unwrap(), 4, 4, &hex(block))).unwrap();
        let (pixels, tolerance) = (hex(pixels), tolerance.parse::<u8>().unwrap());
        assert_eq!(image.pixels().len(), pixels.len(), "{name}");
        for (at, (is, expected)) in image.pixels().iter().zip(&pixels).enumerate() {
            assert!(is.abs_diff(*expected) <= tolerance, "{name}: byte {at} is {is}, expected {expected}");
        }
        count += 1;
    }
    assert_eq!(count, 32);
}

const RED: [u8; 4] = [255, 0, 0, 255];
const BLUE: [u8; 4] = [0, 0, 255, 255];
/// Indices 0, 1, 2, 3 from left to right in each row.
const INDICES: [u8; 4] = [0b1110_0100; 4];
/// Red is above blue: the block has four colours.
const FOUR_COLORS: [u8; 8] = [0x00, 0xf8, 0x1f, 0x00, INDICES[0], INDICES[1], INDICES[2], INDICES[3]];
/// Blue is below red: the block has three colours, and index 3 is transparent.
const THREE_COLORS: [u8; 8] = [0x1f, 0x00, 0x00, 0xf8, INDICES[0], INDICES[1], INDICES[2], INDICES[3]];

#[test]
fn colours_of_dxt1_are_mixed_in_thirds_or_halves() {
    let image = read(&dds(*b"DXT1", None, 4, 4, &FOUR_COLORS)).unwrap();
    let row = [RED, BLUE, [170, 0, 85, 255], [85, 0, 170, 255]].concat();
    assert_eq!((image.pixels(), image.has_alpha, image.stored.as_str()), (&*row.repeat(4), true, "DDS DXT1"));
    let image = read(&dds(*b"DXT1", None, 4, 4, &THREE_COLORS)).unwrap();
    let half = image.pixel(2, 0);
    // 127.5 is rounded either way by decoders.
    assert!(matches!(half, [127 | 128, 0, 127 | 128, 255]), "{half:?}");
    assert_eq!([image.pixel(0, 3), image.pixel(1, 3), image.pixel(3, 3)], [BLUE, RED, [0; 4]]);
}

#[test]
fn alpha_of_dxt3_and_dxt5_comes_from_its_own_half_of_the_block() {
    // DXT3: four bits per pixel, times 17.
    let block = [&[0x10, 0x32, 0x54, 0x76, 0x98, 0xba, 0xdc, 0xfe][..], &FOUR_COLORS].concat();
    for code in [b"DXT2", b"DXT3"] {
        let image = read(&dds(*code, None, 4, 4, &block)).unwrap();
        let alpha: Vec<u8> = image.pixels().iter().skip(3).step_by(4).copied().collect();
        assert_eq!(alpha, (0..16).map(|value| value * 17).collect::<Vec<u8>>());
        assert_eq!((image.pixel(0, 0)[0], image.pixel(1, 3)[2]), (255, 255));
    }
    // DXT5: between 210 and 70, steps of a seventh; three bits per pixel, here 0 to 7 twice.
    let block = [&[210, 70][..], &[0x88, 0xc6, 0xfa, 0x88, 0xc6, 0xfa], &FOUR_COLORS].concat();
    for code in [b"DXT4", b"DXT5", b"RXGB"] {
        let image = read(&dds(*code, None, 4, 4, &block)).unwrap();
        let alpha: Vec<u8> = image.pixels().iter().skip(3).step_by(4).copied().collect();
        assert_eq!(alpha, [210, 70, 190, 170, 150, 130, 110, 90].repeat(2));
    }
}

#[test]
fn old_codes_and_dxgi_numbers_mean_the_same_compressions() {
    let block: Vec<u8> = (0..16_u8).map(|at| at.wrapping_mul(73).wrapping_add(19)).collect();
    let by_code = |code: &[u8; 4]| read(&dds(*code, None, 4, 4, &block)).unwrap();
    let by_dxgi = |dxgi: u32| read(&dx10(dxgi, 4, 4, &block)).unwrap();
    for (code, dxgis, has_alpha) in [
        (b"DXT1", 70..=72, true),
        (b"DXT3", 73..=75, true),
        (b"DXT5", 76..=78, true),
        (b"ATI1", 79..=80, false),
        (b"BC4U", 79..=80, false),
        (b"BC4S", 81..=81, false),
        (b"ATI2", 82..=83, false),
        (b"BC5U", 82..=83, false),
        (b"BC5S", 84..=84, false),
    ] {
        for dxgi in dxgis {
            assert_eq!(by_dxgi(dxgi).levels, by_code(code).levels, "{dxgi}");
            assert_eq!((by_dxgi(dxgi).has_alpha, by_code(code).has_alpha), (has_alpha, has_alpha), "{dxgi}");
        }
    }
    assert_eq!((by_dxgi(94).levels, by_dxgi(97).levels), (by_dxgi(95).levels, by_dxgi(99).levels));
    assert!(!by_dxgi(96).has_alpha && by_dxgi(97).has_alpha);
    for dxgi in [69, 93 + 7, 1000] {
        assert!(read(&dx10(dxgi, 4, 4, &block)).is_err(), "{dxgi}");
    }
    assert!(read(&dds(*b"DXT6", None, 4, 4, &block)).is_err());
}

/// A block of DXT1 in one colour: five bits of red, six of green, five of blue.
fn solid(red: u16, green: u16, blue: u16) -> [u8; 8] {
    let [low, high] = (red << 11 | green << 5 | blue).to_le_bytes();
    [low, high, 0, 0, 0, 0, 0, 0]
}

#[test]
fn blocks_lie_in_rows_and_are_cut_off_at_the_edges() {
    let blocks = [solid(31, 0, 0), solid(0, 63, 0), solid(0, 0, 31), solid(31, 63, 31)].concat();
    let colors = [[RED, [0, 255, 0, 255]], [BLUE, [255; 4]]];
    for (width, height) in [(8, 8), (7, 5), (5, 8), (8, 5)] {
        let image = read(&dds(*b"DXT1", None, width, height, &blocks)).unwrap();
        for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
            let expected = colors[usize::from(y >= 4)][usize::from(x >= 4)];
            assert_eq!(image.pixel(x, y), expected, "{x}, {y} of {width} x {height}");
        }
        assert!(read(&dds(*b"DXT1", None, width, height, &blocks[..31])).is_err());
    }
}

#[test]
fn an_encoded_image_has_its_colours_where_they_were() {
    let colors = [[RED, [0, 255, 0, 255]], [BLUE, [255; 4]]];
    let image = Image::from_fn(8, 8, |x, y| colors[usize::from(y >= 4)][usize::from(x >= 4)]);
    for encoding in [Encoding::DDS_DXT1, Encoding::DDS_DXT5, Encoding::BLP2_DXT3] {
        let (bytes, _) = write(&image, encoding).unwrap();
        assert_eq!(read(&bytes).unwrap().pixels(), image.pixels(), "{encoding:?}");
    }
}
