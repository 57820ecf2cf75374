//! Two models side by side.

use crate::harness::*;
use effigy_view::commands::Command;

/// How many pixels differ between the models on the left and on the right, below the captions.
fn differences(test: &mut Test, name: &str) -> usize {
    let [left, top, width, height] = test.harness.state().status().view;
    let picture = test.picture(name);
    // The right half begins two points after the left one.
    let size = egui::vec2(width - 2.0, height - 40.0);
    let first = egui::Rect::from_min_size(egui::pos2(left, top + 40.0), size);
    let second = first.translate(egui::vec2(width + 2.0, 0.0));
    let (first, second) = (part(&picture, first), part(&picture, second));
    assert_eq!(first.len(), second.len());
    assert!(first.len() > 50_000);
    let far = |a: &[u8; 4], b: &[u8; 4]| a.iter().zip(b).any(|(a, b)| a.abs_diff(*b) > 8);
    first.iter().zip(&second).filter(|(a, b)| far(a, b)).count()
}

#[test]
fn a_second_model_is_seen_by_the_same_camera_at_the_same_moment() {
    if !has_device() {
        return;
    }
    let mut test = Test::new();
    let first = sample(&test, "mdx-800-creature.mdx");
    let bytes = std::fs::read(&first).unwrap();
    test.write("n-the-same.mdx", &bytes);
    sample(&test, "mdc-2-creature.mdc");
    test.open(&first);
    let alone = test.picture("before-comparison");
    test.run(Command::CompareNext);
    assert!(test.harness.state().compared().unwrap().ends_with("n-the-same.mdx"));
    let view = test.harness.state().status().view;
    // A copy of the file looks the same, whatever is done.
    let most = 200;
    assert!(differences(&mut test, "compared") < most);
    test.run(Command::NextSequence);
    for _ in 0..4 {
        test.run(Command::StepOn);
    }
    assert!(differences(&mut test, "compared-stepped") < most);
    let middle = egui::pos2(view[0] + view[2] / 2.0, view[1] + view[3] / 2.0);
    test.harness.drag_at(middle);
    test.harness.run_steps(1);
    test.harness.hover_at(middle + egui::vec2(80.0, 30.0));
    test.harness.run_steps(1);
    test.harness.drop_at(middle + egui::vec2(80.0, 30.0));
    test.settle();
    assert!(differences(&mut test, "compared-turned") < most);

    // The picture that is saved has both.
    test.run(Command::Picture);
    let (_, png) = test.saved.lock().unwrap().pop().unwrap();
    let png = effigy::image::read(&png).unwrap();
    assert!(png.width as f32 > view[2] * 1.9, "{} for {}", png.width, view[2]);

    // Another model looks different, and a file that cannot be opened changes nothing.
    test.write("n-z-broken.mdx", b"MDLX\x01\x02");
    let other = test.folder.path().join("mdc-2-creature.mdc");
    test.open(&other);
    assert!(test.harness.state().compared().unwrap().ends_with("n-the-same.mdx"));
    assert!(differences(&mut test, "compared-with-another") > 2000);

    test.run(Command::EndComparison);
    assert_eq!(test.harness.state().compared(), None);
    test.open(&first);
    let again = test.picture("after-comparison");
    assert_eq!(differing(&alone, &again), 0);
}
