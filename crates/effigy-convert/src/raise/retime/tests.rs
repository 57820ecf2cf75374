use super::*;
use crate::raise::timeline::Change;
use effigy_scene::{Id, Rotation, Scene, ValidScene, validate};

pub(in crate::raise) fn clip(source: u32, start: i32, end: i32, hold: Option<i32>) -> Clip {
    Clip {
        name: String::new(),
        start,
        end,
        looping: true,
        rarity: 0.0,
        move_speed: 0.0,
        source: Some(Id::new(source)),
        hold,
        change: Change::Nothing,
        made: false,
    }
}

pub(in crate::raise) fn scene(rule: KeyRule, turns: TurnRule) -> ValidScene {
    let mut scene = Scene { key_rule: rule, turn_rule: turns, ..Scene::default() };
    for start in [0, 5000] {
        scene.sequences.push(Sequence { start, end: start + 1000, ..Sequence::default() });
    }
    scene.global_sequences.push(GlobalSequence { length: 800 });
    validate(scene).unwrap()
}

/// Everything as Warcraft III has it, with all keys.
pub(in crate::raise) fn retiming<'a>(scene: &'a ValidScene, clips: &'a [Clip]) -> Retiming<'a> {
    let fine = Tolerance { length: 1e-3, ratio: 1e-3, angle: 1e-3 };
    Retiming {
        sampler: Sampler::new(scene),
        clips,
        fine,
        coarse: None,
        nodes: None,
        turns: TurnRule::Slerp,
        splines: true,
        quarters: true,
        lengths: true,
        keys: [0; 2],
        sampled: 0,
        chords: crate::raise::metric::straight_cosine(fine.angle),
    }
}

fn made<T: Metric>(scene: &ValidScene, clips: &[Clip], track: &Track<T>) -> Track<T> {
    retiming(scene, clips).track(track, None)
}

/// A turn around z.
fn turn(degrees: f32) -> Rotation {
    let (sin, cos) = (degrees.to_radians() / 2.0).sin_cos();
    Rotation([0.0, 0.0, sin, cos])
}

/// The opposite sign: the same rotation.
fn opposite(rotation: Rotation) -> Rotation {
    Rotation(rotation.0.map(|part| -part))
}

#[test]
fn held_and_continued_keys_arrive_with_both_ends() {
    let track = Track::linear(vec![200, 600, 1400, 5500], vec![1.0_f32, 3.0, 11.0, 7.0], 0.0);
    let clips = [clip(0, 333, 1333, None), clip(1, 1666, 2666, None)];
    // The game holds the value of an end key.
    let mut held = track.clone();
    held.windows = vec![[0, 1], [3, 3]];
    let found = made(&scene(KeyRule::Hold, TurnRule::Slerp), &clips, &held);
    assert_eq!(found.times, [333, 533, 933, 1333, 1666, 2166, 2666]);
    assert_eq!(found.values, [1.0, 1.0, 3.0, 3.0, 7.0, 7.0, 7.0]);
    // The game goes on to the next key of the timeline: half of the way from 3 to 11.
    let found = made(&scene(KeyRule::Continue, TurnRule::Slerp), &clips[..1], &held);
    assert_eq!(found.times, [333, 533, 933, 1333]);
    assert_eq!(found.values, [1.0, 1.0, 3.0, 7.0]);
}

#[test]
fn a_pose_that_is_held_has_one_value() {
    let track = Track::linear(vec![0, 1000], vec![0.0_f32, 10.0], 0.0);
    let found = made(&scene(KeyRule::Hold, TurnRule::Slerp), &[clip(0, 0, 60_000, Some(250))], &track);
    assert_eq!((found.times, found.values), (vec![0, 60_000], vec![2.5, 2.5]));
}

/// A spline keeps its tangents, also if another sequence holds one of its poses. Half way, by hand: (1 + 5) / 2 + (8 - 0) / 8 = 4.
#[test]
fn a_spline_stays_one_next_to_a_pose_that_is_held() {
    let keys = vec![1.0_f32, 5.0];
    let clips = [clip(0, 333, 1333, None), clip(0, 1666, 2666, Some(500))];
    for (kind, tangents) in [
        (Interpolation::Hermite, vec![[0.0, 8.0], [0.0, 0.0]]),
        (Interpolation::Bezier, vec![[1.0, 4.0], [14.0 / 3.0, 5.0]]),
    ] {
        let track = Track {
            interpolation: kind,
            tangents: tangents.clone(),
            windows: vec![[0, 1], [0, 1]],
            ..Track::linear(vec![0, 1000], keys.clone(), 0.0)
        };
        let found = made(&scene(KeyRule::Hold, TurnRule::Slerp), &clips, &track);
        assert_eq!((found.interpolation, &found.times[..]), (kind, &[333, 1333, 1666, 2666][..]));
        assert_eq!(found.tangents[..2], tangents[..]);
        // No change, or the same point.
        let still = if kind == Interpolation::Hermite { 0.0 } else { found.values[2] };
        assert_eq!((&found.tangents[2..], &found.values[..2]), (&[[still; 2]; 2][..], &keys[..]));
        assert!(found.values[2..].iter().all(|value| (value - 4.0).abs() < 1e-6), "{found:?}");
    }
}

