//! `effigy check`: what it prints, what it repairs, and what it leaves alone.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use crate::common;

use common::run;
use effigy::mdx::track::tags;
use effigy::mdx::{
    Attachment, Bone, Dialect, Extent, Geoset, Interpolation, Key, Layer, Material, Model, Node, Primitive,
    Sequence, Texture, Track,
};
use effigy::wire::FixedStr;
use serde_json::Value;
use std::fs;

/// A unit whose bone has keys out of order and whose mesh names a material that is not there.
fn broken() -> Model {
    let mut model = Model::new(Dialect::Warcraft3, 800, "Footman");
    let extent = Extent { radius: 3.0, min: [-1.0; 3], max: [1.0; 3] };
    model.info[0].extent = extent.clone();
    for (name, interval) in [("Stand", [0, 1000]), ("Walk", [2000, 3000]), ("Death", [4000, 5000])] {
        let name = FixedStr::truncated(name);
        model.sequences.push(Sequence { name, interval, extent: extent.clone(), ..Default::default() });
    }
    model.geosets.push(Geoset {
        vertices: vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
        normals: vec![[0.0, 0.0, 1.0]; 3],
        uv_sets: vec![vec![[0.0; 2]; 3]],
        primitive_types: vec![Primitive::TRIANGLES.0],
        primitive_counts: vec![3],
        indices: vec![0, 1, 2],
        vertex_groups: vec![0; 3],
        group_sizes: vec![1],
        group_nodes: vec![0],
        material: 3,
        extent: extent.clone(),
        sequence_extents: vec![extent; 3],
        ..Default::default()
    });
    let path = FixedStr::truncated("Textures\\Footman.blp");
    model.textures.push(Texture { path, ..Default::default() });
    model.materials.push(Material { layers: vec![Layer::default()], ..Default::default() });
    let keys = [0, 600, 300, 1000].map(|time| Key::new(time, [1.0_f32, 0.0, time as f32]));
    let track = Track::new(tags::KGTR, Interpolation::LINEAR, &keys).unwrap();
    let node = Node {
        name: FixedStr::truncated("Root"),
        tracks: [track].into_iter().collect(),
        ..Default::default()
    };
    model.bones.push(Bone { node, ..Default::default() });
    let node = Node { name: FixedStr::truncated("Origin Ref"), object_id: 1, ..Default::default() };
    model.attachments.push(Attachment { node, ..Default::default() });
    model.pivots = vec![[0.0; 3]; 2];
    model
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("units")).unwrap();
    fs::write(folder.path().join("units/a.mdx"), broken().write().unwrap()).unwrap();
    folder
}

#[test]
fn findings_are_grouped_by_file_worst_first_with_their_places() {
    let folder = folder();
    let (code, stdout, stderr) = run(folder.path(), &["check", "units/a.mdx", "--game", "wc3-reforged"]);
    assert_eq!((code, stderr.as_str()), (1, ""));
    let expected = "\
units/a.mdx   unit (a sequence Walk)
  error    MDX4004  mesh refers to a missing material
           0x519: GEOS[0].material: material 3 does not exist, there are 1
  severe   MDX3005  keys out of order
           0x629: BONE[0].node.tracks.KGTR: key 2 of 4 is earlier than the one before it [fix]
  + 1 unused (--verbose lists them)
  accepted by wc3-classic, wc3-reforged
  1 file, 0 clean    1 error   1 severe   0 warnings   0 notes   1 unused   --fix repairs 1
";
    assert_eq!(stdout, expected);
}

#[test]
fn codes_can_be_chosen_left_out_and_explained() {
    let folder = folder();
    let path = folder.path();
    let (code, stdout, _) = run(path, &["check", "units", "--ignore", "MDX4004,MDX3"]);
    assert_eq!(code, 0, "{stdout}");
    assert!(stdout.starts_with("units/a.mdx   clean   1 unused (--verbose lists them)\n"), "{stdout}");
    let (_, stdout, _) = run(path, &["check", "units", "--ignore", "MDX4004,MDX3", "--verbose"]);
    assert!(stdout.contains("MDX7002") && !stdout.contains("MDX3005"), "{stdout}");
    let (code, stdout, _) = run(path, &["check", "units", "--quiet"]);
    assert!(code == 1 && stdout.contains("MDX4004") && !stdout.contains("MDX3005"), "{stdout}");
    let (code, stdout, _) = run(path, &["check", "units", "--select", "MDX7", "--deny", "unused"]);
    assert_eq!(code, 1, "{stdout}");
    let (code, stdout, _) = run(path, &["check", "--explain", "mdx3005"]);
    assert_eq!(code, 0);
    assert!(stdout.starts_with("MDX3005  keys out of order   severe\n"), "{stdout}");
    assert!(stdout.ends_with("--fix repairs it where that is safe.\n"), "{stdout}");
    let (code, _, stderr) = run(path, &["check", "--explain", "MDX9999"]);
    assert_eq!(code, 2);
    assert!(stderr.starts_with("error: there is no code MDX9999"), "{stderr}");
    let (code, stdout, _) = run(path, &["check", "--explain", "mdx71"]);
    assert_eq!((code, stdout.as_str()), (2, ""));
    let (code, stdout, _) = run(path, &["check", "--explain", "MDX700"]);
    assert_eq!(code, 0);
    assert!(stdout.starts_with("MDX7001  unused   unused texture\nMDX7002  unused "), "{stdout}");
    for option in ["--select", "--ignore"] {
        let (code, stdout, stderr) = run(path, &["check", "units", option, "MDX12345"]);
        assert_eq!((code, stdout.as_str()), (2, ""), "{option}");
        assert!(stderr.contains("no code begins with MDX12345"), "{stderr}");
    }
    assert_eq!(run(path, &["check", "units", "--select", "MDX3", "--deny", "warning"]).0, 1);
}

