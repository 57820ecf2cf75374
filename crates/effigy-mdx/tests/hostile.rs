//! Truncated samples and samples with wrong numbers: reading never panics, and a file that opens is written back unchanged.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stderr
)]

use effigy_samples::{Sample, mdx};
use effigy_wire::Status;

/// Whether the file begins with a whole chunk.
fn begins_with_a_chunk(bytes: &[u8]) -> bool {
    let size = bytes.get(8..12).map(|size| u32::from_le_bytes(size.try_into().unwrap()) as usize);
    bytes.starts_with(b"MDLX") && size.is_some_and(|size| size <= bytes.len() - 12)
}

/// Reads the bytes; a file that begins with a whole chunk must open and be written back unchanged.
fn survives(bytes: &[u8], what: impl Fn() -> String) {
    match effigy_mdx::read(bytes) {
        Ok(model) => {
            assert_ne!(model.verify(bytes).status, Status::Different, "{}", what());
        }
        Err(error) => {
            assert!(!begins_with_a_chunk(bytes), "{}: {error}", what());
        }
    }
}

/// The most memory that this process ever held stays far below what the lies ask for.
fn memory_stayed_small() {
    let status = std::fs::read_to_string("/proc/self/status");
    effigy_testkit::require("procfs", status.is_ok(), "no /proc to read the peak of memory from");
    let Ok(status) = status else { return };
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    let kilobytes: u64 = peak.trim().trim_end_matches(" kB").parse().unwrap();
    assert!(kilobytes < 100_000, "{kilobytes} kB at the peak");
}

fn small() -> Vec<Sample> {
    mdx::oddities()
        .into_iter()
        .map(|oddity| oddity.sample)
        .filter(|sample| sample.bytes.len() < 4000)
        .collect()
}

fn large() -> Vec<Sample> {
    mdx::samples().into_iter().filter(|sample| sample.name.ends_with("everything")).collect()
}

#[test]
fn small_samples_cut_at_every_length() {
    for sample in small() {
        for length in 0..sample.bytes.len() {
            survives(&sample.bytes[..length], || format!("{} cut to {length}", sample.name));
        }
    }
}

#[test]
fn large_samples_cut_at_many_lengths() {
    for sample in large() {
        // A step that is not a multiple of two meets every alignment.
        for length in (0..sample.bytes.len()).step_by((sample.bytes.len() / 300) | 1) {
            survives(&sample.bytes[..length], || format!("{} cut to {length}", sample.name));
        }
    }
}

const EXTREMES: [u32; 4] = [0, 1, 0x7fff_ffff, 0xffff_ffff];

#[test]
fn small_samples_with_every_number_set_to_extremes() {
    for sample in small() {
        let mut bytes = sample.bytes.clone();
        for at in 4..bytes.len() - 3 {
            let old: [u8; 4] = bytes[at..at + 4].try_into().unwrap();
            // Counts and sizes are small numbers; a large number is not one.
            if u32::from_le_bytes(old) as usize > bytes.len() {
                continue;
            }
            for value in EXTREMES {
                bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
                survives(&bytes, || format!("{} with {value:#x} at {at:#x}", sample.name));
            }
            bytes[at..at + 4].copy_from_slice(&old);
        }
    }
    memory_stayed_small();
}

#[test]
fn large_samples_with_counts_and_sizes_set_to_extremes() {
    for sample in large() {
        let mut bytes = sample.bytes.clone();
        let places: Vec<usize> = (4..bytes.len() - 3)
            .filter(|&at| {
                let number = u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
                // A count or size follows a tag, or begins a record.
                (1..bytes.len()).contains(&number)
                    && bytes[at - 4..at].iter().all(|b| b.is_ascii_uppercase() || *b == b'2')
                    || (96..2000).contains(&number)
            })
            .collect();
        for &at in places.iter().step_by((places.len() / 200) | 1) {
            let old: [u8; 4] = bytes[at..at + 4].try_into().unwrap();
            for value in EXTREMES {
                bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
                survives(&bytes, || format!("{} with {value:#x} at {at:#x}", sample.name));
            }
            bytes[at..at + 4].copy_from_slice(&old);
        }
    }
    memory_stayed_small();
}
