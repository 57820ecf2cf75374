//! Materials: every condition of the rules that choose a look, with values written by hand.

use crate::common;

use common::{File, near_json, one_layer, triangle};
use effigy_gltf::ExportOptions;
use effigy_scene::{
    Animated, Blend, Id, Interpolation, Layer, LayerTexture, Material, Mesh, Replaceable, Role, Scene,
    Texture, Track,
};
use serde_json::{Value, json};

fn plain() -> ExportOptions {
    ExportOptions::default()
}

fn fading<T: Copy>(values: [T; 2], base: T) -> Animated<T> {
    Animated { base, track: Some(Track::linear(vec![1000, 2000], values.to_vec(), base)) }
}

fn texture(path: &str, replaceable: Option<Replaceable>) -> Texture {
    Texture { path: path.into(), replaceable, repeat: [true; 2] }
}

fn shows(texture: u32) -> Vec<LayerTexture> {
    vec![LayerTexture { texture: Some(Id::new(texture)), ..LayerTexture::default() }]
}

/// Texture 0 is a skin, 1 the team colour, 2 the team glow, 3 another skin.
fn team(layers: Vec<Layer>) -> Scene {
    let mut scene = one_layer(Layer::default());
    scene.textures.push(texture("", Some(Replaceable::TeamColor)));
    scene.textures.push(texture("", Some(Replaceable::TeamGlow)));
    scene.textures.push(texture("b\\Cape.blp", None));
    scene.materials.as_mut_slice()[0].layers = layers;
    scene
}

/// A change of each of the five values that decide the colour of a material.
fn changing() -> [(Layer, Mesh); 5] {
    let layer = |layer: Layer| (layer, triangle("Body"));
    let mesh = |mesh: Mesh| (Layer::default(), mesh);
    [
        layer(Layer { alpha: fading([1.0, 0.5], 1.0), ..Layer::default() }),
        layer(Layer { color_alpha: fading([1.0, 0.5], 1.0), ..Layer::default() }),
        layer(Layer { color: fading([[1.0; 3], [0.5; 3]], [1.0; 3]), ..Layer::default() }),
        mesh(Mesh { alpha: fading([1.0, 0.5], 1.0), ..triangle("Body") }),
        mesh(Mesh { color: fading([[1.0; 3], [0.5; 3]], [1.0; 3]), ..triangle("Body") }),
    ]
}

#[test]
fn a_colour_over_time_is_reported_where_it_is_only_in_extras() {
    let many = "materials[0]: colour or alpha over time is in extras: many programs cannot open files that animate it";
    let blender =
        "materials[0]: colour or alpha over time is in extras: Blender cannot open it on lit textures";
    let options = |animate_materials: bool, draft: bool, lit_colors: bool| ExportOptions {
        animate_materials,
        draft,
        lit_colors,
        ..plain()
    };
    let said = |scene: &Scene, options: ExportOptions| {
        let file = File::new(scene, &options);
        [file.said(many), file.said(blender)]
    };
    for (number, (layer, mesh)) in changing().into_iter().enumerate() {
        let scene = |unlit: bool| {
            let mut scene = one_layer(Layer { unlit, ..layer.clone() });
            scene.meshes.as_mut_slice()[0] = Mesh { material: Some(Id::new(0)), ..mesh.clone() };
            scene
        };
        assert_eq!(said(&scene(false), options(false, false, false)), [true, false], "{number}");
        assert_eq!(said(&scene(false), options(true, true, false)), [true, false], "{number}");
        assert_eq!(said(&scene(false), options(true, false, false)), [false, true], "{number}");
        assert_eq!(said(&scene(false), options(true, false, true)), [false, false], "{number}");
        assert_eq!(said(&scene(true), options(true, false, false)), [false, false], "{number}");
        // A material without a texture may change in every program.
        let mut bare = scene(false);
        bare.meshes.as_mut_slice()[0].uvs.clear();
        assert_eq!(said(&bare, options(true, false, false)), [false, false], "{number}");
    }
    let still = one_layer(Layer::default());
    assert_eq!(said(&still, options(false, false, false)), [false, false]);
    assert_eq!(said(&still, options(true, false, false)), [false, false]);
    // A map of metal alone is a lit texture too.
    let metal = LayerTexture { role: Role::Orm, texture: Some(Id::new(0)), ..LayerTexture::default() };
    let alpha = fading([1.0, 0.5], 1.0);
    let mut scene = one_layer(Layer { textures: vec![metal], alpha, ..Layer::default() });
    scene.materials.as_mut_slice()[0].physical = true;
    assert_eq!(said(&scene, options(true, false, false)), [false, true]);
}

