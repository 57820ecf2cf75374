//! `effigy check`: what is wrong with a model, why it matters, and what can be repaired.

mod args;
mod mend;
mod print;

pub use args::CheckArgs;

use crate::batch;
use crate::inputs::{self, Loaded};
use crate::session::{Exit, Failure, Session, Stop};
use crate::text::count;
use args::Layout;
use effigy::config::{CheckSettings, Configs, Deny, known_codes};
use effigy::lines::{CheckClosing, CheckLine, CheckTotals as Totals, CheckedFile};
use effigy::rules::github;
use effigy::rules::sarif::Sarif;
use effigy::{Checked, Error, Input, OpenOptions, Result, Severity, Wanted};
use schemars::{Schema, schema_for};
use std::path::Path;

/// What a line of `--json` looks like.
pub fn schema() -> Schema {
    schema_for!(CheckLine)
}

/// What was found in one file.
struct Report {
    loaded: Loaded,
    checked: Checked,
    settings: CheckSettings,
    mended: mend::Mended,
}

pub fn run(session: &mut Session, args: &CheckArgs) -> Result<Exit, Stop> {
    if let Some(code) = &args.explain {
        return print::explain(session, code);
    }
    known_codes(&args.select).and_then(|()| known_codes(&args.ignore)).map_err(Stop::Usage)?;
    if args.fix && args.output.is_none() && !args.in_place && !args.dry_run {
        return Err(Stop::Usage("--fix needs -o OUT, --in-place or --dry-run".to_owned()));
    }
    if args.output.as_deref().is_some_and(|output| output == Path::new("-")) {
        return Err(Stop::Usage("-o needs a file or folder: stdout has the findings".to_owned()));
    }
    // What belongs to a model, as its skins, is checked with it.
    let found = inputs::expand(session, &args.inputs(), Wanted::Scenes);
    let configs = Configs::load(found.iter().filter_map(Input::path)).map_err(Stop::Usage)?;
    let repairs = mend::Repairs::new(args, &found)?;
    let layout = if session.common.json { Layout::Json } else { args.format };
    let options = args.assets.options(session, &args.reading)?;
    let work = |input: &Input| -> Result<Report> { one(input, args, &configs, &options) };
    let mut totals = Totals::default();
    let mut failed = false;
    let mut not_looked_for = 0_usize;
    let mut sarif = Sarif::default();
    batch::each(session, args.jobs, &found, work, |session, input, result| {
        // Where the repaired model cannot be written, the file is as it was.
        let mut result = result;
        if let Ok(one) = &mut result
            && let Err(error) = repairs.write(input, &one.loaded.model, &one.mended, args.force)
        {
            failed = true;
            one.checked = one.loaded.model.check(&one.settings.options(&input.name));
            one.mended = mend::Mended::default();
            session.complain(&input.name, &error);
        }
        match result {
            Err(error) => {
                failed = true;
                totals.files += 1;
                totals.failed += 1;
                unreadable(session, layout, &mut sarif, &input.name, &error)
            }
            Ok(one) => {
                totals.add(&one.checked);
                not_looked_for = not_looked_for.saturating_add(one.checked.not_looked_for);
                if one.mended.is_written() {
                    totals.repaired += u64::try_from(one.mended.repairs.len()).unwrap_or(u64::MAX);
                }
                let denied = one.settings.deny.map_or(Severity::Error, Deny::severity);
                failed |= one.checked.findings.iter().any(|finding| finding.severity >= denied);
                match layout {
                    Layout::Text => print::file(session, &input.name, &one),
                    Layout::Json => session.out.json(&CheckedFile::new(
                        &input.name,
                        &one.loaded.model,
                        &one.checked,
                        &one.mended.repairs,
                    )),
                    Layout::Github => {
                        session.out.bytes(github::annotations(&input.name, &one.checked).as_bytes())
                    }
                    Layout::Sarif => session.out.bytes(sarif.add(&input.name, &one.checked).as_bytes()),
                }
            }
        }
    })?;
    match layout {
        Layout::Json => session.out.json(&CheckClosing { summary: totals })?,
        Layout::Sarif => session.out.bytes(sarif.finish().as_bytes())?,
        Layout::Text | Layout::Github if session.common.quiet => {}
        Layout::Text => {
            print::totals(session, &totals)?;
            if not_looked_for > 0 && args.select.iter().any(|group| group == "textures") {
                let number = count(u64::try_from(not_looked_for).unwrap_or(u64::MAX), "path");
                session.out.say(format_args!(
                    "not looked up: {number} into the game's folders; --assets GAME finds those that are missing"
                ));
            }
        }
        Layout::Github => session.out.say(format_args!(
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
fn one(input: &Input, args: &CheckArgs, configs: &Configs, options: &OpenOptions) -> Result<Report> {
    let loaded = inputs::load(input, options)?;
    loaded.model.ensure_checkable()?;
    let settings = configs.settings(input.path(), args.settings());
    let options = settings.options(&input.name);
    let mended = match args.fix {
        true => mend::mend(&loaded, &options, args.dry_run)?,
        false => mend::Mended::default(),
    };
    let repaired = mended.model.as_ref().filter(|_| !args.dry_run);
    let checked = repaired.unwrap_or(&loaded.model).check(&options);
    Ok(Report { checked, settings, mended, loaded })
}

/// A file that could not be read is an error in every layout.
fn unreadable(
    session: &mut Session,
    layout: Layout,
    sarif: &mut Sarif,
    name: &str,
    error: &Error,
) -> Result<(), Stop> {
    match layout {
        Layout::Text => {
            session.complain(name, error);
            Ok(())
        }
        Layout::Json => session.out.json(&Failure::new(name, error)),
        Layout::Github => session.out.bytes(github::unreadable(name, error).as_bytes()),
        Layout::Sarif => session.out.bytes(sarif.add_error(name, error).as_bytes()),
    }
}
