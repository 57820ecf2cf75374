//! A catalogue as a file of one of three kinds.

use crate::parquet_write::ParquetTable;
use crate::{csv, parquet_read};
use effigy::catalog::Row;
use effigy_wire::{Error, Kind, Result};
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::str::FromStr;

/// The kind of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableKind {
    /// Apache Parquet, compressed with LZ4.
    Parquet,
    /// Comma-separated values as RFC 4180 has them; lists are JSON.
    Csv,
    /// One JSON object in each line.
    Ndjson,
}

impl TableKind {
    /// All kinds, with their names, which are also their extensions.
    pub const ALL: [(Self, &'static str); 3] =
        [(Self::Parquet, "parquet"), (Self::Csv, "csv"), (Self::Ndjson, "ndjson")];

    /// The kind that the extension of a path names. `.jsonl` is another name of `.ndjson`.
    #[must_use]
    pub fn of_path(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        if extension == "jsonl" { Some(Self::Ndjson) } else { extension.parse().ok() }
    }

    /// What comes before the first row, for the kinds that are text.
    #[must_use]
    pub fn heading(self) -> String {
        match self {
            Self::Csv => csv::heading(),
            Self::Parquet | Self::Ndjson => String::new(),
        }
    }

    /// A row with its end of line; `None` for Parquet, which is not made of lines.
    #[must_use]
    pub fn line(self, row: &Row) -> Option<String> {
        match self {
            Self::Parquet => None,
            Self::Csv => Some(csv::line(row)),
            Self::Ndjson => Some(row.to_json() + "\n"),
        }
    }
}

impl FromStr for TableKind {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let known = Self::ALL.iter().find(|(_, name)| *name == text);
        known.map(|(kind, _)| *kind).ok_or_else(|| "it is parquet, csv or ndjson".to_owned())
    }
}

/// Writes rows to a file. The same rows give the same bytes.
pub struct Table<W: Write + Send>(Inner<W>);

enum Inner<W: Write + Send> {
    /// Lines of text.
    Lines(TableKind, W),
    Parquet(Box<ParquetTable<W>>),
}

impl<W: Write + Send> Table<W> {
    /// An empty table.
    ///
    /// # Errors
    /// When the output refuses.
    pub fn new(kind: TableKind, mut output: W) -> Result<Self> {
        if kind == TableKind::Parquet {
            return Ok(Self(Inner::Parquet(Box::new(ParquetTable::new(output)?))));
        }
        output.write_all(kind.heading().as_bytes())?;
        Ok(Self(Inner::Lines(kind, output)))
    }

    /// Adds a row.
    ///
    /// # Errors
    /// When the output refuses.
    pub fn push(&mut self, row: &Row) -> Result<()> {
        match &mut self.0 {
            Inner::Lines(kind, output) => {
                Ok(output.write_all(kind.line(row).unwrap_or_default().as_bytes())?)
            }
            Inner::Parquet(table) => table.push(row),
        }
    }

    /// Writes what is still to be written.
    ///
    /// # Errors
    /// When the output refuses.
    pub fn finish(self) -> Result<W> {
        match self.0 {
            Inner::Lines(_, mut output) => {
                output.flush()?;
                Ok(output)
            }
            Inner::Parquet(table) => table.finish(),
        }
    }
}

/// The longest line that is read. Only a file that is not a catalogue has longer ones.
pub(crate) const LONGEST_LINE: u64 = 1 << 30;

/// Reads the rows of a file that [`Table`] wrote, one by one.
///
/// # Errors
/// When the file cannot be read or is not a catalogue of these columns; and what `each` returns.
pub fn read(path: &Path, kind: TableKind, each: &mut dyn FnMut(Row) -> Result<()>) -> Result<()> {
    let file = File::open(path)?;
    match kind {
        TableKind::Parquet => parquet_read::read(file, each),
        TableKind::Csv => csv::read(BufReader::new(file), each),
        TableKind::Ndjson => {
            let mut lines = BufReader::new(file);
            let mut line = String::new();
            while std::io::Read::take(&mut lines, LONGEST_LINE).read_line(&mut line)? > 0 {
                each(Row::parse(line.trim_end_matches('\n')).map_err(foreign)?)?;
                line.clear();
            }
            Ok(())
        }
    }
}

/// The error for a file that is not a catalogue.
pub(crate) fn foreign(why: impl std::fmt::Display) -> Error {
    Error::new(Kind::Malformed, format!("this is not a catalogue with these columns: {why}"))
}
