//! Small parts of Warcraft III models.
#![allow(dead_code, reason = "each test binary uses some of it")]

use effigy_mdx::track::tags;
use effigy_mdx::{Bone, Geoset, Interpolation, Key, Model, Node, Sequence, Track, Tracks};
use effigy_wire::FixedStr;

pub fn name<const N: usize>(text: &str) -> FixedStr<N> {
    FixedStr::new(text).unwrap()
}

pub fn bone(text: &str, object_id: i32, parent: i32, tracks: Vec<Track>) -> Bone {
    let node = Node { name: name(text), object_id, parent, tracks: Tracks(tracks), ..Node::default() };
    Bone { node, geoset: -1, geoset_animation: -1 }
}

pub fn sequence(text: &str, interval: [u32; 2]) -> Sequence {
    Sequence { name: name(text), interval, move_speed: 10.0, ..Sequence::default() }
}

/// Keys along x.
pub fn moves(interpolation: Interpolation, keys: &[(i32, f32)]) -> Track {
    let keys: Vec<Key<[f32; 3]>> = keys.iter().map(|(time, x)| Key::new(*time, [*x, 0.0, 0.0])).collect();
    Track::new(tags::KGTR, interpolation, &keys).unwrap()
}

/// Times and x of such keys.
pub fn keys(track: &Track) -> Vec<(i32, f32)> {
    track.keys::<[f32; 3]>().unwrap().map(|key| (key.time, key.value[0])).collect()
}

/// A triangle that follows one bone.
pub fn triangle(corners: [[f32; 3]; 3], bone: u32) -> Geoset {
    Geoset {
        vertices: corners.to_vec(),
        normals: vec![[0.0, 0.0, 1.0]; 3],
        primitive_types: vec![4],
        primitive_counts: vec![3],
        indices: vec![0, 1, 2],
        vertex_groups: vec![0; 3],
        group_sizes: vec![1],
        group_nodes: vec![bone],
        uv_sets: vec![vec![[0.0; 2]; 3]],
        ..Geoset::default()
    }
}

/// Every model of Warcraft III and of World of Warcraft alpha in the corpus.
pub fn models() -> Vec<(String, Model)> {
    let Some(corpus) = effigy_testkit::corpus() else { return Vec::new() };
    let entries = effigy_testkit::index(&corpus).into_iter();
    entries
        .filter(|entry| entry.format == "mdx" && !entry.is_malformed())
        .filter_map(|entry| Some((entry.name, effigy_mdx::read(&std::fs::read(&entry.path).ok()?).ok()?)))
        .collect()
}
