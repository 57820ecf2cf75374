use super::super::tests::{layer, scene};
use super::*;
use effigy_scene::{LayerTexture, ParticleEmitter, Track};

#[test]
fn paths_are_safe_and_no_two_textures_share_one() {
    let mut made = scene(vec![layer(0, Blend::Opaque)]);
    made.name = "Gro\u{df}er Wolf".to_owned();
    made.textures = Arena::default();
    let list: [(&str, Option<Replaceable>); 9] = [
        ("skin.blp", None),
        ("Skin.tga", None),
        ("..\\a/b c\\sk.in.blp", None),
        ("a/b_c/sk_in.png", None),
        ("", Some(Replaceable::Other(11))),
        ("", None),
        ("", Some(Replaceable::TeamColor)),
        ("team.blp", Some(Replaceable::TeamGlow)),
        ("", Some(Replaceable::TeamColor)),
    ];
    for (path, replaceable) in list {
        made.textures.push(Texture { path: path.to_owned(), replaceable, repeat: [true, false] });
    }
    let mut book = layer(6, Blend::Opaque);
    book.textures[0].flipbook = Some(Track::linear(vec![0, 1, 2], vec![7, 6, 99], 0));
    made.materials.as_mut_slice()[0].layers = (0..6).map(|texture| layer(texture, Blend::Opaque)).collect();
    made.materials.as_mut_slice()[0].layers.push(book);
    let mut emitter = ParticleEmitter::new("p", Id::new(0));
    (emitter.texture, emitter.blend) = (Some(Id::new(0)), Blend::Add);
    made.emitters.push(emitter);
    let paths = |shelving: Shelving, physical: bool| {
        let mut scene = made.clone();
        scene.materials.as_mut_slice()[0].physical = physical;
        let list = textures(&mut scene, "in", shelving);
        (list.into_iter().map(|it| (it.source.index(), it.path)).collect::<Vec<_>>(), scene)
    };
    let (list, scene) = paths(Shelving::Warcraft, false);
    let own = [
        (0, "in\\Gro_er_Wolf_skin.blp"),
        (1, "in\\Gro_er_Wolf_Skin_2.blp"),
        (2, "in\\a\\b_c\\sk_in.blp"),
        (3, "in\\a\\b_c\\sk_in_2.blp"),
        (4, "in\\Gro_er_Wolf_11.blp"),
        (5, "in\\Gro_er_Wolf_0.blp"),
    ]
    .map(|(source, path)| (source, path.to_owned()));
    // Added by an emitter, which multiplies by alpha here.
    let glow = (0, "in\\Gro_er_Wolf_skin_opaque.blp".to_owned());
    assert_eq!(list, [&own[..], std::slice::from_ref(&glow)].concat());
    // Colours of the players have no path and are there once.
    let teams: Vec<_> = scene.textures.as_slice()[6..8]
        .iter()
        .map(|it| (it.path.as_str(), it.replaceable, it.repeat))
        .collect();
    let (color, bright) = (Some(Replaceable::TeamColor), Some(Replaceable::TeamGlow));
    assert_eq!(teams, [("", color, [true, false]), ("", bright, [true, false])]);
    assert_eq!((scene.textures.len(), scene.textures.as_slice()[4].replaceable), (9, None));
    let book = scene.materials.as_slice()[0].layers[6].textures[0].clone();
    // What does not exist is the first.
    assert_eq!((book.texture, book.flipbook.unwrap().values), (Some(Id::new(6)), vec![7, 6, 0]));
    assert_eq!(scene.emitters.as_slice()[0].texture, Some(Id::new(8)));
    assert!(paths(Shelving::Warcraft, true).0[..6].iter().all(|(_, path)| path.ends_with(".dds")));
    // World of Warcraft has no teams, and adds colours as they are.
    let (list, _) = paths(Shelving::World, false);
    assert_eq!(
        list[6..],
        [(6, "in\\Gro_er_Wolf_1.blp".to_owned()), (7, "in\\Gro_er_Wolf_team.blp".to_owned())]
    );
    // From an older version of it paths stay, and numbers too.
    let (list, scene) = paths(Shelving::WorldAgain, false);
    let kept: Vec<&str> = list.iter().map(|(_, path)| path.as_str()).collect();
    assert_eq!(kept[..4], ["skin.blp", "Skin.tga", "..\\a/b c\\sk.in.blp", "a/b_c/sk_in.png"]);
    let numbered = &scene.textures.as_slice()[4];
    assert_eq!((numbered.path.as_str(), numbered.replaceable), ("", Some(Replaceable::Other(11))));
    made.name = "\u{df}".repeat(70);
    assert_eq!(ascii(&made.name), "_".repeat(64));
}

