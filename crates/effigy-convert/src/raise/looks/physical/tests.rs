use super::super::tests::{layer, said, scene};
use super::super::{LookRules, looks};
use super::*;
use effigy_scene::{Animated, Coordinates, Scene};

fn map(role: Role, texture: u32) -> LayerTexture {
    LayerTexture { role, texture: Some(Id::new(texture)), ..LayerTexture::default() }
}

/// Paths of textures to write, and their pixels where the source has none.
type Files = Vec<(String, [u8; 4])>;

/// A material with these layers after the pass, with the textures to write and the notes.
fn made(layers: Vec<Layer>) -> (Scene, Files, Vec<String>) {
    let mut scene = scene(layers);
    let material = &mut scene.materials.as_mut_slice()[0];
    (material.name, material.physical) = ("steel".to_owned(), true);
    let mut report = Report::default();
    let list = looks(&mut scene, LookRules { physical: true, lods: true, folder: "in" }, &mut report);
    (scene, list.into_iter().map(|it| (it.path, it.fill)).collect(), said(&report))
}

fn with(maps: Vec<LayerTexture>) -> Layer {
    Layer { textures: maps, ..Layer::default() }
}

fn roles(scene: &Scene) -> Vec<Role> {
    let layers = &scene.materials.as_slice()[0].layers;
    assert_eq!(layers.len(), 1);
    layers[0].textures.iter().map(|it| it.role).collect()
}

#[test]
fn maps_that_are_missing_are_plain() {
    let all = vec![map(Role::Base, 0), map(Role::Normal, 1), map(Role::Orm, 2)];
    let white = [255; 4];
    let rough = "steel: it has no roughness map and is rough and without metal";
    let (base, bumps, rest) = ("in\\Creature\\Wolf\\Skin.dds", "in\\Wolf_glow.dds", "in\\Wolf_11.dds");
    for (maps, files, note) in [
        (all.clone(), vec![(base, white), (bumps, white), (rest, white)], None),
        (
            vec![all[0].clone(), all[2].clone()],
            vec![(base, white), (rest, white), ("in\\Wolf_flat_normal.dds", [128, 128, 255, 255])],
            None,
        ),
        (
            all[..2].to_vec(),
            // The mask of the player's colour is 0.
            vec![(base, white), (bumps, white), ("in\\Wolf_rough_orm.dds", [255, 255, 0, 0])],
            Some(rough),
        ),
        (
            vec![LayerTexture { texture: None, ..map(Role::Base, 0) }, all[1].clone(), all[2].clone()],
            vec![(bumps, white), (rest, white), ("in\\Wolf_white.dds", white)],
            None,
        ),
    ] {
        let (scene, list, notes) = made(vec![with(maps)]);
        let list: Vec<(&str, [u8; 4])> = list.iter().map(|(path, fill)| (path.as_str(), *fill)).collect();
        assert_eq!((list, notes), (files, Vec::from_iter(note.map(str::to_owned))));
        assert!(scene.materials.as_slice()[0].physical);
        let mut found = roles(&scene);
        found.sort_by_key(|role| [Role::Base, Role::Normal, Role::Orm].iter().position(|it| it == role));
        assert_eq!(found, [Role::Base, Role::Normal, Role::Orm]);
    }
}

#[test]
fn light_of_its_own_is_a_map_of_the_same_layer() {
    let maps = || with(vec![map(Role::Base, 0), map(Role::Normal, 0), map(Role::Orm, 0)]);
    let glow = |color: [f32; 3], textures: Vec<LayerTexture>| Layer {
        blend: Blend::Add,
        unlit: true,
        color: Animated::fixed(color),
        textures,
        ..Layer::default()
    };
    let emissive = |scene: &Scene| {
        assert_eq!(roles(scene), [Role::Base, Role::Normal, Role::Orm, Role::Emissive]);
        let layer = &scene.materials.as_slice()[0].layers[0];
        let path = scene.textures.get(layer.textures[3].texture.unwrap()).unwrap().path.clone();
        (path, layer.emissive_gain.base)
    };
    let (scene, _, notes) = made(vec![maps(), glow([1.0; 3], vec![map(Role::Base, 1)])]);
    assert_eq!((emissive(&scene), notes.len()), (("in\\Wolf_glow.dds".to_owned(), 1.0), 0));
    // Half as bright as a screen shows it is 0.2140 of the light (IEC 61966-2-1).
    let (scene, _, notes) = made(vec![maps(), glow([0.5; 3], vec![map(Role::Base, 1)])]);
    assert!((emissive(&scene).1 - 0.2140).abs() < 1e-4 && notes.is_empty());
    let (scene, _, notes) = made(vec![maps(), glow([1.0, 0.5, 0.0], vec![map(Role::Base, 1)])]);
    assert_eq!(emissive(&scene).1, 1.0);
    assert_eq!(notes, ["steel: its light has the colour of the texture only"]);
    // Without a texture its colour becomes one.
    let (scene, list, notes) = made(vec![maps(), glow([1.0, 0.5, 0.0], vec![])]);
    assert_eq!((emissive(&scene), notes.len()), (("in\\Wolf_glow_ff8000.dds".to_owned(), 1.0), 0));
    assert_eq!(list[list.len() - 1], ("in\\Wolf_glow_ff8000.dds".to_owned(), [255, 128, 0, 255]));
}

#[test]
fn what_the_shader_cannot_draw_becomes_classic() {
    let maps = with(vec![map(Role::Base, 0), map(Role::Normal, 1), map(Role::Orm, 2)]);
    let glow = Layer { blend: Blend::Add, unlit: true, ..layer(1, Blend::Add) };
    let moving = Animated { track: Some(effigy_scene::Track::linear(vec![0], vec![0.5], 1.0)), base: 1.0 };
    for second in [
        layer(1, Blend::Alpha),
        Layer { unlit: false, ..glow.clone() },
        Layer { alpha: moving, ..glow.clone() },
    ] {
        let (scene, _, notes) = made(vec![maps.clone(), second]);
        let material = &scene.materials.as_slice()[0];
        assert_eq!((material.physical, material.layers.len()), (false, 2));
        assert!(notes[0].ends_with("drawn by the classic one"), "{notes:?}");
    }
}

#[test]
fn maps_have_one_place() {
    let mut normal = map(Role::Normal, 1);
    normal.coordinates = Coordinates::Set(1);
    let (_, _, notes) = made(vec![with(vec![map(Role::Base, 0), normal, map(Role::Orm, 2)])]);
    assert_eq!(notes, ["steel: its maps are placed like its colour"]);
}
