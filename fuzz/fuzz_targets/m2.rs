//! Any bytes as M2, `.skin` and `.anim`: reading never panics, what was read is written back byte for byte, visiting it
//! ends, and a model converted to another version can be read again.
#![no_main]

use effigy_m2::{Companion, Skin, Version};
use effigy_wire::Flat;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(skin) = Skin::read(bytes) {
        assert!(skin.write().is_ok_and(|written| written == bytes));
    }
    let Ok(mut model) = effigy_m2::read(bytes) else { return };
    assert!(model.write().is_ok_and(|written| written == bytes));
    match bytes.len() % 4 {
        0 => model.visit(&mut Flat::default()),
        1 => {
            let canonical = model.write_canonical().expect("a model that was read fits into a file");
            effigy_m2::read(&canonical).expect("what was written can be read");
        }
        _ => {}
    }
    for sequence in model.missing_anims().into_iter().take(2) {
        let _ = model.attach(Companion::Animation(sequence), bytes);
    }
    // One target at a time is enough: the length of the input chooses it.
    let number = [256, 260, 263, 264].into_iter().cycle().nth(bytes.len() % 7).unwrap_or(264);
    if let Ok(version) = Version::new(number)
        && let Ok((other, _)) = model.upgrade(version)
    {
        let written = other.write().expect("a converted model fits into a file");
        let again = effigy_m2::read(&written).expect("a converted model can be read");
        assert_eq!(again.version(), other.version());
    }
});
