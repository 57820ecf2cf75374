use super::super::tests::{layer, scene};
use super::*;
use effigy_scene::{ParticleEmitter, Track};

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
