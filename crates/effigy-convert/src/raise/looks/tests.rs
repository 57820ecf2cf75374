use super::*;
use crate::raise::AlphaChange;
use effigy_scene::{Node, NodeKind, Replaceable, Texture, Track};

pub(super) fn layer(texture: u32, blend: Blend) -> Layer {
    let texture = LayerTexture { texture: Some(Id::new(texture)), ..LayerTexture::default() };
    Layer { blend, textures: vec![texture], ..Layer::default() }
}

pub(super) fn scene(layers: Vec<Layer>) -> Scene {
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

/// What the reports of a pass say.
pub(super) fn said(report: &Report) -> Vec<String> {
    report.notes().iter().map(|note| format!("{}: {}", note.path, note.message)).collect()
}

#[test]
fn only_what_is_drawn_stays_and_gates_follow_it() {
    for (lods, kept, dropped) in [
        (false, vec!["m", "near"], "meshes: 3 of 5 are hidden, empty or a coarser level of detail"),
        (true, vec!["m", "near", "far"], "meshes: 2 of 5 are hidden, empty or a coarser level of detail"),
    ] {
        let mut scene = scene(vec![layer(0, Blend::Opaque)]);
        let plain = scene.meshes.as_slice()[0].clone();
        let named = |name: &str| Mesh { name: name.to_owned(), ..plain.clone() };
        scene.meshes.push(Mesh { shown: false, ..named("hidden") });
        scene.meshes.push(Mesh { lod: Some(0), ..named("near") });
        scene.meshes.push(Mesh { indices: Vec::new(), ..named("empty") });
        scene.meshes.push(Mesh { lod: Some(1), ..named("far") });
        scene.meshes.as_mut_slice()[2].morph = Some(effigy_scene::Morph::default());
        for gate in 0..5 {
            let mut node = Node::new("n", NodeKind::Bone, None, [0.0; 3]);
            node.gate = Some(Id::new(gate));
            scene.nodes.push(node);
        }
        let mut report = Report::default();
        meshes(&mut scene, LookRules { physical: false, lods, folder: "" }, &mut report);
        let names: Vec<&str> = scene.meshes.as_slice().iter().map(|it| it.name.as_str()).collect();
        assert_eq!(names, kept);
        let gates: Vec<_> = scene.nodes.as_slice().iter().map(|it| it.gate.map(Id::index)).collect();
        assert_eq!(gates, [Some(0), None, Some(1), None, lods.then_some(2)]);
        let morphs = "meshes: 1 change their shape from frame to frame, which the format cannot hold";
        assert_eq!(said(&report), [dropped, morphs]);
        assert!(scene.meshes.as_slice().iter().all(|mesh| mesh.morph.is_none()));
    }
    let mut whole = scene(vec![layer(0, Blend::Opaque)]);
    assert_eq!(said(&run(&mut whole).1), Vec::<String>::new());
}

#[test]
fn a_physical_material_needs_a_game_that_has_it() {
    let mut made = scene(vec![layer(0, Blend::Opaque)]);
    let map = LayerTexture { role: Role::Normal, texture: Some(Id::new(1)), ..LayerTexture::default() };
    let material = &mut made.materials.as_mut_slice()[0];
    (material.name, material.physical) = ("steel".to_owned(), true);
    material.layers[0].textures.push(map);
    let note = "steel: classic materials have no normal, roughness and metal maps";
    let is_classic = |scene: &Scene| {
        let material = &scene.materials.as_slice()[0];
        !material.physical && material.layers[0].textures.len() == 1
    };
    let mut classic = made.clone();
    assert_eq!(said(&run(&mut classic).1), [note]);
    assert!(is_classic(&classic));
    let mut report = Report::default();
    world::looks(&mut made, "", false, &mut report);
    assert_eq!(said(&report), [note]);
    assert!(is_classic(&made));
}

#[test]
fn light_of_its_own_is_added_and_what_no_blend_does_is_reported() {
    let also = |role: Role, texture: Option<u32>, combine: Combine| LayerTexture {
        role,
        texture: texture.map(Id::new),
        combine,
        ..LayerTexture::default()
    };
    let found = |blend: Blend, second: LayerTexture| {
        let mut first = layer(0, blend);
        first.textures.push(second);
        let (mut material, mut report) = (
            Material { name: "m".to_owned(), layers: vec![first], ..Material::default() },
            Report::default(),
        );
        layers(&mut material, &mut report);
        let made: Vec<_> =
            material.layers.iter().map(|it| (it.blend, it.textures[0].texture.map(Id::index))).collect();
        (made, said(&report))
    };
    let (made, notes) = found(Blend::Alpha, also(Role::Emissive, Some(1), Combine::Modulate));
    assert_eq!(made, [(Blend::Alpha, Some(0)), (Blend::AddAlpha, Some(1))]);
    assert_eq!(notes.len(), 1);
    assert_eq!(
        found(Blend::Opaque, also(Role::Emissive, None, Combine::Add)),
        (vec![(Blend::Opaque, Some(0))], vec![])
    );
    let (made, notes) = found(Blend::Alpha, also(Role::Second, Some(1), Combine::Modulate));
    assert_eq!(made.len(), 1);
    assert_eq!(notes, ["m: a second texture that changes the transparency of the first"]);
    // Other maps are not drawn.
    assert_eq!(found(Blend::Opaque, also(Role::Normal, Some(1), Combine::Add)).0.len(), 1);
}

#[test]
fn colours_of_mesh_and_layer_are_multiplied_unless_both_change() {
    let moving = Animated {
        base: 0.5_f32,
        track: Some(Track { tangents: vec![[4.0, 6.0]], ..Track::linear(vec![7], vec![2.0], 3.0) }),
    };
    let expected = Animated {
        base: 0.25_f32,
        track: Some(Track { tangents: vec![[2.0, 3.0]], ..Track::linear(vec![7], vec![1.0], 1.5) }),
    };
    let fixed = Animated::fixed(0.5_f32);
    let times = |a: f32, b: f32| a * b;
    assert_eq!(both(&moving, &fixed, times), Some(expected.clone()));
    assert_eq!(both(&fixed, &moving, times), Some(expected));
    assert_eq!(both(&fixed, &fixed, times), Some(Animated::fixed(0.25)));
    assert_eq!(both(&moving, &moving, times), None);
    // On a mesh: the one that changes with the layer is not taken over, and that is said.
    let mut changing = layer(0, Blend::Opaque);
    changing.color_alpha = moving.clone();
    changing.color = Animated::fixed([0.5, 1.0, 0.25]);
    let mut scene = scene(vec![changing]);
    scene.meshes.as_mut_slice()[0].color = Animated::fixed([0.5; 3]);
    let mut double = scene.clone();
    assert_eq!(said(&run(&mut scene).1), Vec::<String>::new());
    assert_eq!(scene.meshes.as_slice()[0].color.base, [0.25, 0.5, 0.125]);
    assert_eq!(scene.meshes.as_slice()[0].alpha, moving);
    double.meshes.as_mut_slice()[0].alpha = moving;
    let notes = said(&run(&mut double).1);
    assert_eq!(notes, ["meshes: the layers of 1 have a changing colour besides that of the mesh"]);
}

#[test]
fn repeated_meshes_share_materials_and_ribbons_keep_theirs() {
    let mut red = layer(0, Blend::Opaque);
    red.color = Animated::fixed([1.0, 0.0, 0.0]);
    let mut scene = scene(vec![red, layer(1, Blend::Alpha)]);
    let mesh = scene.meshes.as_slice()[0].clone();
    scene.meshes.push(Mesh { material: None, ..mesh.clone() });
    scene.meshes.push(mesh);
    for gate in 0..3 {
        let mut node = Node::new("n", NodeKind::Bone, None, [0.0; 3]);
        node.gate = Some(Id::new(gate));
        scene.nodes.push(node);
    }
    let mut report = Report::default();
    split_colors(&mut scene, &mut report);
    let materials: Vec<_> = scene.meshes.as_slice().iter().map(|it| it.material.map(Id::index)).collect();
    assert_eq!(materials, [Some(0), Some(1), None, Some(0), Some(1)]);
    let gates: Vec<_> = scene.nodes.as_slice().iter().map(|it| it.gate.map(Id::index)).collect();
    assert_eq!(gates, [Some(0), Some(2), Some(3)]);
    assert_eq!(said(&report), ["meshes: 2 were repeated, since their layers have different colours"]);
    let layers = &scene.materials.as_slice()[0].layers;
    assert_eq!((scene.materials.len(), layers.len(), layers[0].color.base), (2, 1, [1.0; 3]));
}

#[test]
fn coordinates_that_layers_need_are_there() {
    let mut second = layer(0, Blend::Opaque);
    second.textures[0].coordinates = Coordinates::Set(3);
    let mut mirror = layer(1, Blend::Add);
    mirror.textures[0].coordinates = Coordinates::Room;
    let mut scene = scene(vec![second, mirror]);
    let mesh = scene.meshes.as_slice()[0].clone();
    scene.meshes.push(Mesh { material: None, ..mesh });
    let note = "materials: 1 textures use a third or later set of coordinates and get the second";
    assert_eq!(said(&run(&mut scene).1), [note]);
    let sets: Vec<usize> = scene.meshes.as_slice().iter().map(|it| it.uvs.len()).collect();
    assert_eq!(sets, [2, 1]);
    assert_eq!(scene.meshes.as_slice()[0].uvs[1], [[0.0; 2]; 3]);
    let found: Vec<Coordinates> = each_texture(&mut scene).map(|it| it.coordinates).collect();
    assert_eq!(found, [Coordinates::Set(1), Coordinates::Sphere]);
}
