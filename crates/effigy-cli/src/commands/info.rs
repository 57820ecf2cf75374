//! `effigy info`: what is in a model or a texture.

use crate::args::{AssetArgs, Inputs, PartArgs};
use crate::batch;
use crate::inputs::{self, Content};
use crate::out::Tone;
use crate::problems::Problem;
use crate::session::{Exit, Session, Stop};
use crate::text::{commas, count, float, size};
use clap::Args;
use effigy::assets::rules::wow::TEXTURE_TYPES;
use effigy::lines::{Choice, Finding, Info, InfoLine, TextureInfo};
use effigy::{Bounds, Count, Input, OpenOptions, Result, Summary, Wanted};
use schemars::{Schema, schema_for};

/// Sequences and textures that are shown before `... +4`.
const SHOWN: usize = 5;

/// Options of `effigy info`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  effigy info footman.mdx
  effigy info models/ --json | jq -r '[.path, .version, (.meshes | length)] | @tsv'
  effigy info 'units/**/*.mdx' --verbose
  effigy info map.w3x:units/footman.mdx --assets war3.mpq
  effigy info Wolf.m2 --texture creature-1=WolfSkinGrey.blp
  effigy info footman.blp")]
pub struct InfoArgs {
    #[command(flatten)]
    inputs: Inputs,
    #[command(flatten)]
    assets: AssetArgs,
    #[command(flatten)]
    parts: PartArgs,
}

/// Prints what a reader noticed, or how much that is.
pub fn print_findings(session: &mut Session, findings: &[Finding]) -> Result<(), Stop> {
    if session.common.verbose {
        for Finding { severity, code, place, message, .. } in findings {
            session.out.line(format_args!("  {severity} {code}: {place}: {message}"))?;
        }
    } else if !findings.is_empty() {
        let notes = session.out.paint(Tone::Odd, "findings  ");
        let number = findings.len();
        session.out.line(format_args!("  {notes} {number:>4}   --verbose shows them"))?;
    }
    Ok(())
}

/// What one input turned out to be.
enum Seen {
    Model(Box<Info>, Vec<Problem>),
    Texture(TextureInfo),
}

/// What a line of `--json` looks like.
pub fn schema() -> Schema {
    schema_for!(InfoLine)
}

fn look(input: &Input, options: &OpenOptions) -> Result<Seen> {
    match inputs::load_any(input, options)? {
        Content::Texture(bytes) => {
            let image = inputs::decode_texture(input, &bytes, options)?;
            Ok(Seen::Texture(TextureInfo::new(&input.name, image, bytes.len())))
        }
        Content::Model(loaded) => {
            let info = Info::new(&input.name, &loaded.model, loaded.length());
            Ok(Seen::Model(Box::new(info), loaded.problems()))
        }
    }
}

pub fn run(session: &mut Session, args: &InfoArgs) -> Result<Exit, Stop> {
    let found = inputs::expand(session, &args.inputs, Wanted::Models);
    let options = args.parts.add(args.assets.options(session, &args.inputs.reading)?);
    let (mut failed, mut shown) = (false, false);
    let work = |input: &Input| look(input, &options);
    batch::each(session, args.inputs.jobs, &found, work, |session, input, result| {
        let json = session.common.json;
        if shown && !json && result.is_ok() {
            session.out.line(format_args!(""))?;
        }
        shown |= result.is_ok();
        match result {
            Err(error) => {
                failed = true;
                session.failure(&input.name, &error)
            }
            Ok(Seen::Texture(picture)) if json => session.out.json(&picture),
            Ok(Seen::Texture(picture)) => print_texture(session, &picture),
            Ok(Seen::Model(info, errors)) => {
                if json {
                    session.out.json(&info)?;
                } else {
                    print(session, &info)?;
                }
                failed |= session.broken(&input.name, &errors);
                Ok(())
            }
        }
    })?;
    Ok(Exit::failed_if(failed))
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
    let parts: Vec<String> = info.parts.iter().map(|part| format!("{} {}", part.at, part.name)).collect();
    for (label, lines) in
        [("files", &info.summary.files), ("problems", &info.summary.problems), ("parts", &parts)]
    {
        print_list(session, label, lines, verbose)?;
    }
    print_textures(session, info, verbose)?;
    print_skins(session, info, verbose)?;
    let range = |choice: &Choice| format!("{} 0 to {}", choice.name, choice.count - 1);
    let looks: Vec<String> = info.looks.iter().filter(|choice| choice.count > 0).map(range).collect();
    if !looks.is_empty() {
        session.out.line(format_args!("  {:<10} {:>4}   {}", "look", "", looks.join(", ")))?;
    }
    print_findings(session, &info.findings)
}

