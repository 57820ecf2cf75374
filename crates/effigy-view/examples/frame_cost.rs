//! What a frame costs: ten animated models in a window of 800 by 600, drawn in software.
//! `cargo run --release -p effigy-view --example frame_cost`.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout
)]

#[allow(dead_code, reason = "the tests use more of it")]
#[path = "../tests/window/harness.rs"]
mod harness;

use harness::*;
use std::time::Instant;

/// The middle one of some numbers, and the one that nine of ten do not exceed.
fn middle_and_high(mut numbers: Vec<f64>) -> (f64, f64) {
    numbers.sort_by(f64::total_cmp);
    (numbers[numbers.len() / 2], numbers[numbers.len() * 9 / 10])
}

fn main() {
    if !has_device() {
        return;
    }
    let units = 10;
    let folder = tempfile::tempdir().unwrap();
    for sample in samples().iter().filter(|it| it.file_name.ends_with(".tga")) {
        std::fs::write(folder.path().join(&sample.file_name), &sample.bytes).unwrap();
    }
    let beetle = samples().into_iter().find(|it| it.file_name == "mdx-800-creature.mdx").unwrap();
    let path = |number: usize| folder.path().join(format!("beetle{number}.mdx"));
    (0..units).for_each(|number| std::fs::write(path(number), &beetle.bytes).unwrap());
    let attach = (1..units).map(|number| effigy::Attach {
        at: "head".to_owned(),
        path: path(number),
        sequence: Some("Walk".to_owned()),
    });
    let options = effigy::OpenOptions { attach: attach.collect(), ..effigy::OpenOptions::default() };
    let mut test = Test::sized(egui::vec2(800.0, 600.0), options);
    test.harness.state_mut().settings_mut().panels = false;
    let clock = Instant::now();
    test.open(&path(0));
    println!("opened and laid out in {:.0} ms", clock.elapsed().as_secs_f64() * 1000.0);
    test.harness.state_mut().apply_link("anim=Walk&play=yes");
    test.harness.run_steps(10);
    let (mut costs, mut frames, mut steps) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..100 {
        let clock = Instant::now();
        test.harness.run_steps(1);
        steps.push(clock.elapsed().as_secs_f64() * 1000.0);
        costs.push(test.harness.state().cost());
        // With the device: the picture of the whole window is read back.
        test.harness.render().unwrap();
        frames.push(clock.elapsed().as_secs_f64() * 1000.0);
    }
    for (what, numbers) in
        [("pose and draw", costs), ("all of the interface", steps), ("with the device", frames)]
    {
        let (middle, high) = middle_and_high(numbers);
        println!("{units} units, {what}: {middle:.2} ms, nine of ten below {high:.2} ms");
    }
}
