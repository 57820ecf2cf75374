//! The paths of textures: the same in the surface, in the `.skin` file, and on disk.

use super::labels::LONG;
use crate::raise::words::cut;
use crate::raise::{AlphaChange, RaisedTexture};
use effigy_scene::{Id, Replaceable, Texture};
use effigy_wire::Report;
use std::collections::{BTreeMap, BTreeSet};

/// The textures that surfaces name.
#[derive(Debug, Default)]
pub(super) struct Shaders {
    /// The name of the model, for textures without one of their own.
    model: String,
    /// By the number of a texture that the game chooses, or the path in the source: textures of the same path are the same file.
    known: BTreeMap<(Option<u32>, String), String>,
    taken: BTreeSet<String>,
    shortened: Vec<String>,
    /// Those that have to be written.
    pub textures: Vec<RaisedTexture>,
}

/// The number of a texture that the game chooses, such as the skin of a creature; the user or the game's tables may know the file.
const fn number(texture: &Texture) -> Option<u32> {
    match texture.replaceable {
        Some(Replaceable::Other(number)) if texture.path.is_empty() => Some(number),
        _ => None,
    }
}

/// Whether there may be a file for a texture. Colours of players have none.
pub(super) const fn has_file(texture: &Texture) -> bool {
    !texture.path.is_empty() || number(texture).is_some()
}

impl Shaders {
    /// For the textures of a model with this name.
    pub fn of(model: &str) -> Self {
        Self { model: model.to_owned(), ..Self::default() }
    }

    /// The path of a texture, which becomes one of those that have to be written; empty for a texture without a file.
    pub fn path(&mut self, source: Id<Texture>, texture: &Texture) -> String {
        let own = (number(texture), texture.path.replace('\\', "/"));
        if let Some(path) = self.known.get(&own) {
            return path.clone();
        }
        let stem = match own.0 {
            Some(number) => stem(&format!("{}_{number}", self.model)),
            // Names without a folder, such as those of images in glTF files, are the same in many models.
            None => match stem(&own.1) {
                name if name.is_empty() || name.contains('/') => name,
                name => format!("{}_{name}", self.model),
            },
        };
        if stem.is_empty() {
            return String::new();
        }
        let path = self.free(&stem);
        self.textures.push(RaisedTexture {
            source,
            path: path.clone(),
            alpha: AlphaChange::Keep,
            fill: [u8::MAX; 4],
        });
        self.known.insert(own, path.clone());
        path
    }

    /// The path of a texture of one colour, which the scene does not have.
    pub fn plain(&mut self, [r, g, b]: [u8; 3]) -> String {
        let color = format!("{r:02x}{g:02x}{b:02x}");
        // No texture of the game has this number.
        let own = (Some(u32::MAX), color);
        if let Some(path) = self.known.get(&own) {
            return path.clone();
        }
        let path = self.free(&stem(&format!("{}_{}", self.model, own.1)));
        self.textures.push(RaisedTexture {
            source: Id::new(u32::MAX),
            path: path.clone(),
            alpha: AlphaChange::Keep,
            fill: [r, g, b, u8::MAX],
        });
        self.known.insert(own, path.clone());
        path
    }

    /// A path for this stem that fits into a surface and that no other texture has: `x/a.blp` and `x/a.tga` both want
    /// `x/a.tga`.
    fn free(&mut self, stem: &str) -> String {
        let mut number = 1_u32;
        loop {
            let ending = if number == 1 { ".tga".to_owned() } else { format!("_{number}.tga") };
            let start = fitted(stem, LONG.saturating_sub(ending.len()));
            let path = format!("{start}{ending}");
            if self.taken.insert(path.clone()) {
                if start != stem {
                    self.shortened.push(path.clone());
                }
                return path;
            }
            number += 1;
        }
    }

    pub fn report(&self, report: &mut Report) {
        if let Some(first) = self.shortened.first() {
            let count = self.shortened.len();
            let text = format!(
                "{count} paths are shortened to the {LONG} bytes that a surface holds, such as {first}"
            );
            report.approximated("textures", text);
        }
    }
}

/// A path as the engines write it, without extension: slashes and lower case. Spaces and commas end a path in a `.skin` file.
fn stem(path: &str) -> String {
    // Without a drive and without steps up: the path is below the game's folder.
    let parts = path.split('/').filter(|part| !matches!(*part, "" | "." | "..") && !part.contains(':'));
    let safe = |c: char| {
        if c.is_ascii_graphic() && !matches!(c, ',' | '"') { c.to_ascii_lowercase() } else { '_' }
    };
    let path: String = parts.collect::<Vec<_>>().join("/").chars().map(safe).collect();
    let stem = path
        .rsplit_once('.')
        .filter(|(stem, rest)| !(rest.contains('/') || stem.is_empty() || stem.ends_with('/')));
    stem.map_or(path.as_str(), |(stem, _)| stem).to_owned()
}

