//! What plays in which animation: clocks of their own, products of tracks, and channels that say nothing.

use crate::common;

use common::{File, bone, near, near_rows, one_layer, skin};
use effigy_gltf::ExportOptions;
use effigy_scene::{
    Animated, Attachment, GlobalSequence, Id, Interpolation, Layer, LayerTexture, Rotation, Scene,
    TextureTransform, Track,
};
use serde_json::{Value, json};

const COLOR: &str = "/materials/0/pbrMetallicRoughness/baseColorFactor";

/// Samples every quarter of a second; clocks of their own have animations of their own.
fn apart() -> ExportOptions {
    ExportOptions { animate_materials: true, keep_globals: true, fps: 4.0, ..ExportOptions::default() }
}

/// Two straight keys of the sequence, a second apart.
fn line<T: Copy>(from: T, to: T) -> Animated<T> {
    Animated { base: from, track: Some(Track::linear(vec![1000, 2000], vec![from, to], from)) }
}

/// The same by a clock of its own.
fn clocked<T: Copy>(from: T, to: T) -> Animated<T> {
    let track = Track { global: Some(Id::new(0)), ..Track::linear(vec![0, 1000], vec![from, to], from) };
    Animated { base: from, track: Some(track) }
}

fn with_clock(layer: Layer) -> Scene {
    let mut scene = one_layer(Layer { unlit: true, ..layer });
    scene.global_sequences.push(GlobalSequence { length: 1000 });
    scene
}

fn alphas(file: &File, animation: usize) -> Option<(Vec<f32>, Vec<f32>)> {
    let keys = file.points(animation, COLOR)?;
    Some((keys.times, keys.rows.iter().map(|row| row[3]).collect()))
}

#[test]
fn a_clock_of_its_own_rests_in_sequences_and_plays_alone() {
    let scene = with_clock(Layer { alpha: clocked(0.5, 1.0), ..Layer::default() });
    let file = File::new(&scene, &apart());
    assert_eq!(file.names("animations"), ["Stand", "Global 0"]);
    assert_eq!((file.pointers(0), file.pointers(1)), (Vec::new(), vec![COLOR]));
    assert_eq!(alphas(&file, 1).unwrap(), (vec![0.0, 1.0], vec![0.5, 1.0]));
    let extras = &file.json["animations"][1]["extras"];
    assert_eq!(*extras, json!({"globalSequence": 0, "length": 1000, "looping": true}));
    assert!(file.said("global_sequences[0]: an animation of its own"));
    // Together with a track of the sequence: each rests where the other plays.
    let scene =
        with_clock(Layer { alpha: clocked(0.5, 1.0), color_alpha: line(1.0, 0.5), ..Layer::default() });
    let file = File::new(&scene, &apart());
    assert_eq!(alphas(&file, 0).unwrap(), (vec![0.0, 1.0], vec![0.5, 0.25]));
    assert_eq!(alphas(&file, 1).unwrap(), (vec![0.0, 1.0], vec![0.5, 1.0]));
    // Repeated in the sequence both play, and their product is sampled.
    let file = File::new(&scene, &ExportOptions { keep_globals: false, ..apart() });
    assert_eq!(file.names("animations"), ["Stand"]);
    let (times, values) = alphas(&file, 0).unwrap();
    near(&times, &[0.0, 0.25, 0.5, 0.75, 1.0]);
    // (0.5 + t / 2) * (1 - t / 2), until the end, where the clock would begin again.
    near(&values, &[0.5, 0.625 * 0.875, 0.75 * 0.75, 0.875 * 0.625, 0.5]);
}