#[test]
fn a_global_track_holds_its_last_key_until_the_clock_starts_again() {
    let mut track = Track::linear(vec![100, 500], vec![0.0_f32, 4.0], 0.0);
    track.global = Some(Id::new(0));
    let found = made(&scene(KeyRule::Hold, TurnRule::Slerp), &[clip(0, 0, 1000, None)], &track);
    assert_eq!(found.times, [0, 100, 500, 800]);
    assert_eq!(found.values, [0.0, 0.0, 4.0, 4.0]);
}

#[test]
fn chords_are_sampled_until_arcs_are_near_enough() {
    let track = Track::linear(vec![0, 1000], vec![turn(0.0), turn(120.0)], turn(0.0));
    let scene = scene(KeyRule::Hold, TurnRule::Nlerp);
    let found = made(&scene, &[clip(0, 0, 1000, None)], &track);
    assert!(found.len() > 3, "{found:?}");
    for time in (0..=1000_u16).step_by(10) {
        // The chord from 0 to 120 degrees, by hand.
        let t = f32::from(time) / 1000.0;
        let (x, y) = (1.0 - t + t * 60_f32.to_radians().cos(), t * 60_f32.to_radians().sin());
        let wanted = 2.0 * y.atan2(x);
        let after = found.times.partition_point(|key| *key <= i32::from(time)).min(found.len() - 1);
        let (a, b) = (after - 1, after);
        let span = (found.times[b] - found.times[a]) as f32;
        let ratio = (f32::from(time) - found.times[a] as f32) / span;
        let angle = |key: usize| 2.0 * found.values[key].0[2].atan2(found.values[key].0[3]);
        let got = angle(a) + ratio * (angle(b) - angle(a));
        assert!((got - wanted).abs() < 2e-3, "{time}: {got} and not {wanted}");
    }
}

/// Before the first key at 400, the game goes from the last one (5) on backwards: 5 + (0 - 400) / 600 * (1 - 5) at the start, and
/// nearly 5 a millisecond before the key, where it jumps to 1.
#[test]
fn the_jump_at_the_first_key_of_a_loop_is_kept() {
    let scene = scene(KeyRule::Wrap, TurnRule::Slerp);
    let track = Track::linear(vec![400, 800], vec![1.0_f32, 5.0], 0.0);
    let made = made(&scene, &[clip(0, 333, 1333, None)], &track);
    assert_eq!(made.times, [333, 732, 733, 1133, 1333]);
    let expected = [5.0 + 8.0 / 3.0, 5.0 + 4.0 / 600.0, 1.0, 5.0, 5.0 - 4.0 / 3.0];
    for (found, expected) in made.values.iter().zip(expected) {
        assert!((found - expected).abs() < 1e-4, "{:?}", made.values);
    }
}

/// The curve of [`spline`]: 1 at the start, 5 at the end, and tangents 8 and 0.
fn hermite(t: f32) -> f32 {
    let (square, cube) = (t * t, t * t * t);
    (2.0 * cube - 3.0 * square + 1.0) + 8.0 * (cube - 2.0 * square + t) + 5.0 * (3.0 * square - 2.0 * cube)
}

fn spline(times: [i32; 2]) -> Track<f32> {
    Track {
        interpolation: Interpolation::Hermite,
        tangents: vec![[0.0, 8.0], [0.0, 0.0]],
        ..Track::linear(times.to_vec(), vec![1.0, 5.0], 0.0)
    }
}

