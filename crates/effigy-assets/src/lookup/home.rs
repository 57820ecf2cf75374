//! What surrounds a model: the folders above it, or its archive.

use super::Assets;
use crate::file::FileRef;
use crate::{Folder, Source};
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError};

/// How many folders above the model are searched: game folders are seldom deeper.
const LEVELS: usize = 8;

/// Folders whose names are remembered. A run over very many models goes from folder to folder, and needs the earlier ones no more.
pub(super) const FOLDERS: usize = 512;

/// Places that are searched one after another; the first that has the file under any of its names wins.
#[derive(Default)]
pub struct Home {
    /// The model's folder and those above it, or its archive.
    pub places: Vec<Arc<dyn Source>>,
    /// The model's path from the root of its archive; empty on disk.
    pub model: String,
    /// Folders around the model that may hold shader scripts.
    pub scripts: Vec<PathBuf>,
}

impl Assets {
    pub(super) fn home(&self, file: &FileRef) -> Home {
        if let Some(entry) = file.entry() {
            let places = file.container().into_iter().collect();
            return Home { places, model: entry.name.clone(), scripts: Vec::new() };
        }
        let Some(path) = file.path() else { return Home::default() };
        let home = match path.parent() {
            Some(parent) if parent != Path::new("") => parent,
            _ => Path::new("."),
        };
        let above: Vec<&Path> =
            home.ancestors().take(LEVELS).filter(|folder| *folder != Path::new("")).collect();
        Home {
            places: above.iter().filter_map(|folder| self.folder(folder)).collect(),
            model: String::new(),
            scripts: above.iter().map(|folder| folder.join("scripts")).collect(),
        }
    }

    pub(super) fn folder(&self, path: &Path) -> Option<Arc<dyn Source>> {
        let mut folders = self.folders.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = folders.get(path) {
            return known.clone();
        }
        let folder = Folder::new(path, &self.limits).ok().map(|folder| Arc::new(folder) as Arc<dyn Source>);
        if folders.len() >= FOLDERS {
            folders.clear();
        }
        folders.insert(path.to_path_buf(), folder.clone());
        folder
    }
}
