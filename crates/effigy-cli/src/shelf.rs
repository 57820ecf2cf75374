//! Textures for pictures: from the folders around a model, and from archives and folders that the user names.

use effigy::{Error, Limits, Result};
use effigy_assets::rules::{rtcw, warcraft3, wow};
use effigy_assets::{Folder, Source, Stack};
use effigy_render::{Image, Textures};
use effigy_scene::{Extra, NodeRule, Replaceable, Scene, Texture};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Folders above a model that are searched: game folders are seldom deeper.
const LEVELS: usize = 6;

/// All places that textures are looked for in, shared by all models of a run.
pub struct Shelf {
    named: Vec<Arc<dyn Source>>,
    folders: Mutex<HashMap<PathBuf, Option<Arc<dyn Source>>>>,
    limits: Limits,
}

impl Shelf {
    /// The folders and archives that the user named; later ones win.
    pub fn new(paths: &[PathBuf], limits: Limits) -> Result<Self> {
        let open = |path: &PathBuf| {
            effigy_assets::open(path, &limits)
                .map_err(|error| Error::new(error.kind(), format!("{}: {}", path.display(), error.message())))
        };
        let named = paths.iter().map(open).collect::<Result<_>>()?;
        Ok(Self { named, folders: Mutex::default(), limits })
    }

    fn folder(&self, path: &Path) -> Option<Arc<dyn Source>> {
        let mut folders = self.folders.lock().unwrap_or_else(PoisonError::into_inner);
        let open = || Folder::new(path, &self.limits).ok().map(|folder| Arc::new(folder) as Arc<dyn Source>);
        folders.entry(path.to_path_buf()).or_insert_with(open).clone()
    }

    /// The textures as one model sees them.
    pub fn for_model(&self, model: Option<&Path>, scene: &Scene, team: Option<usize>) -> Finder {
        let mut stack = Stack::default();
        let home =
            model.map(|path| path.parent().filter(|it| *it != Path::new("")).unwrap_or(Path::new(".")));
        let mut around: Vec<_> = home
            .iter()
            .flat_map(|home| home.ancestors().take(LEVELS))
            .filter(|folder| *folder != Path::new(""))
            .filter_map(|folder| self.folder(folder))
            .collect();
        // The nearest folder wins over those above it, and what the user named over all.
        around.reverse();
        for source in around.into_iter().chain(self.named.iter().cloned()) {
            stack.push(source);
        }
        let game = match scene.extras.get("format") {
            Some(Extra::Text(format)) if matches!(format.as_str(), "mdc" | "md3") => Game::Wolfenstein,
            _ if scene.node_rule == NodeRule::World => Game::World,
            _ => Game::Warcraft,
        };
        Finder { stack, game, team, limits: self.limits }
    }
}

#[derive(Clone, Copy)]
enum Game {
    Warcraft,
    World,
    Wolfenstein,
}

/// Finds the textures of one model.
pub struct Finder {
    stack: Stack,
    game: Game,
    /// The player's number; none: the colour was given, and no file has it.
    team: Option<usize>,
    limits: Limits,
}

impl Textures for Finder {
    fn image(&mut self, texture: &Texture) -> Option<Image> {
        let graphics = warcraft3::Graphics::Classic;
        let names = match (self.game, texture.replaceable) {
            (Game::Warcraft, Some(replaceable)) => {
                let team = match replaceable {
                    Replaceable::TeamColor | Replaceable::TeamGlow => self.team?,
                    Replaceable::Other(_) => 0,
                };
                warcraft3::Replaceable::by_id(replaceable.number())?.candidates(team, graphics)
            }
            (Game::Warcraft, None) => warcraft3::texture_candidates(&texture.path, "", graphics),
            (Game::World, _) => {
                let mut names = wow::texture_candidates(&texture.path, "");
                // Beside the model, as files are handed around.
                names.extend(wow::texture_candidates(effigy_assets::name::file_name(&texture.path), ""));
                names
            }
            (Game::Wolfenstein, _) => {
                let mut names = rtcw::texture_candidates(&texture.path, "");
                names.extend(rtcw::texture_candidates(effigy_assets::name::file_name(&texture.path), ""));
                names
            }
        };
        let bytes = self.stack.find_any(names)?.read().ok()?;
        let mut image = effigy_assets::texture::read_with(&bytes, &self.limits).ok()?;
        let (width, height) = (image.width, image.height);
        let pixels = image.levels.first_mut().map(std::mem::take)?;
        Some(Image { width, height, pixels })
    }
}