#[test]
fn a_clock_that_begins_again_with_another_value_jumps_within_a_millisecond() {
    let mut alpha = clocked(0.5, 1.0);
    alpha.track.as_mut().unwrap().times[1] = 400;
    let mut scene = with_clock(Layer { alpha, ..Layer::default() });
    scene.global_sequences.as_mut_slice()[0].length = 400;
    let file = File::new(&scene, &ExportOptions { keep_globals: false, ..apart() });
    let (times, values) = alphas(&file, 0).unwrap();
    near(&times, &[0.0, 0.399, 0.4, 0.799, 0.8, 1.0]);
    // Half a unit in 400 ms: 0.49875 after 399 of them, and 0.25 after 200.
    near(&values, &[0.5, 0.998_75, 0.5, 0.998_75, 0.5, 0.75]);
    // A clock that leads back to where it began has no jump.
    let there_and_back =
        Track { global: Some(Id::new(0)), ..Track::linear(vec![0, 200, 400], vec![0.5, 1.0, 0.5], 0.5) };
    scene.materials.as_mut_slice()[0].layers[0].alpha.track = Some(there_and_back);
    let file = File::new(&scene, &ExportOptions { keep_globals: false, ..apart() });
    let (times, values) = alphas(&file, 0).unwrap();
    near(&times, &[0.0, 0.2, 0.4, 0.6, 0.8, 1.0]);
    near(&values, &[0.5, 1.0, 0.5, 1.0, 0.5, 1.0]);
}

#[test]
fn splines_and_mixed_tracks_are_sampled_and_single_lines_are_not() {
    let mut curve = line(0.5, 1.0);
    if let Some(track) = &mut curve.track {
        track.interpolation = Interpolation::Hermite;
        track.tangents = vec![[0.0; 2]; 2];
    }
    let file = File::new(&with_clock(Layer { alpha: curve, ..Layer::default() }), &apart());
    let (times, values) = alphas(&file, 0).unwrap();
    near(&times, &[0.0, 0.25, 0.5, 0.75, 1.0]);
    // 0.5 + t * t * (3 - 2 * t) / 2.
    near(&values, &[0.5, 0.578_125, 0.75, 0.921_875, 1.0]);
    let mut steps = line(1.0, 0.5);
    if let Some(track) = &mut steps.track {
        track.interpolation = Interpolation::Step;
        track.times[1] = 1500;
    }
    let scene = with_clock(Layer { alpha: steps.clone(), color_alpha: line(1.0, 0.5), ..Layer::default() });
    let (times, values) = alphas(&File::new(&scene, &apart()), 0).unwrap();
    near(&times, &[0.0, 0.25, 0.5, 0.75, 1.0]);
    near(&values, &[1.0, 0.875, 0.375, 0.3125, 0.25]);
    // One that plays and does not change leaves the other as it is.
    let scene = with_clock(Layer { alpha: steps, color_alpha: line(0.5, 0.5), ..Layer::default() });
    let file = File::new(&scene, &apart());
    assert_eq!(file.points(0, COLOR).unwrap().mode, "STEP");
    assert_eq!(alphas(&file, 0).unwrap(), (vec![0.0, 0.5, 1.0], vec![0.5, 0.25, 0.25]));
}

#[test]
fn a_texture_that_turns_by_a_clock_of_its_own_rests_while_it_slides() {
    let transform = TextureTransform {
        translation: line([0.0; 3], [1.0, 0.0, 0.0]),
        rotation: clocked(Rotation::IDENTITY, Rotation([0.0, 0.0, 1.0, 0.0])),
        ..TextureTransform::default()
    };
    let texture =
        LayerTexture { texture: Some(Id::new(0)), transform: Some(Id::new(0)), ..LayerTexture::default() };
    let mut scene = with_clock(Layer { textures: vec![texture], ..Layer::default() });
    scene.texture_transforms.push(transform);
    let file = File::new(&scene, &apart());
    let path = |name: &str| {
        format!("/materials/0/pbrMetallicRoughness/baseColorTexture/extensions/KHR_texture_transform/{name}")
    };
    assert_eq!(file.pointers(0), [path("offset")]);
    let keys = file.points(0, &path("offset")).unwrap();
    near(&[keys.times[0], keys.times[keys.times.len() - 1]], &[0.0, 1.0]);
    near_rows(&[keys.rows[0].clone(), keys.rows[keys.rows.len() - 1].clone()], &[[0.0, 0.0], [1.0, 0.0]]);
    // By its own clock it turns about the middle of the texture, by half a turn.
    assert_eq!(file.pointers(1), [path("offset"), path("rotation")]);
    let turns = file.points(1, &path("rotation")).unwrap().rows.concat();
    near(&[turns[0], turns[turns.len() / 2]], &[0.0, -std::f32::consts::FRAC_PI_2]);
    let size = &file.material(0)["pbrMetallicRoughness"]["baseColorTexture"]["extensions"];
    common::near_json(&size["KHR_texture_transform"]["scale"], &[1.0, 1.0]);
}

