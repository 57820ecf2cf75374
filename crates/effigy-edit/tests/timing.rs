//! Keys of sequences that become shorter, by values computed by hand: what happens between two milliseconds stays.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::float_cmp, missing_docs)]

use crate::common;

use common::{bone, keys, moves, name, sequence};
use effigy_edit::Pattern;
use effigy_edit::mdx::{MergeOptions, merge, sequence_speed};
use effigy_mdx::track::tags;
use effigy_mdx::{Dialect, EventObject, EventTrack, Interpolation, Key, Model, Node, Track};

/// A model with one sequence before the others, and one bone with this track.
fn model(sequences: &[(&str, [u32; 2])], track: Track) -> Model {
    let mut model = Model::new(Dialect::Warcraft3, 800, "Model");
    model.sequences = sequences.iter().map(|(text, interval)| sequence(text, *interval)).collect();
    model.bones = vec![bone("Bone", 0, -1, vec![track])];
    model.pivots = vec![[0.0; 3]];
    model
}

/// The track after the sequence Walk plays faster, and what the report says.
fn faster(sequences: &[(&str, [u32; 2])], track: Track, factor: f64) -> (Track, Vec<String>) {
    let mut model = model(sequences, track);
    let done = sequence_speed(&mut model, &Pattern::new("Walk"), factor).unwrap();
    let notes = done.report.notes().iter().map(|note| format!("{}: {}", note.path, note.message)).collect();
    (model.bones[0].node.tracks[0].clone(), notes)
}

fn linear(keys: &[(i32, f32)]) -> Track {
    moves(Interpolation::LINEAR, keys)
}

#[test]
fn a_hold_before_a_jump_stays_a_hold() {
    let held = [(0, 0.0), (44999, 0.0), (45000, 1.0), (60000, 1.0)];
    let grows: Vec<Key<[f32; 3]>> = held.iter().map(|(time, value)| Key::new(*time, [*value; 3])).collect();
    let mut model =
        model(&[("Walk", [0, 60000])], Track::new(tags::KGSC, Interpolation::LINEAR, &grows).unwrap());
    let node = Node { name: name("SNDxSTEP"), object_id: 1, ..Node::default() };
    let track = Some(EventTrack { global_sequence: -1, times: vec![44999, 45000] });
    model.event_objects = vec![EventObject { node, track }];
    model.pivots.push([0.0; 3]);
    let done = sequence_speed(&mut model, &Pattern::new("Walk"), 2.0).unwrap();
    // 22499.5 and 22500 round to the same millisecond.
    let expected = [(0, 0.0), (22499, 0.0), (22500, 1.0), (30000, 1.0)];
    assert_eq!(keys(&model.bones[0].node.tracks[0]), expected);
    assert!(done.report.notes().is_empty());
    // Sounds are where they were.
    assert_eq!(model.event_objects[0].track.as_ref().unwrap().times, [22500, 22500]);
}

#[test]
fn keys_before_make_room() {
    // Rounded they are at 119 (18.5 and 19.4 ms after the start) and 120 (20 and 20.4 ms), two each.
    let track = linear(&[(100, 1.0), (285, 2.0), (294, 3.0), (300, 4.0), (304, 5.0), (1100, 6.0)]);
    let (track, _) = faster(&[("Walk", [100, 1100])], track, 10.0);
    assert_eq!(keys(&track), [(100, 1.0), (117, 2.0), (118, 3.0), (119, 4.0), (120, 5.0), (200, 6.0)]);
}

#[test]
fn tangents_stay_with_their_keys() {
    let key = |time: i32, x: f32| Key {
        time,
        value: [x, 0.0, 0.0],
        tangents: Some([[x + 0.25, 0.0, 0.0], [x + 0.5, 0.0, 0.0]]),
    };
    let before = [key(0, 1.0), key(499, 2.0), key(500, 3.0), key(1000, 4.0)];
    let track = Track::new(tags::KGTR, Interpolation::HERMITE, &before).unwrap();
    let (track, _) = faster(&[("Walk", [0, 1000])], track, 2.0);
    let found: Vec<_> = track.keys::<[f32; 3]>().unwrap().collect();
    assert_eq!(found, [key(0, 1.0), key(249, 2.0), key(250, 3.0), key(500, 4.0)]);
}

