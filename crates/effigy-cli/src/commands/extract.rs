//! `effigy extract`: files out of an archive, into one folder and never beyond it.

use crate::args::{AssetArgs, Reading};
use crate::session::{Exit, Line, Session, Stop};
use crate::text::{count, size};
use crate::{batch, inputs};
use clap::Args;
use effigy::assets::extract::{Extracted, Options, Outcome, extract, matching, safe_path};
use effigy::assets::{ArchiveAddress, ArchiveCache, ArchivePath, Entry, Found, missing, name};
use effigy::lines::Written;
use effigy::{Error, Kind, OpenOptions, Result};
use schemars::{Schema, schema_for};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Options of `effigy extract`.
#[derive(Debug, Args)]
#[command(
    after_help = "Names that lead out of the folder are refused, names that some system cannot hold are mended,
and of names that differ in case only the first is written.

Examples:
  effigy extract map.w3x -o map/
  effigy extract pak0.pk3 'models/**/*.mdc' '*.shader' -o out/
  effigy extract map.w3x --with-textures units/footman.mdx --assets war3.mpq -o footman/"
)]
pub struct ExtractArgs {
    /// The archive; campaign.w3n:map.w3x is one inside another
    #[arg(value_name = "ARCHIVE")]
    archive: PathBuf,
    /// Which files; ** crosses folders, a pattern without a slash fits in every folder [default: all]
    #[arg(value_name = "GLOB")]
    patterns: Vec<String>,
    /// The folder to write to
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
    /// A model of the archive to take with all textures it needs
    #[arg(long, value_name = "MODEL")]
    with_textures: Vec<String>,
    #[command(flatten)]
    assets: AssetArgs,
    #[command(flatten)]
    reading: Reading,
    /// Overwrite files
    #[arg(long)]
    force: bool,
}

/// What a line of `--json` looks like.
pub fn schema() -> Schema {
    schema_for!(Line<Written>)
}

pub fn run(session: &mut Session, args: &ExtractArgs) -> Result<Exit, Stop> {
    let label = args.archive.display().to_string();
    let cache = ArchiveCache::new(args.reading.limits());
    let address = match args.archive.to_str().and_then(ArchivePath::locate) {
        Some(inner) => ArchiveAddress::disk(inner.archive).with(&inner.inside),
        None => ArchiveAddress::disk(&args.archive),
    };
    let archive = match cache.open(&address) {
        Ok(archive) => archive,
        Err(error) => {
            session.failure(&label, &error)?;
            return Ok(Exit::Failed);
        }
    };
    let mut failed = false;
    let mut wanted: Vec<Found> = Vec::new();
    if args.with_textures.is_empty() || !args.patterns.is_empty() {
        let (found, unused) = matching(&archive, &args.patterns)?;
        wanted.extend(found);
        for pattern in unused {
            failed = true;
            session.failure(&format!("{label}:{pattern}"), &missing(pattern))?;
        }
    }
    if !args.with_textures.is_empty() {
        let options = args.assets.options(session, &args.reading)?;
        for model in &args.with_textures {
            failed |= add_model(session, args, &options, model, &mut wanted)?;
        }
    }
    let (done, complete) = write(session, args, &wanted)?;
    super::list::say_notes(session, &label, &archive.diagnostics());
    let skipped = if done.skipped > 0 { format!(", {} not", done.skipped) } else { String::new() };
    session.out.say(format_args!(
        "{} written{skipped}, {} in {}",
        count(u64::try_from(done.written).unwrap_or(u64::MAX), "file"),
        size(done.bytes),
        args.output.display()
    ));
    Ok(Exit::failed_if(failed || !complete || done.skipped > 0))
}

