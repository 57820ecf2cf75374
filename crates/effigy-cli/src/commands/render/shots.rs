//! The pictures of one model from a file, with the textures that are found for it.

use crate::batch::Loaded;
use crate::inputs::Source;
use crate::pictures::Pictures;
use crate::textures::Lookup;
use effigy::scene_graph::{Texture, validate};
use effigy::{Limits, Lowered, Result};
use effigy_assets::rules::warcraft3;
use effigy_render::{Image, Picture, Renderer, Shots, Textures};

/// The textures of a model, and team colours that it asks for by name.
struct Wardrobe<'a>(Pictures<'a>);

impl Textures for Wardrobe<'_> {
    fn image(&mut self, texture: &Texture) -> Option<Image> {
        let mut image = self.0.image(texture).or_else(|| team_by_name(&texture.path))?;
        let pixels = image.levels.first_mut().map(std::mem::take)?;
        Some(Image { width: image.width, height: image.height, pixels })
    }
}

/// The colour or glow of the team that a path names, such as `TeamColor\\TeamColor05.blp`, made by code.
fn team_by_name(path: &str) -> Option<effigy_image::Image> {
    let file = effigy_assets::name::file_name(path).to_lowercase();
    let (stem, _) = file.rsplit_once('.')?;
    let team = |prefix: &str| stem.strip_prefix(prefix)?.parse().ok();
    team("teamcolor")
        .map(warcraft3::team_color_image)
        .or_else(|| team("teamglow").map(warcraft3::team_glow_image))
}

/// Takes the pictures of a model.
pub fn take(
    renderer: &Renderer,
    lookup: &Lookup,
    source: &Source,
    loaded: &Loaded,
    limits: Limits,
    picture: &Picture,
) -> Result<Shots> {
    let document = loaded.document.as_ref();
    let mut lowered = effigy::lower(document)?;
    lookup.dress(source, document, &mut lowered);
    let Lowered { scene, report } = lowered;
    let mut textures = Wardrobe(Pictures { lookup, source, document, team: 0, limits });
    let mut shots = renderer.take(&validate(scene)?, &mut textures, picture)?;
    shots.report.append(report);
    Ok(shots)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn team_colours_that_a_model_names_are_made_by_code() {
        let found = team_by_name(r"ReplaceableTextures\TeamColor\TeamColor05.blp").unwrap();
        let [r, g, b] = warcraft3::team_color(5);
        assert_eq!(found.pixels()[..4], [r, g, b, 255]);
        assert!(team_by_name("TeamGlow/teamglow00.blp").is_some());
        assert!(team_by_name("TeamColor.blp").is_none() && team_by_name("x").is_none());
    }
}
