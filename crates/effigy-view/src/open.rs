//! Opening: files, folders, archives and what is dropped, to be shown, compared or attached.

use crate::app::{LeftTab, Viewer};
use crate::library::Library;
use crate::orbit::Orbit;
use crate::playback;
use crate::session::{Session, in_words};
use effigy::Result;
use effigy::assets::{ArchiveKind, Assets, Entry, FileRef, Memory, Source};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The label of the built-in sample.
const SAMPLE: &str = "sample";
/// Files from this size on are announced before they are opened: the window stands still meanwhile.
const LARGE: u64 = 4 << 20;

/// What the files are for that a dialog is going to give.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Purpose {
    #[default]
    Open,
    Compare,
    Attach,
}

/// A large file that is opened after the user was told so.
pub struct Announced {
    pub file: FileRef,
    /// Frames that have told it.
    shown: u32,
}

/// The first model among files that were chosen together.
fn first_model(library: &Library) -> Option<FileRef> {
    library.neighbour(None, 1)
}

impl Viewer {
    /// Asks for a file for a purpose.
    pub(crate) fn ask_for(&mut self, ctx: &egui::Context, purpose: Purpose) {
        if self.session.is_none() {
            "open a model first".clone_into(&mut self.message);
        } else if purpose == Purpose::Attach && self.place_of_selected().is_none() {
            "select an attachment or a bone first".clone_into(&mut self.message);
        } else {
            self.purpose = purpose;
            self.platform.ask_open(ctx, false);
        }
    }

    /// Takes files that the user chose in a dialog or dropped. `place` is where a dropped model is attached.
    pub(crate) fn take_paths(&mut self, ctx: &egui::Context, paths: &[PathBuf], place: Option<&str>) {
        let purpose = std::mem::take(&mut self.purpose);
        let is_file = |path: &&PathBuf| !path.is_dir() && ArchiveKind::of_file(path).is_none();
        let file = match paths {
            [path] => {
                Some(path).filter(is_file).and_then(|path| FileRef::locate(path, &self.options.limits).ok())
            }
            _ => None,
        };
        match file {
            Some(file) if self.use_for(purpose, &file, place) => {}
            _ => self.open_paths(ctx, paths),
        }
    }

    /// Compares with a file or attaches it. False if it shall be opened.
    fn use_for(&mut self, purpose: Purpose, file: &FileRef, place: Option<&str>) -> bool {
        let selected = self.place_of_selected().filter(|_| purpose == Purpose::Attach);
        match (purpose, selected.as_deref().or(place)) {
            (Purpose::Compare, _) => self.compare_with(file.clone()),
            (_, Some(place)) => self.attach(file, place),
            _ => return false,
        }
        true
    }

    /// Opens files and folders: the first model is shown, and what surrounds it is listed.
    pub fn open_paths(&mut self, ctx: &egui::Context, paths: &[PathBuf]) {
        if let [path, ..] = paths {
            if let Err(error) = self.open_path(ctx, path) {
                self.fail(path.display().to_string(), in_words(&error));
            }
            if paths.len() > 1 {
                self.list_paths(paths);
            }
        }
    }

    /// Opens files that are in memory, as a browser gives them. While an attachment is selected, a single model is attached to it.
    pub fn open_files(&mut self, ctx: &egui::Context, files: Vec<(String, Vec<u8>)>) {
        let purpose = std::mem::take(&mut self.purpose);
        let mut memory = Memory::new("dropped");
        for (name, bytes) in files {
            memory.add(&name, bytes);
        }
        let place = self.place_of_drop(ctx.pointer_latest_pos());
        if (purpose != Purpose::Open || place.is_some())
            && let Ok(library) = Library::memory(memory.clone())
            && let Some(file) = first_model(&library)
            && (purpose != Purpose::Open || library.items.len() == 1)
            && self.use_for(purpose, &file, place.as_deref())
        {
            return;
        }
        if let Err(error) = self.open_memory(ctx, memory) {
            self.fail("dropped files", in_words(&error));
        }
    }

