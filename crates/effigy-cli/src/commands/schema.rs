//! `effigy schema`: what the `--json` output of a command looks like, as a JSON schema of one line of it.

use super::{convert, demo, diff, dump, formats, info, render, verify};
use crate::session::{Exit, Failure, Session, Stop};
use clap::{Args, ValueEnum};
use schemars::{JsonSchema, Schema, schema_for};
use serde::Serialize;

/// Options of `effigy schema`.
#[derive(Debug, Args)]
#[command(after_help = "Example:
  effigy schema verify > verify.schema.json")]
pub struct SchemaArgs {
    /// The command
    command: Printed,
}

/// Commands that print JSON.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Printed {
    Convert,
    Demo,
    Diff,
    Dump,
    Formats,
    Info,
    Render,
    Verify,
}

/// A line of a command that prints a result or a failure for each file.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
#[allow(dead_code, reason = "only its schema is used")]
enum Line<T> {
    Result(T),
    Failure(Failure),
}

/// A line of `effigy verify`: a file, or the counts at the end.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
#[allow(dead_code, reason = "only its schema is used")]
enum VerifyLine {
    File(verify::Verified),
    Closing(verify::Closing),
}

pub fn run(session: &mut Session, args: &SchemaArgs) -> Result<Exit, Stop> {
    let schema: Schema = match args.command {
        Printed::Convert => schema_for!(Line<convert::Conversion>),
        Printed::Demo => schema_for!(Line<demo::Written>),
        Printed::Diff => schema_for!(Line<diff::Diff>),
        Printed::Dump => schema_for!(Line<dump::Dumped>),
        Printed::Formats => schema_for!(formats::Row),
        Printed::Info => schema_for!(Line<info::Info>),
        Printed::Render => schema_for!(Line<render::Rendered>),
        Printed::Verify => schema_for!(VerifyLine),
    };
    let text = serde_json::to_string_pretty(&schema)?;
    session.out.line(format_args!("{text}"))?;
    Ok(Exit::Fine)
}
