//! The looks of World of Warcraft's models: what a character may have, and the rows of the game's tables for a creature or item.

use crate::app::Viewer;
use effigy::Model;
use effigy::assets::dbc::appearance::Appearance;
use effigy::assets::dbc::looks::Look;
use effigy::assets::{Assets, Choices, Naming};
use std::sync::Arc;

/// What can be chosen for the opened model, and what was chosen.
#[derive(Default)]
pub struct Wardrobe {
    /// The game's files as they were given, without what was chosen here.
    plain: Arc<Assets>,
    /// The file that the following is about.
    file: String,
    /// For a character.
    pub choices: Option<Choices>,
    pub appearance: Appearance,
    /// For a creature or an item: rows of the game's tables. Those of characters are in `choices`.
    pub looks: Vec<Look>,
    pub worn: Option<usize>,
}

impl Wardrobe {
    pub fn new(plain: Arc<Assets>) -> Self {
        Self { appearance: *plain.appearance(), plain, ..Self::default() }
    }

    /// Finds out what the model of another file can wear.
    pub fn learn(&mut self, label: &str, model: &Model) {
        if self.file == label {
            return;
        }
        label.clone_into(&mut self.file);
        (self.choices, self.looks, self.worn) = (None, Vec::new(), None);
        let Some(file) = model.file().filter(|_| model.naming() == Naming::Wow) else { return };
        self.choices = model.assets().choices(Naming::Wow, file);
        if self.choices.is_none() {
            self.looks = model.assets().looks(Naming::Wow, file);
        }
    }
}

/// A row of a table in words: its number and the names of its textures.
pub fn title(look: &Look) -> String {
    let names = look.textures.iter().filter_map(|worn| worn.candidates.first());
    let names: Vec<&str> = names.map(|path| path.rsplit('/').next().unwrap_or(path)).collect();
    format!("{} {}", look.id, names.join(", "))
}

impl Viewer {
    /// The files in which models find what they need, when others are added.
    pub(crate) fn set_assets(&mut self, assets: Assets) {
        self.wardrobe.plain = Arc::new(assets);
        self.wardrobe.file.clear();
        self.dress();
    }

    /// Makes the models that are opened from now on wear what was chosen.
    fn dress(&mut self) {
        let Wardrobe { plain, appearance, looks, worn, .. } = &self.wardrobe;
        let file = self.session.as_ref().map(|session| &session.file);
        let look = worn.and_then(|index| looks.get(index));
        let textures = look.into_iter().flat_map(|look| &look.textures);
        let chosen: Vec<_> =
            textures.filter_map(|worn| Some((worn.kind, plain.worn(file?, worn)?))).collect();
        self.options.assets = if chosen.is_empty() && appearance == plain.appearance() {
            Arc::clone(plain)
        } else {
            Arc::new(plain.dressed_as(*appearance, chosen))
        };
    }

    /// Takes off what was chosen for another file: the numbers of its textures mean others there.
    pub(crate) fn undress_for(&mut self, label: &str) {
        if self.wardrobe.file != label && self.wardrobe.worn.take().is_some() {
            self.dress();
        }
    }

    /// Shows the model with what was chosen.
    pub(crate) fn wear(&mut self, ctx: &egui::Context) {
        self.dress();
        self.reload(ctx);
        self.message.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use effigy::assets::dbc::looks::Worn;

    #[test]
    fn a_look_is_called_by_its_number_and_textures() {
        let worn =
            |kind, path: &str| Worn { kind, candidates: vec![path.to_owned(), "other.blp".to_owned()] };
        let textures = vec![worn(11, "Creature/Wolf/WolfSkinBrown.blp"), worn(12, "Fur.blp")];
        let look = Look { table: "CreatureDisplayInfo", id: 607, textures };
        assert_eq!(title(&look), "607 WolfSkinBrown.blp, Fur.blp");
    }
}
