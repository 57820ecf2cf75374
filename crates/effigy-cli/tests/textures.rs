//! Textures: where they are found, and pictures as inputs.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use crate::common;

use common::{put, run, run_with};
use effigy::image::{Encoding, Image};
use effigy::mdx::{Dialect, Model, Texture};
use effigy::wire::FixedStr;
use serde_json::Value;
use std::fs;

fn model(dialect: Dialect, version: u32, textures: &[(&str, u32)]) -> Vec<u8> {
    let mut model = Model::new(dialect, version, "Footman");
    for (path, replaceable) in textures {
        let (path, replaceable) = (FixedStr::truncated(path), *replaceable);
        model.textures.push(Texture { path, replaceable, ..Texture::default() });
    }
    model.write().unwrap()
}

/// A picture whose pixels all differ.
fn picture() -> Image {
    let pixels = (0..=255_u8).flat_map(|at| [at, 255 - at, at / 2, 255 - at / 3]).collect();
    Image::new(16, 16, pixels).unwrap()
}

fn found(stdout: &str) -> Vec<Value> {
    let info: Value = serde_json::from_str(stdout).unwrap();
    info["textures"].as_array().unwrap().iter().map(|texture| texture["found"].clone()).collect()
}

#[test]
fn textures_are_looked_for_at_home_then_in_the_assets_then_in_the_variable() {
    let folder = tempfile::tempdir().unwrap();
    let textures = [
        ("Textures\\A.blp", 0),
        ("Textures\\B.blp", 0),
        ("Textures\\C.tif", 0),
        ("Textures\\D.blp", 0),
        ("", 1),
    ];
    put(folder.path(), "units/footman.mdx", &model(Dialect::Warcraft3, 800, &textures));
    for name in [
        "textures/a.blp",
        "one/textures/a.blp",
        "one/textures/b.blp",
        "two/textures/b.dds",
        "three/textures/b.blp",
        "three/_hd.w3mod/textures/c.dds",
        "three/ReplaceableTextures/TeamColor/TeamColor00.blp",
    ] {
        put(folder.path(), name, b"x");
    }
    let arguments = ["info", "units/footman.mdx", "--json", "--assets", "one", "--assets", "two"];
    let (code, stdout, stderr) = run_with(folder.path(), "three", &arguments);
    assert_eq!((code, stderr.as_str()), (0, ""));
    let places = found(&stdout);
    assert_eq!(
        places[1..4],
        ["one/textures/b.blp".into(), "three/_hd.w3mod/textures/c.dds".into(), Value::Null]
    );
    assert_eq!(places[4], "three/ReplaceableTextures/TeamColor/TeamColor00.blp");
    let (_, stdout, _) = run(&folder.path().join("units"), &["info", "footman.mdx"]);
    assert!(stdout.contains("Textures\\D.blp  missing"), "{stdout}");

    let (code, _, stderr) = run(folder.path(), &["info", "units/footman.mdx", "--assets", "nowhere"]);
    assert!(code == 2 && stderr.contains("--assets nowhere"), "{stderr}");
    let (code, _, stderr) = run_with(folder.path(), "nowhere", &["info", "units/footman.mdx"]);
    assert!(code == 0 && stderr.starts_with("EFFIGY_ASSETS: nowhere: "), "{stderr}");
}

