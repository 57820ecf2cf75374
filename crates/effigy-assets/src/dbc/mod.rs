//! The tables of World of Warcraft (`WDBC`) that list the textures of models.
//!
//! A table is a header, rows of 32-bit fields, and a block of strings to which fields point. Field numbers are from real
//! tables of 1.12 and 2.4.3; [`characters`] and [`items`] document where later layouts differ.

pub mod appearance;
pub mod characters;
pub mod creatures;
pub mod items;
pub mod looks;

use effigy_wire::{Cursor, Error, Kind, Limits, Locate, Result, Tag};

/// A table.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    fields: usize,
    row_bytes: usize,
    rows: Vec<u8>,
    strings: Vec<u8>,
}

/// One row of a table.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    bytes: &'a [u8],
    strings: &'a [u8],
}

impl Table {
    /// Reads a table.
    ///
    /// # Errors
    /// When it is not a table, is shorter than its header states, or has more rows than the limits allow.
    pub fn read(bytes: &[u8], limits: &Limits) -> Result<Self> {
        let mut cursor = Cursor::new(bytes);
        cursor.expect_tag(Tag(*b"WDBC"))?;
        let (rows, fields) = (cursor.count().in_field("rows")?, cursor.count().in_field("fields")?);
        let (row_bytes, string_bytes) =
            (cursor.count().in_field("row_bytes")?, cursor.count().in_field("strings")?);
        if rows > limits.records {
            return Err(Error::new(Kind::Limit, format!("{rows} rows, the limit is {}", limits.records)));
        }
        if row_bytes == 0 && rows > 0 {
            return Err(Error::malformed(12, "the size of a row is 0"));
        }
        cursor.check_count(rows, row_bytes).in_field("rows")?;
        let data = cursor.take(rows * row_bytes)?.to_vec();
        let strings = cursor.take(string_bytes).in_field("strings")?.to_vec();
        Ok(Self { fields, row_bytes, rows: data, strings })
    }

    /// The number of fields of a row, as the header states it. It differs between versions of the game.
    #[must_use]
    pub const fn fields(&self) -> usize {
        self.fields
    }

    /// The rows, in the order of the file.
    pub fn rows(&self) -> impl Iterator<Item = Row<'_>> {
        self.rows.chunks_exact(self.row_bytes.max(1)).map(|bytes| Row { bytes, strings: &self.strings })
    }
}

impl<'a> Row<'a> {
    /// A field as a number; 0 if the row has no such field.
    #[must_use]
    pub fn number(&self, field: usize) -> u32 {
        let bytes =
            field.checked_mul(4).and_then(|at| self.bytes.get(at..)).and_then(|rest| rest.first_chunk());
        bytes.map_or(0, |bytes| u32::from_le_bytes(*bytes))
    }

    /// A field as a floating point number.
    #[must_use]
    pub fn float(&self, field: usize) -> f32 {
        f32::from_bits(self.number(field))
    }

    /// A field as text; empty if it does not point into the block of strings.
    #[must_use]
    pub fn text(&self, field: usize) -> String {
        let rest: &'a [u8] = self.strings.get(self.number(field) as usize..).unwrap_or_default();
        let text = rest.split(|&byte| byte == 0).next().unwrap_or_default();
        crate::name::from_bytes(text)
    }

    /// Whether a field points at the start of a string.
    fn is_text(&self, field: usize) -> bool {
        let at = self.number(field) as usize;
        match at.checked_sub(1) {
            None => true,
            Some(before) => at < self.strings.len() && self.strings.get(before) == Some(&0),
        }
    }
}

/// Reads a table by name (`CreatureDisplayInfo`) from a stack of sources; `None` if no source has it.
///
/// # Errors
/// As [`Table::read`], and when the file cannot be opened.
pub fn load(stack: &crate::Stack, name: &str, limits: &Limits) -> Result<Option<Table>> {
    stack.find_any(names(name)).map(|found| Table::read(&found.read()?, limits)).transpose()
}

