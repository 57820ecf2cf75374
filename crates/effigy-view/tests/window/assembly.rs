//! Models on models.

use crate::harness::*;
use effigy::pictures::Stage;
use effigy_view::commands::Command;
use glam::{Mat4, Vec3};

/// The place of the sample that carries a hat.
const PLACE: &str = "Head Ref";

/// What the library makes of the same assembly.
fn expected(body: &std::path::Path, hat: &std::path::Path) -> Vec<u8> {
    let mut model = effigy::open(body).unwrap();
    model.add_part(PLACE, effigy::open(hat).unwrap()).unwrap();
    model.convert(&"glb".parse().unwrap()).unwrap().into_files("x").unwrap().main
}

fn exported(test: &mut Test) -> Vec<u8> {
    test.run(Command::Export);
    test.click("Convert");
    test.click("Save as...");
    test.click("Close window");
    test.saved.lock().unwrap().pop().unwrap().1
}

#[test]
fn a_model_is_dropped_onto_the_selected_attachment_and_removed_again() {
    if !has_device() {
        return;
    }
    let mut test = Test::new();
    let hat = sample(&test, "mdx-800-hat.mdx");
    let body = sample(&test, "mdx-800-creature.mdx");
    test.open(&body);
    let alone = test.picture("without-hat");
    // Without the bones, the attachments are visible.
    test.click_first("Bones and helpers");
    test.click_first(PLACE);
    test.drop_file(&hat);
    assert!(test.harness.state().file().unwrap().ends_with("mdx-800-creature.mdx"), "it was opened");
    assert!(test.has("mdx-800-hat.mdx is attached to"), "{}", test.harness.state().status().message);
    assert!(test.has("Attached (1)"));
    let with_hat = test.picture("with-hat");
    assert!(differing(&alone, &with_hat) > 500);
    assert_eq!(exported(&mut test), expected(&body, &hat));

    // It stays when the file is read again.
    test.run(Command::Reload);
    assert!(test.has("Attached (1)"));

    test.click_first(&format!("Remove {PLACE}"));
    assert!(!test.has("Attached ("));
    let again = test.picture("without-hat-again");
    assert_eq!(differing(&alone, &again), 0);

    // Without a selection the file is opened.
    test.drop_file(&hat);
    assert!(test.harness.state().file().unwrap().ends_with("mdx-800-hat.mdx"));
}

#[test]
fn a_model_is_dropped_onto_the_mark_of_an_attachment() {
    if !has_device() {
        return;
    }
    let mut test = Test::new();
    let hat = sample(&test, "mdx-800-hat.mdx");
    let body = sample(&test, "mdx-800-creature.mdx");
    test.open(&body);
    test.run(Command::Attachments);
    // Where the attachment is in the window: the moment is the first of the stand.
    let status = test.harness.state().status();
    let [left, top, width, height] = status.view;
    let scene = effigy::scene::validate(effigy::open(&body).unwrap().lower().unwrap().scene).unwrap();
    let mut stage = Stage::new(scene);
    stage.start(Stage::default_sequence(stage.scene()), 0.0, Some(&status.camera.view));
    let place = stage.scene().attachments.as_slice().iter().find(|it| it.name == PLACE).unwrap();
    let point = Vec3::from(stage.pose().point(place.node, place.position));
    let seen = Mat4::from_cols_array_2d(&status.camera.matrix(width / height)).project_point3(point);
    let at = egui::pos2(left + (seen.x + 1.0) / 2.0 * width, top + (1.0 - seen.y) / 2.0 * height);
    test.harness.hover_at(at + egui::vec2(2.0, -2.0));
    test.harness.run_steps(1);
    test.harness.input_mut().hovered_files.push(egui::HoveredFile::default());
    test.harness.run_steps(1);
    test.picture("drop-onto-attachment");
    test.harness.input_mut().hovered_files.clear();
    test.drop_file(&hat);
    assert!(test.has("Attached (1)"), "{}", test.harness.state().status().message);
    assert!(test.has(&format!("{PLACE}: mdx-800-hat.mdx")));
    assert_eq!(exported(&mut test), expected(&body, &hat));

    // A model that cannot be opened leaves everything as it is.
    let broken = test.write("broken.mdx", b"MDLX\x01\x02");
    test.harness.hover_at(at);
    test.harness.run_steps(1);
    test.drop_file(&broken);
    assert!(test.has("Attached (1)"));
    assert_eq!(exported(&mut test), expected(&body, &hat));
}
