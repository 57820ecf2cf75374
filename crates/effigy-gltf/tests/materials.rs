//! Materials against values written by hand.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use crate::common;

use common::{File, near_json, one_layer, triangle};
use effigy_gltf::ExportOptions;
use effigy_scene::{
    Animated, Blend, Coordinates, Id, Interpolation, Layer, LayerTexture, Material, Replaceable, Role,
    Rotation, Scene, Texture, TextureTransform, Track, TransformOrder,
};
use serde_json::{Value, json};

fn plain() -> ExportOptions {
    ExportOptions::default()
}

/// (0.5 + 0.055) / 1.055 to the power of 2.4.
const HALF: f32 = 0.214_041_14;

fn material(layer: Layer) -> Value {
    File::new(&one_layer(layer), &plain()).material(0).clone()
}

/// `alphaMode` and `alphaCutoff`.
fn alpha(layer: Layer) -> (String, Option<f64>) {
    let found = material(layer);
    (found["alphaMode"].as_str().unwrap_or("OPAQUE").to_owned(), found["alphaCutoff"].as_f64())
}

fn steps(values: &[f32]) -> Animated<f32> {
    let times = (0..values.len()).map(|key| 1000 + 300 * i32::try_from(key).unwrap()).collect();
    let track = Track { interpolation: Interpolation::Step, ..Track::linear(times, values.to_vec(), 1.0) };
    Animated { base: 1.0, track: Some(track) }
}

#[test]
fn a_plain_material_is_rough_without_metal_and_lit() {
    let found = material(Layer::default());
    let pbr = &found["pbrMetallicRoughness"];
    assert_eq!((&pbr["metallicFactor"], &pbr["roughnessFactor"]), (&json!(0.0), &json!(1.0)));
    assert!(
        pbr["baseColorFactor"].is_null() && found["extensions"].is_null() && found["doubleSided"].is_null()
    );
    assert_eq!(pbr["baseColorTexture"], json!({"index": 0}));
    assert_eq!((&found["name"], &found["alphaMode"]), (&json!("Look"), &Value::Null));
    let found = material(Layer { unlit: true, two_sided: true, ..Layer::default() });
    assert_eq!(found["extensions"], json!({"KHR_materials_unlit": {}}));
    assert_eq!(found["doubleSided"], true);
}

#[test]
fn blend_modes_decide_how_alpha_counts() {
    let with =
        |blend: Blend, value: f32| alpha(Layer { blend, alpha: Animated::fixed(value), ..Layer::default() });
    let opaque = ("OPAQUE".to_owned(), None);
    let blended = ("BLEND".to_owned(), None);
    assert_eq!(with(Blend::Opaque, 1.0), opaque);
    assert_eq!(with(Blend::Opaque, 0.995), opaque);
    assert_eq!(with(Blend::Opaque, 0.99), opaque);
    assert_eq!(with(Blend::Opaque, 0.98), blended);
    assert_eq!(with(Blend::AlphaKey, 1.0), ("MASK".to_owned(), Some(0.5)));
    assert_eq!(with(Blend::AlphaKey, 0.5), blended);
    for blend in [Blend::Alpha, Blend::Add, Blend::AddAlpha, Blend::Modulate, Blend::Modulate2x] {
        assert_eq!(with(blend, 1.0), blended, "{blend:?}");
    }
    // Without textures the game's own threshold is the limit.
    let layer = Layer { blend: Blend::AlphaKey, alpha_test: 0.75, ..Layer::default() };
    let file = File::new(&one_layer(layer.clone()), &ExportOptions { textures: false, ..plain() });
    assert_eq!(
        (&file.material(0)["alphaMode"], &file.material(0)["alphaCutoff"]),
        (&json!("MASK"), &json!(0.75))
    );
    assert!(file.json["textures"].is_null() && file.json["images"].is_null());
    // A test the other way round cannot be a mask.
    assert_eq!(alpha(Layer { alpha_below: true, ..layer }), opaque);
}

