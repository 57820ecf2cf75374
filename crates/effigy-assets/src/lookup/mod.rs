//! Finding what a model names: its own folder or archive first, then the game's files, by the rules of its game.

mod characters;
mod home;
mod nearest;
mod scripts;
mod textures;

pub use characters::Choices;
pub use scripts::Scripts;
pub use textures::ModelTextures;

use crate::dbc::appearance::Appearance;
use crate::dbc::looks::{Look, Looks, Worn};
use crate::file::FileRef;
use crate::rules::shader::Shader;
use crate::rules::warcraft3::{Graphics, Replaceable};
use crate::rules::{rtcw, warcraft3, wow};
use crate::{Found, Source, Stack, dbc, name};
use effigy_wire::{Limits, Result};
use home::Home;
use scripts::Loaded;
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// How many looks of a model are tried for one whose texture is there.
const MOST_LOOKS: usize = 64;

/// Which game's rules for file names apply to a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Naming {
    /// Warcraft III: paths below the game's folder, replaceable textures by number.
    Warcraft3,
    /// World of Warcraft: paths below the game's folder, skins from the game's tables.
    Wow,
    /// Return to Castle Wolfenstein and its relatives: names of shaders, which scripts explain.
    Wolfenstein,
}

/// A texture as a model refers to it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TextureRef<'a> {
    /// The path in the model; empty where the game chooses the file.
    pub path: &'a str,
    /// Which texture the game chooses instead; 0 for none.
    pub replaceable: u32,
}

impl TextureRef<'_> {
    /// The same, without a path that is not one. Models of World of Warcraft have left-over letters where the game chooses
    /// the texture.
    fn without_junk(self, naming: Naming) -> Self {
        let is_name = ["blp", "tga", "png"].contains(&name::extension(self.path).as_str());
        if naming == Naming::Wow && self.replaceable != 0 && !is_name {
            Self { path: "", ..self }
        } else {
            self
        }
    }
}

/// The files of a game, and where to look for what a model needs.
///
/// Whatever lies next to a model wins over these files. Folders, scripts and tables are read once and shared by all
/// models, so that one `Assets` serves a whole run.
#[derive(Default)]
pub struct Assets {
    stack: Stack,
    /// Textures that the game would choose, by number.
    chosen: BTreeMap<u32, Found>,
    /// The look of characters.
    appearance: Appearance,
    limits: Limits,
    folders: Mutex<BTreeMap<PathBuf, Option<Arc<dyn Source>>>>,
    /// Shader scripts by the source that they are in.
    shaders: Mutex<BTreeMap<(String, &'static str), Loaded>>,
    /// The tables of the game's files, or of a folder above a model, by the folder's name.
    looks: Mutex<BTreeMap<String, Arc<Looks>>>,
}

impl fmt::Debug for Assets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Assets").field("sources", &self.stack.sources().len()).finish_non_exhaustive()
    }
}

