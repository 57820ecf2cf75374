//! Archives as people use them: paths into them, listing, extracting, and what hostile ones cannot do.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use crate::common;

use common::files::{mpq, zip};
use common::{lines, run};
use effigy::mdx::{Dialect, Model, Texture};
use effigy::wire::FixedStr;
use serde_json::Value;
use std::fs;
use std::path::Path;

fn model(name: &str, textures: &[&str]) -> Vec<u8> {
    let mut model = Model::new(Dialect::Warcraft3, 800, name);
    for path in textures {
        model.textures.push(Texture { path: FixedStr::truncated(path), ..Texture::default() });
    }
    model.write().unwrap()
}

/// The paths that `verify` finds, and that all of them are identical.
#[track_caller]
fn verified(folder: &Path, words: &[&str]) -> Vec<String> {
    let (code, stdout, stderr) = run(folder, &[&["verify", "--json"], words].concat());
    assert_eq!(code, 0, "{words:?}: {stdout}{stderr}");
    let files = lines(&stdout);
    let files = files.iter().filter(|line| line["status"] == "identical");
    files.map(|line| line["path"].as_str().unwrap().to_owned()).collect()
}

/// A folder with a map, a map without a list of names, a PK3, and a campaign with the map in it.
fn games() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let footman = model("Footman", &["Textures\\Footman.blp", "Textures\\Gone.blp"]);
    let grunt = model("Grunt", &[]);
    let files: [(&str, &[u8]); 4] = [
        ("Units\\Human\\Footman.mdx", &footman),
        ("Units\\Orc\\Grunt.mdx", &grunt),
        ("Textures\\Footman.blp", b"BLP1"),
        ("war3map.j", b"function main"),
    ];
    let map = mpq(&files, true);
    fs::create_dir(folder.path().join("maps")).unwrap();
    fs::write(folder.path().join("maps/map.w3x"), &map).unwrap();
    fs::write(folder.path().join("maps/bare.w3x"), mpq(&files[..3], false)).unwrap();
    fs::write(folder.path().join("maps/campaign.w3n"), mpq(&[("one.w3x", &map)], true)).unwrap();
    fs::write(folder.path().join("pak0.pk3"), zip(&[("models/grunt.mdx", &grunt)])).unwrap();
    folder
}

#[test]
fn a_path_into_an_archive_opens_whatever_the_case_and_the_slashes() {
    let games = games();
    let found =
        verified(games.path(), &["maps/map.w3x:units/human/FOOTMAN.mdx", "pak0.pk3:models\\grunt.mdx"]);
    // An MPQ keeps hashes and takes the user's spelling.
    assert_eq!(found, ["maps/map.w3x:units/human/FOOTMAN.mdx", "pak0.pk3:models/grunt.mdx"]);
    // The name is the key: an archive without a list has the file all the same.
    let found = verified(games.path(), &["maps/bare.w3x:Units/Orc/Grunt.mdx"]);
    assert_eq!(found, ["maps/bare.w3x:Units/Orc/Grunt.mdx"]);
    let found = verified(games.path(), &["maps/campaign.w3n:one.w3x:units/orc/grunt.mdx"]);
    assert_eq!(found, ["maps/campaign.w3n:one.w3x:units/orc/grunt.mdx"]);
    let (code, stdout, _) =
        run(games.path(), &["diff", "maps/map.w3x:Units/Orc/Grunt.mdx", "pak0.pk3:models/grunt.mdx"]);
    assert_eq!((code, stdout.as_str()), (0, "no difference\n"));
}

#[test]
fn patterns_folders_and_whole_archives_stand_for_the_models_inside() {
    let games = games();
    let both = ["maps/map.w3x:Units/Human/Footman.mdx", "maps/map.w3x:Units/Orc/Grunt.mdx"];
    assert_eq!(verified(games.path(), &["maps/map.w3x"]), both);
    assert_eq!(verified(games.path(), &["maps/map.w3x:**/*.mdx"]), both);
    assert_eq!(verified(games.path(), &["maps/m*.w3x:*.mdx"]), both);
    assert_eq!(verified(games.path(), &["maps/map.w3x:units"]), both);
    assert_eq!(verified(games.path(), &["maps/map.w3x:units/orc"]), both[1..]);
    // Two models in the map, two under made-up or won names in the bare one, two in the campaign's map, one in the PK3.
    let all = verified(games.path(), &["."]);
    assert_eq!(all.len(), 7, "{all:?}");
    assert!(all.iter().any(|path| path == "./maps/campaign.w3n:one.w3x:Units/Orc/Grunt.mdx"), "{all:?}");
}

