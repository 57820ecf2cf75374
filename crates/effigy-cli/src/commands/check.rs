//! `effigy check`: what is wrong with a model, why it matters, and what can be repaired.

mod args;
mod beside;
mod config;
mod formats;
mod json;
mod mend;
mod print;

pub use args::{CheckArgs, Deny};
pub use json::{CheckedFile, Closing};

use crate::batch::{self, Loaded};
use crate::expand::{self, Wanted};
use crate::inputs::Source;
use crate::session::{Exit, Failure, Session, Stop};
use crate::text::count;
use crate::textures;
use args::Look;
use beside::Companions;
use config::{Configs, Settings};
use effigy::{Error, Format, Result, Severity, Texture};
use effigy_check::{CheckOptions, Checked, Lookup};
use json::Totals;
use std::path::Path;

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
    config::known(&args.select).and_then(|()| config::known(&args.ignore)).map_err(Stop::Usage)?;
    if args.fix && args.output.is_none() && !args.in_place && !args.dry_run {
        return Err(Stop::Usage("--fix needs -o OUT, --in-place or --dry-run".to_owned()));
    }
    if args.output.as_deref().is_some_and(|output| output == Path::new("-")) {
        return Err(Stop::Usage("-o needs a file or folder: stdout has the findings".to_owned()));
    }
    // What belongs to a model, as its skins, is checked with it.
    let sources = expand::expand_to(session, &args.inputs(), Wanted::Scenes);
    let configs = Configs::load(&sources).map_err(Stop::Usage)?;
    let place = mend::Place::new(args, &sources)?;
    let look = if session.common.json { Look::Json } else { args.format };
    let lookup = textures::Lookup::new(session, &args.assets, args.reading.limits())?;
    let work = |source: &Source| -> Result<Looked> { one(source, args, &configs, &lookup) };
    let mut totals = Totals::default();
    let mut failed = false;
    let mut sarif = formats::Sarif::default();
    batch::each(session, args.jobs, &sources, work, |session, source, result| {
        // What was found is shown even where the repaired model cannot be written.
        if let Ok(one) = &result
            && let Err(error) = place.write(source, &one.mended, args.force)
        {
            failed = true;
            session.out.file_error(&source.name, &error);
        }
        match result {
            Err(error) => {
                failed = true;
                totals.files += 1;
                totals.failed += 1;
                unreadable(session, look, &mut sarif, &source.name, &error)
            }
            Ok(one) => {
                totals.add(&one.checked);
                if !args.dry_run {
                    totals.repaired += u64::try_from(one.mended.repairs.len()).unwrap_or(u64::MAX);
                }
                let denied = one.settings.deny.map_or(Severity::Error, Deny::from);
                failed |= one.checked.findings.iter().any(|finding| finding.severity >= denied);
                match look {
                    Look::Text => print::file(session, &source.name, &one),
                    Look::Json => session.out.json(&CheckedFile::new(source, &one)),
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
            "{} checked: {}, {} severe, {}",
            count(totals.files, "file"),
            count(totals.errors, "error"),
            totals.severe,
            count(totals.warnings, "warning")
        )),
    }
    Ok(Exit::failed_if(failed))
}

/// Checks one file, after its repair where one is asked for.
fn one(source: &Source, args: &CheckArgs, configs: &Configs, textures: &textures::Lookup) -> Result<Looked> {
    let loaded = batch::load(source, &args.reading)?;
    let settings = configs.settings(source.path(), args);
    let format = loaded.document.format();
    let subject = mend::Subject::of(loaded.document.as_any()).ok_or_else(|| match format {
        Format::Skin => Error::unsupported("a skin is checked with its model").hint("name the .m2 file"),
        other => Error::unsupported(format!("there are no rules for {}", other.title())),
    })?;
    let complete = !args.assets.assets.is_empty();
    let lookup = |file: &str| {
        let texture = Texture { path: file.to_owned(), ..Texture::default() };
        let found = textures.textures(source, loaded.document.as_ref(), &[texture]);
        let found = found.into_iter().flatten().next().is_some() || textures.path(source, file).is_some();
        if found { Lookup::Found } else { beside::absent(file, complete) }
    };
    let companions = Companions::of(source, &args.reading);
    let options = CheckOptions {
        profile: settings.profile,
        file_name: &source.name,
        game: settings.game,
        select: &settings.select,
        ignore: &settings.ignore,
        lookup: Some(&lookup),
        finest_frames: companions.finest_frames,
        skin_surfaces: companions.skin_surfaces.as_deref(),
    };
    let mended = if args.fix {
        mend::mend(subject, format, &loaded.bytes, &options, &args.reading.limits(), args.dry_run)?
    } else {
        mend::Mended::default()
    };
    let repaired = mended.subject().filter(|_| !args.dry_run);
    let checked = effigy_check::check(repaired.unwrap_or(subject).model(), &options);
    Ok(Looked { checked, settings, mended, loaded })
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