#[test]
fn one_file_is_written_once_and_numbers_come_before_what_the_game_reads_in_names() {
    let mut made = scene(Vec::new());
    made.textures = Arena::default();
    let list = [
        ("a\\Skin.blp", [true; 2]),
        ("A/skin.blp", [true; 2]),
        ("a\\skin.BLP", [false; 2]),
        ("bumps_normal.png", [true; 2]),
        ("Bumps_Normal.tga", [true; 2]),
        ("bumps_2_normal.png", [true; 2]),
        ("", [true; 2]),
        ("", [true; 2]),
    ];
    for (path, repeat) in list {
        made.textures.push(Texture { path: path.to_owned(), replaceable: None, repeat });
    }
    made.materials.as_mut_slice()[0].layers = (0..8).map(|texture| layer(texture, Blend::Opaque)).collect();
    let list: Vec<(usize, String)> = textures(&mut made, "in", Shelving::Warcraft)
        .into_iter()
        .map(|it| (it.source.index(), it.path))
        .collect();
    let files = [
        (0, "in\\a\\Skin.blp"),
        (3, "in\\Wolf_bumps_normal.blp"),
        (4, "in\\Wolf_Bumps_2_Normal.blp"),
        // The number that it would have is taken.
        (5, "in\\Wolf_bumps_2_2_normal.blp"),
        (6, "in\\Wolf_0.blp"),
        (7, "in\\Wolf_0_2.blp"),
    ];
    assert_eq!(list, files.map(|(source, path)| (source, path.to_owned())));
    let used: Vec<usize> = made.materials.as_slice()[0]
        .layers
        .iter()
        .map(|layer| layer.textures[0].texture.unwrap().index())
        .collect();
    // The same file in two textures, since one of them does not repeat.
    assert_eq!(used, [0, 0, 1, 2, 3, 4, 5, 6]);
    let own = &made.textures.as_slice()[..2];
    assert_eq!((own[0].path.as_str(), own[0].repeat), ("in\\a\\Skin.blp", [true; 2]));
    assert_eq!((own[1].path.as_str(), own[1].repeat), ("in\\a\\Skin.blp", [false; 2]));
}

#[test]
fn the_alpha_of_maps_is_not_an_opacity() {
    let mut made = scene(vec![layer(0, Blend::AlphaKey)]);
    let first = &mut made.materials.as_mut_slice()[0].layers[0];
    first.alpha_test = 0.5;
    for role in [Role::Normal, Role::Orm, Role::Emissive, Role::Second] {
        first.textures.push(LayerTexture { role, ..first.textures[0].clone() });
    }
    let list = textures(&mut made, "in", Shelving::Warcraft);
    let found: Vec<(&str, AlphaChange)> = list.iter().map(|it| (it.path.as_str(), it.alpha)).collect();
    assert_eq!(
        found,
        [
            ("in\\Creature\\Wolf\\Skin_key128.blp", AlphaChange::Test(128, 192)),
            ("in\\Creature\\Wolf\\Skin.blp", AlphaChange::Data),
        ]
    );
}
