//! How a character looks: which skin, face and hair it has, and the body that is painted from them.
//!
//! The body is one picture. The game draws the face, the hair on the scalp, the beard and the underwear over the skin, each
//! into its own rectangle.

use super::characters::{Look, Section};
use effigy_image::Image;
use effigy_wire::{Error, Kind, Result};
use std::str::FromStr;

/// Which skin, face and hair a character has, by their numbers in the table `CharSections`, from 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Appearance {
    /// Colour of the skin.
    pub skin: u32,
    /// The face.
    pub face: u32,
    /// Hair style; none: the one that a new character has.
    pub hair: Option<u32>,
    /// Colour of the hair.
    pub hair_color: u32,
    /// Beard, horns or earrings.
    pub facial: u32,
}

impl Appearance {
    /// The names of the choices, as they are written.
    pub const NAMES: [&str; 5] = ["skin", "face", "hair", "hair-color", "facial"];
}

/// Choices separated by commas: `skin=2,face=1,hair=4,hair-color=3,facial=0`.
impl FromStr for Appearance {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let mut look = Self::default();
        for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            let wrong = || {
                let names = Self::NAMES.join(", ");
                Error::new(Kind::Usage, format!("{part}: it is written NAME=NUMBER; the names are {names}"))
            };
            let (name, number) = part.split_once('=').ok_or_else(wrong)?;
            let number: u32 = number.trim().parse().map_err(|_| wrong())?;
            match name.trim() {
                "skin" => look.skin = number,
                "face" => look.face = number,
                "hair" => look.hair = Some(number),
                "hair-color" => look.hair_color = number,
                "facial" => look.facial = number,
                _ => return Err(wrong()),
            }
        }
        Ok(look)
    }
}

/// A rectangle of the body: left, top, width and height of 256.
type Area = [u32; 4];
const FACE_LOWER: Area = [0, 192, 128, 64];
const FACE_UPPER: Area = [0, 160, 128, 32];
const PELVIS: Area = [128, 96, 128, 64];
const TORSO: Area = [128, 0, 128, 64];

/// The row for a part of a character: with this variation and colour, else with this variation, else the first.
#[must_use]
pub fn row<'a>(rows: &[&'a Look], section: Section, variation: u32, color: u32) -> Option<&'a Look> {
    let of_section = || rows.iter().copied().filter(|row| row.section == section);
    of_section()
        .find(|row| row.variation == variation && row.color == color)
        .or_else(|| of_section().find(|row| row.variation == variation))
        .or_else(|| of_section().next())
}

/// What a texture of a character is, by its type: the skin's second texture (8) or the hair (6).
#[must_use]
pub fn texture<'a>(rows: &[&'a Look], look: &Appearance, kind: u32) -> Option<&'a str> {
    let found = match kind {
        6 => row(rows, Section::Hair, look.hair.unwrap_or(0), look.hair_color)?.textures.first()?,
        8 => row(rows, Section::Skin, 0, look.skin)?.textures.get(1)?,
        _ => return None,
    };
    (!found.is_empty()).then_some(found.as_str())
}

/// The body of a character: its skin with everything that is painted over it. `image` gives the picture of a path. None
/// without a skin; a part whose picture is missing is left out.
pub fn body(
    rows: &[&Look],
    look: &Appearance,
    mut image: impl FnMut(&str) -> Option<Image>,
) -> Option<Image> {
    let [skin, ..] = &row(rows, Section::Skin, 0, look.skin)?.textures;
    let mut body = image(skin)?;
    let hair = look.hair.unwrap_or(0);
    for (section, variation, color, parts) in [
        (Section::Underwear, 0, look.skin, [(0, PELVIS), (1, TORSO)]),
        (Section::Face, look.face, look.skin, [(0, FACE_LOWER), (1, FACE_UPPER)]),
        (Section::FacialHair, look.facial, look.hair_color, [(0, FACE_LOWER), (1, FACE_UPPER)]),
        (Section::Hair, hair, look.hair_color, [(1, FACE_LOWER), (2, FACE_UPPER)]),
    ] {
        let Some(row) = row(rows, section, variation, color) else { continue };
        for (number, area) in parts {
            let path = row.textures.get::<usize>(number).filter(|path| !path.is_empty());
            if let Some(part) = path.and_then(|path| image(path)) {
                paint(&mut body, &part, area);
            }
        }
    }
    Some(body)
}