/// How far a linear track is from a curve of a second at most, by milliseconds.
fn farthest(track: &Track<f32>, start: i32, curve: impl Fn(f32) -> f32) -> f32 {
    let keys = track.times.windows(2).zip(track.values.windows(2));
    let off = keys.flat_map(|(times, values)| {
        let curve = &curve;
        (times[0]..=times[1]).map(move |time| {
            let part = (time - times[0]) as f32 / (times[1] - times[0]) as f32;
            let line = values[0] + (values[1] - values[0]) * part;
            (line - curve((time - start) as f32 / 1000.0)).abs()
        })
    });
    off.fold(0.0, f32::max)
}

#[test]
fn splines_that_the_target_cannot_have_are_sampled_and_counted() {
    let scene = scene(KeyRule::Hold, TurnRule::Slerp);
    let (whole, late) = ([clip(0, 333, 1333, None)], [clip(0, 333, 733, None)]);
    let mut without = retiming(&scene, &whole);
    without.splines = false;
    let found = without.track(&spline([0, 1000]), None);
    assert_eq!((found.interpolation, found.tangents.len()), (Interpolation::Linear, 0));
    assert_eq!((found.times[0], found.times.last()), (333, Some(&1333)));
    let off = farthest(&found, 333, hermite);
    assert!(off < 1.2e-3 && off > 1e-4, "{off}");
    assert_eq!((without.sampled, without.keys), (1, [2, found.len()]));
    // Lines are not sampled, and counts add up.
    without.track(&Track::linear(vec![0, 500, 1000], vec![0.0_f32, 7.0, 1.0], 0.0), None);
    assert_eq!((without.sampled, without.keys), (1, [5, found.len() + 3]));
    // Keys that do not begin and end with their sequence, where the curve goes on around the loop, or of which the target
    // shows a part.
    let around = self::scene(KeyRule::Wrap, TurnRule::Slerp);
    for (scene, clips, times) in
        [(&around, &whole, [0, 900]), (&around, &whole, [100, 1000]), (&scene, &late, [0, 1000])]
    {
        let mut with = retiming(scene, clips);
        let found = with.track(&spline(times), None);
        assert_eq!((found.interpolation, with.sampled), (Interpolation::Linear, 1), "{times:?}");
    }
    let mut with = retiming(&scene, &whole);
    assert_eq!(with.track(&spline([0, 1000]), None).interpolation, Interpolation::Hermite);
    assert_eq!(with.sampled, 0);
}

/// The curve itself has the tangents 8 and 7; what lies outside of it does not matter where the value is held.
#[test]
fn a_spline_that_is_held_at_its_ends_keeps_its_tangents() {
    let scene = scene(KeyRule::Hold, TurnRule::Slerp);
    let clips = [clip(0, 333, 1333, None), clip(1, 1666, 2666, None)];
    for (kind, tangents) in [
        (Interpolation::Hermite, [[0.0; 2], [0.0, 8.0], [7.0, 0.0], [0.0; 2]]),
        (Interpolation::Bezier, [[1.0; 2], [1.0, 8.0], [7.0, 5.0], [5.0; 2]]),
    ] {
        let track = |times: Vec<i32>| Track {
            interpolation: kind,
            tangents: vec![[9.0, 8.0], [7.0, 6.0]],
            windows: vec![[0, 1]],
            ..Track::linear(times, vec![1.0, 5.0], 0.0)
        };
        let mut with = retiming(&scene, &clips[..1]);
        let found = with.track(&track(vec![200, 700]), None);
        assert_eq!((found.interpolation, with.sampled), (kind, 0));
        assert_eq!((found.times, found.values), (vec![333, 533, 1033, 1333], vec![1.0, 1.0, 5.0, 5.0]));
        assert_eq!(found.tangents, tangents);
        let on_clock = |times| Track { global: Some(Id::new(0)), windows: Vec::new(), ..track(times) };
        let found = with.track(&on_clock(vec![100, 500]), None);
        assert_eq!((found.interpolation, found.times), (kind, vec![0, 100, 500, 800]));
        assert_eq!((found.values, found.tangents), (vec![1.0, 1.0, 5.0, 5.0], tangents.to_vec()));
        assert_eq!((found.global, with.sampled), (Some(Id::new(0)), 0));
        // A clock that ends within the curve.
        let found = with.track(&on_clock(vec![0, 900]), None);
        assert_eq!((found.interpolation, found.tangents.len(), with.sampled), (Interpolation::Linear, 0, 1));
    }
    // A game that goes around as the target does has the same keys, and no keys mean the default.
    let around = self::scene(KeyRule::Wrap, TurnRule::Slerp);
    let track = Track { global: Some(Id::new(0)), ..spline([100, 500]) };
    let found = made(&around, &clips, &track);
    assert_eq!((&found.times, &found.tangents), (&track.times, &track.tangents));
    let found = made(&around, &clips, &Track { default: 4.0, ..spline([0, 1000]) });
    assert_eq!((found.times, found.values), (vec![333, 1333, 1666, 2666], vec![1.0, 5.0, 4.0, 4.0]));
    assert_eq!(found.tangents, [[0.0, 8.0], [0.0; 2], [0.0; 2], [0.0; 2]]);
    // The next sequence goes on on the timeline.
    let on = self::scene(KeyRule::Continue, TurnRule::Slerp);
    assert_eq!(made(&on, &clips, &track).interpolation, Interpolation::Linear);
}

