//! `effigy check`: what is wrong with a model, why it matters, and what can be repaired.

mod config;
mod formats;
mod mend;
mod print;

use crate::args::{self, Assets, Reading};
use crate::batch::{self, Loaded};
use crate::expand;
use crate::inputs::Source;
use crate::session::{Exit, Failure, Session, Stop};
use crate::text::{commas, count};
use crate::textures;
use clap::{Args, ValueEnum};
use config::Settings;
use effigy::{Error, Format, Result, Severity, Texture};
use effigy_check::{Checked, Finding, Game, Lookup, Options, Profile, Subject};
use schemars::JsonSchema;
use serde::Serialize;
use std::path::PathBuf;

/// Options of `effigy check`.
#[derive(Debug, Args)]
#[command(after_help = "error     the game will not load it, or will crash
severe    the game draws or plays it wrong
warning   probably not what the author meant
unused    takes room and does nothing

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
  effigy check --explain MDX3007
  effigy check footman.mdx --fix -o mended.mdx
  effigy check models/ --fix --in-place --dry-run
  effigy check models/ --format sarif > check.sarif")]
pub struct CheckArgs {
    /// Files, folders, globs, archives, archive:path inside, or - for stdin
    #[arg(required_unless_present = "explain", value_name = "PATH")]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    reading: Reading,
    #[command(flatten)]
    assets: Assets,
    /// Look into the folders inside folders; this is the default
    #[arg(short, long, help_heading = "Inputs", overrides_with = "no_recursive")]
    recursive: bool,
    /// Stay in the named folders
    #[arg(long, help_heading = "Inputs")]
    no_recursive: bool,
    /// Work on this many files at once [default: all cores]
    #[arg(short, long, value_name = "N", help_heading = "Inputs")]
    jobs: Option<usize>,
    /// Say what a code means, why it matters and how to mend it
    #[arg(long, value_name = "CODE", conflicts_with = "paths")]
    explain: Option<String>,
    /// What the models are: unit, building, doodad, effect, portrait, item, camera, ui, missile [default: guessed]
    #[arg(long, value_name = "PROFILE", help_heading = "Rules")]
    profile: Option<Profile>,
    /// The game that shall load them: wc3-classic, wc3-reforged, wow-alpha, wow-vanilla, wow-tbc, wow-wotlk, rtcw, rtcw-mp,
    /// et, etlegacy
    #[arg(long, value_name = "GAME", help_heading = "Rules")]
    game: Option<Game>,
    /// Only these codes, or codes that begin so; may be repeated
    #[arg(long, value_name = "CODE", value_delimiter = ',', help_heading = "Rules")]
    select: Vec<String>,
    /// Not these codes, or codes that begin so; may be repeated
    #[arg(long, value_name = "CODE", value_delimiter = ',', help_heading = "Rules")]
    ignore: Vec<String>,
    /// What makes the command fail besides errors: severe, warnings or unused, and everything worse
    #[arg(long, value_name = "WHAT", help_heading = "Rules")]
    deny: Option<Deny>,
    /// How findings are printed
    #[arg(long, value_name = "FORMAT", default_value = "text", conflicts_with = "json")]
    format: Look,
    /// Repair what can safely be repaired, and say what was done
    #[arg(long, help_heading = "Repairs")]
    fix: bool,
    /// Where repaired models go: a file, or a folder for several
    #[arg(
        short,
        long,
        value_name = "OUT",
        help_heading = "Repairs",
        requires = "fix",
        conflicts_with = "in_place"
    )]
    output: Option<PathBuf>,
    /// Repair the files themselves; what they were is kept beside them with .bak at the end
    #[arg(long, help_heading = "Repairs", requires = "fix")]
    in_place: bool,
    /// Show what a repair would change, and write nothing
    #[arg(long, help_heading = "Repairs", requires = "fix")]
    dry_run: bool,
    /// Overwrite files
    #[arg(long, help_heading = "Repairs")]
    force: bool,
}

/// How findings are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Look {
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Deny {
    /// Severe findings
    Severe,
    /// Severe findings and warnings
    Warnings,
    /// All findings
    Unused,
}

impl Deny {
    const fn from(self) -> Severity {
        match self {
            Self::Severe => Severity::Severe,
            Self::Warnings => Severity::Warning,
            Self::Unused => Severity::Unused,
        }
    }
}

/// What `effigy check --json` prints for each file.
#[derive(Debug, Serialize, JsonSchema)]
pub struct CheckedFile {
    /// The file.
    pub path: String,
    /// The format's name.
    pub format: String,
    /// The version that the file states.
    pub version: u32,
    /// What the model is taken for.
    pub profile: String,
    /// Why.
    pub reason: String,
    /// The games that load it, as far as their known limits tell.
    pub accepted_by: Vec<String>,
    /// What is wrong, worst first.
    pub findings: Vec<FindingLine>,
    /// Findings that were too many to be listed.
    pub left_out: usize,
    /// What was repaired.
    pub repaired: Vec<Repair>,
}

