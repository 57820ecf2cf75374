use super::*;
use crate::raise::timeline::Change;
use effigy_scene::{Id, Rotation, Scene, ValidScene, validate};

fn clip(source: u32, start: i32, end: i32, hold: Option<i32>) -> Clip {
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
    }
}

fn scene(rule: KeyRule, turns: TurnRule) -> ValidScene {
    let mut scene = Scene { key_rule: rule, turn_rule: turns, ..Scene::default() };
    for start in [0, 5000] {
        scene.sequences.push(Sequence { start, end: start + 1000, ..Sequence::default() });
    }
    scene.global_sequences.push(GlobalSequence { length: 800 });
    validate(scene).unwrap()
}

fn made<T: Metric>(scene: &ValidScene, clips: &[Clip], track: &Track<T>) -> Track<T> {
    let fine = Tolerance { length: 1e-3, ratio: 1e-3, angle: 1e-3 };
    let sampler = Sampler::new(scene);
    let (turns, splines, quarters) = (TurnRule::Slerp, true, true);
    Retiming {
        sampler,
        clips,
        fine,
        coarse: None,
        nodes: None,
        turns,
        splines,
        quarters,
        lengths: true,
        keys: [0; 2],
        sampled: 0,
        chords: crate::raise::metric::straight_cosine(fine.angle),
    }
    .track(track, None)
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
    let turn = |degrees: f32| {
        let (sin, cos) = (degrees.to_radians() / 2.0).sin_cos();
        Rotation([0.0, 0.0, sin, cos])
    };
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
