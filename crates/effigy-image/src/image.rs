//! An image in memory.

use crate::resample;
use effigy_wire::{Diagnostics, Error, Kind, Limits, Result};

/// An image with its mip levels: RGBA, 8 bits per channel, rows from the top, colours not multiplied by alpha.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Image {
    /// Width of the first level in pixels, at least 1.
    pub width: u32,
    /// Height of the first level in pixels, at least 1.
    pub height: u32,
    /// The levels, each half the size of the previous one, rounded down and at least 1. The first is the full image.
    pub levels: Vec<Vec<u8>>,
    /// How the file stored it, such as `BLP1 JPEG, 8-bit alpha`; empty for images made by code.
    pub stored: String,
    /// Whether the file stores alpha; if not, alpha is 255 everywhere.
    pub has_alpha: bool,
    /// What the reader found to be wrong or unusual.
    pub diagnostics: Diagnostics,
}

/// The largest width and height of any image.
pub(crate) const LARGEST: u32 = 65_536;

impl Image {
    /// An image with a single level.
    ///
    /// # Errors
    /// When the pixels are not `width * height * 4` bytes, or a side is 0 or above 65,536.
    pub fn new(width: u32, height: u32, rgba: Vec<u8>) -> Result<Self> {
        let has_alpha = rgba.as_chunks::<4>().0.iter().any(|pixel| pixel[3] != 255);
        let image = Self { width, height, levels: vec![rgba], has_alpha, ..Self::default() };
        image.check()?;
        Ok(image)
    }

    /// Width and height of a level.
    #[must_use]
    pub fn level_size(&self, level: usize) -> (u32, u32) {
        level_size(self.width, self.height, level)
    }

    /// The pixels of the first level.
    #[must_use]
    pub fn pixels(&self) -> &[u8] {
        self.levels.first().map_or(&[], Vec::as_slice)
    }

    /// The pixels of the first level, to change them.
    #[must_use]
    pub fn pixels_mut(&mut self) -> &mut [u8] {
        self.levels.first_mut().map_or(&mut [], Vec::as_mut_slice)
    }

    /// The first level at half the size, rounded down and at least 1: each pixel is the mean of the four under it.
    /// Other levels are left out.
    #[must_use]
    pub fn halved(&self) -> Self {
        let (width, height) = self.level_size(1);
        let pixels = resample::halve(self.pixels(), self.width, self.height);
        self.made_of(width, height, pixels)
    }

    /// Red, green and blue of the first level, without alpha.
    #[must_use]
    pub(crate) fn colors(&self) -> Vec<u8> {
        let pixels = self.pixels().as_chunks::<4>().0;
        let mut colors = vec![0; pixels.len() * 3];
        for (color, [red, green, blue, _]) in colors.as_chunks_mut::<3>().0.iter_mut().zip(pixels) {
            *color = [*red, *green, *blue];
        }
        colors
    }

    /// Whether any pixel of the first level is not opaque.
    #[must_use]
    pub fn is_translucent(&self) -> bool {
        self.pixels().as_chunks::<4>().0.iter().any(|pixel| pixel[3] != 255)
    }

    /// The same image with all levels down to one pixel. They are computed from the first level by averaging 2 x 2 pixels;
    /// levels that the image had are replaced.
    #[must_use]
    pub fn with_mips(mut self) -> Self {
        self.levels.truncate(1);
        let (mut width, mut height) = (self.width, self.height);
        while width > 1 || height > 1 {
            let Some(last) = self.levels.last() else { break };
            let next = resample::halve(last, width, height);
            (width, height) = ((width / 2).max(1), (height / 2).max(1));
            self.levels.push(next);
        }
        self
    }

    /// The same image with its first level only.
    #[must_use]
    pub fn without_mips(mut self) -> Self {
        self.levels.truncate(1);
        self
    }

