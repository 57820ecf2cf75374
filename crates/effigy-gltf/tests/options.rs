//! Options of the export that add to a file, and what becomes of them when it is read again.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing)]

use crate::common::glb::{joined, parts};
use effigy_gltf::{ExportOptions, ImageFormat, Model, NoTextures, Pictures, export, export_split};
use effigy_scene::{
    Animated, Attachment, Blend, Cells, Id, Influence, Interpolation, KeyRule, Layer, LayerTexture, Material,
    Mesh, Node, NodeKind, ParticleEmitter, Scene, Sequence, Skin, Texture, Track, ValidScene, validate,
};
use serde_json::{Value, json};

fn scene() -> Scene {
    let mut scene = Scene { name: "Lamp".into(), key_rule: KeyRule::Wrap, ..Scene::default() };
    for (name, start, looping) in [("Stand", 0, true), ("Walk/Fast", 2000, true), ("walk_fast", 4000, false)]
    {
        let name = name.into();
        scene.sequences.push(Sequence { name, start, end: start + 1000, looping, ..Sequence::default() });
    }
    scene.nodes.push(Node::new("Root", NodeKind::Bone, None, [0.0; 3]));
    scene.nodes.push(Node::new("Hand Ref", NodeKind::Attachment, Some(Id::new(0)), [0.0, 0.0, 5.0]));
    scene.nodes.push(Node::new("Fire", NodeKind::Emitter, Some(Id::new(0)), [1.0, 2.0, 3.0]));
    let turn = Track::linear(vec![0, 500, 1000], vec![[0.0; 3], [0.0, 0.0, 4.0], [0.0; 3]], [0.0; 3]);
    scene.nodes.as_mut_slice()[0].translation.track = Some(turn);
    for path in ["Textures\\Skin.blp", "Textures\\Fire.blp"] {
        scene.textures.push(Texture { path: path.into(), replaceable: None, repeat: [true; 2] });
    }
    let skin = LayerTexture { texture: Some(Id::new(0)), ..LayerTexture::default() };
    let layer = Layer { textures: vec![skin], color: Animated::fixed([1.0, 0.5, 0.25]), ..Layer::default() };
    for name in ["Body", "Base"] {
        let layers = vec![layer.clone()];
        scene.materials.push(Material { name: name.into(), layers, priority: 3, ..Material::default() });
        let mut mesh = Mesh::new(name);
        mesh.positions = vec![[0.0, 0.0, 1.0], [1.0, 0.0, 2.0], [0.0, 1.0, 3.0]];
        mesh.normals = vec![[0.0, 0.0, 1.0]; 3];
        mesh.uvs = vec![vec![[0.0, 0.5]; 3]];
        mesh.indices = vec![0, 1, 2];
        mesh.material = scene.materials.id(scene.materials.len() - 1);
        let mut skin = Skin::default();
        let group = skin.push_group([Influence { node: Id::new(0), weight: 1.0 }]);
        skin.vertex_groups = vec![group; 3];
        mesh.skin = Some(skin);
        scene.meshes.push(mesh);
    }
    for (name, node, position) in [("Hand Ref", 1, [0.0, 0.0, 5.0]), ("Chest Ref", 0, [0.0, 1.0, 6.0])] {
        scene.attachments.push(Attachment {
            name: name.into(),
            number: 1,
            node: Id::new(node),
            position,
            path: String::new(),
            visibility: Animated::fixed(1.0),
        });
    }
    let mut fire = ParticleEmitter::new("Fire", Id::new(2));
    fire.position = [1.0, 2.0, 3.0];
    fire.texture = Some(Id::new(1));
    fire.blend = Blend::Add;
    fire.cells = [2, 4];
    fire.over_life.sizes = [1.0, 10.0, 1.0];
    fire.over_life.alphas = [0.0, 1.0, 0.0];
    fire.over_life.colors = [[1.0; 3]; 3];
    fire.over_life.head[0] = Cells { start: 5, end: 7, repeat: 1 };
    let rates = Track::linear(vec![0, 500, 1000], vec![0.0, 30.0, 0.0], 0.0);
    fire.rate.track = Some(Track { interpolation: Interpolation::Step, ..rates });
    scene.emitters.push(fire);
    // It never emits.
    scene.emitters.push(ParticleEmitter::new("Nothing", Id::new(0)));
    scene
}

