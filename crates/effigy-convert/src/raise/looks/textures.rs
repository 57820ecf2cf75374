//! Textures under paths of the new model.

use crate::raise::{AlphaChange, RaisedTexture};
use effigy_scene::{Arena, Blend, Id, Replaceable, Role, Scene, Texture};
use std::collections::{BTreeMap, BTreeSet};

/// Alpha tests of the games.
const WARCRAFT_TEST: u8 = 192;
const WORLD_TEST: u8 = 224;

/// What a game does with textures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shelving {
    /// Warcraft III: it has team colours, and multiplies by alpha before it adds.
    Warcraft,
    /// World of Warcraft: a team colour is a texture like any other.
    World,
    /// World of Warcraft, from an older version of it: paths and numbers of textures mean the same.
    WorldAgain,
}

impl Shelving {
    fn alpha_change(self, blend: Blend, test: f32) -> AlphaChange {
        let limit = if self == Self::Warcraft { WARCRAFT_TEST } else { WORLD_TEST };
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to a byte")]
        let from = (test * 255.0).round().clamp(0.0, 255.0) as u8;
        match blend {
            // The source adds the colour as it is; here it is multiplied by alpha first.
            Blend::Add if self == Self::Warcraft => AlphaChange::Opaque,
            Blend::AlphaKey if from > 0 && from != limit => AlphaChange::Test(from, limit),
            _ => AlphaChange::Keep,
        }
    }

    /// Whether the game itself finds a texture that has no path.
    const fn knows(self, replaceable: Option<Replaceable>) -> bool {
        match replaceable {
            Some(Replaceable::TeamColor | Replaceable::TeamGlow) => matches!(self, Self::Warcraft),
            Some(Replaceable::Other(_)) => matches!(self, Self::WorldAgain),
            None => false,
        }
    }
}

/// What a file is made from: path and number in the source, the use of alpha, and the kind of file.
type FileKey<'a> = (String, Option<u32>, AlphaChange, &'a str);

/// A file of the new model, and the textures that name it: they differ in where they repeat.
struct ShelfFile {
    path: String,
    textures: BTreeMap<[bool; 2], Id<Texture>>,
}

/// Endings by which the game knows what a map is for.
const ENDINGS: [&str; 2] = ["_normal", "_orm"];

/// A list of textures with paths of the new model, one for each use.
struct Shelf<'a> {
    scene: Arena<Texture>,
    made: Arena<Texture>,
    known: BTreeMap<(usize, AlphaChange), Id<Texture>>,
    files: BTreeMap<FileKey<'a>, ShelfFile>,
    taken: BTreeSet<String>,
    /// How often a path was wanted.
    wanted: BTreeMap<String, usize>,
    list: Vec<RaisedTexture>,
    folder: &'a str,
    name: String,
    shelving: Shelving,
}

impl<'a> Shelf<'a> {
    fn get(&mut self, source: Id<Texture>, alpha: AlphaChange, extension: &'a str) -> Option<Id<Texture>> {
        let texture = self.scene.get(source)?.clone();
        if self.shelving.knows(texture.replaceable) {
            let known = self.known.get(&(source.index(), AlphaChange::Keep)).copied();
            return Some(known.unwrap_or_else(|| {
                let id = self.made.push(Texture { path: String::new(), ..texture });
                self.known.insert((source.index(), AlphaChange::Keep), id);
                id
            }));
        }
        if let Some(known) = self.known.get(&(source.index(), alpha)) {
            return Some(*known);
        }
        let id = self.file(source, &texture, alpha, extension);
        self.known.insert((source.index(), alpha), id);
        Some(id)
    }

    /// The texture for a file, which is written once even if the source names it several times.
    fn file(
        &mut self,
        source: Id<Texture>,
        texture: &Texture,
        alpha: AlphaChange,
        extension: &'a str,
    ) -> Id<Texture> {
        let number = texture.replaceable.map(Replaceable::number);
        let key = (texture.path.to_ascii_lowercase().replace('/', "\\"), number, alpha, extension);
        // Textures without a path and a number have nothing in common.
        let is_named = !texture.path.is_empty() || number.is_some();
        let known = self.files.get(&key).filter(|_| is_named);
        if let Some(id) = known.and_then(|file| file.textures.get(&texture.repeat)) {
            return *id;
        }
        let path = match known {
            Some(file) => file.path.clone(),
            None => {
                let path = self.new_path(texture, alpha, extension);
                self.list.push(RaisedTexture { source, path: path.clone(), alpha, fill: [u8::MAX; 4] });
                path
            }
        };
        let id = self.made.push(Texture { path: path.clone(), replaceable: None, repeat: texture.repeat });
        let file = self.files.entry(key).or_insert_with(|| ShelfFile { path, textures: BTreeMap::new() });
        file.textures.insert(texture.repeat, id);
        id
    }

