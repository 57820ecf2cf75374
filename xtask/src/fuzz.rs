//! `cargo xtask fuzz`: the fuzz targets in `fuzz/`, which is a workspace of its own.

use effigy_testkit::{Shell, Task};
use std::time::Instant;

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

/// Compiles all targets without the instrumentation, which the compiler only offers with `RUSTC_BOOTSTRAP`.
pub fn check(shell: &Shell) -> Task {
    targets(shell)?;
    let folder = shell.target().join("fuzz").display().to_string();
    shell.run(&[
        "cargo",
        "check",
        "--quiet",
        "--manifest-path",
        MANIFEST,
        "--bins",
        "--examples",
        "--target-dir",
        &folder,
    ])
}

/// What a target did.
struct Outcome {
    /// Seconds of one core: a target that shares the machine gets less than the time that it runs.
    seconds: f64,
    executions: u64,
    /// Edges of the control flow that were reached.
    coverage: u64,
    /// Inputs that crashed, ran out of memory or did not end, found by this run or an earlier one.
    finds: usize,
}

impl Outcome {
    /// Reads what libFuzzer prints: the last line of its log with a coverage, and its statistics at the end.
    fn read(log: &str, finds: usize, seconds: f64) -> Self {
        let number = |text: &str, word: &str| -> Option<u64> {
            text.split_once(word)?.1.split_whitespace().next()?.parse().ok()
        };
        let last = |word: &str| log.lines().filter_map(|line| number(line, word)).next_back().unwrap_or(0);
        Self { seconds, executions: last("stat::number_of_executed_units:"), coverage: last(" cov: "), finds }
    }

    /// A row of the table in docs/fuzzing.md.
    fn row(&self, target: &str) -> String {
        let hours = self.seconds / 3600.0;
        let Self { executions, coverage, finds, .. } = self;
        format!("| {target} | {hours:.2} | {executions} | {coverage} | {finds} |")
    }
}

/// Seconds of a core that the finished programs of this process have used, with what these started, where the system tells.
fn used() -> Option<f64> {
    // cutime and cstime of proc(5), in hundredths of a second; the name in brackets before them may contain anything.
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    let number = |at: usize| fields.get(at)?.parse::<f64>().ok();
    Some((number(13)? + number(14)?) / 100.0)
}

/// The files that a target keeps of its finds. Inputs that were slow without reaching the limit of time are none: on a busy machine
/// every input is.
fn finds(shell: &Shell, target: &str) -> usize {
    let folder = shell.root().join("fuzz/artifacts").join(target);
    let is_find = |entry: &std::fs::DirEntry| !entry.file_name().to_string_lossy().starts_with("slow-unit-");
    std::fs::read_dir(folder).map_or(0, |entries| entries.flatten().filter(is_find).count())
}

/// Runs the named targets, or all of them, each for some seconds, and prints a row of the table for each. A target that finds
/// something ends early, and the others still run.
pub fn run(shell: &Shell, seconds: u32, names: &[&str]) -> Task {
    let mut chosen = targets(shell)?;
    if let Some(unknown) = names.iter().find(|name| !chosen.iter().any(|target| target == *name)) {
        return Err(format!("there is no fuzz target '{unknown}'; `cargo xtask fuzz --list` shows them"));
    }
    chosen.retain(|target| names.is_empty() || names.contains(&target.as_str()));
    if !shell.succeeds(&["cargo", "fuzz", "--version"]) {
        shell.run(&["cargo", "install", "--locked", "cargo-fuzz"])?;
    }
    let folder = shell.target().join("fuzz").display().to_string();
    let seeds = ["--example", "seeds", "--target-dir", &folder, "--", "fuzz/corpus"];
    shell.run(&[&["cargo", "run", "--quiet", "--manifest-path", MANIFEST], seeds.as_slice()].concat())?;
    // A target without seeds runs too, and reaches a fraction of the code.
    if let Some(bare) = chosen.iter().find(|target| !shell.root().join("fuzz/corpus").join(target).is_dir()) {
        return Err(format!("fuzz/examples/seeds.rs makes no seeds for the target {bare}"));
    }
    let time = format!("-max_total_time={seconds}");
    let (mut rows, mut guilty) = (Vec::new(), Vec::new());
    for target in &chosen {
        let before = finds(shell, target);
        // The project has no unsafe code; without the sanitizer for it, several times as many inputs are tried.
        let fuzz = |verb| ["env", "RUSTC_BOOTSTRAP=1", "cargo", "fuzz", verb, "-s", "none", target];
        // What the compiler needs does not count.
        shell.run(&fuzz("build"))?;
        let (start, used_before) = (Instant::now(), used());
        let run = [fuzz("run").as_slice(), &["--"]].concat();
        let limits = [time.as_str(), "-rss_limit_mb=2048", "-timeout=20", "-print_final_stats=1"];
        let words = [run.as_slice(), &limits].concat();
        let (code, log) = shell.code_and_log(&words)?;
        let all = used().zip(used_before).map(|(now, before)| now - before);
        let outcome =
            Outcome::read(&log, finds(shell, target), all.unwrap_or_else(|| start.elapsed().as_secs_f64()));
        if code != 0 && outcome.executions == 0 && outcome.finds == before {
            return Err(format!("`{}` failed (exit code {code})", words.join(" ")));
        }
        if code != 0 {
            guilty.push(target.as_str());
        }
        rows.push(outcome.row(target));
    }
    shell.print("| target | CPU hours | executions | coverage (edges) | finds |\n|---|---|---|---|---|\n");
    rows.iter().for_each(|row| shell.print(&format!("{row}\n")));
    match guilty.is_empty() {
        true => Ok(()),
        false => Err(format!("fuzz/artifacts has what was found by {}", guilty.join(", "))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_os = "linux")]
    #[test]
    fn what_programs_use_is_counted_once_they_have_ended() {
        let before = used().unwrap();
        let script = "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done";
        assert!(std::process::Command::new("sh").args(["-c", script]).status().unwrap().success());
        let spent = used().unwrap() - before;
        assert!((0.02..60.0).contains(&spent), "{spent} s");
    }

    #[test]
    fn a_row_has_the_numbers_of_the_log() {
        let log = "#2\tINITED cov: 12 ft: 13 corp: 1/1b exec/s: 0 rss: 40Mb\n\
                   #4096\tpulse  cov: 345 ft: 600 corp: 20/1kb lim: 4 exec/s: 2048 rss: 41Mb\n\
                   Done 5000 runs in 3 second(s)\n\
                   stat::number_of_executed_units: 5000\nstat::average_exec_per_sec:     1666\n";
        let row = Outcome::read(log, 1, 1800.0).row("mdx");
        assert_eq!(row, "| mdx | 0.50 | 5000 | 345 | 1 |");
    }
}