fn checked() -> ValidScene {
    validate(scene()).unwrap()
}

fn grey(_: &Texture) -> Option<effigy_image::Image> {
    effigy_image::Image::new(2, 1, vec![90, 80, 70, 255, 10, 20, 30, 255]).ok()
}

fn exported(options: &ExportOptions) -> Vec<u8> {
    export(&checked(), options, &mut grey).unwrap().into_glb().unwrap()
}

fn lowered(glb: &[u8]) -> (Scene, String) {
    let (scene, report) = Model::read(glb).unwrap().lower().unwrap();
    (scene, report.to_string())
}

fn names<'a>(document: &'a Value, list: &str) -> Vec<&'a str> {
    document[list].as_array().unwrap().iter().map(|it| it["name"].as_str().unwrap()).collect()
}

fn joints(document: &Value) -> Vec<&str> {
    let index = |it: &Value| usize::try_from(it.as_u64().unwrap()).unwrap();
    let list = document["skins"][0]["joints"].as_array().unwrap();
    list.iter().map(|it| document["nodes"][index(it)]["name"].as_str().unwrap()).collect()
}

#[test]
fn looping_animations_may_say_so_in_their_names() {
    let glb = exported(&ExportOptions { loop_suffix: true, ..ExportOptions::default() });
    let (document, _) = parts(&glb);
    assert_eq!(names(&document, "animations"), ["Stand-loop", "Walk/Fast-loop", "walk_fast"]);
    // The sequences keep their own names.
    let (again, _) = lowered(&glb);
    assert_eq!(again.sequences, scene().sequences);
}

#[test]
fn each_sequence_may_have_a_file_of_its_own() {
    let scene = checked();
    let split = |options: &ExportOptions| -> Vec<(String, Value)> {
        let mut files = Vec::new();
        export_split(&scene, options, &mut NoTextures, &Pictures::default(), &mut |name, file| {
            files.push((name, parts(&file.into_glb()?).0));
            Ok(())
        })
        .unwrap();
        files
    };
    let files = split(&ExportOptions::default());
    // The names differ also where case does not count.
    let suffixes: Vec<&str> = files.iter().map(|(suffix, _)| suffix.as_str()).collect();
    assert_eq!(suffixes, ["", "@Stand", "@Walk_Fast", "@walk_fast 2"]);
    assert!(files[0].1["animations"].is_null());
    for ((_, document), name) in files.iter().skip(1).zip(["Stand", "Walk/Fast", "walk_fast"]) {
        assert_eq!(names(document, "animations"), [name]);
        assert_eq!(names(document, "meshes"), ["Body", "Base"]);
    }
    let one = ExportOptions { animations: vec!["stand".into()], ..ExportOptions::default() };
    assert_eq!(split(&one).len(), 2);
}

/// Each file has the whole model, so that sequences times nodes would have no bound.
#[test]
fn files_of_sequences_that_are_too_large_together_are_refused_before_they_are_made() {
    let scene = checked();
    let count = |options: &ExportOptions| {
        let mut files = 0;
        let result = export_split(&scene, options, &mut NoTextures, &Pictures::default(), &mut |_, _| {
            files += 1;
            Ok(())
        });
        (files, result.map_err(|error| (error.kind(), error.hint_text().unwrap_or_default().to_owned())))
    };
    let all = exported(&ExportOptions { animate: false, ..ExportOptions::default() });
    // The model has three sequences: room for one and a half files is too little for three, and enough for one.
    let options = ExportOptions { animation_bytes: all.len() * 3 / 2, ..ExportOptions::default() };
    let (files, result) = count(&options);
    let (kind, hint) = result.unwrap_err();
    assert_eq!((files, kind), (0, effigy_wire::Kind::Limit));
    assert!(hint.contains("--animations"), "{hint}");
    let one = ExportOptions { animations: vec!["stand".into()], ..options };
    assert_eq!(count(&one), (2, Ok(())));
}

