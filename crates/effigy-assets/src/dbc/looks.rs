//! The looks of a model from all tables: creatures, items and characters.

use super::characters::{self, Section};
use super::creatures::{Creatures, Skin};
use super::{Table, items, load};
use crate::rules::wow::ICON;
use crate::{Stack, name};
use effigy_wire::Limits;
use std::collections::BTreeMap;

/// The folders of the models and textures of items.
const ITEM_FOLDERS: [&str; 8] = ["Weapon", "Shield", "Head", "Shoulder", "Cape", "Quiver", "Ammo", "Pouch"];

/// One look of a model: a row of one of the tables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Look {
    /// The name of the table.
    pub table: &'static str,
    /// The ID of the row.
    pub id: u32,
    /// Its textures.
    pub textures: Vec<Worn>,
}

/// A texture of a look.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Worn {
    /// The texture type that it replaces, see [`TEXTURE_TYPES`](crate::rules::wow::TEXTURE_TYPES).
    pub kind: u32,
    /// The possible paths of its file, at least one, in the order in which they are tried.
    pub candidates: Vec<String>,
}

/// The tables of a stack of sources. A table that is missing or damaged counts as empty.
#[derive(Clone, Debug, Default)]
pub struct Looks {
    creatures: Creatures,
    items: BTreeMap<String, Vec<items::Look>>,
    characters: Vec<characters::Look>,
    /// Race, sex, hair style and the part of the model that shows it: `CharHairGeosets`.
    hair_parts: Vec<[u32; 4]>,
    /// For each row of `HelmetGeosetVisData`, the races whose parts are hidden, in the order of [`PLAIN_PARTS`].
    helmets: BTreeMap<u32, [u32; 5]>,
}

/// What a character shows instead of hair, beards and ears that a helmet hides.
const PLAIN_PARTS: [u32; 5] = [1, 101, 201, 301, 701];

impl Looks {
    /// Reads the tables that a stack has.
    #[must_use]
    pub fn load(stack: &Stack, limits: &Limits) -> Self {
        let table = |name| load(stack, name, limits).ok().flatten();
        Self {
            creatures: Creatures::load(stack, limits).ok().flatten().unwrap_or_default(),
            items: table("ItemDisplayInfo")
                .map(|table| items::by_model(items::looks(&table)))
                .unwrap_or_default(),
            characters: table("CharSections").as_ref().map(characters::looks).unwrap_or_default(),
            hair_parts: table("CharHairGeosets")
                .map(|table| table.rows().map(|row| [1, 2, 3, 4].map(|field| row.number(field))).collect())
                .unwrap_or_default(),
            helmets: table("HelmetGeosetVisData").as_ref().map(helmets).unwrap_or_default(),
        }
    }

    /// The rows of `CharSections` for a character model.
    #[must_use]
    pub fn sections(&self, model: &str) -> Vec<&characters::Look> {
        characters::for_model(&self.characters, model).collect()
    }

    /// The part of a character model that shows a hair style; none without the table, or where it has no such row.
    #[must_use]
    pub fn hair_part(&self, model: &str, style: u32) -> Option<u32> {
        let who = self.sections(model).first().map(|row| (row.race, row.sex))?;
        let fits = |[race, sex, variation, _]: &&[u32; 4]| (*race, *sex) == who && *variation == style;
        // Part 0 is the body; a bald head is part 1.
        self.hair_parts.iter().find(fits).map(|[.., part]| (*part).max(1))
    }

    /// The parts that a character shows instead of those that a helmet hides; none without the tables.
    #[must_use]
    pub fn plain_parts(&self, character: &str, helmet: &str) -> Vec<u32> {
        let hidden = || {
            let (race, sex) = self.sections(character).first().map(|row| (row.race, row.sex))?;
            let item = self.items(helmet).1.first()?;
            let row = item.helmet.get(usize::try_from(sex).ok()?)?;
            Some((1_u32.checked_shl(race)?, self.helmets.get(row)?))
        };
        let Some((race, hidden)) = hidden() else { return Vec::new() };
        PLAIN_PARTS
            .into_iter()
            .zip(hidden)
            .filter(|(_, races)| *races & race != 0)
            .map(|(part, _)| part)
            .collect()
    }

