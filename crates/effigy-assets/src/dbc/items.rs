//! Looks of items: `ItemDisplayInfo`.
//!
//! 1.12 has 23 fields, with the eight textures of body regions from field 14 on. Tables with 25 fields have one more field
//! before them. The two fields in front of the textures are about helmets.

use super::Table;
use crate::name;
use std::collections::BTreeMap;

/// The folders of the textures for the eight regions of the body, in the order of the fields.
pub const REGIONS: [&str; 8] = [
    "ArmUpperTexture",
    "ArmLowerTexture",
    "HandTexture",
    "TorsoUpperTexture",
    "TorsoLowerTexture",
    "LegUpperTexture",
    "LegLowerTexture",
    "FootTexture",
];

/// How an item looks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Look {
    /// The ID of the row.
    pub display: u32,
    /// File names of its left and right model; empty if there is none.
    pub models: [String; 2],
    /// Names of the textures of these models (type 2), without folder and extension.
    pub textures: [String; 2],
    /// Name of its icon (type 14), without folder and extension.
    pub icon: String,
    /// Names of the textures that it adds to the body, in the order of [`REGIONS`].
    pub body: [String; 8],
    /// Rows of `HelmetGeosetVisData` for men and women: what it hides when it is worn on the head; 0 for nothing.
    pub helmet: [u32; 2],
}

/// All rows of `ItemDisplayInfo`.
#[must_use]
pub fn looks(table: &Table) -> Vec<Look> {
    let first = if table.fields() > 23 { 15 } else { 14 };
    let rows = table.rows().map(|row| Look {
        display: row.number(0),
        models: [row.text(1), row.text(2)],
        textures: [row.text(3), row.text(4)],
        icon: row.text(5),
        body: [0, 1, 2, 3, 4, 5, 6, 7].map(|region| row.text(first + region)),
        helmet: [row.number(first - 2), row.number(first - 1)],
    });
    rows.collect()
}

impl Look {
    /// Full path of the icon.
    #[must_use]
    pub fn icon_path(&self) -> Option<String> {
        (!self.icon.is_empty()).then(|| format!("Interface/Icons/{}.blp", self.icon))
    }

    /// The possible paths of the texture of a body region: for one sex (`M` or `F`), then for both (`U`).
    #[must_use]
    pub fn body_candidates(&self, region: usize, female: bool) -> Vec<String> {
        match (self.body.get(region), REGIONS.get(region)) {
            (Some(texture), Some(folder)) if !texture.is_empty() => {
                let sex = if female { 'F' } else { 'M' };
                [sex, 'U'].map(|sex| format!("Item/TextureComponents/{folder}/{texture}_{sex}.blp")).to_vec()
            }
            _ => Vec::new(),
        }
    }
}

/// Looks by the [`model_key`] of their models.
#[must_use]
pub fn by_model(looks: Vec<Look>) -> BTreeMap<String, Vec<Look>> {
    let mut all: BTreeMap<String, Vec<Look>> = BTreeMap::new();
    for look in looks {
        let [left, right] = look.models.each_ref().map(|model| model_key(model));
        if right != left && !right.is_empty() {
            all.entry(right).or_default().push(look.clone());
        }
        if !left.is_empty() {
            all.entry(left).or_default().push(look);
        }
    }
    all
}

/// The normalised file name of a model without folder and extension, since the tables state only that.
#[must_use]
pub fn model_key(model: &str) -> String {
    name::key(&name::with_extension(name::file_name(model), ""))
}

/// The key of the model that the table states for a helmet: its files have one more ending for each race and sex, such as `_HuM`
/// for men of the humans.
#[must_use]
pub fn helmet_key(model: &str) -> Option<String> {
    let key = model_key(model);
    let (stem, ending) = key.rsplit_once('_')?;
    let mut letters = ending.chars();
    let is_race = letters.by_ref().take(2).filter(char::is_ascii_alphabetic).count() == 2;
    (is_race && matches!(letters.as_str(), "m" | "f")).then(|| stem.to_owned())
}

#[cfg(test)]
mod tests {
    use super::super::tests::{Cell, table};
    use super::*;
    use Cell::{Number, Text};
    use effigy_wire::Limits;

    #[test]
    fn models_icons_and_regions_are_read_from_both_layouts() {
        for (fields, first) in [(23, 14), (25, 15)] {
            let mut row: Vec<Cell> = (0..fields).map(|_| Number(0)).collect();
            row[0] = Number(77);
            row[1] = Text("Sword_1H.mdx");
            row[3] = Text("Sword_1H_Red");
            row[5] = Text("INV_Sword_01");
            row[first + 2] = Text("Plate_Glove");
            row[first - 2] = Number(8);
            row[first - 1] = Number(9);
            let all = looks(&Table::read(&table(&[row]), &Limits::DEFAULT).unwrap());
            let all = by_model(all);
            let sword = &all[&model_key("x/sword_1h.m2")][0];
            assert_eq!((sword.textures[0].as_str(), sword.helmet), ("Sword_1H_Red", [8, 9]));
            assert_eq!(sword.icon_path().unwrap(), "Interface/Icons/INV_Sword_01.blp");
            assert_eq!(
                sword.body_candidates(2, true),
                ["F", "U"].map(|sex| format!("Item/TextureComponents/HandTexture/Plate_Glove_{sex}.blp"))
            );
            assert!(sword.body_candidates(0, true).is_empty() && sword.body_candidates(99, true).is_empty());
        }
    }

    #[test]
    fn a_look_is_found_by_each_of_its_models_once() {
        let look = |left, right| {
            let mut row: Vec<Cell> = (0..23).map(|_| Number(0)).collect();
            (row[1], row[2]) = (Text(left), Text(right));
            row
        };
        let rows = [
            look("L.mdx", "R.mdx"),
            look("Same.mdx", "same.m2"),
            look("Only.mdx", ""),
            look("", "Right.mdx"),
        ];
        let all = by_model(looks(&Table::read(&table(&rows), &Limits::DEFAULT).unwrap()));
        let found: Vec<(&str, usize)> = all.iter().map(|(key, looks)| (key.as_str(), looks.len())).collect();
        assert_eq!(found, [("l", 1), ("only", 1), ("r", 1), ("right", 1), ("same", 1)]);
    }

    #[test]
    fn a_helmet_has_a_file_for_each_race_and_sex() {
        for (file, expected) in [
            ("Item/Helm_Plate_A_01_HuM.m2", Some("helm_plate_a_01")),
            ("Helm_Plate_A_01_TaF.mdx", Some("helm_plate_a_01")),
            ("Helm_Plate_A_01.m2", None),
            ("Helm_Plate_1uM.m2", None),
            ("Helm_HuX.m2", None),
            ("Helm_HuMM.m2", None),
            ("Helm_uM.m2", None),
            ("HuM.m2", None),
        ] {
            assert_eq!(helmet_key(file).as_deref(), expected, "{file}");
        }
    }
}
