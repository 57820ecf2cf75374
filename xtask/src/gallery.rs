//! `cargo xtask gallery`: our pictures beside those of other viewers, from the same camera at the same time.

use crate::peers::corpus;
use crate::shell::{Shell, Task};
use std::path::PathBuf;

/// A Python environment of its own, for Pillow.
const ENVIRONMENT: &str = "target/gallery-python";
const FOLDER: &str = "target/gallery";

/// Draws every model that another viewer has drawn, and lays the pictures side by side.
pub fn run(shell: &Shell) -> Task {
    let Some(corpus) = corpus(shell) else { return Err("there is no corpus (set EFFIGY_CORPUS)".to_owned()) };
    let reference = std::env::var_os("EFFIGY_REFERENCE")
        .map_or_else(|| shell.root().join("../shared/reference"), PathBuf::from);
    if !reference.is_dir() {
        return Err("there are no pictures of other viewers (set EFFIGY_REFERENCE)".to_owned());
    }
    let mut python = "python3".to_owned();
    if !shell.succeeds(&[&python, "-c", "import PIL"]) {
        python = format!("{ENVIRONMENT}/bin/python");
        if !shell.succeeds(&[&python, "-c", "import PIL"]) {
            let hint = "Pillow is missing: install it with `python3 -m pip install pillow`";
            shell.run(&["python3", "-m", "venv", ENVIRONMENT]).map_err(|_| hint.to_owned())?;
            shell
                .run(&[&python, "-m", "pip", "install", "--quiet", "pillow"])
                .map_err(|_| hint.to_owned())?;
        }
    }
    shell.run(&["cargo", "build", "--release", "--quiet", "--package", "effigy-cli"])?;
    let program = format!("target/release/effigy{}", std::env::consts::EXE_SUFFIX);
    shell.run(&[
        &python,
        "xtask/py/gallery.py",
        &program,
        &corpus.join("textured").display().to_string(),
        &reference.display().to_string(),
        FOLDER,
    ])
}
