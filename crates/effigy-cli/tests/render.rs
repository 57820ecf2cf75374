//! `effigy render` and `effigy thumbnail`: files of the right kind and size, and errors that say what is wrong.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, clippy::print_stderr, missing_docs)]

use std::path::Path;
use std::process::{Command, Output};

fn effigy(folder: &Path, words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_effigy")).current_dir(folder).args(words).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A folder with the sample creature. `None` without a graphics adapter: the test is then recorded as skipped.
fn stage() -> Option<tempfile::TempDir> {
    let folder = tempfile::tempdir().unwrap();
    let made = effigy(folder.path(), &["demo", ".", "--all"]);
    assert!(made.status.success(), "{}", text(&made.stderr));
    let tried = effigy(folder.path(), &["render", "mdx-800-creature.mdx", "-o", "try.png", "--size", "16"]);
    let can_draw = !text(&tried.stderr).contains("no graphics adapter");
    if !effigy_testkit::require("gpu", can_draw, "no graphics adapter") {
        assert_eq!(tried.status.code(), Some(1));
        return None;
    }
    assert!(tried.status.success(), "{}", text(&tried.stderr));
    Some(folder)
}

fn png_size(bytes: &[u8]) -> [u32; 2] {
    assert_eq!(&bytes[..8], b"\x89PNG\r\n\x1a\n");
    let number = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap());
    [number(16), number(20)]
}

#[test]
fn pictures_animations_frames_and_sheets_are_written() {
    let Some(folder) = stage() else { return };
    let at = folder.path();
    let model = "mdx-800-creature.mdx";
    let run = |words: &[&str]| {
        let output = effigy(at, &[&["render", model], words].concat());
        assert!(output.status.success(), "{words:?}: {}", text(&output.stderr));
        output
    };
    run(&["-o", "a.png", "--size", "40x30"]);
    assert_eq!(png_size(&std::fs::read(at.join("a.png")).unwrap()), [40, 30]);
    run(&["-o", "a.gif", "--size", "24", "--anim", "walk", "--seconds", "0.2"]);
    assert!(std::fs::read(at.join("a.gif")).unwrap().starts_with(b"GIF89a"));
    run(&["-o", "a.apng", "--size", "24", "--turntable", "--seconds", "0.2", "--background", "transparent"]);
    let animated = std::fs::read(at.join("a.apng")).unwrap();
    assert!(animated.windows(4).any(|window| window == b"acTL"));
    run(&["-o", "f%02d.png", "--size", "16", "--seconds", "0.15"]);
    assert!(at.join("f00.png").is_file() && at.join("f02.png").is_file() && !at.join("f03.png").exists());
    let again = effigy(at, &["render", model, "-o", "f%02d.png", "--size", "16", "--seconds", "0.15"]);
    assert!(
        again.status.code() == Some(1) && text(&again.stderr).contains("f00.png: the file exists already")
    );
    run(&["-o", "sheet.png", "--sheet", "--size", "32"]);
    assert!(png_size(&std::fs::read(at.join("sheet.png")).unwrap())[0] > 64);
    // All frames are written, or none.
    std::fs::write(at.join("g01.png"), "mine").unwrap();
    let again = effigy(at, &["render", model, "-o", "g%02d.png", "--size", "16", "--seconds", "0.15"]);
    assert!(
        again.status.code() == Some(1) && text(&again.stderr).contains("g01.png: the file exists already")
    );
    assert!(!at.join("g00.png").exists());
    let odd = effigy(at, &["render", model, "-o", "f%02d.jpg"]);
    assert!(odd.status.code() == Some(2) && text(&odd.stderr).contains(".png"));
    let sheet = |words: &[&str]| {
        let all = ["render", model, "mdx-800-hat.mdx", "-o", "both.png", "--sheet", "--force"];
        let output = effigy(at, &[&all, words].concat());
        assert!(output.status.success(), "{}", text(&output.stderr));
        (png_size(&std::fs::read(at.join("both.png")).unwrap()), output)
    };
    // Two tiles with a gap of 4 next to each.
    assert_eq!(sheet(&[]).0[0], 2 * 196 + 4);
    assert_eq!(sheet(&["--size", "512"]).0[0], 2 * 516 + 4);
    let (size, told) = sheet(&["--size", "4000x2200", "--json"]);
    let line: serde_json::Value = serde_json::from_slice(&told.stdout).unwrap();
    // Places for four would have 35.2 million pixels: the root of 32 / 35.2 is 0.9535.
    assert_eq!((size[0], &line["width"], &line["frames"]), (2 * 3817 + 4, &size[0].into(), &1.into()));
    assert!(line["notes"][0].as_str().unwrap().contains("3813 x 2097"), "{line}");
    let piped = run(&["-o", "-", "--size", "20"]);
    assert_eq!(png_size(&piped.stdout), [20, 20]);
    let told = run(&["-o", "j.png", "--size", "20", "--json"]);
    let line: serde_json::Value = serde_json::from_slice(&told.stdout).unwrap();
    assert_eq!((&line["width"], &line["empty"]), (&20.into(), &false.into()));
    assert_eq!(line["missing"], serde_json::json!([]));
}

