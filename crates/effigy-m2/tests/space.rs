//! What scaling and turning does to each kind of number.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use effigy_m2::{
    Bone, Camera, LifeTrack, Model, Particle, Ribbon, Series, Track, VectorKey, Version, Vertex,
};
use effigy_wire::{Similarity, Spatial};

fn track<T: effigy_m2::Key>(value: T) -> Track<T> {
    Track::constant(value, Version::VANILLA.caps())
}

#[test]
fn a_scaled_model() {
    let mut model = Model::new(Version::VANILLA);
    model.vertices =
        vec![Vertex { position: [1.0, 2.0, 3.0], normal: [1.0, 0.0, 0.0], ..Vertex::default() }].into();
    model.collision_vertices = vec![[1.0, 2.0, 3.0]].into();
    let translation = track([1.0, 2.0, 3.0]);
    let scale = track([1.0, 2.0, 3.0]);
    model.bones = vec![Bone { translation, scale, pivot: [4.0; 3], ..Bone::default() }].into();
    let key = |at: f32| VectorKey { value: [at; 3], in_tangent: [at + 1.0; 3], out_tangent: [at + 2.0; 3] };
    model.cameras = vec![Camera { target_track: track(key(1.0)), ..Camera::default() }].into();
    model.ribbons = vec![Ribbon { height_above: track(3.0), ..Ribbon::default() }].into();
    let scale_life = LifeTrack { times: vec![0].into(), values: vec![[1.0, 2.0]].into() };
    let spline = vec![[1.0, 2.0, 3.0]].into();
    model.particles =
        vec![Particle { speed: track(3.0), rate: track(3.0), scale_life, spline, ..Particle::default() }]
            .into();
    model.contents.walk_space(&mut Similarity::scale(2.0).unwrap());
    assert_eq!((model.vertices[0].position, model.vertices[0].normal), ([2.0, 4.0, 6.0], [1.0, 0.0, 0.0]));
    assert_eq!(model.collision_vertices[0], [2.0, 4.0, 6.0]);
    let bone = &model.bones[0];
    assert_eq!((bone.translation.values.all()[0], bone.pivot), ([2.0, 4.0, 6.0], [8.0; 3]));
    assert_eq!(bone.scale.values.all()[0], [1.0, 2.0, 3.0]);
    let key = model.cameras[0].target_track.values.all()[0];
    assert_eq!((key.value, key.in_tangent, key.out_tangent), ([2.0; 3], [4.0; 3], [6.0; 3]));
    assert_eq!(model.ribbons[0].height_above.values.all(), [6.0]);
    let particle = &model.particles[0];
    assert_eq!((particle.speed.values.all(), particle.rate.values.all()), (&[6.0][..], &[3.0][..]));
    assert_eq!((particle.scale_life.values[0], particle.spline[0]), ([2.0, 4.0], [2.0, 4.0, 6.0]));
}

#[test]
fn a_turned_model() {
    let half = 0.5_f32.sqrt();
    let mut model = Model::new(Version::VANILLA);
    model.vertices = vec![Vertex { normal: [1.0, 0.0, 0.0], ..Vertex::default() }].into();
    model.collision_normals = vec![[0.0, 1.0, 0.0]].into();
    let rotation = track([half, 0.0, 0.0, half]);
    // A quarter turn about x; words that no rotation about z changes, in odd bits.
    let packed = vec![[56_000, 32_767, 32_767, 56_000], [32_767, 32_767, 1, 65_535]];
    let packed_rotation = Track { values: Series::flat(packed), ..track([0; 4]) };
    model.bones = vec![Bone { rotation, packed_rotation, ..Bone::default() }].into();
    // A quarter turn about z: x becomes y.
    model.contents.walk_space(&mut Similarity::turn(90.0).unwrap());
    assert_eq!(model.vertices[0].normal, [0.0, 1.0, 0.0]);
    assert_eq!(model.collision_normals[0], [-1.0, 0.0, 0.0]);
    let bone = &model.bones[0];
    assert_eq!(bone.rotation.values.all(), [[0.0, half, 0.0, half]]);
    let found = bone.packed_rotation.values.all();
    assert_eq!(found, [[32_767, 56_000, 32_767, 56_000], [32_767, 32_767, 1, 65_535]]);
}

#[test]
fn packed_rotations_that_do_not_change_keep_their_bits() {
    use effigy_wire::Quaternions;
    let mut track = Track { values: Series::flat(vec![[1, 2, 3, 4]]), ..track([0; 4]) };
    track.quaternions(&mut |_| ());
    assert_eq!(track.values.all(), [[1, 2, 3, 4]]);
    // (0.5 + 1) * 32767.5 = 49151.25.
    track.quaternions(&mut |value| *value = [0.5, -1.0, 0.0, 1.0]);
    assert_eq!(track.values.all(), [[49_151, 0, 32_767, 65_535]]);
}
