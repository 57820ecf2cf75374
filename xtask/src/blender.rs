//! `cargo xtask blender`: exported models in Blender, held against our own poses.

use crate::peers::{corpus, export};
use crate::shell::{Shell, Task};

/// A Python environment of its own: bpy brings a whole Blender.
const ENVIRONMENT: &str = "target/blender";
const FOLDER: &str = "target/peers/blender";
/// The numbers that may only become better.
const RATCHET: &str = "xtask/py/blender.ratchet";
/// A Python that has bpy already may be named here.
const PYTHON: &str = "EFFIGY_BPY";

/// Imports the models of the ratchet and compares evaluated vertices at five times in up to four sequences. `update`
/// writes the ratchet anew.
pub fn run(shell: &Shell, update: bool) -> Task {
    let Some(corpus) = corpus(shell) else { return Err("there is no corpus (set EFFIGY_CORPUS)".to_owned()) };
    let python = std::env::var(PYTHON).unwrap_or_else(|_| format!("{ENVIRONMENT}/bin/python"));
    if !shell.succeeds(&[&python, "-c", "import bpy"]) {
        let hint = "bpy needs Python 3.11: `python3.11 -m venv target/blender && target/blender/bin/pip install bpy`";
        shell.run(&["python3", "-m", "venv", ENVIRONMENT]).map_err(|_| hint.to_owned())?;
        shell
            .run(&[&python, "-m", "pip", "install", "--quiet", "bpy", "numpy"])
            .map_err(|_| hint.to_owned())?;
    }
    let part = |name: &str| corpus.join(name).display().to_string();
    let parts = [
        "mdx-800", "mdx-900", "mdx-1000", "mdx-1100", "mdx-1200", "textured", "m2-256", "m2-260", "m2-264",
        "mdc-2", "md3-15",
    ]
    .map(part);
    let _ = std::fs::remove_dir_all(shell.root().join(FOLDER));
    let root = format!("--root={}", corpus.display());
    // With textures, of one pixel each: the importer takes other ways for them.
    let mut words = vec![FOLDER, "--expect", "--textures", &root];
    words.extend(parts.iter().map(String::as_str));
    export(shell, &words)?;
    let mut words = vec![python.as_str(), "xtask/py/blender_check.py", FOLDER, "--ratchet", RATCHET];
    if update {
        words.push("--update");
    }
    shell.run(&words)
}
