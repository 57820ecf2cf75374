//! The commands on real models: what they print, what they write, and what they leave alone.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use crate::common;

use common::run;
use effigy::mdx::{Dialect, Extent, Geoset, Model, Primitive, Sequence};
use effigy::wire::FixedStr;
use serde_json::Value;
use snapbox::cmd::{Command, cargo_bin};
use std::fs;

fn model(name: &str) -> Model {
    let mut model = Model::new(Dialect::Warcraft3, 800, name);
    model.info[0].extent = Extent { radius: 3.0, min: [0.0, -0.5, 0.0], max: [1.0, 2.25, 0.0] };
    let sequence = |name, interval, move_speed| Sequence {
        name: FixedStr::truncated(name),
        interval,
        move_speed,
        ..Default::default()
    };
    model.sequences.push(sequence("Stand", [0, 1333], 0.0));
    model.sequences.push(sequence("Walk", [2000, 2800], 220.0));
    model.geosets.push(Geoset {
        vertices: vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
        normals: vec![[0.0, 0.0, 1.0]; 3],
        primitive_types: vec![Primitive::TRIANGLES.0],
        primitive_counts: vec![3],
        indices: vec![0, 1, 2],
        ..Default::default()
    });
    model
}

fn folder_with(files: &[(&str, &Model)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, model) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, model.write().unwrap()).unwrap();
    }
    folder
}

#[test]
fn info_lines_up_names_units_and_counts() {
    let folder = folder_with(&[("a.mdx", &model("Footman"))]);
    let (code, stdout, stderr) = run(folder.path(), &["info", "a.mdx"]);
    assert_eq!((code, stderr.as_str()), (0, ""));
    let expected = "\
a.mdx   Warcraft III MDX 800   \"Footman\"   882 bytes
  meshes        1   3 vertices, 1 triangle
  sequences     2   Stand 1.33s, Walk 0.80s (220/s)
  bounds            0.0 -0.5 0.0 to 1.0 2.25 0.0, radius 3.0
";
    assert_eq!(stdout, expected);
}

#[test]
fn every_json_line_has_the_fields_that_its_schema_requires() {
    let folder = folder_with(&[("a.mdx", &model("A")), ("b.mdx", &model("B"))]);
    fs::write(folder.path().join("bad.mdx"), b"").unwrap();
    let picture = &effigy_samples::textures()[0];
    fs::write(folder.path().join("a.tga"), &picture.bytes).unwrap();
    // An empty zip, and one that ends too soon.
    fs::write(folder.path().join("empty.zip"), [&b"PK\x05\x06"[..], &[0; 18]].concat()).unwrap();
    fs::write(folder.path().join("cut.zip"), b"PK\x03\x04").unwrap();
    let commands: [&[&str]; 7] = [
        &["info", "a.mdx", "bad.mdx", "a.tga"],
        &["list", "empty.zip", "cut.zip"],
        &["extract", "cut.zip", "-o", "out"],
        &["dump", "a.mdx", "--offsets"],
        &["verify", "a.mdx", "bad.mdx"],
        &["convert", "a.mdx", "--to", "mdx:1000", "-o", "out.mdx"],
        &["diff", "a.mdx", "b.mdx"],
    ];
    for arguments in commands {
        let (_, schema, _) = run(folder.path(), &["schema", arguments[0]]);
        let schema: Value = serde_json::from_str(&schema).unwrap();
        let variants: Vec<&Value> = schema["anyOf"]
            .as_array()
            .unwrap()
            .iter()
            .map(|variant| &schema["$defs"][variant["$ref"].as_str().unwrap().rsplit('/').next().unwrap()])
            .collect();
        let (_, lines, _) = run(folder.path(), &[arguments, &["--json"]].concat());
        assert!(!lines.is_empty());
        for line in lines.lines() {
            let line: Value = serde_json::from_str(line).unwrap();
            let fits = |variant: &&&Value| {
                let properties = variant["properties"].as_object().unwrap();
                let required = variant["required"].as_array().unwrap();
                required.iter().all(|name| line.get(name.as_str().unwrap()).is_some())
                    && line.as_object().unwrap().keys().all(|name| properties.contains_key(name))
            };
            assert_eq!(variants.iter().filter(fits).count(), 1, "{arguments:?}: {line}");
        }
    }
}

