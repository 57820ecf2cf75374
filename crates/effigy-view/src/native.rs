//! The window: dialogs, dropped files, kept settings, and a watch on the opened file.

use crate::app::Viewer;
use crate::platform::{Content, Platform, PlatformEvent};
use effigy::assets::destination;
use effigy::{Error, Kind, OpenOptions, Result};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

/// How often the opened file is looked at.
const WATCH: Duration = Duration::from_millis(400);

/// What is watched: a file and when it was last changed.
type Watched = Arc<Mutex<Option<(PathBuf, Option<SystemTime>)>>>;

/// A desktop.
struct Desktop {
    sender: Sender<PlatformEvent>,
    receiver: Receiver<PlatformEvent>,
    /// Where settings are kept.
    settings: Option<PathBuf>,
    watched: Option<Watched>,
}

impl Desktop {
    fn new(settings: Option<PathBuf>) -> Self {
        let (sender, receiver) = channel();
        Self { sender, receiver, settings, watched: None }
    }
}

fn modified(path: &Path) -> Option<SystemTime> {
    std::fs::metadata(path).and_then(|data| data.modified()).ok()
}

/// Runs a dialog without stopping the window.
fn apart(work: impl FnOnce() + Send + 'static) {
    // A dialog of macOS has to be on the main thread.
    if cfg!(target_os = "macos") {
        work();
    } else {
        std::thread::spawn(work);
    }
}

impl Platform for Desktop {
    fn ask_open(&mut self, ctx: &egui::Context, folder: bool) {
        let (sender, ctx) = (self.sender.clone(), ctx.clone());
        apart(move || {
            let dialog = rfd::FileDialog::new();
            let chosen = if folder {
                dialog.pick_folder().map(|folder| vec![folder])
            } else {
                dialog.add_filter("Models and archives", MODELS).add_filter("All files", &["*"]).pick_files()
            };
            if let Some(paths) = chosen {
                // The window may be closed by now.
                _ = sender.send(PlatformEvent::Open(paths));
                ctx.request_repaint();
            }
        });
    }

    fn save(&mut self, ctx: &egui::Context, name: String, content: Content) {
        let (sender, ctx) = (self.sender.clone(), ctx.clone());
        apart(move || {
            if let Some(path) = rfd::FileDialog::new().set_file_name(name).save_file() {
                let saved = match content {
                    Content::Bytes(bytes) => destination::write(&path, &bytes, true),
                    Content::Converted(converted) => converted.save(&path).map(|_| ()),
                };
                let event = match saved {
                    Ok(()) => PlatformEvent::Saved(path.display().to_string()),
                    Err(error) => PlatformEvent::Failed(error),
                };
                _ = sender.send(event);
                ctx.request_repaint();
            }
        });
    }

    fn events(&mut self) -> Vec<PlatformEvent> {
        self.receiver.try_iter().collect()
    }

    fn watch(&mut self, ctx: &egui::Context, path: Option<&Path>) {
        let sender = &self.sender;
        let watched = self.watched.get_or_insert_with(|| {
            let watched = Watched::default();
            let (shared, sender, ctx) = (Arc::downgrade(&watched), sender.clone(), ctx.clone());
            std::thread::spawn(move || {
                while let Some(watched) = shared.upgrade() {
                    let mut watched = watched.lock().unwrap_or_else(PoisonError::into_inner);
                    if let Some((path, known)) = watched.as_mut() {
                        let now = modified(path);
                        // A file that is being replaced is missing for a moment.
                        if now.is_some() && now != *known {
                            *known = now;
                            _ = sender.send(PlatformEvent::Changed);
                            ctx.request_repaint();
                        }
                    }
                    drop(watched);
                    std::thread::sleep(WATCH);
                }
            });
            watched
        });
        let file = path.map(|path| (path.to_path_buf(), modified(path)));
        *watched.lock().unwrap_or_else(PoisonError::into_inner) = file;
    }

    fn load_settings(&mut self) -> Option<String> {
        std::fs::read_to_string(self.settings.as_ref()?).ok()
    }

    fn store_settings(&mut self, text: &str) -> Result<()> {
        let Some(path) = &self.settings else { return Ok(()) };
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        destination::write(path, text.as_bytes(), true)
    }
}

/// Extensions of the dialog.
const MODELS: &[&str] = &[
    "mdx", "mdl", "m2", "mdc", "md3", "w3x", "w3m", "w3n", "mpq", "pk3", "zip", "glb", "gltf", "MDX", "M2",
    "MDC", "MD3",
];

/// What the window shows, and where its settings are kept.
#[derive(Debug, Default)]
pub struct WindowOptions {
    /// Files, folders and archives to open.
    pub paths: Vec<PathBuf>,
    /// How models are opened.
    pub open: OpenOptions,
    /// The file that keeps settings; none: they are not kept.
    pub settings: Option<PathBuf>,
}

/// The viewer as eframe runs it.
struct Window {
    viewer: Viewer,
}

impl eframe::App for Window {
    fn ui(&mut self, ui: &mut egui::Ui, _: &mut eframe::Frame) {
        self.viewer.ui(ui);
    }
}

/// Opens a window and returns when it is closed.
///
/// # Errors
/// When there is no display or no graphics device.
pub fn run(options: WindowOptions) -> Result<()> {
    let WindowOptions { paths, open, settings } = options;
    let native = eframe::NativeOptions {
        viewport: egui::ViewportBuilder::default()
            .with_app_id("effigy")
            .with_inner_size([1280.0, 800.0])
            .with_min_inner_size([480.0, 320.0])
            .with_drag_and_drop(true),
        renderer: eframe::Renderer::Wgpu,
        ..eframe::NativeOptions::default()
    };
    let created = eframe::run_native(
        "Effigy",
        native,
        Box::new(move |context| {
            let state = context.wgpu_render_state.as_ref().ok_or("there is no graphics device")?;
            let mut viewer = Viewer::new(state, Box::new(Desktop::new(settings)), open);
            viewer.open_paths(&context.egui_ctx, &paths);
            Ok(Box::new(Window { viewer }))
        }),
    );
    created.map_err(|error| {
        Error::new(Kind::Unsupported, format!("no window can be opened: {error}"))
            .hint("`effigy render` makes pictures without a display")
    })
}
