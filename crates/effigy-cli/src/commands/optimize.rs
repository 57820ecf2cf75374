//! `effigy optimize`: smaller models that look the same.

use crate::args::Inputs;
use crate::destination::{Output, deliver};
use crate::session::{Exit, Line, Session, Stop};
use crate::text::{commas, count};
use crate::{batch, inputs};
use clap::Args;
use effigy::edits::mdx::optimize::{OptimizeOptions, chunk_bytes};
use effigy::{Input, Result, Smaller, Wanted};
use schemars::{JsonSchema, Schema, schema_for};
use serde::Serialize;
use std::path::PathBuf;

/// Options of `effigy optimize`.
#[derive(Debug, Args)]
#[command(
    after_help = "Removes what nothing uses, what is there twice, keys in no sequence, and keys that their neighbours reproduce within
the tolerance. The error is measured on posed vertices before the result is accepted. Warcraft III and WoW alpha models
(MDX) can be optimised; other formats cannot yet.

Examples:
  effigy optimize footman.mdx -o small.mdx
  effigy optimize units/ -o small/ --lossless
  effigy optimize footman.mdx -o small.mdx --tolerance 0.001"
)]
pub struct OptimizeArgs {
    #[command(flatten)]
    inputs: Inputs,
    /// Where the results go: a file, or a folder for several
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,
    /// Only what changes nothing at all
    #[arg(long, conflicts_with = "tolerance")]
    lossless: bool,
    /// The largest error of a posed vertex, as a part of the model's size
    #[arg(long, value_name = "PART", default_value_t = OptimizeOptions::TOLERANCE)]
    tolerance: f64,
    /// Overwrite files
    #[arg(long)]
    force: bool,
}

/// What `effigy optimize --json` prints for each file.
#[derive(Debug, Serialize, JsonSchema)]
pub struct OptimizedFile {
    /// The file.
    pub path: String,
    /// Where the result is.
    pub output: String,
    /// Bytes of the file.
    pub before: usize,
    /// Bytes of the result.
    pub after: usize,
    /// Keys that were removed.
    pub keys: usize,
    /// Vertices that were removed.
    pub vertices: usize,
    /// Textures, materials, texture animations and nodes that were removed.
    pub parts: usize,
    /// The largest error of a posed vertex, as a part of the model's size.
    pub error: f64,
    /// The chunks in the order of the file.
    pub chunks: Vec<Chunk>,
}

/// The bytes of one kind of chunk.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Chunk {
    /// Its tag.
    pub tag: String,
    /// Bytes in the file.
    pub before: usize,
    /// Bytes in the result.
    pub after: usize,
}

/// What a line of `--json` looks like.
pub fn schema() -> Schema {
    schema_for!(Line<OptimizedFile>)
}

pub fn run(session: &mut Session, args: &OptimizeArgs) -> Result<Exit, Stop> {
    if !(args.tolerance.is_finite() && args.tolerance > 0.0) {
        return Err(Stop::Usage("--tolerance has to be above zero".to_owned()));
    }
    let tolerance = (!args.lossless).then_some(args.tolerance);
    let found = inputs::expand(session, &args.inputs, Wanted::Scenes);
    let output = Output::new(&args.output, &args.inputs.paths, &found, false)?;
    let options = args.inputs.reading.options();
    let work = |input: &Input| -> Result<(Vec<u8>, Smaller)> {
        let loaded = inputs::load(input, &options)?;
        let smaller = loaded.model.optimized(&OptimizeOptions { tolerance })?;
        Ok((loaded.bytes, smaller))
    };
    let many = found.len() > 1;
    let (mut before, mut after, mut files, mut failed) = (0, 0, 0, false);
    batch::each(session, args.inputs.jobs, &found, work, |session, input, result| {
        let result = result.and_then(|(bytes, smaller)| {
            let path = output.path(&input.relative)?;
            let written = deliver(session, path.as_deref(), &smaller.bytes, args.force)?;
            Ok(describe(input, written, &bytes, &smaller))
        });
        match result {
            Err(error) => {
                failed = true;
                session.failure(&input.name, &error)
            }
            Ok(line) => {
                before += line.before;
                after += line.after;
                files += 1;
                show(session, &line, many)
            }
        }
    })?;
    if many && !session.common.json {
        let total = format!("{}   {}", count(files, "file"), saved(before, after));
        session.out.say(format_args!("{total}"));
    }
    Ok(Exit::failed_if(failed))
}

fn describe(input: &Input, output: String, bytes: &[u8], smaller: &Smaller) -> OptimizedFile {
    let is_binary = bytes.starts_with(b"MDLX") && smaller.bytes.starts_with(b"MDLX");
    let old = if is_binary { chunk_bytes(bytes) } else { Vec::new() };
    let new = chunk_bytes(&smaller.bytes);
    let of = |tag: &str| new.iter().find(|(known, _)| known == tag).map_or(0, |(_, bytes)| *bytes);
    let chunks = old.into_iter().map(|(tag, before)| Chunk { after: of(&tag), tag, before }).collect();
    let done = &smaller.done;
    OptimizedFile {
        path: input.name.clone(),
        output,
        before: bytes.len(),
        after: smaller.bytes.len(),
        keys: done.keys,
        vertices: done.vertices,
        parts: done.unused + done.equal,
        error: done.error,
        chunks,
    }
}

/// `1,000 -> 900 bytes (-10.0 %)`.
fn saved(before: usize, after: usize) -> String {
    let words = |bytes: usize| commas(u64::try_from(bytes).unwrap_or(u64::MAX));
    format!("{} -> {} bytes ({})", words(before), words(after), percent(before, after))
}

#[allow(clippy::cast_precision_loss, reason = "a percentage")]
fn percent(before: usize, after: usize) -> String {
    if before == 0 {
        return "0 %".to_owned();
    }
    format!("{:+.1} %", (after as f64 / before as f64 - 1.0) * 100.0)
}

fn show(session: &mut Session, line: &OptimizedFile, many: bool) -> Result<(), Stop> {
    if session.common.json {
        return session.out.json(line);
    }
    if session.common.quiet {
        return Ok(());
    }
    session.out.say(format_args!("{}   {}", line.output, saved(line.before, line.after)));
    if many && !session.common.verbose {
        return Ok(());
    }
    let words = |bytes: usize| commas(u64::try_from(bytes).unwrap_or(u64::MAX));
    for chunk in line.chunks.iter().filter(|chunk| chunk.before != chunk.after) {
        let (before, after) = (words(chunk.before), words(chunk.after));
        let percent = percent(chunk.before, chunk.after);
        session.out.say(format_args!("  {:<4} {before:>12} -> {after:>12}  {percent}", chunk.tag));
    }
    let OptimizedFile { keys, vertices, parts, error, .. } = line;
    session.out.say(format_args!(
        "  removed {} keys, {} vertices, {} parts; largest error {error:.1e} of the size",
        words(*keys),
        words(*vertices),
        words(*parts)
    ));
    Ok(())
}
