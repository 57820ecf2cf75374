//! Curves of glTF against the sampler, millisecond by millisecond.

use super::rotations::angle;
use super::*;
use crate::export::clip::Clip;
use effigy_scene::sample::{Moment, Sampler, Value};
use effigy_scene::{Id, Interpolation, KeyRule, Rotation, Scene, Sequence, Track, TurnRule, validate};
use glam::Quat;

fn scene(length: i32) -> Scene {
    let mut scene = Scene { key_rule: KeyRule::Wrap, ..Scene::default() };
    scene.sequences.push(Sequence {
        name: "Stand".into(),
        start: 100,
        end: 100 + length,
        ..Sequence::default()
    });
    scene
}

fn clip(length: i32) -> Clip {
    Clip::Sequence { id: Id::new(0), length: f64::from(length), unroll: false }
}

/// A cubic of glTF between two keys.
fn play(curve: &Curve<f32>, time: f32) -> f32 {
    let next = curve.times.partition_point(|it| *it <= time).clamp(1, curve.times.len() - 1);
    if curve.times.last() == Some(&time) {
        return curve.values[curve.values.len() - 1];
    }
    let (t0, t1) = (curve.times[next - 1], curve.times[next]);
    let (d, t) = (t1 - t0, (time - t0) / (t1 - t0));
    let (a, b) = (curve.values[next - 1], curve.values[next]);
    match curve.mode {
        Mode::Step => a,
        Mode::Linear => a + (b - a) * t,
        Mode::Cubic => f32::hermite(a, d * curve.tangents[next - 1][1], d * curve.tangents[next][0], b, t),
    }
}

fn agrees(track: &Track<f32>, length: i32, tolerance: Option<f32>) -> Curve<f32> {
    let scene = scene(length);
    let scene = validate(scene).unwrap();
    let sampler = Sampler::new(&scene);
    let curve = numbers(&sampler, &clip(length), track, 60.0, tolerance);
    assert!(curve.times.is_sorted_by(|a, b| a < b), "{:?}", curve.times);
    for ms in 0..=length {
        let expected = sampler.track(track, &Moment::new(Id::new(0), f64::from(ms)));
        let found = if curve.values.len() == 1 { curve.values[0] } else { play(&curve, ms as f32 / 1000.0) };
        assert!((found - expected).abs() < 2e-3 * (1.0 + expected.abs()), "{ms} ms: {found}, not {expected}");
    }
    curve
}

fn spline(interpolation: Interpolation) -> Track<f32> {
    Track {
        interpolation,
        tangents: vec![[1.0, 2.0], [-3.0, 4.0], [0.5, -6.0], [2.0, 2.0]],
        ..Track::linear(vec![150, 300, 420, 900], vec![0.0, 5.0, -2.0, 3.0], 0.0)
    }
}

#[test]
fn splines_play_in_gltf_as_in_the_game_at_every_millisecond() {
    for interpolation in [Interpolation::Hermite, Interpolation::Bezier] {
        let exact = agrees(&spline(interpolation), 1000, None);
        assert_eq!(exact.mode, Mode::Cubic);
        let finer = agrees(&spline(interpolation), 1000, Some(0.01));
        assert!(
            finer.times.len() > 2 * exact.times.len(),
            "{} keys, {}",
            finer.times.len(),
            exact.times.len()
        );
    }
}

#[test]
fn a_curve_that_bends_less_than_the_tolerance_is_straight_unless_it_must_be_exact() {
    let bowed = Track {
        interpolation: Interpolation::Hermite,
        tangents: vec![[1.0, 1.01]; 2],
        ..Track::linear(vec![100, 1100], vec![0.0, 1.0], 0.0)
    };
    for (tolerance, mode) in [(Some(0.01), Mode::Linear), (Some(1e-4), Mode::Cubic), (None, Mode::Cubic)] {
        assert_eq!(agrees(&bowed, 1000, tolerance).mode, mode, "{tolerance:?}");
    }
}

