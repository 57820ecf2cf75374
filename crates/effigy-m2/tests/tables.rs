//! Values and their bytes side by side, read and written in both directions.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use effigy_m2::{
    Batch, BatchFlags, Caps, Cells, Material, MaterialFlags, Playable, Sequence, SequenceFlags, Submesh,
    Version, Vertex,
};
use effigy_wire::{Buffer, Cursor, Wire};
use std::fmt::Debug;

fn caps(number: u32) -> Caps {
    Version::new(number).unwrap().caps()
}

/// Bytes from hexadecimal digits; blanks are for reading.
fn hex(text: &str) -> Vec<u8> {
    let digits: Vec<u8> = text.bytes().filter(u8::is_ascii_hexdigit).collect();
    digits.chunks(2).map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap()).collect()
}

fn both_ways<T: Wire<Caps> + PartialEq + Debug>(number: u32, value: &T, text: &str) {
    let bytes = hex(text);
    let mut buffer = Buffer::default();
    value.write(&mut buffer, caps(number));
    assert_eq!(buffer.into_bytes().unwrap(), bytes, "{number}: {value:?}");
    let mut cursor = Cursor::new(&bytes);
    assert_eq!(&T::read(&mut cursor, caps(number)).unwrap(), value);
    cursor.finish().unwrap();
    for cut in 0..bytes.len() {
        assert!(T::read(&mut Cursor::new(&bytes[..cut]), caps(number)).is_err(), "cut at {cut}");
    }
}

#[test]
fn sequences() {
    let common = Sequence {
        id: 4,
        variation: 1,
        move_speed: 2.5,
        flags: SequenceFlags::ONCE,
        frequency: 0x7fff,
        replay_min: 1,
        replay_max: 2,
        blend_time: 150,
        bounds: [-1.0, -1.0, 0.0, 1.0, 1.0, 2.0],
        radius: 2.0,
        next_variation: -1,
        alias: 7,
        ..Sequence::default()
    };
    let tail = "00002040 01000000 ff7f 0000 01000000 02000000 96000000
        000080bf 000080bf 00000000 0000803f 0000803f 00000040 00000040 ffff 0700";
    let old = Sequence { start: 3333, end: 4333, ..common.clone() };
    for number in [256, 257, 260, 261, 262, 263] {
        both_ways(number, &old, &format!("0400 0100 050d0000 ed100000 {tail}"));
    }
    both_ways(264, &Sequence { duration: 1000, ..common }, &format!("0400 0100 e8030000 {tail}"));
}

#[test]
fn submeshes() {
    let common = Submesh {
        id: 401,
        vertex_start: 1,
        vertex_count: 2,
        triangle_start: 3,
        triangle_count: 6,
        bone_count: 4,
        bone_start: 5,
        bone_influences: 2,
        center_bone: 9,
        center: [1.0, 2.0, -1.0],
        ..Submesh::default()
    };
    let head = "9101 0000 0100 0200 0300 0600 0400 0500 0200 0900 0000803f 00000040 000080bf";
    both_ways(256, &common, head);
    let sorted = Submesh { sort_center: [0.5; 3], sort_radius: 2.0, ..common };
    for number in [260, 263, 264] {
        both_ways(number, &sorted, &format!("{head} 0000003f 0000003f 0000003f 00000040"));
    }
}

#[test]
fn records_that_never_changed() {
    let batch = Batch {
        flags: BatchFlags::STATIC,
        priority_plane: 1,
        shader: 0x8001,
        submesh: 2,
        geoset: 3,
        color: -1,
        material: 4,
        layer: 1,
        texture_count: 2,
        texture_combo: 5,
        coord_combo: 6,
        weight_combo: 7,
        transform_combo: 8,
    };
    let vertex = Vertex {
        position: [1.0, 2.0, 0.5],
        weights: [255, 0, 0, 0],
        bones: [3, 2, 1, 0],
        normal: [0.0, 0.0, 1.0],
        uv: [0.5, 1.0],
        uv2: [0.0, -1.0],
    };
    let cells = Cells { head_life: [0, 7, 1], head_decay: [8, 16, 1], tail_life: [2, 3], tail_decay: [4, 5] };
    for number in [256, 260, 262, 264] {
        both_ways(number, &batch, "10 01 0180 0200 0300 ffff 0400 0100 0200 0500 0600 0700 0800");
        let first = Batch { priority_plane: -9, ..batch.clone() };
        both_ways(number, &first, "10 f7 0180 0200 0300 ffff 0400 0100 0200 0500 0600 0700 0800");
        both_ways(
            number,
            &vertex,
            "0000803f 00000040 0000003f ff000000 03020100 00000000 00000000 0000803f
             0000003f 0000803f 00000000 000080bf",
        );
        both_ways(number, &cells, "0000 0700 0100 0800 1000 0100 0200 0300 0400 0500");
        both_ways(number, &Playable { animation: 4, mode: 1 }, "0400 0100");
        let flags = MaterialFlags::UNLIT | MaterialFlags::NO_DEPTH_WRITE;
        both_ways(number, &Material { flags, blend: 4 }, "1100 0400");
    }
}

#[test]
fn an_emitters_blend_mode_and_type_are_words_then_bytes() {
    let write = |number: u32| {
        let particle = effigy_m2::Particle { blend: 4, kind: 2, color_index: 0x1234, ..Default::default() };
        let mut buffer = Buffer::default();
        particle.write(&mut buffer, caps(number));
        buffer.into_bytes().unwrap()[0x28..0x2c].to_vec()
    };
    assert_eq!(write(260), hex("0400 0200"));
    assert_eq!(write(262), hex("04 02 3412"));
    assert_eq!(write(264), hex("04 02 3412"));
}

#[test]
fn unknown_bits_of_flags_are_kept() {
    both_ways(256, &SequenceFlags::from_bits_retain(0xdead_beef), "efbeadde");
    both_ways(256, &BatchFlags::from_bits_retain(0x82), "82");
}
