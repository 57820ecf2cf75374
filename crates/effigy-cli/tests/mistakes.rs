//! Mistakes that the command must not turn into a lost file, or into silence. Each test is one thing that went wrong once.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use crate::common;

use common::{names, put, run, sample};
use std::fs;
use std::path::Path;

/// A folder with a model of Warcraft III.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    put(folder.path(), "a.mdx", &sample("mdx-800-creature.mdx"));
    folder
}

/// A Wrath model with its skins and animations.
fn put_m2(path: &Path, stem: &str) {
    let version = effigy::m2::Version::WRATH;
    for sample in effigy_samples::m2::files(stem, &effigy_samples::m2::everything(version)) {
        put(path, &sample.file_name, &sample.bytes);
    }
}

#[cfg(unix)]
#[test]
fn a_pipe_is_written_into_and_stays_a_pipe() {
    use std::os::unix::fs::FileTypeExt;
    let folder = folder();
    let path = folder.path();
    let made = std::process::Command::new("mkfifo").arg(path.join("pipe.mdl")).status();
    assert!(made.unwrap().success());
    let pipe = path.join("pipe.mdl");
    let reader = {
        let pipe = pipe.clone();
        std::thread::spawn(move || fs::read(pipe).unwrap())
    };
    let (code, _, stderr) = run(path, &["convert", "a.mdx", "-o", "pipe.mdl"]);
    assert_eq!(code, 0, "{stderr}");
    assert!(fs::symlink_metadata(&pipe).unwrap().file_type().is_fifo());
    assert_eq!(run(path, &["convert", "a.mdx", "-o", "file.mdl"]).0, 0);
    assert!(reader.join().unwrap() == fs::read(path.join("file.mdl")).unwrap());
    // An archive is read again while it is written, which a pipe cannot do.
    fs::rename(&pipe, path.join("pipe.zip")).unwrap();
    let (code, _, stderr) = run(path, &["pack", "a.mdx", "-o", "pipe.zip", "--force"]);
    assert!(code == 1 && stderr.contains("it is not a file"), "{stderr}");
    assert!(fs::symlink_metadata(path.join("pipe.zip")).unwrap().file_type().is_fifo());
}

#[test]
fn a_report_replaces_neither_an_input_nor_a_result() {
    let folder = folder();
    let path = folder.path();
    let before = fs::read(path.join("a.mdx")).unwrap();
    for (report, what) in
        [("a.mdx", "is an input"), ("b.mdl", "is where a result goes"), ("-", "--json prints the same lines")]
    {
        let words = ["convert", "a.mdx", "-o", "b.mdl", "--force", "--report", report];
        let (code, _, stderr) = run(path, &words);
        assert!(code == 2 && stderr.contains(what), "{report}: {stderr}");
        assert_eq!(names(path), ["a.mdx"]);
    }
    fs::create_dir(path.join("out")).unwrap();
    put(path, "out/a.mdl", b"there");
    let words = ["convert", "a.mdx", "--to", "mdl", "-o", "out", "--force", "--report", "out/a.mdl"];
    assert_eq!(run(path, &words).0, 2);
    assert_eq!(fs::read(path.join("out/a.mdl")).unwrap(), b"there");
    assert!(fs::read(path.join("a.mdx")).unwrap() == before);
}

