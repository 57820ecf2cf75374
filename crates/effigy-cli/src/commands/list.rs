//! `effigy list`: what is in an archive.

use crate::out::Tone;
use crate::session::{Exit, Line, Session, Stop};
use crate::text::{commas, count, size};
use clap::Args;
use effigy::assets::{ArchiveAddress, ArchiveCache, ArchiveKind, ArchivePath, Entry, missing, name};
use effigy::lines::Listed;
use effigy::{Diagnostics, Limits, Result, find};
use schemars::{Schema, schema_for};
use std::path::PathBuf;

/// Options of `effigy list`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  effigy list map.w3x
  effigy list 'pak0.pk3:models/**/*.mdc'
  effigy list maps/ --json | jq -r 'select(.named | not) | .archive' | uniq -c")]
pub struct ListArgs {
    /// Archives, folders with archives, globs, or archive:pattern
    #[arg(required = true, value_name = "ARCHIVE")]
    paths: Vec<PathBuf>,
}

/// What a line of `--json` looks like.
pub fn schema() -> Schema {
    schema_for!(Line<Listed>)
}

pub fn run(session: &mut Session, args: &ListArgs) -> Result<Exit, Stop> {
    let cache = ArchiveCache::new(Limits::DEFAULT);
    let (mut failed, mut shown) = (false, 0_u64);
    for path in &args.paths {
        let archives = find::archives(path);
        if archives.is_empty() {
            failed = true;
            let error = effigy::Error::new(effigy::Kind::Usage, "there is no archive in this folder");
            session.failure(&path.display().to_string(), &error)?;
        }
        for (archive, pattern) in archives {
            let mut address = ArchiveAddress::disk(archive);
            let label = address.to_string();
            match entries(&cache, &mut address, pattern) {
                Ok((entries, notes)) => {
                    if shown > 0 && !session.common.json {
                        session.out.line(format_args!(""))?;
                    }
                    shown += 1;
                    print(session, &address, &entries, &notes)?;
                }
                Err(error) => {
                    failed = true;
                    session.failure(&label, &error)?;
                }
            }
        }
    }
    Ok(Exit::failed_if(failed))
}

/// The files of an archive that fit the pattern. A path into an archive therein leads into that one.
fn entries(
    cache: &ArchiveCache,
    address: &mut ArchiveAddress,
    pattern: Option<String>,
) -> Result<(Vec<Entry>, Diagnostics)> {
    let mut pattern = pattern;
    while let Some(inner) = pattern.as_deref().and_then(inner_archive) {
        *address = address.with(&inner.0);
        pattern = inner.1;
    }
    let archive = cache.open(address)?;
    let mut entries = archive.list()?;
    if let Some(pattern) = pattern {
        let folder = format!("{}/", name::key(&pattern));
        let fits = |entry: &Entry| {
            let key = name::key(&entry.name);
            name::matches(&pattern, &entry.name) || key.starts_with(&folder)
        };
        entries.retain(fits);
        if entries.is_empty() {
            return Err(missing(&pattern));
        }
    }
    Ok((entries, archive.diagnostics()))
}

/// An archive that is named inside another one, and the pattern behind it.
fn inner_archive(pattern: &str) -> Option<(String, Option<String>)> {
    if let Some(inner) = ArchivePath::parse(pattern) {
        return Some((inner.archive.to_string_lossy().into_owned(), Some(inner.inside)));
    }
    let whole = ArchiveKind::by_extension(pattern).is_some() && !pattern.contains(['*', '?']);
    whole.then(|| (pattern.to_owned(), None))
}

fn print(
    session: &mut Session,
    address: &ArchiveAddress,
    entries: &[Entry],
    notes: &Diagnostics,
) -> Result<(), Stop> {
    let archive = address.to_string();
    if session.common.json {
        for entry in entries {
            session.out.json(&Listed {
                archive: archive.clone(),
                name: entry.name.clone(),
                bytes: entry.size,
                stored: entry.stored,
                named: entry.named,
            })?;
        }
    } else {
        let total = |part: fn(&Entry) -> u64| entries.iter().map(part).fold(0, u64::saturating_add);
        let head = session.out.paint(Tone::Strong, &archive);
        session.out.line(format_args!(
            "{head}   {}, {} unpacked, {} stored",
            count(u64::try_from(entries.len()).unwrap_or(u64::MAX), "file"),
            size(total(|entry| entry.size)),
            size(total(|entry| entry.stored))
        ))?;
        session.out.line(format_args!("  {:>13}  {:>13}  name", "bytes", "stored"))?;
        for entry in entries {
            let name = name::printable(&entry.name);
            let name = if entry.named { name.into_owned() } else { session.out.paint(Tone::Odd, name) };
            session.out.line(format_args!(
                "  {:>13}  {:>13}  {name}",
                commas(entry.size),
                commas(entry.stored)
            ))?;
        }
    }
    say_notes(session, &archive, notes);
    Ok(())
}

/// Says what was noticed in an archive, on stderr.
pub fn say_notes(session: &mut Session, archive: &str, notes: &Diagnostics) {
    if session.common.verbose {
        for note in notes.iter() {
            let place = if note.path.is_empty() { String::new() } else { format!("{}: ", note.path) };
            session
                .out
                .say(format_args!("{archive}: {place}{}: {} ({})", note.severity, note.message, note.code));
        }
    } else if notes.iter().next().is_some() {
        let number = u64::try_from(notes.iter().count()).unwrap_or(u64::MAX);
        session.out.say(format_args!("{archive}: {} (--verbose shows them)", count(number, "finding")));
    }
}
