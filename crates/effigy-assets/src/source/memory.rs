//! Files in memory: what a browser was given, or what a program made.

use super::{Entry, Source, not_found};
use crate::name;
use effigy_wire::Result;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A set of named files in memory. A file that is added under the name of an earlier one replaces it.
#[derive(Clone, Debug)]
pub struct Memory {
    label: String,
    /// By the name as it is compared: without regard to case and kind of slash.
    files: BTreeMap<String, (String, Arc<[u8]>)>,
}

impl Memory {
    /// An empty set. The label names it in messages.
    pub fn new(label: impl Into<String>) -> Self {
        Self { label: label.into(), files: BTreeMap::new() }
    }

    /// Adds a file under a name such as `units/footman.mdx`.
    pub fn add(&mut self, file_name: &str, bytes: impl Into<Arc<[u8]>>) {
        self.files.insert(name::key(file_name), (name::tidy(file_name), bytes.into()));
    }

    /// Adds a file and returns the set, to build one in a single expression.
    #[must_use]
    pub fn with(mut self, file_name: &str, bytes: impl Into<Arc<[u8]>>) -> Self {
        self.add(file_name, bytes);
        self
    }

    fn entry(name: &str, bytes: &[u8]) -> Entry {
        let size = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        Entry { name: name.to_owned(), size, stored: size, named: true, slot: 0 }
    }
}

impl Source for Memory {
    fn label(&self) -> &str {
        &self.label
    }

    fn list(&self) -> Result<Vec<Entry>> {
        Ok(self.files.values().map(|(name, bytes)| Self::entry(name, bytes)).collect())
    }

    fn find(&self, wanted: &str) -> Option<Entry> {
        self.files.get(&name::key(wanted)).map(|(name, bytes)| Self::entry(name, bytes))
    }

    fn open(&self, entry: &Entry) -> Result<Vec<u8>> {
        let found = self.files.get(&name::key(&entry.name));
        found.map(|(_, bytes)| bytes.to_vec()).ok_or_else(|| not_found(&entry.name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_found_by_any_spelling_of_their_name_and_later_ones_replace_earlier() {
        let files = Memory::new("drop")
            .with("Units\\Footman.MDX", *b"one")
            .with("units/footman.mdx", *b"two")
            .with("a.blp", *b"x");
        let entry = files.find("UNITS/FOOTMAN.mdx").unwrap();
        assert_eq!((entry.name.as_str(), entry.size), ("units/footman.mdx", 3));
        assert_eq!(files.open(&entry).unwrap(), b"two");
        let names: Vec<String> = files.list().unwrap().into_iter().map(|entry| entry.name).collect();
        assert_eq!(names, ["a.blp", "units/footman.mdx"]);
        assert!(files.find("b.blp").is_none());
        assert!(files.open(&Entry { name: "b.blp".into(), ..entry }).is_err());
    }
}
