//! Materials of our own files whose colour or look somebody has changed.

use crate::common;

use common::glb::{joined, parts};
use common::one_layer;
use effigy_gltf::{ExportOptions, Model, NoTextures, export};
use effigy_scene::{
    Animated, Blend, Id, Layer, LayerTexture, Material, Mesh, Replaceable, Scene, Texture, Track, validate,
};
use serde_json::{Value, json};

/// 0.5 of the games' space in linear light.
const HALF: f32 = 0.214_041_14;

/// The scene after the document was changed, and the lines of the report about it.
fn after(scene: &Scene, change: impl Fn(&mut Value)) -> (Scene, Vec<String>) {
    let valid = validate(scene.clone()).unwrap();
    let glb = export(&valid, &ExportOptions::default(), &mut NoTextures).unwrap().into_glb().unwrap();
    let (mut document, rest) = parts(&glb);
    change(&mut document);
    let (scene, report) = Model::read(&joined(&document, rest)).unwrap().lower().unwrap();
    let notes = report.notes().iter().filter(|it| it.path == "materials");
    (scene, notes.map(|it| it.message.to_string()).collect())
}

fn paint(document: &mut Value, material: usize, color: [f32; 4]) {
    document["materials"][material]["pbrMetallicRoughness"]["baseColorFactor"] = json!(color);
}

fn fading() -> Animated<f32> {
    Animated { base: 1.0, track: Some(Track::linear(vec![1000, 2000], vec![1.0, 0.5], 1.0)) }
}

#[track_caller]
fn is_near(found: [f32; 3], expected: [f32; 3]) {
    common::near(&found, &expected);
}

#[test]
fn rounding_is_no_change_of_a_colour() {
    let layer = Layer { color: Animated::fixed([0.5, 1.0, 1.0]), ..Layer::default() };
    let scene = one_layer(layer);
    for (off, changed) in [(0.0, false), (5e-5, false), (-5e-5, false), (2e-4, true), (-2e-4, true)] {
        for part in 0..4 {
            let (found, notes) = after(&scene, |document| {
                let mut color = [HALF, 1.0, 1.0, 1.0];
                color[part] += off;
                paint(document, 0, color);
            });
            let expected = if changed {
                vec!["1 look different from what was exported; what the file shows is used"]
            } else {
                Vec::new()
            };
            assert_eq!(notes, expected, "{off} {part}");
            let same = found.materials.as_slice() == scene.materials.as_slice();
            // More than 1 is white, as before.
            assert!(changed || same);
        }
    }
}

#[test]
fn a_new_colour_goes_to_the_layer_that_was_written() {
    let glow = Layer { blend: Blend::Add, ..Layer::default() };
    let mut scene = one_layer(Layer { unlit: true, ..Layer::default() });
    let material = &mut scene.materials.as_mut_slice()[0];
    material.layers.insert(0, Layer { textures: material.layers[0].textures.clone(), ..glow });
    material.layers[1].color_alpha = Animated::fixed(0.5);
    let (found, notes) = after(&scene, |document| paint(document, 0, [1.0, HALF, 0.0, 0.25]));
    assert_eq!(notes.len(), 1);
    let layers = &found.materials.as_slice()[0].layers;
    assert_eq!(layers[0], scene.materials.as_slice()[0].layers[0]);
    is_near(layers[1].color.base, [1.0, 0.5, 0.0]);
    assert_eq!((layers[1].alpha.base, layers[1].color_alpha.base, layers[1].unlit), (0.25, 1.0, true));
    // Numbers beyond the range of glTF.
    let (found, _) = after(&scene, |document| paint(document, 0, [2.0, -1.0, 0.0, 1.5]));
    let layer = &found.materials.as_slice()[0].layers[1];
    assert_eq!((layer.color.base, layer.alpha.base), ([1.0, 0.0, 0.0], 1.0));
}

#[test]
fn an_alpha_that_changes_over_time_is_kept_with_a_new_colour() {
    for (alpha, color_alpha, kept) in [
        (Animated::fixed(0.5), Animated::fixed(0.5), false),
        (fading(), Animated::fixed(0.5), true),
        (Animated::fixed(0.5), fading(), true),
    ] {
        let layer = Layer { alpha: alpha.clone(), color_alpha: color_alpha.clone(), ..Layer::default() };
        let (found, _) = after(&one_layer(layer), |document| paint(document, 0, [0.0, 1.0, 1.0, 0.125]));
        let layer = &found.materials.as_slice()[0].layers[0];
        is_near(layer.color.base, [0.0, 1.0, 1.0]);
        let expected =
            if kept { (alpha, color_alpha) } else { (Animated::fixed(0.125), Animated::fixed(1.0)) };
        assert_eq!((layer.alpha.clone(), layer.color_alpha.clone()), expected);
    }
}

