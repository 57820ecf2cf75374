//! The columns as a Parquet schema.
//!
//! A list is written with the three levels that the format's specification asks for: an optional group, a repeated group
//! `list` and a required `element`.

use effigy::catalog::{COLUMNS, Scalar, Type};
use parquet::basic::{LogicalType, Repetition, Type as Physical};
use parquet::errors::Result;
use parquet::schema::types::{Type as SchemaType, TypePtr};
use std::sync::Arc;

const fn physical(kind: Scalar) -> Physical {
    match kind {
        Scalar::Text | Scalar::Bytes => Physical::BYTE_ARRAY,
        Scalar::Int => Physical::INT64,
        Scalar::Float => Physical::FLOAT,
        Scalar::Double => Physical::DOUBLE,
        Scalar::Bool => Physical::BOOLEAN,
    }
}

const fn repetition(optional: bool) -> Repetition {
    if optional { Repetition::OPTIONAL } else { Repetition::REQUIRED }
}

fn leaf(name: &str, kind: Scalar, optional: bool) -> Result<TypePtr> {
    let logical = (kind == Scalar::Text).then_some(LogicalType::String);
    let builder = SchemaType::primitive_type_builder(name, physical(kind))
        .with_repetition(repetition(optional))
        .with_logical_type(logical);
    builder.build().map(Arc::new)
}

fn group(
    name: &str,
    repetition: Repetition,
    logical: Option<LogicalType>,
    fields: Vec<TypePtr>,
) -> Result<TypePtr> {
    let builder = SchemaType::group_type_builder(name)
        .with_repetition(repetition)
        .with_logical_type(logical)
        .with_fields(fields);
    builder.build().map(Arc::new)
}

fn list(name: &str, optional: bool, element: TypePtr) -> Result<TypePtr> {
    let repeated = group("list", Repetition::REPEATED, None, vec![element])?;
    group(name, repetition(optional), Some(LogicalType::List), vec![repeated])
}

/// The schema of a catalogue.
pub fn schema() -> Result<TypePtr> {
    let column = |name: &str, kind: Type, optional: bool| match kind {
        Type::Scalar(kind) => leaf(name, kind, optional),
        Type::Texts => list(name, optional, leaf("element", Scalar::Text, false)?),
        Type::Records(fields) => {
            let fields = fields.iter().map(|field| leaf(field.name, field.kind, field.optional));
            let element = group("element", Repetition::REQUIRED, None, fields.collect::<Result<_>>()?)?;
            list(name, optional, element)
        }
    };
    let columns = COLUMNS.iter().map(|one| column(one.name, one.kind, one.optional));
    SchemaType::group_type_builder("models")
        .with_fields(columns.collect::<Result<_>>()?)
        .build()
        .map(Arc::new)
}
