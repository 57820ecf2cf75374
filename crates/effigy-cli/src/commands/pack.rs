//! `effigy pack`: files into a map or archive.

use super::edit::Note;
use super::optimize::saved;
use crate::args::Reading;
use crate::session::{Exit, Line, Session, Stop};
use crate::text::{count, size};
use clap::Args;
use effigy::assets::pack::{Changes, Written, create_file, is_special, rewrite_file};
use effigy::assets::{ArchiveKind, Entry, name, open};
use effigy::find::globbed;
use effigy::{Error, Result};
use schemars::{JsonSchema, Schema, schema_for};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Options of `effigy pack`.
#[derive(Debug, Args)]
#[command(
    after_help = "A folder's files have their paths from that folder. NAME=FILE chooses the name in the archive. What is not named keeps its
packed bytes, and what comes before an archive stays. The list of names and the map's list of imported files are brought up to date;
signatures and checksums of the old content are dropped. Every file is read back and compared before the result gets its name.
Protected maps are refused.

Examples:
  effigy pack map/ -o map.w3x
  effigy pack war3mapImported/hero.mdx=hero.mdx hero.blp --into map.w3x -o new.w3x
  effigy pack textures/ --under war3mapImported --into map.w3x -o new.w3x
  effigy pack --into pak0.pk3 --remove '*.bak' -o small.pk3"
)]
pub struct PackArgs {
    /// Files and folders, or NAME=FILE
    #[arg(value_name = "PATH", required_unless_present = "into")]
    paths: Vec<PathBuf>,
    /// The archive to put them into; a new one is made without it
    #[arg(long, value_name = "ARCHIVE")]
    into: Option<PathBuf>,
    /// The folder in the archive to put files below
    #[arg(long, value_name = "FOLDER", default_value = "")]
    under: String,
    /// Remove the files that fit; ** crosses folders, a pattern without a slash fits in every folder
    #[arg(long, value_name = "GLOB", requires = "into")]
    remove: Vec<String>,
    /// The archive to write; the extension of a new one chooses its kind
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,
    #[command(flatten)]
    reading: Reading,
    /// Overwrite the archive
    #[arg(long)]
    force: bool,
}

/// What `effigy pack --json` prints.
#[derive(Debug, Serialize, JsonSchema)]
pub struct PackedArchive {
    /// The archive that was written.
    pub output: String,
    /// How many files it has.
    pub files: usize,
    /// Bytes of the old archive; null for a new one.
    pub before: Option<u64>,
    /// Bytes of the archive.
    pub after: u64,
    /// What was dropped or brought up to date.
    pub notes: Vec<Note>,
}

/// What a line of `--json` looks like.
pub fn schema() -> Schema {
    schema_for!(Line<PackedArchive>)
}

pub fn run(session: &mut Session, args: &PackArgs) -> Result<Exit, Stop> {
    let label = args.into.as_ref().unwrap_or(&args.output).display().to_string();
    match pack(args) {
        Ok(written) => {
            show(session, &args.output, &written)?;
            Ok(Exit::Fine)
        }
        Err(error) => {
            session.failure(&label, &error)?;
            Ok(Exit::Failed)
        }
    }
}

fn pack(args: &PackArgs) -> Result<Written> {
    let limits = args.reading.limits();
    let mut changes = Changes::default();
    changes.leave_out(&args.output);
    args.into.iter().for_each(|archive| changes.leave_out(archive));
    for path in &args.paths {
        let text = path.to_string_lossy();
        match text.split_once('=').filter(|_| !path.exists()) {
            Some((inside, file)) => changes
                .put_file(&name::join(&args.under, inside), Path::new(file), &limits)
                .map_err(|error| named(file, &error))?,
            None => {
                for path in globbed(path) {
                    let put = changes.put_path(&path, &args.under, &limits);
                    put.map_err(|error| named(&path.display().to_string(), &error))?;
                }
            }
        }
    }
    let Some(into) = &args.into else {
        if changes.is_empty() {
            return Err(Error::usage("there are no files to pack"));
        }
        let kind = ArchiveKind::by_extension(&args.output.to_string_lossy()).ok_or_else(|| {
            Error::usage("the extension of the archive is not known")
                .hint("mpq, w3x, w3m, w3n, pk3 and zip can be written")
        })?;
        return create_file(&args.output, args.force, kind, &changes, &limits);
    };
    if !args.remove.is_empty() {
        let entries = open(into, &limits)?.list()?;
        for pattern in &args.remove {
            let is_meant = |entry: &&Entry| {
                entry.named && !is_special(&entry.name) && name::matches(pattern, &entry.name)
            };
            let mut fits = entries.iter().filter(is_meant).peekable();
            if fits.peek().is_none() {
                return Err(Error::usage(format!("no file fits --remove {pattern}")));
            }
            fits.for_each(|entry| changes.remove(&entry.name));
        }
    }
    rewrite_file(into, &args.output, args.force, &changes, &limits)
}

fn named(path: &str, error: &Error) -> Error {
    let about = Error::new(error.kind(), format!("{path}: {}", error.message()));
    match error.hint_text() {
        Some(hint) => about.hint(hint.to_owned()),
        None => about,
    }
}

/// Shows an archive that was written.
pub fn show(session: &mut Session, output: &Path, written: &Written) -> Result<(), Stop> {
    let output = output.display().to_string();
    let Written { before, after, report, files } = written;
    if session.common.json {
        let note =
            |note: &effigy::wire::Note| Note { place: note.path.clone(), message: note.message.to_string() };
        let notes = report.notes().iter().map(note).collect();
        let line = PackedArchive { output, files: *files, before: *before, after: *after, notes };
        return session.out.json(&line);
    }
    for note in report.notes() {
        session.out.say(format_args!("{:<8} {}: {}", note.outcome, note.path, note.message));
    }
    let files = count(u64::try_from(*files).unwrap_or(u64::MAX), "file");
    let words = |bytes: u64| usize::try_from(bytes).unwrap_or(usize::MAX);
    let bytes = match before {
        Some(before) => saved(words(*before), words(*after)),
        None => size(*after),
    };
    session.out.say(format_args!("{output}   {files}, {bytes}"));
    Ok(())
}
