//! Conversions into another game: every option does what it says and nothing else, and folders and archives arrive whole.

use crate::common::files::zip;
use crate::common::{put, run, sample};
use effigy::Model;
use effigy::mdx::{Bone, Dialect, Geoset, Primitive, Sequence};
use effigy::wire::FixedStr;
use std::fs;
use std::path::Path;

/// A triangle 4 units high on a bone that moves at a steady pace, with more keys than are needed.
const TALL: &str = r#"
Version { FormatVersion 800, }
Model "Tall" { NumGeosets 1, NumBones 1, BlendTime 150, }
Sequences 2 {
    Anim "Stand" { Interval { 0, 1000 }, }
    Anim "Walk" { Interval { 2000, 4000 }, }
}
Textures 1 { Bitmap { Image "Tall.tga", } }
Materials 1 { Material { Layer { FilterMode None, static TextureID 0, } } }
Geoset {
    Vertices 3 { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 4 }, }
    Normals 3 { { 0, 0, 1 }, { 0, 0, 1 }, { 0, 0, 1 }, }
    TVertices 3 { { 0, 0 }, { 1, 0 }, { 0, 1 }, }
    VertexGroup { 0, 0, 0, }
    Faces 1 3 { Triangles { { 0, 1, 2 }, } }
    Groups 1 1 { Matrices { 0 }, }
    MaterialID 0,
    SelectionGroup 0,
}
Bone "Bone" {
    ObjectId 0,
    GeosetId 0,
    GeosetAnimId None,
    Translation 8 {
        Linear,
        0: { 0, 0, 0 },
        250: { 1, 0, 0 },
        500: { 2, 0, 0 },
        750: { 3, 0, 0 },
        1000: { 4, 0, 0 },
        2000: { 0, 0, 0 },
        3000: { 5, 0, 0 },
        4000: { 10, 0, 0 },
    }
}
Attachment "Head Ref" { ObjectId 1, Parent 0, AttachmentID 0, }
PivotPoints 2 { { 0, 0, 0 }, { 0, 0, 4 }, }
"#;

fn tall() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    put(folder.path(), "a.mdl", TALL.as_bytes());
    put(folder.path(), "Tall.tga", &sample_texture("LanternBeetle.tga"));
    folder
}

fn sample_texture(name: &str) -> Vec<u8> {
    effigy_samples::textures().into_iter().find(|sample| sample.file_name == name).unwrap().bytes
}

/// Converts, which has to succeed; what was said on stderr.
#[track_caller]
fn convert(folder: &Path, words: &[&str]) -> String {
    let (code, stdout, stderr) = run(folder, &[&["convert"], words].concat());
    assert_eq!(code, 0, "{words:?}: {stdout}{stderr}");
    stderr
}

/// All files below a folder, with slashes, sorted.
fn files(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap().to_str().unwrap();
                found.push(name.replace('\\', "/"));
            }
        }
    }
    found.sort();
    found
}

fn frames(path: &Path) -> effigy::mdc::Model {
    let Model::Mdc(model) = effigy::open(path).unwrap() else { panic!("{}", path.display()) };
    (*model).clone()
}

fn warcraft(path: &Path) -> effigy::mdx::Model {
    let Model::Mdx(model) = effigy::open(path).unwrap() else { panic!("{}", path.display()) };
    (*model).clone()
}

fn world(path: &Path) -> effigy::m2::Model {
    let Model::M2(model) = effigy::open(path).unwrap() else { panic!("{}", path.display()) };
    (*model).clone()
}

