//! Effigy compared with other programs: what they make of the files that Effigy writes, and what they find in the same
//! models.
//!
//! | module | peer | what is compared |
//! |---|---|---|
//! | [`alpha`] | wow-mdx-viewer's parser | every field of World of Warcraft alpha models |
//! | [`mdl`] | war3-model, mdx-m3-viewer (npm) | both read the MDL text that Effigy prints |
//! | [`sanity`] | mdx-m3-viewer's sanity test | each of its errors is found by `effigy check` or explained |
//! | [`oracle`] | mdx-m3-viewer | node matrices at random times |
//! | [`raised`] | wc3, war3-model, mdx-m3-viewer, wow-m2, assimp | models that were converted into another game |
//! | [`validator`] | the Khronos glTF validator (npm) | every exported model, without errors and warnings |
//! | [`blender`] | Blender (PyPI bpy) | vertex positions of imported models |
//! | [`extension`] | Blender (PyPI bpy) | vertex positions of models that the extension imports |
//! | [`clients`] | three.js, the crate `gltf`, assimp, Blender | exported models open, and their poses |
//! | [`gallery`] | mdx-m3-viewer and war3-model in Chromium | pictures, side by side |
//!
//! The scripts that run in Node.js and in Python are in `js/` and `py/`. They need no desktop.

pub mod alpha;
pub mod blender;
pub mod clients;
pub mod extension;
pub mod gallery;
pub mod mdl;
pub mod oracle;
pub mod raised;
pub mod sanity;
mod soldiers;
pub mod validator;
mod wow_m2;

use effigy_testkit::{Shell, Task};

/// The folder of the scripts for Node.js, and of the npm packages that they use.
pub const PACKAGES: &str = "crates/effigy-peers/js";
/// Names of the npm packages, as in package.json.
const NAMES: &[&str] =
    &["gltf-validator", "mdx-m3-viewer", "playwright-core", "three", "typescript", "war3-model"];
/// The folder for files that the peers read. Each comparison empties its own part before it begins.
const FOLDER: &str = "target/peers";

/// Installs the npm packages, unless they are installed already.
pub fn packages(shell: &Shell) -> Task {
    let modules = shell.root().join(PACKAGES).join("node_modules");
    if NAMES.iter().all(|name| modules.join(name).is_dir()) {
        return Ok(());
    }
    if !shell.succeeds(&["npm", "--version"]) {
        return Err("npm is missing: install Node.js to compare with other programs".to_owned());
    }
    shell.run(&["npm", "install", "--prefix", PACKAGES, "--no-audit", "--no-fund", "--loglevel=error"])
}

/// The path of a script for Node.js.
fn script(name: &str) -> String {
    format!("{PACKAGES}/{name}")
}

/// Empties a folder below [`FOLDER`], so that nothing of an earlier run is compared, and returns its path.
fn empty(shell: &Shell, name: &str) -> Result<String, String> {
    let name = format!("{FOLDER}/{name}");
    let path = shell.root().join(&name);
    let emptied = if path.exists() { std::fs::remove_dir_all(&path) } else { Ok(()) };
    emptied.and_then(|()| std::fs::create_dir_all(&path)).map_err(|error| format!("{name}: {error}"))?;
    Ok(name)
}

/// Builds the programs that the comparisons run, and returns the path of one of them.
///
/// The examples are always built too: only then does cargo unite the features that the tests of all crates ask for, as it did
/// when it built the tests. Otherwise most crates would be compiled again.
fn built(shell: &Shell, part: &str, name: &str) -> Result<String, String> {
    let programs =
        ["alpha_fields", "export_models", "open_gltf", "pose_inputs", "raise_models", "raise_pictures"]
            .map(|name| ["--example", name]);
    let begin = ["cargo", "build", "--quiet", "--bin", "effigy"];
    shell.run(&[begin.as_slice(), programs.as_flattened(), effigy_testkit::TESTED].concat())?;
    Ok(shell.program(part, name).display().to_string())
}

fn effigy(shell: &Shell, words: &[&str]) -> Task {
    let program = built(shell, "debug", "effigy")?;
    shell.run(&[&[program.as_str()], words].concat())
}

/// Runs the example that exports models and writes what our own sampler computes for them.
fn export(shell: &Shell, words: &[&str]) -> Task {
    let program = built(shell, "debug/examples", "export_models")?;
    shell.run(&[&[program.as_str()], words].concat())
}
