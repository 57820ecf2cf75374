//! The sample creature as MDX, M2, MDC and MD3, from the same camera at the same moment: where the formats can say the
//! same, the pictures are the same.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, clippy::print_stderr, missing_docs)]
#![allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a channel is 0 to 255")]
#![allow(dead_code, reason = "the scenes are shared between test files")]

use crate::common;

use common::creature::{Creature, difference};
use common::{LIGHTING, renderer};
use effigy_mdx::Dialect;
use effigy_render::{Background, Camera, DrawStyle, Image, Model, Stage};
use effigy_scene::{Arena, NodeRule, Scene, Textures};

const SIDE: u32 = 192;
/// Mean difference of a channel, of 255.
const MEAN: f64 = 0.6;
/// Share of pixels that may differ by more than an eighth: edges, where vertices are rounded.
const SHARE: f64 = 0.005;

/// A scene with the size of its units, in those of Warcraft III.
struct Version {
    name: String,
    scene: Scene,
    scale: f32,
}

fn versions() -> Vec<Version> {
    let mut all = Vec::new();
    let mut add = |name: String, scene: Scene, scale: f32| all.push(Version { name, scene, scale });
    for (dialect, version) in
        [(Dialect::Warcraft3, 800), (Dialect::Warcraft3, 1000), (Dialect::WowAlpha, 1300)]
    {
        let model = effigy_samples::mdx::creature(dialect, version);
        add(format!("{dialect:?} {version}"), effigy_convert::mdx::lower(&model).scene, 1.0);
    }
    for version in effigy_samples::m2::versions() {
        let model = effigy_samples::m2::creature(version);
        add(format!("M2 {version}"), effigy_convert::m2::lower(&model).scene, 1.0 / 72.0);
    }
    let full = effigy_samples::mdc::creature();
    let small = effigy_mdc::to_mdc(&full, effigy_mdc::Mode::Engine).unwrap().model;
    let options = effigy_convert::mdc::FrameTiming {
        sequences: effigy_samples::mdc::sequences(),
        ..Default::default()
    };
    for (name, model) in [("MD3", full), ("MDC", small)] {
        let mut scene = effigy_convert::mdc::lower(&model, &options).unwrap().scene;
        let mut shaders = effigy_assets::rules::shader::Shaders::default();
        shaders.parse(effigy_samples::mdc::SCRIPT);
        let report = effigy_convert::mdc::apply_shaders(&mut scene, |name| shaders.get(name));
        assert!(report.notes().is_empty(), "{report:?}");
        add(name.into(), scene, effigy_samples::mdc::SCALE);
    }
    all
}

/// Leaves out what not every format knows: effects, and the glow, whose light follows each sequence in some of them only.
fn common_part(scene: &mut Scene) {
    scene.lights = Arena::default();
    scene.emitters = Arena::default();
    scene.ribbons = Arena::default();
    for (index, mesh) in scene.meshes.as_mut_slice().iter_mut().enumerate() {
        mesh.shown = index != 6;
    }
}

fn picture(version: &Version, sequence: usize, time: f64) -> Image {
    let renderer = renderer().unwrap();
    let Version { scene, scale, .. } = version;
    let scene = effigy_scene::validate(scene.clone()).unwrap();
    let mut creature = Creature::painted();
    // Wolfenstein brightens images by a gamma of 1.3; darker ones are then shown as in the other games.
    let mut darkened = |texture: &effigy_scene::Texture| {
        let mut image = creature.image(texture)?;
        for [color @ .., _] in image.pixels_mut().as_chunks_mut::<4>().0 {
            color
                .iter_mut()
                .for_each(|value| *value = (255.0 * (f32::from(*value) / 255.0).powf(1.3)).round() as u8);
        }
        Some(image)
    };
    let model = match scene.node_rule {
        NodeRule::Wolfenstein => Model::new(renderer, &scene, [0; 3], &mut darkened),
        _ => Model::new(renderer, &scene, [0; 3], &mut Creature::painted()),
    };
    let place = |point: [f32; 3]| point.map(|part| part * scale);
    let camera = Camera::look_at(place([260.0, 170.0, 150.0]), place([10.0, 0.0, 75.0]), 0.6);
    let mut stage = Stage::new(scene.clone());
    stage.start(scene.sequences.id(sequence), time, Some(&camera.view));
    let look = DrawStyle {
        background: Background::Color([64; 3]),
        lighting: Some(LIGHTING),
        ..DrawStyle::default()
    };
    renderer
        .draw(
            &effigy_render::Frame { model: &model, stage: &stage, camera: &camera, style: &look },
            [SIDE, SIDE],
        )
        .unwrap()
        .picture
}

#[test]
fn formats_show_the_same_creature_in_the_same_pose() {
    if renderer().is_none() {
        return;
    }
    let mut wrong = Vec::new();
    let mut versions = versions();
    versions.iter_mut().for_each(|version| common_part(&mut version.scene));
    // Stand, look, walk, attack, death before the lamps go out; frames are taken every 100 ms.
    for (sequence, time) in [(0, 500.0), (1, 1500.0), (2, 400.0), (3, 500.0), (4, 200.0)] {
        let expected = picture(&versions[0], sequence, time);
        assert!(!expected.is_uniform());
        for version in &versions[1..] {
            let found = picture(version, sequence, time);
            let (mean, share) = difference(&expected, &found);
            if let Some(folder) = std::env::var_os("EFFIGY_PICTURES") {
                let path = std::path::Path::new(&folder).join(format!("{}-{sequence}.png", version.name));
                std::fs::write(
                    path,
                    effigy_image::png::write(&found, effigy_image::png::Compression::Fast).unwrap(),
                )
                .unwrap();
            }
            if mean > MEAN || share > SHARE {
                wrong.push(format!(
                    "{} in sequence {sequence}: mean {mean:.2}, {:.2} % of the pixels",
                    version.name,
                    share * 100.0
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_glow_is_there_in_every_format_and_turns_to_the_camera() {
    if renderer().is_none() {
        return;
    }
    let mut pictures = Vec::new();
    for mut version in versions() {
        common_part(&mut version.scene);
        let without = picture(&version, 0, 500.0);
        version.scene.meshes.as_mut_slice()[6].shown = true;
        pictures.push((version.name.clone(), without, picture(&version, 0, 500.0)));
    }
    let added = |without: &Image, with: &Image| {
        let light = with
            .pixels()
            .iter()
            .zip(without.pixels())
            .map(|(with, without)| i64::from(*with) - i64::from(*without));
        light.sum::<i64>() as f64
    };
    let (_, without, with) = &pictures[0];
    let expected = added(without, with);
    assert!(expected > 20_000.0, "{expected}");
    for (name, without, with) in &pictures {
        let share = added(without, with) / expected;
        assert!((0.97..1.03).contains(&share), "{name}: {share:.3}");
        let (mean, share) = difference(&pictures[0].2, with);
        assert!(mean <= 1.0 && share <= SHARE, "{name}: mean {mean:.2}, share {share:.4}");
    }
}
