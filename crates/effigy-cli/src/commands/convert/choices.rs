//! What can be chosen about a conversion beside its target.

use clap::{Args, ValueEnum};
use effigy::scene::team;
use effigy::{Engine, MdcMode, MdlSpelling, RaiseOptions, Weapon, gltf};
use std::path::PathBuf;

/// What can be chosen about glTF.
#[derive(Debug, Args)]
#[command(next_help_heading = "glTF")]
pub struct GltfArgs {
    /// Write global sequences as animations of their own instead of unrolling them into every animation
    #[arg(long)]
    pub keep_globals: bool,
    /// Without effect: global sequences are unrolled
    #[arg(long, hide = true, conflicts_with = "keep_globals")]
    unroll_globals: bool,
    /// How many metres a game unit is [default: 1]; 0.02 makes a Warcraft III footman 1.8 m tall. To another game: units
    /// there per unit here [default: what is usual, such as 56 from World of Warcraft to Warcraft III]
    #[arg(long, value_name = "N", value_parser = scale)]
    pub scale: Option<f32>,
    /// All levels of detail, with MSFT_lod
    #[arg(long)]
    pub all_lods: bool,
    /// The player's colour by number or name, put under textures that show it; none leaves them as they are
    #[arg(long, value_name = "N", default_value = "red", value_parser = player)]
    team_color: Player,
    /// A variant of each material that is all team colour for every player (KHR_materials_variants)
    #[arg(long)]
    pub team_variants: bool,
    /// No animations: the model rests as in its first Stand
    #[arg(long, conflicts_with = "animations")]
    pub no_animations: bool,
    /// Meshes without skin and animations as they are in this sequence, at its start or so many seconds into it
    #[arg(long, value_name = "SEQUENCE[@TIME]", conflicts_with = "animations", value_parser = still)]
    pub pose: Option<gltf::Still>,
    /// Only these sequences, separated by commas
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub animations: Vec<String>,
    /// A file of each sequence (NAME@Walk.glb), next to one without animations
    #[arg(long, conflicts_with_all = ["pose", "no_animations"])]
    pub split_animations: bool,
    /// Add -loop to the names of animations that loop, which Godot understands
    #[arg(long)]
    pub loop_suffix: bool,
    /// Attachment points as bones of the armature
    #[arg(long)]
    pub attachment_bones: bool,
    /// Also the models that attachments of Warcraft III name, where they are among the files
    #[arg(long)]
    pub attached_models: bool,
    /// Show each particle emitter as a plane with its texture, which neither moves nor turns to the camera
    #[arg(long)]
    pub sprites: bool,
    /// No textures: materials only name them
    #[arg(long)]
    pub no_textures: bool,
    /// Smaller files: without the game's own textures that glTF cannot show (glows, particles), which the way back needs
    #[arg(long)]
    pub no_originals: bool,
    /// How textures are encoded where the format can hold them: jpeg has no alpha, and webp (without loss) is read by few
    /// programs
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    image_format: Picture,
    /// Keys a second where a curve has to be sampled, at most [default: 60]; with --to md3 and mdc: frames a second [default: 15]
    #[arg(long, value_name = "N", value_parser = rate)]
    pub fps: Option<f32>,
    /// Animate colours, alpha, moving textures and lights (KHR_animation_pointer); many programs cannot open such files
    #[arg(long)]
    pub animate_materials: bool,
    /// With --animate-materials: lit materials with textures too; Blender (5.0) cannot open such files
    #[arg(long, requires = "animate_materials")]
    lit_colors: bool,
    /// Plain glTF 2.0 without any extension
    #[arg(long)]
    pub draft: bool,
    /// Hide meshes by KHR_node_visibility instead of by scaling to nothing
    #[arg(long)]
    pub node_visibility: bool,
    /// Also the parts of a character that are not worn
    #[arg(long)]
    pub all_parts: bool,
}

/// What can be chosen about the way into another game.
#[derive(Debug, Args)]
#[command(next_help_heading = "Another game")]
pub struct RaiseArgs {
    /// The height of the result in its first Stand, instead of --scale
    #[arg(long, value_name = "UNITS", value_parser = scale, conflicts_with = "scale")]
    pub height: Option<f32>,
    /// Whose attacks are taken from World of Warcraft: auto, unarmed, 1h, 2h, staff, bow, rifle or thrown [default: auto]
    #[arg(long, value_name = "KIND", value_parser = weapon)]
    pub weapon: Option<Weapon>,
    /// Keep keys that are not needed
    #[arg(long)]
    pub keep_keys: bool,
    /// Also animations that the other game has no name for, as Cinematic ones
    #[arg(long)]
    pub all_sequences: bool,
    /// Names of sequences, attachments, events and materials; --print-names makes such a file
    #[arg(long, value_name = "FILE")]
    pub names: Option<PathBuf>,
    /// Print the names that would be given, and convert nothing
    #[arg(long)]
    pub print_names: bool,
    /// Also write a model for the portrait
    #[arg(long)]
    pub portrait: bool,
    /// The engine whose limits MD3 and MDC keep to: ioq3, rtcw or et [default: ioq3]
    #[arg(long, value_name = "NAME", value_parser = engine)]
    pub engine: Option<Engine>,
}

