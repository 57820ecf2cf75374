//! World of Warcraft models in Warcraft III.

use crate::raise::posed;
use effigy_convert::raise::{self, RaiseOptions, Raised};
use effigy_m2::Model;
use effigy_scene::{Scene, ValidScene, validate};
use effigy_testkit::{corpus, files};
use std::path::{Path, PathBuf};

/// Reads a model with the `.skin` and `.anim` files that the corpus has for it.
fn load(path: &Path, files: &[PathBuf]) -> Option<Model> {
    let bytes = std::fs::read(path).unwrap();
    let mut model = effigy_m2::sniff(&bytes).then(|| effigy_m2::read(&bytes).ok()).flatten()?;
    let name = path.file_name().unwrap().to_string_lossy().into_owned();
    let folder = path.parent().unwrap().file_name();
    for companion in model.companions() {
        let wanted = companion.file_name(&model, &name).unwrap();
        let fits = |path: &&PathBuf| {
            path.parent().unwrap().file_name() == folder
                && path.file_name().unwrap().eq_ignore_ascii_case(&wanted)
        };
        if let Some(found) = files.iter().find(fits) {
            let _ = model.attach(companion, &std::fs::read(found).unwrap());
        }
    }
    Some(model)
}

pub fn models() -> Option<Vec<(String, Scene)>> {
    let corpus = corpus()?;
    let all = files(&corpus, |_| true);
    let mut found = Vec::new();
    for path in &all {
        let Some(model) = load(path, &all) else { continue };
        let scene = effigy_convert::m2::lower(&model).scene;
        if !scene.meshes.is_empty() {
            found.push((path.file_name().unwrap().to_string_lossy().into_owned(), scene));
        }
    }
    Some(found)
}

/// Raises a scene and measures how far vertices are from where they were, as a part of the size.
fn measure(before: &ValidScene, options: &RaiseOptions) -> (Raised<effigy_mdx::Model>, f32) {
    let raised = raise::mdx(before, options).unwrap();
    let bytes = raised.model.write().unwrap();
    // The same bytes again: nothing depends on the order of a hash.
    assert!(raise::mdx(before, options).unwrap().model.write().unwrap() == bytes);
    wc3::model::DynamicModel::decode_mdx(&bytes, 0).unwrap_or_else(|error| panic!("wc3 says {error}"));
    let read = effigy_mdx::read(&bytes).unwrap();
    let after = validate(effigy_convert::mdx::lower(&read).scene).unwrap();
    let mut pairs = Vec::new();
    for ((id, _), (_, name)) in before.sequences.iter().zip(&raised.sequences) {
        let Some(name) = name else { continue };
        let found = after.sequences.iter().find(|(_, sequence)| sequence.name == *name);
        pairs.push((id, found.unwrap_or_else(|| panic!("no sequence {name}")).0));
    }
    assert!(!pairs.is_empty());
    let distance = posed::distance(before, &after, 56.0, &pairs);
    (raised, distance)
}

/// Models with meshes, and how near their vertices must be: as a part of the size.
const MODELS: usize = 75;
const NEAR_1100: f32 = 5e-5;
const MEDIAN_800: f32 = 1e-5;
const MOST_800: f32 = 1e-3;

#[test]
fn every_creature_moves_as_before() {
    let Some(models) = models() else { return };
    let (mut hd, mut sd) = (Vec::new(), Vec::new());
    for (name, scene) in &models {
        let scene = validate(scene.clone()).unwrap();
        for (version, list) in [(1100, &mut hd), (800, &mut sd)] {
            let (_, distance) = measure(&scene, &RaiseOptions { version, ..RaiseOptions::default() });
            list.push((distance, name.clone()));
        }
    }
    hd.sort_by(|a, b| a.0.total_cmp(&b.0));
    sd.sort_by(|a, b| a.0.total_cmp(&b.0));
    println!("{} models; 1100: {:?}", models.len(), &hd[hd.len() - 5..]);
    println!("800: median {}, last {:?}", sd[sd.len() / 2].0, &sd[sd.len() - 5..]);
    assert!(models.len() >= MODELS, "only {} models", models.len());
    assert!(hd[hd.len() - 1].0 <= NEAR_1100, "1100: {:?}", hd[hd.len() - 1]);
    assert!(sd[sd.len() / 2].0 <= MEDIAN_800);
    assert!(sd[sd.len() * 95 / 100].0 <= MOST_800, "800: {:?}", &sd[sd.len() * 95 / 100]);
}
