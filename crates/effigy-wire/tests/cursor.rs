//! Reading: what each call returns, where it moves to, and the offset and message of each error.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use effigy_wire::{Cursor, Kind, Result, Tag};

const BYTES: [u8; 12] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];

/// The error of a call on a cursor that starts at 0x10; the call must not move it.
#[track_caller]
fn refused<'a, T: std::fmt::Debug>(
    bytes: &'a [u8],
    call: impl FnOnce(&mut Cursor<'a>) -> Result<T>,
) -> String {
    let mut cursor = Cursor::at(bytes, 0x10);
    let error = call(&mut cursor).unwrap_err();
    assert_eq!((cursor.position(), cursor.rest()), (0x10, bytes));
    assert_eq!((error.kind(), error.offset()), (Kind::Malformed, Some(0x10)));
    error.to_string()
}

#[test]
fn numbers_are_little_endian_and_move_the_cursor_by_their_size() {
    let mut cursor = Cursor::new(&BYTES);
    assert_eq!((cursor.position(), cursor.remaining(), cursor.is_empty()), (0, 12, false));
    assert_eq!(cursor.u8().unwrap(), 1);
    assert_eq!((cursor.position(), cursor.remaining()), (1, 11));
    assert_eq!(cursor.u16().unwrap(), 0x0302);
    assert_eq!((cursor.position(), cursor.rest()), (3, &BYTES[3..]));
    assert_eq!(cursor.u32().unwrap(), 0x0706_0504);
    assert_eq!(cursor.position(), 7);
    assert_eq!(cursor.array::<3>().unwrap(), [8, 9, 10]);
    assert_eq!(cursor.take(2).unwrap(), [11, 12]);
    assert_eq!((cursor.position(), cursor.remaining(), cursor.is_empty()), (12, 0, true));
    cursor.finish().unwrap();
    assert_eq!(Cursor::new(&[0xfe, 0xff, 0xff, 0xff]).i32().unwrap(), -2);
    assert_eq!(Cursor::new(&[0, 0, 0x20, 0xc0]).f32().unwrap(), -2.5);
    assert_eq!(Cursor::new(&[2, 1, 0, 0]).count().unwrap(), 258);
}

#[test]
fn a_number_beyond_the_end_is_refused_where_it_begins() {
    assert_eq!(refused(&[], Cursor::u8), "0x10: needs 1 bytes, 0 are left");
    assert_eq!(refused(&BYTES[..1], Cursor::u16), "0x10: needs 2 bytes, 1 are left");
    assert_eq!(refused(&BYTES[..3], Cursor::u32), "0x10: needs 4 bytes, 3 are left");
    assert_eq!(refused(&BYTES[..3], Cursor::i32), "0x10: needs 4 bytes, 3 are left");
    assert_eq!(refused(&BYTES[..2], Cursor::f32), "0x10: needs 4 bytes, 2 are left");
    assert_eq!(refused(&BYTES[..2], Cursor::count), "0x10: needs 4 bytes, 2 are left");
    assert_eq!(refused(&BYTES[..3], Cursor::tag), "0x10: needs 4 bytes, 3 are left");
    assert_eq!(refused(&BYTES[..4], Cursor::array::<5>), "0x10: needs 5 bytes, 4 are left");
    assert_eq!(refused(&BYTES, |cursor| cursor.take(13)), "0x10: needs 13 bytes, 12 are left");
    assert_eq!(refused(&BYTES, |cursor| cursor.window(13)), "0x10: needs 13 bytes, 12 are left");
}

#[test]
fn a_tag_is_taken_only_if_it_is_the_expected_one() {
    let bytes = b"GEOSSEQS";
    let mut cursor = Cursor::at(bytes, 0x20);
    assert_eq!(cursor.peek_tag(), Some(Tag(*b"GEOS")));
    assert_eq!(cursor.position(), 0x20);
    cursor.expect_tag(Tag(*b"GEOS")).unwrap();
    assert_eq!(cursor.position(), 0x24);
    let error = cursor.expect_tag(Tag(*b"GEOS")).unwrap_err();
    assert_eq!(error.to_string(), "0x24: GEOS expected, found SEQS");
    assert_eq!(cursor.position(), 0x24);
    assert_eq!(cursor.tag().unwrap(), Tag(*b"SEQS"));
    assert_eq!(cursor.peek_tag(), None);
    assert_eq!(Cursor::new(b"GEO").peek_tag(), None);
    assert_eq!(refused(b"GEO", |c| c.expect_tag(Tag(*b"GEOS"))), "0x10: needs 4 bytes, 3 are left");
}

#[test]
fn bulk_values_are_copied_at_any_alignment() {
    // At four neighbouring addresses, so that all alignments of 2- and 4-byte values occur.
    let bytes: Vec<u8> = (0..32).collect();
    for start in 0..4_u8 {
        let at = usize::from(start);
        let mut cursor = Cursor::at(&bytes[at..], at);
        let byte = |i: u8| u32::from(start + i);
        let word = |i: u8| byte(i) | byte(i + 1) << 8 | byte(i + 2) << 16 | byte(i + 3) << 24;
        assert_eq!(cursor.bulk::<u32>(2).unwrap(), [word(0), word(4)]);
        assert_eq!(cursor.position(), at + 8);
        let halves: Vec<u32> = cursor.bulk::<u16>(2).unwrap().into_iter().map(u32::from).collect();
        assert_eq!(halves, [word(8) & 0xffff, word(8) >> 16]);
        assert_eq!(cursor.bulk::<u8>(3).unwrap(), [start + 12, start + 13, start + 14]);
        let numbers = cursor.bulk::<[f32; 1]>(1).unwrap();
        assert_eq!(numbers[0][0].to_bits(), word(15));
        assert_eq!(cursor.position(), at + 19);
        assert_eq!(cursor.bulk::<u64>(1).unwrap(), [u64::from(word(19)) | u64::from(word(23)) << 32]);
        assert!(cursor.bulk::<u32>(0).unwrap().is_empty());
    }
}

