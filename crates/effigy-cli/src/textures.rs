//! Finding a model's textures: its own folder or archive first, then the assets, by the rules of its game.

use crate::args::{Assets, Choice};
use crate::inputs::Source;
use crate::session::{Session, Stop};
use effigy::{Document, Error, Format, Kind, Limits, Lowered, Result, Texture};
use effigy_assets::dbc::looks::{Look, Looks, Worn};
use effigy_assets::rules::shader::{Shader, Shaders};
use effigy_assets::rules::warcraft3::{Graphics, Replaceable};
use effigy_assets::rules::{rtcw, warcraft3, wow};
use effigy_assets::{ArchivePath, Folder, Found, Source as Files, Stack, name};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// How many folders above the model are searched: game folders are seldom deeper.
const LEVELS: usize = 8;

/// How many looks of a model are tried for one whose texture is there.
const MOST_LOOKS: usize = 64;

/// Whose rules for names hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Game {
    Warcraft3,
    Wow,
    Wolfenstein,
}

impl Game {
    fn of(document: &dyn Document) -> Self {
        match (document.format(), document.dialect()) {
            (Format::Mdc | Format::Md3, _) => Self::Wolfenstein,
            (Format::M2 | Format::Skin, _) => Self::Wow,
            (_, Some(dialect)) if dialect.starts_with("WoW") => Self::Wow,
            _ => Self::Warcraft3,
        }
    }
}

/// Places that are searched one after another; the first that has the file under any of its names wins.
#[derive(Default)]
struct Home {
    /// The model's folder and those above it, or its archive.
    places: Vec<Arc<dyn Files>>,
    /// The model's path from the root of its archive; empty on disk.
    model: String,
    /// Folders around the model that may hold shader scripts.
    scripts: Vec<PathBuf>,
}

/// The shader scripts of one source, once they were needed.
type Loaded = Arc<OnceLock<Shaders>>;

/// Shader scripts of several sources; the first that knows a shader wins.
#[derive(Default)]
struct Scripts(Vec<Loaded>);

impl Scripts {
    fn get(&self, shader: &str) -> Option<&Shader> {
        self.0.iter().filter_map(|scripts| scripts.get()).find_map(|scripts| scripts.get(shader))
    }
}

/// Where textures are looked for. Folders and tables are read once and shared by the workers.
pub struct Lookup {
    assets: Stack,
    /// Textures that the game would choose, by number.
    chosen: BTreeMap<u32, Found>,
    limits: Limits,
    folders: Mutex<BTreeMap<PathBuf, Option<Arc<dyn Files>>>>,
    /// Shader scripts by the source that they are in.
    shaders: Mutex<BTreeMap<(String, &'static str), Loaded>>,
    looks: OnceLock<Looks>,
}

impl Lookup {
    /// Opens the assets that the user named. A place in EFFIGY_ASSETS that is not there is only talked about.
    pub fn new(session: &mut Session, assets: &Assets, limits: Limits) -> Result<Self, Stop> {
        let mut stack = Stack::default();
        let usual = std::env::var_os("EFFIGY_ASSETS").unwrap_or_default();
        for path in std::env::split_paths(&usual).filter(|path| !path.as_os_str().is_empty()) {
            match effigy_assets::open(&path, &limits) {
                Ok(source) => stack.push(source),
                Err(error) => {
                    session.out.say(format_args!("EFFIGY_ASSETS: {}: {}", path.display(), error.message()));
                }
            }
        }
        for path in &assets.assets {
            let source = effigy_assets::open(path, &limits)
                .map_err(|error| Stop::Usage(format!("--assets {}: {}", path.display(), error.message())))?;
            stack.push(source);
        }
        let mut chosen = BTreeMap::new();
        for Choice { id, file } in &assets.texture {
            let found = file_at(file, &limits)
                .map_err(|error| Stop::Usage(format!("--texture {}: {}", file.display(), error.message())))?;
            chosen.insert(*id, found);
        }
        Ok(Self {
            assets: stack,
            chosen,
            limits,
            folders: Mutex::default(),
            shaders: Mutex::default(),
            looks: OnceLock::new(),
        })
    }

