//! `effigy pack`: nothing is lost without a word, and nothing unfinished stays.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use crate::common;

use common::{names, put, run};
use serde_json::Value;
use snapbox::cmd::cargo_bin;
use std::fs;

/// Where the shell leaves a pattern as it is.
#[test]
fn pack_takes_patterns() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    for name in ["in/a.blp", "in/b.blp", "in/c.txt"] {
        put(path, name, b"x");
    }
    assert_eq!(run(path, &["pack", "in/*.blp", "-o", "a.zip", "--under", "textures"]).0, 0);
    let (_, stdout, _) = run(path, &["list", "a.zip"]);
    assert!(stdout.contains("textures/a.blp") && stdout.contains("textures/b.blp"), "{stdout}");
    assert!(!stdout.contains("c.txt"), "{stdout}");
    let (code, _, stderr) = run(path, &["pack", "in/*.mdx", "-o", "b.zip"]);
    assert!(code == 1 && stderr.contains("in/*.mdx"), "{stderr}");
}

/// A large file takes a while.
#[cfg(unix)]
#[test]
fn an_interrupted_run_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    fs::File::create(path.join("large")).unwrap().set_len(260_000_000).unwrap();
    let words = ["pack", "large", "-o", "out/a.zip"];
    let mut child =
        std::process::Command::new(cargo_bin!("effigy")).args(words).current_dir(path).spawn().unwrap();
    let begun = || fs::read_dir(path.join("out")).is_ok_and(|mut files| files.next().is_some());
    while !begun() {
        assert!(child.try_wait().unwrap().is_none(), "it ended by itself");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let kill = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(kill.unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert_eq!(names(&path.join("out")), [""; 0]);
}

#[test]
fn pack_loses_nothing_without_a_word() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    for name in ["a/x.txt", "b/x.txt", "c/X.TXT", "in/one.txt", "in/(listfile)"] {
        put(path, name, name.as_bytes());
    }
    put(path, "in/empty.txt", b"");
    let refused = |words: &[&str], said: &str| {
        let (code, _, stderr) = run(path, &[&["pack", "-o", "r.zip"], words].concat());
        assert!(code == 1 && stderr.contains(said), "{words:?}: {stderr}");
        assert!(!path.join("r.zip").exists());
    };
    refused(&["a", "b"], "two files would be called x.txt");
    refused(&["a", "c/X.TXT"], "x.txt and X.TXT are the same name in an archive");
    fs::File::create(path.join("large")).unwrap().set_len(300_000_000).unwrap();
    refused(&["large"], "--max-size allows more");
    // The archive is not packed into itself, and its list of names is made anew.
    for _ in 0..2 {
        let (code, _, stderr) = run(path, &["pack", "in", "-o", "in/a.w3x", "--force"]);
        assert!(code == 0 && stderr.contains("2 files,") && stderr.contains("(listfile): "), "{stderr}");
    }
    let (_, stdout, _) = run(path, &["list", "in/a.w3x"]);
    assert!(stdout.contains("one.txt") && !stdout.contains("a.w3x:a.w3x"), "{stdout}");
    // A file without content is one.
    assert!(stdout.contains("empty.txt") && !stdout.contains("finding"), "{stdout}");
    let (code, _, stderr) = run(path, &["pack", "--into", "in/a.w3x", "--remove", "*", "-o", "none.w3x"]);
    assert!(code == 0 && stderr.contains("0 files"), "{stderr}");
    let (code, _, stderr) = run(path, &["pack", "--into", "in/a.w3x", "-o", "other.zip"]);
    assert!(code == 1 && stderr.contains("is an MPQ, and this is the name of a zip archive"), "{stderr}");
    let (code, stdout, _) = run(path, &["pack", "a", "-o", "j.zip", "--json"]);
    let line: Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!((code, &line["files"], &line["notes"]), (0, &1.into(), &serde_json::json!([])));
}

/// Links are not followed, a pipe can be read once, and names that are not text cannot be written.
#[cfg(target_os = "linux")]
#[test]
fn pack_says_what_it_leaves_out() {
    use std::os::unix::ffi::OsStrExt;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    put(path, "in/one.txt", b"1");
    std::os::unix::fs::symlink("one.txt", path.join("in/link")).unwrap();
    let (code, _, stderr) = run(path, &["pack", "in", "-o", "a.zip"]);
    assert!(code == 0 && stderr.contains("in/link: a symbolic link is not followed"), "{stderr}");
    let pipe = |name: &str| {
        assert!(std::process::Command::new("mkfifo").arg(path.join(name)).status().unwrap().success());
    };
    pipe("in/pipe");
    let (code, _, stderr) = run(path, &["pack", "in", "-o", "b.zip"]);
    assert!(code == 0 && stderr.contains("in/pipe: it is not a file"), "{stderr}");
    pipe("named");
    let named = path.join("named");
    let writer = std::thread::spawn(move || fs::write(named, "from a pipe"));
    assert_eq!(run(path, &["pack", "x=named", "-o", "c.zip"]).0, 0);
    writer.join().unwrap().unwrap();
    fs::write(path.join("in").join(std::ffi::OsStr::from_bytes(b"latin\xe9.txt")), "x").unwrap();
    let (code, _, stderr) = run(path, &["pack", "in", "-o", "d.zip"]);
    assert!(code == 1 && stderr.contains("its name is not UTF-8"), "{stderr}");
}
