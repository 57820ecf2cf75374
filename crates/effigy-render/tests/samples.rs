//! Pictures of the sample creature in each format, compared with reference pictures that were inspected and checked in.
//!
//! `EFFIGY_BLESS=1 cargo test -p effigy-render --test all samples::` writes them anew.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, clippy::print_stderr, missing_docs)]
#![allow(dead_code, reason = "the scenes are shared between test files")]

use crate::common;

use common::creature::{Creature, difference};
use common::renderer;
use effigy_mdx::Dialect;
use effigy_render::{Background, Direction, DrawStyle, Image, Model, Stage};
use effigy_scene::Scene;
use std::path::PathBuf;

const SIDE: u32 = 128;
/// Mean difference of a channel that drivers may show, of 255.
const MEAN: f64 = 2.0;
/// Share of pixels that may differ by more than an eighth.
const SHARE: f64 = 0.02;

fn picture(scene: &Scene) -> Image {
    let renderer = renderer().unwrap();
    let scene = effigy_scene::validate(scene.clone()).unwrap();
    let model = Model::new(renderer, &scene, [255, 3, 3], &mut Creature::new());
    assert_eq!(model.missing(), [""; 0]);
    let mut stage = Stage::new(scene.clone());
    let sequence = Stage::default_sequence(&scene);
    let camera = stage.camera(sequence, Direction::THREE_QUARTER, 1.0);
    stage.start(sequence, 500.0, Some(&camera.view));
    let look = DrawStyle { background: Background::Color([64; 3]), ..DrawStyle::default() };
    renderer
        .draw(
            &effigy_render::Frame { model: &model, stage: &stage, camera: &camera, style: &look },
            [SIDE, SIDE],
        )
        .unwrap()
        .picture
}

fn read(path: &PathBuf) -> Image {
    let bytes = std::fs::read(path)
        .unwrap_or_else(|_| panic!("{} is missing; EFFIGY_BLESS=1 writes it", path.display()));
    effigy_image::read(&bytes).unwrap()
}

fn check(name: &str, scene: &Scene) {
    let found = picture(scene);
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/pictures").join(format!("{name}.png"));
    if std::env::var_os("EFFIGY_BLESS").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(
            &path,
            effigy_image::png::write(&found, effigy_image::png::Compression::Fast).unwrap(),
        )
        .unwrap();
    }
    let (mean, share) = difference(&found, &read(&path));
    assert!(mean <= MEAN && share <= SHARE, "{name}: mean {mean:.2}, {:.2} % of the pixels", share * 100.0);
}

fn mdx(dialect: Dialect, version: u32) -> Scene {
    effigy_convert::mdx::lower(&effigy_samples::mdx::creature(dialect, version)).scene
}

#[test]
fn the_creature_of_warcraft_looks_as_it_did() {
    if renderer().is_some() {
        check("creature-mdx-800", &mdx(Dialect::Warcraft3, 800));
    }
}

#[test]
fn the_creature_of_wow_alpha_looks_as_it_did() {
    if renderer().is_some() {
        check("creature-mdx-wow-1300", &mdx(Dialect::WowAlpha, 1300));
    }
}

#[test]
fn the_creature_of_m2_looks_as_it_did() {
    if renderer().is_none() {
        return;
    }
    for version in effigy_samples::m2::versions() {
        let model = effigy_samples::m2::creature(version);
        let scene = effigy_convert::m2::lower(&model).scene;
        check("creature-m2", &scene);
    }
}

#[test]
fn the_creature_of_wolfenstein_looks_as_it_did() {
    if renderer().is_none() {
        return;
    }
    let shaders = effigy_mdc::shader::parse(effigy_samples::mdc::SCRIPT);
    let full = effigy_samples::mdc::creature();
    let small = effigy_mdc::to_mdc(&full, effigy_mdc::Mode::Engine).unwrap().model;
    for model in [full, small] {
        let options = effigy_convert::mdc::FrameTiming {
            sequences: effigy_samples::mdc::sequences(),
            ..Default::default()
        };
        let mut scene = effigy_convert::mdc::lower(&model, &options).unwrap().scene;
        let find = |name: &str| shaders.iter().find(|(it, _)| name.starts_with(it.as_str())).map(|it| &it.1);
        effigy_convert::mdc::apply_shaders(&mut scene, find);
        check("creature-mdc", &scene);
    }
}

#[test]
fn versions_of_warcraft_look_the_same() {
    if renderer().is_none() {
        return;
    }
    let classic = picture(&mdx(Dialect::Warcraft3, 800));
    for version in [900, 1000, 1100, 1200] {
        let (mean, share) = difference(&classic, &picture(&mdx(Dialect::Warcraft3, version)));
        assert!(mean <= MEAN && share <= SHARE, "{version}: mean {mean:.2}, share {share:.4}");
    }
}

#[test]
fn a_picture_is_the_same_every_time() {
    if renderer().is_some() {
        let scene = mdx(Dialect::Warcraft3, 800);
        assert_eq!(picture(&scene), picture(&scene));
    }
}
