//! Pictures while something moves, and when it stops.

use crate::harness::*;
use effigy_view::commands::Command;

/// In software one sample a pixel is drawn while something moves. The picture that stays has four.
#[test]
fn the_picture_is_drawn_again_with_smooth_edges_when_nothing_moves_any_more() {
    if !has_device() {
        return;
    }
    let mut test = Test::new();
    test.run(Command::Sample);
    let smooth = test.picture("smooth");
    test.harness.key_press(egui::Key::Space);
    test.harness.run_steps(10);
    let time = test.harness.state().status().time;
    let (moving, drawn) = (test.picture("moving"), test.harness.state().pictures());
    test.harness.key_press(egui::Key::Space);
    test.settle();
    let still = test.picture("still");
    assert_eq!(test.harness.state().status().time, time, "the time went on");
    assert_eq!(test.harness.state().pictures(), drawn + 1);
    // The same moment: edges alone differ.
    let (edges, other) = (differing(&moving, &still), differing(&smooth, &still));
    assert!(edges > 100, "{edges}");
    assert!(other > edges, "{other} {edges}");
    // A picture that is drawn again while nothing moves is the same.
    test.run(Command::Grid);
    test.run(Command::Grid);
    assert!(test.harness.state().pictures() > drawn + 2);
    assert_eq!(differing(&test.picture("again"), &still), 0);
}
