//! What the user can say to `effigy check`.

use crate::args::{AssetArgs, Inputs, Reading};
use clap::{Args, ValueEnum};
use effigy::config::{CheckSettings, Deny};
use effigy::{Game, Profile};
use std::path::PathBuf;

/// Options of `effigy check`.
#[derive(Debug, Args)]
#[command(after_help = "error     the game will not load it, or will crash
severe    the game draws or plays it wrong
warning   probably not what the author meant
note      good to know; models that ship with the games have it too
unused    takes room and does nothing

A model without errors, severe findings and warnings is clean. Notes and what is unused are counted; --verbose, --select
and --deny unused list them.

A file effigy.toml beside the models, or in a folder above, sets defaults:
  [check]
  ignore = [\"MDX1007\"]
  deny = \"warnings\"
  game = \"wc3-classic\"
  [check.folder.\"doodads\"]
  profile = \"doodad\"

Examples:
  effigy check footman.mdx
  effigy check models/ --deny warnings --game wc3-classic
  effigy check models/ --select textures --assets war3.mpq
  effigy check --explain MDX3007
  effigy check footman.mdx --fix -o mended.mdx
  effigy check models/ --fix --in-place --dry-run
  effigy check models/ --format sarif > check.sarif")]
pub struct CheckArgs {
    /// Files, folders, globs, archives, archive:path inside, or - for stdin
    #[arg(required_unless_present = "explain", value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    #[command(flatten)]
    pub reading: Reading,
    #[command(flatten)]
    pub assets: AssetArgs,
    /// Look into the folders inside folders; this is the default
    #[arg(short, long, help_heading = "Inputs", overrides_with = "no_recursive")]
    pub recursive: bool,
    /// Stay in the named folders
    #[arg(long, help_heading = "Inputs")]
    pub no_recursive: bool,
    /// Work on this many files at once [default: all cores]
    #[arg(short, long, value_name = "N", help_heading = "Inputs")]
    pub jobs: Option<usize>,
    /// Say what a code means, why it matters and how to mend it
    #[arg(long, value_name = "CODE", conflicts_with = "paths")]
    pub explain: Option<String>,
    /// What the models are: unit, building, doodad, effect, portrait, item, camera, ui, missile [default: guessed]
    #[arg(long, value_name = "PROFILE", help_heading = "Rules")]
    pub profile: Option<Profile>,
    /// The game that shall load them: wc3-classic, wc3-reforged, wow-alpha, wow-vanilla, wow-tbc, wow-wotlk, rtcw, rtcw-mp,
    /// et, etlegacy
    #[arg(long, value_name = "GAME", help_heading = "Rules")]
    pub game: Option<Game>,
    /// Only these codes, codes that begin so, or a group: textures, sequences, nodes, animation, meshes, materials, emitters,
    /// unused; may be repeated
    #[arg(long, value_name = "CODE", value_delimiter = ',', help_heading = "Rules")]
    pub select: Vec<String>,
    /// Not these codes, codes that begin so, or a group; may be repeated
    #[arg(long, value_name = "CODE", value_delimiter = ',', help_heading = "Rules")]
    pub ignore: Vec<String>,
    /// What makes the command fail besides errors: severe, warnings or unused, and everything worse
    #[arg(long, value_name = "WHAT", help_heading = "Rules")]
    pub deny: Option<DenyArg>,
    /// How findings are printed
    #[arg(long, value_name = "FORMAT", default_value = "text", conflicts_with = "json")]
    pub format: Layout,
    /// Repair what can safely be repaired, and say what was done
    #[arg(long, help_heading = "Repairs")]
    pub fix: bool,
    /// Where repaired models go: a file, or a folder for several
    #[arg(
        short,
        long,
        value_name = "OUT",
        help_heading = "Repairs",
        requires = "fix",
        conflicts_with = "in_place"
    )]
    pub output: Option<PathBuf>,
    /// Repair the files themselves; what they were is kept next to them with .bak at the end, and never overwritten
    #[arg(long, help_heading = "Repairs", requires = "fix")]
    pub in_place: bool,
    /// Show what a repair would change, and write nothing
    #[arg(long, help_heading = "Repairs", requires = "fix")]
    pub dry_run: bool,
    /// Overwrite files
    #[arg(long, help_heading = "Repairs")]
    pub force: bool,
}

/// How findings are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Layout {
    /// For people
    Text,
    /// One JSON object per file and line, as --json
    Json,
    /// SARIF 2.1.0, for code scanning pages
    Sarif,
    /// Annotations of GitHub's workflows
    Github,
}

/// What makes the command fail besides errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DenyArg {
    /// Severe findings
    Severe,
    /// Severe findings and warnings
    #[value(alias = "warning")]
    Warnings,
    /// All findings
    Unused,
}

impl From<DenyArg> for Deny {
    fn from(deny: DenyArg) -> Self {
        match deny {
            DenyArg::Severe => Self::Severe,
            DenyArg::Warnings => Self::Warnings,
            DenyArg::Unused => Self::Unused,
        }
    }
}

impl CheckArgs {
    /// What the command line says about the rules.
    pub fn settings(&self) -> CheckSettings {
        CheckSettings {
            profile: self.profile,
            game: self.game,
            select: self.select.clone(),
            ignore: self.ignore.clone(),
            deny: self.deny.map(Deny::from),
        }
    }

    /// Which files, and how they are read.
    pub fn inputs(&self) -> Inputs {
        Inputs {
            paths: self.paths.clone(),
            reading: self.reading,
            recursive: self.recursive,
            no_recursive: self.no_recursive,
            jobs: self.jobs,
        }
    }
}
