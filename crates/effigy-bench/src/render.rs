//! Pictures rendered in software: one from a cold start, many in a batch, and particles.
//!
//! The goals: 2 pictures a second of process time from a cold start, 20 models a second in a batch on two cores, and
//! 10,000 particles stepped in a millisecond.

use super::{Bench, Inputs, Line, best_of};
use effigy::scene::sample::{Moment, Particles, Sampler};
use effigy::scene::{Animated, Node, NodeKind, ParticleEmitter, Scene, validate};
use effigy_testkit::{Shell, files, find_corpus};
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// All benchmarks of pictures.
pub struct Render;

/// The folder for pictures and empty shader caches.
const FOLDER: &str = "target/bench-render";
/// How often each cold picture is made.
const ROUNDS: usize = 3;
/// How many particles are alive while stepping is measured.
const PARTICLES: usize = 10_000;

impl Bench for Render {
    fn run(&self, shell: &Shell, _: &Inputs) -> Result<Vec<Line>, String> {
        let mut lines = vec![particles()?];
        let Some(corpus) = find_corpus() else { return Ok(lines) };
        shell.run(&["cargo", "build", "--release", "--quiet", "--package", "effigy-cli"])?;
        let program = shell.program("release", "effigy");
        let folder = shell.root().join(FOLDER);
        let models = files(&corpus.join("textured"), |name| name.ends_with(".mdx"));
        lines.extend(cold(&program, &folder, &models)?);
        lines.extend(batch(&program, &folder, &models)?);
        let _ = std::fs::remove_dir_all(&folder);
        Ok(lines)
    }
}

fn line(name: &str, ours: f64, unit: &'static str) -> Line {
    Line { name: name.to_owned(), ours, peer: None, peer_name: "", limit: None, unit }
}

/// One picture of 512 x 512 for each model, in a process of its own, with Mesa's shader cache empty.
fn cold(program: &Path, folder: &Path, models: &[PathBuf]) -> Result<Vec<Line>, String> {
    let mut times = Vec::new();
    for model in models {
        let mut best = (Duration::MAX, Duration::MAX);
        for _ in 0..ROUNDS {
            let cache = folder.join("cache");
            let _ = std::fs::remove_dir_all(&cache);
            std::fs::create_dir_all(&cache).map_err(|error| format!("{}: {error}", cache.display()))?;
            let mut command = render(program, folder);
            command.arg(model).env("MESA_SHADER_CACHE_DIR", &cache);
            let (begin, spent) = (Instant::now(), children());
            succeed(&mut command)?;
            let wall = begin.elapsed();
            best = (best.0.min(children().saturating_sub(spent)), best.1.min(wall));
        }
        times.push(best);
    }
    let seconds = |pick: fn(&(Duration, Duration)) -> Duration| {
        let mut sorted: Vec<f64> = times.iter().map(|pair| pick(pair).as_secs_f64()).collect();
        sorted.sort_by(f64::total_cmp);
        sorted
    };
    let (cpu, wall) = (seconds(|pair| pair.0), seconds(|pair| pair.1));
    let rate = |seconds: Option<&f64>| 1.0 / seconds.copied().unwrap_or(f64::INFINITY);
    let unit = "pictures a second of process time (goal: 2)";
    Ok(vec![
        line("render-cold-median", rate(cpu.get(cpu.len() / 2)), unit),
        line("render-cold-slowest", rate(cpu.last()), unit),
        line("render-cold-wall-median", rate(wall.get(wall.len() / 2)), "pictures a second"),
    ])
}

/// All models in one process: wall-clock time, and processor time, which does not depend on how busy the machine is.
fn batch(program: &Path, folder: &Path, models: &[PathBuf]) -> Result<Vec<Line>, String> {
    let (mut wall, mut cpu) = (Duration::MAX, Duration::MAX);
    for _ in 0..ROUNDS {
        let (begin, spent) = (Instant::now(), children());
        succeed(render(program, folder).args(models))?;
        wall = wall.min(begin.elapsed());
        cpu = cpu.min(children().saturating_sub(spent));
    }
    let rate = |time: Duration| models.len() as f64 / time.as_secs_f64();
    Ok(vec![
        line("render-batch-wall", rate(wall), "models a second (goal: 20)"),
        line("render-batch-two-cores", 2.0 * rate(cpu), "models in two seconds of process time (goal: 20)"),
    ])
}

fn render(program: &Path, folder: &Path) -> Command {
    let mut command = Command::new(program);
    command.args(["render", "--size", "512", "--force", "--quiet", "-o"]).arg(folder.join("pictures/"));
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

fn succeed(command: &mut Command) -> Result<(), String> {
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("effigy render failed ({status})")),
        Err(error) => Err(format!("effigy render: {error}")),
    }
}

/// The processor time of all child processes that have ended, in steps of 10 ms; 0 if the system does not report it.
fn children() -> Duration {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // After the name in brackets, the 12th and 13th words are for this process, the next two for its children.
    let words = stat.rsplit(')').next().unwrap_or_default().split_whitespace().skip(13).take(2);
    Duration::from_millis(words.filter_map(|word| word.parse::<u64>().ok()).sum::<u64>() * 10)
}

fn particles() -> Result<Line, String> {
    let mut scene = Scene::default();
    let node = scene.nodes.push(Node::new("node", NodeKind::Bone, None, [0.0; 3]));
    let mut emitter = ParticleEmitter::new("emitter", node);
    // As many particles are emitted as expire.
    emitter.lifespan = Animated::fixed(2.0);
    emitter.rate = Animated::fixed(PARTICLES as f32 / 2.0 * 1.05);
    emitter.speed = Animated::fixed(100.0);
    emitter.latitude = Animated::fixed(0.5);
    emitter.gravity = Animated::fixed(50.0);
    let emitter = scene.emitters.push(emitter);
    let scene = validate(scene).map_err(|error| error.to_string())?;
    let sampler = Sampler::new(&scene);
    let mut pose = sampler.pose();
    sampler.sample(&Moment::default(), None, &mut pose);
    let mut particles = Particles::new(&sampler, 1, PARTICLES);
    let step = |particles: &mut Particles| particles.step(&sampler, &pose, 1.0 / 30.0);
    (0..90).for_each(|_| step(&mut particles));
    let live = particles.of(emitter).len();
    if live < PARTICLES * 9 / 10 {
        return Err(format!("only {live} particles are alive"));
    }
    let best = best_of(&mut [&mut || step(black_box(&mut particles))]);
    let seconds = best.first().map_or(f64::INFINITY, Duration::as_secs_f64);
    let rate = live as f64 / seconds / 1e6;
    Ok(line("render-particles", rate, "million particles stepped a second (goal: 10)"))
}
