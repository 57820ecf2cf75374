//! Warcraft III: names of textures, replaceable textures, team colours.
//!
//! Paths are relative to the root of the game or map. Files that a map imports are in `war3mapImported`, or have a path
//! that their author chose. Reforged has its high-definition files in `_hd.w3mod` and refers to textures as `.tif` that it
//! ships as `.dds`. The table of replaceable textures and the colours agree with the viewers and editors of the game.

use super::Names;
use crate::name;
use effigy_image::Image;

/// Which textures of the game to use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Graphics {
    /// Classic: the files in the root folder.
    #[default]
    Classic,
    /// Reforged: first the files in `_hd.w3mod`.
    Reforged,
}

/// The possible paths of a texture, in the order in which they are tried.
///
/// `model` is the path of the model inside its source (empty if it has none). Files next to the model are tried last,
/// since models are often shared together with their textures.
#[must_use]
pub fn texture_candidates(reference: &str, model: &str, graphics: Graphics) -> Vec<String> {
    let mut names = Names::default();
    if name::tidy(reference).is_empty() {
        return Vec::new();
    }
    let bare = name::file_name(reference);
    let imported = name::join("war3mapImported", bare);
    let mut paths = vec![reference.to_owned(), imported, bare.to_owned()];
    let model_folder = name::folder(model);
    if !model_folder.is_empty() {
        paths.push(name::join(model_folder, reference));
        paths.push(name::join(model_folder, bare));
    }
    let roots: &[&str] = match graphics {
        Graphics::Classic => &["", "war3.w3mod"],
        Graphics::Reforged => &["_hd.w3mod", "war3.w3mod/_hd.w3mod", "", "war3.w3mod"],
    };
    for root in roots {
        for path in &paths {
            for extension in extensions(reference, graphics) {
                let spelt =
                    if extension.is_empty() { path.clone() } else { name::with_extension(path, extension) };
                names.add(name::join(root, &spelt));
            }
        }
    }
    names.into_vec()
}

/// Extensions in the order in which they are tried; an empty one means the unchanged name.
fn extensions(reference: &str, graphics: Graphics) -> &'static [&'static str] {
    match (name::extension(reference).as_str(), graphics) {
        // The game has no .tif files: Reforged ships them as .dds.
        ("tif", _) => &["dds", "blp", "tga", ""],
        (_, Graphics::Reforged) => &["dds", "", "blp", "tga"],
        (_, Graphics::Classic) => &["", "blp", "dds", "tga"],
    }
}

/// The possible paths of a model that another model or a map refers to. References end in `.mdl`, the files in `.mdx`.
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

/// Width and height of the generated team colour texture.
const COLOR_SIDE: u16 = 8;

/// A generated team colour texture (replaceable 1), for use without the game's files: a single colour.
#[must_use]
pub fn team_color_image(team: usize) -> Image {
    let [red, green, blue] = team_color(team);
    Image::flat(COLOR_SIDE, COLOR_SIDE, [red, green, blue, 255])
}

/// A generated team glow texture (replaceable 2), for use without the game's files: see [`Image::glow`].
#[must_use]
pub fn team_glow_image(team: usize) -> Image {
    Image::glow(team_color(team))
}

/// A texture that the game chooses, by player or by tileset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Replaceable {
    /// The number in a model's texture record.
    pub id: u32,
    /// A description.
    pub title: &'static str,
    /// Its path in `ReplaceableTextures`, without extension; empty if there is no file. For 1 and 2, the number of the team
    /// is appended.
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

    /// The possible paths of its file, for a team.
    #[must_use]
    pub fn candidates(self, team: usize, graphics: Graphics) -> Vec<String> {
        if self.path.is_empty() {
            return Vec::new();
        }
        let number = if self.id <= 2 { format!("{team:02}") } else { String::new() };
        texture_candidates(&format!("ReplaceableTextures/{}{number}.blp", self.path), "", graphics)
    }

    /// A generated substitute for use without the game's files: the team's colour or glow; `None` for all others.
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
    fn classic_names_are_first_tried_unchanged() {
        let names = texture_candidates(r"Textures\Footman.blp", "", Graphics::Classic);
        assert_eq!(names[..3], ["Textures/Footman.blp", "Textures/Footman.dds", "Textures/Footman.tga"]);
        assert!(
            names.contains(&"war3mapImported/Footman.blp".into()) && names.contains(&"Footman.tga".into())
        );
    }

    #[test]
    fn a_tif_is_first_searched_as_a_dds_in_the_hd_folder() {
        let names = texture_candidates(r"Units\Orc\Grunt\Grunt_Diffuse.tif", "", Graphics::Reforged);
        assert_eq!(names[0], "_hd.w3mod/Units/Orc/Grunt/Grunt_Diffuse.dds");
        assert!(names.contains(&"Units/Orc/Grunt/Grunt_Diffuse.dds".into()));
    }

    #[test]
    fn files_next_to_the_model_come_last() {
        let names = texture_candidates("Skin.blp", "models/hero.mdx", Graphics::Classic);
        let at = |name: &str| names.iter().position(|one| one == name).unwrap();
        assert!(at("models/Skin.blp") > at("war3mapImported/Skin.blp"));
        assert!(texture_candidates("", "models/hero.mdx", Graphics::Classic).is_empty());
    }

    #[test]
    fn references_to_mdl_are_found_as_mdx() {
        assert_eq!(model_candidates(r"Units\Footman.mdl", Graphics::Classic)[0], "Units/Footman.mdx");
    }

    #[test]
    fn team_textures_are_generated() {
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
