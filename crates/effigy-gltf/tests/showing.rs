//! When meshes are shown and what hides them, against times and places computed by hand.

use crate::common;

use common::{File, bone, near, near_json, near_rows, one_layer, sequence, skin, triangle};
use effigy_gltf::ExportOptions;
use effigy_scene::{
    AlphaRule, Animated, Blend, Id, Interpolation, KeyRule, Layer, LayerTexture, Mesh, Replaceable, Scene,
    Texture, Track,
};
use serde_json::{Value, json};

fn plain() -> ExportOptions {
    ExportOptions::default()
}

/// Straight lines between keys at these times of the first sequence.
fn line(keys: &[(i32, f32)]) -> Animated<f32> {
    let times = keys.iter().map(|(time, _)| 1000 + time).collect();
    let values = keys.iter().map(|(_, value)| *value).collect();
    Animated { base: 1.0, track: Some(Track::linear(times, values, 1.0)) }
}

fn steps(keys: &[(i32, f32)]) -> Animated<f32> {
    let Animated { base, track } = line(keys);
    Animated { base, track: track.map(|track| Track { interpolation: Interpolation::Step, ..track }) }
}

/// A sequence of a second that begins at 1000, and a mesh with one bone, whose node is scaled to hide it.
fn blink(alpha: Animated<f32>) -> Scene {
    let mut scene = one_layer(Layer::default());
    scene.nodes.push(bone("Root", None, [0.0; 3]));
    let mesh = &mut scene.meshes.as_mut_slice()[0];
    mesh.skin = Some(skin(&[&[(0, 1.0)][..]; 3]));
    mesh.alpha = alpha;
    scene
}

/// The times of a scale, in milliseconds, and whether the mesh is shown from then on.
fn changes(file: &File, animation: usize) -> Option<Vec<(f32, bool)>> {
    let keys = file.moves(animation, file.node("Body"), "scale")?;
    assert_eq!(keys.mode, "STEP");
    let shown = |row: &Vec<f32>| match row[..] {
        [1.0, 1.0, 1.0] => true,
        [1e-5, 1e-5, 1e-5] => false,
        _ => panic!("{row:?}"),
    };
    Some(keys.times.iter().map(|it| (it * 1000.0).round()).zip(keys.rows.iter().map(shown)).collect())
}

#[track_caller]
fn is_shown(alpha: Animated<f32>, expected: &[(f32, bool)]) {
    assert_eq!(changes(&File::new(&blink(alpha), &plain()), 0).unwrap(), expected);
}

#[test]
fn a_mesh_goes_when_a_line_passes_the_least_alpha_that_is_drawn() {
    // From 1 to -1 in 800 ms: 1/255 is passed after 0.49804 of them, 398.4 ms.
    is_shown(line(&[(0, 1.0), (200, 1.0), (1000, -1.0)]), &[(0.0, true), (598.0, false)]);
    // From 1 to -9: after 0.09961, 79.7 ms. Halving stops within half a millisecond above.
    is_shown(line(&[(0, 1.0), (200, 1.0), (1000, -9.0)]), &[(0.0, true), (280.0, false)]);
    // From -2 to 1: after 0.66797, 534.4 ms.
    is_shown(line(&[(0, -2.0), (200, -2.0), (1000, 1.0)]), &[(0.0, false), (735.0, true)]);
    // From 0 upwards it is shown at once, also within two pictures; what was hidden before stays hidden until then.
    is_shown(line(&[(0, 0.0), (1000, 1.0)]), &[(0.0, true)]);
    is_shown(line(&[(0, 0.0), (500, 0.0), (1000, 1.0)]), &[(0.0, false), (500.0, true)]);
    is_shown(line(&[(0, 0.0), (500, 0.0), (560, 1.0), (1000, 1.0)]), &[(0.0, false), (500.0, true)]);
    // A line that touches 0 for no time hides nothing.
    let file = File::new(&blink(line(&[(0, 1.0), (500, 0.0), (1000, 1.0)])), &plain());
    assert_eq!(changes(&file, 0), None);
}