#[test]
fn a_new_colour_of_what_the_player_colours_makes_it_an_ordinary_material() {
    let mut scene = one_layer(Layer { unfogged: true, ..Layer::default() });
    scene.textures.as_mut_slice()[0] =
        Texture { path: String::new(), replaceable: Some(Replaceable::TeamColor), repeat: [true; 2] };
    let material = &mut scene.materials.as_mut_slice()[0];
    material.priority = 7;
    material.extras.set("more words", "kept");
    let (same, notes) = after(&scene, |_| ());
    assert_eq!((same.materials.as_slice(), notes.len()), (scene.materials.as_slice(), 0));
    let (found, _) = after(&scene, |document| paint(document, 0, [0.0, HALF, 1.0, 1.0]));
    let before = &scene.materials.as_slice()[0];
    let found = &found.materials.as_slice()[0];
    assert_eq!((&found.name, found.priority, &found.extras), (&before.name, 7, &before.extras));
    let [layer] = found.layers.as_slice() else { panic!("{found:?}") };
    assert!(layer.textures.is_empty() && !layer.unfogged);
    is_near(layer.color.base, [0.0, 0.5, 1.0]);
}

/// Three meshes with one material of the scene: the second and the third have colours, so there are three of the document.
fn three() -> Scene {
    let mut scene = one_layer(Layer::default());
    let first = scene.meshes.as_slice()[0].clone();
    let color = Animated::fixed([1.0, 0.5, 1.0]);
    let alpha = Animated::fixed(0.5);
    scene.meshes.push(Mesh { name: "Green".into(), color: color.clone(), alpha, ..first.clone() });
    scene.meshes.push(Mesh { name: "Fading".into(), color, alpha: fading(), ..first });
    scene
}

#[test]
fn each_changed_material_of_one_is_its_own_and_has_the_colour_of_its_mesh() {
    let scene = three();
    let (found, notes) = after(&scene, |document| {
        paint(document, 1, [1.0, 0.0, 0.0, 1.0]);
        paint(document, 2, [0.0, 0.0, 1.0, 1.0]);
    });
    assert_eq!(notes, ["2 look different from what was exported; what the file shows is used"]);
    let colors: Vec<[f32; 3]> = found.materials.as_slice().iter().map(|it| it.layers[0].color.base).collect();
    assert_eq!(colors, [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]);
    let [plain, green, fades] = found.meshes.as_slice() else { panic!() };
    let number = |mesh: &Mesh| mesh.material.map(Id::index);
    assert_eq!([plain, green, fades].map(number), [Some(0), Some(0), Some(1)]);
    assert_eq!((green.color.clone(), green.alpha.clone()), (Animated::fixed([1.0; 3]), Animated::fixed(1.0)));
    // What fades goes on fading.
    assert_eq!((fades.color.clone(), fades.alpha.clone()), (Animated::fixed([1.0; 3]), fading()));
}

#[test]
fn meshes_of_materials_that_nobody_changed_keep_their_colours() {
    let mut scene = three();
    let textures = vec![LayerTexture { texture: Some(Id::new(0)), ..LayerTexture::default() }];
    let layers = vec![Layer { textures, ..Layer::default() }];
    let other = scene.materials.push(Material { name: "Other".into(), layers, ..Material::default() });
    let first = scene.meshes.as_slice()[0].clone();
    scene.meshes.push(Mesh { material: Some(other), ..first });
    let (found, notes) = after(&scene, |document| paint(document, 3, [0.0, 0.0, 0.0, 1.0]));
    assert_eq!(notes.len(), 1);
    for (found, before) in found.meshes.as_slice().iter().zip(scene.meshes.as_slice()) {
        assert_eq!(
            (&found.color, &found.alpha, found.material),
            (&before.color, &before.alpha, before.material)
        );
    }
    assert_eq!(found.materials.as_slice()[0], scene.materials.as_slice()[0]);
    assert_eq!(found.materials.as_slice()[1].layers[0].color.base, [0.0; 3]);
}

#[test]
fn a_material_without_a_note_of_what_was_written_is_as_it_is_noted() {
    let scene = one_layer(Layer { unfogged: true, ..Layer::default() });
    let (found, notes) = after(&scene, |document| {
        document["materials"][0]["doubleSided"] = true.into();
        document["materials"][0]["extras"].as_object_mut().unwrap().remove("written");
    });
    assert_eq!((found.materials.as_slice(), notes.len()), (scene.materials.as_slice(), 0));
    // A fingerprint that is not a number belongs to another look.
    let (found, notes) = after(&scene, |document| {
        document["materials"][0]["extras"]["written"]["look"] = "none".into();
    });
    assert!(notes.len() == 1 && !found.materials.as_slice()[0].layers[0].unfogged);
}
