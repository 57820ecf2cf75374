//! `effigy check` compared with the sanity test of mdx-m3-viewer, if Node.js is installed: both read the bytes of the same
//! files and look for problems, on one thread.
//!
//! Both are measured in processor time if the system reports it: a round of the peer takes so long that on a busy machine it
//! would never run undisturbed. The peer gets faster while it runs, since Node.js compiles what is used often. Users see its
//! first round over their files; its best round is reported as well.

use super::{Bench, Inputs, Line, rate};
use effigy_check::CheckOptions;
use effigy_peers as peers;
use effigy_testkit::Shell;
use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

/// All benchmarks of `effigy check`.
pub struct Check;

/// Processes of the peer, and rounds in each.
const PROCESSES: usize = 3;
const ROUNDS: &str = "5";
/// Our rounds for each process of the peer.
const OUR_ROUNDS: usize = 10;

impl Bench for Check {
    fn run(&self, shell: &Shell, inputs: &Inputs) -> Result<Vec<Line>, String> {
        if inputs.mdx_corpus.is_empty() {
            return Ok(Vec::new());
        }
        let all: Vec<(&Path, &[u8])> =
            inputs.mdx_corpus.iter().map(|(path, bytes)| (path.as_path(), bytes.as_slice())).collect();
        let loadable = match loadable(shell, &all) {
            Ok(paths) => paths,
            Err(error) => {
                shell.say(&format!("check: no peer: {error}"));
                let (bytes, time) = (total(&all), best(&all));
                return Ok(vec![line("check-corpus", rate(bytes, time), None)]);
            }
        };
        let both = |path: &Path| loadable.contains(&path.display().to_string());
        let files: Vec<(&Path, &[u8])> = all.iter().copied().filter(|(path, _)| both(path)).collect();
        shell.say(&format!("check: {} files; the peer refuses {}", files.len(), all.len() - files.len()));
        let (mut ours, mut first, mut warm) = (Duration::MAX, Duration::MAX, Duration::MAX);
        for _ in 0..PROCESSES {
            ours = ours.min(best(&files));
            let rounds = peer(shell, &files)?;
            first = first.min(rounds.first().copied().unwrap_or(Duration::MAX));
            warm = rounds.into_iter().fold(warm, Duration::min);
        }
        let bytes = total(&files);
        Ok(vec![
            line("check-corpus", rate(bytes, ours), Some(rate(bytes, first))),
            line("check-corpus-peer-warm", rate(bytes, ours), Some(rate(bytes, warm))),
        ])
    }
}

fn line(name: &str, ours: f64, peer: Option<f64>) -> Line {
    let peer_name = "mdx-m3-viewer's sanity test";
    Line { name: name.to_owned(), ours, peer, peer_name, limit: None, unit: "MB/s" }
}

fn total(files: &[(&Path, &[u8])]) -> usize {
    files.iter().map(|(_, bytes)| bytes.len()).sum()
}

/// Our best round over the files.
fn best(files: &[(&Path, &[u8])]) -> Duration {
    let round = || {
        let clock = Clock::start();
        for (_, bytes) in files {
            let Ok(model) = effigy::mdx::read(bytes) else { continue };
            black_box(effigy_check::check(&model, &CheckOptions::default()));
        }
        clock.elapsed()
    };
    (0..OUR_ROUNDS).map(|_| round()).min().unwrap_or(Duration::MAX)
}

/// The files that the peer can load.
fn loadable(shell: &Shell, files: &[(&Path, &[u8])]) -> Result<Vec<String>, String> {
    peers::packages(shell)?;
    let output = sanity(shell, &["--loadable"], files)?;
    Ok(output.lines().map(str::to_owned).collect())
}

/// The times of the peer's rounds over the files, in one process: processor time, or wall-clock time if that is shorter.
fn peer(shell: &Shell, files: &[(&Path, &[u8])]) -> Result<Vec<Duration>, String> {
    let output = sanity(shell, &["--time", ROUNDS], files)?;
    let round = |line: &str| {
        let times = line.split_whitespace().filter_map(|word| word.parse::<f64>().ok());
        let least = times.fold(f64::MAX, f64::min);
        Duration::try_from_secs_f64(least / 1000.0).map_err(|_| format!("cannot read '{line}'"))
    };
    output.lines().map(round).collect()
}

fn sanity(shell: &Shell, words: &[&str], files: &[(&Path, &[u8])]) -> Result<String, String> {
    let script = format!("{}/sanity.mjs", peers::PACKAGES);
    let paths: Vec<String> = files.iter().map(|(path, _)| path.display().to_string()).collect();
    let mut all = vec!["node", script.as_str()];
    all.extend(words);
    all.extend(paths.iter().map(String::as_str));
    shell.output(&all).map_err(|_| format!("{script} failed"))
}

/// Measures the processor time of this thread if the system reports it, else wall-clock time.
struct Clock {
    wall: Instant,
    used: Option<Duration>,
}

impl Clock {
    fn start() -> Self {
        Self { wall: Instant::now(), used: used() }
    }

    fn elapsed(&self) -> Duration {
        match (self.used, used()) {
            (Some(before), Some(now)) => now.saturating_sub(before),
            _ => self.wall.elapsed(),
        }
    }
}

fn used() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
}