#[test]
fn a_mesh_is_not_hidden_for_less_than_33_ms_before_a_key() {
    // 1/255 is passed at 0.996078 / (1 - end): 948.6, 966.6 and 967.5 ms.
    is_shown(line(&[(0, 1.0), (1000, -0.05)]), &[(0.0, true), (949.0, false)]);
    is_shown(line(&[(0, 1.0), (1000, -0.0305)]), &[(0.0, true), (967.0, false)]);
    is_shown(line(&[(0, 1.0), (1000, -0.0295)]), &[(0.0, true), (1000.0, false)]);
    // Pieces of up to 66 ms are not divided: 1/255 is passed after a quarter.
    for (until, gone) in [(66, 566.0), (67, 517.0)] {
        let keys = [(0, 1.0), (500, 1.0), (500 + until, -3.0), (1000, -3.0)];
        is_shown(line(&keys), &[(0.0, true), (gone, false)]);
    }
}

#[test]
fn curves_that_dip_between_their_keys_hide_a_mesh() {
    let curve = |interpolation: Interpolation, tangent: [f32; 2]| {
        let Animated { base, track } = line(&[(0, 1.0), (1000, 1.0)]);
        let tangents = vec![tangent; 2];
        Animated { base, track: track.map(|track| Track { interpolation, tangents, ..track }) }
    };
    // Halfway: 1 + (out - into) / 8 = -1, and (1 + 3 * -1 + 3 * -1 + 1) / 8 = -0.5.
    for alpha in [curve(Interpolation::Hermite, [8.0, -8.0]), curve(Interpolation::Bezier, [-1.0, -1.0])] {
        let found = changes(&File::new(&blink(alpha), &plain()), 0).unwrap();
        let states: Vec<bool> = found.iter().map(|(_, shown)| *shown).collect();
        assert_eq!(states, [true, false, true]);
        // The dip is as long before the middle as after it; each time is at most a millisecond late.
        assert!((1000.0..=1002.0).contains(&(found[1].0 + found[2].0)), "{found:?}");
    }
    let file = File::new(&blink(curve(Interpolation::Hermite, [0.0, 0.0])), &plain());
    assert_eq!(changes(&file, 0), None);
}

#[test]
fn what_is_drawn_depends_on_the_rule_and_on_all_three_alphas() {
    let count = |alphas: [f32; 3], rule: AlphaRule, material: bool| {
        let mut scene = blink(Animated::fixed(alphas[0]));
        scene.alpha_rule = rule;
        let layer = &mut scene.materials.as_mut_slice()[0].layers[0];
        (layer.alpha, layer.color_alpha) = (Animated::fixed(alphas[1]), Animated::fixed(alphas[2]));
        if !material {
            scene.meshes.as_mut_slice()[0].material = None;
        }
        let file = File::new(&scene, &plain());
        let meshes = file.list("meshes").len();
        assert_eq!(file.said("meshes[0]: never shown in what was written"), meshes == 0);
        let all = File::new(&scene, &ExportOptions { all_parts: true, ..plain() });
        assert_eq!(all.list("meshes").len(), 1);
        meshes
    };
    let step = 1.0 / 255.0;
    for (alphas, expected) in [
        ([1.0, 1.0, 1.0], 1),
        ([step, 1.0, 1.0], 1),
        ([0.0039, 1.0, 1.0], 0),
        ([1.0, 0.0039, 1.0], 0),
        ([1.0, 1.0, 0.0039], 0),
        ([0.5, 0.5, 0.5], 1),
        ([0.1, 0.1, 0.1], 0),
    ] {
        assert_eq!(count(alphas, AlphaRule::OneStep, true), expected, "{alphas:?}");
    }
    assert_eq!(count([0.0039, 1.0, 1.0], AlphaRule::TenThousandth, true), 1);
    assert_eq!(count([0.000_09, 1.0, 1.0], AlphaRule::TenThousandth, true), 0);
    assert_eq!(count([0.000_09, 1.0, 1.0], AlphaRule::AboveZero, true), 1);
    // Without a material there is no layer to draw: anything above 0 is shown.
    assert_eq!(count([0.0039, 1.0, 1.0], AlphaRule::OneStep, false), 1);
    assert_eq!(count([0.0, 1.0, 1.0], AlphaRule::OneStep, false), 0);
}

