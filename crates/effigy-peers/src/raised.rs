//! Models that were converted into another game, read by the programs of that game.
//!
//! World of Warcraft and glTF models become MDX of three versions, Warcraft III models M2 of two, and some of each MD3. The crate `wc3`,
//! war3-model, mdx-m3-viewer with its sanity test, the crate `wow-m2` and assimp have to read the results, `effigy check` must not
//! find anything severe in them, and a second conversion has to give the same bytes.

use crate::wow_m2::{Reader, Reading};
use crate::{built, empty, script, validator};
use effigy_testkit::{GLTF_INPUTS, Shell, Task, files, find_corpus, require};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// One group of conversions.
struct Group {
    /// Where the models come from.
    inputs: fn(&Path) -> Vec<PathBuf>,
    targets: &'static str,
    /// Results that must at least be there for each target, of all models.
    least: usize,
}

const GROUPS: &[Group] = &[
    Group { inputs: world, targets: "mdx:800,mdx:1000,mdx:1100", least: 47 },
    Group { inputs: gltf, targets: "mdx:800,mdx:1000,mdx:1100", least: 90 },
    Group { inputs: warcraft, targets: "m2:256,m2:264", least: 250 },
    Group { inputs: everything, targets: "md3", least: 100 },
];

/// Of so many models of a group every part of this many is converted in the short run.
const SPREAD: usize = 6;

fn with_extension(folder: &Path, extensions: &[&str]) -> Vec<PathBuf> {
    files(folder, |name| extensions.iter().any(|it| name.to_ascii_lowercase().ends_with(it)))
}

fn world(corpus: &Path) -> Vec<PathBuf> {
    with_extension(corpus, &[".m2"])
}

fn warcraft(corpus: &Path) -> Vec<PathBuf> {
    with_extension(corpus, &[".mdx", ".mdl"])
}

fn gltf(_: &Path) -> Vec<PathBuf> {
    GLTF_INPUTS.find().map(|folder| with_extension(&folder, &[".glb", ".gltf"])).unwrap_or_default()
}

/// A part of all formats, since every vertex of every frame takes its time.
fn everything(corpus: &Path) -> Vec<PathBuf> {
    let all = [world(corpus), gltf(corpus), warcraft(corpus)].concat();
    all.into_iter().step_by(4).collect()
}

/// Each file once, where some are there twice.
fn different(files: Vec<PathBuf>) -> Vec<PathBuf> {
    let mut known = BTreeSet::new();
    files.into_iter().filter(|path| known.insert(std::fs::read(path).unwrap_or_default())).collect()
}

/// How the results of one target did.
#[derive(Default)]
struct Row {
    results: usize,
    /// Readers, and how many results they read.
    readers: BTreeMap<&'static str, usize>,
    /// Results that `wow-m2` reads without parts that it misreads in originals.
    partly: usize,
    /// Those parts, and in how many results each was left out.
    parts: BTreeMap<&'static str, usize>,
    /// Results that are hidden in their first frame, so that `assimp` finds nothing in them.
    hidden: usize,
    /// Results without triangles, such as effects of particles, which `assimp` refuses.
    bare: usize,
}