#[test]
fn sizes_and_rates_are_those_that_were_asked_for() {
    let folder = tall();
    let path = folder.path();
    // The top in 64ths, and the frames of a Stand of one second. A unit is 0.7 units: 4 * 0.7 * 64 is 179.2.
    for (words, top, stand) in [
        (&[][..], 179, 15),
        (&["--scale", "3"], 768, 15),
        (&["--height", "2"], 128, 15),
        (&["--fps", "20"], 179, 20),
        (&["--scale", "2", "--fps", "5"], 512, 5),
    ] {
        for format in ["md3", "mdc"] {
            let name = format!("a.{format}");
            convert(path, &[&["a.mdl", "-o", &name, "--force"], words].concat());
            let found = frames(&path.join(&name)).decode().unwrap()[0].positions(0)[2][2];
            assert_eq!(found, top as f32 / 64.0, "{words:?}");
            let rows = fs::read_to_string(path.join("a.animation.cfg")).unwrap();
            let row: Vec<&str> = rows.lines().nth(1).unwrap().split('\t').collect();
            assert_eq!(row[1], stand.to_string(), "{words:?}");
        }
    }
    for (words, top) in [(&[][..], 4.0 / 56.0), (&["--scale", "3"], 12.0), (&["--height", "2"], 2.0)] {
        convert(path, &[&["a.mdl", "-o", "a.m2", "--force"], words].concat());
        assert_eq!(world(&path.join("a.m2")).vertices[2].position[2], top, "{words:?}");
    }
    let (code, _, stderr) = run(path, &["convert", "a.mdl", "-o", "b.md3", "--scale", "2", "--height", "3"]);
    assert!(code == 2 && stderr.contains("cannot be used with"), "{stderr}");
}

#[test]
fn keys_that_are_not_needed_stay_only_where_that_is_asked_for() {
    let folder = tall();
    for (words, counts) in [(&[][..], [2, 2]), (&["--keep-keys"], [5, 3])] {
        convert(folder.path(), &[&["a.mdl", "-o", "a.m2", "--force"], words].concat());
        let model = world(&folder.path().join("a.m2"));
        let times = &model.bones[0].translation.times;
        assert_eq!([0, 1].map(|at| times.part(at).len()), counts, "{words:?}");
    }
}

/// The creature of World of Warcraft has an attack with bare hands.
#[test]
fn options_of_creatures_change_what_they_name_and_nothing_else() {
    const SKINS: [&str; 5] = ["", "Fire", "Glow", "Smoke", "Team"];
    let textures: Vec<String> =
        SKINS.iter().map(|skin| format!("war3mapImported/LanternBeetle_LanternBeetle{skin}.blp")).collect();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    for part in ["", "00", "01", "02", "03"] {
        let end = if part.is_empty() { ".m2".to_owned() } else { format!("{part}.skin") };
        put(path, &format!("in/a{end}"), &sample(&format!("m2-264-creature{end}")));
    }
    for sample in effigy_samples::textures() {
        put(path, &format!("in/{}", sample.file_name), &sample.bytes);
    }
    for (at, (words, attack, has_portrait, has_textures)) in [
        (&[][..], Some("Attack"), false, true),
        (&["--weapon", "unarmed"], Some("Attack"), false, true),
        (&["--weapon", "1h"], None, false, true),
        (&["--weapon", "1h", "--all-sequences"], Some("Cinematic AttackUnarmed"), false, true),
        (&["--weapon", "1h", "--keep-keys"], None, false, true),
        (&["--portrait"], Some("Attack"), true, true),
        (&["--no-textures"], Some("Attack"), false, false),
    ]
    .into_iter()
    .enumerate()
    {
        let out = format!("out{at}");
        let stderr =
            convert(path, &[&["in/a.m2", "--to", "mdx:800", "-o", &format!("{out}/")], words].concat());
        assert!(!stderr.contains("same game"), "{stderr}");
        let mut wanted = vec!["a.mdx".to_owned()];
        wanted.extend(has_portrait.then(|| "a_Portrait.mdx".to_owned()));
        wanted.extend(textures.iter().filter(|_| has_textures).cloned());
        assert_eq!(files(&path.join(&out)), wanted, "{words:?}");
        let model = warcraft(&path.join(&out).join("a.mdx"));
        let names: Vec<String> = model.sequences.iter().map(|it| it.name.text().into_owned()).collect();
        let attacks: Vec<&str> =
            names.iter().map(String::as_str).filter(|name| name.contains("Attack")).collect();
        assert_eq!(attacks, attack.into_iter().collect::<Vec<_>>(), "{words:?}: {names:?}");
        assert!(names.iter().any(|name| name == "Stand - 2"), "{names:?}");
    }
}

