//! What scenes become as MD3, against values computed by hand.

use effigy_convert::raise::{self, Md3, RaiseOptions, Raised};
use effigy_scene::{
    Animated, Attachment, Camera, Extras, Id, Influence, Interpolation, Layer, LayerTexture, Material, Mesh,
    Node, NodeKind, Scene, Sequence, Skin, Texture, Track, validate,
};

/// One triangle, one texture, and a sequence of a second.
fn scene(format: &str) -> Scene {
    let mut scene = Scene { name: "Big Dog!".into(), ..Scene::default() };
    scene.extras.set("format", format);
    scene.sequences.push(Sequence { name: "Walk".into(), start: 0, end: 1000, ..Sequence::default() });
    scene.textures.push(Texture { path: "C:\\..\\Units\\Dog.blp".into(), ..Texture::default() });
    let textures = vec![LayerTexture { texture: Some(Id::new(0)), ..LayerTexture::default() }];
    let layers = vec![Layer { textures, ..Layer::default() }];
    scene.materials.push(Material { layers, ..Material::default() });
    let mut mesh = Mesh::new("Body");
    mesh.positions = vec![[1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, -4.0]];
    mesh.normals = vec![[0.0, 0.0, 1.0]; 3];
    mesh.uvs = vec![vec![[0.25, 0.75]; 3]];
    mesh.indices = vec![0, 1, 2];
    mesh.material = Some(Id::new(0));
    scene.meshes.push(mesh);
    scene
}

fn raised(scene: &Scene, options: &RaiseOptions) -> Raised<Md3> {
    raise::md3(&validate(scene.clone()).unwrap(), options).unwrap()
}

fn plain(scene: &Scene) -> Raised<Md3> {
    raised(scene, &RaiseOptions { scale: Some(1.0), fps: 2.0, ..RaiseOptions::default() })
}

fn said(made: &Raised<Md3>, words: &str) -> bool {
    made.report.notes().iter().any(|note| format!("{}: {}", note.path, note.message).contains(words))
}

#[test]
fn every_game_has_its_unit_of_length() {
    // The height of 4 units in 64ths.
    for (format, unit) in [("mdx", 0.7), ("m2", 32.0), ("wow-alpha-mdx", 32.0), ("gltf", 39.0), ("mdc", 1.0)]
    {
        let made = raised(&scene(format), &RaiseOptions::default());
        let expected = -(4.0_f32 * unit * 64.0).round();
        assert_eq!(f32::from(made.model.model.surfaces[0].base[2].position[2]), expected, "{format}");
    }
    for scale in [f32::NAN, 0.0, -2.0] {
        let made = raised(&scene("m2"), &RaiseOptions { scale: Some(scale), ..RaiseOptions::default() });
        assert_eq!(made.model.model.surfaces[0].base[0].position[0], 32 * 64);
    }
}

#[test]
fn a_height_is_that_of_the_first_stand_and_wins_over_the_scale() {
    let mut scene = scene("m2");
    let options = |height| RaiseOptions { height: Some(height), scale: Some(3.0), ..RaiseOptions::default() };
    let depth = |scene: &Scene, height: f32| {
        raised(scene, &options(height)).model.model.surfaces[0].base[2].position[2]
    };
    // From -4 to 0: half of that, in 64ths.
    assert_eq!(depth(&scene, 2.0), -128);
    // A bone that makes the model twice as high in its Stand.
    let mut bone = Node::new("bone", NodeKind::Bone, None, [0.0; 3]);
    let sizes = [1.0, 1.0, 2.0, 2.0].map(|up| [1.0, 1.0, up]).to_vec();
    bone.scale.track = Some(Track::linear(vec![0, 1000, 2000, 3000], sizes, [1.0; 3]));
    let node = scene.nodes.push(bone);
    let mut skin = Skin { vertex_groups: vec![0; 3], ..Skin::default() };
    skin.push_group([Influence { node, weight: 1.0 }]);
    scene.meshes.as_mut_slice()[0].skin = Some(skin);
    scene.sequences.push(Sequence { name: "Stand".into(), start: 2000, end: 3000, ..Sequence::default() });
    assert_eq!(depth(&scene, 2.0), -64);
    assert_eq!(depth(&scene, f32::NAN), -4 * 32 * 64);
}

