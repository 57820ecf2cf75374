//! A large MDX made by code: full meshes and, in as many bytes, bones that move all the time, as in the largest real
//! models.

use effigy::mdx::track::tags;
use effigy::mdx::{Bone, Dialect, Geoset, Interpolation, Key, Model, Node, Primitive, Sequence, Track};
use effigy::wire::FixedStr;

const MESHES: usize = 5;
const VERTICES: u16 = 60_000;
const BONES: i32 = 3000;
const KEYS: i32 = 100;

/// About 25 MB of Warcraft III MDX 800: many times the largest real model, and small enough that allocators hand out the
/// same memory again, so that it is not the system's clearing of fresh pages that is measured.
pub fn large_mdx() -> Result<Vec<u8>, String> {
    let mut model = Model::new(Dialect::Warcraft3, 800, "Large");
    model.sequences.push(Sequence {
        name: FixedStr::truncated("Stand"),
        interval: [0, 30_000],
        ..Default::default()
    });
    model.geosets = (0..MESHES).map(|_| mesh()).collect();
    for id in 0..BONES {
        let mut node =
            Node { name: FixedStr::truncated(&format!("Bone {id}")), object_id: id, ..Default::default() };
        node.tracks.set(movement().map_err(|error| error.to_string())?);
        node.tracks.set(turning().map_err(|error| error.to_string())?);
        model.bones.push(Bone { node, ..Default::default() });
        model.pivots.push([0.0; 3]);
    }
    model.write().map_err(|error| error.to_string())
}

fn mesh() -> Geoset {
    let wave = |index: u16| f32::from(index).sin();
    let indices: Vec<u16> = (0..VERTICES).chain(0..VERTICES).chain(0..VERTICES).collect();
    Geoset {
        vertices: (0..VERTICES).map(|index| [wave(index), f32::from(index), 0.5]).collect(),
        normals: vec![[0.0, 0.0, 1.0]; usize::from(VERTICES)],
        uv_sets: vec![(0..VERTICES).map(|index| [wave(index), 0.25]).collect()],
        primitive_types: vec![Primitive::TRIANGLES.0],
        primitive_counts: vec![u32::from(VERTICES) * 3],
        indices,
        vertex_groups: vec![0; usize::from(VERTICES)],
        group_sizes: vec![1],
        group_nodes: vec![0],
        ..Default::default()
    }
}

fn movement() -> effigy::Result<Track> {
    let keys: Vec<Key<[f32; 3]>> = (0..KEYS).map(|index| Key::new(index * 30, [0.0, 1.0, 2.0])).collect();
    Track::new(tags::KGTR, Interpolation::LINEAR, &keys)
}

fn turning() -> effigy::Result<Track> {
    let keys: Vec<Key<[f32; 4]>> =
        (0..KEYS).map(|index| Key::new(index * 30, [0.0, 0.0, 0.0, 1.0])).collect();
    Track::new(tags::KGRT, Interpolation::LINEAR, &keys)
}
