//! Picture files that are written while the pictures are drawn.

use crate::gif::GifFile;
use crate::{Background, Container, Image, Picture};
use effigy_image::png::{self, Animation};
use effigy_wire::{Error, Kind, Result};
use std::io::Write;

/// A picture file to which pictures are added one after another, so that an animation is never in memory as a whole.
pub struct PictureFile<W: Write> {
    state: State<W>,
    container: Container,
    delay: u16,
    alpha: bool,
}

enum State<W: Write> {
    /// Nothing is written yet.
    Empty(W),
    Gif(GifFile<W>),
    Apng(Animation<W>),
    Done,
}

impl<W: Write> PictureFile<W> {
    /// A file whose pictures last `delay` milliseconds each. `alpha`: an animated PNG needs transparency.
    pub const fn new(output: W, container: Container, delay: u16, alpha: bool) -> Self {
        Self { state: State::Empty(output), container, delay, alpha }
    }

    /// A file for the pictures that these options ask for.
    pub fn of(picture: &Picture, output: W, container: Container) -> Self {
        Self::new(output, container, picture.delay(), picture.background == Background::Transparent)
    }

    /// Adds the next of `total` pictures. A PNG holds the first only.
    ///
    /// # Errors
    /// When it has another size than the first, a GIF would have more than 65,535 pixels a side, or the output refuses.
    pub fn add(&mut self, picture: &Image, total: u32) -> Result<()> {
        self.state = match std::mem::replace(&mut self.state, State::Done) {
            State::Empty(output) => self.begin(output, picture, total)?,
            other => other,
        };
        match &mut self.state {
            State::Gif(file) => file.add(picture),
            State::Apng(file) => file.add(picture),
            State::Empty(_) | State::Done => Ok(()),
        }
    }

    fn begin(&self, mut output: W, first: &Image, total: u32) -> Result<State<W>> {
        let size = [first.width, first.height];
        Ok(match self.container {
            Container::Png => {
                output.write_all(&png::write(first, png::Compression::Fast)?)?;
                State::Done
            }
            Container::Gif => State::Gif(GifFile::new(output, size, self.delay)?),
            Container::Apng => {
                let alpha = self.alpha || first.is_translucent();
                State::Apng(Animation::new(output, size, total, self.delay, alpha)?)
            }
        })
    }

    /// Ends the file.
    ///
    /// # Errors
    /// When there was no picture, or fewer than announced, or the output refuses.
    pub fn finish(self) -> Result<()> {
        match self.state {
            State::Empty(_) => Err(Error::new(Kind::Unrepresentable, "there is no picture")),
            State::Gif(file) => file.finish(),
            State::Apng(file) => file.finish(),
            State::Done => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Shots;

    #[test]
    fn a_file_is_written_with_each_picture_and_is_the_same_as_one_of_all() {
        let colors = [[255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255]];
        let pictures = colors.map(|color| Image::flat(8, 4, color)).to_vec();
        let shots = Shots { pictures, delay: 50, ..Shots::default() };
        for container in [Container::Png, Container::Gif, Container::Apng] {
            let mut lengths = Vec::new();
            let bytes = std::cell::RefCell::new(Vec::new());
            let mut file = PictureFile::new(Shared(&bytes), container, 50, false);
            for picture in &shots.pictures {
                file.add(picture, 3).unwrap();
                lengths.push(bytes.borrow().len());
            }
            file.finish().unwrap();
            assert_eq!(*bytes.borrow(), shots.encode(container).unwrap());
            assert_eq!(lengths.is_sorted_by(|a, b| a < b), container != Container::Png, "{lengths:?}");
        }
        assert!(Shots::default().encode(Container::Gif).is_err());
    }

    struct Shared<'a>(&'a std::cell::RefCell<Vec<u8>>);

    impl Write for Shared<'_> {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.borrow_mut().write(bytes)
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
}
