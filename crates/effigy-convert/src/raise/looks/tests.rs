use super::*;
use crate::raise::AlphaChange;
use effigy_scene::{Replaceable, Texture, Track};

fn layer(texture: u32, blend: Blend) -> Layer {
    let texture = LayerTexture { texture: Some(Id::new(texture)), ..LayerTexture::default() };
    Layer { blend, textures: vec![texture], ..Layer::default() }
}

fn scene(layers: Vec<Layer>) -> Scene {
    let mut scene = Scene { name: "Wolf".to_owned(), ..Scene::default() };
    for path in ["Creature\\Wolf\\Skin.blp", "glow.blp"] {
        scene.textures.push(Texture { path: path.to_owned(), ..Texture::default() });
    }
    scene.textures.push(Texture { replaceable: Some(Replaceable::Other(11)), ..Texture::default() });
    let material = scene.materials.push(Material { layers, ..Material::default() });
    let mut mesh = Mesh::new("m");
    mesh.positions = vec![[0.0; 3]; 3];
    mesh.indices = vec![0, 1, 2];
    mesh.material = Some(material);
    scene.meshes.push(mesh);
    scene
}

fn run(scene: &mut Scene) -> (Vec<RaisedTexture>, Report) {
    let mut report = Report::default();
    let rules = LookRules { physical: false, lods: false, folder: "war3mapImported" };
    let list = looks(scene, rules, &mut report);
    (list, report)
}

#[test]
fn layers_of_different_colours_become_meshes_of_their_own() {
    let mut red = layer(0, Blend::Opaque);
    red.color = Animated::fixed([1.0, 0.0, 0.0]);
    red.color_alpha = Animated::fixed(0.5);
    let mut scene = scene(vec![red, layer(1, Blend::AddAlpha), layer(0, Blend::Alpha)]);
    let (_, report) = run(&mut scene);
    let meshes = scene.meshes.as_slice();
    assert_eq!(meshes.len(), 2);
    assert_eq!((meshes[0].color.base, meshes[0].alpha.base), ([1.0, 0.0, 0.0], 0.5));
    assert_eq!((meshes[1].color.base, meshes[1].alpha.base), ([1.0; 3], 1.0));
    let counts: Vec<usize> =
        meshes.iter().map(|mesh| scene.materials.get(mesh.material.unwrap()).unwrap().layers.len()).collect();
    assert_eq!(counts, [1, 2]);
    assert!(report.notes().iter().any(|note| note.message.contains("repeated")));
}

#[test]
fn added_and_cut_out_textures_get_files_of_their_own() {
    let key = Layer { alpha_test: 224.0 / 255.0, ..layer(2, Blend::AlphaKey) };
    // Another limit of another model makes another file.
    let other = Layer { alpha_test: 0.5, ..layer(2, Blend::AlphaKey) };
    let mut scene = scene(vec![layer(0, Blend::Opaque), layer(0, Blend::Add), key, other]);
    let (list, _) = run(&mut scene);
    let found: Vec<(usize, &str, AlphaChange)> =
        list.iter().map(|it| (it.source.index(), it.path.as_str(), it.alpha)).collect();
    assert_eq!(
        found,
        [
            (0, "war3mapImported\\Creature\\Wolf\\Skin.blp", AlphaChange::Keep),
            (0, "war3mapImported\\Creature\\Wolf\\Skin_opaque.blp", AlphaChange::Opaque),
            (2, "war3mapImported\\Wolf_11_key.blp", AlphaChange::Test(224, 192)),
            (2, "war3mapImported\\Wolf_11_key128.blp", AlphaChange::Test(128, 192)),
        ]
    );
    assert_eq!(scene.textures.len(), 4);
}

