//! Any bytes as glTF: reading and lowering never panic, the source is given back, and every scene is valid, can be sampled
//! and exported again. Half of the inputs are taken as the JSON of a .glb whose binary part is the rest.

#![no_main]

#[path = "family/glb.rs"]
mod glb;

use effigy_gltf::{ExportOptions, Model, NoTextures, export};
use effigy_scene::sample::{Moment, Sampler};
use effigy_scene::validate;
use effigy_wire::{Flat, Limits, Status};
use libfuzzer_sys::fuzz_target;

const LIMITS: Limits =
    Limits { input_bytes: 1 << 20, records: 1 << 12, diagnostics: 100, unpacked_bytes: 1 << 22 };

fn look(bytes: &[u8]) {
    let Ok(mut model) = Model::read_with(bytes, &LIMITS) else { return };
    assert_eq!(model.verify(bytes).status, Status::Identical);
    model.visit(&mut Flat::default());
    for name in model.companions() {
        model.attach(&name, bytes.to_vec());
    }
    let _ = (model.meshes(), model.primitives(), model.animations(), model.image_sizes(), model.counts());
    let Ok((scene, _)) = model.lower() else { return };
    let scene = validate(scene).expect("an imported scene is valid");
    for texture in scene.textures.as_slice() {
        let _ = model.image(texture);
    }
    let sampler = Sampler::new(&scene);
    let mut pose = sampler.pose();
    for (id, sequence) in scene.sequences.iter().take(2) {
        sampler.sample(&Moment::new(id, f64::from(sequence.length()) * 0.4), None, &mut pose);
        sampler.skin(&mut pose);
    }
    let options = ExportOptions { animation_bytes: 1 << 20, fps: 10.0, ..ExportOptions::default() };
    if let Ok(file) = export(&scene, &options, &mut NoTextures) {
        let bytes = file.into_glb().expect("it is small");
        let again = Model::read_with(&bytes, &Limits::DEFAULT).expect("what was exported can be read");
        let _ = again.lower();
    }
}

fuzz_target!(|bytes: &[u8]| {
    look(bytes);
    if let Some(glb) = glb::joined(bytes) {
        look(&glb);
    }
});
