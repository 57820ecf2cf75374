//! Warcraft III: names of textures, replaceable textures, team colours.
//!
//! Paths count from the root of the game or map. What a map imports lies in `war3mapImported` or keeps the path its
//! author gave it. Reforged keeps the high-definition files below `_hd.w3mod` and names textures `.tif` that are
//! shipped as `.dds`. The table of replaceable textures and the colours are those that viewers and editors of the game
//! agree on.

use super::Names;
use crate::name;
use effigy_image::Image;

/// Whose textures are wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Graphics {
    /// Classic: the files at the root.
    #[default]
    Classic,
    /// Reforged: the files below `_hd.w3mod` first.
    Reforged,
}

/// The names under which a texture may lie, in the order in which they are tried.
///
/// `model` is the path of the model inside its source (empty if it has none): last of all, the files beside it are
/// tried, since models are handed around with their textures next to them.
#[must_use]
pub fn texture_candidates(reference: &str, model: &str, graphics: Graphics) -> Vec<String> {
    let mut names = Names::default();
    if name::tidy(reference).is_empty() {
        return Vec::new();
    }
    let bare = name::file_name(reference);
    let imported = name::join("war3mapImported", bare);
    let mut places = vec![reference.to_owned(), imported, bare.to_owned()];
    let beside = name::folder(model);
    if !beside.is_empty() {
        places.push(name::join(beside, reference));
        places.push(name::join(beside, bare));
    }
    let roots: &[&str] = match graphics {
        Graphics::Classic => &["", "war3.w3mod"],
        Graphics::Reforged => &["_hd.w3mod", "war3.w3mod/_hd.w3mod", "", "war3.w3mod"],
    };
    for root in roots {
        for place in &places {
            for extension in extensions(reference, graphics) {
                let spelt =
                    if extension.is_empty() { place.clone() } else { name::with_extension(place, extension) };
                names.add(name::join(root, &spelt));
            }
        }
    }
    names.into_vec()
}

/// Extensions in the order in which they are tried; an empty one is the name as it stands.
fn extensions(reference: &str, graphics: Graphics) -> &'static [&'static str] {
    match (name::extension(reference).as_str(), graphics) {
        // No game file is a .tif: Reforged ships .dds under that name.
        ("tif", _) => &["dds", "blp", "tga", ""],
        (_, Graphics::Reforged) => &["dds", "", "blp", "tga"],
        (_, Graphics::Classic) => &["", "blp", "dds", "tga"],
    }
}

/// The names under which a model that another model or a map mentions may lie: `.mdl` is written and `.mdx` is meant.
#[must_use]
pub fn model_candidates(reference: &str, graphics: Graphics) -> Vec<String> {
    let mut names = Names::default();
    let roots: &[&str] = match graphics {
        Graphics::Classic => &["", "war3.w3mod"],
        Graphics::Reforged => &["_hd.w3mod", "war3.w3mod/_hd.w3mod", "", "war3.w3mod"],
    };
    for root in roots {
        for place in [reference.to_owned(), name::join("war3mapImported", name::file_name(reference))] {
            for extension in ["mdx", "mdl"] {
                names.add(name::join(root, &name::with_extension(&place, extension)));
            }
        }
    }
    names.into_vec()
}

pub use effigy_scene::team::{COLORS as TEAM_COLORS, NAMES as TEAM_NAMES, color as team_color};

/// Pixels a side of a team colour made by code.
const COLOR_SIDE: u16 = 8;

/// The team colour texture (replaceable 1), without the game's files: one flat colour.
#[must_use]
pub fn team_color_image(team: usize) -> Image {
    let [red, green, blue] = team_color(team);
    Image::flat(COLOR_SIDE, COLOR_SIDE, [red, green, blue, 255])
}

/// The team glow texture (replaceable 2), without the game's files: the colour fades to black from the middle, since
/// the game adds it to what is behind.
#[must_use]
pub fn team_glow_image(team: usize) -> Image {
    Image::glow(team_color(team))
}

/// A texture that the game chooses: by player, by tileset, or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Replaceable {
    /// The number that a model's texture states.
    pub id: u32,
    /// What it is for.
    pub title: &'static str,
    /// Where it lies below `ReplaceableTextures`, without extension; empty where there is no such file. For 1 and 2
    /// the number of the team is added.
    pub path: &'static str,
}

