//! Values between keys against answers computed by hand: splines, clocks, windows.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use effigy_scene::sample::{Moment, Sampler, Segment, Value};
use effigy_scene::{
    GlobalSequence, Id, Interpolation, KeyRule, Rotation, Scene, Sequence, Track, TurnRule, ValidScene,
    validate,
};

/// Sequences 0 to 1000 and 2000 to 2400, one of length 0 at 3000; global clocks of 0 and 800 milliseconds.
fn scene(rule: KeyRule, looping: bool) -> ValidScene {
    let mut scene = Scene { key_rule: rule, ..Scene::default() };
    for (start, end) in [(0, 1000), (2000, 2400), (3000, 3000)] {
        scene.sequences.push(Sequence { start, end, looping, ..Sequence::default() });
    }
    scene.global_sequences.push(GlobalSequence { length: 0 });
    scene.global_sequences.push(GlobalSequence { length: 800 });
    validate(scene).unwrap()
}

fn at<T: Value>(scene: &ValidScene, track: &Track<T>, sequence: u32, time: f64) -> T {
    Sampler::new(scene).track(track, &Moment { sequence: Some(Id::new(sequence)), time, clock: 0.0 })
}

/// A rotation about Y by an angle.
fn about_y(angle: f32) -> Rotation {
    let (sin, cos) = (angle / 2.0).sin_cos();
    Rotation([0.0, sin, 0.0, cos])
}

#[track_caller]
fn assert_near<const N: usize>(a: [f32; N], b: [f32; N]) {
    assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-5), "{a:?} is not {b:?}");
}

#[test]
fn hermite_vectors() {
    // At 1/4: h00 = 2/64 - 3/16 + 1 = 54/64, h10 = 1/64 - 2/16 + 1/4 = 9/64, h11 = 1/64 - 1/16 = -3/64, h01 = 10/64.
    let [a, out, into, b] = [[64.0, 0.0, 1.0], [0.0, 64.0, 2.0], [0.0, -64.0, 3.0], [0.0, 0.0, 4.0]];
    let expected = [54.0, 12.0, (54.0 + 18.0 - 9.0 + 40.0) / 64.0];
    assert_near(<[f32; 3]>::hermite(a, out, into, b, 0.25), expected);
    assert_near([f32::hermite(1.0, 2.0, 3.0, 4.0, 0.25)], [expected[2]]);
    // At 3/4 the weights are mirrored: 10/64, 3/64, -9/64, 54/64.
    let expected = [10.0, 3.0 + 9.0, (10.0 + 6.0 - 27.0 + 216.0) / 64.0];
    assert_near(<[f32; 3]>::hermite(a, out, into, b, 0.75), expected);
}

#[test]
fn bezier_vectors() {
    // At 1/4: 27/64, 27/64, 9/64, 1/64.
    let [a, out, into, b] = [[64.0, 0.0, 1.0], [0.0, 64.0, 2.0], [0.0, 32.0, 3.0], [64.0, 0.0, 4.0]];
    let expected = [28.0, 27.0 + 4.5, (27.0 + 54.0 + 27.0 + 4.0) / 64.0];
    assert_near(<[f32; 3]>::bezier(a, out, into, b, 0.25), expected);
    assert_near([f32::bezier(1.0, 2.0, 3.0, 4.0, 0.25)], [expected[2]]);
    // At 3/4: 1/64, 9/64, 27/64, 27/64.
    let expected = [28.0, 9.0 + 13.5, (1.0 + 18.0 + 81.0 + 108.0) / 64.0];
    assert_near(<[f32; 3]>::bezier(a, out, into, b, 0.75), expected);
}