#[test]
fn what_is_quiet_in_a_held_pose_is_so_at_both_ends() {
    let scene = scene(KeyRule::Hold, TurnRule::Slerp);
    let clips = [clip(0, 0, 1000, None), clip(0, 2000, 3000, Some(500))];
    let track = Track::linear(vec![0, 1000], vec![1.0_f32, 3.0], 0.0);
    let found = retiming(&scene, &clips).track(&track, Some(-1.0));
    assert_eq!((found.times, found.values), (vec![0, 1000, 2000, 3000], vec![1.0, 3.0, -1.0, -1.0]));
    assert_eq!(made(&scene, &clips, &track).values, [1.0, 3.0, 2.0, 2.0]);
    let found = retiming(&scene, &clips).track(&spline([0, 1000]), Some(-1.0));
    assert_eq!((found.interpolation, found.values), (Interpolation::Hermite, vec![1.0, 5.0, -1.0, -1.0]));
    assert_eq!(found.tangents, [[0.0, 8.0], [0.0; 2], [0.0; 2], [0.0; 2]]);
    // A value that every sequence keeps.
    let found = retiming(&scene, &clips).constant(7_u32);
    assert_eq!((found.times, found.values, found.default), (vec![0, 1000, 2000, 3000], vec![7; 4], 7));
}

#[test]
fn longer_clips_hold_their_end_and_shorter_ones_are_cut() {
    let scene = scene(KeyRule::Hold, TurnRule::Slerp);
    let track = Track::linear(vec![5000, 5500, 6000], vec![0.0_f32, 5.0, 20.0], 0.0);
    let found = made(&scene, &[clip(1, 100, 2100, None)], &track);
    assert_eq!((found.times, found.values), (vec![100, 600, 1100, 2100], vec![0.0, 5.0, 20.0, 20.0]));
    let found = made(&scene, &[clip(1, 100, 900, None)], &track);
    assert_eq!((found.times, found.values), (vec![100, 600, 900], vec![0.0, 5.0, 14.0]));
    // A clip that plays nothing rests.
    let rest = [Clip { source: None, ..clip(0, 100, 900, None) }];
    let still = Track { default: 9.0, ..Track::linear(Vec::new(), Vec::<f32>::new(), 0.0) };
    let found = made(&scene, &rest, &still);
    assert_eq!((found.times, found.values), (vec![100, 900], vec![9.0, 9.0]));
}

#[test]
fn two_keys_at_one_time_are_a_jump() {
    let scene = scene(KeyRule::Hold, TurnRule::Slerp);
    let found = |times: &[i32], values: &[f32]| {
        let track = Track::linear(times.to_vec(), values.to_vec(), 0.0);
        let made = made(&scene, &[clip(0, 0, 1000, None)], &track);
        (made.times, made.values)
    };
    // The value before the jump is kept a millisecond earlier, unless there is a key.
    assert_eq!(
        found(&[0, 500, 500, 1000], &[0.0, 1.0, 5.0, 6.0]),
        (vec![0, 499, 500, 1000], vec![0.0, 0.998, 5.0, 6.0])
    );
    assert_eq!(
        found(&[0, 499, 500, 500, 1000], &[0.0, 1.0, 2.0, 5.0, 6.0]),
        (vec![0, 499, 500, 1000], vec![0.0, 1.0, 5.0, 6.0])
    );
    // At the ends there is nothing before or after it.
    assert_eq!(found(&[0, 0, 1000], &[1.0, 5.0, 6.0]), (vec![0, 1000], vec![5.0, 6.0]));
    assert_eq!(found(&[0, 1000, 1000], &[1.0, 5.0, 6.0]), (vec![0, 1000], vec![1.0, 6.0]));
}

