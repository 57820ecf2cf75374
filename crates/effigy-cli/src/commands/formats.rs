//! `effigy formats`: what can be done with which format at which version.

use crate::out::Tone;
use crate::session::{Exit, Session, Stop};
use clap::Args;
use effigy::image::{CODECS, Codec};
use effigy::{Dialect, Entry, FORMATS, Result};
use schemars::{JsonSchema, Schema, schema_for};
use serde::Serialize;

/// Options of `effigy formats`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  effigy formats
  effigy formats --json | jq -r 'select(.write) | .format'")]
pub struct FormatsArgs {}

/// What `effigy formats --json` prints for each format and game.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Row {
    /// The name that `--from` and `--to` take.
    pub format: String,
    /// What people call it.
    pub title: String,
    /// The game; empty for textures and archives.
    pub game: String,
    /// Versions that are known by name.
    pub versions: Vec<u32>,
    /// File extensions.
    pub extensions: Vec<String>,
    /// It can be read.
    pub read: bool,
    /// It can be written.
    pub write: bool,
    /// There are rules to check it.
    pub check: bool,
    /// Other files can be converted to it.
    pub convert: bool,
    /// It can be drawn.
    pub render: bool,
}

impl Row {
    fn new(entry: &Entry, dialect: &Dialect) -> Self {
        Self {
            format: entry.name.to_owned(),
            title: entry.title.to_owned(),
            game: dialect.game.to_owned(),
            versions: dialect.versions.to_vec(),
            extensions: entry.extensions.iter().map(|&extension| extension.to_owned()).collect(),
            read: dialect.abilities.read,
            write: dialect.abilities.write,
            check: dialect.abilities.check,
            convert: dialect.abilities.convert,
            render: dialect.abilities.render,
        }
    }
}

/// Kinds of archives: the word, what people call it, extensions.
const ARCHIVES: &[(&str, &str, &[&str])] = &[
    ("mpq", "MPQ archive, map or campaign of Warcraft III", &["mpq", "w3x", "w3m", "w3n"]),
    ("zip", "zip archive, PK3", &["pk3", "zip"]),
];

impl Row {
    fn other(name: &str, title: &str, extensions: &[&str], write: bool) -> Self {
        Self {
            format: name.to_owned(),
            title: title.to_owned(),
            game: String::new(),
            versions: Vec::new(),
            extensions: extensions.iter().map(|&extension| extension.to_owned()).collect(),
            read: true,
            write,
            check: false,
            convert: write,
            render: false,
        }
    }

    fn texture(codec: &Codec) -> Self {
        let format = codec.format;
        Self::other(
            format.name,
            &format!("{} texture", format.title),
            format.extensions,
            !codec.encodings.is_empty(),
        )
    }

    fn archive((name, title, extensions): &(&str, &str, &[&str])) -> Self {
        Self::other(name, title, extensions, false)
    }
}

/// What a line of `--json` looks like.
pub fn schema() -> Schema {
    schema_for!(Row)
}

pub fn run(session: &mut Session, _args: &FormatsArgs) -> Result<Exit, Stop> {
    let rows: Vec<Row> = FORMATS
        .iter()
        .flat_map(|entry| entry.dialects.iter().map(move |dialect| Row::new(entry, dialect)))
        .collect();
    let others: Vec<Row> = CODECS.iter().map(Row::texture).chain(ARCHIVES.iter().map(Row::archive)).collect();
    if session.common.json {
        for row in rows.iter().chain(&others) {
            session.out.json(row)?;
        }
        return Ok(Exit::Fine);
    }
    let versions = |row: &Row| row.versions.iter().map(u32::to_string).collect::<Vec<_>>().join(" ");
    let width = |cell: &dyn Fn(&Row) -> usize, title: &str| {
        rows.iter().map(cell).chain([title.len()]).max().unwrap_or_default()
    };
    let game_width = width(&|row| row.game.len(), "game");
    let version_width = width(&|row| versions(row).len(), "versions");
    let head = format!(
        "{:<6}  {:<game_width$}  {:<version_width$}  read  write  check  convert  render",
        "format", "game", "versions"
    );
    let head = session.out.paint(Tone::Strong, head);
    session.out.line(format_args!("{head}"))?;
    let mark = |can: bool| if can { "yes" } else { "-" };
    for row in &rows {
        session.out.line(format_args!(
            "{:<6}  {:<game_width$}  {:<version_width$}  {:<4}  {:<5}  {:<5}  {:<7}  {}",
            row.format,
            row.game,
            versions(row),
            mark(row.read),
            mark(row.write),
            mark(row.check),
            mark(row.convert),
            mark(row.render)
        ))?;
    }
    let head = session.out.paint(Tone::Strong, "\ntextures and archives");
    session.out.line(format_args!("{head}"))?;
    for row in &others {
        let extensions = row.extensions.iter().map(|one| format!(".{one}")).collect::<Vec<_>>().join(" ");
        let written = if row.write { "read, written" } else { "read" };
        session.out.line(format_args!("{:<6}  {:<13}  {extensions}", row.format, written))?;
    }
    Ok(Exit::Fine)
}
