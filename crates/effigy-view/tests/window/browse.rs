//! The list of files with its pictures.

use crate::harness::*;
use effigy_view::commands::Command;
use egui_kittest::kittest::Queryable;

/// The square of the picture of a file.
fn square(test: &Test, name: &str) -> egui::Rect {
    let row = test.rect_of(name);
    egui::Rect::from_min_size(row.min + egui::vec2(3.0, 3.0), egui::vec2(38.0, 38.0))
}

/// How bright a part of the window is. Rows begin between two pixels, so that equal pictures are not equal pixel by pixel.
fn mean(picture: &(u32, u32, Vec<u8>), rect: egui::Rect) -> u32 {
    let pixels = part(picture, rect);
    let sum: u32 = pixels.iter().map(|[r, g, b, _]| u32::from(*r) + u32::from(*g) + u32::from(*b)).sum();
    sum / u32::try_from(pixels.len()).unwrap()
}

/// Steps until no picture is missing; each step draws at most one.
fn finish(test: &mut Test) -> u64 {
    let mut idle = 0;
    while idle < 10 {
        let before = test.harness.state().thumbnails();
        test.harness.run_steps(1);
        let drawn = test.harness.state().thumbnails() - before;
        assert!(drawn <= 1, "{drawn} pictures in one frame");
        idle = if drawn == 0 { idle + 1 } else { 0 };
    }
    test.harness.state().thumbnails()
}

#[test]
fn a_folder_of_600_models_has_pictures_of_the_rows_that_are_visible() {
    if !has_device() {
        return;
    }
    let mut test = Test::new();
    let model = sample(&test, "mdx-800-creature.mdx");
    let bytes = std::fs::read(&model).unwrap();
    for number in 1..600 {
        test.write(&format!("a{number:03}.mdx"), &bytes);
    }
    test.write("a000.mdx", b"MDLX\x01\x02");
    let folder = test.folder.path().to_path_buf();
    // The first file is broken: the list stays, and the error is shown over the view.
    test.open(&folder);
    assert!(test.has("601 of 601"));
    let drawn = finish(&mut test);
    assert!((5..20).contains(&drawn), "{drawn} pictures");
    let picture = test.picture("thumbnails");
    let [broken, first, second] = ["a000.mdx", "a001.mdx", "a002.mdx"].map(|name| square(&test, name));
    assert!(colors(&picture, first) > 100, "there is no picture");
    let [first, second] = [first, second].map(|square| mean(&picture, square));
    assert!(first.abs_diff(second) < 3, "the same model looks different: {first} and {second}");
    // A mark: two colours with smooth edges between them.
    assert!(colors(&picture, broken) < 30, "a file that cannot be opened has a picture");

    // While the list is scrolled nothing is drawn; then what has become visible is.
    let over = test.rect_of("a005.mdx").center();
    test.harness.hover_at(over);
    finish(&mut test);
    let wheel = |y: f32| egui::Event::MouseWheel {
        unit: egui::MouseWheelUnit::Point,
        delta: egui::vec2(0.0, y),
        phase: egui::TouchPhase::Move,
        source: egui::MouseWheelSource::Wheel,
        modifiers: egui::Modifiers::NONE,
    };
    for _ in 0..20 {
        test.harness.event(wheel(-500.0));
        test.harness.run_steps(1);
    }
    assert_eq!(test.harness.state().thumbnails(), drawn, "drawn while the list is scrolled");
    let later = finish(&mut test);
    assert!((drawn + 5..drawn + 20).contains(&later), "{drawn} and {later} pictures");
    test.picture("thumbnails-scrolled");

    // Going back draws nothing again: the pictures were kept.
    for _ in 0..20 {
        test.harness.event(wheel(500.0));
        test.harness.run_steps(1);
    }
    assert!(finish(&mut test) <= later + 2);
    assert!(test.harness.query_by_label("a001.mdx").is_some());

    // Without pictures the rows are as high as a line.
    let before = test.rect_of("a001.mdx").height();
    test.run(Command::Thumbnails);
    assert!(test.rect_of("a001.mdx").height() < before / 2.0);
    test.picture("without-thumbnails");
}

#[test]
fn a_large_file_of_the_list_is_announced_before_the_window_stands_still() {
    if !has_device() {
        return;
    }
    let mut test = Test::new();
    let small = sample(&test, "mdx-800-creature.mdx");
    // Bytes after the last chunk are kept and do not matter.
    let mut bytes = std::fs::read(&small).unwrap();
    bytes.resize(5 << 20, 0);
    test.write("z-large.mdx", &bytes);
    test.open(&small);
    test.harness.key_press(egui::Key::ArrowLeft);
    test.harness.run_steps(2);
    assert!(test.harness.state().file().unwrap().ends_with("mdx-800-creature.mdx"));
    test.picture("announced");
    test.harness.run_steps(3);
    assert_eq!(test.harness.state().error(), None);
    assert!(test.harness.state().file().unwrap().ends_with("z-large.mdx"));
}
