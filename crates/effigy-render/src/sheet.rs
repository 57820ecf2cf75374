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

/// One picture of all tiles, about as many columns as rows. Tiles have the size of the first; long captions
/// have several lines.
///
/// # Errors
/// When there is no tile or the sheet would be too large.
pub fn sheet(tiles: &[(Image, String)]) -> Result<Image> {
    let Some((first, _)) = tiles.first() else {
        return Err(Error::new(Kind::Usage, "a sheet needs at least one tile"));
    };
    let count = u32::try_from(tiles.len()).unwrap_or(u32::MAX);
    let mut columns = 1;
    while columns * columns < count {
        columns += 1;
    }
    let rows = count.div_ceil(columns);
    let scale = (first.width / 192).clamp(1, 4);
    let longest = tiles.iter().map(|(_, name)| wrapped(name, first.width, scale).len()).max();
    let lines = longest.and_then(|lines| u32::try_from(lines).ok()).unwrap_or(1).max(1);
    let label = lines.saturating_mul(text_height(scale) + GAP / 2).saturating_add(2 * GAP - GAP / 2);
    let (step_x, step_y) = (first.width.saturating_add(GAP), first.height.saturating_add(label));
    let mut sheet = Image::filled(
        step_x.saturating_mul(columns).saturating_add(GAP),
        step_y.saturating_mul(rows).saturating_add(GAP),
        PAPER,
    )?;
    for (number, (tile, name)) in (0_u32..).zip(tiles) {
        let left = GAP + number % columns * step_x;
        let top = GAP + number / columns * step_y;
        sheet.place(tile, left, top);
        for (line, text) in (0_u32..).zip(wrapped(name, first.width, scale)) {
            let down = top + first.height + GAP + line * (text_height(scale) + GAP / 2);
            caption(&mut sheet, &text, left + GAP / 2, down, scale, INK);
        }
    }
    Ok(sheet)
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
        let tile = |value| Image::filled(32, 32, [value, 0, 0, 255]).unwrap();
        let tiles: Vec<_> = (1..=3).map(|n| (tile(n * 50), format!("S {n}"))).collect();
        let sheet = sheet(&tiles).unwrap();
        assert_eq!(sheet.pixel(GAP, GAP), [50, 0, 0, 255]);
        assert_eq!(sheet.pixel(GAP + 36, GAP), [100, 0, 0, 255]);
        let below = GAP + 32 + text_height(1) + 2 * GAP;
        assert_eq!(sheet.pixel(GAP, below), [150, 0, 0, 255]);
        assert!((0..32).any(|x| (36..46).any(|y| sheet.pixel(GAP + x, y) == INK)));
        assert!(super::sheet(&[]).is_err());
    }
}
