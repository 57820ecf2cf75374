//! What the commands do.

use crate::app::{LeftTab, Viewer};
use crate::commands::Command;
use crate::export::Export;
use crate::library::Library;
use crate::orbit::Orbit;
use crate::playback::{self, FRAME, SPEEDS};
use crate::session::{Session, in_words};
use crate::settings::BACKGROUNDS;
use effigy::Result;
use effigy::assets::{ArchiveKind, Assets, Entry, FileRef, Memory, Source};
use effigy::pictures::{Shot, WarmUp};
use effigy::scene::{Id, Sequence};
use std::path::{Path, PathBuf};
use std::sync::Arc;

impl Viewer {
    /// Runs a command.
    pub fn run(&mut self, command: Command, ctx: &egui::Context) {
        self.viewport.stale = true;
        match command {
            Command::Open => self.platform.ask_open(ctx, false),
            Command::OpenFolder => self.platform.ask_open(ctx, true),
            Command::Sample => self.open_sample(ctx),
            Command::NextFile => self.open_neighbour(ctx, 1),
            Command::PreviousFile => self.open_neighbour(ctx, -1),
            Command::Reload => self.reload(ctx),
            Command::Export => self.export = self.session.as_ref().map(|session| Export::new(&session.model)),
            Command::Quit => ctx.send_viewport_cmd(egui::ViewportCommand::Close),
            Command::Fit => self.place(None),
            Command::Front => self.place(Some(Orbit::FRONT)),
            Command::Side => self.place(Some(Orbit::SIDE)),
            Command::Top => self.place(Some(Orbit::TOP)),
            Command::Back => self.place(Some(Orbit::BACK)),
            Command::ThreeQuarter => self.place(Some(Orbit::THREE_QUARTER)),
            Command::Orthographic => self.orbit.orthographic = !self.orbit.orthographic,
            Command::ModelCamera => self.next_camera(),
            Command::Grid => flip(&mut self.settings.overlays.grid),
            Command::Edges => flip(&mut self.settings.overlays.wireframe),
            Command::Bones => flip(&mut self.settings.overlays.bones),
            Command::Attachments => flip(&mut self.settings.overlays.attachments),
            Command::Collision => flip(&mut self.settings.overlays.collision),
            Command::Extents => flip(&mut self.settings.overlays.bounds),
            Command::Normals => flip(&mut self.settings.overlays.normals),
            Command::Background => self.next_background(),
            Command::TeamColor => self.set_team((self.settings.team + 1) % 24),
            Command::Theme => flip(&mut self.settings.dark),
            Command::Panels => flip(&mut self.settings.panels),
            Command::Play => self.toggle(),
            Command::StepBack => self.step(-FRAME),
            Command::StepOn => self.step(FRAME),
            Command::NextSequence => self.play_neighbour(1),
            Command::PreviousSequence => self.play_neighbour(-1),
            Command::Loop => self.playback.looping = self.playback.looping.next(),
            Command::Slower => self.set_speed(self.playback.speed / 2.0),
            Command::Faster => self.set_speed(self.playback.speed * 2.0),
            Command::Picture => self.take_picture(ctx),
            Command::Animation => self.take(ctx, Shot::Frames, false),
            Command::Turntable => self.take(ctx, Shot::Frames, true),
            Command::Sheet => self.take(ctx, Shot::Sheet, false),
            Command::Help => flip(&mut self.show_help),
        }
    }

    /// Whether a command that switches something has switched it on; none for all other commands.
    pub(crate) const fn is_on(&self, command: Command) -> Option<bool> {
        Some(match command {
            Command::Grid => self.settings.overlays.grid,
            Command::Edges => self.settings.overlays.wireframe,
            Command::Bones => self.settings.overlays.bones,
            Command::Attachments => self.settings.overlays.attachments,
            Command::Collision => self.settings.overlays.collision,
            Command::Extents => self.settings.overlays.bounds,
            Command::Normals => self.settings.overlays.normals,
            Command::Orthographic => self.orbit.orthographic,
            Command::Panels => self.settings.panels,
            Command::Play => self.playback.playing,
            _ => return None,
        })
    }

    /// Opens a file, a folder or an archive.
    pub(crate) fn open_path(&mut self, ctx: &egui::Context, path: &Path) -> Result<()> {
        let limits = self.options.limits;
        if path.is_dir() {
            return self.browse(ctx, Library::folder(path, &limits)?);
        }
        if ArchiveKind::of_file(path).is_some() {
            return self.browse(ctx, Library::archive(path, &limits)?);
        }
        let file = FileRef::locate(path, &limits)?;
        self.library = match file.container() {
            Some(container) => Some(Library::of_source(container)?),
            None => Some(Library::beside(path)),
        };
        self.open_file(ctx, file);
        Ok(())
    }

    /// Lists several files that were opened together.
    pub(crate) fn list_paths(&mut self, paths: &[PathBuf]) {
        self.library = Some(Library::files(paths));
        self.left = LeftTab::Browse;
    }

