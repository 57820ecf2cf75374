//! Any text as a skin, a character, an animation group or a list of animations: parsing never panics, and errors have a line.

#![no_main]

use effigy_mdc::character::{Character, parse_group};
use effigy_mdc::sequences::{parse_animations, parse_aninc, parse_weapon};
use effigy_mdc::skin::Skin;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let errors = [
        Skin::parse(&text).err(),
        Character::parse(&text).err(),
        parse_group(&text).err(),
        parse_aninc(&text).err(),
        parse_weapon(&text).err(),
        parse_animations(&text).err(),
    ];
    assert!(errors.iter().flatten().all(|error| error.line().is_some()));
    if let Ok(config) = parse_animations(&text) {
        for sequence in &config.sequences {
            let _ = sequence.frame_at(1e9);
        }
    }
});
