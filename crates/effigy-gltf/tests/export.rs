//! A scene with one of everything, exported.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing)]

use effigy_gltf::{ExportOptions, ImageFormat, NoTextures, Still, Visibility, export};
use effigy_scene::{
    Animated, Attachment, Blend, Camera, Extras, GlobalSequence, Id, Influence, Interpolation, KeyRule,
    Layer, LayerTexture, Light, LightKind, Material, Mesh, Node, NodeKind, Replaceable, Rotation, Scene,
    Sequence, Skin, Texture, TextureTransform, Track, validate,
};
use serde_json::{Value, json};

fn mesh(name: &str, material: u32, groups: &[&[u32]]) -> Mesh {
    let mut mesh = Mesh::new(name);
    mesh.positions = vec![[0.0, 0.0, 1.0], [1.0, 0.0, 2.0], [0.0, 1.0, 3.0]];
    mesh.normals = vec![[0.0, 0.0, 2.0]; 3];
    mesh.uvs = vec![vec![[0.0, 0.5]; 3]];
    mesh.indices = vec![0, 1, 2];
    mesh.material = Some(Id::new(material));
    let mut skin = Skin::default();
    for group in groups {
        let weight = 1.0 / group.len() as f32;
        skin.push_group(group.iter().map(|node| Influence { node: Id::new(*node), weight }));
    }
    skin.vertex_groups = (0..3_u32).map(|vertex| vertex % u32::try_from(groups.len()).unwrap()).collect();
    mesh.skin = Some(skin);
    mesh
}

fn scene() -> Scene {
    let mut scene = Scene { name: "Everything".into(), key_rule: KeyRule::Wrap, ..Scene::default() };
    for (name, start, end) in [("Stand", 0, 1000), ("Stand", 2000, 2500), ("Death", 3000, 4000)] {
        scene.sequences.push(Sequence { name: name.into(), start, end, ..Sequence::default() });
    }
    let global = scene.global_sequences.push(GlobalSequence { length: 400 });
    for index in 0..6_u8 {
        let parent = index.checked_sub(1).map(|parent| Id::new(u32::from(parent)));
        let mut node = Node::new("Bone", NodeKind::Bone, parent, [f32::from(index), 0.0, 0.0]);
        let times = vec![0, 300, 1000, 2000, 2500];
        let values = vec![[0.0; 3], [1.0, 2.0, 3.0], [0.0; 3], [5.0, 0.0, 0.0], [0.0; 3]];
        let mut track = Track::linear(times.clone(), values, [0.0; 3]);
        if index == 1 {
            track.interpolation = Interpolation::Hermite;
            track.tangents = vec![[[1.0, 0.0, 0.0], [0.0, 4.0, 0.0]]; 5];
        }
        node.translation.track = Some(track);
        let turn = |angle: f32| Rotation([0.0, (angle * 0.5).sin(), 0.0, (angle * 0.5).cos()]);
        let mut track = Track::linear(vec![0, 400], vec![turn(0.0), turn(3.0)], Rotation::IDENTITY);
        if index == 2 {
            track.global = Some(global);
        }
        node.rotation.track = Some(track);
        scene.nodes.push(node);
    }
    scene.nodes.as_mut_slice()[4].ignore.rotation = true;
    scene.textures.push(Texture {
        path: "Textures\\Skin.blp".into(),
        replaceable: None,
        repeat: [true, false],
    });
    scene.textures.push(Texture {
        path: String::new(),
        replaceable: Some(Replaceable::TeamColor),
        repeat: [false; 2],
    });
    scene.texture_transforms.push(TextureTransform {
        translation: Animated {
            base: [0.0; 3],
            track: Some(Track::linear(vec![0, 1000], vec![[0.0; 3], [1.0, 0.0, 0.0]], [0.0; 3])),
        },
        ..TextureTransform::default()
    });
    for (texture, blend, transform) in [(0, Blend::AlphaKey, Some(Id::new(0))), (1, Blend::Opaque, None)] {
        let texture = LayerTexture { texture: Some(Id::new(texture)), transform, ..LayerTexture::default() };
        let layer =
            Layer { blend, alpha_test: 0.75, textures: vec![texture], unlit: true, ..Layer::default() };
        scene.materials.push(Material {
            name: "Material".into(),
            layers: vec![layer],
            ..Material::default()
        });
    }
    scene.meshes.push(mesh("Body", 0, &[&[0], &[1, 2], &[0, 1, 2, 3, 4, 5]]));
    let mut blink = mesh("Blink", 1, &[&[0], &[1]]);
    let steps = Track::linear(vec![0, 500, 2000], vec![1.0, 0.0, 0.5], 1.0);
    blink.alpha.track = Some(Track { interpolation: Interpolation::Step, ..steps });
    scene.meshes.push(blink);
    scene.attachments.push(Attachment {
        name: "Hand Ref".into(),
        number: 3,
        node: Id::new(5),
        position: [5.0, 0.0, 0.0],
        path: String::new(),
        visibility: Animated::fixed(1.0),
    });
    scene.lights.push(Light {
        name: "Lamp".into(),
        kind: LightKind::Omni,
        node: Id::new(0),
        position: [0.0, 0.0, 9.0],
        attenuation_start: Animated::fixed(1.0),
        attenuation_end: Animated::fixed(50.0),
        color: Animated::fixed([1.0, 0.5, 0.0]),
        intensity: Animated { base: 1.0, track: Some(Track::linear(vec![0, 900], vec![0.0, 3.0], 0.0)) },
        ambient_color: Animated::fixed([1.0; 3]),
        ambient_intensity: Animated::fixed(0.0),
        visibility: Animated::fixed(1.0),
        extras: Extras::default(),
    });
    scene.cameras.push(Camera {
        name: "Portrait".into(),
        position: [100.0, 0.0, 50.0],
        target: [0.0, 0.0, 50.0],
        fov: 0.785,
        near: 8.0,
        far: 1000.0,
        translation: None,
        target_translation: None,
        roll: None,
        extras: Extras::default(),
    });
    scene
}

