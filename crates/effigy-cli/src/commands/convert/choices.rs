//! What can be chosen about a conversion beside its target.

use clap::{Args, ValueEnum};
use effigy::scene::team;
use effigy::{MdcMode, MdlSpelling, gltf};

/// What can be chosen about glTF.
#[derive(Debug, Args)]
#[command(next_help_heading = "glTF")]
pub struct GltfArgs {
    /// Bake global sequences into every animation instead of writing them as animations of their own
    #[arg(long)]
    unroll_globals: bool,
    /// Which level of detail, 0 the finest
    #[arg(long, value_name = "N", default_value_t)]
    lod: u32,
    /// All levels of detail, with MSFT_lod
    #[arg(long)]
    all_lods: bool,
    /// The player's colour by number, put under textures that show it
    #[arg(long, value_name = "N", value_parser = player)]
    team_color: Option<u8>,
    /// Only these sequences, separated by commas
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    animations: Vec<String>,
    /// No textures: materials only name them
    #[arg(long)]
    no_textures: bool,
    /// Keys a second where a curve has to be sampled, at most
    #[arg(long, value_name = "N", default_value_t = 60.0)]
    fps: f32,
    /// Animate colour and alpha of lit materials with textures too; Blender (5.0) cannot open such files
    #[arg(long)]
    lit_colors: bool,
    /// Plain glTF 2.0 without any extension
    #[arg(long)]
    draft: bool,
    /// Hide meshes by KHR_node_visibility instead of by scaling to nothing
    #[arg(long)]
    node_visibility: bool,
    /// Also the parts of a character that are not worn
    #[arg(long)]
    all_parts: bool,
}

fn player(text: &str) -> Result<u8, String> {
    let number = team::player(text).and_then(|number| u8::try_from(number).ok());
    number.ok_or_else(|| "a number below 24 or a name such as red or teal is needed".to_owned())
}

impl GltfArgs {
    /// As the exporter takes them.
    pub fn options(&self) -> gltf::ExportOptions {
        gltf::ExportOptions {
            fps: self.fps.clamp(1.0, 1000.0),
            unroll_globals: self.unroll_globals,
            lod: self.lod,
            all_lods: self.all_lods,
            team_color: self.team_color,
            animations: self.animations.clone(),
            textures: !self.no_textures,
            lit_colors: self.lit_colors,
            draft: self.draft,
            visibility: if self.node_visibility {
                gltf::Visibility::Extension
            } else {
                gltf::Visibility::Scale
            },
            all_parts: self.all_parts,
            ..gltf::ExportOptions::default()
        }
    }
}

/// `--dialect`.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub enum Spelling {
    /// The game's own
    #[default]
    Warcraft3,
    /// HiveWE's
    Hive,
    /// Retera's Model Studio's
    Retera,
}

impl From<Spelling> for MdlSpelling {
    fn from(spelling: Spelling) -> Self {
        match spelling {
            Spelling::Warcraft3 => Self::Warcraft3,
            Spelling::Hive => Self::Hive,
            Spelling::Retera => Self::Retera,
        }
    }
}

/// `--mdc-mode`.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub enum Compression {
    /// As the game's own tool does it
    #[default]
    Engine,
    /// Exact frames wherever they cost nothing
    LosslessFirst,
    /// As few bytes as the engine can read
    Smallest,
}

impl From<Compression> for MdcMode {
    fn from(mode: Compression) -> Self {
        match mode {
            Compression::Engine => Self::Engine,
            Compression::LosslessFirst => Self::LosslessFirst,
            Compression::Smallest => Self::Smallest,
        }
    }
}
