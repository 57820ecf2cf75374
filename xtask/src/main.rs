//! The project's own tasks: `cargo xtask test`, `bench`, `docs`, `fuzz`, `peers`, `blender`, `gallery`.
//!
//! Without features this is a small program that starts other programs. `bench` and `docs` need the project itself,
//! so they build xtask once more with the feature of that name.

#[cfg(feature = "bench")]
mod bench;
mod blender;
#[cfg(feature = "docs")]
mod docs;
mod files;
mod fuzz;
mod gallery;
mod peers;
mod shell;
mod test;

use shell::{Shell, Task};
use std::process::ExitCode;

const HELP: &str = "\
The project's own tasks.

Usage: cargo xtask TASK

  test              format check, clippy, every test, doc tests, generated docs; what CI runs
  bench [--json]    measure beside the peers, in one run
  docs [--check]    write the generated tables in docs/ and README.md, or check that they are up to date
  fuzz SECONDS      run every fuzz target for this long
  peers             compare with war3-model and mdx-m3-viewer (npm)
  blender           compare exported models in Blender (PyPI bpy) with our own poses; `--update` writes the numbers anew
  gallery           our pictures beside those of other viewers, as contact sheets in target/gallery
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let shell = Shell::new();
    let result = match words.as_slice() {
        [] | ["help" | "--help" | "-h"] => {
            shell.print(HELP);
            Ok(())
        }
        ["test"] => test::run(&shell),
        ["peers"] => peers::run(&shell),
        ["blender"] => blender::run(&shell, false),
        ["blender", "--update"] => blender::run(&shell, true),
        ["gallery"] => gallery::run(&shell),
        #[cfg(feature = "bench")]
        [bench::m2::PEER_READS, path] => bench::m2::peer_reads(path),
        ["bench", rest @ ..] => bench(&shell, rest),
        ["docs"] => docs(&shell, false),
        ["docs", "--check"] => docs(&shell, true),
        ["fuzz", seconds] => match seconds.parse() {
            Ok(seconds) => fuzz::run(&shell, seconds),
            Err(_) => Err(format!("'{seconds}' is no number of seconds")),
        },
        other => {
            shell.say(&format!(
                "error: there is no task `{}`; `cargo xtask help` lists them",
                other.join(" ")
            ));
            return ExitCode::from(2);
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            shell.say(&format!("error: {message}"));
            ExitCode::FAILURE
        }
    }
}

#[cfg(feature = "bench")]
fn bench(shell: &Shell, arguments: &[&str]) -> Task {
    bench::run(shell, arguments)
}

#[cfg(not(feature = "bench"))]
fn bench(shell: &Shell, arguments: &[&str]) -> Task {
    shell.again("bench", &[&["bench"], arguments].concat())
}

#[cfg(feature = "docs")]
fn docs(shell: &Shell, check: bool) -> Task {
    docs::run(shell, check)
}

#[cfg(not(feature = "docs"))]
fn docs(shell: &Shell, check: bool) -> Task {
    shell.again("docs", if check { &["docs", "--check"] } else { &["docs"] })
}
