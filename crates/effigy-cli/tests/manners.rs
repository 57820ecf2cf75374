//! Manners: what a new user, a script and somebody with bad luck meet. Each test is one thing that went wrong once.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use crate::common;

use common::{names, put, run, sample};
use effigy::mdx::{Dialect, Model, Sequence, Texture};
use effigy::wire::FixedStr;
use serde_json::Value;
use snapbox::cmd::cargo_bin;
use std::fs;

/// A model with one sequence whose extent is inverted, which `--fix` repairs once there are vertices.
fn model(name: &str) -> Vec<u8> {
    let mut model = Model::new(Dialect::Warcraft3, 800, name);
    let name = FixedStr::truncated("Stand");
    model.sequences.push(Sequence { name, interval: [0, 1000], ..Sequence::default() });
    model.write().unwrap()
}

/// A classic model with a level of detail of -1, which `--fix` sets to 0.
fn broken() -> Vec<u8> {
    let mut model = effigy::mdx::read(&sample("mdx-1100-creature.mdx")).unwrap();
    model.geosets[0].lod = -1;
    model.write().unwrap()
}

#[test]
fn a_backup_is_never_repaired_nor_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    fs::create_dir(path.join("units")).unwrap();
    fs::write(path.join("units/a.mdx"), broken()).unwrap();
    let fix = ["check", "units", "--fix", "--in-place", "--select", "MDX4012", "--force"];
    assert_eq!(run(path, &fix).2, "");
    let (original, mended) = (broken(), fs::read(path.join("units/a.mdx")).unwrap());
    assert_ne!(original, mended);
    for _ in 0..2 {
        run(path, &fix);
        assert_eq!(names(&path.join("units")), ["a.mdx", "a.mdx.bak"]);
        assert_eq!(fs::read(path.join("units/a.mdx.bak")).unwrap(), original);
    }
    // The file is broken again, in the same way: both copies stay.
    fs::write(path.join("units/a.mdx"), &original).unwrap();
    run(path, &fix);
    assert_eq!(names(&path.join("units")), ["a.mdx", "a.mdx.2.bak", "a.mdx.bak"]);
    let named = ["check", "units/a.mdx.bak", "--fix", "--in-place", "--select", "MDX4012"];
    let (code, stdout, stderr) = run(path, &named);
    assert!(code == 1 && stderr.contains("before it was repaired"), "{stderr}");
    assert!(!stdout.contains("fixed"), "{stdout}");
    assert_eq!(fs::read(path.join("units/a.mdx.bak")).unwrap(), original);
}

#[test]
fn nothing_is_called_fixed_that_was_not_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    fs::write(path.join("a.mdx"), broken()).unwrap();
    fs::write(path.join("b.mdx"), b"something else").unwrap();
    let (code, stdout, stderr) =
        run(path, &["check", "a.mdx", "--fix", "-o", "b.mdx", "--select", "MDX4012"]);
    assert_eq!(code, 1);
    assert!(stderr.contains("b.mdx: the file exists already"), "{stderr}");
    assert!(!stdout.contains("fixed") && !stdout.contains("repaired"), "{stdout}");
    // The file still has what was found.
    assert!(stdout.contains("MDX4012"), "{stdout}");
}

#[test]
fn extract_leaves_a_file_called_part_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    fs::write(path.join("d.zip"), common::files::zip(&[("b.txt", b"packed")])).unwrap();
    fs::create_dir(path.join("out")).unwrap();
    fs::write(path.join("out/b.txt.part"), b"mine").unwrap();
    assert_eq!(run(path, &["extract", "d.zip", "-o", "out"]).0, 0);
    assert_eq!(fs::read(path.join("out/b.txt.part")).unwrap(), b"mine");
    assert_eq!(names(&path.join("out")), ["b.txt", "b.txt.part"]);
}

