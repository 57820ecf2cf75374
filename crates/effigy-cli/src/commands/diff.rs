//! `effigy diff`: what differs between two models, field by field, or between the models of two folders.

use crate::args::Reading;
use crate::inputs;
use crate::out::Tone;
use crate::session::{Exit, Line, Session, Stop};
use crate::text::count;
use clap::Args;
use effigy::lines::{ChangeLine, Diff};
use effigy::{Change, Input, Result, find};
use schemars::{Schema, schema_for};
use std::path::PathBuf;

/// The longest value that is shown whole.
const SHOWN: usize = 60;

/// Options of `effigy diff`.
#[derive(Debug, Args)]
#[command(after_help = "Exit code 0 when the models are the same, 1 when they differ.

Examples:
  effigy diff old.mdx new.mdx
  effigy diff old.mdx new.mdx --json | jq -r '.changes[].path'
  effigy diff before/ after/")]
pub struct DiffArgs {
    /// The first model, or - for stdin; or a folder or archive
    #[arg(value_name = "A")]
    first: PathBuf,
    /// The second model, or - for stdin; a folder or archive if the first is one
    #[arg(value_name = "B")]
    second: PathBuf,
    #[command(flatten)]
    reading: Reading,
}

/// What a line of `--json` looks like.
pub fn schema() -> Schema {
    schema_for!(Line<Diff>)
}

pub fn run(session: &mut Session, args: &DiffArgs) -> Result<Exit, Stop> {
    if args.first == args.second && args.first.as_os_str() == "-" {
        return Err(Stop::Usage("only one of the two can come from stdin".to_owned()));
    }
    match [&args.first, &args.second].map(|path| find::is_collection(path)) {
        [true, true] => return collections(session, args),
        [false, false] => {}
        _ => return Err(Stop::Usage("a model cannot be compared with a folder or archive".to_owned())),
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
    let shown = if session.common.json {
        let changes = changes.into_iter().map(ChangeLine::from).collect();
        session.out.json(&Diff { a: Some(a.clone()), b: Some(b.clone()), same, changes })
    } else if !session.common.quiet {
        print(session, &changes)
    } else {
        Ok(())
    };
    match shown {
        // Whoever has read enough still learns whether the models differ.
        Ok(()) | Err(Stop::PipeClosed) => Ok(Exit::failed_if(!same)),
        Err(stop) => Err(stop),
    }
}

/// Compares the models of two folders or archives, by their paths there.
fn collections(session: &mut Session, args: &DiffArgs) -> Result<Exit, Stop> {
    let options = args.reading.options();
    let (pairs, unreadable) =
        find::pairs([&args.first, &args.second], args.reading.limits(), args.reading.from);
    let mut failed = u64::try_from(unreadable.len()).unwrap_or(u64::MAX);
    for (name, error) in &unreadable {
        session.failure(name, error)?;
    }
    let (mut same, mut differing) = (0_u64, 0_u64);
    // Whoever has read enough still learns whether the models differ.
    let mut open = !session.common.quiet || session.common.json;
    let mut show = |session: &mut Session, print: &dyn Fn(&mut Session) -> Result<(), Stop>| match open
        .then(|| print(session))
    {
        Some(Err(Stop::PipeClosed)) => {
            open = false;
            Ok(())
        }
        Some(result) => result,
        None => Ok(()),
    };
    for (relative, sides) in pairs {
        let name = relative.display().to_string();
        let (a, b) = match sides {
            [Some(a), Some(b)] => (a, b),
            [a, b] => {
                differing += 1;
                let (mark, tone) = if a.is_some() { ("-", Tone::Bad) } else { ("+", Tone::Good) };
                let mark = session.out.paint(tone, mark);
                let path = |side: Option<Input>| side.map(|input| input.name);
                let line = Diff { a: path(a), b: path(b), same: false, changes: Vec::new() };
                show(session, &|session| match session.common.json {
                    true => session.out.json(&line),
                    false => session.out.line(format_args!("{mark} {name}")),
                })?;
                continue;
            }
        };
        let load = |input: &Input| inputs::load(input, &options).map_err(|error| (input.name.clone(), error));
        let changes = match load(&a).and_then(|first| Ok((first, load(&b)?))) {
            Ok((first, second)) => first.model.diff(&second.model),
            Err((path, error)) => {
                failed += 1;
                show(session, &|session| session.failure(&path, &error))?;
                continue;
            }
        };
        let is_same = changes.is_empty();
        same += u64::from(is_same);
        differing += u64::from(!is_same);
        if session.common.json {
            let changes = changes.into_iter().map(ChangeLine::from).collect();
            let line = Diff { a: Some(a.name), b: Some(b.name), same: is_same, changes };
            show(session, &|session| session.out.json(&line))?;
        } else if !is_same {
            let number = count(u64::try_from(changes.len()).unwrap_or(u64::MAX), "difference");
            show(session, &|session| {
                let mark = session.out.paint(Tone::Odd, "~");
                session.out.line(format_args!("{mark} {name}: {number}"))?;
                let most = if session.common.verbose { usize::MAX } else { 0 };
                changes.iter().take(most).try_for_each(|change| print_change(session, change, "    ", true))
            })?;
        }
    }
    if !session.common.json {
        let text = format!("{} the same, {differing} different", count(same, "model"));
        show(session, &|session| session.out.line(format_args!("{text}")))?;
    }
    Ok(Exit::failed_if(failed + differing > 0))
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
