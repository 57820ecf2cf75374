//! `effigy render`: pictures, animations and contact sheets of models.

mod options;
mod shots;

pub use shots::take;

use crate::args::Inputs;
use crate::expand;
use crate::inputs::Source;
use crate::out::Tone;
use crate::problems::Problem;
use crate::session::{Exit, Session, Stop};
use crate::text::{count, size};
use crate::textures::Lookup;
use crate::{batch, save};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use effigy::{Error, Kind, Result};
use effigy_image::png;
use effigy_render::{Camera, Choice, Container, Gpu, Renderer, Shot, Shots};
use options::PictureArgs;
use schemars::JsonSchema;
use serde::Serialize;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// Missing textures that are named without `--verbose`.
const SHOWN: usize = 5;

/// Options of `effigy render`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  effigy render footman.mdx -o footman.png
  effigy render footman.mdx -o walk.gif --anim Walk
  effigy render footman.mdx -o around.apng --turntable --background transparent
  effigy render footman.mdx -o sheet.png --sheet --size 192
  effigy render footman.mdx -o frame%04d.png --anim Attack
  effigy render models/ -o pictures/ --size 256 --team-color teal")]
pub struct RenderArgs {
    #[command(flatten)]
    inputs: Inputs,
    /// The file to write, with %04d for numbered frames; a folder for several models; - for stdout
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,
    /// Kind of file [default: by the extension of OUT, else png]
    #[arg(long, value_name = "KIND", value_parser = container())]
    to: Option<Container>,
    /// One tile for each sequence, with captions
    #[arg(long, conflicts_with = "turntable")]
    sheet: bool,
    /// Overwrite files
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    picture: PictureArgs,
}

fn container() -> impl TypedValueParser<Value = Container> {
    PossibleValuesParser::new(["png", "gif", "apng"])
        .map(|name| Container::from_extension(&name).unwrap_or_default())
}

fn container_of(path: &Path) -> Option<Container> {
    Container::from_extension(path.extension().and_then(OsStr::to_str)?)
}

/// What `effigy render --json` prints for each model.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Rendered {
    /// The model.
    pub path: String,
    /// The files that were written.
    pub outputs: Vec<String>,
    /// Width of a picture in pixels.
    pub width: u32,
    /// Height of a picture in pixels.
    pub height: u32,
    /// How many frames there are.
    pub frames: u64,
    /// The sequence that is shown; empty for none.
    pub sequence: String,
    /// When in the sequence the first picture is taken, in seconds.
    pub time: f64,
    /// How long everything that runs beside the sequence has run by then, in seconds.
    pub clock: f64,
    /// From where the first picture is taken.
    pub camera: Option<Viewpoint>,
    /// Size of what was written.
    pub bytes: u64,
    /// Whether the model shows nothing at that moment.
    pub empty: bool,
    /// Textures that were not found; stand-ins are shown.
    pub missing: Vec<String>,
    /// What is shown otherwise than the model asks for.
    pub notes: Vec<String>,
}

/// A camera, in the model's units.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Viewpoint {
    /// Where it is.
    pub eye: [f32; 3],
    /// Where it looks to, of length 1.
    pub forward: [f32; 3],
    /// What is up in the picture, of length 1.
    pub up: [f32; 3],
    /// Vertical field of view in degrees.
    pub field_of_view: f32,
    /// Nearest distance that is drawn.
    pub near: f32,
    /// Farthest distance that is drawn.
    pub far: f32,
}

impl From<Camera> for Viewpoint {
    fn from(Camera { view, field_of_view, near, far }: Camera) -> Self {
        let forward = view.back.map(|value| -value);
        Self { eye: view.eye, forward, up: view.up, field_of_view: field_of_view.to_degrees(), near, far }
    }
}

/// Where pictures go.
enum Destination {
    Stdout,
    File(PathBuf),
    /// A name with a place for the number: what stands before and after it, and how many digits it has.
    Frames(String, usize, String),
    Folder(PathBuf),
}

/// Files of a model: names (none for stdout) and contents.
struct Made {
    files: Vec<(Option<PathBuf>, Vec<u8>)>,
    line: Rendered,
}