#[cfg(unix)]
#[test]
fn pipes_in_a_folder_are_left_out_and_linked_textures_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    fs::create_dir_all(path.join("in/sub")).unwrap();
    fs::create_dir(path.join("elsewhere")).unwrap();
    let mut one = Model::new(Dialect::Warcraft3, 800, "one");
    one.textures.push(Texture { path: FixedStr::truncated("skin.blp"), ..Texture::default() });
    fs::write(path.join("in/a.mdx"), one.write().unwrap()).unwrap();
    fs::write(path.join("elsewhere/skin.blp"), b"BLP1").unwrap();
    std::os::unix::fs::symlink("../elsewhere/skin.blp", path.join("in/skin.blp")).unwrap();
    let made = std::process::Command::new("mkfifo").arg(path.join("in/sub/pipe.mdx")).status().unwrap();
    assert!(made.success());
    let _socket = std::os::unix::net::UnixListener::bind(path.join("in/sub/socket.mdx")).unwrap();
    for word in ["in", "in/**/*.mdx"] {
        let (code, stdout, stderr) = run(path, &["info", word]);
        assert_eq!((code, stderr.as_str()), (0, ""), "{word}");
        assert!(stdout.contains("found: in/skin.blp") && !stdout.contains("pipe"), "{stdout}");
    }
}

#[test]
fn animations_that_do_not_exist_are_an_error_that_names_those_that_do() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    fs::write(path.join("a.mdx"), model("a")).unwrap();
    let (code, _, stderr) = run(path, &["convert", "a.mdx", "-o", "a.glb", "--animations", "Dance"]);
    assert!(code == 1 && stderr.contains("no sequence called Dance; it has Stand"), "{stderr}");
    assert!(!path.join("a.glb").exists());
    let (code, stdout, _) = run(path, &["convert", "a.mdx", "-o", "a.glb", "--animations", "stand,Dance"]);
    assert!(code == 0 && stdout.contains("no sequence called Dance"), "{stdout}");
}

#[test]
fn an_m2_without_its_skin_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.m2"), sample("m2-264-creature.m2")).unwrap();
    let (code, _, stderr) = run(folder.path(), &["convert", "a.m2", "-o", "a.glb"]);
    assert!(code == 1 && stderr.contains(".skin"), "{stderr}");
    assert!(!folder.path().join("a.glb").exists());
}

#[test]
fn numbers_and_names_without_a_meaning_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    fs::write(path.join("a.mdx"), model("a")).unwrap();
    for wrong in [["--fps", "0"], ["--fps", "nan"], ["--fps", "-5"], ["--lod", "99"]] {
        let (code, _, stderr) = run(path, &[&["convert", "a.mdx", "-o", "a.glb"], wrong.as_slice()].concat());
        assert_eq!(code, 2, "{wrong:?}: {stderr}");
    }
    let (code, _, stderr) = run(path, &["thumbnail", "a.mdx", "a.jpg"]);
    assert!(code == 2 && stderr.contains(".png"), "{stderr}");
    for words in [["-o", "a.fbx"].as_slice(), &["-o", "out", "--to", "jpg"]] {
        let (code, _, stderr) = run(path, &[&["convert", "a.mdx"], words].concat());
        assert!(code == 2 && stderr.contains("glb") && stderr.contains("png"), "{stderr}");
    }
}

#[test]
fn a_pattern_always_means_a_folder_and_finds_names_in_any_case() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    fs::create_dir(path.join("g")).unwrap();
    fs::write(path.join("g/A.MDX"), model("a")).unwrap();
    assert_eq!(run(path, &["convert", "g/*.mdx", "--to", "mdl", "-o", "out"]).0, 0);
    assert!(path.join("out/A.mdl").is_file());
}

#[test]
fn a_map_without_models_is_fine() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("map.w3x"), common::files::mpq(&[("war3map.j", b"function main")], true))
        .unwrap();
    fs::create_dir(folder.path().join("maps")).unwrap();
    fs::copy(folder.path().join("map.w3x"), folder.path().join("maps/map.w3x")).unwrap();
    for command in ["info", "check", "verify"] {
        for place in ["map.w3x", "maps"] {
            let (code, stdout, stderr) = run(folder.path(), &[command, place]);
            assert_eq!(code, 0, "{command}: {stdout}{stderr}");
            assert!(stderr.contains(&format!("{place}: there is no model in it")), "{stderr}");
        }
    }
}

