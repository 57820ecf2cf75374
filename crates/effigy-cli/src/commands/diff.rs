//! `effigy diff`: what differs between two models, field by field.

use crate::args::Reading;
use crate::inputs;
use crate::out::Tone;
use crate::session::{Exit, Line, Session, Stop};
use crate::text::count;
use clap::Args;
use effigy::{Change, Result};
use schemars::{JsonSchema, Schema, schema_for};
use serde::Serialize;
use std::path::PathBuf;

/// The longest value that is shown whole.
const SHOWN: usize = 60;

/// Options of `effigy diff`.
#[derive(Debug, Args)]
#[command(after_help = "Exit code 0 when the models are the same, 1 when they differ.

Examples:
  effigy diff old.mdx new.mdx
  effigy diff old.mdx new.mdx --json | jq -r '.changes[].path'")]
pub struct DiffArgs {
    /// The first model, or - for stdin
    #[arg(value_name = "A")]
    first: PathBuf,
    /// The second model, or - for stdin
    #[arg(value_name = "B")]
    second: PathBuf,
    #[command(flatten)]
    reading: Reading,
}

/// What `effigy diff --json` prints.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Diff {
    /// The first model.
    pub a: String,
    /// The second model.
    pub b: String,
    /// Whether every field is the same.
    pub same: bool,
    /// The fields that differ, in the order of the first model, then those that only the second has.
    pub changes: Vec<Change>,
}

/// What a line of `--json` looks like.
pub fn schema() -> Schema {
    schema_for!(Line<Diff>)
}

pub fn run(session: &mut Session, args: &DiffArgs) -> Result<Exit, Stop> {
    if args.first == args.second && args.first.as_os_str() == "-" {
        return Err(Stop::Usage("only one of the two can come from stdin".to_owned()));
    }
    let options = args.reading.options();
    let mut models = Vec::new();
    for path in [&args.first, &args.second] {
        let input = inputs::single(path, &args.reading);
        match inputs::load(&input, &options) {
            Err(error) => {
                session.failure(&input.name, &error)?;
                return Ok(Exit::Failed);
            }
            Ok(loaded) => models.push((input.name, loaded.model)),
        }
    }
    let [(a, first), (b, second)] = models.as_slice() else { return Ok(Exit::Failed) };
    let changes = first.diff(second);
    let same = changes.is_empty();
    if session.common.json {
        session.out.json(&Diff { a: a.clone(), b: b.clone(), same, changes })?;
    } else if !session.common.quiet {
        print(session, &changes)?;
    }
    Ok(Exit::failed_if(!same))
}

fn print(session: &mut Session, changes: &[Change]) -> Result<(), Stop> {
    if changes.is_empty() {
        return session.out.line(format_args!("no difference"));
    }
    let verbose = session.common.verbose;
    for change in changes {
        print_change(session, change, "", verbose)?;
    }
    let number = u64::try_from(changes.len()).unwrap_or(u64::MAX);
    session.out.line(format_args!("{}", count(number, "difference")))
}

/// One change in a line, behind a margin; long values are cut unless all is to be shown.
pub(super) fn print_change(
    session: &mut Session,
    Change { path, a, b }: &Change,
    margin: &str,
    verbose: bool,
) -> Result<(), Stop> {
    let short = |value: &str| if verbose { value.to_owned() } else { shorten(value) };
    let (tone, mark, words) = match (a, b) {
        (Some(a), Some(b)) => {
            let words = if verbose { None } else { lists(a, b) };
            (Tone::Odd, "~", words.unwrap_or_else(|| format!("{} -> {}", short(a), short(b))))
        }
        (Some(a), None) => (Tone::Bad, "-", short(a)),
        (None, Some(b)) => (Tone::Good, "+", short(b)),
        (None, None) => return Ok(()),
    };
    let mark = session.out.paint(tone, mark);
    session.out.line(format_args!("{margin}{mark} {path}: {words}"))
}

/// Long lists of numbers: how many differ, and the first that does.
fn lists(a: &str, b: &str) -> Option<String> {
    if a.len().max(b.len()) <= SHOWN {
        return None;
    }
    let numbers = |text: &str| -> Option<Vec<String>> {
        let inner = text.strip_prefix('[')?.strip_suffix(']')?;
        Some(inner.split(", ").map(str::to_owned).collect())
    };
    let (a, b) = (numbers(a)?, numbers(b)?);
    if a.len() != b.len() {
        return Some(format!("{} numbers -> {} numbers", a.len(), b.len()));
    }
    let mut differing = a.iter().zip(&b).enumerate().filter(|(_, (a, b))| a != b);
    let (at, (first_a, first_b)) = differing.next()?;
    let more = 1 + differing.count();
    Some(format!("{more} of {} numbers, first at {at}: {first_a} -> {first_b}", a.len()))
}

fn shorten(value: &str) -> String {
    match value.char_indices().nth(SHOWN).and_then(|(at, _)| value.split_at_checked(at)) {
        Some((head, _)) => format!("{head}..."),
        None => value.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lists_tell_the_first_number_that_differs() {
        let a = format!("{:?}", (0..100).collect::<Vec<_>>());
        let b = a.replace("[0, 1, 2,", "[0, 7, 8,");
        assert_eq!(lists(&a, &b).unwrap(), "2 of 100 numbers, first at 1: 1 -> 7");
        assert_eq!(lists("[1]", "[2]"), None);
    }
}