#[test]
fn an_unlit_colour_is_a_test_that_all_pass_for_each_value_that_changes_and_not_in_a_draft() {
    for (number, (layer, mesh)) in changing().into_iter().enumerate() {
        let mut scene = one_layer(Layer { unlit: true, ..layer });
        scene.meshes.as_mut_slice()[0] = Mesh { material: Some(Id::new(0)), ..mesh };
        let mode = |draft: bool| {
            let file = File::new(&scene, &ExportOptions { animate_materials: true, draft, ..plain() });
            let found = file.material(0);
            (found["alphaMode"].clone(), found["alphaCutoff"].clone())
        };
        // The colours (numbers 2 and 4) stay opaque, what fades is blended.
        let is_color = number == 2 || number == 4;
        let expected = if is_color { (json!("MASK"), json!(0.0)) } else { (json!("BLEND"), Value::Null) };
        assert_eq!(mode(false), expected, "{number}");
        let expected = if is_color { Value::Null } else { json!("BLEND") };
        assert_eq!(mode(true), (expected, Value::Null), "{number}");
    }
}

#[test]
fn meshes_share_a_material_unless_their_colour_alpha_coordinates_or_tangents_differ() {
    let mut scene = one_layer(Layer::default());
    let same = scene.meshes.as_slice()[0].clone();
    let sets = |count: usize| vec![vec![[0.0; 2]; 3]; count];
    let tangents = vec![[1.0, 0.0, 0.0, 1.0]; 3];
    for mesh in [
        same.clone(),
        Mesh { color: Animated::fixed([1.0, 1.0, 0.5]), ..same.clone() },
        Mesh { color: fading([[1.0; 3], [0.5; 3]], [1.0; 3]), ..same.clone() },
        Mesh { alpha: Animated::fixed(0.5), ..same.clone() },
        Mesh { alpha: fading([1.0, 0.5], 1.0), ..same.clone() },
        same.clone(),
        Mesh { uvs: sets(2), ..same.clone() },
        Mesh { uvs: sets(3), ..same.clone() },
        Mesh { tangents: tangents.clone(), ..same.clone() },
        Mesh { tangents, ..same },
    ] {
        scene.meshes.push(mesh);
    }
    let file = File::new(&scene, &ExportOptions { animate_materials: true, lit_colors: true, ..plain() });
    let used: Vec<u64> =
        file.list("meshes").iter().map(|it| it["primitives"][0]["material"].as_u64().unwrap()).collect();
    assert_eq!(used, [0, 0, 1, 2, 3, 4, 0, 5, 5, 6, 6]);
    let alpha = |index: usize| &file.material(index)["pbrMetallicRoughness"]["baseColorFactor"];
    near_json(alpha(3), &[1.0, 1.0, 1.0, 0.5]);
    // Only the mesh whose own colour changes animates a material, and only its own.
    assert_eq!(
        file.pointers(0),
        [
            "/materials/2/pbrMetallicRoughness/baseColorFactor",
            "/materials/4/pbrMetallicRoughness/baseColorFactor"
        ]
    );
}

#[test]
fn a_material_is_called_by_its_own_name_unless_that_only_counts() {
    let name = |scene_name: &str, own: &str, path: Option<&str>| {
        let mut scene = one_layer(Layer::default());
        scene.name = scene_name.into();
        scene.materials.as_mut_slice()[0].name = own.into();
        match path {
            Some(path) => scene.textures.as_mut_slice()[0].path = path.into(),
            None => scene.materials.as_mut_slice()[0].layers[0].textures[0].texture = None,
        }
        File::new(&scene, &plain()).material(0)["name"].as_str().unwrap().to_owned()
    };
    let skin = Some("a\\Skin.blp");
    assert_eq!(name("Model", "Material 12", skin), "Skin");
    assert_eq!(name("Model", "Mesh", skin), "Skin");
    assert_eq!(name("Model", "", skin), "Skin");
    assert_eq!(name("Model", "Material 1a", skin), "Material 1a");
    assert_eq!(name("Model", "Steel 3", skin), "Steel 3");
    // Without a texture, or in a model without a name, a number is better than nothing.
    assert_eq!(name("Model", "Material 12", None), "Material 12");
    assert_eq!(name("", "Material 12", skin), "Material 12");
    // Signs that a file name cannot have become lines; spaces at its ends go.
    assert_eq!(name("Model", "Material 0", Some("a/b\\ Häut-2_x .v.blp")), "H_ut-2_x _v");
    assert_eq!(name("Model", "Material 0", Some("Skin")), "Skin");
}