    /// Opens the models among files in memory. Archives among them, and textures that are dropped without a model, are
    /// where models find what they need from now on.
    pub(crate) fn open_memory(&mut self, ctx: &egui::Context, files: Memory) -> Result<()> {
        let entries = files.list()?;
        let is_archive = |entry: &&Entry| ArchiveKind::by_extension(&entry.name).is_some();
        let archives: Vec<&Entry> = entries.iter().filter(is_archive).collect();
        let open =
            |entry: &Entry| effigy::assets::open_bytes(&entry.name, files.open(entry)?, &self.options.limits);
        // A map or archive that was dropped alone is entered.
        if let [only] = entries.as_slice()
            && archives.len() == 1
        {
            let archive = open(only)?;
            self.find_in(Arc::clone(&archive));
            return self.browse(ctx, Library::of_source(archive)?);
        }
        let opened: Vec<Arc<dyn Source>> = archives.into_iter().map(open).collect::<Result<_>>()?;
        opened.into_iter().for_each(|archive| self.find_in(archive));
        let library = Library::memory(files.clone())?;
        if library.items.is_empty() && self.session.is_some() {
            self.find_in(Arc::new(files));
            self.reload(ctx);
            return Ok(());
        }
        self.browse(ctx, library)
    }

    /// Models find their textures in this source from now on. The newest sources are kept.
    fn find_in(&mut self, source: Arc<dyn Source>) {
        const MOST: usize = 8;
        if self.platform.has_files() {
            return;
        }
        self.dropped.push(source);
        if self.dropped.len() > MOST {
            self.dropped.remove(0);
        }
        let mut assets = Assets::new(self.options.limits);
        self.dropped.iter().for_each(|source| assets.push(Arc::clone(source)));
        self.options.assets = Arc::new(assets);
    }

    /// Lists the models of a library and opens the first.
    fn browse(&mut self, ctx: &egui::Context, library: Library) -> Result<()> {
        let first = library.neighbour(None, 1);
        let label = library.label.clone();
        self.browse_filter.clear();
        self.left = LeftTab::Browse;
        let has_items = !library.items.is_empty();
        self.library = Some(library);
        match first {
            Some(file) => self.open_file(ctx, file),
            None if has_items => {}
            None => self.fail(label, "There is no model in here."),
        }
        Ok(())
    }

    /// Opens an item of the list: shows a model, enters an archive.
    pub(crate) fn open_item(&mut self, ctx: &egui::Context, index: usize) {
        let Some(library) = self.library.take() else { return };
        let Some(item) = library.items.get(index).cloned() else {
            self.library = Some(library);
            return;
        };
        if !item.is_archive {
            let file = library.file(&item);
            self.library = Some(library);
            return self.open_file(ctx, file);
        }
        match library.enter(&item, &self.options.limits) {
            Ok(mut inner) => {
                inner.back = Some(Box::new(library));
                if let Err(error) = self.browse(ctx, inner) {
                    self.fail(item.name, in_words(&error));
                }
            }
            Err(error) => {
                self.library = Some(library);
                self.fail(item.name, in_words(&error));
            }
        }
    }

    /// Shows a model. If that fails, the error is shown and the program goes on.
    pub(crate) fn open_file(&mut self, ctx: &egui::Context, file: FileRef) {
        let label = file.label().to_owned();
        self.platform.watch(ctx, file.path());
        let team = self.settings.team_color();
        match Session::open(&self.renderer, file, &self.options, team) {
            Ok(session) => {
                let is_sample = session.file.label().starts_with(SAMPLE);
                self.session = Some(session);
                self.problem = None;
                self.message.clear();
                self.own_camera = None;
                self.unplaced = true;
                self.playback.playing = self.settings.autoplay;
                self.orbit.look_from(Orbit::THREE_QUARTER);
                if !is_sample && self.platform.has_files() {
                    self.settings.remember(&label);
                }
            }
            Err(error) => {
                self.session = None;
                self.fail(label.clone(), in_words(&error));
            }
        }
        self.textures.clear();
        self.export = None;
        self.viewport.stale = true;
        let title = label.rsplit(['/', '\\', ':']).next().unwrap_or_default();
        ctx.send_viewport_cmd(egui::ViewportCommand::Title(format!("{title} - Effigy")));
    }

    fn open_neighbour(&mut self, ctx: &egui::Context, by: isize) {
        let file = self.session.as_ref().map(|session| &session.file);
        let next = self.library.as_ref().and_then(|library| library.neighbour(file, by));
        if let Some(file) = next {
            self.reveal = true;
            self.open_file(ctx, file);
        }
    }

