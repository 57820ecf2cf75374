//! One device, one viewer, and what a user does with it.

use effigy::OpenOptions;
use effigy::pictures::{Choice, Gpu};
use effigy_view::{NoPlatform, SavedFiles, Viewer, commands::Command};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use egui_kittest::wgpu::{WgpuTestRenderer, create_render_state, default_wgpu_setup};
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub struct Test {
    pub harness: Harness<'static, Viewer>,
    pub saved: SavedFiles,
    pub folder: tempfile::TempDir,
}

/// A file that is dropped.
#[derive(Debug)]
struct Dropped(PathBuf);

impl egui::DroppedFile for Dropped {
    fn path(&self) -> &Path {
        &self.0
    }

    fn bytes(&self) -> Result<Vec<u8>, String> {
        std::fs::read(&self.0).map_err(|error| error.to_string())
    }
}

pub fn has_device() -> bool {
    let available = Gpu::new(Choice::Software).is_ok();
    effigy_testkit::require("gpu", available, "the viewer is drawn on the software renderer")
}

impl Test {
    pub fn new() -> Self {
        Self::sized(egui::vec2(1100.0, 700.0), OpenOptions::default())
    }

    pub fn sized(size: egui::Vec2, options: OpenOptions) -> Self {
        let state = create_render_state(default_wgpu_setup(), egui_wgpu::RendererOptions::PREDICTABLE);
        let platform = NoPlatform::default();
        let saved = Arc::clone(&platform.saved);
        let mut viewer = Viewer::new(&state, Box::new(platform), options);
        viewer.settings_mut().autoplay = false;
        let harness = Harness::builder()
            .with_size(size)
            .renderer(WgpuTestRenderer::from_render_state(state))
            .build_ui_state(|ui, viewer: &mut Viewer| viewer.ui(ui), viewer);
        Self { harness, saved, folder: tempfile::tempdir().unwrap() }
    }

    pub fn run(&mut self, command: Command) {
        let ctx = self.harness.ctx.clone();
        self.harness.state_mut().run(command, &ctx);
        self.settle();
    }

    pub fn settle(&mut self) {
        self.harness.run_ok();
        self.harness.run_steps(2);
    }

    pub fn open(&mut self, path: &Path) {
        let ctx = self.harness.ctx.clone();
        self.harness.state_mut().open_paths(&ctx, &[path.to_path_buf()]);
        self.settle();
    }

    /// Lets go of a file over the window.
    pub fn drop_file(&mut self, path: &Path) {
        self.harness.input_mut().dropped_files.push(Arc::new(Dropped(path.to_path_buf())));
        self.settle();
    }

    /// Where something with this label is.
    pub fn rect_of(&self, label: &str) -> egui::Rect {
        self.harness.get_by_label(label).rect()
    }

    pub fn click(&mut self, label: &str) {
        self.harness.get_by_label(label).click();
        self.settle();
    }

    /// Clicks the first of several labels that contain a text.
    pub fn click_first(&mut self, text: &str) {
        let found = self.harness.query_all_by_label_contains(text).next();
        found.unwrap_or_else(|| panic!("there is no {text}")).click();
        self.settle();
    }

    pub fn has(&self, label: &str) -> bool {
        self.harness.query_all_by_label_contains(label).next().is_some()
    }

    pub fn write(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    }

    /// The window as an image; it is also written to be looked at.
    pub fn picture(&mut self, name: &str) -> (u32, u32, Vec<u8>) {
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

/// The pixels of a part of the window, in points, which are pixels here.
pub fn part((width, _, pixels): &(u32, u32, Vec<u8>), rect: egui::Rect) -> Vec<[u8; 4]> {
    let all = pixels.as_chunks::<4>().0;
    let inside = |at: usize| {
        let (x, y) = (at % *width as usize, at / *width as usize);
        rect.contains(egui::pos2(x as f32 + 0.5, y as f32 + 0.5))
    };
    all.iter().enumerate().filter(|(at, _)| inside(*at)).map(|(_, pixel)| *pixel).collect()
}

/// How many colours a part of the window has.
pub fn colors(picture: &(u32, u32, Vec<u8>), rect: egui::Rect) -> usize {
    part(picture, rect).into_iter().collect::<std::collections::BTreeSet<_>>().len()
}

/// How many pixels of the middle of the window (the view) differ between two pictures.
pub fn differing((width, height, a): &(u32, u32, Vec<u8>), (_, _, b): &(u32, u32, Vec<u8>)) -> usize {
    let (width, height) = (*width as usize, *height as usize);
    let inside = |at: usize| {
        let (x, y) = (at % width, at / width);
        x > width / 3 && x < width * 2 / 3 && y > height / 5 && y < height * 7 / 10
    };
    let pixels = a.chunks_exact(4).zip(b.chunks_exact(4)).enumerate();
    pixels.filter(|(at, (a, b))| inside(*at) && a != b).count()
}

pub fn samples() -> Vec<effigy_samples::Sample> {
    [effigy_samples::all(), effigy_samples::textures()].concat()
}

pub fn sample(test: &Test, file_name: &str) -> PathBuf {
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
