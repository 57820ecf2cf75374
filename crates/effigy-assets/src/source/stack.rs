//! Several sources combined: later ones take precedence, as patches and mods do in the games.

use super::{Entry, Source};
use crate::name;
use effigy_wire::Result;
use std::collections::BTreeMap;
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
    /// Its content.
    ///
    /// # Errors
    /// As [`Source::open`].
    pub fn read(&self) -> Result<Vec<u8>> {
        self.source.open(&self.entry)
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
