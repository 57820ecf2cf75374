//! Scenes that are exported and read again: every word of the notes, and meshes with all they have.

use crate::common::{bone, one_layer, sequence, skin, triangle};
use effigy_gltf::{ExportOptions, Model, NoTextures, export};
use effigy_scene::{
    Animated, Bounds, Combine, Coordinates, EmitterShape, Id, Interpolation, Layer, LayerTexture, Node,
    NodeKind, ParticleEmitter, Role, Scene, Shape, ShapeKind, SortPoint, TextureTransform, Track,
    TransformOrder, validate,
};

fn back(scene: &Scene) -> Scene {
    let options = ExportOptions { all_parts: true, ..ExportOptions::default() };
    let glb =
        export(&validate(scene.clone()).unwrap(), &options, &mut NoTextures).unwrap().into_glb().unwrap();
    Model::read(&glb).unwrap().lower().unwrap().0
}

#[test]
fn every_role_coordinate_and_combination_of_a_texture_comes_back() {
    let roles = [
        Role::Base,
        Role::Second,
        Role::Normal,
        Role::Orm,
        Role::Emissive,
        Role::TeamColor,
        Role::Environment,
    ];
    let coordinates =
        [Coordinates::Set(0), Coordinates::Set(1), Coordinates::Sphere, Coordinates::Ball, Coordinates::Room];
    let combines = [
        Combine::Modulate,
        Combine::ModulateColor,
        Combine::Modulate2x,
        Combine::Modulate2xColor,
        Combine::Add,
        Combine::AddColor,
        Combine::Decal,
        Combine::Fade,
    ];
    let mut textures = vec![LayerTexture { texture: Some(Id::new(0)), ..LayerTexture::default() }];
    for number in 0..56 {
        textures.push(LayerTexture {
            role: roles[number % 7],
            coordinates: coordinates[number % 5],
            combine: combines[number % 8],
            texture: Some(Id::new(0)),
            transform: Some(Id::new(u32::from(number % 3 == 0))),
            ..LayerTexture::default()
        });
    }
    let mut scene = one_layer(Layer { textures, ..Layer::default() });
    scene.meshes.as_mut_slice()[0].uvs.push(vec![[0.5; 2]; 3]);
    for order in [TransformOrder::MoveScaleRotate, TransformOrder::RotateScaleMove] {
        let scale = Animated::fixed([2.0, 3.0, 1.0]);
        scene.texture_transforms.push(TextureTransform { order, scale, ..TextureTransform::default() });
    }
    let found = back(&scene);
    assert_eq!(found.materials.as_slice(), scene.materials.as_slice());
    assert_eq!(found.texture_transforms.as_slice(), scene.texture_transforms.as_slice());
}

#[test]
fn every_shape_and_interpolation_comes_back() {
    let mut scene = one_layer(Layer::default());
    let interpolations =
        [Interpolation::Step, Interpolation::Linear, Interpolation::Hermite, Interpolation::Bezier];
    let shapes = [
        EmitterShape::Plane,
        EmitterShape::Sphere,
        EmitterShape::Spline(vec![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]),
        EmitterShape::Plane,
    ];
    let kinds = [
        ShapeKind::Box { min: [-1.0, -2.0, -3.0], max: [1.0, 2.0, 4.0] },
        ShapeKind::Cylinder { base: [1.0, 2.0, 3.0], height: 4.0, radius: 5.0 },
        ShapeKind::Sphere { center: [3.0, 2.0, 1.0], radius: 6.0 },
        ShapeKind::Plane { length: 7.0, width: 8.0 },
    ];
    for (number, ((interpolation, shape), kind)) in
        (0..).zip(interpolations.into_iter().zip(shapes).zip(kinds))
    {
        scene.nodes.push(Node::new(format!("N{number}"), NodeKind::Helper, None, [0.0; 3]));
        let node = Id::new(number);
        let mut emitter = ParticleEmitter::new(format!("E{number}"), node);
        emitter.shape = shape;
        let mut track = Track::linear(vec![1000, 1500, 2000], vec![1.0, 5.0, 2.0], 3.0);
        track.interpolation = interpolation;
        if interpolation.is_spline() {
            track.tangents = vec![[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]];
        }
        emitter.rate = Animated { base: 3.0, track: Some(track) };
        scene.emitters.push(emitter);
        scene.shapes.push(Shape { name: format!("S{number}"), node, kind });
    }
    let found = back(&scene);
    assert_eq!(found.emitters.as_slice(), scene.emitters.as_slice());
    assert_eq!(found.shapes.as_slice(), scene.shapes.as_slice());
}