    fn new_path(&mut self, texture: &Texture, alpha: AlphaChange, extension: &str) -> String {
        if self.shelving == Shelving::WorldAgain && !texture.path.is_empty() {
            return texture.path.clone();
        }
        // What a file holds follows from its name, since models share files.
        let suffix = match alpha {
            AlphaChange::Keep | AlphaChange::Data => String::new(),
            AlphaChange::Opaque => "_opaque".to_owned(),
            AlphaChange::Test(WARCRAFT_TEST | WORLD_TEST, _) => "_key".to_owned(),
            AlphaChange::Test(limit, _) => format!("_key{limit}"),
        };
        self.path(texture, &suffix, extension)
    }

    /// A path that no other texture has. Folders stay, so that models that share a texture share its file.
    fn path(&mut self, texture: &Texture, suffix: &str, extension: &str) -> String {
        let mut parts: Vec<String> = texture
            .path
            .split(['/', '\\'])
            .filter(|part| !part.is_empty() && *part != "..")
            .map(str::to_owned)
            .collect();
        let name = parts.pop().unwrap_or_default();
        let stem = ascii(name.rsplit_once('.').map_or(name.as_str(), |(stem, _)| stem));
        let number = texture.replaceable.map_or(0, Replaceable::number);
        let stem = match (stem.is_empty(), parts.is_empty()) {
            (true, _) => format!("{}_{number}", self.name),
            (false, true) => format!("{}_{stem}", self.name),
            (false, false) => stem,
        };
        let folders = std::iter::once(self.folder.to_owned()).chain(parts.iter().map(|part| ascii(part)));
        let mut path: Vec<String> = folders.filter(|part| !part.is_empty()).collect();
        path.push(format!("{stem}{suffix}"));
        let path = path.join("\\");
        let lower = path.to_ascii_lowercase();
        let ending = ENDINGS.iter().find(|ending| lower.ends_with(**ending)).map_or(0, |ending| ending.len());
        let (start, ending) = path.split_at_checked(path.len().saturating_sub(ending)).unwrap_or((&path, ""));
        let count = self.wanted.entry(lower).or_default();
        loop {
            *count += 1;
            let number = if *count > 1 { format!("_{count}") } else { String::new() };
            let path = format!("{start}{number}{ending}.{extension}");
            if self.taken.insert(path.to_ascii_lowercase()) {
                return path;
            }
        }
    }
}

/// The characters that every game and file system takes.
fn ascii(text: &str) -> String {
    let safe = |c: char| if c.is_ascii_alphanumeric() || matches!(c, '_' | '-') { c } else { '_' };
    text.chars().map(safe).take(64).collect()
}

/// Gives every texture a path of the new model; returns those that have to be written.
pub(super) fn textures(scene: &mut Scene, folder: &str, shelving: Shelving) -> Vec<RaisedTexture> {
    let name = ascii(&scene.name);
    let mut shelf = Shelf {
        scene: std::mem::take(&mut scene.textures),
        made: Arena::default(),
        known: BTreeMap::new(),
        files: BTreeMap::new(),
        taken: BTreeSet::new(),
        wanted: BTreeMap::new(),
        list: Vec::new(),
        folder,
        name: if name.is_empty() { "model".to_owned() } else { name },
        shelving,
    };
    for material in scene.materials.as_mut_slice() {
        let extension = if material.physical { "dds" } else { "blp" };
        for layer in &mut material.layers {
            let alpha = shelving.alpha_change(layer.blend, layer.alpha_test);
            for texture in &mut layer.textures {
                let is_map = !matches!(texture.role, Role::Base | Role::Second);
                let alpha = if is_map { AlphaChange::Data } else { alpha };
                texture.texture = texture.texture.and_then(|id| shelf.get(id, alpha, extension));
                for value in texture.flipbook.iter_mut().flat_map(|track| &mut track.values) {
                    let moved = shelf.get(Id::new(*value), alpha, extension);
                    *value = moved.map_or(0, |id| u32::try_from(id.index()).unwrap_or(0));
                }
            }
        }
    }
    for emitter in scene.emitters.as_mut_slice() {
        let alpha = shelving.alpha_change(emitter.blend, 0.0);
        emitter.texture = emitter.texture.and_then(|id| shelf.get(id, alpha, "blp"));
    }
    scene.textures = shelf.made;
    shelf.list
}

#[cfg(test)]
mod tests;