/// Adds a model, the files that belong to it and its textures. Returns whether something failed.
fn add_model(
    session: &mut Session,
    args: &ExtractArgs,
    options: &OpenOptions,
    model: &str,
    wanted: &mut Vec<Found>,
) -> Result<bool, Stop> {
    let path = PathBuf::from(format!("{}:{model}", args.archive.display()));
    let input = inputs::single(&path, &args.reading);
    let model = match inputs::load(&input, options) {
        Ok(loaded) => loaded.model,
        Err(error) => {
            session.failure(&input.name, &error)?;
            return Ok(true);
        }
    };
    let (found, lost) = model.files();
    wanted.extend(found);
    for path in &lost {
        session.out.say(format_args!("{}: missing {}", input.name, name::printable(path)));
    }
    if !lost.is_empty() && args.assets.assets.is_empty() {
        session.out.say(format_args!("--assets names the game's folders and archives to look in"));
    }
    Ok(false)
}

/// Writes what was found, source by source. Returns the counts, and whether all sources could be read.
fn write(session: &mut Session, args: &ExtractArgs, wanted: &[Found]) -> Result<(Extracted, bool), Stop> {
    let mut options = Options { force: args.force, limits: args.reading.limits(), ..Options::default() };
    let mut done = Extracted::default();
    let mut taken: BTreeMap<String, (String, String)> = BTreeMap::new();
    let bar = batch::start_bar(session, wanted.len());
    session.out.bar = bar.clone();
    let mut end = Ok(());
    let mut complete = true;
    let mut rest = wanted;
    while let Some((first, _)) = rest.split_first() {
        let label = first.source.label().to_owned();
        let same = rest.iter().take_while(|found| found.source.label() == label).count();
        let (group, after) = rest.split_at(same);
        rest = after;
        let mut entries = Vec::new();
        for found in group {
            let path = safe_path(&found.entry.name).map(|path| path.to_string_lossy().to_lowercase());
            let key = path.unwrap_or_else(|_| found.entry.name.clone());
            match taken.get(&key) {
                // The same file for a second reason.
                Some((place, name)) if *place == label && *name == found.entry.name => {}
                Some((_, name)) => {
                    done.skipped += 1;
                    session.failure(&found.to_string(), &collision(name))?;
                }
                None => {
                    taken.insert(key, (label.clone(), found.entry.name.clone()));
                    entries.push(found.entry.clone());
                }
            }
        }
        let part = extract(first.source.as_ref(), &entries, &args.output, &options, &mut |entry, outcome| {
            if let Some(bar) = &bar {
                bar.inc(1);
            }
            end = tell(session, &label, entry, outcome);
            end.is_ok()
        });
        match part {
            Ok(part) => {
                done.written += part.written;
                done.skipped += part.skipped;
                done.bytes = done.bytes.saturating_add(part.bytes);
                options.total_bytes = options.total_bytes.saturating_sub(part.bytes);
            }
            Err(error) => {
                complete = false;
                session.failure(&label, &error)?;
            }
        }
        if end.is_err() {
            break;
        }
    }
    if let Some(bar) = session.out.bar.take() {
        bar.finish_and_clear();
    }
    end.map(|()| (done, complete))
}

fn tell(session: &mut Session, archive: &str, entry: &Entry, outcome: &Outcome) -> Result<(), Stop> {
    let path = format!("{archive}:{}", name::printable(&entry.name));
    match outcome {
        Outcome::Written(output) => {
            let output = output.display().to_string();
            if session.common.json {
                let (archive, name) = (archive.to_owned(), entry.name.clone());
                return session.out.json(&Written { archive, name, output, bytes: entry.size });
            }
            if session.common.verbose {
                session.out.line(format_args!("{output}   {}", size(entry.size)))?;
            }
            Ok(())
        }
        Outcome::Collides(first) => session.failure(&path, &collision(first)),
        Outcome::Exists(output) => {
            let text = format!("{} exists already", output.display());
            session.failure(&path, &Error::new(Kind::Usage, text).hint("--force overwrites it"))
        }
        Outcome::Failed(error) => session.failure(&path, error),
    }
}

fn collision(first: &str) -> Error {
    let text = format!("not written: {} has the same name on some systems", name::printable(first));
    Error::new(Kind::Usage, text)
}
