//! World of Warcraft: names of textures and models, and the textures that the game chooses.

use super::Names;
use crate::name;

/// The names under which a texture may lie, in the order in which they are tried.
///
/// `model` is the path of the model inside its source (empty if it has none); files beside it are tried last.
#[must_use]
pub fn texture_candidates(reference: &str, model: &str) -> Vec<String> {
    let mut names = Names::default();
    if name::tidy(reference).is_empty() {
        return Vec::new();
    }
    let bare = name::file_name(reference);
    let beside = name::folder(model);
    for place in [reference.to_owned(), name::join(beside, reference), name::join(beside, bare)] {
        // The client reads BLP whatever the extension says.
        for extension in ["blp", "", "png", "tga"] {
            names.add(if extension.is_empty() {
                place.clone()
            } else {
                name::with_extension(&place, extension)
            });
        }
    }
    names.into_vec()
}

/// The names under which a model may lie: tables and maps say `.mdx` or `.mdl` and mean `.m2`; in the alpha it is
/// `.mdx`.
#[must_use]
pub fn model_candidates(reference: &str) -> Vec<String> {
    let mut names = Names::default();
    if name::tidy(reference).is_empty() {
        return Vec::new();
    }
    for extension in ["m2", "mdx"] {
        names.add(name::with_extension(reference, extension));
    }
    names.add(reference.to_owned());
    names.into_vec()
}

/// The files that belong to a model (Wrath): its views, `Wolf00.skin` to `Wolf03.skin`.
#[must_use]
pub fn skin_names(model: &str) -> Vec<String> {
    let stem = name::with_extension(&name::tidy(model), "");
    (0..4).map(|view| format!("{stem}{view:02}.skin")).collect()
}

/// The file of an animation that lies outside the model (Wrath): `Wolf0004-00.anim`.
#[must_use]
pub fn animation_name(model: &str, id: u16, variation: u16) -> String {
    let stem = name::with_extension(&name::tidy(model), "");
    format!("{stem}{id:04}-{variation:02}.anim")
}

/// What a texture of a model is for, by the type that its record states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextureType {
    /// The number in the record.
    pub id: u32,
    /// The name by which it is chosen on the command line.
    pub name: &'static str,
    /// What it is.
    pub title: &'static str,
}

/// The type of an item's icon, which no part of its model shows.
pub const ICON: u32 = 14;

/// The types of textures, 0 to 14.
pub const TEXTURE_TYPES: [TextureType; 15] = [
    TextureType { id: 0, name: "file", title: "a file that the model names" },
    TextureType { id: 1, name: "skin", title: "body, put together from skin and clothes" },
    TextureType { id: 2, name: "object", title: "item or cape" },
    TextureType { id: 3, name: "blade", title: "weapon blade" },
    TextureType { id: 4, name: "handle", title: "weapon handle" },
    TextureType { id: 5, name: "environment", title: "environment" },
    TextureType { id: 6, name: "hair", title: "hair" },
    TextureType { id: 7, name: "facial-hair", title: "facial hair" },
    TextureType { id: 8, name: "skin-extra", title: "second skin, such as tauren fur" },
    TextureType { id: 9, name: "interface", title: "interface skin" },
    TextureType { id: 10, name: "tauren-mane", title: "tauren mane" },
    TextureType { id: 11, name: "creature-1", title: "first skin of a creature" },
    TextureType { id: 12, name: "creature-2", title: "second skin of a creature" },
    TextureType { id: 13, name: "creature-3", title: "third skin of a creature" },
    TextureType { id: ICON, name: "icon", title: "icon of an item" },
];

impl TextureType {
    /// The type by its number or name.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let known = |one: &&Self| one.name.eq_ignore_ascii_case(text) || text.parse() == Ok(one.id);
        TEXTURE_TYPES.iter().find(known).copied()
    }

    /// The type by its number.
    #[must_use]
    pub fn by_id(id: u32) -> Option<Self> {
        TEXTURE_TYPES.iter().find(|one| one.id == id).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_that_say_mdx_mean_m2() {
        assert_eq!(
            model_candidates(r"Creature\Wolf\Wolf.mdx"),
            ["Creature/Wolf/Wolf.m2", "Creature/Wolf/Wolf.mdx"]
        );
        assert_eq!(skin_names("a/Wolf.m2")[0], "a/Wolf00.skin");
        assert_eq!(animation_name("a/Wolf.m2", 4, 1), "a/Wolf0004-01.anim");
    }

    #[test]
    fn textures_are_looked_for_from_the_root_and_beside_the_model() {
        let names = texture_candidates(r"Textures\Glow.tga", r"Creature\Wolf\Wolf.m2");
        assert_eq!(names[0], "Textures/Glow.blp");
        assert!(names.contains(&"Creature/Wolf/Glow.blp".into()));
    }

    #[test]
    fn types_are_known_by_number_and_name() {
        assert_eq!(TextureType::parse("11"), TextureType::parse("creature-1"));
        assert!((0..15).all(|id| TextureType::by_id(id).is_some_and(|one| one.id == id)));
        assert!(TextureType::parse("15").is_none());
    }
}