#[test]
fn spline_rotations_pull_toward_their_tangents() {
    // About one axis everything is a sum of angles. At t the keys 0 and 1.2 give k = 1.2 t, the tangents 0.4 and 1.6 give
    // m = 0.4 + 1.2 t, and the result is k + 2 t (1 - t) (m - k), m - k = 0.4.
    let [a, out, into, b] = [0.0, 0.4, 1.6, 1.2].map(about_y);
    for (t, angle) in [(0.25, 0.3 + 0.375 * 0.4), (0.5, 0.6 + 0.5 * 0.4), (0.75, 0.9 + 0.375 * 0.4)] {
        assert_near(Rotation::hermite(a, out, into, b, t).0, about_y(angle).0);
        assert_near(Rotation::bezier(a, out, into, b, t).0, about_y(angle).0);
    }
    // Tangents far from each other: keys at 0, tangents at 0.2 and 1.0: at 3/4, m = 0.8 and 3/8 of it is 0.3.
    let [out, into] = [0.2, 1.0].map(about_y);
    assert_near(Rotation::hermite(a, out, into, a, 0.75).0, about_y(0.3).0);
    // Halfway between two rotations, and numbers that count.
    assert_near(Rotation::mix(a, b, 0.5, TurnRule::Slerp).0, about_y(0.6).0);
    assert_eq!(
        (u32::mix(3, 9, 0.9, TurnRule::Slerp), u32::hermite(3, 5, 7, 9, 0.9), u32::bezier(3, 5, 7, 9, 0.9)),
        (3, 3, 3)
    );
}

#[test]
fn a_track_uses_the_out_tangent_of_the_earlier_and_the_in_tangent_of_the_later_key() {
    let scene = scene(KeyRule::Hold, false);
    let mut track = Track::linear(vec![0, 1000], vec![1.0, 4.0], -1.0);
    track.tangents = vec![[100.0, 2.0], [3.0, 100.0]];
    // The values of the weights at 1/4 above: Hermite 103/64, Bezier 112/64.
    for (interpolation, expected) in [
        (Interpolation::Step, 1.0),
        (Interpolation::Linear, 1.75),
        (Interpolation::Hermite, 103.0 / 64.0),
        (Interpolation::Bezier, 112.0 / 64.0),
    ] {
        track.interpolation = interpolation;
        assert_near([at(&scene, &track, 0, 250.0)], [expected]);
        assert_eq!(at(&scene, &track, 0, 0.0), 1.0);
        // The last key is reached with every interpolation.
        assert_eq!(at(&scene, &track, 0, 1000.0), 4.0);
    }
}

#[test]
fn a_step_is_not_taken_early_in_a_long_interval() {
    // The last millisecond is nearer to 1 than floats of 24 bits can say.
    let last = (1 << 25) + 1;
    let mut long = Scene::default();
    long.sequences.push(Sequence { start: 0, end: last, ..Sequence::default() });
    let long = validate(long).unwrap();
    let track =
        Track { interpolation: Interpolation::Step, ..Track::linear(vec![0, last], vec![1.0, 4.0], -1.0) };
    assert_eq!(at(&long, &track, 0, f64::from(last - 1)), 1.0);
    assert_eq!(at(&long, &track, 0, f64::from(last)), 4.0);
}

#[test]
fn a_sequence_holds_at_its_end_or_starts_again() {
    let track = Track::linear(vec![0, 1000], vec![0.0, 10.0], -1.0);
    let (held, looped) = (scene(KeyRule::Hold, false), scene(KeyRule::Hold, true));
    assert_eq!([-50.0, 250.0, 1000.0, 1250.0].map(|time| at(&held, &track, 0, time)), [0.0, 2.5, 10.0, 10.0]);
    assert_eq!([250.0, 1000.0, 1250.0, 3500.0].map(|t| at(&looped, &track, 0, t)), [2.5, 10.0, 2.5, 5.0]);
    // A sequence without length has one moment.
    let track = Track::linear(vec![3000, 3001], vec![5.0, 9.0], -1.0);
    for scene in [&held, &looped] {
        assert_eq!([0.0, 1.0, 777.0].map(|time| at(scene, &track, 2, time)), [5.0; 3]);
    }
    let wrapped = scene(KeyRule::Wrap, true);
    assert_eq!([0.0, 777.0].map(|time| at(&wrapped, &track, 2, time)), [5.0; 2]);
    // Two keys at that one moment: the later one counts.
    let twice = Track::linear(vec![3000, 3000], vec![5.0, 9.0], -1.0);
    assert_eq!(at(&wrapped, &twice, 2, 0.0), 9.0);
}

