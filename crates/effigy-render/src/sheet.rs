//! Contact sheets: tiles in rows, each with a caption.

use crate::{Image, caption, text_height, text_width};
use effigy_wire::{Error, Kind, Result};

/// Pixels between tiles and around them.
const GAP: u32 = 4;
const PAPER: [u8; 4] = [0x1c, 0x1e, 0x22, 255];
const INK: [u8; 4] = [0xe8, 0xe8, 0xe8, 255];

/// One picture of all tiles, about as many columns as rows. Tiles have the size of the first; longer captions are cut.
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
    let label = text_height(scale) + 2 * GAP;
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
        let mut shown = name.clone();
        while text_width(&shown, scale) > first.width && shown.pop().is_some() {}
        caption(&mut sheet, &shown, left + GAP / 2, top + first.height + GAP, scale, INK);
    }
    Ok(sheet)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_are_placed_in_rows_with_captions_below() {
        let tile = |value| Image::filled(32, 32, [value, 0, 0, 255]).unwrap();
        let tiles: Vec<_> = (1..=3).map(|n| (tile(n * 50), format!("Stand {n}"))).collect();
        let sheet = sheet(&tiles).unwrap();
        assert_eq!(sheet.pixel(GAP, GAP), [50, 0, 0, 255]);
        assert_eq!(sheet.pixel(GAP + 36, GAP), [100, 0, 0, 255]);
        let below = GAP + 32 + text_height(1) + 2 * GAP;
        assert_eq!(sheet.pixel(GAP, below), [150, 0, 0, 255]);
        assert!((0..32).any(|x| (36..46).any(|y| sheet.pixel(GAP + x, y) == INK)));
        assert!(super::sheet(&[]).is_err());
    }
}