fn document(glb: &[u8]) -> Value {
    let length = u32::from_le_bytes(glb[12..16].try_into().unwrap()) as usize;
    serde_json::from_slice(&glb[20..20 + length]).unwrap()
}

fn exported(options: &ExportOptions) -> Value {
    let scene = scene();
    let scene = validate(scene).unwrap();
    document(&export(&scene, options, &mut NoTextures).unwrap().into_glb().unwrap())
}

fn names<'a>(document: &'a Value, list: &str) -> Vec<&'a str> {
    document[list].as_array().unwrap().iter().map(|it| it["name"].as_str().unwrap()).collect()
}

#[test]
fn names_are_unique_and_sequences_keep_theirs() {
    let document = exported(&ExportOptions::default());
    for list in ["nodes", "meshes", "materials", "animations"] {
        let mut all = names(&document, list);
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count, "{list}");
    }
    assert_eq!(names(&document, "animations"), ["Stand", "Stand (2)", "Death"]);
    let document = exported(&ExportOptions { keep_globals: true, ..ExportOptions::default() });
    assert_eq!(names(&document, "animations"), ["Stand", "Stand (2)", "Death", "Global 0"]);
}

#[test]
fn a_draft_uses_no_extension_at_all() {
    let options = ExportOptions { draft: true, ..ExportOptions::default() };
    let scene = scene();
    let scene = validate(scene).unwrap();
    let glb = export(&scene, &options, &mut NoTextures).unwrap().into_glb().unwrap();
    assert!(!document(&glb).to_string().contains("KHR_"));
}

#[test]
fn the_same_scene_gives_the_same_bytes() {
    let scene = scene();
    let scene = validate(scene).unwrap();
    let bytes = || export(&scene, &ExportOptions::default(), &mut NoTextures).unwrap().into_glb().unwrap();
    let mut written = Vec::new();
    export(&scene, &ExportOptions::default(), &mut NoTextures).unwrap().write_glb(&mut written).unwrap();
    assert_eq!(written, bytes());
    assert_eq!(bytes(), bytes());
}

