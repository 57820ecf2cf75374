//! The samples come back unchanged, with their order and unused bytes, and truncated ones are errors.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use crate::bend;

use bend::try_everything;
use effigy_mdc::{Format, Model, codes, read, sniff};
use effigy_samples::mdc as samples;
use effigy_wire::Status;

#[test]
fn every_sample_comes_back_from_its_typed_form() {
    for (name, bytes) in samples::all().unwrap() {
        assert!(sniff(&bytes), "{name}");
        let model = try_everything(&bytes).unwrap();
        assert_eq!(model.verify(&bytes).status, Status::Identical, "{name}");
        assert!(
            name.contains("filler") || model.diagnostics().is_empty(),
            "{name}: {:?}",
            model.diagnostics()
        );
    }
}

#[test]
fn a_model_read_from_what_was_written_is_the_same_model() {
    for model in [samples::mdc(), samples::md3(), samples::tags_only()] {
        assert_eq!(read(&model.write().unwrap()).unwrap(), model);
        assert!(!model.frames.is_empty());
    }
}

#[test]
fn an_unusual_order_is_kept_until_a_size_changes() {
    let bytes = samples::odd_order().unwrap();
    let mut model = read(&bytes).unwrap();
    assert_eq!(model, samples::md3());
    assert_ne!(bytes, samples::md3().write().unwrap());

    // An edit that does not change a size does not change anything else.
    model.surfaces[0].shaders[0].index = 5;
    let edited = model.write().unwrap();
    assert_eq!(edited.iter().zip(&bytes).filter(|(a, b)| a != b).count(), 1);

    let triangle = model.surfaces[0].triangles[0];
    model.surfaces[0].triangles.push(triangle);
    let longer = model.write().unwrap();
    assert_eq!(longer.len(), bytes.len() + 12);
    assert_eq!(read(&longer).unwrap(), model);

    let mut tidy = read(&bytes).unwrap();
    tidy.forget_placement();
    assert_eq!(tidy.write().unwrap(), samples::md3().write().unwrap());
}

#[test]
fn bytes_outside_all_parts_are_kept_and_reported() {
    let bytes = samples::with_filler().unwrap();
    let mut model = read(&bytes).unwrap();
    let found: Vec<_> = model.diagnostics().iter().map(|diagnostic| diagnostic.code).collect();
    assert_eq!(found, [codes::END, codes::FILLER]);
    assert_eq!(model.verify(&bytes).status, Status::Identical);
    assert_eq!(model.trailing, b"made by an exporter");
    model.flags = 1;
    assert!(model.write().unwrap().ends_with(b"made by an exporter"));
}

#[test]
fn every_sample_cut_at_every_length_is_an_error_of_one_line() {
    for (name, bytes) in samples::all().unwrap() {
        let needed = if name.contains("filler") { bytes.len() - 19 } else { bytes.len() };
        for length in 0..needed {
            let error = read(&bytes[..length]).expect_err(name);
            assert_eq!(error.to_string().lines().count(), 1);
        }
    }
}

#[test]
fn triangles_of_the_samples_are_clockwise_seen_from_the_front() {
    for (name, bytes) in samples::all().unwrap() {
        let model = read(&bytes).unwrap();
        for (surface, track) in model.surfaces.iter().zip(model.decode().unwrap()) {
            for frame in 0..model.frames.len() {
                let (positions, normals) = (track.positions(frame), track.normals(frame));
                for triangle in &surface.triangles {
                    let [a, b, c] = triangle.map(|index| usize::try_from(index).unwrap());
                    let edge = |to: usize| [0, 1, 2].map(|axis| positions[to][axis] - positions[a][axis]);
                    let ([ux, uy, uz], [vx, vy, vz]) = (edge(b), edge(c));
                    let cross = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
                    let [x, y, z] = normals[a];
                    let along = cross[0] * x + cross[1] * y + cross[2] * z;
                    assert!(along < 0.0, "{name}: {} in frame {frame}: {triangle:?}", surface.name);
                }
            }
        }
    }
}

#[test]
fn lists_that_contradict_each_other_are_not_written() {
    let bent = |bend: fn(&mut Model)| {
        let mut model = samples::mdc();
        bend(&mut model);
        model.write().unwrap_err().to_string()
    };
    assert_eq!(bent(|model| model.frames.clear()), "a model needs at least one frame");
    assert_eq!(
        bent(|model| model.frames.truncate(23)),
        "48 tag poses cannot be divided evenly among 23 frames"
    );
    assert_eq!(
        bent(|model| model.surfaces[1].base_of_frame.truncate(23)),
        "surfaces[1]: the frame tables have [23, 24] entries for 24 frames"
    );
    assert_eq!(
        bent(|model| model.surfaces[2].base.truncate(27)),
        "surfaces[2]: the length of the frames is not a multiple of 28 vertices"
    );
    assert_eq!(bent(|model| model.format = Format::Md3), "MD3 stores another kind of tags");
}

#[test]
fn every_code_has_a_title_and_is_unique() {
    let mut all: Vec<_> = codes::ALL.iter().map(|(code, ..)| code).collect();
    all.dedup();
    assert_eq!(all.len(), codes::ALL.len());
    assert!(all.is_sorted());
    assert!(codes::ALL.iter().all(|(_, title, text)| !title.is_empty() && text.ends_with('.')));
}

#[test]
fn bytes_at_the_end_of_a_surface_are_typed_and_survive_edits() {
    let mut model = samples::md3();
    model.surfaces[0].trailing = b"left by an exporter".to_vec();
    model.trailing = b"note".to_vec();
    let bytes = model.write().unwrap();
    let mut read = read(&bytes).unwrap();
    assert_eq!(read.verify(&bytes).status, Status::Identical);
    assert_eq!(read, model);
    let next = samples::md3().write().unwrap().len() + 19 + 4;
    assert_eq!(bytes.len(), next);
    // An edit that changes the size of a part keeps them.
    read.surfaces[0].triangles.pop();
    let edited = effigy_mdc::read(&read.write().unwrap()).unwrap();
    assert_eq!(
        (edited.surfaces[0].trailing.as_slice(), edited.trailing.as_slice()),
        (&b"left by an exporter"[..], &b"note"[..])
    );
}
