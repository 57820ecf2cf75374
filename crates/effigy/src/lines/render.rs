//! Pictures that were drawn.

use effigy_render::Camera;
use schemars::JsonSchema;
use serde::Serialize;

/// What `effigy render --json` prints for each model.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Rendered {
    /// The model.
    pub path: String,
    /// The files that were written.
    pub outputs: Vec<String>,
    /// Width of a picture in pixels.
    pub width: u32,
    /// Height of a picture in pixels.
    pub height: u32,
    /// How many frames there are.
    pub frames: u64,
    /// The sequence that is shown; empty for none.
    pub sequence: String,
    /// When in the sequence the first picture is taken, in seconds.
    pub time: f64,
    /// How long everything that runs beside the sequence has run by then, in seconds.
    pub clock: f64,
    /// From where the first picture is taken.
    pub camera: Option<Viewpoint>,
    /// Size of what was written.
    pub bytes: u64,
    /// Whether the model shows nothing at that moment.
    pub empty: bool,
    /// Textures that were not found; stand-ins are shown.
    pub missing: Vec<String>,
    /// What is shown otherwise than the model asks for.
    pub notes: Vec<String>,
}

/// A camera, in the model's units.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Viewpoint {
    /// Where it is.
    pub eye: [f32; 3],
    /// Where it looks to, of length 1.
    pub forward: [f32; 3],
    /// What is up in the picture, of length 1.
    pub up: [f32; 3],
    /// Vertical field of view in degrees.
    pub field_of_view: f32,
    /// Nearest distance that is drawn.
    pub near: f32,
    /// Farthest distance that is drawn.
    pub far: f32,
}

impl From<Camera> for Viewpoint {
    fn from(Camera { view, field_of_view, near, far, .. }: Camera) -> Self {
        let forward = view.back.map(|value| -value);
        Self { eye: view.eye, forward, up: view.up, field_of_view: field_of_view.to_degrees(), near, far }
    }
}
