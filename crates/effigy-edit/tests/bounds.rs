//! Bounds from poses: no key and no curve leads out of them. The values are computed by hand.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::float_cmp, missing_docs)]

use crate::common;

use common::{bone, models, sequence, triangle};
use effigy_edit::mdx::recompute_extents;
use effigy_mdx::track::tags;
use effigy_mdx::{Dialect, Extent, Geoset, Interpolation, Key, Model, Track};
use effigy_scene::sample::{Moment, Sampler};
use effigy_scene::validate;

/// The bounds of the second of two sequences, from 2000 to 3000, in which a triangle follows a bone.
fn bounds(tracks: Vec<Track>) -> Extent {
    let mut model = Model::new(Dialect::Warcraft3, 800, "Model");
    model.sequences = vec![sequence("Stand", [0, 1000]), sequence("Walk", [2000, 3000])];
    // What only a bone without vertices does is not looked at.
    model.bones = vec![bone("Root", 0, -1, tracks), bone("Arm", 1, 0, vec![]), bone("Idle", 2, 0, vec![])];
    model.pivots = vec![[0.0; 3]; 3];
    let corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    model.geosets = vec![Geoset { sequence_extents: vec![Extent::default(); 2], ..triangle(corners, 1) }];
    recompute_extents(&mut model).unwrap();
    assert_eq!(model.geosets[0].sequence_extents[1], model.sequences[1].extent);
    model.sequences[1].extent.clone()
}

fn along_z(time: i32, z: f32) -> Key<[f32; 3]> {
    Key::new(time, [0.0, 0.0, z])
}

fn moves(interpolation: Interpolation, keys: &[Key<[f32; 3]>]) -> Track {
    Track::new(tags::KGTR, interpolation, keys).unwrap()
}

#[test]
fn every_key_is_inside() {
    let keys = [(2000, -46.0), (2334, 20.0), (2500, -6.0), (3000, 1.0)].map(|(time, z)| along_z(time, z));
    let extent = bounds(vec![moves(Interpolation::LINEAR, &keys)]);
    assert_eq!((extent.min, extent.max), ([0.0, 0.0, -46.0], [1.0, 1.0, 20.0]));
    // A step that lasts 3 ms.
    let keys = [(2000, 0.0), (2010, 7.0), (2013, 0.0)].map(|(time, z)| along_z(time, z));
    assert_eq!(bounds(vec![moves(Interpolation::STEP, &keys)]).max, [1.0, 1.0, 7.0]);
}

#[test]
fn a_curve_between_two_keys_is_inside() {
    // From 0 to 0 within 30 ms, with tangents of 27 and -27: 27 (t³ - 2t² + t) - 27 (t³ - t²) = 27 (t - t²), which is 6 at a third
    // and at two thirds.
    let curve =
        |time: i32, tangent: f32| Key { tangents: Some([[0.0, 0.0, tangent]; 2]), ..along_z(time, 0.0) };
    let keys = [along_z(2000, 0.0), curve(2010, 27.0), curve(2040, -27.0), along_z(2060, 0.0)];
    let extent = bounds(vec![moves(Interpolation::HERMITE, &keys)]);
    assert!((6.0..=6.75).contains(&extent.max[2]), "{extent:?}");
}

#[test]
fn a_turn_between_two_keys_is_inside() {
    // A turn about z from 45 to 135 degrees within 40 ms: the corner at x = 1 is at y = 1 in the middle, but at 0.7071 at the keys.
    let turn = |time: i32, degrees: f32| {
        let (sin, cos) = (degrees.to_radians() / 2.0).sin_cos();
        Key::new(time, [0.0, 0.0, sin, cos])
    };
    let keys = [turn(2000, 45.0), turn(2005, 45.0), turn(2045, 135.0), turn(3000, 135.0)];
    let extent = bounds(vec![Track::new(tags::KGRT, Interpolation::LINEAR, &keys).unwrap()]);
    assert!((extent.max[1] - 1.0).abs() < 1e-5, "{extent:?}");
    // From 20 to 190 degrees, over the top at 90 degrees, which is not in the middle. Half a percent is missed at most.
    let keys = [turn(2000, 20.0), turn(2005, 20.0), turn(2045, 190.0), turn(3000, 190.0)];
    let extent = bounds(vec![Track::new(tags::KGRT, Interpolation::LINEAR, &keys).unwrap()]);
    assert!((0.995..=1.0001).contains(&extent.max[1]), "{extent:?}");
}

#[test]
fn more_keys_than_moments_are_looked_at_evenly() {
    // A key every 2 ms and a peak at every fifth: of 501 keys 183 are looked at, many of them peaks. No peak is at a sixteenth.
    let keys: Vec<Key<[f32; 3]>> =
        (0..=500).map(|key| along_z(2000 + key * 2, if key % 5 == 2 { 5.0 } else { 0.0 })).collect();
    assert_eq!(bounds(vec![moves(Interpolation::LINEAR, &keys)]).max, [1.0, 1.0, 5.0]);
}

