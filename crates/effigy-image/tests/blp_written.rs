//! Written BLP files, compared byte for byte with files made by hand.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]
#![allow(clippy::cast_possible_truncation)]

use crate::common;

use common::blp::{DIRECT, JPEG, blp1, blp2};
use effigy_image::{Encoding, Image, read, write};
use effigy_wire::{Kind, Outcome};

/// What a report says: the kind of loss and the part of the image.
fn losses(report: &effigy_wire::Report) -> Vec<(Outcome, &str)> {
    report.notes().iter().map(|note| (note.outcome, note.path.as_str())).collect()
}

#[test]
fn uncompressed_pixels_are_written_level_by_level() {
    let image = Image::new(2, 1, vec![1, 2, 3, 255, 4, 5, 6, 9]).unwrap().with_mips();
    let (bytes, report) = write(&image, Encoding::BLP2_RAW).unwrap();
    // Means of the two pixels: 2.5, 3.5, 4.5 and 132, rounded up.
    let levels = [vec![3, 2, 1, 255, 6, 5, 4, 9], vec![5, 4, 3, 132]];
    assert_eq!(bytes, blp2([3, 8, 0], (2, 1), &[0; 1024], &levels));
    assert!(report.is_empty());
    let (bytes, _) = write(&Image::flat(1, 1, [1, 2, 3, 255]), Encoding::BLP2_RAW).unwrap();
    let mut expected = blp2([3, 0, 0], (1, 1), &[0; 1024], &[vec![3, 2, 1, 255]]);
    expected[11] = 0;
    assert_eq!(bytes, expected, "no alpha and no mip levels");
}

#[test]
fn palettes_are_written_with_packed_alpha() {
    let alphas = [0, 255, 128, 127, 8, 9, 246, 247, 200];
    let pixels: Vec<u8> =
        alphas.iter().enumerate().flat_map(|(at, &alpha)| [at as u8 % 3, 5, 7, alpha]).collect();
    let image = Image::new(9, 1, pixels).unwrap();
    let mut shared = vec![7, 5, 0, 255, 7, 5, 1, 255, 7, 5, 2, 255];
    shared.resize(1024, 0);
    let approximated = vec![(Outcome::Approximated, "alpha")];
    for (bits, packed, lost) in [
        (0, vec![], vec![(Outcome::Dropped, "alpha")]),
        // 128 and more are opaque: pixels 1, 2, 6, 7, then 8.
        (1, vec![0b1100_0110, 1], approximated.clone()),
        // Sixteenths, rounded: 0, 15, 8, 7, 0, 1, 14, 15, 12.
        (4, vec![0xf0, 0x78, 0x10, 0xfe, 0x0c], approximated),
        (8, alphas.to_vec(), vec![]),
    ] {
        let level = [&[0, 1, 2, 0, 1, 2, 0, 1, 2][..], &packed].concat();
        let (bytes, report) = write(&image, Encoding::blp1_palette(bits)).unwrap();
        let mut expected = blp1(DIRECT, bits.into(), (9, 1), &shared, std::slice::from_ref(&level));
        expected[20] = if bits == 0 { 5 } else { 4 };
        expected[24] = 0;
        assert_eq!((bytes, losses(&report)), (expected, lost.clone()), "{bits}");
        let (bytes, report) = write(&image, Encoding::blp2_palette(bits)).unwrap();
        let mut expected = blp2([1, bits, if bits == 0 { 0 } else { 8 }], (9, 1), &shared, &[level]);
        expected[11] = 0;
        assert_eq!((bytes, losses(&report)), (expected, lost), "{bits}");
    }
    for bits in [2, 3, 5, 7, 9] {
        assert_eq!(write(&image, Encoding::blp1_palette(bits)).unwrap_err().kind(), Kind::Usage);
    }
}

