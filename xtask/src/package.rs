//! `cargo xtask package`: packs every publishable crate as for a release, without uploading anything.

use effigy_testkit::{Shell, Task};
use std::path::PathBuf;

/// A crate of this project that is published.
pub struct Crate {
    /// Its name.
    pub name: String,
    /// Its folder.
    pub folder: PathBuf,
}

/// All crates that are published, sorted by name.
pub fn published(shell: &Shell) -> Result<Vec<Crate>, String> {
    let folder = shell.root().join("crates");
    let entries = std::fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut crates = Vec::new();
    for entry in entries.flatten() {
        let Ok(manifest) = std::fs::read_to_string(entry.path().join("Cargo.toml")) else { continue };
        if !manifest.lines().any(|line| line.trim() == "publish = false") {
            crates
                .push(Crate { name: entry.file_name().to_string_lossy().into_owned(), folder: entry.path() });
        }
    }
    crates.sort_by(|a, b| a.name.cmp(&b.name));
    if crates.is_empty() { Err(format!("{} has no crates", folder.display())) } else { Ok(crates) }
}

/// Packs all crates together, so that they find each other although none is published. The packed crates are not compiled
/// again: the other steps compile the same sources.
pub fn run(shell: &Shell) -> Task {
    let crates = published(shell)?;
    let mut words = vec!["cargo", "package", "--no-verify", "--allow-dirty", "--quiet"];
    for one in &crates {
        for file in ["README.md", "LICENSE-MIT", "LICENSE-APACHE"] {
            if !one.folder.join(file).is_file() {
                return Err(format!("{} has no {file}, which its package needs", one.name));
            }
        }
        words.extend(["--package", &one.name]);
    }
    shell.run(&words)?;
    shell.say(&format!("{} crates were packed", crates.len()));
    Ok(())
}
