//! Shared by the tests: the corpus, and files made by code.
#![allow(dead_code, clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
#![allow(clippy::print_stderr, clippy::cast_possible_truncation)]

use std::path::{Path, PathBuf};

/// The folder of real files; if it is missing, a line on stderr reports that.
pub fn corpus() -> Option<PathBuf> {
    let named = std::env::var_os("EFFIGY_CORPUS").map(PathBuf::from);
    let usual = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let found = named.unwrap_or(usual);
    if found.is_dir() {
        return Some(found);
    }
    eprintln!("SKIPPED: no corpus at {}; set EFFIGY_CORPUS to test with real files", found.display());
    None
}

/// All files in a folder and its subfolders, sorted.
pub fn files(folder: &Path) -> Vec<PathBuf> {
    let mut open = vec![folder.to_owned()];
    let mut files = Vec::new();
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// All textures of the corpus.
pub fn textures(corpus: &Path) -> Vec<PathBuf> {
    let is_texture = |path: &PathBuf| effigy_image::Format::by_extension(&path.to_string_lossy()).is_some();
    ["textures", "textured"]
        .iter()
        .flat_map(|folder| files(&corpus.join(folder)))
        .filter(is_texture)
        .collect()
}

/// An empty folder for a test.
pub fn scratch(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("effigy-image-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    path
}

/// Pseudo-random numbers, the same in each run.
pub fn noise(seed: u32) -> impl FnMut() -> u32 {
    let mut state = seed | 1;
    move || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state
    }
}

/// An image with smooth colours and alpha.
pub fn picture(width: u32, height: u32) -> effigy_image::Image {
    let mut pixels = Vec::new();
    for y in 0..height {
        for x in 0..width {
            pixels.extend([
                (x * 255 / width) as u8,
                (y * 255 / height) as u8,
                ((x + y) * 3) as u8,
                (255 - x * 255 / width) as u8,
            ]);
        }
    }
    effigy_image::Image::new(width, height, pixels).unwrap()
}
