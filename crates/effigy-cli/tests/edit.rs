//! `edit`, `optimize` and `pack`: what they write, what they leave alone, and what they say.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use crate::common;

use common::{lines, names, put, run, sample};
use effigy::mdx::Model;
use std::fs;
use std::path::Path;

const BEETLE: &str = "mdx-800-creature.mdx";

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    put(folder.path(), "a.mdx", &sample(BEETLE));
    folder
}

fn model(folder: &Path, name: &str) -> Model {
    effigy::mdx::read(&fs::read(folder.join(name)).unwrap()).unwrap()
}

fn sequences(model: &Model) -> Vec<String> {
    model.sequences.iter().map(|it| it.name.text().into_owned()).collect()
}

#[test]
fn edits_go_to_the_output_in_their_order() {
    let folder = folder();
    let renames = ["--rename-sequence", "Walk=Run", "--rename-sequence", "Run=Walk Fast"];
    let (code, _, stderr) = run(folder.path(), &[&["edit", "a.mdx", "-o", "b.mdx"][..], &renames].concat());
    assert_eq!(code, 0, "{stderr}");
    assert!(sequences(&model(folder.path(), "b.mdx")).contains(&"Walk Fast".to_owned()));
    assert_eq!(fs::read(folder.path().join("a.mdx")).unwrap(), sample(BEETLE));
    // Without an operation, and with one that finds nothing, the bytes stay.
    for operations in [&[][..], &["--rename-sequence", "Dance=Walk"]] {
        let arguments = [&["edit", "a.mdx", "-o", "c.mdx", "--force"][..], operations].concat();
        assert_eq!(run(folder.path(), &arguments).0, 0);
        assert_eq!(fs::read(folder.path().join("c.mdx")).unwrap(), sample(BEETLE));
    }
}

#[test]
fn a_dry_run_prints_the_fields_and_writes_nothing() {
    let folder = folder();
    let (code, stdout, _) =
        run(folder.path(), &["edit", "a.mdx", "--set", "SEQS[0].rarity=2.5", "--dry-run"]);
    assert_eq!((code, stdout.as_str()), (0, "a.mdx\n  ~ SEQS[0].rarity: 0 -> 2.5\n"));
    assert_eq!(names(folder.path()), ["a.mdx"]);
    let (code, stdout, _) =
        run(folder.path(), &["edit", "a.mdx", "--set", "SEQS[0].rarity=2.5", "--dry-run", "--json"]);
    let line = &lines(&stdout)[0];
    assert_eq!((code, &line["changed"], &line["diff"][0]["path"]), (0, &1.into(), &"SEQS[0].rarity".into()));
}

#[test]
fn in_place_keeps_every_backup() {
    let folder = folder();
    for (from, to) in [("Walk", "Run"), ("Run", "Sneak")] {
        let rename = format!("{from}={to}");
        assert_eq!(run(folder.path(), &["edit", "a.mdx", "--in-place", "--rename-sequence", &rename]).0, 0);
    }
    assert_eq!(names(folder.path()), ["a.mdx", "a.mdx.2.bak", "a.mdx.bak"]);
    assert_eq!(fs::read(folder.path().join("a.mdx.bak")).unwrap(), sample(BEETLE));
    assert!(sequences(&model(folder.path(), "a.mdx")).contains(&"Sneak".to_owned()));
    // What changes nothing makes no backup.
    assert_eq!(run(folder.path(), &["edit", "a.mdx", "--in-place", "--rename-sequence", "Dance=x"]).0, 0);
    assert_eq!(names(folder.path()).len(), 3);
}