#[test]
fn the_users_names_win_and_can_be_printed() {
    let folder = tall();
    let path = folder.path();
    let print = |words: &[&str]| {
        let (code, stdout, stderr) = run(path, &[&["convert", "a.mdl", "--print-names"], words].concat());
        assert_eq!((code, stderr.as_str()), (0, ""), "{words:?}: {stdout}");
        stdout
    };
    let usual = "\
# Old names, and new ones in Quake's engines. An empty new name leaves a sequence or tag out.
[sequences]
\"Stand\" = \"Stand\"
\"Walk\" = \"Walk\"

[attachments]
\"Head Ref\" = \"tag_head\"
";
    assert_eq!(print(&["--to", "md3"]), usual);
    assert_eq!(print(&["--to", "mdc"]), usual);
    assert!(print(&["--to", "m2"]).contains("\"Walk\" = \"Run\"\n"));
    // Without a target they are Warcraft III's; nothing was written.
    assert!(print(&[]).starts_with("# Old names, and new ones in Warcraft III."));
    assert_eq!(files(path), ["Tall.tga", "a.mdl"]);

    let chosen = "[sequences]\nStand = \"\"\nWalk = \"Death\"\n[attachments]\n\"Head Ref\" = \"tag_hat\"\n";
    fs::write(path.join("names.toml"), chosen).unwrap();
    let names = ["--names", "names.toml"];
    assert!(print(&["--to", "md3", names[0], names[1]]).contains("\"Walk\" = \"Death\"\n"));
    convert(path, &["a.mdl", "-o", "a.md3", names[0], names[1]]);
    let rows = fs::read_to_string(path.join("a.animation.cfg")).unwrap();
    assert_eq!(rows.lines().skip(1).collect::<Vec<_>>(), ["0\t30\t30\t15\t// Death"]);
    assert!(fs::read_to_string(path.join("a.skin")).unwrap().ends_with("tag_hat,\n"));
    assert_eq!(frames(&path.join("a.md3")).frames[29].name.text(), "Death29");
    convert(path, &["a.mdl", "-o", "a.m2", names[0], names[1]]);
    let ids: Vec<u16> = world(&path.join("a.m2")).sequences.iter().map(|it| it.id).collect();
    // Death is 1.
    assert!(ids.contains(&1) && !ids.contains(&4), "{ids:?}");

    fs::write(path.join("names.toml"), "[frames]\n").unwrap();
    let (code, _, stderr) = run(path, &["convert", "a.mdl", "-o", "b.md3", names[0], names[1]]);
    assert!(code == 1 && stderr.contains("names.toml: "), "{stderr}");
}

