//! `effigy convert`: models and textures in another format or version, with a report of what is lost.

mod choices;
mod useless;

use crate::args::{AssetArgs, Inputs, PartArgs};
use crate::destination::{LeftAlone, Output, appended, deliver, fits, same_file};
use crate::out::Tone;
use crate::problems::{self, Problem};
use crate::session::{Exit, Line, Session, Stop};
use crate::text::{commas, count, size};
use crate::{batch, inputs};
use choices::{Compression, GltfArgs, RaiseArgs, Spelling};
use clap::Args;
use effigy::assets::destination::{is_pipe_or_device, write};
use effigy::gltf::Pictures;
use effigy::image::Encoding;
use effigy::lines::Conversion;
use effigy::wire::{Note, Outcome};
use effigy::{
    ConvertOptions, Converted, Error, Files, Format, Goal, Input, Kind, OpenOptions, Report, Resize, Result,
    Target,
};
use schemars::{Schema, schema_for};
use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

/// Lines of a report that are shown without `--verbose`.
const SHOWN: usize = 10;

const EXAMPLES: &str = "Examples:
  effigy convert footman.mdx --to mdx:1000 -o footman-1000.mdx
  effigy convert models/ --to mdx:800 -o classic/ --report losses.ndjson
  effigy convert footman.mdx -o footman.mdl
  effigy convert Imp.m2 --to wrath -o wrath/
  effigy convert footman.mdx -o footman.glb --assets war3.mpq
  effigy convert Wolf.m2 --to mdx:800 -o wolf/ --height 80
  effigy convert footman.mdx --to md3 -o footman.md3 --fps 20
  effigy convert 'models/**/*.mdx' --to glb -o out/
  effigy convert - --to mdx:800 -o - < in.mdx > out.mdx
  effigy convert Orc.m2 -o orc.glb --attach hand-right=Axe.m2
  effigy convert footman.blp -o footman.png
  effigy convert textures/ --to blp1 -o war3mapImported/
  effigy convert photo.png --resize pow2 -o skin.blp
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
    #[arg(short, long, value_name = "OUT", required_unless_present = "print_names")]
    output: Option<PathBuf>,
    /// Format and version to write, such as mdx:800 or png, or a game: classic, reforged, vanilla, tbc, wrath
    /// [default: by the extension of OUT]
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
    /// Another size for textures: 256x128, 256 (the longer side), 50% or pow2 (the nearest powers of two)
    #[arg(long, value_name = "SIZE", help_heading = "Textures")]
    resize: Option<Resize>,
    #[command(flatten)]
    gltf: GltfArgs,
    #[command(flatten)]
    raise: RaiseArgs,
    #[command(flatten)]
    parts: PartArgs,
    #[command(flatten)]
    assets: AssetArgs,
}

impl ConvertArgs {
    /// The file or folder to write; stdout where nothing is written but names.
    fn output(&self) -> &Path {
        self.output.as_deref().unwrap_or(Path::new("-"))
    }
}

/// What a line of `--json` looks like.
pub fn schema() -> Schema {
    schema_for!(Line<Conversion>)
}

/// What became of an input.
enum Work {
    /// Its result is there already.
    Finished,
    /// What was made, with the errors that did not stop the reader, and something to say about it.
    Done(Files, Report, Vec<Problem>, Advice),
}

/// What is said about a result besides its report.
enum Advice {
    Nothing,
    /// About this one.
    Text(String),
    /// It is a model of the same game, for which options for other games have no effect.
    SameGame,
}