#[test]
fn a_name_that_promises_another_format_is_refused() {
    let folder = folder();
    let path = folder.path();
    put(
        path,
        "a.png",
        &effigy::image::png::write(&effigy::image::Image::flat(4, 4, [9; 4]), Default::default()).unwrap(),
    );
    for words in [
        &["convert", "a.mdx", "--to", "classic", "-o", "x.glb"][..],
        &["convert", "a.mdx", "--to", "mdl", "-o", "x.mdx"],
        &["convert", "a.png", "--to", "blp1", "-o", "x.png"],
        &["edit", "a.mdx", "--scale", "2", "-o", "x.glb"],
        &["optimize", "a.mdx", "-o", "x.m2"],
    ] {
        let (code, _, stderr) = run(path, words);
        assert!(code == if words[0] == "convert" { 2 } else { 1 }, "{words:?}: {code} {stderr}");
        assert!(stderr.contains("is the name of a ."), "{words:?}: {stderr}");
    }
    assert_eq!(names(path), ["a.mdx", "a.png"]);
    // The extension of the input is right, and so is one that promises nothing.
    for words in
        [["edit", "a.mdx", "--scale", "2", "-o", "b.MDX"], ["convert", "a.mdx", "--to", "mdl", "-o", "c.txt"]]
    {
        let (code, _, stderr) = run(path, &words);
        assert_eq!(code, 0, "{words:?}: {stderr}");
    }
    let (code, _, stderr) = run(path, &["convert", "a.mdx", "--to", "glb:99", "-o", "x.glb"]);
    assert!(code == 2 && stderr.contains("only version 2"), "{stderr}");
}

/// Results stay, so that an interrupted run can go on; one whose input has changed since is not the result of that.
#[test]
fn results_that_are_older_than_their_inputs_are_mentioned() {
    let folder = folder();
    let path = folder.path();
    put(path, "b.mdx", &sample("mdx-800-creature.mdx"));
    let convert = || run(path, &["convert", "a.mdx", "b.mdx", "--to", "mdl", "-o", "out/"]);
    assert_eq!(convert().0, 0);
    let (code, _, stderr) = convert();
    assert!(code == 0 && stderr.contains("left alone; --force writes them again"), "{stderr}");
    let later = std::time::SystemTime::now() + std::time::Duration::from_secs(60);
    fs::File::options().write(true).open(path.join("b.mdx")).unwrap().set_modified(later).unwrap();
    let (code, _, stderr) = convert();
    assert!(code == 0 && stderr.contains("although one is older than its input"), "{stderr}");
    let (code, _, stderr) = run(path, &["convert", "b.mdx", "--to", "mdl", "-o", "out/"]);
    assert!(
        code == 0 && stderr.contains("1 file was there already and left alone, although it is older"),
        "{stderr}"
    );
}

#[test]
fn of_two_files_for_one_name_the_one_of_the_same_format_keeps_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    put_m2(&path.join("in"), "Hat");
    put(path, "a.mdx", &sample("mdx-800-creature.mdx"));
    assert_eq!(run(path, &["convert", "a.mdx", "-o", "in/Hat.glb"]).0, 0);
    let (code, stdout, stderr) = run(path, &["convert", "in", "--to", "m2:264", "-o", "out"]);
    assert_eq!(code, 0, "{stdout}{stderr}");
    assert!(fs::read(path.join("out/Hat.m2")).unwrap() == fs::read(path.join("in/Hat.m2")).unwrap());
    assert!(path.join("out/Hat.glb.m2").is_file(), "{:?}", names(&path.join("out")));
}

#[test]
fn a_repaired_m2_has_its_skins_next_to_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    put_m2(&path.join("in"), "Hat");
    run(path, &["check", "in/Hat.m2", "--fix", "-o", "out/"]);
    let (before, after) = (names(&path.join("in")), names(&path.join("out")));
    assert!(before.len() > 4);
    assert_eq!(before, after);
    // A skin of somebody else's is not replaced without being asked, and then nothing is written.
    put(path, "other/Hat01.skin", b"mine");
    let (code, _, stderr) = run(path, &["check", "in/Hat.m2", "--fix", "-o", "other/"]);
    assert!(code == 1 && stderr.contains("Hat01.skin"), "{stderr}");
    assert_eq!(names(&path.join("other")), ["Hat01.skin"]);
}

#[test]
fn a_text_that_cannot_be_repaired_is_still_checked() {
    let folder = folder();
    let path = folder.path();
    let mut model = effigy::mdx::read(&sample("mdx-1100-creature.mdx")).unwrap();
    model.geosets[0].lod = -1;
    let (text, _) = effigy::mdx::text::print(&model, &effigy::mdx::text::PrintOptions::default());
    put(path, "hand.mdl", &[b"// by hand\n".as_slice(), &text].concat());
    let (_, checked, _) = run(path, &["check", "hand.mdl", "--verbose"]);
    let (code, stdout, stderr) = run(path, &["check", "hand.mdl", "--fix", "-o", "mended.mdl", "--verbose"]);
    assert!(code == 1 && stderr.contains("would not stay as they are"), "{stderr}");
    assert!(checked.contains("MDX4012"), "{checked}");
    assert_eq!(stdout, checked);
    assert!(!path.join("mended.mdl").exists());
}

