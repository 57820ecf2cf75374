//! Colours, texture transforms and lights over time (`KHR_animation_pointer`) against values computed by hand.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::cast_possible_truncation)]

use crate::common;

use common::{File, Keys, bone, near, near_rows, one_layer};
use effigy_gltf::ExportOptions;
use effigy_scene::{
    Animated, Extras, Id, Interpolation, Layer, LayerTexture, Light, LightKind, Rotation, Scene,
    TextureTransform, Track, TransformOrder,
};
use std::f32::consts::{FRAC_PI_2, PI};

const COLOR: &str = "/materials/0/pbrMetallicRoughness/baseColorFactor";
const OFFSET: &str =
    "/materials/0/pbrMetallicRoughness/baseColorTexture/extensions/KHR_texture_transform/offset";
const ROTATION: &str =
    "/materials/0/pbrMetallicRoughness/baseColorTexture/extensions/KHR_texture_transform/rotation";
const SCALE: &str =
    "/materials/0/pbrMetallicRoughness/baseColorTexture/extensions/KHR_texture_transform/scale";

/// One half in linear light: ((0.5 + 0.055) / 1.055) ^ 2.4.
const HALF: f32 = 0.214_041_14;

fn animated() -> ExportOptions {
    // Samples every quarter of a second.
    ExportOptions { animate_materials: true, fps: 4.0, ..ExportOptions::default() }
}

fn fade(values: &[f32]) -> Animated<f32> {
    let times = (0..values.len()).map(|key| 1000 + 500 * i32::try_from(key).unwrap()).collect();
    Animated { base: 1.0, track: Some(Track::linear(times, values.to_vec(), 1.0)) }
}

#[track_caller]
fn is_keys(keys: &Keys, mode: &str, times: &[f32]) {
    assert_eq!(keys.mode, mode);
    near(&keys.times, times);
}

#[test]
fn one_straight_track_keeps_its_keys_and_colours_become_linear() {
    let colors = vec![[1.0, 0.5, 0.0], [0.0, 1.0, 0.02]];
    let color = Animated { base: [1.0; 3], track: Some(Track::linear(vec![1000, 2000], colors, [1.0; 3])) };
    let scene = one_layer(Layer { unlit: true, color, alpha: Animated::fixed(0.5), ..Layer::default() });
    let file = File::new(&scene, &animated());
    assert_eq!(file.pointers(0), [COLOR]);
    let keys = file.points(0, COLOR).unwrap();
    is_keys(&keys, "LINEAR", &[0.0, 1.0]);
    // Dark values are on the straight part of the curve: 0.02 / 12.92.
    near_rows(&keys.rows, &[[1.0, HALF, 0.0, 0.5], [0.0, 1.0, 0.02 / 12.92, 0.5]]);
    assert!(file.uses("KHR_animation_pointer"));
    // Without the option nothing is animated.
    let file = File::new(&scene, &ExportOptions::default());
    assert!(file.pointers(0).is_empty() && file.said("colour or alpha over time is in extras"));
    let file = File::new(&scene, &ExportOptions { draft: true, ..animated() });
    assert!(file.pointers(0).is_empty() && file.said("colour or alpha over time is in extras"));
}

#[test]
fn a_product_of_two_tracks_is_sampled() {
    let mut scene = one_layer(Layer { unlit: true, alpha: fade(&[0.0, 0.5, 1.0]), ..Layer::default() });
    scene.meshes.as_mut_slice()[0].alpha = fade(&[1.0, 0.5, 0.0]);
    let file = File::new(&scene, &animated());
    let keys = file.points(0, COLOR).unwrap();
    is_keys(&keys, "LINEAR", &[0.0, 0.25, 0.5, 0.75, 1.0]);
    let alphas: Vec<f32> = keys.rows.iter().map(|row| row[3]).collect();
    near(&alphas, &[0.0, 0.1875, 0.25, 0.1875, 0.0]);
}

