//! `effigy thumbnail`: one small picture for file managers.

use super::render::renderer;
use crate::args::{AssetArgs, PartArgs, Reading};
use crate::destination::{deliver, same_file};
use crate::inputs;
use crate::session::{Exit, Session, Stop};
use clap::Args;
use effigy::{Error, Result};
use std::path::PathBuf;

/// Options of `effigy thumbnail`.
#[derive(Debug, Args)]
#[command(after_help = "Example:
  effigy thumbnail footman.mdx footman.png 256")]
pub struct ThumbnailArgs {
    /// The model
    input: PathBuf,
    /// The .png file to write, which is replaced; - for stdout
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

/// Extensions that promise another kind of picture than PNG. File managers also pass names without one.
pub const OTHERS: [&str; 11] =
    ["jpg", "jpeg", "gif", "apng", "webp", "bmp", "tga", "tif", "tiff", "dds", "blp"];

pub fn run(session: &mut Session, args: &ThumbnailArgs) -> Result<Exit, Stop> {
    let extension = args.output.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    if OTHERS.contains(&extension.as_str()) {
        return Err(Stop::Usage(format!(
            "a thumbnail is a .png file; {} names another kind",
            args.output.display()
        )));
    }
    let input = inputs::single(&args.input, &args.reading);
    if input.path().is_some_and(|path| same_file(path, &args.output)) {
        return Err(Stop::Usage("the thumbnail would replace the model".to_owned()));
    }
    let options = args.parts.add(args.assets.options(session, &args.reading)?);
    let loaded = match inputs::load(&input, &options) {
        Ok(loaded) => loaded,
        Err(error) => {
            session.failure(&input.name, &error)?;
            return Ok(Exit::Failed);
        }
    };
    let made = loaded.model.thumbnail_at(renderer()?, args.size, args.parts.lod).and_then(|picture| {
        // The file manager shows an icon instead, which is better than an empty square.
        let bytes = picture.ok_or_else(|| Error::unsupported("there is nothing to see"))?;
        let path = (args.output.as_os_str() != "-").then_some(args.output.as_path());
        deliver(session, path, &bytes, true)
    });
    if let Err(error) = made {
        session.failure(&input.name, &error)?;
        return Ok(Exit::Failed);
    }
    Ok(Exit::Fine)
}
