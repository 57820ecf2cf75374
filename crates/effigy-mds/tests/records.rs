//! Records and their bytes, read and written.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use effigy_mds::records::{Header, SurfaceHeader, TagHeader, VertexHeader};
use effigy_mds::{Bone, BoneKey, Caps, Format, Frame, Name, Weight};
use effigy_wire::{Buffer, Cursor, Tag as Word, Wire};
use std::fmt::Debug;

fn both_ways<T: Wire<Caps> + PartialEq + Debug>(format: Format, value: &T, bytes: &[u8]) {
    let caps = format.caps();
    let mut buffer = Buffer::default();
    value.write(&mut buffer, caps);
    assert_eq!(buffer.into_bytes().unwrap(), bytes);
    let mut cursor = Cursor::new(bytes);
    assert_eq!(&T::read(&mut cursor, caps).unwrap(), value);
    cursor.finish().unwrap();
    for length in 0..bytes.len() {
        assert!(T::read(&mut Cursor::new(&bytes[..length]), caps).is_err(), "cut at {length}");
    }
}

fn name(text: &str) -> (Name, Vec<u8>) {
    let mut bytes = text.as_bytes().to_vec();
    bytes.resize(64, 0);
    (Name::new(text).unwrap(), bytes)
}

fn words(numbers: &[i32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

fn floats(numbers: &[f32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

#[test]
fn header() {
    let (name, name_bytes) = name("models/players/a/body.mds");
    let mds = Header {
        ident: Word::new(b"MDSW"),
        version: 4,
        name,
        lod_scale: 1.5,
        lod_bias: -1.0,
        num_frames: 1,
        num_bones: 2,
        ofs_frames: 3,
        ofs_bones: 4,
        torso_parent: 5,
        num_surfaces: 6,
        ofs_surfaces: 7,
        num_tags: 8,
        ofs_tags: 9,
        ofs_end: 10,
    };
    let head = |ident: &[u8], version: i32| [ident, &words(&[version]), &name_bytes].concat();
    let lod = floats(&[1.5, -1.0]);
    let bytes = [head(b"MDSW", 4), lod.clone(), words(&[1, 2, 3, 4, 5, 6, 7, 8, 9, 10])].concat();
    assert_eq!(bytes.len(), 120);
    both_ways(Format::Mds, &mds, &bytes);

    let mdm = Header {
        ident: Word::new(b"MDMW"),
        version: 3,
        num_frames: 0,
        num_bones: 0,
        ofs_frames: 0,
        ofs_bones: 0,
        torso_parent: 0,
        ..mds.clone()
    };
    let bytes = [head(b"MDMW", 3), lod, words(&[6, 7, 8, 9, 10])].concat();
    assert_eq!(bytes.len(), 100);
    both_ways(Format::Mdm, &mdm, &bytes);

    let mdx = Header {
        ident: Word::new(b"MDXW"),
        version: 2,
        lod_scale: 0.0,
        lod_bias: 0.0,
        num_surfaces: 0,
        ofs_surfaces: 0,
        num_tags: 0,
        ofs_tags: 0,
        ..mds
    };
    let bytes = [head(b"MDXW", 2), words(&[1, 2, 3, 4, 5, 10])].concat();
    assert_eq!(bytes.len(), 96);
    both_ways(Format::Mdx, &mdx, &bytes);
}

#[test]
fn frame_and_bone() {
    let frame = Frame {
        min: [-1.0, -2.0, -3.0],
        max: [1.0, 2.0, 3.0],
        local_origin: [0.5, 0.25, 0.125],
        radius: 3.75,
        parent_offset: [7.0, 8.0, 9.0],
    };
    let bytes = floats(&[-1.0, -2.0, -3.0, 1.0, 2.0, 3.0, 0.5, 0.25, 0.125, 3.75, 7.0, 8.0, 9.0]);
    assert_eq!(bytes.len(), 52);
    both_ways(Format::Mds, &frame, &bytes);
    both_ways(Format::Mdx, &frame, &bytes);

    let (name, name_bytes) = name("Bip01 Spine1");
    let bone = Bone { name, parent: -1, torso_weight: 0.3, parent_dist: 4.5, flags: 1 };
    let bytes = [name_bytes, words(&[-1]), floats(&[0.3, 4.5]), words(&[1])].concat();
    assert_eq!(bytes.len(), 80);
    both_ways(Format::Mds, &bone, &bytes);

    let key = BoneKey { angles: [1, -2, 3], unused: 4, offset: [-5, 6] };
    let bytes = [1, 0, 0xfe, 0xff, 3, 0, 4, 0, 0xfb, 0xff, 6, 0];
    assert_eq!(Cursor::new(&bytes).bulk::<BoneKey>(1).unwrap(), [key]);
}

#[test]
fn surface_header() {
    let ((name, name_bytes), (shader, shader_bytes)) = (name("u_body"), name("x"));
    let header = SurfaceHeader {
        ident: 8,
        name,
        shader,
        shader_index: 1,
        min_lod: 2,
        ofs_header: -3,
        num_verts: 4,
        ofs_verts: 5,
        num_triangles: 6,
        ofs_triangles: 7,
        ofs_collapse_map: 8,
        num_bone_references: 9,
        ofs_bone_references: 10,
        ofs_end: 11,
    };
    let bytes =
        [words(&[8]), name_bytes, shader_bytes, words(&[1, 2, -3, 4, 5, 6, 7, 8, 9, 10, 11])].concat();
    assert_eq!(bytes.len(), 176);
    both_ways(Format::Mds, &header, &bytes);
    both_ways(Format::Mdm, &header, &bytes);
}

#[test]
fn vertex() {
    let mut vertex = VertexHeader {
        normal: [0.0, 0.6, 0.8],
        texcoord: [0.25, 0.75],
        num_weights: 2,
        fixed_parent: 3,
        fixed_dist: 4.0,
    };
    let start = [floats(&[0.0, 0.6, 0.8, 0.25, 0.75]), words(&[2])].concat();
    let bytes = [start.clone(), words(&[3]), floats(&[4.0])].concat();
    assert_eq!(bytes.len(), 32);
    both_ways(Format::Mds, &vertex, &bytes);
    (vertex.fixed_parent, vertex.fixed_dist) = (0, 0.0);
    assert_eq!(start.len(), 24);
    both_ways(Format::Mdm, &vertex, &start);

    let weight = Weight { bone: 7, weight: 0.5, offset: [1.0, 2.0, 3.0] };
    let bytes = [words(&[7]), floats(&[0.5, 1.0, 2.0, 3.0])].concat();
    assert_eq!(bytes.len(), 20);
    assert_eq!(Cursor::new(&bytes).bulk::<Weight>(1).unwrap(), [weight]);
}

#[test]
fn tag() {
    let (name, name_bytes) = name("tag_head");
    let mut tag = TagHeader { name, torso_weight: 1.0, bone: 5, ..TagHeader::default() };
    let bytes = [name_bytes.clone(), floats(&[1.0]), words(&[5])].concat();
    assert_eq!(bytes.len(), 72);
    both_ways(Format::Mds, &tag, &bytes);

    tag.torso_weight = 0.0;
    tag.axes = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0];
    tag.offset = [10.0, 11.0, 12.0];
    (tag.num_bone_references, tag.ofs_bone_references, tag.ofs_end) = (3, 128, 140);
    let bytes = [
        name_bytes,
        floats(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]),
        words(&[5]),
        floats(&[10.0, 11.0, 12.0]),
        words(&[3, 128, 140]),
    ]
    .concat();
    assert_eq!(bytes.len(), 128);
    both_ways(Format::Mdm, &tag, &bytes);
}
