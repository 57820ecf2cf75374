//! A place where files come from.

pub mod archive_path;
pub mod cache;
pub mod folder;
mod input;
pub mod kind;
pub mod memory;
mod mentions;
pub mod mpq;
mod mpq_hash;
mod mpq_sectors;
pub mod pk3;
pub mod stack;

use effigy_wire::{Diagnostics, Error, Kind, Result};

/// A file in a source.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entry {
    /// Its name from the source's root, with `/` between parts, in the case in which the source writes it.
    pub name: String,
    /// Its size in bytes once unpacked, as the source states it.
    pub size: u64,
    /// The room it takes in the source, in bytes.
    pub stored: u64,
    /// Whether the source knew its name; otherwise the name is made up (`File00000012.mdx`).
    pub named: bool,
    /// Where the source keeps it: a block, an index; nothing outside reads it.
    pub(crate) slot: u32,
}

/// A folder or archive, read only. Names are compared without regard to case and kind of slash.
pub trait Source: Send + Sync {
    /// What the source is called in messages: the path it was opened from.
    fn label(&self) -> &str;

    /// All files, sorted by name.
    ///
    /// # Errors
    /// When the place cannot be read at all. Single bad entries become diagnostics.
    fn list(&self) -> Result<Vec<Entry>>;

    /// The file of this name, if there is one.
    fn find(&self, name: &str) -> Option<Entry>;

    /// The content of an entry that [`Source::list`] or [`Source::find`] gave.
    ///
    /// # Errors
    /// When it cannot be read or unpacked, or is larger than the limits allow.
    fn open(&self, entry: &Entry) -> Result<Vec<u8>>;

    /// The first bytes of an entry, at most this many: enough to tell what it is without unpacking the rest.
    ///
    /// # Errors
    /// As [`Source::open`].
    fn head(&self, entry: &Entry, most: usize) -> Result<Vec<u8>> {
        let mut bytes = self.open(entry)?;
        bytes.truncate(most);
        Ok(bytes)
    }

    /// Names that may be in here, for archives that keep hashes instead of names. Returns how many were found that
    /// had no name before.
    fn try_names(&self, names: &[String]) -> usize {
        let _ = names;
        0
    }

    /// What was noticed so far.
    fn diagnostics(&self) -> Diagnostics {
        Diagnostics::default()
    }

    /// The content of the file of this name; `None` when there is no such file.
    ///
    /// # Errors
    /// As [`Source::open`].
    fn read(&self, name: &str) -> Result<Option<Vec<u8>>> {
        self.find(name).map(|entry| self.open(&entry)).transpose()
    }
}

/// The error for an entry that the source does not have.
pub(crate) fn not_found(name: &str) -> Error {
    Error::new(Kind::Usage, format!("there is no {name} in here"))
}

/// Checks a stated size against what may be unpacked.
pub(crate) fn check_size(name: &str, size: u64, limits: &effigy_wire::Limits) -> Result<()> {
    if size > limits.unpacked_bytes {
        let most = limits.unpacked_bytes;
        return Err(Error::new(Kind::Limit, format!("{name}: {size} bytes unpacked, the limit is {most}")));
    }
    Ok(())
}