pub fn run(session: &mut Session, args: &RenderArgs) -> Result<Exit, Stop> {
    let mut picture = args.picture.picture(Shot::Still).map_err(|error| Stop::Usage(error.to_string()))?;
    let mut sources = expand::expand(session, &args.inputs);
    // Skins in a folder belong to the models beside them.
    if args.inputs.paths.iter().any(|path| expand::is_collection(path)) {
        sources.retain(|source| !is_skin(source));
    }
    let container = args.to.or_else(|| container_of(&args.output)).unwrap_or(Container::Png);
    let destination = destination(args, container, &sources)?;
    if args.picture.turntable
        && container == Container::Png
        && !matches!(destination, Destination::Frames(..))
    {
        return Err(Stop::Usage(
            "a turntable needs .gif, .apng or numbered frames such as a%03d.png".to_owned(),
        ));
    }
    let limits = args.inputs.reading.limits();
    let lookup = Lookup::new(session, &args.picture.assets, limits)?;
    let renderer = open()?;
    if session.common.verbose {
        session.out.say(format_args!("drawing with {}", renderer.gpu().name()));
    }
    picture.shot = match (&destination, container) {
        _ if args.sheet => Shot::Sheet,
        (Destination::Frames(..), _) | (_, Container::Gif | Container::Apng) => Shot::Frames,
        _ => Shot::Still,
    };
    let reading = args.inputs.reading;
    let work = |source: &Source| -> Result<(Made, Vec<Problem>)> {
        let loaded = batch::load(source, &reading)?;
        let shots = take(&renderer, &lookup, source, &loaded, limits, &picture)?;
        Ok((pack(source, shots, container, &destination)?, loaded.problems()))
    };
    let (mut done, mut failed) = (0_u64, 0_u64);
    let mut broken = false;
    let start = std::time::Instant::now();
    batch::each(session, args.inputs.jobs, &sources, work, |session, source, result| {
        let result = result.and_then(|(made, problems)| Ok((write(session, made, args.force)?, problems)));
        match result {
            Err(error) => {
                failed += 1;
                session.failure(&source.name, &error)
            }
            Ok((line, problems)) => {
                done += 1;
                show(session, &line, matches!(destination, Destination::Stdout))?;
                broken |= session.broken(&source.name, &problems);
                Ok(())
            }
        }
    })?;
    if sources.len() > 1 {
        let failures = if failed > 0 { format!(", {failed} failed") } else { String::new() };
        let seconds = start.elapsed().as_secs_f64();
        session.out.say(format_args!("{} drawn in {seconds:.1} s{failures}", count(done, "model")));
    }
    Ok(Exit::failed_if(broken || failed > 0))
}

fn is_skin(source: &Source) -> bool {
    let extension = source.path().and_then(Path::extension).and_then(OsStr::to_str);
    extension.is_some_and(|extension| extension.eq_ignore_ascii_case("skin"))
}

/// A renderer on the best device there is.
pub fn open() -> Result<Renderer, Stop> {
    Gpu::new(Choice::Best).map(Renderer::new).map_err(|error| {
        let hint = error.hint_text().map(|hint| format!("; {hint}")).unwrap_or_default();
        Stop::Failed(format!("{error}{hint}"))
    })
}

fn destination(args: &RenderArgs, container: Container, sources: &[Source]) -> Result<Destination, Stop> {
    let output = &args.output;
    let text = output.as_os_str().to_string_lossy();
    let several = sources.len() > 1 || args.inputs.paths.iter().any(|path| expand::is_collection(path));
    if output == Path::new("-") {
        if sources.len() > 1 {
            return Err(Stop::Usage("only one model can go to stdout".to_owned()));
        }
        return Ok(Destination::Stdout);
    }
    if several && (output.is_file() || container_of(output).is_some() && !output.is_dir()) {
        return Err(Stop::Usage(format!(
            "{} names one file; several models need a folder",
            output.display()
        )));
    }
    if several || output.is_dir() || text.ends_with(['/', '\\']) {
        return Ok(Destination::Folder(output.clone()));
    }
    if let Some((before, digits, after)) = pattern(&text) {
        if container != Container::Png || args.sheet {
            return Err(Stop::Usage("numbered frames are .png files, and not for --sheet".to_owned()));
        }
        return Ok(Destination::Frames(before, digits, after));
    }
    if container_of(output).is_none() && args.to.is_none() {
        return Err(Stop::Usage(
            "the output's name must end in .png, .gif or .apng, or --to must tell".to_owned(),
        ));
    }
    Ok(Destination::File(output.clone()))
}

/// `walk%04d.png` as what stands before and after the number, and its digits.
fn pattern(text: &str) -> Option<(String, usize, String)> {
    let (before, rest) = text.rsplit_once('%')?;
    let (digits, after) = rest.split_once('d')?;
    let digits = if digits.is_empty() { 1 } else { digits.parse().ok().filter(|count| *count < 10)? };
    Some((before.to_owned(), digits, after.to_owned()))
}

