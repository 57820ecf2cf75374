//! The values that repairs write. That a repair removes its finding is tested for every rule in `rules.rs`.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]
#![allow(dead_code, reason = "the sound models are shared between test files")]

use crate::sound;

use effigy_check::fix;
use effigy_mdx::track::tags;
use effigy_mdx::{Dialect, Extent, Geoset, Interpolation, Key, Model, Skin, Track};
use sound::{sound, sound_m2};

/// What is wrong with this box: its lower corner is above its upper one.
const INVERTED: Extent = Extent { radius: 1.0, min: [1.0; 3], max: [-1.0; 3] };

fn extent(radius: f32, min: [f32; 3], max: [f32; 3]) -> Extent {
    Extent { radius, min, max }
}

/// Repairs by one rule; returns the places that were changed.
fn repaired(model: &mut Model, code: &str) -> Vec<String> {
    fix(model, &[code]).into_iter().map(|applied| applied.path).collect()
}

fn opacity(model: &mut Model, interpolation: Interpolation, keys: &[Key<f32>]) {
    model.geoset_animations[0].tracks.set(Track::new(tags::KGAO, interpolation, keys).unwrap());
}

fn opacity_keys(model: &Model) -> Vec<Key<f32>> {
    model.geoset_animations[0].tracks.get(tags::KGAO).unwrap().keys::<f32>().unwrap().collect()
}

#[test]
fn an_inverted_box_becomes_the_box_of_the_vertices() {
    let mut model = sound(800);
    // The first mesh spans 0..10 in x and y. The second is one point at a distance of sqrt(9 + 16 + 144) = 13.
    let second = Geoset { vertices: vec![[-3.0, -4.0, 12.0]], ..model.geosets[0].clone() };
    model.geosets.push(second);
    let sound_box = model.sequences[0].extent.clone();
    model.sequences[1].extent = INVERTED;
    model.info[0].extent = INVERTED;
    model.geosets[1].extent = INVERTED;
    assert_eq!(repaired(&mut model, "MDX1003"), ["MODL.extent", "SEQS[1].extent", "GEOS[1].extent"]);
    let whole = extent(13.0, [-3.0, -4.0, 0.0], [10.0, 10.0, 12.0]);
    assert_eq!((&model.info[0].extent, &model.sequences[1].extent), (&whole, &whole));
    assert_eq!(model.geosets[1].extent, extent(13.0, [-3.0, -4.0, 12.0], [-3.0, -4.0, 12.0]));
    assert_eq!((&model.sequences[0].extent, &model.geosets[0].extent), (&sound_box, &sound_box));
}

#[test]
fn a_model_without_sequences_gets_a_stand_of_one_second_around_its_vertices() {
    let mut model = Model::new(Dialect::Warcraft3, 800, "still");
    model.geosets.push(Geoset { vertices: vec![[3.0, 0.0, 0.0], [0.0, -4.0, 0.0]], ..Geoset::default() });
    assert_eq!(repaired(&mut model, "MDX1004"), ["SEQS[0]", "GEOS[0].sequence_extents"]);
    assert_eq!(model.geosets[0].sequence_extents.len(), 1);
    assert_eq!(model.sequences.len(), 1);
    let stand = &model.sequences[0];
    assert_eq!((stand.name.text().as_ref(), stand.interval), ("Stand", [0, 1000]));
    assert_eq!(stand.extent, extent(4.0, [0.0, -4.0, 0.0], [3.0, 0.0, 0.0]));
    // A model that moves on its timeline gets none: nobody knows which part of it to play.
    let mut model = sound(800);
    model.sequences.clear();
    assert!(repaired(&mut model, "MDX1004").is_empty() && model.sequences.is_empty());
}

#[test]
fn a_mesh_without_bones_gets_one_at_the_origin_that_holds_its_vertices() {
    let mut model = sound(800);
    model.bones.clear();
    assert_eq!(repaired(&mut model, "MDX2009"), ["BONE[0]", "GEOS[0].vertex_groups"]);
    let node = &model.bones[0].node;
    assert_eq!((node.name.text().as_ref(), node.object_id, node.parent), ("root", 0, -1));
    assert_eq!((node.flags.bits(), model.bones.len(), model.pivots.len()), (0x100, 1, 8));
    // Bones come before all other nodes: where the id 0 is taken, a bone would have to move all of them.
    let mut model = sound(800);
    model.bones.clear();
    model.lights[0].node.object_id = 0;
    assert!(repaired(&mut model, "MDX2009").is_empty() && model.bones.is_empty());
}

