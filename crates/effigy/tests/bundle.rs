//! Models that travel: the bytes of a model and of what belongs to it open the same model elsewhere.

#![allow(clippy::unwrap_used)]
#![cfg(all(feature = "assets", feature = "scene"))]

use effigy::assets::{FileRef, Memory};
use effigy::{Model, OpenOptions};

fn samples(stem: &str) -> Memory {
    let all = [effigy_samples::all(), effigy_samples::scripts()].concat();
    let own = all.into_iter().filter(|sample| sample.file_name.starts_with(stem));
    own.fold(Memory::new("samples"), |files, sample| files.with(&sample.file_name, sample.bytes))
}

fn meshes(model: &Model) -> usize {
    model.lower().map(|lowered| lowered.scene.meshes.len()).unwrap()
}

#[test]
fn an_m2_takes_its_skins_along() {
    let options = OpenOptions::default();
    let model = effigy::open_in(samples("m2-264-creature"), "m2-264-creature.m2", &options).unwrap();
    let bundle = model.bundle().unwrap();
    let names: Vec<&str> = bundle.companions.iter().map(|(name, _)| name.as_str()).collect();
    assert!(names.contains(&"m2-264-creature00.skin"), "{names:?}");

    // There are no skins next to the model in its new place.
    let alone = FileRef::memory("m2-264-creature.m2", bundle.main.clone());
    let without = effigy::open_bytes(&alone, &bundle.main, &options).unwrap();
    assert!(without.lower().is_err());
    let carried = |wanted: &str| {
        bundle.companions.iter().find(|(name, _)| name == wanted).map(|(_, bytes)| bytes.clone())
    };
    let again = effigy::open_carried(&alone, &bundle.main, &carried, &options).unwrap();
    assert_eq!(meshes(&again), meshes(&model));
}

#[test]
fn a_body_takes_its_list_of_animations_along() {
    let options = OpenOptions::default();
    let files = samples("");
    let model = effigy::open_in(files, "soldier.mds", &options).unwrap();
    let bundle = model.bundle().unwrap();
    assert_eq!(
        bundle.companions.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>(),
        model.summary().files
    );
    let elsewhere = Memory::new("elsewhere").with("soldier.mds", bundle.main);
    let elsewhere =
        bundle.companions.into_iter().fold(elsewhere, |files, (name, bytes)| files.with(&name, bytes));
    let again = effigy::open_in(elsewhere, "soldier.mds", &options).unwrap();
    assert_eq!(again.summary().sequences, model.summary().sequences);
}
