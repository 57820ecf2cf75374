//! Samples with the faults that have broken other readers: nothing panics, and whatever is read comes back.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use crate::bend;

use bend::{try_everything, with_word, word, words_of};
use effigy_mdc::{Format, Formula, Model, Surface, codes, read, read_with, relative, sniff};
use effigy_samples::mdc as samples;
use effigy_wire::{Kind, Limits, Severity};

#[test]
fn every_count_and_offset_at_its_extremes_is_an_error_or_comes_back() {
    for (name, bytes) in samples::all().unwrap() {
        let length = i32::try_from(bytes.len()).unwrap();
        let (mut good, mut bad) = (0, 0);
        for (path, at) in words_of(&bytes) {
            let now = i32::from_le_bytes(*bytes[at..].first_chunk().unwrap());
            for value in [
                0,
                1,
                2,
                -1,
                -8,
                now - 1,
                now + 1,
                now - 4,
                now + 4,
                length,
                length - 1,
                length + 1,
                i32::MAX,
                i32::MIN,
                0x4000_0000,
                0x2000_0001,
                0x1000_0001,
                0x0666_6667,
                0x1555_5556,
            ] {
                match try_everything(&with_word(&bytes, at, value)) {
                    Ok(_) => good += 1,
                    Err(error) => {
                        bad += 1;
                        assert!(
                            matches!(error.kind(), Kind::Malformed | Kind::Limit | Kind::Unsupported),
                            "{path}"
                        );
                        assert!(error.offset().is_some(), "{name} {path} = {value}: {error:?}");
                    }
                }
            }
        }
        assert!(good > 0 && bad > 0, "{name}");
    }
}

fn error_of(bytes: &[u8]) -> String {
    read(bytes).unwrap_err().to_string()
}

#[test]
fn a_surface_that_does_not_advance_is_an_error() {
    let bytes = samples::mdc().write().unwrap();
    let at = word(&bytes, "header.ofs_surfaces");
    let surface = usize::try_from(i32::from_le_bytes(*bytes[at..].first_chunk().unwrap())).unwrap();
    let end = surface + 120;
    for value in [0, -1, 4, 123, i32::MIN] {
        assert_eq!(
            error_of(&with_word(&bytes, end, value)),
            format!(
                "{end:#x}: surfaces[0].ofs_end: offset {value} of the next surface is inside the header of this one"
            )
        );
    }
    assert!(error_of(&with_word(&bytes, end, i32::MAX)).contains("surfaces[1]"));
}

#[test]
fn a_count_times_a_size_beyond_32_bits_is_an_error() {
    let bytes = samples::mdc().write().unwrap();
    // 0x2000_0001 vertices of 8 bytes are 8 bytes in 32 bits.
    let at = word(&bytes, "header.num_verts");
    let error = error_of(&with_word(&bytes, at, 0x2000_0001));
    assert!(error.contains("536870913 elements"), "{error}");
    assert!(error.contains("need 4294967304 bytes"), "{error}");
    let at = word(&bytes, "header.num_frames");
    assert!(error_of(&with_word(&bytes, at, i32::MAX)).contains("2147483647 elements"));
    let at = word(&bytes, "header.num_tags");
    assert!(error_of(&with_word(&bytes, at, i32::MAX)).contains("2147483647 elements"));
}

#[test]
fn counts_and_offsets_below_zero_are_errors_at_their_place() {
    let bytes = samples::mdc().write().unwrap();
    let at = word(&bytes, "header.num_frames");
    assert_eq!(
        error_of(&with_word(&bytes, at, -1)),
        format!("{at:#x}: num_frames: the count -1 is negative")
    );
    assert_eq!(
        error_of(&with_word(&bytes, at, 0)),
        format!("{at:#x}: header: a model needs at least one frame")
    );
    let at = word(&bytes, "header.ofs_frame_base_frames");
    let error = error_of(&with_word(&bytes, at, -8));
    let expected = "surfaces[0].ofs_frame_base_frames: offset -8 is negative";
    assert_eq!(error, format!("{at:#x}: {expected}"));
}