#[test]
fn a_second_texture_becomes_a_layer() {
    let mut both = layer(0, Blend::Opaque);
    both.textures.push(LayerTexture {
        role: Role::Second,
        texture: Some(Id::new(1)),
        coordinates: Coordinates::Ball,
        combine: Combine::Modulate2x,
        ..LayerTexture::default()
    });
    let mut scene = scene(vec![both]);
    run(&mut scene);
    let layers = &scene.materials.as_slice()[0].layers;
    assert_eq!(layers.len(), 2);
    assert_eq!(
        (layers[1].blend, layers[1].textures[0].coordinates),
        (Blend::Modulate2x, Coordinates::Sphere)
    );
    assert_eq!((layers[1].textures.len(), layers[1].textures[0].role), (1, Role::Base));
    // What is nearly clear is not drawn: the game tests against 4 of 255.
    assert_eq!((layers[1].alpha_test, layers[1].unlit, layers[0].alpha_test), (4.0 / 255.0, true, 0.0));
}

#[test]
fn a_shift_is_scaled_where_the_order_asks_for_it() {
    let mut scene = scene(vec![layer(0, Blend::Opaque)]);
    let mut transform =
        TextureTransform { order: TransformOrder::MoveScaleRotate, ..TextureTransform::default() };
    transform.translation.track =
        Some(Track::linear(vec![0, 100], vec![[0.0; 3], [0.25, 0.5, 0.0]], [0.0; 3]));
    transform.scale.track = Some(Track::linear(vec![0], vec![[2.0, 4.0, 1.0]], [1.0; 3]));
    scene.texture_transforms.push(transform);
    run(&mut scene);
    let transform = &scene.texture_transforms.as_slice()[0];
    assert_eq!(transform.translation.track.as_ref().unwrap().values, [[0.0; 3], [0.5, 2.0, 0.0]]);
}

#[test]
fn the_order_of_texture_transforms_is_changed_or_reported() {
    let track = |values: Vec<[f32; 3]>| Some(Track::linear(vec![0, 1000], values, [1.0; 3]));
    let turning = Track::linear(
        vec![0, 1000],
        vec![effigy_scene::Rotation::IDENTITY, effigy_scene::Rotation([0.0, 0.0, 1.0, 0.0])],
        effigy_scene::Rotation::IDENTITY,
    );
    let changed = |shifts: bool, turns: bool, scale: Option<Track<[f32; 3]>>| {
        let mut scene = scene(vec![layer(0, Blend::Opaque)]);
        let mut made =
            TextureTransform { order: TransformOrder::MoveScaleRotate, ..TextureTransform::default() };
        made.translation.track = track(vec![[0.0; 3], [1.0, 2.0, 3.0]]).filter(|_| shifts);
        made.rotation.track = Some(turning.clone()).filter(|_| turns);
        made.scale.track = scale;
        let id = scene.texture_transforms.push(made);
        scene.materials.as_mut_slice()[0].layers[0].textures[0].transform = Some(id);
        let mut report = Report::default();
        transforms(&mut scene, &mut report);
        let made = scene.texture_transforms.as_slice()[0].clone();
        assert_eq!(made.order, TransformOrder::RotateScaleMove);
        let last = made.translation.track.map(|track| track.values[1]);
        (last, report.notes().first().map(|note| note.message.to_string()).unwrap_or_default())
    };
    let (even, growing) = (track(vec![[2.0, 3.0, 1.0]; 2]), track(vec![[1.0; 3], [2.0; 3]]));
    // A shift alone is the same in both orders; before a scale that does not change it counts that many times.
    assert_eq!(changed(true, false, None), (Some([1.0, 2.0, 3.0]), String::new()));
    assert_eq!(changed(true, false, even), (Some([2.0, 6.0, 3.0]), String::new()));
    let (_, text) = changed(true, true, None);
    assert!(text.starts_with("it shifts, turns and scales"), "{text}");
    let (_, text) = changed(true, false, growing.clone());
    assert!(text.starts_with("it shifts, turns and scales"), "{text}");
    let (_, text) = changed(false, true, growing.clone());
    assert!(text.starts_with("it turns and scales"), "{text}");
    assert_eq!(changed(false, true, None).1, "");
    assert_eq!(changed(false, false, growing).1, "");
}