#[test]
fn a_model_without_a_name_gets_that_of_its_file_and_so_does_its_skin() {
    let mut scene = scene("m2");
    let skin = Some(effigy_scene::Replaceable::Other(11));
    scene.textures.as_mut_slice()[0] = Texture { replaceable: skin, ..Texture::default() };
    let options = RaiseOptions { name: "Wolf".into(), ..RaiseOptions::default() };
    for (own, name, path) in [
        ("Big Dog!", "models/big_dog_.md3", "big_dog__11.tga"),
        ("", "models/wolf.md3", "wolf_11.tga"),
        // Damaged: another creature with such a name would get the same paths.
        ("\u{2}\u{fffd}", "models/wolf.md3", "wolf_11.tga"),
    ] {
        scene.name = own.into();
        let made = raised(&scene, &options);
        let model = &made.model.model;
        assert_eq!((model.name.text().as_ref(), made.textures[0].path.as_str()), (name, path));
        assert_eq!(model.surfaces[0].shaders[0].name.text(), path);
    }
}

#[test]
fn the_model_its_frames_and_its_surface() {
    let made = plain(&scene("mdc"));
    let model = &made.model.model;
    assert_eq!(model.name.text(), "models/big_dog_.md3");
    // Two frames a second, and the last one.
    let names: Vec<_> = model.frames.iter().map(|it| it.name.text().into_owned()).collect();
    assert_eq!(names, ["Walk0", "Walk1", "Walk2"]);
    let frame = &model.frames[1];
    assert_eq!((frame.min, frame.max), ([0.0, 0.0, -4.0], [1.0, 2.0, 0.0]));
    assert!((frame.radius - 21.0_f32.sqrt()).abs() < 1e-5);
    let surface = &model.surfaces[0];
    assert_eq!(surface.ident.0, *b"IDP3");
    assert_eq!((surface.name.text().as_ref(), surface.texcoords[0]), ("body", [0.25, 0.75]));
    assert_eq!(surface.shaders[0].name.text(), "units/dog.tga");
    assert_eq!((made.textures.len(), made.textures[0].path.as_str()), (1, "units/dog.tga"));
    assert_eq!(made.model.skin, "body,units/dog.tga\n");
    assert_eq!(made.model.animations.lines().nth(1), Some("0\t3\t0\t2\t// Walk"));
    for what in ["emitters", "cameras", "materials", "hidden", "512 units", "instead of", "tags"] {
        assert!(!said(&made, what), "{what}");
    }
}

#[test]
fn meshes_that_are_not_shown_are_left_out_and_hidden_ones_become_points() {
    let mut scene = scene("mdc");
    let body = scene.meshes.as_slice()[0].clone();
    for (name, shown, lod) in [("No", false, None), ("Coarse", true, Some(1)), ("Fine", true, Some(0))] {
        scene.meshes.push(Mesh { name: name.into(), shown, lod, ..body.clone() });
    }
    scene.meshes.push(Mesh { name: "Empty".into(), indices: Vec::new(), ..body.clone() });
    let mut blink = Mesh { name: "Body".into(), ..body };
    let steps = Track::linear(vec![0, 500], vec![1.0, 0.0], 1.0);
    blink.alpha.track = Some(Track { interpolation: Interpolation::Step, ..steps });
    scene.meshes.push(blink);
    let made = plain(&scene);
    let names: Vec<_> = made.model.model.surfaces.iter().map(|it| it.name.text().into_owned()).collect();
    assert_eq!(names, ["body", "fine", "bodypart02"]);
    assert!(said(&made, "meshes: meshes that are hidden in a frame are drawn together"));
    let base = &made.model.model.surfaces[2].base;
    assert_eq!(base[2].position, [0, 0, -256]);
    assert!(base[3..6].iter().all(|it| it.position == [64, 0, 0]), "{base:?}");
    // The one texture is listed once.
    assert_eq!(made.textures.len(), 1);
}

#[test]
fn coordinates_beyond_the_format_are_cut_and_counted() {
    let made =
        raised(&scene("mdc"), &RaiseOptions { scale: Some(200.0), fps: 1.0, ..RaiseOptions::default() });
    let base = &made.model.model.surfaces[0].base;
    assert_eq!(
        (base[0].position, base[1].position, base[2].position),
        ([12800, 0, 0], [0, 25600, 0], [0, 0, -32767])
    );
    // One number in each of two frames.
    assert!(said(&made, "vertices: 2 coordinates are beyond the 512 units"), "{:?}", made.report.notes());
}