#[test]
fn attachments_are_bones_on_request_and_come_back() {
    let plain = exported(&ExportOptions::default());
    assert_eq!(joints(&parts(&plain).0), ["Root"]);
    let glb = exported(&ExportOptions { attachment_bones: true, ..ExportOptions::default() });
    let (document, _) = parts(&glb);
    assert_eq!(joints(&document), ["Root", "Hand Ref", "Chest Ref"]);
    // The chest is 1 to the left (y of the game, -z of the file before the root turns it) and 6 up.
    let chest = document["nodes"].as_array().unwrap().iter().find(|it| it["name"] == "Chest Ref").unwrap();
    assert_eq!(chest["translation"], json!([0.0, 6.0, -1.0]));
    let (again, _) = lowered(&glb);
    assert_eq!((again.nodes, again.attachments), (scene().nodes, scene().attachments));
}

#[test]
fn emitters_are_planes_on_request_and_the_planes_do_not_come_back() {
    let glb = exported(&ExportOptions { sprites: true, ..ExportOptions::default() });
    let (document, _) = parts(&glb);
    assert_eq!(names(&document, "meshes"), ["Body", "Base", "Fire (sprite)"]);
    let primitive = &document["meshes"][2]["primitives"][0];
    let accessor = |name: &str| {
        let index = primitive["attributes"][name].as_u64().unwrap();
        document["accessors"][usize::try_from(index).unwrap()].clone()
    };
    // Half an edge of 10 about (1, 2, 3) of the game, seen from +X: y from -8 to 12 and z from -7 to 13.
    let place = accessor("POSITION");
    assert_eq!((&place["min"], &place["max"]), (&json!([1.0, -7.0, -12.0]), &json!([1.0, 13.0, 8.0])));
    let material = &document["materials"][2];
    assert_eq!(material["extras"]["layers"][0]["blend"], "add");
    assert_eq!(material["alphaMode"], "BLEND");
    let (again, _) = lowered(&glb);
    let before = scene();
    assert_eq!((again.meshes.len(), &again.materials), (2, &before.materials));
    assert_eq!((again.emitters, again.textures), (before.emitters, before.textures));
}

#[test]
fn pictures_in_webp_are_read_again() {
    for image_format in [ImageFormat::Png, ImageFormat::WebP] {
        let glb = exported(&ExportOptions { image_format, ..ExportOptions::default() });
        let model = Model::read(&glb).unwrap();
        let (scene, _) = model.lower().unwrap();
        let image = model.image(&scene.textures.as_slice()[0]).unwrap();
        assert_eq!(image.pixels(), grey(&Texture::default()).unwrap().pixels());
        assert_eq!(model.image_sizes(), [Some([2, 1])]);
    }
    // The same file without our notes.
    let glb = exported(&ExportOptions { image_format: ImageFormat::WebP, ..ExportOptions::default() });
    let (mut document, rest) = parts(&glb);
    document["nodes"][0].as_object_mut().unwrap().remove("extras");
    document["images"][0].as_object_mut().unwrap().remove("extras");
    let model = Model::read(&joined(&document, rest)).unwrap();
    let (scene, _) = model.lower().unwrap();
    assert_eq!(scene.textures.as_slice()[0].path, "skin.webp");
    assert!(model.image(&scene.textures.as_slice()[0]).is_some());
}

#[test]
fn a_material_that_nobody_changed_comes_back_as_it_was() {
    let glb = exported(&ExportOptions::default());
    let (document, rest) = parts(&glb);
    let (again, report) = lowered(&joined(&document, rest));
    assert_eq!(again.materials, scene().materials);
    assert!(!report.contains("look different"), "{report}");
}

