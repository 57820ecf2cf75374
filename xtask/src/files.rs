//! Files below a folder.

use std::path::{Path, PathBuf};

/// All files below a folder, sorted.
pub fn all(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(current) = folders.pop() {
        for entry in std::fs::read_dir(&current).into_iter().flatten().flatten() {
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => folders.push(entry.path()),
                Ok(_) => files.push(entry.path()),
                Err(_) => {}
            }
        }
    }
    files.sort();
    files
}

/// All MDX files below a folder, sorted.
#[allow(dead_code, reason = "the memory benchmark looks at all files")]
pub fn models(folder: &Path) -> Vec<PathBuf> {
    let mut files = all(folder);
    files.retain(|path| path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("mdx")));
    files
}