/// Converts a spread of the models, or all of them, and has the results read.
pub fn run(shell: &Shell, corpus: &Path, all: bool) -> Task {
    let folder = empty(shell, "raised")?;
    let program = built(shell, "debug/examples", "raise_models")?;
    let (staged, _) = validator::stage_m2(shell, corpus, &folder)?;
    let originals = different([world(&shell.root().join(staged)), world(corpus)].concat());
    let reader = Reader::new(shell, &program, format!("{folder}/part.m2"), &originals)?;
    reader.lines().for_each(|line| shell.say(&line));
    let mut rows: BTreeMap<String, Row> = BTreeMap::new();
    let mut wrong = Vec::new();
    for (number, group) in GROUPS.iter().enumerate() {
        let step = if all { 1 } else { SPREAD };
        let inputs: Vec<String> =
            (group.inputs)(corpus).iter().step_by(step).map(|path| path.display().to_string()).collect();
        if inputs.is_empty() {
            require("gltf-in", false, "no glTF files of other programs to convert");
            continue;
        }
        let out = format!("{folder}/{number}");
        let mut words = vec![program.as_str(), &out, group.targets];
        words.extend(inputs.iter().map(String::as_str));
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        for line in lines(&shell.output(&words)?)? {
            let target = text(&line, "target");
            let row = rows.entry(target.clone()).or_default();
            row.results += 1;
            *counts.entry(target).or_default() += 1;
            wrong.extend(faults(&line, "source"));
            if let Some(file) = line.get("file").and_then(Value::as_str) {
                let drawn = line.get("drawn") == Some(&Value::Bool(true));
                wrong.extend(read(shell, &reader, file, drawn, row)?);
            }
        }
        for target in group.targets.split(',').map(|target| target.replace(':', "-")) {
            let least = if all { group.least } else { (group.least / (2 * SPREAD)).max(1) };
            let count = counts.get(&target).copied().unwrap_or(0);
            if count < least {
                wrong.push(format!("only {count} models became {target}; there should be {least}"));
            }
            if target.starts_with("mdx") {
                let row = rows.entry(target.clone()).or_default();
                wrong.extend(by_node(shell, &format!("{out}/{target}"), count, row)?);
            }
        }
    }
    for (target, row) in &rows {
        if target.starts_with("m2") && !row.readers.contains_key("wow-m2") {
            wrong.push(format!("wow-m2 reads no {target} at all"));
        }
        let readers: Vec<String> =
            row.readers.iter().map(|(name, count)| format!("{name} {count}")).collect();
        let partly = if row.partly > 0 {
            let parts: Vec<String> =
                row.parts.iter().map(|(name, count)| format!("{name} {count}")).collect();
            format!(", wow-m2 reads {} without such parts ({})", row.partly, parts.join(", "))
        } else {
            String::new()
        };
        let hidden = if row.hidden > 0 {
            format!(", {} are hidden in the first frame, which is all that assimp looks at", row.hidden)
        } else {
            String::new()
        };
        let bare = if row.bare > 0 { format!(", {} have no triangles", row.bare) } else { String::new() };
        let readers = readers.join(", ");
        shell
            .say(&format!("{target:<9} {:>4} results; read by {readers}{partly}{hidden}{bare}", row.results));
    }
    if wrong.is_empty() { Ok(()) } else { Err(format!("{} faults:\n{}", wrong.len(), wrong.join("\n"))) }
}

fn lines(text: &str) -> Result<Vec<Value>, String> {
    text.lines().map(|line| serde_json::from_str(line).map_err(|error| format!("{error}: {line}"))).collect()
}

fn text(line: &Value, name: &str) -> String {
    line.get(name).and_then(Value::as_str).unwrap_or_default().to_owned()
}

/// What a line lists as wrong, with the file that it is about.
fn faults(line: &Value, about: &str) -> Vec<String> {
    let list = line.get("wrong").and_then(Value::as_array).cloned().unwrap_or_default();
    let place = format!("{} {}", text(line, "target"), text(line, about));
    list.iter().filter_map(Value::as_str).map(|fault| format!("{}: {fault}", place.trim())).collect()
}

