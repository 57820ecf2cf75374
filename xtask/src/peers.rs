//! `cargo xtask peers`: what other programs make of our files, and of the same files beside us.
//!
//! They come from npm and need no desktop: war3-model, mdx-m3-viewer, the Khronos validator.

use crate::shell::{Shell, Task};
use crate::test::EVERYTHING;
use std::path::{Path, PathBuf};

/// Where the npm packages are.
pub const PACKAGES: &str = "xtask/js";
/// Their names, as in package.json.
const NAMES: &[&str] = &["gltf-validator", "mdx-m3-viewer", "playwright-core", "war3-model"];
/// Where files for the peers go.
const FOLDER: &str = "target/peers";

/// Who must read the creature as MDL text, at which version, in which spelling. From 1000 on no spelling suits war3-model:
/// it wants braces around the rows of skin weights, as Retera's does, and `Name` for the name of a mesh, as the game's
/// does. mdx-m3-viewer ends at 1000.
const MDL_READERS: &[(&str, u32, &str)] = &[
    ("war3-model", 800, "warcraft3"),
    ("mdx-m3-viewer", 800, "warcraft3"),
    ("war3-model", 800, "retera"),
    ("mdx-m3-viewer", 1000, "warcraft3"),
];

/// All cross-checks.
pub fn run(shell: &Shell) -> Task {
    packages(shell)?;
    mdl(shell)?;
    sanity(shell)?;
    oracle(shell)
}

/// Installs the npm packages, once.
pub fn packages(shell: &Shell) -> Task {
    let modules = shell.root().join(PACKAGES).join("node_modules");
    if NAMES.iter().all(|name| modules.join(name).is_dir()) {
        return Ok(());
    }
    if !shell.succeeds(&["npm", "--version"]) {
        return Err("npm is missing: install Node.js to compare with other programs".to_owned());
    }
    shell.run(&["npm", "install", "--prefix", PACKAGES, "--no-audit", "--no-fund", "--loglevel=error"])
}

/// The corpus of real models, where there is one.
pub fn corpus(shell: &Shell) -> Option<PathBuf> {
    let beside = || shell.root().join("../shared/corpus");
    let folder = std::env::var_os("EFFIGY_CORPUS").map_or_else(beside, PathBuf::from);
    folder.is_dir().then_some(folder)
}

/// Builds what the cross-checks run, and says where one of it is.
///
/// The example is always among it: only with one does cargo count the features that tests ask of other crates, as it did
/// when it built the tests. Without them it would compile most crates again.
fn built(shell: &Shell, part: &str, name: &str) -> Result<String, String> {
    let programs = ["--bin", "effigy", "--example", "export_corpus"];
    shell.run(&[["cargo", "build", "--quiet"].as_slice(), &EVERYTHING, &programs].concat())?;
    Ok(shell.program(part, name).display().to_string())
}

fn effigy(shell: &Shell, words: &[&str]) -> Task {
    let program = built(shell, "debug", "effigy")?;
    shell.run(&[&[program.as_str()], words].concat())
}