#[test]
fn channels_that_hold_what_a_node_has_at_rest_are_left_out() {
    let mut scene = one_layer(Layer::default());
    for name in ["Same", "Other", "Turned", "Sized"] {
        scene.nodes.push(bone(name, None, [1.0, 2.0, 3.0]));
    }
    let [same, other, turned, sized] = scene.nodes.as_mut_slice() else { panic!("four nodes") };
    same.translation = line([0.0; 3], [0.0; 3]);
    same.rotation = line(Rotation::IDENTITY, Rotation::IDENTITY);
    same.scale = line([1.0; 3], [1.0; 3]);
    other.translation = line([4.0, 0.0, 0.0], [4.0, 0.0, 0.0]);
    turned.rotation = line(Rotation([0.0, 0.0, 1.0, 0.0]), Rotation([0.0, 0.0, 1.0, 0.0]));
    sized.scale = line([1.0; 3], [2.0, 3.0, 4.0]);
    let mut walk = common::sequence("Walk", 3000, 4000);
    walk.looping = true;
    scene.sequences.push(walk);
    let file = File::new(&scene, &ExportOptions::default());
    let moved = |animation: usize| -> Vec<(String, String)> {
        let channels = file.json["animations"][animation]["channels"].as_array().unwrap();
        let names = file.names("nodes");
        let name = |it: &Value| names[common::place(&it["target"]["node"])].to_owned();
        channels.iter().map(|it| (name(it), it["target"]["path"].as_str().unwrap().to_owned())).collect()
    };
    // At rest the others have the values of the first animation already.
    assert_eq!(moved(0), [("Sized".to_owned(), "scale".to_owned())]);
    common::near_json(&file.json["nodes"][file.node("Other")]["translation"], &[5.0, 3.0, -2.0]);
    common::near_json(&file.json["nodes"][file.node("Turned")]["rotation"], &[0.0, 1.0, 0.0, 0.0]);
    // x, y and z of the game are x, z and y of the file.
    near_rows(&file.moves(0, file.node("Sized"), "scale").unwrap().rows, &[[1.0; 3], [2.0, 4.0, 3.0]]);
    // A second animation in which a node is elsewhere has a channel for it.
    assert_eq!(file.names("animations"), ["Stand", "Walk"]);
    assert_eq!(file.json["animations"][1]["extras"]["looping"], true);
}

#[test]
fn what_is_at_a_joint_is_on_a_node_below_it() {
    let mut scene = one_layer(Layer::default());
    scene.nodes.push(bone("Root", None, [1.0, 2.0, 3.0]));
    scene.nodes.push(bone("Loose", None, [4.0, 5.0, 6.0]));
    scene.meshes.as_mut_slice()[0].skin = Some(skin(&[&[(0, 1.0)][..]; 3]));
    for (node, position) in [(0, [1.0, 2.0, 3.0]), (1, [4.0, 5.0, 6.0])] {
        scene.attachments.push(Attachment {
            name: format!("At {node}"),
            number: 0,
            node: Id::new(node),
            position,
            path: String::new(),
            visibility: Animated::fixed(1.0),
        });
    }
    let file = File::new(&scene, &ExportOptions::default());
    // All bones are joints of the skin, also those that no vertex follows.
    for (number, bone) in [(0, "Root"), (1, "Loose")] {
        let child = file.node(&format!("At {number}"));
        assert!(file.json["nodes"][file.node(bone)]["extras"]["attachment"].is_null());
        assert_eq!(file.json["nodes"][file.node(bone)]["children"], json!([child]));
        assert_eq!(file.json["nodes"][child]["extras"]["attachment"]["index"], number);
        assert!(file.json["nodes"][child]["translation"].is_null());
    }
    assert!(file.said("attachments: 2, in the extras of nodes"));
}
