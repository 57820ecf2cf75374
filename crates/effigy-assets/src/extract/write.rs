//! Writing entries: limits and collisions of names.

use super::safe_path;
use crate::file::check_unpacked;
use crate::{Destination, Entry, Source};
use effigy_wire::{Error, Kind, Limits, Result};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// Options of an extraction.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Whether existing files are replaced.
    pub force: bool,
    /// The most bytes that all entries together can have when unpacked.
    pub total_bytes: u64,
    /// How much the archive may ask for. See [`check_unpacked`](crate::file::check_unpacked).
    pub limits: Limits,
}

impl Default for Options {
    fn default() -> Self {
        let limits = Limits::DEFAULT;
        Self { force: false, total_bytes: 16 * limits.unpacked_bytes, limits }
    }
}

/// The result for one entry.
#[derive(Debug)]
pub enum Outcome {
    /// Written to this path.
    Written(PathBuf),
    /// Not written: an earlier entry, named here, has the same path if case is ignored.
    Collides(String),
    /// Not written: the file exists.
    Exists(PathBuf),
    /// Not written because of an error.
    Failed(Error),
}

/// The result of an extraction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extracted {
    /// The number of files written.
    pub written: usize,
    /// The number of entries that were not written.
    pub skipped: usize,
    /// Bytes written.
    pub bytes: u64,
}

/// Writes entries of a source to a folder. `progress` is called with the result of each entry, in order, and returns
/// whether to continue. An entry that fails does not stop the others.
///
/// # Errors
/// When the folder cannot be created, or the entries together are larger than the options allow.
pub fn extract(
    source: &dyn Source,
    entries: &[Entry],
    folder: &Path,
    options: &Options,
    progress: &mut dyn FnMut(&Entry, &Outcome) -> bool,
) -> Result<Extracted> {
    let destination = Destination::folder(folder).overwrite(options.force);
    let mut done = Extracted::default();
    let mut stored = 0_u64;
    let mut taken: HashMap<String, &str> = HashMap::new();
    for entry in entries {
        let outcome = match safe_path(&entry.name) {
            Err(error) => Outcome::Failed(error),
            Ok(path) => {
                let key = path.to_string_lossy().to_lowercase();
                match taken.get(&key) {
                    Some(first) => Outcome::Collides((*first).to_owned()),
                    None => {
                        taken.insert(key, &entry.name);
                        stored = stored.saturating_add(entry.stored);
                        let after = done.bytes.saturating_add(entry.size);
                        check(after, stored, options)?;
                        write(source, entry, &destination, &path)
                    }
                }
            }
        };
        match &outcome {
            Outcome::Written(_) => {
                done.written += 1;
                done.bytes = done.bytes.saturating_add(entry.size);
            }
            _ => done.skipped += 1,
        }
        if !progress(entry, &outcome) {
            break;
        }
    }
    Ok(done)
}

fn check(bytes: u64, stored: u64, options: &Options) -> Result<()> {
    if bytes > options.total_bytes {
        let most = options.total_bytes;
        let message = format!("the archive unpacks to {bytes} bytes or more; the limit is {most}");
        return Err(Error::new(Kind::Limit, message).hint("extract fewer files at a time"));
    }
    check_unpacked(bytes, stored, &options.limits)
}

fn write(source: &dyn Source, entry: &Entry, folder: &Destination, inside: &Path) -> Outcome {
    let attempt = || -> Result<Outcome> {
        let target = folder.path(inside)?;
        // Unpacking is skipped where the file would not be written.
        if !folder.overwrites() && target.is_file() {
            return Ok(Outcome::Exists(target));
        }
        match folder.write(inside, &source.open(entry)?) {
            Ok(path) => Ok(Outcome::Written(path)),
            Err(error) if error.kind() == Kind::Exists => Ok(Outcome::Exists(target)),
            Err(error) => Err(error),
        }
    };
    attempt().unwrap_or_else(Outcome::Failed)
}
