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

/// How a run of the command ended.
pub struct Ended {
    /// Its exit code; none after a signal.
    pub code: Option<i32>,
    pub stderr: String,
    /// The most memory that it held, in kilobytes.
    pub peak: u64,
}

/// Runs the command and watches its memory; `None` without a way to know it.
pub fn watched(folder: &Path, words: &[&str]) -> Option<Ended> {
    let there = Path::new("/proc/self/status").exists();
    if !effigy_testkit::require("procfs", there, "no /proc to read the peak from") {
        return None;
    }
    let log = tempfile::NamedTempFile::new().unwrap();
    let mut child = std::process::Command::new(cargo_bin!("effigy"))
        .env("EFFIGY_ASSETS", "")
        .current_dir(folder)
        .args(words)
        .stdin(std::process::Stdio::null())
        .stdout(std::process::Stdio::null())
        .stderr(log.reopen().unwrap())
        .spawn()
        .unwrap();
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    // The number only grows, and is gone with the process: the last one that was seen counts.
    while child.try_wait().unwrap().is_none() {
        let status = fs::read_to_string(&status).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        peak = line.map_or(peak, |line| line.trim().trim_end_matches(" kB").parse().unwrap());
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    let stderr = String::from_utf8_lossy(&fs::read(log.path()).unwrap()).into_owned();
    Some(Ended { code: child.wait().unwrap().code(), stderr, peak })
}
