//! How much of a picture a model fills, over the corpus.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout
)]
#![cfg(feature = "render")]

use effigy::pictures::{Background, NoTextures, Time, Viewpoint};
use effigy::scene::{Blend, Scene, validate};
use effigy::{Picture, Renderer};

const SIDE: u32 = 64;
/// The share of the shorter side that a model shall fill.
const WANTED: std::ops::RangeInclusive<f32> = 0.55..=0.97;
/// Every so many models of the corpus are drawn.
const STRIDE: usize = 3;

/// The scene without its effects: only meshes whose first layer hides what is behind it.
fn solid(scene: &Scene) -> Scene {
    let mut scene = scene.clone();
    (scene.emitters, scene.ribbons) = Default::default();
    let materials = scene.materials.clone();
    for mesh in scene.meshes.as_mut_slice() {
        let first =
            mesh.material.and_then(|id| materials.get(id)).and_then(|material| material.layers.first());
        mesh.shown &= first.is_none_or(|layer| matches!(layer.blend, Blend::Opaque | Blend::AlphaKey));
    }
    scene
}

/// The larger of the shares of width and height that is not transparent; none for an empty picture.
fn filled(image: &effigy::image::Image) -> Option<f32> {
    let shown = |x: u32, y: u32| image.pixel(x, y)[3] >= 128;
    let columns: Vec<u32> = (0..SIDE).filter(|x| (0..SIDE).any(|y| shown(*x, y))).collect();
    let rows: Vec<u32> = (0..SIDE).filter(|y| (0..SIDE).any(|x| shown(x, *y))).collect();
    let span = |found: &[u32]| Some(found.last()? - found.first()? + 1);
    Some(span(&columns)?.max(span(&rows)?) as f32 / SIDE as f32)
}

#[test]
fn solid_models_fill_their_picture() {
    let (Some(corpus), Ok(renderer)) = (effigy_testkit::corpus(), Renderer::shared()) else { return };
    let models = ["mdx", "mdl", "m2", "mdc", "md3"];
    let entries = effigy_testkit::index(&corpus);
    let entries =
        entries.iter().filter(|entry| !entry.is_malformed() && models.contains(&entry.format.as_str()));
    let (mut all, mut outside) = (0, Vec::new());
    for entry in entries.step_by(STRIDE) {
        let Ok(model) = effigy::open(&entry.path) else { continue };
        let Ok(scene) = model.lower().and_then(|lowered| validate(lowered.scene)) else { continue };
        let base = Picture {
            size: [SIDE; 2],
            camera: Viewpoint::ThreeQuarter,
            background: Background::Transparent,
            ..Picture::default()
        };
        let usual = renderer.take(&scene, &mut NoTextures, &base).unwrap();
        let alone = Picture {
            camera: Viewpoint::Fixed(usual.camera.unwrap()),
            time: Some(Time::Seconds(usual.time)),
            ..base
        };
        let alone = renderer.take(&validate(solid(&scene)).unwrap(), &mut NoTextures, &alone).unwrap();
        let Some(share) = filled(&alone.pictures[0]) else { continue };
        all += 1;
        if !WANTED.contains(&share) {
            outside.push(format!("{share:.2} {}", entry.name));
        }
    }
    println!("{} of {all} models outside of {WANTED:?}: {outside:#?}", outside.len());
    assert!(all >= 50, "{all}");
    assert!(outside.len() * 20 <= all, "{} of {all} models: {outside:#?}", outside.len());
}
