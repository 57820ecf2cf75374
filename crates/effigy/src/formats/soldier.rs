//! Whole soldiers: a player folder of Return to Castle Wolfenstein, or a character file of Enemy Territory, opened with
//! everything that the games put onto the body.

use crate::formats::mds::skin_file;
use crate::{Error, Kind, Limits, Model, OpenOptions, Result};
use effigy_assets::FileRef;
use effigy_mdc::character::Character;
use effigy_mdc::skin::Skin;
use std::path::Path;

/// Where a line of a skin goes: its name, whether it goes onto the head, and the tag.
const PLACES: [(&str, bool, &str); 10] = [
    ("md3_hat", true, "tag_mouth"),
    ("md3_hat2", true, "tag_mouth"),
    ("md3_hat3", true, "tag_mouth"),
    ("md3_rank", true, "tag_mouth"),
    ("md3_back", false, "tag_back"),
    ("md3_belt", false, "tag_ubelt"),
    ("md3_beltr", false, "tag_bright"),
    ("md3_beltl", false, "tag_bleft"),
    ("md3_weapon", false, "tag_weapon"),
    ("md3_weapon2", false, "tag_weapon2"),
];

/// Whether a folder is that of a player: it has a body and a skin for it.
pub(crate) fn is_player(folder: &Path) -> bool {
    let body = folder.join("body.mds");
    body.is_file() && skin_file(&FileRef::disk(body), None).is_some()
}

/// Whether a file or folder stands for a model with everything that belongs to it.
pub(crate) fn is_whole(file: &FileRef) -> bool {
    #[cfg(feature = "config")]
    if file.path().is_some_and(crate::formats::assembly::is_assembly) {
        return true;
    }
    file.extension() == "char" || file.path().is_some_and(|path| path.is_dir() && is_player(path))
}

