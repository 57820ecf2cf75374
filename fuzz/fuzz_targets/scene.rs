//! Any bytes as a model of any format, opened as a user opens it, lowered, validated, sampled and exported: no panic, no
//! number that is not finite in a pose, and a glTF document that is valid JSON.
//!
//! If the last four bytes are a length within the input, the bytes after it are the model's `.skin` file.
#![no_main]

use effigy::assets::Memory;
use effigy::gltf::{ExportOptions, NoTextures, export};
use effigy::scene::sample::{Moment, Sampler};
use effigy::scene::validate;
use effigy::{Limits, OpenOptions};
use libfuzzer_sys::fuzz_target;

const LIMITS: Limits =
    Limits { input_bytes: 1 << 20, records: 1 << 12, diagnostics: 100, unpacked_bytes: 1 << 18 };

/// The model and its skin.
fn parts(bytes: &[u8]) -> (&[u8], &[u8]) {
    let Some((both, length)) = bytes.split_last_chunk::<4>() else { return (bytes, &[]) };
    both.split_at_checked(u32::from_le_bytes(*length) as usize).unwrap_or((bytes, &[]))
}

fuzz_target!(|bytes: &[u8]| {
    let (model, skin) = parts(bytes);
    let mut files = Memory::new("fuzz").with("model", model.to_vec());
    if !skin.is_empty() {
        files.add("model00.skin", skin.to_vec());
    }
    let options = OpenOptions { limits: LIMITS, ..OpenOptions::default() };
    let Ok(model) = effigy::open_in(files, "model", &options) else { return };
    let Ok(lowered) = model.lower() else { return };
    let Ok(scene) = validate(lowered.scene) else { return };
    let sampler = Sampler::new(&scene);
    let mut pose = sampler.pose();
    for (id, _) in scene.sequences.iter().take(3) {
        for time in [0.0, 333.3, 1e7] {
            sampler.sample(&Moment::new(id, time), None, &mut pose);
            sampler.skin(&mut pose);
        }
    }
    let options = ExportOptions { animation_bytes: 1 << 20, ..ExportOptions::default() };
    let Ok(file) = export(&scene, &options, &mut NoTextures) else { return };
    let glb = file.into_glb().expect("far below 4 GB");
    let length = u32::from_le_bytes(glb[12..16].try_into().expect("four bytes")) as usize;
    let json: serde_json::Value = serde_json::from_slice(&glb[20..20 + length]).expect("JSON");
    assert_eq!(json["asset"]["version"], "2.0");
    effigy_gltf::Model::read(&glb).expect("what was exported can be read");
});
