//! Any bytes as a model of any format, opened as a user opens it, lowered, validated, sampled and exported: no panic, no
//! number that is not finite in a pose, and a glTF document that is valid JSON.
#![no_main]

#[path = "family/opened.rs"]
mod opened;

use effigy::Limits;
use effigy::gltf::{ExportOptions, NoTextures, export};
use effigy::scene::sample::{Moment, Sampler};
use libfuzzer_sys::fuzz_target;

const LIMITS: Limits =
    Limits { input_bytes: 1 << 20, records: 1 << 12, diagnostics: 100, unpacked_bytes: 1 << 18 };

fuzz_target!(|bytes: &[u8]| {
    let Some(scene) = opened::scene(bytes, LIMITS) else { return };
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
