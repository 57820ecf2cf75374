//! What a repair leaves: the exact values, and that nothing else changes.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use effigy_scene::sample::{Mixed, Moment, Sampler};
use effigy_scene::{
    Animated, Camera, Event, Extras, Frame, GlobalSequence, Id, Influence, Interpolation, Layer,
    LayerTexture, Material, Mesh, Morph, Node, NodeKind, ParticleEmitter, Ribbon, RibbonGravity, Scene,
    Sequence, Skin, Texture, Track, repair, validate,
};
use effigy_wire::Report;

const NAN: f32 = f32::NAN;

/// A scene of two nodes, two textures, a material and a mesh of four vertices.
fn scene() -> Scene {
    let mut scene = Scene::default();
    scene.sequences.push(Sequence { end: 1000, ..Sequence::default() });
    let root = scene.nodes.push(Node::new("root", NodeKind::Bone, None, [0.0; 3]));
    scene.nodes.push(Node::new("child", NodeKind::Bone, Some(root), [0.0; 3]));
    for _ in 0..2 {
        scene.textures.push(Texture::default());
    }
    let texture = LayerTexture { texture: Some(Id::new(1)), ..LayerTexture::default() };
    let layers = vec![Layer { textures: vec![texture], ..Layer::default() }];
    scene.materials.push(Material { layers, ..Material::default() });
    scene.meshes.push(Mesh {
        positions: vec![[1.0; 3]; 4],
        indices: vec![0, 1, 2, 2, 1, 3],
        material: Some(Id::new(0)),
        ..Mesh::new("mesh")
    });
    scene
}

fn repaired(change: impl FnOnce(&mut Scene)) -> (Scene, usize) {
    let (mut scene, mut report) = (scene(), Report::default());
    change(&mut scene);
    repair(&mut scene, &mut report);
    (scene, report.notes().len())
}

/// A repaired track of a node's translation.
fn track(track: Track<[f32; 3]>) -> Option<Track<[f32; 3]>> {
    let (scene, _) = repaired(|scene| scene.nodes.as_mut_slice()[0].translation.track = Some(track));
    scene.nodes.as_slice()[0].translation.track.clone()
}

#[test]
fn keys_are_sorted_with_their_values_and_tangents() {
    let values = vec![[5.0; 3], [1.0; 3], [3.0; 3]];
    let tangents = vec![[[50.0; 3], [51.0; 3]], [[10.0; 3], [11.0; 3]], [[30.0; 3], [31.0; 3]]];
    let mixed = Track {
        interpolation: Interpolation::Hermite,
        tangents,
        windows: vec![[0, 2]],
        ..Track::linear(vec![500, 100, 300], values, [0.0; 3])
    };
    let sorted = track(mixed).unwrap();
    assert_eq!(sorted.times, [100, 300, 500]);
    assert_eq!(sorted.values, [[1.0; 3], [3.0; 3], [5.0; 3]]);
    assert_eq!(sorted.tangents, [[[10.0; 3], [11.0; 3]], [[30.0; 3], [31.0; 3]], [[50.0; 3], [51.0; 3]]]);
    assert!(sorted.windows.is_empty());
}

#[test]
fn keys_without_a_value_are_left_out_and_wrong_numbers_are_the_default() {
    let short = track(Track::linear(vec![0, 10, 20], vec![[1.0; 3], [2.0, NAN, 2.0]], [7.0; 3])).unwrap();
    assert_eq!((short.times, short.values), (vec![0, 10], vec![[1.0; 3], [7.0; 3]]));
    let spline =
        Track { interpolation: Interpolation::Bezier, ..Track::linear(vec![0], vec![[1.0; 3]], [NAN; 3]) };
    let spline = track(spline).unwrap();
    assert_eq!((spline.tangents, spline.default), (vec![[[0.0; 3]; 2]], [0.0; 3]));
    let straight =
        Track { tangents: vec![[[1.0; 3]; 2]], ..Track::linear(vec![3, 2], vec![[1.0; 3]; 2], [0.0; 3]) };
    assert!(track(straight).unwrap().tangents.is_empty());
    assert_eq!(track(Track::linear(vec![5], vec![], [0.0; 3])), None);
    let lost = Track { global: Some(Id::new(0)), ..Track::linear(vec![5], vec![[1.0; 3]], [0.0; 3]) };
    assert_eq!(track(lost).unwrap().global, None);
    let (base, notes) = repaired(|scene| scene.nodes.as_mut_slice()[1].translation.base = [NAN; 3]);
    assert_eq!((base.nodes.as_slice()[1].translation.base, notes), ([0.0; 3], 1));
}

