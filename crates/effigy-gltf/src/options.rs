//! Options of the export.

use crate::ImageFormat;
use effigy_scene::{Id, Sequence};

/// How meshes that are not always visible are hidden.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Visibility {
    /// By scaling to 0, in steps: every viewer supports that.
    #[default]
    Scale,
    /// By `KHR_node_visibility` through `KHR_animation_pointer`.
    Extension,
}

/// One moment of a sequence.
#[derive(Clone, Debug, PartialEq)]
pub struct Still {
    /// The name of the sequence (without case).
    pub sequence: String,
    /// Seconds from its start.
    pub time: f32,
}

/// What an export contains and how exact it is.
#[derive(Clone, Debug, PartialEq)]
pub struct ExportOptions {
    /// Keys per second at most, where a curve has to be sampled.
    pub fps: f32,
    /// Rotations get keys until the error in radians is below this, at most [`ExportOptions::fps`] per second. Measured as by
    /// programs that mix the four numbers of a rotation one by one.
    pub rotation_tolerance: f32,
    /// Cubic curves get keys on the same curve until straight lines between them are off by no more than this share
    /// of the model's size: for programs that ignore tangents. Curves that bend less everywhere are written as
    /// straight lines. None: cubic curves keep only their own keys and are exact.
    pub curve_tolerance: Option<f32>,
    /// Writes global sequences as separate animations instead of unrolling them into every animation.
    pub keep_globals: bool,
    /// How long a game unit is in the file, in metres. It is the scale of the root node; all other numbers stay in game
    /// units.
    pub scale: f32,
    /// Which level of detail, 0 the finest.
    pub lod: u32,
    /// All levels, with `MSFT_lod`.
    pub all_lods: bool,
    /// The player's colour by number, put under textures that show it; red by default. None: textures stay as they are.
    pub team_color: Option<u8>,
    /// Writes a copy of each material that is all team colour for every player (`KHR_materials_variants`).
    pub team_variants: bool,
    /// Writes animations; otherwise the model rests as in its first Stand.
    pub animate: bool,
    /// Writes meshes without skin and animations as they are at this moment.
    pub pose: Option<Still>,
    /// Only sequences with these names (without case); empty: all. If there are none of them, the export fails.
    pub animations: Vec<String>,
    /// Only this sequence, also if others have the same name.
    pub sequence: Option<Id<Sequence>>,
    /// Adds `-loop` to the names of animations that loop, which Godot understands.
    pub loop_suffix: bool,
    /// Most bytes of keys in all animations together. A model that needs more is refused.
    pub animation_bytes: usize,
    /// Writes textures; otherwise materials only name them in their extras.
    pub textures: bool,
    /// Keeps files of the game whose pictures glTF cannot show as they are (glows, cut-outs, textures of particles), so that the
    /// file comes back as the model that it was. Other programs do not see them.
    pub originals: bool,
    /// How pictures are encoded, where the format can hold them.
    pub image_format: ImageFormat,
    /// Animates colours, alpha, moving textures and lights through `KHR_animation_pointer`. Many programs cannot open such a
    /// file; without this their tracks are in `extras` alone.
    pub animate_materials: bool,
    /// With [`ExportOptions::animate_materials`]: animates colour and alpha of lit materials with textures too. Blender (5.0) cannot open such a file; without this
    /// their tracks are in `extras` alone.
    pub lit_colors: bool,
    /// Plain glTF 2.0 without any extension.
    pub draft: bool,
    /// How meshes are hidden.
    pub visibility: Visibility,
    /// Attachment points are bones of the armature too. Their extras are on a node below, because Blender drops those of bones.
    pub attachment_bones: bool,
    /// Shows each particle emitter as a plane with its texture.
    pub sprites: bool,
    /// Writes meshes that are not shown by default too (a character's other hair styles).
    pub all_parts: bool,
}

impl Default for ExportOptions {
    fn default() -> Self {
        Self {
            fps: 60.0,
            rotation_tolerance: 0.000_3,
            curve_tolerance: Some(0.000_2),
            keep_globals: false,
            scale: 1.0,
            lod: 0,
            all_lods: false,
            team_color: Some(0),
            team_variants: false,
            animate: true,
            pose: None,
            animations: Vec::new(),
            sequence: None,
            loop_suffix: false,
            animation_bytes: 256 << 20,
            textures: true,
            originals: true,
            image_format: ImageFormat::Png,
            animate_materials: false,
            lit_colors: false,
            draft: false,
            visibility: Visibility::Scale,
            attachment_bones: false,
            sprites: false,
            all_parts: false,
        }
    }
}

impl ExportOptions {
    /// Whether a sequence is written.
    pub(crate) fn chooses(&self, id: Id<Sequence>, name: &str) -> bool {
        self.sequence.is_none_or(|only| only == id)
            && (self.animations.is_empty() || self.animations.iter().any(|it| it.eq_ignore_ascii_case(name)))
    }
}
