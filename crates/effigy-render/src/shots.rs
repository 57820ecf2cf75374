//! What was taken of a model, and files of it.

use crate::{Camera, Image, PictureFile};
use effigy_wire::{Report, Result};

/// The pictures that were taken of a model.
#[derive(Clone, Debug, Default)]
pub struct Shots {
    /// The frames of an animation; one picture for a still or a sheet. Empty where the caller took each of them as it was drawn.
    pub pictures: Vec<Image>,
    /// How many pictures were taken.
    pub frames: u32,
    /// Width and height of each of them.
    pub size: [u32; 2],
    /// Name of the sequence that is shown; empty where the model has none.
    pub sequence: String,
    /// Textures that were not found; stand-ins are shown.
    pub missing: Vec<String>,
    /// What is shown differently from what the model asks for.
    pub report: Report,
    /// Nothing of the model can be seen.
    pub empty: bool,
    /// The camera of the first picture.
    pub camera: Option<Camera>,
    /// When in the sequence the first picture was taken, in seconds.
    pub time: f64,
    /// How long everything that runs independently of the sequence had run by then, in seconds.
    pub clock: f64,
    /// Milliseconds that each picture of an animation lasts.
    pub delay: u16,
}

/// A kind of picture file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Container {
    /// One picture.
    #[default]
    Png,
    /// An animation with 256 colours per frame and without partial transparency.
    Gif,
    /// An animated PNG: all colours, with transparency.
    Apng,
}

impl Container {
    /// The kind of file that has this extension, in upper or lower case and without a dot.
    #[must_use]
    pub fn from_extension(extension: &str) -> Option<Self> {
        [Self::Png, Self::Gif, Self::Apng]
            .into_iter()
            .find(|kind| kind.extension().eq_ignore_ascii_case(extension))
    }

    /// The extension of such files, without a dot.
    #[must_use]
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Png => "png",
            Self::Gif => "gif",
            Self::Apng => "apng",
        }
    }
}

impl Shots {
    /// The pictures as one file. A PNG holds the first picture only.
    ///
    /// # Errors
    /// When there is no picture, or a GIF would have more than 65,535 pixels a side.
    pub fn encode(&self, container: Container) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let alpha = self.pictures.iter().any(Image::is_translucent);
        let mut file = PictureFile::new(&mut bytes, container, self.delay, alpha);
        let total = u32::try_from(self.pictures.len()).unwrap_or(u32::MAX);
        self.pictures.iter().try_for_each(|picture| file.add(picture, total))?;
        file.finish()?;
        Ok(bytes)
    }
}