#[test]
fn windows_end_at_the_last_key_and_every_sequence_has_one() {
    let wide = Track { windows: vec![[3, 9]], ..Track::linear(vec![0, 10], vec![[0.0; 3]; 2], [0.0; 3]) };
    assert_eq!(track(wide).unwrap().windows, [[1, 1]]);
    let (scene, _) = repaired(|scene| {
        scene.sequences.push(Sequence { start: 2000, end: 3000, ..Sequence::default() });
        let one = Track { windows: vec![[0, 0]], ..Track::linear(vec![0, 10], vec![[0.0; 3]; 2], [0.0; 3]) };
        scene.nodes.as_mut_slice()[0].translation.track = Some(one);
    });
    assert_eq!(scene.nodes.as_slice()[0].translation.track.as_ref().unwrap().windows, [[0, 0], [0, 1]]);
}

#[test]
fn a_circle_is_opened_at_one_place() {
    let (scene, notes) = repaired(|scene| {
        let third = scene.nodes.push(Node::new("third", NodeKind::Bone, Some(Id::new(1)), [0.0; 3]));
        scene.nodes.as_mut_slice()[0].parent = Some(third);
    });
    let parents: Vec<_> = scene.nodes.iter().map(|(_, node)| node.parent.map(Id::index)).collect();
    // From the root over the third node to the child, whose parent would be the root again.
    assert_eq!((parents, notes), (vec![Some(2), None, Some(1)], 1));
}

#[test]
fn triangles_of_missing_vertices_are_left_out_and_the_others_stay() {
    let (scene, notes) = repaired(|scene| scene.meshes.as_mut_slice()[0].indices = vec![0, 1, 4, 1, 2, 3, 0]);
    assert_eq!((&scene.meshes.as_slice()[0].indices, notes), (&vec![1, 2, 3], 1));
}

#[test]
fn short_lists_of_a_mesh_are_filled_up() {
    let (scene, notes) = repaired(|scene| {
        let mesh = &mut scene.meshes.as_mut_slice()[0];
        mesh.normals = vec![[1.0, NAN, 0.0]];
        mesh.tangents = vec![[1.0; 4]];
        mesh.uvs = vec![vec![[0.5, f32::INFINITY]], vec![[0.25; 2]; 4]];
        let frame = Frame { positions: vec![[NAN, 2.0, 2.0]], normals: vec![] };
        mesh.morph = Some(Morph { frames: vec![frame], order: Track::linear(vec![0], vec![0], 0) });
    });
    let mesh = &scene.meshes.as_slice()[0];
    let up = [0.0, 0.0, 1.0];
    assert_eq!(mesh.normals, [[1.0, 0.0, 0.0], up, up, up]);
    assert!(mesh.tangents.is_empty());
    assert_eq!(mesh.uvs, [vec![[0.5, 0.0], [0.0; 2], [0.0; 2], [0.0; 2]], vec![[0.25; 2]; 4]]);
    let frame = &mesh.morph.as_ref().unwrap().frames[0];
    assert_eq!(frame.positions, [[0.0, 2.0, 2.0], [0.0; 3], [0.0; 3], [0.0; 3]]);
    assert_eq!(frame.normals, [up; 4]);
    assert_eq!(notes, 4);
}

#[test]
fn vertices_without_a_sound_influence_stay_where_they_are() {
    let (scene, notes) = repaired(|scene| {
        let mut skin = Skin::default();
        let one = |node, weight| Influence { node: Id::new(node), weight };
        skin.push_group([one(0, 0.5), one(2, 0.5)]);
        skin.push_group([one(1, -1.0), one(1, NAN)]);
        skin.push_group([one(1, 1.0)]);
        skin.vertex_groups = vec![0, 1, 7];
        scene.meshes.as_mut_slice()[0].skin = Some(skin);
    });
    let skin = scene.meshes.as_slice()[0].skin.as_ref().unwrap();
    let nodes =
        |group: u32| skin.group(group).iter().map(|one| (one.node.index(), one.weight)).collect::<Vec<_>>();
    assert_eq!((nodes(0), nodes(1), nodes(2), nodes(3)), (vec![(0, 0.5)], vec![], vec![(1, 1.0)], vec![]));
    assert_eq!((&skin.vertex_groups, notes), (&vec![0, 1, 3, 3], 2));
}