#[test]
fn what_is_not_in_an_archive_is_one_clear_line() {
    let games = games();
    for (word, message) in [
        ("maps/map.w3x:units/peon.mdx", "there is no units/peon.mdx in this archive"),
        ("maps/map.w3x:*.m2", "there is no *.m2 in this archive"),
        ("maps/none.w3x:units/peon.mdx", "no such file or folder"),
    ] {
        let (code, _, stderr) = run(games.path(), &["verify", "--quiet", word]);
        assert_eq!((code, stderr), (1, format!("{word}: {message}\n")));
    }
}

#[test]
fn list_shows_names_and_sizes_and_json_the_same() {
    let games = games();
    let (code, stdout, stderr) = run(games.path(), &["list", "maps/map.w3x:units"]);
    assert_eq!((code, stderr.as_str()), (0, ""));
    let rows: Vec<&str> = stdout.lines().collect();
    assert!(rows[0].starts_with("maps/map.w3x   2 files, "), "{stdout}");
    assert_eq!(rows[1].split_whitespace().collect::<Vec<_>>(), ["bytes", "stored", "name"]);
    assert!(rows[2].ends_with("  Units/Human/Footman.mdx") && rows.len() == 4, "{stdout}");
    let (code, stdout, _) = run(games.path(), &["list", "--json", "."]);
    assert_eq!(code, 0);
    let listed = lines(&stdout);
    let of = |archive: &str| listed.iter().filter(|line| line["archive"] == archive).count();
    assert_eq!((of("./pak0.pk3"), of("./maps/campaign.w3n")), (1, 2), "{stdout}");
    let (_, stdout, _) = run(games.path(), &["list", "maps/campaign.w3n:one.w3x", "--json"]);
    assert_eq!(lines(&stdout).len(), 5, "{stdout}");
}

#[test]
fn extract_writes_what_fits_and_nothing_twice() {
    let games = games();
    let arguments = ["extract", "maps/map.w3x", "*.mdx", "textures", "-o", "out", "--json"];
    let (code, stdout, stderr) = run(games.path(), &arguments);
    assert_eq!(code, 0, "{stderr}");
    let names: Vec<Value> = lines(&stdout).into_iter().map(|line| line["name"].clone()).collect();
    assert_eq!(names, ["Textures/Footman.blp", "Units/Human/Footman.mdx", "Units/Orc/Grunt.mdx"]);
    let grunt = games.path().join("out/Units/Orc/Grunt.mdx");
    assert_eq!(fs::read(&grunt).unwrap(), model("Grunt", &[]));

    fs::write(&grunt, b"mine").unwrap();
    let (code, stdout, _) = run(games.path(), &arguments);
    assert_eq!(code, 1);
    assert!(lines(&stdout).iter().all(|line| line["error"].as_str().unwrap().contains("exists already")));
    assert_eq!(fs::read(&grunt).unwrap(), b"mine");
    assert_eq!(run(games.path(), &[&arguments[..], &["--force"]].concat()).0, 0);
    assert_eq!(fs::read(&grunt).unwrap(), model("Grunt", &[]));
    let (code, _, stderr) = run(games.path(), &["extract", "maps/map.w3x", "*.wav", "-o", "out2"]);
    assert!(
        code == 1 && stderr.starts_with("maps/map.w3x:*.wav: there is no *.wav in this archive\n"),
        "{stderr}"
    );
}

#[test]
fn a_model_is_extracted_with_its_textures_from_its_archive_and_the_assets() {
    let games = games();
    let arguments =
        ["extract", "maps/bare.w3x", "--with-textures", "units/human/footman.mdx", "-o", "out", "--json"];
    let (code, stdout, stderr) = run(games.path(), &arguments);
    assert_eq!(code, 0, "{stderr}");
    assert!(stderr.contains("missing Textures\\Gone.blp") && stderr.contains("--assets"), "{stderr}");
    assert_eq!(lines(&stdout).len(), 2, "{stdout}");
    assert!(games.path().join("out/Textures/Footman.blp").is_file());

    fs::create_dir_all(games.path().join("game/textures")).unwrap();
    fs::write(games.path().join("game/textures/gone.blp"), b"BLP1").unwrap();
    let (code, stdout, stderr) =
        run(games.path(), &[&arguments[..], &["--force", "--assets", "game"]].concat());
    assert_eq!((code, lines(&stdout).len()), (0, 3), "{stdout}{stderr}");
    assert!(!stderr.contains("missing"), "{stderr}");
    assert!(games.path().join("out/textures/gone.blp").is_file());
}

