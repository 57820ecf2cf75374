//! `cargo xtask wasm`: every library compiles for browsers (`wasm32-unknown-unknown`).
//!
//! The compiler needs a standard library for that target. Not every machine can install one, so there are several ways to
//! it, tried in this order:
//!
//! 1. the standard library is installed, or rustup installs it;
//! 2. the sources of the standard library, from rustup or from Debian's package of the same version, compiled on the way;
//! 3. Debian's own compiler with its sources, unpacked below the target folder.
//!
//! `EFFIGY_WASM=sources` begins with the second way, `EFFIGY_WASM=debian` with the third.

use crate::package::published;
use effigy_testkit::{Shell, Task};
use std::path::Path;

const TARGET: &str = "wasm32-unknown-unknown";
/// The environment variable that names the way to begin with.
const BEGIN: &str = "EFFIGY_WASM";

/// Which compiler and which standard library are used.
enum Toolchain {
    /// Everything is installed.
    Installed,
    /// The compiler in use, and the folder of the library's sources.
    Sources(String),
    /// Another compiler, and the folder of the sources of its library.
    Debian { rustc: String, sources: String },
}

/// Finds or downloads a toolchain.
pub fn find(shell: &mut Shell) -> Task {
    toolchain(shell).map(drop)
}

/// Checks every library crate.
pub fn run(shell: &Shell) -> Task {
    let toolchain = toolchain(shell)?;
    let libraries = libraries(shell)?;
    let mut packages: Vec<&str> = Vec::new();
    for name in libraries.iter().filter(|name| *name != "effigy-render") {
        packages.extend(["--package", name]);
    }
    check(shell, &toolchain, &packages)?;
    check(
        shell,
        &toolchain,
        &["--package", "effigy-render", "--no-default-features", "--features", "webgl"],
    )?;
    shell.say(&format!("{} libraries compile for {TARGET}", libraries.len()));
    Ok(())
}

fn check(shell: &Shell, toolchain: &Toolchain, words: &[&str]) -> Task {
    let cargo = ["cargo", "check", "--quiet", "--target", TARGET];
    let build_std = ["-Zbuild-std=std,panic_abort"];
    let set = |name: &str, value: &str| format!("{name}={value}");
    // Cargo looks for the sources in the compiler's own folder, unless this variable names another one.
    let from = |sources: &str| set("__CARGO_TESTS_ONLY_SRC_ROOT", sources);
    match toolchain {
        Toolchain::Installed => shell.run(&[cargo.as_slice(), words].concat()),
        Toolchain::Sources(sources) => {
            let variables = ["env", "RUSTC_BOOTSTRAP=1", &from(sources)];
            shell.run(&[variables.as_slice(), &cargo, words, &build_std].concat())
        }
        Toolchain::Debian { rustc, sources } => {
            // Its results cannot be mixed with those of the usual compiler.
            let folder = set("CARGO_TARGET_DIR", &shell.target().join("wasm-debian").display().to_string());
            let variables = ["env", "RUSTC_BOOTSTRAP=1", &from(sources), &set("RUSTC", rustc), &folder];
            shell.run(&[variables.as_slice(), &cargo, words, &build_std].concat())
        }
    }
}

fn toolchain(shell: &Shell) -> Result<Toolchain, String> {
    let begin = std::env::var(BEGIN).unwrap_or_default();
    if begin.is_empty() {
        // The server may not answer at all.
        let add = ["timeout", "120", "rustup", "target", "add", TARGET];
        if is_installed(shell) || (shell.succeeds(&add) && is_installed(shell)) {
            return Ok(Toolchain::Installed);
        }
    }
    let folder = shell.target().join("wasm-toolchain");
    let version = shell.output(&["rustc", "--version"])?;
    if begin != "debian" {
        let own = Path::new(shell.output(&["rustc", "--print", "sysroot"])?.trim())
            .join("lib/rustlib/src/rust/library");
        if own.join("Cargo.lock").is_file() {
            return Ok(Toolchain::Sources(own.display().to_string()));
        }
        let number = version.split_whitespace().nth(1).unwrap_or_default();
        let to = folder.display().to_string();
        if let Ok(sources) = shell.output(&["sh", "xtask/sh/debian-rust-src.sh", &to, number]) {
            return Ok(Toolchain::Sources(sources.trim().to_owned()));
        }
    }
    let to = folder.join("debian").display().to_string();
    let paths = shell.output(&["sh", "xtask/sh/debian-rustc.sh", &to]).unwrap_or_default();
    match paths.lines().collect::<Vec<&str>>().as_slice() {
        [rustc, sources] if shell.succeeds(&[rustc, "--version"]) => {
            Ok(Toolchain::Debian { rustc: (*rustc).to_owned(), sources: (*sources).to_owned() })
        }
        _ => Err(format!("there is no standard library for {TARGET}: `rustup target add {TARGET}`")),
    }
}

fn is_installed(shell: &Shell) -> bool {
    let folder = shell.output(&["rustc", "--print", "target-libdir", "--target", TARGET]).unwrap_or_default();
    let mut names =
        std::fs::read_dir(folder.trim()).into_iter().flatten().flatten().map(|entry| entry.file_name());
    names.any(|name| name.to_string_lossy().starts_with("libstd-"))
}

/// The names of all published crates that have a library for browsers. The viewer only has a window so far.
fn libraries(shell: &Shell) -> Result<Vec<String>, String> {
    let mut crates = published(shell)?;
    crates.retain(|one| one.folder.join("src/lib.rs").is_file() && one.name != "effigy-view");
    Ok(crates.into_iter().map(|one| one.name).collect())
}
