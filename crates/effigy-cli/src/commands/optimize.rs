//! `effigy optimize`: smaller models that look the same.

use crate::args::Inputs;
use crate::destination::{Output, deliver, fits};
use crate::problems::Problem;
use crate::session::{Exit, Line, Session, Stop};
use crate::text::{commas, count};
use crate::{batch, inputs};
use clap::Args;
use effigy::assets::ArchiveKind;
use effigy::edits::mdx::optimize::{ChunkBytes, OptimizeOptions, chunk_bytes, packed_bytes};
use effigy::{Format, Input, Result, Smaller, Wanted};
use schemars::{JsonSchema, Schema, schema_for};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Options of `effigy optimize`.
#[derive(Debug, Args)]
#[command(
    after_help = "Removes what nothing uses, what is there twice, keys in no sequence, and keys that their neighbours reproduce within
the tolerance. The error is measured on posed vertices before the result is accepted. Warcraft III and WoW alpha models
(MDX) can be optimised; other formats cannot yet. With an archive as input and as output, its models are optimised
and all other files keep their packed bytes; protected maps are refused.

Examples:
  effigy optimize footman.mdx -o small.mdx
  effigy optimize map.w3x -o small.w3x --pack
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
    /// For archives: also round floats to a grid within the tolerance. The file keeps its size, and compresses better
    #[arg(long, conflicts_with = "lossless")]
    pack: bool,
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
    /// Bytes of the file in an archive: compressed with zlib in sectors of 4 kB.
    pub packed_before: usize,
    /// Bytes of the result in an archive.
    pub packed_after: usize,
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

/// What `effigy optimize --json` prints: a line for each file, or one for an archive.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
enum OptimizeLine {
    #[allow(dead_code, reason = "for the schema")]
    File(OptimizedFile),
    #[allow(dead_code, reason = "for the schema")]
    Archive(super::pack::PackedArchive),
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
    /// Bytes in the file, compressed.
    pub packed_before: usize,
    /// Bytes in the result, compressed.
    pub packed_after: usize,
}

/// What a line of `--json` looks like.
pub fn schema() -> Schema {
    schema_for!(Line<OptimizeLine>)
}

pub fn run(session: &mut Session, args: &OptimizeArgs) -> Result<Exit, Stop> {
    if !(args.tolerance.is_finite() && args.tolerance > 0.0) {
        return Err(Stop::Usage("--tolerance has to be above zero".to_owned()));
    }
    let tolerance = (!args.lossless).then_some(args.tolerance);
    let reduce = OptimizeOptions { tolerance, pack: args.pack };
    if let [path] = args.inputs.paths.as_slice()
        && ArchiveKind::by_extension(&args.output.to_string_lossy()).is_some()
        && ArchiveKind::of_file(path).is_some()
    {
        return archive(session, args, path, &reduce);
    }
    let found = inputs::expand(session, &args.inputs, Wanted::Scenes);
    let output = Output::new(&args.output, &args.inputs.paths, &found, false)?;
    let options = args.inputs.reading.options();
    let work = |input: &Input| -> Result<(Vec<u8>, Format, Smaller, Vec<Problem>)> {
        let loaded = inputs::load(input, &options)?;
        let smaller = loaded.model.optimized(&reduce)?;
        let problems = loaded.problems();
        Ok((loaded.bytes, loaded.model.format(), smaller, problems))
    };
    let many = found.len() > 1;
    let (mut before, mut after, mut files, mut failed) = (0, 0, 0, false);
    let (mut packed_before, mut packed_after) = (0, 0);
    batch::each(session, args.inputs.jobs, &found, work, |session, input, result| {
        let result = result.and_then(|(bytes, format, smaller, problems)| {
            let path = output.path(&input.relative)?;
            if let Some(path) = &path {
                fits(path, format.extension(), Some(&input.relative))?;
            }
            let written = deliver(session, path.as_deref(), &smaller.bytes, args.force)?;
            Ok((describe(input, written, &bytes, &smaller), problems))
        });
        match result {
            Err(error) => {
                failed = true;
                session.failure(&input.name, &error)
            }
            Ok((line, problems)) => {
                before += line.before;
                after += line.after;
                packed_before += line.packed_before;
                packed_after += line.packed_after;
                files += 1;
                show(session, &line, many)?;
                // What could not be read may be missing in the result.
                failed |= session.broken(&input.name, &problems);
                Ok(())
            }
        }
    })?;
    if many && !session.common.json {
        let total = format!("{}   {}", count(files, "file"), saved(before, after));
        session.out.say(format_args!("{total}; in an archive {}", saved(packed_before, packed_after)));
    }
    Ok(Exit::failed_if(failed))
}

