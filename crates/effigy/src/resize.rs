//! Other sizes of textures.

use crate::{Error, Kind, Result};
use effigy_image::Image;
use std::fmt;
use std::str::FromStr;

/// How a texture is resized. Written `256x128`, `256` (the longer side), `50%` or `pow2` (each side to the nearest power of
/// two).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resize {
    /// To this width and height.
    To(u32, u32),
    /// Such that the longer side has this many pixels, with the same shape.
    Longest(u32),
    /// To so many per cent, with the same shape.
    Percent(u32),
    /// Each side to the nearest power of two.
    PowersOfTwo,
}

impl FromStr for Resize {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let wrong = || {
            let text =
                format!("'{text}' is not a size: 256x128, 256 (the longer side), 50% or pow2 is needed");
            Error::new(Kind::Usage, text)
        };
        let number =
            |text: &str| text.parse().ok().filter(|number| (1..=65_536).contains(number)).ok_or_else(wrong);
        if text.eq_ignore_ascii_case("pow2") {
            return Ok(Self::PowersOfTwo);
        }
        match (text.split_once(['x', 'X']), text.strip_suffix('%')) {
            (Some((width, height)), _) => Ok(Self::To(number(width)?, number(height)?)),
            (None, Some(percent)) => Ok(Self::Percent(number(percent)?)),
            (None, None) => Ok(Self::Longest(number(text)?)),
        }
    }
}

impl fmt::Display for Resize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::To(width, height) => write!(f, "{width}x{height}"),
            Self::Longest(side) => write!(f, "{side}"),
            Self::Percent(percent) => write!(f, "{percent}%"),
            Self::PowersOfTwo => f.write_str("pow2"),
        }
    }
}

impl Resize {
    /// The size that an image of this size gets, at least 1 x 1.
    #[must_use]
    pub fn size(self, (width, height): (u32, u32)) -> (u32, u32) {
        let scaled = |side: u32, to: u32, of: u32| {
            let pixels = (u64::from(side) * u64::from(to) + u64::from(of) / 2).checked_div(u64::from(of));
            pixels.and_then(|it| u32::try_from(it).ok()).unwrap_or(u32::MAX).max(1)
        };
        match self {
            Self::To(width, height) => (width, height),
            Self::Longest(side) => {
                let longest = width.max(height);
                (scaled(width, side, longest), scaled(height, side, longest))
            }
            Self::Percent(percent) => (scaled(width, percent, 100), scaled(height, percent, 100)),
            Self::PowersOfTwo => (nearest_power(width), nearest_power(height)),
        }
    }

    /// The image at its new size: each pixel is the mean of the area that it covers. Mip levels are left out where the size
    /// changes.
    ///
    /// # Errors
    /// When a side would be above 65,536, or the image is damaged.
    pub fn apply(self, image: Image) -> Result<Image> {
        let (width, height) = self.size((image.width, image.height));
        if (width, height) == (image.width, image.height) {
            return Ok(image);
        }
        let mut resized = image.resized(width, height)?;
        resized.diagnostics = image.diagnostics;
        Ok(resized)
    }
}

/// The nearest power of two; the larger of two that are as near.
fn nearest_power(side: u32) -> u32 {
    let above = side.checked_next_power_of_two().unwrap_or(1 << 31);
    let below = (above / 2).max(1);
    if side.abs_diff(below) < side.abs_diff(above) { below } else { above }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_is_read_and_applied() {
        for (text, from, to) in [
            ("64x32", (100, 100), (64, 32)),
            ("50", (200, 100), (50, 25)),
            ("300", (200, 100), (300, 150)),
            ("50%", (101, 1), (51, 1)),
            ("200%", (10, 20), (20, 40)),
            ("pow2", (100, 90), (128, 64)),
            ("pow2", (96, 64), (128, 64)),
            ("pow2", (1, 3), (1, 4)),
        ] {
            let resize: Resize = text.parse().unwrap();
            assert_eq!((resize.size(from), resize.to_string().as_str()), (to, text));
        }
        for text in ["", "0", "x", "10x", "0x5", "-1", "70000", "a%", "1.5%"] {
            assert_eq!(text.parse::<Resize>().unwrap_err().kind(), Kind::Usage, "{text}");
        }
    }

    #[test]
    fn an_image_that_has_the_size_keeps_its_levels() {
        let image = Image::flat(64, 64, [1, 2, 3, 4]).with_mips();
        assert_eq!(Resize::PowersOfTwo.apply(image.clone()).unwrap(), image);
        let half = Resize::Percent(50).apply(image).unwrap();
        assert_eq!((half.width, half.height, half.levels.len()), (32, 32, 1));
        assert_eq!(half.pixels()[..4], [1, 2, 3, 4]);
    }
}