#[test]
fn flipbooks_and_textures_that_exist_are_kept() {
    let flipbook = |values: Vec<u32>| Some(Track::linear(vec![0; values.len()], values, 0));
    let (scene, notes) = repaired(|scene| {
        let layers = &mut scene.materials.as_mut_slice()[0].layers;
        let texture = |texture, flipbook| LayerTexture {
            texture: Some(Id::new(texture)),
            flipbook,
            ..LayerTexture::default()
        };
        layers[0].textures = vec![
            texture(1, flipbook(vec![0, 1])),
            texture(2, flipbook(vec![0, 2])),
            texture(0, flipbook(vec![])),
        ];
    });
    let textures = &scene.materials.as_slice()[0].layers[0].textures;
    let found = textures.iter().map(|it| (it.texture.map(Id::index), it.flipbook.is_some()));
    assert_eq!(found.collect::<Vec<_>>(), [(Some(1), true), (None, false), (Some(0), false)]);
    assert_eq!(notes, 3);
}

#[test]
fn fixtures_keep_their_place_if_their_node_exists() {
    let event = |node, x: f32| Event {
        name: format!("{node}"),
        data: 0,
        node: Id::new(node),
        position: [x, 1.0, 1.0],
        times: vec![9, 3],
        global: Some(Id::new(0)),
    };
    let (scene, notes) = repaired(|scene| {
        for (node, x) in [(0, 1.0), (2, 1.0), (1, NAN)] {
            scene.events.push(event(node, x));
        }
    });
    let found: Vec<_> = scene.events.iter().map(|(_, it)| (it.name.as_str(), it.position)).collect();
    assert_eq!(found, [("0", [1.0; 3]), ("1", [0.0; 3])]);
    assert!(scene.events.iter().all(|(_, it)| it.times == [3, 9] && it.global.is_none()));
    assert_eq!(notes, 1);
    // A clock that exists is kept.
    let (scene, _) = repaired(|scene| {
        scene.global_sequences.push(GlobalSequence { length: 100 });
        scene.events.push(event(0, 1.0));
        scene.events.push(Event { global: Some(Id::new(1)), ..event(1, 1.0) });
    });
    let clocks: Vec<_> = scene.events.iter().map(|(_, it)| it.global.map(Id::index)).collect();
    assert_eq!(clocks, [Some(0), None]);
}

#[test]
fn a_sort_point_and_a_gate_stay_if_they_exist() {
    let point = |node| Some(effigy_scene::SortPoint { node: Id::new(node), point: [1.0; 3], shift: 2.0 });
    for (number, stays) in [(1, true), (2, false)] {
        let (scene, _) = repaired(|scene| scene.meshes.as_mut_slice()[0].sort = point(number));
        assert_eq!(scene.meshes.as_slice()[0].sort, point(number).filter(|_| stays));
    }
    for (number, stays) in [(0, true), (1, false)] {
        let (scene, _) = repaired(|scene| scene.nodes.as_mut_slice()[1].gate = Some(Id::new(number)));
        assert_eq!(scene.nodes.as_slice()[1].gate, stays.then(|| Id::new(number)));
    }
}

#[test]
fn fractions_are_as_many_as_keys_and_within_half_a_millisecond() {
    let keys = |fractions: Vec<f32>| Track {
        fractions,
        ..Track::linear(vec![100, 200, 300, 400], vec![[1.0; 3], [2.0; 3], [3.0; 3], [4.0; 3]], [0.0; 3])
    };
    // Half a millisecond is allowed, so nothing is repaired.
    let fine = vec![0.5, -0.5, 0.25, 0.0];
    let (_, notes) =
        repaired(|scene| scene.nodes.as_mut_slice()[0].translation.track = Some(keys(fine.clone())));
    assert_eq!((track(keys(fine.clone())).unwrap().fractions, notes), (fine, 0));
    assert_eq!(track(keys(vec![0.75, NAN, 0.5, -0.6])).unwrap().fractions, [0.0, 0.0, 0.5, 0.0]);
    assert_eq!(track(keys(vec![0.25, -0.5])).unwrap().fractions, [0.25, -0.5, 0.0, 0.0]);
}

#[test]
fn references_to_the_first_thing_that_is_missing_are_removed_and_others_stay() {
    let node = Id::new(0);
    let emitter = |texture: u32| ParticleEmitter {
        texture: Some(Id::new(texture)),
        ..ParticleEmitter::new("Smoke", node)
    };
    let ribbon = |material: u32| Ribbon {
        name: "Trail".into(),
        node,
        position: [0.0; 3],
        above: 1.0.into(),
        below: 1.0.into(),
        alpha: 1.0.into(),
        color: [1.0; 3].into(),
        slot: Animated::fixed(0),
        visibility: 1.0.into(),
        lifespan: 1.0,
        rate: 10.0,
        cells: [1, 1],
        material: Some(Id::new(material)),
        gravity: 0.0,
        gravity_direction: RibbonGravity::Down,
        extras: Extras::default(),
    };
    let (scene, _) = repaired(|scene| {
        for number in 0..4 {
            scene.emitters.push(emitter(number));
            scene.ribbons.push(ribbon(number));
        }
    });
    // There are two textures and one material.
    let textures: Vec<bool> = scene.emitters.as_slice().iter().map(|it| it.texture.is_some()).collect();
    assert_eq!(textures, [true, true, false, false]);
    let materials: Vec<bool> = scene.ribbons.as_slice().iter().map(|it| it.material.is_some()).collect();
    assert_eq!(materials, [true, false, false, false]);
}

