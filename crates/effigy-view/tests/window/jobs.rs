//! Files that are made in steps while the window goes on.

use crate::harness::*;
use effigy_view::commands::Command;

#[test]
fn an_animation_is_made_in_steps_and_can_be_cancelled() {
    if !has_device() {
        return;
    }
    let mut test = Test::new();
    test.run(Command::Sample);
    let ctx = test.harness.ctx.clone();
    test.harness.state_mut().run(Command::Animation, &ctx);
    test.harness.run_steps(4);
    assert!(test.harness.state().is_working(), "it was made at once");
    test.picture("working");
    // The window does what it is asked for meanwhile.
    test.harness.key_press(egui::Key::G);
    test.harness.run_steps(1);
    assert!(test.harness.state().settings().overlays.grid);
    test.click("Cancel");
    assert!(!test.harness.state().is_working());
    assert!(test.saved.lock().unwrap().is_empty());

    test.harness.state_mut().run(Command::Turntable, &ctx);
    let mut steps = 0;
    while test.harness.state().is_working() {
        test.harness.run_steps(1);
        steps += 1;
        assert!(steps < 5000);
    }
    let (name, bytes) = test.saved.lock().unwrap().pop().unwrap();
    assert_eq!((name.as_str(), &bytes[..4]), ("LanternBeetle.gif", &b"GIF8"[..]));
    // 4 seconds at 20 frames per second: each frame is written in a step of its own.
    assert!(steps >= 80, "{steps} steps");

    test.harness.state_mut().run(Command::Sheet, &ctx);
    while test.harness.state().is_working() {
        test.harness.run_steps(1);
    }
    let (name, bytes) = test.saved.lock().unwrap().pop().unwrap();
    let sheet = effigy::image::read(&bytes).unwrap();
    assert!(name == "LanternBeetle.png" && sheet.width > 192, "{name} {}", sheet.width);
}
