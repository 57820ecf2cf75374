//! Any bytes as Enemy Territory's MDX: reading never panics, what was read is written back byte for byte, and every operation on the model ends.

#![no_main]

#[path = "family/skeletal.rs"]
mod skeletal;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| skeletal::everything(b"MDXW\x02\0\0\0", bytes));
