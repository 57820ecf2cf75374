//! The project's own tasks, such as `cargo xtask test`. `cargo xtask help` lists them.
//!
//! This is a small program that starts others, so that it builds in seconds: benchmarks are in `effigy-bench`, comparisons
//! with other programs in `effigy-peers`. Only `docs` needs the project's libraries, and builds xtask once more with the
//! feature of that name.

mod book;
mod dist;
#[cfg(feature = "docs")]
mod docs;
mod fuzz;
mod mutants;
mod package;
mod python;
mod setup;
mod site;
mod test;
mod viewer;
mod wasm;
mod web;
mod window;

use effigy_testkit::{Shell, Task};
use std::process::ExitCode;

const HELP: &str = "\
The project's own tasks.

Usage: cargo xtask TASK

  test                     everything that CI runs: format, clippy, all tests, docs, packages, wasm, Python, peers
  bench [--json] [NAME...] measure Effigy and its peers in the same run; `bench python`: the package next to Rust, Pillow and assimp-py
  dist                     an archive with the program and what belongs to it, and a Debian package, in target/dist
  docs [--check]           write the generated tables in docs/ and README.md, or check that they are up to date
  hostile [COUNT [SEED]]   damaged files through every command under a limit of memory (2,000 and seed 1 in `test`)
  fuzz SECONDS [TARGET...] run the fuzz targets, each for this long; `--list` shows them
  mutants                  change the code in small ways and count which changes no test notices
                           (--file PATTERN, --sample N, --shard K/N; see docs/testing.md)
  package                  pack every publishable crate as for a release
  peers [--all]            compare with war3-model and mdx-m3-viewer (npm), and have converted models read by wc3, wow-m2 and assimp:
                           a spread of them, or all
  blender [--update]       compare exported models in Blender (PyPI bpy) with our own poses, or store the numbers
  extension                build the extension for Blender, install it into Blender (PyPI bpy) and compare what it imports and exports
  clients [--update|NAME...] open exported models in three.js, the crate gltf, assimp and Blender, and compare their poses with ours
  gallery [PART...]        our pictures next to those of other viewers, as contact sheets in target/gallery; parts: users, viewers, three.js
  python                   build the wheel of pyeffigy, install it into a fresh environment and test it there
  raised                   pictures of models before and after they were converted into Warcraft III, in target/raised
  site                     the web page, the samples, the documentation and the libraries' reference for any web server, in target/site
  viewer                   pictures of the viewer's window in target/viewer, and docs/images/viewer.png
  viewer session [--release] `effigy view` in a real window without a screen (Xvfb), used by keys and mouse, and timed
  wasm                     check every library and the web page for wasm32-unknown-unknown
  web build                the viewer as a web page in target/web/site, and as an npm package in target/web/npm
  web serve [PORT]         build it and serve it at http://127.0.0.1:8080/
  web test [--only=WORD]   build it and try it in a headless Chromium; --measure prints sizes and times instead,
                           --random MINUTES [--seed N] uses it at random for so long
  web picture              docs/images/page.png, the page as the documentation shows it
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    if python::is_cargo() {
        return python::as_cargo(&words);
    }
    let mut shell = Shell::new();
    let result = match words.as_slice() {
        [] | ["help" | "--help" | "-h"] => {
            shell.print(HELP);
            Ok(())
        }
        ["test"] => test::run(&mut shell),
        ["peers"] => peers(&shell, &["npm"]),
        ["peers", "--all"] => peers(&shell, &["npm", "--all"]),
        ["extension"] => {
            let wheel = python::find(&mut shell).and_then(|()| python::build(&shell));
            wheel.and_then(|wheel| peers(&shell, &["extension", &wheel]))
        }
        ["blender"] | ["blender", "--update"] | ["clients", ..] | ["gallery", ..] | ["raised"] => {
            peers(&shell, &words)
        }
        ["bench", "python"] => python::find(&mut shell).and_then(|()| python::bench(&shell)),
        ["bench", rest @ ..] => {
            let run = ["cargo", "run", "--quiet", "--release", "--package", "effigy-bench", "--"];
            shell.run(&[run.as_slice(), rest].concat())
        }
        ["dist"] => dist::run(&shell),
        ["docs"] => docs(&shell, false),
        ["docs", "--check"] => docs(&shell, true),
        ["hostile", rest @ ..] => hostile(&mut shell, rest),
        ["fuzz", "--list"] => fuzz::list(&shell),
        ["fuzz", seconds, targets @ ..] => match seconds.parse() {
            Ok(seconds) => fuzz::run(&shell, seconds, targets),
            Err(_) => Err(format!("'{seconds}' is not a number of seconds")),
        },
        ["mutants", rest @ ..] => mutants::run(&mut shell, rest),
        ["package"] => package::run(&shell),
        ["python"] => python::find(&mut shell).and_then(|()| python::run(&shell)),
        ["viewer"] => viewer::run(&mut shell),
        ["site"] => site::run(&mut shell),
        ["viewer", "session"] => window::run(&shell, false),
        ["viewer", "session", "--release"] => window::run(&shell, true),
        ["web", rest @ ..] => web::run(&mut shell, rest),
        ["wasm"] => wasm::find(&mut shell).and_then(|()| wasm::run(&shell)),
        other => {
            let task = other.join(" ");
            shell.say(&format!("error: there is no task `{task}`; `cargo xtask help` lists them"));
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

/// Damaged files through every command: any number of them, where the tests run a few thousand.
fn hostile(shell: &mut Shell, words: &[&str]) -> Task {
    if words.len() > 2 || words.iter().any(|word| word.parse::<u64>().is_err()) {
        return Err("hostile takes a number of files and a seed".to_owned());
    }
    shell.set("EFFIGY_HOSTILE", &words.join(","));
    let run = ["cargo", "test", "--package", "effigy-cli", "--test", "all", "--", "hostile::", "--nocapture"];
    shell.run(&run)
}

/// Runs a comparison with other programs.
fn peers(shell: &Shell, words: &[&str]) -> Task {
    let run = ["cargo", "run", "--quiet", "--package", "effigy-peers", "--"];
    shell.run(&[run.as_slice(), words].concat())
}

#[cfg(feature = "docs")]
fn docs(shell: &Shell, check: bool) -> Task {
    docs::run(shell, check)
}

/// Builds xtask once more with the feature that is missing. The target folder is another one, because some systems cannot
/// replace a program that is running.
#[cfg(not(feature = "docs"))]
fn docs(shell: &Shell, check: bool) -> Task {
    let run = ["cargo", "run", "--quiet", "--release", "--package", "xtask", "--features", "docs"];
    let task = ["--target-dir", "target/xtask", "--", "docs"];
    shell.run(&[run.as_slice(), &task, if check { &["--check"] } else { &[] }].concat())
}
