//! What depends on the system: dialogs, saving, kept settings, files that change.

use effigy::{Converted, Error, Result};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// What is saved.
pub enum Content {
    /// A file.
    Bytes(Vec<u8>),
    /// A conversion, which may consist of several files whose names depend on the first.
    Converted(Box<Converted>),
    /// A picture that the device still draws: a browser cannot wait for it.
    #[cfg(target_arch = "wasm32")]
    Drawing(std::pin::Pin<Box<dyn Future<Output = Result<Vec<u8>>>>>),
}

/// What the system reports.
#[derive(Debug)]
pub enum PlatformEvent {
    /// Files or folders that the user chose.
    Open(Vec<PathBuf>),
    /// Files in memory that the user chose: name and content.
    Files(Vec<(String, Vec<u8>)>),
    /// Something was saved; where.
    Saved(String),
    /// Something failed.
    Failed(Error),
    /// The opened file has changed.
    Changed,
}

/// The system around the viewer.
pub trait Platform {
    /// Asks for a file, or a folder. The answer arrives as an event.
    fn ask_open(&mut self, ctx: &egui::Context, folder: bool);

    /// Asks where to save, and saves. `name` is proposed. The answer arrives as an event.
    fn save(&mut self, ctx: &egui::Context, name: String, content: Content);

    /// What has happened since the last call.
    fn events(&mut self) -> Vec<PlatformEvent>;

    /// Reports changes of this file from now on, and of no other.
    fn watch(&mut self, ctx: &egui::Context, path: Option<&Path>);

    /// The settings that were kept, as text.
    fn load_settings(&mut self) -> Option<String>;

    /// Keeps settings.
    ///
    /// # Errors
    /// When the disk refuses.
    fn store_settings(&mut self, text: &str) -> Result<()>;

    /// Whether files and folders can be opened by their paths.
    fn has_files(&self) -> bool {
        true
    }
}

/// Names and content of saved files.
pub type SavedFiles = Arc<Mutex<Vec<(String, Vec<u8>)>>>;

/// A system without dialogs, for tests. It keeps what would have been saved.
#[derive(Default)]
pub struct NoPlatform {
    /// Names and content of what was saved.
    pub saved: SavedFiles,
    events: Vec<PlatformEvent>,
}

impl Platform for NoPlatform {
    fn ask_open(&mut self, _: &egui::Context, _: bool) {}

    fn save(&mut self, _: &egui::Context, name: String, content: Content) {
        let stem = name.rsplit_once('.').map_or(name.as_str(), |(stem, _)| stem);
        let bytes = match content {
            Content::Bytes(bytes) => Ok(bytes),
            Content::Converted(converted) => converted.into_files(stem).map(|files| files.main),
            #[cfg(target_arch = "wasm32")]
            Content::Drawing(_) => Err(Error::unsupported("nobody waits for pictures here")),
        };
        self.events.push(match bytes {
            Ok(bytes) => {
                let mut saved = self.saved.lock().unwrap_or_else(PoisonError::into_inner);
                saved.push((name.clone(), bytes));
                PlatformEvent::Saved(name)
            }
            Err(error) => PlatformEvent::Failed(error),
        });
    }

    fn events(&mut self) -> Vec<PlatformEvent> {
        std::mem::take(&mut self.events)
    }

    fn watch(&mut self, _: &egui::Context, _: Option<&Path>) {}

    fn load_settings(&mut self) -> Option<String> {
        None
    }

    fn store_settings(&mut self, _: &str) -> Result<()> {
        Ok(())
    }
}
