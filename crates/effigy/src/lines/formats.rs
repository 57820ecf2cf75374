//! The formats, and what can be done with each.

use crate::{Dialect, Entry, FORMATS};
use effigy_image::{CODECS, Codec};
use schemars::JsonSchema;
use serde::Serialize;

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
        // `pack` writes them.
        Self { write: true, ..Self::other(name, title, extensions, false) }
    }
}

/// The formats of models, a row for each game.
#[must_use]
pub fn models() -> Vec<Row> {
    let rows = |entry: &'static Entry| entry.dialects.iter().map(move |dialect| Row::new(entry, dialect));
    FORMATS.iter().flat_map(rows).collect()
}

/// Textures and archives.
#[must_use]
pub fn others() -> Vec<Row> {
    CODECS.iter().map(Row::texture).chain(ARCHIVES.iter().map(Row::archive)).collect()
}
