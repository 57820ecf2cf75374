//! `effigy convert`: models and textures in another format or version, with a report of what is lost.

mod choices;

use crate::args::{Assets, Inputs};
use crate::batch;
use crate::expand;
use crate::goal::{Choices, Goal};
use crate::inputs::Source;
use crate::out::Tone;
use crate::problems::Problem;
use crate::save;
use crate::session::{Exit, Session, Stop};
use crate::text::{commas, count, size};
use crate::textures::Lookup;
use choices::{Compression, GltfArgs, Spelling};
use clap::Args;
use effigy::wire::{Note, Outcome};
use effigy::{Converted, Error, Kind, Options, Report, Result};
use effigy_image::Encoding;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

/// Lines of a report that are shown without `--verbose`.
const SHOWN: usize = 10;

const EXAMPLES: &str = "Examples:
  effigy convert footman.mdx --to mdx:1000 -o footman-1000.mdx
  effigy convert models/ --to mdx:800 -o classic/ --report losses.ndjson
  effigy convert footman.mdx -o footman.mdl
  effigy convert Imp.m2 --to m2:264 -o wrath/
  effigy convert footman.mdx -o footman.glb --assets war3.mpq
  effigy convert 'models/**/*.mdx' --to glb -o out/
  effigy convert - --to mdx:800 -o - < in.mdx > out.mdx
  effigy convert footman.blp -o footman.png
  effigy convert textures/ --to blp1 -o war3mapImported/
  effigy convert 'map.w3x:**/*.blp' --to png -o pictures/

Results that are in the folder already are left alone, so that an interrupted run can go on.";

/// The examples and the list of texture encodings.
fn after_help() -> String {
    let encodings: Vec<String> = Encoding::all()
        .map(|encoding| {
            let others: Vec<&str> = encoding.words().skip(1).collect();
            let others = if others.is_empty() { String::new() } else { format!(" ({})", others.join(", ")) };
            format!("{encoding}{others}")
        })
        .collect();
    format!("{EXAMPLES}\nTextures are written as {}.", encodings.join(", "))
}

/// Options of `effigy convert`.
#[derive(Debug, Args)]
#[command(after_help = after_help())]
pub struct ConvertArgs {
    #[command(flatten)]
    inputs: Inputs,
    /// The file to write, a folder for several inputs, or - for stdout
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,
    /// Format and version to write, such as mdx:800 or png [default: by the extension of OUT]
    #[arg(long, value_name = "FORMAT[:VERSION]")]
    to: Option<Goal>,
    /// Write what was kept aside, rebuilt, approximated and dropped to this file, one JSON object a line
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// Write nothing where anything would be approximated or dropped
    #[arg(long)]
    strict: bool,
    /// Overwrite files
    #[arg(long)]
    force: bool,
    /// Whose spelling of MDL to write where tools differ
    #[arg(long, value_enum, default_value_t, help_heading = "MDL")]
    dialect: Spelling,
    /// MDL without the comments that keep what MDL cannot hold
    #[arg(long, help_heading = "MDL")]
    plain: bool,
    /// How to compress MDC
    #[arg(long, value_enum, default_value_t, value_name = "MODE", help_heading = "MDC")]
    mdc_mode: Compression,
    #[command(flatten)]
    gltf: GltfArgs,
    #[command(flatten)]
    assets: Assets,
}

/// What `effigy convert --json` prints for each file, and `--report` writes.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Conversion {
    /// The input.
    pub path: String,
    /// The file that was written.
    pub output: String,
    /// What it was converted to, such as `mdx:800`.
    pub target: String,
    /// Size of what was written.
    pub bytes: u64,
    /// What did not arrive as it was.
    pub notes: Vec<NoteLine>,
}

/// Something that did not arrive as it was.
#[derive(Debug, Serialize, JsonSchema)]
pub struct NoteLine {
    /// kept aside, rebuilt, approximated or dropped.
    pub outcome: String,
    /// Where it is in the source.
    pub place: String,
    /// What happened and why.
    pub message: String,
}

