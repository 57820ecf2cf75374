//! `cargo xtask clients`: exported models in the programs that people open them with.
//!
//! Every model of the corpus, and three whole soldiers with what they carry, is exported at the defaults and opened in three.js (headless Chromium), the crate `gltf`,
//! assimp and Blender. three.js and Blender also show each model at rest and at five times in up to four sequences, and every
//! vertex is compared with our own sampler, global sequences on. The numbers are in a ratchet and may only become smaller.

mod inputs;
mod ratchet;

use crate::{blender, built, empty, export, gallery, packages, script, soldiers, validator};
use effigy_testkit::{Shell, Task, files, find_corpus, index, require};
use ratchet::{Outcome, Ratchet};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

const RATCHET: &str = "crates/effigy-peers/clients.ratchet";
/// Formats of the index that can be exported.
const FORMATS: &[&str] = &["mdx", "mdl", "m2", "mdc", "md3"];
/// Folders of the corpus without models: single records, archives, pictures, and parts of models of another folder.
const OTHER: &[&str] = &["record-fixtures", "archives", "textures", "m2-companions"];

/// What assimp says about files without a mesh.
const NO_MESH: &str = "No materials remaining";

/// A program that opens models.
struct Client {
    name: &'static str,
    /// Opens every model of a folder and writes a line per model to a file. An error is why it cannot run at all.
    open: fn(&Shell, folder: &str, results: &str) -> Task,
}

const CLIENTS: &[Client] = &[
    Client { name: "three.js", open: three },
    Client { name: "gltf", open: crate_gltf },
    Client { name: "assimp", open: assimp },
    Client { name: "blender", open: blender::open },
];

/// The word for a run with the soldiers alone.
const SOLDIERS: &str = "soldiers";
/// Files of other programs in three.js: a part of a run of three.js, and a run of its own.
const INPUTS: &str = "inputs";

/// Exports everything, opens it everywhere and compares with the ratchet. `update` writes the numbers of this run to the
/// ratchet. `only` restricts the run to these clients, and to the soldiers if it has that word.
pub fn run(shell: &Shell, update: bool, only: &[&str]) -> Task {
    let alone = only.contains(&SOLDIERS);
    let only: Vec<&str> = only.iter().copied().filter(|word| *word != SOLDIERS).collect();
    let is_known = |name: &str| name == INPUTS || CLIENTS.iter().any(|client| client.name == name);
    if let Some(unknown) = only.iter().find(|name| !is_known(name)) {
        let known: Vec<&str> = CLIENTS.iter().map(|client| client.name).chain([INPUTS, SOLDIERS]).collect();
        return Err(format!("there is no client '{unknown}', only {}", known.join(", ")));
    }
    if !alone && (only.is_empty() || only.contains(&INPUTS) || only.contains(&"three.js")) {
        inputs::run(shell)?;
    }
    if only == [INPUTS] {
        return Ok(());
    }
    let folder = if alone {
        let folder = empty(shell, "clients")?;
        export_models(shell, &folder, &[])?;
        folder
    } else {
        let Some(corpus) = find_corpus() else {
            require("corpus", false, "no corpus of real models for the clients of glTF");
            return Ok(());
        };
        export_all(shell, &corpus)?
    };
    let mut found: BTreeMap<&str, BTreeMap<String, Outcome>> = BTreeMap::new();
    for client in CLIENTS.iter().filter(|client| only.is_empty() || only.contains(&client.name)) {
        let results = format!("{folder}/{}.ndjson", client.name);
        if let Err(why) = (client.open)(shell, &folder, &results) {
            require(client.name, false, &why);
            continue;
        }
        let path = shell.root().join(&results);
        let text = std::fs::read_to_string(&path).map_err(|error| format!("{results}: {error}"))?;
        found.insert(client.name, ratchet::outcomes(&text)?);
    }
    let names: Vec<String> = files(&shell.root().join(&folder), |name| name.ends_with(".glb"))
        .iter()
        .filter_map(|path| path.strip_prefix(shell.root().join(&folder)).ok())
        .map(|path| path.with_extension("").to_string_lossy().replace('\\', "/"))
        .collect();
    let path = shell.root().join(RATCHET);
    let old = Ratchet::parse(&std::fs::read_to_string(&path).unwrap_or_default())?;
    if alone {
        return report_soldiers(shell, &names, &found, &old);
    }
    let new = Ratchet::of(&names, &found);
    shell.print(&new.summary(&found));
    let mut problems = new.problems(&old, &names, &found);
    if update {
        let whole = found.len() == CLIENTS.len();
        if !whole {
            return Err("the ratchet is written by a run of all clients".to_owned());
        }
        std::fs::write(&path, new.print()).map_err(|error| format!("{RATCHET}: {error}"))?;
        problems.retain(|problem| !problem.is_worse);
    }
    for problem in &problems {
        shell.say(&problem.text);
    }
    if problems.is_empty() { Ok(()) } else { Err(format!("{} problems", problems.len())) }
}

/// Prints how far each soldier is off in each client. More than the ratchet allows, or a soldier that does not open, is an
/// error.
fn report_soldiers(
    shell: &Shell,
    names: &[String],
    found: &BTreeMap<&str, BTreeMap<String, Outcome>>,
    old: &Ratchet,
) -> Task {
    let mut wrong = 0;
    for (client, outcomes) in found {
        for name in names {
            let outcome = outcomes.get(name).cloned().unwrap_or_default();
            let is_known = outcomes.contains_key(name);
            let text = match (&outcome.error, outcome.off) {
                (Some(error), _) => format!("does not open: {error}"),
                (None, Some(off)) => format!("off by {off:.1e} ({})", outcome.place),
                (None, None) => "opens".to_owned(),
            };
            wrong += usize::from(!is_known || outcome.error.is_some() || !outcome.seen.is_empty());
            wrong += usize::from(outcome.off.is_some_and(|off| off > old.limit(client, name)));
            shell.print(&format!("{client:<10} {name:<16} {text}\n"));
        }
    }
    if wrong == 0 { Ok(()) } else { Err(format!("{wrong} problems")) }
}

