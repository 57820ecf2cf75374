//! Finding the corpus of real files, which is not part of the project.

use std::path::{Path, PathBuf};

/// Every `.mdx` of the corpus that begins as MDX does, with its bytes; `None` (and a loud line) without a corpus.
pub fn corpus() -> Option<Vec<(PathBuf, Vec<u8>)>> {
    let folder = std::env::var_os("EFFIGY_CORPUS")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus"), PathBuf::from);
    if !folder.is_dir() {
        println!("SKIPPED: no corpus at {} (set EFFIGY_CORPUS)", folder.display());
        return None;
    }
    let mut files = Vec::new();
    collect(&folder, &mut files);
    Some(files)
}

fn collect(folder: &Path, files: &mut Vec<(PathBuf, Vec<u8>)>) {
    let mut entries: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("mdx")) {
            let bytes = std::fs::read(&path).unwrap();
            if effigy_mdx::sniff(&bytes) {
                files.push((path, bytes));
            }
        }
    }
}