#[test]
fn a_bomb_in_an_archive_is_refused_before_it_is_unpacked() {
    let folder = tempfile::tempdir().unwrap();
    // A directory that promises far more than there is: the promise is what counts before anything is unpacked.
    let mut zip = common::files::zip(&[("a.mdx", b"MDLX"), ("b.txt", b"x")]);
    let size = 900_000_000_u32.to_le_bytes();
    let at = zip.windows(4).rposition(|four| four == b"PK\x01\x02").unwrap();
    let first = zip.windows(4).position(|four| four == b"PK\x01\x02").unwrap();
    assert_ne!(at, first);
    zip[first + 24..first + 28].copy_from_slice(&size);
    zip[22..26].copy_from_slice(&size);
    fs::write(folder.path().join("bomb.zip"), zip).unwrap();
    for command in [["info", "bomb.zip"], ["check", "bomb.zip"], ["verify", "bomb.zip"]] {
        let (code, _, stderr) = run(folder.path(), &command);
        assert!(code == 1 && stderr.contains("--max-size"), "{command:?}: {stderr}");
        assert!(stderr.contains("900000000"), "{stderr}");
    }
    let (code, _, stderr) = run(folder.path(), &["extract", "bomb.zip", "-o", "out"]);
    assert!(code == 1 && stderr.contains("--max-size"), "{stderr}");
}

#[test]
fn a_bomb_of_many_files_or_of_an_archive_in_an_archive_is_refused_too() {
    let folder = tempfile::tempdir().unwrap();
    // Each of the files is small enough.
    let names: Vec<String> = (0..50).map(|number| format!("{number}.mdx")).collect();
    let files: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), &b"MDLX"[..])).collect();
    fs::write(folder.path().join("many.zip"), promising(common::files::zip(&files), 18_000_000)).unwrap();
    let inner = common::files::zip(&[("a.mdx", b"MDLX")]);
    let outer = promising(common::files::zip(&[("inner.zip", &inner)]), 900_000_000);
    fs::write(folder.path().join("outer.zip"), outer).unwrap();
    for archive in ["many.zip", "outer.zip"] {
        for command in ["info", "check", "verify"] {
            let (code, _, stderr) = run(folder.path(), &[command, archive]);
            assert!(code == 1 && stderr.contains("--max-size"), "{command} {archive}: {stderr}");
        }
    }
}

/// A zip whose directory promises this many bytes for each file.
fn promising(mut zip: Vec<u8>, bytes: u32) -> Vec<u8> {
    for (mark, at) in [(b"PK\x01\x02", 24), (b"PK\x03\x04", 22)] {
        let places: Vec<usize> = zip
            .windows(4)
            .enumerate()
            .filter(|(_, four)| four == mark)
            .map(|(place, _)| place + at)
            .collect();
        for place in places {
            zip[place..place + 4].copy_from_slice(&bytes.to_le_bytes());
        }
    }
    zip
}

#[test]
fn skins_belong_to_their_models_in_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    fs::create_dir(path.join("in")).unwrap();
    fs::write(path.join("in/a.m2"), sample("m2-264-creature.m2")).unwrap();
    fs::write(path.join("in/a00.skin"), sample("m2-264-creature00.skin")).unwrap();
    let (code, stdout, stderr) = run(path, &["convert", "in", "--to", "vanilla", "-o", "out"]);
    assert_eq!(code, 0, "{stdout}{stderr}");
    assert_eq!(names(&path.join("out")), ["a.m2"]);
}

#[test]
fn an_mdl_with_control_bytes_in_its_names_is_an_mdl() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    fs::write(path.join("a.mdx"), model("a\u{1}b")).unwrap();
    assert_eq!(run(path, &["convert", "a.mdx", "-o", "a.mdl"]).0, 0);
    let (code, stdout, stderr) = run(path, &["verify", "a.mdl"]);
    assert_eq!(code, 0, "{stdout}{stderr}");
    let (code, stdout, stderr) = run(path, &["diff", "a.mdx", "a.mdl"]);
    assert_eq!(code, 0, "{stdout}{stderr}");
}

