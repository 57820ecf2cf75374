//! The images of one model: found by the game's rules, decoded, and made by code where the game makes them.

use super::{Assets, Naming, TextureRef};
use crate::file::FileRef;
use crate::name;
use crate::rules::warcraft3;
use effigy_image::Image;
use effigy_scene::{Replaceable, Texture, Textures, Unread};

/// The images of one model.
#[derive(Clone, Copy, Debug)]
pub struct ModelTextures<'a> {
    /// Where files are looked for.
    pub assets: &'a Assets,
    /// The model's file.
    pub file: &'a FileRef,
    /// The game's rules for names.
    pub naming: Naming,
    /// The player whose colour is shown, by number. `None` leaves team colours to whoever asks.
    pub team: Option<usize>,
}

impl Textures for ModelTextures<'_> {
    fn image(&mut self, wanted: &Texture) -> Option<Image> {
        self.find(wanted)?.read().decode()
    }

    fn find(&mut self, wanted: &Texture) -> Option<Unread> {
        let kind = wanted.replaceable.map_or(0, Replaceable::number);
        let is_team = matches!(wanted.replaceable, Some(Replaceable::TeamColor | Replaceable::TeamGlow));
        let made = |team| warcraft3::Replaceable::by_id(kind)?.stand_in(team);
        match self.team {
            None if is_team => return None,
            // The game's files are those of the first player; the others are made by code.
            Some(team) if is_team && team != 0 => return made(team).map(Unread::from),
            _ => {}
        }
        let otherwise = if is_team { made(0) } else { by_name(&wanted.path) };
        let named = TextureRef { path: &wanted.path, replaceable: kind };
        if named.without_junk(self.naming).path.is_empty()
            && let Some(image) = self.assets.of_character(self.naming, self.file, kind)
        {
            return Some(Unread::from(image));
        }
        match self.assets.image_file(self.naming, self.file, named) {
            Some(found) => Some(Unread::file(move || found.read().ok(), *self.assets.limits(), otherwise)),
            None => otherwise.map(Unread::from),
        }
    }
}

/// What is made by code where the game's file is missing: the colour or glow of the team that a path names, such as
/// `TeamColor\\TeamColor05.blp`, and the plain textures that models without a picture of their own name.
fn by_name(path: &str) -> Option<Image> {
    let path = path.to_lowercase().replace('\\', "/");
    let (stem, _) = name::file_name(&path).rsplit_once('.')?;
    let team = |prefix: &str| stem.strip_prefix(prefix)?.parse().ok();
    let plain = |value: u8| Image::new(8, 8, [value, value, value, u8::MAX].repeat(64)).ok();
    match path.rsplit_once('.')?.0 {
        "textures/white" => plain(u8::MAX),
        "textures/black32" => plain(0),
        _ => team("teamcolor")
            .map(warcraft3::team_color_image)
            .or_else(|| team("teamglow").map(warcraft3::team_glow_image)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn team_colours_that_a_model_names_are_made_by_code() {
        let found = by_name(r"ReplaceableTextures\TeamColor\TeamColor05.blp").unwrap();
        let [r, g, b] = warcraft3::team_color(5);
        assert_eq!(found.pixels()[..4], [r, g, b, 255]);
        assert!(by_name("TeamGlow/teamglow00.blp").is_some());
        assert_eq!(by_name(r"Textures\White.blp").unwrap().pixels()[..4], [255; 4]);
        assert_eq!(by_name(r"textures\Black32.dds").unwrap().pixels()[..4], [0, 0, 0, 255]);
        assert!(by_name(r"MyTextures\White.blp").is_none());
        assert!(by_name("TeamColor.blp").is_none() && by_name("x").is_none());
    }
}