    /// The items with this model, and the key under which the table has it.
    fn items(&self, model: &str) -> (String, &[items::Look]) {
        let key = items::model_key(model);
        let find = |key: &str| self.items.get(key).map(Vec::as_slice);
        match (find(&key), items::helmet_key(model)) {
            (None, Some(shared)) => {
                let found = find(&shared).unwrap_or_default();
                (shared, found)
            }
            (found, _) => (key, found.unwrap_or_default()),
        }
    }

    /// The looks of a model, by its path, or by its file name if it is not in the game's folders.
    #[must_use]
    pub fn of(&self, model: &str) -> Vec<Look> {
        let known = self.creatures.skins(model);
        let creatures: Vec<&Skin> = match known {
            [] => self.creatures.skins_by_file_name(model).collect(),
            known => known.iter().collect(),
        };
        let mut looks: Vec<Look> = creatures.into_iter().map(creature).collect();
        let (key, items) = self.items(model);
        looks.extend(items.iter().map(|look| item(look, model, &key)));
        looks.extend(characters::for_model(&self.characters, model).filter_map(character));
        looks.retain(|look| !look.textures.is_empty());
        looks
    }
}

fn look(table: &'static str, id: u32, textures: impl IntoIterator<Item = (u32, Vec<String>)>) -> Look {
    let textures = textures.into_iter().filter(|(_, candidates)| !candidates.is_empty());
    Look { table, id, textures: textures.map(|(kind, candidates)| Worn { kind, candidates }).collect() }
}

fn one(path: &str) -> Vec<String> {
    if path.is_empty() { Vec::new() } else { vec![name::tidy(path)] }
}

fn creature(skin: &Skin) -> Look {
    let skins = (11..).zip(&skin.textures).map(|(kind, path)| (kind, one(path)));
    look("CreatureDisplayInfo", skin.display, skins.chain([(1, one(&skin.baked))]))
}

/// The rows of `HelmetGeosetVisData`.
fn helmets(table: &Table) -> BTreeMap<u32, [u32; 5]> {
    table.rows().map(|row| (row.number(0), [1, 2, 3, 4, 5].map(|field| row.number(field)))).collect()
}

fn item(item: &items::Look, model: &str, key: &str) -> Look {
    // The first texture is for the left model, the second one for the right model.
    let ([left, _], [first, second]) = (&item.models, &item.textures);
    let texture = if items::model_key(left) == key { first } else { second };
    let mut candidates = Vec::new();
    if !texture.is_empty() {
        let file = format!("{texture}.blp");
        candidates.push(name::join(name::folder(&name::tidy(model)), &file));
        candidates.extend(ITEM_FOLDERS.map(|folder| format!("Item/ObjectComponents/{folder}/{file}")));
    }
    look("ItemDisplayInfo", item.display, [(2, candidates), (ICON, item.icon_path().into_iter().collect())])
}

fn character(row: &characters::Look) -> Option<Look> {
    let [first, second, _] = &row.textures;
    let textures = match row.section {
        Section::Skin => vec![(1, one(first)), (8, one(second))],
        Section::Hair => vec![(6, one(first))],
        _ => return None,
    };
    Some(look("CharSections", row.id, textures))
}

#[cfg(test)]
mod tests {
    use super::super::tests::{Cell, table};
    use super::*;
    use Cell::{Number, Text};

    fn read(rows: &[Vec<Cell>]) -> Table {
        Table::read(&table(rows), &Limits::DEFAULT).unwrap()
    }

    #[test]
    fn a_creature_wears_its_skins_and_its_baked_body_and_nothing_without_a_path() {
        let textures = ["a\\One.blp".to_owned(), String::new(), "Three.blp".to_owned()];
        let skin = Skin { display: 7, textures, baked: "Baked.blp".into(), ..Skin::default() };
        let worn: Vec<(u32, Vec<String>)> =
            creature(&skin).textures.into_iter().map(|worn| (worn.kind, worn.candidates)).collect();
        let expected = [(11, "a/One.blp"), (13, "Three.blp"), (1, "Baked.blp")];
        assert_eq!(worn, expected.map(|(kind, path)| (kind, vec![path.to_owned()])));
        assert_eq!((creature(&skin).table, creature(&skin).id), ("CreatureDisplayInfo", 7));
    }