#[test]
fn json_has_values_and_no_parallel_lists() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let mut one = Model::new(Dialect::Warcraft3, 800, "one");
    one.textures.push(Texture { path: FixedStr::truncated("skin.blp"), ..Texture::default() });
    fs::write(path.join("a.mdx"), one.write().unwrap()).unwrap();
    fs::write(path.join("b.mdx"), model("two")).unwrap();
    let (code, stdout, _) = run(path, &["diff", "a.mdx", "b.mdx", "--json"]);
    assert_eq!(code, 1);
    let diff: Value = serde_json::from_str(&stdout).unwrap();
    let changes = diff["changes"].as_array().unwrap();
    let name = changes.iter().find(|change| change["path"] == "MODL.name").unwrap();
    assert_eq!((&name["a"], &name["b"]), (&Value::from("one"), &Value::from("two")));
    let (_, stdout, _) = run(path, &["info", "a.mdx", "--json"]);
    let info: Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!(info["textures"][0]["path"], "skin.blp");
    assert!(info["textures"][0]["found"].is_null() && info.get("found").is_none(), "{info}");
}

#[test]
fn severe_is_a_warning_in_sarif_as_it_does_not_fail_the_command() {
    let folder = tempfile::tempdir().unwrap();
    let mut one = effigy::mdx::read(&sample("mdx-800-creature.mdx")).unwrap();
    one.sequences.iter_mut().for_each(|sequence| sequence.name = FixedStr::truncated("Spell"));
    fs::write(folder.path().join("a.mdx"), one.write().unwrap()).unwrap();
    let check = ["check", "a.mdx", "--format", "sarif", "--select", "MDX1005", "--profile", "unit"];
    let (code, stdout, _) = run(folder.path(), &check);
    let sarif: Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!((code, &sarif["runs"][0]["results"][0]["level"]), (0, &Value::from("warning")), "{stdout}");
}

