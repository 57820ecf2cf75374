//! A run that can be interrupted: rows go to a partial file next to the output as soon as they are made, and the output is
//! written from it at the end.
//!
//! The partial file is NDJSON, one row in each line, so that it can be used as it is. Rows are only ever appended. Whatever
//! ends the process, at most the last line is torn; a run that resumes cuts that off and goes on. A row is taken over only if the
//! file at its path still has the same hash, and if it was made by the same version with the same options.

use crate::table::{LONGEST_LINE, Table, TableKind, read};
use effigy::Input;
use effigy::assets::destination::write_with;
use effigy::catalog::Row;
use effigy_wire::{Error, Kind, Result};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{BufRead, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// SHA-256 of a file.
type Hash = [u8; 32];

/// The hashes of the files whose rows a run has already, by the number of the input.
#[derive(Clone, Debug, Default)]
pub struct Known(Vec<Option<Hash>>);

impl Known {
    /// Whether the row of this input is there, made of a file with this hash (in hexadecimal).
    #[must_use]
    pub fn has(&self, input: usize, sha256: &str) -> bool {
        self.0.get(input).copied().flatten().is_some_and(|known| hash(sha256) == Some(known))
    }

    /// How many rows are there.
    #[must_use]
    pub fn count(&self) -> usize {
        self.0.iter().flatten().count()
    }
}

fn hash(hexadecimal: &str) -> Option<Hash> {
    let mut hash = Hash::default();
    if hexadecimal.len() != hash.len() * 2 {
        return None;
    }
    for (byte, digits) in hash.iter_mut().zip(hexadecimal.as_bytes().chunks_exact(2)) {
        *byte = u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?;
    }
    Some(hash)
}

/// A run over a list of inputs, sorted by name.
#[derive(Debug)]
pub struct Run {
    partial: PathBuf,
    file: File,
    /// Where the partial file ends.
    end: u64,
    /// Where the row of each input begins in the partial file.
    rows: Vec<Option<u64>>,
}

impl Run {
    /// The partial file of an output: `models.parquet.partial`.
    #[must_use]
    pub fn partial(output: &Path) -> PathBuf {
        let mut name = output.as_os_str().to_owned();
        name.push(".partial");
        PathBuf::from(name)
    }

    /// A run from the beginning, for this many inputs. Rows that the partial file has are lost.
    ///
    /// # Errors
    /// When the partial file cannot be made, or another run writes it.
    pub fn start(output: &Path, inputs: usize) -> Result<Self> {
        let run = Self::open(output, inputs)?;
        run.file.set_len(0).map_err(|error| refused(&run.partial, &error))?;
        Ok(run)
    }

    fn open(output: &Path, inputs: usize) -> Result<Self> {
        let partial = Self::partial(output);
        if let Some(folder) = output.parent().filter(|folder| *folder != Path::new("")) {
            std::fs::create_dir_all(folder).map_err(|error| refused(&partial, &error))?;
        }
        let mut options = OpenOptions::new();
        let file = options.read(true).write(true).create(true).truncate(false).open(&partial);
        let file = file.map_err(|error| refused(&partial, &error))?;
        // A file system without locks is not a reason to refuse. On Windows a lock would also keep readers out.
        if !cfg!(windows) && matches!(file.try_lock(), Err(TryLockError::WouldBlock)) {
            return Err(refused(&partial, &"another run is writing it"));
        }
        Ok(Self { partial, file, end: 0, rows: vec![None; inputs] })
    }

    /// A run that takes over the rows of the partial file, and of the output where it is there already, as far as `made_by` made them.
    /// `inputs` must be sorted by name.
    ///
    /// # Errors
    /// When a file cannot be read or is not a catalogue, or another run writes it.
    pub fn resume(output: &Path, kind: TableKind, inputs: &[Input], made_by: &str) -> Result<(Self, Known)> {
        let mut run = Self::open(output, inputs.len())?;
        let mut known = Known(vec![None; inputs.len()]);
        run.end = run.scan(inputs, made_by, &mut known)?;
        run.file.set_len(run.end).map_err(|error| refused(&run.partial, &error))?;
        let scanned = run.end;
        if let Err(error) = run.take_over(output, kind, inputs, made_by, &mut known) {
            // Nothing of a file that cannot be used is kept.
            run.file.set_len(scanned)?;
            if scanned == 0 {
                std::fs::remove_file(&run.partial)?;
            }
            return Err(Error::new(error.kind(), format!("{}: {error}", output.display())));
        }
        Ok((run, known))
    }

    /// Takes over the rows of an earlier output, where there is one and the partial file does not have them.
    fn take_over(
        &mut self,
        output: &Path,
        kind: TableKind,
        inputs: &[Input],
        made_by: &str,
        known: &mut Known,
    ) -> Result<()> {
        if !output.is_file() {
            return Ok(());
        }
        read(output, kind, &mut |row| match usable(&row, inputs, made_by) {
            Some((input, hash)) if known.0.get(input) == Some(&None) => {
                if let Some(known) = known.0.get_mut(input) {
                    *known = Some(hash);
                }
                self.push(input, &row)
            }
            _ => Ok(()),
        })
    }

    /// Reads the lines of the partial file, and returns where the last whole row ends.
    fn scan(&mut self, inputs: &[Input], made_by: &str, known: &mut Known) -> Result<u64> {
        let mut lines = BufReader::new(&self.file);
        let (mut start, mut line) = (0_u64, Vec::new());
        loop {
            line.clear();
            let length = Read::take(&mut lines, LONGEST_LINE).read_until(b'\n', &mut line)?;
            let row = line.strip_suffix(b"\n").and_then(|line| std::str::from_utf8(line).ok());
            let Some(Ok(row)) = row.map(Row::parse) else { return Ok(start) };
            if let Some((input, hash)) = usable(&row, inputs, made_by)
                && let (Some(place), Some(known)) = (self.rows.get_mut(input), known.0.get_mut(input))
            {
                (*place, *known) = (Some(start), Some(hash));
            }
            start = start.saturating_add(u64::try_from(length).unwrap_or(u64::MAX));
        }
    }

    /// Adds the row of an input. From then on it survives the end of the process.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn push(&mut self, input: usize, row: &Row) -> Result<()> {
        let line = row.to_json() + "\n";
        let written =
            self.file.seek(SeekFrom::Start(self.end)).and_then(|_| self.file.write_all(line.as_bytes()));
        written.map_err(|error| refused(&self.partial, &error))?;
        if let Some(place) = self.rows.get_mut(input) {
            *place = Some(self.end);
        }
        self.end = self.end.saturating_add(u64::try_from(line.len()).unwrap_or(u64::MAX));
        Ok(())
    }

    /// Writes the output, in the order of the inputs, and removes the partial file. Returns the size of the output.
    ///
    /// # Errors
    /// When an input has no row, the output exists and may not be replaced, or the disk refuses. The partial file then stays.
    pub fn finish(self, output: &Path, kind: TableKind, overwrite: bool) -> Result<u64> {
        let mut lines = BufReader::new(&self.file);
        lines.seek(SeekFrom::Start(0))?;
        let mut at = 0_u64;
        write_with(output, overwrite, |file| {
            let mut table = Table::new(kind, BufWriter::new(file))?;
            let mut line = String::new();
            for place in &self.rows {
                let place = place.ok_or_else(|| Error::new(Kind::Io, "a row is missing"))?;
                if place != at {
                    lines.seek(SeekFrom::Start(place))?;
                }
                line.clear();
                let length = Read::take(&mut lines, LONGEST_LINE).read_line(&mut line)?;
                at = place.saturating_add(u64::try_from(length).unwrap_or(u64::MAX));
                let row = Row::parse(line.trim_end_matches('\n'));
                table.push(
                    &row.map_err(|error| Error::new(Kind::Io, format!("the partial file: {error}")))?,
                )?;
            }
            let mut file = table.finish()?;
            Ok(file.flush()?)
        })?;
        let Self { partial, file, .. } = self;
        drop(file);
        std::fs::remove_file(&partial)?;
        Ok(std::fs::metadata(output)?.len())
    }
}

