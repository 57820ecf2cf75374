//! Bytes of memory per byte of file, for Effigy and its peer: the size of a loaded model, the peak while reading it, and
//! the peaks while converting a file to .glb and while reading one.
//!
//! This is a separate program because its allocator counts, which would slow down the other benchmarks. It prints lines
//! `name ours peer` for `cargo xtask bench`.

use effigy_bench::glb::to_glb;
use effigy_bench::inputs::Inputs;
use peak_alloc::PeakAlloc;
use std::hint::black_box;
use std::io::Write;
use std::process::ExitCode;

#[global_allocator]
static COUNTER: PeakAlloc = PeakAlloc;

fn main() -> ExitCode {
    let inputs = match Inputs::load() {
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
    let knight = effigy_testkit::GLTF_INPUTS.find().ok().map(|folder| folder.join("Knight.glb"));
    if let Some(file) = knight.and_then(|path| std::fs::read(path).ok()) {
        let read = |file: &[u8]| effigy::gltf::Model::read(file).and_then(|model| model.lower()).ok();
        let (_, peak) = measure(&[&file], read);
        text.push_str(&format!("gltf-import-memory-knight {peak} -\n"));
    }
    let _ = std::io::stdout().write_all(text.as_bytes());
    ExitCode::SUCCESS
}

/// Smaller files are not representative: a report and a few tables need more memory than their content.
const REASONABLE: usize = 100_000;

/// The peak while converting to .glb, without the file itself: over all files, and the worst of the larger ones.
fn exporting<'a>(files: impl Iterator<Item = &'a [u8]>) -> String {
    let (mut all, mut bytes, mut worst) = (0, 0, 0.0_f64);
    for file in files {
        let before = COUNTER.current_usage();
        COUNTER.reset_peak_usage();
        drop(black_box(to_glb(file)));
        let peak = COUNTER.peak_usage().saturating_sub(before);
        all += peak;
        bytes += file.len();
        if file.len() >= REASONABLE {
            worst = worst.max(peak as f64 / file.len() as f64);
        }
    }
    format!("gltf-memory-corpus {} -\ngltf-memory-worst {worst} -\n", all as f64 / bytes as f64)
}

/// Memory that stays in use and memory in use at the peak, per byte of input, over all files one after the other.
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