/// Opens a player folder, a character file or an assembly with everything that belongs to it; `None` for any other file.
pub(crate) fn open(file: &FileRef, options: &OpenOptions) -> Option<Result<Model>> {
    let plain = OpenOptions { attach: Vec::new(), format: None, ..options.clone() };
    if let Some(folder) = file.path().filter(|path| path.is_dir()) {
        return is_player(folder).then(|| player(&FileRef::disk(folder.join("body.mds")), &plain));
    }
    #[cfg(feature = "config")]
    if let Some(path) = file.path().filter(|path| crate::formats::assembly::is_assembly(path)) {
        return Some(crate::formats::assembly::open(path, &plain));
    }
    (file.extension() == "char").then(|| character(file, &plain))
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A body of Return to Castle Wolfenstein with its head and what its skins name.
fn player(file: &FileRef, options: &OpenOptions) -> Result<Model> {
    let mut body = crate::open_file(file, options)?;
    let Some((name, bytes)) = skin_file(file, options.skin.as_deref()) else {
        let wanted = options.skin.as_deref().unwrap_or("default");
        return Err(Error::new(Kind::Usage, format!("there is no body_{wanted}.skin")));
    };
    let skin = Skin::parse(&text(&bytes)).map_err(|error| error.hint(format!("in {name}")))?;
    let head_name = name.replacen("body_", "head_", 1);
    let head_skin = file.beside(&head_name, &Limits::DEFAULT).map(|bytes| Skin::parse(&text(&bytes)));
    let head_skin = head_skin.transpose().map_err(|error| error.hint(format!("in {head_name}")))?;
    let part = head_skin.iter().flat_map(|skin| &skin.attachments).find(|(name, _)| name == "md3_part");
    let head = part.map_or("head.md3", |(_, path)| path.as_str());
    let mut missing = Vec::new();
    // Paths are relative to the folder of the body.
    match near(file, head, options) {
        Some(model) => {
            let mut head = model?;
            head.origin_mut().look.skin.clone_from(&head_skin);
            body.add_part("tag_head", head)?;
        }
        None => missing.push(("tag_head".to_owned(), head.to_owned())),
    }
    let lines = head_skin.iter().flat_map(|skin| &skin.attachments).chain(&skin.attachments);
    for (name, path) in lines.filter(|(name, _)| name != "md3_part") {
        add(&mut body, name, path, near(file, path, options), &mut missing)?;
    }
    let look = &mut body.origin_mut().look;
    look.skin = Some(skin);
    look.missing = missing;
    Ok(body)
}

/// A character of Enemy Territory with its head and what its skin names.
fn character(file: &FileRef, options: &OpenOptions) -> Result<Model> {
    let bytes = file.read(&options.limits)?;
    let character = Character::parse(&text(&bytes))?;
    let find = |path: &str| {
        let found = options.assets.path(file, path)?;
        Some(FileRef::inside(found.source, found.entry))
    };
    let Some(mesh) = find(&character.mesh) else {
        return Err(Error::new(Kind::Io, format!("the mesh {} is missing", character.mesh)));
    };
    let mut body = crate::open_file(&mesh, &OpenOptions { skin: None, ..options.clone() })?;
    let wanted = options.skin.clone().unwrap_or_else(|| character.skin.clone());
    let mut missing = Vec::new();
    let skin = match skin_file(&mesh, Some(&wanted)) {
        Some((name, bytes)) => {
            Skin::parse(&text(&bytes)).map_err(|error| error.hint(format!("in {name}")))?
        }
        None => {
            missing.push(("skin".to_owned(), format!("body_{wanted}.skin")));
            Skin::default()
        }
    };
    let any = |path: &str| by_any_name(path).into_iter().find_map(|name| find(&name));
    if !character.hud_head.is_empty() {
        match any(&character.hud_head) {
            Some(file) => {
                let mut head = crate::open_file(&file, &OpenOptions { skin: None, ..options.clone() })?;
                let skin = find(&character.hud_head_skin).and_then(|file| file.read(&options.limits).ok());
                head.origin_mut().look.skin = skin.and_then(|bytes| Skin::parse(&text(&bytes)).ok());
                body.add_part("tag_head", head)?;
            }
            None => missing.push(("tag_head".to_owned(), character.hud_head.clone())),
        }
    }
    for (name, path) in &skin.attachments {
        let found =
            any(path).map(|file| crate::open_file(&file, &OpenOptions { skin: None, ..options.clone() }));
        add(&mut body, name, path, found, &mut missing)?;
    }
    let look = &mut body.origin_mut().look;
    look.skin = Some(skin);
    look.group = Some(character.animation_group).filter(|group| !group.is_empty());
    look.missing = missing;
    Ok(body)
}

/// The names under which the games look for a model: an MDC answers for an MD3. A coarser level of detail is the last resort.
fn by_any_name(path: &str) -> Vec<String> {
    let stem = path.rsplit_once('.').map_or(path, |(stem, _)| stem);
    let mut names = vec![path.to_owned()];
    names.extend(
        ["", "_1", "_2"].iter().flat_map(|level| ["mdc", "md3"].map(|end| format!("{stem}{level}.{end}"))),
    );
    names
}

/// A model whose path is relative to the folder of the body.
fn near(body: &FileRef, path: &str, options: &OpenOptions) -> Option<Result<Model>> {
    let options = OpenOptions { skin: None, ..options.clone() };
    let folder = body.path()?.parent()?;
    // A path that leads out of the folder is not followed.
    let safe = |name: &String| {
        !Path::new(name).components().any(|part| !matches!(part, std::path::Component::Normal(_)))
    };
    let found = by_any_name(path)
        .into_iter()
        .filter(safe)
        .map(|name| folder.join(name))
        .find(|path| path.is_file())?;
    Some(crate::open_file(&FileRef::disk(found), &options))
}

/// Attaches what a line of a skin names. What has no place, or is missing, is noted.
fn add(
    body: &mut Model,
    name: &str,
    path: &str,
    found: Option<Result<Model>>,
    missing: &mut Vec<(String, String)>,
) -> Result<()> {
    let Some((_, on_head, tag)) = PLACES.iter().find(|(known, ..)| *known == name) else {
        missing.push((name.to_owned(), format!("{path} has no known place, and")));
        return Ok(());
    };
    let Some(model) = found else {
        missing.push((name.to_owned(), path.to_owned()));
        return Ok(());
    };
    let has_head = body.parts().iter().any(|part| part.at == "tag_head");
    match (on_head, has_head) {
        (true, true) => body.add_part(&format!("tag_head/{tag}"), model?),
        (true, false) => {
            missing.push((name.to_owned(), "the head that carries it".to_owned()));
            Ok(())
        }
        (false, _) => body.add_part(tag, model?),
    }
}
