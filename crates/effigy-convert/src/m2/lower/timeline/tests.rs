//! Timelines that do not fit the scene as they are, and the poses that they must give.

use super::*;
use crate::m2::lower;
use effigy_m2::{Block, Bone, Event, Sequence, Series, Version};
use effigy_scene::sample::{Moment, Sampler};

type Model = effigy_m2::Model;

fn sequence(start: u32, end: u32) -> Sequence {
    Sequence { start, end, ..Sequence::default() }
}

/// A vanilla model with one bone that moves along x.
fn vanilla(sequences: Vec<Sequence>, ranges: Vec<[u32; 2]>, keys: &[(u32, f32)]) -> Model {
    let mut model = Model::new(Version::VANILLA);
    model.sequences = sequences.into();
    let translation = Track {
        interpolation: 1,
        ranges: ranges.into(),
        times: Series::flat(keys.iter().map(|key| key.0).collect()),
        values: Series::flat(keys.iter().map(|key| [key.1, 0.0, 0.0]).collect()),
        ..Track::default()
    };
    model.bones = vec![Bone { translation, ..Bone::default() }].into();
    model
}

/// Where the bone is at a time of a sequence.
fn at(model: &Model, sequence: usize, time: f64) -> f32 {
    let scene = effigy_scene::validate(lower(model).scene).unwrap();
    let sampler = Sampler::new(&scene);
    let mut pose = sampler.pose();
    sampler.sample(&Moment { sequence: scene.sequences.id(sequence), time, clock: 0.0 }, None, &mut pose);
    pose.point(scene.nodes.id(0).unwrap(), [0.0; 3])[0]
}

#[test]
fn sequences_above_two_to_the_31_have_their_lengths_and_poses() {
    let far = 3_000_000_000;
    let model = vanilla(
        vec![sequence(far, far + 1000), sequence(far + 4333, far + 4833)],
        vec![[0, 1], [2, 3]],
        &[(far, 0.0), (far + 1000, 10.0), (far + 4333, 4.0), (far + 4833, 6.0)],
    );
    let scene = lower(&model).scene;
    let spans: Vec<_> = scene.sequences.iter().map(|(_, it)| (it.start, it.end)).collect();
    // The key after the first range is at 4333, so the second sequence starts 1000 later.
    assert_eq!(spans, [(0, 1000), (5333, 5833)]);
    assert_eq!([at(&model, 0, 250.0), at(&model, 0, 999.0)], [2.5, 9.99]);
    assert_eq!([at(&model, 1, 0.0), at(&model, 1, 250.0)], [4.0, 5.0]);
}

#[test]
fn a_sequence_may_start_before_zero_and_cross_it() {
    let start = 0_u32.wrapping_sub(100);
    let model = vanilla(vec![sequence(start, 100)], vec![[0, 1]], &[(start, 0.0), (100, 20.0)]);
    let scene = lower(&model).scene;
    assert_eq!(scene.sequences.as_slice()[0].length(), 200);
    assert_eq!([at(&model, 0, 50.0), at(&model, 0, 150.0)], [5.0, 15.0]);
}

#[test]
fn keys_before_the_start_and_after_the_range_keep_their_influence() {
    let far = 2_500_000_000;
    let model = vanilla(
        vec![sequence(far, far + 100)],
        vec![[0, 1]],
        &[(far - 100, 0.0), (far + 50, 15.0), (far + 150, 35.0)],
    );
    // From -100 to 50 it moves by 0.1 per millisecond, then by 0.2 to a key that is not in the range.
    assert_eq!([at(&model, 0, 0.0), at(&model, 0, 50.0), at(&model, 0, 75.0)], [10.0, 15.0, 20.0]);
}

#[test]
fn the_last_value_holds_when_the_next_key_is_weeks_away() {
    let model = vanilla(
        vec![sequence(0, 1000), sequence(3_000_000_000, 3_000_000_100)],
        vec![[0, 1], [2, 2]],
        &[(0, 1.0), (500, 2.0), (3_000_000_000, 9.0)],
    );
    assert_eq!([at(&model, 0, 250.0), at(&model, 0, 900.0), at(&model, 1, 50.0)], [1.5, 2.0, 9.0]);
}

#[test]
fn an_end_before_the_start_is_no_clip_of_49_days() {
    let model = vanilla(vec![sequence(3_000_000_100, 3_000_000_000)], vec![[0, 0]], &[(3_000_000_000, 1.0)]);
    assert_eq!(lower(&model).scene.sequences.as_slice()[0].length(), 0);
}