/// Where results go.
enum Destination {
    Stdout,
    File(PathBuf),
    Folder(PathBuf),
}

pub fn run(session: &mut Session, args: &ConvertArgs) -> Result<Exit, Stop> {
    let goal = goal(args)?;
    let sources = expand::expand_to(session, &args.inputs, goal.wanted());
    let destination = destination(args, &sources)?;
    if let Some(report) = &args.report
        && report.exists()
        && !args.force
    {
        return Err(Stop::Failed(format!(
            "{}: the file exists already, --force overwrites it",
            report.display()
        )));
    }
    let reading = args.inputs.reading;
    let choices = Choices {
        options: Options { mdl: args.dialect.into(), mdl_plain: args.plain, mdc: args.mdc_mode.into() },
        gltf: args.gltf.options(),
        lookup: Lookup::new(session, &args.assets, reading.limits())?,
        stem: match &destination {
            Destination::File(path) => path.file_stem().map(|stem| stem.to_string_lossy().into_owned()),
            Destination::Stdout | Destination::Folder(_) => None,
        },
    };
    let places = places(&destination, &sources, &goal);
    // Files appear whole, and the one that names the others last: what is there now was finished by an earlier run.
    let mut there: BTreeSet<&str> = if args.force {
        BTreeSet::new()
    } else {
        places.iter().filter(|(_, place)| place.exists()).map(|(name, _)| name.as_str()).collect()
    };
    // An input in its own place is no result of an earlier run; that it would be overwritten is told when it is written.
    for source in &sources {
        let place = places.get(source.name.as_str()).filter(|_| there.contains(source.name.as_str()));
        if let (Some(place), Some(path)) = (place, source.path())
            && same_file(place, path)
        {
            there.remove(source.name.as_str());
        }
    }
    let work = |source: &Source| -> Result<Work> {
        if there.contains(source.name.as_str()) {
            return Ok(Work::Finished);
        }
        let (converted, errors) = goal.convert(source, &reading, &choices)?;
        if args.strict && converted.report.is_lossy() {
            return Err(refused(&converted.report));
        }
        Ok(Work::Done(converted, errors))
    };
    let (mut failed, mut done, mut finished) = (0_u64, 0_u64, 0_u64);
    let mut broken = 0_u64;
    let mut report = Vec::new();
    let mut written = BTreeSet::new();
    batch::each(session, args.inputs.jobs, &sources, work, |session, source, result| {
        let result = result.and_then(|work| match work {
            Work::Finished => Ok(None),
            Work::Done(converted, errors) => {
                let main = match (&destination, places.get(source.name.as_str())) {
                    (Destination::File(path), _) => Some(path.clone()),
                    (Destination::Folder(folder), None) => Some(save::below(folder, &source.relative)?),
                    (Destination::Folder(_), place) => place.cloned(),
                    (Destination::Stdout, _) => None,
                };
                let output = place(session, main, &converted, args.force, &mut written)?;
                Ok(Some((output, converted, errors)))
            }
        });
        match result {
            Ok(None) => {
                finished += 1;
                Ok(())
            }
            Err(error) => {
                failed += 1;
                session.failure(&source.name, &error)
            }
            Ok(Some((output, converted, errors))) => {
                done += 1;
                let line = describe(source, output, &goal, &converted);
                if args.report.is_some() {
                    serde_json::to_writer(&mut report, &line)?;
                    report.push(b'\n');
                }
                show(session, &destination, &line, &converted.report)?;
                broken += u64::from(session.broken(&source.name, &errors));
                Ok(())
            }
        }
    })?;
    if let Some(path) = &args.report {
        save::write(path, &report, args.force)
            .map_err(|error| Stop::Failed(format!("{}: {error}", path.display())))?;
    }
    if sources.len() > 1 {
        let mut failures = if failed > 0 { format!(", {failed} failed") } else { String::new() };
        if broken > 0 {
            failures.push_str(&format!(", {broken} of broken models"));
        }
        session.out.say(format_args!("{} written{failures}", count(done, "file")));
    }
    if finished > 0 {
        let text = if finished == 1 { "file was" } else { "files were" };
        let number = commas(finished);
        session
            .out
            .say(format_args!("{number} {text} there already and left alone, --force writes them again"));
    }
    Ok(Exit::failed_if(broken > 0 || failed > 0))
}

