//! `effigy diff`: what differs between two models, field by field, or between the models of two folders.

use crate::args::Reading;
use crate::batch::{self, Item};
use crate::inputs;
use crate::out::Tone;
use crate::session::{Exit, Line, Session, Stop};
use crate::text::count;
use clap::Args;
use effigy::assets::ArchivePath;
use effigy::find::{self, TwoSides};
use effigy::lines::{ChangeLine, Diff};
use effigy::{Change, Error, Input, OpenOptions, Result};
use schemars::{Schema, schema_for};
use std::borrow::Cow;
use std::path::{Path, PathBuf};

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
    /// Compare this many pairs of files at once [default: all cores]
    #[arg(short, long, value_name = "N")]
    jobs: Option<usize>,
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
        _ if [&args.first, &args.second].iter().any(|path| is_missing(path)) => {}
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

/// Whether a word names nothing, so that it cannot be said what should be there.
fn is_missing(path: &Path) -> bool {
    path.as_os_str() != "-" && !path.exists() && ArchivePath::locate(&path.to_string_lossy()).is_none()
}

/// The models of both sides at the same path; none where a side has none there.
struct Pair<'a>([Option<&'a Input>; 2]);

impl Item for Pair<'_> {
    /// The path on both sides.
    fn name(&self) -> Cow<'_, str> {
        self.0.iter().flatten().next().map_or(Cow::Borrowed(""), |input| input.relative.to_string_lossy())
    }

    fn weight(&self) -> u64 {
        self.0.iter().flatten().fold(0, |sum, input| sum.saturating_add(input.weight()))
    }
}

/// What came of a pair.
enum Outcome {
    /// One side has it; the paths as they are printed with `--json`.
    Alone([Option<String>; 2]),
    Compared([String; 2], Vec<Change>),
    Unreadable(String, Error),
}

impl Pair<'_> {
    fn compare(&self, options: &OpenOptions) -> Outcome {
        let (a, b) = match self.0 {
            [Some(a), Some(b)] => (a, b),
            alone => return Outcome::Alone(alone.map(|side| Some(side?.name.clone()))),
        };
        let load = |input: &Input| inputs::load(input, options).map_err(|error| (input.name.clone(), error));
        match load(a).and_then(|first| Ok((first, load(b)?))) {
            Ok((first, second)) => {
                Outcome::Compared([a.name.clone(), b.name.clone()], first.model.diff(&second.model))
            }
            Err((path, error)) => Outcome::Unreadable(path, error),
        }
    }
}

/// Compares the models of two folders or archives, by their paths there.
fn collections(session: &mut Session, args: &DiffArgs) -> Result<Exit, Stop> {
    let options = args.reading.options();
    let sides = TwoSides::new([&args.first, &args.second], args.reading.limits(), args.reading.from);
    let mut failed = u64::try_from(sides.unreadable.len()).unwrap_or(u64::MAX);
    for (name, error) in &sides.unreadable {
        session.failure(name, error)?;
    }
    let pairs: Vec<Pair<'_>> = sides.pairs().into_iter().map(Pair).collect();
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
    let work = |pair: &Pair<'_>| Ok(pair.compare(&options));
    batch::each(session, args.jobs, &pairs, work, |session, pair, result| match result {
        Ok(Outcome::Alone([a, b])) => {
            differing += 1;
            let (mark, tone) = if a.is_some() { ("-", Tone::Bad) } else { ("+", Tone::Good) };
            let mark = session.out.paint(tone, mark);
            let line = Diff { a, b, same: false, changes: Vec::new() };
            show(session, &|session| match session.common.json {
                true => session.out.json(&line),
                false => session.out.line(format_args!("{mark} {}", pair.name())),
            })
        }
        Ok(Outcome::Compared([a, b], changes)) => {
            let is_same = changes.is_empty();
            same += u64::from(is_same);
            differing += u64::from(!is_same);
            if session.common.json {
                let changes = changes.into_iter().map(ChangeLine::from).collect();
                let line = Diff { a: Some(a), b: Some(b), same: is_same, changes };
                return show(session, &|session| session.out.json(&line));
            }
            if is_same {
                return Ok(());
            }
            let number = count(u64::try_from(changes.len()).unwrap_or(u64::MAX), "difference");
            show(session, &|session| {
                let mark = session.out.paint(Tone::Odd, "~");
                session.out.line(format_args!("{mark} {}: {number}", pair.name()))?;
                let most = if session.common.verbose { usize::MAX } else { 0 };
                changes.iter().take(most).try_for_each(|change| print_change(session, change, "    ", true))
            })
        }
        Ok(Outcome::Unreadable(path, error)) => {
            failed += 1;
            show(session, &|session| session.failure(&path, &error))
        }
        Err(error) => {
            failed += 1;
            show(session, &|session| session.failure(&pair.name(), &error))
        }
    })?;
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
