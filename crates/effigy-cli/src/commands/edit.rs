//! `effigy edit`: operations on models, in the order in which they are given.

mod operations;

use super::diff::print_change;
use crate::args::Inputs;
use crate::destination::{Output, companions, deliver, fits, replace};
use crate::out::Tone;
use crate::problems::Problem;
use crate::session::{Exit, Line, Session, Stop};
use crate::text::count;
use crate::{batch, inputs};
use clap::Args;
use effigy::lines::ChangeLine;
use effigy::{Change, Edited, Input, Operation, Result, Wanted};
use operations::Operations;
use schemars::{JsonSchema, Schema, schema_for};
use serde::Serialize;
use std::path::PathBuf;

/// Options of `effigy edit`.
#[derive(Debug, Args)]
#[command(
    after_help = "Operations are applied in the order in which they are given. What they do not name stays the same, byte for byte.
A script is a list of [[edit]] tables with one operation each, such as scale = 1.5.

Examples:
  effigy edit footman.mdx --scale 1.5 --rotate 90 -o large.mdx
  effigy edit units/ --texture-path '^Textures\\\\(.*)=war3mapImported\\$1' -o out/
  effigy edit footman.mdx --remove 'sequence:Decay*' --remove unused --in-place
  effigy edit footman.mdx --set 'MTLS[0].layers[0].filter_mode=Additive' --dry-run
  effigy edit knight.mdx --take-animations 'footman.mdx#only=Walk*' -o walks.mdx
  effigy edit knight.mdx --merge 'sword.mdx#onto=Bone_Hand_R' -o armed.mdx
  effigy edit models/ --script edits.toml -o out/"
)]
pub struct EditArgs {
    #[command(flatten)]
    inputs: Inputs,
    #[command(flatten)]
    operations: Operations,
    /// Operations from a TOML file, before those of the command line
    #[arg(long, value_name = "FILE", help_heading = "Operations")]
    script: Option<PathBuf>,
    /// Where edited models go: a file, or a folder for several
    #[arg(short, long, value_name = "OUT", conflicts_with = "in_place")]
    output: Option<PathBuf>,
    /// Edit the files themselves; what they were is kept next to them with .bak at the end, and never overwritten
    #[arg(long)]
    in_place: bool,
    /// Show what would change, and write nothing
    #[arg(long)]
    dry_run: bool,
    /// Overwrite files
    #[arg(long)]
    force: bool,
}

/// What `effigy edit --json` prints for each file.
#[derive(Debug, Serialize, JsonSchema)]
pub struct EditedFile {
    /// The file.
    pub path: String,
    /// Where the result is; null with `--dry-run`, and in place where nothing was changed.
    pub output: Option<String>,
    /// How many things were changed; 0 when no operation found what it names.
    pub changed: usize,
    /// What did not come out exactly, or could not be changed.
    pub notes: Vec<Note>,
    /// The fields that differ, with `--dry-run`.
    pub diff: Vec<ChangeLine>,
}

/// A line of the report.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Note {
    /// Where.
    pub place: String,
    /// What.
    pub message: String,
}

/// What a line of `--json` looks like.
pub fn schema() -> Schema {
    schema_for!(Line<EditedFile>)
}

pub fn run(session: &mut Session, args: &EditArgs) -> Result<Exit, Stop> {
    let mut operations = Vec::new();
    if let Some(path) = &args.script {
        let text = std::fs::read_to_string(path)
            .map_err(|error| Stop::Usage(format!("--script {}: {error}", path.display())))?;
        operations.extend(effigy::script(&text)?);
    }
    operations.extend(args.operations.0.iter().cloned());
    if args.output.is_none() && !args.in_place && !args.dry_run {
        return Err(Stop::Usage("edit needs -o OUT, --in-place or --dry-run".to_owned()));
    }
    let found = inputs::expand(session, &args.inputs, Wanted::Scenes);
    let output = match &args.output {
        Some(output) if !args.dry_run => Some(Output::new(output, &args.inputs.paths, &found, false)?),
        _ => None,
    };
    let options = args.inputs.reading.options();
    let work = |input: &Input| -> Result<(Edited, Vec<Change>, Vec<Problem>)> {
        let loaded = inputs::load(input, &options)?;
        let edited = loaded.model.edited(&loaded.bytes, &operations)?;
        let diff = if args.dry_run { loaded.model.diff(&edited.model) } else { Vec::new() };
        Ok((edited, diff, loaded.problems()))
    };
    let (mut files, mut changed, mut failed) = (0_u64, 0_u64, false);
    batch::each(session, args.inputs.jobs, &found, work, |session, input, result| {
        let result = result.and_then(|(edited, diff, problems)| {
            let written = match &output {
                Some(output) => {
                    let path = output.path(&input.relative)?;
                    if let Some(path) = &path {
                        fits(path, edited.model.format().extension(), Some(&input.relative))?;
                    }
                    let others = match path.as_deref() {
                        Some(path) => companions(&edited.model, path, args.force)?,
                        None => Vec::new(),
                    };
                    let written = deliver(session, path.as_deref(), &edited.bytes, args.force)?;
                    for (path, bytes) in &others {
                        effigy::assets::destination::write(path, bytes, args.force)?;
                    }
                    Some(written)
                }
                None if args.in_place && !args.dry_run && edited.changed > 0 => {
                    replace(input, &edited.bytes, "edited")?;
                    Some(input.name.clone())
                }
                None => None,
            };
            Ok((edited, diff, written, problems))
        });
        files += 1;
        match result {
            Err(error) => {
                failed = true;
                session.failure(&input.name, &error)
            }
            Ok((edited, diff, written, problems)) => {
                changed += u64::from(edited.changed > 0);
                show(session, input, &edited, diff, written, &operations)?;
                // What could not be read may be missing in the result.
                failed |= session.broken(&input.name, &problems);
                Ok(())
            }
        }
    })?;
    if files > 1 && !session.common.json {
        session.out.say(format_args!("{} edited of {}", changed, count(files, "file")));
    }
    Ok(Exit::failed_if(failed))
}

fn show(
    session: &mut Session,
    input: &Input,
    edited: &Edited,
    diff: Vec<Change>,
    written: Option<String>,
    operations: &[Operation],
) -> Result<(), Stop> {
    if session.common.json {
        let note =
            |note: &effigy::wire::Note| Note { place: note.path.clone(), message: note.message.to_string() };
        return session.out.json(&EditedFile {
            path: input.name.clone(),
            output: written,
            changed: edited.changed,
            notes: edited.report.notes().iter().map(note).collect(),
            diff: diff.into_iter().map(ChangeLine::from).collect(),
        });
    }
    if edited.changed == 0 && !operations.is_empty() {
        session.out.say(format_args!("{}: nothing to change", input.name));
    }
    for (note, more) in edited.report.grouped() {
        let more = if more > 0 { format!(" (+{more} more)") } else { String::new() };
        session.out.say(format_args!("{}: {}: {}{more}", input.name, note.path, note.message));
    }
    if !diff.is_empty() {
        let name = session.out.paint(Tone::Strong, &input.name);
        session.out.line(format_args!("{name}"))?;
    }
    for change in &diff {
        let verbose = session.common.verbose;
        print_change(session, change, "  ", verbose)?;
    }
    Ok(())
}
