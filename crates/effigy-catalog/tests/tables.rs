//! Tables of all kinds: what is written is what was meant, and comes back.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use crate::common;

use common::{odd_rows, row};
use effigy::catalog::{COLUMNS, Cell, Row};
use effigy_catalog::{Table, TableKind, read};
use std::path::Path;

fn write(kind: TableKind, rows: &[Row]) -> Vec<u8> {
    let mut table = Table::new(kind, Vec::new()).unwrap();
    rows.iter().for_each(|row| table.push(row).unwrap());
    table.finish().unwrap()
}

fn read_all(path: &Path, kind: TableKind) -> effigy::Result<Vec<Row>> {
    let mut rows = Vec::new();
    read(path, kind, &mut |row| {
        rows.push(row);
        Ok(())
    })?;
    Ok(rows)
}

#[test]
fn every_kind_of_cell_comes_back_from_every_kind_of_file() {
    let folder = tempfile::tempdir().unwrap();
    for (kind, name) in TableKind::ALL {
        let path = folder.path().join(format!("models.{name}"));
        assert_eq!(TableKind::of_path(&path), Some(kind));
        let bytes = write(kind, &odd_rows());
        assert_eq!(bytes, write(kind, &odd_rows()), "two runs of {name} differ");
        std::fs::write(&path, bytes).unwrap();
        assert_eq!(read_all(&path, kind).unwrap(), odd_rows(), "{name}");
    }
}

#[test]
fn a_line_of_csv_is_what_a_spreadsheet_expects() {
    let sequence = Cell::Record(vec!["Stand".into(), Cell::Double(1.5), Cell::Float(0.0), true.into()]);
    let row = row(&[
        ("path", "a \"b\".mdx".into()),
        ("name", "".into()),
        ("bytes", Cell::Int(12)),
        ("min_x", Cell::Float(0.1)),
        ("sequences", Cell::List(vec![sequence])),
        ("materials", Cell::List(vec![])),
        ("thumbnail", Cell::Bytes(vec![0, 255, 16])),
    ]);
    let text = String::from_utf8(write(TableKind::Csv, &[row])).unwrap();
    let (heading, line) = text.split_once('\n').unwrap();
    let names: Vec<&str> = heading.split(',').collect();
    assert_eq!(names.len(), COLUMNS.len());
    let expected = names.iter().map(|name| match *name {
        "path" => "\"a \"\"b\"\".mdx\"",
        "name" => "\"\"",
        "bytes" => "12",
        "min_x" => "0.1",
        "sequences" => {
            "\"[{\"\"name\"\":\"\"Stand\"\",\"\"seconds\"\":1.5,\"\"speed\"\":0.0,\"\"looping\"\":true}]\""
        }
        "materials" => "[]",
        "thumbnail" => "AP8Q",
        "effigy" => "x",
        _ => "",
    });
    assert_eq!(line, expected.collect::<Vec<_>>().join(",") + "\n");
}

#[test]
fn a_line_of_ndjson_is_an_object_with_every_column() {
    let text = String::from_utf8(write(TableKind::Ndjson, &odd_rows())).unwrap();
    assert_eq!(text.lines().count(), 3);
    let value: serde_json::Value = serde_json::from_str(text.lines().nth(1).unwrap()).unwrap();
    let keys: Vec<&String> = value.as_object().unwrap().keys().collect();
    assert_eq!(keys.len(), COLUMNS.len());
    assert_eq!(value["textures"][1]["found"], serde_json::Value::Null);
    assert_eq!(value["textures"][0]["path"], "a\\b.blp");
    assert_eq!(value["meshes"], serde_json::json!([]));
    assert_eq!(value["problems"], serde_json::Value::Null);
    assert!(text.contains("\"min_x\":-0.1,"), "{text}");
}

#[test]
fn groups_end_after_many_rows_and_after_large_ones() {
    use parquet::file::reader::{FileReader, SerializedFileReader};
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.parquet");
    let many: Vec<Row> =
        (0..9000).map(|number| row(&[("path", format!("{number:05}").as_str().into())])).collect();
    let picture =
        |number: u8| row(&[("path", "p".into()), ("thumbnail", Cell::Bytes(vec![number; 3 << 20]))]);
    let large: Vec<Row> = (0..7).map(picture).collect();
    for (rows, groups) in [(many, vec![4096, 4096, 808]), (large, vec![3, 3, 1]), (vec![], vec![])] {
        std::fs::write(&path, write(TableKind::Parquet, &rows)).unwrap();
        assert_eq!(read_all(&path, TableKind::Parquet).unwrap(), rows);
        let reader = SerializedFileReader::new(std::fs::File::open(&path).unwrap()).unwrap();
        let sizes: Vec<i64> = reader.metadata().row_groups().iter().map(|group| group.num_rows()).collect();
        assert_eq!(sizes, groups);
    }
}

#[test]
fn files_that_are_not_catalogues_are_errors() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a");
    for (kind, _) in TableKind::ALL {
        let whole = write(kind, &odd_rows());
        let cut = whole[..whole.len() - 7].to_vec();
        for bytes in [b"PAR1".to_vec(), b"a,b\n1,2\n".to_vec(), b"{}\n".to_vec(), vec![0; 100], cut] {
            std::fs::write(&path, &bytes).unwrap();
            let error = read_all(&path, kind).unwrap_err();
            assert_eq!(error.kind(), effigy::Kind::Malformed, "{kind:?}: {error}");
        }
    }
}

/// Python that reads a Parquet file with another implementation and prints its rows as JSON, bytes in base64.
const SCRIPT: &str = "
import base64, json, sys, duckdb
table = duckdb.sql(f\"SELECT * FROM read_parquet('{sys.argv[1]}')\")
def plain(value):
    if isinstance(value, (bytes, bytearray)): return base64.b64encode(value).decode()
    if isinstance(value, list): return [plain(one) for one in value]
    if isinstance(value, dict): return {name: plain(one) for name, one in value.items()}
    return value
for row in table.fetchall():
    print(json.dumps(dict(zip(table.columns, (plain(value) for value in row)))))
";

#[test]
fn duckdb_reads_the_same_values() {
    let python = effigy_testkit::python_with("duckdb");
    if !effigy_testkit::require("duckdb", python.is_some(), "no Python with DuckDB (pip install duckdb)") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.parquet");
    std::fs::write(&path, write(TableKind::Parquet, &odd_rows())).unwrap();
    let output =
        std::process::Command::new(python.unwrap()).args(["-c", SCRIPT]).arg(&path).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    // A number of 32 bits comes as 64, which are the same 32 bits when they are read again.
    let theirs: Vec<Row> = text.lines().map(|line| Row::parse(line).unwrap()).collect();
    assert_eq!(theirs, odd_rows());
}