#[test]
fn the_three_alphas_and_both_colours_are_multiplied() {
    let mut scene = one_layer(Layer {
        unlit: true,
        alpha: Animated::fixed(0.5),
        color_alpha: fade(&[1.0, 0.5, 0.5]),
        color: Animated::fixed([0.5, 1.0, 1.0]),
        ..Layer::default()
    });
    let mesh = &mut scene.meshes.as_mut_slice()[0];
    mesh.alpha = Animated::fixed(0.8);
    mesh.color = Animated::fixed([1.0, 0.5, 1.0]);
    let keys = File::new(&scene, &animated()).points(0, COLOR).unwrap();
    is_keys(&keys, "LINEAR", &[0.0, 0.5, 1.0]);
    near_rows(&keys.rows, &[[HALF, HALF, 1.0, 0.4], [HALF, HALF, 1.0, 0.2], [HALF, HALF, 1.0, 0.2]]);
    let factor = &File::new(&scene, &ExportOptions::default()).json["materials"][0]["pbrMetallicRoughness"];
    common::near_json(&factor["baseColorFactor"], &[HALF, HALF, 1.0, 0.4]);
}

#[test]
fn alpha_beyond_its_bounds_has_keys_where_it_crosses_them() {
    let alpha = |value: Animated<f32>| {
        let scene = one_layer(Layer { unlit: true, alpha: value, ..Layer::default() });
        let keys = File::new(&scene, &animated()).points(0, COLOR).unwrap();
        (keys.mode.clone(), keys.times.clone(), keys.rows.iter().map(|row| row[3]).collect::<Vec<_>>())
    };
    // From 1.8 to -0.2 in half a second: 1 after 0.4 of it, 0 after 0.9; then it stays.
    let (_, times, alphas) = alpha(fade(&[1.8, -0.2]));
    near(&times, &[0.0, 0.2, 0.45, 0.5, 1.0]);
    near(&alphas, &[1.0, 1.0, 0.0, 0.0, 0.0]);
    let (_, times, alphas) = alpha(fade(&[-0.5, 0.5, 1.0]));
    near(&times, &[0.0, 0.25, 0.5, 1.0]);
    near(&alphas, &[0.0, 0.0, 0.5, 1.0]);
    // Steps cross nothing.
    let mut steps = fade(&[1.8, -0.2]);
    steps.track.as_mut().unwrap().interpolation = Interpolation::Step;
    let (mode, times, alphas) = alpha(steps);
    assert_eq!(mode, "STEP");
    near(&times, &[0.0, 0.5, 1.0]);
    near(&alphas, &[1.0, 0.0, 0.0]);
}

#[test]
fn stepped_tracks_stay_steps_even_when_there_are_two() {
    let step = |values: &[f32]| {
        let mut value = fade(values);
        value.track.as_mut().unwrap().interpolation = Interpolation::Step;
        value
    };
    let layer = Layer {
        unlit: true,
        alpha: step(&[1.0, 0.5]),
        color_alpha: step(&[1.0, 1.0, 0.25]),
        ..Layer::default()
    };
    let keys = File::new(&one_layer(layer), &animated()).points(0, COLOR).unwrap();
    is_keys(&keys, "STEP", &[0.0, 0.5, 1.0]);
    let alphas: Vec<f32> = keys.rows.iter().map(|row| row[3]).collect();
    near(&alphas, &[1.0, 0.5, 0.125]);
}

#[test]
fn what_does_not_change_is_one_key_or_none() {
    // Always white and opaque, as the material is without it.
    let scene = one_layer(Layer { unlit: true, alpha: fade(&[1.0, 1.0]), ..Layer::default() });
    assert!(File::new(&scene, &animated()).pointers(0).is_empty());
    let scene = one_layer(Layer { unlit: true, alpha: fade(&[0.5, 0.5]), ..Layer::default() });
    let keys = File::new(&scene, &animated()).points(0, COLOR).unwrap();
    near(&keys.times, &[0.0]);
    near_rows(&keys.rows, &[[1.0, 1.0, 1.0, 0.5]]);
    // Two tracks whose product does not change.
    let scene = one_layer(Layer {
        unlit: true,
        alpha: Animated::fixed(0.0),
        color_alpha: fade(&[0.5, 1.0]),
        ..Layer::default()
    });
    let file = File::new(&scene, &ExportOptions { all_parts: true, ..animated() });
    let keys = file.points(0, COLOR).unwrap();
    near(&keys.times, &[0.0]);
    near_rows(&keys.rows, &[[1.0, 1.0, 1.0, 0.0]]);
}

#[test]
fn lit_textures_are_left_alone_unless_they_are_asked_for() {
    let scene = one_layer(Layer { alpha: fade(&[0.5, 1.0]), ..Layer::default() });
    let file = File::new(&scene, &animated());
    assert!(file.pointers(0).is_empty() && file.said("Blender cannot open it on lit textures"));
    let file = File::new(&scene, &ExportOptions { lit_colors: true, ..animated() });
    assert_eq!(file.pointers(0), [COLOR]);
    assert!(!file.said("over time is in extras"));
}

