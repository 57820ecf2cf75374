//! Any bytes as an archive: opening, listing and reading never panic, and no extracted name leaves the output folder.

#![no_main]

use effigy_assets::{dbc::Table, extract::safe_path, open_bytes, rules::shader::Shaders};
use effigy_wire::Limits;
use libfuzzer_sys::fuzz_target;
use std::path::Component;

const LIMITS: Limits =
    Limits { input_bytes: 1 << 20, records: 1 << 12, diagnostics: 100, unpacked_bytes: 1 << 20 };

fuzz_target!(|bytes: &[u8]| {
    if let Ok(table) = Table::read(bytes, &LIMITS) {
        table.rows().for_each(|row| drop(row.text(0)));
    }
    if let Ok(text) = std::str::from_utf8(bytes) {
        Shaders::default().parse(text);
        if let Ok(path) = safe_path(text) {
            assert!(path.components().all(|part| matches!(part, Component::Normal(_))));
        }
    }
    let Ok(source) = open_bytes("fuzz", bytes.to_vec(), &LIMITS) else { return };
    for entry in source.list().unwrap_or_default().iter().take(100) {
        if let Ok(content) = source.open(entry) {
            assert!(content.len() as u64 <= LIMITS.unpacked_bytes);
        }
        let _ = safe_path(&entry.name);
        assert_eq!(source.find(&entry.name).as_ref(), Some(entry));
    }
    let _ = source.diagnostics();
});