#[test]
fn events_are_laid_out_with_their_sequences() {
    let far = 4_000_000_000;
    let mut model = vanilla(vec![sequence(0, 100), sequence(far, far + 100)], vec![], &[]);
    let times = Series::flat(vec![40, far + 60]);
    let moments = Moments { ranges: vec![[0, 1], [1, 2]].into(), times, ..Moments::default() };
    model.events = vec![Event { moments, ..Event::default() }].into();
    let scene = lower(&model).scene;
    let start = scene.sequences.as_slice()[1].start;
    assert_eq!(scene.events.as_slice()[0].times, [40, start + 60]);
}

#[test]
fn an_ordinary_timeline_is_not_changed() {
    let model = vanilla(vec![sequence(3333, 4333)], vec![[0, 1]], &[(3333, 0.0), (5000, 1.0)]);
    let scene = lower(&model).scene;
    assert_eq!((scene.sequences.as_slice()[0].start, scene.sequences.as_slice()[0].end), (3333, 4333));
    assert_eq!(scene.nodes.as_slice()[0].translation.track.as_ref().unwrap().times, [3333, 5000]);
}

/// A Wrath model with two sequences of 100 ms.
fn wrath(lists: [&[(u32, f32)]; 2]) -> Model {
    let mut model = Model::new(Version::WRATH);
    let flags = SequenceFlags::EMBEDDED;
    model.sequences = Block::from(vec![Sequence { duration: 100, flags, ..Sequence::default() }; 2]);
    let mut translation = Track { interpolation: 1, ..Track::default() };
    for list in lists {
        translation.times.push_part(&list.iter().map(|key| key.0).collect::<Vec<_>>());
        translation.values.push_part(&list.iter().map(|key| [key.1, 0.0, 0.0]).collect::<Vec<_>>());
    }
    model.bones = vec![Bone { translation, ..Bone::default() }].into();
    model
}

#[test]
fn a_key_long_after_the_end_of_a_list_is_not_moved() {
    // 100 ms of a movement that takes 10 s: clamping the last key to 1099 ms would make it nine times faster.
    let model = wrath([&[(0, 0.0), (10_000, 100.0)], &[(0, 7.0), (100, 8.0)]]);
    assert!((at(&model, 0, 50.0) - 0.5).abs() < 1e-6);
    assert_eq!(at(&model, 1, 50.0), 7.5);
    let starts: Vec<_> = lower(&model).scene.sequences.iter().map(|(_, it)| it.start).collect();
    assert_eq!(starts, [0, 11_000]);
}

#[test]
fn lists_within_the_usual_gap_keep_their_layout() {
    let model = wrath([&[(0, 0.0), (1099, 1.0)], &[(0, 7.0)]]);
    let starts: Vec<_> = lower(&model).scene.sequences.iter().map(|(_, it)| it.start).collect();
    assert_eq!(starts, [0, 1100]);
}

#[test]
fn keys_that_do_not_fit_any_timeline_are_moved_and_reported() {
    let lists: [&[(u32, f32)]; 2] = [&[(0, 0.0), (0x7fff_0000, 1.0)], &[(0, 7.0), (0x7fff_0000, 8.0)]];
    let lowered = lower(&wrath(lists));
    let starts: Vec<_> = lowered.scene.sequences.iter().map(|(_, it)| it.start).collect();
    assert_eq!(starts, [0, 1100]);
    assert!(lowered.report.notes().iter().any(|note| note.path == "sequences"), "{}", lowered.report);
}

#[test]
fn a_key_one_gap_after_the_end_moves_the_next_sequence() {
    // The usual layout has room for keys up to 1099; one at 1100 needs more.
    let model = wrath([&[(0, 0.0), (1100, 1.0)], &[(0, 7.0)]]);
    let starts: Vec<_> = lower(&model).scene.sequences.iter().map(|(_, it)| it.start).collect();
    assert_eq!(starts, [0, 2100]);
}

#[test]
fn a_single_key_in_a_list_belongs_to_its_sequence() {
    // Only the second sequence has a key: the first rests.
    let model = wrath([&[], &[(20, 7.0)]]);
    assert_eq!([at(&model, 0, 50.0), at(&model, 1, 50.0)], [0.0, 7.0]);
}

#[test]
fn a_track_without_times_or_without_values_has_no_keys() {
    let mut model = vanilla(vec![sequence(0, 1000)], vec![[0, 1]], &[(0, 3.0), (1000, 5.0)]);
    let timeline = |model: &Model| Timeline::of(model, &mut effigy_wire::Report::default());
    let keys = |model: &Model| timeline(model).keys(&model.bones[0].translation, [0.0; 3], &|value| value);
    assert!(keys(&model).is_some());
    model.bones[0].translation.values = Series::default();
    assert!(keys(&model).is_none());
    model.bones[0].translation.values = Series::flat(vec![[1.0; 3]]);
    model.bones[0].translation.times = Series::default();
    assert!(keys(&model).is_none());
}