#[test]
fn verify_counts_and_keeps_quiet_about_what_is_fine() {
    let folder = folder_with(&[("models/a.mdx", &model("A")), ("models/deep/b.mdx", &model("B"))]);
    let (code, stdout, _) = run(folder.path(), &["verify", "models"]);
    assert_eq!(code, 0);
    assert!(stdout.starts_with("  2 files, 1.8 kB in "), "{stdout}");
    assert!(stdout.ends_with("2 identical   0 guarded   0 opaque   0 different   0 failed\n"), "{stdout}");
    let (_, stdout, _) = run(folder.path(), &["verify", "--no-recursive", "models"]);
    assert!(stdout.starts_with("  1 file, "), "{stdout}");
}

#[test]
fn convert_keeps_the_folders_and_never_overwrites_unasked() {
    let folder = folder_with(&[("in/a.mdx", &model("A")), ("in/deep/b.mdx", &model("B"))]);
    let arguments = ["convert", "in", "--to", "mdx:1000", "-o", "out"];
    let (code, stdout, stderr) = run(folder.path(), &arguments);
    assert_eq!(code, 0, "{stderr}");
    assert_eq!(stdout.lines().count(), 2, "{stdout}");
    let converted = effigy::open(folder.path().join("out/deep/b.mdx")).unwrap();
    assert_eq!((converted.version(), converted.name()), (1000, "B".to_owned()));

    fs::write(folder.path().join("out/a.mdx"), b"mine").unwrap();
    let (code, stdout, stderr) = run(folder.path(), &arguments);
    assert_eq!((code, stdout.as_str()), (0, ""), "{stderr}");
    assert!(stderr.contains("2 files were there already and left alone"), "{stderr}");
    assert_eq!(fs::read(folder.path().join("out/a.mdx")).unwrap(), b"mine");
    let (code, _, stderr) =
        run(folder.path(), &["convert", "in/a.mdx", "--to", "mdx:1000", "-o", "out/a.mdx"]);
    assert_eq!(code, 1);
    assert!(stderr.contains("in/a.mdx: cannot write out/a.mdx: the file exists already"), "{stderr}");
    assert_eq!(run(folder.path(), &[&arguments[..], &["--force"]].concat()).0, 0);
    assert_eq!(effigy::open(folder.path().join("out/a.mdx")).unwrap().version(), 1000);
}

#[test]
fn a_conversion_that_was_interrupted_goes_on_with_what_is_missing() {
    let model = model("A");
    let folder = folder_with(&[("in/a.mdx", &model), ("in/b.mdx", &model), ("in/deep/c.mdx", &model)]);
    let path = |name: &str| folder.path().join(name);
    for (target, main) in [("glb", "glb"), ("gltf", "gltf")] {
        let out = format!("out-{target}/");
        let arguments = ["convert", "in", "--to", target, "-o", &out];
        assert_eq!(run(folder.path(), &arguments).0, 0);
        let whole = fs::read(path(&format!("{out}deep/c.{main}"))).unwrap();
        // As a run leaves it that was killed: one is missing, another was being written under a name of its own, and of
        // a third only the companions were there.
        fs::remove_file(path(&format!("{out}deep/c.{main}"))).unwrap();
        fs::write(path(&format!("{out}deep/.effigy-half")), b"glTF").unwrap();
        fs::write(path(&format!("{out}a.{main}")), b"finished before").unwrap();
        let (code, stdout, stderr) = run(folder.path(), &arguments);
        assert_eq!(
            (code, stdout.lines().filter(|line| line.contains(&out)).count()),
            (0, 1),
            "{stdout}{stderr}"
        );
        assert!(
            stderr.contains("1 file written") && stderr.contains("2 files were there already"),
            "{stderr}"
        );
        assert_eq!(fs::read(path(&format!("{out}deep/c.{main}"))).unwrap(), whole);
        assert_eq!(fs::read(path(&format!("{out}a.{main}"))).unwrap(), b"finished before");
    }
}