    /// Reads the file again and keeps moment and camera.
    pub(crate) fn reload(&mut self, ctx: &egui::Context) {
        let Some(old) = self.session.take() else { return };
        let (orbit, playing) = (self.orbit, self.playback.playing);
        let moment = *old.stage.pose().moment();
        self.open_file(ctx, old.file.clone());
        if let Some(session) = &mut self.session {
            let sequence = moment.sequence.filter(|id| id.index() < session.stage.scene().sequences.len());
            session.stage.start(sequence, moment.time, None);
            (self.orbit, self.unplaced, self.playback.playing) = (orbit, false, playing);
            "read again".clone_into(&mut self.message);
        } else {
            // The file may be half written: it is watched, and read again when it changes.
            self.session = Some(old);
        }
    }

    fn open_sample(&mut self, ctx: &egui::Context) {
        let mut files = Memory::new(SAMPLE);
        let models = effigy_samples::mdx::samples();
        for sample in models.into_iter().filter(|sample| sample.name == "mdx-800-creature") {
            files.add("LanternBeetle.mdx", sample.bytes);
        }
        for sample in effigy_samples::textures() {
            files.add(&sample.file_name, sample.bytes);
        }
        if let Err(error) = self.open_memory(ctx, files) {
            self.fail(SAMPLE, in_words(&error));
        }
        self.left = LeftTab::Model;
    }

    /// Looks from a side, or from where the camera is, and fits the view.
    fn place(&mut self, side: Option<[f32; 3]>) {
        if let Some(side) = side {
            self.orbit.look_from(side);
        }
        self.own_camera = None;
        self.unplaced = true;
    }

    pub(crate) fn fit(&mut self, aspect: f32) {
        let Some(session) = &self.session else { return };
        let (points, bounds) = session.stage.extent(playback::sequence(&session.stage));
        let middle = [0, 1, 2].map(|at: usize| {
            let corner = |corner: [f32; 3]| corner.get(at).copied().unwrap_or(0.0);
            (corner(bounds.min) + corner(bounds.max)) / 2.0
        });
        self.orbit.fit(&points, middle, bounds.size(), aspect);
        self.viewport.stale = true;
    }

    fn next_camera(&mut self) {
        let count = self.session.as_ref().map_or(0, |session| session.stage.scene().cameras.len());
        self.own_camera = match self.own_camera {
            None if count > 0 => Some(0),
            Some(at) if at + 1 < count => Some(at + 1),
            _ => None,
        };
        if count == 0 {
            "the model has no camera".clone_into(&mut self.message);
        }
    }

    fn next_background(&mut self) {
        let here = BACKGROUNDS.iter().position(|name| *name == self.settings.background);
        let next = here.map_or(0, |at| (at + 1) % BACKGROUNDS.len());
        if let Some(name) = BACKGROUNDS.get(next) {
            (*name).clone_into(&mut self.settings.background);
        }
    }

    pub(crate) fn set_team(&mut self, team: usize) {
        self.settings.team = team;
        if let Some(session) = &mut self.session {
            session.set_team(&self.renderer, self.settings.team_color());
        }
        self.textures.clear();
        self.viewport.stale = true;
    }

    fn toggle(&mut self) {
        let view = self.orbit.camera().view;
        if let Some(session) = &mut self.session {
            self.playback.toggle(&mut session.stage, Some(&view));
        }
    }

    /// Plays a sequence from its beginning.
    pub(crate) fn play(&mut self, sequence: Option<Id<Sequence>>) {
        let view = self.orbit.camera().view;
        if let Some(session) = &mut self.session {
            session.stage.start(sequence, 0.0, Some(&view));
            self.viewport.stale = true;
        }
    }

    fn play_neighbour(&mut self, by: isize) {
        let next = self.session.as_ref().and_then(|session| {
            playback::neighbour(session.stage.scene(), playback::sequence(&session.stage), by)
        });
        if next.is_some() {
            self.play(next);
        }
    }

    fn step(&mut self, by: f64) {
        self.playback.playing = false;
        if let Some(session) = &self.session {
            let (now, length) = (playback::time(&session.stage), playback::length(&session.stage));
            self.seek((now + by).clamp(0.0, length), WarmUp::Full);
        }
    }

    /// Goes to a time of the sequence, in milliseconds.
    pub(crate) fn seek(&mut self, time: f64, warm_up: WarmUp) {
        let view = self.orbit.camera().view;
        if let Some(session) = &mut self.session {
            let sequence = playback::sequence(&session.stage);
            session.stage.start_after(warm_up, sequence, time, Some(&view));
            self.viewport.stale = true;
        }
    }

    pub(crate) const fn set_speed(&mut self, speed: f64) {
        let [slowest, fastest] = SPEEDS;
        self.playback.speed = speed.clamp(slowest, fastest);
    }

    /// The name of the opened file without its extension.
    pub(crate) fn stem(&self) -> String {
        let name = self.session.as_ref().map(|session| session.file.file_name()).unwrap_or_default();
        let stem = name.rsplit_once('.').map_or(name.as_str(), |(stem, _)| stem);
        if stem.is_empty() { "model".to_owned() } else { stem.to_owned() }
    }
}

/// The label of the built-in sample.
const SAMPLE: &str = "sample";

const fn flip(value: &mut bool) {
    *value = !*value;
}