#[test]
fn what_the_game_puts_into_a_texture_has_its_name_and_its_colour() {
    let layer = |texture: u32| Layer { textures: shows(texture), ..Layer::default() };
    let options = ExportOptions { team_color: None, ..plain() };
    let unnamed = |texture: Texture| {
        let mut scene = team(vec![layer(1)]);
        scene.textures.as_mut_slice()[1] = texture;
        scene.materials.as_mut_slice()[0].name = "Material 0".into();
        let file = File::new(&scene, &options);
        let image = &file.json["images"][0];
        assert!(file.said("missing") != file.json["images"][0]["extras"]["path"].is_null());
        (
            file.material(0)["name"].as_str().unwrap().to_owned(),
            image["name"].as_str().unwrap().to_owned(),
            image["extras"].clone(),
            file.pixels(0),
        )
    };
    let white = vec![255; 4];
    let expected = |material: &str, image: &str, extras: Value, pixel: Vec<u8>| {
        (material.to_owned(), image.to_owned(), extras, pixel)
    };
    assert_eq!(
        unnamed(texture("", Some(Replaceable::TeamColor))),
        expected("TeamColor", "teamcolor", json!({"replaceableId": 1, "missing": true}), white.clone())
    );
    assert_eq!(
        unnamed(texture("", Some(Replaceable::TeamGlow))),
        expected("TeamGlow", "teamglow", json!({"replaceableId": 2, "missing": true}), white)
    );
    let grey = vec![128, 128, 128, 255];
    assert_eq!(
        unnamed(texture("", Some(Replaceable::Other(31)))),
        expected(
            "Replaceable31",
            "replaceable31",
            json!({"replaceableId": 31, "missing": true}),
            grey.clone()
        )
    );
    let extras = json!({"path": "x\\Tree.blp", "replaceableId": 31, "missing": true});
    assert_eq!(
        unnamed(texture("x\\Tree.blp", Some(Replaceable::Other(31)))),
        expected("Tree", "tree", extras, grey)
    );
}

/// The material, the pixel of its texture and whether the image says that it was changed.
fn drawn(scene: &Scene, options: &ExportOptions) -> (Value, Option<(Vec<u8>, bool)>) {
    let mut pictures = |_: &Texture| effigy_image::Image::new(1, 1, vec![200, 100, 50, 51]).ok();
    let file = File::with(scene, options, &mut pictures);
    let found = file.material(0).clone();
    let index = found["pbrMetallicRoughness"]["baseColorTexture"]["index"].as_u64();
    let pixel = index.map(|index| {
        let index = usize::try_from(index).unwrap();
        let image = common::place(&file.json["textures"][index]["source"]);
        (file.pixels(image), file.json["images"][image]["extras"]["changed"] == true)
    });
    (found, pixel)
}

#[test]
fn a_skin_over_the_team_colour_is_mixed_with_it_and_opaque_unless_it_fades() {
    let under = || Layer { textures: shows(1), ..Layer::default() };
    let over = |layer: Layer| team(vec![under(), Layer { textures: shows(3), ..layer }]);
    // Blue is 0, 66, 255: (200 * 51 + 0 * 204) / 255 = 40, (100 * 51 + 66 * 204) / 255 = 72.8, and 214.
    let blue = ExportOptions { team_color: Some(1), ..plain() };
    let mixed = Some((vec![40, 73, 214, 255], true));
    for (blend, mode) in
        [(Blend::Alpha, Value::Null), (Blend::Opaque, Value::Null), (Blend::AlphaKey, json!("MASK"))]
    {
        let (found, pixel) = drawn(&over(Layer { blend, ..Layer::default() }), &blue);
        assert_eq!((&found["alphaMode"], pixel), (&mode, mixed.clone()), "{blend:?}");
    }
    let alpha = |alpha: Animated<f32>| {
        drawn(&over(Layer { blend: Blend::Alpha, alpha, ..Layer::default() }), &blue).0["alphaMode"].clone()
    };
    assert_eq!(alpha(Animated::fixed(0.5)), "BLEND");
    assert_eq!(alpha(Animated::fixed(0.99)), Value::Null);
    assert_eq!(alpha(fading([1.0, 0.5], 1.0)), "BLEND");
    // Nobody's colour: the texture stays as it is.
    let nobody = ExportOptions { team_color: None, ..plain() };
    let skin = over(Layer { blend: Blend::Alpha, ..Layer::default() });
    let (found, pixel) = drawn(&skin, &nobody);
    assert_eq!((&found["alphaMode"], pixel), (&Value::Null, Some((vec![200, 100, 50, 51], false))));
    // A skin below the team colour is not mixed with it.
    let below = team(vec![Layer { blend: Blend::Alpha, textures: shows(3), ..Layer::default() }, under()]);
    let (found, pixel) = drawn(&below, &blue);
    assert_eq!((&found["alphaMode"], pixel), (&json!("BLEND"), Some((vec![200, 100, 50, 51], false))));
}

