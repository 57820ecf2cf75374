//! Any bytes as MDM: reading never panics, what was read is written back byte for byte, and every operation on the model ends.

#![no_main]

#[path = "family/skeletal.rs"]
mod skeletal;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| skeletal::everything(b"MDMW\x03\0\0\0", bytes));
