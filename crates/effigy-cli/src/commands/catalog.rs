//! `effigy catalog`: one row for each model, in a table.

use super::render::renderer;
use crate::args::{AssetArgs, Inputs};
use crate::session::{Exit, Session, Stop};
use crate::text::{commas, count, size};
use crate::{batch, bug, inputs};
use clap::Args;
use effigy::catalog::{CatalogOptions, Content, Row, in_order};
use effigy::config::Configs;
use effigy::{Input, Result, Shard, Wanted};
use effigy_catalog::{Known, Run, TableKind};
use schemars::{JsonSchema, Schema, schema_for};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Options of `effigy catalog`.
#[derive(Debug, Args)]
#[command(
    after_help = "A row says what info and check say of a model. A file that does not open has a row with an error, \
and makes the exit code 1. Rows are in the order of their paths; `effigy schema catalog` describes the columns.

Rows go to OUT.partial while the run goes on, and OUT is written whole at the end. --resume goes on after an interrupted \
run, and takes over the rows of files that are in OUT and have not changed.

Examples:
  effigy catalog models/ -o models.parquet
  effigy catalog models/ maps/*.w3x -o models.csv --assets war3.mpq
  effigy catalog models/ -o models.parquet --thumbnails 128
  effigy catalog models/ -o models.parquet --resume
  effigy catalog models/ -o part3.parquet --shard 3/16
  effigy catalog models/ | jq -r 'select(.errors > 0) | .path'
  duckdb -c \"SELECT format, count(*) FROM 'models.parquet' GROUP BY format\""
)]
pub struct CatalogArgs {
    #[command(flatten)]
    inputs: Inputs,
    #[command(flatten)]
    assets: AssetArgs,
    /// The file to write: .parquet, .csv or .ndjson [default: NDJSON on stdout]
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
    /// Kind of table: parquet, csv or ndjson [default: by the extension of OUT, else ndjson]
    #[arg(long, value_name = "FORMAT")]
    format: Option<TableKind>,
    /// Put a picture of this many pixels into each row, as PNG
    #[arg(long, value_name = "PIXELS", value_parser = clap::value_parser!(u32).range(16..=1024))]
    thumbnails: Option<u32>,
    /// Only part I of N, from 0: all parts together have every model once
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
    /// Go on after an interrupted run, and take over rows of files that have not changed
    #[arg(long, conflicts_with = "force")]
    resume: bool,
    /// Overwrite OUT, and throw away what an interrupted run left
    #[arg(long)]
    force: bool,
}

impl CatalogArgs {
    /// Whether pictures are drawn.
    pub const fn draws(&self) -> bool {
        self.thumbnails.is_some()
    }

    /// What changes rows, in words; empty for the defaults.
    fn choices(&self) -> String {
        let usual = std::env::var_os("EFFIGY_ASSETS").unwrap_or_default();
        let AssetArgs { assets, texture, look } = &self.assets;
        let words = [
            self.inputs.reading.from.map(|format| format!("from {}", format.name())),
            (!usual.is_empty()).then(|| format!("usual {usual:?}")),
            (!assets.is_empty()).then(|| format!("assets {assets:?}")),
            (!texture.is_empty()).then(|| format!("texture {texture:?}")),
            look.as_ref().map(|look| format!("look {look:?}")),
            self.thumbnails.map(|size| format!("thumbnails {size}")),
        ];
        words.into_iter().flatten().collect::<Vec<_>>().join("\n")
    }
}

/// The counts of a run.
#[derive(Debug, Default, Serialize, JsonSchema)]
struct Totals {
    /// The file that was written; null for stdout.
    output: Option<String>,
    /// Rows.
    rows: u64,
    /// Files that did not open; their rows have an error.
    failed: u64,
    /// Rows that were taken over from an earlier run.
    resumed: u64,
    /// Size of the file that was written.
    bytes: u64,
    /// How long it took.
    seconds: f64,
}

/// What `--json` prints at the end where the rows go to a file.
#[derive(Debug, Serialize, JsonSchema)]
struct Closing {
    /// The counts of the run.
    summary: Totals,
}

/// What a line of output looks like: a row, or the counts at the end where the rows go to a file.
pub fn schema() -> Schema {
    let mut schema = schema_for!(Closing);
    if let Some(closing) = schema.as_object_mut() {
        let definitions = closing.remove("$defs");
        let meta = closing.remove("$schema");
        let inner = serde_json::Value::Object(std::mem::take(closing));
        closing.extend(meta.map(|meta| ("$schema".to_owned(), meta)));
        closing.insert("title".to_owned(), "Line".into());
        closing.insert("anyOf".to_owned(), vec![effigy::catalog::schema(), inner].into());
        closing.extend(definitions.map(|definitions| ("$defs".to_owned(), definitions)));
    }
    schema
}

/// The row of an input.
enum Made {
    New(Box<Row>),
    /// The row of an earlier run still holds.
    Same,
}

pub fn run(session: &mut Session, args: &CatalogArgs) -> Result<Exit, Stop> {
    let start = Instant::now();
    let output = args.output.as_deref().filter(|output| *output != Path::new("-"));
    let kind = kind(args, output)?;
    if let Some(output) = output {
        free(output, args)?;
    } else if args.resume {
        return Err(Stop::Usage("--resume needs -o OUT".to_owned()));
    }
    if args.draws() {
        renderer()?;
    }
    let found = expand(session, args);
    let options = CatalogOptions {
        open: args.assets.options(session, &args.inputs.reading)?,
        configs: Configs::load(found.iter().filter_map(Input::path)).map_err(Stop::Usage)?,
        thumbnail: args.thumbnails,
        choices: args.choices(),
    };
    let mut totals = Totals { output: output.map(|it| it.display().to_string()), ..Totals::default() };
    match output {
        None => print(session, args, kind, &found, &options, &mut totals)?,
        Some(output) => write(session, args, output, kind, &found, &options, &mut totals)?,
    }
    totals.seconds = start.elapsed().as_secs_f64();
    let failed = totals.failed > 0;
    close(session, totals)?;
    Ok(Exit::failed_if(failed))
}

fn kind(args: &CatalogArgs, output: Option<&Path>) -> Result<TableKind, Stop> {
    let by_name = output.and_then(TableKind::of_path);
    let kind = match (args.format, by_name, output) {
        (Some(kind), ..) | (None, Some(kind), _) => kind,
        (None, None, None) => TableKind::Ndjson,
        (None, None, Some(output)) => {
            let text =
                "the output's name must end in .parquet, .csv or .ndjson, or --format must name the kind";
            return Err(Stop::Usage(format!("{}: {text}", output.display())));
        }
    };
    if output.is_none() && kind == TableKind::Parquet {
        return Err(Stop::Usage("Parquet needs a file: -o OUT".to_owned()));
    }
    Ok(kind)
}

/// Refuses to lose anything that is there.
fn free(output: &Path, args: &CatalogArgs) -> Result<(), Stop> {
    let partial = Run::partial(output);
    if output.is_dir() {
        return Err(Stop::Usage(format!("{} is a folder; the table is one file", output.display())));
    }
    if args.force || args.resume {
        return Ok(());
    }
    if output.exists() {
        let text =
            "the file exists already, --force overwrites it, --resume makes the rows of changed files anew";
        return Err(Stop::Failed(format!("{}: {text}", output.display())));
    }
    if partial.exists() {
        let text = "an interrupted run left it, --resume goes on, --force begins anew";
        return Err(Stop::Failed(format!("{}: {text}", partial.display())));
    }
    Ok(())
}

/// The files, each once, in the order of their names.
fn expand(session: &mut Session, args: &CatalogArgs) -> Vec<Input> {
    let mut found = inputs::expand_part(session, &args.inputs, Wanted::Scenes, args.shard);
    in_order(&mut found);
    found
}

/// Rows on stdout.
fn print(
    session: &mut Session,
    args: &CatalogArgs,
    kind: TableKind,
    found: &[Input],
    options: &CatalogOptions,
    totals: &mut Totals,
) -> Result<(), Stop> {
    session.out.bytes(kind.heading().as_bytes())?;
    let work = |input: &Input| Ok(Row::new(input, options));
    batch::each(session, args.inputs.jobs, found, work, |session, input, result| {
        let row = result.unwrap_or_else(|bug| Row::failed(input, &bug, options));
        tell(session, &row, totals);
        session.out.bytes(kind.line(&row).unwrap_or_default().as_bytes())
    })
}

/// Rows into a file.
fn write(
    session: &mut Session,
    args: &CatalogArgs,
    output: &Path,
    kind: TableKind,
    found: &[Input],
    options: &CatalogOptions,
    totals: &mut Totals,
) -> Result<(), Stop> {
    let (mut run, known) = match args.resume {
        // The reader of Parquet is somebody else's: if it stops at a damaged file, that is said, and nothing is lost.
        true => bug::caught(|| Run::resume(output, kind, found, &options.made_by())).flatten()?,
        false => (Run::start(output, found.len())?, Known::default()),
    };
    let numbered = Numbered::new(found);
    let work = |input: &Input| {
        let content = Content::read(input, &options.open);
        let same = |content: &Content| numbered.of(input).is_some_and(|at| known.has(at, content.sha256()));
        match content {
            Ok(content) if same(&content) => Ok(Made::Same),
            content => Ok(Made::New(Box::new(Row::of(input, content, options)))),
        }
    };
    let mut at = 0;
    batch::each(session, args.inputs.jobs, found, work, |session, input, result| {
        let made = result.unwrap_or_else(|bug| Made::New(Box::new(Row::failed(input, &bug, options))));
        match made {
            Made::Same => {
                totals.rows += 1;
                totals.resumed += 1;
            }
            Made::New(row) => {
                tell(session, &row, totals);
                run.push(at, &row)?;
            }
        }
        at += 1;
        Ok(())
    })?;
    totals.bytes = run.finish(output, kind, args.force || args.resume)?;
    Ok(())
}

/// Which of a list an input is.
struct Numbered<'a>(&'a [Input]);

impl<'a> Numbered<'a> {
    const fn new(inputs: &'a [Input]) -> Self {
        Self(inputs)
    }

    fn of(&self, input: &Input) -> Option<usize> {
        let at = self.0.binary_search_by(|one| one.name.cmp(&input.name)).ok()?;
        // Of inputs that look the same, none is known.
        let same = |at: usize| self.0.get(at).is_some_and(|one| one.name == input.name);
        (!same(at + 1) && !at.checked_sub(1).is_some_and(same)).then_some(at)
    }
}

/// Files that did not open and are named without `--verbose`: one may be a name that was typed wrong.
const NAMED: u64 = 3;

fn tell(session: &mut Session, row: &Row, totals: &mut Totals) {
    totals.rows += 1;
    let (path, error) = (row.text("path").unwrap_or_default(), row.text("error"));
    totals.failed += u64::from(error.is_some());
    if (session.common.verbose || (error.is_some() && totals.failed <= NAMED))
        && let Some(text) = error.or_else(|| row.text("thumbnail_error"))
    {
        session.out.say(format_args!("{path}: {text}"));
    }
}

fn close(session: &mut Session, totals: Totals) -> Result<(), Stop> {
    if session.common.json && totals.output.is_some() {
        return session.out.json(&Closing { summary: totals });
    }
    if totals.failed > 0 {
        let files = count(totals.failed, "file");
        let all = session.common.verbose || totals.failed <= NAMED;
        let hint = if all { "" } else { ", --verbose names them" };
        session.out.say(format_args!("{files} did not open: the column error says why{hint}"));
    }
    let models = count(totals.rows, "row");
    let resumed = if totals.resumed > 0 {
        format!(", {} of them taken over", commas(totals.resumed))
    } else {
        String::new()
    };
    let text = format!("{models}{resumed} in {:.1} s", totals.seconds);
    match &totals.output {
        None if totals.rows > 1 => session.out.say(format_args!("{text}")),
        Some(output) if !session.common.quiet => {
            session.out.line(format_args!("{output}   {text}   {}", size(totals.bytes)))?;
        }
        _ => {}
    }
    Ok(())
}
