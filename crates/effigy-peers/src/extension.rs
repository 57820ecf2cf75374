//! `cargo xtask extension`: the extension for Blender with the wheel inside, installed into Blender; the poses of imported models
//! are compared with our own, and so are those of models that Blender has exported.

use crate::blender;
use effigy_testkit::{GLTF_INPUTS, Shell, Task, find_corpus};

/// The folder of the extension.
const INTO: &str = "target/extension";
/// A model with glows, textures and global sequences.
const MODEL: &str = "textured/eternitygod+gayisland/DragonSlave.mdx";

/// A model of many nodes that move.
const EDITED: &str = "mdx-800/w3champions+map-updater-scripts/assets__roc__war3mapImported__GyroCopter.mdx";

/// Builds the extension with this wheel, and tries it.
pub fn run(shell: &Shell, wheel: &str) -> Task {
    let Some(corpus) = find_corpus() else { return Err("there is no corpus (set EFFIGY_CORPUS)".to_owned()) };
    let python = blender::python(shell)?;
    let install =
        [python.as_str(), "-m", "pip", "install", "--quiet", "--force-reinstall", "--no-deps", wheel];
    shell.run(&install)?;
    let folder = shell.root().join(INTO);
    if folder.exists() {
        std::fs::remove_dir_all(&folder).map_err(|error| format!("{INTO}: {error}"))?;
    }
    shell.run(&[&python, "blender/build.py", wheel, "--into", INTO])?;
    let made = std::fs::read_dir(&folder).map_err(|error| format!("{INTO}: {error}"))?;
    let made = made.flatten().map(|file| file.path().display().to_string()).next();
    let extension = made.ok_or_else(|| format!("there is no extension in {INTO}"))?;
    shell.run(&[
        &python,
        "blender/tests/installed.py",
        &extension,
        &corpus.join(MODEL).display().to_string(),
    ])?;
    shell.run(&[&python, "blender/tests/edits.py", &corpus.join(EDITED).display().to_string()])?;
    for script in ["blender/tests/poses.py", "blender/tests/exports.py"] {
        shell.run(&[&python, script, "--corpus", &corpus.display().to_string()])?;
    }
    shell.run(&[
        &python,
        "blender/tests/knight.py",
        &GLTF_INPUTS.find()?.join("Knight.glb").display().to_string(),
    ])
}