/// Draws a picture over a rectangle of the body.
fn paint(body: &mut Image, part: &Image, [left, top, width, height]: Area) {
    let scale = |value: u32, side: u32| u32::try_from(u64::from(value) * u64::from(side) / 256).unwrap_or(0);
    let (left, width) = (scale(left, body.width), scale(width, body.width));
    let (top, height) = (scale(top, body.height), scale(height, body.height));
    if part.width == 0 || part.height == 0 {
        return;
    }
    for y in 0..height {
        for x in 0..width {
            let from = |at: u32, side: u32, of: u32| {
                u32::try_from(u64::from(at) * u64::from(side) / u64::from(of.max(1))).unwrap_or(0)
            };
            let [r, g, b, alpha] = part.pixel(from(x, part.width, width), from(y, part.height, height));
            let [br, bg, bb, ba] = body.pixel(left + x, top + y);
            let mix = |over: u8, under: u8| {
                let (over, under, alpha) = (u32::from(over), u32::from(under), u32::from(alpha));
                u8::try_from((over * alpha + under * (255 - alpha) + 127) / 255).unwrap_or(u8::MAX)
            };
            body.set(left + x, top + y, [mix(r, br), mix(g, bg), mix(b, bb), ba]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look(section: Section, variation: u32, color: u32, textures: [&str; 3]) -> Look {
        let textures = textures.map(str::to_owned);
        Look { id: 0, race: 2, sex: 0, section, variation, color, textures }
    }

    fn rows() -> Vec<Look> {
        vec![
            look(Section::Skin, 0, 0, ["10,10,10,255", "", ""]),
            look(Section::Skin, 0, 1, ["20,20,20,255", "fur1", ""]),
            look(Section::Face, 0, 1, ["50,0,0,255", "60,0,0,255", ""]),
            look(Section::Face, 3, 1, ["70,0,0,255", "", ""]),
            look(Section::Hair, 0, 0, ["hair00", "0,90,0,128", ""]),
            look(Section::Hair, 2, 4, ["hair24", "", ""]),
            look(Section::Underwear, 0, 1, ["0,0,200,255", "missing", ""]),
        ]
    }

    /// An image whose name is its colour.
    fn image(name: &str) -> Option<Image> {
        let color: Vec<u8> = name.split(',').filter_map(|value| value.parse().ok()).collect();
        Some(Image::flat(8, 8, color.try_into().ok()?)).map(|mut image| {
            // A body is as large as its skin.
            if name.ends_with("255") && (name.starts_with("10,") || name.starts_with("20,")) {
                image = Image::flat(256, 256, image.pixel(0, 0));
            }
            image
        })
    }

    #[test]
    fn each_part_is_painted_into_its_rectangle() {
        let all = rows();
        let rows: Vec<&Look> = all.iter().collect();
        let body = body(&rows, &"skin=1".parse().unwrap(), image).unwrap();
        // The lower face with half of the scalp's hair over it, the upper face, the pelvis; no torso, for it is missing.
        assert_eq!(body.pixel(5, 200), [25, 45, 0, 255]);
        assert_eq!(body.pixel(127, 191), [60, 0, 0, 255]);
        assert_eq!(body.pixel(130, 100), [0, 0, 200, 255]);
        assert_eq!(body.pixel(130, 10), [20, 20, 20, 255]);
        assert_eq!(body.pixel(5, 159), [20, 20, 20, 255]);
    }

    #[test]
    fn a_part_of_another_size_is_stretched_over_its_rectangle() {
        let [one, two, three, four] = [[1, 0, 0, 255], [2, 0, 0, 255], [3, 0, 0, 255], [4, 0, 0, 255]];
        let part = Image::new(2, 2, [one, two, three, four].concat()).unwrap();
        // Rectangles are those of a body of 256 by 256; this one is twice as wide and half as high.
        let mut body = Image::flat(512, 128, [9, 9, 9, 255]);
        paint(&mut body, &part, [32, 64, 16, 8]);
        // From 64 to 96 and from 32 to 36.
        let pixels = [(64, 32), (79, 33), (80, 32), (95, 33), (64, 34), (79, 35), (80, 34), (95, 35)];
        let expected = [one, one, two, two, three, three, four, four];
        assert_eq!(pixels.map(|(x, y)| body.pixel(x, y)), expected);
        for (x, y) in [(63, 32), (96, 32), (64, 31), (64, 36)] {
            assert_eq!(body.pixel(x, y), [9, 9, 9, 255], "{x} {y}");
        }
        // Nothing to draw with.
        paint(&mut body, &Image::default(), [32, 64, 16, 8]);
        assert_eq!(body.pixel(64, 32), one);
    }

    #[test]
    fn choices_pick_their_rows_and_fall_back_to_the_nearest() {
        let all = rows();
        let rows: Vec<&Look> = all.iter().collect();
        let chosen: Appearance = "hair=2, hair-color=4,skin=1".parse().unwrap();
        assert_eq!(texture(&rows, &chosen, 6), Some("hair24"));
        assert_eq!(texture(&rows, &chosen, 8), Some("fur1"));
        assert_eq!(texture(&rows, &Appearance::default(), 6), Some("hair00"));
        assert_eq!(texture(&rows, &Appearance::default(), 8), None);
        // A colour that this style does not have, and a face that nobody has.
        assert_eq!(texture(&rows, &"hair=2".parse().unwrap(), 6), Some("hair24"));
        assert_eq!(row(&rows, Section::Face, 9, 9).unwrap().variation, 0);
        assert!(row(&rows, Section::FacialHair, 0, 0).is_none());
    }

    #[test]
    fn a_look_that_is_not_one_says_what_there_is() {
        for text in ["skin", "skin=x", "nose=1"] {
            let error = text.parse::<Appearance>().unwrap_err();
            assert!(error.message().contains("hair-color"), "{error}");
        }
        assert_eq!("".parse(), Ok(Appearance::default()));
    }
}
