//! Assemblies that a TOML file describes: a model with others on it.
//!
//! ```toml
//! [assembly]
//! model = "models/players/multi"
//! skin = "bluesoldier1"
//! attach = ["tag_weapon=models/weapons2/thompson/thompson.mdc"]
//! ```

use crate::{Attach, Error, Kind, Model, OpenOptions, Result};
use effigy_assets::FileRef;
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// Assemblies inside each other, at most.
const DEEPEST: usize = 16;

/// The whole file; other commands have tables of their own.
#[derive(Deserialize)]
struct File {
    assembly: Option<Assembly>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Assembly {
    /// A model, a player folder, a character file or another assembly.
    model: String,
    /// The skin of a body.
    skin: Option<String>,
    /// `PLACE=FILE` or `PLACE=FILE#SEQUENCE`. Paths start at the folder of this file.
    #[serde(default)]
    attach: Vec<String>,
}

/// Whether a file is named like the description of an assembly.
pub(crate) fn is_assembly(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("toml"))
}

/// Opens an assembly.
pub(crate) fn open(path: &Path, options: &OpenOptions) -> Result<Model> {
    open_below(path, options, &mut Vec::new())
}

/// Opens an assembly that is part of those above.
fn open_below(path: &Path, options: &OpenOptions, above: &mut Vec<PathBuf>) -> Result<Model> {
    let name = path.display();
    let own = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    if above.contains(&own) || above.len() >= DEEPEST {
        return Err(Error::new(Kind::Usage, format!("{name} is a part of itself")));
    }
    let bytes = FileRef::disk(path.to_path_buf()).read(&options.limits)?;
    let text = String::from_utf8_lossy(&bytes);
    let wrong = |text: String| Error::new(Kind::Usage, text);
    let File { assembly } = toml::from_str(&text).map_err(|error| wrong(format!("{name}: {error}")))?;
    let Some(assembly) = assembly else {
        return Err(wrong(format!("{name} has no table [assembly]")));
    };
    above.push(own);
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut open = |file: &Path, skin: Option<String>| {
        let file = folder.join(file);
        if is_assembly(&file) {
            return open_below(&file, options, above);
        }
        let options = OpenOptions { attach: Vec::new(), format: None, skin, ..options.clone() };
        crate::open_with(&file, &options)
            .map_err(|error| Error::new(error.kind(), format!("{}: {error}", file.display())))
    };
    let skin = options.skin.clone().or(assembly.skin);
    let mut model = open(Path::new(&assembly.model), skin)?;
    for line in &assembly.attach {
        let Attach { at, path, sequence } = line.parse()?;
        model.add_part_playing(&at, open(&path, None)?, sequence.as_deref())?;
    }
    above.pop();
    Ok(model)
}
