//! `effigy pack`: files into a map or archive.

use super::edit::Note;
use super::optimize::saved;
use crate::args::Reading;
use crate::session::{Exit, Line, Session, Stop};
use crate::text::{count, size};
use clap::Args;
use effigy::assets::pack::{Changes, Packed, create, rewrite};
use effigy::assets::{ArchiveKind, FileRef, name, open_bytes};
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
    pub before: Option<usize>,
    /// Bytes of the archive.
    pub after: usize,
    /// What was dropped or brought up to date.
    pub notes: Vec<Note>,
}

/// What a line of `--json` looks like.
pub fn schema() -> Schema {
    schema_for!(Line<PackedArchive>)
}

pub fn run(session: &mut Session, args: &PackArgs) -> Result<Exit, Stop> {
    let label = args.into.as_ref().unwrap_or(&args.output).display().to_string();
    match pack(args, &label) {
        Ok((packed, before)) => {
            show(session, &args.output, &packed, before)?;
            Ok(Exit::Fine)
        }
        Err(error) => {
            session.failure(&label, &error)?;
            Ok(Exit::Failed)
        }
    }
}

fn pack(args: &PackArgs, label: &str) -> Result<(Packed, Option<usize>)> {
    let limits = args.reading.limits();
    let mut changes = Changes::default();
    for path in &args.paths {
        let text = path.to_string_lossy();
        match text.split_once('=').filter(|_| !path.exists()) {
            Some((inside, file)) => {
                let bytes = FileRef::disk(file).read(&limits).map_err(|error| named(file, &error))?;
                changes.put(&name::join(&args.under, inside), bytes)?;
            }
            None => {
                changes.put_path(path, &args.under, &limits).map_err(|error| named(&text, &error))?;
            }
        }
    }
    let (packed, before) = match &args.into {
        Some(into) => {
            let bytes = FileRef::disk(into).read(&limits)?;
            let before = bytes.len();
            if !args.remove.is_empty() {
                remove(label, bytes.clone(), &args.remove, &mut changes, &limits)?;
            }
            (rewrite(label, bytes, &changes, &limits)?, Some(before))
        }
        None => {
            let kind = ArchiveKind::by_extension(&args.output.to_string_lossy()).ok_or_else(|| {
                Error::usage("the extension of the archive is not known")
                    .hint("mpq, w3x, w3m, w3n, pk3 and zip can be written")
            })?;
            (create(kind, &changes)?, None)
        }
    };
    packed.save(&args.output, args.force, &limits)?;
    Ok((packed, before))
}

fn remove(
    label: &str,
    bytes: Vec<u8>,
    patterns: &[String],
    changes: &mut Changes,
    limits: &effigy::Limits,
) -> Result<()> {
    let entries = open_bytes(label, bytes, limits)?.list()?;
    for pattern in patterns {
        let mut fits =
            entries.iter().filter(|entry| entry.named && name::matches(pattern, &entry.name)).peekable();
        if fits.peek().is_none() {
            return Err(Error::usage(format!("no file fits --remove {pattern}")));
        }
        fits.for_each(|entry| changes.remove(&entry.name));
    }
    Ok(())
}

fn named(path: &str, error: &Error) -> Error {
    Error::new(error.kind(), format!("{path}: {}", error.message()))
}

/// Shows an archive that was written.
pub fn show(
    session: &mut Session,
    output: &Path,
    packed: &Packed,
    before: Option<usize>,
) -> Result<(), Stop> {
    let (output, after) = (output.display().to_string(), packed.bytes.len());
    if session.common.json {
        let note =
            |note: &effigy::wire::Note| Note { place: note.path.clone(), message: note.message.to_string() };
        let notes = packed.report.notes().iter().map(note).collect();
        return session.out.json(&PackedArchive { output, files: packed.files, before, after, notes });
    }
    for note in packed.report.notes() {
        session.out.say(format_args!("{:<8} {}: {}", note.outcome, note.path, note.message));
    }
    let files = count(u64::try_from(packed.files).unwrap_or(u64::MAX), "file");
    let bytes = match before {
        Some(before) => saved(before, after),
        None => size(u64::try_from(after).unwrap_or(u64::MAX)),
    };
    session.out.say(format_args!("{output}   {files}, {bytes}"));
    Ok(())
}
