//! Models into another game, without textures: from the model in memory to the bytes of the result. No peer does these.

use super::{Bench, Inputs, Line, best_of, rate};
use effigy::{ConvertOptions, Model, Target};
use effigy_testkit::{GLTF_INPUTS, Shell};
use std::hint::black_box;
use std::path::{Path, PathBuf};

/// All benchmarks of conversions into another game.
pub struct Raise;

impl Bench for Raise {
    fn run(&self, _: &Shell, inputs: &Inputs) -> Result<Vec<Line>, String> {
        let world: Vec<PathBuf> = inputs.m2_corpus.iter().map(|(path, _)| path.clone()).collect();
        let warcraft: Vec<PathBuf> = inputs.mdx_corpus.iter().map(|(path, _)| path.clone()).collect();
        let knight: Vec<PathBuf> =
            GLTF_INPUTS.find().ok().map(|folder| folder.join("Knight.glb")).into_iter().collect();
        let mut lines = Vec::new();
        for (name, paths, to) in [
            ("raise-m2-mdx-800", &world, "mdx:800"),
            ("raise-m2-mdx-1100", &world, "mdx:1100"),
            ("raise-mdx-m2-264", &warcraft, "m2:264"),
            ("raise-knight-mdx-800", &knight, "mdx:800"),
            ("raise-knight-mdx-1100", &knight, "mdx:1100"),
        ] {
            let target: Target = to.parse().map_err(|error: effigy::Error| error.to_string())?;
            lines.extend(raising(name, paths, &target));
        }
        Ok(lines)
    }
}

/// Converts all models that can be; none if there are none.
fn raising(name: &str, paths: &[PathBuf], target: &Target) -> Option<Line> {
    let options = ConvertOptions { no_textures: true, ..ConvertOptions::default() };
    let convert =
        |model: &Model| model.convert_with(target, &options).and_then(|made| made.into_files("model"));
    let mut models = Vec::new();
    let mut bytes = 0_usize;
    for path in paths {
        let Ok(model) = effigy::open(path) else { continue };
        if convert(&model).is_ok() {
            bytes += size(path);
            models.push(model);
        }
    }
    if models.is_empty() {
        return None;
    }
    let times = best_of(&mut [&mut || models.iter().for_each(|model| drop(black_box(convert(model))))]);
    let time = times.first().copied().unwrap_or_default();
    Some(Line {
        name: name.to_owned(),
        ours: rate(bytes, time),
        peer: None,
        peer_name: "",
        limit: None,
        unit: "MB/s of input, one core",
    })
}

fn size(path: &Path) -> usize {
    std::fs::metadata(path).map_or(0, |data| usize::try_from(data.len()).unwrap_or(usize::MAX))
}