#[test]
fn the_nearest_effigy_toml_sets_defaults_for_its_folder() {
    let folder = folder();
    let path = folder.path();
    let settings =
        "[check]\nignore = [\"MDX4004\"]\n[check.folder.units]\nprofile = \"doodad\"\ndeny = \"severe\"\n";
    fs::write(path.join("effigy.toml"), settings).unwrap();
    let (code, stdout, _) = run(path, &["check", "units"]);
    assert_eq!(code, 1, "{stdout}");
    assert!(stdout.starts_with("units/a.mdx   doodad (as asked for)\n  severe "), "{stdout}");
    fs::write(path.join("effigy.toml"), "[check]\nignored = []\n").unwrap();
    // What is wrong is said once, however many files there are.
    fs::write(path.join("units/b.mdx"), broken().write().unwrap()).unwrap();
    let (code, stdout, stderr) = run(path, &["check", "units"]);
    assert_eq!((code, stdout.as_str()), (2, ""));
    assert_eq!(stderr.matches("unknown field").count(), 1, "{stderr}");
    assert!(stderr.contains("effigy.toml") && stderr.contains("line 2"), "{stderr}");
    for (wrong, said) in [
        ("ignore = [\"MDX9999\"]", "no code begins with MDX9999"),
        ("game = \"quake\"", "unknown game 'quake'"),
        ("[check.folder.units.folder.heroes]\nprofile = \"unit\"", "units/inner"),
    ] {
        fs::write(path.join("effigy.toml"), format!("[check]\n{wrong}\n")).unwrap();
        let (code, _, stderr) = run(path, &["check", "units"]);
        assert!(code == 2 && stderr.contains(said), "{wrong}: {stderr}");
    }
    fs::write(path.join("effigy.toml"), "[check]\ngame = \"wc3-classic\"\n").unwrap();
    let (_, stdout, _) = run(path, &["check", "units/a.mdx"]);
    assert!(stdout.contains("accepted by wc3-classic, wc3-reforged"), "{stdout}");
}

#[test]
fn repairs_are_listed_written_and_gone_afterwards() {
    let folder = folder();
    let path = folder.path();
    let original = fs::read(path.join("units/a.mdx")).unwrap();
    let (_, stdout, _) = run(path, &["check", "units/a.mdx", "--fix", "--dry-run"]);
    assert!(!stdout.contains("repaired"), "{stdout}");
    assert!(
        stdout.contains("  plan     MDX3005  BONE[0].node.tracks.KGTR: sorted 4 keys by time\n"),
        "{stdout}"
    );
    assert!(
        stdout.contains("BONE[0].node.tracks.KGTR.times: [0, 600, 300, 1000] -> [0, 300, 600, 1000]\n"),
        "{stdout}"
    );
    assert_eq!(fs::read(path.join("units/a.mdx")).unwrap(), original);

    let (_, stdout, _) = run(path, &["check", "units/a.mdx", "--fix", "-o", "b.mdx"]);
    assert!(stdout.contains("  fixed    MDX3005") && !stdout.contains("->"), "{stdout}");
    // What was found is shown although the result cannot be written again.
    let (code, stdout, stderr) = run(path, &["check", "units/a.mdx", "--fix", "-o", "b.mdx"]);
    assert!(code == 1 && stderr.contains("--force") && !stdout.contains("not readable"), "{stdout}{stderr}");
    let mended = fs::read(path.join("b.mdx")).unwrap();
    assert_eq!(mended.len(), original.len());
    let differing = mended.iter().zip(&original).filter(|(a, b)| a != b).count();
    assert!((1..=16).contains(&differing), "{differing} bytes differ");
    let (_, stdout, _) = run(path, &["check", "b.mdx"]);
    assert!(!stdout.contains("MDX3005"), "{stdout}");

    let (_, _, stderr) = run(path, &["check", "units", "--fix", "--in-place"]);
    assert_eq!(stderr, "");
    assert_eq!(fs::read(path.join("units/a.mdx")).unwrap(), mended);
    assert_eq!(fs::read(path.join("units/a.mdx.bak")).unwrap(), original);
    let (code, _, stderr) = run(path, &["check", "units", "--fix"]);
    assert_eq!(code, 2, "{stderr}");
}

