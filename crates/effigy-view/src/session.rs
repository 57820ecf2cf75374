//! The model that is open: the file, its scene on the stage, its findings, and what the user selected of it.

use crate::fields::Fields;
use crate::parts::{self, Part};
use crate::playback;
use effigy::assets::FileRef;
use effigy::pictures::{self, Hidden, Renderer, Stage, TeamColor};
use effigy::scene::{Id, Texture, validate};
use effigy::{Applied, Checked, Error, Model, OpenOptions, Report, Result, Summary};
use std::collections::BTreeSet;

/// A repair that is shown instead of the file.
pub struct Preview {
    /// The model as it is in the file.
    original: Model,
    original_bytes: Vec<u8>,
    /// What was repaired.
    pub applied: Vec<Applied>,
    /// The repaired file, or why it cannot be written.
    pub bytes: Result<Vec<u8>>,
}

/// An opened model.
pub struct Session {
    pub file: FileRef,
    pub model: Model,
    pub bytes: Vec<u8>,
    pub summary: Summary,
    pub checked: Checked,
    /// What is shown differently from what the file says.
    pub report: Report,
    pub stage: Stage,
    pub drawn: pictures::Model,
    pub selected: Option<Part>,
    /// The line of the selected field in [`Session::fields`].
    pub line: Option<usize>,
    pub preview: Option<Preview>,
    /// Parts whose eye is closed, and hidden meshes whose eye is open.
    closed: BTreeSet<Part>,
    opened: BTreeSet<Part>,
    pub level: Option<u32>,
    /// Whether models were attached or removed since it was opened.
    pub dressed: bool,
    fields: Option<Fields>,
}

/// The model's scene, as the renderer takes it, and what was changed on the way.
fn stage_of(model: &Model) -> Result<(Stage, Report)> {
    let lowered = model.lower_shown()?;
    let stage = Stage::new(validate(lowered.scene)?);
    Ok((stage, lowered.report))
}

fn upload(renderer: &Renderer, model: &Model, stage: &Stage, team: TeamColor) -> pictures::Model {
    pictures::Model::new(renderer, stage.scene(), team.color, &mut *model.textures(team.number))
}

impl Session {
    /// Opens a file.
    ///
    /// # Errors
    /// When it cannot be read, is not a model, or has nothing to draw.
    pub fn open(renderer: &Renderer, file: FileRef, options: &OpenOptions, team: TeamColor) -> Result<Self> {
        let (model, bytes) = effigy::open_keeping_bytes(&file, options)?;
        let (stage, report) = stage_of(&model)?;
        let drawn = upload(renderer, &model, &stage, team);
        let mut session = Self {
            file,
            summary: model.summary(),
            checked: model.check(&effigy::CheckOptions::default()),
            model,
            bytes,
            report,
            stage,
            drawn,
            selected: None,
            line: None,
            preview: None,
            closed: BTreeSet::new(),
            opened: BTreeSet::new(),
            level: None,
            dressed: false,
            fields: None,
        };
        let sequence = Stage::default_sequence(session.stage.scene());
        session.stage.start(sequence, 0.0, None);
        Ok(session)
    }

    /// The file's fields. They are listed when they are first needed.
    pub fn fields(&mut self) -> &Fields {
        self.fields.get_or_insert_with(|| Fields::new(&self.model))
    }

    /// The textures of the scene, for panels.
    pub fn image(&self, texture: &Texture, team: TeamColor) -> Option<effigy::image::Image> {
        self.model.textures(team.number).image(texture)
    }

    /// The file of a texture, as every command takes it.
    pub fn image_file(&self, texture: &Texture) -> Option<String> {
        let file = self.model.file()?;
        let kind = texture.replaceable.map_or(0, effigy::scene::Replaceable::number);
        let wanted = effigy::assets::TextureRef { path: &texture.path, replaceable: kind };
        let found = self.model.assets().image_file(self.model.naming(), file, wanted)?;
        Some(format!("{}: {}", found.source.label(), found.entry.name))
    }

    /// Gives the model another player's colour.
    pub fn set_team(&mut self, renderer: &Renderer, team: TeamColor) {
        self.drawn = upload(renderer, &self.model, &self.stage, team);
    }

    /// Selects a part and finds its record in the file.
    pub fn select(&mut self, part: Option<Part>) {
        self.selected = part;
        self.fields();
        let scene = self.stage.scene();
        self.line =
            part.zip(self.fields.as_ref()).and_then(|(part, fields)| parts::line_of(part, scene, fields));
    }

    /// Selects what a path inside the file belongs to, such as that of a finding.
    pub fn select_path(&mut self, path: &str) {
        self.fields();
        let (scene, fields) = (self.stage.scene(), self.fields.as_ref());
        self.selected = fields.and_then(|fields| parts::part_at(path, scene, fields));
        self.line = fields.and_then(|fields| fields.locate(path));
    }

    /// Whether the eye of a part is open; none for parts that are not drawn.
    pub fn eye(&self, part: Part) -> Option<bool> {
        match part {
            Part::Mesh(index) => {
                let shown = self.stage.scene().meshes.get(Id::new(index))?.shown;
                Some((shown || self.opened.contains(&part)) && !self.closed.contains(&part))
            }
            Part::Emitter(_) | Part::Ribbon(_) => Some(!self.closed.contains(&part)),
            _ => None,
        }
    }

