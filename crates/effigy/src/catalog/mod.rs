//! Rows about models, for tables of many: what `info` and `check` know of a file, in one row of fixed columns.
//!
//! A row says the same as `effigy info --json` and `effigy check --json` for the same file, because it is made of the same
//! types. A file that does not open has a row too, with the reason in the column `error`.
//!
//! ```no_run
//! use effigy::catalog::{CatalogOptions, Row};
//!
//! let mut finder = effigy::Finder::default();
//! finder.add("models/".as_ref());
//! for input in &finder.inputs {
//!     println!("{}", Row::new(input, &CatalogOptions::default()).to_json());
//! }
//! ```
//!
//! The crate `effigy-catalog` writes rows as Parquet, CSV and NDJSON.

mod cell;
mod columns;
mod describe;
mod facts;

pub use cell::{Cell, Field, Scalar, Type};
pub use columns::{COLUMNS, Column};
pub use describe::{markdown, schema};
pub use facts::{CatalogOptions, Content};

use crate::lines::Failure;
use crate::{Error, Input, Result};
use cell::{Object, Typed};
use facts::{Facts, Known};
use serde::ser::{Serialize, SerializeMap, Serializer};

/// Puts inputs into the order of the rows: that of their names, each once.
pub fn in_order(inputs: &mut Vec<Input>) {
    inputs.sort_by(|a, b| a.name.cmp(&b.name));
    // Names that are not UTF-8 may look the same and be different.
    inputs.dedup_by(|a, b| a.name == b.name && a.path() == b.path());
}

/// One row: a cell for each of [`COLUMNS`].
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    cells: Vec<Cell>,
}

impl Row {
    /// The row of a file.
    #[must_use]
    pub fn new(input: &Input, options: &CatalogOptions) -> Self {
        Self::of(input, Content::read(input, &options.open), options)
    }

    /// The row of a file whose content was read already.
    #[must_use]
    pub fn of(input: &Input, content: Result<Content>, options: &CatalogOptions) -> Self {
        let (content, known) = match content {
            Ok(content) => {
                let known = Known::new(input, &content, options);
                (Some(content), known)
            }
            Err(error) => (None, Err(error)),
        };
        Self::make(input, content.as_ref(), known.as_ref(), options)
    }

    /// The row of a file that something else failed for.
    #[must_use]
    pub fn failed(input: &Input, error: &Error, options: &CatalogOptions) -> Self {
        Self::make(input, None, Err(error), options)
    }

    fn make(
        input: &Input,
        content: Option<&Content>,
        known: Result<&Known, &Error>,
        options: &CatalogOptions,
    ) -> Self {
        let file = input.file.as_ref().ok();
        let failure = known.err().map(|error| Failure::new(&input.name, error));
        let known = known.ok();
        let facts = Facts {
            path: &input.name,
            archive: file.and_then(crate::assets::FileRef::archive),
            bytes: content.map(Content::length).or_else(|| file.and_then(crate::assets::FileRef::size)),
            sha256: content.map(Content::sha256),
            info: known.map(|known| &known.info),
            checked: known.map(|known| &known.checked),
            error: failure.as_ref(),
            thumbnail: known.and_then(|known| known.thumbnail.as_ref()),
            effigy: &options.made_by(),
        };
        Self { cells: COLUMNS.iter().map(|column| (column.get)(&facts)).collect() }
    }

    /// A row of these cells; `None` where they are not those of [`COLUMNS`].
    #[must_use]
    pub fn from_cells(cells: Vec<Cell>) -> Option<Self> {
        let fits = cells.len() == COLUMNS.len()
            && COLUMNS.iter().zip(&cells).all(|(column, cell)| cell.fits(column.kind, column.optional));
        fits.then_some(Self { cells })
    }

    /// The cells, in the order of [`COLUMNS`].
    #[must_use]
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// The cell of a column.
    #[must_use]
    pub fn get(&self, column: &str) -> Option<&Cell> {
        let at = COLUMNS.iter().position(|known| known.name == column)?;
        self.cells.get(at)
    }

    /// The text of a column; `None` where it is null or not a text.
    #[must_use]
    pub fn text(&self, column: &str) -> Option<&str> {
        match self.get(column)? {
            Cell::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Whether the file did not open.
    #[must_use]
    pub fn is_failed(&self) -> bool {
        self.text("error").is_some()
    }

    /// The row as one JSON object, in one line.
    #[must_use]
    pub fn to_json(&self) -> String {
        // Objects of text, numbers and lists of these always are valid JSON.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// A row from one JSON object.
    ///
    /// # Errors
    /// When the text is not JSON, or not an object with all columns.
    pub fn parse(json: &str) -> Result<Self, String> {
        let object: Object<'_> = serde_json::from_str(json).map_err(|error| error.to_string())?;
        let cell = |column: &Column| {
            let json = object.get(column.name).map(|raw| raw.get()).ok_or("it is missing");
            let cell = json.map_err(str::to_owned);
            cell.and_then(|json| Cell::parse(json, column.kind, column.optional))
                .map_err(|error| format!("{}: {error}", column.name))
        };
        Ok(Self { cells: COLUMNS.iter().map(cell).collect::<Result<_, String>>()? })
    }
}

impl Serialize for Row {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.cells.len()))?;
        for (column, cell) in COLUMNS.iter().zip(&self.cells) {
            map.serialize_entry(column.name, &Typed(cell, column.kind))?;
        }
        map.end()
    }
}
