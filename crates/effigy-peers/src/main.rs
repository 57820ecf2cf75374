//! Compares Effigy with other programs: `effigy-peers npm|validate|blender|clients|gallery`, which `cargo xtask` runs.

use effigy_peers::{alpha, blender, clients, gallery, mdl, oracle, packages, sanity, validator};
use effigy_testkit::{Shell, Task, find_corpus, require};
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let shell = Shell::new();
    let result = match words.as_slice() {
        ["npm"] => npm(&shell),
        ["validate"] => packages(&shell).and_then(|()| validator::run(&shell)),
        ["blender"] => blender::run(&shell, false),
        ["blender", "--update"] => blender::run(&shell, true),
        ["clients", "--update"] => clients::run(&shell, true, &[]),
        ["clients", only @ ..] => clients::run(&shell, false, only),
        ["gallery", only @ ..] => gallery::run(&shell, only),
        _ => {
            shell.say("usage: effigy-peers npm | validate | blender [--update] | clients [--update | NAME...] | gallery [PART...]");
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

/// All comparisons with the programs from npm.
fn npm(shell: &Shell) -> Task {
    packages(shell)?;
    mdl::run(shell)?;
    alpha::run(shell).map_err(|error| format!("alpha: {error}"))?;
    let corpus = find_corpus();
    for (name, run) in [("sanity", sanity::run as fn(&Shell, &_) -> Task), ("oracle", oracle::run)] {
        match &corpus {
            Some(corpus) => run(shell, corpus).map_err(|error| format!("{name}: {error}"))?,
            None => {
                require("corpus", false, &format!("no corpus of real models for the comparison '{name}'"));
            }
        }
    }
    Ok(())
}