#[test]
fn groups_and_codes_of_archives_are_known() {
    let folder = tempfile::tempdir().unwrap();
    let (code, stdout, _) = run(folder.path(), &["check", "--explain", "AST0001"]);
    assert!(code == 0 && stdout.starts_with("AST0001  damaged or protected archive"), "{stdout}");
    let (code, stdout, _) = run(folder.path(), &["check", "--explain", "textures"]);
    assert!(code == 0 && stdout.contains("ALL1002") && !stdout.contains("MDX1001"), "{stdout}");
    fs::write(folder.path().join("a.mdx"), model("a")).unwrap();
    let mut named = Model::new(Dialect::Warcraft3, 800, "named");
    for texture in ["missing.blp", "Textures\\Orc.blp"] {
        named.textures.push(Texture { path: FixedStr::truncated(texture), ..Texture::default() });
    }
    let named = named.write().unwrap();
    common::put(folder.path(), "in/one.mdx", &named);
    common::put(folder.path(), "in/two.mdx", &named);
    // Without the files of the game nobody knows which of its textures are missing.
    let hint = "--assets GAME";
    let (_, stdout, stderr) = run(folder.path(), &["check", "in", "--select", "textures"]);
    assert!(stderr.contains(hint) && stderr.contains("2 paths"), "{stderr}");
    assert!(stdout.contains("missing.blp") && !stdout.contains("Orc.blp"), "{stdout}");
    // Where no path leads into the game there is nothing to look for.
    let (_, _, stderr) = run(folder.path(), &["check", "a.mdx", "--select", "textures"]);
    assert!(!stderr.contains(hint), "{stderr}");
    let (_, _, stderr) = run(folder.path(), &["check", "in", "--select", "textures", "--assets", "in"]);
    assert!(!stderr.contains(hint), "{stderr}");
    let (_, _, stderr) = run(folder.path(), &["check", "in"]);
    assert!(!stderr.contains(hint), "{stderr}");
    let (_, stdout, _) = run(folder.path(), &["check", "in", "--select", "textures", "--format", "json"]);
    let codes: Vec<&str> =
        stdout.split("\"code\":\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    assert!(codes.iter().filter(|code| **code == "ALL1002").count() == 2, "{stdout}");
    assert!(!codes.iter().any(|code| code.starts_with("MDX1")), "{stdout}");
    let (code, _, stderr) = run(folder.path(), &["check", "a.mdx", "--select", "texturs"]);
    assert!(code == 2 && stderr.contains("textures"), "{stderr}");
}

/// `effigy diff a b | head -0`: whoever has read enough still learns whether the models differ.
#[cfg(unix)]
#[test]
fn a_closed_pipe_does_not_hide_that_models_differ() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    for name in ["a", "b"] {
        fs::create_dir(path.join(name)).unwrap();
        fs::write(path.join(name).join("same.mdx"), model("same")).unwrap();
    }
    fs::write(path.join("a/x.mdx"), model("a")).unwrap();
    fs::write(path.join("b/x.mdx"), sample("mdx-800-creature.mdx")).unwrap();
    for words in ["a/x.mdx b/x.mdx --verbose", "a b --verbose", "a b --json"] {
        let script = format!(r#"{{ sleep 0.2; "$0" diff {words}; echo $? > code; }} | true"#);
        let program = cargo_bin!("effigy");
        let _ = fs::remove_file(path.join("code"));
        let status = std::process::Command::new("sh")
            .args(["-c", &script])
            .arg(program)
            .current_dir(path)
            .status()
            .unwrap();
        assert!(status.success());
        // The pipeline's first part may end after the shell.
        let code = (0..1000).find_map(|_| {
            std::thread::sleep(std::time::Duration::from_millis(10));
            fs::read_to_string(path.join("code")).ok().filter(|code| !code.is_empty())
        });
        assert_eq!(code.unwrap().trim(), "1", "{words}");
    }
}

#[test]
fn the_models_of_two_folders_are_compared_by_their_paths() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let (old, new) = (model("old"), model("new"));
    let before: [(&str, &[u8]); 3] = [("same.mdx", &old), ("sub/changed.mdx", &old), ("gone.mdx", &old)];
    let after: [(&str, &[u8]); 3] = [("same.mdx", &old), ("sub/changed.mdx", &new), ("added.mdx", &new)];
    for (name, bytes) in before {
        common::put(path, &format!("a/{name}"), bytes);
    }
    for (name, bytes) in after {
        common::put(path, &format!("b/{name}"), bytes);
    }
    fs::write(path.join("b.zip"), common::files::zip(&after)).unwrap();
    for other in ["b", "b.zip"] {
        let (code, stdout, stderr) = run(path, &["diff", "a", other]);
        assert_eq!((code, stderr.as_str()), (1, ""), "{other}");
        let changed = format!("~ {}: 1 difference", std::path::Path::new("sub/changed.mdx").display());
        let mut lines: Vec<&str> = stdout.lines().collect();
        assert_eq!(lines.pop(), Some("1 model the same, 3 different"), "{stdout}");
        lines.sort_unstable();
        assert_eq!(lines, ["+ added.mdx", "- gone.mdx", changed.as_str()]);
    }
    assert_eq!(run(path, &["diff", "a", "a"]).0, 0);
    let (code, stdout, _) = run(path, &["diff", "a", "b", "-q"]);
    assert_eq!((code, stdout.as_str()), (1, ""));
}

/// A named pipe is read once, as any program does it, whatever its name promises.
#[cfg(unix)]
#[test]
fn a_pipe_that_is_named_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let picture = effigy::image::Image::flat(4, 2, [9, 8, 7, 255]);
    let picture = effigy::image::png::write(&picture, effigy::image::png::Compression::Fast).unwrap();
    for (name, bytes, expected) in [("p.mdx", model("piped"), "piped"), ("p.png", picture, "4 x 2")] {
        let path = folder.path().join(name);
        assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
        let writer = std::thread::spawn(move || fs::write(path, bytes));
        let (code, stdout, stderr) = run(folder.path(), &["info", name]);
        assert!(code == 0 && stdout.contains(expected), "{name}: {stdout}{stderr}");
        writer.join().unwrap().unwrap();
    }
}