fn refused(partial: &Path, error: &dyn std::fmt::Display) -> Error {
    Error::new(Kind::Io, format!("cannot write {}: {error}", partial.display()))
}

/// The number of the input that a row belongs to and the hash of its file, if the row can be taken over: the file opened, and
/// the row was made in the same way. A file that did not open is tried again.
fn usable(row: &Row, inputs: &[Input], made_by: &str) -> Option<(usize, Hash)> {
    if row.is_failed() || row.text("effigy") != Some(made_by) {
        return None;
    }
    let path = row.text("path")?;
    let input = inputs.binary_search_by(|input| input.name.as_str().cmp(path)).ok()?;
    Some((input, hash(row.text("sha256")?)?))
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use effigy::catalog::CatalogOptions;

    #[test]
    fn a_full_disk_is_told_with_the_name_of_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let output = folder.path().join("table.csv");
        // A device that is always full.
        std::os::unix::fs::symlink("/dev/full", Run::partial(&output)).unwrap();
        let (input, options) = (Input::disk("a.mdx".into(), None), CatalogOptions::default());
        let row = Row::failed(&input, &Error::new(Kind::Io, "gone"), &options);
        let error = Run::open(&output, 1).unwrap().push(0, &row).unwrap_err().to_string();
        assert!(error.contains("table.csv.partial: "), "{error}");
    }
}