#[test]
fn axes_turn_to_y_up_and_bounds_are_exact() {
    let document = exported(&ExportOptions::default());
    let position = document["meshes"][0]["primitives"][0]["attributes"]["POSITION"].as_u64().unwrap();
    let accessor = &document["accessors"][usize::try_from(position).unwrap()];
    assert_eq!(accessor["min"], serde_json::json!([0.0, 1.0, -1.0]));
    assert_eq!(accessor["max"], serde_json::json!([1.0, 3.0, 0.0]));
}

#[test]
fn a_mesh_that_is_not_always_visible_is_scaled_in_steps_or_uses_the_extension() {
    let is_step_scale = |document: &Value| {
        let animation = &document["animations"][0];
        animation["channels"].as_array().unwrap().iter().any(|channel| {
            let sampler = usize::try_from(channel["sampler"].as_u64().unwrap()).unwrap();
            channel["target"]["path"] == "scale" && animation["samplers"][sampler]["interpolation"] == "STEP"
        })
    };
    assert!(is_step_scale(&exported(&ExportOptions::default())));
    let asked = exported(&ExportOptions { visibility: Visibility::Extension, ..ExportOptions::default() });
    assert!(!is_step_scale(&asked));
    assert!(asked["extensionsUsed"].as_array().unwrap().contains(&"KHR_node_visibility".into()));
}

#[test]
fn a_test_for_low_alpha_is_kept_aside_and_never_becomes_its_opposite() {
    let mut scene = scene();
    let exported_with = |scene: &Scene| {
        let exported =
            export(&validate(scene.clone()).unwrap(), &ExportOptions::default(), &mut NoTextures).unwrap();
        let notes = exported.report.notes().iter().filter(|note| note.message.contains("limit is in extras"));
        (notes.count() > 0, document(&exported.into_glb().unwrap())["materials"][0].clone())
    };
    let (reported, material) = exported_with(&scene);
    assert_eq!(
        (reported, &material["alphaMode"], &material["alphaCutoff"]),
        (false, &"MASK".into(), &0.5.into())
    );
    assert_eq!(material["extras"]["layers"][0]["alphaTest"], 0.75, "{material}");
    scene.materials.as_mut_slice()[0].layers[0].alpha_below = true;
    let (reported, material) = exported_with(&scene);
    assert!(reported && material["alphaCutoff"] != 0.75, "{material}");
    assert_eq!(material["extras"]["layers"][0]["alphaBelow"], 0.75, "{material}");
}

#[test]
fn many_global_sequences_that_nothing_follows_cost_nothing() {
    let mut scene = scene();
    for _ in 0..300_000 {
        scene.global_sequences.push(GlobalSequence { length: 500 });
    }
    let last = scene.global_sequences.push(GlobalSequence { length: 700 });
    // Of the many one moves a node that is sampled (4), and one a node that is not (5).
    let follow = |scene: &mut Scene, node: usize, global: Id<GlobalSequence>| {
        scene.nodes.as_mut_slice()[node].rotation.track.as_mut().unwrap().global = Some(global);
    };
    follow(&mut scene, 4, last);
    follow(&mut scene, 5, Id::new(7));
    let scene = validate(scene).unwrap();
    assert_eq!(scene.info().globals.iter().filter(|used| **used).count(), 3);
    let options = ExportOptions { keep_globals: true, ..ExportOptions::default() };
    let file = export(&scene, &options, &mut NoTextures).unwrap();
    let document = document(&file.into_glb().unwrap());
    let globals: Vec<&str> =
        names(&document, "animations").into_iter().filter(|name| name.starts_with("Global")).collect();
    assert_eq!(globals, ["Global 0", "Global 7", "Global 300001"]);
}

