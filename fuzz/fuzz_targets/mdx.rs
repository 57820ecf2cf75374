//! Any bytes as MDX: reading never panics, what was read is written back byte for byte, and every version of the model can
//! be written and read again.

#![no_main]

use effigy_mdx::read_with;
use effigy_wire::{Flat, Limits, Status};
use libfuzzer_sys::fuzz_target;

const LIMITS: Limits =
    Limits { input_bytes: 1 << 20, records: 1 << 12, diagnostics: 100, unpacked_bytes: 1 << 18 };

fuzz_target!(|bytes: &[u8]| {
    let Ok(model) = read_with(bytes, &LIMITS) else { return };
    let status = model.verify(bytes).status;
    assert!(status != Status::Different, "{status}");
    assert_eq!(model.write().expect("a model that was read can be written"), bytes);
    model.visit(&mut Flat::default());
    for &version in model.dialect().versions() {
        let (other, _) = model.upgrade(version).expect("a known version");
        let bytes = other.write().expect("an upgraded model can be written");
        let again = read_with(&bytes, &Limits::DEFAULT).expect("and read");
        assert_eq!(again.write().expect("and written"), bytes);
    }
});
