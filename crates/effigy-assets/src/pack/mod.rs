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

mod changes;
mod imports;
mod mpq;
mod mpq_write;
mod zip;

pub use changes::{Changes, is_special};

use crate::source::input::{Input, Shared};
use crate::source::{Entry, Source};
use crate::{ArchiveKind, Mpq, Pk3, destination, name};
use effigy_wire::{Error, Kind, Limits, Report, Result};
use std::fs::File;
use std::io::{BufWriter, Cursor, Read, Seek, SeekFrom, Write};
use std::path::Path;

/// An archive that was written to memory. [`Packed::check`] compares it with what it was written from.
#[derive(Clone, Debug)]
pub struct Packed {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// What was dropped or written in another way.
    pub report: Report,
    /// How many files it has, without those that it keeps for itself.
    pub files: usize,
    origin: Origin,
    old: Option<(String, Shared)>,
}

/// An archive that was written to a file.
#[derive(Clone, Debug)]
pub struct Written {
    /// Bytes of the old archive; none for a new one.
    pub before: Option<u64>,
    /// Bytes of the archive.
    pub after: u64,
    /// What was dropped or written in another way.
    pub report: Report,
    /// How many files it has, without those that it keeps for itself.
    pub files: usize,
}

/// What the files of a new archive come from.
#[derive(Clone, Debug, Default)]
struct Origin {
    /// Each file that was not changed: its entry in the old archive, and the slot in the new one.
    same: Vec<(Entry, u32)>,
    changes: Changes,
}

impl Origin {
    fn files(&self) -> usize {
        self.same.len() + self.changes.put.len()
    }
}

/// A new archive with these files, in memory.
///
/// # Errors
/// When the files are too many or too large for the format.
pub fn create(kind: ArchiveKind, files: &Changes) -> Result<Packed> {
    let mut output = Cursor::new(Vec::new());
    create_in(kind, files, &mut output)?;
    let origin = Origin { same: Vec::new(), changes: files.clone() };
    let (bytes, report) = (output.into_inner(), files.report());
    Ok(Packed { files: origin.files(), bytes, report, origin, old: None })
}

fn create_in<W: Write + Seek>(kind: ArchiveKind, files: &Changes, output: &mut W) -> Result<()> {
    match kind {
        ArchiveKind::Mpq => mpq::create(files, output),
        ArchiveKind::Zip => zip::create(files, output),
    }
}

/// An archive with some files changed, in memory. `label` names it in messages.
///
/// # Errors
/// When it is not an archive, is protected or damaged, or the result would be too large for its format.
pub fn rewrite(label: &str, bytes: Vec<u8>, changes: &Changes, limits: &Limits) -> Result<Packed> {
    let old = Shared::from(bytes);
    let source = Old::open(label, Input::memory(old.clone()), limits)?;
    let mut output = Cursor::new(Vec::new());
    let (origin, report) = source.rewrite(changes, limits, &mut output)?;
    let old = Some((label.to_owned(), old));
    Ok(Packed { bytes: output.into_inner(), report, files: origin.files(), origin, old })
}

/// Writes a new archive with these files to a path. Files that are on the disk are in memory one at a time. Every file of the
/// archive is read back and compared before it gets its name.
///
/// # Errors
/// As [`create`], and when the path is there already and may not be replaced, a file does not read back, or the disk refuses.
pub fn create_file(
    path: &Path,
    overwrite: bool,
    kind: ArchiveKind,
    files: &Changes,
    limits: &Limits,
) -> Result<Written> {
    let mut after = 0;
    destination::write_with(path, overwrite, |file| {
        let mut output = BufWriter::new(&mut *file);
        create_in(kind, files, &mut output)?;
        output.flush()?;
        drop(output);
        after = file.metadata()?.len();
        compare(&Input::File(file.try_clone()?), None, &[], files, limits)
    })?;
    Ok(Written { before: None, after, report: files.report(), files: files.put.len() })
}

/// Writes an archive with some files changed to a path, which may be its own; otherwise as [`create_file`].
///
/// # Errors
/// As [`rewrite`] and [`create_file`].
pub fn rewrite_file(
    archive: &Path,
    path: &Path,
    overwrite: bool,
    changes: &Changes,
    limits: &Limits,
) -> Result<Written> {
    let label = archive.display().to_string();
    let mut written = None;
    destination::write_with(path, overwrite, |file| {
        // It is closed before the new one gets its name, which may be the same.
        let old = Old::open(&label, Input::File(File::open(archive)?), limits)?;
        let before = std::fs::metadata(archive)?.len();
        let kind = if matches!(old, Old::Mpq(..)) { ArchiveKind::Mpq } else { ArchiveKind::Zip };
        if ArchiveKind::by_extension(&path.to_string_lossy()).is_some_and(|named| named != kind) {
            let (is, name) = match kind {
                ArchiveKind::Mpq => ("an MPQ", "a zip archive"),
                ArchiveKind::Zip => ("a zip archive", "an MPQ or map"),
            };
            return Err(Error::usage(format!("{label} is {is}, and this is the name of {name}")));
        }
        let mut output = BufWriter::new(&mut *file);
        let (origin, report) = old.rewrite(changes, limits, &mut output)?;
        output.flush()?;
        drop(output);
        let after = file.metadata()?.len();
        let new = Input::File(file.try_clone()?);
        compare(&new, Some(&old), &origin.same, &origin.changes, limits)?;
        written = Some(Written { before: Some(before), after, report, files: origin.files() });
        Ok(())
    })?;
    written.ok_or_else(|| Error::new(Kind::Io, "nothing was written"))
}

