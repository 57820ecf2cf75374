//! What the viewer shows, for programs around it.

use crate::app::Viewer;
use crate::playback;
use effigy::pictures::Camera;

/// What the viewer shows at the moment.
#[derive(Clone, Debug)]
pub struct Status {
    /// The opened file.
    pub file: Option<String>,
    /// The file that is shown next to it.
    pub compared: Option<String>,
    /// The error in the middle of the window.
    pub error: Option<String>,
    /// The last message of the line at the bottom.
    pub message: String,
    /// Whether the sequence plays.
    pub playing: bool,
    /// The sequence's name.
    pub sequence: Option<String>,
    /// The time in it, in seconds.
    pub time: f64,
    /// The camera.
    pub camera: Camera,
    /// The selected part.
    pub selected: Option<String>,
    /// How many findings there are.
    pub findings: usize,
    /// Names of textures that were not found.
    pub missing: Vec<String>,
    /// Where the view is in the window: left, top, width and height in points.
    pub view: [f32; 4],
    /// Pictures of the model drawn so far.
    pub pictures: u64,
}

impl Viewer {
    /// What is shown at the moment.
    #[must_use]
    pub fn status(&self) -> Status {
        let stage = self.session.as_ref().map(|session| &session.stage);
        let sequence = stage.and_then(|stage| stage.scene().sequences.get(playback::sequence(stage)?));
        let rect = self.view;
        Status {
            file: self.file().map(str::to_owned),
            compared: self.compared().map(str::to_owned),
            error: self.error().map(str::to_owned),
            message: self.message.clone(),
            playing: self.playback.playing,
            sequence: sequence.map(|sequence| sequence.name.clone()),
            time: stage.map_or(0.0, playback::time) / 1000.0,
            camera: self.camera(rect.width() / rect.height().max(1.0)),
            selected: self
                .session
                .as_ref()
                .and_then(|session| session.selected.map(|part| part.label(session.stage.scene()))),
            findings: self.session.as_ref().map_or(0, |session| session.checked.findings.len()),
            missing: self
                .session
                .as_ref()
                .map(|session| session.drawn.missing().to_vec())
                .unwrap_or_default(),
            view: [rect.left(), rect.top(), rect.width(), rect.height()],
            pictures: self.pictures(),
        }
    }

    /// The opened model. While a repair is shown, it is the repaired one.
    #[must_use]
    pub fn model(&self) -> Option<&effigy::Model> {
        self.session.as_ref().map(|session| &session.model)
    }

    /// What is wrong with the opened model.
    #[must_use]
    pub fn findings(&self) -> &[effigy::Finding] {
        self.session.as_ref().map_or(&[], |session| &session.checked.findings)
    }
}
