//! `effigy render`: pictures, animations and contact sheets of models.

mod many;
mod options;

pub use options::PictureArgs;

use super::thumbnail::OTHERS;
use crate::args::{Inputs, PartArgs};
use crate::destination::{LeftAlone, Output, appended, deliver};
use crate::out::Tone;
use crate::problems::Problem;
use crate::session::{Exit, Line, Session, Stop};
use crate::text::{count, size};
use crate::{batch, inputs};
use clap::{Args, ValueEnum};
use effigy::assets::destination::write;
use effigy::assets::rules::wow::TextureType;
use effigy::image::png;
use effigy::lines::Rendered;
use effigy::pictures::Shot;
use effigy::{Container, Error, Input, Kind, Model, Picture, Renderer, Result, Wanted};
use schemars::{Schema, schema_for};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// Notes that are shown without `--verbose`, by what they are about: the picture is shorter or smaller than was asked for.
const SMALLER: [&str; 4] = ["sequence: ", "sequences: ", "frames: ", "size: "];
/// Missing textures that are named without `--verbose`.
const SHOWN: usize = 5;

/// Options of `effigy render`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  effigy render footman.mdx -o footman.png
  effigy render footman.mdx -o walk.gif --anim Walk
  effigy render footman.mdx -o around.apng --turntable --background transparent
  effigy render footman.mdx -o sheet.png --sheet --size 192
  effigy render models/ -o overview.png --sheet
  effigy render footman.mdx -o frame%04d.png --anim Attack
  effigy render models/ -o pictures/ --size 256 --team-color teal
  effigy render body.mds -o soldier.png --attach tag_head=head.mdc --attach tag_weapon=thompson.mdc
  effigy render models/players/multi -o soldier.png --skin bluesoldier1

Pictures that are in the folder already are left alone, so that an interrupted run can go on.")]
pub struct RenderArgs {
    #[command(flatten)]
    inputs: Inputs,
    /// The file to write, with %04d for numbered frames; a folder for several models; - for stdout
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,
    /// Kind of file [default: by the extension of OUT, else png]
    #[arg(long, value_name = "KIND")]
    to: Option<Kinds>,
    /// One tile for each sequence, with captions; with many models and one .png file, one tile for each model
    #[arg(long, conflicts_with = "turntable")]
    sheet: bool,
    /// Overwrite files
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    parts: PartArgs,
    #[command(flatten)]
    picture: PictureArgs,
}

/// Kinds of picture files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Kinds {
    Png,
    Gif,
    Apng,
}

impl From<Kinds> for Container {
    fn from(kind: Kinds) -> Self {
        match kind {
            Kinds::Png => Self::Png,
            Kinds::Gif => Self::Gif,
            Kinds::Apng => Self::Apng,
        }
    }
}

/// The kind of picture that the name of a file promises.
fn container_of(path: &Path) -> Option<Container> {
    path.extension().and_then(OsStr::to_str).and_then(Container::from_extension)
}

/// Where pictures go.
enum Target {
    Files(Output),
    /// A name with a place for the number: what is before and after it, and how many digits it has.
    Frames(String, usize, String),
}

/// The pictures of a model.
struct Made {
    /// A path (none for stdout) and what is to be written there; none where numbered frames are written already.
    file: Option<(Option<PathBuf>, Vec<u8>)>,
    line: Rendered,
}

/// What a line of `--json` looks like.
pub fn schema() -> Schema {
    schema_for!(Line<Rendered>)
}