#[test]
fn strict_writes_nothing_where_something_would_be_lost() {
    let mut lossy = model("A").upgrade(1000).unwrap().0;
    lossy.geosets[0].name = FixedStr::truncated("Body");
    let folder = folder_with(&[("a.mdx", &lossy)]);
    let strict = ["convert", "a.mdx", "--to", "mdx:800", "-o", "out.mdx", "--strict"];
    let (code, _, stderr) = run(folder.path(), &strict);
    assert_eq!(code, 1);
    assert!(stderr.contains("--strict: "), "{stderr}");
    assert!(!folder.path().join("out.mdx").exists());

    let (code, stdout, _) = run(
        folder.path(),
        &["convert", "a.mdx", "--to", "mdx:800", "-o", "out.mdx", "--report", "lost.ndjson"],
    );
    assert_eq!(code, 0);
    assert!(stdout.contains("dropped"), "{stdout}");
    let report: Value =
        serde_json::from_str(&fs::read_to_string(folder.path().join("lost.ndjson")).unwrap()).unwrap();
    assert_eq!(report["notes"][0]["outcome"], "dropped");
}

#[test]
fn two_inputs_of_the_same_name_get_folders_and_what_would_become_one_file_is_an_error() {
    let folder = folder_with(&[("x/a.mdx", &model("A")), ("y/a.mdx", &model("B"))]);
    let (code, _, stderr) =
        run(folder.path(), &["convert", "x/a.mdx", "y/a.mdx", "--to", "mdx:800", "-o", "out", "--force"]);
    assert_eq!(code, 0, "{stderr}");
    for (path, name) in [("out/x/a.mdx", "A"), ("out/y/a.mdx", "B")] {
        assert_eq!(effigy::open(folder.path().join(path)).unwrap().name(), name);
    }
    let twice = ["convert", "x/a.mdx", "x/a.mdx", "--to", "mdx:800", "-o", "two", "--force"];
    let (code, _, stderr) = run(folder.path(), &twice);
    assert_eq!(code, 1);
    assert!(stderr.contains("was already written for another input"), "{stderr}");
    assert_eq!(effigy::open(folder.path().join("two/a.mdx")).unwrap().name(), "A");
}

#[test]
fn stdin_to_stdout_is_the_model_and_nothing_else() {
    let bytes = model("A").write().unwrap();
    let output = Command::new(cargo_bin!("effigy"))
        .args(["convert", "-", "--to", "mdx", "-o", "-", "--json"])
        .stdin(bytes.clone())
        .output()
        .unwrap();
    assert_eq!(output.stdout, bytes);
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn diff_tells_the_field_and_agrees_with_the_exit_code() {
    let mut changed = model("A");
    changed.sequences[0].name.set("Stand - 2").unwrap();
    let folder = folder_with(&[("a.mdx", &model("A")), ("b.mdx", &changed), ("c.mdx", &model("A"))]);
    let (code, stdout, _) = run(folder.path(), &["diff", "a.mdx", "b.mdx"]);
    assert_eq!((code, stdout.as_str()), (1, "~ SEQS[0].name: \"Stand\" -> \"Stand - 2\"\n1 difference\n"));
    assert_eq!(
        run(folder.path(), &["diff", "a.mdx", "c.mdx"]),
        (0, "no difference\n".to_owned(), String::new())
    );
}

#[test]
fn man_pages_and_completions_exist_for_every_command() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(run(folder.path(), &["man", "--output", "man"]).0, 0);
    let pages = fs::read_dir(folder.path().join("man")).unwrap().count();
    // One for the command itself, one for each subcommand, `help` and `view` among them.
    assert_eq!(pages, 22 + usize::from(cfg!(feature = "view")));
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let (code, stdout, _) = run(folder.path(), &["completions", shell]);
        assert!(code == 0 && stdout.contains("verify"), "{shell}");
    }
}

