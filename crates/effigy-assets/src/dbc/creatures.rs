//! Skins of creatures: `CreatureModelData`, `CreatureDisplayInfo` and `CreatureDisplayInfoExtra`.

use super::{Table, load};
use crate::{Stack, name};
use effigy_wire::{Limits, Result};
use std::collections::BTreeMap;

/// One look of a creature model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Skin {
    /// The ID of the look (`CreatureDisplayInfo`).
    pub display: u32,
    /// Full paths of the textures of types 11, 12 and 13; empty if the look has none.
    pub textures: [String; 3],
    /// The scale of the model.
    pub scale: f32,
    /// 0 (invisible) to 255 (opaque).
    pub alpha: u32,
    /// For characters: the full path of the baked body texture (type 1); empty for creatures.
    pub baked: String,
    /// For characters: race, sex, skin, face, hair style, hair colour, facial hair.
    pub character: Option<[u32; 7]>,
}

/// The skins of all creature models.
#[derive(Clone, Debug, Default)]
pub struct Creatures {
    /// By the normalised path of the model without extension.
    by_model: BTreeMap<String, Vec<Skin>>,
}

impl Creatures {
    /// Reads the tables of a stack; `None` if it has no `CreatureModelData` or `CreatureDisplayInfo`.
    ///
    /// # Errors
    /// When a table is damaged.
    pub fn load(stack: &Stack, limits: &Limits) -> Result<Option<Self>> {
        let models = load(stack, "CreatureModelData", limits)?;
        let displays = load(stack, "CreatureDisplayInfo", limits)?;
        let extras = load(stack, "CreatureDisplayInfoExtra", limits)?;
        Ok(models.zip(displays).map(|(models, displays)| Self::new(&models, &displays, extras.as_ref())))
    }

    /// Combines the tables.
    #[must_use]
    pub fn new(models: &Table, displays: &Table, extras: Option<&Table>) -> Self {
        let paths: BTreeMap<u32, String> = models.rows().map(|row| (row.number(0), row.text(2))).collect();
        let mut dressed = BTreeMap::new();
        if let Some(extras) = extras {
            // The name of the baked texture is the last field in every version.
            let last = extras.fields().saturating_sub(1);
            for row in extras.rows() {
                dressed.insert(
                    row.number(0),
                    ([1, 2, 3, 4, 5, 6, 7].map(|field| row.number(field)), row.text(last)),
                );
            }
        }
        let mut by_model: BTreeMap<String, Vec<Skin>> = BTreeMap::new();
        for row in displays.rows() {
            let Some(path) = paths.get(&row.number(1)) else { continue };
            let folder = name::folder(path);
            let file = |text: String| match text.is_empty() {
                true => text,
                false => name::tidy(&format!("{folder}/{text}.blp")),
            };
            let extra = dressed.get(&row.number(3));
            let baked = extra.map_or("", |(_, baked)| baked.as_str());
            let baked = if baked.is_empty() { String::new() } else { baked_path(baked) };
            by_model.entry(model_key(path)).or_default().push(Skin {
                display: row.number(0),
                textures: [6, 7, 8].map(|field| file(row.text(field))),
                scale: row.float(4),
                alpha: row.number(5),
                baked,
                character: extra.map(|(look, _)| *look),
            });
        }
        Self { by_model }
    }

    /// The skins of a model, by its path, in the order of the table. The extension does not matter.
    #[must_use]
    pub fn skins(&self, model: &str) -> &[Skin] {
        self.by_model.get(&model_key(model)).map_or(&[], Vec::as_slice)
    }

    /// The skins of all models of this file name, for a model that is not in the game's folders.
    pub fn skins_by_file_name<'a>(&'a self, model: &str) -> impl Iterator<Item = &'a Skin> {
        let wanted = name::file_name(&model_key(model)).to_owned();
        let matches = move |key: &str| name::file_name(key) == wanted;
        self.by_model.iter().filter(move |(key, _)| matches(key)).flat_map(|(_, skins)| skins)
    }
}

fn model_key(path: &str) -> String {
    name::key(&name::with_extension(path, ""))
}

fn baked_path(baked: &str) -> String {
    name::join("Textures/BakedNpcTextures", &name::with_extension(baked, "blp"))
}

#[cfg(test)]
mod tests {
    use super::super::tests::{Cell, table};
    use super::*;
    use Cell::{Float, Number, Text};

    fn read(rows: &[Vec<Cell>]) -> Table {
        Table::read(&table(rows), &Limits::DEFAULT).unwrap()
    }

    #[test]
    fn skins_are_loaded_when_both_tables_are_there() {
        let models = table(&[vec![Number(1), Number(0), Text(r"Creature\Wolf\Wolf.mdx")]]);
        let mut row = vec![Number(10), Number(1), Number(0), Number(0), Float(1.0), Number(255)];
        row.extend([Text("WolfSkinGrey"), Text(""), Text(""), Number(0), Number(0), Number(0)]);
        let mut stack = Stack::default();
        let mut add = |file: &str, bytes: Vec<u8>| {
            stack.push(std::sync::Arc::new(crate::Memory::new("game").with(file, bytes)));
            Creatures::load(&stack, &Limits::DEFAULT).unwrap()
        };
        assert!(add("DBFilesClient/CreatureModelData.dbc", models).is_none());
        let found = add("DBFilesClient/CreatureDisplayInfo.dbc", table(&[row])).unwrap();
        assert_eq!(found.skins("Creature/Wolf/Wolf.m2")[0].textures[0], "Creature/Wolf/WolfSkinGrey.blp");
    }

    #[test]
    fn a_model_has_the_skins_of_the_tables() {
        let models = read(&[
            vec![Number(1), Number(0), Text(r"Creature\Wolf\Wolf.mdx")],
            vec![Number(2), Number(0), Text(r"Character\Orc\Male\OrcMale.mdx")],
        ]);
        let display = |id, model, extra, one, two| {
            let mut row = vec![Number(id), Number(model), Number(0), Number(extra), Float(1.25), Number(255)];
            row.extend([Text(one), Text(two), Text(""), Number(0), Number(0), Number(0)]);
            row
        };
        let displays = read(&[
            display(10, 1, 0, "WolfSkinGrey", ""),
            display(11, 1, 0, "WolfSkinBlack", "WolfEyes"),
            display(12, 2, 5, "", ""),
            display(13, 9, 0, "Nobody", ""),
        ]);
        let mut extra: Vec<Cell> = (0..18).map(|at| Number(if at == 0 { 5 } else { at })).collect();
        extra.push(Text("abc.blp"));
        let creatures = Creatures::new(&models, &displays, Some(&read(&[extra])));
        let wolf = creatures.skins("creature/wolf/WOLF.m2");
        assert_eq!(wolf.len(), 2);
        assert_eq!(wolf[1].textures, ["Creature/Wolf/WolfSkinBlack.blp", "Creature/Wolf/WolfEyes.blp", ""]);
        assert_eq!((wolf[0].display, wolf[0].scale), (10, 1.25));
        let orc = &creatures.skins("Character/Orc/Male/OrcMale.m2")[0];
        assert_eq!(orc.character, Some([1, 2, 3, 4, 5, 6, 7]));
        assert_eq!(orc.baked, "Textures/BakedNpcTextures/abc.blp");
        assert!(creatures.skins("x.m2").is_empty());
        assert_eq!(creatures.skins_by_file_name("Wolf.m2").count(), 2);
    }
}
