//! Posed vertices of two scenes.

use effigy_scene::sample::{Moment, Sampler};
use effigy_scene::{Id, Sequence, ValidScene};
use effigy_wire::Report;
use std::collections::HashMap;

/// The largest error of the weights that a report states, as a part of the size. It is rounded to a hundredth of a percent for
/// classic groups and to a thousandth for bytes.
pub fn stated(report: &Report) -> f32 {
    let note = report.notes().iter().rfind(|note| note.path == "skin" && note.message.contains('%'));
    note.map_or(0.0, |note| {
        let words: Vec<&str> = note.message.split_whitespace().collect();
        let at = words.iter().position(|word| *word == "%").unwrap();
        words[at - 1].parse::<f32>().unwrap() / 100.0
    })
}

/// What a vertex is recognised by: where it is in the bind pose, and its first texture coordinates.
type Key = ([u32; 3], [u32; 2]);

fn keys(scene: &ValidScene, by: f32) -> Vec<Vec<Key>> {
    let mesh = |mesh: &effigy_scene::Mesh| {
        let key = |(at, point): (usize, &[f32; 3])| {
            let uv = mesh.uvs.first().and_then(|set| set.get(at)).copied().unwrap_or_default();
            (point.map(|value| (value * by).to_bits()), uv.map(f32::to_bits))
        };
        mesh.positions.iter().enumerate().map(key).collect()
    };
    scene.meshes.as_slice().iter().map(mesh).collect()
}

/// The largest distance between vertices of the two scenes at five times of a sequence, as a part of the second one's size.
/// Vertices are matched by their bind pose, with the lengths of the first scene multiplied by `by`.
pub fn distance(
    before: &ValidScene,
    after: &ValidScene,
    by: f32,
    pairs: &[(Id<Sequence>, Id<Sequence>)],
) -> f32 {
    let size = after.info().bounds.size().max(1e-3);
    let (old, new) = (keys(before, by), keys(after, 1.0));
    let mut places: HashMap<Key, Vec<(usize, usize)>> = HashMap::new();
    for (mesh, list) in old.iter().enumerate() {
        for (vertex, key) in list.iter().enumerate() {
            places.entry(*key).or_default().push((mesh, vertex));
        }
    }
    let (first, second) = (Sampler::new(before), Sampler::new(after));
    let (mut a, mut b) = (first.pose(), second.pose());
    let mut worst = 0.0_f32;
    for (from, to) in pairs {
        let lengths =
            [before.sequences.get(*from).unwrap(), after.sequences.get(*to).unwrap()].map(Sequence::length);
        for part in [0.0, 0.25, 0.5, 0.75, 0.99] {
            let time = (f64::from(lengths[0].min(lengths[1])) * part).floor();
            // Global clocks are not at a multiple of their length.
            let clock = time + 37.0;
            first.sample(&Moment { sequence: Some(*from), time, clock }, None, &mut a);
            second.sample(&Moment { sequence: Some(*to), time, clock }, None, &mut b);
            first.skin(&mut a);
            second.skin(&mut b);
            for (mesh, list) in b.meshes().iter().zip(&new) {
                for (position, key) in mesh.positions.iter().zip(list) {
                    let Some(matches) = places.get(key) else {
                        panic!("a vertex has no counterpart: {key:?}");
                    };
                    let off = |(mesh, vertex): &(usize, usize)| {
                        let other = a.meshes()[*mesh].positions[*vertex];
                        (0..3).map(|axis| (other[axis] * by - position[axis]).powi(2)).sum::<f32>().sqrt()
                    };
                    worst = worst.max(matches.iter().map(off).fold(f32::INFINITY, f32::min) / size);
                }
            }
        }
    }
    worst
}
