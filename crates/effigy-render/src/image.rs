//! Pixels in memory: decoded textures and finished pictures.

use effigy_wire::{Error, Kind, Result};

/// RGBA, 8 bits a channel, rows from the top, alpha not multiplied in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Image {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Four bytes a pixel.
    pub pixels: Vec<u8>,
}

impl Image {
    /// A picture of one colour.
    ///
    /// # Errors
    /// When it would take more than 1 GiB.
    pub fn filled(width: u32, height: u32, color: [u8; 4]) -> Result<Self> {
        let count = u64::from(width) * u64::from(height);
        if count > 1 << 28 {
            return Err(Error::new(
                Kind::Limit,
                format!("a picture of {width}x{height} pixels is too large"),
            ));
        }
        let count = usize::try_from(count).unwrap_or(0);
        Ok(Self { width, height, pixels: color.repeat(count) })
    }

    /// The pixel at a place; transparent black outside.
    #[must_use]
    pub fn pixel(&self, x: u32, y: u32) -> [u8; 4] {
        self.offset(x, y)
            .and_then(|at| self.pixels.get(at..at + 4))
            .and_then(|bytes| bytes.try_into().ok())
            .unwrap_or_default()
    }

    fn offset(&self, x: u32, y: u32) -> Option<usize> {
        (x < self.width && y < self.height)
            .then(|| usize::try_from((u64::from(y) * u64::from(self.width) + u64::from(x)) * 4).ok())
            .flatten()
    }

    /// Sets a pixel; outside nothing happens.
    pub fn set(&mut self, x: u32, y: u32, color: [u8; 4]) {
        if let Some(slot) = self.offset(x, y).and_then(|at| self.pixels.get_mut(at..at + 4)) {
            slot.copy_from_slice(&color);
        }
    }

    /// Puts another picture over this one at a place; what does not fit is cut off.
    pub fn place(&mut self, other: &Self, left: u32, top: u32) {
        for y in 0..other.height.min(self.height.saturating_sub(top)) {
            let width = other.width.min(self.width.saturating_sub(left));
            let bytes = usize::try_from(u64::from(width) * 4).unwrap_or(0);
            let (Some(from), Some(to)) = (other.offset(0, y), self.offset(left, top + y)) else { continue };
            if let (Some(from), Some(to)) =
                (other.pixels.get(from..from + bytes), self.pixels.get_mut(to..to + bytes))
            {
                to.copy_from_slice(from);
            }
        }
    }

    /// Whether all pixels are the same.
    #[must_use]
    pub fn is_uniform(&self) -> bool {
        let (pixels, _) = self.pixels.as_chunks::<4>();
        pixels.first().is_none_or(|first| pixels.iter().all(|pixel| pixel == first))
    }

    /// Whether every row is of one colour, as in a background without a model.
    #[must_use]
    pub fn is_bare(&self) -> bool {
        let width = usize::try_from(self.width).unwrap_or(usize::MAX).max(1);
        let (pixels, _) = self.pixels.as_chunks::<4>();
        pixels.chunks(width).all(|row| row.first().is_none_or(|first| row.iter().all(|pixel| pixel == first)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_is_bare_when_no_row_shows_anything() {
        let mut picture = Image::filled(3, 2, [1; 4]).unwrap();
        (0..3).for_each(|x| picture.set(x, 1, [2; 4]));
        assert!(picture.is_bare() && !picture.is_uniform());
        picture.set(2, 1, [3; 4]);
        assert!(!picture.is_bare());
        assert!(Image::default().is_bare());
    }
}
