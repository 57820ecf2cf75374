//! The columns in words: as a JSON schema and as a table in Markdown.

use super::cell::{Field, Scalar, Type};
use super::columns::COLUMNS;
use serde_json::{Map, Value, json};

const fn json_type(kind: Scalar) -> &'static str {
    match kind {
        Scalar::Text | Scalar::Bytes => "string",
        Scalar::Int => "integer",
        Scalar::Float | Scalar::Double => "number",
        Scalar::Bool => "boolean",
    }
}

fn scalar(kind: Scalar, optional: bool) -> Value {
    let name = json_type(kind);
    let mut schema = Map::new();
    schema.insert("type".to_owned(), if optional { json!([name, "null"]) } else { json!(name) });
    if kind == Scalar::Bytes {
        schema.insert("contentEncoding".to_owned(), json!("base64"));
    }
    Value::Object(schema)
}

fn object(fields: &[Field]) -> Value {
    let properties: Map<String, Value> =
        fields.iter().map(|field| (field.name.to_owned(), scalar(field.kind, field.optional))).collect();
    let required: Vec<&str> = fields.iter().map(|field| field.name).collect();
    json!({ "type": "object", "properties": properties, "required": required })
}

/// The JSON schema of a row as [`super::Row::to_json`] writes it.
#[must_use]
pub fn schema() -> Value {
    let property = |kind: Type, optional: bool| match kind {
        Type::Scalar(kind) => scalar(kind, optional),
        Type::Texts => json!({ "type": ["array", "null"], "items": { "type": "string" } }),
        Type::Records(fields) => json!({ "type": ["array", "null"], "items": object(fields) }),
    };
    let properties: Map<String, Value> = COLUMNS
        .iter()
        .map(|column| {
            let mut schema = property(column.kind, column.optional);
            if let Value::Object(schema) = &mut schema {
                schema.insert("description".to_owned(), json!(column.about));
            }
            (column.name.to_owned(), schema)
        })
        .collect();
    let required: Vec<&str> = COLUMNS.iter().map(|column| column.name).collect();
    json!({
        "title": "Row",
        "description": "One row of a catalogue.",
        "type": "object",
        "properties": properties,
        "required": required,
    })
}

/// The SQL type of a value, as DuckDB shows it.
const fn sql_type(kind: Scalar) -> &'static str {
    match kind {
        Scalar::Text => "varchar",
        Scalar::Int => "bigint",
        Scalar::Float => "float",
        Scalar::Double => "double",
        Scalar::Bool => "boolean",
        Scalar::Bytes => "blob",
    }
}

/// The table of columns in docs/catalog.md.
#[must_use]
pub fn markdown() -> String {
    let mut table = String::from("\n| column | type | what |\n|---|---|---|\n");
    for column in COLUMNS {
        let kind = match column.kind {
            Type::Scalar(kind) => sql_type(kind).to_owned(),
            Type::Texts => "varchar[]".to_owned(),
            Type::Records(fields) => {
                let fields: Vec<String> =
                    fields.iter().map(|field| format!("{} {}", field.name, sql_type(field.kind))).collect();
                format!("struct({})[]", fields.join(", "))
            }
        };
        table.push_str(&format!("| `{}` | {kind} | {} |\n", column.name, column.about));
    }
    table.push('\n');
    table
}
