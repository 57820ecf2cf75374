//! What `effigy convert` makes: a model of some format and version, or a picture.

use crate::args::Reading;
use crate::batch;
use crate::expand::Wanted;
use crate::inputs::Source;
use crate::pictures::Pictures;
use crate::problems::{self, Problem};
use crate::textures::Lookup;
use effigy::{Converted, Document, Error, Format, Lowered, Options, Result, Target};
use effigy_image::Encoding;
use std::fmt;
use std::path::Path;
use std::str::FromStr;

/// What to convert to. Written `mdx:800` or `png`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Goal {
    /// A model.
    Model(Target),
    /// A picture, with the name of its encoding.
    Texture(Encoding, String),
}

/// What can be chosen about a conversion, and where textures come from.
pub struct Choices {
    /// Formats of the same family.
    pub options: Options,
    /// glTF.
    pub gltf: effigy::gltf::ExportOptions,
    /// Where textures are looked for.
    pub lookup: Lookup,
    /// The stem of the one file to write, where the user named it.
    pub stem: Option<String>,
}

impl fmt::Display for Goal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Model(target) => target.fmt(f),
            Self::Texture(_, name) => name.fmt(f),
        }
    }
}

impl FromStr for Goal {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        match text.parse() {
            Ok(encoding) => Ok(Self::Texture(encoding, text.to_ascii_lowercase())),
            Err(_) => text.parse().map(Self::Model),
        }
    }
}

impl Goal {
    /// What the name of the output promises.
    pub fn by_extension(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?;
        match Format::from_extension(extension) {
            Some(format) => Some(Self::Model(Target { format, version: None })),
            None => {
                extension.parse().ok().map(|encoding| Self::Texture(encoding, extension.to_ascii_lowercase()))
            }
        }
    }

    /// The extension of the files it makes.
    pub fn extension(&self) -> &'static str {
        match self {
            Self::Model(target) => target.format.extension(),
            Self::Texture(encoding, _) => encoding.extension(),
        }
    }

    /// What it is made of.
    pub const fn wanted(&self) -> Wanted {
        match self {
            Self::Model(Target { format: Format::Glb | Format::Gltf, .. }) => Wanted::Scenes,
            Self::Model(_) => Wanted::Models,
            Self::Texture(..) => Wanted::Textures,
        }
    }

    /// Reads a source and converts it; with the errors that did not stop the reader.
    pub fn convert(
        &self,
        source: &Source,
        reading: &Reading,
        choices: &Choices,
    ) -> Result<(Converted, Vec<Problem>)> {
        match self {
            Self::Model(target) => {
                let loaded = batch::load(source, reading)?;
                let converted = match target.format {
                    Format::Glb | Format::Gltf => {
                        gltf(source, loaded.document.as_ref(), reading, *target, choices)?
                    }
                    _ => effigy::convert(loaded.document.as_ref(), *target, &choices.options)?,
                };
                Ok((converted, loaded.problems()))
            }
            Self::Texture(encoding, _) => {
                let bytes = source.read_texture(reading)?;
                let beside = &mut |extension: &str| source.level(extension, reading);
                let mut image = effigy_image::read_beside(&bytes, &reading.limits(), beside)?;
                let errors = problems::in_lines(&image.diagnostics);
                // The games shrink textures badly without them.
                if encoding.holds_mips() && image.levels.len() == 1 {
                    image = image.with_mips();
                }
                let (bytes, report) = effigy_image::write(&image, *encoding)?;
                Ok((Converted { bytes, report, ..Converted::default() }, errors))
            }
        }
    }
}

/// The model as glTF, with its textures.
fn gltf(
    source: &Source,
    document: &dyn Document,
    reading: &Reading,
    target: Target,
    choices: &Choices,
) -> Result<Converted> {
    let mut lowered = effigy::lower(document)?;
    choices.lookup.dress(source, document, &mut lowered);
    let Lowered { scene, mut report } = lowered;
    let scene = effigy::scene_graph::validate(scene)?;
    let mut pictures = Pictures {
        lookup: &choices.lookup,
        source,
        document,
        team: choices.gltf.team_color.unwrap_or(0),
        limits: reading.limits(),
    };
    let mut file = effigy::gltf::export(&scene, &choices.gltf, &mut pictures)?;
    report.append(std::mem::take(&mut file.report));
    if target.format == Format::Glb {
        return Ok(Converted { bytes: file.into_glb()?, report, ..Converted::default() });
    }
    // The JSON names its buffer and pictures by the stem of the file that it will be written to.
    let relative = source.relative.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let stem = choices.stem.clone().or(relative).unwrap_or_else(|| "model".to_owned());
    let mut files = file.into_files(&stem)?.into_iter();
    let bytes = files.next().map(|(_, bytes)| bytes).unwrap_or_default();
    let companions =
        files.map(|(name, bytes)| (name.strip_prefix(&stem).unwrap_or(&name).to_owned(), bytes)).collect();
    Ok(Converted { bytes, companions, report })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_goal_comes_back_from_its_text() {
        for text in ["mdx:800", "md3", "png", "blp2", "dds-dxt1"] {
            assert_eq!(text.parse::<Goal>().unwrap().to_string(), text);
        }
        assert_eq!(Goal::by_extension(Path::new("a/x.BLP")).unwrap().to_string(), "blp");
        assert_eq!(Goal::by_extension(Path::new("x.mdx")).unwrap().wanted(), Wanted::Models);
        assert_eq!(Goal::by_extension(Path::new("png")), None);
        assert!("jpg".parse::<Goal>().is_err());
    }
}