#[test]
fn chosen_animations_are_found_without_case_and_last_as_long_as_their_sequence() {
    let document = exported(&ExportOptions { animations: vec!["death".into()], ..ExportOptions::default() });
    assert_eq!(names(&document, "animations"), ["Death"]);
    let inputs = document["animations"][0]["samplers"].as_array().unwrap().iter();
    let latest = inputs
        .map(|sampler| usize::try_from(sampler["input"].as_u64().unwrap()).unwrap())
        .map(|input| document["accessors"][input]["max"][0].as_f64().unwrap())
        .fold(0.0, f64::max);
    assert_eq!(latest, 1.0);
}

#[test]
fn files_in_one_folder_refer_to_each_other_and_stay_in_it() {
    let mut scene = scene();
    scene.textures.as_mut_slice()[0].path = "..\\..\\etc/passwd.blp".into();
    let scene = validate(scene).unwrap();
    let gltf = export(&scene, &ExportOptions::default(), &mut NoTextures).unwrap();
    assert!(gltf.report.notes().iter().any(|note| note.path.contains("passwd")));
    let files = gltf.into_files("my model").unwrap();
    let list: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
    assert!(list.contains(&"my model.gltf") && list.contains(&"my model.bin"));
    assert!(list.iter().all(|name| !name.contains("..") && !name.starts_with('/')), "{list:?}");
    let document: Value = serde_json::from_slice(&files[0].1).unwrap();
    assert_eq!(document["buffers"][0]["uri"], "my%20model.bin");
}