/// A list with a line for each of its first entries.
fn print_list(session: &mut Session, label: &str, lines: &[String], verbose: bool) -> Result<(), Stop> {
    let limit = if verbose { lines.len() } else { SHOWN + 1 };
    for (index, line) in lines.iter().take(limit).enumerate() {
        let (label, number) = if index == 0 { (label, lines.len().to_string()) } else { ("", String::new()) };
        session.out.line(format_args!("  {label:<10} {number:>4}   {line}"))?;
    }
    if lines.len() > limit {
        session.out.line(format_args!("  {:<10} {:>4}   ... +{}", "", "", lines.len() - limit))?;
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
    let wow = info.format == "m2" || info.dialect.as_deref() == Some("WoW alpha");
    let limit = if verbose { textures.len() } else { SHOWN + 1 };
    let width = textures.iter().take(limit).map(|texture| texture.path.chars().count()).max().unwrap_or(0);
    for (index, texture) in textures.iter().take(limit).enumerate() {
        let (label, number) =
            if index == 0 { ("textures", textures.len().to_string()) } else { ("", String::new()) };
        let words = if texture.path.is_empty() {
            let meaning =
                if texture.meaning.is_empty() { String::new() } else { format!(" ({})", texture.meaning) };
            let known =
                wow.then(|| TEXTURE_TYPES.iter().find(|known| known.id == texture.replaceable)).flatten();
            let place = match (&texture.found, known) {
                (Some(place), _) => format!("  found: {place}"),
                (None, Some(known)) => {
                    format!(
                        "  {}, --texture {}=FILE gives it",
                        session.out.paint(Tone::Odd, "missing"),
                        known.name
                    )
                }
                (None, None) => String::new(),
            };
            match known {
                Some(known) => format!("{}{meaning}{place}", known.name),
                None => format!("replaceable {}{meaning}{place}", texture.replaceable),
            }
        } else {
            let state = match &texture.found {
                Some(place) => format!("found: {place}"),
                None => session.out.paint(Tone::Odd, "missing"),
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

fn print_skins(session: &mut Session, info: &Info, verbose: bool) -> Result<(), Stop> {
    let limit = if verbose { info.skins.len() } else { SHOWN + 1 };
    for (index, skin) in info.skins.iter().take(limit).enumerate() {
        let (label, number) =
            if index == 0 { ("skins", info.skins.len().to_string()) } else { ("", String::new()) };
        let missing = session.out.paint(Tone::Odd, "missing");
        let words: Vec<String> = skin
            .textures
            .iter()
            .map(|texture| match &texture.found {
                Some(place) => format!("{}  found: {place}", texture.path),
                None => format!("{}  {missing}", texture.path),
            })
            .collect();
        session.out.line(format_args!(
            "  {label:<10} {number:>4}   {}: {}",
            skin.display,
            words.join(", ")
        ))?;
    }
    if info.skins.len() > limit {
        session.out.line(format_args!("  {:<10} {:>4}   ... +{}", "", "", info.skins.len() - limit))?;
    }
    Ok(())
}

/// Prints a texture for people.
fn print_texture(session: &mut Session, picture: &TextureInfo) -> Result<(), Stop> {
    let path = session.out.paint(Tone::Strong, &picture.path);
    let alpha = if picture.translucent { "translucent" } else { "opaque" };
    session.out.line(format_args!(
        "{path}   {}   {} x {}   {}   {alpha}   {}",
        picture.stored,
        picture.width,
        picture.height,
        count(u64::try_from(picture.levels).unwrap_or(u64::MAX), "mip level"),
        size(picture.bytes)
    ))?;
    print_findings(session, &picture.findings)
}
