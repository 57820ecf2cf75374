//! Names of frames, tags and textures as MD3, against texts written by hand.

use effigy_convert::raise::{self, Md3, Names, RaiseOptions, Raised};
use effigy_scene::{
    Animated, Attachment, Id, Layer, LayerTexture, Material, Mesh, Node, NodeKind, Scene, Sequence, Texture,
    validate,
};

fn scene() -> Scene {
    let mut scene = Scene::default();
    scene.nodes.push(Node::new("hand", NodeKind::Bone, None, [0.0; 3]));
    scene
}

fn made(scene: &Scene, names: Names) -> Raised<Md3> {
    let options = RaiseOptions { scale: Some(1.0), fps: 2.0, names, ..RaiseOptions::default() };
    raise::md3(&validate(scene.clone()).unwrap(), &options).unwrap()
}

fn said(made: &Raised<Md3>) -> Vec<String> {
    made.report.notes().iter().map(|note| format!("{}: {}", note.path, note.message)).collect()
}

fn tag_names(made: &Raised<Md3>) -> Vec<String> {
    let model = &made.model.model;
    (0..model.tag_count()).map(|tag| model.tag_name(tag).unwrap().into_owned()).collect()
}

fn attach(scene: &mut Scene, name: &str) {
    scene.attachments.push(Attachment {
        name: name.into(),
        number: 0,
        node: Id::new(0),
        position: [0.0; 3],
        path: String::new(),
        visibility: Animated::fixed(1.0),
    });
}

fn pairs(pairs: &[(&str, &str)]) -> std::collections::BTreeMap<String, String> {
    pairs.iter().map(|(old, new)| ((*old).to_owned(), (*new).to_owned())).collect()
}

#[test]
fn long_names_of_sequences_keep_the_numbers_of_their_frames() {
    let mut scene = scene();
    for (at, name) in ["1H_Long_Melee_Attack", "1H_Long_Melee_Attack_Stab", "Walk"].into_iter().enumerate() {
        let start = i32::try_from(at).unwrap() * 10_000;
        scene.sequences.push(Sequence { name: name.into(), start, end: start + 1000, ..Sequence::default() });
    }
    let made = made(&scene, Names { sequences: pairs(&[("Walk", "Run\nFast")]), ..Names::default() });
    let frames: Vec<_> = made.model.model.frames.iter().map(|it| it.name.text().into_owned()).collect();
    let wanted = [
        "1H_Long_Melee_0",
        "1H_Long_Melee_1",
        "1H_Long_Melee_2",
        "1H_Long_Mele_b0",
        "1H_Long_Mele_b1",
        "1H_Long_Mele_b2",
        "Run\nFast0",
        "Run\nFast1",
        "Run\nFast2",
    ];
    assert_eq!(frames, wanted);
    // The text has them whole, and each in a row of its own.
    let rows: Vec<_> = made.model.animations.lines().skip(1).collect();
    let wanted = [
        "0\t3\t0\t2\t// 1H_Long_Melee_Attack",
        "3\t3\t0\t2\t// 1H_Long_Melee_Attack_Stab",
        "6\t3\t0\t2\t// Run Fast",
    ];
    assert_eq!(rows, wanted);
    assert!(
        said(&made).iter().any(|it| it.starts_with("sequences: 2 have other names")),
        "{:?}",
        said(&made)
    );
}

#[test]
fn sequences_are_listed_under_their_old_and_new_names() {
    let mut scene = scene();
    for (name, start) in [("Stand", 0), ("Walk", 2000), ("Death", 4000)] {
        scene.sequences.push(Sequence { name: name.into(), start, end: start + 500, ..Sequence::default() });
    }
    let names = Names { sequences: pairs(&[("Walk", ""), ("Death", "Die")]), ..Names::default() };
    let text = |text: &str| Some(text.to_owned());
    let wanted = [("Stand".into(), text("Stand")), ("Walk".into(), None), ("Death".into(), text("Die"))];
    assert_eq!(made(&scene, names).sequences, wanted);
}

