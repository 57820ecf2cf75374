//! The viewer itself: what it shows, and in which order its parts are drawn.

use crate::commands::{self, Command};
use crate::compare::Second;
use crate::export::Export;
use crate::job::Job;
use crate::library::Library;
use crate::looks::Wardrobe;
use crate::open::{Announced, Purpose};
use crate::orbit::Orbit;
use crate::panels::{self, textures::TextureView};
use crate::platform::{Platform, PlatformEvent};
use crate::playback::Playback;
use crate::session::Session;
use crate::settings::Settings;
use crate::stopwatch::Stopwatch;
use crate::thumbnails::Thumbnails;
use crate::viewport::{Shown, Viewport};
use effigy::assets::Source;
use effigy::pictures::{Camera, DrawStyle, Frame, Gpu, Overlays, Renderer, WarmUp};
use effigy::{OpenOptions, Result};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

/// The tabs on the left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LeftTab {
    /// Files.
    Browse,
    /// Parts of the model.
    #[default]
    Model,
}

/// The tabs on the right.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RightTab {
    /// What is in the model.
    #[default]
    Info,
    /// What is wrong with it.
    Checks,
    /// Its textures.
    Textures,
    /// The fields of the selected part.
    Selected,
}

/// Something that went wrong, in the middle of the window.
pub struct Problem {
    pub title: String,
    pub text: String,
}

/// The whole viewer without a window.
pub struct Viewer {
    pub(crate) renderer: Arc<Renderer>,
    pub(crate) viewport: Viewport,
    pub(crate) platform: Box<dyn Platform>,
    pub(crate) options: OpenOptions,
    pub(crate) settings: Settings,
    /// The settings as they were last kept.
    kept: String,
    pub(crate) session: Option<Session>,
    /// A model next to it.
    pub(crate) second: Option<Second>,
    pub(crate) wardrobe: Wardrobe,
    /// What the files are for that a dialog is going to give.
    pub(crate) purpose: Purpose,
    /// A large file that is opened in a moment.
    pub(crate) announced: Option<Announced>,
    pub(crate) thumbnails: Thumbnails,
    /// What is being made.
    pub(crate) job: Option<Job>,
    pub(crate) library: Option<Library>,
    pub(crate) problem: Option<Problem>,
    pub(crate) message: String,
    pub(crate) playback: Playback,
    /// How long particles played before the moment that was last gone to.
    pub(crate) warm_up: WarmUp,
    pub(crate) orbit: Orbit,
    /// The model's camera that is looked through.
    pub(crate) own_camera: Option<usize>,
    /// The mouse moves the camera.
    pub(crate) turning: bool,
    /// The camera has to be placed as soon as the size of the view is known.
    pub(crate) unplaced: bool,
    pub(crate) left: LeftTab,
    pub(crate) right: RightTab,
    pub(crate) browse_filter: String,
    pub(crate) tree_filter: String,
    /// Sections of the tree that are closed.
    pub(crate) folded: BTreeSet<crate::parts::Kind>,
    /// A new selection has to be scrolled into view.
    pub(crate) reveal: bool,
    pub(crate) textures: TextureView,
    pub(crate) show_help: bool,
    pub(crate) export: Option<Export>,
    /// Commands of this frame.
    pub(crate) queue: Vec<Command>,
    /// Milliseconds that the last picture took on this thread, and the pose that it shows.
    pub(crate) cost: f64,
    pub(crate) posing: f64,
    /// Where the view is in the window.
    pub(crate) view: egui::Rect,
    /// Archives and textures that were dropped: later models find their textures in them.
    pub(crate) dropped: Vec<Arc<dyn Source>>,
    faults: Arc<Mutex<Vec<String>>>,
}

