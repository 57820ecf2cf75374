//! `cargo xtask bench`: Effigy, its peer and the limit of the machine, measured in the same run.
//!
//! Every benchmark runs its contenders in turn, round after round, and takes the best round of each, so that a busy
//! machine slows all of them down alike. A new group of benchmarks is one more [`Bench`] in `BENCHES`.

mod assets;
mod check;
pub mod glb;
mod gltf;
pub mod inputs;
pub mod m2;
mod mdc;
mod mdl;
mod mds;
mod mdx;
mod raise;
mod render;
pub mod synthetic;

use effigy_testkit::{Shell, Task};
use inputs::Inputs;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// The result of one benchmark. It is a rate, so higher is better.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Its name, which begins with format and action: `mdx-read-corpus`.
    pub name: String,
    /// Our rate.
    pub ours: f64,
    /// The peer's rate, where there is a peer.
    pub peer: Option<f64>,
    /// The name of the peer.
    pub peer_name: &'static str,
    /// The rate that the machine could reach at most.
    pub limit: Option<f64>,
    /// The unit of the rates.
    pub unit: &'static str,
}

/// A group of benchmarks.
pub trait Bench {
    /// Runs them all.
    fn run(&self, shell: &Shell, inputs: &Inputs) -> Result<Vec<Line>, String>;
}

/// All groups, with the words that the names of their lines begin with.
const BENCHES: &[(&[&str], &dyn Bench)] = &[
    (&["mdx"], &mdx::Mdx),
    (&["mdl"], &mdl::Mdl),
    (&["m2"], &m2::M2),
    (&["mdc"], &mdc::Mdc),
    (&["mds"], &mds::Mds),
    (&["archive", "texture"], &assets::Assets),
    (&["check"], &check::Check),
    (&["gltf", "pose"], &gltf::Gltf),
    (&["raise"], &raise::Raise),
    (&["render"], &render::Render),
    (&["mdx-memory", "gltf-memory"], &Memory),
];

/// Runs all benchmarks, or those whose names begin with one of the given words.
pub fn run(shell: &Shell, arguments: &[&str]) -> Task {
    let json = arguments.contains(&"--json");
    let words: Vec<&&str> = arguments.iter().filter(|word| !word.starts_with("--")).collect();
    let inputs = Inputs::load()?;
    shell.say(&inputs.describe());
    // A group runs if a word may be the beginning of one of its names.
    let may_mean = |word: &str, names: &[&str]| {
        names.iter().any(|name| word.starts_with(name) || name.starts_with(word))
    };
    for (names, bench) in BENCHES {
        if !words.is_empty() && !words.iter().any(|word| may_mean(word, names)) {
            continue;
        }
        for line in bench.run(shell, &inputs)? {
            if words.is_empty() || words.iter().any(|word| line.name.starts_with(**word)) {
                shell.print(&if json { line.json() } else { line.text() });
            }
        }
    }
    Ok(())
}

impl Line {
    fn json(&self) -> String {
        let number = |value: Option<f64>| value.map_or("null".to_owned(), |value| format!("{value:.4}"));
        format!(
            "{{\"name\":\"{}\",\"ours\":{:.4},\"peer\":{},\"peer_name\":\"{}\",\"limit\":{},\"unit\":\"{}\"}}\n",
            self.name,
            self.ours,
            number(self.peer),
            self.peer_name,
            number(self.limit),
            self.unit
        )
    }

    fn text(&self) -> String {
        let mut text = format!("{:<26} {:>10.2} {}", self.name, self.ours, self.unit);
        if let Some(peer) = self.peer {
            text.push_str(&format!("   {:.2} x {} ({peer:.2})", self.ours / peer, self.peer_name));
        }
        if let Some(limit) = self.limit {
            text.push_str(&format!("   {:.0} % of the limit ({limit:.2})", 100.0 * self.ours / limit));
        }
        text.push('\n');
        text
    }
}

/// Runs each contender in turn until there are enough rounds, and returns the best time of each.
pub fn best_of(contenders: &mut [&mut dyn FnMut()]) -> Vec<Duration> {
    const ROUNDS: u32 = 7;
    const AT_LEAST: Duration = Duration::from_millis(1500);
    let mut best = vec![Duration::MAX; contenders.len()];
    let start = Instant::now();
    let mut rounds = 0;
    while rounds < ROUNDS || start.elapsed() < AT_LEAST {
        for (contender, best) in contenders.iter_mut().zip(&mut best) {
            let begin = Instant::now();
            contender();
            *best = begin.elapsed().min(*best);
        }
        rounds += 1;
    }
    best
}

/// MB (10^6 bytes) a second.
pub fn rate(bytes: usize, time: Duration) -> f64 {
    bytes as f64 / 1e6 / time.as_secs_f64()
}

/// Copies every input once into memory that is already allocated: the limit of the machine for reading and writing.
pub fn copy_all(files: &[&[u8]], buffer: &mut Vec<u8>) {
    for file in files {
        buffer.clear();
        buffer.extend_from_slice(file);
        black_box(&buffer);
    }
}

/// Memory per byte of input, measured by a separate program whose allocator counts.
struct Memory;

impl Bench for Memory {
    fn run(&self, shell: &Shell, _: &Inputs) -> Result<Vec<Line>, String> {
        let words = ["cargo", "run", "--quiet", "--release", "--package", "effigy-bench"];
        let output = shell.output(&[words.as_slice(), &["--bin", "effigy-bench-memory"]].concat())?;
        output.lines().map(|line| parse_memory(line).ok_or_else(|| format!("cannot read '{line}'"))).collect()
    }
}

/// Reads a line `name ours peer` in bytes of memory per byte of input, where `-` stands for no peer. The result is the
/// inverse, since rates are better when they are higher.
fn parse_memory(line: &str) -> Option<Line> {
    let mut words = line.split_whitespace();
    let name = words.next()?.to_owned();
    let ours: f64 = words.next()?.parse().ok()?;
    let peer = match words.next()? {
        "-" => None,
        number => Some(1.0 / number.parse::<f64>().ok()?),
    };
    let unit = "file bytes per byte of memory";
    Some(Line { name, ours: 1.0 / ours, peer, peer_name: "wc3", limit: Some(1.0), unit })
}