#[test]
fn nothing_is_overwritten_unasked_and_mistakes_are_explained() {
    let Some(folder) = stage() else { return };
    let run = |words: &[&str]| {
        let output =
            effigy(folder.path(), &[&["render", "mdx-800-creature.mdx", "--size", "16"], words].concat());
        (output.status.code(), text(&output.stderr))
    };
    assert_eq!(run(&["-o", "try.png"]).0, Some(1));
    assert_eq!(run(&["-o", "try.png", "--force"]).0, Some(0));
    let (code, said) = run(&["-o", "b.png", "--anim", "Fly"]);
    assert!(code == Some(1) && said.contains("there is no sequence Fly") && said.contains("Stand"), "{said}");
    let (code, said) = run(&["-o", "b.png", "--camera", "moon"]);
    assert!(code == Some(1) && said.contains("there is no camera moon"), "{said}");
    for words in [
        &["-o", "b.bmp"][..],
        &["-o", "b.png", "--overlay", "x"],
        &["-o", "b.png", "--size", "0"],
        &["-o", "b.png", "--background", "bluish"],
        &["-o", "b.png", "--team-color", "99"],
        &["-o", "b.png", "--turntable"],
    ] {
        assert_eq!(run(words).0, Some(2), "{words:?}");
    }
    assert!(!folder.path().join("b.png").exists());
}