/// The replaceable textures of Warcraft III.
pub const REPLACEABLES: [Replaceable; 11] = [
    Replaceable { id: 1, title: "team colour", path: "TeamColor/TeamColor" },
    Replaceable { id: 2, title: "team glow", path: "TeamGlow/TeamGlow" },
    Replaceable { id: 11, title: "cliff", path: "Cliff/Cliff0" },
    Replaceable { id: 21, title: "cursor", path: "" },
    Replaceable { id: 31, title: "Lordaeron tree", path: "LordaeronTree/LordaeronSummerTree" },
    Replaceable { id: 32, title: "Ashenvale tree", path: "AshenvaleTree/AshenTree" },
    Replaceable { id: 33, title: "Barrens tree", path: "BarrensTree/BarrensTree" },
    Replaceable { id: 34, title: "Northrend tree", path: "NorthrendTree/NorthTree" },
    Replaceable { id: 35, title: "mushroom tree", path: "Mushroom/MushroomTree" },
    Replaceable { id: 36, title: "ruins tree", path: "RuinsTree/RuinsTree" },
    Replaceable { id: 37, title: "Outland mushroom tree", path: "OutlandMushroomTree/MushroomTree" },
];

impl Replaceable {
    /// The replaceable texture of this number.
    #[must_use]
    pub fn by_id(id: u32) -> Option<Self> {
        REPLACEABLES.iter().find(|known| known.id == id).copied()
    }

    /// The names under which it may lie, for a player's team.
    #[must_use]
    pub fn candidates(self, team: usize, graphics: Graphics) -> Vec<String> {
        if self.path.is_empty() {
            return Vec::new();
        }
        let number = if self.id <= 2 { format!("{team:02}") } else { String::new() };
        texture_candidates(&format!("ReplaceableTextures/{}{number}.blp", self.path), "", graphics)
    }

    /// What stands in where the game's files are not there: the team's colour and glow; `None` for the rest.
    #[must_use]
    pub fn stand_in(self, team: usize) -> Option<Image> {
        match self.id {
            1 => Some(team_color_image(team)),
            2 => Some(team_glow_image(team)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classic_names_are_tried_as_they_stand_first() {
        let names = texture_candidates(r"Textures\Footman.blp", "", Graphics::Classic);
        assert_eq!(names[..3], ["Textures/Footman.blp", "Textures/Footman.dds", "Textures/Footman.tga"]);
        assert!(
            names.contains(&"war3mapImported/Footman.blp".into()) && names.contains(&"Footman.tga".into())
        );
    }

    #[test]
    fn a_tif_is_a_dds_below_the_hd_folder_first() {
        let names = texture_candidates(r"Units\Orc\Grunt\Grunt_Diffuse.tif", "", Graphics::Reforged);
        assert_eq!(names[0], "_hd.w3mod/Units/Orc/Grunt/Grunt_Diffuse.dds");
        assert!(names.contains(&"Units/Orc/Grunt/Grunt_Diffuse.dds".into()));
    }

    #[test]
    fn files_beside_the_model_come_last() {
        let names = texture_candidates("Skin.blp", "models/hero.mdx", Graphics::Classic);
        let at = |name: &str| names.iter().position(|one| one == name).unwrap();
        assert!(at("models/Skin.blp") > at("war3mapImported/Skin.blp"));
        assert!(texture_candidates("", "models/hero.mdx", Graphics::Classic).is_empty());
    }

    #[test]
    fn models_that_say_mdl_are_found_as_mdx() {
        assert_eq!(model_candidates(r"Units\Footman.mdl", Graphics::Classic)[0], "Units/Footman.mdx");
    }

    #[test]
    fn team_textures_are_made_by_code() {
        for (team, color) in TEAM_COLORS.iter().enumerate() {
            assert_eq!(team_color_image(team).pixels()[..3], *color);
            let glow = team_glow_image(team);
            assert_eq!(glow.pixels()[..4], [0, 0, 0, 255]);
            assert!(glow.pixels().iter().max() > Some(&150));
        }
        let red = Replaceable::by_id(1).unwrap().candidates(0, Graphics::Classic);
        assert_eq!(red[0], "ReplaceableTextures/TeamColor/TeamColor00.blp");
        let tree = Replaceable::by_id(32).unwrap().candidates(5, Graphics::Classic);
        assert_eq!(tree[0], "ReplaceableTextures/AshenvaleTree/AshenTree.blp");
        assert!(Replaceable::by_id(21).unwrap().candidates(0, Graphics::Classic).is_empty());
    }
}
