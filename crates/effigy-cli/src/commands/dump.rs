//! `effigy dump`: every field of a model, as a tree for people or as JSON for programs.

use crate::args::Inputs;
use crate::out::Tone;
use crate::session::{Exit, Line, Session, Stop};
use crate::{batch, inputs};
use clap::Args;
use effigy::lines::Dumped;
use effigy::{DumpOptions, Format, Input, Result, Wanted};
use schemars::{Schema, schema_for};

/// Options of `effigy dump`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  effigy dump footman.mdx --offsets | less
  effigy dump footman.mdx --json > footman.json && effigy build footman.json -o same.mdx
  effigy dump footman.mdx --json | jq '.tree[] | select(.name == \"SEQS\")'")]
pub struct DumpArgs {
    #[command(flatten)]
    inputs: Inputs,
    /// Show the offset of each field in the file
    #[arg(long)]
    offsets: bool,
    /// Show long lists to their end (JSON always does)
    #[arg(long)]
    full: bool,
}

/// What a line of `--json` looks like.
pub fn schema() -> Schema {
    schema_for!(Line<Dumped>)
}

pub fn run(session: &mut Session, args: &DumpArgs) -> Result<Exit, Stop> {
    let found = inputs::expand(session, &args.inputs, Wanted::Models);
    let (options, json) = (args.inputs.reading.options(), session.common.json);
    let many = found.len() > 1;
    let shown = DumpOptions { offsets: args.offsets, full: args.full };
    let work = |input: &Input| {
        inputs::load(input, &options).map(|loaded| {
            let model = &loaded.model;
            let text = if json {
                // The head is written as JSON with an empty tree, which the printed tree then replaces.
                let head = Dumped {
                    path: input.name.clone(),
                    format: model.format().name().to_owned(),
                    dialect: model.dialect().map(str::to_owned),
                    version: model.version(),
                    layout: model.layout(),
                    source: (model.format() == Format::Mdl).then(|| loaded.bytes.as_slice().into()),
                    tree: Vec::new(),
                };
                let head = serde_json::to_string(&head).unwrap_or_default();
                format!("{}{}}}\n", head.strip_suffix("[]}").unwrap_or_default(), model.dump_json(shown))
            } else {
                model.dump(shown)
            };
            (text, loaded.problems())
        })
    };
    let mut failed = false;
    batch::each(session, args.inputs.jobs, &found, work, |session, input, result| match result {
        Err(error) => {
            failed = true;
            session.failure(&input.name, &error)
        }
        Ok((text, errors)) => {
            if many && !json {
                let name = session.out.paint(Tone::Strong, &input.name);
                session.out.line(format_args!("{name}"))?;
            }
            session.out.bytes(text.as_bytes())?;
            failed |= session.broken(&input.name, &errors);
            Ok(())
        }
    })?;
    Ok(Exit::failed_if(failed))
}
