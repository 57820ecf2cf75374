//! Shared by the tests: files made by code.
#![allow(dead_code, clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
#![allow(clippy::print_stderr, clippy::cast_possible_truncation)]

use std::path::PathBuf;

/// An empty folder for a test.
pub fn scratch(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("effigy-assets-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    path
}

/// A zip with stored entries.
pub fn zip(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut directory = Vec::new();
    for (name, content) in entries {
        let offset = bytes.len() as u32;
        let crc = crc32(content);
        let mut common = Vec::new();
        for word in [20_u16, 0, 0, 0, 0x21] {
            common.extend(word.to_le_bytes());
        }
        for word in [crc, content.len() as u32, content.len() as u32] {
            common.extend(word.to_le_bytes());
        }
        common.extend((name.len() as u16).to_le_bytes());
        common.extend([0, 0]);
        bytes.extend(b"PK\x03\x04");
        bytes.extend(&common);
        bytes.extend(name.as_bytes());
        bytes.extend(*content);
        directory.extend(b"PK\x01\x02\x14\x00");
        directory.extend(&common);
        directory.extend([0; 10]);
        directory.extend(offset.to_le_bytes());
        directory.extend(name.as_bytes());
    }
    let start = bytes.len() as u32;
    let count = entries.len() as u16;
    bytes.extend(&directory);
    bytes.extend(b"PK\x05\x06\0\0\0\0");
    bytes.extend(count.to_le_bytes());
    bytes.extend(count.to_le_bytes());
    bytes.extend((directory.len() as u32).to_le_bytes());
    bytes.extend(start.to_le_bytes());
    bytes.extend([0, 0]);
    bytes
}

fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |crc, &byte| {
        (0..8).fold(
            crc ^ u32::from(byte),
            |crc, _| if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 },
        )
    })
}

/// An MPQ with stored entries, with or without a list of their names.
pub fn mpq(entries: &[(&str, &[u8])], listfile: bool) -> Vec<u8> {
    mpq_of(entries, wc3::mpq::WriteOptions { listfile, ..wc3::mpq::WriteOptions::default() })
}

/// An MPQ of any version.
pub fn mpq_of(entries: &[(&str, &[u8])], options: wc3::mpq::WriteOptions) -> Vec<u8> {
    use wc3::mpq::{ArchiveWriter, FileOptions};
    let mut writer = ArchiveWriter::new(std::io::Cursor::new(Vec::new()), options).unwrap();
    for (name, content) in entries {
        writer
            .add_file(name.as_bytes(), content.len() as u32, &mut &content[..], FileOptions::default())
            .unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// Pseudo-random numbers, the same in each run.
pub fn noise(seed: u32) -> impl FnMut() -> u32 {
    let mut state = seed | 1;
    move || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state
    }
}