pub fn run(session: &mut Session, args: &ConvertArgs) -> Result<Exit, Stop> {
    let goal = goal(args)?;
    let given = useless::given(args);
    useless::refuse(&given, &goal)?;
    if args.resize.is_some() && matches!(goal, Goal::Model(_)) {
        return Err(Stop::Usage("--resize has an effect on textures only; leave it out".to_owned()));
    }
    let found = inputs::expand(session, &args.inputs, goal.wanted());
    let named = args.output();
    let is_file_name = Goal::by_extension(named).is_some();
    let output = Output::new(named, &args.inputs.paths, &found, is_file_name)?;
    if let Output::File(path) = &output {
        fits(path, goal.extension(), None).map_err(|error| Stop::Usage(error.to_string()))?;
    }
    let opening = args.parts.add(args.assets.options(session, &args.inputs.reading)?);
    let options = ConvertOptions {
        mdl: args.dialect.into(),
        mdl_plain: args.plain,
        mdc: args.mdc_mode.into(),
        raise: args.raise.options(args.gltf.scale, args.gltf.fps).map_err(Stop::Failed)?,
        no_textures: args.gltf.no_textures,
        portrait: args.raise.portrait,
        gltf: args.gltf.options(args.parts.lod),
        split_animations: args.gltf.split_animations,
        attached_models: args.gltf.attached_models,
        pictures: args.inputs.jobs.map(Pictures::new).unwrap_or_default().into(),
    };
    if args.raise.print_names {
        return print_names(session, &found, &opening, &goal, &options);
    }
    let places = places(&output, &found, &goal);
    if let Some(report) = &args.report {
        let results = places.values().map(PathBuf::as_path);
        let one = if let Output::File(path) = &output { Some(path.as_path()) } else { None };
        check_report(report, args.force, &found, results.chain(one))?;
    }
    let there = if args.force { BTreeSet::new() } else { finished(&places, &found) };
    let work = |input: &Input| -> Result<Work> {
        if there.contains(input.name.as_str()) {
            return Ok(Work::Finished);
        }
        let (mut converted, errors, advice) = convert(&goal, input, &opening, &options, args.resize)?;
        if args.strict && converted.report.is_lossy() {
            return Err(refused(&converted.report));
        }
        let report = std::mem::take(&mut converted.report);
        let files = converted.into_files(&stem(&output, places.get(input.name.as_str()), input))?;
        Ok(Work::Done(files, report, errors, advice))
    };
    let (mut failed, mut done, mut stayed) = (0_u64, 0_u64, 0_u64);
    let mut left_alone = LeftAlone::default();
    let mut broken = 0_u64;
    let mut log = Vec::new();
    let mut written = BTreeSet::new();
    batch::each(session, args.inputs.jobs, &found, work, |session, input, result| {
        let result = result.and_then(|work| match work {
            Work::Finished => Ok(None),
            Work::Done(files, report, errors, advice) => {
                let main = match places.get(input.name.as_str()) {
                    Some(path) => Some(path.clone()),
                    None => output.path(&input.relative)?,
                };
                let output = store(session, main, &files, args.force, &mut written)?;
                match advice {
                    Advice::Nothing => {}
                    Advice::Text(text) => session.out.say(format_args!("{}: {text}", input.name)),
                    Advice::SameGame => stayed += 1,
                }
                Ok(Some((Conversion::new(&input.name, output, &goal, &files, &report), report, errors)))
            }
        });
        match result {
            Ok(None) => {
                places.get(input.name.as_str()).into_iter().for_each(|place| left_alone.add(input, place));
                Ok(())
            }
            Err(error) => {
                failed += 1;
                session.failure(&input.name, &error)
            }
            Ok(Some((line, report, errors))) => {
                done += 1;
                if args.report.is_some() {
                    serde_json::to_writer(&mut log, &line)?;
                    log.push(b'\n');
                }
                show(session, matches!(output, Output::Stdout), &line, &report)?;
                broken += u64::from(session.broken(&input.name, &errors));
                Ok(())
            }
        }
    })?;
    if let Some(path) = &args.report {
        write(path, &log, args.force).map_err(|error| Stop::Failed(error.to_string()))?;
    }
    if found.len() > 1 {
        let mut failures = if failed > 0 { format!(", {failed} failed") } else { String::new() };
        if broken > 0 {
            failures.push_str(&format!(", {broken} of broken models"));
        }
        session.out.say(format_args!("{} written{failures}", count(done, "file")));
    }
    if let Some(advice) = useless::advice(&given, &goal, stayed) {
        session.out.say(format_args!("{advice}"));
    }
    left_alone.say(session, "file", "writes");
    Ok(Exit::failed_if(broken > 0 || failed > 0))
}

