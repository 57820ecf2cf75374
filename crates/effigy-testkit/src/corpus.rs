//! Collections of real files, which are not part of the project. The corpus is the largest.

use crate::need::require;
use crate::shell::Shell;
use std::path::{Path, PathBuf};

/// A folder of real files that some tests need.
pub struct Collection {
    /// Its name in `EFFIGY_REQUIRE`, and of the folder in `../shared` from the project's root.
    pub name: &'static str,
    /// The environment variable that names another folder.
    variable: &'static str,
    /// A file that comes with every copy; without it, the folder is some other one.
    mark: &'static str,
    /// What is in it.
    contents: &'static str,
}

/// The corpus of real models.
pub const CORPUS: Collection = Collection {
    name: "corpus",
    variable: "EFFIGY_CORPUS",
    mark: "index.tsv",
    contents: "corpus of real models",
};
/// Whole characters of Return to Castle Wolfenstein and Enemy Territory, in folders like the games'.
pub const SOLDIERS: Collection = Collection {
    name: "soldiers",
    variable: "EFFIGY_SOLDIERS",
    mark: "index.tsv",
    contents: "folder of soldiers",
};
/// glTF files of other programs.
pub const GLTF_INPUTS: Collection = Collection {
    name: "gltf-in",
    variable: "EFFIGY_GLTF_INPUTS",
    mark: "README.md",
    contents: "folder of glTF files of other programs",
};

/// Files that made the programs slow, large or fail once.
pub const HOSTILE: Collection = Collection {
    name: "hostile",
    variable: "EFFIGY_HOSTILE_FILES",
    mark: "README.md",
    contents: "folder of hostile files",
};

impl Collection {
    fn expected(&self) -> PathBuf {
        let usual = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared").join(self.name);
        std::env::var_os(self.variable).map_or_else(usual, PathBuf::from)
    }

    /// The folder, for tasks that report themselves that it is missing. Tests call [`Self::need`].
    ///
    /// # Errors
    /// That it is missing, and how to name it.
    pub fn find(&self) -> Result<PathBuf, String> {
        let folder = self.expected();
        match folder.join(self.mark).is_file() {
            true => Ok(folder.canonicalize().unwrap_or(folder)),
            false => Err(format!("there is no {} (set {})", self.contents, self.variable)),
        }
    }

    /// Has programs that a shell starts find the folder from wherever they run, if it is there.
    pub fn name_to(&self, shell: &mut Shell) {
        if let Ok(folder) = self.find() {
            shell.set(self.variable, &folder.display().to_string());
        }
    }

    /// The folder. `None` if it is missing, and then the calling test is recorded as skipped.
    ///
    /// # Panics
    /// If it is missing although `EFFIGY_REQUIRE` lists its name or its variable names a folder.
    #[must_use]
    #[track_caller]
    pub fn need(&self) -> Option<PathBuf> {
        let found = self.find();
        assert!(
            found.is_ok() || std::env::var_os(self.variable).is_none(),
            "{} names {}, which has no {}",
            self.variable,
            self.expected().display(),
            self.mark
        );
        require(self.name, found.is_ok(), found.as_ref().err().map_or("", String::as_str));
        found.ok()
    }
}

/// The corpus, for tasks that report themselves that it is missing.
#[must_use]
pub fn find_corpus() -> Option<PathBuf> {
    CORPUS.find().ok()
}

/// The folder of the corpus. `None` if it is missing, and then the calling test is recorded as skipped.
///
/// # Panics
/// If it is missing although `EFFIGY_REQUIRE` lists `corpus` or `EFFIGY_CORPUS` names a folder.
#[must_use]
#[track_caller]
pub fn corpus() -> Option<PathBuf> {
    CORPUS.need()
}

/// The folder of the soldiers; otherwise like [`corpus`].
///
/// # Panics
/// If it is missing although `EFFIGY_REQUIRE` lists `soldiers` or `EFFIGY_SOLDIERS` names a folder.
#[must_use]
#[track_caller]
pub fn soldiers() -> Option<PathBuf> {
    SOLDIERS.need()
}

/// The folder of glTF files of other programs; otherwise like [`corpus`].
///
/// # Panics
/// If it is missing although `EFFIGY_REQUIRE` lists `gltf-in` or `EFFIGY_GLTF_INPUTS` names a folder.
#[must_use]
#[track_caller]
pub fn gltf_inputs() -> Option<PathBuf> {
    GLTF_INPUTS.need()
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