    /// Where each texture that a model names is; `None` for those that are missing or that the game makes up.
    pub fn textures(
        &self,
        source: &Source,
        document: &dyn Document,
        textures: &[Texture],
    ) -> Vec<Option<Found>> {
        let game = Game::of(document);
        let home = self.home(source);
        // Models of Wolfenstein name shaders, which may have another image.
        let scripts = if game == Game::Wolfenstein { self.scripts(&home) } else { Scripts::default() };
        let find = |texture: &Texture| self.find(game, &home, texture, scripts.get(&texture.path));
        textures
            .iter()
            .map(|texture| find(texture).or_else(|| self.worn_first(source, document, texture)))
            .collect()
    }

    /// Where a texture of a scene is; shader scripts have been put into the scene already.
    pub fn image(&self, source: &Source, document: &dyn Document, texture: &Texture) -> Option<Found> {
        let found = self.find(Game::of(document), &self.home(source), texture, None);
        found.or_else(|| self.worn_first(source, document, texture))
    }

    /// A texture that World of Warcraft chooses: of the fullest look whose files are all there, else of any.
    fn worn_first(&self, source: &Source, document: &dyn Document, texture: &Texture) -> Option<Found> {
        if !texture.path.is_empty() || texture.replaceable == 0 {
            return None;
        }
        let fits = |look: &Look| look.textures.iter().any(|worn| worn.kind == texture.replaceable);
        let mut looks = self.looks(source, document);
        looks.retain(fits);
        looks.truncate(MOST_LOOKS);
        let home = self.home(source);
        let file = |worn: &Worn| self.search(&home, "", &worn.candidates);
        let counts = |worn: &&Worn| worn.kind != wow::ICON;
        let whole = |look: &&Look| look.textures.iter().filter(counts).all(|worn| file(worn).is_some());
        // The first of those with the most textures.
        let best =
            looks.iter().filter(whole).rev().max_by_key(|look| look.textures.iter().filter(counts).count());
        let worn = best.into_iter().chain(&looks).flat_map(|look| &look.textures);
        worn.filter(|worn| worn.kind == texture.replaceable).find_map(file)
    }

    fn find(&self, game: Game, home: &Home, texture: &Texture, script: Option<&Shader>) -> Option<Found> {
        if let Some(found) = self.chosen.get(&texture.replaceable) {
            return Some(found.clone());
        }
        if texture.path.is_empty() {
            let known =
                (game == Game::Warcraft3).then(|| Replaceable::by_id(texture.replaceable)).flatten()?;
            return self.search(home, "", &known.candidates(0, Graphics::Classic));
        }
        let (path, model) = (texture.path.as_str(), home.model.as_str());
        let candidates = match game {
            Game::Warcraft3 => warcraft3::texture_candidates(path, model, graphics(path)),
            Game::Wow => wow::texture_candidates(path, model),
            Game::Wolfenstein => rtcw::shader_candidates(path, model, script),
        };
        self.search(home, path, &candidates)
    }

    /// The model's own places first, each with all names, then the assets.
    fn search(&self, home: &Home, reference: &str, candidates: &[String]) -> Option<Found> {
        let bare = name::folder(&name::tidy(reference)).is_empty();
        let own = home.places.iter().enumerate().find_map(|(level, place)| {
            // A bare name that was made from a path only means the files beside the model.
            let fits = |candidate: &&String| level == 0 || bare || !name::folder(candidate).is_empty();
            candidates.iter().filter(fits).find_map(|candidate| {
                place.find(candidate).map(|entry| Found { source: Arc::clone(place), entry })
            })
        });
        own.or_else(|| self.assets.find_any(candidates))
    }