/// Skins that the game chooses are called as the option that gives them.
#[test]
fn a_missing_skin_is_named_with_the_option_that_gives_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let mut wolf = Model::new(Dialect::WowAlpha, 1500, "Wolf");
    wolf.textures.push(Texture { replaceable: 11, ..Texture::default() });
    fs::write(path.join("alpha.mdx"), wolf.write().unwrap()).unwrap();
    let mut wolf = effigy::m2::Model::new(effigy::m2::Version::WRATH);
    wolf.textures.push(effigy::m2::Texture { kind: 11, ..Default::default() });
    fs::write(path.join("wolf.m2"), wolf.write().unwrap()).unwrap();
    for name in ["alpha.mdx", "wolf.m2"] {
        let (_, stdout, stderr) = run(path, &["info", name]);
        assert!(stdout.contains("creature-1"), "{name}: {stdout}{stderr}");
        assert!(stdout.contains("--texture creature-1=FILE gives it"), "{name}: {stdout}");
    }
}

/// A real file states 25 pivots and has 35, and another has text after the last block.
#[test]
fn too_small_counts_and_stray_text_in_mdl_are_findings_and_are_written_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let text = "Version {\n\tFormatVersion 800,\n}\nModel \"x\" {\n\tBlendTime 150,\n}\nPivotPoints 1 {\n\t{ 0, 0, 0 },\n\t{ 0, 0, 1 },\n}\nstray text\n";
    fs::write(path.join("a.mdl"), text).unwrap();
    let (code, stdout, stderr) = run(path, &["verify", "a.mdl", "--verbose"]);
    assert!(code == 0 && stdout.contains("identical"), "{stdout}{stderr}");
    let (code, stdout, _) = run(path, &["check", "a.mdl", "--select", "MDL"]);
    assert!(code == 0 && stdout.contains("1 pivots are stated, but there are 2"), "{stdout}");
    assert!(stdout.contains("`stray text`"), "{stdout}");
    assert_eq!(run(path, &["convert", "a.mdl", "--to", "mdl:1000", "-o", "b.mdl"]).0, 0);
    assert!(fs::read_to_string(path.join("b.mdl")).unwrap().ends_with("}\nstray text\n"));
    let (code, stdout, stderr) = run(path, &["convert", "a.mdl", "-o", "b.mdx", "--verbose"]);
    assert!(
        code == 0 && format!("{stdout}{stderr}").contains("text after the last block"),
        "{stdout}{stderr}"
    );
}

#[test]
fn verify_says_that_what_is_identical_has_errors() {
    let folder = tempfile::tempdir().unwrap();
    put(folder.path(), "a.mdl", b"Version {\n\tFormatVersion 800,\n}\nBone \"b\" {\n");
    put(folder.path(), "b.mdx", &model("b"));
    let (code, stdout, stderr) = run(folder.path(), &["verify", "a.mdl", "b.mdx"]);
    let text = format!("{stdout}{stderr}");
    assert!(
        code == 1 && text.contains("2 identical") && text.contains("1 file of them with errors"),
        "{text}"
    );
}

#[test]
fn a_level_of_detail_that_the_model_lacks_is_an_error_that_names_those_it_has() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.mdx"), sample("mdx-800-creature.mdx")).unwrap();
    let (code, _, stderr) = run(folder.path(), &["convert", "a.mdx", "--lod", "5", "-o", "a.glb"]);
    assert!(code != 0 && stderr.contains("no level of detail 5; it has"), "{code} {stderr}");
    assert!(!folder.path().join("a.glb").exists());
}

/// The times of real M2s wrap around 2^32: they would last 49 days. Such a sequence lasts as long as its keys; one that could be
/// meant is cut off.
#[test]
fn a_sequence_of_weeks_is_an_error_of_check_and_short_in_gltf() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    for (duration, days, said) in [(0xffff_fe70, "49 days", false), (0x7000_0000, "21 days", true)] {
        let mut model = effigy::m2::read(&sample("m2-264-creature.m2")).unwrap();
        model.sequences[0].duration = duration;
        fs::write(path.join("a.m2"), model.write().unwrap()).unwrap();
        fs::write(path.join("a00.skin"), sample("m2-264-creature00.skin")).unwrap();
        let (code, stdout, stderr) = run(path, &["check", "a.m2", "--select", "M21309"]);
        assert!(code == 1 && stdout.contains(days), "{stdout}{stderr}");
        let (code, stdout, stderr) = run(path, &["convert", "a.m2", "-o", "a.glb", "--verbose", "--force"]);
        let text = format!("{stdout}{stderr}");
        assert!(code == 0 && text.contains("first 600 s were written") == said, "{text}");
        assert!(fs::metadata(path.join("a.glb")).unwrap().len() < 10_000_000);
    }
}