#[test]
fn info_lists_the_skins_that_the_tables_of_the_game_know() {
    let folder = tempfile::tempdir().unwrap();
    put(folder.path(), "Wolf.mdx", &model(Dialect::WowAlpha, 1300, &[("", 11)]));
    put(folder.path(), "game/Creature/Wolf/WolfSkinBlack.blp", b"x");
    let mut displays = Vec::new();
    let mut strings = b"\0".to_vec();
    for (display, name) in [(10_u32, &b"WolfSkinGrey\0"[..]), (11, b"WolfSkinBlack\0")] {
        let text = u32::try_from(strings.len()).unwrap();
        strings.extend(name);
        for word in [display, 1, 0, 0, 0x3f80_0000, 255, text, 0, 0, 0, 0, 0] {
            displays.extend(word.to_le_bytes());
        }
    }
    let table = |rows: u32, fields: u32, data: &[u8], strings: &[u8]| {
        let mut bytes = b"WDBC".to_vec();
        for word in [rows, fields, fields * 4, u32::try_from(strings.len()).unwrap()] {
            bytes.extend(word.to_le_bytes());
        }
        [bytes.as_slice(), data, strings].concat()
    };
    put(folder.path(), "game/DBFilesClient/CreatureDisplayInfo.dbc", &table(2, 12, &displays, &strings));
    let models: Vec<u8> = [1_u32, 0, 1].iter().flat_map(|word| word.to_le_bytes()).collect();
    let models = table(1, 3, &models, b"\0Creature\\Wolf\\Wolf.mdx\0");
    put(folder.path(), "game/DBFilesClient/CreatureModelData.dbc", &models);
    let (code, stdout, stderr) = run(folder.path(), &["info", "Wolf.mdx", "--assets", "game"]);
    assert_eq!(code, 0, "{stderr}");
    assert!(stdout.contains("skins         2   10: Creature/Wolf/WolfSkinGrey.blp  missing\n"), "{stdout}");
    let black = "11: Creature/Wolf/WolfSkinBlack.blp  found: game/Creature/Wolf/WolfSkinBlack.blp\n";
    assert!(stdout.contains(black), "{stdout}");

    let worn = run(folder.path(), &["info", "Wolf.mdx", "--json", "--assets", "game"]).1;
    assert_eq!(
        found(&worn),
        ["game/Creature/Wolf/WolfSkinBlack.blp"],
        "the first look whose texture is there"
    );

    put(folder.path(), "my.blp", b"x");
    let chosen = ["info", "Wolf.mdx", "--json", "--texture", "creature-1=my.blp"];
    assert_eq!(found(&run(folder.path(), &chosen).1), ["my.blp"]);
    for wrong in ["creature-1", "tail=my.blp", "0=my.blp", "11=none.blp"] {
        assert_eq!(run(folder.path(), &["info", "Wolf.mdx", "--texture", wrong]).0, 2, "{wrong}");
    }
}

#[test]
fn every_encoding_is_written_by_name_or_extension_and_reads_back() {
    let folder = tempfile::tempdir().unwrap();
    let source = effigy::image::write(&picture(), Encoding::PNG).unwrap().0;
    put(folder.path(), "in.png", &source);
    for (index, name) in Encoding::names().enumerate() {
        let encoding: Encoding = name.parse().unwrap();
        let output = format!("{index}.{}", encoding.extension());
        let (code, stdout, stderr) = run(folder.path(), &["convert", "in.png", "--to", name, "-o", &output]);
        assert_eq!(code, 0, "{name}: {stdout}{stderr}");
        let image = effigy::image::read(&fs::read(folder.path().join(&output)).unwrap()).unwrap();
        assert_eq!((image.width, image.height), (16, 16), "{name}");
        assert_eq!(image.levels.len(), if encoding.holds_mips() { 5 } else { 1 }, "{name}");
    }
    for exact in ["x.tga", "x.png"] {
        assert_eq!(run(folder.path(), &["convert", "in.png", "-o", exact]).0, 0);
        let image = effigy::image::read(&fs::read(folder.path().join(exact)).unwrap()).unwrap();
        assert_eq!(image.pixels(), picture().pixels(), "{exact}");
    }
}

#[test]
fn folders_of_pictures_are_converted_as_a_batch_and_models_among_them_left() {
    let folder = tempfile::tempdir().unwrap();
    let tga = effigy::image::write(&picture(), Encoding::TGA_RLE).unwrap().0;
    put(folder.path(), "in/a.tga", &tga);
    put(folder.path(), "in/deep/b.tga", &tga);
    put(folder.path(), "in/footman.mdx", &model(Dialect::Warcraft3, 800, &[]));
    put(folder.path(), "in/broken.blp", b"BLP1 and no more");
    let (code, stdout, stderr) =
        run(folder.path(), &["convert", "in", "--to", "blp2-raw", "-o", "out", "--json"]);
    assert_eq!(code, 1, "{stdout}");
    assert!(stderr.ends_with("2 files written, 1 failed\n"), "{stderr}");
    assert_eq!(stdout.lines().count(), 3, "{stdout}");
    let image = effigy::image::read(&fs::read(folder.path().join("out/deep/b.blp")).unwrap()).unwrap();
    assert_eq!(image.pixels(), picture().pixels());
    let (code, _, stderr) = run(folder.path(), &["convert", "in/footman.mdx", "-o", "footman.png"]);
    assert!(code == 1 && stderr.contains("this is a model (MDX) and not a texture"), "{stderr}");
    let (code, _, stderr) = run(folder.path(), &["convert", "in/a.tga", "--to", "mdx", "-o", "a.mdx"]);
    assert!(code == 1 && stderr.starts_with("in/a.tga: not a model"), "{stderr}");
}

