//! Rules for models of every format: paths, names, games.

use crate::checkable::sealed::{LookedUpName, NamedFile};
use crate::findings::Findings;
use crate::rule::{EVERY, rules};
use crate::{CheckOptions, Checkable, Lookup};
use std::cell::OnceCell;
use std::collections::BTreeMap;

rules! { Any
    /// The file was not found next to the model or in the folders above, also not with the other extensions that the game
    /// accepts. The game shows a green, black or checkered surface instead, unless the file is part of the game itself. Add
    /// the file, or correct the path.
    ALL1002 "file missing" Warning for EVERY => file_missing;
    /// The path is absolute, or leads out of the game's folder with `..`, so that it only works on its author's machine.
    /// Write it relative to the root of the game or map.
    ALL1003 "path leaves the game's folder" Severe for EVERY => path_leaves_the_folder;
    /// Two names differ only in upper and lower case. The games ignore case, so one of the two is never found, or both are
    /// taken for the same thing. Rename one of them.
    ALL1004 "names differ only by case" Warning for EVERY => names_differ_only_by_case;
    /// The game that was named with `--game` does not load this file: it knows other versions, or the model is beyond its
    /// limits. `effigy convert` changes the version; a model beyond the limits has to be split or simplified.
    ALL1005 "refused by the game" Error for EVERY => refused_by_the_game;
    /// The file is there and named like a texture, but its content is not that of any known texture format, or ends before its
    /// picture does. The game shows a green, black or checkered surface instead. Convert the picture again: `effigy convert` writes all formats of the games.
    ALL1006 "texture cannot be read" Severe for EVERY => texture_cannot_be_read;
    /// Width or height of the texture is not a power of two (32, 64, 128, ...). The games scale such textures to another size
    /// when they load them, or do not show them on some graphics cards. `effigy convert --resize pow2` makes them fit.
    ALL1007 "texture size is not a power of two" Warning for EVERY => odd_texture_size;
}

/// What the rules for all formats look at.
pub(crate) struct Facts<'a> {
    options: &'a CheckOptions<'a>,
    files: Vec<NamedFile>,
    names: Vec<LookedUpName>,
    /// What was found for each of the files; looked up once, when a rule asks first.
    looked_up: OnceCell<Vec<Lookup>>,
    /// Why the game that was asked for does not load the model.
    refusal: Option<String>,
}

impl<'a> Facts<'a> {
    pub fn new(model: &dyn Checkable, options: &'a CheckOptions<'a>) -> Self {
        let refusal = options.game.and_then(|game| model.refused_by(game));
        let looked_up = OnceCell::new();
        Self { options, files: model.files(), names: model.names(), looked_up, refusal }
    }

    /// The files that the model names, with what was found for them; none where files cannot be looked up.
    fn looked_up(&self) -> impl Iterator<Item = (&NamedFile, Lookup)> {
        let look = || match self.options.lookup {
            Some(lookup) => self.files.iter().map(|(_, file)| lookup(file)).collect(),
            None => Vec::new(),
        };
        self.files.iter().zip(self.looked_up.get_or_init(look).iter().copied())
    }

    /// How many files a rule asked for that may be part of the game.
    pub fn not_looked_for(&self) -> usize {
        let unknown = |found: &&Lookup| **found == Lookup::Unknown;
        self.looked_up.get().map_or(0, |all| all.iter().filter(unknown).count())
    }
}

fn file_missing(facts: &Facts<'_>, found: &mut Findings) {
    for ((path, file), lookup) in facts.looked_up() {
        if lookup == Lookup::Missing {
            found.add(path, format!("{file} was not found"));
        }
    }
}

fn texture_cannot_be_read(facts: &Facts<'_>, found: &mut Findings) {
    for ((path, file), lookup) in facts.looked_up() {
        match lookup {
            Lookup::NotATexture => found.add(path, format!("{file} is not a texture")),
            Lookup::CutOff => found.add(path, format!("{file} ends before its picture does")),
            _ => {}
        }
    }
}

fn odd_texture_size(facts: &Facts<'_>, found: &mut Findings) {
    for ((path, file), lookup) in facts.looked_up() {
        if let Lookup::OddSize(width, height) = lookup {
            found.add(path, format!("{file} has {width} x {height} pixels"));
        }
    }
}

fn path_leaves_the_folder(facts: &Facts<'_>, found: &mut Findings) {
    for (path, file) in &facts.files {
        let drive = file.as_bytes().get(1) == Some(&b':');
        let root = file.starts_with(['/', '\\']);
        if drive || root || file.split(['\\', '/']).any(|part| part == "..") {
            found.add(path, format!("{file} is outside the game's folder"));
        }
    }
}

fn names_differ_only_by_case(facts: &Facts<'_>, found: &mut Findings) {
    let mut seen: BTreeMap<(&str, String), &(&str, String, String)> = BTreeMap::new();
    for one in &facts.names {
        let (kind, path, name) = one;
        match seen.get(&(*kind, name.to_lowercase())) {
            Some((_, first, other)) if other != name => {
                found.add(path, format!("the {kind} {name} and {other} ({first}) differ only by case"));
            }
            Some(_) => {}
            None => {
                seen.insert((kind, name.to_lowercase()), one);
            }
        }
    }
}

fn refused_by_the_game(facts: &Facts<'_>, found: &mut Findings) {
    if let Some(reason) = &facts.refusal {
        found.add("", reason.as_str());
    }
}