#[test]
fn keys_of_other_sequences_do_not_count() {
    let scene = scene(KeyRule::Hold, TurnRule::Slerp);
    let mut track = Track::linear(vec![0, 400, 700], vec![0.0_f32, 4.0, 9.0], 0.0);
    track.windows = vec![[0, 1], [2, 2]];
    let found = made(&scene, &[clip(0, 0, 1000, None)], &track);
    assert_eq!((found.times, found.values), (vec![0, 400, 700, 1000], vec![0.0, 4.0, 4.0, 4.0]));
}

#[test]
fn keys_that_are_not_needed_go_where_that_is_asked_for() {
    let scene = scene(KeyRule::Hold, TurnRule::Slerp);
    let clips = [clip(0, 0, 1000, None)];
    let mut fewer = retiming(&scene, &clips);
    fewer.coarse = Some(Tolerance { length: 0.1, ratio: 1e-4, angle: 1e-4 });
    let line = Track::linear(vec![0, 300, 600, 1000], vec![0.0_f32, 3.05, 5.95, 10.0], 0.0);
    let found = fewer.track(&line, None);
    assert_eq!((found.times, found.values), (vec![0, 1000], vec![0.0, 10.0]));
    fewer.lengths = false;
    assert_eq!(fewer.track(&line, None).len(), 4);
    // Steps: where it changes, and the last.
    let mut steps = Track::linear(vec![0, 200, 400, 600, 1000], vec![1.0_f32, 1.0, 2.0, 2.0, 2.0], 0.0);
    steps.interpolation = Interpolation::Step;
    let found = fewer.track(&steps, None);
    assert_eq!((found.times, found.values), (vec![0, 400, 1000], vec![1.0, 2.0, 2.0]));
    assert_eq!(found.interpolation, Interpolation::Step);
}

#[test]
fn wide_turns_are_split_and_those_around_a_loop_sampled() {
    let clips = [clip(0, 0, 1000, None)];
    for (rule, times, sampled) in [
        (KeyRule::Wrap, [0, 1000], 0),
        (KeyRule::Hold, [400, 800], 0),
        // Before the first key, after the last one.
        (KeyRule::Wrap, [400, 1000], 1),
        (KeyRule::Wrap, [0, 400], 1),
    ] {
        let scene = scene(rule, TurnRule::Slerp);
        let mut retiming = retiming(&scene, &clips);
        let track = Track::linear(times.to_vec(), vec![turn(0.0), turn(170.0)], turn(0.0));
        let found = retiming.track(&track, None);
        assert_eq!(retiming.sampled, sampled, "{rule:?} {times:?}");
        let middle = found.times.iter().position(|time| *time == times[0].midpoint(times[1])).unwrap();
        assert!(Rotation::distance(found.values[middle], turn(85.0)) < 1e-4, "{found:?}");
        // Nowhere but in the jump at the first key.
        let steps = found.times.windows(2).zip(found.values.windows(2));
        let far =
            steps.filter(|(times, _)| times[1] - times[0] > 1).any(|(_, it)| Rotation::is_far(it[0], it[1]));
        assert!(!far, "{found:?}");
        // Without that rule of the target, keys stay as they are.
        retiming.quarters = false;
        let count = retiming.track(&track, None).len();
        assert!(rule == KeyRule::Wrap && sampled == 1 || count == if times == [0, 1000] { 2 } else { 4 });
    }
}

#[test]
fn signs_of_rotations_are_those_of_the_shorter_way_where_they_count() {
    let keys = vec![turn(0.0), opposite(turn(10.0)), turn(20.0)];
    let track = Track::linear(vec![0, 500, 1000], keys.clone(), turn(0.0));
    let clips = [clip(0, 0, 1000, None)];
    let aligned = vec![turn(0.0), turn(10.0), turn(20.0)];
    let slerp = scene(KeyRule::Hold, TurnRule::Slerp);
    for (target, expected) in [(TurnRule::Nlerp, aligned), (TurnRule::Slerp, keys)] {
        let mut retiming = retiming(&slerp, &clips);
        retiming.turns = target;
        let found = retiming.track(&track, None);
        assert_eq!((found.values, retiming.sampled), (expected, 0), "{target:?}");
    }
    // A chord between opposite signs goes the long way: from 0 through -165 to 30 - 360 degrees.
    let chord = Track::linear(vec![0, 1000], vec![turn(0.0), opposite(turn(30.0))], turn(0.0));
    let nlerp = scene(KeyRule::Hold, TurnRule::Nlerp);
    let mut sampling = retiming(&nlerp, &clips);
    let found = sampling.track(&chord, None);
    let middle = found.times.iter().position(|time| *time == 500).unwrap();
    assert!(Rotation::distance(found.values[middle], turn(-165.0)) < 1e-4, "{found:?}");
    assert_eq!(sampling.sampled, 1);
    sampling.turns = TurnRule::Nlerp;
    sampling.quarters = false;
    assert_eq!(sampling.track(&chord, None).values, chord.values);
}