#[test]
fn tracks_of_a_layer_hide_a_mesh_and_one_of_two_layers_shows_it() {
    let mut scene = blink(Animated::fixed(1.0));
    let layers = |scene: &mut Scene, list: Vec<Layer>| scene.materials.as_mut_slice()[0].layers = list;
    let first = scene.materials.as_slice()[0].layers[0].clone();
    let late = steps(&[(0, 0.0), (400, 1.0)]);
    let early = steps(&[(0, 1.0), (400, 0.0)]);
    layers(&mut scene, vec![Layer { alpha: late.clone(), ..first.clone() }]);
    assert_eq!(changes(&File::new(&scene, &plain()), 0).unwrap(), [(0.0, false), (400.0, true)]);
    layers(&mut scene, vec![Layer { color_alpha: early.clone(), ..first.clone() }]);
    assert_eq!(changes(&File::new(&scene, &plain()), 0).unwrap(), [(0.0, true), (400.0, false)]);
    let both = vec![Layer { alpha: late.clone(), ..first.clone() }, Layer { alpha: early, ..first.clone() }];
    layers(&mut scene, both);
    assert_eq!(changes(&File::new(&scene, &plain()), 0), None);
    // Both of them are late: the product of both in one layer is never above 0.
    layers(
        &mut scene,
        vec![Layer { alpha: late.clone(), color_alpha: steps(&[(0, 1.0), (400, 0.0)]), ..first }],
    );
    assert!(File::new(&scene, &plain()).said("meshes[0]: never shown in what was written"));
}

#[test]
fn every_animation_says_whether_a_mesh_is_shown_that_is_not_always() {
    let mut scene = blink(steps(&[(0, 1.0), (2000, 0.0)]));
    scene.sequences.push(sequence("Death", 3000, 4000));
    let file = File::new(&scene, &plain());
    assert_eq!(changes(&file, 0).unwrap(), [(0.0, true)]);
    assert_eq!(changes(&file, 1).unwrap(), [(0.0, false)]);
    assert!(file.json["nodes"][file.node("Body")]["scale"].is_null());
    // In the first animation alone it is always shown, and in the second alone it is there at rest only.
    let only =
        |name: &str| File::new(&scene, &ExportOptions { animations: vec![name.to_owned()], ..plain() });
    assert_eq!(changes(&only("Stand"), 0), None);
    assert_eq!(changes(&only("Death"), 0).unwrap(), [(0.0, false)]);
    // Shown in the second alone: hidden at rest, and left out where only the first is written.
    let mut scene = blink(steps(&[(0, 0.0), (2000, 1.0)]));
    scene.sequences.push(sequence("Death", 3000, 4000));
    let file = File::new(&scene, &plain());
    near_json(&file.json["nodes"][file.node("Body")]["scale"], &[1e-5; 3]);
    assert_eq!(changes(&file, 1).unwrap(), [(0.0, true)]);
    let file = File::new(&scene, &ExportOptions { animations: vec!["Stand".to_owned()], ..plain() });
    assert!(file.list("meshes").is_empty());
}

/// Bones: an arm with a hand and a finger, and a leg. Meshes that go after 400 ms.
fn limbs(meshes: &[&[&[(u32, f32)]]], alpha: &[(i32, f32)]) -> File {
    let mut scene = one_layer(Layer::default());
    for (name, parent, pivot) in [
        ("Root", None, [1.0, 0.0, 0.0]),
        ("Arm", Some(0), [2.0, 0.0, 0.0]),
        ("Hand", Some(1), [4.0, 0.0, 0.0]),
        ("Finger", Some(2), [5.0, 0.0, 0.0]),
        ("Leg", Some(0), [0.0, 3.0, 0.0]),
    ] {
        scene.nodes.push(bone(name, parent, pivot));
    }
    let first = scene.meshes.as_slice()[0].clone();
    scene.meshes = meshes
        .iter()
        .map(|vertices| Mesh { skin: Some(skin(vertices)), alpha: steps(alpha), ..first.clone() })
        .collect();
    File::new(&scene, &plain())
}

