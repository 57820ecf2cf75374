//! Skins, faces and hair of characters: `CharSections`.
//!
//! Up to 2.4.3, variation and colour come before the textures; in Wrath they come after the flags. Both layouts have ten
//! fields, so the layout is recognised by the fields that point at strings.

use super::{Row, Table};
use crate::name;

/// The part of a character that a row describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Section {
    /// Skin. The second texture is the fur of tauren (type 8).
    Skin,
    /// Face: lower and upper part.
    Face,
    /// Facial hair: lower and upper part.
    FacialHair,
    /// Hair: the texture of type 6, then the lower and upper part of the hair on the scalp.
    Hair,
    /// Underwear: pelvis and torso.
    Underwear,
    /// An unknown number.
    Other(u32),
}

impl Section {
    const fn new(number: u32) -> Self {
        match number {
            0 => Self::Skin,
            1 => Self::Face,
            2 => Self::FacialHair,
            3 => Self::Hair,
            4 => Self::Underwear,
            other => Self::Other(other),
        }
    }
}

/// One choice for a part of a character.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Look {
    /// The ID of the row.
    pub id: u32,
    /// Race, from 1.
    pub race: u32,
    /// 0 is male, 1 is female.
    pub sex: u32,
    /// The part of the character.
    pub section: Section,
    /// Which face or hair style.
    pub variation: u32,
    /// Which colour.
    pub color: u32,
    /// Full paths of the textures; empty if there is none.
    pub textures: [String; 3],
}

/// All rows of `CharSections`.
#[must_use]
pub fn looks(table: &Table) -> Vec<Look> {
    let is_late = is_late(table);
    let look = |row: Row<'_>| {
        let (variation, first) = if is_late { (8, 4) } else { (4, 6) };
        Look {
            id: row.number(0),
            race: row.number(1),
            sex: row.number(2),
            section: Section::new(row.number(3)),
            variation: row.number(variation),
            color: row.number(variation + 1),
            textures: [first, first + 1, first + 2].map(|field| row.text(field)),
        }
    };
    table.rows().map(look).collect()
}

/// The looks of a character model, such as `OrcMale.m2`. The table has only numbers for races and sexes; the numbers of a
/// model are those of the skin whose file is named after it.
pub fn for_model<'a>(looks: &'a [Look], model: &str) -> impl Iterator<Item = &'a Look> {
    let stem = name::key(&name::with_extension(name::file_name(model), ""));
    let skin = format!("{stem}skin");
    let is_skin = |look: &&Look| {
        let [first, ..] = &look.textures;
        !stem.is_empty()
            && look.section == Section::Skin
            && name::key(name::file_name(first)).starts_with(&skin)
    };
    let who = looks.iter().find(is_skin).map(|look| (look.race, look.sex));
    looks.iter().filter(move |look| who == Some((look.race, look.sex)))
}

/// Whether the textures are in fields 4 to 6, as in Wrath.
fn is_late(table: &Table) -> bool {
    let score = |fields: [usize; 3]| {
        let points = |row: &Row<'_>| fields.iter().all(|&field| row.is_text(field));
        let is_set = |row: &Row<'_>| fields.iter().any(|&field| row.number(field) > 0);
        table.rows().filter(|row| points(row) && is_set(row)).count()
    };
    score([4, 5, 6]) > score([6, 7, 8])
}

#[cfg(test)]
mod tests {
    use super::super::tests::{Cell, table};
    use super::*;
    use Cell::{Number, Text};
    use effigy_wire::Limits;

    #[test]
    fn both_orders_of_fields_give_the_same_looks() {
        let early = |id, variation, color, one, two| {
            let mut row = [id, 2, 1, 3, variation, color].map(Number).to_vec();
            row.extend([Text(one), Text(two), Text(""), Number(1)]);
            row
        };
        let late = |id, variation, color, one, two| {
            let mut row = [id, 2, 1, 3].map(Number).to_vec();
            row.extend([Text(one), Text(two), Text(""), Number(1), Number(variation), Number(color)]);
            row
        };
        let rows = |make: &dyn Fn(u32, u32, u32, &'static str, &'static str) -> Vec<Cell>| {
            let rows = [make(1, 0, 3, r"Character\Orc\Hair00_03.blp", ""), make(2, 5, 0, "a.blp", "b.blp")];
            looks(&Table::read(&table(&rows), &Limits::DEFAULT).unwrap())
        };
        let looks = rows(&early);
        assert_eq!(looks, rows(&late));
        assert_eq!(looks[1].textures, ["a.blp", "b.blp", ""]);
        assert_eq!((looks[1].section, looks[1].variation, looks[0].color), (Section::Hair, 5, 3));
    }
}