#[test]
fn another_colour_of_a_material_wins_and_its_texture_stays() {
    let glb = exported(&ExportOptions::default());
    let (mut document, rest) = parts(&glb);
    // 0.2140411 in linear light is 0.5 in gamma space.
    document["materials"][1]["pbrMetallicRoughness"]["baseColorFactor"] = json!([0.2140411, 1.0, 0.0, 1.0]);
    let (again, report) = lowered(&joined(&document, rest));
    assert!(report.contains("1 look different from what was exported"), "{report}");
    let (before, after) = (scene().materials, again.materials);
    assert_eq!(after.as_slice()[0], before.as_slice()[0]);
    let layer = &after.as_slice()[1].layers[0];
    let [r, g, b] = layer.color.base;
    assert!((r - 0.5).abs() < 1e-5 && g == 1.0 && b == 0.0, "{r} {g} {b}");
    assert_eq!(layer.textures, before.as_slice()[1].layers[0].textures);
    assert_eq!(after.as_slice()[1].priority, 3);
    assert_eq!(again.textures, scene().textures);
}

#[test]
fn another_texture_or_look_of_a_material_wins() {
    let glb = exported(&ExportOptions::default());
    let (mut document, rest) = parts(&glb);
    let mut other = document["images"][0].clone();
    other["name"] = "painted".into();
    other.as_object_mut().unwrap().remove("extras");
    document["images"].as_array_mut().unwrap().push(other);
    document["textures"].as_array_mut().unwrap().push(json!({ "source": 1 }));
    document["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"]["index"] = 1.into();
    document["materials"][1]["alphaMode"] = "BLEND".into();
    document["materials"][1]["doubleSided"] = true.into();
    let (again, report) = lowered(&joined(&document, rest));
    assert!(report.contains("2 look different from what was exported"), "{report}");
    let materials = again.materials.as_slice();
    assert_eq!((materials.len(), materials[0].name.as_str(), materials[0].priority), (2, "Body", 3));
    let path = |layer: &Layer| {
        let texture = layer.textures[0].texture.unwrap();
        again.textures.get(texture).unwrap().path.clone()
    };
    assert_eq!(path(&materials[0].layers[0]), "painted.png");
    // Its texture is still the game's.
    assert_eq!(path(&materials[1].layers[0]), "Textures\\Skin.blp");
    assert_eq!((materials[1].layers[0].blend, materials[1].layers[0].two_sided), (Blend::Alpha, true));
}

/// Textures from files: Skin is the PNG of one red pixel with an alpha of 64, Fire that of a dark green one.
struct Files;

fn file(name: &str) -> Vec<u8> {
    let pixel = if name.ends_with("Skin.blp") { [200, 0, 0, 64] } else { [0, 50, 0, 255] };
    effigy_image::png::single_pixel(pixel).unwrap()
}

impl effigy_scene::Textures for Files {
    fn image(&mut self, texture: &Texture) -> Option<effigy_image::Image> {
        effigy_image::read(&file(&texture.path)).ok()
    }

    fn find(&mut self, texture: &Texture) -> Option<effigy_scene::Unread> {
        let bytes = file(&texture.path);
        Some(effigy_scene::Unread::file(move || Some(bytes), effigy_wire::Limits::DEFAULT, None))
    }
}

