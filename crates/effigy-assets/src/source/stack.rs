//! Several sources over each other: later ones win, as patches and mods do in the games.

use super::{Entry, Source};
use crate::name;
use effigy_wire::Result;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A file and the source it is in.
#[derive(Clone)]
pub struct Found {
    /// Where it is.
    pub source: Arc<dyn Source>,
    /// What it is there.
    pub entry: Entry,
}

impl Found {
    /// Its content.
    ///
    /// # Errors
    /// As [`Source::open`].
    pub fn read(&self) -> Result<Vec<u8>> {
        self.source.open(&self.entry)
    }
}

/// Sources over each other; a source that was pushed later hides the same names in those before.
#[derive(Clone, Default)]
pub struct Stack {
    sources: Vec<Arc<dyn Source>>,
}

impl Stack {
    /// Lays a source on top.
    pub fn push(&mut self, source: Arc<dyn Source>) {
        self.sources.push(source);
    }

    /// The sources, the winning one last.
    #[must_use]
    pub fn sources(&self) -> &[Arc<dyn Source>] {
        &self.sources
    }

    /// The file of this name in the topmost source that has it.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<Found> {
        self.sources
            .iter()
            .rev()
            .find_map(|source| source.find(name).map(|entry| Found { source: Arc::clone(source), entry }))
    }

    /// The first of these names that any source has: the order of names, then of sources.
    #[must_use]
    pub fn find_any<S: AsRef<str>>(&self, names: impl IntoIterator<Item = S>) -> Option<Found> {
        names.into_iter().find_map(|name| self.find(name.as_ref()))
    }

    /// The content of the file of this name; `None` when no source has it.
    ///
    /// # Errors
    /// As [`Source::open`].
    pub fn read(&self, name: &str) -> Result<Option<Vec<u8>>> {
        self.find(name).map(|found| found.read()).transpose()
    }

    /// All names of all sources, hidden ones left out, sorted without regard to case.
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