#[test]
fn engines_cut_surfaces_where_their_limit_is() {
    const VERTICES: u16 = 2100;
    let mut model = effigy::mdx::Model::new(Dialect::Warcraft3, 800, "Strip");
    model.sequences.push(Sequence {
        name: FixedStr::truncated("Stand"),
        interval: [0, 100],
        ..Sequence::default()
    });
    model.bones.push(Bone::default());
    model.pivots.push([0.0; 3]);
    model.geosets.push(Geoset {
        vertices: (0..VERTICES).map(|at| [f32::from(at / 2) / 8.0, f32::from(at % 2), 0.0]).collect(),
        normals: vec![[0.0, 0.0, 1.0]; usize::from(VERTICES)],
        primitive_types: vec![Primitive::TRIANGLES.0],
        primitive_counts: vec![3 * (u32::from(VERTICES) - 2)],
        indices: (0..VERTICES - 2).flat_map(|at| [at, at + 1, at + 2]).collect(),
        vertex_groups: vec![0; usize::from(VERTICES)],
        group_sizes: vec![1],
        group_nodes: vec![0],
        ..Geoset::default()
    });
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    put(path, "strip.mdx", &model.write().unwrap());
    // A part of a strip shares two vertices with the one before it.
    for (words, sizes) in [
        (&[][..], [999, 999, 106]),
        (&["--engine", "ioq3"], [999, 999, 106]),
        (&["--engine", "rtcw"], [999, 999, 106]),
        (&["--engine", "ET"], [1024, 1024, 56]),
    ] {
        convert(path, &[&["strip.mdx", "-o", "strip.md3", "--force"], words].concat());
        let found: Vec<usize> =
            frames(&path.join("strip.md3")).surfaces.iter().map(|it| it.texcoords.len()).collect();
        assert_eq!(found, sizes, "{words:?}");
    }
}

#[test]
fn options_without_an_effect_on_the_target_are_refused() {
    let folder = tall();
    let path = folder.path();
    fs::write(path.join("names.toml"), "").unwrap();
    for (words, targets) in [
        (&["--scale", "2"][..], &["png"][..]),
        (&["--height", "2"], &["glb", "mds", "png"]),
        (&["--weapon", "auto"], &["md3", "mdc", "gltf"]),
        (&["--keep-keys"], &["md3", "mdc", "glb"]),
        (&["--all-sequences"], &["m2", "md3", "mdc", "glb"]),
        (&["--names", "names.toml"], &["glb", "png"]),
        (&["--print-names"], &["glb", "png"]),
        (&["--portrait"], &["m2", "md3", "mdc", "glb"]),
        (&["--engine", "ioq3"], &["mdx", "mdl", "m2", "glb"]),
        (&["--fps", "20"], &["mdx", "m2", "png"]),
        (&["--no-textures"], &["mds", "png"]),
    ] {
        for target in targets {
            let (code, stdout, stderr) =
                run(path, &[&["convert", "a.mdl", "--to", target, "-o", "out"], words].concat());
            let target = if *target == "png" { "textures" } else { target };
            let wanted = format!("error: {} has no effect on {target}, only on ", words[0]);
            assert!(code == 2 && stderr.contains(&wanted) && stdout.is_empty(), "{words:?}: {stderr}");
        }
    }
    let (_, _, stderr) = run(path, &["convert", "a.mdl", "--to", "m2", "-o", "out", "--portrait"]);
    assert_eq!(stderr, "error: --portrait has no effect on m2, only on mdx, mdl; leave it out\n");
    assert_eq!(files(path), ["Tall.tga", "a.mdl", "names.toml"]);
}

#[test]
fn models_that_stay_in_their_game_are_counted_where_options_cannot_change_them() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    put(path, "in/frames.mdc", &sample("mdc-2-hat.mdc"));
    put(path, "in/a.mdx", &sample("mdx-1100-creature.mdx"));
    let stderr = convert(path, &["in", "--to", "mdx:800", "-o", "one", "--height", "50"]);
    let wanted =
        "1 model stays in the same game, where --height has no effect; `effigy edit` scales and renames\n";
    assert!(stderr.contains(wanted), "{stderr}");
    // The other one has the height.
    let heights: Vec<f32> = warcraft(&path.join("one/frames.mdx"))
        .geosets
        .iter()
        .flat_map(|it| &it.vertices)
        .map(|it| it[2])
        .collect();
    let (low, high) = heights.iter().fold((f32::MAX, f32::MIN), |(low, high), z| (low.min(*z), high.max(*z)));
    assert!((high - low - 50.0).abs() < 1e-3, "{low} to {high}");
    put(path, "in/b.mdx", &sample("mdx-800-hat.mdx"));
    let stderr = convert(path, &["in", "--to", "mdx:800", "-o", "two", "--scale", "2", "--no-textures"]);
    assert!(
        stderr.contains("2 models stay in the same game, where --scale, --no-textures have no effect"),
        "{stderr}"
    );
    // Without such options, and in glTF, there is nothing to say.
    for words in
        [&["in", "--to", "mdx:800", "-o", "three"][..], &["in", "--to", "glb", "-o", "four", "--scale", "2"]]
    {
        let stderr = convert(path, words);
        assert!(!stderr.contains("same game"), "{stderr}");
    }
}

