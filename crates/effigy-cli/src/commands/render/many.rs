//! One contact sheet for many models: a tile for each, with its name.

use super::{RenderArgs, renderer};
use crate::session::{Exit, Session, Stop};
use crate::text::{count, size};
use crate::{batch, inputs};
use effigy::assets::destination::write;
use effigy::image::png;
use effigy::lines::Rendered;
use effigy::pictures::{Image, Sheet, Shot};
use effigy::{Error, Input, Kind, Result};
use std::path::Path;

/// Tiles on one sheet, at most: more do not fit a picture that can be looked at.
const MOST: usize = 4096;

/// Pixels of a sheet at most. The memory of the largest is about 350 MB.
const MOST_PIXELS: u32 = 32_000_000;

/// Width and height of a tile where the user gives none.
const TILE: u32 = 192;

/// What is below the tile of a model.
fn caption(input: &Input) -> String {
    Path::new(&input.name).file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Draws each model once and all of them on one sheet.
pub fn run(session: &mut Session, args: &RenderArgs, found: &[Input]) -> Result<Exit, Stop> {
    if args.output.exists() && !args.force {
        let text = format!("{}: the file exists already, --force overwrites it", args.output.display());
        return Err(Stop::Failed(text));
    }
    if found.len() > MOST {
        return Err(Stop::Usage(format!("{} models do not fit one sheet, at most {MOST} do", found.len())));
    }
    let mut picture = args.picture.picture(Shot::Still)?;
    picture.lod = args.parts.lod;
    let asked = args.picture.size.map_or([TILE; 2], |size| size.0);
    picture.size = Sheet::fitting(asked, found.len(), MOST_PIXELS);
    let options = args.parts.add(args.picture.assets.options(session, &args.inputs.reading)?);
    let renderer = renderer()?;
    let captions: Vec<String> = found.iter().map(caption).collect();
    let mut sheet = Sheet::new(picture.size, captions.iter().map(String::as_str))?;
    let work = |input: &Input| -> Result<Image> {
        let loaded = inputs::load(input, &options)?;
        let mut shots = loaded.model.render_with(renderer, &picture)?.into_shots();
        shots.pictures.pop().ok_or_else(|| Error::new(Kind::Unsupported, "there is nothing to see"))
    };
    let mut failed = 0_u64;
    batch::each(session, args.inputs.jobs, found, work, |session, input, result| match result {
        Ok(image) => {
            sheet.add(&image, &caption(input));
            Ok(())
        }
        Err(error) => {
            failed += 1;
            session.failure(&input.name, &error)
        }
    })?;
    if sheet.is_empty() {
        // Each input has said why.
        return Ok(Exit::Failed);
    }
    let models = count(u64::try_from(sheet.len()).unwrap_or(u64::MAX), "model");
    let image = sheet.finish()?;
    let size_of_sheet = [image.width, image.height];
    let bytes = png::write(&image, png::Compression::Fast)?;
    write(&args.output, &bytes, args.force)?;
    let length = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
    let [width, height] = picture.size;
    let note = format!("size: tiles have {width} x {height} pixels: there are {}", found.len());
    let notes = if picture.size == asked { Vec::new() } else { vec![note] };
    let (output, [width, height]) = (args.output.display().to_string(), size_of_sheet);
    if session.common.json {
        let words: Vec<String> = args.inputs.paths.iter().map(|path| path.display().to_string()).collect();
        let line = Rendered {
            path: words.join(" "),
            outputs: vec![output],
            width,
            height,
            frames: 1,
            sequence: String::new(),
            time: 0.0,
            clock: 0.0,
            camera: None,
            bytes: length,
            empty: false,
            missing: Vec::new(),
            notes,
        };
        session.out.json(&line)?;
    } else if !session.common.quiet {
        session.out.line(format_args!("{output}   {width}x{height}   {models}   {}", size(length)))?;
        notes.iter().for_each(|note| session.out.say(format_args!("  note          {note}")));
    }
    Ok(Exit::failed_if(failed > 0))
}
