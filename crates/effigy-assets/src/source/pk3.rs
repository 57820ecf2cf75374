//! Zip archives and PK3 files, which are zip archives. Read with the crate `zip`; stored and deflated entries only.

use super::input::Input;
use super::{Entry, Source, check_size, not_found};
use crate::{codes, name};
use effigy_wire::{Diagnostic, Diagnostics, Error, Kind, Limits, Result, Severity};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use zip::result::ZipError;
use zip::{CompressionMethod, ZipArchive};

/// A zip or PK3 archive. Of two entries with the same name, the later one counts.
pub struct Pk3 {
    label: String,
    limits: Limits,
    archive: Mutex<ZipArchive<BufReader<Input>>>,
    entries: BTreeMap<String, Entry>,
    diagnostics: Diagnostics,
}

impl Pk3 {
    /// Opens an archive on disk. Only its directory is read.
    ///
    /// # Errors
    /// When it is not a zip archive, or its directory is damaged.
    pub fn open(path: &Path, limits: &Limits) -> Result<Self> {
        Self::with(path.display().to_string(), Input::File(File::open(path)?), limits)
    }

    /// Opens an archive in memory.
    ///
    /// # Errors
    /// As [`Pk3::open`].
    pub fn from_bytes(label: &str, bytes: Vec<u8>, limits: &Limits) -> Result<Self> {
        Self::with(label.to_owned(), Input::memory(bytes), limits)
    }

    pub(crate) fn with(label: String, input: Input, limits: &Limits) -> Result<Self> {
        let mut archive = ZipArchive::new(BufReader::new(input)).map_err(convert)?;
        let mut diagnostics = Diagnostics::with_limit(limits.diagnostics);
        let mut entries = BTreeMap::new();
        for index in 0..archive.len() {
            if index >= limits.records {
                diagnostics.push(Diagnostic::new(
                    codes::TOO_MANY,
                    Severity::Warning,
                    "the remaining entries are left out",
                ));
                break;
            }
            let file = match archive.by_index_raw(index) {
                Ok(file) => file,
                Err(error) => {
                    diagnostics.push(Diagnostic::from_error(
                        codes::ENTRY,
                        Severity::Warning,
                        &convert(error),
                    ));
                    continue;
                }
            };
            let name = name::tidy(&name::from_bytes(file.name_raw()));
            if file.is_symlink() {
                let message = "a symbolic link is not followed";
                diagnostics.push(Diagnostic::new(codes::LINK, Severity::Warning, message).in_path(name));
            } else if file.is_file() && !name.is_empty() {
                let (size, stored) = (file.size(), file.compressed_size());
                let slot = u32::try_from(index).unwrap_or(u32::MAX);
                let entry = Entry { name, size, stored, named: true, slot };
                if let Some(hidden) = entries.insert(name::key(&entry.name), entry) {
                    let message = "a later file has the same name, and is the one that the games see";
                    let note = Diagnostic::new(codes::SAME_NAME, Severity::Warning, message);
                    diagnostics.push(note.in_path(hidden.name));
                }
            }
        }
        Ok(Self { label, limits: *limits, archive: Mutex::new(archive), entries, diagnostics })
    }
}

/// An entry as it is stored, with all that decides what it unpacks to.
#[derive(PartialEq)]
pub(crate) struct Stored {
    method: CompressionMethod,
    encrypted: bool,
    checksum: u32,
    size: u64,
    bytes: Vec<u8>,
}

impl Pk3 {
    pub(crate) fn stored(&self, entry: &Entry) -> Result<Stored> {
        let mut archive = self.archive.lock().unwrap_or_else(PoisonError::into_inner);
        let mut file = archive.by_index_raw(entry.slot as usize).map_err(convert)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        Ok(Stored {
            method: file.compression(),
            encrypted: file.encrypted(),
            checksum: file.crc32(),
            size: file.size(),
            bytes,
        })
    }
}

impl Source for Pk3 {
    fn label(&self) -> &str {
        &self.label
    }

    fn list(&self) -> Result<Vec<Entry>> {
        let mut entries: Vec<Entry> = self.entries.values().cloned().collect();
        entries.sort();
        Ok(entries)
    }

    fn find(&self, wanted: &str) -> Option<Entry> {
        self.entries.get(&name::key(wanted)).cloned()
    }

    fn head(&self, entry: &Entry, most: usize) -> Result<Vec<u8>> {
        let mut archive = self.archive.lock().unwrap_or_else(PoisonError::into_inner);
        let file = archive.by_index(entry.slot as usize).map_err(convert)?;
        let mut bytes = Vec::new();
        file.take(most as u64).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    fn open(&self, entry: &Entry) -> Result<Vec<u8>> {
        check_size(&entry.name, entry.size, &self.limits)?;
        let mut archive = self.archive.lock().unwrap_or_else(PoisonError::into_inner);
        let file = archive.by_index(entry.slot as usize).map_err(convert)?;
        if name::key(&name::from_bytes(file.name_raw())) != name::key(&entry.name) {
            return Err(not_found(&entry.name));
        }
        let mut bytes = Vec::new();
        // One byte more than stated, to detect a stated size that is too small.
        file.take(entry.size.saturating_add(1)).read_to_end(&mut bytes)?;
        if bytes.len() as u64 != entry.size {
            let (is, size) = (bytes.len(), entry.size);
            return Err(Error::new(
                Kind::Malformed,
                format!("{}: the stated size is {size} bytes, but {is} were found", entry.name),
            ));
        }
        Ok(bytes)
    }

    fn diagnostics(&self) -> Diagnostics {
        self.diagnostics.clone()
    }
}

pub(crate) fn convert(error: ZipError) -> Error {
    let kind = match &error {
        ZipError::Io(_) => Kind::Io,
        ZipError::UnsupportedArchive(_) | ZipError::CompressionMethodNotSupported(_) => Kind::Unsupported,
        ZipError::FileNotFound => Kind::Usage,
        _ => Kind::Malformed,
    };
    Error::new(kind, error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_of_the_archive_keep_their_category() {
        for (error, kind) in [
            (ZipError::Io(std::io::ErrorKind::PermissionDenied.into()), Kind::Io),
            (ZipError::InvalidArchive("x".into()), Kind::Malformed),
            (ZipError::UnsupportedArchive("x"), Kind::Unsupported),
            (ZipError::CompressionMethodNotSupported(12), Kind::Unsupported),
            (ZipError::FileNotFound, Kind::Usage),
        ] {
            let text = error.to_string();
            let converted = convert(error);
            assert_eq!((converted.kind(), converted.message()), (kind, text.as_str()));
        }
    }
}
