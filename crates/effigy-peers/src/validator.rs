//! Every sample and every model of the corpus, exported as glTF and checked by the Khronos validator: no error, no warning.

use crate::{built, effigy, empty, script};
use effigy_testkit::{Entry, Shell, Task, files, find_corpus, index, require};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

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
            let sound =
                |entries: &[Entry]| entries.iter().map(|entry| entry.path.clone()).collect::<Vec<_>>();
            let all = corpus.display().to_string();
            let out = format!("{folder}/corpus");
            written += convert(shell, &all, &out, &["--no-textures"], &sound(&entries))?;
            entries.retain(|entry| entry.name.starts_with("textured/"));
            let textured = corpus.join("textured").display().to_string();
            written += convert(shell, &textured, &format!("{folder}/textured"), &[], &sound(&entries))?;
        }
    }
    let count = format!("--at-least={written}");
    shell.run(&["node", &script("validate.mjs"), &count, &folder])
}

/// Converts all models of a folder to .glb and returns how many were written. Broken models make the command exit with 1,
/// so that is accepted if all models that must succeed did.
fn convert(shell: &Shell, from: &str, to: &str, words: &[&str], must: &[PathBuf]) -> Result<usize, String> {
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
