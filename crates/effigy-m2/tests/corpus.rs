//! Every real file comes back byte for byte. The files are outside of the project: see `EFFIGY_CORPUS`.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stderr
)]

use effigy_m2::{Model, Skin, read};
use effigy_wire::{Severity, Status};
use std::path::{Path, PathBuf};

fn corpus() -> Option<PathBuf> {
    let folder = std::env::var_os("EFFIGY_CORPUS")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus"), PathBuf::from);
    if folder.is_dir() {
        return Some(folder);
    }
    eprintln!("SKIPPED: no corpus at {}", folder.display());
    None
}

/// All files below the folder that the test is for, in order.
fn files(folder: &Path, wanted: impl Fn(&str) -> bool) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else if wanted(&path.file_name().unwrap().to_string_lossy().to_lowercase()) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn models(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    files(folder, |name| name.contains(".m2"))
        .into_iter()
        .map(|path| {
            let bytes = std::fs::read(&path).unwrap();
            (path, bytes)
        })
        .filter(|(_, bytes)| effigy_m2::sniff(bytes))
        .collect()
}

/// Files that no converter has touched.
fn is_original(path: &Path) -> bool {
    let path = path.to_string_lossy();
    path.contains("vanilla-wow-interface-textures") || path.contains("mangos-tbc-data")
}

#[test]
fn every_model_comes_back_identical() {
    let Some(corpus) = corpus() else { return };
    let mut count = 0;
    let mut canonical = 0;
    for (path, bytes) in models(&corpus) {
        let model = read(&bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let verdict = model.verify(&bytes);
        let worst: Vec<_> = model
            .diagnostics()
            .iter()
            .filter(|found| found.severity >= Severity::Severe)
            .map(|found| found.to_string())
            .collect();
        assert_eq!(verdict.status, Status::Identical, "{}: {worst:#?}", path.display());
        assert!(worst.is_empty(), "{}: {worst:#?}", path.display());
        let alone = model.verify_canonical(&bytes);
        if is_original(&path) {
            assert!(alone, "{}: the canonical layout differs", path.display());
            assert!(model.diagnostics().is_empty(), "{}: {:?}", path.display(), model.diagnostics());
        }
        if std::env::var_os("EFFIGY_VERBOSE").is_some() {
            eprintln!(
                "{} {} canonical {alone} {:?}",
                model.version(),
                path.display(),
                model.diagnostics().iter().map(ToString::to_string).collect::<Vec<_>>()
            );
        }
        canonical += usize::from(alone);
        count += 1;
    }
    eprintln!("{count} models identical, {canonical} from the canonical layout alone");
    assert!(count >= 52, "only {count} models");
}
