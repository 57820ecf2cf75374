//! `effigy info`: what is in a model or a texture.

use super::info_texture::{self, TextureInfo};
use crate::args::{AssetArgs, Inputs};
use crate::batch;
use crate::inputs::{self, Content, Loaded};
use crate::out::Tone;
use crate::problems::Problem;
use crate::session::{Exit, Failure, Session, Stop};
use crate::text::{commas, count, float, size};
use clap::Args;
use effigy::assets::rules::wow::TEXTURE_TYPES;
use effigy::assets::{Appearance, Choices, Found};
use effigy::{Bounds, Count, Diagnostics, Input, Model, OpenOptions, Result, Summary, Wanted};
use schemars::{JsonSchema, Schema, schema_for};
use serde::Serialize;

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
    /// For models of World of Warcraft: what they can wear, where the assets have the tables that say so.
    pub skins: Vec<Skin>,
    /// For characters of World of Warcraft: how many choices there are for `--look`, by name.
    pub looks: Vec<Choice>,
    /// What the reader noticed.
    pub findings: Vec<Finding>,
}

/// A part of a character's look that can be chosen.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Choice {
    /// Its name in `--look`.
    pub name: String,
    /// How many there are; they are numbered from 0.
    pub count: u32,
}

/// One look of a creature, item or character.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Skin {
    /// The table that has it: `CreatureDisplayInfo`, `ItemDisplayInfo` or `CharSections`.
    pub table: String,
    /// The number of its row there.
    pub display: u32,
    /// Its textures.
    pub textures: Vec<SkinTexture>,
}

/// A texture that a look puts on the model.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SkinTexture {
    /// Its path.
    pub path: String,
    /// The texture type that it stands for, as `--texture` takes it.
    #[serde(rename = "type")]
    pub kind: u32,
    /// Where it was found; null where it is missing.
    pub found: Option<String>,
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

impl Finding {
    /// All that a reader noticed.
    pub fn all(diagnostics: &Diagnostics) -> Vec<Self> {
        let findings = diagnostics.iter().map(|diagnostic| Self {
            code: diagnostic.code.to_string(),
            severity: diagnostic.severity.to_string(),
            offset: diagnostic.offset,
            place: diagnostic.path.clone(),
            message: diagnostic.message.to_string(),
        });
        findings.collect()
    }

    /// Prints them, or how many there are.
    pub fn print(session: &mut Session, findings: &[Self]) -> Result<(), Stop> {
        if session.common.verbose {
            for Self { severity, code, place, message, .. } in findings {
                session.out.line(format_args!("  {severity} {code}: {place}: {message}"))?;
            }
        } else if !findings.is_empty() {
            let notes = session.out.paint(Tone::Odd, "findings  ");
            let number = findings.len();
            session.out.line(format_args!("  {notes} {number:>4}   --verbose shows them"))?;
        }
        Ok(())
    }
}

/// What one input turned out to be.
enum Seen {
    Model(Box<Info>, Vec<Problem>),
    Texture(TextureInfo),
}

/// A line of `effigy info --json`: a model, a texture or a failure.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
#[allow(dead_code, reason = "only its schema is used")]
enum Line {
    Model(Box<Info>),
    Texture(TextureInfo),
    Failure(Failure),
}

/// What a line of `--json` looks like.
pub fn schema() -> Schema {
    schema_for!(Line)
}

fn look(input: &Input, options: &OpenOptions) -> Result<Seen> {
    match inputs::load_any(input, options)? {
        Content::Texture(bytes) => info_texture::gather(input, &bytes, options).map(Seen::Texture),
        Content::Model(loaded) => Ok(Seen::Model(Box::new(gather(input, &loaded)), loaded.problems())),
    }
}

pub fn run(session: &mut Session, args: &InfoArgs) -> Result<Exit, Stop> {
    let found = inputs::expand(session, &args.inputs, Wanted::Models);
    let options = args.assets.options(session, &args.inputs.reading)?;
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
            Ok(Seen::Texture(picture)) => info_texture::print(session, &picture),
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

fn gather(input: &Input, loaded: &Loaded) -> Info {
    let model = &loaded.model;
    let mut summary = model.summary();
    let place = |found: Option<Found>| found.map(|found| found.to_string());
    let looks = model.file().map(|file| model.assets().looks(model.naming(), file)).unwrap_or_default();
    let skins = looks.into_iter().map(|look| Skin {
        table: look.table.to_owned(),
        display: look.id,
        textures: look
            .textures
            .iter()
            .map(|worn| SkinTexture {
                path: worn.candidates.first().cloned().unwrap_or_default(),
                kind: worn.kind,
                found: place(model.file().and_then(|file| model.assets().worn(file, worn))),
            })
            .collect(),
    });
    let found = model.find_textures(&summary.textures);
    for (texture, found) in summary.textures.iter_mut().zip(found) {
        // An image inside the file needs no other file.
        texture.found = texture.found.take().or_else(|| place(found));
    }
    Info {
        path: input.name.clone(),
        format: model.format().name().to_owned(),
        dialect: model.dialect().map(str::to_owned),
        version: model.version(),
        name: model.name(),
        bytes: loaded.length(),
        skins: skins.collect(),
        looks: choices(model),
        findings: Finding::all(model.diagnostics()),
        summary,
    }
}

/// What can be chosen for a character.
fn choices(model: &Model) -> Vec<Choice> {
    let choices = model.file().and_then(|file| model.assets().choices(model.naming(), file));
    let Some(Choices { skins, faces, hairs, hair_colors, facials }) = choices else { return Vec::new() };
    let named = Appearance::NAMES.into_iter().zip([skins, faces, hairs, hair_colors, facials]);
    named.map(|(name, count)| Choice { name: name.to_owned(), count }).collect()
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
    print_skins(session, info, verbose)?;
    let range = |choice: &Choice| format!("{} 0 to {}", choice.name, choice.count - 1);
    let looks: Vec<String> = info.looks.iter().filter(|choice| choice.count > 0).map(range).collect();
    if !looks.is_empty() {
        session.out.line(format_args!("  {:<10} {:>4}   {}", "look", "", looks.join(", ")))?;
    }
    Finding::print(session, &info.findings)
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
    let wow = info.format == "m2";
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