fn same_file(a: &Path, b: &Path) -> bool {
    a == b || matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}

fn goal(args: &ConvertArgs) -> Result<Goal, Stop> {
    match args.to.clone().or_else(|| Goal::by_extension(&args.output)) {
        Some(goal) => Ok(goal),
        None => Err(Stop::Usage("--to is needed: the output's name does not tell the format".to_owned())),
    }
}

fn destination(args: &ConvertArgs, sources: &[Source]) -> Result<Destination, Stop> {
    let output = &args.output;
    let named_folder = output.is_dir() || output.as_os_str().to_string_lossy().ends_with(['/', '\\']);
    let several = sources.len() > 1 || args.inputs.paths.iter().any(|path| expand::is_collection(path));
    if output == Path::new("-") {
        if sources.len() > 1 {
            return Err(Stop::Usage("only one file can go to stdout".to_owned()));
        }
        Ok(Destination::Stdout)
    } else if several && (output.is_file() || Goal::by_extension(output).is_some() && !named_folder) {
        Err(Stop::Usage(format!("{} names one file; several results need a folder", output.display())))
    } else if several || named_folder {
        Ok(Destination::Folder(output.clone()))
    } else {
        Ok(Destination::File(output.clone()))
    }
}

fn refused(report: &Report) -> Error {
    let lossy = report.notes().iter().filter(|note| note.outcome >= Outcome::Approximated);
    let first =
        lossy.clone().next().map(|note| format!("{}: {}", note.path, note.message)).unwrap_or_default();
    let number = u64::try_from(lossy.count()).unwrap_or(u64::MAX);
    let text = format!("--strict: {} would be lost or approximated, first {first}", count(number, "thing"));
    Error::new(Kind::Unrepresentable, text)
}

/// What became of an input.
enum Work {
    /// Its result is there already.
    Finished,
    Done(Converted, Vec<Problem>),
}

/// Where the results of inputs go in a folder, by the inputs' names. It depends on the inputs alone, so that a run that was
/// interrupted can be told from its results.
fn places(destination: &Destination, sources: &[Source], goal: &Goal) -> HashMap<String, PathBuf> {
    let mut places = HashMap::new();
    let Destination::Folder(folder) = destination else { return places };
    let mut taken = BTreeSet::new();
    for source in sources {
        let extension = goal.extension();
        let Ok(mut path) = save::below(folder, &source.relative.with_extension(extension)) else { continue };
        // `a.mdx` and `a.m2` in one folder: the second keeps its whole name.
        let other = source.relative.extension().is_some_and(|own| !own.eq_ignore_ascii_case(extension));
        if other && taken.contains(&path) {
            let mut name = source.relative.clone().into_os_string();
            name.push(".");
            name.push(extension);
            let Ok(whole) = save::below(folder, Path::new(&name)) else { continue };
            path = whole;
        }
        taken.insert(path.clone());
        places.entry(source.name.clone()).or_insert(path);
    }
    places
}