#[test]
fn missing_pivots_are_at_the_origin_and_the_others_stay() {
    let mut model = sound(800);
    model.pivots = vec![[1.0, 2.0, 3.0]; 6];
    assert_eq!(repaired(&mut model, "MDX2014"), ["PIVT"]);
    let expected: Vec<[f32; 3]> = [vec![[1.0, 2.0, 3.0]; 6], vec![[0.0; 3]; 2]].concat();
    assert_eq!(model.pivots, expected);
}

#[test]
fn keys_are_sorted_with_their_tangents() {
    let key = |time: i32, value: f32| Key { time, value, tangents: Some([value + 0.25, value + 0.5]) };
    let mut model = sound(800);
    let keys = [key(0, 1.0), key(500, 2.0), key(300, 3.0), key(1000, 4.0)];
    opacity(&mut model, Interpolation::HERMITE, &keys);
    assert_eq!(repaired(&mut model, "MDX3005").len(), 1);
    assert_eq!(opacity_keys(&model), [key(0, 1.0), key(300, 3.0), key(500, 2.0), key(1000, 4.0)]);
}

#[test]
fn only_keys_that_are_equal_are_removed_as_doubles() {
    let mut model = sound(800);
    let keys = [(0, 1.0), (500, 0.5), (500, 0.5), (500, 0.25), (1000, 1.0)].map(|(t, v)| Key::new(t, v));
    opacity(&mut model, Interpolation::LINEAR, &keys);
    repaired(&mut model, "MDX3006");
    assert_eq!(
        opacity_keys(&model),
        [(0, 1.0), (500, 0.5), (500, 0.25), (1000, 1.0)].map(|(t, v)| Key::new(t, v))
    );
}

#[test]
fn keys_that_no_sequence_plays_are_removed_and_one_key_stays() {
    // The sequences are 0..1000, 2000..3000 and 4000..5000.
    let mut model = sound(800);
    let keys = [0, 1000, 1001, 1500, 1999, 2000, 3500, 5000, 5001].map(|t| Key::new(t, t as f32));
    opacity(&mut model, Interpolation::LINEAR, &keys);
    repaired(&mut model, "MDX3008");
    let times: Vec<i32> = opacity_keys(&model).iter().map(|key| key.time).collect();
    assert_eq!(times, [0, 1000, 2000, 5000]);
    assert!(opacity_keys(&model).iter().all(|key| key.value == key.time as f32));
    opacity(&mut model, Interpolation::LINEAR, &[Key::new(1500, 0.5), Key::new(1600, 0.75)]);
    repaired(&mut model, "MDX3008");
    assert_eq!(opacity_keys(&model), [Key::new(1500, 0.5)]);
}

#[test]
fn keys_that_change_nothing_are_removed() {
    let mut model = sound(800);
    let keys = [(0, 1.0), (300, 1.0), (600, 1.0), (1000, 0.5)].map(|(t, v)| Key::new(t, v));
    opacity(&mut model, Interpolation::LINEAR, &keys);
    repaired(&mut model, "MDX3010");
    // The key at 600 is needed: from it the value falls.
    assert_eq!(opacity_keys(&model), [(0, 1.0), (600, 1.0), (1000, 0.5)].map(|(t, v)| Key::new(t, v)));
}

#[test]
fn each_sequence_gets_a_box_and_those_that_are_there_stay() {
    let mut model = sound(800);
    let first = extent(5.0, [-5.0; 3], [5.0; 3]);
    model.geosets[0].sequence_extents = vec![first.clone()];
    model.geosets[0].extent = extent(7.0, [-7.0; 3], [7.0; 3]);
    assert_eq!(repaired(&mut model, "MDX4003"), ["GEOS[0].sequence_extents"]);
    let own = extent(7.0, [-7.0; 3], [7.0; 3]);
    assert_eq!(model.geosets[0].sequence_extents, [first, own.clone(), own]);
    model.sequences.truncate(1);
    repaired(&mut model, "MDX4003");
    assert_eq!(model.geosets[0].sequence_extents, [extent(5.0, [-5.0; 3], [5.0; 3])]);
}

#[test]
fn a_level_of_detail_of_minus_one_becomes_zero() {
    let mut model = sound(1000);
    let coarse = Geoset { lod: 2, ..model.geosets[0].clone() };
    model.geosets.push(coarse);
    model.geosets[0].lod = -1;
    assert_eq!(repaired(&mut model, "MDX4012"), ["GEOS[0].lod"]);
    assert_eq!([model.geosets[0].lod, model.geosets[1].lod], [0, 2]);
}

#[test]
fn vertices_of_a_missing_group_join_the_last_one() {
    let mut model = sound(800);
    model.geosets[0].group_sizes = vec![1, 1];
    model.geosets[0].group_nodes = vec![0, 0];
    // 255 means no group and stays.
    model.geosets[0].vertex_groups = vec![0, 9, 255];
    assert_eq!(repaired(&mut model, "MDX4102"), ["GEOS[0].vertex_groups"]);
    assert_eq!(model.geosets[0].vertex_groups, [0, 1, 255]);
}