/// Whether a report can go there: it replaces no file that was not meant, and neither an input nor a result.
fn check_report<'a>(
    report: &Path,
    force: bool,
    found: &[Input],
    mut results: impl Iterator<Item = &'a Path>,
) -> Result<(), Stop> {
    let report_name = report.display();
    if report == Path::new("-") {
        return Err(Stop::Usage("--report needs a file; --json prints the same lines".to_owned()));
    }
    if found.iter().filter_map(Input::path).any(|path| same_file(report, path)) {
        return Err(Stop::Usage(format!("{report_name} is an input, and would be replaced by the report")));
    }
    if results.any(|path| same_file(report, path)) {
        return Err(Stop::Usage(format!(
            "{report_name} is where a result goes; the report needs another file"
        )));
    }
    if report.exists() && !force {
        return Err(Stop::Failed(format!("{report_name}: the file exists already, --force overwrites it")));
    }
    Ok(())
}

/// Prints the names that sequences would get, for each input.
fn print_names(
    session: &mut Session,
    found: &[Input],
    opening: &OpenOptions,
    goal: &Goal,
    options: &ConvertOptions,
) -> Result<Exit, Stop> {
    // Other goals were refused.
    let Goal::Model(target) = goal else { return Ok(Exit::Fine) };
    let mut options = options.raise.clone();
    target.version.into_iter().for_each(|version| options.version = version);
    let mut failed = false;
    for input in found {
        let names = inputs::load(input, opening)
            .and_then(|loaded| effigy::print_names(&loaded.model, target.format, &options));
        match names {
            Ok(text) => session.out.line(format_args!("{}", text.trim_end()))?,
            Err(error) => {
                failed = true;
                session.failure(&input.name, &error)?;
            }
        }
    }
    Ok(Exit::failed_if(failed))
}

/// Reads an input and converts it; with the errors that did not stop the reader.
fn convert(
    goal: &Goal,
    input: &Input,
    opening: &OpenOptions,
    options: &ConvertOptions,
    resize: Option<Resize>,
) -> Result<(Converted, Vec<Problem>, Advice)> {
    match goal {
        Goal::Model(target) => {
            let loaded = inputs::load(input, opening)?;
            let changes = loaded.model.changes_game(target);
            let advice = if changes { Advice::Nothing } else { Advice::SameGame };
            Ok((loaded.model.convert_with(target, options)?, loaded.problems(), advice))
        }
        Goal::Texture(encoding, _) => {
            let bytes = inputs::read_texture(input, opening)?;
            let image = inputs::decode_texture(input, &bytes, opening)?;
            let errors = problems::in_lines(&image.diagnostics);
            let image = match resize {
                Some(resize) => resize.apply(image)?,
                None => image,
            };
            let (width, height) = (image.width, image.height);
            let fits = width.is_power_of_two() && height.is_power_of_two();
            let advice = if encoding.holds_mips() && !fits {
                Advice::Text(format!(
                    "{width} x {height} pixels: the games want powers of two, --resize pow2 makes them fit"
                ))
            } else {
                Advice::Nothing
            };
            Ok((Converted::from_image(image, *encoding)?, errors, advice))
        }
    }
}

/// The inputs whose results are there already: files appear complete, and the one that names the others last, so what
/// is there now was finished by an earlier run. An input in its own place is not such a result; that it would be
/// overwritten is reported when it is written.
fn finished<'a>(places: &HashMap<String, PathBuf>, found: &'a [Input]) -> BTreeSet<&'a str> {
    let is_there = |input: &&Input| {
        let Some(place) = places.get(&input.name).filter(|place| place.exists()) else { return false };
        !input.path().is_some_and(|path| same_file(place, path))
    };
    found.iter().filter(is_there).map(|input| input.name.as_str()).collect()
}

/// The stem of a result: companions are named after it.
fn stem(output: &Output, place: Option<&PathBuf>, input: &Input) -> String {
    let path = match (place, output) {
        (Some(path), _) | (None, Output::File(path)) => path,
        _ => &input.relative,
    };
    path.file_stem().map_or_else(|| "model".to_owned(), |stem| stem.to_string_lossy().into_owned())
}

