//! The shader scripts that apply to a model.

use super::Assets;
use super::home::Home;
use crate::Source;
use crate::rules::shader::{Shader, Shaders};
use std::sync::{Arc, OnceLock, PoisonError};

/// The shader scripts of one source, once they were needed.
pub(super) type Loaded = Arc<OnceLock<Shaders>>;

/// Shader scripts of several sources; the first that knows a shader wins.
#[derive(Clone, Debug, Default)]
pub struct Scripts(Vec<Loaded>);

impl Scripts {
    /// The shader of this name, with or without extension.
    #[must_use]
    pub fn get(&self, shader: &str) -> Option<&Shader> {
        self.0.iter().filter_map(|scripts| scripts.get()).find_map(|scripts| scripts.get(shader))
    }
}

impl Assets {
    pub(super) fn scripts_around(&self, home: &Home) -> Scripts {
        let mut all = Vec::new();
        for folder in home.scripts.iter().filter_map(|path| self.folder(path)) {
            // Folders around the model are never listed whole: one of them may be the root of the disk.
            all.push(self.scripts_of(&folder, "*.shader"));
        }
        let archive = home.places.first().filter(|_| !home.model.is_empty());
        for source in archive.into_iter().chain(self.stack.sources().iter().rev()) {
            all.push(self.scripts_of(source, "scripts/*.shader"));
        }
        Scripts(all)
    }

    /// The scripts of one source, read once; other sources can be read meanwhile.
    fn scripts_of(&self, source: &Arc<dyn Source>, pattern: &'static str) -> Loaded {
        let known = {
            let mut known = self.shaders.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(known.entry((source.label().to_owned(), pattern)).or_default())
        };
        known.get_or_init(|| {
            let mut shaders = Shaders::default();
            shaders.load(source.as_ref(), pattern);
            shaders
        });
        known
    }
}
