//! The options of pictures on the command line.

use crate::args::AssetArgs;
use clap::Args;
use effigy::pictures::{Background, Shot, Size, TeamColor, Time, Viewpoint};
use effigy::{Picture, Result};

/// Options of pictures, apart from inputs and outputs.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Picture")]
pub struct PictureArgs {
    /// Width and height in pixels, such as 512 or 800x600 [default: 512; 192 for each of many models on a sheet]
    #[arg(long, value_name = "SIZE")]
    pub size: Option<Size>,
    /// The sequence to show, by name or number [default: a stand]
    #[arg(long, value_name = "NAME")]
    pub anim: Option<String>,
    /// When in the sequence: seconds, or a share such as 50% [default: half a second, or half of a shorter sequence]
    #[arg(long, value_name = "TIME")]
    pub time: Option<Time>,
    /// Frames a second of animations
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub fps: u32,
    /// Seconds that an animation lasts [default: once through the sequence; 4 for a turntable]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub seconds: Option<f64>,
    /// Walk around the model once
    #[arg(long)]
    pub turntable: bool,
    /// From where: auto (portraits and scenes by their own camera), front, side, three-quarter, portrait, the name of a camera of the model, or X,Y,Z:X,Y,Z for eye
    /// and target
    #[arg(long, value_name = "CAMERA", default_value = "auto", allow_hyphen_values = true)]
    pub camera: Viewpoint,
    /// What is behind: a colour such as #404040, gradient, or transparent
    #[arg(long, value_name = "COLOR", default_value = "gradient")]
    pub background: Background,
    /// The player's colour: a number, a name such as teal, or #RRGGBB
    #[arg(long, value_name = "COLOR", default_value = "0")]
    pub team_color: TeamColor,
    /// Lines over the model: bones, attachments, collision, bounds, normals, wireframe, grid
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub overlay: Vec<String>,
    /// No soft shadow on the ground below models that stand on it
    #[arg(long)]
    pub no_shadow: bool,
    /// Where textures are looked for.
    #[command(flatten)]
    pub assets: AssetArgs,
}

impl PictureArgs {
    /// The options as the renderer takes them.
    pub fn picture(&self, shot: Shot) -> Result<Picture> {
        Ok(Picture {
            shot,
            size: self.size.map_or(Picture::default().size, |size| size.0),
            animation: self.anim.clone(),
            time: self.time,
            fps: self.fps,
            seconds: self.seconds,
            turntable: self.turntable,
            camera: self.camera.clone(),
            background: self.background,
            team_color: self.team_color,
            overlays: self.overlay.join(",").parse()?,
            shadow: !self.no_shadow,
            ..Picture::default()
        })
    }
}

fn seconds(text: &str) -> Result<f64, String> {
    let value: f64 = text.parse().map_err(|_| "a number of seconds is needed".to_owned())?;
    if value > 0.0 && value <= 600.0 {
        Ok(value)
    } else {
        Err("it must be above 0 and at most 600".to_owned())
    }
}