#[test]
fn weights_keep_their_proportions_and_their_bones() {
    // 200, 100 and 4 of 304, times 255: 167.8, 83.9, 3.4. Rounded down they are 253; the largest gets the other 2.
    let mut model = sound(1000);
    let right = [0, 1, 2, 3, 100, 100, 55, 0];
    model.geosets[0].skin =
        Some(Skin::Narrow(vec![right, [0, 1, 2, 3, 200, 100, 4, 0], [9, 0, 0, 0, 0, 0, 0, 0]]));
    assert_eq!(repaired(&mut model, "MDX4107"), ["GEOS[0].skin"]);
    let expected = vec![right, [0, 1, 2, 3, 169, 83, 3, 0], [9, 0, 0, 0, 0, 0, 0, 0]];
    assert_eq!(model.geosets[0].skin, Some(Skin::Narrow(expected)));
    let mut model = sound(1400);
    model.geosets[0].skin = Some(Skin::Wide(vec![[300, 1, 2, 3, 200, 100, 4, 0]; 3]));
    repaired(&mut model, "MDX4107");
    assert_eq!(model.geosets[0].skin, Some(Skin::Wide(vec![[300, 1, 2, 3, 169, 83, 3, 0]; 3])));
    let mut model = sound_m2();
    model.vertices.get_mut(1).unwrap().weights = [200, 100, 4, 0];
    assert_eq!(fix(&mut model, &["M21102"]).len(), 1);
    let weights: Vec<[u8; 4]> = model.vertices.iter().map(|vertex| vertex.weights).collect();
    assert_eq!(weights, [[255, 0, 0, 0], [169, 83, 3, 0], [255, 0, 0, 0]]);
}

/// Path, message and whether it can be repaired, of the findings of one rule.
fn findings(model: &Model, code: &str) -> Vec<(String, String, bool)> {
    let checked = effigy_check::check(model, &effigy_check::CheckOptions::default());
    let of_rule = checked.findings.into_iter().filter(|finding| finding.code.to_string() == code);
    of_rule.map(|finding| (finding.path, finding.message, finding.fixable)).collect()
}

#[test]
fn vertices_without_a_group_node_or_weight_are_counted() {
    let mut model = sound(800);
    let geoset = &mut model.geosets[0];
    (geoset.group_sizes, geoset.group_nodes) = (vec![1, 1], vec![0, 0]);
    geoset.vertex_groups = vec![0, 9, 7];
    let place = "GEOS[0].vertex_groups".to_owned();
    let text = |text: &str| text.to_owned();
    assert_eq!(
        findings(&model, "MDX4102"),
        [(place.clone(), text("2 vertices are in groups such as 7, but there are 2 groups"), true)]
    );
    assert_eq!(findings(&model, "MDX4103"), []);
    model.geosets[0].vertex_groups = vec![0, 255, 255];
    assert_eq!(findings(&model, "MDX4102"), []);
    assert_eq!(
        findings(&model, "MDX4103"),
        [(place.clone(), text("2 of 3 vertices are not attached to a node"), false)]
    );
    // Without any group there is none to put them into.
    let geoset = &mut model.geosets[0];
    (geoset.group_sizes, geoset.group_nodes) = (Vec::new(), Vec::new());
    geoset.vertex_groups = vec![0, 0, 1];
    assert_eq!(
        findings(&model, "MDX4102"),
        [(place, text("3 vertices are in groups such as 0, but there are 0 groups"), false)]
    );

    let mut model = sound(1000);
    let (held, loose) = ([0, 0, 0, 0, 255, 0, 0, 0], [0; 8]);
    model.geosets[0].skin = Some(Skin::Narrow(vec![held, loose, held]));
    assert_eq!(
        findings(&model, "MDX4103"),
        [(text("GEOS[0].skin"), text("1 of 3 vertices have no weight"), false)]
    );
    // Weights without vertices do not count, and what they leave is repaired as without them.
    model.geosets[0].skin = Some(Skin::Narrow(Vec::new()));
    let geoset = &mut model.geosets[0];
    (geoset.group_sizes, geoset.group_nodes) = (vec![1], vec![0]);
    geoset.vertex_groups = vec![0, 0, 4];
    assert_eq!(findings(&model, "MDX4101"), []);
    assert_eq!(repaired(&mut model, "MDX4102"), ["GEOS[0].vertex_groups"]);
    assert_eq!(model.geosets[0].vertex_groups, [0, 0, 0]);
}