pub fn run(session: &mut Session, args: &RenderArgs) -> Result<Exit, Stop> {
    let mut picture = args.picture.picture(Shot::Still)?;
    picture.lod = args.parts.lod;
    let found = inputs::expand(session, &args.inputs, Wanted::Scenes);
    if args.sheet
        && (found.len() > 1 || inputs::several(&args.inputs.paths))
        && container_of(&args.output) == Some(Container::Png)
        && !args.output.is_dir()
    {
        return many::run(session, args, &found);
    }
    let container = args.to.map(Container::from).or_else(|| container_of(&args.output)).unwrap_or_default();
    let target = target(args, container, &found)?;
    if args.picture.turntable && container == Container::Png && !matches!(target, Target::Frames(..)) {
        return Err(Stop::Usage(
            "a turntable needs .gif, .apng (--to gif for a folder) or numbered frames such as a%03d.png"
                .to_owned(),
        ));
    }
    let options = args.parts.add(args.picture.assets.options(session, &args.inputs.reading)?);
    let renderer = renderer()?;
    if session.common.verbose {
        session.out.say(format_args!("drawing with {}", renderer.gpu().name()));
    }
    picture.shot = match (&target, container) {
        _ if args.sheet => Shot::Sheet,
        (Target::Frames(..), _) | (_, Container::Gif | Container::Apng) => Shot::Frames,
        _ => Shot::Still,
    };
    let work = |input: &Input| -> Result<Option<(Made, Vec<Problem>)>> {
        if !args.force && there(input, container, &target).is_some() {
            return Ok(None);
        }
        let loaded = inputs::load(input, &options)?;
        Ok(Some((
            draw(input, &loaded.model, renderer, &picture, container, &target, args.force)?,
            loaded.problems(),
        )))
    };
    let (mut done, mut failed) = (0_u64, 0_u64);
    let mut left_alone = LeftAlone::default();
    let start = std::time::Instant::now();
    let to_stdout = matches!(target, Target::Files(Output::Stdout));
    batch::each(session, args.inputs.jobs, &found, work, |session, input, result| {
        let result = result.and_then(|work| match work {
            None => Ok(None),
            Some((made, problems)) => finish(session, made, args.force).map(|line| Some((line, problems))),
        });
        match result {
            Ok(None) => {
                let place = there(input, container, &target);
                place.into_iter().for_each(|place| left_alone.add(input, &place));
                Ok(())
            }
            Err(error) => {
                failed += 1;
                session.failure(&input.name, &error)
            }
            Ok(Some((line, problems))) => {
                done += 1;
                show(session, &line, to_stdout)?;
                // It was drawn: what is broken in the model is said, and is not a failure of this command.
                session.broken(&input.name, &problems);
                Ok(())
            }
        }
    })?;
    if found.len() > 1 {
        let failures = if failed > 0 { format!(", {failed} failed") } else { String::new() };
        let seconds = start.elapsed().as_secs_f64();
        session.out.say(format_args!("{} drawn in {seconds:.1} s{failures}", count(done, "model")));
    }
    left_alone.say(session, "picture", "draws");
    Ok(Exit::failed_if(failed > 0))
}

/// The picture of this input, if it is in its folder already, from an earlier run.
fn there(input: &Input, container: Container, target: &Target) -> Option<PathBuf> {
    let Target::Files(output @ Output::Folder(_)) = target else { return None };
    let path = output.path(&appended(&input.relative, container.extension())).ok().flatten();
    path.filter(|path| path.is_file())
}

/// The renderer of this process.
pub fn renderer() -> Result<&'static Renderer, Stop> {
    Renderer::shared().map_err(|error| {
        let hint = error.hint_text().map(|hint| format!("; {hint}")).unwrap_or_default();
        Stop::Failed(format!("{error}{hint}"))
    })
}

fn target(args: &RenderArgs, container: Container, found: &[Input]) -> Result<Target, Stop> {
    let is_file_name = container_of(&args.output).is_some();
    let output = Output::new(&args.output, &args.inputs.paths, found, is_file_name)?;
    let Output::File(path) = &output else { return Ok(Target::Files(output)) };
    if let Some((before, digits, after)) = pattern(&path.as_os_str().to_string_lossy()) {
        if container != Container::Png || args.sheet || !after.to_lowercase().ends_with(".png") {
            return Err(Stop::Usage("numbered frames are .png files, and not for --sheet".to_owned()));
        }
        return Ok(Target::Frames(before, digits, after));
    }
    let extension = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    // An animated PNG is also a PNG.
    let fits = container_of(path) == Some(container) || container == Container::Apng && extension == "png";
    if args.to.is_some() && !fits && (is_file_name || OTHERS.contains(&extension.as_str())) {
        let text = format!("{} is not the name of a .{} file", path.display(), container.extension());
        return Err(Stop::Usage(text));
    }
    if !is_file_name && args.to.is_none() {
        return Err(Stop::Usage(
            "the output's name must end in .png, .gif or .apng, or --to must name the kind".to_owned(),
        ));
    }
    Ok(Target::Files(output))
}

