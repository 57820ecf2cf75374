//! Uncompressed pixels of a DDS: 1 to 4 bytes, with a bit mask for each channel.

use crate::image::map_pixels;
use effigy_wire::{Cursor, Error, Result};

/// Pixels of up to 32 bits with a mask for each channel.
pub struct Plain {
    bytes: usize,
    /// Red, green, blue, alpha; a mask of 0 means that there is no such channel.
    masks: [u32; 4],
    /// Whether the red mask is for a grey value.
    grey: bool,
    /// The palette, for pixels that are indices; otherwise empty.
    colors: Vec<[u8; 4]>,
}

impl Plain {
    /// By the flags, bits and masks of the header. A palette, if there is one, is read from behind the header.
    pub fn by_masks(flags: u32, bits: u32, masks: [u32; 4], cursor: &mut Cursor<'_>) -> Result<Self> {
        let bytes = match bits {
            8 => 1,
            16 => 2,
            24 => 3,
            32 => 4,
            _ => return Err(Error::unsupported(format!("DDS with {bits} bits per pixel"))),
        };
        let indexed = flags & 0x20 != 0;
        if indexed && bytes != 1 {
            return Err(Error::unsupported(format!("DDS with a palette and {bits} bits per pixel")));
        }
        let [red, green, blue, alpha] = masks;
        let alpha = if flags & 0x3 == 0 { 0 } else { alpha };
        let (masks, grey) = match flags {
            _ if indexed => ([0; 4], false),
            flags if flags & 0x2_0000 != 0 => ([red, 0, 0, alpha], true),
            flags if flags & 0x2 != 0 => ([0, 0, 0, alpha], false),
            _ => ([red, green, blue, alpha], false),
        };
        let colors = if indexed { cursor.bulk(256)? } else { Vec::new() };
        Ok(Self { bytes, masks, grey, colors })
    }

    /// By a DXGI format number.
    pub fn by_dxgi(dxgi: u32) -> Option<Self> {
        let (bytes, masks, grey) = match dxgi {
            27..=29 => (4, [0xff, 0xff00, 0xff_0000, 0xff00_0000], false),
            87 | 90 | 91 => (4, [0xff_0000, 0xff00, 0xff, 0xff00_0000], false),
            88 | 92 | 93 => (4, [0xff_0000, 0xff00, 0xff, 0], false),
            24 => (4, [0x3ff, 0xf_fc00, 0x3ff0_0000, 0xc000_0000], false),
            85 => (2, [0xf800, 0x7e0, 0x1f, 0], false),
            86 => (2, [0x7c00, 0x3e0, 0x1f, 0x8000], false),
            115 => (2, [0xf00, 0xf0, 0xf, 0xf000], false),
            49 => (2, [0xff, 0xff00, 0, 0], false),
            61 => (1, [0xff, 0, 0, 0], true),
            65 => (1, [0, 0, 0, 0xff], false),
            _ => return None,
        };
        Some(Self { bytes, masks, grey, colors: Vec::new() })
    }

    /// Whether there is alpha.
    pub const fn has_alpha(&self) -> bool {
        self.masks[3] != 0 || !self.colors.is_empty()
    }

    /// The bytes of an image of this size.
    pub fn bytes(&self, width: u32, height: u32) -> u64 {
        u64::from(width) * u64::from(height) * self.bytes as u64
    }

    /// Decodes pixels to RGBA.
    pub fn decode(&self, bytes: &[u8]) -> Vec<u8> {
        if !self.colors.is_empty() {
            let color = |[index]: [u8; 1]| self.colors.get(usize::from(index)).copied().unwrap_or_default();
            return map_pixels(bytes, color);
        }
        match (self.bytes, self.masks) {
            // The usual orders need no arithmetic.
            (4, [0xff_0000, 0xff00, 0xff, 0xff00_0000]) => {
                map_pixels(bytes, |[blue, green, red, alpha]| [red, green, blue, alpha])
            }
            (4, [0xff, 0xff00, 0xff_0000, 0xff00_0000]) => bytes.to_vec(),
            (1, _) => map_pixels(bytes, |[one]| self.pixel([one, 0, 0, 0])),
            (2, _) => map_pixels(bytes, |[one, two]| self.pixel([one, two, 0, 0])),
            (3, _) => map_pixels(bytes, |[one, two, three]| self.pixel([one, two, three, 0])),
            _ => map_pixels(bytes, |four| self.pixel(four)),
        }
    }

