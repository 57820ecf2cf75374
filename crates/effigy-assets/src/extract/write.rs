//! Writing entries: limits, collisions, links that stand in the way.

use super::safe_path;
use crate::{Entry, Source};
use effigy_wire::{Error, Kind, Limits, Result};
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Bounds and manners of an extraction.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Whether files that exist are replaced.
    pub force: bool,
    /// Most bytes that all entries together may unpack to.
    pub total_bytes: u64,
    /// Most bytes unpacked for each byte stored, for everything beyond the first 64 MiB.
    pub ratio: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self { force: false, total_bytes: 16 * Limits::DEFAULT.unpacked_bytes, ratio: 200 }
    }
}

/// Unpacked bytes below which the ratio is of no interest.
const FREE_BYTES: u64 = 64 << 20;

/// What became of one entry.
#[derive(Debug)]
pub enum Outcome {
    /// Written to this path.
    Written(PathBuf),
    /// Not written: an entry before it has the same path where case does not matter. Its name stands here.
    Collides(String),
    /// Not written: a file of that name exists.
    Exists(PathBuf),
    /// Not written.
    Failed(Error),
}

/// Counts of an extraction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extracted {
    /// Files written.
    pub written: usize,
    /// Entries not written, for whatever reason.
    pub skipped: usize,
    /// Bytes written.
    pub bytes: u64,
}

/// Writes entries of a source below a folder. `progress` hears of each entry, in order; one bad entry never stops the
/// rest. It returns whether to go on.
///
/// # Errors
/// When the folder cannot be made, or all entries together unpack to more than the options allow.
pub fn extract(
    source: &dyn Source,
    entries: &[Entry],
    folder: &Path,
    options: &Options,
    progress: &mut dyn FnMut(&Entry, &Outcome) -> bool,
) -> Result<Extracted> {
    fs::create_dir_all(folder)?;
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
                        write(source, entry, folder, &path, options.force)
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
    let allowed = stored.saturating_mul(options.ratio).saturating_add(FREE_BYTES);
    if bytes > options.total_bytes || bytes > allowed {
        let most = options.total_bytes.min(allowed);
        let message =
            format!("the archive unpacks to {bytes} bytes and more, the limit for {stored} bytes is {most}");
        return Err(
            Error::new(Kind::Limit, message).hint("extract fewer files at a time, or raise the limit")
        );
    }
    Ok(())
}

fn write(source: &dyn Source, entry: &Entry, folder: &Path, inside: &Path, force: bool) -> Outcome {
    let attempt = || -> Result<Outcome> {
        let target = folder.join(inside);
        make_folders(folder, inside)?;
        match fs::symlink_metadata(&target) {
            Ok(data) if data.is_dir() => {
                return Err(Error::new(Kind::Usage, format!("{} is a folder", target.display())));
            }
            Ok(_) if !force => return Ok(Outcome::Exists(target)),
            _ => {}
        }
        let bytes = source.open(entry)?;
        // Written beside its place and then moved there, so a file is whole or not there; a link in its place is
        // replaced, not followed.
        let mut beside = target.clone().into_os_string();
        beside.push(".part");
        let beside = PathBuf::from(beside);
        if fs::symlink_metadata(&beside).is_ok() {
            fs::remove_file(&beside)?;
        }
        fs::write(&beside, bytes)?;
        fs::rename(&beside, &target)?;
        Ok(Outcome::Written(target))
    };
    attempt().unwrap_or_else(Outcome::Failed)
}

/// Makes the folders of a path one by one; a link among them is not followed.
fn make_folders(folder: &Path, inside: &Path) -> Result<()> {
    let mut path = folder.to_owned();
    for part in inside.parent().into_iter().flat_map(Path::components) {
        path.push(part);
        match fs::symlink_metadata(&path) {
            Ok(data) if data.is_dir() => {}
            Ok(_) => {
                let message = format!("{} is in the way and no folder", path.display());
                return Err(Error::new(Kind::Usage, message));
            }
            Err(_) => fs::create_dir(&path)?,
        }
    }
    Ok(())
}
