//! Catalogues of models as files: Parquet, CSV and NDJSON, and runs that can be interrupted and resumed.
//!
//! The rows are those of [`effigy::catalog`], and so are the columns: [`COLUMNS`](effigy::catalog::COLUMNS) is the one table
//! that all three kinds of file follow.
//!
//! ```
//! use effigy::Input;
//! use effigy::catalog::Row;
//! use effigy_catalog::{Table, TableKind};
//!
//! let input = Input::disk("missing.mdx".into(), None);
//! let row = Row::new(&input, &Default::default());
//! let mut table = Table::new(TableKind::Csv, Vec::new())?;
//! table.push(&row)?;
//! let text = String::from_utf8(table.finish()?)?;
//! assert!(text.starts_with("path,archive,bytes,sha256,"));
//! assert!(text.lines().nth(1).is_some_and(|line| line.starts_with("missing.mdx,,,,")));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod csv;
mod parquet_read;
mod parquet_schema;
mod parquet_write;
mod run;
mod table;

pub use run::{Known, Run};
pub use table::{Table, TableKind, read};
