//! `effigy schema`: what the `--json` output of a command looks like, as a JSON schema of one line of it.

use super::{check, convert, demo, diff, dump, extract, formats, info, info_texture, list, render, verify};
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
    Check,
    Convert,
    Demo,
    Diff,
    Dump,
    Extract,
    Formats,
    Info,
    List,
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

/// A line of `effigy info`: a model, a texture or a failure.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
#[allow(dead_code, reason = "only its schema is used")]
enum InfoLine {
    Model(Box<info::Info>),
    Texture(info_texture::Picture),
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

/// A line of `effigy check`: a file, a failure, or the counts at the end.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
#[allow(dead_code, reason = "only its schema is used")]
enum CheckLine {
    File(check::CheckedFile),
    Failure(Failure),
    Closing(check::Closing),
}

pub fn run(session: &mut Session, args: &SchemaArgs) -> Result<Exit, Stop> {
    let schema: Schema = match args.command {
        Printed::Check => schema_for!(CheckLine),
        Printed::Convert => schema_for!(Line<convert::Conversion>),
        Printed::Demo => schema_for!(Line<demo::Written>),
        Printed::Diff => schema_for!(Line<diff::Diff>),
        Printed::Dump => schema_for!(Line<dump::Dumped>),
        Printed::Extract => schema_for!(Line<extract::Written>),
        Printed::Formats => schema_for!(formats::Row),
        Printed::Info => schema_for!(InfoLine),
        Printed::List => schema_for!(Line<list::Listed>),
        Printed::Render => schema_for!(Line<render::Rendered>),
        Printed::Verify => schema_for!(VerifyLine),
    };
    let text = serde_json::to_string_pretty(&schema)?;
    session.out.line(format_args!("{text}"))?;
    Ok(Exit::Fine)
}
