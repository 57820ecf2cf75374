//! `effigy info`: what is in a model.

use crate::args::Inputs;
use crate::batch::{self, Loaded};
use crate::expand;
use crate::inputs::Source;
use crate::out::Tone;
use crate::session::{Exit, Session, Stop};
use crate::text::{commas, count, float, size};
use crate::textures;
use clap::Args;
use effigy::{Bounds, Count, Result, Summary};
use schemars::JsonSchema;
use serde::Serialize;

/// Sequences and textures that are shown before `... +4`.
const SHOWN: usize = 5;

/// Options of `effigy info`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  effigy info footman.mdx
  effigy info models/ --json | jq -r '[.path, .version, (.meshes | length)] | @tsv'
  effigy info 'units/**/*.mdx' --verbose")]
pub struct InfoArgs {
    #[command(flatten)]
    inputs: Inputs,
}

/// What `effigy info --json` prints for each file.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Info {
    /// The file.
    pub path: String,
    /// The format's name, as `effigy formats` shows it.
    pub format: String,
    /// The game's dialect of the format, where there is more than one.
    pub dialect: Option<String>,
    /// The version that the file states.
    pub version: u32,
    /// The model's own name.
    pub name: String,
    /// Size of the file.
    pub bytes: u64,
    /// What is in it.
    #[serde(flatten)]
    pub summary: Summary,
    /// For each texture the file on disk that it was found in; null where it is missing or the game puts it in.
    pub found: Vec<Option<String>>,
    /// What the reader noticed.
    pub findings: Vec<Finding>,
}

/// Something that the reader noticed.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Finding {
    /// Its stable code.
    pub code: String,
    /// How bad it is: unused, warning, severe, error.
    pub severity: String,
    /// Where in the file, in bytes.
    pub offset: Option<usize>,
    /// The path inside the file.
    pub place: String,
    /// What was found.
    pub message: String,
}

pub fn run(session: &mut Session, args: &InfoArgs) -> Result<Exit, Stop> {
    let sources = expand::expand(session, &args.inputs);
    let reading = args.inputs.reading;
    let (mut failed, mut shown) = (false, false);
    let work = |source: &Source| {
        batch::load(source, &reading)
            .map(|loaded| (gather(source, &loaded), batch::errors(loaded.document.as_ref())))
    };
    batch::each(session, args.inputs.jobs, &sources, work, |session, source, result| {
        match result {
            Err(error) => {
                failed = true;
                session.failure(&source.name, &error)?;
            }
            Ok((info, errors)) if session.common.json => {
                failed |= session.broken(&source.name, &errors);
                session.out.json(&info)?;
            }
            Ok((info, errors)) => {
                if shown {
                    session.out.line(format_args!(""))?;
                }
                print(session, &info)?;
                shown = true;
                failed |= session.broken(&source.name, &errors);
            }
        }
        Ok(())
    })?;
    Ok(Exit::failed_if(failed))
}

fn gather(source: &Source, loaded: &Loaded) -> Info {
    let document = loaded.document.as_ref();
    let summary = document.summary();
    let found = summary
        .textures
        .iter()
        .map(|texture| textures::find(source.path()?, &texture.path).map(|path| path.display().to_string()))
        .collect();
    let findings = document
        .diagnostics()
        .iter()
        .map(|diagnostic| Finding {
            code: diagnostic.code.to_string(),
            severity: diagnostic.severity.to_string(),
            offset: diagnostic.offset,
            place: diagnostic.path.clone(),
            message: diagnostic.message.to_string(),
        })
        .collect();
    Info {
        path: source.name.clone(),
        format: document.format().name().to_owned(),
        dialect: document.dialect().map(str::to_owned),
        version: document.version(),
        name: document.name(),
        bytes: loaded.length(),
        summary,
        found,
        findings,
    }
}

fn print(session: &mut Session, info: &Info) -> Result<(), Stop> {
    let path = session.out.paint(Tone::Strong, &info.path);
    let title = info
        .format
        .parse()
        .map_or_else(|_| info.format.clone(), |format: effigy::Format| format.title().to_owned());
    let kind = match &info.dialect {
        Some(dialect) => format!("{dialect} {title} {}", info.version),
        None => format!("{title} {}", info.version),
    };
    let name = if info.name.is_empty() { String::new() } else { format!("   \"{}\"", info.name) };
    session.out.line(format_args!("{path}   {kind}{name}   {}", size(info.bytes)))?;
    let verbose = session.common.verbose;
    for (label, number, words) in rows(&info.summary, verbose) {
        session.out.line(format_args!("  {label:<10} {number:>4}   {words}"))?;
    }
    print_textures(session, info, verbose)?;
    if verbose {
        for finding in &info.findings {
            session.out.line(format_args!(
                "  {} {}: {}: {}",
                finding.severity, finding.code, finding.place, finding.message
            ))?;
        }
    } else if !info.findings.is_empty() {
        let notes = session.out.paint(Tone::Odd, "findings  ");
        let number = info.findings.len();
        session.out.line(format_args!("  {notes} {number:>4}   --verbose shows them"))?;
    }
    Ok(())
}

