//! Any bytes as a model of any format: its scene becomes a model of Warcraft III and one of World of Warcraft, at two versions each,
//! and an MD3, without a panic, and all can be written and read again.

#![no_main]

#[path = "family/glb.rs"]
mod glb;
#[path = "family/opened.rs"]
mod opened;

use effigy_convert::raise::{self, RaiseOptions};
use effigy_wire::Limits;
use libfuzzer_sys::fuzz_target;

const LIMITS: Limits =
    Limits { input_bytes: 1 << 18, records: 1 << 10, diagnostics: 100, unpacked_bytes: 1 << 16 };

fuzz_target!(|bytes: &[u8]| {
    // glTF has names for everything, which become objects of the games.
    let glb = bytes.starts_with(b"{").then(|| glb::joined(bytes)).flatten();
    let Some(scene) = opened::scene(glb.as_deref().unwrap_or(bytes), LIMITS) else { return };
    for version in [800, 1100] {
        let options = RaiseOptions { version, ..RaiseOptions::default() };
        // Numbers that are too large for another unit are refused.
        let Ok(raised) = raise::mdx(&scene, &options) else { continue };
        let bytes = raised.model.write().expect("a raised model can be written");
        effigy_mdx::read(&bytes).expect("and read");
    }
    for version in [256, 264] {
        let options = RaiseOptions { version, ..RaiseOptions::default() };
        // So are meshes that are too large.
        let Ok(raised) = raise::m2(&scene, &options) else { continue };
        let bytes = raised.model.write().expect("a raised model can be written");
        let mut again = effigy_m2::read(&bytes).expect("and read");
        for companion in raised.model.attached() {
            let bytes = raised.model.write_companion(companion).expect("its skins too");
            again.attach(companion, &bytes).expect("and attached");
        }
    }
    if let Ok(raised) = raise::md3(&scene, &RaiseOptions::default()) {
        let bytes = raised.model.model.write().expect("a raised model can be written");
        effigy_mdc::read(&bytes).expect("and read");
    }
});