/// An archive that is the source of another one.
enum Old {
    Mpq(Box<Mpq>, Input),
    Zip(Pk3, Input),
}

impl Old {
    fn open(label: &str, mut bytes: Input, limits: &Limits) -> Result<Self> {
        let mut head = Vec::new();
        bytes.seek(SeekFrom::Start(0))?;
        Read::take(&mut bytes, ArchiveKind::SEARCH as u64).read_to_end(&mut head)?;
        bytes.seek(SeekFrom::Start(0))?;
        let again = bytes.again()?;
        match ArchiveKind::sniff(&head) {
            Some(ArchiveKind::Mpq) => {
                Ok(Self::Mpq(Box::new(Mpq::with(label.to_owned(), again, limits)?), bytes))
            }
            Some(ArchiveKind::Zip) => Ok(Self::Zip(Pk3::with(label.to_owned(), again, limits)?, bytes)),
            None => Err(Error::unsupported("this is neither an MPQ nor a zip archive")),
        }
    }

    fn source(&self) -> &dyn Source {
        match self {
            Self::Mpq(source, _) => &**source,
            Self::Zip(source, _) => source,
        }
    }

    fn rewrite<W: Write + Seek>(
        &self,
        changes: &Changes,
        limits: &Limits,
        output: &mut W,
    ) -> Result<(Origin, Report)> {
        let mut changes = changes.clone();
        let Rewritten { report: more, same } = match self {
            Self::Mpq(source, bytes) => {
                mpq::rewrite(source, &mut bytes.again()?, &mut changes, limits, output)?
            }
            Self::Zip(source, bytes) => zip::rewrite(source, bytes, &changes, output)?,
        };
        let mut report = changes.report();
        report.append(more);
        Ok((Origin { same, changes }, report))
    }
}

/// What a rewrite made.
struct Rewritten {
    report: Report,
    same: Vec<(Entry, u32)>,
}

impl Packed {
    /// Opens the archive and compares every file in it with what it was made from.
    ///
    /// # Errors
    /// When a file does not read back as it should.
    pub fn check(&self, limits: &Limits) -> Result<()> {
        let open = |(label, bytes): &(String, Shared)| Old::open(label, Input::memory(bytes.clone()), limits);
        let old = self.old.as_ref().map(open).transpose()?;
        let (same, changes) = (&self.origin.same, &self.origin.changes);
        let new = Input::memory(self.bytes.clone());
        compare(&new, old.as_ref(), same, changes, limits)
    }
}

/// Compares every file of a new archive with what it was made from.
fn compare(
    new: &Input,
    old: Option<&Old>,
    same: &[(Entry, u32)],
    changes: &Changes,
    limits: &Limits,
) -> Result<()> {
    let opened = Old::open("the new archive", new.again()?, limits)?;
    let new = opened.source();
    for (file_name, content) in changes.put.values() {
        if new.read(file_name)?.as_deref() != Some(&*content.read()?) {
            return Err(differs(file_name));
        }
    }
    let mut removed = changes.remove.iter();
    if let Some(found) = removed.find(|key| !changes.put.contains_key(*key) && new.find(key).is_some()) {
        return Err(differs(found));
    }
    let Some(old) = old else { return Ok(()) };
    if let Old::Mpq(..) = old {
        // Both know the same names then: the name of an encrypted file is its key.
        let names: Vec<String> = same.iter().map(|(entry, _)| entry.name.clone()).collect();
        for source in [old.source(), new] {
            source.list()?;
            source.try_names(&names);
        }
    }
    for (before, slot) in same {
        let after = &Entry { slot: *slot, ..before.clone() };
        // What is packed alike need not be unpacked, which may take a hundred times as much reading.
        if let (Old::Zip(old, _), Old::Zip(new, _)) = (old, &opened)
            && old.stored(before)? == new.stored(after)?
        {
            continue;
        }
        let same = match (old.source().open(before), new.open(after)) {
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

fn differs(file_name: &str) -> Error {
    let text = format!("{} does not read back from the archive that was written", name::printable(file_name));
    Error::new(Kind::Io, text)
}