#[test]
fn a_valid_scene_is_a_scene_again() {
    let scene = scene();
    assert_eq!(validate(scene.clone()).unwrap().into_scene(), scene);
}

#[test]
fn times_between_milliseconds_are_added_with_zeros_for_those_before() {
    let mut track: Track<f32> = Track::linear(Vec::new(), Vec::new(), 0.0);
    track.push_time(1, 0.0);
    assert_eq!((track.times.as_slice(), track.fractions.as_slice()), (&[1][..], &[][..]));
    track.push_time(2, 0.25);
    track.push_time(3, 0.0);
    assert_eq!((track.times, track.fractions), (vec![1, 2, 3], vec![0.0, 0.25, 0.0]));
}

#[test]
fn all_keys_are_rounded_those_of_cameras_too() {
    let mut scene = scene();
    let keys = Track {
        fractions: vec![0.0, 0.5, 0.0],
        ..Track::linear(vec![0, 10, 20], vec![[0.0; 3], [21.0; 3], [0.0; 3]], [0.0; 3])
    };
    scene.cameras.push(Camera {
        name: "Eye".into(),
        position: [0.0; 3],
        target: [1.0, 0.0, 0.0],
        fov: 1.0,
        near: 1.0,
        far: 100.0,
        translation: Some(keys),
        target_translation: None,
        roll: None,
        extras: Extras::default(),
    });
    scene.round_times();
    let track = scene.cameras.as_slice()[0].translation.clone().unwrap();
    // Two a millisecond up to 10.5, then 21 in 9.5 milliseconds down: 20 at 10, and 21 less 21 / 19 at 11.
    assert_eq!((track.times, track.fractions), (vec![0, 10, 11, 20], vec![]));
    assert_eq!(track.values[1], [20.0; 3]);
    assert!((track.values[2][0] - (21.0 - 21.0 / 19.0)).abs() < 1e-4);
}

#[test]
fn matrices_of_groups_and_mixed_frames_are_those_of_the_pose() {
    let mut scene = scene();
    let keys = Track::linear(vec![0, 1000], vec![[0.0; 3], [4.0, 0.0, 8.0]], [0.0; 3]);
    scene.nodes.as_mut_slice()[0].translation = Animated { base: [0.0; 3], track: Some(keys) };
    let mesh = &mut scene.meshes.as_mut_slice()[0];
    let mut skin = Skin::default();
    for nodes in [&[0_u32][..], &[0, 1]] {
        let weight = 1.0 / nodes.len() as f32;
        skin.push_group(nodes.iter().map(|node| Influence { node: Id::new(*node), weight }));
    }
    skin.vertex_groups = vec![0, 1, 0, 1];
    mesh.skin = Some(skin);
    let mut film = Mesh::new("film");
    (film.positions, film.indices) = (vec![[0.0; 3]; 3], vec![0, 1, 2]);
    let frame = |x: f32| Frame { positions: vec![[x, 0.0, 0.0]; 3], ..Frame::default() };
    let order = Track::linear(vec![0, 1000], vec![1, 2], 0);
    film.morph = Some(Morph { frames: vec![frame(0.0), frame(1.0), frame(2.0)], order });
    scene.meshes.push(film);
    let scene = validate(scene).unwrap();
    let sampler = Sampler::new(&scene);
    let mut pose = sampler.pose();
    sampler.sample(&Moment::new(Id::new(0), 250.0), None, &mut pose);
    let [body, film] = scene.meshes.as_slice() else { panic!("two meshes") };
    let mut rows = Vec::new();
    sampler.groups(body, &pose, &mut rows);
    // The child follows the root: after a quarter of the way both groups are 1 and 2 away.
    let moved = [[1.0, 0.0, 0.0, 1.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 2.0]];
    assert_eq!(rows, [moved, moved]);
    assert_eq!(sampler.mixed(body, &pose), None);
    assert_eq!(sampler.mixed(film, &pose), Some(Mixed { from: 1, to: 2, t: 0.25 }));
}