#[test]
fn folders_and_archives_of_mixed_games_become_warcraft_models_without_faults() {
    let mut inputs: Vec<(String, Vec<u8>)> = vec![
        ("frames.md3".into(), sample("md3-15-creature.md3")),
        ("own.mdx".into(), sample("mdx-1100-creature.mdx")),
        ("deep/hat.mdc".into(), sample("mdc-2-hat.mdc")),
    ];
    for end in [".m2", "00.skin", "01.skin", "02.skin", "03.skin"] {
        inputs.push((format!("beetle{end}"), sample(&format!("m2-264-creature{end}"))));
        inputs.push((format!("deep/crown{end}"), sample(&format!("m2-264-hat{end}"))));
    }
    inputs.extend(effigy_samples::textures().into_iter().map(|it| (it.file_name, it.bytes)));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    put(path, "old.mdx", &sample("mdx-800-hat.mdx"));
    convert(path, &["old.mdx", "-o", "scene.glb"]);
    inputs.push(("scene.glb".into(), fs::read(path.join("scene.glb")).unwrap()));
    for (name, bytes) in &inputs {
        put(path, &format!("in/{name}"), bytes);
    }
    let entries: Vec<(&str, &[u8])> =
        inputs.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice())).collect();
    put(path, "in.zip", &zip(&entries));
    let wanted = [
        "beetle.mdx",
        "deep/crown.mdx",
        "deep/hat.mdx",
        "deep/war3mapImported/LanternHat_LanternBeetle.blp",
        "frames.mdx",
        "own.mdx",
        "scene.mdx",
        "war3mapImported/LanternBeetle_LanternBeetle.blp",
        "war3mapImported/LanternBeetle_LanternBeetleFire.blp",
        "war3mapImported/LanternBeetle_LanternBeetleGlow.blp",
        "war3mapImported/LanternBeetle_LanternBeetleSmoke.blp",
        "war3mapImported/LanternBeetle_LanternBeetleTeam.blp",
        "war3mapImported/models/mapobjects/effigy/LanternBeetle.blp",
        "war3mapImported/models/mapobjects/effigy/LanternBeetleFire.blp",
        "war3mapImported/models/mapobjects/effigy/LanternBeetleGlow.blp",
        "war3mapImported/models/mapobjects/effigy/LanternBeetlePainted.blp",
    ];
    for input in ["in", "in.zip"] {
        let out = format!("out-{input}");
        convert(path, &[input, "--to", "mdx:800", "-o", &out]);
        assert_eq!(files(&path.join(&out)), wanted, "{input}");
        let (code, stdout, stderr) = run(path, &["check", &out, "--deny", "severe"]);
        assert_eq!(code, 0, "{stdout}{stderr}");
        assert!(stdout.contains("  6 files, ") && stdout.contains("   0 errors   0 severe   "), "{stdout}");
        for name in wanted.iter().filter(|name| name.ends_with(".mdx")) {
            assert_eq!(warcraft(&path.join(&out).join(name)).version(), 800, "{name}");
        }
    }
    for name in wanted {
        let bytes = |out: &str| fs::read(path.join(out).join(name)).unwrap();
        assert!(bytes("out-in") == bytes("out-in.zip"), "{name}");
    }
}