#[test]
fn team_colours_become_variants_and_can_be_chosen() {
    let document = exported(&ExportOptions { team_variants: true, ..ExportOptions::default() });
    assert_eq!(document["extensions"]["KHR_materials_variants"]["variants"].as_array().unwrap().len(), 24);
    assert_eq!(document["extensions"]["KHR_materials_variants"]["variants"][9]["name"], "Light blue");
    // Players above 11 came with Reforged.
    for (number, [red, green, blue]) in [(1, [0.0, 0.054_480_28, 1.0]), (13, [0.0, 0.0, 0.545_724_5])] {
        let chosen = exported(&ExportOptions { team_color: Some(number), ..ExportOptions::default() });
        assert!(chosen["extensions"]["KHR_materials_variants"].is_null());
        let factors: Vec<Vec<f64>> = chosen["materials"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(|it| {
                serde_json::from_value(it["pbrMetallicRoughness"]["baseColorFactor"].clone()).ok()
            })
            .collect();
        let same = |factor: &Vec<f64>| {
            factor.iter().zip([red, green, blue]).all(|(have, want): (&f64, f64)| (have - want).abs() < 1e-4)
        };
        assert!(factors.iter().any(same), "player {number}: {factors:?}");
    }
}

#[test]
fn a_flipbook_over_a_team_colour_shows_its_picture() {
    // Texture 1 is the team colour; the flipbook shows texture 0 at rest.
    let mut scene = scene();
    let layer = &mut scene.materials.as_mut_slice()[0].layers[0];
    layer.textures[0].texture = Some(Id::new(1));
    layer.textures[0].flipbook =
        Some(Track { interpolation: Interpolation::Step, ..Track::linear(vec![0], vec![0], 0) });
    let scene = validate(scene).unwrap();
    let file = export(&scene, &ExportOptions::default(), &mut NoTextures).unwrap();
    let document = document(&file.into_glb().unwrap());
    let look = &document["materials"][0]["pbrMetallicRoughness"];
    assert!(look["baseColorTexture"].is_object(), "{look}");
    // Red, the first player's colour, has hardly any green.
    assert!(
        look["baseColorFactor"].is_null() || look["baseColorFactor"][1].as_f64().unwrap() > 0.1,
        "{look}"
    );
}

/// Pointers to colours of materials that are lit and have a texture.
fn lit_texture_pointers(document: &Value) -> usize {
    let materials = document["materials"].as_array().unwrap();
    let pointers =
        document["animations"].as_array().unwrap().iter().flat_map(|it| it["channels"].as_array().unwrap());
    pointers
        .filter_map(|it| it["target"]["extensions"]["KHR_animation_pointer"]["pointer"].as_str())
        .filter_map(|it| {
            it.strip_prefix("/materials/")?.strip_suffix("/pbrMetallicRoughness/baseColorFactor")
        })
        .map(|index| &materials[index.parse::<usize>().unwrap()])
        .filter(|it| it["extensions"]["KHR_materials_unlit"].is_null())
        .filter(|it| !it["pbrMetallicRoughness"]["baseColorTexture"].is_null())
        .count()
}

#[test]
fn blender_can_open_files_whose_lit_parts_fade() {
    let mut scene = scene();
    scene.materials.as_mut_slice().iter_mut().flat_map(|it| &mut it.layers).for_each(|it| it.unlit = false);
    let scene = validate(scene).unwrap();
    let write = |lit_colors: bool| {
        let file = export(
            &scene,
            &ExportOptions {
                animate_materials: true,
                lit_colors,
                team_color: None,
                ..ExportOptions::default()
            },
            &mut NoTextures,
        )
        .unwrap();
        let reported = file.report.notes().iter().any(|note| note.message.contains("over time is in extras"));
        (reported, lit_texture_pointers(&document(&file.into_glb().unwrap())))
    };
    assert_eq!(write(false), (true, 0));
    let (reported, pointers) = write(true);
    assert!(!reported && pointers > 0, "{reported}, {pointers}");
}

#[test]
fn nothing_that_plain_readers_refuse_is_written_unless_it_is_asked_for() {
    let plain = exported(&ExportOptions::default());
    assert!(!plain.to_string().contains("KHR_animation_pointer"));
    assert!(!plain.to_string().contains("KHR_materials_variants"));
    let asked = exported(&ExportOptions { animate_materials: true, ..ExportOptions::default() });
    assert!(asked["extensionsUsed"].as_array().unwrap().contains(&"KHR_animation_pointer".into()));
}

#[test]
fn models_face_z_and_the_root_scales_them() {
    let root = exported(&ExportOptions { scale: 0.02, ..ExportOptions::default() })["nodes"][0].clone();
    let turn: Vec<f64> = serde_json::from_value(root["rotation"].clone()).unwrap();
    // A quarter turn about Y takes +X to +Z: sin(-45 degrees) and cos(-45 degrees).
    let half = std::f64::consts::FRAC_1_SQRT_2;
    for (have, want) in turn.iter().zip([0.0, -half, 0.0, half]) {
        assert!((have - want).abs() < 1e-6, "{turn:?}");
    }
    let size: Vec<f64> = serde_json::from_value(root["scale"].clone()).unwrap();
    assert!(size.iter().all(|it| (it - 0.02).abs() < 1e-6), "{size:?}");
}

#[test]
fn added_layers_are_unlit_and_what_is_black_in_them_is_transparent() {
    let mut scene = scene();
    let layer = &mut scene.materials.as_mut_slice()[0].layers[0];
    (layer.blend, layer.unlit) = (Blend::Add, false);
    let scene = validate(scene).unwrap();
    let mut black = |_: &Texture| effigy_image::Image::new(1, 1, vec![0, 0, 0, 255]).ok();
    let file = export(&scene, &ExportOptions::default(), &mut black).unwrap();
    let files = file.into_files("glow").unwrap();
    let document: Value = serde_json::from_slice(&files[0].1).unwrap();
    let material = &document["materials"][0];
    assert_eq!(material["alphaMode"], "BLEND");
    assert!(!material["extensions"]["KHR_materials_unlit"].is_null());
    assert_eq!(material["extras"]["layers"][0]["blend"], "add");
    let picture = files.iter().find(|(name, _)| name.ends_with("skin.png")).unwrap();
    let picture = effigy_image::read(&picture.1).unwrap();
    assert_eq!(picture.pixels(), [0, 0, 0, 0]);
}

#[test]
fn pictures_have_the_format_of_the_options() {
    let scene = validate(scene()).unwrap();
    for (image_format, name, mime) in [
        (ImageFormat::Png, "skin.png", "image/png"),
        (ImageFormat::Jpeg, "skin.jpg", "image/jpeg"),
        (ImageFormat::WebP, "skin.webp", "image/webp"),
    ] {
        let options = ExportOptions { image_format, ..ExportOptions::default() };
        let mut grey = |_: &Texture| effigy_image::Image::new(1, 1, vec![90, 90, 90, 255]).ok();
        let files = export(&scene, &options, &mut grey).unwrap().into_files("m").unwrap();
        assert!(files.iter().any(|(file, _)| file.ends_with(name)), "{name}");
        let document = document(&export(&scene, &options, &mut grey).unwrap().into_glb().unwrap());
        assert_eq!(document["images"][0]["mimeType"], mime);
        // Only WebP is an extension, without which a program finds no picture.
        let (texture, extension) = (&document["textures"][0], "EXT_texture_webp");
        let is_webp = image_format == ImageFormat::WebP;
        assert_eq!(texture["source"] == 0, !is_webp);
        assert_eq!(texture["extensions"][extension]["source"] == 0, is_webp);
        assert_eq!(document["extensionsRequired"] == json!([extension]), is_webp);
        // A draft has no extension, so its picture is PNG instead.
        let draft = ExportOptions { draft: true, ..options };
        let files = export(&scene, &draft, &mut grey).unwrap().into_files("m").unwrap();
        let name = if is_webp { "skin.png" } else { name };
        assert!(files.iter().any(|(file, _)| file.ends_with(name)), "{name} in a draft");
    }
}

#[test]
fn names_say_what_is_shown() {
    let mut scene = scene();
    for (index, material) in scene.materials.as_mut_slice().iter_mut().enumerate() {
        material.name = format!("Material {index}");
    }
    for (index, mesh) in scene.meshes.as_mut_slice().iter_mut().enumerate() {
        mesh.name = format!("Geoset {index}");
    }
    let scene = validate(scene).unwrap();
    let file = export(&scene, &ExportOptions::default(), &mut NoTextures).unwrap();
    let document = document(&file.into_glb().unwrap());
    assert_eq!(names(&document, "materials"), ["Skin", "TeamColor"]);
    assert_eq!(names(&document, "meshes"), ["Skin", "TeamColor"]);
}

#[test]
fn every_bone_is_a_joint_and_what_never_shows_is_left_out() {
    let mut scene = scene();
    scene.meshes.as_mut_slice()[0] = mesh("Body", 0, &[&[0]]);
    let mut hidden = mesh("Hidden", 0, &[&[0], &[1]]);
    hidden.alpha.track = Some(Track::linear(vec![0, 1000, 2000, 3000], vec![0.0; 4], 0.0));
    scene.meshes.push(hidden);
    // Two meshes that come and go together share their joints: two nodes, two joints.
    let twin = scene.meshes.as_slice()[1].clone();
    scene.meshes.push(Mesh { name: "Twin".into(), ..twin });
    let scene = validate(scene).unwrap();
    let file = export(&scene, &ExportOptions::default(), &mut NoTextures).unwrap();
    assert!(file.report.notes().iter().any(|note| note.message.contains("never shown")));
    let document = document(&file.into_glb().unwrap());
    assert_eq!(names(&document, "meshes"), ["Body", "Blink", "Twin"]);
    let copies = names(&document, "nodes").into_iter().filter(|name| name.contains("(shown)")).count();
    assert_eq!((document["skins"][0]["joints"].as_array().unwrap().len(), copies), (6 + 2, 2));
}

#[test]
fn hidden_parts_rest_hidden_with_a_scale_that_is_not_zero() {
    let mut scene = scene();
    let blink = &mut scene.meshes.as_mut_slice()[1];
    // Hidden in Stand, shown in the second Stand.
    let steps = Track::linear(vec![0, 2000], vec![0.0, 1.0], 0.0);
    blink.alpha.track = Some(Track { interpolation: Interpolation::Step, ..steps });
    let scene = validate(scene).unwrap();
    let file = export(&scene, &ExportOptions::default(), &mut NoTextures).unwrap();
    let document = document(&file.into_glb().unwrap());
    let hidden: Vec<&Value> = document["nodes"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|node| node["name"].as_str().unwrap().contains("(shown)"))
        .collect();
    assert_eq!(hidden.len(), 2);
    for node in hidden {
        let scale = node["scale"][0].as_f64().unwrap();
        assert!(scale > 0.0 && scale < 1e-3, "{node}");
    }
    // The material is as visible as in the animation that shows it: no alpha of 0.
    let factor = &document["materials"][1]["pbrMetallicRoughness"]["baseColorFactor"];
    assert_eq!(factor[3], 1.0, "{factor}");
}

#[test]
fn a_pose_is_a_mesh_without_skin_and_animations() {
    let still = Still { sequence: "stand".into(), time: 0.3 };
    let document = exported(&ExportOptions { pose: Some(still), ..ExportOptions::default() });
    assert!(document["animations"].is_null() && document["skins"].is_null());
    let missing = Still { sequence: "Dance".into(), time: 0.0 };
    let scene = validate(scene()).unwrap();
    let options = ExportOptions { pose: Some(missing), ..ExportOptions::default() };
    let error = export(&scene, &options, &mut NoTextures).unwrap_err();
    assert!(error.to_string().contains("Dance"), "{error}");
    let options = ExportOptions { animations: vec!["Dance".into()], ..ExportOptions::default() };
    assert!(export(&scene, &options, &mut NoTextures).is_err());
    let document = exported(&ExportOptions { animate: false, ..ExportOptions::default() });
    assert!(document["animations"].is_null() && !document["skins"].is_null());
}

/// A node that ignores its parents is sampled with all nodes above it. A file of 140 kB with long sequences took minutes.
#[test]
fn samples_of_nodes_have_a_limit_for_all_sequences_together() {
    let mut scene = Scene::default();
    for number in 0..6 {
        let (start, end) = (number * 1_000_000, number * 1_000_000 + 500_000);
        scene.sequences.push(Sequence { name: format!("Long {number}"), start, end, ..Sequence::default() });
    }
    for index in 0..2000_u32 {
        scene.nodes.push(Node::new("Bone", NodeKind::Bone, index.checked_sub(1).map(Id::new), [0.0; 3]));
    }
    let nodes = scene.nodes.as_mut_slice();
    let times: Vec<i32> =
        (0..6).flat_map(|number| [number * 1_000_000, number * 1_000_000 + 500_000]).collect();
    let turn = |angle: f32| Rotation([0.0, (angle * 0.5).sin(), 0.0, (angle * 0.5).cos()]);
    let turns = times.iter().enumerate().map(|(at, _)| turn(if at % 2 == 0 { 0.0 } else { 2.0 })).collect();
    nodes[0].rotation.track = Some(Track::linear(times, turns, Rotation::IDENTITY));
    nodes[1999].ignore.rotation = true;
    nodes[1999].pivot = [1.0, 0.0, 0.0];
    let file = export(&validate(scene).unwrap(), &ExportOptions::default(), &mut NoTextures).unwrap();
    let notes: Vec<&str> = file.report.notes().iter().map(|note| note.message.as_ref()).collect();
    let coarse = |note: &&str| note.starts_with("in 6 of the animations, nodes are sampled less often");
    assert_eq!(notes.iter().filter(|note| coarse(note)).count(), 1, "{notes:?}");
    let document = document(&file.into_glb().unwrap());
    let keys: Vec<u64> = (0..6)
        .map(|clip| {
            let samplers = document["animations"][clip]["samplers"].as_array().unwrap();
            let count = |sampler: &Value| {
                let input = usize::try_from(sampler["input"].as_u64().unwrap()).unwrap();
                document["accessors"][input]["count"].as_u64().unwrap()
            };
            samplers.iter().map(count).max().unwrap()
        })
        .collect();
    // In one clip 2 to the power of 21 samples of 2000 nodes, which are 1,048 times; in all four times as many.
    assert!(keys[..4].iter().all(|count| (1000..1060).contains(count)), "{keys:?}");
    assert!(keys[4..].iter().all(|count| *count <= 8), "{keys:?}");
}

/// Each of many nodes moves in each of many sequences: a file of half a megabyte would become one of gigabytes.
#[test]
fn channels_have_a_limit_for_all_sequences_together() {
    let mut scene = Scene::default();
    let global = scene.global_sequences.push(GlobalSequence { length: 100 });
    for number in 0..2100 {
        let (start, end) = (number * 100, number * 100 + 90);
        scene.sequences.push(Sequence { name: format!("{number}"), start, end, ..Sequence::default() });
    }
    for _ in 0..1000 {
        let mut node = Node::new("Bone", NodeKind::Bone, None, [0.0; 3]);
        let track = Track::linear(vec![0, 50], vec![[0.0; 3], [1.0; 3]], [0.0; 3]);
        node.translation.track = Some(Track { global: Some(global), ..track });
        scene.nodes.push(node);
    }
    let error = export(&validate(scene).unwrap(), &ExportOptions::default(), &mut NoTextures).unwrap_err();
    assert_eq!(error.kind(), effigy_wire::Kind::Limit);
    assert!(error.to_string().contains("more than 2097152 channels"), "{error}");
}

#[test]
fn sequences_of_days_are_shortened_and_keys_have_a_limit() {
    let mut scene = scene();
    scene.sequences.as_mut_slice()[2].end = i32::MAX;
    let scene = validate(scene).unwrap();
    let file = export(&scene, &ExportOptions::default(), &mut NoTextures).unwrap();
    assert!(file.report.notes().iter().any(|note| note.message.contains("the first 600 s were written")));
    let glb = file.into_glb().unwrap();
    assert!(glb.len() < 10_000_000, "{} bytes", glb.len());
    let options = ExportOptions { animation_bytes: 100_000, ..ExportOptions::default() };
    let error = export(&scene, &options, &mut NoTextures).unwrap_err();
    assert_eq!(error.kind(), effigy_wire::Kind::Limit);
}

#[test]
fn names_in_other_encodings_are_counted_and_reported_once() {
    // "Knüppel" in Latin-1: 0xFC begins nothing in UTF-8.
    let club = String::from_utf8_lossy(b"Kn\xfcppel").into_owned();
    let said = |scene: &Scene| {
        let file = export(&validate(scene.clone()).unwrap(), &ExportOptions::default(), &mut NoTextures);
        let notes = file.unwrap().report;
        let list = notes.notes().iter().filter(|note| note.path == "names");
        list.map(|note| (note.outcome, note.message.to_string())).collect::<Vec<_>>()
    };
    let mut scene = scene();
    // The same name in UTF-8 is itself.
    scene.nodes.as_mut_slice()[0].name = "Knüppel".into();
    assert!(said(&scene).is_empty());
    let lines = |count: usize| {
        let text = format!("{count} are not UTF-8; \u{fffd} (U+FFFD) stands for what could not be read");
        vec![(effigy_wire::Outcome::Approximated, text)]
    };
    scene.nodes.as_mut_slice()[0].name.clone_from(&club);
    assert_eq!(said(&scene), lines(1));
    scene.sequences.as_mut_slice()[1].name.clone_from(&club);
    scene.textures.as_mut_slice()[0].path.clone_from(&club);
    assert_eq!(said(&scene), lines(3));
    // A point with the name of its node is the same name of the model, one with another name is not.
    let point = Attachment {
        name: club.clone(),
        number: 7,
        node: Id::new(0),
        position: [0.0; 3],
        path: String::new(),
        visibility: Animated::fixed(1.0),
    };
    scene.attachments.push(point.clone());
    assert_eq!(said(&scene), lines(3));
    scene.attachments.push(Attachment { node: Id::new(1), path: club, ..point });
    assert_eq!(said(&scene), lines(5));
}