    /// Opens or closes the eye of a part.
    pub fn set_eye(&mut self, part: Part, open: bool) {
        if open {
            self.closed.remove(&part);
            self.opened.insert(part);
        } else {
            self.closed.insert(part);
            self.opened.remove(&part);
        }
        self.apply_eyes();
    }

    fn apply_eyes(&mut self) {
        let mut hidden = Hidden::default();
        for part in &self.closed {
            match part {
                Part::Mesh(index) => _ = hidden.meshes.insert(Id::new(*index)),
                Part::Emitter(index) => _ = hidden.emitters.insert(Id::new(*index)),
                Part::Ribbon(index) => _ = hidden.ribbons.insert(Id::new(*index)),
                _ => {}
            }
        }
        for part in &self.opened {
            if let Part::Mesh(index) = part {
                hidden.shown.insert(Id::new(*index));
            }
        }
        self.stage.hide(hidden);
    }

    /// Draws another level of detail.
    pub fn show_level(&mut self, level: u32) {
        self.level = Some(level);
        self.stage.show_level(level);
    }

    /// Shows the model as `check --fix` would write it. False when nothing is repaired.
    ///
    /// # Errors
    /// When the repaired model has nothing to draw.
    pub fn preview(&mut self, renderer: &Renderer, codes: &[&str], team: TeamColor) -> Result<bool> {
        let Some(repaired) = self.model.repaired(&self.bytes, codes) else { return Ok(false) };
        let bytes = repaired.bytes.clone().unwrap_or_default();
        let (original, original_bytes) = self.replace(renderer, repaired.model, bytes, team)?;
        self.preview =
            Some(Preview { original, original_bytes, applied: repaired.applied, bytes: repaired.bytes });
        Ok(true)
    }

    /// Goes back to the model of the file.
    ///
    /// # Errors
    /// Never in practice: the model was shown before.
    pub fn end_preview(&mut self, renderer: &Renderer, team: TeamColor) -> Result<()> {
        if let Some(Preview { original, original_bytes, .. }) = self.preview.take() {
            self.replace(renderer, original, original_bytes, team)?;
        }
        Ok(())
    }

    /// Shows another model at the same moment and returns the one before.
    fn replace(
        &mut self,
        renderer: &Renderer,
        model: Model,
        bytes: Vec<u8>,
        team: TeamColor,
    ) -> Result<(Model, Vec<u8>)> {
        let (sequence, time) = playback::again(&self.stage);
        let (mut stage, report) = stage_of(&model)?;
        let same = sequence.filter(|id| id.index() < stage.scene().sequences.len());
        stage.start(same, time, None);
        self.drawn = upload(renderer, &model, &stage, team);
        (self.stage, self.report) = (stage, report);
        self.summary = model.summary();
        self.checked = model.check(&effigy::CheckOptions::default());
        (self.selected, self.line, self.fields) = (None, None, None);
        self.closed.clear();
        self.opened.clear();
        Ok((std::mem::replace(&mut self.model, model), std::mem::replace(&mut self.bytes, bytes)))
    }

    /// Shows the model again after what is attached to it has changed. Moment, selection and closed eyes stay.
    ///
    /// # Errors
    /// When the model cannot be shown; then nothing has changed.
    pub fn rebuild(&mut self, renderer: &Renderer, team: TeamColor) -> Result<()> {
        let (sequence, time) = playback::again(&self.stage);
        let (mut stage, report) = stage_of(&self.model)?;
        stage.start(sequence, time, None);
        self.drawn = upload(renderer, &self.model, &stage, team);
        (self.stage, self.report) = (stage, report);
        if let Some(level) = self.level {
            self.stage.show_level(level);
        }
        self.apply_eyes();
        Ok(())
    }

    /// Attaches what another model carries.
    ///
    /// # Errors
    /// When it does not fit; then nothing is attached.
    pub fn carry(&mut self, renderer: &Renderer, other: &Self, team: TeamColor) -> Result<()> {
        let own = std::mem::replace(self.model.parts_mut(), other.model.parts().to_vec());
        let rebuilt = self.rebuild(renderer, team);
        self.dressed = rebuilt.is_ok();
        if rebuilt.is_err() {
            *self.model.parts_mut() = own;
        }
        rebuilt
    }

    /// Shows everything as the file says.
    pub fn open_eyes(&mut self) {
        self.closed.clear();
        self.opened.clear();
        self.apply_eyes();
    }

    /// How many findings matter: errors, severe ones and warnings.
    pub fn problems(&self) -> usize {
        let matters = |finding: &&effigy::Finding| finding.severity >= effigy::Severity::Warning;
        self.checked.findings.iter().filter(matters).count()
    }
}

/// An error with its hint, for people.
pub fn in_words(error: &Error) -> String {
    match error.hint_text() {
        Some(hint) => format!("{error}\n{hint}"),
        None => error.to_string(),
    }
}