/// `walk%04d.png` as what is before and after the number, and its digits.
fn pattern(text: &str) -> Option<(String, usize, String)> {
    let (before, rest) = text.rsplit_once('%')?;
    let (digits, after) = rest.split_once('d')?;
    let digits = if digits.is_empty() { 1 } else { digits.parse().ok().filter(|count| *count < 10)? };
    Some((before.to_owned(), digits, after.to_owned()))
}

/// Draws a model into its file, or into numbered files: pictures are packed as they are drawn, so that those of an animation are
/// never in memory together.
fn draw(
    input: &Input,
    model: &Model,
    renderer: &Renderer,
    picture: &Picture,
    container: Container,
    target: &Target,
    force: bool,
) -> Result<Made> {
    let (mut outputs, mut written) = (Vec::new(), 0);
    let (file, shots) = match target {
        Target::Files(output) => {
            let path = output.path(&appended(&input.relative, container.extension()))?;
            let mut bytes = Vec::new();
            let shots = model.render_into(renderer, picture, container, &mut bytes)?;
            written = length(&bytes);
            (Some((path, bytes)), shots)
        }
        Target::Frames(before, digits, after) => {
            let digits = *digits;
            let frame = |number: usize| PathBuf::from(format!("{before}{number:0digits$}{after}"));
            let shots = model.render_each(renderer, picture, &mut |image, total| {
                if outputs.is_empty()
                    && !force
                    && let Some(there) = (0..total as usize).map(frame).find(|path| path.exists())
                {
                    // All are written, or none.
                    return Err(Error::new(
                        Kind::Exists,
                        format!("{}: the file exists already", there.display()),
                    ));
                }
                let path = frame(outputs.len());
                let bytes = png::write(&image, png::Compression::Fast)?;
                write(&path, &bytes, force)?;
                written += length(&bytes);
                outputs.push(path.display().to_string());
                Ok(())
            })?;
            (None, shots)
        }
    };
    let shots = shots.into_shots();
    let notes = shots.report.notes().iter().map(|note| format!("{}: {}", note.path, note.message));
    let [width, height] = shots.size;
    let line = Rendered {
        path: input.name.clone(),
        outputs,
        width,
        height,
        frames: u64::from(shots.frames),
        sequence: shots.sequence,
        time: shots.time,
        clock: shots.clock,
        camera: shots.camera.map(Into::into),
        bytes: written,
        empty: shots.empty,
        missing: shots.missing,
        notes: notes.collect(),
    };
    Ok(Made { file, line })
}

fn length(bytes: &[u8]) -> u64 {
    u64::try_from(bytes.len()).unwrap_or(u64::MAX)
}

fn finish(session: &mut Session, made: Made, force: bool) -> Result<Rendered> {
    let mut line = made.line;
    if let Some((path, bytes)) = made.file {
        line.outputs.push(deliver(session, path.as_deref(), &bytes, force)?);
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
        let way = match TextureType::parse(missing) {
            Some(kind) => format!(", --texture {}=FILE gives it", kind.name),
            None => String::new(),
        };
        session.out.say(format_args!("  missing       {missing}{way}"));
    }
    if line.missing.len() > shown {
        session
            .out
            .say(format_args!("  missing       +{} (--verbose shows all)", line.missing.len() - shown));
    }
    let all = session.common.verbose || line.empty;
    let smaller = |note: &&String| SMALLER.iter().any(|what| note.starts_with(what));
    for note in line.notes.iter().filter(|note| all || smaller(note)).take(shown) {
        session.out.say(format_args!("  note          {note}"));
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