/// Our text in each spelling, read by those that take it.
fn mdl(shell: &Shell) -> Task {
    let demo = format!("{FOLDER}/demo");
    effigy(shell, &["demo", &demo, "--all", "--force", "--quiet"])?;
    let mut wrong = Vec::new();
    for (reader, version, spelling) in MDL_READERS {
        let source = format!("{demo}/mdx-{version}-creature.mdx");
        let text = format!("{FOLDER}/creature-{version}-{spelling}.mdl");
        if !Path::new(&shell.root().join(&text)).exists() {
            effigy(shell, &["convert", &source, "-o", &text, "--dialect", spelling, "--quiet"])?;
        }
        let answer = shell.output(&["node", &format!("{PACKAGES}/mdl_peers.mjs"), &text])?;
        let fine = answer.contains(&format!("\"{reader}\":{{\"ok\":true}}"));
        shell.say(&format!(
            "{reader:<14} MDL {version} {spelling:<10} {}",
            if fine { "reads it" } else { "refuses it" }
        ));
        if !fine {
            wrong.push(format!("{reader} {version} {spelling}: {}", answer.trim()));
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

/// What the sanity test of mdx-m3-viewer calls an error must be found by `effigy check`, or be explained in docs/checks.md.
fn sanity(shell: &Shell) -> Task {
    let Some(corpus) = corpus(shell) else {
        shell.say("SKIPPED: no corpus (set EFFIGY_CORPUS)");
        return Ok(());
    };
    let models = corpus.display().to_string();
    let script = |name: &str| format!("{PACKAGES}/{name}");
    let theirs = shell.output(&["node", &script("sanity.mjs"), &models])?;
    let pattern = format!("{models}/**/*.mdx");
    let program = built(shell, "debug", "effigy")?;
    // Broken models make the command exit with 1, which is no reason to stop.
    let ours = shell.output_anyway(&[&program, "check", "--json", "--quiet", &pattern])?;
    let folder = shell.root().join(FOLDER);
    std::fs::create_dir_all(&folder).map_err(|error| format!("{FOLDER}: {error}"))?;
    let keep = |name: &str, text: &str| {
        std::fs::write(folder.join(name), text).map_err(|error| format!("{FOLDER}/{name}: {error}"))?;
        Ok::<_, String>(format!("{FOLDER}/{name}"))
    };
    let (theirs, ours) = (keep("sanity-theirs.ndjson", &theirs)?, keep("sanity-ours.ndjson", &ours)?);
    shell.run(&["node", &script("sanity-compare.mjs"), &theirs, &ours, "docs/checks.md"])
}

/// Node matrices beside those of mdx-m3-viewer: every difference has a reason.
///
/// Tested, by changing that one thing in the file: rotations whose length is not 1, keys out of order, both at once, and
/// nodes that refuse both rotation and scale. Classed by flags, because the viewer's answer cannot be used: what is at or
/// below nodes that refuse translation, and nodes that refuse rotation or scale below a scale that differs by axis or is
/// nothing.
fn oracle(shell: &Shell) -> Task {
    let Some(corpus) = corpus(shell) else {
        shell.say("SKIPPED: no corpus (set EFFIGY_CORPUS)");
        return Ok(());
    };
    // Later versions are unknown to the viewer.
    let parts = ["mdx-800", "mdx-900", "mdx-1000", "textured"];
    let parts = parts.map(|part| corpus.join(part).display().to_string());
    let folder = format!("{FOLDER}/nodes");
    let _ = std::fs::remove_dir_all(shell.root().join(&folder));
    let mut words = vec![folder.as_str()];
    words.extend(parts.iter().map(String::as_str));
    words.push("--nodes");
    export(shell, &words)?;
    shell
        .run(&["node", &format!("{PACKAGES}/oracle.mjs"), &folder])
        .map_err(|_| "node matrices differ without a known reason".to_owned())
}

/// Runs the example that exports models and writes what our sampler says of them.
pub fn export(shell: &Shell, words: &[&str]) -> Task {
    let program = built(shell, "debug/examples", "export_corpus")?;
    shell.run(&[&[program.as_str()], words].concat())
}

/// Every model of the corpus, and every sample, as glTF under the Khronos validator: no error, no warning.
pub fn validate_gltf(shell: &Shell) -> Task {
    packages(shell)?;
    let demo = format!("{FOLDER}/demo");
    effigy(shell, &["demo", &demo, "--all", "--force", "--quiet"])?;
    let folder = format!("{FOLDER}/gltf");
    let _ = std::fs::remove_dir_all(shell.root().join(&folder));
    let samples = format!("{folder}/samples/");
    effigy(shell, &["convert", &demo, "--to", "glb", "-o", &samples, "--quiet"])
        .or_else(|error| known(shell, &error))?;
    match corpus(shell) {
        None => shell.say("SKIPPED: no corpus (set EFFIGY_CORPUS); only the samples are checked"),
        Some(corpus) => {
            let (all, textured) = (format!("{folder}/corpus/"), format!("{folder}/textured/"));
            let (models, with) =
                (corpus.display().to_string(), corpus.join("textured").display().to_string());
            effigy(shell, &["convert", &models, "--to", "glb", "-o", &all, "--no-textures", "--quiet"])
                .or_else(|error| known(shell, &error))?;
            effigy(shell, &["convert", &with, "--to", "glb", "-o", &textured, "--quiet"])
                .or_else(|error| known(shell, &error))?;
        }
    }
    shell.run(&["node", &format!("{PACKAGES}/validate.mjs"), &folder])
}

/// Broken files make the command exit with 1 and do not stop the others; the validator looks at what was written.
fn known(shell: &Shell, error: &str) -> Task {
    shell.say(&format!("broken files, as expected: {error}"));
    Ok(())
}
