//! What shall be different in an archive.

use crate::source::{Entry, Source};
use crate::{FileRef, Folder, name};
use effigy_wire::{Error, Limits, Result};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

/// Files to put into an archive, and files to remove from it.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    /// By the normalised form of the name.
    pub(super) put: BTreeMap<String, (String, Content)>,
    pub(super) remove: BTreeSet<String>,
}

/// What a file will contain.
#[derive(Clone, Debug)]
pub(super) enum Content {
    Bytes(Arc<Vec<u8>>),
    /// A file on the disk, which is read when it is packed, and again when the archive is compared.
    Disk(FileRef, Limits),
    /// A file of a folder, likewise.
    InFolder(Arc<Folder>, Entry),
}

impl Content {
    pub(super) fn read(&self) -> Result<Cow<'_, [u8]>> {
        let (name, bytes) = match self {
            Self::Bytes(bytes) => return Ok(Cow::Borrowed(bytes)),
            Self::Disk(file, limits) => (file.label().to_owned(), file.read(limits)),
            Self::InFolder(folder, entry) => (name::join(folder.label(), &entry.name), folder.open(entry)),
        };
        let about = |error: Error| Error::new(error.kind(), format!("{name}: {}", error.message()));
        bytes.map(Cow::Owned).map_err(about)
    }
}

impl Changes {
    /// Adds a file, or replaces the one of this name.
    ///
    /// # Errors
    /// When the name cannot be the name of a file in an archive, or is one that archives keep for themselves.
    pub fn put(&mut self, file_name: &str, bytes: Vec<u8>) -> Result<()> {
        self.add(file_name, Content::Bytes(Arc::new(bytes)))
    }

    /// Adds a file from the disk under this name, or replaces the one of this name. It is read when it is packed.
    ///
    /// # Errors
    /// As [`Changes::put`], and when there is no such file.
    pub fn put_file(&mut self, file_name: &str, path: &Path, limits: &Limits) -> Result<()> {
        std::fs::metadata(path)?;
        self.add(file_name, Content::Disk(FileRef::disk(path), *limits))
    }

    fn add(&mut self, file_name: &str, content: Content) -> Result<()> {
        let tidy = name::tidy(file_name);
        let bad = tidy.is_empty()
            || name::parts(&tidy).any(|part| part == "..")
            || tidy.chars().any(char::is_control);
        if bad {
            let shown = name::printable(file_name);
            return Err(Error::usage(format!("'{shown}' cannot be the name of a file in an archive")));
        }
        if is_special(&tidy) {
            return Err(Error::usage(format!("{tidy} is written by effigy itself")));
        }
        self.put.insert(name::key(&tidy), (tidy, content));
        Ok(())
    }

    /// Adds a file from the disk, or all files of a folder with their paths from that folder. `under` is a folder in the archive
    /// that they are put below. They are read when they are packed.
    ///
    /// # Errors
    /// When there is no such file or folder, or a name cannot be used.
    pub fn put_path(&mut self, path: &Path, under: &str, limits: &Limits) -> Result<()> {
        if path.is_dir() {
            let folder = Arc::new(Folder::new(path, limits)?);
            for entry in folder.list()? {
                self.add(&name::join(under, &entry.name), Content::InFolder(Arc::clone(&folder), entry))?;
            }
            return Ok(());
        }
        self.put_file(&name::join(under, &FileRef::disk(path).file_name()), path, limits)
    }

    /// Removes the file of this name.
    pub fn remove(&mut self, file_name: &str) {
        self.remove.insert(name::key(file_name));
    }

    /// Whether there is nothing to do.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.put.is_empty() && self.remove.is_empty()
    }

    /// How many files are added or replaced.
    #[must_use]
    pub fn len(&self) -> usize {
        self.put.len()
    }

    pub(super) fn concerns(&self, key: &str) -> bool {
        self.put.contains_key(key) || self.remove.contains(key)
    }
}

/// The list of names, the checksums and the signature of an MPQ.
pub(super) fn is_special(file_name: &str) -> bool {
    matches!(name::key(file_name).as_str(), "(listfile)" | "(attributes)" | "(signature)")
}