#[test]
fn bulk_values_beyond_the_end_are_refused_before_memory_is_allocated() {
    assert_eq!(refused(&BYTES, |cursor| cursor.bulk::<u32>(4)), "0x10: 4 values need 16 bytes, 12 are left");
    assert_eq!(Cursor::new(&BYTES).bulk::<u32>(3).unwrap().len(), 3);
    // The product does not fit into 64 bits.
    assert_eq!(
        refused(&BYTES, |cursor| cursor.bulk::<u32>(usize::MAX)),
        format!("0x10: {} values need {} bytes, 12 are left", usize::MAX, usize::MAX as u128 * 4)
    );
}

#[test]
fn the_rest_must_be_a_whole_number_of_values() {
    let mut cursor = Cursor::new(&BYTES);
    assert_eq!(cursor.bulk_rest::<u32>().unwrap(), [0x0403_0201, 0x0807_0605, 0x0c0b_0a09]);
    assert!(cursor.is_empty());
    assert!(cursor.bulk_rest::<u32>().unwrap().is_empty());
    assert_eq!(
        refused(&BYTES[..11], |cursor| cursor.bulk_rest::<u32>()),
        "0x10: 11 bytes are not a whole number of 4-byte values"
    );
}

#[test]
fn records_are_counted_against_what_is_left() {
    let cursor = Cursor::at(&BYTES, 0x10);
    cursor.check_count(3, 4).unwrap();
    cursor.check_count(12, 1).unwrap();
    cursor.check_count(usize::MAX, 0).unwrap();
    assert_eq!(
        refused(&BYTES, |cursor| cursor.check_count(13, 1)),
        "0x10: 13 values need 13 bytes, 12 are left"
    );
    assert_eq!(
        refused(&BYTES, |cursor| cursor.check_count(usize::MAX, 2)),
        format!("0x10: {} values need {} bytes, 12 are left", usize::MAX, usize::MAX as u128 * 2)
    );
}

#[test]
fn a_block_is_as_long_as_it_says_with_its_size_word() {
    let bytes = [7, 0, 0, 0, 0xa, 0xb, 0xc, 0xd];
    let mut cursor = Cursor::at(&bytes, 0x10);
    let block = cursor.sized().unwrap();
    assert_eq!((block.position(), block.rest()), (0x14, &[0xa, 0xb, 0xc][..]));
    assert_eq!((cursor.position(), cursor.rest()), (0x17, &[0xd][..]));
    // All that is left, and nothing but the word.
    assert_eq!(Cursor::new(&[8, 0, 0, 0, 1, 2, 3, 4]).sized().unwrap().rest(), [1, 2, 3, 4]);
    assert!(Cursor::new(&[4, 0, 0, 0]).sized().unwrap().is_empty());
    assert_eq!(
        refused(&[9, 0, 0, 0, 1, 2, 3, 4], Cursor::sized),
        "0x10: the block's size is stated as 9 bytes, 8 are left"
    );
    assert_eq!(
        refused(&[3, 0, 0, 0, 1], Cursor::sized),
        "0x10: the block's size is stated as 3 bytes, 5 are left"
    );
    assert_eq!(refused(&[3, 0, 0], Cursor::sized), "0x10: needs 4 bytes, 3 are left");
}

#[test]
fn a_size_of_24_bits_leaves_its_top_byte_to_another_value() {
    let bytes = [6, 0, 0, 0x80, 0xa, 0xb, 0xc];
    let mut cursor = Cursor::at(&bytes, 0x10);
    let (block, top) = cursor.sized_with_top().unwrap();
    assert_eq!((block.position(), block.rest(), top), (0x14, &[0xa, 0xb][..], 0x80));
    assert_eq!((cursor.position(), cursor.rest()), (0x16, &[0xc][..]));
    let (block, top) = Cursor::new(&[4, 0, 0, 1]).sized_with_top().unwrap();
    assert_eq!((block.remaining(), top), (0, 1));
    assert_eq!(
        refused(&[0, 1, 0, 7, 5], Cursor::sized_with_top),
        "0x10: the block's size is stated as 256 bytes, 5 are left"
    );
    assert_eq!(
        refused(&[3, 0, 0, 7, 5], Cursor::sized_with_top),
        "0x10: the block's size is stated as 3 bytes, 5 are left"
    );
    assert_eq!(refused(&[4, 0], Cursor::sized_with_top), "0x10: needs 4 bytes, 2 are left");
}

#[test]
fn a_window_ends_where_it_ends_and_what_is_left_over_is_an_error() {
    let mut cursor = Cursor::new(&BYTES);
    cursor.take(2).unwrap();
    let mut window = cursor.window(4).unwrap();
    assert_eq!((window.position(), window.rest(), cursor.position()), (2, &BYTES[2..6], 6));
    assert_eq!(window.u8().unwrap(), 3);
    assert_eq!(window.finish().unwrap_err().to_string(), "0x3: 3 bytes are left over");
    assert_eq!(cursor.finish().unwrap_err().to_string(), "0x6: 6 bytes are left over");
}