#[test]
fn attachments_and_tags_become_tags() {
    let mut scene = scene("mdc");
    let mut hand = Node::new("hand", NodeKind::Bone, None, [0.0; 3]);
    let half = std::f32::consts::FRAC_1_SQRT_2;
    // A quarter turn about Z, and a shift.
    hand.rotation = Animated::fixed(effigy_scene::Rotation([0.0, 0.0, half, half]));
    hand.translation = Animated::fixed([10.0, 0.0, 0.0]);
    scene.nodes.push(hand);
    scene.nodes.push(Node::new("tag_flag", NodeKind::Tag, None, [5.0, 6.0, 7.0]));
    for name in ["Hand Right Ref", "Head Ref", "Chest", "Left Foot Ref", "head"] {
        scene.attachments.push(Attachment {
            name: name.into(),
            number: 0,
            node: Id::new(0),
            position: [2.0, 0.0, 1.0],
            path: String::new(),
            visibility: Animated::fixed(1.0),
        });
    }
    let made = plain(&scene);
    let model = &made.model.model;
    let names: Vec<_> = (0..model.tag_count()).map(|tag| model.tag_name(tag).unwrap().into_owned()).collect();
    assert_eq!(names, ["tag_weapon", "tag_head", "tag_torso", "tag_left_foot", "tag_head2", "tag_flag"]);
    let pose = model.tag_pose(0, 0).unwrap();
    let near = |a: [f32; 3], b: [f32; 3]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-4);
    assert!(near(pose.origin, [10.0, 2.0, 1.0]), "{:?}", pose.origin);
    assert!(near(pose.axes[0], [0.0, 1.0, 0.0]) && near(pose.axes[1], [-1.0, 0.0, 0.0]), "{:?}", pose.axes);
    assert!(near(pose.axes[2], [0.0, 0.0, 1.0]));
    assert!(near(model.tag_pose(5, 1).unwrap().origin, [5.0, 6.0, 7.0]));
    assert!(made.model.skin.ends_with("tag_head2,\ntag_flag,\n"));
    // Engines load 16 tags.
    for _ in 0..11 {
        let copy = scene.attachments.as_slice()[0].clone();
        scene.attachments.push(copy);
    }
    let made = plain(&scene);
    assert_eq!(made.model.model.tag_count(), 16);
    assert!(said(&made, "attachments: engines load 16 tags; 1 are left out"));
}

#[test]
fn what_the_format_lacks_is_reported_with_its_number() {
    let mut scene = scene("mdc");
    for _ in 0..2 {
        scene.cameras.push(Camera {
            name: "Eye".into(),
            position: [0.0; 3],
            target: [1.0, 0.0, 0.0],
            fov: 1.0,
            near: 1.0,
            far: 10.0,
            translation: None,
            target_translation: None,
            roll: None,
            extras: Extras::default(),
        });
    }
    let layer = scene.materials.as_slice()[0].layers[0].clone();
    scene.materials.as_mut_slice()[0].layers.push(layer);
    let made = plain(&scene);
    assert!(said(&made, "cameras: 2: the format only has surfaces and tags"));
    assert!(said(&made, "materials: 1 of 1 meshes have further layers or maps; surfaces have one texture"));
    for what in ["lights", "events", "ribbons", "effects", "collision shapes", "particle emitters"] {
        assert!(!said(&made, what), "{what}");
    }
}

#[test]
fn frames_are_limited_to_what_engines_load() {
    let mut scene = scene("mdc");
    scene.sequences = effigy_scene::Arena::default();
    let mut start = 0;
    for (name, length) in [("a", 100_000), ("b", 100_000), ("c", 2_000_000)] {
        scene.sequences.push(Sequence {
            name: name.into(),
            start,
            end: start + length,
            ..Sequence::default()
        });
        start += length + 1000;
    }
    // 2200 seconds at one frame a second are too many: the third is left out.
    let made = raised(&scene, &RaiseOptions { scale: Some(1.0), fps: 3.0, ..RaiseOptions::default() });
    assert!(said(&made, "sequences: 1 frames a second instead of 3"));
    assert!(said(&made, "sequences: c and those after it: engines load 1024 frames"));
    assert_eq!(made.model.model.frames.len(), 202);
    let rows: Vec<_> = made.model.animations.lines().skip(1).collect();
    assert_eq!(rows, ["0\t101\t0\t1\t// a", "101\t101\t0\t1\t// b"]);
    // A rate that makes no sense is 15; no sequence at all is one frame.
    scene.sequences = effigy_scene::Arena::default();
    let made = raised(&scene, &RaiseOptions { fps: f32::NAN, ..RaiseOptions::default() });
    assert_eq!(made.model.animations.lines().nth(1), Some("0\t1\t0\t15\t// frame"));
}
