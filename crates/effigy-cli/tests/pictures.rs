//! Every model of the corpus can be drawn, and shows something unless it is known why not.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, clippy::print_stderr, missing_docs)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

/// Path and reason: models that show nothing, at no moment of their first stand and from neither side.
const NOTHING: &str = include_str!("nothing_to_see.tsv");
/// Broken files that cannot be read, and so not be drawn.
const BROKEN: &[&str] = &["mdc-2/assimp+assimp/test__models__MDC__invalid__InvalidFrameBaseOffset.mdc"];

#[test]
fn every_model_of_the_corpus_shows_something_unless_it_is_listed_why_not() {
    let Some(corpus) = effigy_testkit::corpus() else { return };
    let folder = tempfile::tempdir().unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_effigy"))
        .arg("render")
        .arg(&corpus)
        .args(["-o", "out", "--size", "64", "--json"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    let talk = String::from_utf8_lossy(&output.stderr);
    if !effigy_testkit::require("gpu", !talk.contains("no graphics adapter"), "no graphics adapter") {
        return;
    }
    assert!(!talk.contains("complained"), "{talk}");
    let listed: BTreeMap<&str, &str> = NOTHING.lines().map(|line| line.split_once('\t').unwrap()).collect();
    assert!(listed.values().all(|reason| !reason.is_empty()));
    let (mut bare, mut unskinned, mut failed) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    let mut drawn = 0;
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let told: serde_json::Value = serde_json::from_str(line).unwrap();
        let path = Path::new(told["path"].as_str().unwrap());
        let name = path.strip_prefix(&corpus).unwrap().to_string_lossy().replace('\\', "/");
        let error = told["error"].as_str();
        if error.is_some_and(|error| error.contains(".skin")) {
            // An M2 without its skins has no meshes; the error names the file that is missing.
            unskinned.insert(name);
        } else if error.is_some() {
            failed.insert(name);
        } else if told["empty"].as_bool().unwrap() {
            bare.insert(name);
        } else {
            drawn += 1;
        }
    }
    let broken: BTreeSet<String> = BROKEN.iter().map(|name| (*name).to_owned()).collect();
    assert_eq!(failed, broken);
    let unknown: Vec<&String> = bare.iter().filter(|name| !listed.contains_key(name.as_str())).collect();
    assert!(unknown.is_empty(), "these show nothing, and nobody knows why: {unknown:#?}");
    let shown: Vec<&&str> =
        listed.keys().filter(|name| !bare.contains(**name) && !unskinned.contains(**name)).collect();
    assert!(shown.is_empty(), "these show something now and leave the list: {shown:#?}");
    assert!(unskinned.len() < 60, "{unskinned:#?}");
    assert!(drawn > 300, "{drawn}");
}
