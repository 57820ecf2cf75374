//! Any bytes as MDC or MD3: reading never panics, what was read is written back byte for byte, and every operation on the
//! model ends.

#![no_main]

use effigy_mdc::{Format, Formula, Mode, read_with, sequences, skin::Skin, to_md3, to_mdc};
use effigy_wire::{Flat, Limits, Status};
use libfuzzer_sys::fuzz_target;

const LIMITS: Limits =
    Limits { input_bytes: 1 << 20, records: 1 << 12, diagnostics: 100, unpacked_bytes: 1 << 18 };

fuzz_target!(|bytes: &[u8]| {
    if let Ok(text) = std::str::from_utf8(bytes) {
        let _ = Skin::parse(text);
        let _ = sequences::parse_weapon(text);
        let _ = sequences::parse_animations(text);
    }
    let Ok(model) = read_with(bytes, &LIMITS) else { return };
    let status = model.verify(bytes).status;
    assert!(matches!(status, Status::Identical | Status::Guarded), "{status}");
    model.visit(&mut Flat::default());
    if model.decode_with(Formula::Engine, &LIMITS).is_ok() {
        let _ = model.decode_with(Formula::Guess2004, &LIMITS);
        if let Ok((plain, _)) = to_md3(&model) {
            let again = plain.write().expect("an expanded model can be written");
            assert_eq!(read_with(&again, &Limits::DEFAULT).expect("and read").format, Format::Md3);
            for mode in [Mode::Engine, Mode::Smallest] {
                if let Ok(encoded) = to_mdc(&plain, mode) {
                    assert!(encoded.measure.max_units < 0.0434);
                    encoded.model.write().expect("an encoded model can be written");
                }
            }
        }
    }
    // Without its placement the same model is written in the usual order.
    let mut tidy = model.clone();
    tidy.forget_placement();
    if let Ok(bytes) = tidy.write() {
        let again = read_with(&bytes, &Limits::DEFAULT).expect("a written model can be read");
        assert_eq!(again.write().expect("and written"), bytes);
    }
});