#[test]
fn a_failed_file_leaves_nothing_and_mistakes_are_explained() {
    let folder = folder();
    put(folder.path(), "many/good.mdx", &sample(BEETLE));
    put(folder.path(), "many/bad.mdx", b"MDLX\x01\x02");
    let (code, _, stderr) = run(folder.path(), &["edit", "many", "--scale", "2", "-o", "out"]);
    assert_eq!(code, 1);
    assert!(stderr.contains("bad.mdx"), "{stderr}");
    assert_eq!(names(&folder.path().join("out")), ["good.mdx"]);
    for (arguments, words) in [
        (&["--scale", "2"][..], "edit needs -o OUT, --in-place or --dry-run"),
        (&["--scale", "-1", "--dry-run"], "scale"),
        (&["--set", "SEQS[0].rarity", "--dry-run"], "--set PATH=VALUE"),
        (&["--script", "no.toml", "--dry-run"], "no.toml"),
        (&["--take-animations", "no.mdx", "--dry-run"], "no.mdx"),
        (&["--merge", "no.mdx", "--dry-run"], "--merge no.mdx"),
        (&["--merge", "a.mdx#backwards", "--dry-run"], "onto=NODE and same-nodes"),
        (
            &["--take-animations", "a.mdx#backwards", "--dry-run"],
            "rotations-only, scale-to-fit, only=NAME and map=FILE",
        ),
    ] {
        let (code, stdout, stderr) = run(folder.path(), &[&["edit", "a.mdx"][..], arguments].concat());
        assert_eq!((code, stdout.as_str()), (2, ""), "{arguments:?}");
        assert!(stderr.contains(words), "{arguments:?}: {stderr}");
    }
    let (code, _, stderr) =
        run(folder.path(), &["edit", "a.mdx", "--set", "SEQS[99].rarity=1", "-o", "x.mdx"]);
    assert_eq!(code, 1, "{stderr}");
    assert!(!folder.path().join("x.mdx").exists());
}

#[test]
fn a_script_has_the_same_operations() {
    let folder = folder();
    put(
        folder.path(),
        "edits.toml",
        b"[[edit]]\nrename-sequence = 'Walk=Run'\n[[edit]]\nkeep-sequences = 'Run'\n",
    );
    assert_eq!(run(folder.path(), &["edit", "a.mdx", "--script", "edits.toml", "-o", "b.mdx"]).0, 0);
    assert_eq!(sequences(&model(folder.path(), "b.mdx")), ["Run"]);
}

#[test]
fn animations_are_taken_from_mdx_and_mdl() {
    let folder = folder();
    assert_eq!(run(folder.path(), &["convert", "a.mdx", "-o", "a.mdl"]).0, 0);
    assert_eq!(run(folder.path(), &["edit", "a.mdx", "--keep-sequences", "Stand", "-o", "b.mdx"]).0, 0);
    for from in ["a.mdx#only=Walk", "a.mdl#only=walk,rotations-only"] {
        let (code, _, stderr) =
            run(folder.path(), &["edit", "b.mdx", "--take-animations", from, "-o", "c.mdx", "--force"]);
        assert_eq!(code, 0, "{stderr}");
        assert_eq!(sequences(&model(folder.path(), "c.mdx")), ["Stand", "Walk"]);
    }
    put(folder.path(), "names.toml", b"Body = 3\n");
    let (code, _, stderr) =
        run(folder.path(), &["edit", "b.mdx", "--take-animations", "a.mdx#map=names.toml", "--dry-run"]);
    assert_eq!(code, 2);
    assert!(stderr.contains("'Body' is not given the name of a node"), "{stderr}");
    put(folder.path(), "note.txt", b"hello");
    let (code, _, stderr) =
        run(folder.path(), &["edit", "b.mdx", "--take-animations", "note.txt", "--dry-run"]);
    assert_eq!(code, 2);
    assert!(stderr.contains("neither MDX nor MDL"), "{stderr}");
}

