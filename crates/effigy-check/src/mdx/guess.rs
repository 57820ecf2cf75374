//! What a model is, guessed from what it has.
//!
//! Units walk, fight, cast and rot. Buildings are built, work and are upgraded, but never walk. Effects are born and die and
//! consist mostly of particles. What is left and has a mesh is scenery.

use super::sequences::{first_word, words};
use crate::profile::{Guess, Profile};
use effigy_mdx::Model;

/// What kind of thing a model is.
pub(crate) fn guess(model: &Model, file_name: &str) -> Guess {
    let names = Names::of(model);
    let meshes = model.geosets.len().max(model.batched_geosets.len());
    let emitters = emitter_count(model);
    if let Some(guess) = by_name(model, file_name, &names) {
        return guess;
    }
    if meshes == 0 && emitters == 0 && model.lights.is_empty() && !model.cameras.is_empty() {
        return Guess::new(Profile::Camera, "cameras and nothing else");
    }
    if let Some(guess) = living(model, &names) {
        return guess;
    }
    if let Some(guess) = names.building() {
        return guess;
    }
    if is_interface(model) {
        return Guess::new(Profile::Ui, "its textures belong to the interface");
    }
    if meshes == 0 {
        let reason = if emitters > 0 { "particles and no mesh" } else { "no mesh" };
        return Guess::new(Profile::Effect, reason);
    }
    if names.has("death") && !model.cameras.is_empty() && (names.has("stand") || names.has("birth")) {
        return Guess::new(Profile::Building, "a camera for its portrait, a Death, and no Walk");
    }
    let triangles: usize = model.geosets.iter().map(effigy_mdx::Geoset::triangle_count).sum();
    let sounds = model.event_objects.iter().any(|event| event.node.name.text_bytes().starts_with(b"SND"));
    if emitters > meshes || (emitters > 0 && triangles <= SMALL) {
        return Guess::new(Profile::Effect, "more particles than mesh");
    }
    if names.has("birth") && names.has("death") && (sounds || emitters > 0 || triangles <= SMALL) {
        return Guess::new(Profile::Effect, "it is born and dies, with sounds or particles");
    }
    if !names.has("stand") && (names.has("birth") || names.has("death")) {
        return Guess::new(Profile::Effect, "it is born or dies and never stands");
    }
    Guess::new(Profile::Doodad, "a mesh that neither walks nor works")
}

/// Triangles up to which a mesh is a plane or two that carry a picture.
const SMALL: usize = 64;

fn emitter_count(model: &Model) -> usize {
    let lists = [
        model.particle_emitters.len(),
        model.particle_emitters_2.len(),
        model.popcorn_emitters.len(),
        model.ribbon_emitters.len(),
    ];
    lists.iter().sum()
}

/// The sequences' names.
struct Names {
    /// Their first words.
    first: Vec<String>,
    /// All their words.
    all: Vec<Vec<String>>,
}

impl Names {
    fn of(model: &Model) -> Self {
        let names = || model.sequences.iter().map(|sequence| sequence.name.text());
        Self {
            first: names().map(|name| first_word(&name)).collect(),
            all: names().map(|name| words(&name)).collect(),
        }
    }

    fn has(&self, word: &str) -> bool {
        self.first.iter().any(|first| first == word)
    }

    fn building(&self) -> Option<Guess> {
        let marks = ["work", "upgrade", "lumber", "gold"];
        let stands = self.all.iter().filter(|words| words.first().is_some_and(|first| first == "stand"));
        let mark = stands.flatten().find(|word| marks.contains(&word.as_str()));
        match mark {
            Some(word) if self.has("death") || self.has("birth") => {
                Some(Guess::new(Profile::Building, format!("a sequence Stand {word}")))
            }
            _ => None,
        }
    }
}

/// What the names of the file, the model and its sequences say.
fn by_name(model: &Model, file_name: &str, names: &Names) -> Option<Guess> {
    let stem = |name: &str| {
        let name = name.rsplit(['/', '\\']).next().unwrap_or(name).to_lowercase();
        name.rsplit_once('.').map_or(name.clone(), |(stem, _)| stem.to_owned())
    };
    let (file, own) = (stem(file_name), stem(&model.name()));
    let either = |text: &str| file.contains(text) || own.contains(text);
    let walks = names.has("walk") || names.has("attack");
    if file.ends_with("_portrait") || (own.ends_with("_portrait") && !walks) {
        return Some(Guess::new(Profile::Portrait, "its name ends in _portrait"));
    }
    if !names.first.is_empty() && names.first.iter().all(|word| word == "portrait") {
        return Some(Guess::new(Profile::Portrait, "all sequences are portraits"));
    }
    if either("missile") && !walks {
        return Some(Guess::new(Profile::Missile, "its name says missile"));
    }
    let folder = file_name.replace('\\', "/").to_lowercase();
    let within = |wanted: &str| folder.split('/').rev().skip(1).any(|part| part == wanted);
    if within("inventoryitems") || (within("items") && !walks) {
        return Some(Guess::new(Profile::Item, "its folder holds items"));
    }
    if within("ui") && !walks {
        return Some(Guess::new(Profile::Ui, "its folder holds the interface"));
    }
    None
}

/// What walks, fights, casts or rots lives.
fn living(model: &Model, names: &Names) -> Option<Guess> {
    let word = ["walk", "attack", "spell"].into_iter().find(|word| names.has(word))?;
    // An effect may be called by the sequence of its caster; it hangs on no attachments and has no Stand.
    let body = names.has("stand") || names.has("death") || !model.attachments.is_empty();
    let only = names.first.iter().all(|first| first == word) && model.attachments.is_empty();
    if !body || only || (word == "spell" && !names.has("stand")) {
        return None;
    }
    Some(Guess::new(Profile::Unit, format!("a sequence {}", capital(word))))
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// Whether all named textures belong to the interface.
fn is_interface(model: &Model) -> bool {
    let mut named = model.textures.iter().filter(|texture| !texture.path.is_empty()).peekable();
    let interface = |path: &[u8]| {
        let path = path.to_ascii_lowercase();
        path.starts_with(b"ui\\")
            || path.starts_with(b"ui/")
            || path.starts_with(b"replaceabletextures\\commandbuttons")
    };
    named.peek().is_some() && named.all(|texture| interface(texture.path.text_bytes()))
}
