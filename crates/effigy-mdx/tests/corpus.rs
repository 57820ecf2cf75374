//! Every real MDX is written back byte for byte. How many need no raw bytes for that is a number that may only improve.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, clippy::print_stdout)]

use crate::common;

use effigy_wire::{Report, Status};

/// The numbers that a run has to reach: files, and files that come back identical from their values alone. The others are
/// broken and stay opaque; none needs the guard.
const FILES: usize = 211;
const IDENTICAL: usize = 207;
/// Ways to a later version and back that are the identity, and those that report a loss at most.
const WAYS: usize = 1473;
const LOSSY_WAYS: usize = 30;

#[test]
fn every_file_is_written_back_unchanged() {
    let Some(files) = common::corpus() else { return };
    let mut counts = [0_usize; 4];
    for (path, bytes) in &files {
        let model = effigy_mdx::read(bytes).unwrap();
        let verdict = model.verify(bytes);
        if verdict.status != Status::Identical {
            println!("{} {} {verdict:?}", verdict.status, path.display());
            model.diagnostics().iter().for_each(|diagnostic| println!("    {diagnostic}"));
        }
        assert_eq!(model.write().unwrap() == *bytes, verdict.status != Status::Different);
        counts[verdict.status as usize] += 1;
    }
    let [identical, guarded, opaque, different] = counts;
    println!(
        "{} files: {identical} identical, {guarded} guarded, {opaque} opaque, {different} different",
        files.len()
    );
    assert_eq!(different, 0);
    assert!(files.len() >= FILES && identical >= IDENTICAL, "worse than before");
    assert_eq!((guarded, files.len() - identical), (0, opaque), "files that need the guard");
    assert!(opaque <= FILES - IDENTICAL, "{opaque} opaque files");
}

#[test]
fn reading_without_the_guard_gives_the_same_values() {
    let Some(files) = common::corpus() else { return };
    for (path, bytes) in &files {
        let options = effigy_mdx::ReadOptions { guard: false, ..Default::default() };
        let (with, without) =
            (effigy_mdx::read(bytes).unwrap(), effigy_mdx::read_with_options(bytes, &options).unwrap());
        assert_eq!(format!("{:?}", *with), format!("{:?}", *without), "{}", path.display());
    }
}

#[test]
fn an_upgrade_and_downgrade_restores_the_file_unless_a_loss_was_reported() {
    let Some(files) = common::corpus() else { return };
    let (mut same, mut reported) = (0, 0);
    for (path, bytes) in &files {
        let model = effigy_mdx::read(bytes).unwrap();
        if model.verify(bytes).status != Status::Identical || model.layout() != model.version() {
            continue;
        }
        for &version in model.dialect().versions().iter().filter(|version| **version > model.version()) {
            let (up, report) = model.upgrade(version).unwrap();
            let reread = effigy_mdx::read(&up.write().unwrap()).unwrap();
            assert_eq!(
                reread.verify(&up.write().unwrap()).status,
                Status::Identical,
                "{} {version}",
                path.display()
            );
            let (down, second) = reread.upgrade(model.version()).unwrap();
            if report.is_lossy() || second.is_lossy() {
                reported += 1;
                println!("{} {version}\n{report}{second}", path.display());
                continue;
            }
            assert!(
                down.write().unwrap() == *bytes,
                "{} {} -> {version} and back",
                path.display(),
                model.version()
            );
            same += 1;
        }
    }
    println!("{same} ways up and down again are the identity, {reported} reported a loss");
    assert!(same >= WAYS && reported <= LOSSY_WAYS, "worse than before");
}

#[test]
fn an_upgrade_of_classic_models_reports_no_loss() {
    let Some(files) = common::corpus() else { return };
    let mut classic = 0;
    for (path, bytes) in &files {
        let model = effigy_mdx::read(bytes).unwrap();
        if model.version() == 800 && model.verify(bytes).status == Status::Identical {
            let (_, report) = model.upgrade(1100).unwrap();
            assert_eq!(report, Report::default(), "{}", path.display());
            classic += 1;
        }
    }
    println!("{classic} classic models go up without a loss");
    assert!(classic >= 146, "only {classic} classic models");
}