#[test]
fn a_frame_that_does_not_exist_is_reported_and_only_that_frame_fails() {
    for entry in [1000, -1, i16::MIN, i16::MAX] {
        let mut model = samples::mdc();
        model.surfaces[1].base_of_frame[3] = entry;
        let model = try_everything(&model.write().unwrap()).unwrap();
        let [found] = &model.diagnostics()[..] else { panic!("{:?}", model.diagnostics()) };
        assert_eq!((found.code, found.severity), (codes::FRAME_INDEX, Severity::Error));
        assert_eq!(found.path, "surfaces[1].base_of_frame[3]");
        assert!(model.decode().unwrap_err().to_string().starts_with("surfaces[1]: frame 3 needs base frame"));
        assert!(model.surfaces[1].decode_one(2).is_ok());
    }
    let mut model = samples::mdc();
    let last = model.surfaces[1].compressed_of_frame.iter().rposition(|&entry| entry >= 0).unwrap();
    model.surfaces[1].compressed_of_frame[last] = 999;
    let model = try_everything(&model.write().unwrap()).unwrap();
    assert_eq!(model.diagnostics()[0].code, codes::FRAME_INDEX);
    assert!(model.decode().unwrap_err().to_string().contains("needs compressed frame 999"));
}

#[test]
fn the_second_table_is_ignored_without_compressed_frames() {
    let mut model = samples::mdc();
    for surface in &mut model.surfaces {
        surface.compressed.clear();
        surface.base_of_frame.fill(0);
        surface.compressed_of_frame.fill(77);
    }
    let model = try_everything(&model.write().unwrap()).unwrap();
    assert!(model.diagnostics().is_empty(), "{:?}", model.diagnostics());
    let bytes = model.write().unwrap();
    for offset in [0, -1, i32::MAX, i32::MIN] {
        let bent = with_word(&bytes, word(&bytes, "header.ofs_frame_comp_frames"), offset);
        let again = try_everything(&bent).unwrap();
        assert!(again.surfaces[0].compressed_of_frame.is_empty());
        assert!(again.decode().is_ok());
    }
}

#[test]
fn a_triangle_with_a_missing_vertex_is_reported() {
    let mut model = samples::md3();
    model.surfaces[0].triangles[5] = [0, u32::MAX, 1];
    let model = try_everything(&model.write().unwrap()).unwrap();
    assert_eq!(
        model.diagnostics()[0].to_string(),
        "error MDC0201: surfaces[0].triangles[5]: vertex 4294967295 does not exist, there are 24"
    );
}

#[test]
fn names_without_a_nul_stay_inside_their_field() {
    let mut model = samples::mdc();
    model.name = effigy_mdc::Name::from_bytes([b'n'; 64]);
    model.surfaces[0].name = effigy_mdc::Name::from_bytes([0xff; 64]);
    let model = try_everything(&model.write().unwrap()).unwrap();
    assert_eq!(model.name().len(), 64);
}

#[test]
fn empty_surfaces_and_odd_counts_come_back() {
    for format in [Format::Mdc, Format::Md3] {
        let mut model = if format == Format::Mdc { samples::mdc() } else { samples::md3() };
        let frames = model.frames.len();
        let tables = if format == Format::Mdc { frames } else { 0 };
        let empty =
            Surface { base_of_frame: vec![0; tables], compressed_of_frame: vec![-1; tables], ..default() };
        model.surfaces.insert(1, empty);
        let bytes = model.write().unwrap();
        let again = try_everything(&bytes).unwrap();
        assert_eq!(again, model);
        assert_eq!(again.diagnostics().len(), 2);
        let tracks = again.decode().unwrap();
        assert_eq!((tracks.len(), tracks[1].all_positions.len()), (4, 0));
        assert!(!tracks[2].all_positions.is_empty());
        // Frames without vertices need no bytes, whatever their number.
        let counts =
            words_of(&bytes).into_iter().filter(|(path, _)| path.ends_with("num_base_frames")).nth(1);
        try_everything(&with_word(&bytes, counts.unwrap().1, i32::MAX)).unwrap();
    }
}

fn default<T: Default>() -> T {
    T::default()
}

/// A file in which two surfaces share their texture coordinates.
fn shared_texcoords() -> Vec<u8> {
    let mut model = samples::md3();
    model.surfaces[1].texcoords.fill([0.5, 0.5]);
    let bytes = model.write().unwrap();
    let offsets: Vec<_> = words_of(&bytes).into_iter().filter(|(path, _)| path.ends_with("ofs_st")).collect();
    let [first, second] = [offsets[0].1, offsets[1].1];
    let value = |at: usize| i32::from_le_bytes(*bytes[at..].first_chunk().unwrap());
    // The offset of the first surface leads to the list of the second one: both have 24 vertices.
    let between = i32::try_from(second - first).unwrap();
    with_word(&bytes, first, value(second) + between)
}