#[test]
fn the_player_colours_what_is_all_team_colour_or_its_glow() {
    let blue = ExportOptions { team_color: Some(1), ..plain() };
    let factor = [0.0, 0.054_480_28, 1.0];
    let found = |texture: u32, blend: Blend, options: &ExportOptions| {
        let alpha = Animated::fixed(0.5);
        drawn(&team(vec![Layer { blend, textures: shows(texture), alpha, ..Layer::default() }]), options)
    };
    let color = |material: &Value| material["pbrMetallicRoughness"]["baseColorFactor"].clone();
    let [r, g, b] = factor;
    // The plain colour needs no texture; its alpha stays.
    let (material, pixel) = found(1, Blend::Opaque, &blue);
    near_json(&color(&material), &[r, g, b, 0.5]);
    assert_eq!(pixel, None);
    // 200 of 255 at full brightness: 255, 127.5 and 63.75.
    let (material, pixel) = found(1, Blend::Add, &blue);
    near_json(&color(&material), &[r, g, b, 0.5]);
    assert_eq!(pixel, Some((vec![255, 128, 64, 200], true)));
    // The glow is made, 32 pixels wide, and white.
    let (material, pixel) = found(2, Blend::Add, &blue);
    near_json(&color(&material), &[r, g, b, 0.5]);
    let (pixels, changed) = pixel.unwrap();
    assert_eq!(
        (pixels.len(), &pixels[(15 * 32 + 15) * 4..][..4], changed),
        (4096, &[255, 255, 255, 232][..], true)
    );
    for (texture, options) in [
        (1, &ExportOptions { team_color: None, ..plain() }),
        (2, &ExportOptions { team_color: None, ..plain() }),
        (3, &blue),
    ] {
        let (material, pixel) = found(texture, Blend::Opaque, options);
        near_json(&color(&material), &[1.0, 1.0, 1.0, 0.5]);
        assert_eq!(pixel, Some((vec![200, 100, 50, 51], false)), "{texture}");
    }
}

#[test]
fn blend_modes_and_tests_of_alpha_prepare_the_pixels() {
    let pixel = |layer: Layer| drawn(&one_layer(layer), &plain());
    let blend = |blend: Blend| pixel(Layer { blend, ..Layer::default() }).1.unwrap();
    assert_eq!(blend(Blend::Alpha), (vec![200, 100, 50, 51], false));
    assert_eq!(blend(Blend::Add), (vec![255, 128, 64, 200], true));
    // Times the alpha of 51: (200 * 51 + 127) / 255 = 40.
    assert_eq!(blend(Blend::AddAlpha), (vec![255, 128, 64, 40], true));
    // The mean is 350 / 3 = 116: 255 - 116, and 255 - 232.
    assert_eq!(blend(Blend::Modulate), (vec![0, 0, 0, 139], true));
    assert_eq!(blend(Blend::Modulate2x), (vec![0, 0, 0, 23], true));
    // At a limit of 0.2, which is 51, alpha becomes one half; below one of 0.4, which is 102, a quarter.
    for (alpha_test, alpha) in [(0.2, 128), (0.4, 64)] {
        let (material, pixel) = pixel(Layer { blend: Blend::AlphaKey, alpha_test, ..Layer::default() });
        assert_eq!((&material["alphaMode"], &material["alphaCutoff"]), (&json!("MASK"), &json!(0.5)));
        assert_eq!(pixel, Some((vec![200, 100, 50, alpha], true)));
    }
    // Without a limit of its own it is one half of 255, 128: 51 * 128 / 128.
    assert_eq!(
        pixel(Layer { blend: Blend::AlphaKey, ..Layer::default() }).1,
        Some((vec![200, 100, 50, 51], false))
    );
}

