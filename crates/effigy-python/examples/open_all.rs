//! How long the library takes to open and summarise models: `open_all RUNS < list-of-paths`.
//!
//! It prints the seconds of the fastest run and how many models were opened. python/bench compares Python with it.
#![allow(clippy::print_stdout, reason = "an example prints")]

use std::io::Read;
use std::process::ExitCode;
use std::time::Instant;

fn main() -> ExitCode {
    let runs: u32 = std::env::args().nth(1).and_then(|runs| runs.parse().ok()).unwrap_or(5);
    let mut list = String::new();
    if std::io::stdin().read_to_string(&mut list).is_err() {
        return ExitCode::FAILURE;
    }
    let (mut best, mut opened) = (f64::INFINITY, 0);
    for _ in 0..runs {
        let start = Instant::now();
        let summaries = list.lines().filter_map(|path| Some(effigy::open(path).ok()?.summary()));
        opened = summaries.map(std::hint::black_box).count();
        best = best.min(start.elapsed().as_secs_f64());
    }
    println!("{best} {opened}");
    ExitCode::SUCCESS
}
