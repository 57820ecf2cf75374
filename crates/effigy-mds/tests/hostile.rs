//! Samples with the faults that make the games crash: nothing panics, and whatever is read comes back.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use crate::bend;

use bend::{try_everything, with_word, word, words_of};
use effigy_mds::pose::Skeleton;
use effigy_mds::{codes, read, read_with, sniff};
use effigy_samples::mds as samples;
use effigy_wire::{Kind, Limits, Severity};

#[test]
fn every_count_index_and_offset_at_its_extremes_is_an_error_or_comes_back() {
    for (name, bytes) in samples::all().unwrap() {
        let length = i32::try_from(bytes.len()).unwrap();
        let (mut good, mut bad) = (0, 0);
        // Of the many vertices, the first few are enough.
        let words = words_of(&bytes);
        let vertices = words.iter().filter(|(path, _)| path.contains(".vertices.")).count();
        let skipped = vertices.saturating_sub(20);
        let mut seen = 0;
        for (path, at) in words {
            if path.contains(".vertices.") {
                seen += 1;
                if seen < skipped {
                    continue;
                }
            }
            let now = i32::from_le_bytes(*bytes[at..].first_chunk().unwrap());
            let near = [now.wrapping_sub(1), now.wrapping_add(1), now.wrapping_sub(4), now.wrapping_add(4)];
            let ends = [0, -1, length, length - 1, length + 1, i32::MAX, i32::MIN, 0x2000_0001, 0x1555_5556];
            for value in near.into_iter().chain(ends) {
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

#[test]
fn a_file_cut_anywhere_is_an_error() {
    for (name, bytes) in samples::all().unwrap() {
        for length in (0..bytes.len()).step_by(7).chain(bytes.len() - 80..bytes.len()) {
            match read(&bytes[..length]) {
                Err(error) => assert_eq!(error.to_string().lines().count(), 1),
                Ok(_) => panic!("{name} cut at {length} is read"),
            }
        }
    }
}

#[test]
fn random_bytes_in_any_place_do_no_harm() {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    for (_, bytes) in samples::all().unwrap() {
        for _ in 0..600 {
            let mut bent = bytes.clone();
            for _ in 0..1 + random() % 4 {
                let at = usize::try_from(random()).unwrap() % bent.len();
                bent[at] = random().to_le_bytes()[0];
            }
            try_everything(&bent).ok();
        }
    }
}

#[test]
fn bones_in_a_loop_are_reported_and_cannot_be_posed() {
    let mut model = samples::mds();
    model.bones[1].parent = 3;
    let bytes = model.write().unwrap();
    let model = read(&bytes).unwrap();
    let found: Vec<_> = model.diagnostics().iter().filter(|it| it.code == codes::BONE_LOOP).collect();
    let paths: Vec<&str> = found.iter().map(|it| it.path.as_str()).collect();
    assert_eq!(paths, ["bones[1].parent", "bones[2].parent", "bones[3].parent"]);
    let error = Skeleton::new(&model).unwrap_err();
    assert_eq!(error.to_string(), "bones[1].parent: the parents of this bone lead back to it");
    let mut model = samples::mds();
    model.bones[4].parent = 4;
    assert!(Skeleton::new(&model).is_err());
    model.bones[4].parent = 99;
    assert_eq!(Skeleton::new(&model).unwrap_err().to_string(), "bones[4].parent: bone 99 does not exist");
    assert_eq!(model.verify(&model.write().unwrap()).status, effigy_wire::Status::Identical);
}

#[test]
fn a_parent_after_its_child_is_posed_all_the_same() {
    let mut model = samples::mds();
    // The head changes places with the chest, its parent.
    let before = Skeleton::new(&model).unwrap().frame(&model, 9).unwrap();
    let swap = |bone: i32| match bone {
        2 => 3,
        3 => 2,
        other => other,
    };
    for bone in &mut model.bones {
        bone.parent = swap(bone.parent);
    }
    model.bones.swap(2, 3);
    let count = model.bones.len();
    for frame in model.keys.chunks_mut(count) {
        frame.swap(2, 3);
    }
    let after = Skeleton::new(&model).unwrap().frame(&model, 9).unwrap();
    assert_eq!(before.bones[3], after.bones[2]);
    assert_eq!(before.bones[2], after.bones[3]);
    assert_eq!(before.bones[8], after.bones[8]);
}

#[test]
fn counts_and_offsets_outside_the_file_are_errors_at_their_place() {
    let bytes = samples::mds().write().unwrap();
    let error =
        |name: &str, value: i32| read(&with_word(&bytes, word(&bytes, name), value)).unwrap_err().to_string();
    assert_eq!(error("header.num_frames", -2), "0x50: header.num_frames: the count -2 is negative");
    assert_eq!(error("header.num_frames", 0), "0x50: header: an MDS needs at least one frame");
    assert_eq!(error("header.ofs_bones", -1), "0x5c: header.ofs_bones: offset -1 is negative");
    assert!(error("header.num_bones", i32::MAX).contains("2147483647 elements"));
    assert!(error("header.ofs_tags", i32::MAX).contains("past the end of the file"));
    assert!(error("header.num_surfaces", 0x1000_0000).contains("268435456 more records exceed the limit"));
    assert!(error("header.num_surfaces", 1000).contains("1000 values need 176000 bytes"));
    assert!(error("num_weights", 0x2000_0000).contains("536870912 values need"));
    assert!(error("num_weights", -1).contains("the count -1 is negative"));
    assert_eq!(error("version", 5), "0x4: MDS version 5; only version 4 is known");
}

#[test]
fn a_surface_or_tag_that_does_not_advance_is_an_error() {
    let [mds, mdm] = [0, 1].map(|index| samples::all().unwrap()[index].1.clone());
    let message = "of the next one is inside the header of this one";
    for (bytes, path) in [(mds, "surfaces.Index(0).header.ofs_end"), (mdm, "tags.Index(0).header.ofs_end")] {
        for value in [0, -1, 4, i32::MIN] {
            let error = read(&with_word(&bytes, word(&bytes, path), value)).unwrap_err().to_string();
            assert!(error.ends_with(&format!("offset {value} {message}")), "{error}");
        }
    }
}

#[test]
fn indices_that_refer_to_nothing_are_diagnostics() {
    let codes_of = |change: fn(&mut effigy_mds::Model)| {
        let mut model = samples::mds();
        change(&mut model);
        let found = read(&model.write().unwrap()).unwrap();
        let list = found.diagnostics().iter().map(|it| (it.code, it.severity)).collect::<Vec<_>>();
        list.first().copied()
    };
    assert_eq!(codes_of(|_| ()), None);
    let error = |code| Some((code, Severity::Error));
    assert_eq!(codes_of(|model| model.surfaces[0].triangles[3][1] = 9999), error(codes::VERTEX_INDEX));
    assert_eq!(codes_of(|model| model.surfaces[1].collapse_map[3] = -1), error(codes::VERTEX_INDEX));
    assert_eq!(codes_of(|model| model.surfaces[1].bone_references[0] = 11), error(codes::BONE_INDEX));
    assert_eq!(
        codes_of(|model| model.surfaces[0].vertices[0].weights[0].bone = 11),
        error(codes::BONE_INDEX)
    );
    assert_eq!(codes_of(|model| model.tags[0].bone = -1), error(codes::BONE_INDEX));
    assert_eq!(codes_of(|model| model.torso_parent = 11), error(codes::BONE_INDEX));
    let severe = |code| Some((code, Severity::Severe));
    assert_eq!(codes_of(|model| model.frames[2].radius = f32::NAN), severe(codes::NOT_FINITE));
    assert_eq!(codes_of(|model| model.bones[2].parent_dist = f32::INFINITY), severe(codes::NOT_FINITE));
    assert_eq!(codes_of(|model| model.bones[0].parent_dist = f32::NAN), None);
    assert_eq!(
        codes_of(|model| model.surfaces[0].vertices[1].weights[0].offset[2] = f32::NAN),
        severe(codes::NOT_FINITE)
    );
    assert_eq!(codes_of(|model| model.surfaces[0].vertices[1].weights.clear()), severe(codes::NO_WEIGHTS));
}

#[test]
fn other_bytes_and_limits_are_respected() {
    assert!(!sniff(b"MDLXVERS") && !sniff(b"MDS") && sniff(b"MDXW") && sniff(b"MDSW....") && sniff(b"MDMW"));
    assert_eq!(read(b"MDLXVERS").unwrap_err().to_string(), "0x0: MDSW, MDMW or MDXW expected, found MDLX");
    assert_eq!(read(b"MD").unwrap_err().to_string(), "0x0: 2 bytes are too few for a model");
    let bytes = samples::mds().write().unwrap();
    let few = Limits { records: 20, ..Limits::DEFAULT };
    assert_eq!(read_with(&bytes, &few).unwrap_err().kind(), Kind::Limit);
    let small = Limits { input_bytes: 100, ..Limits::DEFAULT };
    assert_eq!(read_with(&bytes, &small).unwrap_err().kind(), Kind::Limit);
}

#[test]
fn bytes_after_the_end_and_an_odd_order_are_kept() {
    let mut bytes = samples::mds().write().unwrap();
    let length = bytes.len();
    bytes.extend(b"made by an exporter");
    let model = read(&bytes).unwrap();
    assert_eq!(model.diagnostics().iter().map(|it| it.code).collect::<Vec<_>>(), [codes::END, codes::FILLER]);
    assert_eq!(model.write().unwrap(), bytes);
    assert_eq!(model.verify(&bytes).status, effigy_wire::Status::Guarded);
    // A model that has more parts than the file gets the usual order.
    let mut longer = model;
    longer.surfaces[0].triangles.push([0, 1, 2]);
    assert_eq!(longer.write().unwrap().len(), length + 12);
}
