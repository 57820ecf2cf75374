//! The bytes of an archive: a file, of which only the necessary parts are read, or memory.

use std::fs::File;
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::sync::Arc;

/// Where an archive's bytes come from.
pub enum Input {
    /// A file on disk.
    File(File),
    /// Bytes in memory.
    Memory(Cursor<Shared>),
}

/// Bytes that several readers have.
#[derive(Clone, Debug)]
pub struct Shared(Arc<Vec<u8>>);

impl From<Vec<u8>> for Shared {
    fn from(bytes: Vec<u8>) -> Self {
        Self(Arc::new(bytes))
    }
}

impl AsRef<[u8]> for Shared {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl Input {
    /// Bytes in memory.
    pub fn memory(bytes: impl Into<Shared>) -> Self {
        Self::Memory(Cursor::new(bytes.into()))
    }

    /// Another reader of the same bytes. Readers of one file share their position: each of them seeks before it reads.
    pub fn again(&self) -> io::Result<Self> {
        Ok(match self {
            Self::File(file) => Self::File(file.try_clone()?),
            Self::Memory(bytes) => Self::memory(bytes.get_ref().clone()),
        })
    }
}

impl Read for Input {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::File(file) => file.read(buffer),
            Self::Memory(bytes) => bytes.read(buffer),
        }
    }
}

impl Seek for Input {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match self {
            Self::File(file) => file.seek(to),
            Self::Memory(bytes) => bytes.seek(to),
        }
    }
}
