//! Contact sheets: tiles in rows, each with a caption.

use crate::{Image, caption, text_height, text_width};
use effigy_wire::{Error, Kind, Result};

/// Pixels between tiles and around them.
const GAP: u32 = 4;
/// Lines of a caption at most.
const MOST_LINES: usize = 4;
const PAPER: [u8; 4] = [0x1c, 0x1e, 0x22, 255];
const INK: [u8; 4] = [0xe8, 0xe8, 0xe8, 255];

/// A caption in lines that are not wider than a tile. Lines are broken between words where that is possible.
fn wrapped(text: &str, width: u32, scale: u32) -> Vec<String> {
    let fits = |line: &str| text_width(line, scale) <= width.saturating_sub(GAP / 2);
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in text.split_whitespace() {
        let longer = if line.is_empty() { word.to_owned() } else { format!("{line} {word}") };
        if fits(&longer) {
            line = longer;
            continue;
        }
        if !line.is_empty() {
            lines.push(std::mem::take(&mut line));
        }
        for letter in word.chars() {
            line.push(letter);
            if !fits(&line) && line.chars().count() > 1 {
                line.pop();
                lines.push(std::mem::replace(&mut line, letter.to_string()));
            }
        }
    }
    lines.push(line);
    lines.truncate(MOST_LINES);
    lines
}

/// How many columns a sheet of so many tiles has: about as many as rows.
fn columns(tiles: usize) -> u32 {
    let tiles = u32::try_from(tiles).unwrap_or(u32::MAX);
    let root = tiles.isqrt();
    if root.saturating_mul(root) < tiles { root + 1 } else { root.max(1) }
}

/// One picture of many tiles, which are placed one after another, so that they are never in memory together.
pub struct Sheet {
    image: Image,
    /// Width and height of a tile.
    tile: [u32; 2],
    columns: u32,
    /// How much larger the letters are.
    scale: u32,
    /// Height of a row.
    step: u32,
    count: u32,
}

