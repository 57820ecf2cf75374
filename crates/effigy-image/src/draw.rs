//! Images made by code, and changes to single pixels. All of this concerns the first level: mip levels are made
//! afterwards, with [`Image::with_mips`].

use crate::image::{Image, LARGEST, to_byte};
use effigy_wire::{Error, Kind, Result};

/// The most pixels of an image made by [`Image::filled`]: 1 GiB of RGBA.
const MOST_PIXELS: u64 = 1 << 28;
/// Width and height of [`Image::glow`].
const GLOW_SIDE: u16 = 64;

impl Image {
    /// An image of one colour, for sizes that are known to be small. A side of 0 counts as 1.
    #[must_use]
    pub fn flat(width: u16, height: u16, rgba: [u8; 4]) -> Self {
        Self::from_fn(width, height, |_, _| rgba)
    }

    /// An image of one colour, for sizes chosen by a user.
    ///
    /// # Errors
    /// When a side is 0 or above 65,536, or the pixels would take more than 1 GiB.
    pub fn filled(width: u32, height: u32, rgba: [u8; 4]) -> Result<Self> {
        let count = u64::from(width) * u64::from(height);
        let sides = 1..=LARGEST;
        if count > MOST_PIXELS || !sides.contains(&width) || !sides.contains(&height) {
            let size = if count == 0 { "empty" } else { "too large" };
            return Err(Error::new(Kind::Limit, format!("an image of {width} x {height} pixels is {size}")));
        }
        Self::new(width, height, rgba.repeat(usize::try_from(count).unwrap_or(0)))
    }

    /// An image whose pixels are computed from their column and row. A side of 0 counts as 1.
    #[must_use]
    pub fn from_fn(width: u16, height: u16, rgba: impl Fn(u16, u16) -> [u8; 4]) -> Self {
        let (width, height) = (width.max(1), height.max(1));
        let mut pixels = Vec::with_capacity(usize::from(width) * usize::from(height) * 4);
        for y in 0..height {
            (0..width).for_each(|x| pixels.extend(rgba(x, y)));
        }
        let image = Self { width: width.into(), height: height.into(), ..Self::default() };
        let image = Self { levels: vec![pixels], ..image };
        Self { has_alpha: image.is_translucent(), ..image }
    }

    /// A round glow of 64 x 64 pixels: the colour fades from the middle to black, opaque everywhere. Warcraft III adds
    /// such an image to what is behind it (team glow, replaceable texture 2), so black means no glow.
    #[must_use]
    pub fn glow(color: [u8; 3]) -> Self {
        let side = f32::from(GLOW_SIDE);
        Self::from_fn(GLOW_SIDE, GLOW_SIDE, |x, y| {
            let [x, y] = [x, y].map(|at| (f32::from(at) + 0.5) / side - 0.5);
            let light = (1.0 - 2.8 * x.hypot(y)).clamp(0.0, 1.0).sin();
            let [red, green, blue] = color.map(|channel| to_byte(f32::from(channel) / 255.0 * light));
            [red, green, blue, 255]
        })
    }

    /// The pixel in a column and row; transparent black outside of the image.
    #[must_use]
    pub fn pixel(&self, x: u32, y: u32) -> [u8; 4] {
        let row = self.row(y, x, 1).and_then(|range| self.pixels().get(range));
        row.and_then(|bytes| bytes.first_chunk()).copied().unwrap_or_default()
    }

    /// Sets the pixel in a column and row; does nothing outside of the image.
    pub fn set(&mut self, x: u32, y: u32, rgba: [u8; 4]) {
        let range = self.row(y, x, 1);
        if let Some(pixel) = range.and_then(|range| self.pixels_mut().get_mut(range)) {
            pixel.copy_from_slice(&rgba);
        }
    }

    /// Copies another image into this one, with its left upper corner in the given column and row. Alpha is copied,
    /// not blended. What does not fit is cut off.
    pub fn place(&mut self, other: &Self, left: u32, top: u32) {
        let width = other.width.min(self.width.saturating_sub(left));
        for y in 0..other.height.min(self.height.saturating_sub(top)) {
            let (Some(from), Some(to)) = (other.row(y, 0, width), self.row(top + y, left, width)) else {
                return;
            };
            if let (Some(from), Some(to)) = (other.pixels().get(from), self.pixels_mut().get_mut(to)) {
                to.copy_from_slice(from);
            }
        }
    }

    /// Whether all pixels are the same.
    #[must_use]
    pub fn is_uniform(&self) -> bool {
        is_one_color(self.pixels().as_chunks().0)
    }