/// Something that is wrong with a model.
#[derive(Debug, Serialize, JsonSchema)]
pub struct FindingLine {
    /// Its stable code; `effigy check --explain CODE` says more.
    pub code: String,
    /// error, severe, warning or unused.
    pub severity: String,
    /// What is wrong, in a few words.
    pub title: String,
    /// Where it is in the model.
    pub place: String,
    /// Where it is in the file, in bytes.
    pub offset: Option<usize>,
    /// Line and column in a text file.
    pub line: Option<(usize, usize)>,
    /// What was found there.
    pub message: String,
    /// Whether --fix repairs it.
    pub fixable: bool,
}

impl FindingLine {
    fn new(finding: &Finding) -> Self {
        Self {
            code: finding.code.to_string(),
            severity: finding.severity.to_string(),
            title: finding.title.to_owned(),
            place: finding.path.clone(),
            offset: finding.offset,
            line: finding.line,
            message: finding.message.clone(),
            fixable: finding.fixable,
        }
    }
}

/// Something that was repaired.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Repair {
    /// The code of what it mends.
    pub code: String,
    /// Where.
    pub place: String,
    /// What was done.
    pub message: String,
}

/// The last line of `effigy check --json`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Closing {
    /// Counts over all files.
    pub summary: Totals,
}

/// Counts over all files.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct Totals {
    /// All files.
    pub files: u64,
    /// Files without findings.
    pub clean: u64,
    /// Findings that are errors.
    pub errors: u64,
    /// Severe findings.
    pub severe: u64,
    /// Warnings.
    pub warnings: u64,
    /// Findings of what takes room and does nothing.
    pub unused: u64,
    /// Things that were repaired.
    pub repaired: u64,
    /// Files that could not be read.
    pub failed: u64,
}

impl Totals {
    fn add(&mut self, checked: &Checked) {
        let count = |severity| u64::try_from(checked.count(severity)).unwrap_or(u64::MAX);
        self.files += 1;
        self.clean += u64::from(checked.findings.is_empty());
        self.errors += count(Severity::Error);
        self.severe += count(Severity::Severe);
        self.warnings += count(Severity::Warning);
        self.unused += count(Severity::Unused);
    }
}

/// What was found in one file.
struct Looked {
    loaded: Loaded,
    checked: Checked,
    settings: Settings,
    mended: mend::Mended,
}

pub fn run(session: &mut Session, args: &CheckArgs) -> Result<Exit, Stop> {
    if let Some(code) = &args.explain {
        return print::explain(session, code);
    }
    if args.fix && args.output.is_none() && !args.in_place && !args.dry_run {
        return Err(Stop::Usage("--fix needs -o OUT, --in-place or --dry-run".to_owned()));
    }
    let sources = expand::expand(session, &args.inputs());
    let place = mend::Place::new(args, &sources)?;
    let look = if session.common.json { Look::Json } else { args.format };
    let lookup = textures::Lookup::new(session, &args.assets, args.reading.limits())?;
    let work = |source: &Source| -> Result<Looked> { one(source, args, &lookup) };
    let mut totals = Totals::default();
    let mut failed = false;
    let mut sarif = formats::Sarif::default();
    batch::each(session, args.jobs, &sources, work, |session, source, result| {
        let result = result.and_then(|one| {
            place.write(source, &one.mended, args.force)?;
            Ok(one)
        });
        match result {
            Err(error) => {
                failed = true;
                totals.files += 1;
                totals.failed += 1;
                unreadable(session, look, &mut sarif, &source.name, &error)
            }
            Ok(one) => {
                totals.add(&one.checked);
                totals.repaired += u64::try_from(one.mended.repairs.len()).unwrap_or(u64::MAX);
                let denied = one.settings.deny.map_or(Severity::Error, Deny::from);
                failed |= one.checked.findings.iter().any(|finding| finding.severity >= denied);
                match look {
                    Look::Text => print::file(session, &source.name, &one.checked, &one.mended, args.game),
                    Look::Json => session.out.json(&line(source, &one)),
                    Look::Github => formats::github(session, &source.name, &one.checked),
                    Look::Sarif => {
                        sarif.add(&source.name, &one.checked);
                        Ok(())
                    }
                }
            }
        }
    })?;
    match look {
        Look::Json => session.out.json(&Closing { summary: totals })?,
        Look::Sarif => session.out.json(&sarif.finish())?,
        Look::Text | Look::Github if session.common.quiet => {}
        Look::Text => print::totals(session, &totals)?,
        Look::Github => session.out.say(format_args!(
            "{} checked: {} errors, {} severe, {} warnings",
            count(totals.files, "file"),
            commas(totals.errors),
            commas(totals.severe),
            commas(totals.warnings)
        )),
    }
    Ok(Exit::failed_if(failed))
}

impl CheckArgs {
    fn inputs(&self) -> args::Inputs {
        args::Inputs {
            paths: self.paths.clone(),
            reading: self.reading,
            recursive: self.recursive,
            no_recursive: self.no_recursive,
            jobs: self.jobs,
        }
    }
}