fn moving(transform: TextureTransform) -> Scene {
    let texture =
        LayerTexture { texture: Some(Id::new(0)), transform: Some(Id::new(0)), ..LayerTexture::default() };
    let mut scene = one_layer(Layer { unlit: true, textures: vec![texture], ..Layer::default() });
    scene.texture_transforms.push(transform);
    scene
}

fn turn(angle: f32) -> Rotation {
    Rotation([0.0, 0.0, (angle * 0.5).sin(), (angle * 0.5).cos()])
}

fn track<T: Copy>(values: Vec<T>, default: T) -> Animated<T> {
    let times = (0..values.len()).map(|key| 1000 + 500 * i32::try_from(key).unwrap()).collect();
    Animated { base: default, track: Some(Track::linear(times, values, default)) }
}

#[test]
fn a_texture_that_slides_keeps_its_keys() {
    let mut transform = TextureTransform {
        translation: track(vec![[0.0; 3], [0.25, 0.5, 9.0], [1.0, 0.0, 9.0]], [0.0; 3]),
        ..TextureTransform::default()
    };
    let file = File::new(&moving(transform.clone()), &animated());
    assert_eq!(file.pointers(0), [OFFSET]);
    let keys = file.points(0, OFFSET).unwrap();
    is_keys(&keys, "LINEAR", &[0.0, 0.5, 1.0]);
    near_rows(&keys.rows, &[[0.0, 0.0], [0.25, 0.5], [1.0, 0.0]]);
    // Twice as large about the middle: the corner is at -0.5, and moves after the scale.
    transform.scale = Animated::fixed([2.0, 2.0, 1.0]);
    let keys = File::new(&moving(transform.clone()), &animated()).points(0, OFFSET).unwrap();
    near_rows(&keys.rows, &[[-0.5, -0.5], [-0.25, 0.0], [0.5, -0.5]]);
    // Or before it.
    transform.order = TransformOrder::MoveScaleRotate;
    let file = File::new(&moving(transform.clone()), &animated());
    near_rows(&file.points(0, OFFSET).unwrap().rows, &[[-0.5, -0.5], [0.0, 0.5], [1.5, -0.5]]);
    let rest =
        &file.material(0)["pbrMetallicRoughness"]["baseColorTexture"]["extensions"]["KHR_texture_transform"];
    common::near_json(&rest["offset"], &[-0.5, -0.5]);
    common::near_json(&rest["scale"], &[2.0, 2.0]);
    assert_eq!(rest["rotation"], 0.0);
    // Cubic keys have tangents of the offset: they move with the scale and not with the middle.
    let slide = transform.translation.track.as_mut().unwrap();
    slide.interpolation = Interpolation::Hermite;
    slide.tangents = vec![[[1.0, 2.0, 0.0]; 2]; 3];
    let exact = ExportOptions { curve_tolerance: None, ..animated() };
    let keys = File::new(&moving(transform), &exact).points(0, OFFSET).unwrap();
    assert_eq!(keys.mode, "CUBICSPLINE");
    // Per segment of half a second, twice as large: four times as much per second.
    near_rows(&keys.rows[3..6], &[[4.0, 8.0], [0.0, 0.5], [4.0, 8.0]]);
}

#[test]
fn a_texture_that_turns_turns_about_its_middle_and_never_jumps() {
    // A full turn in a second, by thirds (half a turn would have no direction).
    let turns = [0.0, PI * 2.0 / 3.0, PI * 4.0 / 3.0, PI * 2.0].map(turn).to_vec();
    let rotation = Track::linear(vec![1000, 1333, 1666, 2000], turns, Rotation::IDENTITY);
    let rotation = Animated { base: Rotation::IDENTITY, track: Some(rotation) };
    let file = File::new(&moving(TextureTransform { rotation, ..TextureTransform::default() }), &animated());
    assert_eq!(file.pointers(0), [OFFSET, ROTATION]);
    let keys = file.points(0, ROTATION).unwrap();
    is_keys(&keys, "LINEAR", &[0.0, 0.25, 0.333, 0.5, 0.666, 0.75, 1.0]);
    // Between the first two keys a third of a turn takes 333 ms.
    let third = PI * 2.0 / 3.0;
    let at = [0.0, third * 250.0 / 333.0, third, third * (1.0 + 167.0 / 333.0), 2.0 * third];
    for (found, turned) in keys.rows.iter().zip(at) {
        assert!((found[0] + turned).abs() < 2e-4, "{found:?}, not {}", -turned);
    }
    assert!((keys.rows[6][0] + PI * 2.0).abs() < 2e-4, "{:?}", keys.rows[6]);
    // The middle stays: offset = middle - R * middle, with v downwards.
    let keys = file.points(0, OFFSET).unwrap();
    let (sin, cos) = third.sin_cos();
    near(&keys.rows[2], &[0.5 - 0.5 * cos + 0.5 * sin, 0.5 - 0.5 * sin - 0.5 * cos]);
}