#[test]
fn the_user_names_tags() {
    let mut scene = scene();
    scene.nodes.push(Node::new("tag_flag", NodeKind::Tag, None, [0.0; 3]));
    for name in ["Hand Right Ref", "Head Ref", "Chest Ref", "Origin Ref"] {
        attach(&mut scene, name);
    }
    scene.nodes.push(Node::new("Grip.001", NodeKind::Helper, None, [0.0; 3]));
    let attachments = pairs(&[
        ("Grip", "tag_grip"),
        ("Hand Right Ref", "tag_gun"),
        ("Head Ref", "Helmet"),
        ("Chest Ref", ""),
        ("tag_flag", "tag_gun"),
    ]);
    let made = made(&scene, Names { attachments, ..Names::default() });
    assert_eq!(tag_names(&made), ["tag_gun", "Helmet", "tag_origin", "tag_grip", "tag_gun2"]);
    // Engines would take `Helmet,` for a surface.
    assert_eq!(made.model.skin, "tag_gun,\ntag_origin,\ntag_grip,\ntag_gun2,\n");
    let text = |text: &str| Some(text.to_owned());
    let wanted = [
        ("Hand Right Ref".into(), text("tag_gun")),
        ("Head Ref".into(), text("Helmet")),
        ("Chest Ref".into(), None),
        ("Origin Ref".into(), text("tag_origin")),
        // By the name of the node.
        ("Grip.001".into(), text("tag_grip")),
        ("tag_flag".into(), text("tag_gun2")),
    ];
    assert_eq!(made.model.tags, wanted);
    let notes: Vec<String> = said(&made).into_iter().filter(|it| it.starts_with("attachments")).collect();
    assert_eq!(notes, ["attachments: by the names of nodes: tag_grip (Grip.001)"]);
}

#[test]
fn tags_that_are_left_out_make_room_for_others() {
    let mut scene = scene();
    for number in 0..18 {
        attach(&mut scene, &format!("P{number}"));
    }
    let attachments = pairs(&[("P0", "")]);
    let made = made(&scene, Names { attachments, ..Names::default() });
    let names = tag_names(&made);
    assert_eq!((names.len(), names[0].as_str(), names[15].as_str()), (16, "tag_p1", "tag_p16"));
    assert_eq!(made.model.tags[17], ("P17".into(), None));
    let wanted = "attachments: engines load 16 tags; 1 are left out";
    assert!(said(&made).iter().any(|it| it == wanted), "{:?}", said(&made));
}

#[test]
fn long_names_of_tags_stay_different() {
    let mut scene = scene();
    let long = |letters: usize| format!("tag_{}", "x".repeat(letters));
    for name in [long(60), format!("{}y", long(60)), long(59)] {
        scene.nodes.push(Node::new(name, NodeKind::Tag, None, [0.0; 3]));
    }
    let made = made(&scene, Names::default());
    // 63 bytes, since a zero ends them.
    assert_eq!(tag_names(&made), [long(59), format!("{}2", long(58)), format!("{}3", long(58))]);
    let wanted = "attachments: 2 names are shortened to 63 bytes";
    assert!(said(&made).iter().any(|it| it == wanted), "{:?}", said(&made));
}

#[test]
fn surface_skin_and_written_texture_have_the_same_path() {
    let mut scene = scene();
    let folder = "deep/".repeat(13);
    for path in [format!("{folder}Skin.blp"), "x/a.blp".into(), "x/a.tga".into(), "x/A.blp".into()] {
        let texture = scene.textures.push(Texture { path, ..Texture::default() });
        let textures = vec![LayerTexture { texture: Some(texture), ..LayerTexture::default() }];
        let layers = vec![Layer { textures, ..Layer::default() }];
        let material = scene.materials.push(Material { layers, ..Material::default() });
        let mut mesh = Mesh::new("part");
        mesh.positions = vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
        mesh.normals = vec![[0.0, 0.0, 1.0]; 3];
        mesh.indices = vec![0, 1, 2];
        mesh.material = Some(material);
        scene.meshes.push(mesh);
    }
    let made = made(&scene, Names::default());
    // 13 times 5 and 8 are 73: two outer folders go.
    let wanted =
        [format!("{}skin.tga", "deep/".repeat(11)), "x/a.tga".into(), "x/a_2.tga".into(), "x/a_3.tga".into()];
    let surfaces: Vec<_> =
        made.model.model.surfaces.iter().map(|it| it.shaders[0].name.text().into_owned()).collect();
    assert_eq!(surfaces, wanted);
    let written: Vec<_> = made.textures.iter().map(|it| it.path.as_str()).collect();
    assert_eq!(written, wanted);
    let skin: Vec<_> = made.model.skin.lines().map(|line| line.split_once(',').unwrap().1).collect();
    assert_eq!(skin, wanted);
    let said = said(&made);
    assert!(
        said.iter().any(|it| it.starts_with("textures: 1 paths are shortened to the 63 bytes")),
        "{said:?}"
    );
}
