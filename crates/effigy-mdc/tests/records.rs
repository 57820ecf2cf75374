//! Records and their bytes, read and written.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use effigy_mdc::records::{Header, SurfaceHeader};
use effigy_mdc::{Caps, Frame, Name, PackedTag, Shader, Tag};
use effigy_wire::{Buffer, Cursor, FixedStr, Tag as Word, Wire};
use std::fmt::Debug;

fn both_ways<T: Wire<Caps> + PartialEq + Debug>(caps: Caps, value: &T, bytes: &[u8]) {
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
    let (name, name_bytes) = name("models/book.md3");
    let mdc = Header {
        ident: Word::new(b"IDPC"),
        version: 2,
        name,
        flags: 3,
        num_frames: 4,
        num_tags: 5,
        num_surfaces: 6,
        num_skins: 7,
        ofs_frames: 8,
        ofs_tag_names: 9,
        ofs_tags: 10,
        ofs_surfaces: 11,
        ofs_end: 12,
    };
    let head = |ident: &[u8], version: i32| [ident, &words(&[version]), &name_bytes].concat();
    let bytes = [head(b"IDPC", 2), words(&[3, 4, 5, 6, 7, 8, 9, 10, 11, 12])].concat();
    assert_eq!(bytes.len(), 112);
    both_ways(Caps::COMPRESSED, &mdc, &bytes);

    let md3 = Header { ident: Word::new(b"IDP3"), version: 15, ofs_tag_names: 0, ..mdc };
    let bytes = [head(b"IDP3", 15), words(&[3, 4, 5, 6, 7, 8, 10, 11, 12])].concat();
    assert_eq!(bytes.len(), 108);
    both_ways(Caps::PLAIN, &md3, &bytes);
}

#[test]
fn surface_header() {
    let (name, name_bytes) = name("h_blink");
    let mdc = SurfaceHeader {
        ident: Word::new(&[7, 0, 0, 0]),
        name,
        flags: -1,
        num_comp_frames: 2,
        num_base_frames: 3,
        num_shaders: 4,
        num_verts: 5,
        num_triangles: 6,
        ofs_triangles: 7,
        ofs_shaders: 8,
        ofs_st: 9,
        ofs_xyz_normals: 10,
        ofs_xyz_compressed: 11,
        ofs_frame_base_frames: 12,
        ofs_frame_comp_frames: 13,
        ofs_end: 14,
    };
    let bytes =
        [words(&[7]), name_bytes.clone(), words(&[-1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14])].concat();
    assert_eq!(bytes.len(), 124);
    both_ways(Caps::COMPRESSED, &mdc, &bytes);

    let md3 = SurfaceHeader {
        ident: Word::new(b"IDP3"),
        num_comp_frames: 0,
        ofs_xyz_compressed: 0,
        ofs_frame_base_frames: 0,
        ofs_frame_comp_frames: 0,
        ..mdc
    };
    let bytes = [b"IDP3".to_vec(), name_bytes, words(&[-1, 3, 4, 5, 6, 7, 8, 9, 10, 14])].concat();
    assert_eq!(bytes.len(), 108);
    both_ways(Caps::PLAIN, &md3, &bytes);
}

#[test]
fn frame() {
    let frame = Frame {
        min: [-1.0, -2.0, -3.0],
        max: [1.0, 2.0, 3.0],
        local_origin: [0.5, 0.25, 0.125],
        radius: 3.75,
        name: FixedStr::from_bytes(*b"(from ASE)\0junk\0"),
    };
    let numbers = floats(&[-1.0, -2.0, -3.0, 1.0, 2.0, 3.0, 0.5, 0.25, 0.125, 3.75]);
    let bytes = [numbers, b"(from ASE)\0junk\0".to_vec()].concat();
    assert_eq!(bytes.len(), 56);
    both_ways(Caps::COMPRESSED, &frame, &bytes);
    both_ways(Caps::PLAIN, &frame, &bytes);
}

#[test]
fn tags() {
    let packed = PackedTag { origin: [64, -64, 32767], angles: [-32700, 8175, -1] };
    let bytes = [64, 0, 0xc0, 0xff, 0xff, 0x7f, 0x44, 0x80, 0xef, 0x1f, 0xff, 0xff];
    both_ways(Caps::COMPRESSED, &packed, &bytes);

    let (name, name_bytes) = name("tag_weapon");
    let axes = [0.0, 1.0, 0.0, -1.0, 0.0, 0.0, 0.0, 0.0, 1.0];
    let bytes = [name_bytes, floats(&[1.0, 2.0, 3.0]), floats(&axes)].concat();
    assert_eq!(bytes.len(), 112);
    both_ways(Caps::PLAIN, &Tag { name, origin: [1.0, 2.0, 3.0], axes }, &bytes);
}

#[test]
fn shader() {
    let (name, name_bytes) = name("models/wood.tga");
    let bytes = [name_bytes, words(&[-77])].concat();
    assert_eq!(bytes.len(), 68);
    both_ways(Caps::COMPRESSED, &Shader { name, index: -77 }, &bytes);
}