#[test]
fn another_model_is_added() {
    let folder = folder();
    let (code, _, stderr) =
        run(folder.path(), &["edit", "a.mdx", "--merge", "a.mdx#onto=Body", "-o", "b.mdx"]);
    assert_eq!(code, 0, "{stderr}");
    let (one, two) = (model(folder.path(), "a.mdx"), model(folder.path(), "b.mdx"));
    assert_eq!(two.geosets.len(), 2 * one.geosets.len());
    assert_eq!(two.nodes().count(), 2 * one.nodes().count());
    assert_eq!(sequences(&two), sequences(&one));
    let (code, _, stderr) =
        run(folder.path(), &["edit", "a.mdx", "--merge", "a.mdx#onto=Tail", "-o", "c.mdx"]);
    assert_eq!(code, 1);
    assert!(stderr.contains("no node tail"), "{stderr}");
}

#[test]
fn optimize_writes_a_smaller_model_and_says_by_how_much() {
    let folder = folder();
    let (code, stdout, stderr) = run(folder.path(), &["optimize", "a.mdx", "-o", "b.mdx"]);
    assert_eq!(code, 0, "{stderr}");
    let size = |name: &str| fs::metadata(folder.path().join(name)).unwrap().len();
    assert!(size("b.mdx") < size("a.mdx"));
    assert!(format!("{stdout}{stderr}").contains("largest error"), "{stdout}{stderr}");
    assert_eq!(sequences(&model(folder.path(), "b.mdx")), sequences(&model(folder.path(), "a.mdx")));
    let (code, stdout, _) = run(folder.path(), &["optimize", "a.mdx", "-o", "c.mdx", "--json"]);
    let line = &lines(&stdout)[0];
    assert_eq!((code, line["after"].as_u64()), (0, Some(size("c.mdx"))));
}

#[test]
fn a_packed_archive_has_the_files_and_optimised_it_is_not_larger() {
    let folder = folder();
    put(folder.path(), "files/units/a.mdx", &sample(BEETLE));
    put(folder.path(), "files/note.txt", b"hello");
    for archive in ["x.mpq", "x.zip"] {
        let (code, _, stderr) = run(folder.path(), &["pack", "files", "-o", archive]);
        assert_eq!(code, 0, "{stderr}");
        let (code, stdout, _) = run(folder.path(), &["list", archive, "--json"]);
        assert_eq!(code, 0);
        assert!(stdout.contains("a.mdx") && stdout.contains("note.txt"), "{stdout}");
        let smaller = format!("small-{archive}");
        for options in [&[][..], &["--pack"]] {
            let arguments = [&["optimize", archive, "-o", &smaller, "--force"][..], options].concat();
            let (code, stdout, stderr) = run(folder.path(), &arguments);
            assert_eq!(code, 0, "{stdout}{stderr}");
            let size = |name: &str| fs::metadata(folder.path().join(name)).unwrap().len();
            assert!(size(&smaller) <= size(archive), "{} {} {options:?}", size(&smaller), size(archive));
        }
        let out = format!("out-{archive}");
        assert_eq!(run(folder.path(), &["extract", &smaller, "-o", &out]).0, 0);
        assert_eq!(fs::read(folder.path().join(&out).join("note.txt")).unwrap(), b"hello");
        // Rounded, but the same model.
        assert_eq!(
            sequences(&model(&folder.path().join(&out), "units/a.mdx")),
            sequences(&model(folder.path(), "a.mdx"))
        );
        let (code, _, stderr) = run(folder.path(), &["pack", "files", "-o", archive]);
        assert_eq!(code, 1);
        assert!(stderr.contains("--force"), "{stderr}");
    }
}