#[test]
fn fixed_scales_and_turns_move_texels_as_before() {
    use effigy_scene::sample::texture_matrix;
    let (half, sin) = (std::f32::consts::FRAC_PI_4.cos(), std::f32::consts::FRAC_PI_4.sin());
    let mut scene = scene(vec![layer(0, Blend::Opaque)]);
    let mut fixed =
        TextureTransform { order: TransformOrder::MoveScaleRotate, ..TextureTransform::default() };
    fixed.translation = Animated::fixed([0.25, 0.5, 0.0]);
    fixed.rotation = Animated::fixed(effigy_scene::Rotation([0.0, 0.0, sin, half]));
    fixed.scale = Animated::fixed([2.0, 2.0, 1.0]);
    scene.texture_transforms.push(fixed);
    let mut report = Report::default();
    transforms(&mut scene, &mut report);
    let made = &scene.texture_transforms.as_slice()[0];
    let [x, y, _] = made.translation.base;
    // A quarter turn of (0.5, 1).
    assert!((x + 1.0).abs() < 1e-6 && (y - 0.5).abs() < 1e-6, "{x} {y}");
    let turn = std::f32::consts::FRAC_PI_2;
    let before = texture_matrix(TransformOrder::MoveScaleRotate, [0.25, 0.5], turn, [2.0; 2]);
    let after = texture_matrix(made.order, [x, y], turn, [2.0; 2]);
    for (a, b) in before.as_flattened().iter().zip(after.as_flattened()) {
        assert!((a - b).abs() < 1e-6, "{before:?} {after:?}");
    }
    assert!(report.is_empty(), "{report}");
}

#[test]
fn a_second_texture_becomes_a_layer_where_a_blend_does_the_same() {
    let made = |role, combine, over_opaque| {
        second_blend(&LayerTexture { role, combine, ..LayerTexture::default() }, over_opaque)
    };
    for (combine, over_opaque, over_others) in [
        (Combine::Add, Some(Blend::Add), Some(Blend::Add)),
        (Combine::AddColor, Some(Blend::Add), Some(Blend::Add)),
        (Combine::Decal, Some(Blend::Alpha), Some(Blend::Alpha)),
        (Combine::Fade, Some(Blend::Alpha), Some(Blend::Alpha)),
        (Combine::Modulate, Some(Blend::Modulate), None),
        (Combine::ModulateColor, Some(Blend::Modulate), None),
        (Combine::Modulate2x, Some(Blend::Modulate2x), None),
        (Combine::Modulate2xColor, Some(Blend::Modulate2x), None),
    ] {
        assert_eq!(made(Role::Second, combine, true), over_opaque, "{combine:?}");
        assert_eq!(made(Role::Second, combine, false), over_others, "{combine:?}");
        assert_eq!(made(Role::Emissive, combine, false), Some(Blend::AddAlpha), "{combine:?}");
    }
}

#[test]
fn world_of_warcraft_has_the_colour_of_the_first_player_where_there_is_one() {
    let mut made = scene(vec![layer(0, Blend::Opaque)]);
    let says = |scene: &mut Scene| {
        let mut report = Report::default();
        world::looks(scene, "Creature", false, &mut report);
        report.notes().iter().any(|note| note.message.contains("first player"))
    };
    assert!(!says(&mut made));
    for color in [Replaceable::TeamColor, Replaceable::TeamGlow] {
        let mut made = scene(vec![layer(0, Blend::Opaque)]);
        made.textures.push(Texture { replaceable: Some(color), ..Texture::default() });
        made.textures.push(Texture { replaceable: Some(color), ..Texture::default() });
        assert!(says(&mut made), "{color:?}");
    }
}
