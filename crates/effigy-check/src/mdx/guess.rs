//! Guesses what a model is in the game.
//!
//! The names of its sequences say most: units walk, attack, cast spells and decay; buildings have work and upgrade
//! sequences, but never walk; effects have a birth and a death and consist mostly of particles. Any other mesh is scenery.

use super::sequences::{first_word, words};
use crate::profile::{Guess, Named, Profile};
use effigy_mdx::{FilterMode, Layer, Model};

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
    if meshes == 0 {
        let reason = if emitters > 0 { "particles and no mesh" } else { "no mesh" };
        return Guess::new(Profile::Effect, reason);
    }
    if names.any("hit") && !names.has("walk") || names.any("eattree") {
        return Guess::new(Profile::Doodad, "it can be hit or eaten, like a tree");
    }
    if let Some(guess) = building(model, &names).or_else(|| living(model, &names)) {
        return guess;
    }
    if is_interface(model) {
        return Guess::new(Profile::Ui, "a flat picture of the interface");
    }
    smaller_things(model, &names, meshes, emitters)
}

/// Models that are neither units nor buildings: effects, items, scenery.
fn smaller_things(model: &Model, names: &Names, meshes: usize, emitters: usize) -> Guess {
    let triangles: usize = model.geosets.iter().map(effigy_mdx::Geoset::triangle_count).sum();
    let sounds = model.event_objects.iter().any(|event| event.node.name.text_bytes().starts_with(b"SND"));
    let born = names.has("birth") && names.has("death");
    let of_item = |path: &[u8]| path.to_ascii_lowercase().windows(ITEMS.len()).any(|part| part == ITEMS);
    if model.textures.iter().any(|texture| of_item(texture.path.text_bytes())) {
        return Guess::new(Profile::Item, "an item's texture");
    }
    if born && names.has("stand") && !model.cameras.is_empty() && reach(model) < ITEM {
        return Guess::new(
            Profile::Item,
            "small, with a camera for its portrait, without the sequences of a unit or building",
        );
    }
    if emitters > meshes || (emitters > 0 && triangles <= SMALL) {
        return Guess::new(Profile::Effect, "more particles than mesh");
    }
    if emitters > 0 && glows(model) {
        return Guess::new(Profile::Effect, "particles and a mesh that only adds light");
    }
    if born && (sounds || emitters > 0 || triangles <= SMALL) {
        return Guess::new(Profile::Effect, "Birth and Death, with sounds or particles");
    }
    if !names.has("stand") && (names.has("birth") || names.has("death")) {
        return Guess::new(Profile::Effect, "Birth or Death, and no Stand");
    }
    Guess::new(Profile::Doodad, "a mesh without the sequences of a unit or building")
}

/// The folder of item textures in the game's own files.
const ITEMS: &[u8] = b"inventoryitems";

/// The largest extent of an item from its origin, in the game's units; a footman is about 100 high.
const ITEM: f32 = 90.0;

/// The largest distance of a vertex from the origin along an axis.
fn reach(model: &Model) -> f32 {
    let vertices = model.geosets.iter().flat_map(|geoset| &geoset.vertices);
    vertices.flatten().fold(0.0, |reach: f32, number| reach.max(number.abs()))
}

/// Whether every layer of every mesh only adds light.
fn glows(model: &Model) -> bool {
    let materials = model.geosets.iter().filter_map(|geoset| model.materials.get(geoset.material as usize));
    let mut layers = materials.flat_map(|material| &material.layers).peekable();
    let adds = |layer: &Layer| [FilterMode::ADDITIVE, FilterMode::ADD_ALPHA].contains(&layer.filter_mode);
    layers.peek().is_some() && layers.all(adds)
}

/// Up to this many triangles, a mesh is taken for a few planes that carry a picture.
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

    /// Whether the word is anywhere in a name.
    fn any(&self, word: &str) -> bool {
        self.all.iter().flatten().any(|other| other == word)
    }
}