    #[test]
    fn an_item_has_the_texture_of_its_side_in_its_folder() {
        let mut row: Vec<Cell> = (0..23).map(|_| Number(0)).collect();
        row[0] = Number(5);
        row[1] = Text("LShoulder.mdx");
        row[2] = Text("RShoulder.mdx");
        row[3] = Text("Left");
        row[4] = Text("Right");
        let looks = Looks { items: items::by_model(items::looks(&read(&[row]))), ..Looks::default() };
        let path = |model: &str| looks.of(model)[0].textures[0].candidates[0].clone();
        assert_eq!(
            path(r"Item\ObjectComponents\Shoulder\LShoulder.m2"),
            "Item/ObjectComponents/Shoulder/Left.blp"
        );
        assert_eq!(path("rshoulder.m2"), "Right.blp");
        assert!(looks.of("x.m2").is_empty());
        let loose = looks.of("rshoulder.m2");
        assert!(loose[0].textures[0].candidates.contains(&"Item/ObjectComponents/Shoulder/Right.blp".into()));
        assert_eq!((loose[0].table, loose[0].id, loose[0].textures[0].kind), ("ItemDisplayInfo", 5, 2));
    }

    #[test]
    fn a_character_has_skins_and_hair_of_its_own_race_and_sex() {
        let row = |id, section, one, two| {
            let mut row = [id, 2, 0, section, 0, id].map(Number).to_vec();
            row.extend([Text(one), Text(two), Text(""), Number(1)]);
            row
        };
        let rows = [
            row(1, 0, r"Character\Tauren\Male\TaurenMaleSkin00_00.blp", "fur.blp"),
            row(2, 1, r"Character\Tauren\Male\TaurenMaleFaceLower00_00.blp", ""),
            row(3, 3, r"Character\Tauren\Hair00_03.blp", ""),
            row(4, 0, r"Character\Orc\Male\OrcMaleSkin00_00.blp", ""),
        ];
        let mut characters = characters::looks(&read(&rows));
        characters[3].race = 1;
        let hair_parts = vec![[2, 0, 0, 0], [2, 0, 1, 4], [2, 1, 1, 7]];
        let looks = Looks { characters, hair_parts, ..Looks::default() };
        assert_eq!(looks.hair_part("TaurenMale.m2", 1), Some(4));
        assert_eq!(looks.hair_part("TaurenMale.m2", 0), Some(1));
        assert_eq!((looks.hair_part("TaurenMale.m2", 9), looks.hair_part("OrcMale.m2", 1)), (None, None));
        let tauren = looks.of("TaurenMale.m2");
        let kinds: Vec<_> =
            tauren.iter().map(|look| (look.id, look.textures.iter().map(|one| one.kind).collect())).collect();
        assert_eq!(kinds, [(1, vec![1, 8]), (3, vec![6])]);
    }
    #[test]
    fn a_helmet_hides_what_its_row_says_for_the_race() {
        let person = |race, sex| {
            let mut row = [1, race, sex, 0, 0, 0].map(Number).to_vec();
            row.extend([Text(if sex == 0 {
                "TaurenMaleSkin00_00.blp"
            } else {
                "TaurenFemaleSkin00_00.blp"
            })]);
            row.extend([Text(""), Text(""), Number(1)]);
            row
        };
        let characters = characters::looks(&read(&[person(6, 0), person(6, 1)]));
        let mut row: Vec<Cell> = (0..23).map(|_| Number(0)).collect();
        row[1] = Text("Helm_A_01.mdx");
        row[3] = Text("Helm_A_01Red");
        // Row 3 for men, none for women.
        row[12] = Number(3);
        let items = items::by_model(items::looks(&read(&[row])));
        // Hair and ears of the sixth race, the beard of the fifth and seventh, an earring of all.
        let helmets = helmets(&read(&[vec![3, 1 << 6, 0b1010_0000, u32::MAX, 0, 1 << 6]
            .into_iter()
            .map(Number)
            .collect()]));
        let looks = Looks { characters, items, helmets, ..Looks::default() };
        assert_eq!(looks.plain_parts("TaurenMale.m2", "Helm_A_01_TaM.m2"), [1, 201, 701]);
        assert_eq!(looks.plain_parts("TaurenMale.m2", "Helm_A_01.m2"), [1, 201, 701]);
        assert!(looks.plain_parts("TaurenFemale.m2", "Helm_A_01_TaF.m2").is_empty());
        assert!(looks.plain_parts("OrcMale.m2", "Helm_A_01.m2").is_empty());
        assert!(looks.plain_parts("TaurenMale.m2", "Helm_B_01_TaM.m2").is_empty());
        // The look of the item is found by the file of the race.
        assert_eq!(looks.of("Helm_A_01_TaM.m2")[0].textures[0].candidates[0], "Helm_A_01Red.blp");
    }
}
