//! Rows as Parquet.
//!
//! Rows are collected into groups, and a group is written column by column. A group ends after a number of rows or bytes,
//! whichever comes first, so memory stays bounded also where rows have pictures; and it depends on the rows alone, so the same rows
//! give the same bytes.

use crate::parquet_schema::schema;
use effigy::catalog::{COLUMNS, Cell, Row, Scalar, Type};
use effigy_wire::{Error, Kind};
use parquet::basic::Compression;
use parquet::column::writer::ColumnWriter;
use parquet::data_type::ByteArray;
use parquet::errors::{ParquetError, Result};
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::ColumnPath;
use std::io::Write;
use std::sync::Arc;

/// Rows in a group, at most.
const ROWS: usize = 4096;

/// Bytes of the values of a group, about, after which no row is added.
const BYTES: usize = 8 << 20;

/// Columns in which hardly any value occurs twice, and packing would only cost time.
const UNIQUE: [&str; 2] = ["sha256", "thumbnail"];

/// Writes rows as Parquet.
pub struct ParquetTable<W: Write + Send> {
    file: SerializedFileWriter<W>,
    rows: Vec<Row>,
    bytes: usize,
}

fn properties() -> WriterProperties {
    let builder = WriterProperties::builder()
        .set_created_by(format!("effigy {}", env!("CARGO_PKG_VERSION")))
        .set_compression(Compression::LZ4_RAW)
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_offset_index_disabled(true);
    let unique = UNIQUE.iter().fold(builder, |builder, name| {
        let path = ColumnPath::from(*name);
        builder
            .set_column_dictionary_enabled(path.clone(), false)
            .set_column_compression(path, Compression::UNCOMPRESSED)
    });
    // The smallest and largest picture say nothing.
    unique.set_column_statistics_enabled(ColumnPath::from("thumbnail"), EnabledStatistics::None).build()
}

impl<W: Write + Send> ParquetTable<W> {
    pub fn new(output: W) -> effigy_wire::Result<Self> {
        let file =
            schema().and_then(|schema| SerializedFileWriter::new(output, schema, Arc::new(properties())));
        Ok(Self { file: file.map_err(failed)?, rows: Vec::new(), bytes: 0 })
    }

    pub fn push(&mut self, row: &Row) -> effigy_wire::Result<()> {
        self.bytes += row.cells().iter().map(size).sum::<usize>();
        self.rows.push(row.clone());
        if self.rows.len() >= ROWS || self.bytes >= BYTES {
            self.write_group().map_err(failed)?;
        }
        Ok(())
    }

    pub fn finish(mut self) -> effigy_wire::Result<W> {
        if !self.rows.is_empty() {
            self.write_group().map_err(failed)?;
        }
        self.file.into_inner().map_err(failed)
    }

    fn write_group(&mut self) -> Result<()> {
        let mut group = self.file.next_row_group()?;
        for (at, column) in COLUMNS.iter().enumerate() {
            let cells: Vec<&Cell> = self.rows.iter().filter_map(|row| row.cells().get(at)).collect();
            let leaves: Vec<Leaf<'_>> = match column.kind {
                Type::Scalar(kind) => vec![Leaf::of_scalars(&cells, kind, column.optional)],
                Type::Texts => vec![Leaf::of_lists(&cells, Scalar::Text, false, Some)],
                Type::Records(fields) => fields
                    .iter()
                    .enumerate()
                    .map(|(number, field)| {
                        Leaf::of_lists(&cells, field.kind, field.optional, move |element| match element {
                            Cell::Record(fields) => fields.get(number),
                            _ => None,
                        })
                    })
                    .collect(),
            };
            for leaf in leaves {
                let missing = || ParquetError::General("there are fewer columns than values".to_owned());
                let mut writer = group.next_column()?.ok_or_else(missing)?;
                leaf.write(writer.untyped())?;
                writer.close()?;
            }
        }
        group.close()?;
        self.rows.clear();
        self.bytes = 0;
        Ok(())
    }
}

/// About the memory that a cell takes.
fn size(cell: &Cell) -> usize {
    let inside = match cell {
        Cell::Text(text) => text.len(),
        Cell::Bytes(bytes) => bytes.len(),
        Cell::List(cells) | Cell::Record(cells) => cells.iter().map(size).sum(),
        Cell::Null | Cell::Int(_) | Cell::Float(_) | Cell::Double(_) | Cell::Bool(_) => 0,
    };
    inside + size_of::<Cell>()
}

fn failed(error: ParquetError) -> Error {
    match error {
        // What the disk says is known without the layers above it.
        ParquetError::External(error) => Error::new(Kind::Io, error.to_string()),
        error => Error::new(Kind::Io, error.to_string()),
    }
}

/// The values of a column of the file, with the levels that say which rows and lists they belong to.
///
/// The definition level counts what is there on the way to a value: 0 for a list that is null, 1 for an empty one, 2 for an
/// element, 3 for a field of it that could be null and is not. The repetition level is 1 for all elements of a list but the first.
struct Leaf<'a> {
    kind: Scalar,
    values: Vec<&'a Cell>,
    definition: Option<Vec<i16>>,
    repetition: Option<Vec<i16>>,
}

