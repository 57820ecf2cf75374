//! Compares Effigy with other programs: `effigy-peers npm|validate|blender|extension|clients|gallery|raised`, which `cargo xtask` runs.

use effigy_peers::{
    alpha, blender, clients, extension, gallery, mdl, oracle, packages, raised, sanity, validator,
};
use effigy_testkit::{Shell, Task, find_corpus, require};
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let shell = Shell::new();
    let result = match words.as_slice() {
        ["npm"] => npm(&shell, false),
        ["npm", "--all"] => npm(&shell, true),
        ["converted"] | ["converted", "--all"] => match find_corpus() {
            Some(corpus) => packages(&shell).and_then(|()| raised::run(&shell, &corpus, words.len() > 1)),
            None => Err("there is no corpus (set EFFIGY_CORPUS)".to_owned()),
        },
        ["validate"] => packages(&shell).and_then(|()| validator::run(&shell)),
        ["extension", wheel] => extension::run(&shell, wheel),
        ["blender"] => blender::run(&shell, false),
        ["blender", "--update"] => blender::run(&shell, true),
        ["clients", "--update"] => clients::run(&shell, true, &[]),
        ["clients", only @ ..] => clients::run(&shell, false, only),
        ["gallery", only @ ..] => gallery::run(&shell, only),
        ["raised"] => raised::pictures(&shell),
        _ => {
            shell.say("usage: effigy-peers npm [--all] | converted [--all] | validate | blender [--update] | extension WHEEL | clients [--update | NAME...] | gallery [PART...] | raised");
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

/// All comparisons with the programs from npm. Converted models are a spread, or all that can be made.
fn npm(shell: &Shell, all: bool) -> Task {
    packages(shell)?;
    mdl::run(shell)?;
    alpha::run(shell).map_err(|error| format!("alpha: {error}"))?;
    let corpus = find_corpus();
    let raised: &dyn Fn(&Shell, &Path) -> Task = &|shell, corpus| raised::run(shell, corpus, all);
    for (name, run) in [
        ("sanity", &sanity::run as &dyn Fn(&Shell, &Path) -> Task),
        ("oracle", &oracle::run),
        ("raised", raised),
    ] {
        match &corpus {
            Some(corpus) => run(shell, corpus).map_err(|error| format!("{name}: {error}"))?,
            None => {
                require("corpus", false, &format!("no corpus of real models for the comparison '{name}'"));
            }
        }
    }
    Ok(())
}