#[test]
fn the_key_at_a_border_stays_there() {
    let sequences = [("Stand", [0, 100]), ("Walk", [100, 1100]), ("Death", [1100, 2000])];
    // Three keys round to the start of Walk, two to its end.
    let values = [(0, 1.0), (100, 2.0), (102, 9.0), (104, 3.0), (1097, 4.0), (1100, 5.0), (2000, 6.0)];
    let (track, notes) = faster(&sequences, linear(&values), 10.0);
    assert_eq!(keys(&track), [(0, 1.0), (100, 2.0), (101, 3.0), (199, 4.0), (200, 5.0), (1100, 6.0)]);
    // 9 was neither between 2 and 3 nor near.
    assert_eq!(notes, ["keys: 1 keys are gone where more fell on a millisecond than there is room for"]);
}

#[test]
fn more_keys_than_milliseconds_become_one_for_each() {
    let before: Vec<(i32, f32)> = (0..=100).map(|time| (time, time as f32)).collect();
    let (track, notes) = faster(&[("Walk", [0, 100])], linear(&before), 10.0);
    let found = keys(&track);
    assert_eq!(found.iter().map(|key| key.0).collect::<Vec<_>>(), (0..=10).collect::<Vec<_>>());
    assert_eq!((found[0], found[10]), ((0, 0.0), (10, 100.0)));
    // Straight as before: no key is more than 2 ms from where it should be.
    assert!(found.iter().all(|(time, x)| (*x - *time as f32 * 10.0).abs() <= 25.0), "{found:?}");
    assert_eq!(notes, Vec::<String>::new());
}

#[test]
fn the_last_step_of_a_millisecond_stays() {
    let values = [(0, 1.0), (44999, 2.0), (45000, 3.0), (60000, 4.0)];
    let (track, _) = faster(&[("Walk", [0, 60000])], moves(Interpolation::STEP, &values), 2.0);
    assert_eq!(keys(&track), [(0, 1.0), (22500, 3.0), (30000, 4.0)]);
}

#[test]
fn keys_of_the_same_time_and_keys_out_of_order_stay_as_they_are() {
    let values = [(0, 1.0), (400, 2.0), (400, 3.0), (200, 4.0), (1000, 5.0)];
    let (track, _) = faster(&[("Walk", [0, 1000])], linear(&values), 2.0);
    assert_eq!(keys(&track), [(0, 1.0), (200, 2.0), (200, 3.0), (100, 4.0), (500, 5.0)]);
}

#[test]
fn global_sequences_keep_their_time() {
    let values = [(0, 0.0), (499, 0.0), (500, 1.0)];
    let (track, _) = faster(&[("Walk", [0, 1000])], linear(&values).on_global_sequence(0), 2.0);
    assert_eq!(keys(&track), values);
}

/// The track of another model in a sequence of half its length.
fn added(track: Track) -> Vec<(i32, f32)> {
    let mut own = Model::new(Dialect::Warcraft3, 800, "Own");
    own.sequences = vec![sequence("Walk", [0, 30000])];
    merge(&mut own, &model(&[("Walk", [0, 60000])], track), &MergeOptions::default()).unwrap();
    keys(&own.bones[0].node.tracks[0])
}

#[test]
fn what_is_added_to_a_shorter_sequence_keeps_its_jumps() {
    let values = [(0, 0.0), (44999, 0.0), (45000, 1.0), (60000, 1.0)];
    assert_eq!(added(linear(&values)), [(0, 0.0), (22499, 0.0), (22500, 1.0), (30000, 1.0)]);
    assert_eq!(added(moves(Interpolation::STEP, &values)), [(0, 0.0), (22500, 1.0), (30000, 1.0)]);
}