    /// Opens a file that the user chose in the list. A large one is announced first.
    fn open_listed(&mut self, ctx: &egui::Context, file: FileRef) {
        if file.size().is_some_and(|size| size >= LARGE) {
            self.announced = Some(Announced { file, shown: 0 });
            ctx.request_repaint();
        } else {
            self.open_file(ctx, file);
        }
    }

    /// Opens the file that was announced, once the announcement was visible.
    pub(crate) fn open_announced(&mut self, ctx: &egui::Context) {
        let Some(announced) = &mut self.announced else { return };
        announced.shown += 1;
        ctx.request_repaint();
        // The first frame is drawn with the announcement; when the second one begins, it is on the screen.
        if announced.shown > 2
            && let Some(Announced { file, .. }) = self.announced.take()
        {
            self.open_file(ctx, file);
        }
    }

    /// Opens a file, a folder or an archive.
    fn open_path(&mut self, ctx: &egui::Context, path: &Path) -> Result<()> {
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
    fn list_paths(&mut self, paths: &[PathBuf]) {
        self.library = Some(Library::files(paths));
        self.left = LeftTab::Browse;
    }

    /// Opens the models among files in memory. Archives among them, and textures that are dropped without a model, are
    /// where models find what they need from now on.
    fn open_memory(&mut self, ctx: &egui::Context, files: Memory) -> Result<()> {
        // Other files may have the same names as those of an earlier drop.
        self.thumbnails.forget();
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
        self.set_assets(assets);
        // Their textures may be there now.
        self.thumbnails.forget();
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
            return self.open_listed(ctx, file);
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
        self.announced = None;
        self.platform.watch(ctx, file.path());
        self.undress_for(&label);
        let team = self.settings.team_color();
        match Session::open(&self.renderer, file, &self.options, team) {
            Ok(session) => {
                let is_sample = session.file.label().starts_with(SAMPLE);
                self.wardrobe.learn(&label, &session.model);
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

    pub(crate) fn open_neighbour(&mut self, ctx: &egui::Context, by: isize) {
        let file = self.session.as_ref().map(|session| &session.file);
        let next = self.library.as_ref().and_then(|library| library.neighbour(file, by));
        if let Some(file) = next {
            self.reveal = true;
            self.open_listed(ctx, file);
        }
    }

    /// Reads the file again and keeps moment and camera.
    pub(crate) fn reload(&mut self, ctx: &egui::Context) {
        let Some(old) = self.session.take() else { return };
        let (orbit, playing) = (self.orbit, self.playback.playing);
        let (sequence, time) = playback::again(&old.stage);
        self.thumbnails.forget_file(old.file.label());
        self.open_file(ctx, old.file.clone());
        if let Some(session) = &mut self.session {
            "read again".clone_into(&mut self.message);
            if old.dressed && session.carry(&self.renderer, &old, self.settings.team_color()).is_err() {
                "what was attached does not fit any more".clone_into(&mut self.message);
            }
            let sequence = sequence.filter(|id| id.index() < session.stage.scene().sequences.len());
            session.stage.start(sequence, time, None);
            (self.orbit, self.unplaced, self.playback.playing) = (orbit, false, playing);
        } else {
            // The file may be half written: it is watched, and read again when it changes.
            self.session = Some(old);
        }
    }

    pub(crate) fn open_sample(&mut self, ctx: &egui::Context) {
        let mut files = Memory::new(SAMPLE);
        files.add("LanternBeetle.mdx", effigy_samples::mdx::beetle());
        for sample in effigy_samples::textures() {
            files.add(&sample.file_name, sample.bytes);
        }
        if let Err(error) = self.open_memory(ctx, files) {
            self.fail(SAMPLE, in_words(&error));
        }
        self.left = LeftTab::Model;
    }
}
