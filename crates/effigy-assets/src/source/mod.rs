//! Sources of files: folders and archives.

pub mod archive_path;
pub mod cache;
pub mod folder;
pub(crate) mod input;
pub mod kind;
pub mod memory;
pub(crate) mod mentions;
pub mod mpq;
pub(crate) mod mpq_hash;
mod mpq_sectors;
pub mod pk3;
pub mod stack;

use effigy_wire::{Diagnostics, Error, Kind, Result};

/// A file in a source.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entry {
    /// Its name from the root of the source, with `/` between parts, in the case that the source has.
    pub name: String,
    /// Its uncompressed size in bytes, as the source states it.
    pub size: u64,
    /// Its compressed size in the source, in bytes.
    pub stored: u64,
    /// Whether its name is known; otherwise the name is generated (`File00000012.mdx`).
    pub named: bool,
    /// Where the source stores it: the number of a block or an index, private to the source.
    pub(crate) slot: u32,
}

/// A folder or archive, read only. Names are compared without regard to case and kind of slash, as the games do.
pub trait Source: Send + Sync {
    /// The name of the source for messages: the path from which it was opened.
    fn label(&self) -> &str;

    /// All files, sorted by name.
    ///
    /// # Errors
    /// When the source cannot be read at all. A single bad entry becomes a diagnostic.
    fn list(&self) -> Result<Vec<Entry>>;

    /// The file of this name, if there is one.
    fn find(&self, name: &str) -> Option<Entry>;

    /// Whether there can be files whose names begin with this folder. `true` where it costs as much to know as to look for them.
    fn may_have(&self, folder: &str) -> bool {
        let _ = folder;
        true
    }

    /// The content of an entry that [`Source::list`] or [`Source::find`] returned.
    ///
    /// # Errors
    /// When it cannot be read or unpacked, or is larger than the limits allow.
    fn open(&self, entry: &Entry) -> Result<Vec<u8>>;

    /// The first bytes of an entry, at most this many. This is enough to recognise a file without unpacking the rest.
    ///
    /// # Errors
    /// As [`Source::open`].
    fn head(&self, entry: &Entry, most: usize) -> Result<Vec<u8>> {
        let mut bytes = self.open(entry)?;
        bytes.truncate(most);
        Ok(bytes)
    }

    /// Tries names, for archives that store hashes instead of names. Returns how many files got a name that had none
    /// before.
    fn try_names(&self, names: &[String]) -> usize {
        let _ = names;
        0
    }

    /// The problems that were found so far.
    fn diagnostics(&self) -> Diagnostics {
        Diagnostics::default()
    }

    /// The content of the file of this name; `None` if there is no such file.
    ///
    /// # Errors
    /// As [`Source::open`].
    fn read(&self, name: &str) -> Result<Option<Vec<u8>>> {
        self.find(name).map(|entry| self.open(&entry)).transpose()
    }
}

/// The error for an entry that the source does not have.
pub(crate) fn not_found(name: &str) -> Error {
    Error::new(Kind::Usage, format!("there is no {name} in this folder or archive"))
}

/// Checks a stated size against the limits.
pub(crate) fn check_size(name: &str, size: u64, limits: &effigy_wire::Limits) -> Result<()> {
    if size > limits.unpacked_bytes {
        let most = limits.unpacked_bytes;
        return Err(Error::new(
            Kind::Limit,
            format!("{name}: {size} bytes uncompressed, the limit is {most}"),
        ));
    }
    Ok(())
}
