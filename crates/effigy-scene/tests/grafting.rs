//! A scene that becomes part of another one.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, missing_docs)]

use effigy_scene::sample::{Moment, Sampler};
use effigy_scene::{
    Animated, Graft, Id, Interpolation, Layer, Material, Mesh, Node, NodeKind, ParticleEmitter, Play, Scene,
    Sequence, Track, graft, validate,
};

fn sequence(start: i32, end: i32) -> Sequence {
    Sequence { name: "Stand".into(), start, end, looping: true, ..Sequence::default() }
}

/// A point whose node moves by 10 along X from 100 to 200 milliseconds, and far away after that.
fn part() -> Scene {
    let mut scene = Scene::default();
    scene.sequences.push(sequence(100, 200));
    scene.sequences.push(sequence(300, 400));
    let mut node = Node::new("moving", NodeKind::Bone, None, [0.0; 3]);
    let values = vec![[0.0; 3], [10.0, 0.0, 0.0], [900.0, 0.0, 0.0]];
    node.translation.track = Some(Track::linear(vec![100, 200, 300], values, [0.0; 3]));
    scene.nodes.push(node);
    let texture =
        Some(scene.textures.push(effigy_scene::Texture { path: "part.blp".into(), ..Default::default() }));
    let textures = vec![effigy_scene::LayerTexture { texture, ..Default::default() }];
    let layers = vec![Layer { textures, ..Layer::default() }];
    let material = scene.materials.push(Material { layers, ..Material::default() });
    scene.meshes.push(Mesh {
        positions: vec![[1.0, 0.0, 0.0]; 3],
        indices: vec![0, 1, 2],
        material: Some(material),
        ..Mesh::new("point")
    });
    scene
}

/// A scene of one node at (0, 5, 0), of a second.
fn whole() -> Scene {
    let mut scene = Scene::default();
    scene.sequences.push(sequence(0, 1000));
    let mut node = Node::new("carrier", NodeKind::Helper, None, [0.0; 3]);
    node.translation = Animated::fixed([0.0, 5.0, 0.0]);
    scene.nodes.push(node);
    scene
}

/// Where the moving node of the copy is, and whether its mesh is visible.
fn at(scene: &Scene, time: f64) -> ([f32; 3], bool) {
    let scene = validate(scene.clone()).unwrap();
    let sampler = Sampler::new(&scene);
    let mut pose = sampler.pose();
    sampler.sample(&Moment { sequence: Some(Id::new(0)), time, clock: time }, None, &mut pose);
    sampler.skin(&mut pose);
    let mesh = &pose.meshes()[0];
    (pose.point(Id::new(1), [0.0; 3]), mesh.visible && mesh.layers[0].visible)
}

#[test]
fn a_loop_plays_the_first_sequence_again_and_again() {
    let mut scene = whole();
    let node = Id::new(0);
    graft(&mut scene, &part(), &Graft { node, play: Play::Loop, visibility: Animated::fixed(1.0) });
    for (time, x) in [(0.0, 0.0), (50.0, 5.0), (80.0, 8.0), (150.0, 5.0), (950.0, 5.0)] {
        let ([found, y, _], visible) = at(&scene, time);
        assert!((found - x).abs() < 1e-3 && y == 5.0 && visible, "{time}: {found} {y} {visible}");
    }
    // A mesh without bones follows the node that carries the copy.
    let valid = validate(scene).unwrap();
    let sampler = Sampler::new(&valid);
    let mut pose = sampler.pose();
    sampler.sample(&Moment::default(), None, &mut pose);
    sampler.skin(&mut pose);
    assert_eq!(pose.meshes()[0].positions[0], [1.0, 5.0, 0.0]);
}

#[test]
fn a_copy_that_plays_once_is_visible_only_then() {
    let mut scene = whole();
    let track = Track {
        interpolation: Interpolation::Step,
        ..Track::linear(vec![0, 600, 701], vec![0.0, 1.0, 0.0], 0.0)
    };
    let visibility = Animated { base: 0.0, track: Some(track) };
    graft(&mut scene, &part(), &Graft { node: Id::new(0), play: Play::Once([600, 700]), visibility });
    for (time, x, expected) in [(600.0, 0.0, true), (640.0, 4.0, true), (700.0, 10.0, true)] {
        let ([found, ..], visible) = at(&scene, time);
        assert!((found - x).abs() < 1e-3 && visible == expected, "{time}: {found} {visible}");
    }
    for time in [0.0, 599.0, 702.0, 999.0] {
        assert!(!at(&scene, time).1, "{time}");
    }
}

#[test]
fn what_the_copy_would_spawn_or_light_is_left_out() {
    let mut model = part();
    model.effects.push(effigy_scene::Effect {
        name: String::new(),
        kind: "modelEmitter".into(),
        node: Id::new(0),
        path: "itself.mdl".into(),
        visibility: Animated::fixed(1.0),
        extras: effigy_scene::Extras::default(),
    });
    let mut scene = whole();
    for _ in 0..3 {
        let graft_it = Graft { node: Id::new(0), play: Play::Loop, visibility: Animated::fixed(1.0) };
        graft(&mut scene, &model, &graft_it);
    }
    assert!(scene.effects.is_empty());
    assert_eq!((scene.nodes.len(), scene.meshes.len(), scene.global_sequences.len()), (4, 3, 3));
    // Each copy has its own texture.
    let layers = scene.materials.iter().flat_map(|(_, material)| &material.layers);
    let textures: Vec<_> = layers.filter_map(|layer| layer.textures[0].texture).map(Id::index).collect();
    assert_eq!((textures, scene.textures.len()), (vec![0, 1, 2], 3));
    validate(scene).unwrap();
}

#[test]
fn particles_of_the_copy_are_on_while_it_is_shown_unless_they_have_a_clock_of_their_own() {
    let mut model = part();
    let blinks = Animated { base: 1.0, track: Some(Track::linear(vec![100], vec![1.0], 0.0)) };
    for visibility in [Animated::fixed(1.0), blinks, Animated::fixed(0.0)] {
        model.emitters.push(ParticleEmitter { visibility, ..ParticleEmitter::new("e", Id::new(0)) });
    }
    let mut scene = whole();
    let graft_it = Graft { node: Id::new(0), play: Play::Loop, visibility: Animated::fixed(0.5) };
    graft(&mut scene, &model, &graft_it);
    let found: Vec<_> =
        scene.emitters.iter().map(|(_, it)| (it.visibility.base, it.visibility.is_animated())).collect();
    assert_eq!(found, [(0.5, false), (1.0, true), (0.0, false)]);
}
