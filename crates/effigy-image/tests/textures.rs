//! Textures: what was written can be read, damaged files are errors, and real files decode.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
#![allow(clippy::print_stderr, clippy::cast_possible_truncation)]

use crate::common;

use common::{noise, picture, textures};
use effigy_image::{
    Encoding, HEAD, Image, read, read_beside, read_first_level, read_with, stated_size, write,
};
use effigy_testkit::corpus;
use effigy_wire::{Kind, Limits};

/// Every encoding, with the largest difference of colours and of alpha for a smooth image; 0 means exact.
const ENCODINGS: [(Encoding, u8, u8); 18] = [
    (Encoding::PNG, 0, 0),
    (Encoding::TGA, 0, 0),
    (Encoding::TGA_RLE, 0, 0),
    (Encoding::blp1_palette(8), 24, 0),
    (Encoding::blp1_palette(4), 24, 9),
    (Encoding::blp1_palette(1), 24, 128),
    (Encoding::blp1_palette(0), 24, 255),
    (Encoding::blp1_jpeg(100), 4, 4),
    (Encoding::blp1_jpeg(90), 24, 24),
    (Encoding::blp2_palette(8), 24, 0),
    (Encoding::blp2_palette(4), 24, 9),
    (Encoding::blp2_palette(1), 24, 128),
    (Encoding::BLP2_DXT3, 64, 9),
    (Encoding::BLP2_DXT5, 64, 8),
    (Encoding::BLP2_RAW, 0, 0),
    (Encoding::DDS_DXT5, 64, 8),
    (Encoding::DDS_RAW, 0, 0),
    (Encoding::blp2_palette(0), 24, 255),
];

fn differs(a: &[u8], b: &[u8]) -> (u8, u8) {
    assert_eq!(a.len(), b.len());
    let (mut color, mut alpha) = (0, 0);
    for (a, b) in a.as_chunks::<4>().0.iter().zip(b.as_chunks::<4>().0) {
        alpha = alpha.max(a[3].abs_diff(b[3]));
        color = (0..3).map(|channel| a[channel].abs_diff(b[channel])).max().unwrap().max(color);
    }
    (color, alpha)
}

#[test]
fn a_written_texture_has_the_same_pixels_when_it_is_read() {
    for (encoding, color, alpha) in ENCODINGS {
        for image in [picture(32, 16).with_mips(), picture(16, 16), picture(1, 1), picture(7, 5).with_mips()]
        {
            let (bytes, report) = write(&image, encoding).unwrap();
            let again = read(&bytes).unwrap_or_else(|error| panic!("{encoding:?}: {error}"));
            assert_eq!((again.width, again.height), (image.width, image.height), "{encoding:?}");
            let levels = if encoding.holds_mips() { image.levels.len() } else { 1 };
            assert_eq!(again.levels.len(), levels, "{encoding:?}");
            assert!(again.diagnostics.is_empty(), "{encoding:?}: {:?}", again.diagnostics);
            let (is_color, is_alpha) = differs(image.pixels(), again.pixels());
            assert!(is_color <= color && is_alpha <= alpha, "{encoding:?} {is_color} {is_alpha}");
            if (is_color, is_alpha) != (0, 0) {
                assert!(report.is_lossy(), "{encoding:?} lost something without reporting it");
            }
        }
    }
}

#[test]
fn one_bit_of_alpha_is_a_threshold() {
    let image = picture(16, 16);
    for encoding in [Encoding::BLP2_DXT1, Encoding::DDS_DXT1] {
        let (bytes, report) = write(&image, encoding).unwrap();
        assert!(report.is_lossy());
        let again = read(&bytes).unwrap();
        for (a, b) in image.pixels().as_chunks::<4>().0.iter().zip(again.pixels().as_chunks::<4>().0) {
            assert!(matches!(b[3], 0 | 255) && a[3].abs_diff(b[3]) <= 128);
        }
    }
}

#[test]
fn opaque_images_stay_opaque() {
    let image = Image::flat(8, 8, [10, 200, 30, 255]).with_mips();
    for (encoding, ..) in ENCODINGS {
        let again = read(&write(&image, encoding).unwrap().0).unwrap();
        assert!(!again.is_translucent(), "{encoding:?}");
    }
}

#[test]
fn every_name_of_an_encoding_writes_files_of_its_format() {
    for name in Encoding::names() {
        let encoding: Encoding = name.parse().unwrap();
        let (bytes, _) = write(&picture(8, 8), encoding).unwrap();
        let again = read(&bytes).unwrap();
        assert!(again.stored.to_lowercase().starts_with(encoding.extension()), "{name}: {}", again.stored);
    }
    assert!("gif".parse::<Encoding>().is_err());
}

#[test]
fn the_first_bytes_of_a_file_state_its_size() {
    for (encoding, ..) in ENCODINGS {
        let (bytes, _) = write(&picture(24, 8), encoding).unwrap();
        assert_eq!(stated_size(&bytes[..HEAD.min(bytes.len())]), Some((24, 8)), "{encoding:?}");
        assert_eq!(stated_size(&bytes[..13]), None);
    }
}