#[test]
fn fading_needs_blending_and_switching_does_not() {
    let with = |values: &[f32]| alpha(Layer { alpha: steps(values), ..Layer::default() }).0;
    assert_eq!(with(&[1.0, 0.0]), "OPAQUE");
    assert_eq!(with(&[1.0, 0.5]), "BLEND");
    assert_eq!(with(&[1.0, 0.01]), "OPAQUE");
    assert_eq!(with(&[1.0, 0.02]), "BLEND");
    assert_eq!(with(&[1.0, 0.99]), "OPAQUE");
    assert_eq!(with(&[1.0, 0.98]), "BLEND");
    assert_eq!(alpha(Layer { color_alpha: steps(&[1.0, 0.5]), ..Layer::default() }).0, "BLEND");
    let mut scene = one_layer(Layer::default());
    scene.meshes.as_mut_slice()[0].alpha = steps(&[1.0, 0.5]);
    assert_eq!(File::new(&scene, &plain()).material(0)["alphaMode"], "BLEND");
}

#[test]
fn what_is_hidden_at_rest_has_the_material_of_the_animation_that_shows_it() {
    let mut scene = one_layer(Layer { alpha: Animated::fixed(0.5), ..Layer::default() });
    scene.meshes.as_mut_slice()[0].alpha = steps(&[0.0, 0.25, 0.75]);
    let found = File::new(&scene, &plain()).material(0).clone();
    near_json(&found["pbrMetallicRoughness"]["baseColorFactor"], &[1.0, 1.0, 1.0, 0.375]);
    // All three alphas at rest: 0.5, 0.8 and 0.25.
    let layer = Layer { alpha: Animated::fixed(0.8), color_alpha: Animated::fixed(0.25), ..Layer::default() };
    let mut scene = one_layer(layer);
    scene.meshes.as_mut_slice()[0].alpha = Animated::fixed(0.5);
    let found = File::new(&scene, &plain()).material(0).clone();
    near_json(&found["pbrMetallicRoughness"]["baseColorFactor"], &[1.0, 1.0, 1.0, 0.1]);
    // Never shown: every viewer leaves out what fails the test.
    let mut scene = one_layer(Layer::default());
    scene.meshes.as_mut_slice()[0].alpha = Animated::fixed(0.0);
    let found = File::new(&scene, &ExportOptions { all_parts: true, ..plain() }).material(0).clone();
    near_json(&found["pbrMetallicRoughness"]["baseColorFactor"], &[1.0, 1.0, 1.0, 0.0]);
    assert_eq!((&found["alphaMode"], &found["alphaCutoff"]), (&json!("MASK"), &json!(0.5)));
}

#[test]
fn colours_of_mesh_and_layer_are_multiplied_in_the_games_space() {
    let mut scene = one_layer(Layer { color: Animated::fixed([0.5, 0.02, 1.0]), ..Layer::default() });
    let mut other = scene.meshes.as_slice()[0].clone();
    other.name = "Other".into();
    other.color = Animated::fixed([1.0, 1.0, 0.5]);
    scene.meshes.push(other.clone());
    // Two meshes with colours of their own do not share a material; plain ones do.
    scene.meshes.push(other);
    let mut last = scene.meshes.as_slice()[0].clone();
    last.name = "Last".into();
    scene.meshes.push(last);
    let file = File::new(&scene, &plain());
    let factor = |index: usize| &file.material(index)["pbrMetallicRoughness"]["baseColorFactor"];
    near_json(factor(0), &[HALF, 0.02 / 12.92, 1.0, 1.0]);
    near_json(factor(1), &[HALF, 0.02 / 12.92, HALF, 1.0]);
    assert_eq!(file.names("materials"), ["Look", "Look (2)", "Look (3)"]);
    let used: Vec<&Value> = file.list("meshes").iter().map(|it| &it["primitives"][0]["material"]).collect();
    assert_eq!(used, [&json!(0), &json!(1), &json!(2), &json!(0)]);
}