#[test]
fn the_demo_writes_every_sample_once_and_they_all_come_back() {
    let folder = tempfile::tempdir().unwrap();
    let samples = effigy_samples::all();
    for _ in 0..2 {
        let (code, stdout, stderr) = run(folder.path(), &["demo", "out", "--all", "--json"]);
        assert_eq!(code, 0, "{stderr}");
        let others = effigy_samples::textures().len() + effigy_samples::scripts().len();
        assert_eq!(stdout.lines().count(), samples.len() + others);
    }
    for sample in &samples {
        assert_eq!(fs::read(folder.path().join("out").join(&sample.file_name)).unwrap(), sample.bytes);
    }
    let (_, stdout, _) = run(folder.path(), &["verify", "out", "--json"]);
    let summary: Value = serde_json::from_str(stdout.lines().last().unwrap()).unwrap();
    // Animation files belong to their model and are none themselves.
    let models = samples.iter().filter(|sample| !sample.file_name.ends_with(".anim")).count();
    assert_eq!(summary["summary"]["files"], models);
    assert_eq!((&summary["summary"]["different"], &summary["summary"]["failed"]), (&0.into(), &0.into()));

    fs::write(folder.path().join("out").join(&samples[0].file_name), b"mine").unwrap();
    assert_eq!(run(folder.path(), &["demo", "out", "--all"]).0, 1);
    let forced = run(folder.path(), &["demo", "out", "--all", "--force", "--quiet"]);
    assert_eq!(forced, (0, String::new(), String::new()));
}

#[test]
fn the_tour_has_a_guide_and_whose_commands_work() {
    let folder = tempfile::tempdir().unwrap();
    let (code, _, stderr) = run(folder.path(), &["demo"]);
    assert!(code == 0 && stderr.contains("README.md"), "{stderr}");
    let demo = folder.path().join("demo");
    for file in [
        "warcraft3/LanternBeetle.glb",
        "wow/LanternBeetle03.skin",
        "wolfenstein/scripts/lanternbeetle.shader",
    ] {
        assert!(demo.join(file).is_file(), "{file}");
    }
    let guide = fs::read_to_string(demo.join("README.md")).unwrap();
    let commands: Vec<&str> = guide.lines().filter(|line| line.starts_with("effigy ")).collect();
    assert_eq!(commands.len(), 12);
    for command in commands {
        let words: Vec<&str> = command.split('#').next().unwrap().split_whitespace().skip(1).collect();
        // Pictures are tested where there is a driver, and two versions differ.
        let expected = if words[0] == "diff" { 1 } else { 0 };
        if words[0] != "render" {
            let (code, stdout, stderr) = run(&demo, &words);
            assert_eq!(code, expected, "{command}: {stdout}{stderr}");
        }
    }
}

#[test]
fn convert_never_takes_an_input_for_a_finished_result() {
    let folder = folder_with(&[("in/a.mdx", &model("Footman"))]);
    let (code, _, stderr) = run(folder.path(), &["convert", "in/", "--to", "mdx:1000", "-o", "in/"]);
    assert!(code == 1 && stderr.contains("--force"), "{stderr}");
    let (code, _, stderr) = run(folder.path(), &["convert", "in/", "--to", "mdx:1000", "-o", "out/"]);
    assert_eq!(code, 0, "{stderr}");
    let (code, _, stderr) = run(folder.path(), &["convert", "in/", "--to", "mdx:1000", "-o", "out/"]);
    assert!(code == 0 && stderr.contains("1 file was there already"), "{stderr}");
}
