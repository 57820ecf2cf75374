//! What was taken of a model, and files of it.

use crate::gif::GifFile;
use crate::{Camera, Image, Progress, gif};
use effigy_image::png;
use effigy_wire::{Report, Result};

/// The pictures that were taken of a model.
#[derive(Clone, Debug, Default)]
pub struct Shots {
    /// The frames of an animation; one picture for a still or a sheet.
    pub pictures: Vec<Image>,
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

/// Gives the thread back once.
async fn pause() {
    let mut paused = false;
    std::future::poll_fn(|context| {
        if std::mem::replace(&mut paused, true) {
            return std::task::Poll::Ready(());
        }
        context.waker().wake_by_ref();
        std::task::Poll::Pending
    })
    .await;
}

impl Shots {
    /// The pictures as one file. A PNG holds the first picture only.
    ///
    /// # Errors
    /// When there is no picture, or a GIF would have more than 65,535 pixels a side.
    pub fn encode(&self, container: Container) -> Result<Vec<u8>> {
        let fast = png::Compression::Fast;
        match (container, self.pictures.as_slice()) {
            (Container::Png, [picture, ..]) => png::write(picture, fast),
            (Container::Gif, pictures) => gif(pictures, self.delay),
            (_, pictures) => png::write_animation(pictures, self.delay, fast),
        }
    }

    /// Like [`Shots::encode`], in steps: a caller that polls it has its thread back after each frame of a GIF.
    ///
    /// # Errors
    /// Like [`Shots::encode`].
    pub async fn encode_async(&self, container: Container, progress: &Progress) -> Result<Vec<u8>> {
        if container != Container::Gif {
            return self.encode(container);
        }
        progress.begin(self.pictures.len());
        let mut file = GifFile::new(self.pictures.first(), self.delay)?;
        for picture in &self.pictures {
            file.add(picture)?;
            progress.step();
            pause().await;
        }
        file.finish()
    }

    /// Each picture as a PNG file of its own.
    ///
    /// # Errors
    /// When a picture is empty.
    pub fn encode_frames(&self) -> Result<Vec<Vec<u8>>> {
        self.pictures.iter().map(|picture| png::write(picture, png::Compression::Fast)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::task::{Context, Poll, Waker};

    #[test]
    fn a_gif_in_steps_is_the_same_file_and_takes_a_step_for_each_frame() {
        let colors = [[255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255]];
        let pictures = colors.map(|color| Image::flat(8, 4, color)).to_vec();
        let shots = Shots { pictures, delay: 50, ..Shots::default() };
        let progress = Progress::default();
        let mut work = Box::pin(shots.encode_async(Container::Gif, &progress));
        let mut seen = Vec::new();
        let file = loop {
            match work.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
                Poll::Ready(file) => break file.unwrap(),
                Poll::Pending => seen.push(progress.steps()),
            }
        };
        assert_eq!(seen, [(1, 3), (2, 3), (3, 3)]);
        assert_eq!(file, shots.encode(Container::Gif).unwrap());
    }
}