#[test]
fn a_texture_that_grows_and_slides_is_sampled() {
    let transform = TextureTransform {
        translation: track(vec![[0.0; 3], [0.5, 0.0, 0.0], [1.0, 0.0, 0.0]], [0.0; 3]),
        scale: track(vec![[1.0; 3], [2.0, 3.0, 1.0], [3.0, 5.0, 1.0]], [1.0; 3]),
        rotation: Animated::fixed(turn(0.0)),
        ..TextureTransform::default()
    };
    let file = File::new(&moving(transform), &animated());
    assert_eq!(file.pointers(0), [OFFSET, SCALE]);
    let keys = file.points(0, SCALE).unwrap();
    is_keys(&keys, "LINEAR", &[0.0, 0.25, 0.5, 0.75, 1.0]);
    near_rows(&keys.rows, &[[1.0, 1.0], [1.5, 2.0], [2.0, 3.0], [2.5, 4.0], [3.0, 5.0]]);
    let keys = file.points(0, OFFSET).unwrap();
    // 0.5 + t - 0.5 * s and 0.5 - 0.5 * s.
    near_rows(&keys.rows, &[[0.0, 0.0], [0.0, -0.5], [0.0, -1.0], [0.0, -1.5], [0.0, -2.0]]);
}

/// What an animation leaves out is as in the material, which is as in the first Stand.
#[test]
fn a_texture_is_whole_where_only_the_first_sequence_scales_it() {
    let scale = track(vec![[0.5; 3], [0.5; 3]], [1.0; 3]);
    let rotation = track(vec![turn(0.25), turn(0.25)], Rotation::IDENTITY);
    let mut scene = moving(TextureTransform { scale, rotation, ..TextureTransform::default() });
    scene.key_rule = effigy_scene::KeyRule::Wrap;
    let second = scene.sequences.as_slice()[0].clone();
    scene.sequences.push(effigy_scene::Sequence { name: "Death".into(), start: 3000, end: 4000, ..second });
    let file = File::new(&scene, &animated());
    let rest =
        &file.material(0)["pbrMetallicRoughness"]["baseColorTexture"]["extensions"]["KHR_texture_transform"];
    common::near_json(&rest["scale"], &[0.5, 0.5]);
    assert!(file.points(0, SCALE).is_none() && file.points(0, ROTATION).is_none());
    near_rows(&file.points(1, SCALE).unwrap().rows, &[[1.0, 1.0]]);
    near_rows(&file.points(1, ROTATION).unwrap().rows, &[[0.0]]);
    // Plain glTF has no such thing, which is said.
    let draft = ExportOptions { draft: true, ..ExportOptions::default() };
    assert!(File::new(&scene, &draft).said("textures that are moved, turned or scaled"));
    let still = File::new(&moving(TextureTransform::default()), &draft);
    assert!(!still.said("textures that are moved, turned or scaled"));
}

#[test]
fn steps_of_a_texture_are_not_sampled() {
    let mut rotation = track(vec![turn(0.0), turn(FRAC_PI_2), turn(PI)], Rotation::IDENTITY);
    rotation.track.as_mut().unwrap().interpolation = Interpolation::Step;
    let file = File::new(&moving(TextureTransform { rotation, ..TextureTransform::default() }), &animated());
    let keys = file.points(0, ROTATION).unwrap();
    is_keys(&keys, "STEP", &[0.0, 0.5, 1.0]);
    near_rows(&keys.rows, &[[0.0], [-FRAC_PI_2], [-PI]]);
}