/// Reads a result with the programs that read one file at a time.
fn read(
    shell: &Shell,
    reader: &Reader<'_>,
    file: &str,
    drawn: bool,
    row: &mut Row,
) -> Result<Vec<String>, String> {
    let mut wrong = Vec::new();
    let mut count = |name: &'static str| *row.readers.entry(name).or_default() += 1;
    if file.ends_with(".mdx") {
        count("wc3");
    } else if file.ends_with(".m2") {
        match reader.read(&shell.root().join(file))? {
            Reading::Whole => count("wow-m2"),
            Reading::Without(parts) => {
                row.partly += 1;
                parts.into_iter().for_each(|part| *row.parts.entry(part).or_default() += 1);
            }
            Reading::Refused(error) => wrong.push(format!("{file}: wow-m2: {}", error.trim())),
        }
    } else if file.ends_with(".md3") && !drawn {
        row.bare += 1;
    } else if file.ends_with(".md3") {
        if !shell.succeeds(&["assimp", "version"]) {
            shell.install("assimp-utils")?;
        }
        let (code, output) = shell.code_and_output(&["assimp", "info", file, "-s"])?;
        if code == 0 {
            count("assimp");
        } else if is_hidden_at_first(&shell.root().join(file)) {
            row.hidden += 1;
        } else {
            let last = output.lines().rfind(|line| line.contains("ERROR")).unwrap_or_default();
            wrong.push(format!("{file}: assimp: {last}"));
        }
    }
    Ok(wrong)
}

/// Whether every surface of an MD3 is a single point in its first frame: a mesh that is hidden has no other place. assimp takes the
/// first frame only, and leaves out triangles without a size.
fn is_hidden_at_first(path: &Path) -> bool {
    let read = std::fs::read(path).ok().and_then(|bytes| effigy_mdc::read(&bytes).ok());
    let Some(tracks) = read.and_then(|model| model.decode().ok()) else { return false };
    let is_point = |points: &[[f32; 3]]| points.iter().all(|point| Some(point) == points.first());
    tracks.iter().all(|track| is_point(track.positions(0)))
}

/// Reads the results of a folder with war3-model and mdx-m3-viewer.
fn by_node(shell: &Shell, folder: &str, count: usize, row: &mut Row) -> Result<Vec<String>, String> {
    let found = lines(&shell.output(&["node", &script("raised.mjs"), folder])?)?;
    let mut wrong: Vec<String> = found.iter().flat_map(|line| faults(line, "file")).collect();
    if found.len() != count {
        wrong.push(format!("{folder}: {} of {count} files were read", found.len()));
    }
    *row.readers.entry("war3-model").or_default() += found.len();
    if !folder.ends_with("1100") {
        *row.readers.entry("mdx-m3-viewer").or_default() += found.len();
    }
    Ok(wrong)
}

/// Models of World of Warcraft that are drawn at most.
const CREATURES: usize = 40;

/// `cargo xtask raised`: pictures of models before and after, in target/raised.
pub fn pictures(shell: &Shell) -> Task {
    let Some(corpus) = find_corpus() else { return Err("there is no corpus (set EFFIGY_CORPUS)".to_owned()) };
    shell.run(&["cargo", "build", "--release", "--quiet", "--package", "effigy-cli"])?;
    let program = built(shell, "debug/examples", "raise_pictures")?;
    let effigy = shell.program("release", "effigy").display().to_string();
    let text =
        |list: Vec<PathBuf>| -> Vec<String> { list.iter().map(|path| path.display().to_string()).collect() };
    // Those with textures first.
    let mut creatures = [world(&corpus.join("textured")), world(&corpus)].concat();
    creatures.retain(|path| !validator::lacks_skin(path));
    let mut creatures = different(creatures);
    creatures.truncate(CREATURES);
    let others: Vec<PathBuf> =
        gltf(&corpus).into_iter().filter(|path| path.extension().is_some_and(|it| it == "glb")).collect();
    for (name, models) in [("world-of-warcraft", text(creatures)), ("gltf", text(others))] {
        let folder = shell.root().join("target/raised").join(name).display().to_string();
        let mut words = vec![program.as_str(), &effigy, &folder, "mdx:800"];
        words.extend(models.iter().map(String::as_str));
        let (code, table) = shell.code_and_output(&words)?;
        shell.print(&table);
        if code != 0 {
            return Err(format!("some models of '{name}' were not drawn"));
        }
    }
    Ok(())
}