/// Checks one file, after its repair where one is asked for.
fn one(source: &Source, args: &CheckArgs, textures: &textures::Lookup) -> Result<Looked> {
    let loaded = batch::load(source, &args.reading)?;
    let settings = Settings::of(source.path(), args)?;
    let format = loaded.document.format();
    // A text model keeps its text to itself.
    let text = match format {
        Format::Mdl => Some(effigy::mdx::text::parse_with(&loaded.bytes, &args.reading.limits())?),
        _ => None,
    };
    let subject = match &text {
        Some(model) => Subject::Mdx(model),
        None => Subject::of(loaded.document.as_any())
            .ok_or_else(|| Error::unsupported(format!("there are no rules for {} yet", format.title())))?,
    };
    let complete = !args.assets.assets.is_empty();
    let lookup = |file: &str| {
        let texture = Texture { path: file.to_owned(), ..Texture::default() };
        let found = textures.textures(source, loaded.document.as_ref(), &[texture]);
        let found = found.into_iter().flatten().next().is_some() || textures.path(source, file).is_some();
        if found { Lookup::Found } else { absent(file, complete) }
    };
    let companions = Companions::of(source, &args.reading);
    let options = Options {
        profile: settings.profile,
        file_name: &source.name,
        game: settings.game,
        select: &settings.select,
        ignore: &settings.ignore,
        lookup: Some(&lookup),
        finest_frames: companions.finest_frames,
        skin_surfaces: companions.skin_surfaces.as_deref(),
    };
    if args.fix {
        if text.is_some() {
            let error = Error::unsupported("text models cannot be repaired yet");
            return Err(error.hint("`effigy convert --to mdx` makes a model that can"));
        }
        let mended = mend::mend(subject, &loaded.bytes, &options, args.dry_run)?;
        let checked = match &mended.model {
            Some(model) if !args.dry_run => effigy_check::check(Subject::Mdx(model), &options),
            _ => effigy_check::check(subject, &options),
        };
        return Ok(Looked { checked, settings, mended, loaded });
    }
    let checked = effigy_check::check(subject, &options);
    Ok(Looked { checked, settings, mended: mend::Mended::default(), loaded })
}

/// What it means that a file was not found. Where the game's own files were not named, a path into its folders says nothing:
/// only a bare name, or the folder that maps import into, cannot be part of the game.
fn absent(file: &str, complete: bool) -> Lookup {
    let bare = !file.contains(['\\', '/']);
    let imported = file.get(..15).is_some_and(|start| start.eq_ignore_ascii_case("war3mapImported"));
    if complete || bare || imported { Lookup::Missing } else { Lookup::Unknown }
}

/// What stands beside an MDC or MD3.
#[derive(Default)]
struct Companions {
    finest_frames: Option<usize>,
    skin_surfaces: Option<Vec<String>>,
}

impl Companions {
    fn of(source: &Source, reading: &Reading) -> Self {
        let mut found = Self::default();
        let name = source.file_name();
        let Some((stem, extension)) = name.rsplit_once('.') else { return found };
        if !["mdc", "md3"].iter().any(|known| extension.eq_ignore_ascii_case(known)) {
            return found;
        }
        if let Some((finest, level)) = stem.rsplit_once('_')
            && level.parse().is_ok_and(|level: u8| (1..16).contains(&level))
        {
            let bytes = source.beside(&format!("{finest}.{extension}"), reading);
            let model = bytes.and_then(|bytes| effigy::mdc::read(&bytes).ok());
            found.finest_frames = model.map(|model| model.frames.len());
        }
        let skin = source.beside(&format!("{stem}.skin"), reading);
        let skin =
            skin.and_then(|bytes| effigy::mdc::skin::Skin::parse(&String::from_utf8_lossy(&bytes)).ok());
        found.skin_surfaces = skin.map(|skin| skin.surfaces.into_iter().map(|(name, _)| name).collect());
        found
    }
}

fn line(source: &Source, one: &Looked) -> CheckedFile {
    CheckedFile {
        path: source.name.clone(),
        format: one.loaded.document.format().name().to_owned(),
        version: one.loaded.document.version(),
        profile: one.checked.guess.profile.to_string(),
        reason: one.checked.guess.reason.clone(),
        accepted_by: one.checked.accepted_by.iter().map(Game::to_string).collect(),
        findings: one.checked.findings.iter().map(FindingLine::new).collect(),
        left_out: one.checked.left_out,
        repaired: one.mended.repairs.clone(),
    }
}

/// A file that could not be read is an error in every look.
fn unreadable(
    session: &mut Session,
    look: Look,
    sarif: &mut formats::Sarif,
    name: &str,
    error: &Error,
) -> Result<(), Stop> {
    match look {
        Look::Text => {
            session.out.file_error(name, error);
            Ok(())
        }
        Look::Json => session.out.json(&Failure::new(name, error)),
        Look::Github => formats::github_error(session, name, error),
        Look::Sarif => {
            sarif.add_error(name, error);
            Ok(())
        }
    }
}
