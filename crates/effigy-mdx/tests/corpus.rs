//! Every real MDX comes back byte for byte; how many do so from their values alone is a number that only improves.
#![allow(clippy::unwrap_used, clippy::panic)]

use effigy_wire::Status;
use std::path::{Path, PathBuf};

fn corpus() -> Option<PathBuf> {
    let path = std::env::var_os("EFFIGY_CORPUS")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus"), PathBuf::from);
    path.is_dir().then_some(path)
}

fn mdx_files(folder: &Path, out: &mut Vec<PathBuf>) {
    let mut entries: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            mdx_files(&path, out);
        } else if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("mdx")) {
            out.push(path);
        }
    }
}

#[test]
fn every_file_comes_back() {
    let Some(corpus) = corpus() else {
        println!("SKIPPED: no corpus (set EFFIGY_CORPUS)");
        return;
    };
    let mut files = Vec::new();
    mdx_files(&corpus, &mut files);
    let mut counts = [0_usize; 4];
    for path in &files {
        let bytes = std::fs::read(path).unwrap();
        if !effigy_mdx::sniff(&bytes) {
            println!("not MDX: {}", path.display());
            continue;
        }
        let model = effigy_mdx::read(&bytes).unwrap();
        let verdict = model.verify(&bytes);
        if verdict.status != Status::Identical {
            println!("{} {} {:?}", verdict.status, path.display(), model.diagnostics());
        }
        assert_eq!(model.write().unwrap() == bytes, verdict.status != Status::Different);
        counts[verdict.status as usize] += 1;
    }
    let [identical, guarded, opaque, different] = counts;
    println!(
        "{} files: {identical} identical, {guarded} guarded, {opaque} opaque, {different} different",
        files.len()
    );
    assert_eq!(different, 0);
}