#[test]
fn keys_of_global_sequences_are_inside() {
    let keys = [(0, 0.0), (130, 9.0), (140, 0.0), (400, 0.0)].map(|(time, z)| along_z(time, z));
    let mut model = Model::new(Dialect::Warcraft3, 800, "Model");
    model.sequences = vec![sequence("Walk", [2000, 3000])];
    model.global_sequences = vec![400];
    let track = moves(Interpolation::LINEAR, &keys).on_global_sequence(0);
    model.bones = vec![bone("Root", 0, -1, vec![track])];
    model.pivots = vec![[0.0; 3]];
    model.geosets = vec![triangle([[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], 0)];
    recompute_extents(&mut model).unwrap();
    assert_eq!(model.sequences[0].extent.max, [1.0, 1.0, 9.0]);
}

#[test]
fn global_sequences_that_start_again_meet_other_poses() {
    // One bone is up by 9 at 130, 530 and 930 ms; the one below it rises by 10 within the 1000 ms of the sequence.
    let pulse = [(0, 0.0), (130, 9.0), (140, 0.0), (400, 0.0)].map(|(time, z)| along_z(time, z));
    let rise = [along_z(2000, 0.0), along_z(3000, 10.0)];
    let mut model = Model::new(Dialect::Warcraft3, 800, "Model");
    model.sequences = vec![sequence("Walk", [2000, 3000])];
    model.global_sequences = vec![400];
    let pulse = moves(Interpolation::LINEAR, &pulse).on_global_sequence(0);
    model.bones =
        vec![bone("Root", 0, -1, vec![pulse]), bone("Arm", 1, 0, vec![moves(Interpolation::LINEAR, &rise)])];
    model.pivots = vec![[0.0; 3]; 2];
    model.geosets = vec![triangle([[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], 1)];
    recompute_extents(&mut model).unwrap();
    assert!((model.sequences[0].extent.max[2] - 18.3).abs() < 1e-4);
}

/// The head of a portrait in the model of a unit is far away and hidden, and its box would be that of the unit.
#[test]
fn what_a_sequence_hides_is_outside() {
    let mut model = Model::new(Dialect::Warcraft3, 800, "Model");
    let intervals = [[0, 1000], [2000, 3000], [4000, 5000], [6000, 7000]];
    model.sequences = intervals.map(|interval| sequence("Stand", interval)).to_vec();
    model.bones = vec![bone("Root", 0, -1, vec![])];
    model.pivots = vec![[0.0; 3]];
    let near = triangle([[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], 0);
    let far = triangle([[50.0; 3], [51.0, 50.0, 50.0], [50.0, 51.0, 50.0]], 0);
    model.geosets = vec![near, far]
        .into_iter()
        .map(|it| Geoset { sequence_extents: vec![Extent::default(); 4], ..it })
        .collect();
    // The second is hidden in the first sequence, appears in the second, is shown in the third, where nothing is said; in the fourth
    // both are hidden.
    let alphas = |keys: &[(i32, f32)]| {
        let keys: Vec<Key<f32>> = keys.iter().map(|(time, alpha)| Key::new(*time, *alpha)).collect();
        effigy_mdx::Tracks(vec![Track::new(tags::KGAO, Interpolation::LINEAR, &keys).unwrap()])
    };
    let animation = |geoset, tracks| effigy_mdx::GeosetAnimation { geoset, tracks, ..Default::default() };
    model.geoset_animations = vec![
        animation(0, alphas(&[(6000, 0.0)])),
        animation(1, alphas(&[(0, 0.0), (1000, 0.0), (2000, 0.0), (2400, 1.0), (2600, 0.0), (6000, 0.0)])),
    ];
    recompute_extents(&mut model).unwrap();
    let tops: Vec<f32> = model.sequences.iter().map(|it| it.extent.max[1]).collect();
    assert_eq!(tops, [1.0, 51.0, 51.0, 51.0]);
    assert_eq!(model.sequences[3].extent.min, [0.0; 3]);
    // Its own bounds are those of its vertices.
    assert_eq!(model.geosets[1].sequence_extents[0].max, [51.0, 51.0, 50.0]);
    assert_eq!(model.info[0].extent.max, [51.0, 51.0, 50.0]);
}

#[test]
fn poses_of_real_models_are_inside() {
    let (mut seen, mut wrong) = (0, Vec::new());
    for (name, mut model) in models() {
        if model.geosets.iter().map(|it| it.vertices.len()).sum::<usize>() > 1200 {
            continue;
        }
        recompute_extents(&mut model).unwrap();
        let Ok(scene) = validate(effigy_convert::mdx::lower(&model).scene) else { continue };
        let sampler = Sampler::new(&scene);
        let mut pose = sampler.pose();
        for ((id, posed), sequence) in scene.sequences.iter().zip(&model.sequences) {
            let extent = &sequence.extent;
            let size = glam::Vec3::from(extent.min).distance(extent.max.into());
            if !size.is_finite() {
                continue;
            }
            let mut out = 0.0_f32;
            for part in 0..=100 {
                let time = f64::from(posed.length()) * f64::from(part) / 100.0;
                sampler.sample(&Moment::new(id, time), None, &mut pose);
                sampler.skin(&mut pose);
                let shown = pose.meshes().iter().filter(|mesh| mesh.visible);
                for point in shown.flat_map(|mesh| &mesh.positions) {
                    for (value, (min, max)) in point.iter().zip(extent.min.iter().zip(extent.max)) {
                        out = out.max(value - max).max(min - value);
                    }
                }
            }
            seen += 1;
            if out > size * 0.01 {
                wrong.push(format!("{name} {}: {:.1} %", sequence.name, out / size * 100.0));
            }
        }
    }
    assert!(seen == 0 || seen > 300, "{seen} sequences");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