#[test]
fn what_a_stopped_run_has_left_is_not_a_model() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    put(path, "in/a.mdx", &model("a"));
    put(path, "in/.effigy-Xy12", &model("b"));
    let (code, stdout, _) = run(path, &["info", "in", "--json"]);
    let found: Vec<Value> = stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((code, found.len(), &found[0]["path"]), (0, 1, &"in/a.mdx".into()), "{stdout}");
    assert_eq!(run(path, &["pack", "in", "-o", "a.zip"]).0, 0);
    let (_, stdout, _) = run(path, &["list", "a.zip"]);
    assert!(stdout.contains("a.mdx") && !stdout.contains("effigy-"), "{stdout}");
}

#[test]
fn a_conversion_that_is_refused_writes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    put(path, "a.mdx", &sample("mdx-800-creature.mdx"));
    put(path, "out/a.skin", b"somebody's");
    let (code, _, stderr) = run(path, &["convert", "a.mdx", "--to", "md3", "-o", "out/a.md3"]);
    assert!(code == 1 && stderr.contains("a.skin: the file exists already"), "{stderr}");
    assert_eq!(names(&path.join("out")), ["a.skin"]);
}

#[test]
fn options_without_an_effect_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    put(path, "a.mdx", &sample("mdx-800-creature.mdx"));
    for option in [
        &["--animations", "Stand"][..],
        &["--no-animations"],
        &["--pose", "Stand"],
        &["--keep-globals"],
        &["--split-animations"],
        &["--loop-suffix"],
    ] {
        let words = [&["convert", "a.mdx", "-o", "b.mdl"][..], option].concat();
        let (code, _, stderr) = run(path, &words);
        let expected = format!("{} has no effect on mdl", option[0]);
        assert!(code == 2 && stderr.to_lowercase().contains(&expected), "{stderr}");
    }
    for time in ["nan", "inf", "-1"] {
        let pose = format!("Stand@{time}");
        let (code, _, stderr) = run(path, &["convert", "a.mdx", "-o", "b.glb", "--pose", &pose]);
        assert!(code == 2 && stderr.contains("a number of seconds from 0 on"), "{stderr}");
    }
    let (code, _, stderr) = run(path, &["render", "a.mdx", "-o", "b.png", "--camera", "-3,x"]);
    assert!(code == 1 && stderr.contains("there is no camera -3,x"), "{stderr}");
    assert_eq!(names(path), ["a.mdx"]);
}

#[test]
fn sequences_to_keep_have_to_exist() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    put(path, "a.mdx", &model("a"));
    let (code, _, stderr) = run(path, &["edit", "a.mdx", "--keep-sequences", "Dance", "-o", "b.mdx"]);
    assert!(code == 1 && stderr.contains("no sequence has such a name; there are Stand"), "{stderr}");
    assert_eq!(names(path), ["a.mdx"]);
}

#[test]
fn what_cannot_be_read_is_said_by_commands_that_write_too() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    put(path, "a.mdl", b"Version { FormatVersion 800, }\nModel \"a\" { BlendTime 150, }\nSequences 1 { Anim \"Stand\" { Interval { 0, \xff }, } }\n");
    for words in
        [&["edit", "a.mdl", "--scale", "2", "-o", "b.mdl"][..], &["optimize", "a.mdl", "-o", "c.mdl"]]
    {
        let (code, _, stderr) = run(path, words);
        assert!(code == 1 && stderr.contains("MDL01"), "{words:?}: {stderr}");
    }
    assert_eq!(names(path), ["a.mdl", "b.mdl", "c.mdl"]);
}