#[test]
fn straight_and_stepped_tracks_keep_their_kind_and_reach_both_ends() {
    let linear = Track::linear(vec![100, 400, 1100], vec![1.0, 2.0, 5.0], 0.0);
    let curve = agrees(&linear, 1000, Some(0.0));
    assert_eq!((curve.mode, curve.times), (Mode::Linear, vec![0.0, 0.3, 1.0]));
    let inner = Track::linear(vec![300, 400], vec![1.0, 2.0], 0.0);
    assert_eq!(agrees(&inner, 1000, Some(0.0)).times.last(), Some(&1.0));
    let step = Track { interpolation: Interpolation::Step, ..linear };
    assert_eq!(agrees(&step, 1000, Some(0.0)).mode, Mode::Step);
}

#[test]
fn a_value_that_never_changes_is_one_key() {
    assert_eq!(
        agrees(&Track::linear(vec![100, 1100], vec![4.0, 4.0], 0.0), 1000, Some(0.0)).constant(),
        Some(4.0)
    );
    assert_eq!(
        agrees(&Track::linear(vec![0, 5000], vec![1.0, 2.0], 7.0), 1000, Some(0.0)).constant(),
        Some(7.0)
    );
    // One key of a cubic curve would need tangents.
    for (mode, expected) in
        [(Mode::Cubic, Mode::Linear), (Mode::Linear, Mode::Linear), (Mode::Step, Mode::Step)]
    {
        let still = Curve::still(mode, 3.0);
        assert_eq!(
            (still.mode, still.times, still.values, still.tangents.len()),
            (expected, vec![0.0], vec![3.0], 0)
        );
    }
}

#[test]
fn sampled_rotations_stay_within_the_stated_error() {
    let turn = |x: f32, z: f32| Rotation((Quat::from_rotation_x(x) * Quat::from_rotation_z(z)).to_array());
    let track = Track {
        interpolation: Interpolation::Hermite,
        tangents: vec![[turn(0.5, 0.1), turn(-0.4, 0.6)], [turn(1.0, 1.0), turn(2.0, 0.0)]],
        ..Track::linear(vec![100, 1100], vec![turn(0.0, 0.0), turn(1.2, -0.9)], Rotation::IDENTITY)
    };
    let scene = scene(1000);
    let scene = validate(scene).unwrap();
    let sampler = Sampler::new(&scene);
    let fineness = Fineness { fps: 60.0, tolerance: 0.002 };
    let (curve, error) = rotations(&sampler, &clip(1000), &track, fineness);
    assert!(error <= 0.002 && curve.times.len() > 3);
    for ms in 0..1000 {
        let time = ms as f32 / 1000.0;
        let next = curve.times.partition_point(|it| *it <= time).clamp(1, curve.times.len() - 1);
        let t = (time - curve.times[next - 1]) / (curve.times[next] - curve.times[next - 1]);
        let found = Rotation::mix(curve.values[next - 1], curve.values[next], t, TurnRule::Slerp);
        let expected = sampler.track(&track, &Moment::new(Id::new(0), f64::from(ms)));
        assert!(angle(found, expected) < 0.003, "{ms} ms");
    }
}

/// Rotations of 264 are chords: fast in the middle, and the long way around where keys have opposite signs. The truth is
/// computed here by hand for turns about one axis; players of the file follow arcs (as the standard asks) or mix numbers.
#[test]
fn chords_of_rotations_stay_within_the_stated_error_on_arcs_and_when_mixed() {
    let about_z = |degrees: f32| {
        let (sin, cos) = (degrees.to_radians() * 0.5).sin_cos();
        Rotation([0.0, 0.0, sin, cos])
    };
    // Quaternions at 0, 75 and 175 degrees: the last two are more than 90 degrees apart.
    let degrees = [0.0_f32, 150.0, 350.0];
    let track = Track::linear(vec![100, 400, 1100], degrees.map(about_z).to_vec(), Rotation::IDENTITY);
    let mut scene = scene(1000);
    scene.turn_rule = TurnRule::Nlerp;
    let scene = validate(scene).unwrap();
    let fineness = Fineness { fps: 60.0, tolerance: 0.002 };
    let (curve, error) = rotations(&Sampler::new(&scene), &clip(1000), &track, fineness);
    assert!(error <= 0.002, "{error}");
    let chord = |a: f32, b: f32, t: f32| {
        let ((sa, ca), (sb, cb)) = ((a.to_radians() * 0.5).sin_cos(), (b.to_radians() * 0.5).sin_cos());
        2.0 * (sa + (sb - sa) * t).atan2(ca + (cb - ca) * t).to_degrees()
    };
    for ms in 0..1000_u16 {
        let ms = f32::from(ms);
        let truth = if ms < 300.0 {
            chord(degrees[0], degrees[1], ms / 300.0)
        } else {
            chord(degrees[1], degrees[2], (ms - 300.0) / 700.0)
        };
        let time = ms / 1000.0;
        let next = curve.times.partition_point(|it| *it <= time).clamp(1, curve.times.len() - 1);
        let t = (time - curve.times[next - 1]) / (curve.times[next] - curve.times[next - 1]);
        for rule in [TurnRule::Slerp, TurnRule::Nlerp] {
            let found = Rotation::mix(curve.values[next - 1], curve.values[next], t, rule);
            let off = angle(found, about_z(truth));
            assert!(off < 0.0025, "{ms} ms, {rule:?}: {off}");
        }
    }
}