#[test]
fn the_layer_that_drives_the_look_is_the_first_that_is_solid_and_shown() {
    let look = |layers: Vec<Layer>| {
        let mut scene = one_layer(Layer::default());
        scene.textures.push(Texture {
            path: String::new(),
            replaceable: Some(Replaceable::TeamColor),
            repeat: [true; 2],
        });
        for (index, name) in ["One", "Two", "Three"].into_iter().enumerate() {
            scene.textures.push(Texture {
                path: format!("{name}.blp"),
                replaceable: None,
                repeat: [true; 2],
            });
            assert_eq!(index + 2, scene.textures.len() - 1);
        }
        scene.materials.as_mut_slice()[0] =
            Material { name: "Material 0".into(), layers, ..Material::default() };
        let file = File::new(&scene, &plain());
        file.material(0).clone()
    };
    let layer = |texture: u32, blend: Blend, value: f32| {
        let textures = vec![LayerTexture { texture: Some(Id::new(texture)), ..LayerTexture::default() }];
        Layer { blend, textures, alpha: Animated::fixed(value), ..Layer::default() }
    };
    let name = |layers: Vec<Layer>| look(layers)["name"].as_str().unwrap().to_owned();
    assert_eq!(name(vec![layer(2, Blend::Add, 1.0), layer(3, Blend::Opaque, 1.0)]), "Two");
    assert_eq!(name(vec![layer(2, Blend::Opaque, 0.0), layer(3, Blend::Opaque, 1.0)]), "Two");
    assert_eq!(name(vec![layer(2, Blend::Opaque, 0.0), layer(3, Blend::Modulate, 1.0)]), "Two");
    assert_eq!(name(vec![layer(2, Blend::Opaque, 1.0), layer(3, Blend::Opaque, 1.0)]), "One");
    // None is shown at rest: the first that is ever shown.
    let late = Layer { alpha: steps(&[0.0, 1.0]), ..layer(3, Blend::Opaque, 1.0) };
    assert_eq!(name(vec![layer(2, Blend::Opaque, 0.0), late]), "Two");
    // A skin over the team colour is the look, and the colour below makes it opaque.
    let skin = vec![layer(1, Blend::Opaque, 1.0), layer(2, Blend::Add, 1.0), layer(3, Blend::Alpha, 1.0)];
    let found = look(skin);
    assert_eq!((&found["name"], &found["alphaMode"]), (&json!("Two"), &Value::Null));
    // Without a skin the team colour itself is shown: red, player 0.
    let found = look(vec![layer(1, Blend::Opaque, 1.0), layer(2, Blend::Add, 1.0)]);
    assert_eq!(found["name"], "TeamColor");
    let pbr = &found["pbrMetallicRoughness"];
    near_json(&pbr["baseColorFactor"], &[1.0, 3.0 / 255.0 / 12.92, 3.0 / 255.0 / 12.92, 1.0]);
    assert!(pbr["baseColorTexture"].is_null());
}

#[test]
fn several_layers_and_effects_are_reported() {
    let mut scene = one_layer(Layer { blend: Blend::Add, ..Layer::default() });
    let file = File::new(&scene, &plain());
    assert!(file.said("materials[0]: blend mode add became BLEND"), "{:?}", file.notes);
    assert!(!file.said("layers: layer"));
    let first = scene.materials.as_slice()[0].layers[0].clone();
    scene.materials.as_mut_slice()[0].layers.push(Layer { blend: Blend::Opaque, ..first });
    let file = File::new(&scene, &plain());
    assert!(file.said("materials[0]: 2 layers: layer 1 drives the look"), "{:?}", file.notes);
    assert!(!file.said("became BLEND"));
}