/// The end of a path that fits: outer folders go first, since the name of the file says more.
fn fitted(stem: &str, most: usize) -> &str {
    let mut rest = stem;
    while rest.len() > most
        && let Some((_, inner)) = rest.split_once('/')
    {
        rest = inner;
    }
    cut(rest, most)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(sources: &[&str]) -> (Vec<String>, Shaders) {
        let mut shaders = Shaders::of("thing");
        let texture = |path: &&str| Texture { path: (*path).to_owned(), ..Texture::default() };
        let made = (0..).zip(sources).map(|(at, path)| shaders.path(Id::new(at), &texture(path)));
        (made.collect(), shaders)
    }

    #[test]
    fn textures_whose_paths_differ_only_in_extension_or_case_get_files_of_their_own() {
        let (made, shaders) = paths(&["a.blp", "a.tga", "A.blp", "x/a.blp", "a.blp", "x\\a.blp", ""]);
        let own = ["thing_a.tga", "thing_a_2.tga", "thing_a_3.tga"];
        assert_eq!(made, [own[0], own[1], own[2], "x/a.tga", own[0], "x/a.tga", ""]);
        let written: Vec<_> =
            shaders.textures.iter().map(|it| (it.source.index(), it.path.as_str())).collect();
        assert_eq!(written, [(0, own[0]), (1, own[1]), (2, own[2]), (3, "x/a.tga")]);
        let mut report = Report::default();
        shaders.report(&mut report);
        assert!(report.is_empty(), "{report}");
    }

    #[test]
    fn textures_that_the_game_chooses_are_named_after_the_model() {
        let chosen = |number| Texture { replaceable: Some(number), ..Texture::default() };
        let named = Texture { path: "11.blp".to_owned(), ..chosen(Replaceable::Other(11)) };
        let mut shaders = Shaders::of("thing");
        for (texture, path) in [
            (chosen(Replaceable::Other(11)), "thing_11.tga"),
            (chosen(Replaceable::Other(12)), "thing_12.tga"),
            (chosen(Replaceable::Other(11)), "thing_11.tga"),
            (named, "thing_11_2.tga"),
            (chosen(Replaceable::TeamColor), ""),
        ] {
            assert_eq!(shaders.path(Id::new(0), &texture), path);
            assert_eq!(has_file(&texture), !path.is_empty());
        }
        assert_eq!(shaders.textures.len(), 3);
    }

    #[test]
    fn a_colour_is_a_texture_of_the_model() {
        let mut shaders = Shaders::of("thing");
        let paths = [[255, 0, 16], [0, 0, 0], [255, 0, 16]].map(|color| shaders.plain(color));
        assert_eq!(paths, ["thing_ff0010.tga", "thing_000000.tga", "thing_ff0010.tga"]);
        let fills: Vec<_> = shaders.textures.iter().map(|it| it.fill).collect();
        assert_eq!(fills, [[255, 0, 16, 255], [0, 0, 0, 255]]);
    }

    #[test]
    fn long_paths_lose_outer_folders_and_then_letters() {
        let inner = format!("{}/skin", "f".repeat(54));
        let name = "n".repeat(70);
        let (made, shaders) = paths(&[
            // 54 + 5 + 4 are 63.
            &format!("{inner}.blp"),
            &format!("units/{inner}.blp"),
            &format!("units/f{inner}.blp"),
            &format!("{name}.blp"),
            &format!("{name}n.blp"),
        ]);
        let wanted = [
            format!("{inner}.tga"),
            // The same after its outer folder went, and then without room for the number.
            "skin_2.tga".to_owned(),
            "skin.tga".to_owned(),
            format!("thing_{}.tga", "n".repeat(53)),
            format!("thing_{}_2.tga", "n".repeat(51)),
        ];
        assert_eq!(made, wanted);
        assert!(made.iter().all(|path| path.len() <= 63));
        let mut report = Report::default();
        shaders.report(&mut report);
        assert!(report.notes()[0].message.starts_with("4 paths are shortened to the 63 bytes"), "{report}");
    }

    #[test]
    fn a_path_has_nothing_that_would_end_it_in_a_skin_file() {
        let (made, _) = paths(&[
            "C:\\..\\My Units,1\\Dög \"2\".png",
            "\n.png",
            "/.././",
            "tex.v2/skin",
            "tex/.png",
            ".png",
        ]);
        assert_eq!(
            made,
            [
                "my_units_1/d_g__2_.tga",
                "thing__.tga",
                "",
                "tex.v2/skin.tga",
                "tex/.png.tga",
                "thing_.png.tga"
            ]
        );
    }
}
