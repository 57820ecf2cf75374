//! Models made by code: a large MDX, half of it meshes and half of it bones that move all the time, as in the largest
//! real models; and one of ordinary size for measuring poses.

use effigy::mdx::track::tags;
use effigy::mdx::{Bone, Dialect, Geoset, Interpolation, Key, Model, Node, Primitive, Sequence, Track};
use effigy::wire::FixedStr;

const MESHES: usize = 5;
const VERTICES: u16 = 60_000;
const BONES: i32 = 3000;
const KEYS: i32 = 100;

/// About 25 MB of Warcraft III MDX 800: many times the largest real model, but small enough that allocators reuse
/// memory, so that the system's clearing of fresh pages is not measured.
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

/// 5,000 vertices on 60 bones, each of which moves, turns and changes size all the time; vertices follow one to three.
pub fn walker() -> effigy::Result<Model> {
    const BONES: i32 = 60;
    const VERTICES: u16 = 5000;
    let mut model = Model::new(Dialect::Warcraft3, 800, "Walker");
    model.sequences.push(Sequence {
        name: FixedStr::truncated("Walk"),
        interval: [0, 2900],
        ..Default::default()
    });
    let groups: Vec<Vec<u32>> =
        (0..240_u32).map(|group| (0..=group % 3).map(|of| (group + of) % 60).collect()).collect();
    let vertices = || 0..VERTICES;
    model.geosets.push(Geoset {
        vertices: vertices()
            .map(|index| {
                [f32::from(index).sin() * 50.0, f32::from(index).cos() * 50.0, f32::from(index) / 50.0]
            })
            .collect(),
        normals: vertices().map(|index| [f32::from(index).sin(), f32::from(index).cos(), 0.0]).collect(),
        uv_sets: vec![vec![[0.0; 2]; usize::from(VERTICES)]],
        primitive_types: vec![Primitive::TRIANGLES.0],
        primitive_counts: vec![u32::from(VERTICES - 2)],
        indices: (0..VERTICES - 2).collect(),
        vertex_groups: vertices().map(|index| u8::try_from(index % 240).unwrap_or(0)).collect(),
        group_sizes: groups.iter().map(|group| u32::try_from(group.len()).unwrap_or(1)).collect(),
        group_nodes: groups.concat(),
        ..Default::default()
    });
    for id in 0..BONES {
        let name = FixedStr::truncated(&format!("Bone {id}"));
        let mut node = Node { name, object_id: id, parent: (id - 1) / 2, ..Default::default() };
        if id == 0 {
            node.parent = -1;
        }
        let times = || (0..30_u8).map(|key| (i32::from(key) * 100, f32::from(key)));
        let turn = |angle: f32| [0.0, angle.sin(), 0.0, angle.cos()];
        let moved: Vec<_> = times().map(|(time, key)| Key::new(time, [key, 0.0, key.sin()])).collect();
        let turned: Vec<_> = times().map(|(time, key)| Key::new(time, turn(key * 0.3))).collect();
        let scaled: Vec<_> = times().map(|(time, key)| Key::new(time, [1.0 + 0.01 * key.sin(); 3])).collect();
        node.tracks.set(Track::new(tags::KGTR, Interpolation::LINEAR, &moved)?);
        node.tracks.set(Track::new(tags::KGRT, Interpolation::LINEAR, &turned)?);
        node.tracks.set(Track::new(tags::KGSC, Interpolation::LINEAR, &scaled)?);
        model.bones.push(Bone { node, ..Default::default() });
        model.pivots.push([0.0, 0.0, 2.0]);
    }
    Ok(model)
}
