//! The bytes of an archive: a file, of which only the necessary parts are read, or memory.

use std::fs::File;
use std::io::{self, Cursor, Read, Seek, SeekFrom};

/// Where an archive's bytes come from.
pub enum Input {
    /// A file on disk.
    File(File),
    /// Bytes in memory.
    Memory(Cursor<Vec<u8>>),
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