impl Sheet {
    /// The size of tiles that fit a sheet of `most` pixels: the given one, or a smaller one of the same form.
    #[must_use]
    pub fn fitting([width, height]: [u32; 2], tiles: usize, most: u32) -> [u32; 2] {
        let columns = f64::from(columns(tiles));
        let room = f64::from(most) / (columns * columns * f64::from(width.max(1)) * f64::from(height.max(1)));
        let share = room.sqrt().min(1.0);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "not above the side")]
        [width, height].map(|side| ((f64::from(side) * share) as u32).max(1))
    }

    /// A sheet for tiles of this size. `captions` are those of all tiles that may come: they tell how much room is needed; long
    /// ones have several lines.
    ///
    /// # Errors
    /// When there is no caption, or the sheet would be too large.
    pub fn new<'a>(tile: [u32; 2], captions: impl IntoIterator<Item = &'a str>) -> Result<Self> {
        let [width, height] = tile;
        let scale = (width / 192).clamp(1, 4);
        let (mut tiles, mut lines) = (0_usize, 1_usize);
        for text in captions {
            tiles += 1;
            lines = lines.max(wrapped(text, width, scale).len());
        }
        if tiles == 0 {
            return Err(Error::new(Kind::Usage, "a sheet needs at least one tile"));
        }
        let columns = columns(tiles);
        let rows = u32::try_from(tiles).unwrap_or(u32::MAX).div_ceil(columns);
        let lines = u32::try_from(lines).unwrap_or(1);
        let label = lines.saturating_mul(text_height(scale) + GAP / 2).saturating_add(2 * GAP - GAP / 2);
        let step = height.saturating_add(label);
        let image = Image::filled(
            width.saturating_add(GAP).saturating_mul(columns).saturating_add(GAP),
            step.saturating_mul(rows).saturating_add(GAP),
            PAPER,
        )?;
        Ok(Self { image, tile, columns, scale, step, count: 0 })
    }

    /// Places the next tile, with its caption below. What is larger than a tile is cut off by the next.
    pub fn add(&mut self, tile: &Image, text: &str) {
        let [width, height] = self.tile;
        let left = GAP + self.count % self.columns * (width + GAP);
        let top = GAP + self.count / self.columns * self.step;
        self.count += 1;
        self.image.place(tile, left, top);
        for (line, text) in (0_u32..).zip(wrapped(text, width, self.scale)) {
            let down = top + height + GAP + line * (text_height(self.scale) + GAP / 2);
            caption(&mut self.image, &text, left + GAP / 2, down, self.scale, INK);
        }
    }

    /// How many tiles were placed.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.count as usize
    }

    /// Whether no tile was placed.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The sheet, without rows and columns that stayed empty.
    ///
    /// # Errors
    /// When no tile was placed.
    pub fn finish(self) -> Result<Image> {
        let width = GAP + self.count.min(self.columns) * (self.tile[0] + GAP);
        let height = GAP + self.count.div_ceil(self.columns) * self.step;
        if self.is_empty() {
            return Err(Error::new(Kind::Usage, "a sheet needs at least one tile"));
        }
        if [width, height] == [self.image.width, self.image.height] {
            return Ok(self.image);
        }
        let mut used = Image::filled(width, height, PAPER)?;
        used.place(&self.image, 0, 0);
        Ok(used)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_captions_are_broken_between_words() {
        // A letter is 6 pixels wide: 10 letters fit next to the gap of 2.
        assert_eq!(wrapped("Stand Upgrade 1.00s", 62, 1), ["Stand", "Upgrade", "1.00s"]);
        assert_eq!(wrapped("Stand 1s", 62, 1), ["Stand 1s"]);
        assert_eq!(wrapped("ABCDEFGHIJKLM", 62, 1), ["ABCDEFGHIJ", "KLM"]);
        assert_eq!(wrapped("", 62, 1), [""]);
    }

    #[test]
    fn tiles_are_placed_in_rows_with_captions_below() {
        let mut sheet = Sheet::new([32, 32], ["S 1", "S 2", "S 3"]).unwrap();
        for n in 1..=3 {
            sheet.add(&Image::flat(32, 32, [n * 50, 0, 0, 255]), &format!("S {n}"));
        }
        assert_eq!(sheet.len(), 3);
        let sheet = sheet.finish().unwrap();
        let label = text_height(1) + 2 * GAP;
        assert_eq!([sheet.width, sheet.height], [2 * 36 + GAP, 2 * (32 + label) + GAP]);
        assert_eq!(sheet.pixel(GAP, GAP), [50, 0, 0, 255]);
        assert_eq!(sheet.pixel(GAP + 36, GAP), [100, 0, 0, 255]);
        let below = GAP + 32 + label;
        assert_eq!(sheet.pixel(GAP, below), [150, 0, 0, 255]);
        assert!((0..32).any(|x| (36..46).any(|y| sheet.pixel(GAP + x, y) == INK)));
        assert!(Sheet::new([32, 32], []).is_err());
    }

    #[test]
    fn rows_and_columns_without_tiles_are_cut_off() {
        let label = text_height(1) + 2 * GAP;
        for (count, columns, rows) in [(1, 1, 1), (2, 2, 1), (4, 3, 2), (9, 3, 3)] {
            let mut sheet = Sheet::new([8, 8], ["a"; 9]).unwrap();
            (0..count).for_each(|_| sheet.add(&Image::flat(8, 8, [9; 4]), "a"));
            let made = sheet.finish().unwrap();
            assert_eq!([made.width, made.height], [columns * 12 + GAP, rows * (8 + label) + GAP], "{count}");
        }
        assert!(Sheet::new([8, 8], ["a"]).unwrap().finish().is_err());
    }

    #[test]
    fn tiles_become_smaller_where_the_sheet_would_be_too_large() {
        assert_eq!(Sheet::fitting([512, 512], 64, 8 * 8 * 512 * 512), [512, 512]);
        assert_eq!(Sheet::fitting([512, 256], 400, 20 * 20 * 128 * 64), [128, 64]);
        // No side is less than a pixel.
        assert_eq!(Sheet::fitting([16_384, 1], 400, 1000), [202, 1]);
        assert_eq!([0, 1, 2, 4, 5, 9, 10].map(columns), [1, 1, 2, 2, 3, 3, 4]);
    }
}