#[test]
fn a_glow_without_extensions_is_light_of_its_own() {
    let scene = one_layer(Layer {
        blend: Blend::AddAlpha,
        color: Animated::fixed([1.0, 0.5, 0.0]),
        ..Layer::default()
    });
    let found = File::new(&scene, &ExportOptions { draft: true, ..plain() }).material(0).clone();
    near_json(&found["emissiveFactor"], &[1.0, HALF, 0.0]);
    near_json(&found["pbrMetallicRoughness"]["baseColorFactor"], &[0.0, 0.0, 0.0, 1.0]);
    assert_eq!(found["emissiveTexture"], found["pbrMetallicRoughness"]["baseColorTexture"]);
    let found = File::new(&scene, &plain()).material(0).clone();
    assert!(found["emissiveTexture"].is_null());
    near_json(&found["pbrMetallicRoughness"]["baseColorFactor"], &[1.0, HALF, 0.0, 1.0]);
}

/// A material of Reforged: colour, normals, metal and light.
fn physical(gain: f32, tangents: bool, orm: bool) -> File {
    File::new(&physical_scene(gain, tangents, orm), &plain())
}

fn physical_scene(gain: f32, tangents: bool, orm: bool) -> Scene {
    let texture = |index: u32, role: Role| LayerTexture {
        role,
        texture: Some(Id::new(index)),
        ..LayerTexture::default()
    };
    let mut textures = vec![texture(0, Role::Base), texture(1, Role::Normal), texture(3, Role::Emissive)];
    if orm {
        textures.push(texture(2, Role::Orm));
    }
    let mut scene = one_layer(Layer { textures, emissive_gain: Animated::fixed(gain), ..Layer::default() });
    for name in ["Normal", "Metal", "Light"] {
        scene.textures.push(Texture { path: format!("{name}.dds"), replaceable: None, repeat: [true; 2] });
    }
    scene.materials.as_mut_slice()[0].physical = true;
    if tangents {
        scene.meshes.as_mut_slice()[0].tangents = vec![[1.0, 0.0, 0.0, 1.0]; 3];
    }
    scene
}

#[test]
fn the_colour_of_a_player_is_painted_where_the_map_of_metal_says() {
    let mut textures = |texture: &Texture| {
        let mask = if texture.path.starts_with("Metal") { [255, 128, 0, 255] } else { [200, 200, 200, 255] };
        effigy_image::Image::new(1, 1, mask.to_vec()).ok()
    };
    let pixel = |scene: &Scene, team_color, textures: &mut dyn effigy_scene::Textures| {
        let options = ExportOptions { team_color, ..plain() };
        let file = File::with(scene, &options, textures);
        let base = &file.material(0)["pbrMetallicRoughness"]["baseColorTexture"]["index"];
        let image = common::place(&file.json["textures"][common::place(base)]["source"]);
        file.pixels(image)[..3].to_vec()
    };
    let scene = physical_scene(0.5, true, true);
    assert_eq!(pixel(&scene, None, &mut textures), [200; 3]);
    let [r, g, b] = pixel(&scene, Some(0), &mut textures)[..] else { panic!() };
    assert!(r > 150 && g < 60 && b < 60, "red: {r} {g} {b}");
    assert_eq!(pixel(&physical_scene(0.5, true, false), Some(0), &mut textures), [200; 3]);
}

#[test]
fn physical_materials_have_all_their_maps() {
    let file = physical(0.5, true, true);
    let found = file.material(0);
    let name = |info: &Value| file.json["textures"][common::place(&info["index"])]["name"].as_str().unwrap();
    let pbr = &found["pbrMetallicRoughness"];
    assert_eq!(name(&pbr["baseColorTexture"]), "skin");
    assert_eq!(name(&pbr["metallicRoughnessTexture"]), "metal");
    assert_eq!(name(&found["normalTexture"]), "normal");
    assert_eq!(name(&found["emissiveTexture"]), "light");
    near_json(&found["emissiveFactor"], &[0.5; 3]);
    assert!(pbr["metallicFactor"].is_null() && pbr["roughnessFactor"].is_null());
    assert!(!file.said("without tangents"));
    let file = physical(3.0, false, false);
    let found = file.material(0);
    near_json(&found["emissiveFactor"], &[1.0; 3]);
    assert!(found["normalTexture"].is_null() && file.said("Look: a normal map without tangents"));
    assert_eq!(found["pbrMetallicRoughness"]["metallicFactor"], 0.0);
    assert!(physical(0.0, true, true).material(0)["emissiveTexture"].is_null());
}