fn light(kind: LightKind) -> Light {
    Light {
        name: "Lamp".into(),
        kind,
        node: Id::new(0),
        position: [1.0, 2.0, 7.0],
        attenuation_start: Animated::fixed(1.0),
        attenuation_end: Animated::fixed(50.0),
        color: Animated::fixed([1.0, 0.5, 0.0]),
        intensity: Animated::fixed(2.0),
        ambient_color: Animated::fixed([1.0; 3]),
        ambient_intensity: Animated::fixed(0.0),
        visibility: Animated::fixed(1.0),
        extras: Extras::default(),
    }
}

fn lamps(lights: Vec<Light>) -> Scene {
    let mut scene = one_layer(Layer::default());
    scene.nodes.push(bone("Root", None, [1.0, 2.0, 3.0]));
    for light in lights {
        scene.lights.push(light);
    }
    scene
}

#[test]
fn lights_change_colour_and_intensity_and_are_dark_when_off() {
    let mut bright = light(LightKind::Omni);
    bright.intensity = track(vec![-1.0, 2.0, 4.0], 0.0);
    bright.visibility = track(vec![1.0, 1.0, 0.0], 1.0);
    bright.visibility.track.as_mut().unwrap().interpolation = Interpolation::Step;
    let mut colorful = light(LightKind::Directional);
    colorful.color = track(vec![[1.0, 0.0, 0.5], [0.0, 1.0, 1.0]], [1.0; 3]);
    let file = File::new(&lamps(vec![light(LightKind::Ambient), bright, colorful]), &animated());
    let path = |rest: &str| format!("/extensions/KHR_lights_punctual/lights/{rest}");
    assert_eq!(file.pointers(0), [path("0/intensity"), path("1/color")]);
    let keys = file.points(0, &path("0/intensity")).unwrap();
    is_keys(&keys, "LINEAR", &[0.0, 0.25, 0.5, 0.75, 1.0]);
    near_rows(&keys.rows, &[[0.0], [0.5], [2.0], [3.0], [0.0]]);
    let keys = file.points(0, &path("1/color")).unwrap();
    is_keys(&keys, "LINEAR", &[0.0, 0.5, 1.0]);
    near_rows(&keys.rows, &[[1.0, 0.0, HALF], [0.0, 1.0, 1.0], [0.0, 1.0, 1.0]]);
}

#[test]
fn lights_have_their_kind_colour_range_and_direction() {
    let mut off = light(LightKind::Omni);
    off.visibility = Animated::fixed(0.0);
    off.attenuation_end = Animated::fixed(0.0);
    let scene =
        lamps(vec![light(LightKind::Omni), light(LightKind::Directional), light(LightKind::Ambient), off]);
    let file = File::new(&scene, &ExportOptions { scale: 0.1, ..ExportOptions::default() });
    let lights = &file.json["extensions"]["KHR_lights_punctual"]["lights"];
    assert_eq!(lights.as_array().unwrap().len(), 3);
    let kinds: Vec<&str> = (0..3).map(|it| lights[it]["type"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["point", "directional", "point"]);
    common::near_json(&lights[0]["color"], &[1.0, HALF, 0.0]);
    assert_eq!((&lights[0]["intensity"], &lights[2]["intensity"]), (&2.0.into(), &0.0.into()));
    // The range is in metres: 50 units of 0.1.
    near(&[lights[0]["range"].as_f64().unwrap() as f32], &[5.0]);
    assert!(lights[1]["range"].is_null() && lights[2]["range"].is_null());
    // Four units above the pivot, shining down.
    let node = &file.json["nodes"][file.node("Lamp")];
    common::near_json(&node["translation"], &[0.0, 4.0, 0.0]);
    let half = std::f32::consts::FRAC_1_SQRT_2;
    common::near_json(&node["rotation"], &[-half, 0.0, 0.0, half]);
    assert_eq!(node["extensions"]["KHR_lights_punctual"]["light"], 0);
    // The light for the whole scene has only extras.
    let ambient = &file.json["nodes"][file.node("Lamp (3)")];
    assert!(ambient["extensions"].is_null() && ambient["extras"]["light"]["kind"] == "ambient");
    assert_eq!(file.json["nodes"][file.node("Lamp (4)")]["extensions"]["KHR_lights_punctual"]["light"], 2);
    assert!(file.uses("KHR_lights_punctual"));
    let draft = File::new(&scene, &ExportOptions { draft: true, ..ExportOptions::default() });
    assert!(draft.json["extensions"].is_null());
}
