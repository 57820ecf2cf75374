//! What tests need beyond the Rust toolchain. It is found, or installed if that is possible; what is missing makes tests skip.

use crate::python::{self, ENVIRONMENT};
use effigy_testkit::{
    CORPUS, GLTF_INPUTS, HOSTILE, PYTHON, REQUIRE, SKIPPED, SOLDIERS, Shell, Skip, Task, python_with,
};
use std::path::Path;

/// Something that some tests need.
struct Thing {
    /// Its name in `EFFIGY_REQUIRE`.
    name: &'static str,
    /// Finds or installs it. The error says why it is missing.
    find: fn(&mut Shell) -> Task,
}

const THINGS: &[Thing] = &[
    Thing { name: CORPUS.name, find: |_| CORPUS.find().map(drop) },
    Thing { name: "duckdb", find: duckdb },
    Thing { name: GLTF_INPUTS.name, find: |_| GLTF_INPUTS.find().map(drop) },
    Thing { name: "gpu", find: gpu },
    Thing { name: HOSTILE.name, find: |_| HOSTILE.find().map(drop) },
    Thing { name: "node", find: node },
    Thing { name: "pillow", find: pillow },
    Thing { name: "python", find: python::find },
    Thing { name: "smpq", find: smpq },
    Thing { name: SOLDIERS.name, find: |_| SOLDIERS.find().map(drop) },
    Thing { name: "wasm", find: crate::wasm::find },
];

/// The file that skipped tests are recorded in.
const SKIPS: &str = "target/skipped.tsv";

/// What was found and what is missing.
pub struct Setup {
    missing: Vec<(&'static str, String)>,
}

impl Setup {
    /// Looks for everything. From now on the shell's programs fail instead of skipping tests for what was found, and record
    /// the tests that they skip.
    pub fn prepare(shell: &mut Shell) -> Result<Self, String> {
        let asked = std::env::var(REQUIRE).unwrap_or_default();
        let mut required: Vec<String> = asked.split(',').map(|word| word.trim().to_owned()).collect();
        required.retain(|word| !word.is_empty());
        let mut missing = Vec::new();
        for thing in THINGS {
            match (thing.find)(shell) {
                Ok(()) => required.push(thing.name.to_owned()),
                Err(why) if required.iter().any(|word| word == thing.name) => {
                    return Err(format!("{REQUIRE} lists {}: {why}", thing.name));
                }
                Err(why) => {
                    shell.say(&format!("{}: {why}: what needs it is skipped", thing.name));
                    missing.push((thing.name, why));
                }
            }
        }
        required.sort();
        required.dedup();
        let required = required.join(",");
        shell.say(&format!("required: {required}"));
        shell.set(REQUIRE, &required);
        let skips = shell.root().join(SKIPS);
        if let Some(folder) = skips.parent() {
            std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        }
        std::fs::write(&skips, "").map_err(|error| format!("{SKIPS}: {error}"))?;
        shell.set(SKIPPED, &skips.display().to_string());
        Ok(Self { missing })
    }

    /// Why a thing is missing, if it is.
    pub fn missing(&self, thing: &str) -> Option<&str> {
        self.missing.iter().find(|(name, _)| *name == thing).map(|(_, why)| why.as_str())
    }

    /// The tests that were skipped so far.
    pub fn skipped(&self, shell: &Shell) -> Vec<Skip> {
        let text = std::fs::read_to_string(shell.root().join(SKIPS)).unwrap_or_default();
        effigy_testkit::parse_skips(&text)
    }
}

/// Pictures are tested with Mesa's software driver, which draws the same on every machine. Other drivers may be installed
/// without a device, so tests do not fail for lack of them.
pub fn gpu(shell: &mut Shell) -> Task {
    let is_mesa = |name: std::ffi::OsString| name.to_string_lossy().starts_with("lvp_icd");
    let found = || {
        let folders = ["/usr/share/vulkan/icd.d", "/etc/vulkan/icd.d"].map(Path::new);
        let mut entries = folders.iter().flat_map(std::fs::read_dir).flatten().flatten();
        entries.any(|entry| is_mesa(entry.file_name()))
    };
    if found() || (cfg!(target_os = "linux") && shell.install("mesa-vulkan-drivers").is_ok() && found()) {
        return Ok(());
    }
    Err("the software driver for Vulkan (mesa-vulkan-drivers) is missing".to_owned())
}

/// Node.js with npm.
pub fn node(shell: &mut Shell) -> Task {
    let found =
        |shell: &Shell| shell.succeeds(&["npm", "--version"]) && shell.succeeds(&["node", "--version"]);
    if found(shell) || (shell.install("npm").is_ok() && found(shell)) {
        return Ok(());
    }
    Err("Node.js with npm is missing".to_owned())
}

/// StormLib reads the archives that are written.
fn smpq(shell: &mut Shell) -> Task {
    let found = |shell: &Shell| shell.succeeds(&["smpq", "--version"]);
    if found(shell) || (shell.install("smpq").is_ok() && found(shell)) {
        return Ok(());
    }
    Err("StormLib's program smpq is missing".to_owned())
}

/// Pillow decodes textures independently of us.
fn pillow(shell: &mut Shell) -> Task {
    python(shell, "PIL", "pillow")
}

/// DuckDB reads Parquet files independently of us.
fn duckdb(shell: &mut Shell) -> Task {
    python(shell, "duckdb", "duckdb")
}

/// Python with a module, which this package has.
fn python(shell: &mut Shell, module: &str, package: &str) -> Task {
    if python_with(module).is_some() {
        return Ok(());
    }
    let python = shell.root().join(ENVIRONMENT).join("bin/python").display().to_string();
    let import = format!("import {module}");
    let works = |shell: &Shell| shell.succeeds(&[&python, "-c", &import]);
    let install = |shell: &Shell| {
        shell.succeeds(&["python3", "-m", "venv", ENVIRONMENT])
            && shell.succeeds(&[&python, "-m", "pip", "install", "--quiet", package])
    };
    if works(shell) || install(shell) || (shell.install("python3-venv").is_ok() && install(shell)) {
        shell.set(PYTHON, &python);
        return Ok(());
    }
    Err(format!("Python with {package} is missing and could not be installed"))
}