#[test]
fn a_model_without_its_skins_is_not_written_without_views() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    put(path, "a.m2", &sample("m2-264-creature.m2"));
    for version in ["m2:256", "m2:260"] {
        let (code, _, stderr) = run(path, &["convert", "a.m2", "--to", version, "-o", "b.m2"]);
        assert!(code == 1 && stderr.contains("nothing to draw without a00.skin"), "{stderr}");
    }
    assert_eq!(names(path), ["a.m2"]);
}

#[cfg(unix)]
#[test]
fn a_link_stays_one_when_its_file_is_repaired() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    put(path, "real/a.mdx", &broken());
    std::os::unix::fs::symlink("real/a.mdx", path.join("link.mdx")).unwrap();
    assert_eq!(run(path, &["check", "link.mdx", "--fix", "--in-place", "--select", "MDX4012"]).2, "");
    assert!(fs::symlink_metadata(path.join("link.mdx")).unwrap().is_symlink());
    assert_ne!(fs::read(path.join("real/a.mdx")).unwrap(), broken());
    assert_eq!(fs::read(path.join("real/a.mdx.bak")).unwrap(), broken());
}

#[cfg(unix)]
#[test]
fn patterns_find_files_in_any_case_also_by_their_folders() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    put(path, "Units/Egg.MDX", &model("a"));
    for pattern in ["units/*.mdx", "UNITS/e?g.mdx", "units/**/egg.mdx", "units/[e]gg.mdx"] {
        let (code, stdout, stderr) = run(path, &["info", pattern]);
        assert!(code == 0 && stdout.contains("Units/Egg.MDX"), "{pattern}: {stdout}{stderr}");
    }
}

#[test]
fn a_sheet_of_nothing_is_a_failure_and_not_wrong_usage() {
    let folder = tempfile::tempdir().unwrap();
    put(folder.path(), "in/a.mdx", b"MDLX");
    put(folder.path(), "in/b.mdx", b"MDLX");
    let (code, _, stderr) = run(folder.path(), &["render", "in", "--sheet", "-o", "x.png"]);
    assert!(code == 1 && !stderr.contains("tile"), "{stderr}");
}

#[test]
fn a_folder_with_nothing_but_a_healthy_map_is_fine() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    put(path, "maps/a.w3x", &common::files::zip(&[("readme.txt", b"nothing")]));
    for words in [["check", "maps"], ["info", "maps"], ["verify", "maps"]] {
        let (code, _, stderr) = run(path, &words);
        assert_eq!(code, 0, "{words:?}: {stderr}");
    }
    fs::create_dir(path.join("bare")).unwrap();
    assert_eq!(run(path, &["info", "bare"]).0, 1);
}

#[test]
fn a_picture_is_not_called_what_it_is_not() {
    let folder = tempfile::tempdir().unwrap();
    put(folder.path(), "a.mdx", &model("a"));
    for (kind, name) in [("png", "x.jpg"), ("png", "x.gif"), ("gif", "x.png")] {
        let (code, _, stderr) = run(folder.path(), &["render", "a.mdx", "--to", kind, "-o", name]);
        assert!(
            code == 2 && stderr.contains(&format!("{name} is not the name of a .{kind} file")),
            "{stderr}"
        );
    }
    assert_eq!(names(folder.path()), ["a.mdx"]);
}

#[test]
fn an_m2_whose_skins_are_missing_is_not_clean() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    put(path, "a.m2", &sample("m2-264-creature.m2"));
    let (code, stdout, _) = run(path, &["check", "a.m2"]);
    assert!(code == 0 && stdout.contains("M21207") && stdout.contains("4 of 4 .skin files"), "{stdout}");
    put(path, "a00.skin", &sample("m2-264-creature00.skin"));
    let (_, stdout, _) = run(path, &["check", "a.m2"]);
    assert!(stdout.contains("3 of 4 .skin files"), "{stdout}");
    for number in 1..4 {
        put(path, &format!("a0{number}.skin"), &sample("m2-264-creature00.skin"));
    }
    let (code, stdout, _) = run(path, &["check", "a.m2", "--verbose"]);
    assert!(code == 0 && !stdout.contains("M21207"), "{stdout}");
}