/// Exports models with their poses, and the soldiers.
fn export_models(shell: &Shell, folder: &str, more: &[&str]) -> Task {
    let soldiers = soldiers::all();
    let one = |soldier: &soldiers::Soldier| {
        format!("--soldier={}={}+{}", soldier.name, soldier.path, soldier.weapon)
    };
    let soldiers: Vec<String> = soldiers.iter().map(one).collect();
    let mut words = vec![folder, "--expect", "--textures"];
    words.extend(more);
    words.extend(soldiers.iter().map(String::as_str));
    export(shell, &words)?;
    let is_there = |name: &&String| {
        let name = name.trim_start_matches("--soldier=").split('=').next().unwrap_or_default();
        shell.root().join(folder).join(format!("{name}.glb")).is_file()
    };
    match soldiers.iter().find(|name| !is_there(name)) {
        Some(missing) => Err(format!("{missing} was not exported")),
        None => Ok(()),
    }
}

/// Exports every model of the corpus, and those with textures once more with their pictures. Every sound model must be written.
fn export_all(shell: &Shell, corpus: &Path) -> Result<String, String> {
    let folder = empty(shell, "clients")?;
    let root = format!("--root={}", corpus.display());
    let parts = std::fs::read_dir(corpus).map_err(|error| format!("{}: {error}", corpus.display()))?;
    let mut parts: Vec<PathBuf> =
        parts.flatten().map(|entry| entry.path()).filter(|it| it.is_dir()).collect();
    parts.retain(|path| !OTHER.iter().any(|other| path.ends_with(other)));
    parts.sort();
    let parts: Vec<String> = parts.iter().map(|path| path.display().to_string()).collect();
    let mut words = vec![root.as_str()];
    words.extend(parts.iter().map(String::as_str));
    export_models(shell, &folder, &words)?;
    let is_model = |name: &str| FORMATS.iter().any(|end| name.ends_with(&format!(".{end}")));
    let mut sound: Vec<PathBuf> = index(corpus)
        .into_iter()
        .filter(|entry| FORMATS.contains(&entry.format.as_str()) && !entry.is_malformed())
        .filter(|entry| !OTHER.iter().any(|other| entry.name.starts_with(&format!("{other}/"))))
        .map(|entry| entry.path)
        .collect();
    sound.extend(files(&corpus.join("textured"), is_model));
    let exported = |path: &Path| {
        let name = path.strip_prefix(corpus).unwrap_or(path).to_string_lossy().replace(['/', '\\', ' '], "_");
        let name = name.trim_start_matches(['.', '_']);
        shell.root().join(&folder).join(format!("{name}.glb")).is_file()
    };
    let missing: Vec<String> =
        sound.iter().filter(|path| !exported(path)).map(|path| path.display().to_string()).collect();
    if !missing.is_empty() {
        return Err(format!("{} models were not exported:\n  {}", missing.len(), missing.join("\n  ")));
    }
    let textured = corpus.join("textured");
    let mut models = files(&textured, is_model);
    models.retain(|path| !validator::is_m2(path) || !validator::lacks_skin(path));
    let to = format!("{folder}/with-textures");
    validator::convert(shell, &textured.display().to_string(), &to, &[], &models)?;
    Ok(folder)
}

fn three(shell: &Shell, folder: &str, results: &str) -> Task {
    packages(shell)?;
    let browser = gallery::browser(shell)?;
    shell.run(&["node", &script("clients.mjs"), &browser, folder, results])
}

fn crate_gltf(shell: &Shell, folder: &str, results: &str) -> Task {
    let program = built(shell, "debug/examples", "open_gltf")?;
    shell.run(&[&program, folder, results])
}

/// Starts assimp for each model, which takes a tenth of a second: a model that crashes it costs no other.
fn assimp(shell: &Shell, folder: &str, results: &str) -> Task {
    if !shell.succeeds(&["assimp", "version"]) {
        shell.install("assimp-utils")?;
    }
    let root = shell.root().join(folder);
    let mut lines = String::new();
    for path in files(&root, |name| name.ends_with(".glb")) {
        let name = path.strip_prefix(&root).unwrap_or(&path).with_extension("");
        let mut line = serde_json::json!({ "name": name.to_string_lossy().replace('\\', "/") });
        let file = path.display().to_string();
        let mut opened = shell.code_and_output(&["assimp", "info", &file, "-s"]);
        // Its last step refuses every file without a mesh: such a file (cameras, lights, tags) is opened without that step.
        if matches!(&opened, Ok((code, text)) if *code != 0 && text.contains(NO_MESH)) {
            opened = shell.code_and_output(&["assimp", "info", &file, "-s", "-r"]);
        }
        let error = match opened {
            Ok((0, _)) => None,
            Ok((code, output)) => {
                let last = output.lines().rfind(|line| !line.trim().is_empty()).unwrap_or_default();
                Some(format!("exit code {code}: {last}"))
            }
            Err(crash) => Some(crash),
        };
        if let (Some(error), Some(line)) = (error, line.as_object_mut()) {
            line.insert("error".to_owned(), error.into());
        }
        lines.push_str(&format!("{line}\n"));
    }
    std::fs::write(shell.root().join(results), lines).map_err(|error| format!("{results}: {error}"))
}