#[test]
fn info_tells_format_size_and_levels_of_a_picture() {
    let folder = tempfile::tempdir().unwrap();
    let image = picture().with_mips();
    put(folder.path(), "a.blp", &effigy::image::write(&image, Encoding::BLP2_DXT5).unwrap().0);
    let (code, stdout, _) = run(folder.path(), &["info", "a.blp"]);
    assert_eq!(code, 0);
    assert!(
        stdout.starts_with("a.blp   BLP2 DXT5, 8-bit alpha   16 x 16   5 mip levels   translucent   "),
        "{stdout}"
    );
    let (_, stdout, _) = run(folder.path(), &["info", "--json", "a.blp"]);
    let line: Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!((&line["width"], &line["levels"], &line["alpha"]), (&16.into(), &5.into(), &true.into()));
}

#[test]
fn textures_are_resized_and_sizes_that_the_games_do_not_like_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let odd = Image::flat(100, 60, [1, 2, 3, 255]);
    put(at, "odd.png", &effigy::image::write(&odd, Encoding::PNG).unwrap().0);
    let (code, _, stderr) = run(at, &["convert", "odd.png", "-o", "odd.blp"]);
    assert!(code == 0 && stderr.contains("100 x 60") && stderr.contains("--resize pow2"), "{stderr}");
    // 100 is nearer to 128 than to 64, and 60 nearer to 64 than to 32.
    for (size, file, expected) in [
        ("pow2", "a.blp", (128, 64)),
        ("50%", "b.blp", (50, 30)),
        ("10", "c.png", (10, 6)),
        ("8x4", "d.tga", (8, 4)),
    ] {
        let (code, _, stderr) = run(at, &["convert", "odd.png", "--resize", size, "-o", file]);
        assert_eq!((code, stderr.contains("--resize pow2")), (0, file == "b.blp"), "{stderr}");
        let image = effigy::image::read(&fs::read(at.join(file)).unwrap()).unwrap();
        assert_eq!((image.width, image.height), expected, "{size}");
    }
    assert_eq!(run(at, &["convert", "odd.png", "--resize", "big", "-o", "e.blp"]).0, 2);
}

#[test]
fn check_names_textures_that_are_not_textures_or_have_odd_sizes() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let write = |image: &Image| effigy::image::write(image, Encoding::BLP1_PALETTE).unwrap().0;
    put(at, "good.blp", &write(&picture()));
    put(at, "odd.blp", &write(&Image::flat(100, 64, [1, 2, 3, 255])));
    put(at, "broken.blp", b"<html>not found</html>");
    put(at, "text.tga", b"This is not a picture, although it is called one.");
    let whole = |encoding| effigy::image::write(&picture(), encoding).unwrap().0;
    for (name, bytes) in [
        ("cut.blp", whole(Encoding::BLP1_PALETTE)),
        ("cut2.blp", whole(Encoding::BLP2_DXT5)),
        ("cut.dds", whole(Encoding::DDS_DXT5)),
        ("cutraw.dds", whole(Encoding::DDS_RAW)),
        ("cut.tga", whole(Encoding::TGA)),
    ] {
        put(at, &format!("whole-{name}"), &bytes);
        // Mip levels after the first may be missing, so that half of a file with them can be a whole picture.
        let first = effigy::image::stated_length(&bytes).unwrap();
        put(at, &format!("enough-{name}"), &bytes[..usize::try_from(first).unwrap()]);
        put(at, name, &bytes[..usize::try_from(first).unwrap() - 1]);
        for whole in ["whole", "enough"] {
            effigy::image::read(&fs::read(at.join(format!("{whole}-{name}"))).unwrap()).unwrap();
        }
    }
    let cut = ["cut.blp", "cut2.blp", "cut.dds", "cutraw.dds", "cut.tga"];
    let names: Vec<String> =
        cut.iter().flat_map(|name| ["whole-", "enough-", ""].map(|it| format!("{it}{name}"))).collect();
    let mut textures = vec![("good.blp", 0), ("odd.blp", 0), ("broken.blp", 0), ("text.tga", 0)];
    textures.extend(names.iter().map(|name| (name.as_str(), 0)));
    put(at, "a.mdx", &model(Dialect::Warcraft3, 800, &textures));
    let (code, stdout, stderr) = run(at, &["check", "a.mdx", "--json", "--select", "ALL1006,ALL1007"]);
    assert_eq!(code, 0, "{stderr}");
    let checked: Value = serde_json::from_str(stdout.lines().next().unwrap()).unwrap();
    let findings: Vec<(&str, &str)> = checked["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|finding| (finding["code"].as_str().unwrap(), finding["message"].as_str().unwrap()))
        .collect();
    let ends = cut.map(|name| format!("{name} ends before its picture does"));
    let mut expected =
        vec![("ALL1006", "broken.blp is not a texture"), ("ALL1006", "text.tga is not a texture")];
    expected.extend(ends.iter().map(|text| ("ALL1006", text.as_str())));
    expected.push(("ALL1007", "odd.blp has 100 x 64 pixels"));
    assert_eq!(findings, expected);
}
