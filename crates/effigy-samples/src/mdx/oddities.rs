//! Files with one oddity each, as real files have them: each opens, and each comes back byte for byte.

use effigy_mdx::track::tags;
use effigy_mdx::{
    Bone, CollisionShape, Dialect, Geoset, Interpolation, Key, Layer, Light, LightKind, Material, Model,
    Node, NodeFlags, Primitive, Sequence, Shape, Texture, Track, codes,
};
use effigy_wire::{Code, FixedStr, Status};

use crate::Sample;

/// A file with an oddity and what reading it must find.
#[derive(Clone, Debug)]
pub struct Oddity {
    /// The file.
    pub sample: Sample,
    /// The result of `verify`.
    pub status: Status,
    /// The codes of all diagnostics, in order.
    pub codes: Vec<Code>,
}

/// A chunk of the file.
struct Chunk {
    tag: [u8; 4],
    payload: Vec<u8>,
}

/// Splits a valid file into chunks.
fn chunks(bytes: &[u8]) -> Vec<Chunk> {
    let mut rest = bytes.get(4..).unwrap_or_default();
    let mut chunks = Vec::new();
    while let Some((&tag, after)) = rest.split_first_chunk::<4>() {
        let Some((&size, after)) = after.split_first_chunk::<4>() else { break };
        let size = usize::try_from(u32::from_le_bytes(size)).unwrap_or(usize::MAX);
        let Some((payload, after)) = after.split_at_checked(size) else { break };
        chunks.push(Chunk { tag, payload: payload.to_vec() });
        rest = after;
    }
    chunks
}

impl Chunk {
    fn put(&self, out: &mut Vec<u8>) {
        out.extend(self.tag);
        out.extend(super::word(self.payload.len()).to_le_bytes());
        out.extend(&self.payload);
    }
}

fn join<'a>(chunks: impl IntoIterator<Item = &'a Chunk>) -> Vec<u8> {
    let mut out = b"MDLX".to_vec();
    chunks.into_iter().for_each(|chunk| chunk.put(&mut out));
    out
}

/// The file with these bytes put in before the first chunk with the tag.
fn with_bytes_before(bytes: &[u8], tag: [u8; 4], stray: &[u8]) -> Vec<u8> {
    let mut out = b"MDLX".to_vec();
    for chunk in chunks(bytes) {
        if chunk.tag == tag {
            out.extend(stray);
        }
        chunk.put(&mut out);
    }
    out
}

/// The file with the payload of one chunk changed.
fn with_payload(bytes: &[u8], tag: [u8; 4], change: impl Fn(&mut Vec<u8>)) -> Vec<u8> {
    let mut list = chunks(bytes);
    list.iter_mut().filter(|chunk| chunk.tag == tag).for_each(|chunk| change(&mut chunk.payload));
    join(&list)
}

/// Changes one byte; an offset beyond the end changes nothing.
fn set_byte(bytes: &mut [u8], at: usize, value: u8) {
    if let Some(byte) = bytes.get_mut(at) {
        *byte = value;
    }
}

fn float_track(tag: effigy_wire::Tag, keys: &[(i32, f32)]) -> Option<Track> {
    let keys: Vec<Key<f32>> = keys.iter().map(|&(time, value)| Key::new(time, value)).collect();
    Track::new(tag, Interpolation::LINEAR, &keys).ok()
}

fn move_track(times: &[i32]) -> Option<Track> {
    let keys: Vec<Key<[f32; 3]>> = times.iter().map(|&time| Key::new(time, [1.0, 2.0, 3.0])).collect();
    Track::new(tags::KGTR, Interpolation::LINEAR, &keys).ok()
}

