//! MDX compared with the crate `wc3` and memcpy: reading with and without the guard, and writing.

use super::{Bench, Inputs, Line, best_of, copy_all, rate};
use effigy::mdx::{self, Model, ReadOptions};
use effigy_testkit::Shell;
use std::hint::black_box;
use wc3::model::DynamicModel;

/// All benchmarks of MDX.
pub struct Mdx;

impl Bench for Mdx {
    fn run(&self, _: &Shell, inputs: &Inputs) -> Result<Vec<Line>, String> {
        let corpus: Vec<&[u8]> = inputs.mdx_corpus.iter().map(|(_, bytes)| bytes.as_slice()).collect();
        let mut lines = Vec::new();
        for (name, files) in [("corpus", corpus), ("large", vec![inputs.mdx_large.as_slice()])] {
            if !files.is_empty() {
                lines.extend(measure(name, &files));
            }
        }
        Ok(lines)
    }
}

fn measure(name: &str, files: &[&[u8]]) -> Vec<Line> {
    let bytes = files.iter().map(|file| file.len()).sum();
    let without_guard = ReadOptions { guard: false, ..ReadOptions::default() };
    let mut buffer = Vec::new();
    let reading = best_of(&mut [
        &mut || files.iter().for_each(|file| drop(black_box(mdx::read(file)))),
        &mut || files.iter().for_each(|file| drop(black_box(mdx::read_with_options(file, &without_guard)))),
        &mut || files.iter().for_each(|file| drop(black_box(DynamicModel::decode_mdx(file, 800)))),
        &mut || copy_all(files, &mut buffer),
    ]);
    let ours: Vec<Model> = files.iter().filter_map(|file| mdx::read(file).ok()).collect();
    let theirs: Vec<DynamicModel> =
        files.iter().filter_map(|file| DynamicModel::decode_mdx(file, 800).ok()).collect();
    let writing = best_of(&mut [
        &mut || ours.iter().for_each(|model| drop(black_box(model.write()))),
        &mut || theirs.iter().for_each(|model| drop(black_box(model.encode_mdx()))),
        &mut || copy_all(files, &mut buffer),
    ]);
    let line = |what: &str, ours, peer, limit| Line {
        name: format!("mdx-{what}-{name}"),
        ours: rate(bytes, ours),
        peer: Some(rate(bytes, peer)),
        peer_name: "wc3",
        limit: Some(rate(bytes, limit)),
        unit: "MB/s",
    };
    let mut lines = Vec::new();
    if let [guarded, plain, peer, limit] = reading.as_slice() {
        lines.push(line("read", *guarded, *peer, *limit));
        lines.push(line("read-unguarded", *plain, *peer, *limit));
    }
    if let [ours, peer, limit] = writing.as_slice() {
        lines.push(line("write", *ours, *peer, *limit));
    }
    lines
}
