//! `cargo xtask blender`: exported models in Blender, held against our own poses.

use crate::peers::{corpus, export};
use crate::shell::{Shell, Task};

/// A Python environment of its own: bpy brings a whole Blender.
const ENVIRONMENT: &str = "target/blender";
const FOLDER: &str = "target/peers/blender";
/// How many models, spread over all formats.
const MODELS: &str = "60";

/// Imports models and compares evaluated vertices at five times in up to four sequences.
pub fn run(shell: &Shell) -> Task {
    let Some(corpus) = corpus(shell) else { return Err("there is no corpus (set EFFIGY_CORPUS)".to_owned()) };
    let python = format!("{ENVIRONMENT}/bin/python");
    if !shell.succeeds(&[&python, "-c", "import bpy"]) {
        let hint = "bpy needs Python 3.11: `python3.11 -m venv target/blender && target/blender/bin/pip install bpy`";
        shell.run(&["python3", "-m", "venv", ENVIRONMENT]).map_err(|_| hint.to_owned())?;
        shell
            .run(&[&python, "-m", "pip", "install", "--quiet", "bpy", "numpy"])
            .map_err(|_| hint.to_owned())?;
    }
    let part = |name: &str| corpus.join(name).display().to_string();
    let parts =
        ["mdx-800", "mdx-1000", "mdx-1100", "textured", "m2-256", "m2-260", "m2-264", "mdc-2", "md3-15"]
            .map(part);
    let mut words = vec![FOLDER];
    words.extend(parts.iter().map(String::as_str));
    words.push("--expect");
    export(shell, &words)?;
    shell.run(&[&python, "xtask/py/blender_check.py", FOLDER, "--limit", MODELS])
}
