//! glTF from the whole MDX corpus, glTF of another program, and poses of a model of ordinary size. No peer can do either without a browser.

use super::glb::to_glb;
use super::{Bench, Inputs, Line, best_of, rate, synthetic};
use effigy::scene::sample::{Moment, Sampler};
use effigy::scene::validate;
use effigy_testkit::Shell;
use std::hint::black_box;
use std::path::PathBuf;

/// All benchmarks of scenes and glTF.
pub struct Gltf;

impl Bench for Gltf {
    fn run(&self, _: &Shell, inputs: &Inputs) -> Result<Vec<Line>, String> {
        let mut lines = Vec::new();
        if !inputs.mdx_corpus.is_empty() {
            lines.push(exporting(&inputs.mdx_corpus));
        }
        lines.extend(importing());
        lines.push(posing()?);
        Ok(lines)
    }
}

fn line(name: &str, ours: f64, unit: &'static str) -> Line {
    Line { name: name.to_owned(), ours, peer: None, peer_name: "", limit: None, unit }
}

fn exporting(files: &[(PathBuf, Vec<u8>)]) -> Line {
    let bytes = files.iter().map(|(_, file)| file.len()).sum();
    let times = best_of(&mut [&mut || files.iter().for_each(|(_, file)| drop(black_box(to_glb(file))))]);
    let time = times.first().copied().unwrap_or_default();
    line("gltf-export-corpus", rate(bytes, time), "MB/s of MDX, one core")
}

/// A character of another program with 76 animations, read and made a scene; none if it is missing.
fn importing() -> Option<Line> {
    let file = std::fs::read(effigy_testkit::GLTF_INPUTS.find().ok()?.join("Knight.glb")).ok()?;
    let times = best_of(&mut [&mut || {
        drop(black_box(effigy::gltf::Model::read(&file).and_then(|model| model.lower())));
    }]);
    let time = times.first().copied().unwrap_or_default();
    Some(line("gltf-import-knight", rate(file.len(), time), "MB/s, one core"))
}

/// Sampling and skinning 5,000 vertices on 60 bones that all move.
fn posing() -> Result<Line, String> {
    const POSES: u32 = 1000;
    let model = synthetic::walker().map_err(|error| error.to_string())?;
    let scene = effigy_convert::mdx::lower(&model).scene;
    let scene = validate(scene).map_err(|error| error.to_string())?;
    let sequence = scene.sequences.id(0).ok_or("the model has no sequence")?;
    let sampler = Sampler::new(&scene);
    let mut pose = sampler.pose();
    let times = best_of(&mut [&mut || {
        for step in 0..POSES {
            sampler.sample(&Moment::new(sequence, f64::from(step) * 2.9), None, &mut pose);
            sampler.skin(&mut pose);
            black_box(&pose);
        }
    }]);
    let seconds = times.first().map_or(f64::INFINITY, std::time::Duration::as_secs_f64);
    Ok(line("pose-5000-vertices", f64::from(POSES) / seconds, "poses/s, one core"))
}