#[test]
fn alpha_that_fits_is_not_reported() {
    let image = |alphas: [u8; 2]| Image::new(2, 1, vec![0, 0, 0, alphas[0], 0, 0, 0, alphas[1]]).unwrap();
    let alpha = |image: &Image, encoding: Encoding| {
        let (_, report) = write(image, encoding).unwrap();
        losses(&report).contains(&(Outcome::Approximated, "alpha"))
    };
    for (alphas, one_bit, four_bits) in
        [([0, 255], false, false), ([17, 34], true, false), ([18, 0], true, true)]
    {
        let image = image(alphas);
        for (encoding, lost) in [
            (Encoding::blp1_palette(1), one_bit),
            (Encoding::blp1_palette(4), four_bits),
            (Encoding::blp1_palette(8), false),
            (Encoding::BLP2_DXT1, one_bit),
            (Encoding::BLP2_DXT3, four_bits),
            (Encoding::BLP2_DXT5, false),
            (Encoding::DDS_DXT1, one_bit),
        ] {
            assert_eq!(alpha(&image, encoding), lost, "{encoding:?} {alphas:?}");
        }
    }
    let opaque = write(&image([255, 255]), Encoding::blp1_palette(0)).unwrap();
    assert!(opaque.1.is_empty());
}

#[test]
fn headers_of_blocks_state_their_alpha() {
    let opaque = Image::flat(4, 4, [255, 0, 0, 255]);
    let clear = Image::flat(4, 4, [255, 0, 0, 0]);
    for (encoding, image, head) in [
        (Encoding::BLP2_DXT1, &opaque, [2, 0, 0, 0]),
        (Encoding::BLP2_DXT1, &clear, [2, 1, 0, 0]),
        (Encoding::BLP2_DXT3, &opaque, [2, 8, 1, 0]),
        (Encoding::BLP2_DXT5, &clear, [2, 8, 7, 0]),
    ] {
        let (bytes, report) = write(image, encoding).unwrap();
        assert_eq!(bytes[8..12], head, "{encoding:?}");
        assert_eq!(losses(&report), [(Outcome::Approximated, "colors")]);
    }
}

#[test]
fn the_shared_part_of_jpeg_streams_is_stored_once() {
    for (alpha, bits, picture) in [(255, 0, 5), (254, 8, 4)] {
        let image = Image::flat(16, 16, [200, 100, 50, alpha]).with_mips();
        let (bytes, report) = write(&image, Encoding::BLP1_JPEG).unwrap();
        let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
        assert_eq!([word(4), word(8), word(20), word(24)], [JPEG, bits, picture, 1]);
        assert_eq!(losses(&report), [(Outcome::Approximated, "colors")]);
        let shared = word(156);
        // The start of the image and of the frame header, up to the size, which is different for each level.
        assert_eq!((shared, &bytes[160..163]), (8, &[0xff, 0xd8, 0xff][..]));
        // The levels follow the shared part without gaps, and end with the file.
        let mut offset = 160 + shared;
        for level in 0..5 {
            assert_eq!(word(28 + level * 4), offset);
            offset += word(92 + level * 4);
        }
        assert_eq!((offset as usize, word(48), word(112)), (bytes.len(), 0, 0));
        // No application segments, and nothing after the end of the image.
        assert!(!bytes[160..].windows(2).any(|pair| pair[0] == 0xff && (0xe0..=0xef).contains(&pair[1])));
        assert!(bytes.ends_with(&[0xff, 0xd9]));
        // A single level shares as much as the game's files do.
        let (bytes, _) = write(&image.without_mips(), Encoding::BLP1_JPEG).unwrap();
        assert_eq!((bytes[24], bytes[156..160].to_vec()), (0, 624_u32.to_le_bytes().to_vec()));
    }
}

#[test]
fn more_levels_than_fit_are_left_out_with_a_note() {
    let mut image = Image::flat(1, 1, [1, 2, 3, 255]);
    image.levels = vec![vec![1, 2, 3, 255]; 17];
    for encoding in [Encoding::BLP2_RAW, Encoding::BLP2_DXT1, Encoding::BLP1_PALETTE] {
        let (bytes, report) = write(&image, encoding).unwrap();
        assert!(losses(&report).contains(&(Outcome::Dropped, "levels")), "{encoding:?}");
        assert_eq!(read(&bytes).unwrap().pixels()[3], 255);
    }
    image.levels.pop();
    assert!(write(&image, Encoding::BLP2_RAW).unwrap().1.is_empty());
}
