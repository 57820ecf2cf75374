//! `effigy.toml`: defaults for the models of a folder and those below it.

use crate::{CheckOptions, Game, Profile, Severity};
use serde::{Deserialize, Deserializer, de};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// How one file is checked: what the caller says, then what the nearest `effigy.toml` says.
#[derive(Clone, Debug, Default)]
pub struct CheckSettings {
    /// What the model is.
    pub profile: Option<Profile>,
    /// The game that shall load it.
    pub game: Option<Game>,
    /// Only these codes, or codes that begin so; all where empty.
    pub select: Vec<String>,
    /// Not these codes, or codes that begin so.
    pub ignore: Vec<String>,
    /// The least severity that counts as a failure.
    pub deny: Option<Deny>,
}

/// What counts as a failure besides errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Deny {
    /// Severe findings.
    Severe,
    /// Severe findings and warnings.
    #[serde(alias = "warning")]
    Warnings,
    /// All findings.
    Unused,
}

impl Deny {
    /// The least severity that counts as a failure.
    #[must_use]
    pub const fn severity(self) -> Severity {
        match self {
            Self::Severe => Severity::Severe,
            Self::Warnings => Severity::Warning,
            Self::Unused => Severity::Unused,
        }
    }
}

/// The whole file. A table that nobody knows is an error: it may be a misspelt one.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    check: Table,
    /// For those who open the file as a model.
    #[serde(default, rename = "assembly")]
    _assembly: Option<de::IgnoredAny>,
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
    known_codes(&codes).map_err(de::Error::custom)?;
    Ok(codes)
}

/// Whether each of these is a code, or how codes begin.
///
/// # Errors
/// Names the first that is neither.
pub fn known_codes(codes: &[String]) -> Result<(), String> {
    let unknown = codes.iter().find(|code| effigy_check::rule::beginning(code).next().is_none());
    unknown.map_or(Ok(()), |code| {
        let groups: Vec<&str> = effigy_check::rule::GROUPS.iter().map(|(name, _)| *name).collect();
        let groups = groups.join(", ");
        Err(format!("no code begins with {code}; `effigy check --explain MDX` lists those of MDX, and there are the groups {groups}"))
    })
}

/// Folders above a model in which an `effigy.toml` is looked for.
const LEVELS: usize = 16;

/// Every `effigy.toml` that concerns the sources, read once.
#[derive(Debug, Default)]
pub struct Configs {
    /// By the folder that it is in.
    tables: BTreeMap<PathBuf, Table>,
}

impl Configs {
    /// Reads those in the folders above these files.
    ///
    /// # Errors
    /// Names the file and what is wrong in it.
    pub fn load<'a>(files: impl IntoIterator<Item = &'a Path>) -> Result<Self, String> {
        let mut configs = Self::default();
        let mut seen = BTreeSet::new();
        for path in files.into_iter().filter_map(full) {
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

    /// The settings for a file, where the caller's own come first.
    #[must_use]
    pub fn settings(&self, path: Option<&Path>, own: CheckSettings) -> CheckSettings {
        let mut settings = own;
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
    let File { check, .. } = toml::from_str(&text).map_err(|error| error.to_string())?;
    match check.folder.iter().find(|(_, table)| !table.folder.is_empty()) {
        Some((name, _)) => {
            Err(format!("[check.folder.\"{name}\"] holds folders; write \"{name}/inner\" instead"))
        }
        None => Ok(check),
    }
}

impl CheckSettings {
    /// The options of a check of the file with this name.
    #[must_use]
    pub fn options<'a>(&'a self, file_name: &'a str) -> CheckOptions<'a> {
        CheckOptions {
            profile: self.profile,
            file_name,
            game: self.game,
            select: &self.select,
            ignore: &self.ignore,
            ..CheckOptions::default()
        }
    }

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