#[test]
fn what_has_no_effect_is_refused_and_nothing_is_an_error() {
    let folder = folder();
    let path = folder.path();
    for (option, words) in [
        ("--resize", &["--resize", "pow2", "-o", "x.glb"][..]),
        ("--plain", &["--plain", "-o", "x.glb"]),
        ("--dialect", &["--dialect", "hive", "-o", "x.glb"]),
        ("--mdc-mode", &["--mdc-mode", "smallest", "-o", "x.md3"]),
        ("--no-animations", &["--no-animations", "--animations", "Stand", "-o", "x.glb"]),
    ] {
        let (code, _, stderr) = run(path, &[&["convert", "a.mdx"], words].concat());
        assert!(code == 2 && stderr.contains(option), "{option}: {stderr}");
    }
    fs::create_dir(path.join("none")).unwrap();
    let (code, _, stderr) = run(path, &["pack", "none", "-o", "none.zip"]);
    assert!(code == 1 && stderr.contains("no files to pack"), "{stderr}");
    for scale in ["1e308", "1e-300"] {
        assert_eq!(run(path, &["edit", "a.mdx", "--scale", scale, "-o", "x.mdx"]).0, 2, "{scale}");
    }
    assert_eq!(run(path, &["edit", "a.mdx", "--translate", "1e308,0,0", "-o", "x.mdx"]).0, 2);
    let (code, _, stderr) = run(path, &["diff", "nowhere", "none"]);
    assert!(code == 1 && stderr.to_lowercase().contains("no such file"), "{stderr}");
    put(path, "effigy.toml", b"[chek]\ndeny = \"warnings\"\n");
    let (code, _, stderr) = run(path, &["check", "a.mdx"]);
    assert!(code == 2 && stderr.contains("chek"), "{stderr}");
    // The file may also describe an assembly.
    put(path, "effigy.toml", b"[assembly]\nmodel = \"a.mdx\"\n[check]\nignore = [\"MDX\"]\n");
    let (code, _, stderr) = run(path, &["check", "a.mdx"]);
    assert_eq!(code, 0, "{stderr}");
    assert_eq!(names(path), ["a.mdx", "effigy.toml", "none"]);
}

#[test]
fn a_thumbnail_goes_to_stdout_and_never_over_its_model() {
    let folder = folder();
    let path = folder.path();
    let before = fs::read(path.join("a.mdx")).unwrap();
    assert_eq!(run(path, &["thumbnail", "a.mdx", "a.mdx"]).0, 2);
    assert!(fs::read(path.join("a.mdx")).unwrap() == before);
    let drawn = std::process::Command::new(snapbox::cmd::cargo_bin!("effigy"))
        .args(["thumbnail", "a.mdx", "-"])
        .current_dir(path)
        .output()
        .unwrap();
    if effigy_testkit::require("gpu", drawn.status.success(), "no graphics adapter") {
        assert!(drawn.stdout.starts_with(b"\x89PNG\r\n"));
        assert_eq!(names(path), ["a.mdx"]);
    }
}

#[test]
fn a_file_that_hides_another_in_a_zip_archive_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    put(path, "twins.zip", &common::files::zip(&[("A.txt", b"one"), ("a.txt", b"two")]));
    for words in
        [&["list", "twins.zip", "--verbose"][..], &["extract", "twins.zip", "-o", "out", "--verbose"]]
    {
        let (_, _, stderr) = run(path, words);
        assert!(stderr.contains("A.txt") && stderr.contains("same name"), "{words:?}: {stderr}");
    }
    assert_eq!(fs::read(path.join("out/a.txt")).unwrap(), b"two");
}
