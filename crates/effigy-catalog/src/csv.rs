//! Comma-separated values as RFC 4180 has them, with `\n` at the end of lines.
//!
//! Null is an empty cell, an empty text is `""`. Lists are JSON, bytes are base64.

use crate::table::{LONGEST_LINE, foreign};
use effigy::catalog::{COLUMNS, Cell, Column, Row, Type};
use effigy_wire::Result;
use std::io::BufRead;

/// The line of column names.
pub fn heading() -> String {
    let names: Vec<&str> = COLUMNS.iter().map(|column| column.name).collect();
    names.join(",") + "\n"
}

/// A row with its end of line.
pub fn line(row: &Row) -> String {
    let cells = COLUMNS.iter().zip(row.cells()).map(|(column, cell)| match cell {
        Cell::Null => String::new(),
        Cell::Text(text) => quoted(text),
        Cell::Bytes(_) => cell.to_json(column.kind).trim_matches('"').to_owned(),
        _ => quoted(&cell.to_json(column.kind)),
    });
    cells.collect::<Vec<_>>().join(",") + "\n"
}

/// A text in quotes where it needs them.
fn quoted(text: &str) -> String {
    let plain = !text.is_empty() && !text.contains(['"', ',', '\n', '\r']) && text.trim() == text;
    if plain { text.to_owned() } else { format!("\"{}\"", text.replace('"', "\"\"")) }
}

/// A cell as it stands in a line: its text, and whether it was in quotes.
type Found = (String, bool);

/// Reads the rows of what [`heading`] and [`line`] wrote.
pub fn read(mut input: impl BufRead, each: &mut dyn FnMut(Row) -> Result<()>) -> Result<()> {
    let names: Vec<String> =
        record(&mut input)?.unwrap_or_default().into_iter().map(|(name, _)| name).collect();
    if !COLUMNS.iter().map(|column| column.name).eq(names.iter().map(String::as_str)) {
        return Err(foreign("the first line does not name them"));
    }
    while let Some(found) = record(&mut input)? {
        if found.len() != COLUMNS.len() {
            return Err(foreign(format!("a line has {} cells", found.len())));
        }
        let cells = COLUMNS.iter().zip(&found).map(|(column, found)| cell(column, found));
        let cells = cells.collect::<Result<Vec<Cell>, String>>().map_err(foreign)?;
        each(Row::from_cells(cells).ok_or_else(|| foreign("a cell is of another type"))?)?;
    }
    Ok(())
}

fn cell(column: &Column, (text, quoted): &Found) -> Result<Cell, String> {
    match column.kind {
        _ if text.is_empty() && !quoted => Ok(Cell::Null),
        Type::Scalar(kind) => Cell::from_text(text, kind),
        kind => Cell::parse(text, kind, column.optional),
    }
}

/// The next record; `None` at the end.
fn record(input: &mut impl BufRead) -> Result<Option<Vec<Found>>> {
    let mut text = String::new();
    // Line breaks in quotes belong to the record.
    loop {
        let read = std::io::Read::take(&mut *input, LONGEST_LINE).read_line(&mut text)?;
        if read == 0 && text.is_empty() {
            return Ok(None);
        }
        let open = text.bytes().filter(|byte| *byte == b'"').count() % 2 == 1;
        if !open {
            break;
        }
        if read == 0 {
            return Err(foreign("a quote is not closed"));
        }
    }
    let text = text.strip_suffix('\n').unwrap_or(&text);
    let mut cells = Vec::new();
    let mut rest = text.strip_suffix('\r').unwrap_or(text);
    loop {
        let (found, after) = first_cell(rest)?;
        cells.push(found);
        match after.strip_prefix(',') {
            Some(next) => rest = next,
            None if after.is_empty() => return Ok(Some(cells)),
            None => return Err(foreign("there is text after a closing quote")),
        }
    }
}

/// The first cell, and what follows it.
fn first_cell(text: &str) -> Result<(Found, &str)> {
    let Some(mut rest) = text.strip_prefix('"') else {
        let (cell, after) = text.split_at(text.find(',').unwrap_or(text.len()));
        return Ok(((cell.to_owned(), false), after));
    };
    let mut cell = String::new();
    loop {
        let (before, after) = rest.split_once('"').ok_or_else(|| foreign("a quote is not closed"))?;
        cell.push_str(before);
        match after.strip_prefix('"') {
            Some(next) => {
                cell.push('"');
                rest = next;
            }
            None => return Ok(((cell, true), after)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(line: &str) -> Vec<(String, bool)> {
        record(&mut line.as_bytes()).unwrap().unwrap()
    }

    #[test]
    fn texts_are_quoted_where_they_must_be() {
        let table = [
            ("plain", "plain"),
            ("", "\"\""),
            ("a,b", "\"a,b\""),
            ("say \"hi\"", "\"say \"\"hi\"\"\""),
            ("two\nlines", "\"two\nlines\""),
            (" space", "\" space\""),
            ("[{\"name\":\"x\"}]", "\"[{\"\"name\"\":\"\"x\"\"}]\""),
        ];
        for (text, written) in table {
            assert_eq!(quoted(text), written);
            let quotes = written.starts_with('"');
            assert_eq!(
                cells(&format!("1,{written},\n")),
                [("1".to_owned(), false), (text.to_owned(), quotes), (String::new(), false)]
            );
        }
    }

    #[test]
    fn lines_that_are_not_csv_are_errors() {
        for wrong in ["\"open", "\"a\"b,c", "\"a\" ,b"] {
            assert!(record(&mut wrong.as_bytes()).is_err(), "{wrong}");
        }
        assert_eq!(cells("a,b\r\n").len(), 2);
    }
}
