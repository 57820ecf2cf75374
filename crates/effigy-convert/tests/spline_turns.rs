//! Rotations of real Warcraft III models on smooth curves: none of them may flip.
//!
//! A flip is a turn of more than 45 degrees within a millisecond, between two keys. Intervals shorter than 64 ms are cut
//! into 64 parts, since keys a few milliseconds apart may well be far from each other.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::print_stdout)]

use effigy_scene::sample::Value;
use effigy_scene::{Rotation, Track};

const LARGEST_TURN: f64 = 45.0;
const FEWEST_PARTS: u32 = 64;
/// Intervals of more than 4 seconds are cut into this many parts, each longer than a millisecond. A jump still shows: it is
/// as large in a longer part.
const MOST_PARTS: u32 = 4000;

fn degrees_between(Rotation(a): Rotation, Rotation(b): Rotation) -> f64 {
    let dot: f64 = a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(b)).sum();
    2.0 * dot.abs().min(1.0).acos().to_degrees()
}

/// The largest turn in one part of the interval after a key.
fn largest_turn(track: &Track<Rotation>, key: usize) -> f64 {
    let (a, b) = (track.values[key], track.values[key + 1]);
    let (out, into) = (track.tangents[key][1], track.tangents[key + 1][0]);
    let length = track.times[key + 1].saturating_sub(track.times[key]).unsigned_abs();
    let parts = length.clamp(FEWEST_PARTS, MOST_PARTS);
    let at = |part: u32| Rotation::hermite(a, out, into, b, part as f32 / parts as f32);
    let mut before = at(0);
    let mut largest = 0.0_f64;
    for part in 1..=parts {
        let next = at(part);
        largest = largest.max(degrees_between(before, next));
        before = next;
    }
    largest
}

#[test]
fn no_rotation_on_a_smooth_curve_flips() {
    let Some(corpus) = effigy_testkit::corpus() else { return };
    let (mut models, mut intervals, mut worst) = (0, 0_usize, 0.0_f64);
    let mut flips: Vec<(String, usize)> = Vec::new();
    for path in effigy_testkit::files(&corpus, |_| true) {
        let bytes = std::fs::read(&path).unwrap();
        if !effigy_mdx::sniff(&bytes) {
            continue;
        }
        let Ok(model) = effigy_mdx::read(&bytes) else { continue };
        let scene = effigy_convert::mdx::lower(&model).scene;
        models += 1;
        let mut found = 0;
        let nodes = scene.nodes.as_slice().iter().filter_map(|node| node.rotation.track.as_ref());
        let textures = scene.texture_transforms.as_slice().iter().filter_map(|it| it.rotation.track.as_ref());
        for track in nodes.chain(textures).filter(|track| track.interpolation.is_spline()) {
            for key in 1..track.len().min(track.tangents.len()) {
                let turn = largest_turn(track, key - 1);
                intervals += 1;
                worst = worst.max(turn);
                found += usize::from(turn > LARGEST_TURN);
            }
        }
        if found > 0 {
            flips.push((path.file_name().unwrap().to_string_lossy().into_owned(), found));
        }
    }
    let count: usize = flips.iter().map(|(_, found)| found).sum();
    println!(
        "{models} models, {intervals} intervals: {count} flips in {} files; the largest turn is {worst:.1} degrees",
        flips.len()
    );
    assert!(flips.is_empty(), "{flips:?}");
    assert!(models > 200 && intervals > 9_000, "only {intervals} intervals of {models} models");
}
