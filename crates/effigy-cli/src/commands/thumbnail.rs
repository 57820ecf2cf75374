//! `effigy thumbnail`: one small picture for file managers.

use super::render::{open, take};
use crate::args::{Assets, Reading};
use crate::session::{Exit, Session, Stop};
use crate::textures::Lookup;
use crate::{batch, expand, save};
use clap::Args;
use effigy::{Error, Kind, Result};
use effigy_render::{Background, Container, Picture};
use std::path::PathBuf;

/// Options of `effigy thumbnail`.
#[derive(Debug, Args)]
#[command(after_help = "Example:
  effigy thumbnail footman.mdx footman.png 256")]
pub struct ThumbnailArgs {
    /// The model
    input: PathBuf,
    /// The .png file to write; it is replaced
    output: PathBuf,
    /// Width and height in pixels
    #[arg(default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..=4096))]
    size: u32,
    #[command(flatten)]
    reading: Reading,
}

pub fn run(session: &mut Session, args: &ThumbnailArgs) -> Result<Exit, Stop> {
    let source = expand::single(&args.input, &args.reading);
    let picture = Picture { background: Background::Transparent, size: [args.size; 2], ..Picture::default() };
    let lookup = Lookup::new(session, &Assets::default(), args.reading.limits())?;
    let loaded = match batch::load(&source, &args.reading) {
        Ok(loaded) => loaded,
        Err(error) => {
            session.failure(&source.name, &error)?;
            return Ok(Exit::Failed);
        }
    };
    let renderer = open()?;
    let limits = args.reading.limits();
    let made = take(&renderer, &lookup, &source, &loaded, limits, &picture).and_then(|shots| {
        if shots.empty {
            // The file manager shows an icon instead, which is better than an empty square.
            return Err(Error::new(Kind::Unsupported, "there is nothing to see"));
        }
        save::write(&args.output, &shots.encode(Container::Png)?, true)
    });
    if let Err(error) = made {
        session.failure(&source.name, &error)?;
        return Ok(Exit::Failed);
    }
    Ok(Exit::Fine)
}
