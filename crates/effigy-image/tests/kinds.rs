//! Kinds of pixels that few files have, and images of other sizes, against values computed by hand.

use effigy_image::{Format, Image, png, read, sniff, write_jpeg};

/// An uncompressed DDS with a DXGI number.
fn dx10(dxgi: u32, width: u32, pixels: &[u8]) -> Vec<u8> {
    let mut words = vec![124_u32, 0x1007, 1, width, 0, 0, 0];
    words.extend([0; 11]);
    words.extend([32, 4, u32::from_le_bytes(*b"DX10"), 0, 0, 0, 0, 0, 0x1000, 0, 0, 0, 0]);
    words.extend([dxgi, 3, 0, 1, 0]);
    let mut bytes = b"DDS ".to_vec();
    bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
    bytes.extend(pixels);
    bytes
}

#[test]
fn every_uncompressed_dxgi_format_has_its_channels() {
    let (rgba, bgra) = ([1, 2, 3, 4], [3, 2, 1, 4]);
    let opaque = [3, 2, 1, 255];
    for (numbers, pixel, expected) in [
        (&[27_u32, 28, 29][..], &[1_u8, 2, 3, 4][..], rgba),
        (&[87, 90, 91], &[1, 2, 3, 4], bgra),
        (&[88, 92, 93], &[1, 2, 3, 4], opaque),
        // Ten bits of red, green and blue, two of alpha: 1023, 0, 512, 1.
        (&[24], &[0xff, 0x03, 0x00, 0x60], [255, 0, 128, 85]),
        // Five, six and five bits: 31, 32, 16.
        (&[85], &[0b0001_0000, 0b1111_1100], [255, 130, 132, 255]),
        // One bit of alpha, five of each colour: 1, 0, 31, 16.
        (&[86], &[0b1111_0000, 0b1000_0011], [0, 255, 132, 255]),
        (&[115], &[0x2f, 0x81], [17, 34, 255, 136]),
        (&[49], &[7, 9], [7, 9, 0, 255]),
        (&[61], &[7], [7, 7, 7, 255]),
        (&[65], &[7], [0, 0, 0, 7]),
    ] {
        for number in numbers {
            let image = read(&dx10(*number, 1, pixel)).unwrap();
            assert_eq!(image.pixels(), expected, "{number}");
        }
    }
}

#[test]
fn a_smaller_image_has_the_means_and_a_larger_one_repeats() {
    let image = Image::new(2, 2, [[0; 4], [100; 4], [50; 4], [250; 4]].concat()).unwrap();
    assert_eq!(image.resized(1, 1).unwrap().pixels(), [100; 4]);
    assert_eq!(image.resized(1, 2).unwrap().pixels(), [[50; 4], [150; 4]].concat());
    assert_eq!(image.resized(2, 1).unwrap().pixels(), [[25; 4], [175; 4]].concat());
    let large = image.resized(4, 4).unwrap();
    assert_eq!((large.width, large.height, large.levels.len()), (4, 4, 1));
    assert_eq!((large.pixel(1, 1), large.pixel(2, 1), large.pixel(1, 2)), ([0; 4], [100; 4], [50; 4]));
    assert!(image.resized(0, 1).is_err());
    assert_eq!(large.has_alpha, image.has_alpha);
}

#[test]
fn levels_of_odd_sizes_leave_the_last_row_and_column_out() {
    // Five by three pixels, of which the last column and row are white.
    let pixel =
        |at: u32| if at % 5 == 4 || at / 5 == 2 { [255; 4] } else { [u8::try_from(at).unwrap() * 4; 4] };
    let pixels: Vec<u8> = (0..15).flat_map(pixel).collect();
    let image = Image::new(5, 3, pixels).unwrap().with_mips();
    // 0, 4, 20 and 24 have the mean 12; 8, 12, 28 and 32 have 20. Then one pixel: 16.
    assert_eq!(image.levels[1], [[12; 4], [20; 4]].concat());
    assert_eq!(image.levels[2], [16; 4]);
    assert_eq!(image.levels.len(), 3);
}

#[test]
fn formats_are_known_by_their_first_bytes() {
    let image = Image::flat(3, 2, [10, 200, 30, 255]);
    let jpeg = write_jpeg(&image, 90).unwrap();
    assert_eq!(sniff(&jpeg).map(|format| format.name), Some(Format::JPEG.name));
    let file = png::write(&image, png::Compression::Fast).unwrap();
    assert_eq!(sniff(&file).map(|format| format.name), Some(Format::PNG.name));
    assert!(sniff(b"RIFF").is_none() && sniff(b"").is_none());
    let back = read(&jpeg).unwrap();
    assert_eq!((back.width, back.height), (3, 2));
    let off = back.pixels().iter().zip(image.pixels()).map(|(a, b)| a.abs_diff(*b)).max().unwrap();
    assert!(off <= 6, "{off}");
}

/// A TGA with a palette of two colours.
fn tga(palette_bits: u8, palette: &[u8], descriptor: u8, pixels: &[u8]) -> Vec<u8> {
    let width = u8::try_from(pixels.len()).unwrap();
    let mut bytes = vec![0, 1, 1, 0, 0, 2, 0, palette_bits, 0, 0, 0, 0, width, 0, 1, 0, 8, descriptor];
    bytes.extend(palette);
    bytes.extend(pixels);
    bytes
}

#[test]
fn only_a_palette_of_32_bits_has_alpha() {
    let image = read(&tga(24, &[1, 2, 3, 4, 5, 6], 0x20, &[1, 0])).unwrap();
    assert_eq!((image.pixels(), image.has_alpha), (&[6, 5, 4, 255, 3, 2, 1, 255][..], false));
    let image = read(&tga(32, &[1, 2, 3, 9, 4, 5, 6, 0], 0x20, &[1, 0])).unwrap();
    assert_eq!((image.pixels(), image.has_alpha), (&[6, 5, 4, 0, 3, 2, 1, 9][..], true));
    // No alpha bits are stated and all are 0: the file means an opaque picture. With stated bits, it is transparent.
    let image = read(&tga(32, &[1, 2, 3, 0, 4, 5, 6, 0], 0x20, &[1, 0])).unwrap();
    assert_eq!((image.pixels(), image.has_alpha), (&[6, 5, 4, 255, 3, 2, 1, 255][..], false));
    let image = read(&tga(32, &[1, 2, 3, 0, 4, 5, 6, 0], 0x28, &[1, 0])).unwrap();
    assert_eq!((image.pixels(), image.has_alpha), (&[6, 5, 4, 0, 3, 2, 1, 0][..], true));
}
