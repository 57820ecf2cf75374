//! Any text as MDL, and any MDX printed as MDL: no panic, and what was understood is printed and parsed to the same model.
#![no_main]

use effigy_mdx::text::{PrintOptions, Spelling, parse, print};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &[u8]| {
    let model = if effigy_mdx::sniff(text) { effigy_mdx::read(text) } else { parse(text) };
    let Ok(model) = model else { return };
    let Ok(bytes) = model.write() else { return };
    for dialect in [Spelling::Warcraft3, Spelling::Hive, Spelling::Retera] {
        let (printed, _) = print(&model, &PrintOptions { dialect, plain: false });
        let again = parse(&printed).expect("printed text is MDL");
        assert_eq!(
            again.write().ok().as_deref(),
            Some(bytes.as_slice()),
            "{}",
            String::from_utf8_lossy(&printed)
        );
    }
    let (plain, _) = print(&model, &PrintOptions { plain: true, ..PrintOptions::default() });
    parse(&plain).expect("plain text is MDL");
});