    fn home(&self, source: &Source) -> Home {
        if let Some(packed) = source.entry() {
            let places = packed.pool.open(&packed.place).into_iter().collect();
            return Home { places, model: packed.entry.name.clone(), scripts: Vec::new() };
        }
        let Some(path) = source.path() else { return Home::default() };
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

    fn folder(&self, path: &Path) -> Option<Arc<dyn Files>> {
        let mut folders = self.folders.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = folders.get(path) {
            return known.clone();
        }
        let folder = Folder::new(path, &self.limits).ok().map(|folder| Arc::new(folder) as Arc<dyn Files>);
        folders.insert(path.to_path_buf(), folder.clone());
        folder
    }

    /// The shader scripts of the model's archive or of the folders around it, nearest first, then those of the assets.
    fn scripts(&self, home: &Home) -> Scripts {
        let mut all = Vec::new();
        for folder in home.scripts.iter().filter_map(|path| self.folder(path)) {
            // Folders around the model are never listed whole: one of them may be the root of the disk.
            all.push(self.scripts_of(&folder, "*.shader"));
        }
        let archive = home.places.first().filter(|_| !home.model.is_empty());
        for source in archive.into_iter().chain(self.assets.sources().iter().rev()) {
            all.push(self.scripts_of(source, "scripts/*.shader"));
        }
        Scripts(all)
    }

    /// The scripts of one source, read once; other sources can be read meanwhile.
    fn scripts_of(&self, source: &Arc<dyn Files>, pattern: &'static str) -> Loaded {
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

    /// Puts shader scripts in place of the plain materials of a model that has any, and says what they ask for in vain.
    pub fn dress(&self, source: &Source, document: &dyn Document, lowered: &mut Lowered) {
        if Game::of(document) == Game::Wolfenstein {
            let scripts = self.scripts(&self.home(source));
            let report = effigy::apply_shaders(&mut lowered.scene, |name| scripts.get(name));
            lowered.report.append(report);
        }
    }

    /// What a model of World of Warcraft can wear, where the assets have the tables that say so.
    pub fn looks(&self, source: &Source, document: &dyn Document) -> Vec<Look> {
        if Game::of(document) != Game::Wow {
            return Vec::new();
        }
        let file = source.entry().map_or(source.name.as_str(), |packed| packed.entry.name.as_str());
        self.looks.get_or_init(|| Looks::load(&self.assets, &self.limits)).of(file)
    }

    /// Where a texture of a look is.
    pub fn worn(&self, source: &Source, worn: &Worn) -> Option<Found> {
        self.search(&self.home(source), "", &worn.candidates)
    }

    /// Whether any source has this file, by the model's places and the assets.
    pub fn path(&self, source: &Source, path: &str) -> Option<Found> {
        self.search(&self.home(source), path, &[path.to_owned()])
    }
}

/// A file on disk or in an archive.
fn file_at(path: &Path, limits: &Limits) -> Result<Found> {
    let (source, name): (Arc<dyn Files>, String) = match path.to_str().and_then(ArchivePath::locate) {
        Some(inside) => (effigy_assets::open(&inside.archive, limits)?, inside.inside),
        None => {
            let folder = path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            (Arc::new(Folder::new(folder, limits)?), name)
        }
    };
    let entry = source.find(&name).ok_or_else(|| Error::new(Kind::Io, "no such file"))?;
    Ok(Found { source, entry })
}

/// Reforged models say `.tif`; their textures are those of the high definition.
fn graphics(reference: &str) -> Graphics {
    if name::extension(reference) == "tif" { Graphics::Reforged } else { Graphics::Classic }
}

/// Where a file was found, as a path that every command takes.
pub fn describe(found: &Found) -> String {
    let (label, inside) = (found.source.label(), &found.entry.name);
    let folder = Path::new(label);
    if folder.is_dir() {
        let path = if folder == Path::new(".") { PathBuf::from(inside) } else { folder.join(inside) };
        path.display().to_string()
    } else {
        format!("{label}:{}", crate::text::plain(inside))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Common;

    fn lookup(assets: &[&Path]) -> Lookup {
        let mut session = Session::new(Common { json: false, quiet: true, verbose: false });
        let assets =
            Assets { assets: assets.iter().map(|path| path.to_path_buf()).collect(), texture: Vec::new() };
        Lookup::new(&mut session, &assets, Limits::DEFAULT).ok().unwrap()
    }

    fn find(lookup: &Lookup, game: Game, model: &Path, path: &str) -> Option<String> {
        let home = lookup.home(&Source::file(model.to_path_buf(), None));
        let texture = Texture { path: path.to_owned(), ..Texture::default() };
        let scripts = lookup.scripts(&home);
        lookup.find(game, &home, &texture, scripts.get(path)).map(|found| describe(&found))
    }

    #[test]
    fn a_texture_is_found_beside_and_above_the_model_in_any_case() {
        let root = tempfile::tempdir().unwrap();
        let units = root.path().join("Units/Human");
        std::fs::create_dir_all(&units).unwrap();
        std::fs::create_dir_all(root.path().join("textures")).unwrap();
        std::fs::write(root.path().join("textures/footman.dds"), b"x").unwrap();
        std::fs::write(root.path().join("stray.blp"), b"x").unwrap();
        std::fs::write(units.join("Own.blp"), b"x").unwrap();
        let (model, lookup) = (units.join("Footman.mdx"), lookup(&[]));
        let find = |path| find(&lookup, Game::Warcraft3, &model, path);
        assert!(find("Textures\\Footman.blp").unwrap().ends_with("textures/footman.dds"));
        assert!(find("Textures\\Footman.tif").unwrap().ends_with("textures/footman.dds"));
        assert!(find("war3mapImported\\own.blp").unwrap().ends_with("Own.blp"));
        assert_eq!(find("Textures\\Other.blp"), None);
        assert_eq!(find("Textures\\Stray.blp"), None);
        assert_eq!(find("..\\..\\stray.blp"), None);
        assert_eq!(find(""), None);
    }

    #[test]
    fn the_models_own_folder_comes_before_the_assets_and_later_assets_before_earlier() {
        let root = tempfile::tempdir().unwrap();
        for path in ["own/a.jpg", "one/models/a.tga", "one/models/b.tga", "two/models/b.tga", "two/c.tga"] {
            let path = root.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, b"x").unwrap();
        }
        let lookup = lookup(&[&root.path().join("one"), &root.path().join("two")]);
        let model = root.path().join("own/model.mdc");
        let find = |path| find(&lookup, Game::Wolfenstein, &model, path);
        assert!(find("a.tga").unwrap().ends_with("own/a.jpg"));
        assert!(find("models/b.tga").unwrap().ends_with("two/models/b.tga"));
        assert_eq!(find("models/d.tga"), None);
    }

    #[test]
    fn scripts_around_the_model_say_which_image_a_shader_means() {
        let root = tempfile::tempdir().unwrap();
        for (path, text) in [
            ("game/scripts/a.shader", "models/x/fire { { map textures/flame.tga } }"),
            ("game/textures/flame.jpg", "x"),
            ("game/models/x/fire.tga", "x"),
        ] {
            let path = root.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let model = root.path().join("game/models/x/model.mdc");
        let found = find(&lookup(&[]), Game::Wolfenstein, &model, "models/x/fire.tga");
        assert!(found.unwrap().ends_with("game/textures/flame.jpg"));
        // An image is no shader, even where a script has its name.
        let lookup = lookup(&[]);
        let home = lookup.home(&Source::file(model, None));
        let image = Texture { path: "models/x/fire.tga".to_owned(), ..Texture::default() };
        let found = lookup.find(Game::Wolfenstein, &home, &image, None).map(|found| describe(&found));
        assert!(found.unwrap().ends_with("game/models/x/fire.tga"));
    }
}