#[test]
fn files_go_into_an_archive_under_the_names_that_were_chosen() {
    let folder = folder();
    let path = folder.path();
    put(path, "old/note.txt", b"old");
    put(path, "old/sub/copy.bak", b"x");
    put(path, "old/stays.txt", b"stays");
    put(path, "new.txt", b"new");
    put(path, "textures/skin.blp", b"BLP1");
    for archive in ["a.mpq", "a.zip"] {
        assert_eq!(run(path, &["pack", "old", "-o", archive]).0, 0);
        let (first, second) = (format!("1-{archive}"), format!("2-{archive}"));
        let words =
            ["pack", "note.txt=new.txt", "--into", archive, "--remove", "*.bak", "-o", first.as_str()];
        let (code, stdout, stderr) = run(path, &words);
        assert_eq!(code, 0, "{stdout}{stderr}");
        let words = ["pack", "textures", "--under", "war3mapImported", "--into", &first, "-o", &second];
        let (code, stdout, stderr) = run(path, &words);
        assert_eq!(code, 0, "{stdout}{stderr}");
        let out = format!("out-{archive}");
        assert_eq!(run(path, &["extract", &second, "-o", &out]).0, 0);
        let read = |name: &str| fs::read(path.join(&out).join(name)).ok();
        assert_eq!(read("note.txt").as_deref(), Some(&b"new"[..]), "{archive}");
        assert_eq!(read("stays.txt").as_deref(), Some(&b"stays"[..]), "{archive}");
        assert_eq!(read("war3mapImported/skin.blp").as_deref(), Some(&b"BLP1"[..]), "{archive}");
        assert_eq!(read("sub/copy.bak"), None, "{archive}");
    }
}

#[test]
fn every_sample_is_built_from_its_dump_byte_for_byte() {
    use effigy::Format;
    let folder = tempfile::tempdir().unwrap();
    let samples = effigy_samples::all();
    for sample in &samples {
        put(folder.path(), &sample.file_name, &sample.bytes);
    }
    let mut formats = std::collections::BTreeMap::new();
    for sample in &samples {
        let (name, bytes) = (&sample.file_name, &sample.bytes);
        // Animation files are a part of their model, and text is printed anew.
        let Some(format) = effigy::sniff(bytes, None).ok().filter(|format| *format != Format::Mdl) else {
            continue;
        };
        // Some are odd on purpose, which the exit code says; they are dumped all the same.
        let (_, json, stderr) = run(folder.path(), &["dump", name, "--json"]);
        assert!(json.contains("\"tree\""), "{name}: {stderr}");
        put(folder.path(), "x.json", json.as_bytes());
        let (code, _, stderr) =
            run(folder.path(), &["build", "x.json", "-o", "x.bin", "--check", name, "--force", "--quiet"]);
        assert_eq!(code, 0, "{name}: {stderr}");
        assert!(fs::read(folder.path().join("x.bin")).unwrap() == *bytes, "{name}");
        *formats.entry(format.name()).or_insert(0) += 1;
    }
    let built: Vec<&str> = formats.keys().copied().collect();
    assert_eq!(built, ["etmdx", "m2", "md3", "mdc", "mdm", "mds", "mdx", "skin"], "{formats:?}");
}

#[test]
fn what_cannot_be_built_says_so() {
    let folder = folder();
    assert_eq!(run(folder.path(), &["convert", "a.mdx", "-o", "a.glb"]).0, 0);
    let (code, json, _) = run(folder.path(), &["dump", "a.glb", "--json"]);
    assert_eq!(code, 0);
    put(folder.path(), "a.json", json.as_bytes());
    let (code, _, stderr) = run(folder.path(), &["build", "a.json", "-o", "b.glb"]);
    assert_eq!(code, 1);
    assert!(stderr.contains("models cannot be built from JSON yet"), "{stderr}");
    assert!(!folder.path().join("b.glb").exists());
}

