//! Shared by the tests: the textures of the corpus, and files made by code.
#![allow(dead_code, clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
#![allow(clippy::print_stderr, clippy::cast_possible_truncation)]

pub mod blp;

use std::path::{Path, PathBuf};

/// All textures of the corpus.
pub fn textures(corpus: &Path) -> Vec<PathBuf> {
    let is_texture = |name: &str| effigy_image::Format::by_extension(name).is_some();
    let files = |part: &&str| effigy_testkit::files(&corpus.join(part), is_texture);
    ["textures", "textured"].iter().flat_map(files).collect()
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
