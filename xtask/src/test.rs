//! `cargo xtask test`: everything that must hold before a change is merged. CI runs exactly this.
//!
//! What a step needs is found or installed first ([`crate::setup`]). Without it the step or the test is skipped, and the end
//! of the run says how many were skipped and why.

use crate::setup::Setup;
use crate::{fuzz, package, python, wasm};
use effigy_testkit::{Shell, TESTED, Task};
use std::collections::BTreeMap;
use std::time::Instant;

/// One thing that must hold.
struct Step {
    name: &'static str,
    /// What the step cannot run without, as in `EFFIGY_REQUIRE`; empty for nothing.
    needs: &'static str,
    run: fn(&Shell) -> Task,
}

/// In the order in which they fail fastest.
const STEPS: &[Step] = &[
    Step { name: "format", needs: "", run: format },
    Step { name: "clippy", needs: "", run: clippy },
    Step { name: "tests", needs: "", run: tests },
    Step { name: "doc tests", needs: "", run: doc_tests },
    Step { name: "python", needs: "python", run: python::run },
    Step { name: "features", needs: "", run: features },
    Step { name: "fuzz targets", needs: "", run: fuzz::check },
    Step { name: "packages", needs: "", run: package::run },
    Step { name: "wasm", needs: "wasm", run: wasm::run },
    Step { name: "glTF validator", needs: "node", run: validate },
    Step { name: "peers", needs: "node", run: peers },
];

/// Runs all steps and stops at the first that fails.
pub fn run(shell: &mut Shell) -> Task {
    let start = Instant::now();
    // A machine that builds once has no use for what makes the next build faster, nor for what a debugger needs. With both
    // the target folder was 19 GB, without them it is 4.
    if std::env::var_os("CI").is_some() {
        ["CARGO_INCREMENTAL", "CARGO_PROFILE_DEV_DEBUG", "CARGO_PROFILE_TEST_DEBUG"]
            .into_iter()
            .for_each(|name| shell.set(name, "0"));
    }
    let setup = Setup::prepare(shell)?;
    let mut skipped_steps = Vec::new();
    let mut result = Ok(());
    for step in STEPS {
        if let Some(why) = setup.missing(step.needs) {
            shell.say(&format!("== {} is skipped: {why}", step.name));
            skipped_steps.push(format!("the step '{}' needs {}: {why}", step.name, step.needs));
            continue;
        }
        let begin = Instant::now();
        shell.say(&format!("== {}", step.name));
        result = (step.run)(shell).map_err(|error| format!("{}: {error}", step.name));
        if result.is_err() {
            break;
        }
        shell.say(&format!("== {} took {:.1} s", step.name, begin.elapsed().as_secs_f64()));
    }
    let skipped = setup.skipped(shell);
    let mut reasons: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for skip in &skipped {
        *reasons.entry((&skip.thing, &skip.why)).or_default() += 1;
    }
    for ((thing, why), tests) in reasons {
        shell.say(&format!("SKIPPED: {tests} tests need {thing}: {why}"));
    }
    skipped_steps.iter().for_each(|step| shell.say(&format!("SKIPPED: {step}")));
    result?;
    shell.say(&format!(
        "{} steps passed in {:.0} s; {} steps and {} tests were skipped",
        STEPS.len() - skipped_steps.len(),
        start.elapsed().as_secs_f64(),
        skipped_steps.len(),
        skipped.len()
    ));
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
    shell.run(&["cargo", "fmt", "--all", "--check"])?;
    shell.run(&["cargo", "fmt", "--manifest-path", "fuzz/Cargo.toml", "--check"])
}

fn clippy(shell: &Shell) -> Task {
    component(shell, "clippy", "clippy")?;
    shell.run(&["cargo", "clippy", "--workspace", "--all-targets", "--all-features", "--", "-D", "warnings"])
}

fn tests(shell: &Shell) -> Task {
    let (first, last): (&[&str], &[&str]) = if shell.succeeds(&["cargo", "nextest", "--version"]) {
        let last = &["--no-fail-fast", "--status-level", "fail", "--final-status-level", "fail"];
        (&["cargo", "nextest", "run"], last)
    } else {
        shell.say("cargo-nextest is not installed: `cargo test` does the same, but slower");
        (&["cargo", "test"], &["--all-targets", "--no-fail-fast", "--quiet"])
    };
    shell.run(&[first, TESTED, last].concat())
}

fn doc_tests(shell: &Shell) -> Task {
    // With the features of the other tests, so that nothing is compiled a second time.
    shell.run(&[&["cargo", "test"], TESTED, &["--doc", "--quiet"]].concat())
}

/// The facade also builds without any format.
fn features(shell: &Shell) -> Task {
    shell.run(&["cargo", "check", "--package", "effigy", "--no-default-features", "--quiet"])
}

fn validate(shell: &Shell) -> Task {
    crate::peers(shell, &["validate"])
}

fn peers(shell: &Shell) -> Task {
    crate::peers(shell, &["npm"])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tests of a crate are modules of one program; a file that nobody names there would never run.
    #[test]
    fn every_file_with_tests_is_part_of_a_program() {
        let mut programs = 0;
        for entry in std::fs::read_dir(Shell::new().root().join("crates")).unwrap() {
            let folder = entry.unwrap().path().join("tests");
            let Ok(program) = std::fs::read_to_string(folder.join("main.rs")) else { continue };
            programs += 1;
            for file in std::fs::read_dir(&folder).unwrap() {
                let path = file.unwrap().path();
                let name = path.file_stem().unwrap().to_string_lossy().into_owned();
                let is_module =
                    path.extension().is_some_and(|it| it == "rs") || path.join("mod.rs").is_file();
                let named = program.lines().any(|line| line == format!("mod {name};"));
                assert!(named || !is_module || name == "main", "{} is not in main.rs", path.display());
            }
        }
        assert!(programs >= 15, "{programs} programs were looked at");
    }
}
