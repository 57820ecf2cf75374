//! `cargo xtask test`: everything that must hold before a change lands. CI runs exactly this.
//!
//! A step that needs something which is not there installs it where it can, and otherwise fails with one line that
//! says what to install. No step is left out in silence.

use crate::shell::{Shell, Task};
use std::time::Instant;

/// One thing that must hold.
struct Step {
    name: &'static str,
    run: fn(&Shell) -> Task,
}

/// In the order in which they fail fastest. Tests in other languages are added here.
const STEPS: &[Step] = &[
    Step { name: "format", run: format },
    Step { name: "clippy", run: clippy },
    Step { name: "graphics", run: graphics },
    Step { name: "tests", run: tests },
    Step { name: "doc tests", run: doc_tests },
    Step { name: "features", run: features },
    Step { name: "generated docs", run: generated_docs },
    Step { name: "glTF validator", run: gltf },
    Step { name: "peers", run: crate::peers::run },
];

/// Runs all steps; the first that fails ends it.
pub fn run(shell: &Shell) -> Task {
    let start = Instant::now();
    for step in STEPS {
        let begin = Instant::now();
        shell.say(&format!("== {}", step.name));
        (step.run)(shell).map_err(|error| format!("{}: {error}", step.name))?;
        shell.say(&format!("== {} took {:.1} s", step.name, begin.elapsed().as_secs_f64()));
    }
    shell.say(&format!("all {} steps passed in {:.0} s", STEPS.len(), start.elapsed().as_secs_f64()));
    Ok(())
}

fn component(shell: &Shell, command: &str, name: &str) -> Task {
    if shell.succeeds(&["cargo", command, "--version"]) {
        return Ok(());
    }
    shell
        .run(&["rustup", "component", "add", name])
        .map_err(|_| format!("cargo {command} is missing: install it with `rustup component add {name}`"))
}

fn format(shell: &Shell) -> Task {
    component(shell, "fmt", "rustfmt")?;
    shell.run(&["cargo", "fmt", "--all", "--check"])
}

fn clippy(shell: &Shell) -> Task {
    component(shell, "clippy", "clippy")?;
    shell.run(&["cargo", "clippy", "--workspace", "--all-targets", "--all-features", "--", "-D", "warnings"])
}

/// Pictures are tested on a software driver, which Linux gets here; without one those tests say that they are skipped.
fn graphics(shell: &Shell) -> Task {
    let has_driver = ["/usr/share/vulkan/icd.d", "/etc/vulkan/icd.d"]
        .iter()
        .any(|folder| std::fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some()));
    if has_driver || !cfg!(target_os = "linux") {
        return Ok(());
    }
    if install(shell, "mesa-vulkan-drivers", &["false"]).is_err() {
        shell.say("SKIPPED: no Vulkan driver and none could be installed: tests of pictures will not run");
    }
    Ok(())
}

/// What the tests are built of. Other builds name the same, so that nothing is compiled again with other features.
pub const EVERYTHING: [&str; 3] = ["--workspace", "--features", "xtask/docs"];

fn tests(shell: &Shell) -> Task {
    if shell.succeeds(&["cargo", "nextest", "--version"]) {
        let words = ["--no-fail-fast", "--status-level", "fail", "--final-status-level", "fail"];
        shell.run(&[["cargo", "nextest", "run"].as_slice(), EVERYTHING.as_slice(), &words].concat())
    } else {
        shell.say("cargo-nextest is not installed: the slower `cargo test` does the same");
        shell.run(
            &[
                ["cargo", "test"].as_slice(),
                EVERYTHING.as_slice(),
                &["--all-targets", "--no-fail-fast", "--quiet"],
            ]
            .concat(),
        )
    }
}

fn doc_tests(shell: &Shell) -> Task {
    shell.run(&["cargo", "test", "--workspace", "--doc", "--quiet"])
}

/// The facade builds with no format, and says so, instead of only with all of them.
fn features(shell: &Shell) -> Task {
    shell.run(&["cargo", "check", "--package", "effigy", "--no-default-features", "--quiet"])
}

fn generated_docs(shell: &Shell) -> Task {
    shell.run(&[
        "cargo",
        "run",
        "--quiet",
        "--package",
        "xtask",
        "--bin",
        "xtask",
        "--features",
        "docs",
        "--",
        "docs",
        "--check",
    ])
}

/// The Khronos validator over everything that is exported; the parts that need npm install themselves.
fn gltf(shell: &Shell) -> Task {
    if !shell.succeeds(&["npm", "--version"]) {
        install(shell, "npm", &["npm", "--version"])?;
    }
    crate::peers::validate_gltf(shell)
}

/// Installs a system package as root, or does it the user's way, or says what to install.
pub fn install(shell: &Shell, package: &str, other_way: &[&str]) -> Task {
    let as_root = || shell.succeeds(&["apt-get", "install", "--yes", "--no-install-recommends", package]);
    if as_root() || (shell.succeeds(&["apt-get", "update"]) && as_root()) || shell.succeeds(other_way) {
        return Ok(());
    }
    Err(format!("{package} is missing and could not be installed: install it and run this again"))
}
