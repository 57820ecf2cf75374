//! Inputs that are not models: one clear line on stderr, exit code 1, at once.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use snapbox::cmd::{Command, cargo_bin};
use std::fs;
use std::path::Path;

/// Commands that read a model; every one of them must refuse in the same way.
const READERS: [&[&str]; 4] =
    [&["info"], &["dump"], &["verify", "--quiet"], &["convert", "--to", "mdx:800", "-o", "-"]];

fn effigy(folder: &Path) -> Command {
    Command::new(cargo_bin!("effigy")).current_dir(folder)
}

/// Every reader fails on this file with exactly one line, which holds `words`.
#[track_caller]
fn refused(folder: &Path, name: &str, words: &str) {
    for arguments in READERS {
        let output = effigy(folder).args(arguments).arg(name).output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {stderr}");
        assert!(stderr.starts_with(&format!("{name}: ")), "{arguments:?}: {stderr}");
        assert!(stderr.contains(words), "{arguments:?}: {stderr}");
        assert_eq!(stderr.lines().count(), 1, "{arguments:?}: {stderr}");
        assert_eq!(String::from_utf8_lossy(&output.stdout), "", "{arguments:?}");
    }
}

#[test]
fn an_empty_file_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("empty.mdx"), b"").unwrap();
    refused(folder.path(), "empty.mdx", "the file is empty");
}

#[test]
fn a_text_file_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("notes.mdx"), "Dear diary, today I made no model.\n").unwrap();
    refused(folder.path(), "notes.mdx", "this is a text file");
}

#[test]
fn a_renamed_picture_is_refused_by_its_real_name() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("footman.mdx"), b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01").unwrap();
    refused(folder.path(), "footman.mdx", "this is a PNG picture");
}

#[test]
fn the_head_of_an_enemy_territory_skeleton_is_not_taken_for_warcraft() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("body.mdx"), b"MDXW\x02\0\0\0").unwrap();
    refused(folder.path(), "body.mdx", "header.name: needs 64 bytes, 0 are left");
}

#[test]
fn a_folder_without_models_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("pictures")).unwrap();
    fs::write(folder.path().join("pictures/a.png"), b"\x89PNG\r\n\x1a\n").unwrap();
    refused(folder.path(), "pictures", "no model in this folder");
}

#[test]
fn a_file_that_is_not_there_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    refused(folder.path(), "nothing.mdx", "no such file");
}

#[test]
fn two_gigabytes_of_zeros_are_refused_without_being_read() {
    let folder = tempfile::tempdir().unwrap();
    let file = fs::File::create(folder.path().join("zeros.mdx")).unwrap();
    file.set_len(2 << 30).unwrap();
    refused(folder.path(), "zeros.mdx", "nothing but zeros");
}

#[test]
fn a_file_beyond_the_size_limit_is_refused_without_being_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("huge.mdx");
    fs::write(&path, b"MDLXVERS\x04\0\0\0\x20\x03\0\0").unwrap();
    fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(8 << 30).unwrap();
    let output = effigy(folder.path()).args(["info", "huge.mdx"]).output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        stderr,
        "huge.mdx: 8589934592 bytes are more than the limit of 1024000000\n  --max-size allows more\n"
    );
}

#[test]
fn a_chunk_that_lies_about_its_size_is_one_line_and_the_rest_still_opens() {
    let folder = tempfile::tempdir().unwrap();
    let mut bytes = b"MDLXVERS\x04\0\0\0\x20\x03\0\0GEOS\xff\xff\xff\xff".to_vec();
    bytes.extend([0; 100]);
    fs::write(folder.path().join("liar.mdx"), &bytes).unwrap();
    for arguments in READERS {
        let output = effigy(folder.path()).args(arguments).arg("liar.mdx").output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {stderr}");
        assert!(stderr.starts_with("liar.mdx: 0x10: GEOS: "), "{arguments:?}: {stderr}");
        assert!(stderr.contains("4294967295 bytes, 100 are left"), "{arguments:?}: {stderr}");
        assert_eq!(stderr.lines().count(), 1, "{arguments:?}: {stderr}");
    }
    let output = effigy(folder.path()).args(["convert", "liar.mdx", "-o", "copy.mdx"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(fs::read(folder.path().join("copy.mdx")).unwrap(), bytes);
}

#[test]
fn a_bad_file_does_not_stop_the_others_and_order_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let names: Vec<String> = (0..40).map(|index| format!("{index:02}.mdx")).collect();
    for name in &names {
        fs::write(folder.path().join(name), b"").unwrap();
    }
    let output = effigy(folder.path()).args(["verify", "--json", "*.mdx"]).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<serde_json::Value> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 41);
    for (line, name) in lines.iter().zip(&names) {
        assert_eq!(line["path"], name.as_str());
        assert_eq!(line["status"], "failed");
        assert_eq!(line["error"], "the file is empty");
        for key in ["format", "dialect", "version", "bytes", "guarded", "opaque"] {
            assert!(line.get(key).is_some(), "{key}");
        }
    }
    assert_eq!(lines[40]["summary"]["files"], 40);
    assert_eq!(lines[40]["summary"]["failed"], 40);
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn a_reader_that_leaves_early_is_no_failure() {
    use std::io::Read;
    let mut child = std::process::Command::new(cargo_bin!("effigy"))
        .args(["completions", "bash"])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut stderr = String::new();
    child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
    assert_eq!((child.wait().unwrap().code(), stderr.as_str()), (Some(0), ""));
}

/// A byte that is not UTF-8 at the place that an error shows: in files written with Latin-1 or GBK names.
#[test]
fn a_byte_that_is_not_utf8_is_shown_and_does_not_stop_the_others() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("in")).unwrap();
    let text = b"Version {\n\tFormatVersion 800,\n}\nModel \"a\" {\n\t\xe9BlendTime 150,\n}\n";
    fs::write(folder.path().join("in/a.mdl"), text).unwrap();
    fs::write(folder.path().join("in/b.mdl"), text.map(|byte| if byte == 0xe9 { b' ' } else { byte }))
        .unwrap();
    let output = effigy(folder.path()).args(["info", "in"]).output().unwrap();
    let (stdout, stderr) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8(output.stderr).unwrap());
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    assert!(stderr.contains("in/a.mdl:5:2") && stderr.contains("\u{fffd}BlendTime"), "{stderr}");
    assert!(stdout.contains("in/b.mdl"), "{stdout}");
}
