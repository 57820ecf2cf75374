//! Every real model that can be read becomes a valid scene and a glTF file.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
#![allow(clippy::cast_possible_truncation, clippy::print_stdout)]

use effigy_convert::Lowered;
use effigy_gltf::{ExportOptions, NoTextures, export};
use effigy_scene::sample::{Moment, Sampler};
use effigy_scene::validate;
use effigy_testkit::{corpus, files};
use serde_json::Value;

fn lower(bytes: &[u8]) -> Option<Lowered> {
    if effigy_mdx::sniff(bytes) {
        return effigy_mdx::read(bytes).ok().map(|model| effigy_convert::mdx::lower(&model));
    }
    if effigy_mdc::sniff(bytes) {
        let model = effigy_mdc::read(bytes).ok()?;
        return effigy_convert::mdc::lower(&model, &effigy_convert::mdc::FrameTiming::default()).ok();
    }
    if effigy_m2::sniff(bytes) {
        let model = effigy_m2::read(bytes).ok()?;
        return Some(effigy_convert::m2::lower(&model));
    }
    None
}

/// The JSON of a .glb file, whose two chunks must fill the file and whose buffer must be as long as the second chunk says.
fn document(glb: &[u8]) -> Result<Value, String> {
    let word = |at: usize| {
        glb.get(at..at + 4).map_or(0, |word| u32::from_le_bytes(word.try_into().unwrap()) as usize)
    };
    if !glb.starts_with(b"glTF") || word(4) != 2 || word(8) != glb.len() {
        return Err("the header is wrong".to_owned());
    }
    let json = glb.get(20..20 + word(12)).ok_or("the JSON chunk is too long")?;
    let value: Value = serde_json::from_slice(json).map_err(|error| error.to_string())?;
    let buffer = value["buffers"][0]["byteLength"].as_u64().unwrap_or(0) as usize;
    let rest = glb.len() - 20 - word(12);
    let fits = if buffer == 0 { rest == 0 } else { rest == 8 + word(20 + word(12)) && rest - 8 - buffer < 4 };
    if fits { Ok(value) } else { Err(format!("a buffer of {buffer} bytes in a chunk of {rest}")) }
}

/// The number of vertices and of indices of the mesh of a node.
fn mesh_of(document: &Value, node: &str) -> Option<[usize; 2]> {
    let nodes = document["nodes"].as_array()?;
    let node = nodes.iter().find(|entry| entry["name"] == node && !entry["mesh"].is_null())?;
    let primitive = &document["meshes"][node["mesh"].as_u64()? as usize]["primitives"][0];
    let count = |accessor: &Value| {
        Some(document["accessors"][accessor.as_u64()? as usize]["count"].as_u64()? as usize)
    };
    Some([count(&primitive["attributes"]["POSITION"])?, count(&primitive["indices"])?])
}

/// Models and meshes that must be exported at least.
const MODELS: usize = 357;
/// Meshes that no sequence ever shows are left out.
const MESHES: usize = 1414;

#[test]
fn every_model_that_can_be_read_is_exported() {
    let Some(corpus) = corpus() else { return };
    let (mut models, mut meshes) = (0, 0);
    for path in files(&corpus, |_| true) {
        let bytes = std::fs::read(&path).unwrap();
        let Some(lowered) = lower(&bytes) else { continue };
        models += 1;
        let scene = validate(lowered.scene).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let mut gltf = export(&scene, &ExportOptions::default(), &mut NoTextures).unwrap();
        let nodes = std::mem::take(&mut gltf.mesh_nodes);
        let glb = gltf.into_glb().unwrap();
        let document = document(&glb).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        for (id, node) in nodes {
            let mesh = scene.meshes.get(id).unwrap();
            let found = mesh_of(&document, &node).unwrap_or_else(|| panic!("{}: no {node}", path.display()));
            assert_eq!(found, [mesh.positions.len(), mesh.indices.len()], "{}: {node}", path.display());
            meshes += 1;
        }
    }
    println!("{models} models with {meshes} meshes are exported");
    assert!(models >= MODELS && meshes >= MESHES, "only {models} models and {meshes} meshes");
}

#[test]
fn morph_frames_and_tags_agree_with_the_decoder() {
    let Some(corpus) = corpus() else { return };
    let mut frames = 0;
    for path in files(&corpus.join("mdc-2"), |_| true) {
        let Ok(model) = effigy_mdc::read(&std::fs::read(&path).unwrap()) else { continue };
        let options = effigy_convert::mdc::FrameTiming { fps: 10.0, ..Default::default() };
        let Ok(Lowered { scene, .. }) = effigy_convert::mdc::lower(&model, &options) else { continue };
        let decoded = model.decode().unwrap();
        let scene = validate(scene).unwrap();
        let sampler = Sampler::new(&scene);
        let mut pose = sampler.pose();
        for frame in 0..model.frames.len() {
            let moment = Moment { sequence: scene.sequences.id(0), time: frame as f64 * 100.0, clock: 0.0 };
            sampler.sample(&moment, None, &mut pose);
            sampler.skin(&mut pose);
            for (mesh, track) in pose.meshes().iter().zip(&decoded) {
                for (found, wanted) in
                    mesh.positions.iter().flatten().zip(track.positions(frame).iter().flatten())
                {
                    assert!((found - wanted).abs() <= 1e-5, "{} frame {frame}", path.display());
                }
            }
            for (tag, (id, _)) in scene.nodes.iter().enumerate() {
                let wanted = model.tag_pose(tag, frame).unwrap().origin;
                for (found, wanted) in pose.point(id, [0.0; 3]).into_iter().zip(wanted) {
                    assert!((found - wanted).abs() <= 1e-3, "{} tag {tag}", path.display());
                }
            }
            frames += 1;
        }
    }
    assert!(frames > 100, "only {frames} frames were compared");
}
