//! The keys of a track that a sequence plays.
#![allow(clippy::unwrap_used)]

use effigy_m2::{Interpolation, Series, Track, Version};

/// Five keys on one timeline; the value of each is its time divided by 10.
fn shared(ranges: Vec<[u32; 2]>, global_sequence: i16) -> Track<f32> {
    Track {
        interpolation: 1,
        global_sequence,
        ranges: ranges.into(),
        times: Series::flat(vec![0, 100, 200, 300, 400]),
        values: Series::flat(vec![0.0, 10.0, 20.0, 30.0, 40.0]),
    }
}

#[test]
fn a_range_selects_keys_with_both_ends() {
    let track = shared(vec![[0, 1], [2, 4], [3, 3]], -1);
    assert_eq!(track.keys(0), (&[0, 100][..], &[0.0, 10.0][..]));
    assert_eq!(track.keys(1), (&[200, 300, 400][..], &[20.0, 30.0, 40.0][..]));
    assert_eq!(track.keys(2), (&[300][..], &[30.0][..]));
    // A sequence without a range has all keys.
    assert_eq!(track.keys(3).0, [0, 100, 200, 300, 400]);
    assert_eq!(shared(vec![], -1).keys(0).1, [0.0, 10.0, 20.0, 30.0, 40.0]);
}

#[test]
fn ranges_that_are_wrong_select_nothing_beyond_the_keys() {
    let track = shared(vec![[3, 9], [7, 8], [3, 1], [0, u32::MAX]], -1);
    for sequence in 0..4 {
        assert_eq!(track.keys(sequence), (&[][..], &[][..]), "{sequence}");
    }
}

#[test]
fn a_track_of_a_global_sequence_has_all_its_keys_in_every_sequence() {
    // 0 is a global sequence too; only negative numbers mean the sequence that plays.
    for global in [0, 1] {
        let track = shared(vec![[0, 0], [1, 1]], global);
        assert_eq!(track.keys(1).0, [0, 100, 200, 300, 400], "{global}");
    }
}

#[test]
fn a_key_needs_a_time_and_a_value() {
    let mut track = shared(vec![], -1);
    track.times = Series::flat(vec![7, 8]);
    assert_eq!(track.keys(0), (&[7, 8][..], &[0.0, 10.0][..]));
    // A range that reaches beyond the values selects nothing.
    track.values = Series::flat(vec![5.0]);
    assert_eq!(track.keys(0), (&[][..], &[][..]));
    track.ranges = vec![[0, 0]].into();
    assert_eq!(track.keys(0), (&[7][..], &[5.0][..]));
}

#[test]
fn lists_belong_to_sequences_by_their_position_and_the_first_serves_the_others() {
    let track = Track {
        times: Series::nested([vec![0_u32, 50], vec![], vec![0, 70, 90]]),
        values: Series::nested([vec![1.0_f32, 2.0], vec![], vec![3.0, 4.0]]),
        ..Track::default()
    };
    assert_eq!(track.keys(0), (&[0, 50][..], &[1.0, 2.0][..]));
    assert_eq!(track.keys(1), (&[][..], &[][..]));
    assert_eq!(track.keys(2), (&[0, 70][..], &[3.0, 4.0][..]));
    assert_eq!(track.keys(3), (&[0, 50][..], &[1.0, 2.0][..]));
}

#[test]
fn a_constant_has_one_key_at_zero_in_both_layouts() {
    for (version, lists) in [(Version::VANILLA, 0), (Version::WRATH, 1)] {
        let caps = effigy_m2::Model::new(version).caps();
        let track = Track::constant(7.5_f32, caps);
        assert_eq!((track.keys(0), track.keys(9)), ((&[0][..], &[7.5][..]), (&[0][..], &[7.5][..])));
        assert_eq!((track.times.part_count(), track.global_sequence, track.is_empty()), (lists, -1, false));
    }
    assert!(Track::<f32>::default().is_empty());
    assert!(!Track::<f32> { times: Series::flat(vec![1]), ..Track::default() }.is_empty());
    assert!(!Track { values: Series::flat(vec![1.0_f32]), ..Track::default() }.is_empty());
}

#[test]
fn numbers_of_interpolation() {
    let kinds = [0, 1, 2, 3, 4, -1].map(Interpolation::from);
    use Interpolation::{Bezier, Hermite, Linear, Other, Step};
    assert_eq!(kinds, [Step, Linear, Bezier, Hermite, Other(4), Other(-1)]);
}