#[test]
fn a_thumbnail_is_a_see_through_png() {
    let Some(folder) = stage() else { return };
    let output = effigy(folder.path(), &["thumbnail", "mdx-800-creature.mdx", "t.png", "64"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let bytes = std::fs::read(folder.path().join("t.png")).unwrap();
    assert_eq!(png_size(&bytes), [64, 64]);
    assert_eq!(bytes[25], 6, "colour with alpha");
    std::fs::write(folder.path().join("bad.mdx"), b"MDLX").unwrap();
    assert_eq!(effigy(folder.path(), &["thumbnail", "none.mdx", "n.png"]).status.code(), Some(1));
    assert!(!folder.path().join("n.png").exists());
    // A model that shows nothing has no thumbnail: the file manager keeps its icon.
    std::fs::write(folder.path().join("empty.mdl"), "Version { FormatVersion 800, }\nModel \"a\" {}\n")
        .unwrap();
    let nothing = effigy(folder.path(), &["thumbnail", "empty.mdl", "n.png"]);
    assert_eq!(nothing.status.code(), Some(1));
    assert!(text(&nothing.stderr).contains("nothing to see"), "{}", text(&nothing.stderr));
    assert!(!folder.path().join("n.png").exists());
}

#[test]
fn the_camera_and_the_moment_are_told() {
    let Some(folder) = stage() else { return };
    let words = ["render", "mdx-800-creature.mdx", "-o", "c.png", "--size", "16", "--json", "--time", "0.25"];
    let told = effigy(folder.path(), &[&words[..], &["--camera=10,0,5:0,0,5"]].concat());
    let told: serde_json::Value = serde_json::from_slice(&told.stdout).unwrap();
    assert_eq!(told["camera"]["eye"], serde_json::json!([10.0, 0.0, 5.0]));
    assert_eq!(told["camera"]["forward"][0], -1.0);
    assert_eq!(told["camera"]["up"][2], 1.0);
    assert!((told["camera"]["field_of_view"].as_f64().unwrap() - 45.0).abs() < 1e-3);
    assert!((told["time"].as_f64().unwrap() - 0.25).abs() < 1e-6, "{told}");
}

#[test]
fn many_pictures_go_to_a_folder_and_a_second_run_draws_only_what_is_missing() {
    let Some(folder) = stage() else { return };
    let run = |models: &[&str]| {
        let words = [&["render"][..], models, &["-o", "out", "--size", "16"]].concat();
        let output = effigy(folder.path(), &words);
        (output.status.code(), text(&output.stdout), text(&output.stderr))
    };
    let (code, drawn, said) = run(&["mdx-800-creature.mdx", "m2-264-creature.m2"]);
    assert_eq!((code, drawn.lines().count()), (Some(0), 2), "{drawn}{said}");
    let (code, drawn, said) = run(&["mdx-800-creature.mdx", "m2-264-creature.m2", "mdc-2-creature.mdc"]);
    assert_eq!((code, drawn.lines().count()), (Some(0), 1), "{drawn}{said}");
    assert!(drawn.contains("mdc-2-creature"), "{drawn}");
    assert!(said.contains("2 pictures were there already"), "{said}");
    let names = std::fs::read_dir(folder.path().join("out")).unwrap();
    let mut names: Vec<_> = names.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort_unstable();
    assert_eq!(names, ["m2-264-creature.m2.png", "mdc-2-creature.mdc.png", "mdx-800-creature.mdx.png"]);
}

#[test]
fn a_sheet_of_a_folder_has_a_tile_for_each_model() {
    let Some(folder) = stage() else { return };
    let at = folder.path();
    for (name, models) in [("one", 1), ("two", 2)] {
        std::fs::create_dir(at.join(name)).unwrap();
        for number in 0..models {
            std::fs::copy(at.join("mdx-800-creature.mdx"), at.join(format!("{name}/{number}.mdx"))).unwrap();
        }
        let sheet = format!("{name}.png");
        let made = effigy(at, &["render", name, "--sheet", "-o", &sheet, "--size", "64"]);
        assert!(made.status.success(), "{name}: {}", text(&made.stderr));
        assert!(text(&made.stdout).contains(&format!("{models} model")), "{}", text(&made.stdout));
        let [width, height] = png_size(&std::fs::read(at.join(sheet)).unwrap());
        assert_eq!(
            (width >= 64 * models, height >= 64, width < 64 * models + 64),
            (true, true, true),
            "{width}"
        );
    }
    let made = effigy(at, &["render", "two", "--sheet", "-o", "lod.png", "--size", "64", "--lod", "5"]);
    assert!(
        !made.status.success() && text(&made.stderr).contains("no level of detail 5"),
        "{}",
        text(&made.stderr)
    );
}

#[test]
fn a_model_with_a_broken_part_is_drawn_and_the_part_is_named() {
    let Some(folder) = stage() else { return };
    let at = folder.path();
    let mut bytes = std::fs::read(at.join("mdx-800-creature.mdx")).unwrap();
    bytes.extend(b"GEOS\xff\xff\xff\xff");
    std::fs::create_dir(at.join("in")).unwrap();
    std::fs::write(at.join("in/broken.mdx"), bytes).unwrap();
    std::fs::copy(at.join("mdx-800-creature.mdx"), at.join("in/sound.mdx")).unwrap();
    let made = effigy(at, &["render", "in", "-o", "out", "--size", "32"]);
    assert_eq!(made.status.code(), Some(0), "{}", text(&made.stderr));
    assert!(text(&made.stderr).contains("GEOS"), "{}", text(&made.stderr));
    assert!(at.join("out/broken.mdx.png").is_file() && at.join("out/sound.mdx.png").is_file());
}