#[test]
fn only_the_first_level_is_decoded_where_it_is_enough() {
    for encoding in [Encoding::BLP1_PALETTE, Encoding::BLP2_DXT5, Encoding::DDS_DXT1] {
        let (bytes, _) = write(&picture(16, 16).with_mips(), encoding).unwrap();
        let (all, first) = (read(&bytes).unwrap(), read_first_level(&bytes, &Limits::DEFAULT).unwrap());
        assert_eq!((all.levels.len(), first.levels.len()), (5, 1));
        assert_eq!(all.pixels(), first.pixels());
    }
}

/// A TGA of any type, without palette.
fn tga(kind: u8, width: u16, height: u16, bits: u8, descriptor: u8, data: &[u8]) -> Vec<u8> {
    let mut bytes = vec![0, 0, kind, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    bytes.extend(width.to_le_bytes());
    bytes.extend(height.to_le_bytes());
    bytes.extend([bits, descriptor]);
    bytes.extend(data);
    bytes
}

#[test]
fn tga_types_and_directions_are_read() {
    let palette = |kind: u8, bits: u8, colors: &[u8], data: &[u8]| {
        let mut bytes = vec![0, 1, kind, 0, 0, 2, 0, bits, 0, 0, 0, 0, 2, 0, 1, 0, 8, 0x20];
        bytes.extend(colors);
        bytes.extend(data);
        bytes
    };
    let red_blue = [255, 0, 0, 255, 0, 0, 255, 255];
    let blue_red = [0, 0, 255, 255, 255, 0, 0, 255];
    for (name, bytes, wanted) in [
        ("24 bits", tga(2, 2, 1, 24, 0x20, &[0, 0, 255, 255, 0, 0]), red_blue),
        ("from the bottom", tga(2, 1, 2, 24, 0, &[255, 0, 0, 0, 0, 255]), red_blue),
        ("from the right", tga(2, 2, 1, 24, 0x30, &[255, 0, 0, 0, 0, 255]), red_blue),
        ("32 bits", tga(2, 2, 1, 32, 0x28, &[0, 0, 255, 9, 255, 0, 0, 8]), [255, 0, 0, 9, 0, 0, 255, 8]),
        ("32 bits, empty alpha", tga(2, 2, 1, 32, 0x20, &[0, 0, 255, 0, 255, 0, 0, 0]), red_blue),
        (
            "32 bits, alpha 0 meant",
            tga(2, 2, 1, 32, 0x28, &[0, 0, 255, 0, 255, 0, 0, 0]),
            [255, 0, 0, 0, 0, 0, 255, 0],
        ),
        ("16 bits", tga(2, 2, 1, 16, 0x20, &[0, 0x7c, 0x1f, 0]), red_blue),
        ("16 bits with alpha", tga(2, 2, 1, 16, 0x21, &[0, 0xfc, 0x1f, 0]), [255, 0, 0, 255, 0, 0, 255, 0]),
        ("grey", tga(3, 2, 1, 8, 0x20, &[7, 9]), [7, 7, 7, 255, 9, 9, 9, 255]),
        ("packed grey", tga(11, 2, 1, 8, 0x20, &[0x81, 7]), [7, 7, 7, 255, 7, 7, 7, 255]),
        ("packed, run", tga(10, 2, 1, 24, 0x20, &[0x81, 0, 0, 255]), [255, 0, 0, 255, 255, 0, 0, 255]),
        ("packed, plain", tga(10, 2, 1, 24, 0x20, &[0x01, 0, 0, 255, 255, 0, 0]), red_blue),
        ("palette", palette(1, 24, &[0, 0, 255, 255, 0, 0], &[1, 0]), blue_red),
        (
            "palette with alpha",
            palette(1, 32, &[0, 0, 255, 5, 255, 0, 0, 6], &[1, 0]),
            [0, 0, 255, 6, 255, 0, 0, 5],
        ),
        (
            "packed palette",
            palette(9, 24, &[0, 0, 255, 255, 0, 0], &[0x81, 1]),
            [0, 0, 255, 255, 0, 0, 255, 255],
        ),
        ("index too large", palette(1, 24, &[0, 0, 255, 255, 0, 0], &[0, 7]), [255, 0, 0, 255, 0, 0, 0, 255]),
    ] {
        let image = read(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(image.pixels(), wanted, "{name}");
    }
}

#[test]
fn blp0_reads_its_levels_from_separate_files() {
    let (blp1, _) = write(&picture(8, 8).with_mips(), Encoding::blp1_palette(8)).unwrap();
    // The same header without the table of levels, and the levels as separate files.
    let mut blp0 = b"BLP0".to_vec();
    blp0.extend(&blp1[4..28]);
    blp0.extend(&blp1[156..156 + 1024]);
    let word = |at: usize| u32::from_le_bytes(blp1[at..at + 4].try_into().unwrap()) as usize;
    let mut beside = |extension: &str| {
        let level: usize = extension.trim_start_matches('b').parse().unwrap();
        let (offset, size) = (word(28 + level * 4), word(92 + level * 4));
        (size > 0).then(|| blp1[offset..offset + size].to_vec())
    };
    let image = read_beside(&blp0, &Limits::DEFAULT, &mut beside).unwrap();
    assert_eq!(image.levels, read(&blp1).unwrap().levels);
    assert_eq!(read(&blp0).unwrap_err().kind(), Kind::Unsupported);
}

#[test]
fn truncated_textures_do_not_panic() {
    for (encoding, ..) in ENCODINGS {
        let (bytes, _) = write(&picture(16, 8).with_mips(), encoding).unwrap();
        for length in 0..bytes.len() {
            let _ = read(&bytes[..length]);
        }
    }
}

#[test]
fn changed_textures_do_not_panic() {
    let mut random = noise(7);
    let limits = Limits { unpacked_bytes: 16 << 20, ..Limits::DEFAULT };
    for (encoding, ..) in ENCODINGS {
        let (bytes, _) = write(&picture(16, 8).with_mips(), encoding).unwrap();
        for _ in 0..2000 {
            let mut bytes = bytes.clone();
            for _ in 0..1 + random() % 3 {
                // Most important fields are in the header.
                let most = if random().is_multiple_of(2) { 180 } else { bytes.len() };
                let at = random() as usize % most.min(bytes.len());
                bytes[at] = random() as u8;
            }
            let _ = read_with(&bytes, &limits);
        }
    }
}

#[test]
fn stated_sizes_are_checked_before_allocating() {
    let limits = Limits { unpacked_bytes: 1 << 20, ..Limits::DEFAULT };
    for (encoding, offset) in [
        (Encoding::BLP2_RAW, 12),
        (Encoding::BLP2_DXT5, 12),
        (Encoding::blp1_jpeg(90), 12),
        (Encoding::DDS_RAW, 12),
        (Encoding::PNG, 16),
    ] {
        for side in [0, 4096, 65_536, 65_537, 0x7fff_ffff, u32::MAX] {
            let (mut bytes, _) = write(&picture(8, 8), encoding).unwrap();
            let big_endian = encoding == Encoding::PNG;
            let side = if big_endian { u32::swap_bytes(side) } else { side };
            bytes[offset..offset + 4].copy_from_slice(&side.to_le_bytes());
            bytes[offset + 4..offset + 8].copy_from_slice(&side.to_le_bytes());
            assert!(read_with(&bytes, &limits).is_err(), "{encoding:?} {side}");
        }
    }
}

#[test]
fn every_texture_of_the_corpus_decodes() {
    let Some(corpus) = corpus() else { return };
    let (mut count, mut noted) = (0, 0);
    for path in textures(&corpus) {
        let bytes = std::fs::read(&path).unwrap();
        let image = read(&bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        for (number, level) in image.levels.iter().enumerate() {
            let (width, height) = image.level_size(number);
            assert_eq!(level.len(), (width * height * 4) as usize, "{}", path.display());
        }
        for note in &image.diagnostics {
            noted += 1;
            eprintln!("{}: {note}", path.display());
        }
        count += 1;
    }
    assert!(count >= 300, "{count} textures");
    eprintln!("{count} textures, {noted} findings");
}

#[test]
fn truncated_real_textures_do_not_panic() {
    let Some(corpus) = corpus() else { return };
    for path in textures(&corpus) {
        let bytes = std::fs::read(&path).unwrap();
        if bytes.len() < 12_000 {
            for length in (0..bytes.len()).step_by(61) {
                let _ = read(&bytes[..length]);
            }
        }
    }
}

#[test]
fn a_palette_can_have_fewer_than_256_colours() {
    let mut bytes = b"BLP1".to_vec();
    for word in [1_u32, 0, 2, 1, 5, 0].into_iter().chain([160 + 4]).chain([0; 15]).chain([2]).chain([0; 15]) {
        bytes.extend(word.to_le_bytes());
    }
    bytes.extend([3, 2, 1, 0, 6, 5, 4, 0, 1, 0]);
    assert_eq!(read(&bytes).unwrap().pixels(), [4, 5, 6, 255, 1, 2, 3, 255]);
}

#[test]
fn the_third_part_of_a_normal_follows_from_the_others() {
    // 204 is 0.6, so the third is 0.8, which is 229 or 230; a normal along x or y has none, one that is too long neither.
    let pixels = [[204, 128, 0, 9], [128, 204, 0, 9], [128, 128, 0, 9], [255, 128, 7, 9], [255, 255, 7, 9]];
    let mut image = effigy_image::Image::new(5, 1, pixels.concat()).unwrap();
    image.rebuild_normal_z();
    let found: Vec<[u8; 4]> = image.pixels().chunks(4).map(|it| it.try_into().unwrap()).collect();
    let blue = |index: usize| found[index][2];
    assert!((229..=230).contains(&blue(0)) && (229..=230).contains(&blue(1)), "{found:?}");
    assert_eq!([blue(2), blue(3), blue(4)], [255, 128, 128]);
    assert!(
        found
            .iter()
            .zip(pixels)
            .all(|(found, before)| (found[0], found[1], found[3]) == (before[0], before[1], 9))
    );
}