    /// One pixel, by the masks.
    fn pixel(&self, stored: [u8; 4]) -> [u8; 4] {
        let word = u32::from_le_bytes(stored);
        let [red, green, blue, alpha] =
            self.masks.map(|mask| Channel::new(mask).map(|channel| channel.value(word)));
        let (red, alpha) = (red.unwrap_or(0), alpha.unwrap_or(255));
        if self.grey { [red, red, red, alpha] } else { [red, green.unwrap_or(0), blue.unwrap_or(0), alpha] }
    }
}

#[derive(Clone, Copy)]
struct Channel {
    mask: u32,
    shift: u32,
    largest: u64,
}

impl Channel {
    fn new(mask: u32) -> Option<Self> {
        let shift = mask.trailing_zeros();
        (mask != 0).then(|| Self { mask, shift, largest: u64::from(mask >> shift) })
    }

    /// The channel of a pixel, scaled to 8 bits.
    fn value(self, word: u32) -> u8 {
        let value = u64::from((word & self.mask) >> self.shift);
        u8::try_from((value * 255 + self.largest / 2) / self.largest).unwrap_or(u8::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn channels_are_found_by_their_masks() {
        let mut none = Cursor::new(&[]);
        for (flags, bits, masks, bytes, wanted) in [
            (0x41, 32, [0xff_0000, 0xff00, 0xff, 0xff00_0000], &[3, 2, 1, 4][..], [1, 2, 3, 4]),
            (0x41, 32, [0xff, 0xff00, 0xff_0000, 0xff00_0000], &[1, 2, 3, 4], [1, 2, 3, 4]),
            (0x40, 32, [0xff_0000, 0xff00, 0xff, 0], &[3, 2, 1, 4], [1, 2, 3, 255]),
            (0x40, 24, [0xff_0000, 0xff00, 0xff, 0], &[3, 2, 1], [1, 2, 3, 255]),
            (0x40, 16, [0xf800, 0x7e0, 0x1f, 0], &[0x00, 0xf8], [255, 0, 0, 255]),
            (0x41, 16, [0x7c00, 0x3e0, 0x1f, 0x8000], &[0x1f, 0x80], [0, 0, 255, 255]),
            (0x41, 16, [0xf00, 0xf0, 0xf, 0xf000], &[0x21, 0x43], [51, 34, 17, 68]),
            (0x2_0000, 8, [0xff, 0, 0, 0], &[9], [9, 9, 9, 255]),
            (0x2_0001, 16, [0xff, 0, 0, 0xff00], &[9, 8], [9, 9, 9, 8]),
            (0x2, 8, [0, 0, 0, 0xff], &[9], [0, 0, 0, 9]),
        ] {
            let plain = Plain::by_masks(flags, bits, masks, &mut none).unwrap();
            assert_eq!(plain.decode(bytes), wanted, "{flags:#x} {bits} {masks:x?}");
            assert_eq!(plain.has_alpha(), masks[3] != 0, "{flags:#x} {bits} {masks:x?}");
        }
    }

    #[test]
    fn colours_of_a_palette_may_have_alpha() {
        let plain = Plain { bytes: 1, masks: [0; 4], grey: false, colors: vec![[1, 2, 3, 4], [5, 6, 7, 8]] };
        assert!(plain.has_alpha());
        assert_eq!(plain.decode(&[1, 0, 2]), [5, 6, 7, 8, 1, 2, 3, 4, 0, 0, 0, 0]);
        // Indices have 8 bits: with others, levels would have the wrong size.
        let colors = [7; 1024];
        for (bits, known) in [(8, true), (16, false), (24, false), (32, false)] {
            assert_eq!(
                Plain::by_masks(0x20, bits, [0; 4], &mut Cursor::new(&colors)).is_ok(),
                known,
                "{bits}"
            );
        }
        assert_eq!((plain.bytes(3, 5), Plain::by_dxgi(85).unwrap().bytes(3, 5)), (15, 30));
    }
}