impl Viewer {
    /// A viewer that draws with the device of an egui integration.
    #[must_use]
    pub fn new(
        state: &egui_wgpu::RenderState,
        mut platform: Box<dyn Platform>,
        options: OpenOptions,
    ) -> Self {
        let faults: Arc<Mutex<Vec<String>>> = Arc::default();
        let shared = Arc::clone(&faults);
        state.device.on_uncaptured_error(Arc::new(move |error: effigy::pictures::wgpu::Error| {
            let mut faults = shared.lock().unwrap_or_else(PoisonError::into_inner);
            // A fault that occurs in every frame is listed once.
            if faults.len() < 16 {
                faults.push(error.to_string());
            }
        }));
        let gpu = Gpu::from_parts(&state.adapter, state.device.clone(), state.queue.clone());
        let kept = platform.load_settings().unwrap_or_default();
        let settings = Settings::parse(&kept);
        Self {
            renderer: Arc::new(Renderer::new(gpu)),
            viewport: Viewport::new(state.clone()),
            platform,
            wardrobe: Wardrobe::new(Arc::clone(&options.assets)),
            options,
            playback: Playback { looping: settings.looping, ..Playback::default() },
            settings,
            kept,
            warm_up: WarmUp::Full,
            session: None,
            second: None,
            purpose: Purpose::Open,
            announced: None,
            thumbnails: Thumbnails::new(state.clone()),
            job: None,
            library: None,
            problem: None,
            message: String::new(),
            orbit: Orbit::default(),
            own_camera: None,
            turning: false,
            unplaced: true,
            left: LeftTab::default(),
            right: RightTab::default(),
            browse_filter: String::new(),
            tree_filter: String::new(),
            folded: BTreeSet::new(),
            reveal: false,
            textures: TextureView::default(),
            show_help: false,
            export: None,
            queue: Vec::new(),
            cost: 0.0,
            posing: 0.0,
            view: egui::Rect::ZERO,
            dropped: Vec::new(),
            faults,
        }
    }

    /// The settings.
    #[must_use]
    pub const fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Changes the settings.
    pub const fn settings_mut(&mut self) -> &mut Settings {
        self.viewport.stale = true;
        &mut self.settings
    }

    /// The name of the opened model's file.
    #[must_use]
    pub fn file(&self) -> Option<&str> {
        self.session.as_ref().map(|session| session.file.label())
    }

    /// The error in the middle of the window.
    #[must_use]
    pub fn error(&self) -> Option<&str> {
        self.problem.as_ref().map(|problem| problem.text.as_str())
    }

    /// Pictures of the model drawn so far. The number does not change while nothing moves.
    #[must_use]
    pub const fn pictures(&self) -> u64 {
        self.viewport.drawn
    }

    /// Milliseconds that the last picture took on the calling thread, with posing the model; the device may need longer.
    #[must_use]
    pub const fn cost(&self) -> f64 {
        self.cost
    }

    /// Small pictures of files drawn so far, including files that turned out to have none.
    #[must_use]
    pub const fn thumbnails(&self) -> u64 {
        self.thumbnails.drawn
    }

    /// Draws everything. Call it once per frame.
    pub fn ui(&mut self, ui: &mut egui::Ui) {
        let ctx = ui.ctx().clone();
        ctx.set_theme(if self.settings.dark { egui::Theme::Dark } else { egui::Theme::Light });
        self.take_events(&ctx);
        self.open_announced(&ctx);
        crate::export::keys(self, &ctx);
        self.queue.extend(commands::pressed(&ctx));
        panels::menu::show(self, ui);
        panels::status::show(self, ui);
        panels::timeline::show(self, ui);
        if self.settings.panels {
            panels::left(self, ui);
            panels::right(self, ui);
        }
        for command in std::mem::take(&mut self.queue) {
            self.run(command, &ctx);
            // The panels above were drawn before it.
            ctx.request_repaint();
        }
        self.advance(&ctx);
        panels::view::show(self, ui);
        panels::help::show(self, &ctx);
        crate::export::show(self, &ctx);
        crate::job::show(self, &ctx);
        self.work(&ctx);
        let playing = self.playback.playing && self.session.is_some();
        self.thumbnails.advance(&ctx, &self.renderer, &self.options, playing);
        self.keep_settings();
    }