fn rows(summary: &Summary, verbose: bool) -> Vec<(&'static str, String, String)> {
    let mut rows = Vec::new();
    let mut row = |label, number: usize, words: String| {
        if number > 0 {
            rows.push((label, commas(u64::try_from(number).unwrap_or(u64::MAX)), words));
        }
    };
    let meshes =
        format!("{}, {}", count(summary.vertices(), "vertex"), count(summary.triangles(), "triangle"));
    row("meshes", summary.meshes.len(), meshes);
    row("nodes", total(&summary.nodes), list(&summary.nodes));
    let sequences: Vec<String> = summary
        .sequences
        .iter()
        .map(|sequence| {
            let speed = if sequence.speed > 0.0 { format!(" ({}/s)", sequence.speed) } else { String::new() };
            format!("{} {:.2}s{speed}", sequence.name, sequence.seconds)
        })
        .collect();
    row("sequences", sequences.len(), shorten(&sequences, verbose));
    let materials = usize::try_from(summary.materials.count).unwrap_or(usize::MAX);
    row("materials", materials, summary.materials.words.join(", "));
    row("emitters", total(&summary.emitters), kinds(&summary.emitters));
    row("cameras", summary.cameras.len(), shorten(&summary.cameras, verbose));
    row("others", total(&summary.others), list(&summary.others));
    if let Some(bounds) = summary.bounds.as_ref().filter(|bounds| **bounds != Bounds::default()) {
        let corner = |point: [f32; 3]| point.map(float).join(" ");
        rows.push((
            "bounds",
            String::new(),
            format!("{} to {}, radius {}", corner(bounds.min), corner(bounds.max), float(bounds.radius)),
        ));
    }
    rows
}

fn total(counts: &[Count]) -> usize {
    usize::try_from(counts.iter().map(|one| one.count).sum::<u64>()).unwrap_or(usize::MAX)
}

fn list(counts: &[Count]) -> String {
    counts.iter().map(|one| count(one.count, &one.kind)).collect::<Vec<_>>().join(", ")
}

/// `particle` where all are of one kind, else `19 particle, 3 ribbon`.
fn kinds(counts: &[Count]) -> String {
    match counts {
        [one] => one.kind.clone(),
        _ => counts
            .iter()
            .map(|one| format!("{} {}", commas(one.count), one.kind))
            .collect::<Vec<_>>()
            .join(", "),
    }
}

fn shorten(words: &[String], verbose: bool) -> String {
    match words.get(..SHOWN) {
        Some(first) if !verbose && words.len() > SHOWN => {
            format!("{} ... +{}", first.join(", "), words.len() - SHOWN)
        }
        _ => words.join(", "),
    }
}

fn print_textures(session: &mut Session, info: &Info, verbose: bool) -> Result<(), Stop> {
    let textures = &info.summary.textures;
    let limit = if verbose { textures.len() } else { SHOWN + 1 };
    let width = textures.iter().take(limit).map(|texture| texture.path.chars().count()).max().unwrap_or(0);
    for (index, texture) in textures.iter().take(limit).enumerate() {
        let (label, number) =
            if index == 0 { ("textures", textures.len().to_string()) } else { ("", String::new()) };
        let words = if texture.path.is_empty() {
            let meaning =
                if texture.meaning.is_empty() { String::new() } else { format!(" ({})", texture.meaning) };
            format!("replaceable {}{meaning}", texture.replaceable)
        } else {
            let state = match info.found.get(index) {
                Some(Some(place)) => format!("found: {place}"),
                _ => session.out.paint(Tone::Odd, "missing"),
            };
            format!("{:<width$}  {state}", texture.path)
        };
        session.out.line(format_args!("  {label:<10} {number:>4}   {words}"))?;
    }
    if textures.len() > limit {
        session.out.line(format_args!("  {:<10} {:>4}   ... +{}", "", "", textures.len() - limit))?;
    }
    Ok(())
}
