//! Runs that are interrupted: whatever is left, the output is the same in the end.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use crate::common;

use common::{rows, samples};
use effigy::Input;
use effigy::catalog::{CatalogOptions, Content, Row};
use effigy_catalog::{Known, Run, TableKind};
use proptest::prelude::*;
use std::fs;
use std::path::Path;

const KIND: TableKind = TableKind::Parquet;

/// Makes the rows that are not known, and returns how many that were.
fn go_on(mut run: Run, known: &Known, inputs: &[Input], made: &[Row], output: &Path) -> usize {
    let mut anew = 0;
    for (at, row) in made.iter().enumerate() {
        if !row.text("sha256").is_some_and(|hash| known.has(at, hash)) {
            run.push(at, row).unwrap();
            anew += 1;
        }
    }
    assert_eq!(made.len(), inputs.len());
    run.finish(output, KIND, true).unwrap();
    anew
}

fn version() -> String {
    CatalogOptions::default().made_by()
}

#[test]
fn a_partial_file_that_is_cut_anywhere_leads_to_the_same_output() {
    let folder = tempfile::tempdir().unwrap();
    let inputs = samples(folder.path(), 1);
    let made = rows(&inputs);
    let output = folder.path().join("models.parquet");
    let partial = Run::partial(&output);
    let mut run = Run::start(&output, inputs.len()).unwrap();
    made.iter().enumerate().for_each(|(at, row)| run.push(at, row).unwrap());
    let lines = fs::read(&partial).unwrap();
    run.finish(&output, KIND, false).unwrap();
    assert!(!partial.exists());
    let whole = fs::read(&output).unwrap();
    fs::remove_file(&output).unwrap();
    let ends: Vec<usize> = (0..lines.len()).filter(|at| lines[*at] == b'\n').map(|at| at + 1).collect();
    let near_ends = ends.iter().flat_map(|end| [end - 1, *end, end + 1]).filter(|at| *at <= lines.len());
    let cuts = near_ends.chain((0..lines.len()).step_by(lines.len() / 20));
    for cut in cuts {
        fs::write(&partial, &lines[..cut]).unwrap();
        let (run, known) = Run::resume(&output, KIND, &inputs, &version()).unwrap();
        let complete = ends.iter().filter(|end| **end <= cut).count();
        assert_eq!(known.count(), complete, "cut at {cut}");
        assert_eq!(go_on(run, &known, &inputs, &made, &output), inputs.len() - complete);
        assert_eq!(fs::read(&output).unwrap(), whole, "cut at {cut}");
        assert!(!partial.exists());
        fs::remove_file(&output).unwrap();
    }
}

#[test]
fn rows_are_taken_over_from_outputs_of_every_kind_if_nothing_changed() {
    let folder = tempfile::tempdir().unwrap();
    let inputs = samples(folder.path(), 1);
    let made = rows(&inputs);
    for (kind, name) in TableKind::ALL {
        let output = folder.path().join(format!("models.{name}"));
        let mut run = Run::start(&output, inputs.len()).unwrap();
        made.iter().enumerate().for_each(|(at, row)| run.push(at, row).unwrap());
        run.finish(&output, kind, false).unwrap();
        let whole = fs::read(&output).unwrap();
        let (run, known) = Run::resume(&output, kind, &inputs, &version()).unwrap();
        assert_eq!(known.count(), inputs.len(), "{name}");
        run.finish(&output, kind, true).unwrap();
        assert_eq!(fs::read(&output).unwrap(), whole, "{name}");
        // Other options, or another version.
        let (run, known) = Run::resume(&output, kind, &inputs, "0.0.1").unwrap();
        assert_eq!(known.count(), 0, "{name}");
        drop(run);
        fs::remove_file(Run::partial(&output)).unwrap();
        // A file that was changed, and one that is gone.
        let known = Run::resume(&output, kind, &inputs[1..], &version()).unwrap().1;
        assert_eq!(known.count(), inputs.len() - 1);
        let content = Content::read(&inputs[1], &Default::default()).unwrap();
        assert!(known.has(0, content.sha256()) && !known.has(1, content.sha256()));
        assert!(!known.has(0, &"0".repeat(64)) && !known.has(0, "") && !known.has(9999, content.sha256()));
        fs::remove_file(Run::partial(&output)).unwrap();
    }
}

#[test]
fn a_file_that_did_not_open_is_tried_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.mdx");
    fs::write(&path, b"MDLXVERS\x04\0\0\0").unwrap();
    let inputs = [Input::disk(path, None)];
    let made = rows(&inputs);
    assert!(made[0].is_failed());
    let output = folder.path().join("models.parquet");
    let mut run = Run::start(&output, 1).unwrap();
    run.push(0, &made[0]).unwrap();
    run.finish(&output, KIND, false).unwrap();
    assert_eq!(Run::resume(&output, KIND, &inputs, &version()).unwrap().1.count(), 0);
}

#[cfg(not(windows))]
#[test]
fn only_one_run_writes_an_output() {
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("new/models.parquet");
    let run = Run::start(&output, 0).unwrap();
    let error = Run::start(&output, 0).unwrap_err().to_string();
    assert!(error.contains("another run") && error.contains("models.parquet.partial"), "{error}");
    assert!(Run::resume(&output, KIND, &[], "").is_err());
    run.finish(&output, KIND, false).unwrap();
    assert!(Run::start(&output, 0).unwrap().finish(&output, KIND, false).is_err());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn any_bytes_are_a_partial_file(
        junk in proptest::collection::vec(any::<u8>(), 0..400),
        at in any::<prop::sample::Index>(),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.mdx");
        let inputs = [Input::disk(path, None)];
        let output = folder.path().join("models.parquet");
        let good = common::row(&[
            ("path", inputs[0].name.as_str().into()),
            ("sha256", "00".repeat(32).as_str().into()),
            ("effigy", "1".into()),
        ]);
        // A row, damaged by some bytes in the middle.
        let mut bytes = (good.to_json() + "\n").into_bytes();
        let at = at.index(bytes.len());
        bytes.splice(at..at, junk);
        fs::write(Run::partial(&output), &bytes).unwrap();
        let (mut run, known) = Run::resume(&output, KIND, &inputs, "1").unwrap();
        if known.count() == 0 {
            run.push(0, &good).unwrap();
        }
        run.finish(&output, KIND, false).unwrap();
    }
}
