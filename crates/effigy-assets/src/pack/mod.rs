//! Writing archives: new ones, and existing ones with some files added, replaced or removed.
//!
//! A file that is not changed keeps its packed bytes. What comes before an archive, such as the header of a map, stays. Whatever
//! cannot stay (signatures, checksums of the old content) is dropped and reported. An archive that breaks the rules of its
//! format, as protected maps do, is refused with the reason: what other programs read in it is not known.
//!
//! ```
//! use effigy_assets::pack::{Changes, create, rewrite};
//! use effigy_assets::{ArchiveKind, Source, open_bytes};
//! use effigy_wire::Limits;
//!
//! let mut files = Changes::default();
//! files.put("Units/Footman.mdx", b"MDLX".to_vec())?;
//! let archive = create(ArchiveKind::Mpq, &files)?;
//!
//! let mut change = Changes::default();
//! change.put("Textures/Footman.blp", b"BLP1".to_vec())?;
//! let larger = rewrite("footman.mpq", archive.bytes, &change, &Limits::DEFAULT)?;
//! let opened = open_bytes("footman.mpq", larger.bytes, &Limits::DEFAULT)?;
//! assert_eq!(opened.read("units/footman.mdx")?.as_deref(), Some(&b"MDLX"[..]));
//! # Ok::<(), effigy_wire::Error>(())
//! ```

mod imports;
mod mpq;
mod mpq_write;
mod zip;

use crate::source::{Entry, Source};
use crate::{ArchiveKind, Mpq, Pk3, destination, name, open_bytes};
use effigy_wire::{Error, Kind, Limits, Report, Result};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Files to put into an archive, and files to remove from it.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    /// By the normalised form of the name.
    put: BTreeMap<String, (String, Vec<u8>)>,
    remove: BTreeSet<String>,
}

impl Changes {
    /// Adds a file, or replaces the one of this name.
    ///
    /// # Errors
    /// When the name cannot be the name of a file in an archive, or is one that archives keep for themselves.
    pub fn put(&mut self, file_name: &str, bytes: Vec<u8>) -> Result<()> {
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
        self.put.insert(name::key(&tidy), (tidy, bytes));
        Ok(())
    }

    /// Adds a file from the disk, or all files of a folder with their paths from that folder. `under` is a folder in the archive
    /// that they are put below.
    ///
    /// # Errors
    /// When a file cannot be read, or its name cannot be used.
    pub fn put_path(&mut self, path: &Path, under: &str, limits: &Limits) -> Result<()> {
        if path.is_dir() {
            let folder = crate::Folder::new(path, limits)?;
            for entry in folder.list()? {
                self.put(&name::join(under, &entry.name), folder.open(&entry)?)?;
            }
            return Ok(());
        }
        let file = crate::FileRef::disk(path);
        self.put(&name::join(under, &file.file_name()), file.read(limits)?)
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

    fn concerns(&self, key: &str) -> bool {
        self.put.contains_key(key) || self.remove.contains(key)
    }
}

/// The list of names, the checksums and the signature of an MPQ.
fn is_special(file_name: &str) -> bool {
    matches!(name::key(file_name).as_str(), "(listfile)" | "(attributes)" | "(signature)")
}

/// An archive that was written to memory. [`Packed::save`] and [`Packed::check`] compare it with what it was written from.
#[derive(Clone, Debug)]
pub struct Packed {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// What was dropped or written in another way.
    pub report: Report,
    /// How many files it has, without those that it keeps for itself.
    pub files: usize,
    /// Where each file is that was not changed: its entry in the old archive and in the new one.
    same: Vec<(Entry, Entry)>,
    old: Option<(String, Vec<u8>)>,
    changes: Changes,
}

/// A new archive with these files.
///
/// # Errors
/// When the files are too many or too large for the format.
pub fn create(kind: ArchiveKind, files: &Changes) -> Result<Packed> {
    let (bytes, report) = match kind {
        ArchiveKind::Mpq => mpq::create(files)?,
        ArchiveKind::Zip => zip::create(files)?,
    };
    let changes = files.clone();
    Ok(Packed { files: files.put.len(), bytes, report, same: Vec::new(), old: None, changes })
}

/// An archive with some files changed. `label` names it in messages.
///
/// # Errors
/// When it is not an archive, is protected or damaged, or the result would be too large for its format.
pub fn rewrite(label: &str, bytes: Vec<u8>, changes: &Changes, limits: &Limits) -> Result<Packed> {
    let mut changes = changes.clone();
    let written = match ArchiveKind::sniff(&bytes) {
        Some(ArchiveKind::Mpq) => {
            let source = Mpq::from_bytes(label, bytes.clone(), limits)?;
            mpq::rewrite(&source, &bytes, &mut changes, limits)?
        }
        Some(ArchiveKind::Zip) => {
            let source = Pk3::from_bytes(label, bytes.clone(), limits)?;
            zip::rewrite(&source, &bytes, &changes)?
        }
        None => return Err(Error::unsupported("this is neither an MPQ nor a zip archive")),
    };
    Ok(Packed {
        bytes: written.bytes,
        report: written.report,
        files: written.same.len() + changes.put.len(),
        same: written.same,
        old: Some((label.to_owned(), bytes)),
        changes,
    })
}

/// What a rewrite made.
struct Rewritten {
    bytes: Vec<u8>,
    report: Report,
    same: Vec<(Entry, Entry)>,
}

impl Packed {
    /// Writes the archive next to its target, reads every file of it back from the disk and compares it, and then renames
    /// it.
    ///
    /// # Errors
    /// When the target exists and may not be replaced, a file does not read back, or the disk refuses.
    pub fn save(&self, path: &Path, overwrite: bool, limits: &Limits) -> Result<()> {
        destination::write_checked(path, &self.bytes, overwrite, |written| {
            self.compare(std::fs::read(written)?, limits)
        })
    }

    /// Opens the archive and compares every file in it with what it was made from.
    ///
    /// # Errors
    /// When a file does not read back as it should.
    pub fn check(&self, limits: &Limits) -> Result<()> {
        self.compare(self.bytes.clone(), limits)
    }

    fn compare(&self, bytes: Vec<u8>, limits: &Limits) -> Result<()> {
        let new = open_bytes("the new archive", bytes, limits)?;
        for (file_name, content) in self.changes.put.values() {
            if new.read(file_name)?.as_ref() != Some(content) {
                return Err(differs(file_name));
            }
        }
        if let Some(found) = self
            .changes
            .remove
            .iter()
            .find(|key| !self.changes.put.contains_key(*key) && new.find(key).is_some())
        {
            return Err(differs(found));
        }
        let Some((label, bytes)) = &self.old else { return Ok(()) };
        let old = open_bytes(label, bytes.clone(), limits)?;
        // Both know the same names then: the name of an encrypted file is its key.
        let names: Vec<String> = self.same.iter().map(|(entry, _)| entry.name.clone()).collect();
        for source in [&old, &new] {
            source.list()?;
            source.try_names(&names);
        }
        for (before, after) in &self.same {
            let same = match (old.open(before), new.open(after)) {
                (Ok(before), Ok(after)) => before == after,
                // It was copied as it is, and cannot be unpacked here or there.
                (Err(_), Err(_)) => true,
                _ => false,
            };
            if !same {
                return Err(differs(&before.name));
            }
        }
        Ok(())
    }
}

fn differs(file_name: &str) -> Error {
    let text = format!("{} does not read back from the archive that was written", name::printable(file_name));
    Error::new(Kind::Io, text)
}
