//! Every real model that can be read becomes a valid scene and a glTF file.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout)]

use effigy_convert::Lowered;
use effigy_gltf::{ExportOptions, NoTextures, export};
use effigy_scene::sample::{Moment, Sampler};
use effigy_scene::validate;
use std::path::{Path, PathBuf};

fn corpus() -> Option<PathBuf> {
    let named = std::env::var_os("EFFIGY_CORPUS").map(PathBuf::from);
    let path = named.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus"));
    if path.is_dir() {
        return Some(path);
    }
    println!("SKIPPED: no corpus at {}", path.display());
    None
}

fn walk(path: &Path, list: &mut Vec<PathBuf>) {
    if path.is_dir() {
        let mut entries: Vec<_> =
            std::fs::read_dir(path).unwrap().flatten().map(|entry| entry.path()).collect();
        entries.sort();
        entries.iter().for_each(|entry| walk(entry, list));
    } else {
        list.push(path.to_owned());
    }
}

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

#[test]
fn every_model_that_can_be_read_is_exported() {
    let Some(corpus) = corpus() else { return };
    let mut files = Vec::new();
    walk(&corpus, &mut files);
    let mut models = 0;
    for path in files {
        let bytes = std::fs::read(&path).unwrap();
        let Some(lowered) = lower(&bytes) else { continue };
        models += 1;
        let scene = validate(lowered.scene).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let gltf = export(&scene, &ExportOptions::default(), &mut NoTextures).unwrap();
        let glb = gltf.into_glb().unwrap();
        assert_eq!(glb.len() % 4, 0, "{}", path.display());
    }
    assert!(models > 300, "only {models} models were found");
}

#[test]
fn morph_frames_and_tags_agree_with_the_decoder() {
    let Some(corpus) = corpus() else { return };
    let mut files = Vec::new();
    walk(&corpus.join("mdc-2"), &mut files);
    let mut frames = 0;
    for path in files {
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
