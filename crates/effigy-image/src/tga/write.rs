//! Writing TGA: 24 bits without alpha, 32 with; rows from the bottom, as the games expect them.

use crate::image::Image;
use effigy_wire::{Error, Result};

/// Writes the first level.
pub fn write(image: &Image, packed: bool) -> Result<Vec<u8>> {
    let alpha = image.is_translucent();
    let mut bytes = vec![0, 0, if packed { 10 } else { 2 }, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    for side in [image.width, image.height] {
        let side = u16::try_from(side)
            .map_err(|_| Error::unrepresentable("TGA holds at most 65,535 pixels per side"))?;
        bytes.extend(side.to_le_bytes());
    }
    bytes.extend(if alpha { [32, 8] } else { [24, 0] });
    for row in image.pixels().as_chunks::<4>().0.chunks(image.width as usize).rev() {
        let push = |bytes: &mut Vec<u8>, &[red, green, blue, over]: &[u8; 4]| {
            bytes.extend([blue, green, red]);
            bytes.extend(alpha.then_some(over));
        };
        if packed {
            pack(row, &mut bytes, push);
        } else {
            row.iter().for_each(|pixel| push(&mut bytes, pixel));
        }
    }
    Ok(bytes)
}

/// Packs a row into packets of at most 128 repeated or single pixels.
fn pack(row: &[[u8; 4]], bytes: &mut Vec<u8>, push: impl Fn(&mut Vec<u8>, &[u8; 4])) {
    let mut rest = row;
    while let Some(first) = rest.first() {
        let run = rest.iter().take(128).take_while(|pixel| *pixel == first).count();
        let (count, mark) = if run > 1 {
            (run, 0x80)
        } else {
            let single = rest.windows(2).take(127).take_while(|pair| pair.first() != pair.last()).count();
            (if single + 1 == rest.len() { single + 1 } else { single.max(1) }, 0)
        };
        let (packet, after) = rest.split_at_checked(count).unwrap_or((rest, &[]));
        bytes.push(mark | u8::try_from(packet.len() - 1).unwrap_or(127));
        if mark == 0 {
            packet.iter().for_each(|pixel| push(bytes, pixel));
        } else {
            push(bytes, first);
        }
        rest = after;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_become_packets_of_runs_and_of_single_pixels() {
        let packed = |row: &[u8]| {
            let row: Vec<[u8; 4]> = row.iter().map(|value| [*value, 0, 0, 0]).collect();
            let mut bytes = Vec::new();
            pack(&row, &mut bytes, |bytes, [red, ..]| bytes.push(*red));
            bytes
        };
        assert_eq!(packed(&[7]), [0, 7]);
        assert_eq!(packed(&[7, 7]), [0x81, 7]);
        assert_eq!(packed(&[1, 2, 3]), [2, 1, 2, 3]);
        // A run ends the single pixels before it, and single pixels a run.
        assert_eq!(packed(&[1, 2, 5, 5, 5, 3]), [1, 1, 2, 0x82, 5, 0, 3]);
        assert_eq!(packed(&[4, 4, 1, 2]), [0x81, 4, 1, 1, 2]);
        // A packet holds 128 pixels.
        assert_eq!(packed(&[6; 130]), [0xff, 6, 0x81, 6]);
        let counting: Vec<u8> = (0..130).collect();
        let bytes = packed(&counting);
        assert_eq!((bytes[0], bytes.len()), (126, 132));
        assert_eq!(bytes[128..], [2, 127, 128, 129]);
    }
}
