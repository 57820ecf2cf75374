//! Textures compared with Pillow, an independent reader: equal, or within 2 of 255 for JPEG and blocks.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stderr
)]

use crate::common;

use common::{picture, scratch, textures};
use effigy_image::{Encoding, read, write};
use effigy_testkit::{corpus, python_with, require};
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

#[test]
fn pixels_are_the_same_as_those_of_pillow() {
    let python = python_with("PIL");
    require("pillow", python.is_some(), "no Python with Pillow (pip install pillow)");
    let Some(python) = python else { return };
    let folder = scratch("pillow");
    let mut paths = Vec::new();
    for encoding in Encoding::all() {
        for (size, image) in [("64", picture(64, 64).with_mips()), ("13", picture(13, 9))] {
            let path = folder.join(format!("{encoding}-{size}.{}", encoding.extension()));
            std::fs::write(&path, write(&image, encoding).unwrap().0).unwrap();
            paths.push(path);
        }
    }
    if let Some(corpus) = corpus() {
        paths.extend(textures(&corpus));
    }
    let mut lines = String::new();
    for (number, path) in paths.iter().enumerate() {
        let image = read(&std::fs::read(path).unwrap()).unwrap();
        let pixels = folder.join(format!("{number}.rgba"));
        std::fs::write(&pixels, image.pixels()).unwrap();
        let (path, pixels) = (path.display(), pixels.display());
        writeln!(lines, "{path}\t{}\t{}\t{pixels}", image.width, image.height).unwrap();
    }
    let list = folder.join("list.tsv");
    std::fs::write(&list, lines).unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pillow.py");
    let output = Command::new(python).arg(script).arg(list).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    eprintln!("{said}{}", String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{said}");
    std::fs::remove_dir_all(folder).unwrap();
}
