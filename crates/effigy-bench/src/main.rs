//! Measures Effigy next to its peers: `effigy-bench [--json] [NAME...]`, which `cargo xtask bench` runs.

use effigy_bench::m2::{PEER_READS, peer_reads};
use effigy_testkit::Shell;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let shell = Shell::new();
    let result = match words.as_slice() {
        [PEER_READS, path] => peer_reads(path),
        words => effigy_bench::run(&shell, words),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            shell.say(&format!("error: {message}"));
            ExitCode::FAILURE
        }
    }
}
