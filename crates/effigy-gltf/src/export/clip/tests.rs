//! Times of clips, computed by hand.

use super::*;
use effigy_scene::{Scene, ValidScene, validate};

/// A sequence from 1000 to 2000 and global sequences of these lengths.
fn scene(globals: &[u32]) -> ValidScene {
    let mut scene = Scene::default();
    scene.sequences.push(Sequence { start: 1000, end: 2000, ..Sequence::default() });
    for length in globals {
        scene.global_sequences.push(GlobalSequence { length: *length });
    }
    validate(scene).unwrap()
}

fn sequence(length: f64) -> Clip {
    Clip::Sequence { id: Id::new(0), length, unroll: true }
}

fn keys(times: Vec<i32>, global: Option<u32>) -> Track<f32> {
    let values = vec![0.0; times.len()];
    Track { global: global.map(Id::new), ..Track::linear(times, values, 0.0) }
}

fn key_times(scene: &ValidScene, clip: &Clip, track: &Track<f32>) -> Option<Vec<f64>> {
    let mut times = Vec::new();
    clip.key_times(&Sampler::new(scene), track, &mut times).then_some(times)
}

#[test]
fn keys_inside_a_sequence_count_from_its_start() {
    let track = keys(vec![500, 1000, 1250, 1999, 2000, 2500], None);
    assert_eq!(key_times(&scene(&[]), &sequence(1000.0), &track), Some(vec![250.0, 999.0]));
}

#[test]
fn keys_of_a_global_sequence_are_repeated() {
    // Keys at 0, 150 and 300 of a clock of 300: the last belongs to the next round.
    let track = keys(vec![0, 150, 300], Some(0));
    let found = key_times(&scene(&[300]), &sequence(1000.0), &track).unwrap();
    let mut once = found;
    once.dedup();
    assert_eq!(once, [150.0, 300.0, 450.0, 600.0, 750.0, 900.0]);
    let alone = Clip::Global { id: Id::new(0), length: 300.0 };
    assert_eq!(key_times(&scene(&[300]), &alone, &track), Some(vec![150.0]));
}

#[test]
fn too_many_repetitions_are_refused() {
    // One key and the start of each round are two times: 18000 rounds are the most.
    let track = keys(vec![0], Some(0));
    let scene = scene(&[1]);
    assert!(key_times(&scene, &sequence(18_000.0), &track).is_some());
    assert!(key_times(&scene, &sequence(18_001.0), &track).is_none());
}

#[test]
fn even_times_follow_the_rate_and_have_a_limit() {
    let even = |clip: &Clip, fps: f32| {
        let mut times = Vec::new();
        clip.even_times(fps, &mut times);
        times
    };
    assert_eq!(even(&sequence(1000.0), 4.0), [250.0, 500.0, 750.0]);
    // Rates are limited to 1 and 1000 per second.
    assert_eq!(even(&sequence(2500.0), 0.01), [1000.0, 2000.0]);
    assert_eq!(even(&sequence(10.0), 1e9), [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]);
    assert!(even(&sequence(0.0), 60.0).is_empty());
    // Ten minutes at 1000 per second are cut to 36000 samples.
    let many = even(&sequence(LONGEST), 1000.0);
    assert!((35_999..=36_000).contains(&many.len()), "{}", many.len());
    let mut few = Vec::new();
    sequence(1000.0).some_times(60.0, 4.0, &mut few);
    assert_eq!(few, [250.0, 500.0, 750.0]);
    let mut none = Vec::new();
    sequence(1000.0).some_times(60.0, 0.0, &mut none);
    assert!(none.is_empty());
}

#[test]
fn boundaries_are_sorted_and_unique() {
    let clip = sequence(1000.0);
    assert_eq!(clip.boundaries(vec![]), [0.0, 1000.0]);
    assert_eq!(clip.boundaries(vec![500.0, 250.0, 500.0]), [0.0, 250.0, 500.0, 1000.0]);
    assert_eq!(clip.boundaries(vec![0.0, 250.0]), [0.0, 250.0, 1000.0]);
    assert_eq!(clip.boundaries(vec![250.0, 250.000_000_5]), [0.0, 250.0, 1000.0]);
    assert_eq!(clip.boundaries(vec![250.0, 250.000_01]).len(), 4);
    assert_eq!(sequence(0.0).boundaries(vec![]), [0.0]);
}

#[test]
fn tracks_play_with_their_own_clock() {
    let (own, first, second) = (keys(vec![0], None), keys(vec![0], Some(0)), keys(vec![0], Some(1)));
    let kept = Clip::Sequence { id: Id::new(0), length: 1000.0, unroll: false };
    let alone = Clip::Global { id: Id::new(1), length: 300.0 };
    let plays = |clip: &Clip| [&own, &first, &second].map(|track| clip.plays(track));
    assert_eq!(plays(&sequence(1000.0)), [true, true, true]);
    assert_eq!(plays(&kept), [true, false, false]);
    assert_eq!(plays(&alone), [false, false, true]);
    assert_eq!(alone.length(), 300.0);
    let moment = sequence(1000.0).moment(25.0);
    assert_eq!((moment.sequence, moment.time, moment.clock), (Some(Id::new(0)), 25.0, 25.0));
    let moment = alone.moment(25.0);
    assert_eq!((moment.sequence, moment.time, moment.clock), (None, 0.0, 25.0));
}