#[test]
fn parts_that_share_bytes_come_back_and_are_separated_when_one_is_edited() {
    let bytes = shared_texcoords();
    let mut model = try_everything(&bytes).unwrap();
    let found: Vec<_> = model.diagnostics().iter().map(|found| found.code).collect();
    assert_eq!(found, [codes::FILLER, codes::OVERLAP]);
    assert_eq!(model.surfaces[0].texcoords, model.surfaces[1].texcoords);
    model.surfaces[1].texcoords[0] = [0.25, 0.75];
    let edited = model.write().unwrap();
    assert_eq!(read(&edited).unwrap(), model);
    assert_ne!(model.surfaces[0].texcoords, model.surfaces[1].texcoords);
}

#[test]
fn a_small_file_cannot_expand_into_a_huge_model() {
    // Many surfaces that all have their triangles in the same bytes.
    let mut model = samples::md3();
    model.surfaces.truncate(1);
    let mut one = model.surfaces[0].clone();
    one.triangles = vec![[0; 3]; 20_000];
    let small = Surface { triangles: Vec::new(), base: Vec::new(), texcoords: Vec::new(), ..one.clone() };
    model.surfaces = vec![small; 200];
    model.surfaces.push(one);
    let mut bytes = model.write().unwrap();
    let words = words_of(&bytes);
    let with = |name: &str| {
        words.iter().filter(|(path, _)| path.ends_with(name)).map(|word| word.1).collect::<Vec<_>>()
    };
    let (counts, offsets) = (with("num_triangles"), with("ofs_triangles"));
    let last = offsets[200];
    for index in 0..200 {
        bytes = with_word(&bytes, counts[index], 20_000);
        let to_last = last - offsets[index] + 108 + 68;
        bytes = with_word(&bytes, offsets[index], i32::try_from(to_last).unwrap());
    }
    let error = read(&bytes).unwrap_err();
    assert_eq!(error.kind(), Kind::Limit, "{error}");

    // One stored frame that very many frames refer to.
    let mut model = samples::mdc();
    model.surfaces.truncate(1);
    model.tags = Model::default().tags;
    let frame = model.frames[0].clone();
    model.frames = vec![frame; 30_000];
    let surface = &mut model.surfaces[0];
    (surface.base_of_frame, surface.compressed_of_frame) = (vec![0; 30_000], vec![-1; 30_000]);
    let model = read(&model.write().unwrap()).unwrap();
    let limits = Limits { unpacked_bytes: 1 << 20, ..Limits::DEFAULT };
    assert_eq!(model.decode_with(Formula::Engine, &limits).unwrap_err().kind(), Kind::Limit);
}

#[test]
fn limits_are_obeyed() {
    let bytes = samples::mdc().write().unwrap();
    for limits in [Limits { input_bytes: 100, ..Limits::DEFAULT }, Limits { records: 10, ..Limits::DEFAULT }]
    {
        assert_eq!(read_with(&bytes, &limits).unwrap_err().kind(), Kind::Limit);
    }
}

#[test]
fn errors_name_related_and_unknown_formats() {
    for (magic, name) in [(b"MDSW", "MDS"), (b"MDMW", "MDM"), (b"MDXW", "MDX"), (b"TAG1", "TAG")] {
        assert!(relative(magic).unwrap().starts_with(name));
        assert!(!sniff(magic));
        let error = read(magic).unwrap_err();
        assert_eq!(error.kind(), Kind::Unsupported);
        assert!(error.to_string().ends_with("not supported yet"), "{error}");
    }
    assert_eq!(relative(b"MDLX"), None);
    assert_eq!(error_of(b"MDLX"), "0x0: IDPC (MDC) or IDP3 (MD3) expected, found MDLX");
    assert_eq!(error_of(b"ID"), "0x0: 2 bytes are too few for a model");
    let old = with_word(&samples::mdc().write().unwrap(), 4, 1);
    assert_eq!(read(&old).unwrap_err().kind(), Kind::Unsupported);
    assert_eq!(error_of(&old), "0x4: MDC version 1 (no game loads it); only version 2 is known");
}
