//! Any bytes as a texture: reading never panics, and what was read can be written and read again.

#![no_main]

use effigy_image::{Encoding, read_with, write};
use effigy_wire::Limits;
use libfuzzer_sys::fuzz_target;

const LIMITS: Limits =
    Limits { input_bytes: 1 << 20, records: 1 << 12, diagnostics: 100, unpacked_bytes: 1 << 20 };

fuzz_target!(|bytes: &[u8]| {
    let Ok(image) = read_with(bytes, &LIMITS) else { return };
    for (number, level) in image.levels.iter().enumerate() {
        let (width, height) = image.level_size(number);
        assert_eq!(level.len() as u64, u64::from(width) * u64::from(height) * 4);
    }
    for encoding in [Encoding::TGA_RLE, Encoding::BLP2_RAW, Encoding::DDS_RAW] {
        // A TGA has at most 65,535 pixels a side.
        let Ok((written, _)) = write(&image, encoding) else { continue };
        let again = read_with(&written, &Limits::DEFAULT).expect("what is written can be read");
        assert_eq!(again.pixels(), image.pixels(), "{encoding:?}");
    }
});