#[test]
fn a_mesh_comes_back_with_all_it_has() {
    let mut scene = one_layer(Layer::default());
    scene.nodes.push(bone("Root", None, [1.0, 2.0, 3.0]));
    scene.nodes.push(bone("Arm", Some(0), [4.0, 2.0, 3.0]));
    scene.meshes.push(triangle("Second"));
    let [first, second] = scene.meshes.as_mut_slice() else { panic!("two meshes") };
    first.sort = Some(SortPoint { node: Id::new(1), point: [1.0, 2.0, 3.0], shift: 0.5 });
    (first.part, first.lod, first.shown) = (302, Some(0), false);
    first.bounds = Bounds { min: [-1.0; 3], max: [2.0; 3], radius: 3.0 };
    first.extras.set("flags", 5);
    second.normals = vec![[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    second.color = Animated::fixed([0.0, 1.0, 0.5]);
    second.alpha = Animated::fixed(0.5);
    second.skin = Some(skin(&[&[(0, 1.0)], &[(1, 1.0)], &[(0, 0.25), (1, 0.75)]]));
    let found = back(&scene);
    assert_eq!(found.meshes.len(), 2);
    for (found, wanted) in found.meshes.as_slice().iter().zip(scene.meshes.as_slice()) {
        assert_eq!((&found.name, found.part, found.lod), (&wanted.name, wanted.part, wanted.lod));
        assert_eq!((found.shown, found.sort, found.bounds), (wanted.shown, wanted.sort, wanted.bounds));
        assert_eq!((&found.color, &found.alpha), (&wanted.color, &wanted.alpha));
        assert_eq!((&found.extras, found.material), (&wanted.extras, wanted.material));
        assert_eq!((&found.positions, &found.indices), (&wanted.positions, &wanted.indices));
        assert_eq!(found.uvs, wanted.uvs);
        if !wanted.normals.is_empty() {
            assert_eq!(found.normals, wanted.normals);
        }
    }
    assert_eq!(found.nodes.as_slice(), scene.nodes.as_slice());
    let weights = |scene: &Scene| {
        let skin = scene.meshes.as_slice()[1].skin.clone().unwrap();
        skin.vertex_groups.iter().map(|group| skin.group(*group).to_vec()).collect::<Vec<_>>()
    };
    assert_eq!(weights(&found), weights(&scene));
}

#[test]
fn the_report_counts_its_lines_by_kind() {
    let mut scene = one_layer(Layer::default());
    scene.sequences.push(sequence("Walk", 3000, 4000));
    let mut node = Node::new("Turn", NodeKind::Helper, None, [0.0; 3]);
    node.billboard = effigy_scene::Billboard::Full;
    scene.nodes.push(node);
    let file = export(&validate(scene).unwrap(), &ExportOptions::default(), &mut NoTextures).unwrap();
    let count = |outcome| file.report.notes().iter().filter(|note| note.outcome == outcome).count();
    use effigy_wire::Outcome::{Approximated, Dropped, KeptAside, Rebuilt};
    let counts = [count(KeptAside), count(Rebuilt), count(Approximated), count(Dropped)];
    assert_eq!(file.outcomes(), counts);
    assert!(counts.iter().sum::<usize>() > 0);
}