#[test]
fn keys_wrap_around_the_end_of_their_own_sequence() {
    // Keys of another sequence at 900, 1900 and 2500 do not count. 2100 to 2300 is 200 ms, around the end 200 ms too.
    let times = vec![900, 1900, 2100, 2300, 2500];
    let track = Track::linear(times, vec![77.0, 88.0, 1.0, 5.0, 99.0], -1.0);
    let scene = scene(KeyRule::Wrap, true);
    assert_eq!(at(&scene, &track, 1, 150.0), 2.0);
    // 50 ms after the last key is a quarter of the way from 5 back to 1.
    assert_eq!(at(&scene, &track, 1, 350.0), 4.0);
    assert_eq!(at(&scene, &track, 1, 300.0), 5.0);
    // Keys exactly at the ends belong to the sequence.
    let ends = Track::linear(vec![1999, 2000, 2400, 2401], vec![77.0, 0.0, 4.0, 99.0], -1.0);
    assert_eq!([0.0, 100.0, 400.0].map(|time| at(&scene, &ends, 1, time)), [0.0, 1.0, 4.0]);
    // No key, and no sequence: the default.
    assert_eq!(at(&scene, &Track::linear(vec![1500], vec![1.0], -1.0), 1, 0.0), -1.0);
    let none = Moment { sequence: None, time: 2100.0, clock: 0.0 };
    assert_eq!(Sampler::new(&scene).track(&track, &none), -1.0);
    assert_eq!(Sampler::new(&scene).track(&Track::<f32>::linear(vec![], vec![], -1.0), &none), -1.0);
}

#[test]
fn windows_name_the_keys_of_a_sequence() {
    let mut track = Track::linear(vec![0, 1000, 2000, 2400], vec![1.0, 3.0, 5.0, 9.0], -1.0);
    track.windows = vec![[0, 1], [2, 3], [1, 1]];
    let (hold, on) = (scene(KeyRule::Hold, false), scene(KeyRule::Continue, false));
    for scene in [&hold, &on] {
        assert_eq!(at(scene, &track, 0, 500.0), 2.0);
        assert_eq!(at(scene, &track, 1, 100.0), 6.0);
        assert_eq!(at(scene, &track, 2, 0.0), 3.0);
    }
    // The window [0, 1] seen from the second sequence: held, or on its way to the key at 2400 (5 + 4 / 4 at 2100).
    track.windows = vec![[0, 1], [1, 2], [0, 0]];
    assert_eq!(at(&hold, &track, 1, 100.0), 5.0);
    assert_eq!(at(&on, &track, 1, 100.0), 6.0);
    // After the last key of all there is nothing to go to.
    track.windows = vec![[0, 1], [2, 3], [2, 3]];
    assert_eq!(at(&on, &track, 2, 0.0), 9.0);
    // Before the first key of the window its value holds.
    track.windows = vec![[2, 3], [2, 3], [2, 3]];
    assert_eq!([at(&hold, &track, 0, 0.0), at(&on, &track, 0, 999.0)], [5.0, 5.0]);
    // Without windows and with Hold all keys of the timeline count.
    track.windows.clear();
    assert_eq!(at(&hold, &track, 0, 500.0), 2.0);
    assert_eq!(Sampler::new(&hold).window(&track, &Moment::new(Id::new(1), 0.0)), Some((0, 3)));
}

#[test]
fn the_last_key_of_a_timeline_holds_before_zero_too() {
    let mut scene = Scene { key_rule: KeyRule::Continue, ..Scene::default() };
    scene.sequences.push(Sequence { start: -500, end: -100, ..Sequence::default() });
    let scene = validate(scene).unwrap();
    let mut track = Track::linear(vec![-500, -300], vec![1.0, 3.0], 77.0);
    track.windows = vec![[0, 1]];
    assert_eq!([100.0, 200.0, 300.0].map(|time| at(&scene, &track, 0, time)), [2.0, 3.0, 3.0]);
}