    fn take_events(&mut self, ctx: &egui::Context) {
        for event in self.platform.events() {
            match event {
                PlatformEvent::Open(paths) => self.take_paths(ctx, &paths, None),
                PlatformEvent::Files(files) => self.open_files(ctx, files),
                PlatformEvent::Saved(place) => self.message = format!("saved {place}"),
                PlatformEvent::Failed(error) => self.message = crate::session::in_words(&error),
                PlatformEvent::Changed => self.reload(ctx),
            }
        }
        let dropped = ctx.input_mut(|input| std::mem::take(&mut input.raw.dropped_files));
        let paths: Vec<PathBuf> = dropped.iter().map(|file| file.path().to_path_buf()).collect();
        if self.platform.has_files() && !paths.is_empty() {
            self.purpose = Purpose::Open;
            let place = self.place_of_drop(ctx.pointer_latest_pos());
            self.take_paths(ctx, &paths, place.as_deref());
        }
        let faults = std::mem::take(&mut *self.faults.lock().unwrap_or_else(PoisonError::into_inner));
        if let Some(fault) = faults.into_iter().next() {
            self.fail("The graphics device complained", fault);
        }
    }

    /// Shows an error in the middle of the window, such as one of the program around the viewer.
    pub fn show_error(&mut self, title: &str, text: &str) {
        self.fail(title, text);
    }

    /// Shows an error in the middle of the window.
    pub(crate) fn fail(&mut self, title: impl Into<String>, text: impl Into<String>) {
        self.problem = Some(Problem { title: title.into(), text: text.into() });
    }

    /// Lets time pass, and asks for the next frame only while something moves.
    fn advance(&mut self, ctx: &egui::Context) {
        self.posing = 0.0;
        let Some(session) = self.session.as_mut().filter(|_| self.playback.playing) else { return };
        let clock = Stopwatch::start();
        let seconds = f64::from(ctx.input(|input| input.stable_dt).min(0.1));
        let view = self.orbit.camera().view;
        self.playback.advance(&mut session.stage, seconds * 1000.0, Some(&view));
        self.posing = clock.milliseconds();
        self.viewport.stale = true;
        // After the last moment once more, so that the panels show it.
        ctx.request_repaint();
    }

    /// The camera for a view of this width / height.
    pub(crate) fn camera(&self, aspect: f32) -> Camera {
        let own = self.own_camera.zip(self.session.as_ref()).and_then(|(index, session)| {
            let stage = &session.stage;
            let camera = stage.scene().cameras.as_slice().get(index)?;
            let pose = stage.sampler().camera(camera, stage.pose().moment());
            Some(Camera::of_model(&pose, aspect, &stage.scene().info().bounds))
        });
        own.unwrap_or_else(|| self.orbit.camera())
    }

    pub(crate) fn style(&self) -> DrawStyle {
        let marked =
            self.session.as_ref().and_then(|session| session.selected?.marked(session.stage.scene()));
        DrawStyle {
            background: self.settings.backdrop(),
            overlays: Overlays { marked, ..self.settings.overlays },
            ..DrawStyle::default()
        }
    }

    /// Whether the next picture will differ from this one.
    pub(crate) const fn moves(&self) -> bool {
        self.playback.playing || self.turning
    }

    /// Draws the picture if it is stale.
    pub(crate) fn draw(&mut self, size: [u32; 2]) -> Result<Option<Shown>> {
        let [width, height] = size;
        let aspect = width as f32 / height.max(1) as f32;
        if std::mem::take(&mut self.unplaced) {
            self.fit(aspect);
        }
        let (camera, style, moving) = (self.camera(aspect), self.style(), self.moves());
        let Some(session) = &mut self.session else { return Ok(None) };
        let shown = self.viewport.shown(&self.renderer, size, moving)?;
        if self.viewport.stale && !self.playback.playing {
            // Billboards turn to a camera that moves while the time stands still.
            session.stage.show(Some(&camera.view));
        }
        let frame = Frame { model: &session.drawn, stage: &session.stage, camera: &camera, style: &style };
        self.viewport.draw(&self.renderer, &frame)?;
        Ok(Some(shown))
    }

    fn keep_settings(&mut self) {
        self.settings.looping = self.playback.looping;
        let text = self.settings.print();
        if text != self.kept {
            if let Err(error) = self.platform.store_settings(&text) {
                self.message = format!("the settings cannot be kept: {error}");
            }
            self.kept = text;
        }
    }
}
