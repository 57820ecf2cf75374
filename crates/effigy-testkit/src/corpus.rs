//! The corpus of real models, which is not part of the project.

use crate::need::require;
use std::path::{Path, PathBuf};

/// The environment variable that names the folder of the corpus.
const CORPUS: &str = "EFFIGY_CORPUS";

/// The folder that the corpus is expected in: `EFFIGY_CORPUS`, else `../shared/corpus` from the project's root.
fn expected() -> PathBuf {
    let usual = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    std::env::var_os(CORPUS).map_or_else(usual, PathBuf::from)
}

/// The corpus, for tasks that report themselves that it is missing. Tests call [`corpus`] instead.
#[must_use]
pub fn find_corpus() -> Option<PathBuf> {
    // The index comes with every corpus; without it, the variable names some other folder.
    let folder = expected();
    folder.join("index.tsv").is_file().then(|| folder.canonicalize().unwrap_or(folder))
}

/// The folder of the corpus. `None` if it is missing, and then the calling test is recorded as skipped.
///
/// # Panics
/// If it is missing although `EFFIGY_REQUIRE` lists `corpus` or `EFFIGY_CORPUS` names a folder.
#[must_use]
#[track_caller]
pub fn corpus() -> Option<PathBuf> {
    let found = find_corpus();
    let expected = expected();
    assert!(
        found.is_some() || std::env::var_os(CORPUS).is_none(),
        "{CORPUS} names {}, which has no index.tsv",
        expected.display()
    );
    require("corpus", found.is_some(), "no corpus of real models (set EFFIGY_CORPUS)");
    found
}

/// The environment variable that names the folder of the soldiers.
const SOLDIERS: &str = "EFFIGY_SOLDIERS";

fn soldiers_folder() -> PathBuf {
    let usual = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/soldiers");
    std::env::var_os(SOLDIERS).map_or_else(usual, PathBuf::from)
}

/// Whether the soldiers are there, for tasks that report themselves that they are missing. Tests call [`soldiers`].
#[must_use]
pub fn has_soldiers() -> bool {
    soldiers_folder().join("index.tsv").is_file()
}

/// The folder of the soldiers: whole characters of Return to Castle Wolfenstein and Enemy Territory, in folders like the
/// games'. It is named by `EFFIGY_SOLDIERS`, else it is `../shared/soldiers` from the project's root. `None` if it is
/// missing, and then the calling test is recorded as skipped.
///
/// # Panics
/// If it is missing although `EFFIGY_REQUIRE` lists `soldiers` or `EFFIGY_SOLDIERS` names a folder.
#[must_use]
#[track_caller]
pub fn soldiers() -> Option<PathBuf> {
    let folder = soldiers_folder();
    let found = has_soldiers();
    let named = std::env::var_os(SOLDIERS).is_some();
    assert!(found || !named, "{SOLDIERS} names {}, which has no index.tsv", folder.display());
    require("soldiers", found, "no soldiers (set EFFIGY_SOLDIERS)")
        .then(|| folder.canonicalize().unwrap_or(folder))
}

/// A line of the corpus' `index.tsv`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The path below the corpus, with forward slashes.
    pub name: String,
    /// The same file, ready to open.
    pub path: PathBuf,
    /// The format, such as `mdx`.
    pub format: String,
    /// What is special about the file. It begins with `MALFORMED` if no program is expected to read it.
    pub problem: String,
}

impl Entry {
    /// Whether the file is broken on purpose.
    #[must_use]
    pub fn is_malformed(&self) -> bool {
        self.problem.starts_with("MALFORMED")
    }
}

/// All files that the index of the corpus lists, in its order.
///
/// # Panics
/// If the index cannot be read, lacks a column, or lists no file.
#[must_use]
pub fn index(corpus: &Path) -> Vec<Entry> {
    let path = corpus.join("index.tsv");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let entries = parse_index(corpus, &text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    assert!(!entries.is_empty(), "{} lists no file", path.display());
    entries
}

fn parse_index(corpus: &Path, text: &str) -> Result<Vec<Entry>, String> {
    let mut lines = text.lines();
    let columns: Vec<&str> = lines.next().unwrap_or_default().split('\t').collect();
    let column = |name: &str| {
        columns
            .iter()
            .position(|column| *column == name)
            .ok_or_else(|| format!("there is no column '{name}'"))
    };
    let (local, format, problem) = (column("local")?, column("format")?, column("problem")?);
    let entry = |line: &str| {
        let cells: Vec<&str> = line.split('\t').collect();
        let cell = |at: usize| cells.get(at).copied().unwrap_or_default().to_owned();
        Entry {
            name: cell(local),
            path: corpus.join(cell(local)),
            format: cell(format),
            problem: cell(problem),
        }
    };
    Ok(lines.map(entry).collect())
}

/// All files below a folder whose name (in lower case) is wanted, sorted by path. Links to folders are not followed.
///
/// # Panics
/// If a folder cannot be read.
#[must_use]
pub fn files(folder: &Path, wanted: impl Fn(&str) -> bool) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(folder) = open.pop() {
        let entries =
            std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        for entry in entries.flatten() {
            let name = entry.file_name().to_string_lossy().to_lowercase();
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                open.push(entry.path());
            } else if wanted(&name) {
                found.push(entry.path());
            }
        }
    }
    found.sort();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_index_is_read_by_the_names_of_its_columns() {
        let text = "format\tlocal\tsize\tproblem\nmdx\ta/b.mdx\t12\tMALFORMED: cut\nm2\tc.m2\t3\n";
        let entries = parse_index(Path::new("corpus"), text).unwrap();
        assert_eq!(entries.len(), 2);
        let first = Entry {
            name: "a/b.mdx".to_owned(),
            path: PathBuf::from("corpus/a/b.mdx"),
            format: "mdx".to_owned(),
            problem: "MALFORMED: cut".to_owned(),
        };
        assert_eq!(entries.first(), Some(&first));
        assert!(entries.iter().map(Entry::is_malformed).eq([true, false]));
        assert!(parse_index(Path::new("corpus"), "format\tlocal\n").unwrap_err().contains("'problem'"));
    }
}
