//! Recognising and opening archives.

use super::Source;
use super::folder::Folder;
use super::mpq::Mpq;
use super::pk3::Pk3;
use crate::name;
use effigy_wire::{Error, Limits, Result};
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

/// A kind of archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArchiveKind {
    /// MPQ; also maps and campaigns of Warcraft III, which are MPQ archives after a header of their own.
    Mpq,
    /// Zip; PK3 files are zip archives.
    Zip,
}

impl ArchiveKind {
    /// How many bytes of a file are searched for an MPQ header. Maps have it at 512.
    pub(crate) const SEARCH: usize = 64 << 10;

    /// The kind by content. An MPQ may start at any multiple of 512.
    #[must_use]
    pub fn sniff(bytes: &[u8]) -> Option<Self> {
        if bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06") {
            return Some(Self::Zip);
        }
        let headers = bytes.chunks(512).take(Self::SEARCH / 512);
        let mpq = |part: &[u8]| part.starts_with(b"MPQ\x1a") || part.starts_with(b"MPQ\x1b");
        (bytes.starts_with(b"HM3W") || headers.into_iter().any(mpq)).then_some(Self::Mpq)
    }

    /// The kind that usually has the extension of this path.
    #[must_use]
    pub fn by_extension(path: &str) -> Option<Self> {
        match name::extension(path).as_str() {
            "mpq" | "w3x" | "w3m" | "w3n" => Some(Self::Mpq),
            "pk3" | "zip" => Some(Self::Zip),
            _ => None,
        }
    }

    /// The kind of a file on disk, by its first bytes; `None` for folders and all other files.
    #[must_use]
    pub fn of_file(path: &Path) -> Option<Self> {
        // The bytes that are read here would be missing from a pipe.
        if !std::fs::metadata(path).is_ok_and(|data| data.is_file()) {
            return None;
        }
        let mut head = Vec::new();
        File::open(path).ok()?.take(4096).read_to_end(&mut head).ok()?;
        Self::sniff(&head)
    }
}

/// Opens a folder or an archive.
///
/// # Errors
/// When the path does not exist, or is neither a folder nor a known archive.
pub fn open(path: impl AsRef<Path>, limits: &Limits) -> Result<Arc<dyn Source>> {
    let path = path.as_ref();
    if path.is_dir() {
        return Ok(Arc::new(Folder::new(path, limits)?));
    }
    let mut file = File::open(path)?;
    let mut head = Vec::new();
    Read::by_ref(&mut file).take(ArchiveKind::SEARCH as u64).read_to_end(&mut head)?;
    match ArchiveKind::sniff(&head).or_else(|| ArchiveKind::by_extension(&path.to_string_lossy())) {
        Some(ArchiveKind::Mpq) => Ok(Arc::new(Mpq::open(path, limits)?)),
        Some(ArchiveKind::Zip) => Ok(Arc::new(Pk3::open(path, limits)?)),
        None => Err(unknown()),
    }
}

/// Opens an archive in memory, such as a map inside a campaign.
///
/// # Errors
/// When it is not a known archive.
pub fn open_bytes(label: &str, bytes: Vec<u8>, limits: &Limits) -> Result<Arc<dyn Source>> {
    match ArchiveKind::sniff(&bytes) {
        Some(ArchiveKind::Mpq) => Ok(Arc::new(Mpq::from_bytes(label, bytes, limits)?)),
        Some(ArchiveKind::Zip) => Ok(Arc::new(Pk3::from_bytes(label, bytes, limits)?)),
        None => Err(unknown()),
    }
}

fn unknown() -> Error {
    Error::unsupported("this is neither a folder nor an MPQ or zip archive")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn archives_are_recognised_by_content() {
        let mut map = vec![0; 512];
        map.extend_from_slice(b"MPQ\x1a");
        for (bytes, kind) in [
            (&b"PK\x03\x04"[..], Some(ArchiveKind::Zip)),
            (b"MPQ\x1a", Some(ArchiveKind::Mpq)),
            (b"MPQ\x1b", Some(ArchiveKind::Mpq)),
            (b"HM3W", Some(ArchiveKind::Mpq)),
            (&map, Some(ArchiveKind::Mpq)),
            (b"MDLX", None),
            (b"", None),
        ] {
            assert_eq!(ArchiveKind::sniff(bytes), kind);
        }
    }

    #[test]
    fn a_file_on_disk_is_recognised_and_a_folder_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.bin");
        std::fs::write(&path, b"PK\x03\x04").unwrap();
        assert_eq!(ArchiveKind::of_file(&path), Some(ArchiveKind::Zip));
        std::fs::write(&path, b"MDLX").unwrap();
        assert_eq!(ArchiveKind::of_file(&path), None);
        assert_eq!(ArchiveKind::of_file(folder.path()), None);
        assert_eq!(ArchiveKind::of_file(&folder.path().join("none")), None);
    }
}
