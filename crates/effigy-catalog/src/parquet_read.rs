//! Rows out of a Parquet file that this crate wrote.

use crate::parquet_schema::schema;
use crate::table::foreign;
use effigy::catalog::{COLUMNS, Cell, Row, Scalar, Type};
use effigy_wire::Result;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;
use std::fs::File;

/// Reads all rows.
pub fn read(file: File, each: &mut dyn FnMut(Row) -> Result<()>) -> Result<()> {
    let reader = SerializedFileReader::new(file).map_err(foreign)?;
    let metadata = reader.metadata().file_metadata();
    // Another program's file may have the same names with other types, and more than its reader expects.
    if !metadata.created_by().is_some_and(|program| program.starts_with("effigy ")) {
        return Err(foreign("another program wrote it"));
    }
    if metadata.schema() != &*schema().map_err(foreign)? {
        return Err(foreign("another version of Effigy wrote it"));
    }
    for fields in reader.get_row_iter(None).map_err(foreign)? {
        let fields = fields.map_err(foreign)?.into_columns();
        let cells = COLUMNS.iter().zip(fields).map(|(column, (_, field))| cell(field, column.kind));
        let row = cells.collect::<Option<Vec<Cell>>>().and_then(Row::from_cells);
        each(row.ok_or_else(|| foreign("a value is of another type"))?)?;
    }
    Ok(())
}

fn cell(field: Field, kind: Type) -> Option<Cell> {
    Some(match (field, kind) {
        (Field::Null, _) => Cell::Null,
        (Field::Str(text), Type::Scalar(Scalar::Text) | Type::Texts) => Cell::Text(text),
        (Field::Long(number), Type::Scalar(Scalar::Int)) => Cell::Int(number),
        (Field::Float(number), Type::Scalar(Scalar::Float)) => Cell::Float(number),
        (Field::Double(number), Type::Scalar(Scalar::Double)) => Cell::Double(number),
        (Field::Bool(value), Type::Scalar(Scalar::Bool)) => Cell::Bool(value),
        (Field::Bytes(bytes), Type::Scalar(Scalar::Bytes)) => Cell::Bytes(bytes.data().to_vec()),
        (Field::ListInternal(list), Type::Texts | Type::Records(_)) => {
            let elements = list.elements().iter().map(|element| cell(element.clone(), kind));
            Cell::List(elements.collect::<Option<_>>()?)
        }
        (Field::Group(record), Type::Records(fields)) => {
            let values = record.into_columns().into_iter();
            let cells =
                fields.iter().zip(values).map(|(field, (_, value))| cell(value, Type::Scalar(field.kind)));
            Cell::Record(cells.collect::<Option<_>>()?)
        }
        _ => return None,
    })
}
