//! `effigy extract`: files out of an archive, into one folder and never beyond it.

use crate::args::{Assets, Reading};
use crate::batch;
use crate::expand;
use crate::pool::{Place, Pool, missing};
use crate::session::{Exit, Session, Stop};
use crate::text::{count, plain, size};
use crate::textures::{self, Lookup};
use clap::Args;
use effigy::{Error, Kind, Result};
use effigy_assets::extract::{Extracted, Options, Outcome, extract, safe_path};
use effigy_assets::{ArchivePath, Entry, Found, Source as Files, name};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

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
    assets: Assets,
    #[command(flatten)]
    reading: Reading,
    /// Overwrite files
    #[arg(long)]
    force: bool,
}

/// What `effigy extract --json` prints for each file.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Written {
    /// The archive or folder it comes from.
    pub archive: String,
    /// Its name there.
    pub name: String,
    /// The file that was written.
    pub output: String,
    /// Its size.
    pub bytes: u64,
}

pub fn run(session: &mut Session, args: &ExtractArgs) -> Result<Exit, Stop> {
    let label = args.archive.display().to_string();
    let pool = Arc::new(Pool::new(args.reading.limits()));
    let place = match args.archive.to_str().and_then(ArchivePath::locate) {
        Some(inner) => Place::disk(inner.archive).with(&inner.inside),
        None => Place::disk(&args.archive),
    };
    let archive = match pool.open(&place) {
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
        let lookup = Lookup::new(session, &args.assets, args.reading.limits())?;
        for model in &args.with_textures {
            failed |= add_model(session, args, &lookup, model, &mut wanted)?;
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

/// The entries that fit any pattern, and the patterns that fit nothing.
fn matching<'a>(archive: &Arc<dyn Files>, patterns: &'a [String]) -> Result<(Vec<Found>, Vec<&'a str>)> {
    let found = |entry: Entry| Found { source: Arc::clone(archive), entry };
    let entries = archive.list()?;
    if patterns.is_empty() {
        return Ok((entries.into_iter().map(found).collect(), Vec::new()));
    }
    let fits = |pattern: &str, entry: &Entry| {
        name::matches(pattern, &entry.name)
            || name::key(&entry.name).starts_with(&format!("{}/", name::key(pattern)))
    };
    let unused = patterns.iter().map(String::as_str);
    let mut unused: Vec<&str> =
        unused.filter(|pattern| !entries.iter().any(|entry| fits(pattern, entry))).collect();
    let mut picked: Vec<Found> = entries
        .into_iter()
        .filter(|entry| patterns.iter().any(|pattern| fits(pattern, entry)))
        .map(found)
        .collect();
    // A name that no list tells may still be there.
    unused.retain(|pattern| match archive.find(pattern) {
        Some(entry) => {
            picked.push(found(entry));
            false
        }
        None => true,
    });
    Ok((picked, unused))
}

/// Adds a model, the files that belong to it and its textures. Tells whether something failed.
fn add_model(
    session: &mut Session,
    args: &ExtractArgs,
    lookup: &Lookup,
    model: &str,
    wanted: &mut Vec<Found>,
) -> Result<bool, Stop> {
    let path = PathBuf::from(format!("{}:{model}", args.archive.display()));
    let source = expand::single(&path, &args.reading);
    let loaded = match batch::load(&source, &args.reading) {
        Ok(loaded) => loaded,
        Err(error) => {
            session.failure(&source.name, &error)?;
            return Ok(true);
        }
    };
    let inside = source.entry().map(|packed| packed.entry.name.clone()).unwrap_or_default();
    let companions = loaded.document.companions(&source.file_name());
    let companions: Vec<String> =
        companions.iter().map(|file| name::join(name::folder(&inside), file)).collect();
    let needed = std::iter::once(inside).chain(companions);
    wanted.extend(needed.filter_map(|path| lookup.path(&source, &path)));
    let all = loaded.document.summary().textures;
    let mut lost = 0_u64;
    for (texture, found) in all.iter().zip(lookup.textures(&source, loaded.document.as_ref(), &all)) {
        match found {
            Some(found) => wanted.push(found),
            None if texture.path.is_empty() => {}
            None => {
                lost += 1;
                session.out.say(format_args!("{}: missing {}", source.name, plain(&texture.path)));
            }
        }
    }
    if lost > 0 && args.assets.assets.is_empty() {
        session.out.say(format_args!("--assets names the game's folders and archives to look in"));
    }
    Ok(false)
}

/// Writes what was found, source by source. Tells the counts, and whether all sources could be gone through.
fn write(session: &mut Session, args: &ExtractArgs, wanted: &[Found]) -> Result<(Extracted, bool), Stop> {
    let mut options = Options { force: args.force, ..Options::default() };
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
                    session.failure(&textures::describe(found), &collision(name))?;
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
    let path = format!("{archive}:{}", plain(&entry.name));
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
    let text = format!("not written: {} has the same name on some systems", plain(first));
    Error::new(Kind::Usage, text)
}
