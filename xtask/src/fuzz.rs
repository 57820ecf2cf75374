//! `cargo xtask fuzz`: the fuzz targets in `fuzz/`, which is a workspace of its own.

use effigy_testkit::{Shell, Task};

const MANIFEST: &str = "fuzz/Cargo.toml";

/// The names of all targets, sorted.
fn targets(shell: &Shell) -> Result<Vec<String>, String> {
    let folder = shell.root().join("fuzz/fuzz_targets");
    let entries = std::fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let paths = entries.flatten().map(|entry| entry.path());
    let sources = paths.filter(|path| path.extension().is_some_and(|extension| extension == "rs"));
    let mut targets: Vec<String> =
        sources.filter_map(|path| path.file_stem().map(|stem| stem.to_string_lossy().into_owned())).collect();
    targets.sort();
    let manifest = shell.root().join(MANIFEST);
    let manifest = std::fs::read_to_string(&manifest).map_err(|error| format!("{MANIFEST}: {error}"))?;
    // Cargo ignores a source file that its manifest does not list.
    if let Some(forgotten) = targets.iter().find(|name| !manifest.contains(&format!("\"{name}\""))) {
        return Err(format!("{MANIFEST} does not list the target {forgotten}"));
    }
    if targets.is_empty() { Err(format!("{} has no targets", folder.display())) } else { Ok(targets) }
}

/// Prints the names of all targets.
pub fn list(shell: &Shell) -> Task {
    targets(shell)?.iter().for_each(|target| shell.print(&format!("{target}\n")));
    Ok(())
}

/// Compiles all targets with the normal compiler, without the instrumentation that needs a nightly one.
pub fn check(shell: &Shell) -> Task {
    targets(shell)?;
    let folder = shell.target().join("fuzz").display().to_string();
    shell.run(&["cargo", "check", "--quiet", "--manifest-path", MANIFEST, "--bins", "--target-dir", &folder])
}

/// Runs the named targets, or all of them, each for some seconds. The first crash ends the run.
pub fn run(shell: &Shell, seconds: u32, names: &[&str]) -> Task {
    let mut chosen = targets(shell)?;
    if let Some(unknown) = names.iter().find(|name| !chosen.iter().any(|target| target == *name)) {
        return Err(format!("there is no fuzz target '{unknown}'; `cargo xtask fuzz --list` shows them"));
    }
    chosen.retain(|target| names.is_empty() || names.contains(&target.as_str()));
    if !shell.succeeds(&["cargo", "fuzz", "--version"]) {
        shell.run(&["cargo", "install", "--locked", "cargo-fuzz"])?;
    }
    if !shell.succeeds(&["cargo", "+nightly", "--version"]) {
        shell
            .run(&["rustup", "toolchain", "install", "nightly", "--profile", "minimal"])
            .map_err(|_| "the nightly toolchain is missing: `rustup toolchain install nightly`".to_owned())?;
    }
    let time = format!("-max_total_time={seconds}");
    for target in &chosen {
        shell.run(&["cargo", "+nightly", "fuzz", "run", target, "--", &time, "-rss_limit_mb=2048"])?;
    }
    shell.say(&format!("{} targets, {seconds} s each, no crash", chosen.len()));
    Ok(())
}
