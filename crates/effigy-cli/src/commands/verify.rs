//! `effigy verify`: does every file come back byte for byte?

use crate::args::Inputs;
use crate::out::Tone;
use crate::problems::{self, Problem};
use crate::session::{Exit, Session, Stop};
use crate::text::{commas, count, size};
use crate::{batch, inputs};
use clap::Args;
use effigy::lines::{Verified, VerifyClosing, VerifyLine, VerifyTotals as Totals};
use effigy::{Input, Model, Result, Verdict, Wanted};
use schemars::{Schema, schema_for};
use std::time::Instant;

/// Options of `effigy verify`.
#[derive(Debug, Args)]
#[command(after_help = "identical   the typed model alone gives the same bytes
guarded     the same bytes, but some part needed the raw bytes kept beside it
opaque      the same bytes, but some known part could not be decoded
different   not the same bytes: a bug
failed      not readable

Examples:
  effigy verify models/
  effigy verify models/ --verbose          also name the identical ones
  effigy verify models/ --json | jq -r 'select(.status == \"guarded\") | .path'")]
pub struct VerifyArgs {
    #[command(flatten)]
    inputs: Inputs,
    /// Lay files out anew, as original files are, instead of where their parts stood (M2 and skins)
    #[arg(long)]
    canonical: bool,
}

/// Whether the usual layout alone gives the same bytes; formats without places of their own are verified as ever.
fn canonical(model: &Model, bytes: &[u8]) -> Verdict {
    match model.verify_canonical(bytes) {
        Some(same) => Verdict::new(same, Vec::new(), Vec::new()),
        None => model.verify(bytes),
    }
}

/// What a line of `--json` looks like.
pub fn schema() -> Schema {
    schema_for!(VerifyLine)
}

pub fn run(session: &mut Session, args: &VerifyArgs) -> Result<Exit, Stop> {
    let start = Instant::now();
    let found = inputs::expand(session, &args.inputs, Wanted::Models);
    let options = args.inputs.reading.options();
    let work = |input: &Input| -> Result<(Verified, Result<Vec<Problem>>)> {
        let mut result = Verified::unread(&input.name);
        // The files that belong to a model are verified by themselves.
        let read = inputs::read_model(input, &options).and_then(|(format, bytes)| {
            result.format = Some(format.name().to_owned());
            result.bytes = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
            let model = effigy::read_with(&bytes, format, &options.limits)?;
            result.dialect = model.dialect().map(str::to_owned);
            result.version = Some(model.version());
            let verdict = if args.canonical { canonical(&model, &bytes) } else { model.verify(&bytes) };
            Ok((verdict, problems::of(&model, &bytes)))
        });
        match read {
            Ok((Verdict { status, guarded, opaque }, errors)) => {
                result.error = errors.first().map(|error| error.text.clone());
                result.status = status.to_string();
                result.guarded = guarded;
                result.opaque = opaque;
                Ok((result, Ok(errors)))
            }
            Err(error) => {
                result.error = Some(error.to_string());
                Ok((result, Err(error)))
            }
        }
    };
    let mut totals = Totals::default();
    let mut broken = 0_u64;
    batch::each(session, args.inputs.jobs, &found, work, |session, input, result| {
        let (result, errors) = result.unwrap_or_else(|bug| {
            (Verified { error: Some(bug.to_string()), ..Verified::unread(&input.name) }, Err(bug))
        });
        totals.add(&result);
        if session.common.json {
            session.out.json(&result)?;
        } else if errors.is_ok() {
            print(session, &result)?;
        }
        match errors {
            Err(error) if !session.common.json => session.complain(&input.name, &error),
            Err(_) => {}
            Ok(errors) => broken += u64::from(session.broken(&input.name, &errors)),
        }
        Ok(())
    })?;
    totals.seconds = start.elapsed().as_secs_f64();
    let failed = broken > 0 || totals.failed + totals.different > 0;
    if session.common.json {
        session.out.json(&VerifyClosing { summary: totals })?;
    } else if !session.common.quiet {
        print_totals(session, &totals)?;
        if broken > 0 {
            session.out.say(format_args!(
                "  {} of them with errors, which were kept as they are",
                count(broken, "file")
            ));
        }
    }
    Ok(Exit::failed_if(failed))
}

fn print(session: &mut Session, file: &Verified) -> Result<(), Stop> {
    let tone = match file.status.as_str() {
        "identical" => Tone::Good,
        "different" => Tone::Bad,
        _ => Tone::Odd,
    };
    if (tone == Tone::Good && !session.common.verbose) || (tone == Tone::Odd && session.common.quiet) {
        return Ok(());
    }
    let status = session.out.paint(tone, format_args!("{:<9}", file.status));
    let parts = [("guarded", &file.guarded), ("opaque", &file.opaque)]
        .iter()
        .filter(|(_, parts)| !parts.is_empty())
        .map(|(word, parts)| format!("   {word} {}", parts.join(" ")))
        .collect::<String>();
    session.out.line(format_args!("  {status}  {}{parts}", file.path))
}

fn print_totals(session: &mut Session, totals: &Totals) -> Result<(), Stop> {
    let words = [
        (Tone::Good, totals.identical, "identical"),
        (Tone::Odd, totals.guarded, "guarded"),
        (Tone::Odd, totals.opaque, "opaque"),
        (Tone::Bad, totals.different, "different"),
        (Tone::Bad, totals.failed, "failed"),
    ];
    let counts = words
        .iter()
        .map(|(tone, number, word)| {
            let text = format!("{} {word}", commas(*number));
            if *number > 0 { session.out.paint(*tone, text) } else { text }
        })
        .collect::<Vec<_>>()
        .join("   ");
    let (files, bytes) = (count(totals.files, "file"), size(totals.bytes));
    session.out.line(format_args!("  {files}, {bytes} in {:.2} s    {counts}", totals.seconds))
}
