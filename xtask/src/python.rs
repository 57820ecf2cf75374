//! `cargo xtask python`: builds the wheel of `pyeffigy`, installs it into a fresh environment, and runs its tests there.
//!
//! Maturin builds the wheel and calls `cargo rustc` for one crate. Cargo would choose other features for the libraries than for the
//! tests of the whole workspace, and compile everything a second time, which takes minutes. So maturin is given this program as its
//! cargo: it builds the workspace as the tests did ([`as_cargo`]), of which only the crate of the wheel is left to compile.

use effigy_testkit::{Shell, TESTED, Task};
use std::path::Path;
use std::process::{Command, ExitCode};

/// The environment with the tools that build the wheel, and with Pillow where Python has none.
pub const ENVIRONMENT: &str = "target/python";
/// The environment that the wheel is installed into.
const FRESH: &str = "target/python-wheel";
/// The folder of the built wheel.
const WHEELS: &str = "target/wheels";
/// What is compiled, besides the libraries: the command, which the tests start, and a test. Without a test cargo would leave out the
/// features that only tests ask for.
const TARGETS: &[&str] = &["--lib", "--bin", "effigy", "--test", "cursor"];
/// The environment variable that names the real cargo while this program stands for it.
const CARGO: &str = "EFFIGY_CARGO";

fn program(environment: &str) -> String {
    let folder = if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" };
    format!("{environment}/{folder}")
}

/// Finds Python and installs what builds wheels.
pub fn find(shell: &mut Shell) -> Task {
    if !shell.succeeds(&["python3", "-c", "import sys; sys.exit(sys.version_info < (3, 11))"]) {
        return Err("Python 3.11 or later is missing".to_owned());
    }
    let python = program(ENVIRONMENT);
    let works = |shell: &Shell| shell.succeeds(&[&python, "-c", "import maturin"]);
    let install = |shell: &Shell| {
        (shell.root().join(&python).is_file() || shell.succeeds(&["python3", "-m", "venv", ENVIRONMENT]))
            && shell.succeeds(&[&python, "-m", "pip", "install", "--quiet", "maturin>=1.16,<2"])
    };
    if works(shell) || install(shell) || (shell.install("python3-venv").is_ok() && install(shell)) {
        return Ok(());
    }
    Err("maturin, which builds wheels, is missing and could not be installed".to_owned())
}

/// Builds the wheel, and tests it.
pub fn run(shell: &Shell) -> Task {
    let mut shell = shell.clone();
    let wheel = build(&shell)?;
    let (python, fresh) = (program(ENVIRONMENT), program(FRESH));
    shell.run(&[&python, "-m", "venv", "--clear", FRESH])?;
    // The version of pip that comes with Python asks to be replaced, which has nothing to do with the wheel.
    let install = [fresh.as_str(), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
    shell.run(&[install.as_slice(), &[&wheel, "pytest", "mypy"]].concat())?;
    shell.set("EFFIGY_COMMAND", &shell.program("debug", "effigy").display().to_string());
    shell.run(&[&fresh, "-m", "pytest", "--quiet", "python/tests"])?;
    shell.run(&[&fresh, "-m", "mypy.stubtest", "pyeffigy"])?;
    shell.run(&[&fresh, "-m", "mypy", "--strict", "-p", "pyeffigy"])?;
    // Says which packages the examples use that are not installed here.
    let settings = ["--config-file", "python/pyproject.toml"];
    let folders = ["python/examples", "python/bench"];
    shell.run(&[[fresh.as_str(), "-m", "mypy", "--strict"].as_slice(), &settings, &folders].concat())
}

/// Measures the wheel as it is released next to Rust, Pillow and assimp-py.
pub fn bench(shell: &Shell) -> Task {
    let wheel = wheel(shell.clone())?;
    let (python, fresh) = (program(ENVIRONMENT), program(FRESH));
    shell.run(&[&python, "-m", "venv", "--clear", FRESH])?;
    let install = [fresh.as_str(), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
    shell.run(&[install.as_slice(), &[&wheel, "pillow", "assimp-py"]].concat())?;
    shell.run(&[
        "cargo",
        "build",
        "--quiet",
        "--release",
        "--package",
        "effigy-python",
        "--example",
        "open_all",
    ])?;
    let rust = shell.program("release/examples", "open_all").display().to_string();
    shell.run(&[&fresh, "python/bench/speed.py", "--rust", &rust])
}

/// The path of the wheel, compiled like the tests.
pub fn build(shell: &Shell) -> Result<String, String> {
    let this = std::env::current_exe().map_err(|error| format!("this program: {error}"))?;
    let mut builder = shell.clone();
    builder.set(CARGO, &std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned()));
    builder.set("CARGO", &this.display().to_string());
    builder.set("MATURIN_PEP517_ARGS", "--profile dev");
    wheel(builder)
}

/// The path of the wheel, compiled as the variables of this shell say; without any, for a release.
fn wheel(mut shell: Shell) -> Result<String, String> {
    let wheels = shell.root().join(WHEELS);
    // Wheels of other versions are not to be installed.
    if wheels.exists() {
        std::fs::remove_dir_all(&wheels).map_err(|error| format!("{WHEELS}: {error}"))?;
    }
    let python = program(ENVIRONMENT);
    // Pip looks for maturin on the path.
    let tools = shell.root().join(&python).parent().map(Path::to_path_buf).unwrap_or_default();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let paths = std::iter::once(tools).chain(std::env::split_paths(&path));
    let path = std::env::join_paths(paths).map_err(|error| format!("PATH: {error}"))?;
    shell.set("PATH", &path.to_string_lossy());
    let pip = [python.as_str(), "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check"];
    let words = ["--no-deps", "--no-build-isolation", "--wheel-dir", WHEELS, "./python"];
    shell.run(&[pip.as_slice(), &words].concat())?;
    let files = std::fs::read_dir(&wheels).map_err(|error| format!("{WHEELS}: {error}"))?;
    let mut files = files.flatten().map(|file| file.path().display().to_string());
    files.find(|file| file.ends_with(".whl")).ok_or_else(|| format!("there is no wheel in {WHEELS}"))
}

/// Whether maturin started this program as its cargo.
pub fn is_cargo() -> bool {
    std::env::var_os(CARGO).is_some()
}

/// Stands for cargo: compiles the whole workspace where one crate is asked for, and leaves everything else to cargo.
pub fn as_cargo(words: &[&str]) -> ExitCode {
    let real = std::env::var(CARGO).unwrap_or_else(|_| "cargo".to_owned());
    let mut cargo = Command::new(&real);
    cargo.env("CARGO", &real).env_remove(CARGO);
    match words {
        ["rustc", rest @ ..] => {
            let messages = rest.iter().skip_while(|word| **word != "--message-format").take(2);
            cargo.arg("build").args(TESTED).args(TARGETS).args(messages);
        }
        _ => _ = cargo.args(words),
    }
    match cargo.status() {
        Ok(status) if status.success() => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}
