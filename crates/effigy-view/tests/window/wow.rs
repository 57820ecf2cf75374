//! Looks and geosets of World of Warcraft's models.

use crate::harness::*;
use effigy::image::{Image, png};
use effigy::m2::Version;
use std::path::PathBuf;

/// A table of the game, whose cells are numbers or texts.
fn table(rows: &[Vec<Result<u32, &str>>]) -> Vec<u8> {
    let (mut cells, mut texts) = (Vec::new(), vec![0_u8]);
    for cell in rows.iter().flatten() {
        let number = match cell {
            Ok(number) => *number,
            Err(text) => {
                let at = u32::try_from(texts.len()).unwrap();
                texts.extend(text.bytes().chain([0]));
                at
            }
        };
        cells.extend(number.to_le_bytes());
    }
    let [rows, fields, texts_length] =
        [rows.len(), rows[0].len(), texts.len()].map(|count| u32::try_from(count).unwrap());
    let head = [rows, fields, fields * 4, texts_length].map(u32::to_le_bytes);
    [b"WDBC".as_slice(), head.as_flattened(), &cells, &texts].concat()
}

/// A beetle whose textures are all chosen by the game, under this number, and whose submeshes are these geosets.
fn model(test: &Test, name: &str, kind: u32, geosets: &[u16]) -> PathBuf {
    let mut model = effigy_samples::m2::creature(Version::new(256).unwrap());
    for texture in model.textures.iter_mut() {
        texture.kind = kind;
        texture.name = effigy::m2::Block::text_of("");
    }
    for view in model.views.iter_mut() {
        for (submesh, id) in view.submeshes.iter_mut().zip(geosets) {
            submesh.id = *id;
        }
    }
    test.write(name, &model.write().unwrap())
}

fn texture(test: &Test, name: &str, color: [u8; 4]) {
    let file = png::write(&Image::flat(256, 256, color), png::Compression::Fast).unwrap();
    test.write(name, &file);
}

fn write_table(test: &Test, name: &str, rows: &[Vec<Result<u32, &str>>]) {
    std::fs::create_dir_all(test.folder.path().join("DBFilesClient")).unwrap();
    test.write(&format!("DBFilesClient/{name}.dbc"), &table(rows));
}

/// How much red and blue the view has.
fn red_and_blue(test: &mut Test, name: &str) -> [u64; 2] {
    let [left, top, width, height] = test.harness.state().status().view;
    let rect = egui::Rect::from_min_size(egui::pos2(left, top), egui::vec2(width, height));
    let picture = test.picture(name);
    let strong = |a: u8, b: u8| u64::from(a > b.saturating_add(60));
    part(&picture, rect)
        .iter()
        .fold([0; 2], |[red, blue], [r, _, b, _]| [red + strong(*r, *b), blue + strong(*b, *r)])
}

#[test]
fn the_look_of_a_character_is_chosen_and_its_geosets_are_grouped() {
    if !has_device() {
        return;
    }
    let mut test = Test::new();
    let skin = |id, color, file| {
        let row = [id, 6, 0, 0, 0, color].map(Ok).into_iter();
        row.chain([Err(file), Err(""), Err(""), Ok(1)]).collect::<Vec<_>>()
    };
    write_table(
        &test,
        "CharSections",
        &[skin(1, 0, "TaurenMaleSkin00_00.png"), skin(2, 1, "TaurenMaleSkin00_01.png")],
    );
    texture(&test, "TaurenMaleSkin00_00.png", [220, 20, 20, 255]);
    texture(&test, "TaurenMaleSkin00_01.png", [20, 20, 220, 255]);
    let path = model(&test, "TaurenMale.m2", 1, &[0, 401, 402, 1301]);
    test.open(&path);
    let [red, blue] = red_and_blue(&mut test, "look-1");
    assert!(red > 5000 && blue < 100, "{red} red, {blue} blue");
    test.click("Next skin");
    let [red, blue] = red_and_blue(&mut test, "look-2");
    assert!(blue > 5000 && red < 100, "{red} red, {blue} blue");
    // Around the end.
    test.click("Next skin");
    let [red, _] = red_and_blue(&mut test, "look-1-again");
    assert!(red > 5000);
    assert!(test.has("Gloves") && test.has("Robe or trousers") && test.has("(402)"));
}

#[test]
fn the_look_of_an_item_is_chosen_and_taken_off_for_the_next_model() {
    if !has_device() {
        return;
    }
    let mut test = Test::new();
    let item = |id, texture| {
        let mut row = vec![Ok(0); 23];
        (row[0], row[1], row[3]) = (Ok(id), Err("Sword_A_01.mdx"), Err(texture));
        row
    };
    write_table(&test, "ItemDisplayInfo", &[item(7, "SwordRed"), item(9, "SwordBlue")]);
    texture(&test, "SwordRed.blp", [220, 20, 20, 255]);
    texture(&test, "SwordBlue.blp", [20, 20, 220, 255]);
    let path = model(&test, "Sword_A_01.m2", 2, &[]);
    test.open(&path);
    let [red, blue] = red_and_blue(&mut test, "item-1");
    assert!(red > 5000 && blue < 100, "{red} red, {blue} blue");
    test.click("Look");
    test.picture("item-looks");
    test.click("9 SwordBlue.blp");
    let [red, blue] = red_and_blue(&mut test, "item-2");
    assert!(blue > 5000 && red < 100, "{red} red, {blue} blue");
    // Another item does not wear it.
    write_table(&test, "ItemDisplayInfo", &[item(7, "SwordRed"), item(9, "SwordBlue")]);
    let other = model(&test, "Sword_B_01.m2", 2, &[]);
    test.open(&other);
    assert!(!test.has("9 SwordBlue.blp"));
    test.open(&path);
    let [red, blue] = red_and_blue(&mut test, "item-1-again");
    assert!(red > 5000 && blue < 100, "{red} red, {blue} blue");
}
