//! The ratchet: how many real files come back byte for byte, by format. The numbers may only get better.
//!
//! The numbers are those of the reference corpus; docs/testing.md says where it is looked for.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use snapbox::cmd::{Command, cargo_bin};
use std::collections::BTreeMap;

/// What must at least hold for each format: files, identical, and at most guarded, opaque. No file may be different or
/// fail, unless the corpus says that it is broken.
const RATCHET: &[(&str, [u64; 4])] = &[
    ("mdx", [243, 239, 0, 4]),
    ("mdl", [126, 126, 0, 0]),
    ("m2", [82, 82, 0, 0]),
    ("skin", [31, 31, 0, 0]),
    ("mdc", [42, 41, 0, 0]),
    ("md3", [10, 10, 0, 0]),
];

#[test]
fn the_corpus_comes_back_at_least_as_well_as_before() {
    let Some(corpus) = effigy_testkit::corpus() else { return };
    let output = Command::new(cargo_bin!("effigy")).args(["verify", "--json"]).arg(&corpus).output().unwrap();
    let mut malformed = effigy_testkit::index(&corpus);
    malformed.retain(effigy_testkit::Entry::is_malformed);
    let mut counts: BTreeMap<String, BTreeMap<String, u64>> = BTreeMap::new();
    for line in String::from_utf8(output.stdout).unwrap().lines() {
        let file: serde_json::Value = serde_json::from_str(line).unwrap();
        let Some(status) = file["status"].as_str() else { continue };
        let path = file["path"].as_str().unwrap();
        let excused = malformed.iter().any(|entry| path.ends_with(&entry.name));
        assert!(status != "different", "{line}");
        assert!(status != "failed" || excused, "{line}");
        let format = file["format"].as_str().unwrap_or("none").to_owned();
        *counts.entry(format).or_default().entry(status.to_owned()).or_default() += 1;
    }
    println!("{counts:?}");
    for (format, [files, identical, guarded, opaque]) in RATCHET {
        let counts = counts.get(*format).cloned().unwrap_or_default();
        let of = |status: &str| counts.get(status).copied().unwrap_or(0);
        assert!(counts.values().sum::<u64>() >= *files, "{format}: {counts:?}");
        assert!(of("identical") >= *identical, "{format}: {counts:?}");
        assert!(of("guarded") <= *guarded, "{format}: {counts:?}");
        assert!(of("opaque") <= *opaque, "{format}: {counts:?}");
    }
}

/// Archives of the corpus, files in them that are listed, and models in them: each of these at least.
const ARCHIVES: [usize; 3] = [37, 618, 19];

#[test]
fn every_archive_of_the_corpus_lists_and_every_model_in_them_comes_back() {
    let Some(corpus) = effigy_testkit::corpus() else { return };
    let folder = corpus.join("archives");
    let run = |arguments: &[&str]| {
        let output = Command::new(cargo_bin!("effigy")).args(arguments).arg(&folder).output().unwrap();
        (output.status.code(), String::from_utf8(output.stdout).unwrap())
    };
    let (code, text) = run(&["list", "--quiet"]);
    assert_eq!(code, Some(0), "{text}");
    let archives = text.lines().filter(|line| !line.starts_with(' ') && !line.is_empty()).count();
    let (code, text) = run(&["list", "--quiet", "--json"]);
    assert_eq!(code, Some(0), "{text}");
    let files = text.lines().count();
    let (code, text) = run(&["verify", "--json"]);
    assert_eq!(code, Some(0), "{text}");
    let closing: serde_json::Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
    assert_eq!(closing["summary"]["identical"], closing["summary"]["files"], "{text}");
    let models = text.lines().count() - 1;
    println!("{archives} archives, {files} files, {models} models");
    let now = [archives, files, models];
    assert!(now.iter().zip(ARCHIVES).all(|(now, before)| *now >= before), "{now:?}");
}
