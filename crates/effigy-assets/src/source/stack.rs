//! Several sources combined: later ones take precedence, as patches and mods do in the games.

use super::archive_path::ArchivePath;
use super::folder::Folder;
use super::kind::open;
use super::{Entry, Source};
use crate::name;
use effigy_wire::{Error, Kind, Limits, Result};
use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::sync::Arc;

/// A file and the source it is in.
#[derive(Clone)]
pub struct Found {
    /// The source.
    pub source: Arc<dyn Source>,
    /// The file in that source.
    pub entry: Entry,
}

impl Found {
    /// A file on disk, or inside an archive on disk.
    ///
    /// # Errors
    /// When there is no such file or archive.
    pub fn locate(path: &Path, limits: &Limits) -> Result<Self> {
        let (source, name): (Arc<dyn Source>, String) = match path.to_str().and_then(ArchivePath::locate) {
            Some(inside) => (open(&inside.archive, limits)?, inside.inside),
            None => {
                let folder =
                    path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
                let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                (Arc::new(Folder::new(folder, limits)?), name)
            }
        };
        let entry = source.find(&name).ok_or_else(|| Error::new(Kind::Io, "no such file"))?;
        Ok(Self { source, entry })
    }

    /// Its content.
    ///
    /// # Errors
    /// As [`Source::open`].
    pub fn read(&self) -> Result<Vec<u8>> {
        self.source.open(&self.entry)
    }
}

/// The path as every command takes it: of the file on disk, or `archive:name`.
impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (label, inside) = (self.source.label(), &self.entry.name);
        let folder = Path::new(label);
        if folder == Path::new(".") {
            f.write_str(inside)
        } else if folder.is_dir() {
            write!(f, "{}", folder.join(inside).display())
        } else {
            write!(f, "{label}:{}", name::printable(inside))
        }
    }
}

impl fmt::Debug for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Found({self})")
    }
}

/// Several sources; a source that was pushed later hides files of the same name in the earlier ones.
#[derive(Clone, Default)]
pub struct Stack {
    sources: Vec<Arc<dyn Source>>,
}

impl Stack {
    /// Adds a source, which takes precedence over all others.
    pub fn push(&mut self, source: Arc<dyn Source>) {
        self.sources.push(source);
    }

    /// The sources; the last one takes precedence.
    #[must_use]
    pub fn sources(&self) -> &[Arc<dyn Source>] {
        &self.sources
    }

    /// The file of this name in the last source that has it.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<Found> {
        self.sources
            .iter()
            .rev()
            .find_map(|source| source.find(name).map(|entry| Found { source: Arc::clone(source), entry }))
    }

    /// The first of these names that any source has. The order of names comes before the order of sources.
    #[must_use]
    pub fn find_any<S: AsRef<str>>(&self, names: impl IntoIterator<Item = S>) -> Option<Found> {
        names.into_iter().find_map(|name| self.find(name.as_ref()))
    }

    /// The content of the file of this name; `None` if no source has it.
    ///
    /// # Errors
    /// As [`Source::open`].
    pub fn read(&self, name: &str) -> Result<Option<Vec<u8>>> {
        self.find(name).map(|found| found.read()).transpose()
    }

    /// The files of all sources without the hidden ones, sorted by name without regard to case.
    ///
    /// # Errors
    /// When a source cannot be listed.
    pub fn list(&self) -> Result<Vec<Found>> {
        let mut all = BTreeMap::new();
        for source in &self.sources {
            for entry in source.list()? {
                all.insert(name::key(&entry.name), Found { source: Arc::clone(source), entry });
            }
        }
        Ok(all.into_values().collect())
    }
}