fn engine(text: &str) -> Result<Engine, String> {
    let known = Engine::ALL.iter().find(|(_, name)| name.eq_ignore_ascii_case(text));
    known.map(|(engine, _)| *engine).ok_or_else(|| "ioq3, rtcw or et is needed".to_owned())
}

fn weapon(text: &str) -> Result<Weapon, String> {
    Weapon::from_name(text)
        .ok_or_else(|| "auto, unarmed, 1h, 2h, staff, bow, rifle or thrown is needed".to_owned())
}

impl RaiseArgs {
    /// As the library takes them.
    ///
    /// # Errors
    /// When the file of names cannot be read.
    pub fn options(&self, scale: Option<f32>, fps: Option<f32>) -> Result<RaiseOptions, String> {
        let names = match &self.names {
            None => effigy::Names::default(),
            Some(path) => {
                let text =
                    std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
                effigy::read_names(&text).map_err(|error| format!("{}: {error}", path.display()))?
            }
        };
        Ok(RaiseOptions {
            scale,
            height: self.height,
            weapon: self.weapon.unwrap_or_default(),
            keep_keys: self.keep_keys,
            all_sequences: self.all_sequences,
            names,
            fps: fps.unwrap_or(15.0),
            engine: self.engine.unwrap_or_default(),
            ..RaiseOptions::default()
        })
    }
}

/// `--team-color`: a player, or none.
#[derive(Clone, Copy, Debug)]
struct Player(Option<u8>);

fn player(text: &str) -> Result<Player, String> {
    if text.eq_ignore_ascii_case("none") {
        return Ok(Player(None));
    }
    let number = team::player(text).and_then(|number| u8::try_from(number).ok());
    let number =
        number.ok_or_else(|| "a number below 24, a name such as red or teal, or none is needed".to_owned());
    Ok(Player(Some(number?)))
}

fn rate(text: &str) -> Result<f32, String> {
    let number: Option<f32> = text.parse().ok().filter(|it| (1.0..=1000.0).contains(it));
    number.ok_or_else(|| "a number from 1 to 1000 is needed".to_owned())
}

fn scale(text: &str) -> Result<f32, String> {
    let number: Option<f32> = text.parse().ok().filter(|it| (1e-9..=1e9).contains(it));
    number.ok_or_else(|| "a number above 0 is needed, from 1e-9 to 1e9".to_owned())
}

/// A sequence, and a number after the last `@`, if there is one.
fn still(text: &str) -> Result<gltf::Still, String> {
    let parts = text.rsplit_once('@').and_then(|(name, time)| Some((name, time.parse().ok()?)));
    let (name, time): (&str, f32) = parts.unwrap_or((text, 0.0));
    if !time.is_finite() || time < 0.0 {
        return Err("the time is a number of seconds from 0 on".to_owned());
    }
    Ok(gltf::Still { sequence: name.to_owned(), time })
}

impl GltfArgs {
    /// As the exporter takes them.
    pub fn options(&self, lod: u32) -> gltf::ExportOptions {
        gltf::ExportOptions {
            fps: self.fps.unwrap_or(60.0),
            keep_globals: self.keep_globals,
            scale: self.scale.unwrap_or(1.0),
            lod,
            all_lods: self.all_lods,
            team_color: self.team_color.0,
            team_variants: self.team_variants,
            animate: !self.no_animations,
            pose: self.pose.clone(),
            animations: self.animations.clone(),
            textures: !self.no_textures,
            originals: !self.no_originals,
            image_format: self.image_format.into(),
            animate_materials: self.animate_materials,
            lit_colors: self.lit_colors,
            draft: self.draft,
            visibility: if self.node_visibility {
                gltf::Visibility::Extension
            } else {
                gltf::Visibility::Scale
            },
            loop_suffix: self.loop_suffix,
            attachment_bones: self.attachment_bones,
            sprites: self.sprites,
            all_parts: self.all_parts,
            ..gltf::ExportOptions::default()
        }
    }
}

/// `--image-format`.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum Picture {
    #[default]
    Png,
    Jpeg,
    Webp,
}

impl From<Picture> for gltf::ImageFormat {
    fn from(picture: Picture) -> Self {
        match picture {
            Picture::Png => Self::Png,
            Picture::Jpeg => Self::Jpeg,
            Picture::Webp => Self::WebP,
        }
    }
}

/// `--dialect`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
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
