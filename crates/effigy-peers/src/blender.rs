//! `cargo xtask blender`: exported models, imported into Blender and compared with our own poses.

use crate::{empty, export};
use effigy_testkit::{Shell, Task, find_corpus};

/// A Python environment for bpy alone, which contains all of Blender.
const ENVIRONMENT: &str = "target/blender";
const SCRIPT: &str = "crates/effigy-peers/py/blender_check.py";
/// The differences measured so far, which may only become smaller.
const RATCHET: &str = "crates/effigy-peers/py/blender.ratchet";
/// The environment variable that names a Python interpreter with bpy.
const PYTHON: &str = "EFFIGY_BPY";

/// Imports the models of the ratchet and compares evaluated vertices at five times in up to four sequences. `update`
/// writes the measured numbers to the ratchet.
pub fn run(shell: &Shell, update: bool) -> Task {
    let Some(corpus) = find_corpus() else { return Err("there is no corpus (set EFFIGY_CORPUS)".to_owned()) };
    let python = python(shell)?;
    let part = |name: &str| corpus.join(name).display().to_string();
    let parts = [
        "mdx-800", "mdx-900", "mdx-1000", "mdx-1100", "mdx-1200", "textured", "m2-256", "m2-260", "m2-264",
        "mdc-2", "md3-15",
    ]
    .map(part);
    let folder = empty(shell, "blender")?;
    let root = format!("--root={}", corpus.display());
    // With textures of one pixel each, because the importer treats textured materials differently.
    let mut words = vec![folder.as_str(), "--expect", "--textures", &root];
    words.extend(parts.iter().map(String::as_str));
    export(shell, &words)?;
    let mut words = vec![python.as_str(), SCRIPT, &folder, "--ratchet", RATCHET];
    if update {
        words.push("--update");
    }
    shell.run(&words)
}

/// A Python interpreter with bpy, which is installed if it is missing.
pub(crate) fn python(shell: &Shell) -> Result<String, String> {
    let python = std::env::var(PYTHON).unwrap_or_else(|_| format!("{ENVIRONMENT}/bin/python"));
    if !shell.succeeds(&[&python, "-c", "import bpy"]) {
        let hint = "bpy needs Python 3.11: `python3.11 -m venv target/blender && target/blender/bin/pip install bpy`";
        shell.run(&["python3", "-m", "venv", ENVIRONMENT]).map_err(|_| hint.to_owned())?;
        shell
            .run(&[&python, "-m", "pip", "install", "--quiet", "bpy", "numpy"])
            .map_err(|_| hint.to_owned())?;
    }
    Ok(python)
}

/// Opens every model of a folder and writes a line per model, for `cargo xtask clients`.
pub(crate) fn open(shell: &Shell, folder: &str, results: &str) -> Task {
    let python = python(shell)?;
    shell.run(&[&python, SCRIPT, folder, "--results", results])
}