#[test]
fn textures_use_their_set_of_coordinates_and_their_transform() {
    let with = |coordinates: Coordinates, sets: usize, transform: TextureTransform| {
        let textures = vec![LayerTexture {
            texture: Some(Id::new(0)),
            coordinates,
            transform: Some(Id::new(0)),
            ..LayerTexture::default()
        }];
        let mut scene = one_layer(Layer { textures, ..Layer::default() });
        scene.texture_transforms.push(transform);
        scene.meshes.as_mut_slice()[0].uvs = vec![vec![[0.0; 2]; 3]; sets];
        let file = File::new(&scene, &plain());
        (file.material(0)["pbrMetallicRoughness"]["baseColorTexture"].clone(), file.said("reflected"))
    };
    let rest = TextureTransform::default;
    assert_eq!(with(Coordinates::Set(1), 2, rest()).0["texCoord"], 1);
    assert!(with(Coordinates::Set(1), 1, rest()).0["texCoord"].is_null());
    assert!(with(Coordinates::Set(0), 1, rest()).0["texCoord"].is_null());
    assert!(with(Coordinates::Set(0), 0, rest()).0.is_null());
    assert!(!with(Coordinates::Set(0), 1, rest()).1 && with(Coordinates::Sphere, 1, rest()).1);
    // An eighth of a turn about the middle, after a shift by (0.1, 0.2).
    let (sin, cos) = std::f32::consts::FRAC_PI_8.sin_cos();
    let turned = TextureTransform {
        order: TransformOrder::RotateScaleMove,
        translation: Animated::fixed([0.1, 0.2, 0.0]),
        rotation: Animated::fixed(Rotation([0.0, 0.0, sin, cos])),
        scale: Animated::fixed([2.0, 2.0, 1.0]),
    };
    let (info, _) = with(Coordinates::Set(0), 1, turned);
    let parts = &info["extensions"]["KHR_texture_transform"];
    let half = std::f32::consts::FRAC_1_SQRT_2;
    // Middle + shift - 2 R (0.5, 0.5), where R (0.5, 0.5) is (0, 0.7071).
    near_json(&parts["offset"], &[0.6, 0.7 - 2.0 * half]);
    near_json(&json!([parts["rotation"]]), &[-std::f32::consts::FRAC_PI_4]);
    near_json(&parts["scale"], &[2.0, 2.0]);
}

#[test]
fn samplers_repeat_or_clamp_and_pictures_that_are_missing_are_grey() {
    let mut scene = one_layer(Layer::default());
    scene.textures.push(Texture { path: "b.blp".into(), replaceable: None, repeat: [true, false] });
    scene.textures.push(Texture { path: "dir/c.blp".into(), replaceable: None, repeat: [false, true] });
    for texture in 1..3 {
        let textures = vec![LayerTexture { texture: Some(Id::new(texture)), ..LayerTexture::default() }];
        let layers = vec![Layer { textures, ..Layer::default() }];
        let id =
            scene.materials.push(Material { name: format!("M{texture}"), layers, ..Material::default() });
        let mut mesh = triangle("More");
        mesh.material = Some(id);
        scene.meshes.push(mesh);
    }
    let file = File::new(&scene, &plain());
    assert_eq!(
        file.json["samplers"],
        json!([
            {"magFilter": 9729, "minFilter": 9987, "wrapS": 10497, "wrapT": 33071},
            {"magFilter": 9729, "minFilter": 9987, "wrapS": 33071, "wrapT": 10497}
        ])
    );
    let samplers: Vec<&Value> = file.list("textures").iter().map(|it| &it["sampler"]).collect();
    assert_eq!(samplers, [&json!(0), &json!(0), &json!(1)]);
    assert_eq!(file.json["images"][2]["extras"], json!({"path": "dir/c.blp", "missing": true}));
    assert!(file.said("dir/c.blp: missing: a stand-in of one pixel was written"));
    assert_eq!(file.pixels(2), [128, 128, 128, 255]);
    // What has no path and no number is white in the games.
    scene.textures.as_mut_slice()[2].path.clear();
    assert_eq!(File::new(&scene, &plain()).pixels(2), [255; 4]);
}