/// A small model: a triangle, a bone, a light.
fn small(dialect: Dialect, version: u32) -> Model {
    let mut model = Model::new(dialect, version, "Oddity");
    model.sequences.push(Sequence {
        name: FixedStr::truncated("Stand"),
        interval: [0, 1000],
        ..Sequence::default()
    });
    model.textures.push(Texture { path: FixedStr::truncated("Textures\\Oddity.blp"), ..Texture::default() });
    model.materials.push(Material { layers: vec![Layer::default()], ..Material::default() });
    model.geosets.push(Geoset {
        vertices: vec![[0.0, 0.0, 0.0], [10.0, 0.0, 0.0], [0.0, 10.0, 0.0]],
        normals: vec![[0.0, 0.0, 1.0]; 3],
        uv_sets: vec![vec![[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]],
        primitive_types: vec![Primitive::TRIANGLES.0],
        primitive_counts: vec![3],
        indices: vec![0, 1, 2],
        vertex_groups: vec![0; 3],
        group_sizes: vec![1],
        group_nodes: vec![0],
        ..Geoset::default()
    });
    let node = |name, object_id, flags| Node {
        name: FixedStr::truncated(name),
        object_id,
        flags,
        ..Node::default()
    };
    model.bones.push(Bone { node: node("Root", 0, NodeFlags::BONE), ..Bone::default() });
    model.lights.push(Light { node: node("Lamp", 1, NodeFlags::LIGHT), intensity: 2.0, ..Light::default() });
    model.pivots = vec![[0.0; 3], [5.0, 0.0, 40.0]];
    model
}

/// Every oddity.
#[must_use]
pub fn oddities() -> Vec<Oddity> {
    let bytes = |model: &Model| model.write().unwrap_or_default();
    let plain = bytes(&small(Dialect::Warcraft3, 800));
    let mut all = Vec::new();
    let mut add = |name: &str, bytes: Vec<u8>, status: Status, codes: &[Code]| {
        let name = format!("mdx-odd-{name}");
        let sample = Sample { file_name: format!("{name}.mdx"), name, bytes };
        all.push(Oddity { sample, status, codes: codes.to_vec() });
    };
    for (name, model) in typed() {
        add(name, bytes(&model), Status::Identical, &[]);
    }

    let list = chunks(&plain);
    let again = list.iter().filter(|chunk| [*b"SEQS", *b"BONE"].contains(&chunk.tag));
    add("repeated-chunks", join(list.iter().chain(again)), Status::Identical, &[codes::REPEATED_CHUNK; 2]);
    let (version, others) = list.split_at(1);
    add("reversed-order", join(version.iter().chain(others.iter().rev())), Status::Identical, &[]);
    let mut two_versions = plain.get(..4).unwrap_or_default().to_vec();
    two_versions.extend(b"VERS\x08\0\0\0\x20\x03\0\0\0\0\0\0VERS\x04\0\0\0\x14\x05\0\0");
    two_versions.extend(join(others).get(4..).unwrap_or_default());
    add("two-versions", two_versions, Status::Opaque, &[codes::REPEATED_CHUNK]);
    add("no-version", join(others), Status::Identical, &[codes::NO_VERSION]);
    add("empty-prem", with_bytes_before(&plain, *b"PIVT", b"PREM\0\0\0\0"), Status::Identical, &[]);
    add(
        "unknown-chunk",
        with_bytes_before(&plain, *b"GEOS", b"MDVI\x05\0\0\0hello"),
        Status::Identical,
        &[codes::UNKNOWN_CHUNK],
    );
    add(
        "stray-bytes",
        with_bytes_before(&plain, *b"TEXS", &[0, 0, 0xff, 1, 0, 0, 7]),
        Status::Identical,
        &[codes::STRAY_BYTES],
    );
    add("trailing-bytes", [&plain[..], &[0; 6]].concat(), Status::Identical, &[codes::STRAY_BYTES]);
    add("light-tracks-outside", light_tracks_outside(&plain), Status::Identical, &[codes::STRAY_TRACK; 2]);

    let cut = plain.len().saturating_sub(10);
    add(
        "chunk-past-the-end",
        plain.get(..cut).unwrap_or_default().to_vec(),
        Status::Opaque,
        &[codes::CHUNK_PAST_END],
    );
    // The size of the geoset's record, one too small.
    let broken = with_payload(&plain, *b"GEOS", |payload| {
        let size = payload.first().copied().unwrap_or(0);
        set_byte(payload, 0, size.wrapping_sub(1));
    });
    add("geoset-of-a-wrong-size", broken, Status::Opaque, &[codes::OPAQUE_CHUNK]);

    add(
        "unknown-version",
        bytes(&small(Dialect::Warcraft3, 2000)),
        Status::Identical,
        &[codes::UNKNOWN_VERSION],
    );
    let says_1300 = with_payload(&plain, *b"VERS", |payload| *payload = 1300_u32.to_le_bytes().to_vec());
    add("800-that-says-1300", says_1300, Status::Identical, &[codes::VERSION_AND_LAYOUT]);

    let alpha = bytes(&small(Dialect::WowAlpha, 1300));
    // The second word of MTLS, the number of all layers, by which the client allocates.
    let lie = with_payload(&alpha, *b"MTLS", |payload| set_byte(payload, 4, 9));
    add("wow-wrong-layer-total", lie, Status::Guarded, &[codes::GUARDED_CHUNK]);
    add("wow-trailing-bytes", [&alpha[..], &[0; 3]].concat(), Status::Identical, &[codes::STRAY_BYTES]);
    all
}

/// Oddities that a model in memory can express.
fn typed() -> Vec<(&'static str, Model)> {
    let with = |change: &dyn Fn(&mut Model)| {
        let mut model = small(Dialect::Warcraft3, 800);
        change(&mut model);
        model
    };
    let bone = |model: &mut Model, tracks: Vec<Option<Track>>| {
        for bone in &mut model.bones {
            bone.node.tracks = tracks.iter().flatten().cloned().collect();
        }
    };
    vec![
        ("track-twice", with(&|m| bone(m, vec![move_track(&[0, 500]), move_track(&[0, 900])]))),
        ("keys-out-of-order", with(&|m| bone(m, vec![move_track(&[500, 0, 1000, -3])]))),
        ("empty-track", with(&|m| bone(m, vec![move_track(&[])]))),
        (
            "track-on-a-missing-clock",
            with(&|m| bone(m, vec![move_track(&[0]).map(|t| t.on_global_sequence(7))])),
        ),
        (
            "plane-of-eight-bytes",
            with(&|m| {
                for (object_id, length) in [(2, 100.0), (3, 80.0)] {
                    let flags = NodeFlags::COLLISION_SHAPE;
                    let node =
                        Node { name: FixedStr::truncated("Plane_Col"), object_id, flags, ..Node::default() };
                    let shape = Shape::Plane { length, width: length };
                    m.collision_shapes.push(CollisionShape { node, shape });
                    m.pivots.push([0.0; 3]);
                }
            }),
        ),
        (
            "junk-after-names",
            with(&|m| {
                let mut name = [0xcc; 80];
                name.iter_mut().zip(b"Stand\0").for_each(|(to, from)| *to = *from);
                m.sequences.iter_mut().for_each(|sequence| sequence.name = FixedStr::from_bytes(name));
                m.info.iter_mut().for_each(|info| info.name = FixedStr::from_bytes(name));
            }),
        ),
        (
            "name-without-an-end",
            with(&|m| {
                m.bones.iter_mut().for_each(|bone| bone.node.name = FixedStr::from_bytes([b'x'; 80]));
            }),
        ),
        (
            "light-of-an-unknown-kind",
            with(&|m| m.lights.iter_mut().for_each(|light| light.kind = LightKind(513))),
        ),
        (
            "unknown-flags",
            with(&|m| m.bones.iter_mut().for_each(|b| b.node.flags |= NodeFlags::from_bits_retain(1 << 30))),
        ),
        (
            "not-a-number",
            with(&|m| {
                let odd = [f32::NAN, f32::NEG_INFINITY, -0.0];
                m.pivots.push(odd);
                m.geosets.iter_mut().for_each(|geoset| geoset.vertices = vec![odd; 3]);
            }),
        ),
        (
            "many-groups-of-triangles",
            with(&|m| {
                for geoset in &mut m.geosets {
                    geoset.primitive_types = vec![Primitive::TRIANGLES.0; 300];
                    geoset.primitive_counts = vec![3; 300];
                    geoset.indices = [0, 1, 2].repeat(300);
                }
            }),
        ),
    ]
}

/// Two tracks of the light behind its chunk, as an exporter left them in six real files.
fn light_tracks_outside(plain: &[u8]) -> Vec<u8> {
    let mut node_with_tracks = small(Dialect::Warcraft3, 800);
    let tracks =
        [float_track(tags::KLAI, &[(0, 1.0), (500, 2.0)]), float_track(tags::KLAV, &[(0, 0.0), (1000, 1.0)])];
    let written = |model: &Model| model.write().unwrap_or_default();
    let of = |bytes: &[u8]| {
        chunks(bytes).into_iter().find(|chunk| chunk.tag == *b"LITE").map(|chunk| chunk.payload)
    };
    for light in &mut node_with_tracks.lights {
        light.tracks = tracks.iter().flatten().cloned().collect();
    }
    let (short, long) = (of(plain).unwrap_or_default(), of(&written(&node_with_tracks)).unwrap_or_default());
    // The longer record differs from the shorter one only by the tracks at its end.
    with_bytes_before(plain, *b"PIVT", long.get(short.len()..).unwrap_or_default())
}