#[test]
fn files_of_the_game_that_gltf_cannot_show_come_back_byte_by_byte() {
    let mut scene = scene();
    for material in scene.materials.as_mut_slice() {
        material.layers[0].blend = Blend::Add;
    }
    let scene = validate(scene).unwrap();
    let made = |options: &ExportOptions| {
        let exported = export(&scene, options, &mut Files).unwrap();
        let kept = exported.report.notes().iter().any(|it| it.message.contains("2 files of the game"));
        (exported.into_glb().unwrap(), kept)
    };
    let (glb, reported) = made(&ExportOptions::default());
    assert!(reported);
    let (mut document, rest) = parts(&glb);
    let originals = document["nodes"][0]["extras"]["originals"].as_array().unwrap().clone();
    for (original, name) in originals.iter().zip(["Textures\\Skin.blp", "Textures\\Fire.blp"]) {
        assert_eq!(original["path"], name);
        let number = |value: &Value| usize::try_from(value.as_u64().unwrap_or_default()).unwrap();
        let view = &document["bufferViews"][number(&original["bufferView"])];
        let [start, length] = ["byteOffset", "byteLength"].map(|it| number(&view[it]));
        // The binary part has a head of 8 bytes.
        assert_eq!(rest[8 + start..8 + start + length], file(name));
    }
    assert_eq!(originals.len(), 2);
    let textures = scene.textures.as_slice();
    let pixel = |model: &Model, texture: &Texture| model.image(texture).map(|it| it.pixels().to_vec());
    let model = Model::read(&glb).unwrap();
    assert_eq!(pixel(&model, &textures[0]).unwrap(), [200, 0, 0, 64]);
    assert_eq!(pixel(&model, &textures[1]).unwrap(), [0, 50, 0, 255]);
    // The names are not extras of the model.
    assert_eq!(model.lower().unwrap().0.extras, scene.extras);
    // A program that wrote the file again has other views: the file is not what was noted, and only the glow is left.
    for original in document["nodes"][0]["extras"]["originals"].as_array_mut().unwrap() {
        original["bufferView"] = 0.into();
    }
    let again = Model::read(&joined(&document, rest)).unwrap();
    assert_eq!([pixel(&again, &textures[0]), pixel(&again, &textures[1])], [None, None]);
    // 200 of 255 at full brightness, its alpha not used by this blend mode.
    assert_eq!(again.changed_image(&textures[0]).unwrap().pixels(), [255, 0, 0, 200]);

    let (without, reported) = made(&ExportOptions { originals: false, ..ExportOptions::default() });
    assert!(!reported && without.len() < glb.len());
    assert!(parts(&without).0["nodes"][0]["extras"]["originals"].is_null());
}

#[test]
fn only_files_that_are_needed_are_kept() {
    let paths = |scene: Scene| -> Vec<String> {
        let exported = export(&validate(scene).unwrap(), &ExportOptions::default(), &mut Files).unwrap();
        let glb = exported.into_glb().unwrap();
        let noted = &parts(&glb).0["nodes"][0]["extras"]["originals"];
        noted.as_array().into_iter().flatten().map(|it| it["path"].as_str().unwrap().to_owned()).collect()
    };
    // The skin is an image as it is; the particles have none.
    assert_eq!(paths(scene()), ["Textures\\Fire.blp"]);
    // A cut-out whose alpha stays the same: 64 of 255 with a threshold of one half.
    let mut cut = scene();
    for material in cut.materials.as_mut_slice() {
        material.layers[0].blend = Blend::AlphaKey;
        material.layers[0].alpha_test = 128.0 / 255.0;
    }
    assert_eq!(paths(cut.clone()), ["Textures\\Fire.blp"]);
    for material in cut.materials.as_mut_slice() {
        material.layers[0].alpha_test = 0.75;
    }
    assert_eq!(paths(cut), ["Textures\\Skin.blp", "Textures\\Fire.blp"]);
    // A flipbook of both, a texture of the player and one that nothing uses.
    let mut film = scene();
    film.emitters = effigy_scene::Arena::default();
    assert!(paths(film.clone()).is_empty());
    let pages = Track::linear(vec![0, 500], vec![0, 1], 0);
    film.materials.as_mut_slice()[0].layers[0].textures[0].flipbook =
        Some(Track { interpolation: Interpolation::Step, ..pages });
    assert_eq!(paths(film), ["Textures\\Fire.blp"]);
}