/// A model with work or upgrade sequences, or with birth and decay but without walking, is a building.
fn building(model: &Model, names: &Names) -> Option<Guess> {
    if names.has("walk") || !(names.has("death") || names.has("birth")) {
        return None;
    }
    let stands = names.all.iter().filter(|words| words.first().is_some_and(|first| first == "stand"));
    let mark = stands.flatten().find(|word| ["work", "upgrade", "lumber", "gold"].contains(&word.as_str()));
    if let Some(word) = mark {
        return Some(Guess::new(
            Profile::Building,
            format!("a sequence Stand {} and no Walk", capital(word)),
        ));
    }
    if names.has("birth") && names.has("death") && names.has("decay") && !model.attachments.is_empty() {
        return Some(Guess::new(Profile::Building, "Birth, Death and Decay, and no Walk"));
    }
    let of_building =
        |path: &[u8]| path.get(..9).is_some_and(|start| start.eq_ignore_ascii_case(b"buildings"));
    let skin = model.textures.iter().any(|texture| of_building(texture.path.text_bytes()));
    if skin && names.has("death") && !model.cameras.is_empty() {
        return Some(Guess::new(
            Profile::Building,
            "a building's textures, a camera for its portrait, and no Walk",
        ));
    }
    None
}

/// The profile that the names of the file, the model and its sequences imply.
fn by_name(model: &Model, file_name: &str, names: &Names) -> Option<Guess> {
    let (file, own) = (Named::new(file_name), Named::new(&model.name()));
    let either = |text: &str| file.stem.contains(text) || own.stem.contains(text);
    let walks = names.has("walk") || names.has("attack");
    if file.stem.ends_with("_portrait") || (own.stem.ends_with("_portrait") && !walks) {
        return Some(Guess::new(Profile::Portrait, "its name ends in _portrait"));
    }
    if !names.first.is_empty() && names.first.iter().all(|word| word == "portrait") {
        return Some(Guess::new(Profile::Portrait, "all sequences are portraits"));
    }
    if either("missile") && !walks {
        return Some(Guess::new(Profile::Missile, "its name contains \"missile\""));
    }
    let folders: [(&[&str], Profile, &str); 4] = [
        (&["inventoryitems", "items"], Profile::Item, "its folder holds items"),
        (&["ui"], Profile::Ui, "its folder holds the interface"),
        (&["doodads", "environment"], Profile::Doodad, "its folder holds scenery"),
        (&["abilities", "effects", "spell", "spells"], Profile::Effect, "its folder holds effects"),
    ];
    let found = folders.iter().find(|(folders, ..)| file.within(folders));
    if let Some((_, profile, reason)) = found.filter(|_| !walks || model.attachments.is_empty()) {
        return Some(Guess::new(*profile, *reason));
    }
    if walks { None } else { file.says().or_else(|| own.says()) }
}

/// A model that walks or fights is a unit, if it has a body: attachments, collision shapes, or a camera.
fn living(model: &Model, names: &Names) -> Option<Guess> {
    let word = ["walk", "attack"].into_iter().find(|word| names.has(word))?;
    let shapes = model.collision_shapes.len().max(model.hit_test_shapes.len());
    let body = !model.attachments.is_empty()
        || shapes > 0
        || !model.cameras.is_empty()
        || model.bones.len() >= LIMBS;
    body.then(|| Guess::new(Profile::Unit, format!("a sequence {}", capital(word))))
}

/// With this many bones, a model is taken to have limbs.
const LIMBS: usize = 8;

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// Whether all named textures belong to the interface, and the mesh is flat.
fn is_interface(model: &Model) -> bool {
    let mut named = model.textures.iter().filter(|texture| !texture.path.is_empty()).peekable();
    let interface = |path: &[u8]| {
        path.get(..3)
            .is_some_and(|start| start.eq_ignore_ascii_case(b"ui\\") || start.eq_ignore_ascii_case(b"ui/"))
    };
    let vertices = || model.geosets.iter().flat_map(|geoset| &geoset.vertices);
    let flat = || {
        (0..3).any(|axis| {
            let numbers = vertices().filter_map(|vertex| vertex.get(axis)).copied();
            let (min, max) = numbers.fold((f32::MAX, f32::MIN), |(min, max), x| (min.min(x), max.max(x)));
            max - min < 0.01
        })
    };
    named.peek().is_some() && named.all(|texture| interface(texture.path.text_bytes())) && flat()
}
