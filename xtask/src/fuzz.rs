//! `cargo xtask fuzz SECONDS`: every fuzz target for a while.

use crate::shell::{Shell, Task};

/// Runs each target in `fuzz/fuzz_targets`, sorted by name; the first crash ends it.
pub fn run(shell: &Shell, seconds: u32) -> Task {
    let folder = shell.root().join("fuzz/fuzz_targets");
    let entries = std::fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut targets: Vec<String> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
        .filter_map(|path| path.file_stem().map(|stem| stem.to_string_lossy().into_owned()))
        .collect();
    targets.sort();
    if targets.is_empty() {
        return Err(format!("{} holds no targets", folder.display()));
    }
    if !shell.succeeds(&["cargo", "fuzz", "--version"]) {
        shell.run(&["cargo", "install", "--locked", "cargo-fuzz"])?;
    }
    if !shell.succeeds(&["cargo", "+nightly", "--version"]) {
        shell
            .run(&["rustup", "toolchain", "install", "nightly", "--profile", "minimal"])
            .map_err(|_| "the nightly toolchain is missing: `rustup toolchain install nightly`".to_owned())?;
    }
    let time = format!("-max_total_time={seconds}");
    for target in &targets {
        shell.run(&["cargo", "+nightly", "fuzz", "run", target, "--", &time, "-rss_limit_mb=2048"])?;
    }
    shell.say(&format!("{} targets, {seconds} s each, no crash", targets.len()));
    Ok(())
}