#[test]
fn materials_of_no_mesh_are_noted_at_the_root() {
    let mut scene: Scene = one_layer(Layer::default());
    scene.materials.push(Material { name: "Unused".into(), priority: 3, ..Material::default() });
    let file = File::new(&scene, &plain());
    assert_eq!(file.names("materials"), ["Look"]);
    let noted = &file.json["nodes"][0]["extras"]["materials"];
    assert_eq!(*noted, json!([{"layers": [], "material": 1, "name": "Unused", "priority": 3}]));
    scene.materials = scene.materials.as_slice()[..1].iter().cloned().collect();
    assert!(File::new(&scene, &plain()).json["nodes"][0]["extras"]["materials"].is_null());
}

#[test]
fn each_texture_has_its_own_image_after_the_way_back() {
    let mut scene = one_layer(Layer::default());
    let replaceable = Some(Replaceable::Other(11));
    scene.textures.push(Texture { path: "a\\Cape.blp".into(), replaceable: None, repeat: [true; 2] });
    scene.textures.push(Texture { path: String::new(), replaceable, repeat: [true; 2] });
    for texture in 1..3 {
        let textures = vec![LayerTexture { texture: Some(Id::new(texture)), ..LayerTexture::default() }];
        let layers = vec![Layer { textures, ..Layer::default() }];
        let material = scene.materials.push(Material { layers, ..Material::default() });
        scene.meshes.push(effigy_scene::Mesh { material: Some(material), ..triangle("More") });
    }
    let grey = |texture: &Texture| match (texture.path.as_str(), texture.replaceable) {
        ("a\\Skin.blp", None) => 10,
        ("a\\Cape.blp", None) => 20,
        _ => 30,
    };
    let mut pictures = |texture: &Texture| {
        let value = grey(texture);
        effigy_image::Image::new(1, 1, vec![value, value, value, 255]).ok()
    };
    let exported =
        effigy_gltf::export(&effigy_scene::validate(scene.clone()).unwrap(), &plain(), &mut pictures)
            .unwrap();
    let model = effigy_gltf::Model::read(&exported.into_glb().unwrap()).unwrap();
    for texture in scene.textures.as_slice() {
        let image = model.image(texture).unwrap();
        assert_eq!(image.pixels()[0], grey(texture), "{texture:?}");
    }
    let other = Texture { path: "a\\Hat.blp".into(), ..Texture::default() };
    assert!(model.image(&other).is_none());
}

#[test]
fn an_unlit_colour_that_changes_is_a_test_that_all_pass() {
    let color = Track::linear(vec![1000, 2000], vec![[1.0; 3], [0.0, 1.0, 1.0]], [1.0; 3]);
    let color = Animated { base: [1.0; 3], track: Some(color) };
    let animated = ExportOptions { animate_materials: true, ..plain() };
    for (unlit, moving, animate, expected) in [
        (true, true, true, (json!("MASK"), json!(0.0))),
        (true, false, true, (Value::Null, Value::Null)),
        (false, true, true, (Value::Null, Value::Null)),
        (true, true, false, (Value::Null, Value::Null)),
    ] {
        let color = if moving { color.clone() } else { Animated::fixed([1.0; 3]) };
        let options =
            if animate { animated.clone() } else { ExportOptions { animate_materials: false, ..plain() } };
        let file = File::new(&one_layer(Layer { unlit, color, ..Layer::default() }), &options);
        let found = file.material(0);
        assert_eq!(
            (found["alphaMode"].clone(), found["alphaCutoff"].clone()),
            expected,
            "{unlit} {moving} {animate}"
        );
    }
}