    /// The first level at another size: each new pixel is the mean of the area that it covers. Other levels are left out.
    ///
    /// # Errors
    /// When a side is 0 or above 65,536.
    pub fn resized(&self, width: u32, height: u32) -> Result<Self> {
        check_sides(width, height)?;
        self.check()?;
        let pixels = resample::resize(self.pixels(), (self.width, self.height), (width, height));
        Ok(self.made_of(width, height, pixels))
    }

    /// An image of other pixels that was made of this one.
    fn made_of(&self, width: u32, height: u32, pixels: Vec<u8>) -> Self {
        let (stored, has_alpha) = (self.stored.clone(), self.has_alpha);
        Self { width, height, levels: vec![pixels], stored, has_alpha, diagnostics: Diagnostics::default() }
    }

    /// Computes blue from red and green for a normal map, since a normal has the length 1. Normal maps with two channels
    /// (ATI2, BC5) do not store it.
    pub fn rebuild_normal_z(&mut self) {
        for pixel in self.levels.iter_mut().flat_map(|level| level.as_chunks_mut::<4>().0) {
            let [x, y] = [pixel[0], pixel[1]].map(|byte| f32::from(byte) / 127.5 - 1.0);
            let z = (1.0 - x * x - y * y).max(0.0).sqrt();
            pixel[2] = to_byte((z + 1.0) / 2.0);
        }
    }

    /// Checks the size of the image, and that each level has the pixels that follow from it.
    pub(crate) fn check(&self) -> Result<()> {
        check_sides(self.width, self.height)?;
        for (number, level) in self.levels.iter().enumerate() {
            let (width, height) = self.level_size(number);
            if level.len() as u64 != u64::from(width) * u64::from(height) * 4 {
                let message = format!("level {number}: {} bytes for {width} x {height} pixels", level.len());
                return Err(Error::new(Kind::Usage, message));
            }
        }
        if self.levels.is_empty() {
            return Err(Error::new(Kind::Usage, "an image without pixels"));
        }
        Ok(())
    }
}

/// Converts pixels of `N` bytes to RGBA. The loop is over two arrays of pixels, which the compiler vectorises.
pub fn map_pixels<const N: usize>(data: &[u8], rgba: impl Fn([u8; N]) -> [u8; 4]) -> Vec<u8> {
    let source = data.as_chunks::<N>().0;
    let mut pixels = vec![0; source.len() * 4];
    for (pixel, stored) in pixels.as_chunks_mut::<4>().0.iter_mut().zip(source) {
        *pixel = rgba(*stored);
    }
    pixels
}

/// A number from 0 to 1 as a byte, rounded; other numbers are clamped.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to the range of a byte")]
pub fn to_byte(value: f32) -> u8 {
    (value.clamp(0.0, 1.0) * 255.0 + 0.5) as u8
}

fn check_sides(width: u32, height: u32) -> Result<()> {
    let valid = 1..=LARGEST;
    if !valid.contains(&width) || !valid.contains(&height) {
        return Err(Error::new(
            Kind::Malformed,
            format!("an image of {width} x {height} pixels: each side must be 1 to {LARGEST}"),
        ));
    }
    Ok(())
}

/// Width and height of a level of an image of this size.
pub fn level_size(width: u32, height: u32, level: usize) -> (u32, u32) {
    let shift = u32::try_from(level).unwrap_or(31).min(31);
    ((width >> shift).max(1), (height >> shift).max(1))
}

/// Checks the size that a file states: that it is valid, and that its RGBA pixels are within the limits.
pub fn check_stated(width: u32, height: u32, limits: &Limits) -> Result<()> {
    check_sides(width, height)?;
    let bytes = u64::from(width) * u64::from(height) * 4;
    if bytes > limits.unpacked_bytes || usize::try_from(bytes).is_err() {
        let most = limits.unpacked_bytes;
        let message = format!("{width} x {height} pixels need {bytes} bytes, the limit is {most}");
        return Err(Error::new(Kind::Limit, message));
    }
    Ok(())
}