#[test]
fn global_sequences_have_their_own_clock() {
    let on_clock = |scene: &ValidScene, track: &Track<f32>, clock: f64| {
        Sampler::new(scene).track(track, &Moment { sequence: Some(Id::new(1)), time: 50.0, clock })
    };
    let mut track = Track::linear(vec![0, 400, 600, 900], vec![0.0, 4.0, 8.0, 50.0], -1.0);
    track.global = Some(Id::new(1));
    let (wrap, hold, on) =
        (scene(KeyRule::Wrap, true), scene(KeyRule::Hold, true), scene(KeyRule::Continue, true));
    for scene in [&wrap, &hold, &on] {
        assert_eq!(
            [100.0, 500.0, 900.0, 1700.0].map(|clock| on_clock(scene, &track, clock)),
            [1.0, 6.0, 1.0, 1.0]
        );
    }
    // 700 ms: Wrap is halfway from 8 (at 600) back to 0 (at 800), since 900 is never reached; the others are a third of
    // the way to 50 (at 900).
    assert_eq!(on_clock(&wrap, &track, 700.0), 4.0);
    assert_eq!([on_clock(&hold, &track, 700.0), on_clock(&on, &track, 700.0)], [22.0, 22.0]);
    // A key exactly at the length counts.
    track.times = vec![0, 400, 600, 800];
    assert_eq!(on_clock(&wrap, &track, 700.0), 29.0);
    // After the last key the others hold.
    track.times = vec![0, 100, 200, 300];
    assert_eq!([on_clock(&hold, &track, 700.0), on_clock(&on, &track, 700.0)], [50.0, 50.0]);
    // A clock that does not run stays at the first key.
    track.global = Some(Id::new(0));
    assert_eq!([&wrap, &hold, &on].map(|scene| on_clock(scene, &track, 700.0)), [0.0; 3]);
}

#[test]
fn segments_give_keys_share_and_duration() {
    let segment = |scene: &ValidScene, track: &Track<f32>, sequence: u32, time: f64| {
        let (sampler, moment) = (Sampler::new(scene), Moment::new(Id::new(sequence), time));
        let window = sampler.window(track, &moment)?;
        sampler.segment(track, &moment, window)
    };
    let wrap = scene(KeyRule::Wrap, true);
    let track = Track::linear(vec![2100, 2300], vec![1.0, 5.0], -1.0);
    let expected = |from, to, t, duration| Some(Segment { from, to, t, duration });
    assert_eq!(segment(&wrap, &track, 1, 150.0), expected(0, 1, 0.25, 200.0));
    assert_eq!(segment(&wrap, &track, 1, 350.0), expected(1, 0, 0.25, 200.0));
    assert_eq!(segment(&wrap, &track, 0, 350.0), None);
    // Over the whole sequence there is no way around: the last key holds.
    let whole = Track::linear(vec![2000, 2400], vec![1.0, 5.0], -1.0);
    assert_eq!(segment(&wrap, &whole, 1, 400.0), expected(1, 1, 0.0, 0.0));
    // On the clock of 800 ms: from 600 around to 200 is 400 ms; 700 is a quarter of it.
    let mut global = Track::linear(vec![200, 600], vec![1.0, 5.0], -1.0);
    global.global = Some(Id::new(1));
    assert_eq!(segment(&wrap, &global, 1, 700.0), expected(1, 0, 0.25, 400.0));
    let hold = scene(KeyRule::Hold, true);
    assert_eq!(segment(&hold, &track, 1, 350.0), expected(1, 1, 0.0, 0.0));
    assert_eq!(segment(&hold, &track, 1, 250.0), expected(0, 1, 0.75, 200.0));
    // The value inside a segment, at any share.
    let between = Segment { from: 0, to: 1, t: 0.0, duration: 200.0 };
    assert_eq!(Sampler::new(&hold).within(&track, &between, 0.75), 4.0);
    let held = Segment { from: 1, to: 1, t: 0.0, duration: 0.0 };
    assert_eq!(Sampler::new(&hold).within(&track, &held, 0.75), 5.0);
}
