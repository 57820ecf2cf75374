//! From the scene back to a format's model.
//!
//! There is one folder per format. A scene that came from the same game is written as it is; one of another game is first
//! changed to the rules of the target: units, timeline, names, looks. Each of those is a pass over a copy of the scene, and
//! the last pass writes a scene that already follows the target's rules. Everything that is not exact is in the report.

mod bounds;
mod extras;
mod kept;
mod keys;
mod looks;
mod loops;
mod m2;
mod md3;
mod mdx;
mod metric;
mod names;
mod objects;
mod parts;
mod portrait;
mod reduce;
mod rescene;
mod retime;
mod root;
mod scale;
mod skin;
mod table;
mod thin;
mod timeline;
mod units;
mod wait;
mod words;

pub use m2::raise as m2;
pub use md3::{Engine, Md3, raise as md3};
pub use mdx::raise as mdx;
pub use names::Names;
pub use objects::{ObjectNames, is_team};
pub use portrait::portrait;
pub use table::Weapon;

use effigy_scene::{Id, Texture};
use effigy_wire::Report;

/// What can be chosen about the way from a scene to a model.
#[derive(Clone, Debug)]
pub struct RaiseOptions {
    /// The version to write; for MDX never 900 unless it is asked for. For M2, numbers that are not its own mean 264.
    pub version: u32,
    /// Game units of the target per unit of the source; none: what is usual between the two games.
    pub scale: Option<f32>,
    /// The height that the model should have in its first Stand; wins over `scale`.
    pub height: Option<f32>,
    /// The weapon whose attacks are taken from a World of Warcraft model.
    pub weapon: Weapon,
    /// Keys stay as they are, even where fewer would do.
    pub keep_keys: bool,
    /// Names for sequences and objects, which win over the usual ones.
    pub names: Names,
    /// Also animations that have no counterpart in the target, as `Cinematic` ones.
    pub all_sequences: bool,
    /// Frames a second of formats that store every vertex of every frame.
    pub fps: f32,
    /// The engine whose limits such formats keep to.
    pub engine: Engine,
    /// The name of the model, where the scene has none.
    pub name: String,
    /// The folder that textures of another game are placed in, as the model names it.
    pub texture_folder: String,
}

impl Default for RaiseOptions {
    fn default() -> Self {
        Self {
            version: 800,
            scale: None,
            height: None,
            weapon: Weapon::default(),
            keep_keys: false,
            names: Names::default(),
            all_sequences: false,
            fps: 15.0,
            engine: Engine::default(),
            name: String::new(),
            texture_folder: "war3mapImported".to_owned(),
        }
    }
}

/// What has to happen to the alpha of a texture so that it looks alike in the other game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum AlphaChange {
    /// Nothing, unless nothing at all would be visible: then it means something else, and becomes opaque.
    #[default]
    Keep,
    /// Nothing: the alpha of this map is not an opacity.
    Data,
    /// It becomes opaque: the game would multiply by it, and the source does not.
    Opaque,
    /// It is scaled so that the limit of the alpha test in the source, the first number, becomes that of the target.
    Test(u8, u8),
}

/// A texture that the raised model names and that does not belong to its game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RaisedTexture {
    /// The texture of the scene.
    pub source: Id<Texture>,
    /// The path in the model, with backslashes.
    pub path: String,
    /// What has to happen to its alpha.
    pub alpha: AlphaChange,
    /// Its pixels, if the scene has no such texture.
    pub fill: [u8; 4],
}

/// A model made from a scene.
#[derive(Clone, Debug)]
pub struct Raised<M> {
    /// The model.
    pub model: M,
    /// What was rebuilt, approximated and dropped.
    pub report: Report,
    /// Textures that have to be written with the model.
    pub textures: Vec<RaisedTexture>,
    /// Old and new names of the sequences, in the order of the source; no new name: it was left out.
    pub sequences: Vec<(String, Option<String>)>,
    /// Old and new names of attachments, events and materials.
    pub objects: ObjectNames,
}
