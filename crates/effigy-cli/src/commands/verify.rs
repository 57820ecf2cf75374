//! `effigy verify`: does every file come back byte for byte?

use crate::args::Inputs;
use crate::out::Tone;
use crate::problems::{self, Problem};
use crate::session::{Exit, Session, Stop};
use crate::text::{commas, count, size};
use crate::{batch, inputs};
use clap::Args;
use effigy::{Input, Model, Result, Verdict, Wanted};
use schemars::{JsonSchema, Schema, schema_for};
use serde::Serialize;
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

/// What `effigy verify --json` prints for each file.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Verified {
    /// The file.
    pub path: String,
    /// The format's name; null when it could not be told.
    pub format: Option<String>,
    /// The game's dialect of the format, where there is more than one.
    pub dialect: Option<String>,
    /// The version that the file states; null when it could not be read.
    pub version: Option<u32>,
    /// Size of the file.
    pub bytes: u64,
    /// identical, guarded, opaque, different or failed.
    pub status: String,
    /// Parts that needed their raw bytes.
    pub guarded: Vec<String>,
    /// Known parts that could not be decoded.
    pub opaque: Vec<String>,
    /// Why it failed, or the first thing that is broken in a file that comes back all the same.
    pub error: Option<String>,
}

/// The last line of `effigy verify --json`.
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
    /// The typed model alone gives the same bytes.
    pub identical: u64,
    /// The same bytes with the help of raw ones.
    pub guarded: u64,
    /// The same bytes with parts that could not be decoded.
    pub opaque: u64,
    /// Not the same bytes.
    pub different: u64,
    /// Not readable.
    pub failed: u64,
    /// Size of all files.
    pub bytes: u64,
    /// How long it took.
    pub seconds: f64,
}

impl Totals {
    fn add(&mut self, file: &Verified) {
        self.files += 1;
        self.bytes = self.bytes.saturating_add(file.bytes);
        match file.status.as_str() {
            "identical" => self.identical += 1,
            "guarded" => self.guarded += 1,
            "opaque" => self.opaque += 1,
            "different" => self.different += 1,
            _ => self.failed += 1,
        }
    }
}

/// A line of `effigy verify --json`: a file, or the counts at the end.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
#[allow(dead_code, reason = "only its schema is used")]
enum Line {
    File(Verified),
    Closing(Closing),
}

/// What a line of `--json` looks like.
pub fn schema() -> Schema {
    schema_for!(Line)
}

pub fn run(session: &mut Session, args: &VerifyArgs) -> Result<Exit, Stop> {
    let start = Instant::now();
    let found = inputs::expand(session, &args.inputs, Wanted::Models);
    let options = args.inputs.reading.options();
    let work = |input: &Input| -> Result<(Verified, Result<Vec<Problem>>)> {
        let mut result = empty(input);
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
    let mut broken = false;
    batch::each(session, args.inputs.jobs, &found, work, |session, input, result| {
        let (result, errors) = result
            .unwrap_or_else(|bug| (Verified { error: Some(bug.to_string()), ..empty(input) }, Err(bug)));
        totals.add(&result);
        if session.common.json {
            session.out.json(&result)?;
        } else if errors.is_ok() {
            print(session, &result)?;
        }
        match errors {
            Err(error) if !session.common.json => session.complain(&input.name, &error),
            Err(_) => {}
            Ok(errors) => broken |= session.broken(&input.name, &errors),
        }
        Ok(())
    })?;
    totals.seconds = start.elapsed().as_secs_f64();
    let failed = broken || totals.failed + totals.different > 0;
    if session.common.json {
        session.out.json(&Closing { summary: totals })?;
    } else if !session.common.quiet {
        print_totals(session, &totals)?;
    }
    Ok(Exit::failed_if(failed))
}

fn empty(input: &Input) -> Verified {
    Verified {
        path: input.name.clone(),
        format: None,
        dialect: None,
        version: None,
        bytes: 0,
        status: "failed".to_owned(),
        guarded: Vec::new(),
        opaque: Vec::new(),
        error: None,
    }
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
