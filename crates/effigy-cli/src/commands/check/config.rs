//! `effigy.toml`: defaults for the models of a folder and those below it.

use super::{CheckArgs, Deny};
use effigy::{Error, Kind, Result};
use effigy_check::{Game, Profile};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

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
    profile: Option<String>,
    game: Option<String>,
    #[serde(default)]
    select: Vec<String>,
    #[serde(default)]
    ignore: Vec<String>,
    deny: Option<Deny>,
    /// Settings for folders below the file's own.
    #[serde(default)]
    folder: BTreeMap<String, Table>,
}

/// Whether each of these is a code, or how codes begin.
pub fn known(codes: &[String]) -> Result<(), String> {
    let unknown = codes.iter().find(|code| effigy_check::rule::beginning(code).next().is_none());
    unknown.map_or(Ok(()), |code| Err(format!("no code begins with {code}; docs/checks.md lists them all")))
}

/// Folders above a model in which an `effigy.toml` is looked for.
const LEVELS: usize = 16;

impl Settings {
    /// The settings for a file.
    pub fn of(path: Option<&Path>, args: &CheckArgs) -> Result<Self> {
        let mut settings = Self {
            profile: args.profile,
            game: args.game,
            select: args.select.clone(),
            ignore: args.ignore.clone(),
            deny: args.deny,
        };
        let Some(path) = path else { return Ok(settings) };
        let full = std::path::absolute(path)?;
        let folders = full.ancestors().skip(1).take(LEVELS);
        let found = folders.map(|folder| folder.join("effigy.toml")).find(|file| file.is_file());
        if let Some(file) = found {
            settings.fill(&file, &full)?;
        }
        Ok(settings)
    }

    fn fill(&mut self, file: &Path, model: &Path) -> Result<()> {
        let wrong = |text: String| Error::new(Kind::Usage, format!("{}: {text}", file.display()));
        let text = std::fs::read_to_string(file)?;
        let File { check } = toml::from_str(&text).map_err(|error| wrong(error.message().to_owned()))?;
        let home = file.parent().unwrap_or(Path::new(""));
        let below = model.strip_prefix(home).unwrap_or(model);
        let inside = |folder: &str| below.starts_with(PathBuf::from(folder.replace('\\', "/")));
        // The most particular folder speaks first, the file's own table last.
        let mut tables: Vec<(usize, &Table)> = check
            .folder
            .iter()
            .filter(|(folder, _)| inside(folder))
            .map(|(folder, table)| (folder.len(), table))
            .collect();
        tables.sort_by_key(|(length, _)| std::cmp::Reverse(*length));
        for table in tables.into_iter().map(|(_, table)| table).chain([&check]) {
            known(&table.select).and_then(|()| known(&table.ignore)).map_err(wrong)?;
            if let (None, Some(profile)) = (self.profile, &table.profile) {
                self.profile = Some(profile.parse().map_err(wrong)?);
            }
            if let (None, Some(game)) = (self.game, &table.game) {
                self.game = Some(game.parse().map_err(wrong)?);
            }
            if self.select.is_empty() {
                self.select.clone_from(&table.select);
            }
            self.ignore.extend_from_slice(&table.ignore);
            self.deny = self.deny.or(table.deny);
        }
        Ok(())
    }
}