#[test]
fn skins_are_checked_with_their_models() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    assert_eq!(run(path, &["demo", "demo", "--all", "--quiet"]).0, 0);
    let skin = fs::read_dir(path.join("demo")).unwrap().map(|entry| entry.unwrap().path());
    let skin =
        skin.filter(|path| path.extension().is_some_and(|extension| extension == "skin")).min().unwrap();
    let (_, _, stderr) = run(path, &["check", "demo"]);
    assert!(!stderr.contains(".skin"), "{stderr}");
    let (code, _, stderr) = run(path, &["check", skin.to_str().unwrap()]);
    assert_eq!(code, 1);
    assert!(stderr.contains("is checked with its model"), "{stderr}");
}

#[test]
fn text_is_repaired_only_where_the_rest_of_it_stays_as_it_is() {
    use effigy::mdx::text::{PrintOptions, Spelling, parse, print};
    let folder = folder();
    let path = folder.path();
    let options = PrintOptions { dialect: Spelling::Retera, plain: false };
    let (ours, _) = print(&broken(), &options);
    fs::write(path.join("ours.mdl"), &ours).unwrap();
    let (code, stdout, stderr) = run(path, &["check", "ours.mdl", "--fix", "-o", "mended.mdl"]);
    assert_eq!((code, stderr.as_str()), (1, ""), "{stdout}");
    assert!(stdout.contains("fixed    MDX3005  BONE[0].node.tracks.KGTR: sorted 4 keys by time"), "{stdout}");
    let mended = fs::read(path.join("mended.mdl")).unwrap();
    let lines = |bytes: &[u8]| bytes.split(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect::<Vec<_>>();
    let (before, after) = (lines(&ours), lines(&mended));
    assert_eq!(before.len(), after.len());
    assert_eq!(before.iter().zip(&after).filter(|(a, b)| a != b).count(), 2, "two keys change places");
    assert!(!check_codes(&parse(&mended).unwrap()).contains(&"MDX3005".to_owned()));

    let by_hand = [b"// my footman\n".as_slice(), &ours].concat();
    fs::write(path.join("hand.mdl"), &by_hand).unwrap();
    let (code, stdout, stderr) = run(path, &["check", "hand.mdl", "--fix", "-o", "mended2.mdl"]);
    assert_eq!(code, 1, "{stdout}");
    assert!(stderr.contains("would not stay as they are") && stderr.contains("effigy convert"), "{stderr}");
    assert!(!path.join("mended2.mdl").exists());
    let (_, stdout, _) = run(path, &["check", "hand.mdl", "--fix", "--dry-run"]);
    assert!(
        stdout.contains("plan     MDX3005") && stdout.contains("~ BONE[0].node.tracks.KGTR.times"),
        "{stdout}"
    );
    assert!(stdout.contains("would not stay as they are"), "{stdout}");
    assert_eq!(fs::read(path.join("hand.mdl")).unwrap(), by_hand);
}

fn check_codes(model: &Model) -> Vec<String> {
    let checked = effigy::rules::check(model, &effigy::CheckOptions::default());
    checked.findings.iter().map(|finding| finding.code.to_string()).collect()
}

#[test]
fn machines_get_json_sarif_and_annotations() {
    let folder = folder();
    let path = folder.path();
    fs::write(path.join("units/bad.mdx"), b"MDLX").unwrap();
    let (code, stdout, _) = run(path, &["check", "units", "--json"]);
    assert_eq!(code, 1);
    let lines: Vec<Value> = stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 3);
    assert_eq!(lines[0]["profile"], "unit");
    assert_eq!(lines[0]["findings"][0]["code"], "MDX4004");
    assert_eq!(lines[1]["kind"], "malformed");
    assert_eq!(lines[2]["summary"]["failed"], 1);

    let (code, stdout, _) = run(path, &["check", "units", "--format", "sarif"]);
    assert_eq!(code, 1);
    let log: Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!(log["version"], "2.1.0");
    let results = log["runs"][0]["results"].as_array().unwrap();
    assert_eq!(results.len(), 4);
    assert_eq!(results[0]["ruleId"], "MDX4004");
    assert_eq!(results[0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "units/a.mdx");
    let rules = log["runs"][0]["tool"]["driver"]["rules"].as_array().unwrap();
    assert!(results.iter().all(|result| rules.iter().any(|rule| rule["id"] == result["ruleId"])));

    let (_, stdout, _) = run(path, &["check", "units/a.mdx", "--format", "github"]);
    let first = "::error file=units/a.mdx,title=MDX4004 mesh refers to a missing material::mesh refers to a missing material: GEOS[0].material: material 3 does not exist, there are 1\n";
    assert!(stdout.starts_with(first), "{stdout}");
}
