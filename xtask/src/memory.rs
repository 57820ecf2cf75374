//! Bytes of memory per byte of file, ours and the peer's: what a loaded model keeps, the peak while reading, and the peak on
//! the way from a file to a .glb.
//!
//! A program of its own, because its allocator counts. It prints lines `name ours peer` for `cargo xtask bench`.

mod files;
#[path = "bench/glb.rs"]
mod gltf;
#[path = "bench/inputs.rs"]
mod inputs;
#[path = "bench/synthetic.rs"]
mod synthetic;

use inputs::Inputs;
use peak_alloc::PeakAlloc;
use std::hint::black_box;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

#[global_allocator]
static COUNTER: PeakAlloc = PeakAlloc;

fn main() -> ExitCode {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let inputs = match Inputs::load(here.parent().unwrap_or(here)) {
        Ok(inputs) => inputs,
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "error: {error}");
            return ExitCode::FAILURE;
        }
    };
    let mut text = String::new();
    let corpus: Vec<&[u8]> = inputs.mdx_corpus.iter().map(|(_, bytes)| bytes.as_slice()).collect();
    for (name, files) in [("corpus", corpus), ("large", vec![inputs.mdx_large.as_slice()])] {
        if files.is_empty() {
            continue;
        }
        let ours = measure(&files, |file| effigy::mdx::read(file).ok());
        let peer = measure(&files, |file| wc3::model::DynamicModel::decode_mdx(file, 800).ok());
        text.push_str(&format!("mdx-memory-loaded-{name} {} {}\n", ours.0, peer.0));
        text.push_str(&format!("mdx-memory-peak-{name} {} {}\n", ours.1, peer.1));
    }
    if !inputs.mdx_corpus.is_empty() {
        text.push_str(&exporting(inputs.mdx_corpus.iter().map(|(_, file)| file.as_slice())));
    }
    let _ = std::io::stdout().write_all(text.as_bytes());
    ExitCode::SUCCESS
}

/// Smaller files say little: a report and a few tables weigh more than they.
const REASONABLE: usize = 100_000;

/// The peak from a file (not counted) to a .glb: over all files, and the worst of those of a reasonable size.
fn exporting<'a>(files: impl Iterator<Item = &'a [u8]>) -> String {
    let (mut all, mut bytes, mut worst) = (0, 0, 0.0_f64);
    for file in files {
        let before = COUNTER.current_usage();
        COUNTER.reset_peak_usage();
        drop(black_box(gltf::to_glb(file)));
        let peak = COUNTER.peak_usage().saturating_sub(before);
        all += peak;
        bytes += file.len();
        if file.len() >= REASONABLE {
            worst = worst.max(peak as f64 / file.len() as f64);
        }
    }
    format!("gltf-memory-corpus {} -\ngltf-memory-worst {worst} -\n", all as f64 / bytes as f64)
}

/// What is kept and what was needed at most, per byte of input, over all files one after the other.
fn measure<T>(files: &[&[u8]], read: impl Fn(&[u8]) -> T) -> (f64, f64) {
    let (mut kept, mut peak, mut bytes) = (0, 0, 0);
    for file in files {
        let before = COUNTER.current_usage();
        COUNTER.reset_peak_usage();
        let model = black_box(read(file));
        kept += COUNTER.current_usage().saturating_sub(before);
        peak += COUNTER.peak_usage().saturating_sub(before);
        bytes += file.len();
        drop(model);
    }
    (kept as f64 / bytes as f64, peak as f64 / bytes as f64)
}