#[test]
fn tracks_on_a_global_clock_end_with_it() {
    let scene = scene(KeyRule::Hold, TurnRule::Slerp);
    let on_clock = |track: Track<f32>| Track { global: Some(Id::new(0)), ..track };
    let mut steps = on_clock(Track::linear(vec![0, 300, 900], vec![1.0, 2.0, 3.0], 0.0));
    steps.interpolation = Interpolation::Step;
    let found = made(&scene, &[], &steps);
    assert_eq!((found.times, found.values), (vec![0, 300, 800], vec![1.0, 2.0, 2.0]));
    assert_eq!((found.interpolation, found.global), (Interpolation::Step, Some(Id::new(0))));
    let curve = on_clock(spline([0, 800]));
    let mut lines = retiming(&scene, &[]);
    lines.splines = false;
    let found = lines.track(&curve, None);
    assert_eq!((found.interpolation, found.times.last()), (Interpolation::Linear, Some(&800)));
    let off = farthest(&found, 0, |t| hermite(t / 0.8));
    assert!(found.tangents.is_empty() && off < 1.2e-3, "{off}");
    // A clock that does not exist stands still.
    let lost = Track { global: Some(Id::new(5)), ..Track::linear(vec![0, 300], vec![1.0_f32, 2.0], 0.0) };
    let found = made(&scene, &[], &lost);
    assert_eq!((found.times, found.values), (vec![0], vec![1.0]));
}

#[test]
fn a_segment_ends_at_its_keys() {
    let at = |track: &Track<f32>, time: i32| segment(track, 0, TurnRule::Slerp).map(|curve| curve(time));
    let line = Track::linear(vec![100, 1100], vec![1.0_f32, 5.0], 0.0);
    assert_eq!([0, 100, 350, 1100, 2000].map(|time| at(&line, time).unwrap()), [1.0, 1.0, 2.0, 5.0, 5.0]);
    assert!(segment(&line, 1, TurnRule::Slerp).is_none());
    assert_eq!(at(&spline([100, 1100]), 600), Some(4.0));
    let bare = Track { tangents: Vec::new(), ..spline([100, 1100]) };
    assert_eq!(at(&bare, 350), Some(2.0));
    let step = Track { interpolation: Interpolation::Step, ..line };
    assert_eq!(at(&step, 600), Some(1.0));
}

#[test]
fn a_curve_gets_as_many_keys_as_the_tolerance_asks_for() {
    let scene = scene(KeyRule::Hold, TurnRule::Slerp);
    let mut retiming = retiming(&scene, &[]);
    (retiming.fine.length, retiming.fine.ratio) = (0.01, 0.02);
    let filled = |retiming: &Retiming<'_>, end: i32, straight: bool, value: &dyn Fn(i32) -> f32| {
        let mut keys = Keys::new();
        retiming.fill([0, end], [value(0), value(end)], straight, &|time| value(time), &mut keys);
        (keys.times, keys.values)
    };
    // A parabola is a quarter of the square of a part's length off: 1/64 for a quarter of it, 1/256 for an eighth.
    let parabola = |time: i32| (time as f32 / 1000.0).powi(2);
    let (times, values) = filled(&retiming, 1000, false, &parabola);
    assert_eq!(times, [125, 250, 375, 500, 625, 750, 875]);
    assert_eq!(values, times.iter().map(|time| parabola(*time)).collect::<Vec<_>>());
    assert!(filled(&retiming, 1000, true, &parabola).0.is_empty());
    retiming.lengths = false;
    assert_eq!(filled(&retiming, 1000, false, &parabola).0, [250, 500, 750]);
    // What is off at a quarter only is seen as well.
    for bump in [250, 750] {
        let (times, values) = filled(&retiming, 1000, false, &|time| f32::from(u8::from(time == bump)));
        let key = times.iter().position(|time| *time == bump).unwrap();
        assert_eq!(values[key], 1.0);
    }
    // Where no number of keys is enough it ends after some; those that were begun are finished.
    let (times, _) = filled(&retiming, 1 << 15, false, &|time| f32::from(u8::from(time % 3 != 0)));
    assert!((MOST..MOST + 17).contains(&times.len()), "{}", times.len());
}
