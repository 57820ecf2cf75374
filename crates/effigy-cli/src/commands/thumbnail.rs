//! `effigy thumbnail`: one small picture for file managers.

use super::render::renderer;
use crate::args::{AssetArgs, PartArgs, Reading};
use crate::inputs;
use crate::session::{Exit, Session, Stop};
use clap::Args;
use effigy::assets::destination::write;
use effigy::pictures::Background;
use effigy::{Container, Error, Picture, Result};
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
    /// Where textures are looked for.
    #[command(flatten)]
    assets: AssetArgs,
    #[command(flatten)]
    parts: PartArgs,
}

/// Extensions that promise another kind of picture. File managers also pass names without one.
const OTHERS: [&str; 11] = ["jpg", "jpeg", "gif", "apng", "webp", "bmp", "tga", "tif", "tiff", "dds", "blp"];

pub fn run(session: &mut Session, args: &ThumbnailArgs) -> Result<Exit, Stop> {
    let extension = args.output.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    if OTHERS.contains(&extension.as_str()) {
        return Err(Stop::Usage(format!(
            "a thumbnail is a .png file; {} names another kind",
            args.output.display()
        )));
    }
    let input = inputs::single(&args.input, &args.reading);
    let picture = Picture {
        size: [args.size; 2],
        background: Background::Transparent,
        lod: args.parts.lod,
        ..Picture::default()
    };
    let options = args.parts.add(args.assets.options(session, &args.reading)?);
    let loaded = match inputs::load(&input, &options) {
        Ok(loaded) => loaded,
        Err(error) => {
            session.failure(&input.name, &error)?;
            return Ok(Exit::Failed);
        }
    };
    let made = loaded.model.render_with(renderer()?, &picture).and_then(|shots| {
        if shots.empty {
            // The file manager shows an icon instead, which is better than an empty square.
            return Err(Error::unsupported("there is nothing to see"));
        }
        write(&args.output, &shots.encode(Container::Png)?, true)
    });
    if let Err(error) = made {
        session.failure(&input.name, &error)?;
        return Ok(Exit::Failed);
    }
    Ok(Exit::Fine)
}
