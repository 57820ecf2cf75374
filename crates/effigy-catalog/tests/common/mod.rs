//! Rows for the tests.
#![allow(dead_code, reason = "not every test uses everything")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use effigy::Input;
use effigy::catalog::{COLUMNS, CatalogOptions, Cell, Row};
use std::path::Path;

/// A row of nulls but for these cells.
pub fn row(cells: &[(&str, Cell)]) -> Row {
    let cell = |name: &str| cells.iter().find(|(known, _)| *known == name).map(|(_, cell)| cell.clone());
    let filled = COLUMNS.iter().map(|column| match (cell(column.name), column.optional) {
        (Some(cell), _) => cell,
        (None, true) => Cell::Null,
        (None, false) => "x".into(),
    });
    assert!(cells.iter().all(|(name, _)| COLUMNS.iter().any(|column| column.name == *name)));
    Row::from_cells(filled.collect()).unwrap()
}

/// Every kind of cell: nulls, empty texts and lists, quotes, line breaks, extremes.
pub fn odd_rows() -> Vec<Row> {
    let record = |cells: &[Cell]| Cell::Record(cells.to_vec());
    vec![
        row(&[("path", "only nulls.mdx".into())]),
        row(&[
            ("path", "a, \"b\"\nc\r\u{e4}\u{1f600}.mdx".into()),
            ("name", "".into()),
            ("bytes", Cell::Int(i64::MAX)),
            ("version", Cell::Int(0)),
            ("min_x", Cell::Float(-0.1)),
            ("max_x", Cell::Float(f32::MAX)),
            ("radius", Cell::Float(f32::MIN_POSITIVE)),
            ("meshes", Cell::List(vec![])),
            ("nodes", Cell::List(vec![record(&["bone".into(), Cell::Int(33)])])),
            (
                "sequences",
                Cell::List(vec![
                    record(&["Stand, \"ready\"".into(), Cell::Double(1.333), Cell::Float(0.0), true.into()]),
                    record(&["".into(), Cell::Null, Cell::Null, false.into()]),
                ]),
            ),
            ("materials", Cell::List(vec!["team colour".into(), "".into()])),
            (
                "textures",
                Cell::List(vec![
                    record(&["a\\b.blp".into(), Cell::Int(0), "".into(), "found/a.blp".into()]),
                    record(&["".into(), Cell::Int(1), "team colour".into(), Cell::Null]),
                    record(&["c.blp".into(), Cell::Int(0), "".into(), Cell::Null]),
                ]),
            ),
            ("cameras", Cell::List(vec![])),
            ("thumbnail", Cell::Bytes(vec![0x89, 0x50, 0, 0xff])),
        ]),
        row(&[("path", "z.mdx".into()), ("error", "0x10: GEOS: too short".into()), ("errors", Cell::Int(2))]),
    ]
}

/// The samples as files, as inputs sorted by name.
pub fn samples(folder: &Path, copies: usize) -> Vec<Input> {
    let mut inputs = Vec::new();
    for copy in 0..copies {
        for sample in effigy_samples::all() {
            if ["mdx", "mdl", "mdc"].iter().any(|end| sample.file_name.ends_with(end)) {
                let path = folder.join(format!("{copy}-{}", sample.file_name));
                std::fs::write(&path, &sample.bytes).unwrap();
                inputs.push(Input::disk(path, None));
            }
        }
    }
    inputs.sort_by(|a, b| a.name.cmp(&b.name));
    inputs
}

/// The rows of these inputs.
pub fn rows(inputs: &[Input]) -> Vec<Row> {
    inputs.iter().map(|input| Row::new(input, &CatalogOptions::default())).collect()
}