fn goal(args: &ConvertArgs) -> Result<Goal, Stop> {
    match args.to.clone().or_else(|| Goal::by_extension(args.output())) {
        Some(goal) => Ok(goal),
        None if args.raise.print_names => Ok(Goal::Model(Target { format: Format::Mdx, version: None })),
        None => {
            let text = format!("--to is needed, {} names no known format", args.output().display());
            Err(Stop::Usage(format!("{text}: {}", effigy::known_goals())))
        }
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

/// Where the results of inputs go in a folder, by the inputs' names. It depends on the inputs alone, so that a run that
/// was interrupted can be continued.
fn places(output: &Output, found: &[Input], goal: &Goal) -> HashMap<String, PathBuf> {
    let mut places = HashMap::new();
    if !matches!(output, Output::Folder(_)) {
        return places;
    }
    let extension = goal.extension();
    let other =
        |input: &&Input| input.relative.extension().is_some_and(|own| !own.eq_ignore_ascii_case(extension));
    let mut taken = BTreeSet::new();
    // `a.mdx` and `a.m2` in one folder: one keeps its whole name, and not the one that has the extension already.
    let own = found.iter().filter(|input| !other(input));
    for input in own.chain(found.iter().filter(other)) {
        let Ok(Some(mut path)) = output.path(&input.relative.with_extension(extension)) else { continue };
        if other(&input) && taken.contains(&path) {
            let Ok(Some(whole)) = output.path(&appended(&input.relative, extension)) else { continue };
            path = whole;
        }
        taken.insert(path.clone());
        places.entry(input.name.clone()).or_insert(path);
    }
    places
}

/// Writes the result to its place, or to stdout where there is none, and returns where that is.
fn store(
    session: &mut Session,
    main: Option<PathBuf>,
    files: &Files,
    force: bool,
    written: &mut BTreeSet<PathBuf>,
) -> Result<String> {
    let Some(main) = main else {
        if !files.companions.is_empty() {
            return Err(Error::new(Kind::Usage, "this makes several files, which stdout cannot take"));
        }
        return deliver(session, None, &files.main, force);
    };
    let folder = main.parent().unwrap_or(Path::new(""));
    let mut all = Vec::new();
    for (name, bytes) in &files.companions {
        all.push((effigy::assets::destination::below(folder, Path::new(name))?, bytes));
    }
    all.push((main.clone(), &files.main));
    // What is in the way is found before anything is written.
    let mut missing = Vec::new();
    for (path, bytes) in all {
        // Models share textures, and a run that was interrupted may have left companions of a file that is still missing.
        if path != main && std::fs::read(&path).is_ok_and(|there| there == **bytes) {
            written.insert(path);
        } else if written.contains(&path) {
            let text = format!("{} was already written for another input", path.display());
            return Err(Error::new(Kind::Usage, text));
        } else if !force && std::fs::symlink_metadata(&path).is_ok() && !is_pipe_or_device(&path) {
            let text = format!("cannot write {}: the file exists already", path.display());
            return Err(Error::new(Kind::Exists, text));
        } else {
            missing.push((path, bytes));
        }
    }
    for (path, bytes) in missing {
        write(&path, bytes, force)?;
        written.insert(path);
    }
    Ok(main.display().to_string())
}

/// Reports what was written: as data on stdout, or on stderr where the model itself went to stdout.
fn show(session: &mut Session, to_stdout: bool, line: &Conversion, report: &Report) -> Result<(), Stop> {
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

/// The lines of a report for people: what happened to many things in the same way is one line.
fn groups(report: &Report) -> Vec<String> {
    let line = |(first, more): &(&Note, usize)| {
        let number = u64::try_from(*more).unwrap_or(u64::MAX);
        let others = if number > 0 { format!(" and {} more", commas(number)) } else { String::new() };
        format!("  {:<12}  {}{others}: {}", first.outcome, first.path, first.message)
    };
    report.grouped().iter().map(line).collect()
}
