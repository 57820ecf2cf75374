//! A record's declaration as a table in Markdown. The documentation of the formats consists of these.

use crate::{Capabilities, Frame, Record};
use std::fmt::{self, Write};

/// A function that writes the table of one record; see [`record_table`].
pub type RecordTable<C> = fn(&mut String, fn(C) -> String) -> fmt::Result;

/// Writes a record's name, description and fields. `versions` describes which versions have a capability.
///
/// # Errors
/// When the text cannot be written, which does not happen with a string.
pub fn record_table<C: Capabilities + 'static, R: Record<C>>(
    out: &mut String,
    versions: fn(C) -> String,
) -> fmt::Result {
    writeln!(out, "\n#### {}\n\n{}", R::NAME, R::DOC.trim())?;
    match R::SIZED {
        Frame::None => {}
        Frame::Sized => writeln!(out, "Begins with its size in bytes, that word included.")?,
        Frame::SizedIf(caps) => writeln!(out, "Begins with its size in bytes in {}.", versions(caps))?,
        Frame::SizedWith(field) => {
            writeln!(
                out,
                "Begins with its size in bytes (24 bits) and, in the top byte of that word, `{field}`."
            )?;
        }
    }
    writeln!(out, "\n| field | type | in | what |\n|---|---|---|---|")?;
    for field in R::FIELDS {
        let within = field.caps.map_or_else(|| "all".to_owned(), versions);
        let doc = field.doc.split_whitespace().collect::<Vec<_>>().join(" ");
        writeln!(out, "| {} | {} | {within} | {} |", field.name, field.ty, doc.replace('|', "\\|"))?;
    }
    Ok(())
}
