//! Models, panels and findings.

use crate::harness::*;
use effigy_view::commands::Command;
use egui_kittest::kittest::Queryable;

#[test]
fn a_link_shows_a_view_and_is_made_from_it() {
    if !has_device() {
        return;
    }
    let mut test = Test::new();
    test.run(Command::Sample);
    let link = "anim=Walk&time=0.250&play=no&view=1.0000,0.2000,400.00,0.00,0.00,50.00&team=3&overlays=bones";
    test.harness.state_mut().apply_link(&format!("{link}&something=new&background=no such colour"));
    test.settle();
    let viewer = test.harness.state();
    let status = viewer.status();
    assert_eq!((status.sequence.as_deref(), status.playing), (Some("Walk"), false));
    assert!((status.time - 0.25).abs() < 1e-6, "{}", status.time);
    // 400 units from (0, 0, 50): 400 cos 1 cos 0.2, 400 sin 1 cos 0.2, 50 + 400 sin 0.2.
    let expected = [211.81, 329.88, 129.47];
    for (value, expected) in status.camera.view.eye.into_iter().zip(expected) {
        assert!((value - expected).abs() < 0.02, "{:?}", status.camera.view.eye);
    }
    assert_eq!(viewer.settings().team, 3);
    assert!(viewer.settings().overlays.bones && !viewer.settings().overlays.grid);
    assert_eq!(viewer.link(), link);
}

#[test]
fn the_window_shows_models_panels_and_findings() {
    if !has_device() {
        return;
    }
    let mut test = Test::new();
    test.settle();
    assert!(test.has("Drop a model or a map"));
    let empty = test.picture("empty");

    // The sample, and that nothing is drawn while nothing moves.
    test.run(Command::Sample);
    assert!(test.harness.state().file().is_some());
    let model = test.picture("model");
    assert!(differing(&empty, &model) > 10_000);
    let drawn = test.harness.state().pictures();
    test.harness.run_steps(10);
    assert_eq!(test.harness.state().pictures(), drawn, "pictures were drawn while nothing moved");

    // Time.
    test.run(Command::StepOn);
    let stepped = test.picture("stepped");
    assert!(differing(&model, &stepped) > 100);
    test.harness.key_press(egui::Key::Space);
    test.harness.run_steps(10);
    assert!(test.harness.state().pictures() > drawn + 5, "it does not play");
    test.harness.key_press(egui::Key::Space);
    test.settle();

    // A selection in the tree marks the mesh; its fields are listed.
    test.click("Selected");
    let before = test.picture("fields");
    test.harness.get_by_label("Body").click();
    test.settle();
    assert!(test.has("node"));
    let marked = test.picture("selected");
    assert!(differing(&before, &marked) > 20);

    // Checks, and a finding that is clicked.
    test.click_first("Checks");
    assert!(test.has("unusual light range"));
    test.picture("checks");
    test.click_first("LITE[0].attenuation_start");
    test.run(Command::Grid);
    test.run(Command::Bones);
    test.picture("viewer");
    test.run(Command::Grid);
    test.run(Command::Bones);

    test.click("Textures");
    assert!(test.has("LanternBeetle"));
    test.picture("textures");

    // Light theme, and the help window.
    test.run(Command::Theme);
    test.run(Command::Help);
    assert!(test.has("turns the view around the model"));
    test.picture("light");
    test.run(Command::Help);
    test.run(Command::Theme);

    // An export arrives as a valid file.
    test.run(Command::Export);
    test.click("Convert");
    test.picture("export");
    test.click("Save as...");
    let (name, bytes) = test.saved.lock().unwrap().pop().unwrap();
    assert_eq!((name.as_str(), &bytes[..4]), ("LanternBeetle.glb", &b"glTF"[..]));

    // A picture has the size of the view.
    test.run(Command::Picture);
    let (name, bytes) = test.saved.lock().unwrap().pop().unwrap();
    assert_eq!((name.as_str(), &bytes[1..4]), ("LanternBeetle.png", &b"PNG"[..]));

    // Each family of formats.
    let mut pictures = Vec::new();
    for (file, name) in [
        ("mdx-1000-creature.mdx", "reforged"),
        ("mdx-wow-1300-creature.mdx", "wow-alpha"),
        ("m2-264-creature.m2", "m2"),
        ("mdc-2-creature.mdc", "mdc"),
    ] {
        let path = sample(&test, file);
        test.open(&path);
        assert_eq!(test.harness.state().error(), None, "{file}");
        assert!(test.harness.state().file().unwrap().ends_with(file));
        let picture = test.picture(name);
        assert!(differing(&empty, &picture) > 10_000, "{file}");
        pictures.push(picture);
    }

    // A broken file shows its error; the next file opens as if nothing had happened.
    let broken = test.write("broken.mdx", b"MDLX\x01\x02");
    test.open(&broken);
    assert!(test.harness.state().error().is_some());
    test.picture("broken");
    let path = sample(&test, "m2-264-creature.m2");
    test.open(&path);
    assert_eq!(test.harness.state().error(), None);

    // The neighbouring file.
    test.harness.key_press(egui::Key::ArrowRight);
    test.settle();
    assert!(!test.harness.state().file().unwrap().ends_with("m2-264-creature.m2"));

    // A folder is listed.
    let folder = test.folder.path().to_path_buf();
    test.open(&folder);
    assert!(test.has(" of "));
    test.picture("browse");
}

#[test]
fn a_repair_is_shown_before_it_is_saved() {
    if !has_device() {
        return;
    }
    let mut test = Test::new();
    // A model without sequences: the repair adds one.
    let mut model = effigy::mdx::Model::new(effigy::mdx::Dialect::Warcraft3, 800, "Footman");
    model.bones.push(effigy::mdx::Bone::default());
    let path = test.write("footman.mdx", &model.write().unwrap());
    test.open(&path);
    test.click_first("Checks");
    test.click_first("Preview");
    assert!(test.has("repairs, not saved"));
    test.picture("repair");
    test.click("Save as...");
    let (name, bytes) = test.saved.lock().unwrap().pop().unwrap();
    assert_eq!(name, "footman-repaired.mdx");
    let repaired = effigy::read(&bytes, Some("mdx")).unwrap();
    assert_eq!(repaired.summary().sequences.len(), 1);
    test.click("Back to the file");
    assert!(!test.has("repairs, not saved"));
}
