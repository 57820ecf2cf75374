//! World of Warcraft: names of textures and models, and the textures that the game chooses.

use super::Names;
use crate::name;

/// The possible paths of a texture, in the order in which they are tried.
///
/// `model` is the path of the model inside its source (empty if it has none); files next to it are tried last.
#[must_use]
pub fn texture_candidates(reference: &str, model: &str) -> Vec<String> {
    let mut names = Names::default();
    if name::tidy(reference).is_empty() {
        return Vec::new();
    }
    let bare = name::file_name(reference);
    let model_folder = name::folder(model);
    for path in [reference.to_owned(), name::join(model_folder, reference), name::join(model_folder, bare)] {
        // The client reads BLP files, with any extension in the reference.
        for extension in ["blp", "", "png", "tga"] {
            names.add(if extension.is_empty() {
                path.clone()
            } else {
                name::with_extension(&path, extension)
            });
        }
    }
    names.into_vec()
}

/// The possible paths of a model. Tables and maps refer to `.mdx` or `.mdl`; the file is `.m2`, or `.mdx` in the alpha.
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

/// The files of the views of a model (Wrath): `Wolf00.skin` to `Wolf03.skin`.
#[must_use]
pub fn skin_names(model: &str) -> Vec<String> {
    let stem = name::with_extension(&name::tidy(model), "");
    (0..4).map(|view| format!("{stem}{view:02}.skin")).collect()
}

/// The file of an animation that is stored outside of the model (Wrath): `Wolf0004-00.anim`.
#[must_use]
pub fn animation_name(model: &str, id: u16, variation: u16) -> String {
    let stem = name::with_extension(&name::tidy(model), "");
    format!("{stem}{id:04}-{variation:02}.anim")
}

/// The purpose of a texture, by the type in its record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextureType {
    /// The number in the record.
    pub id: u32,
    /// The name that the command line takes.
    pub name: &'static str,
    /// A description.
    pub title: &'static str,
}

/// The type of an item's icon, which is not visible on its model.
pub const ICON: u32 = 14;

/// The types of textures, 0 to 14.
pub const TEXTURE_TYPES: [TextureType; 15] = [
    TextureType { id: 0, name: "file", title: "a file that the model names" },
    TextureType { id: 1, name: "skin", title: "body, composed of skin and clothes" },
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
    fn references_to_mdx_are_found_as_m2() {
        assert_eq!(
            model_candidates(r"Creature\Wolf\Wolf.mdx"),
            ["Creature/Wolf/Wolf.m2", "Creature/Wolf/Wolf.mdx"]
        );
        assert_eq!(skin_names("a/Wolf.m2")[0], "a/Wolf00.skin");
        assert_eq!(animation_name("a/Wolf.m2", 4, 1), "a/Wolf0004-01.anim");
    }

    #[test]
    fn textures_are_searched_from_the_root_and_next_to_the_model() {
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
