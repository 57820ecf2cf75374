//! Shared by the tests of the command: running it, and files made by code.
#![allow(dead_code, reason = "not every test uses everything")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

/// Archives made by code.
#[path = "../../../effigy-assets/tests/common/mod.rs"]
pub mod files;

use serde_json::Value;
use snapbox::cmd::{Command, cargo_bin};
use std::fs;
use std::path::Path;

/// Runs the command in a folder: its exit code, stdout and stderr.
pub fn run(folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    run_with(folder, "", arguments)
}

/// Like [`run`], with places of game files in the environment.
pub fn run_with(folder: &Path, assets: &str, arguments: &[&str]) -> (i32, String, String) {
    let output = Command::new(cargo_bin!("effigy"))
        .env("EFFIGY_ASSETS", assets)
        // Graphics drivers would complain on stderr where it is not set; the command keeps them from it.
        .env_remove("XDG_RUNTIME_DIR")
        .current_dir(folder)
        .args(arguments)
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

/// Lines of JSON.
pub fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Writes a file, with the folders that it needs.
pub fn put(folder: &Path, name: &str, bytes: &[u8]) {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, bytes).unwrap();
}

/// The names in a folder, sorted.
pub fn names(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

/// The first sample whose file name ends so.
pub fn sample(end: &str) -> Vec<u8> {
    effigy_samples::all().into_iter().find(|sample| sample.file_name.ends_with(end)).unwrap().bytes
}