#[test]
fn hostile_names_never_leave_the_folder() {
    let folder = tempfile::tempdir().unwrap();
    let bytes = model("Evil", &[]);
    let names = [
        "../evil.mdx",
        "..\\..\\evil.mdx",
        "/evil.mdx",
        "C:\\evil.mdx",
        "\\\\server\\share\\evil.mdx",
        "a/../../evil.mdx",
        "a\u{1b}[2Jb.mdx",
        "CON.mdx",
        "good.mdx",
    ];
    let entries: Vec<(&str, &[u8])> = names.iter().map(|name| (*name, bytes.as_slice())).collect();
    let work = folder.path().join("deep/work");
    fs::create_dir_all(&work).unwrap();
    fs::write(work.join("bad.zip"), zip(&entries)).unwrap();
    for arguments in [
        &["extract", "bad.zip", "-o", "out"][..],
        &["convert", "bad.zip", "--to", "mdx:1000", "-o", "converted"],
        &["convert", "bad.zip:**", "--to", "mdx:1000", "-o", "patterned"],
    ] {
        let (code, stdout, stderr) = run(&work, arguments);
        assert_eq!(code, 1, "{stdout}{stderr}");
        assert!(!stdout.contains('\u{1b}') && !stderr.contains('\u{1b}'), "{stdout}{stderr}");
        let out = work.join(arguments.last().unwrap());
        assert!(out.join("good.mdx").is_file() && out.join("_CON.mdx").is_file(), "{stdout}{stderr}");
    }
    let outside: Vec<_> = effigy_testkit::files(folder.path(), |_| true)
        .into_iter()
        .filter(|path| path.to_string_lossy().contains("evil") && !path.starts_with(&work))
        .collect();
    assert_eq!(outside, Vec::<std::path::PathBuf>::new());
    // Reading them is harmless.
    assert!(verified(&work, &["bad.zip"]).len() >= 5);
}

#[test]
fn names_that_differ_in_case_only_are_written_once_and_reported() {
    let folder = tempfile::tempdir().unwrap();
    // A dot at the end is mended to the name that the other entry has already.
    fs::write(folder.path().join("twins.zip"), zip(&[("a.", b"one"), ("A_", b"two")])).unwrap();
    let (code, _, stderr) = run(folder.path(), &["extract", "twins.zip", "-o", "out"]);
    assert_eq!(code, 1);
    assert!(stderr.contains("has the same name on some systems"), "{stderr}");
    assert_eq!(effigy_testkit::files(&folder.path().join("out"), |_| true).len(), 1);
}

#[test]
fn a_bad_archive_is_one_line_and_does_not_stop_the_others() {
    let games = games();
    let whole = fs::read(games.path().join("pak0.pk3")).unwrap();
    fs::write(games.path().join("maps/cut.pk3"), &whole[..whole.len() / 2]).unwrap();
    fs::write(games.path().join("maps/head.mpq"), b"MPQ\x1a").unwrap();
    for bad in ["maps/cut.pk3", "maps/head.mpq"] {
        for arguments in [&["list", bad][..], &["extract", bad, "-o", "out"], &["verify", "--quiet", bad]] {
            let (code, stdout, stderr) = run(games.path(), arguments);
            assert_eq!((code, stdout.as_str()), (1, ""), "{arguments:?}: {stderr}");
            assert!(stderr.starts_with(&format!("{bad}: ")), "{arguments:?}: {stderr}");
            assert_eq!(stderr.lines().count(), 1, "{arguments:?}: {stderr}");
        }
    }
    let (code, stdout, _) = run(games.path(), &["verify", "--json", "maps"]);
    assert_eq!(code, 1);
    let closing = lines(&stdout).pop().unwrap();
    assert_eq!((&closing["summary"]["identical"], &closing["summary"]["failed"]), (&6.into(), &2.into()));
    fs::write(games.path().join("maps/garbage.w3x"), b"not an archive at all").unwrap();
    let (code, _, stderr) = run(games.path(), &["list", "maps/garbage.w3x"]);
    assert!(code == 1 && stderr.starts_with("maps/garbage.w3x: "), "{stderr}");
}
