//! The viewer as a user sees it: one device, several states. Each state is drawn on the software renderer; the pictures go
//! to the folder named by `EFFIGY_SNAPSHOTS`, to be looked at, and what can be decided by code is checked here.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, missing_docs)]

use effigy::OpenOptions;
use effigy::pictures::{Choice, Gpu};
use effigy_view::{NoPlatform, SavedFiles, Viewer, commands::Command};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use egui_kittest::wgpu::{WgpuTestRenderer, create_render_state, default_wgpu_setup};
use std::path::{Path, PathBuf};
use std::sync::Arc;

struct Test {
    harness: Harness<'static, Viewer>,
    saved: SavedFiles,
    folder: tempfile::TempDir,
}

fn has_device() -> bool {
    let available = Gpu::new(Choice::Software).is_ok();
    effigy_testkit::require("gpu", available, "the viewer is drawn on the software renderer")
}

impl Test {
    fn new() -> Self {
        let state = create_render_state(default_wgpu_setup(), egui_wgpu::RendererOptions::PREDICTABLE);
        let platform = NoPlatform::default();
        let saved = Arc::clone(&platform.saved);
        let mut viewer = Viewer::new(&state, Box::new(platform), OpenOptions::default());
        viewer.settings_mut().autoplay = false;
        let harness = Harness::builder()
            .with_size(egui::vec2(1100.0, 700.0))
            .renderer(WgpuTestRenderer::from_render_state(state))
            .build_ui_state(|ui, viewer: &mut Viewer| viewer.ui(ui), viewer);
        Self { harness, saved, folder: tempfile::tempdir().unwrap() }
    }

    fn run(&mut self, command: Command) {
        let ctx = self.harness.ctx.clone();
        self.harness.state_mut().run(command, &ctx);
        self.settle();
    }

    fn settle(&mut self) {
        self.harness.run_ok();
        self.harness.run_steps(2);
    }

    fn open(&mut self, path: &Path) {
        let ctx = self.harness.ctx.clone();
        self.harness.state_mut().open_paths(&ctx, &[path.to_path_buf()]);
        self.settle();
    }

    fn click(&mut self, label: &str) {
        self.harness.get_by_label(label).click();
        self.settle();
    }

    /// Clicks the first of several labels that contain a text.
    fn click_first(&mut self, text: &str) {
        let found = self.harness.query_all_by_label_contains(text).next();
        found.unwrap_or_else(|| panic!("there is no {text}")).click();
        self.settle();
    }

    fn has(&self, label: &str) -> bool {
        self.harness.query_all_by_label_contains(label).next().is_some()
    }

    fn write(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    }

    /// The window as an image; it is also written to be looked at.
    fn picture(&mut self, name: &str) -> (u32, u32, Vec<u8>) {
        let image = self.harness.render().unwrap();
        let (width, height) = image.dimensions();
        let pixels = image.into_raw();
        if let Some(folder) = std::env::var_os("EFFIGY_SNAPSHOTS") {
            let image = effigy::image::Image::new(width, height, pixels.clone()).unwrap();
            let png = effigy::image::png::write(&image, effigy::image::png::Compression::Fast).unwrap();
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(Path::new(&folder).join(format!("{name}.png")), png).unwrap();
        }
        (width, height, pixels)
    }
}

/// How many pixels of the middle of the window (the view) differ between two pictures.
fn differing((width, height, a): &(u32, u32, Vec<u8>), (_, _, b): &(u32, u32, Vec<u8>)) -> usize {
    let (width, height) = (*width as usize, *height as usize);
    let inside = |at: usize| {
        let (x, y) = (at % width, at / width);
        x > width / 3 && x < width * 2 / 3 && y > height / 5 && y < height * 7 / 10
    };
    let pixels = a.chunks_exact(4).zip(b.chunks_exact(4)).enumerate();
    pixels.filter(|(at, (a, b))| inside(*at) && a != b).count()
}

fn samples() -> Vec<effigy_samples::Sample> {
    [effigy_samples::all(), effigy_samples::textures()].concat()
}

fn sample(test: &Test, file_name: &str) -> PathBuf {
    for sample in samples() {
        let stem = file_name.split('.').next().unwrap();
        if sample.file_name.starts_with(stem) || sample.file_name.ends_with(".tga") {
            test.write(&sample.file_name, &sample.bytes);
        }
    }
    let path = test.folder.path().join(file_name);
    assert!(path.exists(), "there is no sample {file_name}");
    path
}

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
