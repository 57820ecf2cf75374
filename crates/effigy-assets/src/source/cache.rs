//! Open archives: each is opened once and shared by everybody who reads from it.

use super::kind::{open, open_bytes};
use super::{Entry, Source};
use crate::file::check_unpacked;
use effigy_wire::{Error, Kind, Limits, Result};
use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

/// Archives that stay open at the same time. Systems allow about a thousand open files; work proceeds archive by
/// archive, so a few are enough.
const OPEN: usize = 64;

/// Archives inside archives that stay open at the same time: these are held in memory.
const OPEN_INSIDE: usize = 4;

/// The location of an archive: on disk, or inside another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArchiveAddress {
    /// The outermost archive, on disk.
    pub path: PathBuf,
    /// The archives inside it, from the outside in; a map in a campaign is one.
    pub inside: Vec<String>,
}

impl ArchiveAddress {
    /// An archive on disk.
    pub fn disk(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), inside: Vec::new() }
    }

    /// An archive inside this one.
    #[must_use]
    pub fn with(&self, name: &str) -> Self {
        let mut inner = self.clone();
        inner.inside.push(name.to_owned());
        inner
    }
}

impl fmt::Display for ArchiveAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.path.display())?;
        self.inside.iter().try_for_each(|name| write!(f, ":{name}"))
    }
}

type Opened = Vec<(ArchiveAddress, Arc<dyn Source>)>;

/// The archives that are open, the most recently used one last. An archive that was closed to make room is opened
/// again when it is needed.
#[derive(Default)]
pub struct ArchiveCache {
    limits: Limits,
    open: Mutex<Opened>,
}

impl fmt::Debug for ArchiveCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ArchiveCache").finish_non_exhaustive()
    }
}

impl ArchiveCache {
    /// An empty cache. A file that is unpacked from an archive may be as large as an input.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        Self { limits: Limits { unpacked_bytes: limits.input_bytes, ..limits }, open: Mutex::default() }
    }

    /// Opens the archive at an address.
    ///
    /// # Errors
    /// When there is nothing at the address, or something that is not an archive.
    pub fn open(&self, address: &ArchiveAddress) -> Result<Arc<dyn Source>> {
        if let Some(source) = self.cached(address) {
            return Ok(source);
        }
        let source = match address.inside.split_last() {
            None => open(&address.path, &self.limits)?,
            Some((name, outer)) => {
                let outer = ArchiveAddress { path: address.path.clone(), inside: outer.to_vec() };
                let outer = self.open(&outer)?;
                let entry = outer.find(name).ok_or_else(|| missing(name))?;
                check_unpacked(entry.size, entry.stored, &self.limits)?;
                let bytes = outer.open(&entry)?;
                open_bytes(&address.to_string(), bytes, &self.limits)?
            }
        };
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let is_inside = |address: &ArchiveAddress| !address.inside.is_empty();
        let inside = open.iter().filter(|(address, _)| is_inside(address)).count();
        let oldest = match is_inside(address) && inside >= OPEN_INSIDE {
            true => open.iter().position(|(address, _)| is_inside(address)),
            false => (open.len() >= OPEN).then_some(0),
        };
        if let Some(oldest) = oldest {
            open.remove(oldest);
        }
        open.push((address.clone(), Arc::clone(&source)));
        Ok(source)
    }

    fn cached(&self, address: &ArchiveAddress) -> Option<Arc<dyn Source>> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let at = open.iter().rposition(|(known, _)| known == address)?;
        let last = open.remove(at);
        let source = Arc::clone(&last.1);
        open.push(last);
        Some(source)
    }

    /// The content of an entry of the archive at an address.
    ///
    /// # Errors
    /// When the archive cannot be opened or the entry cannot be unpacked.
    pub fn read(&self, address: &ArchiveAddress, entry: &Entry) -> Result<Vec<u8>> {
        let source = self.open(address)?;
        // An archive that was closed in between has to learn the name again: it may be the key to the content.
        let entry = source.find(&entry.name).unwrap_or_else(|| entry.clone());
        source.open(&entry)
    }
}

/// The error for a name that an archive does not have.
#[must_use]
pub fn missing(name: &str) -> Error {
    Error::new(Kind::Io, format!("there is no {name} in this archive"))
}
