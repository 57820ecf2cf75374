//! What shall be different in an archive.

use crate::source::{Entry, Source, check_size};
use crate::{FileRef, Folder, codes, name};
use effigy_wire::{Error, Kind, Limits, Report, Result};
use std::borrow::Cow;
use std::collections::btree_map::Entry as MapEntry;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Files to put into an archive, and files to remove from it.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    /// By the normalised form of the name.
    pub(super) put: BTreeMap<String, (String, Content)>,
    pub(super) remove: BTreeSet<String>,
    /// Files on the disk that are not put in with their folder.
    except: Vec<PathBuf>,
    /// What of the folders was left out, and why.
    skipped: Vec<(String, String)>,
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
    /// Adds a file, which replaces the one of this name in the archive.
    ///
    /// # Errors
    /// When the name cannot be the name of a file in an archive, is one that archives keep for themselves, or was added already, in
    /// upper or lower case.
    pub fn put(&mut self, file_name: &str, bytes: Vec<u8>) -> Result<()> {
        self.add(file_name, Content::Bytes(Arc::new(bytes)))
    }

    /// Adds a file from the disk under this name. It is read when it is packed; a pipe, which can be read once, is read now.
    ///
    /// # Errors
    /// As [`Changes::put`], and when there is no such file or it is larger than the limits.
    pub fn put_file(&mut self, file_name: &str, path: &Path, limits: &Limits) -> Result<()> {
        let (data, file) = (std::fs::metadata(path)?, FileRef::disk(path));
        check_size(file_name, data.len(), limits)?;
        let content = match data.is_file() {
            true => Content::Disk(file, *limits),
            false => Content::Bytes(Arc::new(file.read(limits)?)),
        };
        self.add(file_name, content)
    }

    /// Leaves a file on the disk out when its folder is added: the archive itself, which may be in a folder that goes into it.
    pub fn leave_out(&mut self, path: &Path) {
        self.except.extend(std::fs::canonicalize(path));
    }

    /// What of the folders was left out, and why.
    pub(super) fn report(&self) -> Report {
        let mut report = Report::default();
        for (path, why) in &self.skipped {
            report.dropped(path.clone(), why.clone());
        }
        report
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
        match self.put.entry(name::key(&tidy)) {
            MapEntry::Vacant(place) => {
                place.insert((tidy, content));
                Ok(())
            }
            MapEntry::Occupied(place) => {
                let (other, same) = (&place.get().0, "are the same name in an archive");
                let text = match *other == tidy {
                    true => format!("two files would be called {tidy}"),
                    false => format!("{other} and {tidy} {same}"),
                };
                Err(Error::usage(text).hint("NAME=FILE chooses another name"))
            }
        }
    }

    /// Adds a file from the disk, or all files of a folder with their paths from that folder. `under` is a folder in the archive
    /// that they are put below. They are read when they are packed.
    ///
    /// # Errors
    /// When there is no such file or folder, or a name cannot be used.
    pub fn put_path(&mut self, path: &Path, under: &str, limits: &Limits) -> Result<()> {
        if path.is_dir() {
            return self.put_folder(Folder::new(path, limits)?, under, limits);
        }
        self.put_file(&name::join(under, &FileRef::disk(path).file_name()), path, limits)
    }

    fn put_folder(&mut self, folder: Folder, under: &str, limits: &Limits) -> Result<()> {
        let entries = folder.list()?;
        for found in &folder.diagnostics() {
            let path = name::join(folder.label(), &found.path);
            if found.code != codes::LINK {
                return Err(Error::new(Kind::Io, format!("{path}: {}", found.message)));
            }
            self.skipped.push((path, found.message.to_string()));
        }
        let folder = Arc::new(folder);
        for entry in entries {
            let path = || name::join(folder.label(), &entry.name);
            let file = |except: &&PathBuf| except.file_name() == Path::new(&entry.name).file_name();
            if self
                .except
                .iter()
                .filter(file)
                .any(|except| std::fs::canonicalize(path()).is_ok_and(|it| it == *except))
            {
                self.skipped.push((path(), "it is the archive itself".to_owned()));
            } else if is_special(&entry.name) && name::tidy(under).is_empty() {
                self.skipped.push((path(), "it is made anew for each archive".to_owned()));
            } else {
                check_size(&entry.name, entry.size, limits)?;
                self.add(&name::join(under, &entry.name), Content::InFolder(Arc::clone(&folder), entry))?;
            }
        }
        Ok(())
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

/// Whether a file of an archive belongs to the archive itself: the list of names, the checksums and the signature of an MPQ.
#[must_use]
pub fn is_special(file_name: &str) -> bool {
    matches!(name::key(file_name).as_str(), "(listfile)" | "(attributes)" | "(signature)")
}