/// What Blender draws through the keys of a cubic curve: slopes of its own, such that curvature never jumps.
fn without_tangents(curve: &Curve<f32>) -> Curve<f32> {
    let (times, values) = (&curve.times, &curve.values);
    let last = times.len() - 1;
    let step = |key: usize| f64::from(times[key + 1]) - f64::from(times[key]);
    let chord = |key: usize| (f64::from(values[key + 1]) - f64::from(values[key])) / step(key);
    let mut slopes = vec![0.0_f64; last + 1];
    for _ in 0..4000 {
        for key in 1..last {
            let (h0, h1) = (step(key - 1), step(key));
            let sum =
                3.0 * (chord(key - 1) / h0 + chord(key) / h1) - slopes[key - 1] / h0 - slopes[key + 1] / h1;
            slopes[key] = sum / (2.0 / h0 + 2.0 / h1);
        }
    }
    let tangents = slopes.iter().map(|slope| [seconds(*slope * 1000.0); 2]).collect();
    Curve { tangents, ..curve.clone() }
}

#[test]
fn programs_that_ignore_tangents_stay_close_to_the_curve_at_corners_holds_and_jumps() {
    let track = Track {
        interpolation: Interpolation::Hermite,
        tangents: vec![[0.0, 20.0], [10.0, 0.0], [0.0, -9.0], [0.0, 0.0], [4.0, 5.0]],
        // Fast, a long hold, fast back, a slow part, and around the loop to another value.
        ..Track::linear(vec![100, 200, 800, 900, 1090], vec![0.0, 10.0, 10.0, -5.0, -4.0], 0.0)
    };
    let tolerance = 0.02;
    let curve = agrees(&track, 1000, Some(tolerance));
    assert_eq!(curve.mode, Mode::Cubic);
    let scene = scene(1000);
    let scene = validate(scene).unwrap();
    let sampler = Sampler::new(&scene);
    let drawn = without_tangents(&curve);
    for (slope, expected) in super::guard::smooth_slopes(&curve).iter().zip(&drawn.tangents) {
        assert!(
            (slope - expected[0]).abs() < 1e-2 * (1.0 + expected[0].abs()),
            "{slope}, not {}",
            expected[0]
        );
    }
    // Within a millisecond of a corner there is no room for guards.
    for ms in (0..1000).filter(|ms| ![989, 990, 991].contains(ms)) {
        let expected = sampler.track(&track, &Moment::new(Id::new(0), f64::from(ms)));
        let found = play(&drawn, ms as f32 / 1000.0);
        assert!((found - expected).abs() < 3.0 * tolerance, "{ms} ms: {found}, not {expected}");
    }
}

#[test]
fn the_chord_of_a_rotation_is_that_between_its_numbers() {
    // Half a turn: (0, 0, 0, 1) and (0, 0, 1, 0) are the square root of 2 apart.
    assert!((rotation_chord(std::f32::consts::PI) - 2.0_f32.sqrt()).abs() < 1e-6);
    assert!((rotation_chord(0.01) - 0.005).abs() < 1e-6);
}
