//! What scaling and moving does to each kind of number.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use effigy_mdx::track::tags::{KGRT, KGTR, KLAS, KMTF};
use effigy_mdx::{
    BatchVertex, BatchedGeoset, CollisionShape, Dialect, Extent, GeosetHeader, Interpolation, Key, Model,
    Shape, Track, read,
};
use effigy_wire::{Similarity, Spatial};

#[test]
fn shapes_are_scaled_and_those_in_model_space_move() {
    let (a, b, radius) = ([1.0, 2.0, 3.0], [4.0, 5.0, 6.0], 7.0);
    let (a2, b2) = ([2.0, 4.0, 6.0], [8.0, 10.0, 12.0]);
    // Twice as large, then 100 to the side.
    let (a3, b3) = ([102.0, 4.0, 6.0], [108.0, 10.0, 12.0]);
    for (number, before, after) in [
        (0, Shape::Box { min: a, max: b }, Shape::Box { min: a2, max: b2 }),
        (
            1,
            Shape::Cylinder { base: a, height: 3.0, radius },
            Shape::Cylinder { base: a3, height: 6.0, radius: 14.0 },
        ),
        (1, Shape::TwoPointPlane([a, b]), Shape::TwoPointPlane([a2, b2])),
        (2, Shape::Sphere { center: a, radius }, Shape::Sphere { center: a3, radius: 14.0 }),
        (3, Shape::Plane { length: 3.0, width: 4.0 }, Shape::Plane { length: 6.0, width: 8.0 }),
        (
            3,
            Shape::TwoPointCylinder { points: [a, b], radius },
            Shape::TwoPointCylinder { points: [a3, b3], radius: 14.0 },
        ),
    ] {
        assert_eq!(before.number(), number);
        let mut model = Model::new(Dialect::Warcraft3, 800, "shapes");
        model.collision_shapes = vec![CollisionShape { shape: before, ..CollisionShape::default() }];
        model.walk_space(&mut Similarity::scale(2.0).unwrap());
        model.walk_space(&mut Similarity::shift([100.0, 0.0, 0.0]).unwrap());
        assert_eq!(model.collision_shapes[0].shape, after);
    }
}

#[test]
fn keys_and_tangents_are_scaled_by_what_they_mean() {
    let key = |value, tangent| Key { time: 5, value, tangents: Some([tangent; 2]) };
    let mut offset = Track::new(KGTR, Interpolation::HERMITE, &[key([1.0_f32, 2.0, 3.0], [4.0; 3])]).unwrap();
    offset.walk_space(&mut Similarity::scale(2.0).unwrap());
    let found: Vec<Key<[f32; 3]>> = offset.keys().unwrap().collect();
    assert_eq!(found, [key([2.0, 4.0, 6.0], [8.0; 3])]);
    let mut distance = Track::new(KLAS, Interpolation::LINEAR, &[Key::new(5, 3.0_f32)]).unwrap();
    distance.walk_space(&mut Similarity::scale(2.0).unwrap());
    assert_eq!(distance.words(), [5, 6.0_f32.to_bits()]);
    // A quarter turn about z: the axis x becomes y.
    let half = 0.5_f32.sqrt();
    let mut turn = Track::new(KGRT, Interpolation::LINEAR, &[Key::new(5, [half, 0.0, 0.0, half])]).unwrap();
    turn.walk_space(&mut Similarity::turn(90.0).unwrap());
    let found: Vec<Key<[f32; 4]>> = turn.keys().unwrap().collect();
    assert_eq!(found, [Key::new(5, [0.0, half, 0.0, half])]);
    // Indices are not numbers to scale, and a track of other values stays as it is.
    let mut index = Track::new(KMTF, Interpolation::STEP, &[Key::new(5, 3_u32)]).unwrap();
    index.map_values(|[value]| *value = 9.0);
    assert_eq!(index.words(), [5, 3]);
    turn.map_values(|[value]| *value = 9.0);
    assert_eq!(turn.len(), 1);
    assert_eq!(turn.keys::<[f32; 4]>().unwrap().next().unwrap().value[3], half);
}

#[test]
fn tracks_outside_of_records_and_meshes_of_wow_alpha_are_scaled_too() {
    // KGTR, one key, linear, no global sequence: time 0, (1, 2, 3).
    let words = [1, 1, u32::MAX, 0, 1_f32.to_bits(), 2_f32.to_bits(), 3_f32.to_bits()];
    let mut bytes = Model::new(Dialect::Warcraft3, 800, "stray").write().unwrap();
    bytes.extend_from_slice(b"KGTR");
    words.iter().for_each(|word| bytes.extend(word.to_le_bytes()));
    let mut model = read(&bytes).unwrap();
    model.walk_space(&mut Similarity::scale(2.0).unwrap());
    let track = model.stray_tracks().next().unwrap();
    assert_eq!(track.keys::<[f32; 3]>().unwrap().next().unwrap().value, [2.0, 4.0, 6.0]);
    let vertex = BatchVertex { position: [1.0, 2.0, 3.0], normal: [1.0, 0.0, 0.0], ..BatchVertex::default() };
    let header = GeosetHeader { center: [1.0; 3], radius: 5.0, ..GeosetHeader::default() };
    let mut alpha = Model::new(Dialect::WowAlpha, 1500, "batched");
    alpha.batched_geosets = vec![BatchedGeoset { header, vertices: vec![vertex], batch: Default::default() }];
    alpha.walk_space(&mut Similarity::scale(2.0).unwrap());
    let found = &alpha.batched_geosets[0];
    assert_eq!((found.vertices[0].position, found.vertices[0].normal), ([2.0, 4.0, 6.0], [1.0, 0.0, 0.0]));
    assert_eq!((found.header.center, found.header.radius), ([2.0; 3], 10.0));
    let mut extent = Extent { radius: 3.0, min: [-1.0; 3], max: [1.0; 3] };
    extent.walk_space(&mut Similarity::scale(2.0).unwrap());
    assert_eq!((extent.radius, extent.min, extent.max), (6.0, [-2.0; 3], [2.0; 3]));
}
