//! What a conversion makes: a model of some format and version, or a texture.

use crate::{Error, Format, Result, Target, Wanted};
use effigy_image::Encoding;
use std::fmt;
use std::path::Path;
use std::str::FromStr;

/// What to convert to. Written `mdx:800` or `png`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Goal {
    /// A model.
    Model(Target),
    /// A texture, with the name of its encoding.
    Texture(Encoding, String),
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
            // The word may have been meant for a texture: the error names all encodings too.
            Err(_) => text.parse().map(Self::Model).map_err(|error: Error| {
                let word = text.split_once(':').map_or(text, |(word, _)| word);
                match word.parse::<Format>() {
                    Err(_) => Error::new(crate::Kind::Usage, format!("'{text}' is not known: {}", known())),
                    Ok(_) => error,
                }
            }),
        }
    }
}

/// Everything that can be written, in words.
#[must_use]
pub fn known() -> String {
    let can = |entry: &&crate::Entry| entry.dialects.iter().any(|dialect| dialect.abilities.convert);
    let models: Vec<&str> = crate::FORMATS.iter().filter(can).map(|entry| entry.name).collect();
    let textures: Vec<String> = Encoding::all().map(|encoding| encoding.to_string()).collect();
    let editions: Vec<&str> = crate::convert::NAMED.iter().map(|(name, ..)| *name).collect();
    format!(
        "models are written as {}, or for {}; textures as {}",
        models.join(", "),
        editions.join(", "),
        textures.join(", ")
    )
}

impl Goal {
    /// What the name of the output promises.
    #[must_use]
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
    #[must_use]
    pub fn extension(&self) -> &'static str {
        match self {
            Self::Model(target) => target.format.extension(),
            Self::Texture(encoding, _) => encoding.extension(),
        }
    }

    /// What it is made of.
    #[must_use]
    pub const fn wanted(&self) -> Wanted {
        match self {
            Self::Model(Target { format: Format::Skin, .. }) => Wanted::Models,
            // The skins of an M2 come and go with it.
            Self::Model(_) => Wanted::Scenes,
            Self::Texture(..) => Wanted::Textures,
        }
    }
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
        assert_eq!(Goal::by_extension(Path::new("x.skin")).unwrap().wanted(), Wanted::Models);
        assert_eq!(Goal::by_extension(Path::new("x.mdx")).unwrap().wanted(), Wanted::Scenes);
        assert_eq!(Goal::by_extension(Path::new("png")), None);
        let error = "jpg".parse::<Goal>().unwrap_err().to_string();
        assert!(
            error.contains("'jpg' is not known") && error.contains("glb") && error.contains("png"),
            "{error}"
        );
        assert!("mdx:x".parse::<Goal>().unwrap_err().to_string().contains("not a version"));
        // The skins of an M2 belong to it.
        assert_eq!("m2:256".parse::<Goal>().unwrap().wanted(), Wanted::Scenes);
    }
}