/// Where a table is in the game's files.
fn names(name: &str) -> [String; 3] {
    [format!("DBFilesClient/{name}.dbc"), format!("dbc/{name}.dbc"), format!("{name}.dbc")]
}

/// Whether a stack has a table that names textures of models.
pub(crate) fn has_looks(stack: &crate::Stack) -> bool {
    let tables = ["CreatureDisplayInfo", "ItemDisplayInfo", "CharSections"];
    tables.iter().any(|table| stack.find_any(names(table)).is_some())
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A cell of a table made by code.
    #[derive(Clone)]
    pub enum Cell {
        Number(u32),
        Float(f32),
        Text(&'static str),
    }

    pub fn table(rows: &[Vec<Cell>]) -> Vec<u8> {
        let fields = rows.first().map_or(0, Vec::len);
        let mut strings = vec![0];
        let mut data = Vec::new();
        for cell in rows.iter().flatten() {
            let word = match cell {
                Cell::Number(number) => *number,
                Cell::Float(number) => number.to_bits(),
                Cell::Text("") => 0,
                Cell::Text(text) => {
                    let at = u32::try_from(strings.len()).unwrap();
                    strings.extend(text.as_bytes());
                    strings.push(0);
                    at
                }
            };
            data.extend(word.to_le_bytes());
        }
        let mut bytes = b"WDBC".to_vec();
        for word in [rows.len(), fields, fields * 4, strings.len()] {
            bytes.extend(u32::try_from(word).unwrap().to_le_bytes());
        }
        bytes.extend(data);
        bytes.extend(strings);
        bytes
    }

    #[test]
    fn fields_have_the_values_of_their_cells() {
        let bytes = table(&[
            vec![Cell::Number(7), Cell::Text("Wolf"), Cell::Float(1.5)],
            vec![Cell::Number(8), Cell::Text(""), Cell::Float(-2.0)],
        ]);
        let read = Table::read(&bytes, &Limits::DEFAULT).unwrap();
        assert_eq!(read.fields(), 3);
        let rows: Vec<_> = read.rows().map(|row| (row.number(0), row.text(1), row.float(2))).collect();
        assert_eq!(rows, [(7, "Wolf".into(), 1.5), (8, String::new(), -2.0)]);
        assert_eq!(read.rows().next().unwrap().number(99), 0);
    }

    #[test]
    fn rows_have_a_size_and_are_not_more_than_the_limit() {
        let rows = vec![vec![Cell::Number(7)], vec![Cell::Number(8)]];
        let read = |records| Table::read(&table(&rows), &Limits { records, ..Limits::DEFAULT });
        assert!(read(2).is_ok());
        assert_eq!(read(1).unwrap_err().kind(), Kind::Limit);
        let header = |rows: u32| [*b"WDBC", rows.to_le_bytes(), [0; 4], [0; 4], [0; 4]].concat();
        assert!(Table::read(&header(0), &Limits::DEFAULT).is_ok());
        let error = Table::read(&header(1), &Limits::DEFAULT).unwrap_err();
        assert!(error.to_string().contains("the size of a row is 0"), "{error}");
    }

    #[test]
    fn truncated_tables_and_wrong_counts_do_not_panic() {
        let bytes = table(&[vec![Cell::Number(7), Cell::Text("Wolf")]]);
        for length in 0..bytes.len() {
            assert!(Table::read(&bytes[..length], &Limits::DEFAULT).is_err());
        }
        for field in [4, 8, 12, 16] {
            for value in [0, 1, 0x7fff_ffff, u32::MAX] {
                let mut bytes = bytes.clone();
                bytes[field..field + 4].copy_from_slice(&value.to_le_bytes());
                if let Ok(table) = Table::read(&bytes, &Limits::DEFAULT) {
                    for row in table.rows() {
                        let _ = (row.text(0), row.text(1), row.number(usize::MAX));
                    }
                }
            }
        }
    }
}
