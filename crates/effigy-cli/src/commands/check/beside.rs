//! What stands beside a model and is looked at with it: its textures, its finest level of detail, its skin.

use crate::args::Reading;
use crate::inputs::Source;
use effigy_check::Lookup;

/// What it means that a file was not found. Where the game's own files were not named, a path into its folders says nothing:
/// only a bare name, or the folder that maps import into, cannot be part of the game.
pub fn absent(file: &str, complete: bool) -> Lookup {
    let bare = !file.contains(['\\', '/']);
    let imported = file.get(..15).is_some_and(|start| start.eq_ignore_ascii_case("war3mapImported"));
    if complete || bare || imported { Lookup::Missing } else { Lookup::Unknown }
}

/// What stands beside an MDC or MD3.
#[derive(Default)]
pub struct Companions {
    /// Frames of the finest level of detail.
    pub finest_frames: Option<usize>,
    /// The surfaces that the skin names.
    pub skin_surfaces: Option<Vec<String>>,
}

impl Companions {
    pub fn of(source: &Source, reading: &Reading) -> Self {
        let mut found = Self::default();
        let name = source.file_name();
        let Some((stem, extension)) = name.rsplit_once('.') else { return found };
        if !["mdc", "md3"].iter().any(|known| extension.eq_ignore_ascii_case(known)) {
            return found;
        }
        if let Some((finest, _)) = effigy::mdc::lod::finest(&name) {
            let bytes = source.beside(&finest, reading);
            let model = bytes.and_then(|bytes| effigy::mdc::read(&bytes).ok());
            found.finest_frames = model.map(|model| model.frames.len());
        }
        let skin = source.beside(&format!("{stem}.skin"), reading);
        let skin =
            skin.and_then(|bytes| effigy::mdc::skin::Skin::parse(&String::from_utf8_lossy(&bytes)).ok());
        found.skin_surfaces = skin.map(|skin| skin.surfaces.into_iter().map(|(name, _)| name).collect());
        found
    }
}
