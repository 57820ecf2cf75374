//! A TrueType font without its instructions for rasterisers, which are two thirds of it, and without kerning. Shapes, widths and
//! the names of its makers stay; the page fits shapes to pixels itself.

/// Tables that only instructions and old rasterisers use, and the distances of pairs of letters.
const DROPPED: &[&[u8; 4]] = &[b"fpgm", b"prep", b"cvt ", b"hdmx", b"VDMX", b"LTSH", b"gasp", b"GPOS"];
/// Composite glyphs: the bits of a part's flags.
const WORDS: u16 = 0x0001;
const SCALE: u16 = 0x0008;
const MORE: u16 = 0x0020;
const TWO_SCALES: u16 = 0x0040;
const MATRIX: u16 = 0x0080;
const INSTRUCTIONS: u16 = 0x0100;

type Table = ([u8; 4], Vec<u8>);

/// The same font without instructions and without the names of glyphs. `None` if it is not such a font.
pub fn without_hints(font: &[u8]) -> Option<Vec<u8>> {
    let mut tables: Vec<Table> = Vec::new();
    for row in 0..usize::from(word(font, 4)?) {
        let row = 12 + 16 * row;
        let tag: [u8; 4] = font.get(row..row + 4)?.try_into().ok()?;
        let (start, length) = (long(font, row + 8)?, long(font, row + 12)?);
        if !DROPPED.contains(&&tag) {
            tables.push((tag, font.get(start..start + length)?.to_vec()));
        }
    }
    let wide = word(table(&tables, b"head")?, 50)? == 1;
    let (glyphs, places) = outlines(table(&tables, b"glyf")?, table(&tables, b"loca")?, wide)?;
    for (tag, content) in &mut tables {
        match &*tag {
            b"glyf" => content.clone_from(&glyphs),
            b"loca" => content.clone_from(&places),
            // Places of 32 bits.
            b"head" => content.get_mut(50..52)?.copy_from_slice(&1_u16.to_be_bytes()),
            // Version 3: no names of glyphs.
            b"post" => {
                content.truncate(32);
                content.get_mut(..4)?.copy_from_slice(&0x0003_0000_u32.to_be_bytes());
            }
            _ => {}
        }
    }
    Some(file(font.get(..4)?, &tables))
}

fn word(bytes: &[u8], at: usize) -> Option<u16> {
    bytes.get(at..at + 2).and_then(|bytes| bytes.try_into().ok()).map(u16::from_be_bytes)
}

fn long(bytes: &[u8], at: usize) -> Option<usize> {
    let number = bytes.get(at..at + 4).and_then(|bytes| bytes.try_into().ok()).map(u32::from_be_bytes)?;
    usize::try_from(number).ok()
}

fn table<'a>(tables: &'a [Table], tag: &[u8; 4]) -> Option<&'a [u8]> {
    tables.iter().find(|(own, _)| own == tag).map(|(_, content)| content.as_slice())
}

/// The tables `glyf` and `loca`, the latter with places of 32 bits.
fn outlines(glyphs: &[u8], places: &[u8], wide: bool) -> Option<(Vec<u8>, Vec<u8>)> {
    let place = |index: usize| match wide {
        true => long(places, index * 4),
        false => word(places, index * 2).map(|half| usize::from(half) * 2),
    };
    let count = places.len() / if wide { 4 } else { 2 };
    let (mut out, mut ends) = (Vec::new(), 0_u32.to_be_bytes().to_vec());
    for index in 1..count {
        let glyph = glyphs.get(place(index - 1)?..place(index)?)?;
        match word(glyph, 0) {
            None => {}
            Some(contours) if contours < 0x8000 => simple(glyph, usize::from(contours), &mut out)?,
            Some(_) => composite(glyph, &mut out)?,
        }
        out.resize(out.len().next_multiple_of(2), 0);
        ends.extend(u32::try_from(out.len()).ok()?.to_be_bytes());
    }
    Some((out, ends))
}

/// A glyph of contours: bounds, the last point of each contour, instructions, points.
fn simple(glyph: &[u8], contours: usize, out: &mut Vec<u8>) -> Option<()> {
    let at = 10 + 2 * contours;
    let length = usize::from(word(glyph, at)?);
    out.extend(glyph.get(..at)?);
    out.extend([0, 0]);
    out.extend(glyph.get(at + 2 + length..)?);
    Some(())
}

/// A glyph of other glyphs: bounds, parts, instructions.
fn composite(glyph: &[u8], out: &mut Vec<u8>) -> Option<()> {
    out.extend(glyph.get(..10)?);
    let mut at = 10;
    loop {
        let flags = word(glyph, at)?;
        let scales = [(SCALE, 2), (TWO_SCALES, 4), (MATRIX, 8)];
        let scale = scales.iter().find(|(bit, _)| flags & bit != 0).map_or(0, |(_, length)| *length);
        let end = at + 4 + if flags & WORDS != 0 { 4 } else { 2 } + scale;
        out.extend((flags & !INSTRUCTIONS).to_be_bytes());
        out.extend(glyph.get(at + 2..end)?);
        if flags & MORE == 0 {
            return Some(());
        }
        at = end;
    }
}

/// A font file of these tables. Checksums are not written: nobody who draws with a font reads them.
fn file(version: &[u8], tables: &[Table]) -> Vec<u8> {
    let count = u16::try_from(tables.len()).unwrap_or(u16::MAX);
    let power = count.checked_ilog2().unwrap_or(0);
    let range = 16_u16 << power;
    let mut out = version.to_vec();
    for number in [count, range, u16::try_from(power).unwrap_or(0), count * 16 - range] {
        out.extend(number.to_be_bytes());
    }
    let mut start = 12 + 16 * tables.len();
    for (tag, content) in tables {
        out.extend(tag);
        for number in [0, start, content.len()] {
            out.extend(u32::try_from(number).unwrap_or(u32::MAX).to_be_bytes());
        }
        start += content.len().next_multiple_of(4);
    }
    for (_, content) in tables {
        out.extend(content);
        out.resize(out.len().next_multiple_of(4), 0);
    }
    out
}