impl<'a> Leaf<'a> {
    fn of_scalars(cells: &[&'a Cell], kind: Scalar, optional: bool) -> Self {
        let there = |cell: &&Cell| **cell != Cell::Null;
        let definition = optional.then(|| cells.iter().map(|cell| i16::from(there(cell))).collect());
        let values = cells.iter().copied().filter(there).collect();
        Self { kind, values, definition, repetition: None }
    }

    fn of_lists(
        cells: &[&'a Cell],
        kind: Scalar,
        optional: bool,
        get: impl Fn(&'a Cell) -> Option<&'a Cell>,
    ) -> Self {
        let (mut values, mut definition, mut repetition) = (Vec::new(), Vec::new(), Vec::new());
        for cell in cells {
            let elements = match cell {
                Cell::List(elements) if !elements.is_empty() => elements,
                other => {
                    definition.push(i16::from(**other != Cell::Null));
                    repetition.push(0);
                    continue;
                }
            };
            for (number, element) in elements.iter().enumerate() {
                repetition.push(i16::from(number > 0));
                let value = get(element).filter(|value| **value != Cell::Null);
                definition.push(2 + i16::from(optional && value.is_some()));
                values.extend(value);
            }
        }
        Self { kind, values, definition: Some(definition), repetition: Some(repetition) }
    }

    fn write(&self, writer: &mut ColumnWriter<'_>) -> Result<()> {
        let (definition, repetition) = (self.definition.as_deref(), self.repetition.as_deref());
        let wrong = || ParquetError::General(format!("a column of {:?} has other values", self.kind));
        let written = match writer {
            ColumnWriter::ByteArrayColumnWriter(writer) => {
                let values = self.take(|cell| match cell {
                    Cell::Text(text) => Some(ByteArray::from(text.as_str())),
                    Cell::Bytes(bytes) => Some(ByteArray::from(bytes.clone())),
                    _ => None,
                });
                writer.write_batch(&values.ok_or_else(wrong)?, definition, repetition)
            }
            ColumnWriter::Int64ColumnWriter(writer) => {
                let values =
                    self.take(|cell| if let Cell::Int(number) = cell { Some(*number) } else { None });
                writer.write_batch(&values.ok_or_else(wrong)?, definition, repetition)
            }
            ColumnWriter::FloatColumnWriter(writer) => {
                let values =
                    self.take(|cell| if let Cell::Float(number) = cell { Some(*number) } else { None });
                writer.write_batch(&values.ok_or_else(wrong)?, definition, repetition)
            }
            ColumnWriter::DoubleColumnWriter(writer) => {
                let values =
                    self.take(|cell| if let Cell::Double(number) = cell { Some(*number) } else { None });
                writer.write_batch(&values.ok_or_else(wrong)?, definition, repetition)
            }
            ColumnWriter::BoolColumnWriter(writer) => {
                let values = self.take(|cell| if let Cell::Bool(value) = cell { Some(*value) } else { None });
                writer.write_batch(&values.ok_or_else(wrong)?, definition, repetition)
            }
            _ => return Err(wrong()),
        };
        written.map(drop)
    }

    fn take<T>(&self, get: impl Fn(&Cell) -> Option<T>) -> Option<Vec<T>> {
        self.values.iter().map(|cell| get(cell)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A field of a record, by its number.
    fn field(at: usize) -> impl Fn(&Cell) -> Option<&Cell> {
        move |cell| match cell {
            Cell::Record(fields) => fields.get(at),
            _ => None,
        }
    }

    #[test]
    fn levels_of_lists_are_those_of_the_specification() {
        let name = |text: &str, found: Option<&str>| Cell::Record(vec![text.into(), found.into()]);
        let cells = [
            Cell::List(vec![name("a", Some("x")), name("b", None)]),
            Cell::Null,
            Cell::List(vec![]),
            Cell::List(vec![name("c", Some("y"))]),
        ];
        let cells: Vec<&Cell> = cells.iter().collect();
        let names = Leaf::of_lists(&cells, Scalar::Text, false, field(0));
        assert_eq!(names.definition, Some(vec![2, 2, 0, 1, 2]));
        assert_eq!(names.repetition, Some(vec![0, 1, 0, 0, 0]));
        assert_eq!(names.values, [&Cell::from("a"), &"b".into(), &"c".into()]);
        let found = Leaf::of_lists(&cells, Scalar::Text, true, field(1));
        assert_eq!(found.definition, Some(vec![3, 2, 0, 1, 3]));
        assert_eq!(found.repetition, names.repetition);
        assert_eq!(found.values, [&Cell::from("x"), &"y".into()]);
        let plain = Leaf::of_scalars(&[&Cell::Int(1), &Cell::Null], Scalar::Int, true);
        assert_eq!((plain.definition, plain.repetition), (Some(vec![1, 0]), None));
    }
}