/// Writes the result to its place, or to stdout where there is none, and says where that is.
fn place(
    session: &mut Session,
    main: Option<PathBuf>,
    converted: &Converted,
    force: bool,
    written: &mut BTreeSet<PathBuf>,
) -> Result<String> {
    let Some(main) = main else {
        if !converted.companions.is_empty() {
            return Err(Error::new(Kind::Usage, "this makes several files, which stdout cannot take"));
        }
        // A reader that left early is noticed again when the stream is flushed at the end.
        return match session.out.bytes(&converted.bytes) {
            Ok(()) | Err(Stop::PipeClosed) => Ok("-".to_owned()),
            Err(Stop::Usage(text) | Stop::Failed(text)) => Err(Error::new(Kind::Io, text)),
        };
    };
    let stem = main.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let mut files = Vec::new();
    for (ending, bytes) in &converted.companions {
        let folder = main.parent().unwrap_or(Path::new(""));
        files.push((save::below(folder, Path::new(&format!("{stem}{ending}")))?, bytes));
    }
    files.push((main.clone(), &converted.bytes));
    for (path, bytes) in files {
        if !written.insert(path.clone()) {
            let text = format!("{} was already written for another input", path.display());
            return Err(Error::new(Kind::Usage, text));
        }
        // A run that was interrupted may have left companions of a file that is still missing: the same bytes.
        let the_same = path != main && std::fs::read(&path).is_ok_and(|there| there == **bytes);
        if the_same {
            continue;
        }
        save::write(&path, bytes, force).map_err(|error| error_about(&path, &error))?;
    }
    Ok(main.display().to_string())
}

fn error_about(path: &Path, error: &Error) -> Error {
    let about = Error::new(error.kind(), format!("cannot write {}: {}", path.display(), error.message()));
    match error.hint_text() {
        Some(hint) => about.hint(hint.to_owned()),
        None => about,
    }
}

fn describe(source: &Source, output: String, goal: &Goal, converted: &Converted) -> Conversion {
    let notes = converted.report.notes().iter().map(|note| NoteLine {
        outcome: note.outcome.to_string(),
        place: note.path.clone(),
        message: note.message.to_string(),
    });
    Conversion {
        path: source.name.clone(),
        output,
        target: goal.to_string(),
        bytes: u64::try_from(converted.bytes.len()).unwrap_or(u64::MAX),
        notes: notes.collect(),
    }
}

/// Tells what was written: as data on stdout, or as talk where the model itself went to stdout.
fn show(
    session: &mut Session,
    destination: &Destination,
    line: &Conversion,
    report: &Report,
) -> Result<(), Stop> {
    let to_stdout = matches!(destination, Destination::Stdout);
    if session.common.json && !to_stdout {
        return session.out.json(line);
    }
    let shown = if session.common.verbose { usize::MAX } else { SHOWN };
    let name = session.out.paint(Tone::Strong, &line.output);
    let mut lines = Vec::new();
    if !to_stdout && !session.common.quiet {
        lines.push(format!("{name}   {}   {}", line.target, size(line.bytes)));
    }
    if !session.common.quiet {
        let groups = groups(report);
        lines.extend(groups.iter().take(shown).cloned());
        if groups.len() > shown {
            lines.push(format!("  ... +{} (--verbose shows all)", groups.len() - shown));
        }
    }
    for text in lines {
        if to_stdout {
            session.out.say(format_args!("{text}"));
        } else {
            session.out.line(format_args!("{text}"))?;
        }
    }
    Ok(())
}

/// The lines of a report for people: what happened to many things in the same way stands in one line.
fn groups(report: &Report) -> Vec<String> {
    let mut groups: Vec<(&Note, u64)> = Vec::new();
    let mut places: HashMap<(Outcome, &str), usize> = HashMap::new();
    for note in report.notes() {
        let place = *places.entry((note.outcome, &note.message)).or_insert(groups.len());
        match groups.get_mut(place) {
            Some((_, more)) => *more += 1,
            None => groups.push((note, 0)),
        }
    }
    groups
        .iter()
        .map(|(first, more)| {
            let others = if *more > 0 { format!(" and {} more", commas(*more)) } else { String::new() };
            format!("  {:<12}  {}{others}: {}", first.outcome, first.path, first.message)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_happened_alike_stands_in_one_line() {
        let mut report = Report::default();
        report.dropped("GEOS[0].name", "no names");
        report.approximated("GEOS[0].skin", "rounded");
        report.dropped("GEOS[1].name", "no names");
        report.dropped("GEOS[2].name", "no names");
        assert_eq!(
            groups(&report),
            ["  dropped       GEOS[0].name and 2 more: no names", "  approximated  GEOS[0].skin: rounded",]
        );
    }
}