impl Assets {
    /// No game files: only what lies next to a model is found.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        Self { limits, ..Self::default() }
    }

    /// Adds a folder or archive of a game. Later ones win over earlier ones, as patches do.
    ///
    /// # Errors
    /// When there is neither a folder nor an archive at the path.
    pub fn add(&mut self, path: impl AsRef<Path>) -> Result<()> {
        self.stack.push(crate::open(path, &self.limits)?);
        Ok(())
    }

    /// Adds a source that is open already, such as files in memory.
    pub fn push(&mut self, source: Arc<dyn Source>) {
        self.stack.push(source);
    }

    /// Chooses the file for a texture that the game would choose, by its number in the model.
    pub fn choose(&mut self, replaceable: u32, found: Found) {
        self.chosen.insert(replaceable, found);
    }

    /// Whether a game's files were added, so that what is not found is missing indeed.
    #[must_use]
    pub fn has_game_files(&self) -> bool {
        !self.stack.sources().is_empty()
    }

    /// How large files may be.
    #[must_use]
    pub const fn limits(&self) -> &Limits {
        &self.limits
    }

    /// The file of each texture that a model names; `None` for those that are missing or that the game makes up.
    pub fn textures<'t>(
        &self,
        naming: Naming,
        file: &FileRef,
        textures: impl IntoIterator<Item = TextureRef<'t>>,
    ) -> Vec<Option<Found>> {
        let home = self.home(file);
        // Models of Wolfenstein name shaders, which may have another image.
        let scripts =
            if naming == Naming::Wolfenstein { self.scripts_around(&home) } else { Scripts::default() };
        let find = |texture: TextureRef<'_>| self.find(naming, &home, texture, scripts.get(texture.path));
        textures
            .into_iter()
            .map(|texture| texture.without_junk(naming))
            .map(|texture| find(texture).or_else(|| self.chosen_by_game(naming, file, texture)))
            .collect()
    }

    /// The file of an image that a scene names. Shader scripts are part of the scene by then and are not consulted.
    #[must_use]
    pub fn image_file(&self, naming: Naming, file: &FileRef, texture: TextureRef<'_>) -> Option<Found> {
        let texture = texture.without_junk(naming);
        let found = self.find(naming, &self.home(file), texture, None);
        found.or_else(|| self.chosen_by_game(naming, file, texture))
    }

    /// A texture that World of Warcraft chooses, by its tables or else by its name.
    fn chosen_by_game(&self, naming: Naming, file: &FileRef, texture: TextureRef<'_>) -> Option<Found> {
        self.worn_first(naming, file, texture).or_else(|| self.nearest(naming, file, texture))
    }

    /// Whether a file of this name is next to the model or in the game's files.
    #[must_use]
    pub fn path(&self, file: &FileRef, path: &str) -> Option<Found> {
        self.search(&self.home(file), path, &[path.to_owned()])
    }

    /// What a model of World of Warcraft can wear, where the game's tables are among the assets.
    #[must_use]
    pub fn looks(&self, naming: Naming, file: &FileRef) -> Vec<Look> {
        if naming != Naming::Wow {
            return Vec::new();
        }
        self.tables(&self.home(file)).of(name_in_game(file))
    }

    /// The tables of the game's files, else those of the nearest folder around the model that has any.
    fn tables(&self, home: &Home) -> Arc<Looks> {
        let in_stack = dbc::has_looks(&self.stack);
        let mut around = Stack::default();
        let own = home.places.iter().filter(|_| !in_stack).find(|place| {
            let mut stack = Stack::default();
            stack.push(Arc::clone(place));
            dbc::has_looks(&stack)
        });
        if let Some(place) = own {
            around.push(Arc::clone(place));
        }
        let label = own.map_or_else(String::new, |place| place.label().to_owned());
        let stack = if own.is_some() { &around } else { &self.stack };
        let mut known = self.looks.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(known.entry(label).or_insert_with(|| Arc::new(Looks::load(stack, &self.limits))))
    }

    /// The file of a texture of a look.
    #[must_use]
    pub fn worn(&self, file: &FileRef, worn: &Worn) -> Option<Found> {
        self.search(&self.home(file), "", &worn.candidates)
    }

    /// The shader scripts that apply to a model: of its archive or the folders around it, nearest first, then those of
    /// the game.
    #[must_use]
    pub fn scripts(&self, file: &FileRef) -> Scripts {
        self.scripts_around(&self.home(file))
    }

    /// A texture that World of Warcraft chooses: of the fullest look whose files are all there, else of any.
    fn worn_first(&self, naming: Naming, file: &FileRef, texture: TextureRef<'_>) -> Option<Found> {
        if !texture.path.is_empty() || texture.replaceable == 0 {
            return None;
        }
        let fits = |look: &Look| look.textures.iter().any(|worn| worn.kind == texture.replaceable);
        let mut looks = self.looks(naming, file);
        looks.retain(fits);
        // The rows of the model's own race and sex, where it is a character, come before those of dressed creatures.
        looks.sort_by_key(|look| look.table != "CharSections");
        looks.truncate(MOST_LOOKS);
        let home = self.home(file);
        let find = |worn: &Worn| self.search(&home, "", &worn.candidates);
        let counts = |worn: &&Worn| worn.kind != wow::ICON;
        let whole = |look: &&Look| look.textures.iter().filter(counts).all(|worn| find(worn).is_some());
        // The first of those with the most textures.
        let best =
            looks.iter().filter(whole).rev().max_by_key(|look| look.textures.iter().filter(counts).count());
        let worn = best.into_iter().chain(&looks).flat_map(|look| &look.textures);
        worn.filter(|worn| worn.kind == texture.replaceable).find_map(find)
    }

    fn find(
        &self,
        naming: Naming,
        home: &Home,
        texture: TextureRef<'_>,
        script: Option<&Shader>,
    ) -> Option<Found> {
        if let Some(found) = self.chosen.get(&texture.replaceable) {
            return Some(found.clone());
        }
        if texture.path.is_empty() {
            let known =
                (naming == Naming::Warcraft3).then(|| Replaceable::by_id(texture.replaceable)).flatten()?;
            return self.search(home, "", &known.candidates(0, Graphics::Classic));
        }
        let (path, model) = (texture.path, home.model.as_str());
        let candidates = match naming {
            Naming::Warcraft3 => warcraft3::texture_candidates(path, model, graphics(path)),
            Naming::Wow => wow::texture_candidates(path, model),
            Naming::Wolfenstein => rtcw::shader_candidates(path, model, script),
        };
        self.search(home, path, &candidates)
    }

    /// Searches the model's own places first, each for all names, then the game's files.
    fn search(&self, home: &Home, reference: &str, candidates: &[String]) -> Option<Found> {
        let bare = name::folder(&name::tidy(reference)).is_empty();
        let own = home.places.iter().enumerate().find_map(|(level, place)| {
            // A bare name that was made from a path only means the files next to the model.
            let fits = |candidate: &&String| level == 0 || bare || !name::folder(candidate).is_empty();
            // Most of the names begin with one of a few folders, and most places have none of them.
            let mut absent: Vec<&str> = Vec::new();
            candidates.iter().filter(fits).find_map(|candidate| {
                let mut parts = name::parts(candidate);
                if let (Some(first), Some(_)) = (parts.next(), parts.next()) {
                    if absent.contains(&first) {
                        return None;
                    }
                    if !place.may_have(first) {
                        absent.push(first);
                        return None;
                    }
                }
                place.find(candidate).map(|entry| Found { source: Arc::clone(place), entry })
            })
        });
        own.or_else(|| self.stack.find_any(candidates))
    }
}

/// Reforged models say `.tif`; their textures are those of the high definition.
fn graphics(reference: &str) -> Graphics {
    if name::extension(reference) == "tif" { Graphics::Reforged } else { Graphics::Classic }
}

/// The path of a model as the game's tables know it: inside its archive, or on disk.
fn name_in_game(file: &FileRef) -> &str {
    file.entry().map_or_else(|| file.label(), |entry| entry.name.as_str())
}

#[cfg(test)]
mod tests;