#[test]
fn only_materials_without_light_have_the_extension_and_no_draft_has_it() {
    for (blend, unlit, expected) in [
        (Blend::Opaque, false, false),
        (Blend::Opaque, true, true),
        (Blend::Alpha, false, false),
        (Blend::Add, false, true),
        (Blend::AddAlpha, false, true),
        (Blend::Modulate, false, true),
        (Blend::Modulate2x, false, true),
    ] {
        let scene = one_layer(Layer { blend, unlit, ..Layer::default() });
        let file = File::new(&scene, &plain());
        let found = &file.material(0)["extensions"];
        assert_eq!(
            *found,
            if expected { json!({"KHR_materials_unlit": {}}) } else { Value::Null },
            "{blend:?}"
        );
        assert_eq!(file.uses("KHR_materials_unlit"), expected);
        let glows = matches!(blend, Blend::Add | Blend::AddAlpha);
        let draft = File::new(&scene, &ExportOptions { draft: true, ..plain() });
        assert!(draft.material(0)["extensions"].is_null());
        assert_eq!(draft.material(0)["emissiveTexture"].is_object(), glows, "{blend:?}");
    }
}

#[test]
fn variants_are_copies_in_the_colours_of_the_players() {
    let glow = Layer { textures: shows(2), blend: Blend::Add, ..Layer::default() };
    let asked = ExportOptions { team_variants: true, ..plain() };
    let file = File::new(&team(vec![glow.clone()]), &asked);
    assert_eq!(file.list("materials").len(), 25);
    let mut expected = file.material(0).clone();
    expected.as_object_mut().unwrap().remove("extras");
    expected["name"] = json!("Look (Blue)");
    let color = file.material(2)["pbrMetallicRoughness"]["baseColorFactor"].clone();
    near_json(&color, &[0.0, 0.054_480_28, 1.0, 1.0]);
    expected["pbrMetallicRoughness"]["baseColorFactor"] = color;
    assert_eq!(*file.material(2), expected);
    let mappings =
        &file.json["meshes"][0]["primitives"][0]["extensions"]["KHR_materials_variants"]["mappings"];
    assert_eq!(mappings[1], json!({"material": 2, "variants": [1]}));
    let count = |scene: &Scene, options: &ExportOptions| File::new(scene, options).list("materials").len();
    let scene = team(vec![Layer { textures: shows(1), ..Layer::default() }]);
    assert_eq!(count(&scene, &asked), 25);
    assert_eq!(count(&scene, &plain()), 1);
    assert_eq!(count(&scene, &ExportOptions { draft: true, ..asked.clone() }), 1);
    assert_eq!(count(&team(vec![Layer { textures: shows(3), ..Layer::default() }]), &asked), 1);
}

#[test]
fn a_film_of_pictures_is_reported_and_shows_the_one_at_rest() {
    let order =
        Track { interpolation: Interpolation::Step, ..Track::linear(vec![1000, 1500], vec![3, 0], 0) };
    let mut textures = shows(0);
    textures[0].flipbook = Some(order);
    let scene = team(vec![Layer { textures, ..Layer::default() }]);
    let file = File::new(&scene, &plain());
    assert_eq!(file.names("textures"), ["cape"]);
    assert!(file.said("Look: a flipbook shows its first picture; the order is in extras"));
    assert!(
        !File::new(&team(vec![Layer { textures: shows(0), ..Layer::default() }]), &plain()).said("flipbook")
    );
}

#[test]
fn a_layer_without_textures_or_a_material_without_layers_is_a_colour() {
    let mut scene = one_layer(Layer::default());
    scene.materials.as_mut_slice()[0] = Material { name: "Bare".into(), ..Material::default() };
    let file = File::new(&scene, &plain());
    let mut found = file.material(0).clone();
    found.as_object_mut().unwrap().remove("extras");
    let pbr = json!({"metallicFactor": 0.0, "roughnessFactor": 1.0});
    assert_eq!(found, json!({"name": "Bare", "pbrMetallicRoughness": pbr}));
    scene.meshes.as_mut_slice()[0].material = None;
    let file = File::new(&scene, &plain());
    assert!(file.json["meshes"][0]["primitives"][0]["material"].is_null());
}
