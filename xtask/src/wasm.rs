//! `cargo xtask wasm`: every library and the web page compile for browsers (`wasm32-unknown-unknown`).
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
use std::path::{Path, PathBuf};

const TARGET: &str = "wasm32-unknown-unknown";
/// Vectors of 128 bits, which all browsers with WebAssembly 2 have: text is drawn with them, and without them each of their
/// operations would be sixteen. What only programmers read is left out, since its code is large: the fields that a derived
/// `Debug` prints, and the places in the sources that a panic names.
const FLAGS: &str = "target.wasm32-unknown-unknown.rustflags = ['-C', 'target-feature=+simd128', \
                     '-Zfmt-debug=shallow', '-Zlocation-detail=none']";
/// The same without the messages of panics, which needs a standard library that is compiled with it. The page shows where it
/// stopped by the functions of the module.
const ABORTING: &str = "target.wasm32-unknown-unknown.rustflags = ['-C', 'target-feature=+simd128', \
                        '-Zfmt-debug=shallow', '-Zlocation-detail=none', '-Zunstable-options', '-Cpanic=immediate-abort']";
/// The folder for what Debian's compiler makes.
const DEBIAN: &str = "wasm-debian";
/// The folder for what is downloaded.
const DOWNLOADS: &str = "wasm-toolchain";
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
    check(shell, &toolchain, &["--package", "effigy-web"])?;
    shell.say(&format!("{} libraries and the web page compile for {TARGET}", libraries.len()));
    Ok(())
}

fn check(shell: &Shell, toolchain: &Toolchain, words: &[&str]) -> Task {
    cargo(shell, toolchain, &[&["check", "--quiet"], words].concat())
}

/// Compiles a crate to a module in the profile of the web page, and returns the path of the module.
pub fn module(shell: &Shell, package: &str, library: &str) -> Result<PathBuf, String> {
    // The library as it is installed is faster, and larger.
    let toolchain = match sources(shell)? {
        Some(sources) => Toolchain::Sources(sources),
        None => toolchain(shell)?,
    };
    let flags = if matches!(toolchain, Toolchain::Installed) { FLAGS } else { ABORTING };
    let build = ["build", "--quiet", "--package", package, "--lib", "--profile", "web", "--config", flags];
    cargo(shell, &toolchain, &build)?;
    let target = match toolchain {
        Toolchain::Debian { .. } => shell.target().join(DEBIAN),
        _ => shell.target(),
    };
    Ok(target.join(TARGET).join("web").join(format!("{library}.wasm")))
}

/// Runs cargo for the target.
fn cargo(shell: &Shell, toolchain: &Toolchain, words: &[&str]) -> Task {
    let target = ["--target", TARGET];
    let build_std = ["-Zbuild-std=std,panic_abort", "-Zbuild-std-features=optimize_for_size"];
    let set = |name: &str, value: &str| format!("{name}={value}");
    // Cargo looks for the sources in the compiler's own folder, unless this variable names another one.
    let from = |sources: &str| set("__CARGO_TESTS_ONLY_SRC_ROOT", sources);
    match toolchain {
        // The flags of the page are not stable. Nothing else sets the variable: the build scripts of some crates ask for it, and a
        // change would have everything that uses a macro of theirs compiled again, for the checks and for all that follows.
        Toolchain::Installed if words.contains(&FLAGS) => {
            shell.run(&[&["env", "RUSTC_BOOTSTRAP=1", "cargo"], words, &target].concat())
        }
        Toolchain::Installed => shell.run(&[&["cargo"], words, &target].concat()),
        Toolchain::Sources(sources) => {
            let variables = ["env", "RUSTC_BOOTSTRAP=1", &from(sources), "cargo"];
            shell.run(&[variables.as_slice(), words, &target, &build_std].concat())
        }
        Toolchain::Debian { rustc, sources } => {
            // Its results cannot be mixed with those of the usual compiler.
            let folder = set("CARGO_TARGET_DIR", &shell.target().join(DEBIAN).display().to_string());
            let linker = set("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", &linker(shell)?);
            let rustc = set("RUSTC", rustc);
            let variables = ["env", "RUSTC_BOOTSTRAP=1", &from(sources), &rustc, &linker, &folder, "cargo"];
            shell.run(&[variables.as_slice(), words, &target, &build_std].concat())
        }
    }
}

/// The linker of the compiler in use: Debian's compiler comes without one for this target.
fn linker(shell: &Shell) -> Result<String, String> {
    let folder = shell.output(&["rustc", "--print", "target-libdir"])?;
    let bin = Path::new(folder.trim()).with_file_name("bin");
    Ok(bin.join(format!("rust-lld{}", std::env::consts::EXE_SUFFIX)).display().to_string())
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
    if let Some(sources) = sources(shell)? {
        return Ok(Toolchain::Sources(sources));
    }
    let to = shell.target().join(DOWNLOADS).join("debian").display().to_string();
    let paths = shell.output(&["sh", "xtask/sh/debian-rustc.sh", &to]).unwrap_or_default();
    match paths.lines().collect::<Vec<&str>>().as_slice() {
        [rustc, sources] if shell.succeeds(&[rustc, "--version"]) => {
            Ok(Toolchain::Debian { rustc: (*rustc).to_owned(), sources: (*sources).to_owned() })
        }
        _ => Err(format!("there is no standard library for {TARGET}: `rustup target add {TARGET}`")),
    }
}

/// The folder with the sources of the standard library: those of the compiler in use, else Debian's of the same version.
fn sources(shell: &Shell) -> Result<Option<String>, String> {
    if std::env::var(BEGIN).is_ok_and(|begin| begin == "debian") {
        return Ok(None);
    }
    let sysroot = shell.output(&["rustc", "--print", "sysroot"])?;
    let own = Path::new(sysroot.trim()).join("lib/rustlib/src/rust/library");
    let is_there = || own.join("Cargo.lock").is_file();
    if is_there()
        || (shell.succeeds(&["timeout", "120", "rustup", "component", "add", "rust-src"]) && is_there())
    {
        return Ok(Some(own.display().to_string()));
    }
    let version = shell.output(&["rustc", "--version"])?;
    let number = version.split_whitespace().nth(1).unwrap_or_default();
    let to = shell.target().join(DOWNLOADS).display().to_string();
    let sources = shell.output(&["sh", "xtask/sh/debian-rust-src.sh", &to, number]);
    Ok(sources.ok().map(|sources| sources.trim().to_owned()))
}

fn is_installed(shell: &Shell) -> bool {
    let folder = shell.output(&["rustc", "--print", "target-libdir", "--target", TARGET]).unwrap_or_default();
    let mut names =
        std::fs::read_dir(folder.trim()).into_iter().flatten().flatten().map(|entry| entry.file_name());
    names.any(|name| name.to_string_lossy().starts_with("libstd-"))
}

/// The names of all published crates that are checked by themselves. The viewer is compiled with the page ([`crate::web`]),
/// which chooses the features of its dependencies.
fn libraries(shell: &Shell) -> Result<Vec<String>, String> {
    let mut crates = published(shell)?;
    crates.retain(|one| one.folder.join("src/lib.rs").is_file() && one.name != "effigy-view");
    Ok(crates.into_iter().map(|one| one.name).collect())
}
