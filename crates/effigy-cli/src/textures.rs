//! Looking for a model's textures on disk: beside it and in the folders above it, whatever the letter case.

use std::path::{Path, PathBuf};

/// How many folders above the model are searched: game folders are seldom deeper.
const LEVELS: usize = 8;

/// Extensions that stand in for each other: Reforged ships `.dds` where models say `.blp` or `.tif`, and shaders of MDC
/// and MD3 often have none.
const ALTERNATIVES: [&str; 6] = ["", "blp", "dds", "tga", "jpg", "png"];

/// Where a texture is, if it is there. `model` is the model's file.
pub fn find(model: &Path, texture: &str) -> Option<PathBuf> {
    let parts: Vec<&str> =
        texture.split(['\\', '/']).filter(|part| !matches!(*part, "" | "." | "..")).collect();
    let (name, folders) = parts.split_last()?;
    let home = model
        .parent()
        .map_or(Path::new("."), |parent| if parent == Path::new("") { Path::new(".") } else { parent });
    let above = home.ancestors().take(LEVELS).filter(|folder| *folder != Path::new(""));
    above
        .filter_map(|folder| folders.iter().try_fold(folder.to_path_buf(), |path, part| entry(&path, part)))
        .chain(std::iter::once(home.to_path_buf()))
        .find_map(|folder| file(&folder, name))
}

fn file(folder: &Path, name: &str) -> Option<PathBuf> {
    ALTERNATIVES.iter().find_map(|extension| {
        let wanted = match *extension {
            "" => PathBuf::from(name),
            other => Path::new(name).with_extension(other),
        };
        entry(folder, wanted.to_str()?).filter(|path| path.is_file())
    })
}

/// The entry of this name in a folder: the exact one, or one that differs in letter case only.
fn entry(folder: &Path, name: &str) -> Option<PathBuf> {
    let exact = folder.join(name);
    if exact.exists() {
        return Some(exact);
    }
    let mut found: Vec<PathBuf> = std::fs::read_dir(folder)
        .ok()?
        .flatten()
        .filter(|entry| entry.file_name().to_str().is_some_and(|other| other.eq_ignore_ascii_case(name)))
        .map(|entry| entry.path())
        .collect();
    found.sort();
    found.into_iter().next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_texture_is_found_beside_and_above_the_model_in_any_case() {
        let root = tempfile::tempdir().unwrap();
        let units = root.path().join("Units/Human");
        std::fs::create_dir_all(&units).unwrap();
        std::fs::create_dir_all(root.path().join("textures")).unwrap();
        std::fs::write(root.path().join("textures/footman.dds"), b"x").unwrap();
        std::fs::write(units.join("Own.blp"), b"x").unwrap();
        let model = units.join("Footman.mdx");
        assert!(find(&model, "Textures\\Footman.blp").unwrap().ends_with("textures/footman.dds"));
        assert!(find(&model, "war3mapImported\\own.blp").unwrap().ends_with("Own.blp"));
        assert_eq!(find(&model, "Textures\\Other.blp"), None);
        assert_eq!(find(&model, ""), None);
    }
}
