//! When an event happens, by the motion of its node.
//!
//! Games store events as moments, which glTF does not have. A node has keys; but programs sample: Blender writes a key for every frame,
//! or only the first and the last one where nothing moves. So the moments are those at which the node jumps. Where it never moves, its
//! keys are the moments, unless they are such samples.

use effigy_scene::{Node, Rotation, Sequence, Track};
use std::collections::BTreeMap;

/// Keys that are nearer to each other, in milliseconds, are samples: at least 20 a second.
const SAMPLED: i32 = 50;
/// What is less is rounding: a part of the model's size, radians, a part of the scale.
const STEP: f32 = 1e-3;
const TURN: f32 = 1e-2;
const GROWTH: f32 = 1e-2;

/// The keys of a sequence, and whether the node jumps there.
type Keys = BTreeMap<i32, bool>;

/// The moments at which an event happens, ascending.
pub(super) fn moments(node: &Node, sequences: &[Sequence], size: f32) -> Vec<i32> {
    let mut all = Vec::new();
    for (at, sequence) in sequences.iter().enumerate() {
        let mut keys = Keys::new();
        let far = |a: [f32; 3], b: [f32; 3], limit: f32| {
            (glam::Vec3::from(a) - glam::Vec3::from(b)).abs().max_element() > limit
        };
        let moved = |a: [f32; 3], b: [f32; 3]| far(a, b, STEP * size);
        let grown = |a: [f32; 3], b: [f32; 3]| far(a, b, GROWTH);
        let turned = |Rotation(a): Rotation, Rotation(b): Rotation| {
            let dot: f32 = a.iter().zip(b).map(|(a, b)| a * b).sum();
            dot.abs() < (TURN / 2.0).cos()
        };
        add(&mut keys, node.translation.track.as_ref(), at, sequence, moved);
        add(&mut keys, node.rotation.track.as_ref(), at, sequence, turned);
        add(&mut keys, node.scale.track.as_ref(), at, sequence, grown);
        all.push((keys, sequence));
    }
    // A node that jumps in one sequence says nothing where it rests in another.
    let jumps = all.iter().any(|(keys, _)| keys.values().any(|jumps| *jumps));
    let mut times: Vec<i32> = all
        .iter()
        .flat_map(|(keys, sequence)| if jumps { begins(keys) } else { marks(keys, sequence) })
        .collect();
    times.sort_unstable();
    times.dedup();
    times
}

/// Adds the keys of a track in a sequence.
fn add<T: Copy>(
    keys: &mut Keys,
    track: Option<&Track<T>>,
    at: usize,
    sequence: &Sequence,
    jumps: impl Fn(T, T) -> bool,
) {
    let Some(track) = track.filter(|track| track.global.is_none()) else { return };
    let window = track.windows.get(at).map(|[first, last]| (*first as usize)..=(*last as usize));
    let mut before: Option<T> = None;
    for (key, value) in track.values.iter().enumerate() {
        #[allow(clippy::cast_possible_truncation, reason = "the sum of a 32-bit number and a fraction")]
        let time = track.time(key).round() as i32;
        let inside = (sequence.start..=sequence.end).contains(&time);
        if !inside || window.as_ref().is_some_and(|window| !window.contains(&key)) {
            continue;
        }
        *keys.entry(time).or_default() |= before.is_some_and(|before| jumps(before, *value));
        before = Some(*value);
    }
}

/// The keys of a sequence at which the node jumps. A motion of many samples is one jump, where it begins.
fn begins(keys: &Keys) -> Vec<i32> {
    let pairs = keys.iter().zip(keys.iter().skip(1));
    let begins = pairs.filter(|((before, moved), (time, jumps))| {
        **jumps && !(**moved && time.saturating_sub(**before) <= SAMPLED)
    });
    begins.map(|(_, (time, _))| *time).collect()
}

/// All keys of a sequence, unless they are samples.
fn marks(keys: &Keys, sequence: &Sequence) -> Vec<i32> {
    let ends = keys.keys().all(|time| *time == sequence.start || *time == sequence.end);
    let mut gaps = keys.keys().zip(keys.keys().skip(1)).map(|(a, b)| b.saturating_sub(*a));
    let samples = keys.len() > 1 && gaps.all(|gap| gap <= SAMPLED);
    if ends || samples { Vec::new() } else { keys.keys().copied().collect() }
}