    /// Whether each row has one colour, as in a background of horizontal bands that nothing is drawn over.
    #[must_use]
    pub fn is_bare(&self) -> bool {
        self.pixels().as_chunks().0.chunks((self.width as usize).max(1)).all(is_one_color)
    }

    /// The bytes of `count` pixels of a row; `None` if they are not all inside.
    fn row(&self, y: u32, x: u32, count: u32) -> Option<std::ops::Range<usize>> {
        let inside = y < self.height && u64::from(x) + u64::from(count) <= u64::from(self.width);
        let start = usize::try_from((u64::from(y) * u64::from(self.width) + u64::from(x)) * 4).ok()?;
        inside.then(|| start..start + count as usize * 4)
    }
}

fn is_one_color(pixels: &[[u8; 4]]) -> bool {
    pixels.first().is_none_or(|first| pixels.iter().all(|pixel| pixel == first))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first channel of all pixels.
    fn reds(image: &Image) -> Vec<u8> {
        image.pixels().as_chunks::<4>().0.iter().map(|pixel| pixel[0]).collect()
    }

    #[test]
    fn pixels_are_counted_by_columns_then_rows() {
        let mut image = Image::from_fn(3, 2, |x, y| [u8::try_from(y * 3 + x).unwrap(), 0, 0, 255]);
        assert_eq!(reds(&image), [0, 1, 2, 3, 4, 5]);
        assert_eq!((image.pixel(2, 0)[0], image.pixel(0, 1)[0]), (2, 3));
        assert_eq!((image.pixel(3, 0), image.pixel(0, 2)), ([0; 4], [0; 4]));
        image.set(1, 1, [9; 4]);
        image.set(3, 0, [8; 4]);
        image.set(0, 2, [8; 4]);
        assert_eq!(reds(&image), [0, 1, 2, 3, 9, 5]);
        assert!(!image.has_alpha && Image::from_fn(1, 1, |_, _| [0; 4]).has_alpha);
    }

    #[test]
    fn a_placed_image_is_cut_off_at_the_edges() {
        let tile = Image::from_fn(2, 2, |x, y| [u8::try_from(1 + y * 2 + x).unwrap(), 0, 0, 255]);
        for (left, top, expected) in [
            (0, 0, [1, 2, 0, 3, 4, 0]),
            (1, 0, [0, 1, 2, 0, 3, 4]),
            (2, 1, [0, 0, 0, 0, 0, 1]),
            (3, 0, [0; 6]),
            (0, 2, [0; 6]),
            (u32::MAX, u32::MAX, [0; 6]),
        ] {
            let mut image = Image::flat(3, 2, [0; 4]);
            image.place(&tile, left, top);
            assert_eq!(reds(&image), expected, "{left} {top}");
        }
    }

    #[test]
    fn an_image_is_bare_when_each_row_has_one_colour() {
        let mut image = Image::filled(3, 2, [1; 4]).unwrap();
        assert!(image.is_bare() && image.is_uniform());
        (0..3).for_each(|x| image.set(x, 1, [2; 4]));
        assert!(image.is_bare() && !image.is_uniform());
        image.set(2, 1, [3; 4]);
        assert!(!image.is_bare());
        assert!(Image::default().is_bare() && Image::default().is_uniform());
    }

    #[test]
    fn a_filled_image_has_between_one_pixel_and_a_gibibyte() {
        assert_eq!(Image::filled(2, 1, [1, 2, 3, 4]).unwrap().pixels(), [1, 2, 3, 4, 1, 2, 3, 4]);
        for (width, height) in [(0, 1), (1, 0), (65_537, 1), (1, 65_537), (16_384, 16_385)] {
            assert_eq!(Image::filled(width, height, [0; 4]).unwrap_err().kind(), Kind::Limit);
        }
    }

    #[test]
    fn a_glow_fades_from_the_middle() {
        let glow = Image::glow([200, 100, 0]);
        // Half a pixel from the middle in both directions: r = 0.011049, light = sin(1 - 2.8 r) = 0.824356.
        assert_eq!(glow.pixel(32, 31), [165, 82, 0, 255]);
        // 12.5 pixels to the right: r = 0.195469, light = sin(0.452688) = 0.437384.
        assert_eq!(glow.pixel(44, 31), [87, 44, 0, 255]);
        assert_eq!((glow.pixel(0, 32), glow.pixel(63, 63)), ([0, 0, 0, 255], [0, 0, 0, 255]));
    }
}
