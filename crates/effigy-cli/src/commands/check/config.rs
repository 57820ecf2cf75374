//! `effigy.toml`: defaults for the models of a folder and those below it.

use super::{CheckArgs, Deny};
use crate::inputs::Source;
use effigy_check::{Game, Profile};
use serde::{Deserialize, Deserializer, de};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// How one file is checked: what the command line says, then what the nearest `effigy.toml` says.
#[derive(Debug, Default)]
pub struct Settings {
    pub profile: Option<Profile>,
    pub game: Option<Game>,
    pub select: Vec<String>,
    pub ignore: Vec<String>,
    pub deny: Option<Deny>,
}

/// The whole file; other commands may have tables of their own.
#[derive(Debug, Default, Deserialize)]
struct File {
    #[serde(default)]
    check: Table,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    #[serde(default, deserialize_with = "word")]
    profile: Option<Profile>,
    #[serde(default, deserialize_with = "word")]
    game: Option<Game>,
    #[serde(default, deserialize_with = "codes")]
    select: Vec<String>,
    #[serde(default, deserialize_with = "codes")]
    ignore: Vec<String>,
    deny: Option<Deny>,
    /// Settings for folders below the file's own.
    #[serde(default)]
    folder: BTreeMap<String, Table>,
}

fn word<'de, D: Deserializer<'de>, T: FromStr<Err = String>>(reader: D) -> Result<Option<T>, D::Error> {
    String::deserialize(reader)?.parse().map(Some).map_err(de::Error::custom)
}

fn codes<'de, D: Deserializer<'de>>(reader: D) -> Result<Vec<String>, D::Error> {
    let codes = Vec::deserialize(reader)?;
    known(&codes).map_err(de::Error::custom)?;
    Ok(codes)
}

/// Whether each of these is a code, or how codes begin.
pub fn known(codes: &[String]) -> Result<(), String> {
    let unknown = codes.iter().find(|code| effigy_check::rule::beginning(code).next().is_none());
    unknown.map_or(Ok(()), |code| Err(format!("no code begins with {code}; docs/checks.md lists them all")))
}

/// Folders above a model in which an `effigy.toml` is looked for.
const LEVELS: usize = 16;

/// Every `effigy.toml` that concerns the sources, read once.
#[derive(Debug, Default)]
pub struct Configs {
    /// By the folder that it stands in.
    tables: BTreeMap<PathBuf, Table>,
}

impl Configs {
    /// Reads them. Something wrong in one of them is told once, before anything is checked.
    pub fn load(sources: &[Source]) -> Result<Self, String> {
        let mut configs = Self::default();
        let mut seen = BTreeSet::new();
        for path in sources.iter().filter_map(|source| full(source.path()?)) {
            for folder in path.ancestors().skip(1).take(LEVELS) {
                if !seen.insert(folder.to_path_buf()) {
                    break;
                }
                let file = folder.join("effigy.toml");
                if file.is_file() {
                    let table = read(&file).map_err(|error| format!("{}: {error}", file.display()))?;
                    configs.tables.insert(folder.to_path_buf(), table);
                }
            }
        }
        Ok(configs)
    }

    /// The settings for a file.
    pub fn settings(&self, path: Option<&Path>, args: &CheckArgs) -> Settings {
        let mut settings = Settings {
            profile: args.profile,
            game: args.game,
            select: args.select.clone(),
            ignore: args.ignore.clone(),
            deny: args.deny,
        };
        let Some(path) = path.and_then(full) else { return settings };
        let mut folders = path.ancestors().skip(1).take(LEVELS);
        if let Some((home, table)) = folders.find_map(|folder| self.tables.get_key_value(folder)) {
            settings.fill(table, path.strip_prefix(home).unwrap_or(&path));
        }
        settings
    }
}

fn full(path: &Path) -> Option<PathBuf> {
    std::path::absolute(path).ok()
}

fn read(file: &Path) -> Result<Table, String> {
    let text = std::fs::read_to_string(file).map_err(|error| error.to_string())?;
    let File { check } = toml::from_str(&text).map_err(|error| error.to_string())?;
    match check.folder.iter().find(|(_, table)| !table.folder.is_empty()) {
        Some((name, _)) => {
            Err(format!("[check.folder.\"{name}\"] holds folders; write \"{name}/inner\" instead"))
        }
        None => Ok(check),
    }
}

impl Settings {
    /// What a table says of a model below its folder, as far as nobody else has said it.
    fn fill(&mut self, check: &Table, below: &Path) {
        let inside = |folder: &str| below.starts_with(PathBuf::from(folder.replace('\\', "/")));
        // The most particular folder speaks first, the file's own table last.
        let mut tables: Vec<(usize, &Table)> = check
            .folder
            .iter()
            .filter(|(folder, _)| inside(folder))
            .map(|(folder, table)| (folder.len(), table))
            .collect();
        tables.sort_by_key(|(length, _)| std::cmp::Reverse(*length));
        for table in tables.into_iter().map(|(_, table)| table).chain([check]) {
            self.profile = self.profile.or(table.profile);
            self.game = self.game.or(table.game);
            if self.select.is_empty() {
                self.select.clone_from(&table.select);
            }
            self.ignore.extend_from_slice(&table.ignore);
            self.deny = self.deny.or(table.deny);
        }
    }
}