/// The names of the nodes below a node.
fn below<'a>(file: &'a File, name: &str) -> Vec<&'a str> {
    let children = file.json["nodes"][file.node(name)]["children"].as_array();
    children.into_iter().flatten().map(|it| file.names("nodes")[common::place(it)]).collect()
}

/// Where a joint is in the bind pose, by its matrix.
fn bound_at(file: &File, name: &str) -> Vec<f32> {
    let node = file.node(name);
    let skin = &file.json["skins"][0];
    let place = skin["joints"].as_array().unwrap().iter().position(|it| *it == node).unwrap();
    let matrix = file.rows(&skin["inverseBindMatrices"])[place].clone();
    near(&matrix[..12], &[1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
    matrix[12..15].iter().map(|it| -it).collect()
}

const GOING: &[(i32, f32)] = &[(0, 1.0), (400, 0.0)];

#[test]
fn meshes_that_go_together_share_the_copies_of_bones_that_fit() {
    let arm: &[&[(u32, f32)]] = &[&[(1, 1.0)], &[(2, 1.0)], &[(3, 1.0)]];
    let also_arm: &[&[(u32, f32)]] = &[&[(3, 1.0)], &[(2, 0.5), (1, 0.5)], &[(2, 1.0)]];
    let file = limbs(&[arm, also_arm], GOING);
    // One copy, below the lowest bone that all vertices follow.
    assert_eq!(below(&file, "Arm"), ["Hand", "Arm (shown)"]);
    assert_eq!(below(&file, "Arm (shown)"), ["Hand (shown)"]);
    assert_eq!(below(&file, "Hand (shown)"), ["Finger (shown)"]);
    assert_eq!(file.names("nodes").iter().filter(|it| it.contains("(shown)")).count(), 3);
    for (name, x) in [("Arm (shown)", 2.0), ("Hand (shown)", 4.0), ("Finger (shown)", 5.0)] {
        near(&bound_at(&file, name), &[x, 0.0, 0.0]);
    }
    let node = |name: &str| &file.json["nodes"][file.node(name)];
    assert_eq!(node("Arm (shown)")["extras"], json!({"joint": "shown", "node": 1}));
    assert!(node("Arm (shown)")["translation"].is_null() && node("Arm (shown)")["scale"].is_null());
    near_json(&node("Hand (shown)")["translation"], &[2.0, 0.0, 0.0]);
    // A mesh that needs more of the bones has a copy of its own, and the one that needs fewer uses the first.
    let wide: &[&[(u32, f32)]] = &[&[(4, 1.0)], &[(1, 1.0)], &[(2, 1.0)]];
    let file = limbs(&[arm, wide, also_arm], GOING);
    assert_eq!(below(&file, "Root"), ["Arm", "Leg", "Root (shown)"]);
    assert_eq!(below(&file, "Root (shown)"), ["Leg (shown)", "Arm (shown) (2)"]);
    assert_eq!(below(&file, "Arm (shown) (2)"), ["Hand (shown) (2)"]);
    assert_eq!(below(&file, "Arm (shown)"), ["Hand (shown)"]);
    // The wide one first: the others fit into its copy.
    let file = limbs(&[wide, arm], GOING);
    assert_eq!(below(&file, "Root (shown)"), ["Leg (shown)", "Arm (shown)"]);
    assert_eq!(below(&file, "Arm"), ["Hand"]);
    near_rows(&file.moves(0, file.node("Root (shown)"), "scale").unwrap().rows, &[[1.0; 3], [1e-5; 3]]);
    // Copies of what is hidden at rest are hidden by their top alone.
    let file = limbs(&[arm], &[(0, 0.0), (400, 1.0)]);
    near_json(&file.json["nodes"][file.node("Arm (shown)")]["scale"], &[1e-5; 3]);
    assert!(file.json["nodes"][file.node("Hand (shown)")]["scale"].is_null());
}

#[test]
fn vertices_that_follow_nothing_are_hidden_below_the_root() {
    // Two bones in a triangle: leaves at the middle of the model, (5, 2.5, 1), y up.
    let loose: &[&[(u32, f32)]] = &[&[(1, 1.0)], &[(1, 1.0)], &[]];
    let file = limbs(&[loose, loose], &[(0, 0.0), (400, 1.0)]);
    let node = |file: &File, name: &str| file.json["nodes"][file.node(name)].clone();
    assert!(below(&file, "Model").contains(&"Still (shown)"));
    assert_eq!(file.names("nodes").iter().filter(|it| it.contains("(shown)")).count(), 2);
    let still = node(&file, "Still (shown)");
    near_json(&still["translation"], &[5.0, 1.0, -2.5]);
    near_json(&still["scale"], &[1e-5; 3]);
    assert_eq!(still["extras"], json!({"joint": "still"}));
    near(&bound_at(&file, "Still (shown)"), &[5.0, 1.0, -2.5]);
    near(&bound_at(&file, "Arm (shown)"), &[5.0, 1.0, -2.5]);
    near_json(&node(&file, "Arm (shown)")["translation"], &[3.0, 1.0, -2.5]);
    let keys = file.moves(0, file.node("Still (shown)"), "scale").unwrap();
    near_rows(&keys.rows, &[[1e-5; 3], [1.0; 3]]);
    // Two bones and nothing are three: a copy of the bones below the root of the file.
    let three: &[&[(u32, f32)]] = &[&[(1, 1.0)], &[(2, 1.0)], &[]];
    let file = limbs(&[three], GOING);
    assert!(below(&file, "Model").contains(&"Shown"));
    assert_eq!(below(&file, "Shown"), ["Root (shown)"]);
    assert_eq!(below(&file, "Arm (shown)"), ["Hand (shown)"]);
    let shown = node(&file, "Shown");
    assert_eq!((&shown["extras"], &shown["translation"]), (&json!({"joint": "still"}), &Value::Null));
    near(&bound_at(&file, "Shown"), &[0.0; 3]);
    near_json(&node(&file, "Root (shown)")["translation"], &[1.0, 0.0, 0.0]);
    near_rows(&file.moves(0, file.node("Shown"), "scale").unwrap().rows, &[[1.0; 3], [1e-5; 3]]);
    // What is always shown has a joint at the origin.
    let file = limbs(&[loose], &[(0, 1.0)]);
    let still = node(&file, "Still");
    assert!(still["translation"].is_null() && still["scale"].is_null());
    near(&bound_at(&file, "Still"), &[0.0; 3]);
}

#[test]
fn meshes_that_go_at_other_times_have_joints_of_their_own() {
    let mut scene = one_layer(Layer::default());
    scene.nodes.push(bone("Root", None, [0.0; 3]));
    scene.nodes.push(bone("Arm", Some(0), [0.0; 3]));
    let two = skin(&[&[(0, 1.0)], &[(1, 1.0)], &[(1, 1.0)]]);
    let first = scene.meshes.as_slice()[0].clone();
    let mesh = |keys: &[(i32, f32)]| Mesh { skin: Some(two.clone()), alpha: steps(keys), ..first.clone() };
    scene.meshes = [mesh(GOING), mesh(GOING), mesh(&[(0, 1.0), (401, 0.0)])].into_iter().collect();
    scene.meshes.push(Mesh { material: None, ..triangle("Always") });
    let file = File::new(&scene, &plain());
    let shown: Vec<&str> = file.names("nodes").into_iter().filter(|it| it.contains("(shown)")).collect();
    assert_eq!(shown, ["Root (shown)", "Arm (shown)", "Root (shown) (2)", "Arm (shown) (2)"]);
    near(&file.moves(0, file.node("Arm (shown)"), "scale").unwrap().times, &[0.0, 0.4]);
    near(&file.moves(0, file.node("Arm (shown) (2)"), "scale").unwrap().times, &[0.0, 0.401]);
}

/// A second sequence, from 3000 to 4000; the mesh has keys in the first alone, all 0, and is 1 without keys.
fn only_in_the_second(layer: Layer) -> Scene {
    let mut scene = blink(steps(&[(0, 0.0), (500, 0.0)]));
    scene.key_rule = KeyRule::Wrap;
    scene.sequences.push(sequence("Birth", 3000, 4000));
    let layers = &mut scene.materials.as_mut_slice()[0].layers;
    let textures = layers[0].textures.clone();
    layers[0] = Layer { textures, ..layer };
    scene
}

/// The mode of alpha, its limit, and the colour of a material.
fn look(file: &File) -> (&str, &Value, [f32; 4]) {
    let material = file.material(0);
    let mode = material["alphaMode"].as_str().unwrap_or("OPAQUE");
    let factor = &material["pbrMetallicRoughness"]["baseColorFactor"];
    let color = if factor.is_null() { [1.0; 4] } else { serde_json::from_value(factor.clone()).unwrap() };
    (mode, &material["alphaCutoff"], color)
}

#[test]
fn a_part_whose_keys_are_all_0_looks_as_where_it_has_none() {
    let (none, half) = (Value::Null, json!(0.5));
    for (blend, mode, limit) in [
        (Blend::Opaque, "OPAQUE", &none),
        (Blend::AlphaKey, "MASK", &half),
        (Blend::Alpha, "BLEND", &none),
        (Blend::Add, "BLEND", &none),
        (Blend::AddAlpha, "BLEND", &none),
        (Blend::Modulate, "BLEND", &none),
    ] {
        let scene = only_in_the_second(Layer { blend, ..Layer::default() });
        for options in [plain(), ExportOptions { draft: true, ..plain() }] {
            let file = File::new(&scene, &options);
            assert_eq!(changes(&file, 0).unwrap(), [(0.0, false)]);
            assert_eq!(changes(&file, 1).unwrap(), [(0.0, true)]);
            let (found, cut, factor) = look(&file);
            assert_eq!((found, cut, factor[3]), (mode, limit, 1.0), "{blend:?}");
        }
    }
    // The tracks of a layer, as World of Warcraft has them: 0.5 where they have no keys, times 0.5.
    let mut alpha = steps(&[(0, 0.0)]);
    alpha.track.as_mut().unwrap().default = 0.5;
    let half = Animated::fixed(0.5);
    let tracks = [
        Layer { alpha: alpha.clone(), color_alpha: half.clone(), ..Layer::default() },
        Layer { alpha: half, color_alpha: alpha, ..Layer::default() },
    ];
    for layer in tracks {
        let mut scene = only_in_the_second(layer);
        scene.meshes.as_mut_slice()[0].alpha = Animated::fixed(1.0);
        let file = File::new(&scene, &plain());
        assert_eq!(look(&file), ("BLEND", &none, [1.0, 1.0, 1.0, 0.25]));
    }
    // An alpha that the game does not draw is hidden as well: 0.003 is less than 1/255.
    let mut scene = only_in_the_second(Layer::default());
    scene.meshes.as_mut_slice()[0].alpha = steps(&[(0, 0.003)]);
    assert_eq!(look(&File::new(&scene, &plain())).2, [1.0; 4]);
    // Only what is written counts: the third sequence has 0.25, and with it alone the part is that.
    let mut scene = only_in_the_second(Layer::default());
    scene.sequences.push(sequence("Death", 5000, 6000));
    scene.meshes.as_mut_slice()[0].alpha = steps(&[(0, 0.0), (4000, 0.25)]);
    assert_eq!(look(&File::new(&scene, &plain())).2, [1.0; 4]);
    let options = ExportOptions { animations: vec!["Stand".into(), "Death".into()], ..plain() };
    assert_eq!(look(&File::new(&scene, &options)).2, [1.0, 1.0, 1.0, 0.25]);
}

#[test]
fn a_part_hidden_at_rest_has_the_colour_and_the_layer_of_when_it_is_shown_most() {
    // In the first sequence black and hidden; in the second it is white at its beginning and fades from 0 to 0.75.
    let mut scene = only_in_the_second(Layer::default());
    let mesh = &mut scene.meshes.as_mut_slice()[0];
    mesh.alpha = line(&[(0, 0.0), (2000, 0.0), (2500, 0.75), (3000, 0.0)]);
    let colors = vec![[0.0; 3], [1.0; 3], [1.0, 0.0, 0.02], [1.0; 3]];
    let times = vec![1000, 3000, 3500, 4000];
    mesh.color = Animated { base: [1.0; 3], track: Some(Track::linear(times, colors, [1.0; 3])) };
    let file = File::new(&scene, &plain());
    let (mode, _, color) = look(&file);
    // 0.02 / 12.92 in linear light.
    near(&color, &[1.0, 0.0, 0.001_547_988, 0.75]);
    assert_eq!(mode, "BLEND");
    // Two layers: the first is there in the first sequence, in which the part is hidden, the second in the other one.
    let mut scene = only_in_the_second(Layer { alpha: steps(&[(0, 1.0), (2000, 0.0)]), ..Layer::default() });
    let layers = &mut scene.materials.as_mut_slice()[0].layers;
    let second = Layer { blend: Blend::Alpha, alpha: steps(&[(0, 0.0), (2000, 0.5)]), ..layers[0].clone() };
    layers.push(second);
    let file = File::new(&scene, &plain());
    assert!(file.said("2 layers: layer 1 drives the look"));
    assert_eq!(look(&file).2, [1.0, 1.0, 1.0, 0.5]);
}

#[test]
fn a_skin_that_is_never_drawn_leaves_the_colour_of_the_player() {
    let mut scene = blink(Animated::fixed(1.0));
    scene.textures.as_mut_slice()[0].replaceable = Some(Replaceable::TeamColor);
    scene.textures.push(Texture { path: "Skin.blp".into(), ..Texture::default() });
    let layers = &mut scene.materials.as_mut_slice()[0].layers;
    let textures = vec![LayerTexture { texture: Some(Id::new(1)), ..LayerTexture::default() }];
    layers.push(Layer { blend: Blend::Alpha, alpha: Animated::fixed(0.0), textures, ..Layer::default() });
    let file = File::new(&scene, &plain());
    assert!(file.said("2 layers: layer 0 drives the look"));
    // The first player is red: 255, 3, 3; 3 / 255 / 12.92 in linear light.
    let (mode, _, color) = look(&file);
    near(&color, &[1.0, 0.000_910_58, 0.000_910_58, 1.0]);
    assert_eq!(mode, "OPAQUE");
}

#[test]
fn the_colour_in_an_animation_is_right_where_the_material_rests_at_another() {
    const COLOR: &str = "/materials/0/pbrMetallicRoughness/baseColorFactor";
    let animated = ExportOptions { animate_materials: true, ..plain() };
    let alphas = |file: &File, animation: usize| {
        file.points(animation, COLOR).map(|keys| keys.rows.iter().map(|row| row[3]).collect::<Vec<f32>>())
    };
    // The material is opaque, as the second sequence is; in the first it is hidden.
    let scene = only_in_the_second(Layer { unlit: true, ..Layer::default() });
    let file = File::new(&scene, &animated);
    assert_eq!(look(&file).2, [1.0; 4]);
    assert_eq!([alphas(&file, 0), alphas(&file, 1)], [Some(vec![0.0]), None]);
    // It rests at a half, which is what the second would show if nothing said that it is opaque there.
    let mut scene = only_in_the_second(Layer { unlit: true, ..Layer::default() });
    scene.meshes.as_mut_slice()[0].alpha = steps(&[(0, 0.5)]);
    let file = File::new(&scene, &animated);
    assert_eq!(look(&file).2, [1.0, 1.0, 1.0, 0.5]);
    assert_eq!([alphas(&file, 0), alphas(&file, 1)], [Some(vec![0.5]), Some(vec![1.0])]);
}

#[test]
fn the_colour_of_the_player_stays_while_its_alpha_changes() {
    const COLOR: &str = "/materials/0/pbrMetallicRoughness/baseColorFactor";
    let mut scene = only_in_the_second(Layer::default());
    scene.textures.as_mut_slice()[0].replaceable = Some(Replaceable::TeamColor);
    let file = File::new(&scene, &ExportOptions { animate_materials: true, ..plain() });
    // 255, 3, 3; 3 / 255 / 12.92 in linear light.
    let row = |alpha: f32| vec![[1.0, 0.000_910_58, 0.000_910_58, alpha]];
    near(&look(&file).2, &row(1.0)[0]);
    for (animation, alpha) in [(0, 0.0), (1, 1.0)] {
        near_rows(&file.points(animation, COLOR).unwrap().rows, &row(alpha));
    }
}
