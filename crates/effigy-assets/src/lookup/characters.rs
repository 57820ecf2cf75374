//! What a character of World of Warcraft looks like, by the table `CharSections`.

use super::{Assets, Naming, name_in_game};
use crate::Found;
use crate::dbc::appearance::{self, Appearance};
use crate::dbc::characters::Section;
use crate::file::FileRef;
use effigy_image::Image;
use std::sync::{Mutex, PoisonError};

/// The texture of a body, which is painted from several files.
const BODY: u32 = 1;

/// How many choices there are for each part of a character.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Choices {
    /// Colours of the skin.
    pub skins: u32,
    /// Faces.
    pub faces: u32,
    /// Hair styles.
    pub hairs: u32,
    /// Colours of the hair.
    pub hair_colors: u32,
    /// Beards, horns or earrings.
    pub facials: u32,
}

impl Assets {
    /// Chooses the look of characters.
    pub const fn dress(&mut self, appearance: Appearance) {
        self.appearance = appearance;
    }

    /// The look of characters.
    #[must_use]
    pub const fn appearance(&self) -> &Appearance {
        &self.appearance
    }

    /// The same files for another look of characters, with these textures instead of those that the game would choose, by number. What
    /// was read of the game's tables is shared.
    #[must_use]
    pub fn dressed_as(&self, look: Appearance, chosen: impl IntoIterator<Item = (u32, Found)>) -> Self {
        let mut assets = Self { stack: self.stack.clone(), appearance: look, ..Self::new(self.limits) };
        assets.chosen.clone_from(&self.chosen);
        assets.chosen.extend(chosen);
        assets.looks = Mutex::new(self.looks.lock().unwrap_or_else(PoisonError::into_inner).clone());
        assets
    }

    /// What can be chosen for a character; none for other models, and without the game's tables.
    #[must_use]
    pub fn choices(&self, naming: Naming, file: &FileRef) -> Option<Choices> {
        if naming != Naming::Wow {
            return None;
        }
        let tables = self.tables(&self.home(file));
        let rows = tables.sections(name_in_game(file));
        let most = |section: Section, number: &dyn Fn(u32, u32) -> u32| {
            let of_section = rows.iter().filter(|row| row.section == section);
            of_section.map(|row| number(row.variation, row.color).saturating_add(1)).max().unwrap_or(0)
        };
        let choices = Choices {
            skins: most(Section::Skin, &|_, color| color),
            faces: most(Section::Face, &|variation, _| variation),
            hairs: most(Section::Hair, &|variation, _| variation),
            hair_colors: most(Section::Hair, &|_, color| color),
            facials: most(Section::FacialHair, &|variation, _| variation),
        };
        (choices.skins > 0).then_some(choices)
    }

    /// The part of a character model that shows the chosen hair style. Without the game's table, styles are counted in the
    /// order of the parts, after the bald head. None if nothing was chosen and there is no table.
    #[must_use]
    pub fn hair_part(&self, naming: Naming, file: &FileRef) -> Option<u32> {
        if naming != Naming::Wow {
            return None;
        }
        let tables = self.tables(&self.home(file));
        let style = self.appearance.hair;
        tables
            .hair_part(name_in_game(file), style.unwrap_or(0))
            .or_else(|| style.map(|style| style.saturating_add(1)))
    }

    /// The parts that a character shows instead of the hair, beard and ears that a helmet hides, by the game's tables.
    #[must_use]
    pub fn plain_parts(&self, character: &FileRef, helmet: &FileRef) -> Vec<u32> {
        self.tables(&self.home(character)).plain_parts(name_in_game(character), name_in_game(helmet))
    }

    /// The picture of a character's texture: its body, painted, or its hair. None for other models, and for what the user
    /// has chosen by file.
    pub(super) fn of_character(&self, naming: Naming, file: &FileRef, kind: u32) -> Option<Image> {
        if naming != Naming::Wow || ![BODY, 6, 8].contains(&kind) || self.chosen.contains_key(&kind) {
            return None;
        }
        let home = self.home(file);
        let tables = self.tables(&home);
        let rows = tables.sections(name_in_game(file));
        let image = |path: &str| {
            let bytes = self.search(&home, path, &[crate::name::tidy(path)])?.read().ok()?;
            effigy_image::read_with(&bytes, &self.limits).ok()
        };
        if kind == BODY {
            appearance::body(&rows, &self.appearance, image)
        } else {
            appearance::texture(&rows, &self.appearance, kind).and_then(image)
        }
    }
}
