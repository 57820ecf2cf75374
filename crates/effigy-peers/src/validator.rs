//! Every sample and every model of the corpus, exported as glTF and checked by the Khronos validator: no error, no warning.

use crate::{built, effigy, empty, script, soldiers};
use effigy_m2::Companion;
use effigy_testkit::{Shell, Task, files, find_corpus, index, require};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Where models of later versions have their meshes.
const FIRST_SKIN: Companion = Companion::Skin(0);
/// Formats of the index that can be exported.
const FORMATS: &[&str] = &["mdx", "mdl", "m2", "mdc", "md3"];

/// Exports everything and validates it.
pub fn run(shell: &Shell) -> Task {
    let folder = empty(shell, "gltf")?;
    let demo = format!("{folder}/demo");
    effigy(shell, &["demo", &demo, "--all", "--quiet"])?;
    let is_model = |name: &str| FORMATS.iter().any(|end| name.ends_with(&format!(".{end}")));
    let samples = files(&shell.root().join(&demo), is_model);
    let mut written = convert(shell, &demo, &format!("{folder}/samples"), &[], &samples)?;
    match find_corpus() {
        None => {
            require("corpus", false, "no corpus of real models for the glTF validator");
        }
        Some(corpus) => {
            let mut entries = index(&corpus);
            entries.retain(|entry| FORMATS.contains(&entry.format.as_str()) && !entry.is_malformed());
            // These are single records and not models.
            entries.retain(|entry| !entry.name.starts_with("record-fixtures/"));
            entries.retain(|entry| entry.format != "m2" || !lacks_skin(&entry.path));
            let sound: Vec<PathBuf> = entries.into_iter().map(|entry| entry.path).collect();
            let all = corpus.display().to_string();
            let out = format!("{folder}/corpus");
            written += convert(shell, &all, &out, &["--no-textures"], &sound)?;
            let (staged, m2) = stage_m2(shell, &corpus, &folder)?;
            written += convert(shell, &staged, &format!("{folder}/m2"), &["--no-textures"], &m2)?;
            // The index does not list these.
            let mut models = files(&corpus.join("textured"), is_model);
            models.retain(|path| !is_m2(path) || !lacks_skin(path));
            let textured = corpus.join("textured").display().to_string();
            written += convert(shell, &textured, &format!("{folder}/textured"), &[], &models)?;
        }
    }
    let soldiers = format!("{folder}/soldiers");
    for soldier in soldiers::all() {
        let out = format!("{soldiers}/{}.glb", soldier.name);
        let attach = ["--attach", soldier.weapon.as_str(), "--force", "--quiet"];
        effigy(shell, &[["convert", &soldier.path, "-o", &out].as_slice(), &attach].concat())?;
        written += 1;
    }
    let count = format!("--at-least={written}");
    shell.run(&["node", &script("validate.mjs"), &count, &folder])
}

/// Whether a file is named like an M2.
pub(crate) fn is_m2(path: &Path) -> bool {
    path.extension().is_some_and(|it| it.eq_ignore_ascii_case("m2"))
}

/// Whether an M2 has its meshes in a `.skin` file that is not next to it.
pub(crate) fn lacks_skin(path: &Path) -> bool {
    let file = path.file_name().unwrap_or_default().to_string_lossy();
    let model = std::fs::read(path).ok().and_then(|bytes| effigy_m2::read(&bytes).ok());
    let skin = model.filter(|model| model.companions().contains(&FIRST_SKIN));
    let Some(skin) = skin.and_then(|model| FIRST_SKIN.file_name(&model, &file).ok()) else { return false };
    let folder = path.parent().and_then(|folder| std::fs::read_dir(folder).ok());
    let mut names = folder.into_iter().flatten().flatten().map(|entry| entry.file_name());
    !names.any(|name| name.to_string_lossy().eq_ignore_ascii_case(&skin))
}

/// Puts the models of 264 and their companions, which the corpus has in another folder, into the same one. Returns that
/// folder and the models that are complete in it.
pub(crate) fn stage_m2(shell: &Shell, corpus: &Path, folder: &str) -> Result<(String, Vec<PathBuf>), String> {
    let staged = format!("{folder}/m2-with-companions");
    let root = shell.root().join(&staged);
    for part in ["m2-264", "m2-companions"].map(|part| corpus.join(part)) {
        for path in files(&part, |_| true) {
            let to = root.join(path.strip_prefix(&part).unwrap_or(&path));
            let made = std::fs::create_dir_all(to.parent().unwrap_or(&root));
            made.and_then(|()| std::fs::copy(&path, &to))
                .map_err(|error| format!("{}: {error}", to.display()))?;
        }
    }
    let mut models = files(&root, |name| name.ends_with(".m2"));
    models.retain(|path| !lacks_skin(path));
    Ok((staged, models))
}

/// Converts all models of a folder to .glb and returns how many were written. Broken models make the command exit with 1,
/// so that is accepted if all models that must succeed did.
pub(crate) fn convert(
    shell: &Shell,
    from: &str,
    to: &str,
    words: &[&str],
    must: &[PathBuf],
) -> Result<usize, String> {
    if must.is_empty() {
        return Err(format!("{from} has no model to convert"));
    }
    let program = built(shell, "debug", "effigy")?;
    let (to, report) = (format!("{to}/"), format!("{to}.ndjson"));
    let begin = [&program, "convert", from, "--to", "glb", "-o", &to, "--report", &report, "--quiet"];
    let code = shell.code(&[begin.as_slice(), words].concat())?;
    if code > 1 {
        return Err(format!("effigy convert failed (exit code {code})"));
    }
    let lines =
        std::fs::read_to_string(shell.root().join(&report)).map_err(|error| format!("{report}: {error}"))?;
    let converted =
        lines.lines().map(|line| path_of(line).ok_or_else(|| format!("{report}: no path in '{line}'")));
    let converted: BTreeSet<PathBuf> = converted.collect::<Result<_, _>>()?;
    let absolute = |path: &Path| shell.root().join(path);
    let converted: BTreeSet<PathBuf> = converted.iter().map(|path| absolute(path)).collect();
    let missing: Vec<String> = must
        .iter()
        .filter(|path| !converted.contains(*path))
        .map(|path| path.display().to_string())
        .collect();
    if missing.is_empty() {
        return Ok(converted.len());
    }
    Err(format!("{} models could not be converted:\n  {}", missing.len(), missing.join("\n  ")))
}

/// The input that a line of `effigy convert --report` is about.
fn path_of(line: &str) -> Option<PathBuf> {
    let value: serde_json::Value = serde_json::from_str(line).ok()?;
    value.get("path")?.as_str().map(PathBuf::from)
}

#[cfg(test)]
mod tests {
    use super::path_of;
    use std::path::Path;

    #[test]
    fn the_input_of_a_conversion_is_read_from_its_report() {
        let line = r#"{"path":"a \"b\".mdx","output":"x.glb","notes":[{"path":"no"}]}"#;
        assert_eq!(path_of(line).as_deref(), Some(Path::new("a \"b\".mdx")));
        assert_eq!(path_of(r#"{"output":"x.glb"}"#), None);
    }
}