/// Makes files of pictures.
fn pack(source: &Source, shots: Shots, container: Container, destination: &Destination) -> Result<Made> {
    let first = shots.pictures.first().map_or([0, 0], |picture| [picture.width, picture.height]);
    let frames = u64::try_from(shots.pictures.len()).unwrap_or(u64::MAX);
    let whole = || shots.encode(container);
    let files = match destination {
        Destination::Stdout => vec![(None, whole()?)],
        Destination::File(path) => vec![(Some(path.clone()), whole()?)],
        Destination::Folder(folder) => {
            let mut name = source.relative.clone().into_os_string();
            name.push(".");
            name.push(container.extension());
            vec![(Some(save::below(folder, Path::new(&name))?), whole()?)]
        }
        Destination::Frames(before, digits, after) => shots
            .pictures
            .iter()
            .enumerate()
            .map(|(number, picture)| {
                Ok((
                    Some(PathBuf::from(format!("{before}{number:0digits$}{after}"))),
                    png::write(picture, png::Compression::Fast)?,
                ))
            })
            .collect::<Result<_>>()?,
    };
    let bytes = files.iter().map(|(_, bytes)| u64::try_from(bytes.len()).unwrap_or(0)).sum();
    let [width, height] = first;
    let notes = shots.report.notes().iter().map(|note| format!("{}: {}", note.path, note.message));
    let line = Rendered {
        path: source.name.clone(),
        outputs: Vec::new(),
        width,
        height,
        frames,
        sequence: shots.sequence,
        time: shots.time,
        clock: shots.clock,
        camera: shots.camera.map(Viewpoint::from),
        bytes,
        empty: shots.empty,
        missing: shots.missing,
        notes: notes.collect(),
    };
    Ok(Made { files, line })
}

fn write(session: &mut Session, made: Made, force: bool) -> Result<Rendered> {
    let mut line = made.line;
    for (path, bytes) in made.files {
        match path {
            None => match session.out.bytes(&bytes) {
                Ok(()) | Err(Stop::PipeClosed) => line.outputs.push("-".to_owned()),
                Err(Stop::Usage(text) | Stop::Failed(text)) => return Err(Error::new(Kind::Io, text)),
            },
            Some(path) => {
                save::write(&path, &bytes, force).map_err(|error| {
                    let about = Error::new(
                        error.kind(),
                        format!("cannot write {}: {}", path.display(), error.message()),
                    );
                    match error.hint_text() {
                        Some(hint) => about.hint(hint.to_owned()),
                        None => about,
                    }
                })?;
                line.outputs.push(path.display().to_string());
            }
        }
    }
    Ok(line)
}

fn show(session: &mut Session, line: &Rendered, to_stdout: bool) -> Result<(), Stop> {
    if session.common.json && !to_stdout {
        return session.out.json(line);
    }
    let what = match line.outputs.as_slice() {
        [] => return Ok(()),
        [one] => one.clone(),
        [first, .., last] => format!("{first} ... {last}"),
    };
    let frames = if line.frames > 1 { format!("   {}", count(line.frames, "frame")) } else { String::new() };
    let empty = if line.empty { "   nothing to see" } else { "" };
    let name = session.out.paint(Tone::Strong, what);
    let text = format!("{name}   {}x{}{frames}   {}{empty}", line.width, line.height, size(line.bytes));
    if to_stdout {
        session.out.say(format_args!("{text}"));
    } else if !session.common.quiet {
        session.out.line(format_args!("{text}"))?;
    }
    let shown = if session.common.verbose { usize::MAX } else { SHOWN };
    for missing in line.missing.iter().take(shown) {
        session.out.say(format_args!("  missing       {missing}"));
    }
    if line.missing.len() > shown {
        session
            .out
            .say(format_args!("  missing       +{} (--verbose shows all)", line.missing.len() - shown));
    }
    if session.common.verbose || line.empty {
        for note in line.notes.iter().take(shown) {
            session.out.say(format_args!("  note          {note}"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_names_numbered_frames() {
        assert_eq!(pattern("a/walk%04d.png"), Some(("a/walk".to_owned(), 4, ".png".to_owned())));
        assert_eq!(pattern("%d.png"), Some((String::new(), 1, ".png".to_owned())));
        assert_eq!(pattern("walk.png"), None);
        assert_eq!(pattern("100%x.png"), None);
    }
}