/// An archive as a whole.
fn archive(
    session: &mut Session,
    args: &OptimizeArgs,
    path: &Path,
    options: &OptimizeOptions,
) -> Result<Exit, Stop> {
    let (label, limits) = (path.display().to_string(), args.inputs.reading.limits());
    let done = effigy::optimize_archive(path, &args.output, args.force, options, &limits);
    let done = match done {
        Ok(done) => done,
        Err(error) => {
            session.failure(&label, &error)?;
            return Ok(Exit::Failed);
        }
    };
    for model in &done.models {
        let path = format!("{label}:{}", model.name);
        match &model.outcome {
            Err(error) => session.out.say(format_args!("{path}: stays as it is: {error}")),
            Ok(error) if session.common.verbose => session.out.say(format_args!(
                "{path}   {}; largest error {error:.1e} of the size",
                saved(model.before, model.after)
            )),
            Ok(_) => {}
        }
    }
    let smaller = done.models.iter().filter(|model| model.after < model.before).count();
    session.out.say(format_args!("{smaller} of {} models are smaller", done.models.len()));
    super::pack::show(session, &args.output, &done.archive)?;
    Ok(Exit::Fine)
}

fn describe(input: &Input, output: String, bytes: &[u8], smaller: &Smaller) -> OptimizedFile {
    let is_binary = bytes.starts_with(b"MDLX") && smaller.bytes.starts_with(b"MDLX");
    let old = if is_binary { chunk_bytes(bytes) } else { Vec::new() };
    let new = chunk_bytes(&smaller.bytes);
    let chunk = |old: ChunkBytes| {
        let (after, packed_after) =
            new.iter().find(|new| new.tag == old.tag).map_or((0, 0), |new| (new.raw, new.packed));
        Chunk { tag: old.tag, before: old.raw, after, packed_before: old.packed, packed_after }
    };
    let chunks = old.into_iter().map(chunk).collect();
    let done = &smaller.done;
    OptimizedFile {
        path: input.name.clone(),
        output,
        before: bytes.len(),
        after: smaller.bytes.len(),
        packed_before: packed_bytes(bytes),
        packed_after: packed_bytes(&smaller.bytes),
        keys: done.keys,
        vertices: done.vertices,
        parts: done.unused + done.equal,
        error: done.error,
        chunks,
    }
}

/// `1,000 -> 900 bytes (-10.0 %)`.
pub(super) fn saved(before: usize, after: usize) -> String {
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
    let changed = |chunk: &&Chunk| (chunk.before, chunk.packed_before) != (chunk.after, chunk.packed_after);
    for chunk in line.chunks.iter().filter(changed) {
        let Chunk { tag, before, after, packed_before, packed_after } = chunk;
        session.out.say(format_args!(
            "  {tag:<4} {:>12} -> {:>12}  {:>8}   packed {:>12} -> {:>12}  {:>8}",
            words(*before),
            words(*after),
            percent(*before, *after),
            words(*packed_before),
            words(*packed_after),
            percent(*packed_before, *packed_after)
        ));
    }
    session.out.say(format_args!("  in an archive {}", saved(line.packed_before, line.packed_after)));
    let OptimizedFile { keys, vertices, parts, error, .. } = line;
    session.out.say(format_args!(
        "  removed {} keys, {} vertices, {} parts; largest error {error:.1e} of the size",
        words(*keys),
        words(*vertices),
        words(*parts)
    ));
    Ok(())
}
