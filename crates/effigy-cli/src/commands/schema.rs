//! `effigy schema`: what the `--json` output of a command looks like, as a JSON schema of one line of it.

use super::{
    catalog, check, convert, demo, diff, dump, edit, extract, formats, info, list, optimize, pack, render,
    verify,
};
use crate::session::{Exit, Session, Stop};
use clap::{Args, ValueEnum};

/// Options of `effigy schema`.
#[derive(Debug, Args)]
#[command(after_help = "Example:
  effigy schema verify > verify.schema.json")]
pub struct SchemaArgs {
    /// The command
    command: Printed,
}

/// Commands that print JSON. Each declares its schema next to what it prints.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Printed {
    Catalog,
    Check,
    Convert,
    Demo,
    Diff,
    Dump,
    Edit,
    Extract,
    Formats,
    Info,
    List,
    Optimize,
    Pack,
    Render,
    Verify,
}

pub fn run(session: &mut Session, args: &SchemaArgs) -> Result<Exit, Stop> {
    let schema = match args.command {
        Printed::Catalog => catalog::schema(),
        Printed::Check => check::schema(),
        Printed::Convert => convert::schema(),
        Printed::Demo => demo::schema(),
        Printed::Diff => diff::schema(),
        Printed::Dump => dump::schema(),
        Printed::Edit => edit::schema(),
        Printed::Extract => extract::schema(),
        Printed::Formats => formats::schema(),
        Printed::Info => info::schema(),
        Printed::List => list::schema(),
        Printed::Optimize => optimize::schema(),
        Printed::Pack => pack::schema(),
        Printed::Render => render::schema(),
        Printed::Verify => verify::schema(),
    };
    let text = serde_json::to_string_pretty(&schema)?;
    session.out.line(format_args!("{text}"))?;
    Ok(Exit::Fine)
}