#[test]
fn an_edited_dump_changes_the_file_and_mistakes_are_explained() {
    let folder = tempfile::tempdir().unwrap();
    put(folder.path(), "a.md3", &effigy_samples::mdc::md3().write().unwrap());
    let (_, json, _) = run(folder.path(), &["dump", "a.md3", "--json"]);
    // The first number of this name is that of the first shader.
    let changed = json.replacen("{\"name\":\"index\",\"value\":0}", "{\"name\":\"index\",\"value\":77}", 1);
    assert_ne!(changed, json);
    put(folder.path(), "b.json", changed.as_bytes());
    let (code, _, stderr) = run(folder.path(), &["build", "b.json", "-o", "b.md3"]);
    assert_eq!(code, 0, "{stderr}");
    let (a, b) =
        (fs::read(folder.path().join("a.md3")).unwrap(), fs::read(folder.path().join("b.md3")).unwrap());
    let differing: Vec<_> = a.iter().zip(&b).filter(|(a, b)| a != b).collect();
    assert_eq!((a.len(), differing), (b.len(), vec![(&0, &77)]));
    for (from, to, words) in [
        ("\"version\":15", "\"version\":14", "only version 15"),
        ("\"name\":\"radius\"", "\"name\":\"size\"", "frames[0]: there is no field 'size' here"),
        ("\"format\":\"md3\"", "\"format\":\"mdc\"", "version 15 is not known"),
    ] {
        put(folder.path(), "c.json", json.replacen(from, to, 1).as_bytes());
        let (code, _, stderr) = run(folder.path(), &["build", "c.json", "-o", "c.md3"]);
        assert_eq!(code, 1, "{stderr}");
        assert!(stderr.contains(words), "{stderr}");
        assert!(!folder.path().join("c.md3").exists());
    }
}

#[test]
fn a_built_m2_has_its_skins_next_to_it() {
    let folder = tempfile::tempdir().unwrap();
    let version = effigy::m2::Version::WRATH;
    for sample in effigy_samples::m2::files("a", &effigy_samples::m2::everything(version)) {
        put(folder.path(), &sample.file_name, &sample.bytes);
    }
    let (code, json, _) = run(folder.path(), &["dump", "a.m2", "--json"]);
    assert_eq!(code, 0);
    put(folder.path(), "a.json", json.as_bytes());
    let (code, _, stderr) = run(folder.path(), &["build", "a.json", "-o", "b.m2"]);
    assert_eq!(code, 0, "{stderr}");
    let read = |name: &str| fs::read(folder.path().join(name)).unwrap();
    for end in [".m2", "00.skin", "01.skin", "02.skin", "03.skin"] {
        assert!(read(&format!("a{end}")) == read(&format!("b{end}")), "{end}");
    }
    // A skin that is there and differs is not replaced without being asked, and then nothing is.
    fs::remove_file(folder.path().join("b.m2")).unwrap();
    put(folder.path(), "b02.skin", b"mine");
    let (code, _, stderr) = run(folder.path(), &["build", "a.json", "-o", "b.m2"]);
    assert_eq!(code, 1);
    assert!(stderr.contains("b02.skin"), "{stderr}");
    assert!(!folder.path().join("b.m2").exists() && read("b02.skin") == b"mine");
}

#[test]
fn an_edited_m2_takes_its_files_along() {
    let folder = tempfile::tempdir().unwrap();
    let version = effigy::m2::Version::WRATH;
    let samples = effigy_samples::m2::files("a", &effigy_samples::m2::everything(version));
    for sample in &samples {
        put(folder.path(), &sample.file_name, &sample.bytes);
    }
    let set = ["--set", "sequences[0].move_speed=4.5"];
    let (code, _, stderr) = run(folder.path(), &[&["edit", "a.m2", "-o", "b.m2"], set.as_slice()].concat());
    assert_eq!(code, 0, "{stderr}");
    let read = |name: &str| fs::read(folder.path().join(name)).unwrap();
    let others: Vec<&str> = samples
        .iter()
        .filter_map(|sample| sample.file_name.strip_prefix('a'))
        .filter(|end| *end != ".m2")
        .collect();
    assert!(others.len() > 4, "skins and an animation: {others:?}");
    for end in others {
        assert!(read(&format!("a{end}")) == read(&format!("b{end}")), "{end}");
    }
    let (_, text, _) = run(folder.path(), &["diff", "a.m2", "b.m2"]);
    let lines: Vec<&str> = text.lines().filter(|line| !line.is_empty()).collect();
    assert!(lines[0].starts_with("~ sequences[0].move_speed: ") && lines[0].ends_with(" -> 4.5"), "{text}");
    assert!(lines.len() <= 2, "{text}");
}
